//! Adding, changing and replacing accounts, in the caller's unit of work.

use access::{App, prelude::*, sealed::DataKey};
use serde_json::json;

use super::{
    check,
    entity::{self, ActiveModel, Entity, Model, ProviderAccount, ProviderAccounts, SECRET, TOKEN},
    rules::{self, AccountKind},
    store::{self, Here},
    words::{AccountState, PaymentPurpose, Provider},
};

/// A new row with its secret and its address, and the job that checks it.
pub(super) async fn fresh(
    app: &App, tx: &TenantTx, restaurant: Id<Restaurant>, kind: AccountKind, account: String,
    secret: Option<String>,
) -> Result<ActiveModel> {
    let id: Id<ProviderAccounts> = Id::new();
    let AccountKind { provider, purpose, currency, environment } = kind;
    let key = DataKey::of(app, tx).await?;
    let token = callbacks::open(tx, restaurant, provider.as_str(), id.uuid()).await?;
    let mut row = ActiveModel::new();
    row.id = Set(id);
    row.callback_token = Set(Some(entity::seal(&key, id.uuid(), TOKEN, &token)?));
    if let Some(secret) = secret {
        row.secret = Set(Some(entity::seal(&key, id.uuid(), SECRET, &secret)?));
        check::later(tx, id.uuid()).await?;
    }
    fill!(row: provider, purpose, currency, environment, account);
    Ok(row)
}

/// Writes another name or another secret. A secret belongs to its account: with another name it is another account,
/// and the one before stays for its payments.
pub(super) async fn change(
    rows: &rows::Rows<'_>, mut edit: rows::Edit<Entity>, account: Option<String>, secret: Option<String>,
) -> Result<ProviderAccount> {
    let (app, tx) = (rows.app(), rows.tx());
    if let Some(account) = account.filter(|account| *account != edit.before.account) {
        return replace(rows, &edit.before, account, secret).await;
    }
    let Some(secret) = secret else { return Ok(edit.current) };
    let id = edit.before.id.uuid();
    edit.row.secret = Set(Some(entity::seal(&DataKey::of(app, tx).await?, id, SECRET, &secret)?));
    edit.row.state = Set(AccountState::Unchecked);
    edit.row.checked_at = Set(None);
    edit.row.check_code = Set(None);
    let after = rows.save(edit).await?;
    check::later(tx, id).await?;
    // That it was replaced is the point; nothing else of it can be shown.
    let details = json!({"secret": [null, "***"]});
    let restaurant = Some(rows.restaurant()?.uuid());
    rows::Transaction::audit(tx, rows.caller(), restaurant, "provider_accounts_update", Some(id), details)
        .await?;
    Ok(after)
}

async fn replace(
    rows: &rows::Rows<'_>, before: &Model, account: String, secret: Option<String>,
) -> Result<ProviderAccount> {
    let tx = rows.tx();
    let Model { provider, purpose, currency, environment, .. } = *before;
    let kind = AccountKind { provider, purpose, currency, environment };
    let row = fresh(rows.app(), tx, rows.restaurant()?, kind, account, secret).await?;
    rows.delete::<Entity>(before.id).await?;
    let after = rows.insert::<Entity>(row).await?;
    store::follow(tx, before.id.uuid(), Some(after.id.uuid())).await?;
    Ok(after)
}

/// Removes an account; it stays for its payments.
pub(super) async fn remove(rows: &rows::Rows<'_>, id: Id<ProviderAccounts>) -> Result<()> {
    rows.delete::<Entity>(id).await?;
    store::follow(rows.tx(), id.uuid(), None).await
}

/// The account of a provider as the payment settings have it.
pub(crate) struct DefaultAccount {
    pub account: String,
    pub secret: Option<String>,
}

/// Saves or removes the account for cards in the restaurant's currency, where its orders are paid. An empty secret
/// leaves the one that is kept. Answers the account that is to be checked.
pub(crate) async fn save_default(
    rows: &rows::Rows<'_>, here: &Here, provider: Provider, sent: Clearable<DefaultAccount>,
) -> Result<Option<uuid::Uuid>> {
    let (tx, restaurant) = (rows.tx(), rows.restaurant()?);
    let (removed, sent) = match sent {
        Clearable::Undefined => return Ok(None),
        Clearable::Null => (true, None),
        Clearable::Value(sent) => (false, Some(sent)),
    };
    let known = store::defaults(tx, restaurant, here).await?;
    let before = known.into_iter().find(|one| one.provider == provider);
    if let (true, Some(before)) = (removed, &before) {
        remove(rows, before.id).await?;
    }
    let Some(DefaultAccount { account, secret }) = sent else { return Ok(None) };
    let secret = rules::secret(secret);
    let after = match before {
        Some(before) => {
            let edit = rows.edit::<Entity>(before.id).await?;
            change(rows, edit, Some(account), secret).await?
        }
        None => {
            let kind = AccountKind {
                provider,
                purpose: PaymentPurpose::Card,
                currency: here.currency,
                environment: here.environment(),
            };
            let row = fresh(rows.app(), tx, restaurant, kind, account, secret).await?;
            rows.insert::<Entity>(row).await?
        }
    };
    Ok(Some(after.id.uuid()))
}
