//! What pricing and orders need of a restaurant, in one statement.

use access::prelude::*;
use chrono::NaiveDate;
use kernel::{
    ids::Vats,
    money::{Currency, Money, Percent},
    time::{Holiday, HolidayType, OpeningHours, Schedule, SosClose, TimeOfDay},
};
use sea_orm::QueryResult;
use serde::Deserialize;

use crate::settings::MenuLanguage;

/// Settings of a restaurant at one moment. The fields are those of the restaurant.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the names are those of the settings, which the published document explains")]
pub struct Facts {
    pub id: Id<Restaurant>,
    pub name: String,
    pub phone_1: Option<String>,
    pub contact_email: Option<String>,
    pub country: String,
    pub postcode: Option<String>,
    pub city: String,
    pub street: String,
    pub premise_number: String,
    pub domain: Option<String>,
    pub coord_lat: Option<f64>,
    pub coord_lng: Option<f64>,
    pub currency: Currency,
    /// When it takes orders; its zone is that of business days and printed times too.
    pub schedule: Schedule,
    /// `hu` or `en`.
    pub primary_language: &'static str,
    /// The language of second names, when the menu has one.
    pub secondary_language: Option<&'static str>,
    pub normal_delivery: bool,
    pub preorder_delivery: bool,
    pub normal_pickup: bool,
    pub preorder_pickup: bool,
    /// Days.
    pub min_days_to_preorder: i32,
    /// Days.
    pub days_to_preorder: i32,
    /// Minutes.
    pub min_preorder_pickup_diff: i32,
    /// Minutes.
    pub min_preorder_delivery_diff: i32,
    /// Minutes.
    pub preorder_notification_mins_before_expected: i32,
    pub min_order_price: Money,
    pub vat_id: Id<Vats>,
    pub sit_in_vat_id: Id<Vats>,
    pub delivery_vat_id: Id<Vats>,
    /// The rate of `delivery_vat_id`.
    pub delivery_vat: Percent,
    pub order_reset_time: TimeOfDay,
    pub counter_prefix: Option<String>,
    /// Minutes.
    pub estimated_delivery_time: i32,
    pub order_accept_on_open: bool,
    /// Share of the goods that a guest gets back as points.
    pub point_cash_ratio: Percent,
    /// Whether guests can tip the courier.
    pub is_courier_tip_available: bool,
    /// How many orders that nobody has paid or accepted yet a phone may have within an hour.
    pub max_waiting_per_phone: i32,
    /// The same of a guest's network address.
    pub max_waiting_per_guest: i32,
    pub catalogue_version: i64,
}

const FACTS: &str = "select r.id, r.name, r.phone_1, r.contact_email, r.country, r.postcode, r.city, \
    r.street, r.premise_number, r.domain, r.coord_lat, r.coord_lng, r.currency, r.timezone, \
    r.primary_language, r.secondary_language, r.temp_no_orders, r.temp_no_orders_until, r.normal_delivery, \
    r.preorder_delivery, r.normal_pickup, r.preorder_pickup, \
    r.min_days_to_preorder, r.days_to_preorder, r.min_preorder_pickup_diff, r.min_preorder_delivery_diff, \
    r.preorder_notification_mins_before_expected, r.min_order_price, r.vat_id, r.sit_in_vat_id, \
    r.delivery_vat_id, v.percent delivery_vat, \
    r.order_reset_time, r.counter_prefix, r.estimated_delivery_time, r.order_accept_on_open, \
    r.point_cash_ratio, r.catalogue_version, \
    r.is_courier_tip_available, r.max_waiting_per_phone, r.max_waiting_per_guest, \
    (select coalesce(jsonb_agg(jsonb_build_object('day', h.day, 'open_at', h.open_at, 'close_at', \
    h.close_at)), '[]') \
     from opening_hours h where h.restaurant_id = r.id) opening_hours, \
    (select coalesce(jsonb_agg(jsonb_build_object('valid_from', h.valid_from, 'valid_till', h.valid_till, \
    'holiday_type', h.holiday_type, \
         'open_at', h.open_at, 'close_at', h.close_at, \
         'created_at', to_char(h.created_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))), \
         '[]') \
     from restaurant_holiday h where h.restaurant_id = r.id and h.archived_at is null) holidays \
    from restaurant r left join ref.vat v on v.id = r.delivery_vat_id where r.id = $1 and r.archived_at is \
    null";

/// Reads them.
///
/// # Errors
/// `RESTAURANT_NOT_EXIST`; what the database says.
pub async fn facts(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Facts> {
    let row = tx.row(FACTS, [restaurant.into()]).await?.ok_or_else(Problem::not_exist::<Restaurant>)?;
    read(&row)
}

#[derive(Deserialize)]
struct HolidayRow {
    valid_from: NaiveDate,
    valid_till: NaiveDate,
    holiday_type: HolidayType,
    open_at: Option<TimeOfDay>,
    close_at: Option<TimeOfDay>,
    created_at: Timestamp,
}

impl From<HolidayRow> for Holiday {
    fn from(row: HolidayRow) -> Self {
        let HolidayRow { valid_from, valid_till, holiday_type, open_at, close_at, created_at } = row;
        Self { valid_from, valid_till, holiday_type, open_at, close_at, created_at }
    }
}

fn unreadable(what: &'static str) -> Problem {
    tracing::error!(what, "a restaurant's settings cannot be read");
    Problem::new(Code::UNKNOWN_ERROR)
}

fn language(language: MenuLanguage) -> &'static str {
    match language {
        MenuLanguage::Hu => "hu",
        MenuLanguage::En => "en",
    }
}

fn read(row: &QueryResult) -> Result<Facts> {
    let zone: String = row.try_get("", "timezone")?;
    let hours: serde_json::Value = row.try_get("", "opening_hours")?;
    let holidays: serde_json::Value = row.try_get("", "holidays")?;
    let mut opening_hours: Vec<OpeningHours> =
        serde_json::from_value(hours).map_err(|_| unreadable("opening hours"))?;
    opening_hours.sort_by_key(|hours| (hours.day, hours.open_at));
    let holidays: Vec<HolidayRow> = serde_json::from_value(holidays).map_err(|_| unreadable("holidays"))?;
    Ok(Facts {
        id: row.try_get("", "id")?,
        name: row.try_get("", "name")?,
        phone_1: row.try_get("", "phone_1")?,
        contact_email: row.try_get("", "contact_email")?,
        country: row.try_get("", "country")?,
        postcode: row.try_get("", "postcode")?,
        city: row.try_get("", "city")?,
        street: row.try_get("", "street")?,
        premise_number: row.try_get("", "premise_number")?,
        domain: row.try_get("", "domain")?,
        coord_lat: row.try_get("", "coord_lat")?,
        coord_lng: row.try_get("", "coord_lng")?,
        currency: row.try_get("", "currency")?,
        schedule: Schedule {
            zone: zone.parse().map_err(|_| unreadable("time zone"))?,
            hours: opening_hours,
            holidays: holidays.into_iter().map(Holiday::from).collect(),
            sos: SosClose::new(row.try_get("", "temp_no_orders")?, row.try_get("", "temp_no_orders_until")?),
        },
        primary_language: language(row.try_get("", "primary_language")?),
        secondary_language: row.try_get::<Option<MenuLanguage>>("", "secondary_language")?.map(language),
        normal_delivery: row.try_get("", "normal_delivery")?,
        preorder_delivery: row.try_get("", "preorder_delivery")?,
        normal_pickup: row.try_get("", "normal_pickup")?,
        preorder_pickup: row.try_get("", "preorder_pickup")?,
        min_days_to_preorder: row.try_get("", "min_days_to_preorder")?,
        days_to_preorder: row.try_get("", "days_to_preorder")?,
        min_preorder_pickup_diff: row.try_get("", "min_preorder_pickup_diff")?,
        min_preorder_delivery_diff: row.try_get("", "min_preorder_delivery_diff")?,
        preorder_notification_mins_before_expected: row
            .try_get("", "preorder_notification_mins_before_expected")?,
        min_order_price: row.try_get("", "min_order_price")?,
        vat_id: row.try_get("", "vat_id")?,
        sit_in_vat_id: row.try_get("", "sit_in_vat_id")?,
        delivery_vat_id: row.try_get("", "delivery_vat_id")?,
        delivery_vat: row.try_get("", "delivery_vat")?,
        order_reset_time: row.try_get("", "order_reset_time")?,
        counter_prefix: row.try_get("", "counter_prefix")?,
        estimated_delivery_time: row.try_get("", "estimated_delivery_time")?,
        order_accept_on_open: row.try_get("", "order_accept_on_open")?,
        point_cash_ratio: row.try_get("", "point_cash_ratio")?,
        is_courier_tip_available: row.try_get("", "is_courier_tip_available")?,
        max_waiting_per_phone: row.try_get("", "max_waiting_per_phone")?,
        max_waiting_per_guest: row.try_get("", "max_waiting_per_guest")?,
        catalogue_version: row.try_get("", "catalogue_version")?,
    })
}

/// Raises the version of what guests see of a restaurant. Every transaction that changes any of it calls this
/// once, as its last write: the restaurant's row stays locked from here to the commit.
///
/// # Errors
/// What the database says.
pub async fn raise_catalogue_version(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    tx.run(
        "update restaurant set catalogue_version = catalogue_version + 1 where id = $1",
        [restaurant.into()],
    )
    .await?;
    Ok(())
}

/// The same for a change that was prepared on this version; false, and nothing raised, when another came
/// between.
///
/// # Errors
/// What the database says.
pub async fn raise_catalogue_version_from(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    version: i64,
) -> Result<bool> {
    let sql = "update restaurant set catalogue_version = catalogue_version + 1 where id = $1 and \
        catalogue_version = $2";
    Ok(tx.run(sql, [restaurant.into(), version.into()]).await? > 0)
}

/// Locks the restaurant's row until the transaction ends: two who write the first row of something that belongs
/// to it do so one after the other.
///
/// # Errors
/// What the database says.
pub async fn lock(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    tx.row("select 1 from restaurant where id = $1 for no key update", [restaurant.into()]).await?;
    Ok(())
}
