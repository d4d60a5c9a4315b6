//! Returns the pieces of cancelled orders to items that are sold in limited numbers.

use access::prelude::*;
use catalogue::Today;
use restaurants::Facts;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::values::{OrderId, OrderStatus};

/// Of an order's lines, their components and the sizes that options stand for; what partial stornos took back is
/// below zero. $2 is the sign of what is asked.
const PIECES: &str = "select subproduct_id, least($2 * sum(quantity), 2147483647)::int quantity from ( \
        select i.subproduct_id, i.quantity from order_item i join orders o on o.id = i.order_id \
            where o.id = $1 or o.order_parent_id = $1 \
        union all select p.subproduct_id, p.quantity from order_item_part p \
            join order_item i on i.id = p.order_item_id join orders o on o.id = i.order_id \
            where (o.id = $1 or o.order_parent_id = $1) and p.kind in ('component', 'option')) taken \
    group by subproduct_id having sum(quantity) <> 0 order by subproduct_id";

/// Pieces of a size.
#[derive(FromQueryResult)]
struct Pieces {
    subproduct_id: Uuid,
    quantity: i32,
}

/// What an order has and partial stornos left.
pub(crate) const LEFT: i32 = 1;
/// What a partial storno takes back.
pub(crate) const TAKEN: i32 = -1;

/// The pieces by size, in the order of their ids.
pub(crate) async fn of(tx: &TenantTx, id: Id<OrderId>, sign: i32) -> Result<Vec<(Uuid, i32)>> {
    let pieces: Vec<Pieces> = tx.all(PIECES, [id.into(), sign.into()]).await?;
    Ok(pieces.iter().map(|one| (one.subproduct_id, one.quantity)).collect())
}

/// Gives back what an order has taken of what can be sold, or what a partial storno of it takes back.
pub(crate) async fn give_back(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>, sign: i32, today: Today,
) -> Result<()> {
    let pieces = of(tx, id, sign).await?;
    catalogue::give_back(tx, restaurant, &pieces, today).await
}

/// Whether cancelled pieces can be sold again: within the business day in which the order took them, before the kitchen
/// is done. What was cooked is not sold again. The day of the number may be a later one, that of its online payment.
pub(crate) fn return_to_sale(
    status: OrderStatus, created_at: Timestamp, facts: &Facts, now: Timestamp,
) -> bool {
    status != OrderStatus::Prepared && facts.business_day(created_at) == facts.business_day(now)
}
