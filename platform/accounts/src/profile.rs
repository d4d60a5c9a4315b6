//! The signed-in account as it is answered: person, rights by place, last choice.

use access::{app::App, people::SignedIn};
use kernel::{Account, Code, Id, Partner, Problem, Restaurant, Result, time::Timestamp};
use poem_openapi::{Enum, Object};
use sea_orm::FromQueryResult;
use uuid::Uuid;

/// The signed-in account.
#[derive(Debug, Object)]
pub(crate) struct Me {
    id: Id<Account>,
    email: String,
    first_name: String,
    last_name: String,
    /// Last name first, as Hungarian names are written; the e-mail address when there is none.
    name: String,
    tel: String,
    language: Language,
    pub(crate) super_admin: bool,
    /// Whether a second factor is asked for at sign-in.
    second_factor: bool,
    /// A super admin without a second factor: sets one up before anything else works.
    pub(crate) second_factor_required: bool,
    /// Recovery codes that are left.
    recovery_codes: i32,
    /// Whether the account can be changed in this session. One that reaches one partner only can change no
    /// more than the password.
    changeable: bool,
    /// Whether the password can be changed in this session.
    password_changeable: bool,
    /// Why this session reaches one partner only; null when it reaches all of the account's.
    bound: Option<Bound>,
    /// The support accesses under way, the newest first (super admins); at most one per partner.
    support: Vec<Support>,
    /// The restaurant chosen last.
    last_target: Option<LastTarget>,
    pub(crate) targets: Vec<Target>,
}

/// Why a session reaches one partner only.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename = "SessionBound", rename_all = "snake_case")]
enum Bound {
    /// The password was set by an admin of the partner.
    Password,
    /// The partner's sign-in provider vouches for the person.
    Provider,
}

/// A super admin inside a partner's data, for a reason and a while.
#[derive(Debug, Clone, Object, FromQueryResult)]
#[oai(rename = "MySupportAccess")]
struct Support {
    partner_id: Id<Partner>,
    partner_name: String,
    reason: String,
    writable: bool,
    expires_at: Timestamp,
}

impl Support {
    async fn all(app: &App, account: Id<Account>, session: Uuid) -> Result<Vec<Self>> {
        Ok(app
            .door
            .all("select * from control.my_support($1, $2)", [session.into(), account.uuid().into()])
            .await?)
    }
}

/// Language of the interface.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum Language {
    Hu,
    En,
}

#[derive(Debug, Object)]
pub(crate) struct LastTarget {
    pub(crate) partner_id: Id<Partner>,
    pub(crate) restaurant_id: Id<Restaurant>,
}

/// What the account is at one partner.
#[derive(Debug, Object)]
#[oai(rename = "Target")]
pub(crate) struct Target {
    /// The admin row; null for a super admin.
    admin_id: Option<Id<kernel::Admin>>,
    /// `Partner`: all its restaurants. `Restaurant`: those in `restaurant_ids`.
    target_type: String,
    partner_id: Id<Partner>,
    partner_name: String,
    partner_mode: String,
    restaurant_ids: Option<Vec<Id<Restaurant>>>,
    /// Every key held, implied ones included.
    permissions: Vec<String>,
    full_target_access: bool,
    /// Whether the account has a PIN there.
    has_pin: bool,
}

impl Target {
    pub(crate) fn enters_admin(&self) -> bool {
        self.permissions.iter().any(|key| key == "admin_login")
    }
}

/// Fields that only the account itself gets.
#[derive(FromQueryResult)]
pub(crate) struct Own {
    pub(crate) email: String,
    tel: String,
    /// Only where this session may change the password.
    pub(crate) password_hash: Option<String>,
    /// A super admin by right, with a second factor or not.
    pub(crate) super_admin: bool,
    /// The sealed secret of the second factor.
    pub(crate) secret: Option<Vec<u8>>,
    /// A factor that waits for its first code.
    pub(crate) pending: Option<Vec<u8>>,
    recovery_codes: i32,
    pub(crate) whole: bool,
    bound: Option<String>,
}

impl Own {
    /// Loads that of a living session.
    ///
    /// # Errors
    /// `USER_LOGIN_REQUIRED`.
    pub(crate) async fn load(app: &App, account: Id<Account>, session: Uuid) -> Result<Self> {
        let found = app
            .door
            .all("select * from control.my_account($1, $2)", [session.into(), account.uuid().into()])
            .await?;
        found.into_iter().next().ok_or_else(|| Problem::new(Code::USER_LOGIN_REQUIRED))
    }

    /// The caller's account, when this session may change it.
    ///
    /// # Errors
    /// `USER_TYPE_NOT_EDITABLE` for a session that reaches one partner only.
    pub(crate) async fn changeable(caller: &SignedIn) -> Result<Self> {
        let own = Self::load(&caller.app, caller.account, caller.session).await?;
        if own.whole { Ok(own) } else { Err(Code::USER_TYPE_NOT_EDITABLE.into()) }
    }
}

/// Loads the account of a living session.
pub(crate) async fn load(app: &App, account: Id<Account>, session: Uuid) -> Result<Me> {
    let facts =
        app.door.account(session, account).await?.ok_or_else(|| Problem::new(Code::USER_LOGIN_REQUIRED))?;
    let own = Own::load(app, account, session).await?;
    let targets = app.door.targets(session, account).await?;
    let targets = targets.into_iter().map(|target| {
        let whole = target.full_target_access.then_some("full_target_access");
        let platform = target.super_admin.then_some("super_admin");
        let permissions = app
            .policy
            .evaluate(target.permission_keys.iter().map(String::as_str).chain(whole).chain(platform))
            .keys();
        Target {
            admin_id: target.admin,
            target_type: target.target_type,
            partner_id: target.partner,
            partner_name: target.partner_name,
            partner_mode: target.mode,
            restaurant_ids: target.restaurant_ids,
            permissions,
            full_target_access: target.full_target_access || target.super_admin,
            has_pin: target.has_pin,
        }
    });
    let support = if facts.super_admin { Support::all(app, account, session).await? } else { vec![] };
    let name = format!("{} {}", facts.last_name, facts.first_name).trim().to_owned();
    let last_target =
        facts.last_target().map(|(partner_id, restaurant_id)| LastTarget { partner_id, restaurant_id });
    Ok(Me {
        id: account,
        name: if name.is_empty() { facts.email.clone() } else { name },
        email: facts.email,
        first_name: facts.first_name,
        last_name: facts.last_name,
        tel: own.tel,
        language: if facts.language == "en" { Language::En } else { Language::Hu },
        super_admin: facts.super_admin,
        second_factor: own.secret.is_some(),
        second_factor_required: own.super_admin && !facts.super_admin,
        recovery_codes: own.recovery_codes,
        changeable: own.whole,
        password_changeable: own.password_hash.is_some(),
        bound: own
            .bound
            .as_deref()
            .map(|by| if by == "password" { Bound::Password } else { Bound::Provider }),
        support,
        last_target,
        targets: targets.collect(),
    })
}
