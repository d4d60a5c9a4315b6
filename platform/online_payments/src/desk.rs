//! Calls to providers: each between two units of work, the first of which has committed the right to make it. See
//! `docs/decisions/payments.md#online`.

use std::sync::Arc;

use access::{
    App,
    company::{call_at, enter},
    prelude::*,
};
use contract::{
    CallError, CallFault, Effect, OnlinePayment, PaymentRef, RefundOrder, Snapshot, StartPayment,
};
use kernel::{Partner, money::Money};
use orders::{
    OrderId, PaymentId,
    online::{self, Heard, OnlineAttempt},
};
use payment_methods::PayingAccount;

use crate::way::Way;

/// What calls are made with.
pub(crate) struct Desk<'a> {
    pub app: &'a App,
    pub plugins: &'a contract::Plugins,
    pub way: &'a dyn Way,
    /// Whose breaker stops calls.
    pub partner: Id<Partner>,
}

/// An account at a provider, with the plug-in that speaks to it.
pub(crate) struct Provider {
    pub account: PayingAccount,
    pub plugin: Arc<dyn OnlinePayment>,
}

/// The provider does not say how a payment stands.
fn unanswered() -> Problem {
    Problem::new(Code::UNAVAILABLE_SERVER).detail("the provider does not say")
}

/// The most characters of a provider's words.
const WORD: usize = 200;

/// Whether every word of a provider can be kept as it is.
fn is_kept(seen: &Snapshot) -> bool {
    let own = [&seen.attempt, &seen.reference, &seen.provider_state, &seen.currency];
    let more = [&seen.decline_code, &seen.masked_card, &seen.part].into_iter().flatten();
    let refunds = seen.refunds.iter().flat_map(|one| std::iter::once(&one.reference).chain(&one.ours));
    let mut all = own.into_iter().chain(more).chain(refunds);
    all.all(|word| word.chars().count() <= WORD && !word.chars().any(char::is_control))
}

/// Whether the provider was not reached, or wants no call now: it has done nothing, and is called again.
fn is_away(error: &CallError) -> bool {
    error.effect == Effect::None && matches!(error.fault, CallFault::Unreachable | CallFault::RateLimited)
}

impl Desk<'_> {
    /// The provider of an account; none where account or plug-in are gone.
    pub async fn provider(&self, tx: &TenantTx, account: uuid::Uuid) -> Result<Option<Provider>> {
        let Some(account) = payment_methods::merchant(self.app, tx, account).await? else { return Ok(None) };
        let plugin = self.plugins.online_payment_of(&account.provider, account.environment.into());
        Ok(plugin.map(|plugin| Provider { account, plugin }))
    }

    /// Makes a call, unless the provider has failed this partner too often.
    pub async fn call<T>(
        &self, provider: &Provider, call: impl Future<Output = Result<T, CallError>> + Send,
    ) -> Result<T, CallError> {
        let name = provider.account.provider.as_str();
        let outcome = call_at(enter(self.app, self.partner, name)?, call).await;
        if let Err(error) = &outcome {
            tracing::warn!(provider = name, %error, "a call about an online payment");
        }
        outcome
    }

    /// An account that the provider does not take any more serves nothing.
    async fn note_refusal(
        &self, provider: &Provider, attempt: &OnlineAttempt, error: &CallError,
    ) -> Result<()> {
        if error.fault != CallFault::Credentials {
            return Ok(());
        }
        let tx = self.way.begin().await?;
        let sealed = provider.account.sealed.clone();
        payment_methods::refused(&tx, attempt.restaurant_id, attempt.account_id, sealed).await?;
        Ok(tx.commit().await?)
    }

    /// Starts an attempt that this caller has begun. Answers the page where the guest pays, if the provider has taken it.
    pub async fn start(
        &self, provider: &Provider, attempt: &OnlineAttempt, payment: &StartPayment,
    ) -> Result<Option<url::Url>> {
        let started = self.call(provider, provider.plugin.start(&provider.account.merchant, payment)).await;
        let tx = self.way.begin().await?;
        let now = Timestamp::now();
        match started {
            Ok(started) => {
                online::started(&tx, attempt.id, &started, now).await?;
                tx.commit().await?;
                Ok(Some(started.page))
            }
            Err(error) => {
                // A name that is taken already: an earlier call has done its work.
                let error = match error.fault {
                    CallFault::Conflict => CallError { effect: Effect::Unknown, ..error },
                    _ => error,
                };
                online::not_started(&tx, attempt.id, &error, now).await?;
                tx.commit().await?;
                self.note_refusal(provider, attempt, &error).await?;
                Ok(None)
            }
        }
    }

    /// Asks the provider about an attempt and writes the answer; within five seconds once. `named` is the provider's id of
    /// it, where a message named it before the answer to the start came.
    pub async fn ask(&self, id: Id<PaymentId>, named: Option<String>) -> Result<()> {
        let tx = self.way.begin().await?;
        let attempt = online::ask(&tx, id, self.way.is_guest(), Timestamp::now()).await?;
        let attempt = attempt
            .map(|attempt| OnlineAttempt { provider_ref: attempt.provider_ref.clone().or(named), ..attempt });
        let provider = match &attempt {
            Some(attempt) => self.provider(&tx, attempt.account_id).await?,
            None => None,
        };
        tx.commit().await?;
        let Some(attempt) = attempt else { return Ok(()) };
        let Some(provider) = provider else { return self.cannot_ask(&attempt).await };
        match self.status(&provider, &attempt).await {
            Ok(seen) => self.write(&provider, &attempt, seen.as_ref()).await?,
            Err(error) => {
                // It can be asked by the provider's id alone, and there is none: as if it did not know the attempt.
                let settled = error.fault == CallFault::Invalid && attempt.provider_ref.is_none();
                self.unheard(&provider, &attempt, settled).await?;
                self.note_refusal(&provider, &attempt, &error).await?;
            }
        }
        Ok(())
    }

    /// What the provider says of an attempt.
    pub async fn status(
        &self, provider: &Provider, attempt: &OnlineAttempt,
    ) -> Result<Option<Snapshot>, CallError> {
        let id = attempt.id.to_string();
        let asked = PaymentRef { attempt: &id, reference: attempt.provider_ref.as_deref() };
        let seen = self.call(provider, provider.plugin.status(&provider.account.merchant, asked)).await?;
        // A word that cannot be kept says nothing.
        if seen.as_ref().is_some_and(|seen| !is_kept(seen)) {
            return Err(CallError::unknown(CallFault::Protocol));
        }
        Ok(seen)
    }

    /// Writes what the provider has said.
    pub async fn write(
        &self, provider: &Provider, attempt: &OnlineAttempt, seen: Option<&Snapshot>,
    ) -> Result<()> {
        let Some(seen) = seen else { return self.unheard(provider, attempt, true).await };
        let tx = self.way.begin().await?;
        let facts = restaurants::facts_of_any(&tx, attempt.restaurant_id).await?;
        let heard = online::seen(&tx, &facts, attempt.id, seen, Timestamp::now()).await?;
        tx.commit().await?;
        if heard == Heard::NotOurs {
            tracing::error!(attempt = %attempt.id, reference = seen.reference, "the provider told of another payment");
        }
        Ok(())
    }

    /// Without its account or its plug-in the provider cannot be asked: it is tried again, and a person may say at last.
    async fn cannot_ask(&self, attempt: &OnlineAttempt) -> Result<()> {
        let tx = self.way.begin().await?;
        online::not_found(&tx, attempt.id, false, Timestamp::now()).await?;
        Ok(tx.commit().await?)
    }

    /// Nothing was heard of an attempt; `unknown`: because the provider does not know it.
    async fn unheard(&self, provider: &Provider, attempt: &OnlineAttempt, unknown: bool) -> Result<()> {
        let tx = self.way.begin().await?;
        let now = Timestamp::now();
        let since = attempt.claimed_at.unwrap_or(attempt.created_at);
        let settled = (now.0 - since.0).num_seconds() > i64::from(provider.plugin.settles_after());
        online::not_found(&tx, attempt.id, unknown && settled, now).await?;
        Ok(tx.commit().await?)
    }

    /// Gives back what is asked to be given back of an order, one refund after the other.
    pub async fn refund(&self, order: Id<OrderId>) -> Result<()> {
        let tx = self.way.begin().await?;
        if payment_methods::payment_pause(&tx).await?.is_some() {
            return Err(unanswered());
        }
        let refunds = online::refunds_to_send(&tx, order).await?;
        tx.commit().await?;
        for refund in refunds {
            let tx = self.way.begin().await?;
            let Some(attempt) = OnlineAttempt::find(&tx, refund.attempt_id).await? else { continue };
            let provider = self.provider(&tx, attempt.account_id).await?;
            tx.commit().await?;
            // Without its account or its plug-in the provider cannot be asked: it waits for them.
            let provider = provider.ok_or_else(unanswered)?;
            // What had gone back before tells a lost answer from a lost call.
            let before = self.status_before(&provider, &attempt).await?;
            // What was given back on the provider's page is booked first: less may be owed by now.
            self.write(&provider, &attempt, Some(&before)).await?;
            if Money(before.refunded) > attempt.refunded && !refund.by_storno {
                self.refused(&attempt, &refund, "provider_had_refunded").await?;
                continue;
            }
            let tx = self.way.begin().await?;
            let now = Timestamp::now();
            let claimed = online::claim_refund(&tx, &refund, Money(before.refunded), now).await?;
            tx.commit().await?;
            if claimed {
                self.send(&provider, &attempt, (&refund, &before)).await?;
            }
        }
        Ok(())
    }

    /// How a payment stands before money is moved. What cannot be told is asked by the job again.
    async fn status_before(&self, provider: &Provider, attempt: &OnlineAttempt) -> Result<Snapshot> {
        match self.status(provider, attempt).await {
            Ok(Some(before)) => Ok(before),
            Ok(None) => Err(unanswered()),
            Err(error) => {
                self.note_refusal(provider, attempt, &error).await?;
                Err(unanswered())
            }
        }
    }

    async fn send(
        &self, provider: &Provider, attempt: &OnlineAttempt,
        (refund, before): (&online::RefundToSend, &Snapshot),
    ) -> Result<()> {
        let id = refund.id.to_string();
        let order = RefundOrder { refund: &id, amount: refund.amount.0, before };
        let sent = self.call(provider, provider.plugin.refund(&provider.account.merchant, order)).await;
        let error = match sent {
            Ok(sent) if !sent.succeeded => return self.refused(attempt, refund, "refused").await,
            Ok(sent) => {
                let tx = self.way.begin().await?;
                let facts = restaurants::facts_of_any(&tx, attempt.restaurant_id).await?;
                online::refund_sent(&tx, &facts, refund, &sent, Timestamp::now()).await?;
                return Ok(tx.commit().await?);
            }
            Err(error) => error,
        };
        if error.effect == Effect::Unknown {
            let tx = self.way.begin().await?;
            online::refund_lost(&tx, refund, Timestamp::now()).await?;
            return Ok(tx.commit().await?);
        }
        if is_away(&error) {
            let tx = self.way.begin().await?;
            online::unclaim_refund(&tx, refund).await?;
            tx.commit().await?;
            return Err(unanswered());
        }
        let code = error.code.clone().unwrap_or_else(|| format!("{:?}", error.fault).to_lowercase());
        self.refused(attempt, refund, &code).await?;
        self.note_refusal(provider, attempt, &error).await
    }

    async fn refused(
        &self, attempt: &OnlineAttempt, refund: &online::RefundToSend, code: &str,
    ) -> Result<()> {
        let tx = self.way.begin().await?;
        let facts = restaurants::facts_of_any(&tx, attempt.restaurant_id).await?;
        online::refund_refused(&tx, &facts, refund, code, Timestamp::now()).await?;
        Ok(tx.commit().await?)
    }

    /// Takes or releases the money that is held for an order, as far as that is decided.
    pub async fn settle(&self, order: Id<OrderId>) -> Result<()> {
        let tx = self.way.begin().await?;
        if payment_methods::payment_pause(&tx).await?.is_some() {
            return Err(unanswered());
        }
        let held = online::held(&tx, order).await?;
        let provider = match &held {
            Some((attempt, _)) => self.provider(&tx, attempt.account_id).await?,
            None => None,
        };
        tx.commit().await?;
        let (Some((attempt, take)), Some(provider)) = (held, provider) else { return Ok(()) };
        let before = self.status_before(&provider, &attempt).await?;
        if before.state == contract::SeenState::Authorised {
            let merchant = &provider.account.merchant;
            let done = match take {
                Some(amount) => {
                    self.call(&provider, provider.plugin.capture(merchant, &before, amount.0)).await
                }
                None => self.call(&provider, provider.plugin.release(merchant, &before)).await,
            };
            if let Err(error) = done {
                if is_away(&error) {
                    return Err(unanswered());
                }
                let tx = self.way.begin().await?;
                online::not_settled(&tx, attempt.id, &error, Timestamp::now()).await?;
                tx.commit().await?;
            }
        }
        // Whatever was answered: the provider says how it is by now.
        match self.status(&provider, &attempt).await {
            Ok(seen) => self.write(&provider, &attempt, seen.as_ref()).await,
            Err(_) => Err(unanswered()),
        }
    }
}
