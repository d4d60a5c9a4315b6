//! An order as its guest pays it.

use access::prelude::*;
use checkout::DeliveryData;
use kernel::money::{Currency, Money};
use sea_orm::FromQueryResult;
use serde_json::json;
use uuid::Uuid;

use super::store::{self, Now, OnlineAttempt};
use crate::{
    actor::Actor,
    emails::Lang,
    events::publish_all,
    payments::{account::Account, store::history, types::PaymentState},
    state::{self, Change, Outcome},
    types::OrderPaymentState,
    values::{OrderId, OrderStatus},
};

/// An order that was placed to be paid online.
#[derive(Debug, Clone, FromQueryResult)]
pub struct PayingOrder {
    pub restaurant_id: Id<Restaurant>,
    pub status: OrderStatus,
    pub counter: Option<String>,
    pub currency: Currency,
    pub total_price: Money,
    pub locale: String,
    pub platform: String,
    pub pickup: bool,
    pub is_test: bool,
    pub payment_method_id: Option<Uuid>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub email: Option<String>,
    pub phone_1: Option<String>,
    pub delivery_data: Option<DeliveryData>,
    /// The key that sent it.
    pub api_key_id: Option<Uuid>,
    pub archived_at: Option<Timestamp>,
    /// Its items were changed: another order took its place, and its money.
    pub is_replaced: bool,
}

const ORDER: &str = "select restaurant_id, status, counter, currency, total_price, locale, platform, pickup, is_test, \
    payment_method_id, first_name, last_name, email, phone_1, delivery_data, api_key_id, archived_at, \
    replaced_by_id is not null is_replaced \
    from orders where id = $1";

impl PayingOrder {
    pub async fn find(tx: &TenantTx, id: Id<OrderId>) -> Result<Option<Self>> {
        Ok(tx.one(ORDER, [id.into()]).await?)
    }

    /// The state of its payment, with its last attempt.
    #[must_use]
    pub fn payment(&self, last: Option<&OnlineAttempt>) -> OrderPaymentState {
        let state = last.map(|last| last.state);
        match self.status {
            OrderStatus::Received => match state {
                // One whose start was not answered has no page that the guest could be led to.
                Some(PaymentState::Pending) if last.is_some_and(|last| last.page_url.is_none()) => {
                    OrderPaymentState::Checking
                }
                Some(PaymentState::Pending) => OrderPaymentState::Pending,
                Some(PaymentState::Created) if last.is_some_and(|last| last.claimed_at.is_none()) => {
                    OrderPaymentState::Unpaid
                }
                Some(PaymentState::Created | PaymentState::Unknown | PaymentState::Captured) => {
                    OrderPaymentState::Checking
                }
                _ => OrderPaymentState::Unpaid,
            },
            OrderStatus::Failed | OrderStatus::Canceled | OrderStatus::Expired => OrderPaymentState::Ended,
            _ if self.archived_at.is_some() && !self.is_replaced => OrderPaymentState::Ended,
            _ => OrderPaymentState::Paid,
        }
    }
}

const SPEAK: &str = "update orders set version = version + 1, locale = $2 where id = $1 and locale <> $2";

/// The guest goes on in this language: mails follow it.
pub async fn speak(tx: &TenantTx, order: Id<OrderId>, lang: Lang) -> Result<()> {
    tx.run(SPEAK, [order.into(), lang.name().into()]).await?;
    Ok(())
}

/// The guest pays otherwise than online: the order reaches the restaurant unpaid. False while an attempt is open, and when
/// the order does not wait any more.
pub async fn pay_otherwise(
    tx: &TenantTx, restaurant: Id<Restaurant>, order: Id<OrderId>, method: (Uuid, &str), now: Timestamp,
) -> Result<bool> {
    let account = Account::lock(tx, restaurant, order).await?;
    let last = store::last(tx, order).await?;
    let open = last.as_ref().is_some_and(|last| {
        last.state == PaymentState::Captured || last.is_open() && last.claimed_at.is_some()
    });
    if account.status != OrderStatus::Received || open {
        return Ok(false);
    }
    if let Some(unsent) = last.filter(OnlineAttempt::is_open) {
        // No provider has heard of it, and it must not hold what the till is to take.
        store::set(tx, &unsent, PaymentState::Cancelled, Now::default(), now).await?;
    }
    store::choose_method(tx, order, method.0).await?;
    history(tx, order, "payment_method_chosen", Actor::Guest, json!({"payment_key": method.1})).await?;
    store::end_page(tx, order, now).await?;
    let changed = state::change(tx, restaurant, order, &Change::Pay, Actor::Guest).await?;
    let Outcome::Done { events, .. } = changed else { return Ok(false) };
    publish_all(tx, &events).await?;
    Ok(true)
}
