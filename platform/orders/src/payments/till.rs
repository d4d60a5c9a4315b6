//! Place and person of a movement of money, and the common part of its operations.

use access::prelude::*;
use kernel::money::Money;
use restaurants::Facts;

use super::rules::Cash;
use crate::actor::Actor;

/// Where and by whom money is moved.
#[derive(Clone, Copy)]
pub(crate) struct Till<'a> {
    pub tx: &'a TenantTx,
    pub facts: &'a Facts,
    pub actor: Actor<'a>,
    pub now: Timestamp,
}

/// Why balance or points of a customer move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// They pay an order.
    Spent,
    /// They had paid one that is over.
    Returned,
    /// They pay the order that takes its place.
    Again,
}

/// Keys of methods whose money lies at the restaurant itself.
pub(super) fn is_own_money(key: &str) -> bool {
    matches!(key, "balance" | "points")
}

pub(super) fn invalid(field: &str, fault: Fault) -> Problem {
    Problem::new(Code::VALIDATION_FAILED).key(field, fault)
}

/// Money that is exactly what is to be paid.
pub(super) fn exact(amount: Money, tip: Money) -> Cash {
    Cash { value: amount, tip, rounding: Money::ZERO, handed_over: amount + tip, change: Money::ZERO }
}
