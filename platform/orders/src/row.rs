//! The rows of an order. A column is a field here; the statements that write and read a row take the names
//! from it.

use access::prelude::*;
use checkout::{DeliveryData, DeliveryPrices, Explanation, VatSum};
use kernel::money::{Currency, Percent, Quantity};
use poem_openapi::types::ToJSON;
use serde::{Serializer, ser::SerializeMap};
use uuid::Uuid;

use crate::{
    events::EventOrder,
    values::{Amount, OrderId, OrderPromotion, OrderStatus},
};

/// The columns of a row, which are the fields of its struct.
pub(crate) trait Row {
    const COLUMNS: &'static [&'static str];

    /// The names separated by commas, each after this prefix.
    fn columns(prefix: &str) -> String {
        let names: Vec<String> = Self::COLUMNS.iter().map(|column| format!("{prefix}{column}")).collect();
        names.join(", ")
    }

    /// Writes each column under the name that it is given; those that get none are left out.
    fn write<M: SerializeMap>(
        &self, map: &mut M, name: impl Fn(&'static str) -> Option<&'static str>,
    ) -> std::result::Result<(), M::Error>;
}

/// A struct that is a row. It is read by position, because a page of orders has ten thousand values: its columns
/// stand first in a statement and in this order.
macro_rules! row {
    ($(#[$meta:meta])* $name:ident { $($(#[$field:meta])* $column:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, serde::Serialize)]
        pub(crate) struct $name { $($(#[$field])* pub $column: $type,)* }

        impl $crate::row::Row for $name {
            const COLUMNS: &'static [&'static str] = &[$(stringify!($column)),*];

            fn write<M: serde::ser::SerializeMap>(
                &self,
                map: &mut M,
                name: impl Fn(&'static str) -> Option<&'static str>,
            ) -> std::result::Result<(), M::Error> {
                $(if let Some(name) = name(stringify!($column)) {
                    map.serialize_entry(name, &self.$column)?;
                })*
                Ok(())
            }
        }

        impl sea_orm::FromQueryResult for $name {
            fn from_query_result(
                found: &sea_orm::QueryResult,
                _: &str,
            ) -> std::result::Result<Self, sea_orm::DbErr> {
                debug_assert!(
                    found.column_names().starts_with(&<Self as $crate::row::Row>::COLUMNS.iter().map(ToString::to_string).collect::<Vec<_>>()),
                    "{:?}", found.column_names()
                );
                let mut at = 0..;
                let mut next = || at.next().unwrap_or(usize::MAX);
                Ok(Self { $($column: found.try_get_by_index(next())?),* })
            }
        }
    };
}
pub(crate) use row;

row! {
    /// An order, without what lies in other tables. Fields that are not skipped are answered.
    #[derive(Object)]
    OrderRow {
        id: Id<OrderId>,
        #[oai(skip)]
        restaurant_id: Id<Restaurant>,
        /// Prefix and running number of the business day; none before it is paid.
        counter: Option<String>,
        #[oai(skip)]
        timezone: String,
        status: OrderStatus,
        platform: String,
        locale: String,
        pickup: bool,
        is_preorder: bool,
        is_test: bool,
        message: Option<String>,
        first_name: Option<String>,
        last_name: Option<String>,
        email: Option<String>,
        phone_1: Option<String>,
        /// The customer whom phone or e-mail lead to; a browser key does not hear of it.
        customer_id: Option<Uuid>,
        /// As the guest wrote it.
        coupon_code: Option<String>,
        payment_method_id: Option<Uuid>,
        /// What the guest pays with in cash, when that was said.
        pays_with: Option<Amount>,
        currency: Currency,
        /// What is paid for the goods.
        products_price: Amount,
        /// What is paid for the delivery.
        delivery_price: Amount,
        /// The delivery at list price; null in orders of earlier releases: as it was paid.
        delivery_original_price: Option<Amount>,
        delivery_vat_percent: Option<Percent>,
        delivery_net_price: Amount,
        delivery_vat_price: Amount,
        /// What promotions and staff took off goods, gifts and delivery.
        discount_price: Amount,
        /// What of it staff took.
        staff_discount: Amount,
        /// Whose PIN allowed that.
        approved_by: Option<Uuid>,
        approved_by_name: Option<String>,
        /// Goods, gifts and delivery at list price.
        original_price: Amount,
        service_fee: Amount,
        tip: Amount,
        employee_tip: Amount,
        courier_tip: Amount,
        /// Deposit of bottles and cans.
        deposit: Amount,
        deposit_pieces: i32,
        system_usage_fee: Amount,
        system_usage_fee_vat_percent: Option<Percent>,
        system_usage_fee_net_price: Amount,
        system_usage_fee_vat_price: Amount,
        total_price: Amount,
        /// Points that the customer gets once the order is closed.
        points_earned: i64,
        /// Those that applied.
        promotions: Vec<OrderPromotion>,
        vats: Vec<VatSum>,
        /// How the total came about.
        #[oai(rename = "lines")]
        explanation: Vec<Explanation>,
        /// When it should be ready or delivered.
        expected_at: Option<Timestamp>,
        /// When the kitchen should see it.
        show_at: Timestamp,
        /// From when it could be accepted: the later of its arrival and `show_at`; null before it has arrived.
        visible_at: Option<Timestamp>,
        /// Promised minutes, set with accepting.
        delivery_time_minute: Option<i32>,
        table_id: Option<Uuid>,
        table_name: Option<String>,
        /// Who took it, when staff did.
        admin_id: Option<Uuid>,
        admin_name: Option<String>,
        courier_id: Option<Uuid>,
        delivery_data: Option<DeliveryData>,
        /// Degrees north of where it goes: as sent or, where `delivery_found_by` is `geocoded` or `outside`, as a
        /// geocoder found the address.
        coord_lat: Option<f64>,
        /// Degrees east.
        coord_lng: Option<f64>,
        /// The delivery region as it was found or chosen; the name is a copy.
        delivery_region_id: Option<Uuid>,
        delivery_region_name: Option<String>,
        /// The street of the region, where it was found by one.
        delivery_street: Option<String>,
        /// How the region was found: `shape`, `street`, `geocoded` (a shape has the geocoder's place of the
        /// address), `staff`; `outside` and `unknown` where staff deliver without one.
        delivery_found_by: Option<String>,
        /// The region's prices, as they were.
        delivery_prices: Option<DeliveryPrices>,
        /// Who chose the region, or delivers below the minimum or where nothing is delivered.
        delivery_chosen_by: Option<Uuid>,
        delivery_chosen_by_name: Option<String>,
        delivery_override_reason: Option<String>,
        /// The region that the address leads to, where the coordinates, which priced the order, lie in another:
        /// somebody should ask the guest.
        delivery_address_region_id: Option<Uuid>,
        delivery_address_region_name: Option<String>,
        /// The order of which a partial storno takes pieces.
        order_parent_id: Option<Uuid>,
        /// The order that it took the place of, when items were changed.
        replaces_id: Option<Uuid>,
        /// The order that took its place.
        replaced_by_id: Option<Uuid>,
        /// Whether somebody vouched for its customer; none in orders of earlier releases.
        #[oai(skip)]
        vouched: Option<bool>,
        #[oai(skip)]
        point_cash_ratio: Percent,
        #[oai(skip)]
        api_key_id: Option<Uuid>,
        external_id: Option<String>,
        created_at: Timestamp,
        accepted_at: Option<Timestamp>,
        /// How often it was accepted.
        #[oai(skip)]
        acceptance: i32,
        /// How long it had been visible when it was accepted; null while it is not accepted, and for one that was
        /// accepted before.
        accept_seconds: Option<i32>,
        /// When the last acceptance was taken back.
        taken_back_at: Option<Timestamp>,
        /// Who has been told that nobody accepts it. 1: nobody but the board; 2: every screen and, by e-mail, the
        /// restaurant; 3: those in charge too. It begins again when an acceptance is taken back.
        escalation_level: i32,
        /// When it reached that level; null at the first.
        escalated_at: Option<Timestamp>,
        /// When it was called ready; none when it is not, or not any more.
        prepared_at: Option<Timestamp>,
        /// When it was accepted, paid, and its time had come: the latest of the three.
        closed_at: Option<Timestamp>,
        archived_at: Option<Timestamp>,
        /// A standard reason; none with one of the restaurant's own.
        archive_reason: Option<String>,
        /// One of the restaurant's own reasons, with the names that it had.
        archive_reason_id: Option<Uuid>,
        archive_reason_name: Option<String>,
        archive_reason_name_sec_lang: Option<String>,
        archive_reason_text: Option<String>,
        version: i64,
    }
}

row! {
    /// A line of an order: names, prices and VAT are copies.
    ItemRow {
        id: Uuid,
        order_id: Id<OrderId>,
        /// In a partial storno: the line it takes pieces of.
        parent_item_id: Option<Uuid>,
        ranking: i32,
        subproduct_id: Uuid,
        product_name: String,
        product_name_sec_lang: Option<String>,
        subproduct_name: String,
        subproduct_name_sec_lang: Option<String>,
        /// Under which it was ordered; none in orders of earlier releases.
        name: Option<String>,
        name_sec_lang: Option<String>,
        gift_of: Option<Uuid>,
        quantity: i32,
        unit_price: Amount,
        total_price: Amount,
        discount: Amount,
        /// None in orders of earlier releases: `total_price`.
        paid_price: Option<Amount>,
        /// None where its parts have several.
        vat_percent: Option<Percent>,
        net_price: Amount,
        vat_price: Amount,
        service_fee: Amount,
        service_fee_net: Amount,
        service_fee_vat: Amount,
        deposit: Amount,
        deposit_pieces: i32,
        ntak_category_id: Option<Uuid>,
        ntak_quantity_unit: Option<String>,
        ntak_quantity: Option<Quantity>,
        /// None in orders of earlier releases: with the order.
        created_at: Option<Timestamp>,
        message: Option<String>,
        /// It came when items were changed.
        is_new: bool,
    }
}

row! {
    /// A part of a line. A line that is one part, its size, has none.
    PartRow {
        id: Uuid,
        order_item_id: Uuid,
        ranking: i32,
        kind: String,
        subproduct_id: Uuid,
        option_id: Option<Uuid>,
        name: String,
        name_sec_lang: Option<String>,
        quantity: i32,
        total_price: Amount,
        discount: Amount,
        paid_price: Amount,
        vat_percent: Percent,
        net_price: Amount,
        vat_price: Amount,
        service_fee: Amount,
        service_fee_net: Amount,
        service_fee_vat: Amount,
        ntak_category_id: Option<Uuid>,
        ntak_quantity_unit: Option<String>,
        ntak_quantity: Option<Quantity>,
        created_at: Timestamp,
    }
}

row! {
    /// An option of a line.
    OptionRow {
        id: Uuid,
        order_item_id: Uuid,
        ranking: i32,
        option_id: Uuid,
        option_group_id: Option<Uuid>,
        group_name: String,
        option_name: String,
        option_name_sec_lang: Option<String>,
        quantity: i32,
        unit_price: Amount,
        total_price: Amount,
    }
}

/// The columns of an order as its schema has them.
pub(crate) fn answered<S: Serializer>(row: &OrderRow, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    row.write(&mut map, |column| match column {
        "restaurant_id" | "timezone" | "point_cash_ratio" | "api_key_id" | "acceptance" | "vouched" => None,
        // What is kept of them is more than what is answered.
        "promotions" | "delivery_prices" => None,
        "explanation" => Some("lines"),
        column => Some(column),
    })?;
    map.serialize_entry("promotions", &row.promotions.to_json())?;
    map.serialize_entry("delivery_prices", &row.delivery_prices.to_json())?;
    map.end()
}

/// The lines of an order, with their options and parts.
pub(crate) struct Lines {
    pub items: Vec<ItemRow>,
    pub options: Vec<OptionRow>,
    pub parts: Vec<PartRow>,
}

impl OrderRow {
    pub fn in_events(&self) -> EventOrder {
        EventOrder {
            id: self.id,
            restaurant: self.restaurant_id,
            counter: self.counter.clone(),
            status: self.status,
            has_email: self.email.is_some(),
        }
    }

    /// Whether somebody vouched for the customer: staff who took it, or, as far as an order of an earlier release
    /// says it, who sent it.
    pub fn is_vouched(&self) -> bool {
        self.vouched.unwrap_or_else(|| self.api_key_id.is_none() || self.points_earned > 0)
    }
}
