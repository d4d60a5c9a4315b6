//! The table `provider_account`, and what calls answer of it.

use access::{
    App,
    prelude::*,
    sealed::{DataKey, Place},
};
use kernel::money::Currency;
use sea_orm::{QueryOrder, Select};
use uuid::Uuid;

use super::words::{AccountState, PaymentEnvironment, PaymentPurpose, Provider};

pub struct ProviderAccounts;

kernel::resource!(ProviderAccounts, "provider_accounts", "PROVIDER_ACCOUNT");

#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "provider_account")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Id<ProviderAccounts>,
    pub(crate) restaurant_id: Id<Restaurant>,
    pub(crate) provider: Provider,
    pub(crate) purpose: PaymentPurpose,
    pub(crate) currency: Currency,
    pub(crate) environment: PaymentEnvironment,
    pub(crate) account: String,
    pub(crate) secret: Option<Vec<u8>>,
    pub(crate) callback_token: Option<Vec<u8>>,
    pub(crate) state: AccountState,
    pub(crate) checked_at: Option<Timestamp>,
    pub(crate) check_code: Option<String>,
    pub(crate) called_at: Option<Timestamp>,
    pub(crate) version: i64,
    pub(crate) archived_at: Option<Timestamp>,
}

entity!();

/// An account at a provider of online payment.
#[derive(Debug, Clone, Object)]
pub struct ProviderAccount {
    pub(crate) id: Id<ProviderAccounts>,
    pub(crate) provider: Provider,
    pub(crate) purpose: PaymentPurpose,
    pub(crate) currency: Currency,
    pub(crate) environment: PaymentEnvironment,
    /// The merchant id, or the payee's e-mail address.
    pub(crate) account: String,
    /// Whether its secret is kept; the secret itself is never shown.
    pub(crate) has_secret: bool,
    pub(crate) state: AccountState,
    /// When the provider last said so.
    pub(crate) checked_at: Option<Timestamp>,
    /// The provider's code for its refusal; while it is `unchecked`, why it could not be asked.
    pub(crate) check_code: Option<String>,
    /// The address that the provider calls. Null: it has none, or it belongs to another installation; make it anew.
    pub(crate) callback_url: Option<String>,
    /// When the provider called last.
    pub(crate) called_at: Option<Timestamp>,
    pub(crate) version: i64,
}

impl rows::Table for Entity {
    type Of = ProviderAccounts;
    type Tx = TenantTx;
    type Answer = ProviderAccount;
    const HOME: rows::Home = rows::Home::Restaurant;
    const DERIVED: &'static [&'static str] = &["called_at"];
    const SECRET: &'static [&'static str] = &["callback_url"];

    // In the order in which accounts serve: as providers are preferred.
    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found
            .order_by_asc(Column::Environment)
            .order_by_desc(Column::Provider)
            .order_by_asc(Column::Purpose)
            .order_by_asc(Column::Currency)
            .order_by_asc(Column::Id))
    }
}

impl rows::Answer<Entity> for ProviderAccount {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let key = if found.iter().any(|row| row.callback_token.is_some()) {
            Some(DataKey::of(rows.app(), rows.tx()).await?)
        } else {
            None
        };
        let url = |row: &Model| {
            let token = open(key.as_ref()?, row.id.uuid(), TOKEN, row.callback_token.as_deref()?)?;
            Some(callback_url(rows.app(), row.provider, &token))
        };
        let answer = |row: Model| Self {
            id: row.id,
            callback_url: url(&row),
            provider: row.provider,
            purpose: row.purpose,
            currency: row.currency,
            environment: row.environment,
            account: row.account,
            has_secret: row.secret.is_some(),
            state: row.state,
            checked_at: row.checked_at,
            check_code: row.check_code,
            called_at: row.called_at,
            version: row.version,
        };
        Ok(found.into_iter().map(answer).collect())
    }
}

/// The sealed columns.
pub(super) const SECRET: &str = "secret";
pub(super) const TOKEN: &str = "callback_token";

/// Seals a text for a column of this row.
pub(super) fn seal(key: &DataKey, row: Uuid, column: &str, plain: &str) -> Result<Vec<u8>> {
    key.seal(Place { table: "provider_account", column, row: &row.to_string() }, plain.as_bytes())
}

/// Opens it. What another installation has sealed (a restored archive) counts as missing.
pub(super) fn open(key: &DataKey, row: Uuid, column: &str, sealed: &[u8]) -> Option<String> {
    let place = Place { table: "provider_account", column, row: &row.to_string() };
    String::from_utf8(key.open(place, sealed).ok()?).ok()
}

/// The address that a provider calls for an account with this token.
pub(super) fn callback_url(app: &App, provider: Provider, token: &str) -> String {
    let us = app.settings.public_url.as_str().trim_end_matches('/');
    format!("{us}/api/v3/payments/callbacks/{}/{token}", provider.as_str())
}
