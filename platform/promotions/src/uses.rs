//! Uses of promotions: taken in the transaction of the order, given back when the order is undone. See
//! `docs/decisions/promotions.md#limits`.

use access::prelude::*;
use customers::CountedOrder;
use kernel::{money::Money, time::BusinessDay};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::load::compared;

/// An order that uses promotions. A test order uses none: nobody calls [`take`] for it.
#[derive(Debug, Clone, Copy)]
pub struct Taking<'a> {
    /// The order's id; its row need not be there yet.
    pub order: Uuid,
    pub restaurant: Id<Restaurant>,
    pub day: BusinessDay,
    /// The guest: the id of a shadow customer.
    pub customer: Option<Uuid>,
    /// The code that the cart named, as it was typed.
    pub code: Option<&'a str>,
    /// The moment of ordering.
    pub now: Timestamp,
}

/// A promotion that an order uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    pub promotion: Uuid,
    /// What it took, in the restaurant's currency.
    pub amount: Money,
}

const TAKE: &str = "select take_promotions($1, $2, $3, $4, $5, $6, $7, $8) lost";
/// The same after the order was added to the figures of its customer, as `customers::add_order` does; null when
/// there is no such customer any more.
const COUNT_AND_TAKE: &str = "select case when c.alive then take_promotions($5, $6, $7, $8, $9, $10, $11, $12) end lost \
    from (select add_customer_order($1, $2, $3, $4) alive offset 0) c";
const GIVE_BACK: &str = "select give_back_promotions($1, $2)::text";

/// Takes one use of each of these promotions for the order, or none at all: then it answers those whose limit
/// is lost, and the caller prices the order without them and takes the others, or refuses it. Before, it adds the
/// order to the figures of its customer, where it has one; none is answered when that one was anonymised
/// meanwhile, so the order is somebody else's. One round trip; the customer is locked before the promotions.
/// Promotions with limits are locked by id until the transaction ends, so of simultaneous orders for the last
/// use one gets it.
pub async fn take(
    tx: &TenantTx, taking: Taking<'_>, applied: &[Applied], counted: Option<CountedOrder>,
) -> Result<Option<Vec<Uuid>>> {
    if applied.is_empty() {
        let alive = match counted {
            Some(order) => customers::add_order(tx, order).await?,
            None => true,
        };
        return Ok(alive.then(Vec::new));
    }
    let Taking { order, restaurant, day, customer, code, now } = taking;
    let ids: Vec<Uuid> = applied.iter().map(|one| one.promotion).collect();
    let amounts: Vec<Decimal> = applied.iter().map(|one| one.amount.value()).collect();
    let values: [sea_orm::Value; 8] = [
        order.into(),
        restaurant.into(),
        customer.into(),
        day.into(),
        compared(code).into(),
        ids.into(),
        amounts.into(),
        now.into(),
    ];
    match counted {
        None => Ok(Some(tx.value(TAKE, values).await?.ok_or(Code::UNKNOWN_ERROR)?)),
        Some(order) => {
            let lost: Option<Option<Vec<Uuid>>> =
                tx.value(COUNT_AND_TAKE, order.values().into_iter().chain(values)).await?;
            Ok(lost.flatten())
        }
    }
}

const CORRECT: &str = "update promotion_use u set amount = a.amount from unnest($2::uuid[], $3::numeric[]) \
    a (discount_id, amount) where u.order_id = $1 and u.discount_id = a.discount_id and u.given_back_at is null";

/// Says what promotions of an order take by now: its delivery costs something else.
pub async fn correct(tx: &TenantTx, order: Uuid, applied: &[Applied]) -> Result<()> {
    if applied.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = applied.iter().map(|one| one.promotion).collect();
    let amounts: Vec<Decimal> = applied.iter().map(|one| one.amount.value()).collect();
    tx.run(CORRECT, [order.into(), ids.into(), amounts.into()]).await?;
    Ok(())
}

/// The promotions that an order uses, and those that another one may use in its place.
macro_rules! exchanged {
    ($rest:literal) => {
        concat!(
            "select d.id from discount d where (d.archived_at is null and d.active \
                and (d.restaurant_ids is null or $1 = any (d.restaurant_ids)) \
                or d.id in (select u.discount_id from promotion_use u where u.order_id = $2 \
                    and u.given_back_at is null)) ",
            $rest
        )
    };
}
const HOLD: &str = exchanged!("order by d.id for key share");
const HOLD_LIMITED: &str = exchanged!(
    "and (d.all_max_use_qty is not null or d.customer_max_use_qty is not null) order by d.id for no key update"
);

/// Gives back what an order has used, for one that takes its place in this transaction. What that one may use is
/// locked with it, each in the order in which all orders lock them.
pub async fn exchange(tx: &TenantTx, restaurant: Id<Restaurant>, order: Uuid, now: Timestamp) -> Result<()> {
    for lock in [HOLD, HOLD_LIMITED] {
        tx.run(lock, [restaurant.into(), order.into()]).await?;
    }
    give_back(tx, order, now).await
}

/// Gives back what an order has used: it was cancelled whole, or its payment failed or never came. Doing it
/// again changes nothing.
pub async fn give_back(tx: &TenantTx, order: Uuid, now: Timestamp) -> Result<()> {
    tx.row(GIVE_BACK, [order.into(), now.into()]).await?;
    Ok(())
}
