//! Asking a provider whether an account is good, and what becomes of one that it refuses.

use std::sync::Arc;

use access::{
    Actor, App,
    company::{call_at, enter},
    prelude::*,
    write_audit,
};
use contract::{CallError, CallFault, Merchant, OnlinePayment, Plugins};
use futures_util::FutureExt;
use kernel::clock;
use sea_orm::{ActiveEnum, EntityTrait, FromQueryResult};
use serde_json::json;
use uuid::Uuid;
use work::{
    Handler, Job, JobContext, JobError,
    events::{self, LiveMessage, Message},
};

use super::{
    entity::Entity,
    words::{AccountState, Provider},
};

const KIND: &str = "provider_account_check";
/// The call that saves an account asks too; the job comes after it. Seconds.
const LATER: i64 = 30;

/// Orders the job that checks the account if it is not checked by then.
pub(super) async fn later(tx: &TenantTx, account: Uuid) -> Result<()> {
    let at = clock::now() + chrono::Duration::seconds(LATER);
    work::enqueue(tx, KIND, Some(&account.to_string()), json!({"account_id": account}), Some(at)).await
}

/// What a provider is asked.
pub(crate) struct Question {
    account: Uuid,
    restaurant: Id<Restaurant>,
    state: AccountState,
    /// As it is kept: a secret that is replaced meanwhile is not the one that was checked.
    sealed: Vec<u8>,
    provider: Provider,
    merchant: Merchant,
    plugin: Option<Arc<dyn OnlinePayment>>,
}

/// The question about a live account with a secret.
async fn question(app: &App, tx: &TenantTx, plugins: &Plugins, account: Uuid) -> Result<Option<Question>> {
    let found = Entity::find_by_id(Id::from_uuid(account)).one(tx).await?;
    let Some(row) = found.filter(|row| row.archived_at.is_none()) else { return Ok(None) };
    let (Some(paying), Some(sealed)) = (row.paying(app, tx).await?, row.secret) else { return Ok(None) };
    Ok(Some(Question {
        account,
        restaurant: row.restaurant_id,
        state: row.state,
        sealed,
        provider: row.provider,
        merchant: paying.merchant,
        plugin: plugins.online_payment_of(row.provider.as_str(), row.environment.into()),
    }))
}

impl Question {
    /// Asks. Call it outside of any transaction.
    async fn ask(&self, app: &App, partner: Id<Partner>) -> Result<(), CallError> {
        let lacking = || CallError::harmless(CallFault::Unreachable).with_code("no_plugin");
        let plugin = self.plugin.as_ref().ok_or_else(lacking)?;
        let place = enter(app, partner, self.provider.as_str())?;
        call_at(place, plugin.check(&self.merchant)).await
    }

    /// Keeps what the provider has said of this secret. What says nothing changes no state.
    async fn keep(&self, tx: &TenantTx, said: &std::result::Result<(), CallError>) -> Result<()> {
        match said {
            Ok(()) => {
                let values = [self.account.into(), self.sealed.clone().into(), clock::now().into()];
                tx.run(GOOD, values).await?;
                if self.state != AccountState::Checked {
                    events::publish(tx, &restaurants::Event::Changed(self.restaurant)).await?;
                }
                Ok(())
            }
            Err(error) if error.fault == CallFault::Credentials => {
                let sealed = Some(self.sealed.clone());
                refuse(tx, self.restaurant, self.account, (sealed, error.code.clone())).await
            }
            Err(error) => {
                let code = error.code.clone().unwrap_or_else(|| word(error.fault).to_owned());
                tx.run(SILENT, [self.account.into(), self.sealed.clone().into(), code.into()]).await?;
                Ok(())
            }
        }
    }
}

/// Why a provider could not be asked, where it has no code of its own.
const fn word(fault: CallFault) -> &'static str {
    match fault {
        CallFault::RateLimited => "rate_limited",
        CallFault::Unreachable => "unreachable",
        CallFault::Broken => "broken",
        CallFault::Credentials
        | CallFault::NotFound
        | CallFault::Conflict
        | CallFault::Invalid
        | CallFault::Protocol => "protocol",
    }
}

const GOOD: &str = "update provider_account set state = 'checked', checked_at = $3, check_code = null \
    where id = $1 and secret = $2 and archived_at is null";
const SILENT: &str = "update provider_account set check_code = $3 \
    where id = $1 and secret = $2 and archived_at is null and state = 'unchecked'";
const REFUSE: &str = "with b as (select id, state from provider_account where id = $1 and restaurant_id = $2 \
        and archived_at is null and ($3::bytea is null or secret = $3) for update) \
    update provider_account a set state = 'refused', checked_at = $4, check_code = $5 from b \
    where a.id = b.id and b.state <> 'refused' returning b.state, a.provider";

#[derive(FromQueryResult)]
struct Refused {
    state: String,
    provider: String,
}

/// The provider does not take an account any more, with the secret that it was called with: what is paid through it goes
/// off, and staff are told.
/// Errors: What the database says.
pub async fn refused(
    tx: &TenantTx, restaurant: Id<Restaurant>, account: Uuid, sealed: Vec<u8>,
) -> Result<()> {
    refuse(tx, restaurant, account, (Some(sealed), None)).await
}

async fn refuse(
    tx: &TenantTx, restaurant: Id<Restaurant>, account: Uuid,
    (sealed, code): (Option<Vec<u8>>, Option<String>),
) -> Result<()> {
    let now = clock::now();
    let values = [account.into(), restaurant.into(), sealed.into(), now.into(), code.clone().into()];
    let Some(Refused { state, provider }) = tx.one(REFUSE, values).await? else { return Ok(()) };
    let details = json!({"state": [state, "refused"], "check_code": [null, code]});
    let actor = Actor { kind: "job", id: None, name: "Pult" };
    write_audit(tx, Some(restaurant.uuid()), &actor, "provider_accounts_refused", Some(account), details)
        .await?;
    if state == AccountState::Checked.to_value() {
        tracing::warn!(%account, provider, "a provider does not take an account any more");
        events::publish(tx, &AccountRefused { restaurant, account, provider }).await?;
    }
    events::publish(tx, &restaurants::Event::Changed(restaurant)).await
}

/// A provider does not take an account any more.
struct AccountRefused {
    restaurant: Id<Restaurant>,
    account: Uuid,
    provider: String,
}

/// The provider does not take this account any more: no guest can pay through it until it is mended.
#[derive(Debug, Object)]
pub(crate) struct PaymentAccountEvent {
    account_id: Uuid,
    /// `simplepay`, `barion`.
    provider: String,
}

impl LiveMessage for PaymentAccountEvent {
    const KIND: &'static str = "TASK_PAYMENT_ACCOUNT_REFUSED";
}

impl events::Event for AccountRefused {
    fn restaurant(&self) -> Id<Restaurant> {
        self.restaurant
    }

    fn message(&self) -> Option<Message> {
        let provider = self.provider.clone();
        Some(Message::new(&PaymentAccountEvent { account_id: self.account, provider }))
    }
}

/// Checks accounts that were saved, after the commit.
pub(crate) async fn check_saved<P: access::Permission>(
    scope: &In<Restaurant, P>, plugins: &Plugins, accounts: impl IntoIterator<Item = Uuid>,
) -> Result<()> {
    for account in accounts {
        let tx = scope.begin().await?;
        let question = question(scope.app(), &tx, plugins, account).await?;
        tx.commit().await?;
        let Some(question) = question else { continue };
        let said = question.ask(scope.app(), scope.partner()).await;
        let tx = scope.begin().await?;
        question.keep(&tx, &said).await?;
        tx.commit().await?;
    }
    Ok(())
}

pub(crate) fn handlers(app: &App, plugins: &Plugins) -> Vec<(&'static str, Handler)> {
    let (app, plugins) = (app.clone(), plugins.clone());
    vec![(KIND, Arc::new(move |context, job| run(app.clone(), plugins.clone(), context, job).boxed()))]
}

/// Asks until the provider answers.
async fn run(app: App, plugins: Plugins, context: JobContext, job: Job) -> Result<(), JobError> {
    let account = job.arg("account_id")?;
    let tx = context.begin(&job).await?;
    let question = question(&app, &tx, &plugins, account).await?;
    tx.commit().await?;
    // It was asked about meanwhile.
    let Some(question) = question.filter(|one| one.state == AccountState::Unchecked) else { return Ok(()) };
    let said = question.ask(&app, job.partner()?).await;
    let tx = context.begin(&job).await?;
    question.keep(&tx, &said).await?;
    tx.commit().await?;
    match said {
        Err(error) if error.fault != CallFault::Credentials => {
            Err(JobError::away(format!("{} cannot be asked: {error}", question.provider.as_str())))
        }
        _ => Ok(()),
    }
}
