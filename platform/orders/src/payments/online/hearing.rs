//! A provider's word about an attempt, with everything that it is worked with.

use access::prelude::*;
use contract::Snapshot;
use restaurants::Facts;

use super::store::OnlineAttempt;
use crate::{
    actor::Actor,
    payments::{account::Account, till::Till},
};

/// Everything that a word about an attempt is worked with. The order is locked.
pub(super) struct Hearing<'a> {
    pub tx: &'a TenantTx,
    pub facts: &'a Facts,
    pub account: Account,
    pub attempt: OnlineAttempt,
    pub seen: &'a Snapshot,
    pub now: Timestamp,
}

impl Hearing<'_> {
    pub(super) fn till(&self) -> Till<'_> {
        Till { tx: self.tx, facts: self.facts, actor: Actor::Provider(&self.attempt.provider), now: self.now }
    }
}
