//! Copies a restaurant: settings, hours, future holidays, legal data, socials, the till's configuration,
//! and what other domains copy, in the transaction that opens the new one. See `docs/decisions/restaurants.md#copies`.
//!
//! Not copied: the address and its place on the map, SOS close, switches of super admins but those of deliveries,
//! and the region that orders on the phone begin with, which is one of the old restaurant.

use access::{
    domain::{Copying, Domains},
    prelude::*,
};

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
const POS_CONFIG: &str = "insert into pos_config (restaurant_id, service_fee, service_fee_mode, \
    take_away_service_fee, default_tip, employee_tip, deposit_here, \
    default_payment_method, accept_at_once, daily_close_limit) \
    select $2, service_fee, service_fee_mode, take_away_service_fee, default_tip, employee_tip, \
    deposit_here, default_payment_method, accept_at_once, daily_close_limit \
    from pos_config where restaurant_id = $1";
/// Copying it is a choice.
const CHOSEN: &str =
    "update restaurant c set delivery_set_at = now() from restaurant o where o.id = $1 and c.id = $2";

/// Copies everything but the restaurant's own row.
pub(crate) async fn copy(
    tx: &TenantTx, domains: Domains, from: Id<Restaurant>, to: Id<Restaurant>,
) -> Result<()> {
    for part in [HOURS, HOLIDAYS, LEGAL, SOCIALS, POS_CONFIG, CHOSEN] {
        tx.run(part, [from.into(), to.into()]).await?;
    }
    let pictures = media::copy(tx, from, to).await?;
    let copying = Copying { from, to, pictures };
    for domain in domains {
        domain.copy(tx, &copying).await?;
    }
    Ok(())
}
