//! One call that changes an order, or rehearses that.

use access::{Idempotency, Pin, prelude::*};
use checkout::DeliveryData;
use contract::Plugins;

use super::{
    input::OrderEdit,
    place::is_elsewhere,
    run::{Changed, Changing},
    store,
};
use crate::{
    actor::Actor, callers, events::publish_all, payments::Till, read, rights::Reads, types::Order,
    values::OrderId,
};

/// Whoever holds it may change what an order costs, and where, when and to whom it goes.
const RIGHT: &str = "pos_modify_order";
/// In the audit log, and under which the answers are kept.
const OPERATION: &str = "orders_change";

/// What comes with the call beside the order.
pub(crate) struct Call<'a> {
    pub rehearsed: bool,
    pub pin: &'a Pin,
    pub key: &'a IdempotencyKey,
    pub body: &'a Body<OrderEdit>,
    pub plugins: &'a Plugins,
}

/// Changes an order and commits, or answers it as it would be.
pub(crate) async fn change(
    scope: &In<Restaurant, Reads>, id: Id<OrderId>, call: Call<'_>,
) -> Result<Stored<Order>> {
    let Call { rehearsed, pin, key, body, plugins } = call;
    let unasked = rehearsed || body.is_small() && !pin.is_sent();
    let approver = if unasked { None } else { Some(pin.approver(scope, RIGHT).await?) };
    let geocoded = geocode(scope, id, body, plugins).await?;
    let tx = scope.begin().await?;
    let first = match key.begin(scope, &tx, OPERATION, body.raw()).await? {
        Idempotency::Replay(answer) => return Ok(answer),
        Idempotency::First(first) => first,
    };
    let restaurant = scope.restaurant();
    let facts = restaurants::facts(&tx, restaurant).await?;
    let actor = Actor::Caller(scope.caller(), &|_| true);
    let till = Till { tx: &tx, facts: &facts, actor, now: Timestamp::now() };
    let changing =
        Changing { till, caller: scope.caller(), approver: approver.as_ref(), sent: body, geocoded };
    let changed = changing.run(id).await?;
    let order = read::order(&tx, restaurant, id).await?;
    let answer = Stored::new(200, &order);
    if rehearsed {
        // What was written goes with the transaction.
        return Ok(answer);
    }
    if let Some(Changed { events, details }) = changed {
        scope.audit(&tx, Some(restaurant.uuid()), OPERATION, id, details).await?;
        publish_all(&tx, &events).await?;
    }
    first.keep(&tx, &answer).await?;
    tx.commit().await?;
    Ok(answer)
}

/// Where the operator's geocoder finds the address, if the place is to be looked for and nobody says it otherwise.
async fn geocode(
    scope: &In<Restaurant, Reads>, id: Id<OrderId>, sent: &OrderEdit, plugins: &Plugins,
) -> Result<Option<(f64, f64)>> {
    let named = sent.coord_lat.value().is_some() || sent.delivery_region_id.value().is_some();
    let asked = sent.delivery_data.is_some()
        || sent.coord_lat == Clearable::Null
        || matches!(sent.delivery_region_id, Clearable::Null);
    if named || !asked || sent.pickup == Some(true) {
        return Ok(None);
    }
    let tx = scope.begin().await?;
    let before: Option<DeliveryData> = store::address(&tx, scope.restaurant(), id).await?;
    tx.commit().await?;
    let address = sent.delivery_data.as_ref().or(before.as_ref());
    let looked_for = sent.delivery_data.is_none()
        || sent.delivery_data.as_ref().is_some_and(|now| is_elsewhere(now, before.as_ref()));
    match address.filter(|_| looked_for) {
        Some(address) => callers::geocode(scope, plugins, address).await,
        None => Ok(None),
    }
}
