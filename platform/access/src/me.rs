//! The signed-in account: who it is, what it may do where, what it chose last.

use kernel::{
    Account, Body, Code, Id, Partner, Problem, QueryParam, Restaurant, Result, request, time::Timestamp,
};
use poem_openapi::{Enum, Object, OpenApi};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    answers::{Done, Tag},
    app::App,
    passwords,
    people::{SignedIn, Visitor},
    sign_in::{SignInAnswer, take_attempt},
    tickets,
};

pub(crate) struct MeApi;

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
    super_admin: bool,
    /// Whether a second factor is asked for at sign-in.
    second_factor: bool,
    /// A super admin without a second factor: sets one up before anything else works.
    second_factor_required: bool,
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
    targets: Vec<Target>,
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
enum Language {
    Hu,
    En,
}

#[derive(Debug, Object)]
struct LastTarget {
    partner_id: Id<Partner>,
    restaurant_id: Id<Restaurant>,
}

/// What the account is at one partner.
#[derive(Debug, Object)]
#[oai(rename = "Target")]
struct Target {
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
    fn enters_admin(&self) -> bool {
        self.permissions.iter().any(|key| key == "admin_login")
    }
}

#[derive(Debug, Object)]
struct LanguageChange {
    language: Language,
}

#[derive(Debug, Object)]
struct MeChange {
    #[oai(validator(max_length = 100))]
    first_name: Option<String>,
    #[oai(validator(max_length = 100))]
    last_name: Option<String>,
    #[oai(validator(max_length = 40, pattern = r"^[0-9+()/ -]*$"))]
    tel: Option<String>,
}

#[derive(Debug, Object)]
struct PasswordChange {
    #[oai(validator(max_length = 128))]
    password_now: String,
    #[oai(validator(max_length = 128))]
    password: String,
    #[oai(validator(max_length = 128))]
    password_again: String,
}

/// What only the account itself learns.
#[derive(FromQueryResult)]
pub(crate) struct Own {
    pub(crate) email: String,
    tel: String,
    /// Only where this session may change the password.
    password_hash: Option<String>,
    /// A super admin by right, with a second factor or not.
    pub(crate) super_admin: bool,
    /// The sealed secret of the second factor.
    pub(crate) secret: Option<Vec<u8>>,
    /// One that waits for its first code.
    pub(crate) pending: Option<Vec<u8>>,
    recovery_codes: i32,
    whole: bool,
    bound: Option<String>,
}

impl Own {
    async fn load(app: &App, account: Id<Account>, session: Uuid) -> Result<Self> {
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
        last_target: facts
            .last_target
            .map(|(partner_id, restaurant_id)| LastTarget { partner_id, restaurant_id }),
        targets: targets.collect(),
    })
}

#[OpenApi(prefix_path = "/api/v3/admin/me", tag = "Tag::Session")]
impl MeApi {
    /// The signed-in account with what it may do where.
    ///
    /// With `ticket`, a one-time ticket of a till or builder instead of a session, it answers like signing
    /// in.
    ///
    /// codes: USER_INVALID_TOKEN, NO_ADMIN_ACCESS, PARTNER_SUSPENDED, USER_PERMISSION_REQUIRED,
    /// TOO_MANY_REQUESTS, FOREIGN_ORIGIN
    #[oai(path = "/", method = "get", operation_id = "me_get")]
    async fn get(&self, visitor: Visitor, ticket: QueryParam<String>) -> Result<SignInAnswer> {
        match (visitor, ticket.0) {
            (Visitor::SignedIn(caller), _) => {
                let me = load(&caller.app, caller.account, caller.session).await?;
                // Who may no longer sign in to the admin is out of it. A super admin without a
                // second factor has to come in to set one up.
                let enters = me.super_admin
                    || me.second_factor_required
                    || me.targets.iter().any(Target::enters_admin);
                if caller.facts.surface == "admin" && !enters {
                    Err(Code::NO_ADMIN_ACCESS.into())
                } else {
                    Ok(me.into())
                }
            }
            (Visitor::Anyone(anyone), Some(ticket)) => tickets::redeem(&anyone, &ticket).await,
            (Visitor::Anyone(_), None) => Err(Code::USER_LOGIN_REQUIRED.into()),
        }
    }

    /// Changes the own name and telephone number.
    ///
    /// codes: USER_TYPE_NOT_EDITABLE
    #[oai(path = "/", method = "put", operation_id = "me_update")]
    async fn update(&self, caller: SignedIn, body: Body<MeChange>) -> Result<SignInAnswer> {
        Own::changeable(&caller).await?;
        let MeChange { first_name, last_name, tel } = body.into_inner();
        let trimmed = |text: Option<String>| text.map(|text| text.trim().to_owned());
        let values = [
            caller.account.uuid().into(),
            trimmed(first_name).into(),
            trimmed(last_name).into(),
            trimmed(tel).into(),
            request::id().into(),
        ];
        let sql = "select control.save_me($1, $2, $3, $4)::text, control.note_account($1, 'me_update', $1, \
            $5)::text";
        caller.app.door.call(sql, values).await?;
        Ok(load(&caller.app, caller.account, caller.session).await?.into())
    }

    /// Changes the own password. All other sessions end.
    ///
    /// Whose it is stays as it was: one that an admin of a partner set goes on opening this partner only.
    ///
    /// codes: USER_WRONG_PASSWORD, USER_PASSWORD_NOT_MATCH, USER_PASSWORD_CANNOT_BE_EMPTY,
    /// USER_PASSWORD_WEAK, USER_TYPE_NOT_EDITABLE, TOO_MANY_REQUESTS
    #[oai(path = "/password", method = "put", operation_id = "me_change_password")]
    async fn change_password(&self, caller: SignedIn, body: Body<PasswordChange>) -> Result<Done> {
        let (app, account) = (&caller.app, caller.account);
        let PasswordChange { password_now, password, password_again } = body.into_inner();
        let own = Own::load(app, account, caller.session).await?;
        if own.password_hash.is_none() && !own.whole {
            return Err(Code::USER_TYPE_NOT_EDITABLE.into());
        }
        let subject = format!("password_now account {account}");
        take_attempt(app, subject.clone(), 5, 15).await?;
        let wrong = || Problem::new(Code::USER_WRONG_PASSWORD).key("password_now", kernel::Fault::Invalid);
        if !passwords::verify(password_now, own.password_hash.clone()).await? {
            return Err(wrong());
        }
        app.door.call("select control.forget_attempts($1)::text", [subject.into()]).await?;
        let owner = passwords::Owner::of_account(app, account, own.super_admin).await?;
        let hash = passwords::taken(password, &password_again, &owner).await?;
        let values = [
            caller.session.into(),
            account.uuid().into(),
            own.password_hash.into(),
            hash.into(),
            request::id().into(),
        ];
        let sql = "select d.done, case when d.done then control.note_account($2, 'me_change_password', $2, \
            $5)::text end \
                   from (select control.change_password($1, $2, $3, $4) done offset 0) d";
        let rows = app.door.call(sql, values).await?;
        // Somebody with a mailed link, or a manager, was quicker: what was shown is the password no more.
        if rows.first().is_some_and(|row| row.try_get("", "done").unwrap_or(false)) {
            Ok(Done)
        } else {
            Err(wrong())
        }
    }

    /// Remembers the chosen restaurant for the next sign-in. Rights never depend on it.
    ///
    /// codes: RESTAURANT_NOT_EXIST
    #[oai(path = "/target", method = "put", operation_id = "me_choose_target")]
    async fn choose_target(&self, caller: SignedIn, body: Body<LastTarget>) -> Result<Done> {
        let LastTarget { partner_id, restaurant_id } = body.into_inner();
        let app = &caller.app;
        let values = [
            caller.session.into(),
            caller.account.uuid().into(),
            partner_id.uuid().into(),
            restaurant_id.uuid().into(),
            app.settings.development.into(),
        ];
        let rows = app.door.call("select control.choose_target($1, $2, $3, $4, $5) done", values).await?;
        // What the account does not see is as good as absent.
        if rows.first().is_some_and(|row| row.try_get("", "done").unwrap_or(false)) {
            Ok(Done)
        } else {
            Err(Code::RESTAURANT_NOT_EXIST.into())
        }
    }

    /// Sets the language of the account's mails and of its next sign-in.
    ///
    /// codes: USER_TYPE_NOT_EDITABLE
    #[oai(path = "/language", method = "put", operation_id = "me_choose_language")]
    async fn choose_language(&self, caller: SignedIn, body: Body<LanguageChange>) -> Result<Done> {
        Own::changeable(&caller).await?;
        let language = match body.language {
            Language::Hu => "hu",
            Language::En => "en",
        };
        let values = [caller.session.into(), caller.account.uuid().into(), language.into()];
        caller.app.door.call("select control.save_language($1, $2, $3)::text", values).await?;
        Ok(Done)
    }
}
