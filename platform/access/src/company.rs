//! Calls of a partner to another company: one that fails is left alone for a while. See
//! `docs/decisions/security.md#outgoing-calls`.

use contract::{CallError, CallFault};
use kernel::{Id, Partner};
use work::breaker::Passage;

use crate::App;

/// A place for a call of a partner to a company.
/// Errors: `Unreachable` when it has failed that partner too often, or as many calls as may be wait for it.
pub fn enter(app: &App, partner: Id<Partner>, company: &str) -> Result<Passage, CallError> {
    app.outgoing.breakers().enter(partner, company).map_err(|refusal| CallError {
        retry_after: Some(refusal.retry_after()),
        ..CallError::harmless(CallFault::Unreachable)
    })
}

/// Makes the call for which the place was taken.
pub async fn call_at<T>(
    place: Passage, call: impl Future<Output = Result<T, CallError>>,
) -> Result<T, CallError> {
    let outcome = call.await;
    let fault = outcome.as_ref().err().map(|error| error.fault);
    place.end(matches!(fault, Some(CallFault::Unreachable | CallFault::Broken | CallFault::Protocol)));
    outcome
}
