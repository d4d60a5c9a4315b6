//! Operations on accounts.

use access::{prelude::*, sealed::DataKey};
use contract::Plugins;
use kernel::money::Currency;
use poem::web::Data;
use poem_openapi::types::ToJSON;
use restaurants::Event;
use serde_json::json;

use super::{
    check,
    entity::{self, Column, Entity, ProviderAccount, ProviderAccounts, TOKEN},
    rules::{self, AccountKind, ProviderOffer},
    save, store,
    words::{PaymentEnvironment, PaymentPurpose, Provider},
};

pub(crate) struct ProviderAccountsApi;

/// An account at a provider. A restaurant has one of each provider, purpose, currency and environment.
#[derive(Debug, Object)]
struct NewProviderAccount {
    provider: Provider,
    /// Absent: cards.
    purpose: Option<PaymentPurpose>,
    /// Absent: the restaurant's.
    currency: Option<Currency>,
    /// Absent: where the restaurant's orders are paid now.
    environment: Option<PaymentEnvironment>,
    /// The merchant id, or the payee's e-mail address. Blanks around it are cut.
    #[oai(validator(max_length = 254))]
    account: String,
    /// Blanks around it are cut.
    #[oai(validator(max_length = 500))]
    secret: Option<String>,
}

#[derive(Debug, Object)]
struct ProviderAccountChange {
    /// Another name is another account: it gets an id of its own, and the one before stays for its payments.
    #[oai(validator(max_length = 254))]
    account: Option<String>,
    /// Absent or empty: the one that is kept stays, as long as the name stays.
    #[oai(validator(max_length = 500))]
    secret: Option<String>,
    version: Option<i64>,
}

fn fault(field: &str, fault: Fault) -> Problem {
    Problem::new(Code::VALIDATION_FAILED).key(field, fault)
}

impl NewProviderAccount {
    /// What it is for, and its name.
    /// Errors: `VALIDATION_FAILED` with every field at fault.
    fn checked(&self, here: &store::Here, plugins: &Plugins) -> Result<(AccountKind, String)> {
        let kind = AccountKind {
            provider: self.provider,
            purpose: self.purpose.unwrap_or(PaymentPurpose::Card),
            currency: self.currency.unwrap_or(here.currency),
            environment: self.environment.unwrap_or_else(|| here.environment()),
        };
        let faults = rules::faults(kind, &ProviderOffer::all(plugins, &here.mode));
        let mut problem = Problem::new(Code::VALIDATION_FAILED).keys(faults);
        let name = match rules::name(self.provider, &self.account) {
            Ok(name) => name,
            Err(fault) => {
                problem = problem.key("account", fault);
                String::new()
            }
        };
        problem.if_any()?;
        Ok((kind, name))
    }
}

type Here = In<Restaurant, perm::PaymentMethod>;

/// Checks an account that was saved, and answers it as it stands then.
async fn checked(scope: &Here, plugins: &Plugins, id: Id<ProviderAccounts>) -> Result<ProviderAccount> {
    check::check_saved(scope, plugins, [id.uuid()]).await?;
    let tx = scope.begin().await?;
    scope.rows(&tx).get::<Entity>(id).await
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/payment-methods/provider-accounts",
    tag = "Tag::Restaurants"
)]
impl ProviderAccountsApi {
    /// The restaurant's accounts at providers of online payment, of all environments.
    #[oai(path = "/", method = "get", operation_id = "provider_accounts_list")]
    async fn list(&self, scope: Here) -> Result<Page<ProviderAccount>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = <Entity as rows::Table>::order(rows.live::<Entity>()?)?.all(&tx).await?;
        Ok(Page::unpaged(<ProviderAccount as rows::Answer<Entity>>::of(&rows, found).await?))
    }

    /// One account.
    ///
    /// codes: PROVIDER_ACCOUNT_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "provider_accounts_get")]
    async fn get(&self, scope: Here, id: Path<Id<ProviderAccounts>>) -> Result<Json<ProviderAccount>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds an account and asks the provider whether it is good. Where the provider cannot be asked, the account stays
    /// `unchecked` and is asked about again by itself.
    #[oai(path = "/", method = "post", operation_id = "provider_accounts_create")]
    async fn create(
        &self, scope: Here, key: IdempotencyKey, body: Body<NewProviderAccount>, plugins: Data<&Plugins>,
    ) -> Result<Stored<ProviderAccount>> {
        let (new, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let row = async {
            store::lock(&tx, scope.restaurant()).await?;
            let here = store::here(&tx, scope.restaurant()).await?;
            let (kind, name) = new.checked(&here, &plugins)?;
            let same = scope.rows(&tx).live::<Entity>()?;
            let same = same
                .filter(Column::Provider.eq(kind.provider))
                .filter(Column::Purpose.eq(kind.purpose))
                .filter(Column::Currency.eq(kind.currency))
                .filter(Column::Environment.eq(kind.environment));
            if same.count(&tx).await? > 0 {
                return Err(fault("provider", Fault::NotUnique));
            }
            let secret = rules::secret(new.secret);
            save::fresh(scope.app(), &tx, scope.restaurant(), kind, name, secret).await
        };
        let answer = scope.rows(&tx).create::<Entity>(&key, &raw, row).await?;
        work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
        tx.commit().await?;
        let Some(id) = answer.id() else { return Ok(answer) };
        match checked(&scope, &plugins, Id::from_uuid(id)).await {
            Ok(ProviderAccount { state, checked_at, check_code, .. }) => Ok(answer.with([
                ("state", state.to_json().unwrap_or_default()),
                ("checked_at", checked_at.to_json().unwrap_or_default()),
                ("check_code", check_code.to_json().unwrap_or_default()),
            ])),
            // It was added; a repeat may come when it is gone.
            Err(_) => Ok(answer),
        }
    }

    /// Changes the name or the secret of an account, and asks the provider whether it is good.
    ///
    /// codes: PROVIDER_ACCOUNT_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "provider_accounts_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<ProviderAccounts>>, body: Body<ProviderAccountChange>,
        plugins: Data<&Plugins>,
    ) -> Result<Json<ProviderAccount>> {
        let ProviderAccountChange { account, secret, version } = body.into_inner();
        let tx = scope.begin().await?;
        store::lock(&tx, scope.restaurant()).await?;
        let rows = scope.rows(&tx);
        let edit = rows.edit_version::<Entity>(*id, version).await?;
        let name = account.map(|account| rules::name(edit.before.provider, &account)).transpose();
        let name = name.map_err(|wrong| fault("account", wrong))?;
        let after = save::change(&rows, edit, name, rules::secret(secret)).await?;
        work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
        tx.commit().await?;
        checked(&scope, &plugins, after.id).await.map(Json)
    }

    /// Removes an account. It stays for what was paid through it: such payments are still asked about and given back.
    ///
    /// codes: PROVIDER_ACCOUNT_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "provider_accounts_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<ProviderAccounts>>) -> Result<Done> {
        let tx = scope.begin().await?;
        store::lock(&tx, scope.restaurant()).await?;
        save::remove(&scope.rows(&tx), *id).await?;
        work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Asks the provider now whether an account is good. An answer that says nothing of it changes nothing.
    ///
    /// codes: PROVIDER_ACCOUNT_NOT_EXIST
    #[oai(path = "/:id/check", method = "post", operation_id = "provider_accounts_check")]
    async fn check(
        &self, scope: Here, id: Path<Id<ProviderAccounts>>, plugins: Data<&Plugins>,
    ) -> Result<Json<ProviderAccount>> {
        let tx = scope.begin().await?;
        let row = scope.rows(&tx).find::<Entity>(*id).await?;
        tx.commit().await?;
        if row.secret.is_none() {
            return Err(fault("secret", Fault::Required));
        }
        checked(&scope, &plugins, *id).await.map(Json)
    }

    /// Gives an account a new address that the provider calls. The one before is dead at once: where it was typed in
    /// on the provider's page, it has to be replaced there.
    ///
    /// codes: PROVIDER_ACCOUNT_NOT_EXIST
    #[oai(path = "/:id/callback-address", method = "post", operation_id = "provider_accounts_address")]
    async fn address(&self, scope: Here, id: Path<Id<ProviderAccounts>>) -> Result<Json<ProviderAccount>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = rows.lock::<Entity>(*id).await?;
        let token = callbacks::open(&tx, scope.restaurant(), row.provider.as_str(), id.uuid()).await?;
        let key = DataKey::of(scope.app(), &tx).await?;
        store::set_token(&tx, id.uuid(), entity::seal(&key, id.uuid(), TOKEN, &token)?).await?;
        let details = json!({"callback_url": [null, "***"]});
        let restaurant = Some(scope.restaurant().uuid());
        scope.audit(&tx, restaurant, "provider_accounts_address", *id, details).await?;
        let answer = rows.get::<Entity>(*id).await?;
        work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
        tx.commit().await?;
        Ok(Json(answer))
    }
}
