//! Copies a restaurant: settings, hours, future holidays, legal data, socials, and what other domains copy,
//! in the transaction that opens the new one. See `docs/decisions/restaurants.md#copies`.
//!
//! Not copied: the address and its place on the map, SOS close, and switches of super admins.

use std::sync::Arc;

use access::prelude::*;
use futures_util::future::BoxFuture;
use uuid::Uuid;

/// From which restaurant to which.
#[derive(Debug, Clone)]
pub struct Copying {
    /// The one that is there.
    pub from: Id<Restaurant>,
    /// The new one, which has nothing yet.
    pub to: Id<Restaurant>,
    /// Each live picture of the one, and the row of the same picture in the other.
    pub pictures: Vec<(Uuid, Uuid)>,
}

/// What a domain takes over.
pub type TakeOver = for<'a> fn(&'a TenantTx, &'a Copying) -> BoxFuture<'a, Result<()>>;

/// What all domains take over, in their order. Only the domain that owns a table copies its rows; `server`
/// puts them together.
#[derive(Debug, Clone)]
pub struct Copiers(Arc<[TakeOver]>);

impl Copiers {
    /// These.
    #[must_use]
    pub fn new(parts: impl IntoIterator<Item = TakeOver>) -> Self {
        Self(parts.into_iter().collect())
    }
}

const HOURS: &str = "insert into opening_hours (id, restaurant_id, day, open_at, close_at) \
    select gen_random_uuid(), $2, day, open_at, close_at from opening_hours where restaurant_id = $1";
/// Their order decides where they overlap, so it is kept.
const HOLIDAYS: &str = "insert into restaurant_holiday (id, restaurant_id, valid_from, valid_till, \
    holiday_type, open_at, close_at, created_at) \
    select gen_random_uuid(), $2, valid_from, valid_till, holiday_type, open_at, close_at, created_at from \
    restaurant_holiday \
    where restaurant_id = $1 and archived_at is null and valid_till >= current_date - 1";
const LEGAL: &str = "insert into restaurant_legal (restaurant_id, company_name, tax_num, address, phone_1, \
    contact_email) \
    select $2, company_name, tax_num, address, phone_1, contact_email from restaurant_legal where \
    restaurant_id = $1";
const SOCIALS: &str = "insert into restaurant_socials (restaurant_id, facebook, instagram, youtube, twitter, \
    blog, tumblr) \
    select $2, facebook, instagram, youtube, twitter, blog, tumblr from restaurant_socials where \
    restaurant_id = $1";
/// Copying it is a choice.
const CHOSEN: &str =
    "update restaurant c set delivery_set_at = now() from restaurant o where o.id = $1 and c.id = $2";
/// Copies everything but the restaurant's own row.
pub(crate) async fn copy(
    tx: &TenantTx,
    copiers: &Copiers,
    from: Id<Restaurant>,
    to: Id<Restaurant>,
) -> Result<()> {
    for part in [HOURS, HOLIDAYS, LEGAL, SOCIALS, CHOSEN] {
        tx.run(part, [from.into(), to.into()]).await?;
    }
    let pictures = media::copy(tx, from, to).await?;
    let copying = Copying { from, to, pictures };
    for part in copiers.0.iter() {
        part(tx, &copying).await?;
    }
    Ok(())
}
