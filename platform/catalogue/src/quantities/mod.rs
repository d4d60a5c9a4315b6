//! Sellable quantities under concurrency: orders take pieces, a storno gives them back; people set them, switch a
//! size off for today, or let it refill each business day. A sub-product whose quantity is null is not counted. None
//! of it invalidates a computed menu, because quantities are applied to it afterwards. See
//! `docs/decisions/catalogue.md#quantities`.
//!
//! What begins with the business day is derived, not done: a row has the instants at which it changes
//! ([`Stock`], in SQL `pieces_left`), so no job has to run at that moment.

mod api;
mod events;
mod stock;
mod store;

use access::prelude::*;
use restaurants::Facts;
use uuid::Uuid;

pub use api::SellableQuantities;
pub use events::{QUANTITIES, QuantitiesEvent};
pub(crate) use stock::Stock;

/// The most pieces that people may set.
pub(crate) const MOST: i32 = 100_000;

/// The moment of a change, and when its business day ends: what refills, and what is off for today, is back then.
#[derive(Debug, Clone, Copy)]
pub struct Today {
    pub now: Timestamp,
    /// The first instant of the next business day.
    pub ends: Timestamp,
}

impl Today {
    /// The business day of a moment, by the settings of a restaurant.
    #[must_use]
    pub fn of(facts: &Facts, now: Timestamp) -> Self {
        let ends = facts.business_day(now).end(facts.schedule.zone, facts.order_reset_time);
        Self { now, ends }
    }
}

/// The rows are locked in the order of their ids, then those with enough pieces are lowered. The notification wakes
/// windows that show quantities.
const TAKE: &str = "with want as (select id, sum(n)::int n from unnest($2::uuid[], $3::int[]) w (id, n) \
    group by id), \
    held as materialized ( \
        select s.id, pieces_left(s.sellable_quantity, s.daily_quantity, s.refill_at, s.off_until, $4) q, w.n \
        from subproduct s join want w on w.id = s.id \
        where s.restaurant_id = $1 and (s.sellable_quantity is not null or s.off_until > $4) order by s.id \
        for update of s), \
    taken as (update subproduct s set sellable_quantity = h.q - h.n, \
        refill_at = case when s.refill_at <= $4 then $5 else s.refill_at end from held h where s.id = h.id and \
        h.q >= h.n returning pg_notify('pult_event', s.restaurant_id::text || ' quantities')) \
    select id from held where q < n order by id";

const GIVE_BACK: &str = "with back as (select id, sum(n)::int n from unnest($2::uuid[], $3::int[]) w (id, n) \
    group by id), \
    held as materialized ( \
        select s.id, pieces_left(s.sellable_quantity, s.daily_quantity, s.refill_at, null, $4) q, b.n \
        from subproduct s join back b on b.id = s.id \
        where s.restaurant_id = $1 and s.sellable_quantity is not null order by s.id for update of s) \
    update subproduct s set sellable_quantity = least(h.q::bigint + h.n, 2147483647)::int, \
        refill_at = case when s.refill_at <= $4 then $5 else s.refill_at end \
    from held h where s.id = h.id returning pg_notify('pult_event', s.restaurant_id::text || ' quantities')::text";

fn columns(pieces: &[(Uuid, i32)]) -> (Vec<Uuid>, Vec<i32>) {
    pieces.iter().copied().unzip()
}

/// Takes so many pieces of each sub-product; the same one may stand there several times. Answers those that
/// had not enough: nothing was taken of them, and the caller gives up the whole transaction.
pub async fn take_quantities(
    tx: &TenantTx, restaurant: Id<Restaurant>, pieces: &[(Uuid, i32)], today: Today,
) -> Result<Vec<Uuid>> {
    let (ids, numbers) = columns(pieces);
    let values = [restaurant.into(), ids.into(), numbers.into(), today.now.into(), today.ends.into()];
    Ok(tx.values(TAKE, values).await?)
}

const LOCK: &str =
    "select id from subproduct where restaurant_id = $1 and id = any ($2) order by id for update";

/// Locks these sub-products in their order: whoever gives pieces of some back and takes pieces of others does both
/// under one lock.
pub async fn lock_pieces(tx: &TenantTx, restaurant: Id<Restaurant>, ids: Vec<Uuid>) -> Result<()> {
    tx.run(LOCK, [restaurant.into(), ids.into()]).await?;
    Ok(())
}

/// Gives back what an order had taken. Sub-products without a counted quantity stay unchanged.
pub async fn give_back(
    tx: &TenantTx, restaurant: Id<Restaurant>, pieces: &[(Uuid, i32)], today: Today,
) -> Result<()> {
    let (ids, numbers) = columns(pieces);
    let values = [restaurant.into(), ids.into(), numbers.into(), today.now.into(), today.ends.into()];
    tx.rows(GIVE_BACK, values).await?;
    Ok(())
}

/// What has refilled is written down before it would refill once more, because the day that it belongs to ends later
/// now; what waits for the end of the day waits for the new one.
const MOVE_DAY: &str = "with held as materialized (select id from subproduct \
        where restaurant_id = $1 and (daily_quantity is not null or off_until > $2) order by id for update) \
    update subproduct s set \
        sellable_quantity = pieces_left(s.sellable_quantity, s.daily_quantity, s.refill_at, null, $2), \
        refill_at = case when s.daily_quantity is not null then $3::timestamptz end, \
        off_until = case when s.off_until > $2 then $3::timestamptz end \
    from held h where s.id = h.id";

/// Gives the day that is running another end.
pub(crate) async fn move_day(tx: &TenantTx, restaurant: Id<Restaurant>, today: Today) -> Result<()> {
    tx.run(MOVE_DAY, [restaurant.into(), today.now.into(), today.ends.into()]).await?;
    Ok(())
}
