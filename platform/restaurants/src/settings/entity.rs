//! Table `restaurant`. Its columns are the answered settings. A new setting is a column, a field here, and a
//! field in its change.

use access::prelude::*;
use kernel::{
    Group,
    ids::{NtakCategories, Vats},
    money::{Currency, Money, Percent},
    setting::{DeliveryMethod, NoRegion, NtakQuantityUnit},
    time::{SosClose, TimeOfDay},
};

use super::language::MenuLanguage;
use crate::busy::Busy;

/// A restaurant with its settings.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "RestaurantRow")]
#[sea_orm(table_name = "restaurant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Restaurant>,
    pub name: String,
    pub restaurant_group_id: Id<Group>,
    /// Name of the time zone, such as `Europe/Budapest`.
    pub timezone: String,
    pub currency: Currency,
    /// The language of names and descriptions.
    pub primary_language: MenuLanguage,
    /// The language of `…_sec_lang` fields; null when the menu is kept in one language.
    pub secondary_language: Option<MenuLanguage>,
    pub city: String,
    pub phone_1: Option<String>,
    pub contact_email: Option<String>,
    /// Two letters (ISO 3166-1).
    pub country: String,
    pub state_province_county: Option<String>,
    pub postcode: Option<String>,
    pub street: String,
    pub premise_number: String,
    /// Host name of the restaurant's own site.
    pub domain: Option<String>,
    /// Degrees north.
    pub coord_lat: Option<f64>,
    /// Degrees east.
    pub coord_lng: Option<f64>,
    /// SOS close: no orders are taken.
    pub temp_no_orders: bool,
    /// When SOS close ends by itself; null while it is off or has no end.
    pub temp_no_orders_until: Option<Timestamp>,
    /// Busy: orders take so many minutes more; null while they do not.
    pub busy_minutes: Option<i32>,
    /// When that ends by itself; null while it does not hold.
    pub busy_until: Option<Timestamp>,
    /// Minutes that a delivery usually takes; offered first when an order is accepted, with `busy_minutes` on top.
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
    pub vat_id: Id<Vats>,
    /// The same for what is eaten here; null where an item's own VAT holds here too.
    pub sit_in_vat_id: Option<Id<Vats>>,
    /// VAT of the delivery fee.
    pub delivery_vat_id: Id<Vats>,
    /// Opening a new order accepts it.
    pub order_accept_on_open: bool,
    /// Percent of the goods that a guest gets back as points.
    pub point_cash_ratio: Percent,
    /// How many orders that nobody has paid or accepted yet one phone may have within an hour.
    pub max_waiting_per_phone: i32,
    /// The same of one guest, told by the network address.
    pub max_waiting_per_guest: i32,
    /// Minutes after which an order that nobody accepts is told of on every screen, and to the restaurant by
    /// e-mail; null: never.
    pub escalate_after_minutes: Option<i32>,
    /// Minutes after that when those in charge are told by e-mail; null: never.
    pub escalate_admins_after_minutes: Option<i32>,
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
    /// Charged for each order of the web shop and the apps.
    pub system_usage_fee: Money,
    /// Guests can tip the courier.
    pub is_courier_tip_available: bool,
    /// Guests can use a loyalty card.
    pub is_loyalty_card_available: bool,
    /// How the region of a delivery is found.
    pub delivery_method: DeliveryMethod,
    /// What holds where no delivery region is active; null as long as there has been none.
    pub no_region: Option<NoRegion>,
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

impl Model {
    /// SOS close as it holds now: one that has ended by itself is off, whether or not its job has run.
    pub fn sos(&self) -> SosClose {
        let sos = SosClose::new(self.temp_no_orders, self.temp_no_orders_until);
        if sos.holds(Timestamp::now()) { sos } else { SosClose::Off }
    }

    /// Busy as it holds now: what has ended is nothing.
    pub fn busy(&self) -> Option<Busy> {
        Busy::holding(self.busy_minutes, self.busy_until, Timestamp::now())
    }
}

entity!();
