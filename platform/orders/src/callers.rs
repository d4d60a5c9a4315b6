//! Translates the caller of an operation for `checkout`, which knows no callers.

use access::{Caller, prelude::*};
use checkout::{Attempt, Cart, DeliveryData, Guesser, SentBy, address};
use contract::Plugins;

/// On whose word a cart stands that this caller sends.
pub(crate) fn sent_by(caller: &Caller) -> SentBy {
    match caller {
        Caller::Person { .. } => SentBy::Staff { whole_partner: caller.whole_partner() },
        Caller::Key { browser: true, .. } => SentBy::Page,
        Caller::Key { .. } => SentBy::Client,
    }
}

/// Counts the code of a cart; `guest` is the guest's network address, where it is known.
/// Errors: `TOO_MANY_REQUESTS`.
pub(crate) async fn coupon_attempt<S, P>(
    scope: &In<S, P>, guest: Option<&str>, code: Option<&str>,
) -> Result<Attempt>
where
    S: Scope<Target = Id<Restaurant>>,
{
    if code.is_none() {
        return Ok(Attempt::default());
    }
    let (name, is_shared) = match (scope.caller(), guest) {
        (Caller::Person { account, .. }, _) => (format!("account {account}"), false),
        (Caller::Key { .. }, Some(guest)) => (format!("guest {guest}"), false),
        (Caller::Key { id, .. }, None) => (format!("key {id}"), true),
    };
    scope.release().await?;
    Attempt::begin(scope.app(), scope.restaurant(), &Guesser { name, is_shared }).await
}

/// Where the operator's geocoder finds the address of a delivery without coordinates, if nobody has chosen a region.
/// Call it outside of any transaction.
pub(crate) async fn geocode_cart<S, P: Sync>(
    scope: &In<S, P>, plugins: &Plugins, cart: &Cart,
) -> Result<Option<(f64, f64)>>
where
    S: Scope<Target = Id<Restaurant>>,
{
    let settled = cart.coord_lat.or(cart.coord_lng).is_some() || cart.delivery_region_id.is_some();
    match cart.delivery_data.as_ref().filter(|_| cart.is_delivered() && !settled) {
        Some(sent) => geocode(scope, plugins, sent).await,
        None => Ok(None),
    }
}

/// Where the operator's geocoder finds an address. Call it outside of any transaction.
pub(crate) async fn geocode<S, P: Sync>(
    scope: &In<S, P>, plugins: &Plugins, sent: &DeliveryData,
) -> Result<Option<(f64, f64)>>
where
    S: Scope<Target = Id<Restaurant>>,
{
    delivery::place_of_address(scope, plugins, address(sent)).await
}
