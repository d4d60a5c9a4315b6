//! Messages of providers: each makes us ask about its payment. What a message says by itself is not believed, so a state
//! comes from one place whether its provider signs or not.

use access::{App, prelude::*};
use async_trait::async_trait;
use callbacks::{Message, Receiver};
use contract::{Plugins, RawMessage, Secret};
use orders::{
    PaymentId,
    online::{self, OnlineAttempt},
};
use payment_methods::PayingAccount;
use serde_json::json;
use uuid::Uuid;
use work::JobError;

/// The path at which they come.
pub(crate) const PATH: &str = "/api/v3/payments/callbacks/:provider/:token";

pub(crate) struct OnlinePayments;

/// The account of an address, with its id: an address belongs to an account, or to one attempt.
async fn account(app: &App, tx: &TenantTx, id: Uuid) -> Result<Option<(PayingAccount, Uuid)>> {
    if let Some(account) = payment_methods::merchant(app, tx, id).await? {
        return Ok(Some((account, id)));
    }
    let Some(attempt) = OnlineAttempt::find(tx, Id::from_uuid(id)).await? else { return Ok(None) };
    let account = payment_methods::merchant(app, tx, attempt.account_id).await?;
    Ok(account.map(|account| (account, attempt.account_id)))
}

#[async_trait]
impl Receiver for OnlinePayments {
    fn job_kind(&self) -> &'static str {
        "online_payment_message"
    }

    async fn secret(&self, app: &App, tx: &TenantTx, id: Uuid) -> Result<Option<Secret>> {
        Ok(account(app, tx, id).await?.map(|(account, _)| account.merchant.secret))
    }

    async fn work(
        &self, (app, plugins): (&App, &Plugins), tx: &TenantTx, message: &Message,
    ) -> std::result::Result<(), JobError> {
        let Some((account, id)) = account(app, tx, message.account).await? else { return Ok(()) };
        payment_methods::callback_came(tx, id, message.received_at).await?;
        let plugin = plugins.online_payment_of(&account.provider, account.environment.into());
        let Some(plugin) = plugin else { return Err(JobError::away("there is no plug-in of the provider")) };
        let raw = RawMessage { headers: vec![], query: message.query.clone(), body: message.body.clone() };
        let Some(notice) = plugin.read_message(&raw) else {
            tracing::warn!(provider = account.provider, "a message that cannot be read");
            return Ok(());
        };
        if notice.merchant.as_ref().is_some_and(|merchant| *merchant != account.merchant.name) {
            tracing::warn!(provider = account.provider, "a message about another merchant");
            return Ok(());
        }
        let attempt = match OnlineAttempt::find(tx, Id::from_uuid(message.account)).await? {
            Some(attempt) => Some(attempt),
            None => named(tx, id, (notice.attempt.as_deref(), notice.reference.as_deref())).await?,
        };
        let Some(attempt) = attempt else {
            tracing::error!(provider = account.provider, "a message about a payment that is not known here");
            return Ok(());
        };
        online::told(tx, &attempt, message.id, message.received_at.into()).await?;
        // The start may not be answered yet: then only the message has the provider's id.
        let named = notice.reference.filter(|_| attempt.provider_ref.is_none());
        let key = format!("{}{}", attempt.id, named.as_deref().unwrap_or_default());
        let args = json!({"attempt_id": attempt.id, "reference": named});
        Ok(work::enqueue(tx, online::ASK, Some(&key), args, None).await?)
    }
}

/// The attempt of this account that a message names, by our id of it or by the provider's.
async fn named(
    tx: &TenantTx, account: Uuid, (ours, theirs): (Option<&str>, Option<&str>),
) -> Result<Option<OnlineAttempt>> {
    let mut id: Option<Id<PaymentId>> = ours.and_then(|id| id.parse().ok());
    if let (None, Some(reference)) = (id, theirs) {
        id = online::by_reference(tx, account, reference).await?;
    }
    let Some(id) = id else { return Ok(None) };
    Ok(OnlineAttempt::find(tx, id).await?.filter(|attempt| attempt.account_id == account))
}
