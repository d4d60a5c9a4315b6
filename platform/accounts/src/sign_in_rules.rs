//! A partner's own minimum length of passwords and limit of idle sessions. See
//! `docs/decisions/accounts.md#rules-of-a-partner`.

use access::{
    Permission,
    audit::difference,
    domain::{Restore, SettingsGroup, SettingsOf, earlier_values, no_earlier_values},
    prelude::*,
};
use futures_util::FutureExt;
use kernel::body;
use sea_orm::FromQueryResult;
use serde_json::{Value, json};

pub(crate) struct SignInRulesApi;

kernel::resource!(SignInRulesApi, "sign_in_rules", "SIGN_IN_RULES");

/// What a partner asks of the people who work for it.
#[derive(Debug, Clone, Object, FromQueryResult)]
struct SignInRules {
    /// The minimum length of a password that is set from now on.
    password_min_length: i32,
    /// Minutes without use after which a session ends; null: no limit. Tills are excepted.
    idle_minutes: Option<i32>,
    version: i64,
}

#[derive(Debug, Object)]
struct SignInRulesChange {
    #[oai(validator(minimum(value = "6"), maximum(value = "64")))]
    password_min_length: Option<i32>,
    /// 5 minutes to 14 days; null: no limit.
    #[oai(validator(minimum(value = "5"), maximum(value = "20160")))]
    idle_minutes: Clearable<i32>,
    /// The version that was changed; another one is refused.
    version: Option<i64>,
}

impl SignInRules {
    async fn load(tx: &TenantTx) -> Result<Self> {
        let row = tx.one("select * from control.sign_in_rules()", []).await?;
        row.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))
    }

    fn audited(&self) -> Value {
        json!({"password_min_length": self.password_min_length, "idle_minutes": self.idle_minutes})
    }
}

/// Changes the rules in the caller's unit of work.
async fn change<S: Scope, P>(
    tx: &TenantTx, scope: &In<S, P>, change: SignInRulesChange,
) -> Result<SignInRules> {
    let SignInRulesChange { password_min_length, idle_minutes, version } = change;
    let before = SignInRules::load(tx).await?;
    let logged = rows::Logged { resource: "sign_in_rules", record: scope.partner().uuid() };
    rows::check_version(tx, version, before.version, &before, logged).await?;
    let values = [
        before.version.into(),
        password_min_length.unwrap_or(before.password_min_length).into(),
        idle_minutes.or(before.idle_minutes).into(),
    ];
    let saved: Option<bool> = tx.value("select control.save_sign_in_rules($1, $2, $3)", values).await?;
    let after = SignInRules::load(tx).await?;
    if !saved.unwrap_or(false) {
        return Err(rows::conflict(tx, &after, logged).await?);
    }
    let details = difference(&before.audited(), &after.audited());
    scope.audit(tx, None, "sign_in_rules_update", scope.partner(), details).await?;
    Ok(after)
}

/// The history of the rules, with what was done to the sign-in provider.
pub(crate) fn history() -> SettingsOf {
    SettingsOf {
        noted: &["sign_in_provider_update", "sign_in_provider_prove", "sign_in_provider_delete"],
        of_partner: true,
        ..SettingsOf::new(SettingsGroup::SignIn, &["sign_in_rules_update"], <perm::User as Permission>::keys)
    }
    .with(|to| before(to).boxed())
}

async fn before(to: Restore<'_>) -> Result<()> {
    let fields = earlier_values(to.changes);
    if fields.is_empty() {
        return Err(no_earlier_values());
    }
    change(to.tx, to.scope, body::checked(Value::Object(fields))?).await.map(drop)
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/sign-in-rules", tag = "Tag::Access")]
impl SignInRulesApi {
    /// The partner's minimum length of passwords and its limit of idle sessions.
    #[oai(path = "/", method = "get", operation_id = "sign_in_rules_get")]
    async fn get(&self, scope: In<Partner, WholePartner<perm::User>>) -> Result<Json<SignInRules>> {
        let tx = scope.begin().await?;
        SignInRules::load(&tx).await.map(Json)
    }

    /// Changes them.
    ///
    /// Passwords that are set already stay. Of a person who works for several partners the strictest rules
    /// count. The limit counts from the next request.
    ///
    /// codes: CONFLICT
    #[oai(path = "/", method = "put", operation_id = "sign_in_rules_update")]
    async fn update(
        &self, scope: In<Partner, WholePartner<perm::User>>, body: Body<SignInRulesChange>,
    ) -> Result<Json<SignInRules>> {
        let tx = scope.begin().await?;
        let after = change(&tx, &scope, body.into_inner()).await?;
        tx.commit().await?;
        Ok(Json(after))
    }
}
