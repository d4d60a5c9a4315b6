//! Payments on a provider's page, as far as the order goes: an attempt is begun and committed before the provider is
//! called, and what the provider says is written under the order's lock. No function here calls a provider. See
//! `docs/decisions/payments.md#online`.

mod books;
mod by_hand;
mod end;
mod hearing;
mod held;
mod refunds;
mod seen;
mod start;
mod store;
mod view;

pub use books::{Movement, moved, of_day, orders_of};
pub(crate) use by_hand::confirm;
pub use end::ended;
pub(crate) use end::{End, end, open};
pub(super) use held::settle_held;
pub use held::{held, not_settled};
pub use refunds::{
    RefundToSend, claim_refund, refund_lost, refund_refused, refund_sent, refunds_to_send, unclaim_refund,
};
pub use seen::{Heard, not_found, seen};
pub use start::{Begun, ask, begin, may_try, not_started, started};
pub(crate) use store::end_page;
pub use store::{OnlineAttempt, OnlineMethod, PaymentPage, by_reference, page, told};
pub use view::{PayingOrder, pay_otherwise, speak};

use access::prelude::*;
use serde_json::json;

use super::types::PaymentId;
use crate::values::OrderId;

/// Job that asks a provider about an attempt, by `attempt_id`.
pub const ASK: &str = "online_payment_ask";
/// Job that gives back what was asked to be given back of an order, by `order_id`.
pub const REFUND: &str = "online_payment_refund";
/// Job that takes or releases held money of an order, by `order_id`.
pub const SETTLE: &str = "online_payment_settle";

/// Job that compares a business day with the provider's books, by `restaurant_id` and `day` or by `id`.
pub const RECONCILE: &str = "payment_reconcile";

/// Minutes that an order has to be paid online.
pub(crate) const PAYABLE_FOR: i64 = 30;
/// Minutes that a try leaves at least, and those that all have together.
const AFTER_A_TRY: i64 = 10;
const IN_ALL: i64 = 60;
/// Tries of one order.
const TRIES: i64 = 5;

/// The last attempt of an order: the open one, where there is one.
pub async fn last(tx: &TenantTx, order: Id<OrderId>) -> Result<Option<OnlineAttempt>> {
    store::last(tx, order).await
}

/// The provider is asked about it at that time, or earlier.
async fn ask_at(tx: &TenantTx, id: Id<PaymentId>, at: Option<Timestamp>) -> Result<()> {
    let Some(at) = at else { return Ok(()) };
    work::enqueue(tx, ASK, Some(&id.to_string()), json!({"attempt_id": id}), Some(at.into())).await
}

/// A job of an order, as soon as can be.
async fn soon(tx: &TenantTx, kind: &str, order: Id<OrderId>) -> Result<()> {
    work::enqueue(tx, kind, Some(&order.to_string()), json!({"order_id": order}), None).await
}
