//! Payments and refunds of orders: attempts and refunds, which have states, and the ledger of money that has
//! moved. See `docs/decisions/payments.md`.
//!
//! Everything that moves money locks the order first ([`Account::lock`]), so what is due is right whoever else
//! takes or gives back at the same time.

mod account;
mod api;
mod asking;
mod book;
mod checked;
mod lists;
mod machine;
mod moving;
pub mod online;
mod refunds;
mod rules;
mod store;
mod till;
mod types;

pub(crate) use account::Account;
pub use account::due;
pub(crate) use api::{OrderPayments, Payments, Refunds};
pub(crate) use lists::{refunds_of, transactions_of};
pub(crate) use moving::{OwnMoney, under_way};
pub(crate) use rules::{in_coins, share};
pub(crate) use store::history;
pub(crate) use till::Till;
pub(crate) use types::{PayableTransaction, PaymentRefund};
pub use types::{PaymentId, PaymentState, RefundId};
