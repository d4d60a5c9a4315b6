//! Queries about accounts, and what the crate above asks of them.

use access::{App, prelude::*, sealed::DataKey};
use chrono::{DateTime, Utc};
use contract::{Merchant, Secret};
use kernel::money::Currency;
use sea_orm::{EntityTrait, FromQueryResult};
use url::Url;
use uuid::Uuid;

use super::{
    entity::{self, Entity, Model, SECRET, TOKEN},
    words::{PaymentEnvironment, PaymentPurpose, Provider},
};

/// What decides where a restaurant's orders are paid.
#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct Here {
    /// The partner's.
    #[sea_orm(skip)]
    pub mode: String,
    pub sandbox_payment: bool,
    pub currency: Currency,
}

impl Here {
    /// Where orders are paid that no key for tests sends.
    pub(crate) fn environment(&self) -> PaymentEnvironment {
        PaymentEnvironment::of(&self.mode, self.sandbox_payment, false)
    }
}

/// The partner's.
pub(crate) async fn mode(tx: &TenantTx) -> Result<String> {
    Ok(tx.value("select control.partner_mode()", []).await?.ok_or(Code::UNKNOWN_ERROR)?)
}

const HERE: &str = "select sandbox_payment, currency from restaurant_facts where id = $1";

pub(crate) async fn here(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Here> {
    let here: Option<Here> = tx.one(HERE, [restaurant.into()]).await?;
    Ok(Here { mode: mode(tx).await?, ..here.ok_or_else(Problem::not_exist::<Restaurant>)? })
}

const MAKE: &str = "insert into payment_settings (restaurant_id) values ($1) on conflict do nothing";
const LOCK: &str = "select version from payment_settings where restaurant_id = $1 for update";

/// Locks the restaurant's settings of payments, accounts included, until the end of the transaction; makes them when
/// there are none yet.
pub(crate) async fn lock(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    tx.run(MAKE, [restaurant.into()]).await?;
    tx.row(LOCK, [restaurant.into()]).await?;
    Ok(())
}

/// The account that a provider's fields of the payment settings show.
#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct ShownAccount {
    pub id: Id<entity::ProviderAccounts>,
    pub provider: Provider,
    pub account: String,
    pub has_secret: bool,
}

const DEFAULTS: &str = "select id, provider, account, secret is not null has_secret from provider_account \
    where restaurant_id = $1 and currency = $2 and environment = $3 and purpose = 'card' and archived_at is null";

/// The restaurant's accounts for cards in its currency, where its orders are paid.
pub(crate) async fn defaults(
    tx: &TenantTx, restaurant: Id<Restaurant>, here: &Here,
) -> Result<Vec<ShownAccount>> {
    use sea_orm::ActiveEnum;
    let environment = here.environment().to_value();
    Ok(tx.all(DEFAULTS, [restaurant.into(), here.currency.into(), environment.into()]).await?)
}

const FOLLOW: &str = "update restaurant_payment_method set account_id = $2 where account_id = $1";

/// What this account was chosen for another one serves, or none that is chosen.
pub(super) async fn follow(tx: &TenantTx, account: Uuid, next: Option<Uuid>) -> Result<()> {
    tx.run(FOLLOW, [account.into(), next.into()]).await?;
    Ok(())
}

const SET_TOKEN: &str = "update provider_account set callback_token = $2 where id = $1";

pub(super) async fn set_token(tx: &TenantTx, account: Uuid, sealed: Vec<u8>) -> Result<()> {
    tx.run(SET_TOKEN, [account.into(), sealed.into()]).await?;
    Ok(())
}

/// An account as its provider knows it.
#[derive(Debug, Clone)]
pub struct PayingAccount {
    /// As plug-ins are registered: `simplepay`.
    pub provider: String,
    pub environment: PaymentEnvironment,
    pub purpose: PaymentPurpose,
    /// As the database has it: `huf`.
    pub currency: String,
    pub merchant: Merchant,
    /// The secret as it is kept: what is said of an older one does not count.
    pub sealed: Vec<u8>,
}

impl Model {
    /// With its secret in the clear. None where that is missing or does not open.
    pub(super) async fn paying(&self, app: &App, tx: &TenantTx) -> Result<Option<PayingAccount>> {
        let Some(sealed) = &self.secret else { return Ok(None) };
        let key = DataKey::of(app, tx).await?;
        let secret = entity::open(&key, self.id.uuid(), SECRET, sealed);
        Ok(secret.map(|secret| PayingAccount {
            provider: self.provider.as_str().to_owned(),
            environment: self.environment,
            purpose: self.purpose,
            currency: self.currency.as_str().to_owned(),
            merchant: Merchant {
                name: self.account.clone(),
                secret: Secret::new(secret),
                currency: self.currency.as_str().to_uppercase(),
            },
            sealed: sealed.clone(),
        }))
    }
}

/// The account with its secret, also one that was replaced. None when the account or its secret is gone.
/// Errors: What the database says.
pub async fn merchant(app: &App, tx: &TenantTx, account: Uuid) -> Result<Option<PayingAccount>> {
    match Entity::find_by_id(Id::from_uuid(account)).one(tx).await? {
        Some(row) => row.paying(app, tx).await,
        None => Ok(None),
    }
}

/// The address that the provider calls for this account. None when it has none.
/// Errors: What the database says.
pub async fn callback_url(app: &App, tx: &TenantTx, account: Uuid) -> Result<Option<Url>> {
    let row = Entity::find_by_id(Id::from_uuid(account)).one(tx).await?;
    let Some((row, sealed)) = row.and_then(|mut row| row.callback_token.take().map(|sealed| (row, sealed)))
    else {
        return Ok(None);
    };
    let token = entity::open(&DataKey::of(app, tx).await?, account, TOKEN, &sealed);
    Ok(token.and_then(|token| entity::callback_url(app, row.provider, &token).parse().ok()))
}

const CALLED: &str = "update provider_account set called_at = greatest(called_at, $2) where id = $1";

/// Notes that the provider has called about this account.
/// Errors: What the database says.
pub async fn callback_came(tx: &TenantTx, account: Uuid, at: DateTime<Utc>) -> Result<()> {
    tx.run(CALLED, [account.into(), at.into()]).await?;
    Ok(())
}

const ACCOUNTS_OF: &str = "select id from provider_account where restaurant_id = $1 and archived_at is null \
    and environment = any ($2) and secret is not null order by id";

/// The accounts of a restaurant whose provider can be asked, where the partner is now.
pub async fn accounts_of(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<Uuid>> {
    let mode = mode(tx).await?;
    let here: Vec<String> =
        PaymentEnvironment::all_of(&mode).iter().map(|one| one.as_str().to_owned()).collect();
    Ok(tx.values(ACCOUNTS_OF, [restaurant.into(), here.into()]).await?)
}
