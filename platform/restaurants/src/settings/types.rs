//! Bodies and answers about a restaurant's settings.

use access::prelude::*;
use kernel::{
    DomainName, Email, Group,
    ids::Vats,
    money::{Currency, Money, Quantity},
    setting::{DeliveryMethod, NoRegion},
    time::{SosClose, TimeOfDay},
};

use sea_orm::FromQueryResult;
use serde_json::Value;

use super::{
    entity::{ActiveModel, Model},
    language::MenuLanguage,
};

/// What a restaurant selector shows.
#[derive(Debug, Clone, Object, FromQueryResult)]
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
pub(crate) struct RestaurantDetails {
    pub partner_id: Id<Partner>,
    #[oai(flatten)]
    pub row: Model,
    /// Always null: delivery regions have calls of their own.
    pub delivery_info: Option<Value>,
}

impl RestaurantDetails {
    /// The row as it holds now: an SOS close that has ended by itself is off, and so is busy.
    pub(crate) fn of(mut row: Model, partner: Id<Partner>) -> Self {
        let sos = row.sos();
        (row.temp_no_orders, row.temp_no_orders_until) = (sos != SosClose::Off, sos.end());
        (row.busy_minutes, row.busy_until) = row.busy().map(|busy| (busy.minutes, busy.until)).unzip();
        Self { partner_id: partner, row, delivery_info: None }
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
    /// That of the partner's first restaurant when absent.
    #[oai(validator(max_length = 64))]
    pub timezone: Option<String>,
    /// The group's, which no other is.
    pub currency: Option<Currency>,
    /// With the second one that of the partner's first restaurant when absent.
    pub primary_language: Option<MenuLanguage>,
    pub secondary_language: Option<MenuLanguage>,
    #[oai(validator(max_length = 30))]
    pub phone_1: Option<String>,
    pub contact_email: Option<Email>,
    /// Host name of the restaurant's own site.
    pub domain: Option<DomainName>,
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

change! {
    /// Name, address, contact, zone, currency, languages and VAT.
    pub(crate) struct RestaurantGeneral of ActiveModel {
        #[oai(validator(min_length = 1, max_length = 100))]
        pub name: Option<String>,
        #[oai(validator(min_length = 1, max_length = 30))]
        pub phone_1: Option<String>,
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
        /// The group's; of a group with other restaurants it cannot be another. Fixed once there are products
        /// or orders.
        pub currency: Option<Currency>,
        pub primary_language: Option<MenuLanguage>,
        pub secondary_language: Clearable<MenuLanguage>,
        pub vat_id: Option<Id<Vats>>,
        /// Of what is eaten here; null where an item's own VAT holds here too.
        pub sit_in_vat_id: Clearable<Id<Vats>>,
        pub delivery_vat_id: Option<Id<Vats>>,
        ;
        pub contact_email: Option<Email>,
        /// Host name of the restaurant's own site, such as `order.example`. `https://` and a closing slash
        /// are cut off.
        pub domain: Clearable<DomainName>,
        /// Null is no minimum, as 0 is.
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        pub min_order_price: Clearable<Money>,
    }
}

change! {
    /// How orders reach the guest. The two shortest times below 1 count as 1.
    pub(crate) struct RestaurantDelivery of ActiveModel {
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
        /// What holds where no delivery region is active.
        pub no_region: Clearable<NoRegion>,
        ;
        /// Null is no minimum, as 0 is.
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        pub min_order_price: Clearable<Money>,
    }
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

change! {
    /// Numbering of orders, SOS close, usual delivery time, currency and group, how many orders of a guest
    /// may wait, and when an order that nobody accepts is told of.
    pub(crate) struct RestaurantSystem of ActiveModel {
        pub order_reset_time: Option<TimeOfDay>,
        /// One digit or letter, kept as a capital; null or empty for none.
        #[oai(validator(pattern = "^[0-9A-Za-z]?$"))]
        pub counter_prefix: Clearable<String>,
        /// Minutes.
        #[oai(validator(minimum(value = "0"), maximum(value = "600")))]
        pub estimated_delivery_time: Option<i32>,
        pub order_accept_on_open: Option<bool>,
        /// The group's; of a group with other restaurants it cannot be another. Fixed once there are products
        /// or orders.
        pub currency: Option<Currency>,
        /// For admins of the whole partner: a group of the same currency.
        pub restaurant_group_id: Option<Id<Group>>,
        /// How many orders that nobody has paid or accepted yet one phone may have within an hour.
        #[oai(validator(minimum(value = "1"), maximum(value = "1000")))]
        pub max_waiting_per_phone: Option<i32>,
        /// The same of one guest, told by the network address.
        #[oai(validator(minimum(value = "1"), maximum(value = "1000")))]
        pub max_waiting_per_guest: Option<i32>,
        /// Minutes after which an order that nobody accepts is told of on every screen, and to the restaurant by
        /// e-mail. Null or 0: never, and those in charge are not told either.
        #[oai(validator(minimum(value = "0"), maximum(value = "120")))]
        pub escalate_after_minutes: Clearable<i32>,
        /// Minutes after that when those in charge are told by e-mail. Null or 0: never.
        #[oai(validator(minimum(value = "0"), maximum(value = "120")))]
        pub escalate_admins_after_minutes: Clearable<i32>,
        ;
        pub temp_no_orders: Option<bool>,
        /// With `temp_no_orders`: when orders are taken again by themselves. Absent or null: when somebody
        /// opens again.
        pub temp_no_orders_until: Option<Timestamp>,
    }
}

change! {
    /// How the region of a delivery is found.
    pub(crate) struct RestaurantDeliveryMethod of ActiveModel {
        pub delivery_method: Option<DeliveryMethod>,
    }
}

/// What a guest gets back as points.
#[derive(Debug, Object)]
pub(crate) struct RestaurantPoints {
    /// Percent of the goods. Less than 0 counts as 0, more than 100 as 100.
    pub point_cash_ratio: Option<Quantity>,
    pub version: Option<i64>,
}
