//! Statements that write a change.

use std::sync::LazyLock;

use access::prelude::*;
use checkout::DeliveryData;
use sea_orm::FromQueryResult;
use serde_json::Value as Json;
use uuid::Uuid;

use super::time::Announcement;
use crate::{row::OrderRow, store::json, values::OrderId};

/// The columns that a change writes.
const COLUMNS: &str = "first_name, last_name, phone_1, email, message, pickup, is_preorder, payment_method_id, pays_with, \
    courier_id, expected_at, show_at, delivery_data, coord_lat, coord_lng, delivery_region_id, \
    delivery_region_name, delivery_street, delivery_found_by, delivery_prices, delivery_chosen_by, \
    delivery_chosen_by_name, delivery_override_reason, delivery_address_region_id, \
    delivery_address_region_name, delivery_price, delivery_original_price, delivery_vat_percent, \
    delivery_net_price, delivery_vat_price, discount_price, original_price, courier_tip, total_price, \
    promotions, vats, explanation, visible_at, escalation_level, escalated_at";

static SAVE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "update orders set ({COLUMNS}) = \
            (select {COLUMNS} from jsonb_populate_record(null::orders, $2::text::jsonb)), \
            announced_at = case $3 when 'later' then null when 'now' then $4 else announced_at end, \
            acceptance = acceptance + $5, guest_told = guest_told and $5 = 0, due_again = due_again or $6, \
            version = version + 1 \
        where id = $1 returning acceptance"
    )
});

/// What is written beside the row.
pub(super) struct Beside {
    pub announcement: Option<Announcement>,
    /// The guest of an accepted order is told another time.
    pub promised: bool,
    /// It is closed and costs more by now: the drawer finds it again.
    pub due_again: bool,
    pub now: Timestamp,
}

/// Writes an order as it is by now. Answers which acceptance holds.
pub(super) async fn save(tx: &TenantTx, row: &OrderRow, beside: &Beside) -> Result<i32> {
    let announcement = match beside.announcement {
        Some(Announcement::Later) => "later",
        Some(Announcement::Now) => "now",
        Some(Announcement::Same) | None => "same",
    };
    let values = [
        row.id.into(),
        json(row)?.into(),
        announcement.into(),
        beside.now.into(),
        i32::from(beside.promised).into(),
        beside.due_again.into(),
    ];
    tx.value(SAVE.as_str(), values).await?.ok_or_else(Problem::not_exist::<OrderId>)
}

const KEEP: &str = "insert into order_change (id, order_id, fields, old_and_new, created_at) \
    values ($1, $2, $3, $4, $5)";

/// Keeps what a change replaced, beside the order's history, which is never changed: names, phones and addresses go
/// when their customer is anonymised.
pub(super) async fn keep(
    tx: &TenantTx, order: Id<OrderId>, fields: Vec<String>, old_and_new: Json, now: Timestamp,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    tx.run(KEEP, [id.into(), order.into(), fields.into(), old_and_new.into(), now.into()]).await?;
    Ok(id)
}

#[derive(FromQueryResult)]
struct Addressed {
    delivery_data: Option<DeliveryData>,
}

/// Where an order goes, before it is locked; none where there is no such order.
pub(super) async fn address(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>,
) -> Result<Option<DeliveryData>> {
    let sql = "select delivery_data from orders where restaurant_id = $1 and id = $2";
    let found: Option<Addressed> = tx.one(sql, [restaurant.into(), id.into()]).await?;
    Ok(found.and_then(|found| found.delivery_data))
}
