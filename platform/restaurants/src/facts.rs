//! The fields of a restaurant that pricing and orders need, read by one statement.

use std::sync::LazyLock;

use access::prelude::*;
use chrono::NaiveDate;
use kernel::{
    ids::Vats,
    money::{Currency, Money, Percent},
    setting::{DeliveryMethod, NoRegion, ServiceFeeMode},
    time::{BusinessDay, Holiday, HolidayType, OpeningHours, Schedule, SosClose, TimeOfDay},
};
use sea_orm::{FromQueryResult, Value as Bound};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::{busy::Busy, settings::MenuLanguage};

/// The settings that [`Facts`] has, each under the name of its column: a new one is a field here.
macro_rules! settings {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)*) => {
        /// Settings of a restaurant at one moment. The fields are those of the restaurant.
        #[derive(Debug, Clone)]
        pub struct Facts {
            $($(#[$doc])* pub $field: $type,)*
            /// When it takes orders; its zone is that of business days and printed times too.
            pub schedule: Schedule,
            /// `hu` or `en`.
            pub primary_language: &'static str,
            /// The language of second names, when the menu has one.
            pub secondary_language: Option<&'static str>,
            /// The rate of `delivery_vat_id`.
            pub delivery_vat: Percent,
            /// Percent of the goods that carry a service fee.
            pub service_fee: Percent,
            /// Which goods carry it.
            pub service_fee_mode: ServiceFeeMode,
            /// Charged on what staff and kiosks sell to take away too.
            pub take_away_service_fee: bool,
            /// Percent that is preselected where tips are asked.
            pub default_tip: Option<Percent>,
            /// Whether such a tip is the waiter's.
            pub employee_tip: bool,
            /// Bottles and cans of what is eaten here carry their deposit.
            pub deposit_here: bool,
            /// What staff who may accept orders take by hand is accepted at once.
            pub accept_at_once: bool,
            /// So many days back closes of drawers are listed.
            pub daily_close_limit: i32,
            /// The deposit of one bottle or can today; none where no amount is known for country and currency.
            pub deposit: Option<Money>,
            /// The first instant of the day from which another amount holds, as far as one is known.
            pub deposit_until: Option<Timestamp>,
            /// Guests collect points.
            pub loyalty: bool,
        }

        /// The same as it lies in the database.
        #[derive(FromQueryResult)]
        struct FactsRow {
            $($field: $type,)*
            timezone: String,
            temp_no_orders: bool,
            temp_no_orders_until: Option<Timestamp>,
            opening_hours: Json,
            holidays: Json,
            primary_language: MenuLanguage,
            secondary_language: Option<MenuLanguage>,
            delivery_vat: Percent,
            service_fee: Percent,
            service_fee_mode: ServiceFeeMode,
            take_away_service_fee: bool,
            default_tip: Option<Percent>,
            employee_tip: bool,
            deposit_here: bool,
            accept_at_once: bool,
            daily_close_limit: i32,
            deposit: Option<Money>,
            deposit_until: Option<Timestamp>,
            loyalty: bool,
            beside: Option<Json>,
        }

        static FACTS: LazyLock<String> = LazyLock::new(|| facts_statement("null::jsonb", false));

        static FACTS_OF_LIVE: LazyLock<String> = LazyLock::new(|| facts_statement("null::jsonb", true));

        /// The statement of [`facts_by`], which also reads `beside`: an expression of SQL that makes one JSON value
        /// of `$1`, the restaurant, `$2`, now, and further values. `live` as in [`facts_of_live`].
        #[must_use]
        pub fn facts_statement(beside: &str, live: bool) -> String {
            let columns = [$(concat!("r.", stringify!($field))),*].join(", ");
            // Only archiving waits for this lock, and it waits for archiving.
            let lock = if live { "for key share of r" } else { "" };
            format!("select {columns}, {OTHERS}, {beside} beside {WHERE} {lock}")
        }

        impl FactsRow {
            fn read(self) -> Result<Facts> {
                Ok(Facts {
                    schedule: self.schedule()?,
                    primary_language: language(self.primary_language),
                    secondary_language: self.secondary_language.map(language),
                    delivery_vat: self.delivery_vat,
                    service_fee: Percent(self.service_fee.0.normalize()),
                    service_fee_mode: self.service_fee_mode,
                    take_away_service_fee: self.take_away_service_fee,
                    default_tip: self.default_tip.map(|tip| Percent(tip.0.normalize())),
                    employee_tip: self.employee_tip,
                    deposit_here: self.deposit_here,
                    accept_at_once: self.accept_at_once,
                    daily_close_limit: self.daily_close_limit,
                    deposit: self.deposit.map(|deposit| deposit.round(self.currency)),
                    deposit_until: self.deposit_until,
                    loyalty: self.loyalty,
                    $($field: self.$field,)*
                })
            }
        }
    };
}

settings! {
    id: Id<Restaurant>,
    name: String,
    phone_1: Option<String>,
    contact_email: Option<String>,
    country: String,
    postcode: Option<String>,
    city: String,
    street: String,
    premise_number: String,
    domain: Option<String>,
    coord_lat: Option<f64>,
    coord_lng: Option<f64>,
    currency: Currency,
    normal_delivery: bool,
    preorder_delivery: bool,
    normal_pickup: bool,
    preorder_pickup: bool,
    /// Days.
    min_days_to_preorder: i32,
    /// Days.
    days_to_preorder: i32,
    /// Minutes.
    min_preorder_pickup_diff: i32,
    /// Minutes.
    min_preorder_delivery_diff: i32,
    /// Minutes.
    preorder_notification_mins_before_expected: i32,
    min_order_price: Money,
    vat_id: Id<Vats>,
    sit_in_vat_id: Option<Id<Vats>>,
    delivery_vat_id: Id<Vats>,
    /// How a guest's region is found.
    delivery_method: DeliveryMethod,
    /// What holds where no region is active, once somebody has said it.
    no_region: Option<NoRegion>,
    order_reset_time: TimeOfDay,
    counter_prefix: Option<String>,
    /// Minutes, without what being busy adds: [`Facts::estimate`].
    estimated_delivery_time: i32,
    /// With `busy_until` what [`Facts::busy`] is made of.
    busy_minutes: Option<i32>,
    busy_until: Option<Timestamp>,
    /// Minutes after which an order that nobody accepts is told of.
    escalate_after_minutes: Option<i32>,
    order_accept_on_open: bool,
    /// Share of the goods that a guest gets back as points.
    point_cash_ratio: Percent,
    /// Whether guests can tip the courier.
    is_courier_tip_available: bool,
    /// Charged for each order of an own online channel.
    system_usage_fee: Money,
    /// How many orders that nobody has paid or accepted yet a phone may have within an hour.
    max_waiting_per_phone: i32,
    /// The same of a guest's network address.
    max_waiting_per_guest: i32,
    catalogue_version: i64,
}

/// What the schedule is made of, the languages, the rate, the till's configuration, and the deposit. $2 is now.
const OTHERS: &str = "r.timezone, r.primary_language, r.secondary_language, r.temp_no_orders, \
    r.temp_no_orders_until, v.percent delivery_vat, \
    coalesce(c.service_fee, 0) service_fee, coalesce(c.service_fee_mode, 'off') service_fee_mode, \
    coalesce(c.take_away_service_fee, true) take_away_service_fee, c.default_tip, \
    coalesce(c.employee_tip, false) employee_tip, coalesce(c.deposit_here, true) deposit_here, \
    coalesce(c.accept_at_once, false) accept_at_once, coalesce(c.daily_close_limit, 45) daily_close_limit, \
    (select d.amount from ref.deposit d where d.country = r.country and d.currency = r.currency \
     and d.valid_from <= ($2::timestamptz at time zone r.timezone)::date \
     order by d.valid_from desc limit 1) deposit, \
    (select min(d.valid_from)::timestamp at time zone r.timezone from ref.deposit d \
     where d.country = r.country and d.currency = r.currency \
     and d.valid_from > ($2::timestamptz at time zone r.timezone)::date) deposit_until, \
    exists (select from restaurant_feature f where f.restaurant_id = r.id and f.feature = 'loyalty') loyalty, \
    (select coalesce(jsonb_agg(jsonb_build_object('day', h.day, 'open_at', h.open_at, 'close_at', \
    h.close_at)), '[]') \
     from opening_hours h where h.restaurant_id = r.id) opening_hours, \
    (select coalesce(jsonb_agg(jsonb_build_object('valid_from', h.valid_from, 'valid_till', h.valid_till, \
    'holiday_type', h.holiday_type, \
         'open_at', h.open_at, 'close_at', h.close_at, \
         'created_at', to_char(h.created_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))), \
         '[]') \
     from restaurant_holiday h where h.restaurant_id = r.id and h.archived_at is null) holidays";

/// Where all of it is read.
const WHERE: &str = "from restaurant r left join ref.vat v on v.id = r.delivery_vat_id \
    left join pos_config c on c.restaurant_id = r.id where r.id = $1 and r.archived_at is null";

/// Reads them.
/// Errors: `RESTAURANT_NOT_EXIST`; what the database says.
pub async fn facts(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Facts> {
    Ok(facts_by(tx, FACTS.as_str(), restaurant, []).await?.0)
}

static FACTS_OF_ANY: LazyLock<String> = LazyLock::new(|| FACTS.replace(" and r.archived_at is null", ""));

/// Reads them, also of an archived restaurant: for what its guests have paid.
/// Errors: `RESTAURANT_NOT_EXIST`; what the database says.
pub async fn facts_of_any(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Facts> {
    Ok(facts_by(tx, FACTS_OF_ANY.as_str(), restaurant, []).await?.0)
}

/// Reads them for a caller who is about to add something that an archived restaurant must not have, such as
/// an order. Until the transaction ends the restaurant cannot be archived.
/// Errors: `RESTAURANT_NOT_EXIST`; what the database says.
pub async fn facts_of_live(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Facts> {
    Ok(facts_by(tx, FACTS_OF_LIVE.as_str(), restaurant, []).await?.0)
}

/// Reads them, and what else the statement of [`facts_statement`] reads of `values`: a round trip less for what
/// every order needs.
/// Errors: `RESTAURANT_NOT_EXIST`; what the database says.
pub async fn facts_by(
    tx: &TenantTx, statement: &'static str, restaurant: Id<Restaurant>,
    values: impl IntoIterator<Item = Bound>,
) -> Result<(Facts, Option<Json>)> {
    let values = [restaurant.into(), kernel::clock::now().into()].into_iter().chain(values);
    let row: Option<FactsRow> = tx.one(statement, values).await?;
    let mut row = row.ok_or_else(Problem::not_exist::<Restaurant>)?;
    let beside = row.beside.take();
    Ok((row.read()?, beside))
}

impl Facts {
    #[must_use]
    pub fn business_day(&self, at: Timestamp) -> BusinessDay {
        BusinessDay::of(at, self.schedule.zone, self.order_reset_time)
    }

    /// Busy as it holds at a moment.
    #[must_use]
    pub fn busy(&self, now: Timestamp) -> Option<Busy> {
        Busy::holding(self.busy_minutes, self.busy_until, now)
    }

    /// Minutes that an order for now takes: usually, and what being busy adds.
    #[must_use]
    pub fn estimate(&self, now: Timestamp) -> i32 {
        self.estimated_delivery_time + self.busy(now).map_or(0, |busy| busy.minutes)
    }

    /// Fewest minutes from now to a wanted time whose setting is `least`. While the restaurant is busy nothing is
    /// wanted sooner than an order for now would take.
    #[must_use]
    pub fn lead(&self, least: i32, now: Timestamp) -> i32 {
        if self.busy(now).is_some() { least.max(self.estimate(now)) } else { least }
    }
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

impl FactsRow {
    fn schedule(&self) -> Result<Schedule> {
        let mut hours: Vec<OpeningHours> =
            Deserialize::deserialize(&self.opening_hours).map_err(|_| unreadable("opening hours"))?;
        hours.sort_by_key(|hours| (hours.day, hours.open_at));
        let holidays: Vec<HolidayRow> =
            Deserialize::deserialize(&self.holidays).map_err(|_| unreadable("holidays"))?;
        Ok(Schedule {
            zone: self.timezone.parse().map_err(|_| unreadable("time zone"))?,
            hours,
            holidays: holidays.into_iter().map(Holiday::from).collect(),
            sos: SosClose::new(self.temp_no_orders, self.temp_no_orders_until),
        })
    }
}

/// Locks the restaurant's row until the transaction ends: two who write the first row of something that
/// belongs to it do so one after the other.
pub async fn lock(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    tx.row("select 1 from restaurant where id = $1 for no key update", [restaurant.into()]).await?;
    Ok(())
}
