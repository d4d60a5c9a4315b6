//! Operations on the own account.

use kernel::{Body, Clearable, Code, Problem, QueryParam, Result, request};
use poem_openapi::{Object, OpenApi};
use serde_json::Value;

use crate::{
    details::{Address, BillingDetails, DetailsChange},
    language::Language,
    password_rules::{self, Owner},
    profile::{self, LastTarget, Own, Target},
    sign_in::{self, SignInAnswer, Surface},
    tickets,
};
use access::{
    answers::{Done, Tag},
    attempts::take_attempt,
    passwords,
    people::{SignedIn, Visitor},
};

pub(crate) struct MeApi;

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
    /// Region and city, such as `Europe/Budapest`; null for none.
    #[oai(validator(max_length = 64))]
    timezone: Clearable<String>,
    billing_details: Clearable<BillingDetails>,
    /// All of them.
    #[oai(validator(max_items = 10))]
    addresses: Option<Vec<Address>>,
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

/// Ends access to the admin of somebody whose every restaurant was archived meanwhile, with the sentence that
/// signing in gives too.
async fn check_restaurants(caller: &SignedIn) -> Result<()> {
    match sign_in::may_enter(&caller.app, caller.account, Surface::Admin, None).await {
        Err(problem) if problem.code() == Code::RESTAURANT_ARCHIVED => Err(problem),
        _ => Ok(()),
    }
}

#[OpenApi(prefix_path = "/api/v3/admin/me", tag = "Tag::Session")]
impl MeApi {
    /// The signed-in account with what it may do where.
    ///
    /// With `ticket`, a one-time ticket of a till or builder instead of a session, it answers like signing
    /// in.
    ///
    /// codes: USER_INVALID_TOKEN, NO_ADMIN_ACCESS, RESTAURANT_ARCHIVED, PARTNER_SUSPENDED,
    /// USER_PERMISSION_REQUIRED, TOO_MANY_REQUESTS, FOREIGN_ORIGIN
    #[oai(path = "/", method = "get", operation_id = "me_get")]
    async fn get(&self, visitor: Visitor, ticket: QueryParam<String>) -> Result<SignInAnswer> {
        match (visitor, ticket.0) {
            (Visitor::SignedIn(caller), _) => {
                let me = profile::load(&caller.app, caller.account, caller.session).await?;
                // Losing the right to sign in ends access to the admin. A super admin without a second factor
                // has to come in to set one up.
                let enters = me.super_admin
                    || me.second_factor_required
                    || me.targets.iter().any(Target::enters_admin);
                let admin = caller.facts.surface == "admin";
                if admin && !enters {
                    return Err(Code::NO_ADMIN_ACCESS.into());
                }
                if admin && me.targets.iter().all(Target::of_restaurants) {
                    check_restaurants(&caller).await?;
                }
                Ok(me.into())
            }
            (Visitor::Anyone(anyone), Some(ticket)) => tickets::redeem(&anyone, &ticket).await,
            (Visitor::Anyone(_), None) => Err(Code::USER_LOGIN_REQUIRED.into()),
        }
    }

    /// Changes the own name, telephone number, time zone, billing details and addresses.
    ///
    /// What is absent stays. It replaces what partners wrote about the same.
    ///
    /// codes: USER_TYPE_NOT_EDITABLE, USER_TIMEZONE_NOT_EXIST
    #[oai(path = "/", method = "put", operation_id = "me_update")]
    async fn update(&self, caller: SignedIn, body: Body<MeChange>) -> Result<SignInAnswer> {
        Own::changeable(&caller).await?;
        let MeChange { first_name, last_name, tel, timezone, billing_details, addresses } = body.into_inner();
        let details = DetailsChange { timezone, billing: billing_details, addresses };
        details.refuse_faults()?;
        let trimmed = |text: Option<String>| text.map(|text| text.trim().to_owned());
        let values = [
            caller.account.uuid().into(),
            trimmed(first_name).into(),
            trimmed(last_name).into(),
            trimmed(tel).into(),
            Value::from(details.columns()).into(),
            request::id().into(),
        ];
        let sql = "select control.save_me($1, $2, $3, $4)::text, control.save_my_details($1, $5)::text, \
            control.note_account($1, 'me_update', $1, $6)::text";
        caller.app.door.call(sql, values).await?;
        Ok(profile::load(&caller.app, caller.account, caller.session).await?.into())
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
        let owner = Owner::of_account(app, account, own.super_admin).await?;
        let hash = password_rules::taken(password, &password_again, &owner).await?;
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
        let done = app.door.done(sql, values).await?;
        // The password was changed meanwhile by a mailed link or by a manager.
        if done { Ok(Done) } else { Err(wrong()) }
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
        let done = app.door.done("select control.choose_target($1, $2, $3, $4, $5) done", values).await?;
        // Places that the account does not see count as absent.
        if done { Ok(Done) } else { Err(Code::RESTAURANT_NOT_EXIST.into()) }
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
