//! What the calls about a restaurant's settings take and answer.

use access::prelude::*;
use kernel::{
    Group,
    money::{Currency, Money, Percent, Quantity},
    setting::{DeliveryMethod, NtakCategories, NtakQuantityUnit},
    time::{SosClose, TimeOfDay},
};

use serde_json::Value;

use super::entity::Model;

/// Reference data: a VAT rate.
#[derive(Debug)]
pub enum Vat {}

impl Resource for Vat {
    const NAME: &'static str = "vats";
    const ENTITY: &'static str = "VAT";
}

/// A language in which a menu can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum MenuLanguage {
    /// Hungarian.
    Hu,
    /// English.
    En,
}

/// What a restaurant selector shows.
#[derive(Debug, Clone, Object)]
pub struct RestaurantShort {
    pub id: Id<Restaurant>,
    pub name: String,
    pub partner_id: Id<Partner>,
    pub restaurant_group_id: Id<Group>,
    /// Name of the time zone, such as `Europe/Budapest`.
    pub timezone: String,
    pub currency: Currency,
    /// The language of names and descriptions.
    pub primary_language: MenuLanguage,
    /// The language of `…_sec_lang` fields; null when the menu is kept in one language.
    pub secondary_language: Option<MenuLanguage>,
    pub city: String,
}

impl RestaurantShort {
    pub(super) fn of(row: Model, partner: Id<Partner>) -> Self {
        Self {
            id: row.id,
            name: row.name,
            partner_id: partner,
            restaurant_group_id: row.restaurant_group_id,
            timezone: row.timezone,
            currency: row.currency,
            primary_language: row.primary_language,
            secondary_language: row.secondary_language,
            city: row.city,
        }
    }
}

/// A restaurant with its settings. What its e-mails to guests say is answered by `…/order-emails`, the rate
/// of the euro and the accounts at payment providers by `…/payment-methods/settings`: both need permissions
/// of their own.
#[derive(Debug, Object)]
#[oai(rename = "Restaurant")]
pub(super) struct RestaurantDetails {
    #[oai(flatten)]
    pub short: RestaurantShort,
    pub phone_1: Option<String>,
    pub contact_email: Option<String>,
    /// Two letters (ISO 3166-1).
    pub country: String,
    pub state_province_county: Option<String>,
    pub postcode: Option<String>,
    pub street: String,
    pub premise_number: String,
    /// Address of the restaurant's own site.
    pub domain: Option<String>,
    /// Degrees north.
    pub coord_lat: Option<f64>,
    /// Degrees east.
    pub coord_lng: Option<f64>,
    /// SOS close: no orders are taken.
    pub temp_no_orders: bool,
    /// When SOS close ends by itself; null while it is off or has no end.
    pub temp_no_orders_until: Option<Timestamp>,
    /// Minutes that a delivery usually takes; offered first when an order is accepted.
    pub estimated_delivery_time: i32,
    /// When the business day begins and order numbers start anew.
    pub order_reset_time: TimeOfDay,
    /// One digit or capital letter before each order number.
    pub counter_prefix: Option<String>,
    /// Delivers as soon as possible.
    pub normal_delivery: bool,
    /// Delivers at a wanted time.
    pub preorder_delivery: bool,
    /// Lets fetch as soon as possible.
    pub normal_pickup: bool,
    /// Lets fetch at a wanted time.
    pub preorder_pickup: bool,
    /// Fewest days between today and the wanted day; 0 allows today.
    pub min_days_to_preorder: i32,
    /// Most days between today and the wanted day.
    pub days_to_preorder: i32,
    /// Fewest minutes from now to the wanted time of a pickup.
    pub min_preorder_pickup_diff: i32,
    /// Fewest minutes from now to the wanted time of a delivery.
    pub min_preorder_delivery_diff: i32,
    /// Minutes before the wanted time at which a preorder appears among fresh orders.
    pub preorder_notification_mins_before_expected: i32,
    /// Least value of the goods of a delivery; 0 is no minimum.
    pub min_order_price: Money,
    /// VAT of what neither its product nor its category sets.
    pub vat_id: Id<Vat>,
    /// The same for what is eaten here.
    pub sit_in_vat_id: Id<Vat>,
    /// VAT of the delivery fee.
    pub delivery_vat_id: Id<Vat>,
    /// Opening a new order accepts it.
    pub order_accept_on_open: bool,
    /// Percent of the goods that a guest gets back as points.
    pub point_cash_ratio: Percent,
    /// How many orders that nobody has paid or accepted yet one phone may have within an hour.
    pub max_waiting_per_phone: i32,
    /// The same of one guest, told by the network address.
    pub max_waiting_per_guest: i32,
    /// Orders go through the kitchen's queues.
    pub enable_kitchen_queue: bool,
    /// New items enter the queue by themselves.
    pub autoqueue: bool,
    /// The till shows the floor plan.
    pub floor_map: bool,
    /// Documents are kept in the object store too.
    pub save_to_aws: bool,
    /// The till works without the network.
    pub offline_backend_enabled: bool,
    /// The light client may sign in.
    pub lct_enabled: bool,
    /// Payments go to the providers' test systems.
    pub sandbox_payment: bool,
    /// Guests can tip the courier.
    pub is_courier_tip_available: bool,
    /// Guests can use a loyalty card.
    pub is_loyalty_card_available: bool,
    /// How the region of a delivery is found.
    pub delivery_method: DeliveryMethod,
    /// The region of its deliveries. Null as long as there are no delivery regions: every address is
    /// accepted, without a fee.
    pub delivery_info: Option<Value>,
    /// NTAK category of what neither product nor category sets.
    pub ntak_category_id: Option<Id<NtakCategories>>,
    /// NTAK unit of what neither product nor category sets.
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    /// When it was closed for good; null while it is there.
    pub archived_at: Option<Timestamp>,
    /// Raised by every change of what guests see.
    pub catalogue_version: i64,
    pub version: i64,
}

impl RestaurantDetails {
    pub(super) fn of(row: Model, partner: Id<Partner>) -> Self {
        let short = RestaurantShort::of(row.clone(), partner);
        let sos = row.sos();
        Self {
            short,
            phone_1: row.phone_1,
            contact_email: row.contact_email,
            country: row.country,
            state_province_county: row.state_province_county,
            postcode: row.postcode,
            street: row.street,
            premise_number: row.premise_number,
            domain: row.domain,
            coord_lat: row.coord_lat,
            coord_lng: row.coord_lng,
            temp_no_orders: sos != SosClose::Off,
            temp_no_orders_until: sos.end(),
            estimated_delivery_time: row.estimated_delivery_time,
            order_reset_time: row.order_reset_time,
            counter_prefix: row.counter_prefix,
            normal_delivery: row.normal_delivery,
            preorder_delivery: row.preorder_delivery,
            normal_pickup: row.normal_pickup,
            preorder_pickup: row.preorder_pickup,
            min_days_to_preorder: row.min_days_to_preorder,
            days_to_preorder: row.days_to_preorder,
            min_preorder_pickup_diff: row.min_preorder_pickup_diff,
            min_preorder_delivery_diff: row.min_preorder_delivery_diff,
            preorder_notification_mins_before_expected: row.preorder_notification_mins_before_expected,
            min_order_price: row.min_order_price,
            vat_id: row.vat_id,
            sit_in_vat_id: row.sit_in_vat_id,
            delivery_vat_id: row.delivery_vat_id,
            order_accept_on_open: row.order_accept_on_open,
            point_cash_ratio: row.point_cash_ratio,
            max_waiting_per_phone: row.max_waiting_per_phone,
            max_waiting_per_guest: row.max_waiting_per_guest,
            enable_kitchen_queue: row.enable_kitchen_queue,
            autoqueue: row.autoqueue,
            floor_map: row.floor_map,
            save_to_aws: row.save_to_aws,
            offline_backend_enabled: row.offline_backend_enabled,
            lct_enabled: row.lct_enabled,
            sandbox_payment: row.sandbox_payment,
            is_courier_tip_available: row.is_courier_tip_available,
            is_loyalty_card_available: row.is_loyalty_card_available,
            delivery_method: row.delivery_method,
            delivery_info: None,
            ntak_category_id: row.ntak_category_id,
            ntak_quantity_unit: row.ntak_quantity_unit,
            archived_at: row.archived_at,
            catalogue_version: row.catalogue_version,
            version: row.version,
        }
    }
}

/// A new restaurant. What is absent gets the usual value; the rest of the settings follow by their own calls.
#[derive(Debug, Object)]
pub(super) struct NewRestaurant {
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// Take over the settings, hours, legal data, socials, payment methods and menu of this restaurant. What
    /// stands here beside it holds for the new one; its address is never taken over, its currency always.
    pub copy_from: Option<Id<Restaurant>>,
    /// The partner's first group when absent; for a copy, that of the other.
    pub restaurant_group_id: Option<Id<Group>>,
    #[oai(validator(max_length = 64))]
    pub timezone: Option<String>,
    pub currency: Option<Currency>,
    pub primary_language: Option<MenuLanguage>,
    pub secondary_language: Option<MenuLanguage>,
    #[oai(validator(max_length = 30))]
    pub phone_1: Option<String>,
    #[oai(validator(
        max_length = 254,
        pattern = r"^[^@\s\x00-\x1F\x7F-\x9F]+@[^@\s\x00-\x1F\x7F-\x9F]+\.[^@\s\x00-\x1F\x7F-\x9F]+$"
    ))]
    pub contact_email: Option<String>,
    #[oai(validator(max_length = 253))]
    pub domain: Option<String>,
    #[oai(validator(pattern = "^[A-Z]{2}$"))]
    pub country: Option<String>,
    #[oai(validator(max_length = 16))]
    pub postcode: Option<String>,
    #[oai(validator(max_length = 100))]
    pub city: Option<String>,
    #[oai(validator(max_length = 100))]
    pub street: Option<String>,
    #[oai(validator(max_length = 20))]
    pub premise_number: Option<String>,
}

/// Name, address, contact, zone, currency, languages and VAT.
#[derive(Debug, Object)]
pub(crate) struct RestaurantGeneral {
    #[oai(validator(min_length = 1, max_length = 100))]
    pub name: Option<String>,
    #[oai(validator(min_length = 1, max_length = 30))]
    pub phone_1: Option<String>,
    #[oai(validator(
        max_length = 254,
        pattern = r"^[^@\s\x00-\x1F\x7F-\x9F]+@[^@\s\x00-\x1F\x7F-\x9F]+\.[^@\s\x00-\x1F\x7F-\x9F]+$"
    ))]
    pub contact_email: Option<String>,
    #[oai(validator(min_length = 1, max_length = 253, pattern = r"^[^\s\x00-\x1F\x7F-\x9F]+$"))]
    pub domain: Option<String>,
    #[oai(validator(pattern = "^[A-Z]{2}$"))]
    pub country: Option<String>,
    #[oai(validator(max_length = 100))]
    pub state_province_county: Clearable<String>,
    #[oai(validator(max_length = 16))]
    pub postcode: Clearable<String>,
    #[oai(validator(min_length = 1, max_length = 100))]
    pub city: Option<String>,
    #[oai(validator(min_length = 1, max_length = 100))]
    pub street: Option<String>,
    #[oai(validator(min_length = 1, max_length = 20))]
    pub premise_number: Option<String>,
    /// Degrees north of the place on the map; together with `coord_lng`.
    #[oai(validator(minimum(value = "-90"), maximum(value = "90")))]
    pub coord_lat: Clearable<f64>,
    /// Degrees east.
    #[oai(validator(minimum(value = "-180"), maximum(value = "180")))]
    pub coord_lng: Clearable<f64>,
    /// Region and city, such as `Europe/Budapest`.
    #[oai(validator(max_length = 64))]
    pub timezone: Option<String>,
    pub currency: Option<Currency>,
    pub primary_language: Option<MenuLanguage>,
    pub secondary_language: Clearable<MenuLanguage>,
    /// Null is no minimum, as 0 is.
    #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
    pub min_order_price: Clearable<Money>,
    pub vat_id: Option<Id<Vat>>,
    pub sit_in_vat_id: Option<Id<Vat>>,
    pub delivery_vat_id: Option<Id<Vat>>,
    pub version: Option<i64>,
}

/// How orders reach the guest. The two shortest times below 1 count as 1.
#[derive(Debug, Object)]
pub(crate) struct RestaurantDelivery {
    pub normal_delivery: Option<bool>,
    pub preorder_delivery: Option<bool>,
    pub normal_pickup: Option<bool>,
    pub preorder_pickup: Option<bool>,
    #[oai(validator(minimum(value = "0"), maximum(value = "365")))]
    pub min_days_to_preorder: Option<i32>,
    #[oai(validator(minimum(value = "1"), maximum(value = "365")))]
    pub days_to_preorder: Option<i32>,
    /// Minutes.
    #[oai(validator(maximum(value = "525600")))]
    pub min_preorder_pickup_diff: Option<i32>,
    /// Minutes.
    #[oai(validator(maximum(value = "525600")))]
    pub min_preorder_delivery_diff: Option<i32>,
    /// Minutes.
    #[oai(validator(minimum(value = "1"), maximum(value = "525600")))]
    pub preorder_notification_mins_before_expected: Option<i32>,
    /// Null is no minimum, as 0 is.
    #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
    pub min_order_price: Clearable<Money>,
    pub version: Option<i64>,
}

/// SOS close on or off.
#[derive(Debug, Object)]
pub(crate) struct RestaurantClose {
    pub temp_no_orders: bool,
    /// With `temp_no_orders`: when orders are taken again by themselves. Absent or null: when somebody opens
    /// again.
    pub temp_no_orders_until: Option<Timestamp>,
    pub version: Option<i64>,
}

/// Numbering of orders, SOS close, usual delivery time, how many orders of a guest may wait.
#[derive(Debug, Object)]
pub(crate) struct RestaurantSystem {
    pub order_reset_time: Option<TimeOfDay>,
    /// One digit or letter, kept as a capital; null or empty for none.
    #[oai(validator(pattern = "^[0-9A-Za-z]?$"))]
    pub counter_prefix: Clearable<String>,
    pub temp_no_orders: Option<bool>,
    /// With `temp_no_orders`: when orders are taken again by themselves. Absent or null: when somebody opens
    /// again.
    pub temp_no_orders_until: Option<Timestamp>,
    /// Minutes.
    #[oai(validator(minimum(value = "0"), maximum(value = "600")))]
    pub estimated_delivery_time: Option<i32>,
    pub order_accept_on_open: Option<bool>,
    /// How many orders that nobody has paid or accepted yet one phone may have within an hour.
    #[oai(validator(minimum(value = "1"), maximum(value = "1000")))]
    pub max_waiting_per_phone: Option<i32>,
    /// The same of one guest, told by the network address.
    #[oai(validator(minimum(value = "1"), maximum(value = "1000")))]
    pub max_waiting_per_guest: Option<i32>,
    pub version: Option<i64>,
}

/// What a guest gets back as points.
#[derive(Debug, Object)]
pub(crate) struct RestaurantPoints {
    /// Percent of the goods. Less than 0 counts as 0, more than 100 as 100.
    pub point_cash_ratio: Option<Quantity>,
    pub version: Option<i64>,
}
