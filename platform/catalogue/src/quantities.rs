//! Sellable quantities under concurrency: orders take pieces, a storno gives them back. A sub-product whose
//! quantity is null is not counted. Neither invalidates a computed menu, because quantities are applied to it
//! afterwards. See `docs/decisions/catalogue.md#quantities`.

use access::prelude::*;
use uuid::Uuid;

/// The rows are locked in the order of their ids, then those with enough pieces are lowered.
const TAKE: &str = "with want as (select id, sum(n)::int n from unnest($2::uuid[], $3::int[]) w (id, n) \
    group by id), \
    held as materialized ( \
        select s.id, s.sellable_quantity q, w.n from subproduct s join want w on w.id = s.id \
        where s.restaurant_id = $1 and s.sellable_quantity is not null order by s.id for update of s), \
    taken as (update subproduct s set sellable_quantity = s.sellable_quantity - h.n from held h where s.id = \
    h.id and h.q >= h.n) \
    select id from held where q < n order by id";

const GIVE_BACK: &str = "with back as (select id, sum(n)::int n from unnest($2::uuid[], $3::int[]) w (id, n) \
    group by id), \
    held as materialized ( \
        select s.id, b.n from subproduct s join back b on b.id = s.id \
        where s.restaurant_id = $1 and s.sellable_quantity is not null order by s.id for update of s) \
    update subproduct s set sellable_quantity = least(s.sellable_quantity::bigint + h.n, 2147483647)::int \
    from held h where s.id = h.id";

fn columns(pieces: &[(Uuid, i32)]) -> (Vec<Uuid>, Vec<i32>) {
    pieces.iter().copied().unzip()
}

/// Takes so many pieces of each sub-product; the same one may stand there several times. Answers those that
/// had not enough: nothing was taken of them, and the caller gives up the whole transaction.
///
/// # Errors
/// What the database says.
pub async fn take_quantities(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    pieces: &[(Uuid, i32)],
) -> Result<Vec<Uuid>> {
    let (ids, numbers) = columns(pieces);
    Ok(tx.values(TAKE, [restaurant.into(), ids.into(), numbers.into()]).await?)
}

/// Gives back what an order had taken. Sub-products without a counted quantity stay unchanged.
///
/// # Errors
/// What the database says.
pub async fn give_back(tx: &TenantTx, restaurant: Id<Restaurant>, pieces: &[(Uuid, i32)]) -> Result<()> {
    let (ids, numbers) = columns(pieces);
    tx.run(GIVE_BACK, [restaurant.into(), ids.into(), numbers.into()]).await?;
    Ok(())
}
