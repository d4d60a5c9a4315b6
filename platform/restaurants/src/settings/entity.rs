//! Table `restaurant`.

use access::prelude::*;
use kernel::{
    Group,
    money::{Currency, Money, Percent},
    setting::{DeliveryMethod, NtakCategories, NtakQuantityUnit},
    time::{SosClose, TimeOfDay},
};

use super::types::{MenuLanguage, Vat};

#[derive(Debug, Clone, DeriveEntityModel)]
#[sea_orm(table_name = "restaurant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Restaurant>,
    pub restaurant_group_id: Id<Group>,
    pub name: String,
    pub phone_1: Option<String>,
    pub contact_email: Option<String>,
    pub country: String,
    pub state_province_county: Option<String>,
    pub city: String,
    pub street: String,
    pub premise_number: String,
    pub postcode: Option<String>,
    pub domain: Option<String>,
    pub currency: Currency,
    pub timezone: String,
    pub primary_language: MenuLanguage,
    pub secondary_language: Option<MenuLanguage>,
    pub min_order_price: Money,
    pub temp_no_orders: bool,
    pub temp_no_orders_until: Option<Timestamp>,
    pub estimated_delivery_time: i32,
    pub order_reset_time: TimeOfDay,
    pub counter_prefix: Option<String>,
    pub normal_delivery: bool,
    pub preorder_delivery: bool,
    pub normal_pickup: bool,
    pub preorder_pickup: bool,
    pub min_days_to_preorder: i32,
    pub days_to_preorder: i32,
    pub min_preorder_pickup_diff: i32,
    pub min_preorder_delivery_diff: i32,
    pub preorder_notification_mins_before_expected: i32,
    pub order_accept_on_open: bool,
    pub point_cash_ratio: Percent,
    pub max_waiting_per_phone: i32,
    pub max_waiting_per_guest: i32,
    pub coord_lat: Option<f64>,
    pub coord_lng: Option<f64>,
    pub vat_id: Id<Vat>,
    pub sit_in_vat_id: Id<Vat>,
    pub delivery_vat_id: Id<Vat>,
    pub enable_kitchen_queue: bool,
    pub autoqueue: bool,
    pub floor_map: bool,
    pub save_to_aws: bool,
    pub offline_backend_enabled: bool,
    pub lct_enabled: bool,
    pub sandbox_payment: bool,
    pub is_courier_tip_available: bool,
    pub is_loyalty_card_available: bool,
    pub delivery_method: DeliveryMethod,
    pub ntak_category_id: Option<Id<NtakCategories>>,
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    pub catalogue_version: i64,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl Model {
    /// SOS close as it holds now: one that has ended by itself is off, whether or not its job has run.
    pub fn sos(&self) -> SosClose {
        let sos = SosClose::new(self.temp_no_orders, self.temp_no_orders_until);
        if sos.holds(Timestamp::now()) { sos } else { SosClose::Off }
    }
}

entity!();
