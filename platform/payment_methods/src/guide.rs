//! Payment methods of a new restaurant: a step of getting started, and copying them from another restaurant.

use access::{domain::Copying, prelude::*};

const HAS_METHODS: &str = "select exists (select 1 from ref.payment_method m where m.always_available \
    or exists (select 1 from restaurant_payment_method e where e.restaurant_id = $1 \
        and e.payment_method_id = m.id and (e.web or e.pos))) done";

/// Whether guests can pay: cash, which is always taken, is a way to pay.
pub async fn has_methods(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<bool> {
    Ok(tx.value(HAS_METHODS, [restaurant.into()]).await?.unwrap_or(false))
}

const METHODS: &str = "insert into restaurant_payment_method (restaurant_id, payment_method_id, web, pos) \
    select $2, payment_method_id, web, pos from restaurant_payment_method where restaurant_id = $1 and (web or pos)";
const SETTINGS: &str = "insert into payment_settings (restaurant_id, eur_huf_rate, charge_when_accepted, \
        ask_before_refunds, page_texts) \
    select $2, eur_huf_rate, charge_when_accepted, ask_before_refunds, page_texts from payment_settings where restaurant_id = $1";

/// Takes over methods and rate. Accounts at providers, their secrets and card terminals belong to one place
/// and stay there.
pub async fn copy(tx: &TenantTx, copying: &Copying) -> Result<()> {
    let (from, to) = (copying.from, copying.to);
    tx.run(METHODS, [from.into(), to.into()]).await?;
    tx.run(SETTINGS, [from.into(), to.into()]).await?;
    Ok(())
}
