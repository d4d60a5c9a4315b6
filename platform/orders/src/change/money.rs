//! Payment and courier of a changed order.

use access::prelude::*;
use checkout::OrderPlatform;
use payment_methods::ChosenMethod;
use pricing::Fulfilment;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{input::OrderEdit, place::fulfilment};
use crate::{payments::Account, pays_with, row::OrderRow};

/// The payment method before and after, by their keys.
pub(super) struct Methods {
    pub before: Option<String>,
    pub after: Option<String>,
    /// The order may not be paid like this.
    pub refused: bool,
}

/// Writes the payment method, and says whether the order may be paid with it as it is handed over by now.
/// Errors: `VALIDATION_FAILED` for a method that does not exist, `PAYMENT_UNDER_WAY`.
pub(super) async fn method(
    tx: &TenantTx, account: &Account, before: &OrderRow, after: &mut OrderRow, sent: &OrderEdit,
) -> Result<Methods> {
    let restaurant = before.restaurant_id;
    let key = sent.payment_method.as_deref();
    let wanted = match (sent.payment_method_id, key) {
        (Clearable::Value(id), _) => Some(payment_methods::chosen(tx, restaurant, Some(id), None).await?),
        (Clearable::Undefined, Some(key)) => {
            Some(payment_methods::chosen(tx, restaurant, None, Some(key)).await?)
        }
        (Clearable::Null, _) => Some(None),
        (Clearable::Undefined, None) => None,
    };
    let changes_hands = fulfilment(before, before.pickup) != fulfilment(after, after.pickup);
    if wanted.is_none() && !changes_hands && sent.pays_with.is_undefined() {
        return Ok(Methods { before: None, after: None, refused: false });
    }
    let kept = payment_methods::chosen(tx, restaurant, before.payment_method_id, None).await?;
    let key_of = |method: &Option<ChosenMethod>| method.as_ref().map(|one| one.payment_key.clone());
    let old = key_of(&kept);
    let method = wanted.unwrap_or(kept);
    let delivered = fulfilment(after, after.pickup) == Fulfilment::Delivery;
    // Of a platform that is none of our own nothing is known.
    let pays = |method: &ChosenMethod| {
        OrderPlatform::of(&after.platform).is_none_or(|platform| method.pays(platform.pays_as(), delivered))
    };
    let id = method.as_ref().map(|one| one.id);
    let refused = if id != before.payment_method_id {
        if account.held.0 > kernel::money::Money::ZERO {
            return Err(Code::PAYMENT_UNDER_WAY.into());
        }
        // Nobody would send the guest to a provider's page any more.
        method.as_ref().is_some_and(|method| method.paid_online || !pays(method))
    } else {
        // What is paid needs no method any more.
        let owed = account.due() > kernel::money::Money::ZERO;
        changes_hands && owed && method.as_ref().is_some_and(|method| !method.paid_online && !pays(method))
    };
    after.payment_method_id = id;
    Ok(Methods { before: old, after: key_of(&method), refused })
}

/// Writes what the guest pays with: another method than cash forgets it.
/// Errors: `VALIDATION_FAILED` for what is not enough, no coins, or no cash.
pub(super) fn pays_with(
    account: &Account, after: &mut OrderRow, sent: &OrderEdit, methods: &Methods,
) -> Result<()> {
    let method = methods.after.as_deref();
    match sent.pays_with.value() {
        Some(amount) => {
            let due = account.due() + after.total_price.0 - account.total_price.0;
            let fault = pays_with::fault(Some(*amount), due, method, after.currency);
            Problem::new(Code::VALIDATION_FAILED).keys(fault).if_any()?;
            after.pays_with = Some((*amount).into());
        }
        None if sent.pays_with.is_undefined() && pays_with::is_cash(method) => {}
        None => after.pays_with = None,
    }
    Ok(())
}

#[derive(FromQueryResult)]
struct Named {
    id: Uuid,
    name: String,
    works: bool,
}

const COURIERS: &str = "select id, name, active and archived_at is null works from courier_name \
    where restaurant_id = $1 and id = any ($2)";

/// Writes the courier. Answers the names of the one before and of the one by now.
/// Errors: `VALIDATION_FAILED` for one who is not an active courier of this restaurant, and for an order that
/// nobody brings.
pub(super) async fn courier(
    tx: &TenantTx, before: &OrderRow, after: &mut OrderRow, sent: &OrderEdit,
) -> Result<[Option<String>; 2]> {
    let wanted = sent.courier_id.or(after.courier_id);
    if wanted == before.courier_id {
        return Ok([None, None]);
    }
    let refused = |fault| Problem::new(Code::VALIDATION_FAILED).key("courier_id", fault);
    if wanted.is_some() && fulfilment(after, after.pickup) != Fulfilment::Delivery {
        return Err(refused(Fault::Invalid));
    }
    let ids: Vec<Uuid> = before.courier_id.into_iter().chain(wanted).collect();
    let named: Vec<Named> = tx.all(COURIERS, [before.restaurant_id.into(), ids.into()]).await?;
    let find = |id: Option<Uuid>| named.iter().find(|one| Some(one.id) == id);
    if wanted.is_some() && find(wanted).is_none_or(|one| !one.works) {
        return Err(refused(Fault::NotExist));
    }
    after.courier_id = wanted;
    Ok([before.courier_id, wanted].map(|id| find(id).map(|one| one.name.clone())))
}
