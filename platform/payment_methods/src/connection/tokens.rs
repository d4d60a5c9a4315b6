//! Calls with the token of a connection. One instance renews it at a time, and no outgoing call runs inside a
//! transaction. See `docs/decisions/payments.md#card-terminals`.

use std::{future::Future, sync::Arc, time::Duration};

use access::{
    company::{call_at, enter},
    prelude::*,
};
use contract::{CallError, CallFault, CardTerminal, Secret};
use kernel::clock;

use super::{
    held::{ConnectionSecret, Name, Renewal, Renewed, Step},
    store::{self, Row},
};

/// How often it is looked whether another instance is done renewing, and how many times.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
const MAX_POLLS: usize = 40;

pub(super) struct Caller<P> {
    pub scope: Arc<In<Restaurant, P>>,
    pub company: Arc<dyn CardTerminal>,
    pub live: bool,
}

impl<P> Clone for Caller<P> {
    fn clone(&self) -> Self {
        Self { scope: self.scope.clone(), company: self.company.clone(), live: self.live }
    }
}

/// Under which its failures are counted.
pub(super) const COMPANY: &str = "card terminals";

/// The problem when a person has to sign in at the company again.
fn sign_in_again() -> Problem {
    Problem::new(Code::CARD_TERMINAL_SIGN_IN)
}

/// The problem of a failed call.
pub(super) fn to_problem(error: CallError) -> Problem {
    tracing::warn!(%error, "the company of card terminals");
    match error.fault {
        CallFault::Credentials => sign_in_again(),
        CallFault::NotFound | CallFault::Conflict | CallFault::Invalid => {
            let problem = Problem::new(Code::CARD_TERMINAL_REFUSED);
            error.code.into_iter().fold(problem, |problem, code| problem.with("provider_code", code.into()))
        }
        CallFault::RateLimited | CallFault::Unreachable | CallFault::Broken | CallFault::Protocol => {
            let problem = Problem::new(Code::CARD_TERMINAL_UNAVAILABLE);
            error.retry_after.into_iter().fold(problem, Problem::retry_after)
        }
    }
}

impl<P: access::Permission> Caller<P> {
    /// Makes a call with a good token. A token that the company refuses before its expiry is renewed once.
    pub(super) async fn call<T, F: Future<Output = Result<T, CallError>>>(
        &self, name: Name, call: impl Fn(Secret) -> F,
    ) -> Result<T> {
        let token = self.token(name, None).await?;
        match self.ask(call(token.clone())).await {
            Err(error) if error.fault == CallFault::Credentials => {
                let token = self.token(name, Some(&token)).await?;
                self.ask(call(token)).await.map_err(to_problem)
            }
            outcome => outcome.map_err(to_problem),
        }
    }

    async fn ask<T>(&self, call: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
        call_at(enter(self.scope.app(), self.scope.partner(), COMPANY)?, call).await
    }

    /// The connection, locked until the end of the transaction.
    pub(super) async fn lock(&self, tx: &TenantTx) -> Result<(Row, ConnectionSecret)> {
        let found = store::find(tx, self.scope.app(), self.scope.restaurant(), self.live, true).await?;
        found.ok_or_else(|| Problem::new(Code::CARD_TERMINAL_NOT_CONNECTED))
    }

    async fn token(&self, name: Name, refused: Option<&Secret>) -> Result<Secret> {
        for _ in 0..MAX_POLLS {
            let tx = self.scope.begin().await?;
            let (row, held) = self.lock(&tx).await?;
            let (renewal, old) = match held.step(name, clock::now(), refused) {
                Step::Use(token) => return Ok(token),
                Step::SignIn => return Err(sign_in_again()),
                Step::Renew(renewal, old) => (renewal, old),
            };
            if row.being_renewed {
                drop(tx);
                // A valid token is used meanwhile.
                match old {
                    Some(token) => return Ok(token),
                    None => tokio::time::sleep(POLL_INTERVAL).await,
                }
                continue;
            }
            store::begin_renewing(&tx, row.id).await?;
            tx.commit().await?;
            // By a task of its own: a caller who leaves must not take the only answer along.
            let caller = self.clone();
            let renewed = tokio::spawn(async move { caller.renew(row, renewal).await }).await;
            let failed = renewed.map_err(|_| Problem::new(Code::UNKNOWN_ERROR))??;
            match (failed, old) {
                (Some(error), None) if error.fault != CallFault::Credentials => {
                    return Err(to_problem(error));
                }
                (Some(_), Some(token)) => return Ok(token),
                _ => {}
            }
        }
        Err(Problem::new(Code::CARD_TERMINAL_UNAVAILABLE))
    }

    /// Renews and stores the result; answers the failure.
    async fn renew(&self, row: Row, renewal: Renewal) -> Result<Option<CallError>> {
        let outcome = match &renewal {
            Renewal::Person(refresh) => self.ask(self.company.renew(refresh)).await.map(Renewed::Person),
            Renewal::Store(client) => self.ask(self.company.enter(client)).await.map(Renewed::Store),
        };
        let tx = self.scope.begin().await?;
        let (now, held) = self.lock(&tx).await?;
        // The connection was ended or replaced meanwhile, so the result is dropped.
        if (now.id, now.generation) == (row.id, row.generation) {
            store::save(&tx, self.scope.app(), &now, &held.after(&renewal, &outcome, clock::now())).await?;
            tx.commit().await?;
        }
        Ok(outcome.err())
    }
}
