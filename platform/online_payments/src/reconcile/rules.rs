//! What differs between our books and a provider's word about one payment.

use access::prelude::*;
use contract::{SeenState, Snapshot};
use kernel::money::Money;
use orders::{PaymentState, online::OnlineAttempt};

/// How our books and the provider's word differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename = "PaymentDifference", rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum Difference {
    /// We have it, the provider does not know it.
    MissingThere,
    /// The provider has it, we do not know it.
    MissingHere,
    /// It is paid at one side alone.
    State,
    /// Another amount came.
    Amount,
    /// Another sum went back.
    Refunded,
    /// The provider could not be asked.
    NotAsked,
}

/// What differs, in the order in which it matters.
pub(crate) fn difference(ours: &OnlineAttempt, seen: Option<&Snapshot>) -> Option<Difference> {
    use PaymentState::{Captured, Refunded};
    let has_come = matches!(ours.state, Captured | Refunded);
    let Some(seen) = seen else {
        return has_come.then_some(Difference::MissingThere);
    };
    if has_come != (seen.state == SeenState::Captured) {
        return Some(Difference::State);
    }
    if !has_come {
        return None;
    }
    if ours.captured != Money(seen.amount) {
        return Some(Difference::Amount);
    }
    (ours.refunded != Money(seen.refunded)).then_some(Difference::Refunded)
}
