//! The amounts of an order: due, paid, and left.

use access::prelude::*;
use customers::ShadowCustomers;
use kernel::money::{Currency, Money, Percent};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    events::EventOrder,
    values::{Amount, OrderId, OrderStatus},
};

/// An order as far as money goes.
#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct Account {
    pub id: Id<OrderId>,
    pub restaurant_id: Id<Restaurant>,
    pub counter: Option<String>,
    pub created_at: Timestamp,
    pub status: OrderStatus,
    pub is_test: bool,
    pub order_parent_id: Option<Uuid>,
    pub customer_id: Option<Id<ShadowCustomers>>,
    pub payment_method_id: Option<Uuid>,
    pub currency: Currency,
    /// What the order cost when it was placed.
    pub total_price: Amount,
    pub products_price: Amount,
    /// As it was priced; none where nobody vouched for its customer.
    pub points_earned: i64,
    pub point_cash_ratio: Percent,
    pub show_at: Timestamp,
    pub accepted_at: Option<Timestamp>,
    pub archived_at: Option<Timestamp>,
    pub closed_at: Option<Timestamp>,
    pub has_email: bool,
    /// What partial stornos took off it, below zero; of its goods alone.
    pub reversed: Amount,
    pub reversed_goods: Amount,
    /// What the ledger says: payments less refunds, and of it what was paid by points.
    pub paid: Amount,
    pub by_points: Amount,
    /// What open attempts would pay.
    pub held: Amount,
    /// What is asked to be given back, or under way.
    pub asked: Amount,
    /// The last time that money moved.
    pub last_paid_at: Option<Timestamp>,
}

const LOCK: &str = "select 1 from orders where restaurant_id = $1 and id = $2 for no key update";
/// After the lock, so that it sees what was written by whoever had it.
const READ: &str = "select o.id, o.restaurant_id, o.counter, o.created_at, o.status, o.is_test, o.order_parent_id, \
        o.customer_id, o.payment_method_id, o.currency, o.total_price, o.products_price, o.points_earned, o.point_cash_ratio, \
        o.show_at, o.accepted_at, o.archived_at, o.closed_at, o.email is not null has_email, \
        r.total reversed, r.goods reversed_goods, p.paid, p.by_points, p.last_paid_at, a.held, f.asked \
    from orders o, \
    lateral (select coalesce(sum(c.total_price), 0) total, coalesce(sum(c.products_price), 0) goods \
        from orders c where c.order_parent_id = o.id) r, \
    lateral (select coalesce(sum(p.value), 0) paid, max(p.paid_at) last_paid_at, \
        coalesce(sum(p.value) filter (where p.payment_key = 'points'), 0) by_points \
        from payable_transaction p where p.order_id = o.id) p, \
    lateral (select coalesce(sum(a.amount), 0) held from payment_attempt a where a.order_id = o.id \
        and a.state in ('created', 'pending', 'authorised', 'unknown')) a, \
    lateral (select coalesce(sum(f.amount), 0) asked from payment_refund f where f.order_id = o.id \
        and f.state in ('created', 'pending', 'unknown')) f \
    where o.restaurant_id = $1 and o.id = $2";

impl Account {
    /// Locks an order until the end of the transaction and reads its figures. Everything that moves an order's
    /// money begins here, so two tills that take the same money wait for each other.
    /// Errors: `ORDER_NOT_EXIST`.
    pub async fn lock(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>) -> Result<Self> {
        tx.run(LOCK, [restaurant.into(), id.into()]).await?;
        Self::read(tx, restaurant, id).await
    }

    /// The figures of an order that this transaction has locked.
    /// Errors: `ORDER_NOT_EXIST`.
    pub async fn read(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>) -> Result<Self> {
        let row: Option<Self> = tx.one(READ, [restaurant.into(), id.into()]).await?;
        row.ok_or_else(Problem::not_exist::<OrderId>)
    }

    /// Whether it is an order that is being made or was made: not one that waits to be paid online, ended without
    /// it, or was stornoed.
    pub fn is_alive(&self) -> bool {
        use OrderStatus::{Prepared, Processed, Succeeded};
        self.archived_at.is_none() && matches!(self.status, Succeeded | Processed | Prepared)
    }

    /// What is still to be paid; below zero is to be given back.
    pub fn due(&self) -> Money {
        due(self.status, self.archived_at.is_some(), self.total_price.0 + self.reversed.0, self.paid.0)
    }

    /// What nobody is paying yet.
    pub fn free(&self) -> Money {
        (self.due() - self.held.0).max(Money::ZERO)
    }

    /// What was paid, is not owed, and nobody has been asked to give back.
    pub fn to_ask(&self) -> Money {
        (-self.due() - self.asked.0).max(Money::ZERO)
    }

    /// What was asked to be given back and is not owed.
    pub fn over_asked(&self) -> Money {
        self.asked.0 - (-self.due()).max(Money::ZERO)
    }

    /// The order as events tell of it.
    pub fn event_order(&self) -> EventOrder {
        EventOrder {
            id: self.id,
            restaurant: self.restaurant_id,
            counter: self.counter.clone(),
            status: self.status,
            has_email: self.has_email,
        }
    }
}

/// What is still to be paid of an order that costs this by now; below zero is to be given back.
#[must_use]
pub fn due(status: OrderStatus, archived: bool, total: Money, paid: Money) -> Money {
    use OrderStatus::{Canceled, Expired, Failed};
    let over = archived || matches!(status, Canceled | Expired | Failed);
    if over { -paid } else { total - paid }
}
