//! Statements of a replacement.

use access::prelude::*;
use kernel::time::BusinessDay;
use uuid::Uuid;

use crate::{events::LineChange, values::OrderId};

const ARCHIVE: &str = "with o as (update orders set archived_at = $2, version = version + 1 where id = $1) \
    update order_entry set archived = true where order_id = $1";

/// Archives the locked order that is replaced.
pub(super) async fn archive(tx: &TenantTx, old: Id<OrderId>, now: Timestamp) -> Result<()> {
    tx.run(ARCHIVE, [old.into(), now.into()]).await?;
    Ok(())
}

/// What a new order has of the old one beside its row: how often it was accepted and what its guest was told. Who
/// sent it is counted once.
const LINK: &str = "with n as (update orders n set acceptance = o.acceptance, guest_told = o.guest_told, \
        announced_at = o.announced_at, business_day = $3 from orders o where n.id = $2 and o.id = $1), \
    s as (update order_sender set order_id = $2 where order_id = $1) \
    update orders set replaced_by_id = $2 where id = $1";
const KEEP: &str = "insert into order_item_kept (order_item_id, old_item_id, quantity) \
    select new, old, quantity from unnest($1::uuid[], $2::uuid[], $3::int[]) kept (new, old, quantity)";

/// Ties the new order to the old one, and its lines to those that stayed.
pub(super) async fn link(
    tx: &TenantTx, (old, new): (Id<OrderId>, Id<OrderId>), day: BusinessDay, lines: &[LineChange],
) -> Result<()> {
    tx.run(LINK, [old.into(), new.into(), day.into()]).await?;
    let kept = lines.iter().filter_map(|line| Some((line.new?, line.old?, line.quantity)));
    let (mut new, mut old, mut quantities): (Vec<Uuid>, Vec<Uuid>, Vec<i32>) = Default::default();
    for (of_new, of_old, quantity) in kept {
        new.push(of_new);
        old.push(of_old);
        quantities.push(quantity);
    }
    tx.run(KEEP, [new.into(), old.into(), quantities.into()]).await?;
    Ok(())
}

/// Whether partial stornos have taken something of an order.
pub(super) async fn has_stornos(tx: &TenantTx, id: Id<OrderId>) -> Result<bool> {
    let sql = "select exists (select from orders where order_parent_id = $1) there";
    Ok(tx.value(sql, [id.into()]).await?.unwrap_or_default())
}
