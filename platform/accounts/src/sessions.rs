//! Signing in and out, forgotten passwords.

use kernel::{Account, Body, Code, Email, Fault, Id, Partner, Problem, Result};
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse, Object, OpenApi,
    param::Path,
    payload::Json,
    registry::{MetaResponses, Registry},
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    links::{Link, LinkAnswer, LinkPartner},
    password_rules::Owner,
    second_factor,
    sign_in::{self, Opening, SignInAnswer, Surface, token_cookie},
    sign_in_log,
};
use access::{
    answers::{Done, Tag},
    attempts::{refuse_while_paused, take_attempt},
    credential::digest,
    passwords,
    people::{Anyone, SigningOut},
};

pub(crate) struct Sessions;

#[derive(Debug, Object)]
struct SignIn {
    admin: SignInAdmin,
}

#[derive(Debug, Object)]
struct SignInAdmin {
    #[oai(validator(max_length = 254))]
    email: String,
    #[oai(validator(max_length = 128))]
    password: String,
    /// Where to sign in; `admin` when absent.
    surface: Option<Surface>,
    /// Six digits of the authenticator app, or a recovery code; where a second factor is on.
    #[oai(validator(max_length = 30))]
    code: Option<String>,
}

#[derive(Debug, Object)]
struct NewPassword {
    #[oai(validator(max_length = 128))]
    password: String,
    #[oai(validator(max_length = 128))]
    password_again: String,
    /// Partners of the link's `partners` that the person leaves.
    #[oai(validator(max_items = 100, unique_items))]
    leave: Option<Vec<Id<Partner>>>,
}

/// Whose a link for a new password is.
#[derive(Debug, Object)]
struct PasswordLink {
    email: String,
    /// Whether the account has a password of its own already.
    has_password: bool,
    /// So many characters the new password has at least.
    password_min_length: u32,
    /// Where the person may act already, as far as somebody else set the password until now. Whoever does not
    /// want that leaves there.
    partners: Vec<LinkPartner>,
}

#[derive(Debug, Object)]
struct PasswordResetRequest {
    #[oai(validator(max_length = 254))]
    email: String,
}

struct SignOutAnswer(String);
impl IntoResponse for SignOutAnswer {
    fn into_response(self) -> Response {
        Done.with_header("Set-Cookie", self.0).into_response()
    }
}
impl ApiResponse for SignOutAnswer {
    fn meta() -> MetaResponses {
        Done::meta()
    }
    fn register(_: &mut Registry) {}
}

/// The account of an address, if there is one.
#[derive(Default, FromQueryResult)]
struct FoundAccount {
    account_id: Option<Uuid>,
    password_hash: Option<String>,
    secret: Option<Vec<u8>>,
    held_by: Option<Uuid>,
}

/// An address as accounts are found by.
/// Errors: `USER_INVALID_EMAIL`.
pub(crate) fn email_of(text: &str) -> Result<String> {
    let email = Email::parse(text).map(|email| email.lowercase());
    email.ok_or_else(|| Problem::new(Code::USER_INVALID_EMAIL).key("email", Fault::Pattern))
}

#[OpenApi(prefix_path = "/api/v3/admins", tag = "Tag::Session")]
impl Sessions {
    /// Signs in.
    ///
    /// The answer is the account with its targets. A browser gets the token as a cookie that no script can
    /// read; other clients get it in the `authorization` header and send it back as a bearer token. It lasts
    /// 14 days; a super admin's 12 hours, and 30 minutes without use. Where a second factor is on, send
    /// `code` too. A password that an admin of a partner set opens a session that reaches this partner only.
    ///
    /// codes: USER_WRONG_EMAIL_OR_PW, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_INVALID, NO_ADMIN_ACCESS,
    /// RESTAURANT_ARCHIVED, PARTNER_SUSPENDED, USER_PERMISSION_REQUIRED, FEATURE_NOT_AVAILABLE,
    /// TOO_MANY_REQUESTS, FOREIGN_ORIGIN
    #[oai(path = "/sign_in", method = "post", operation_id = "sessions_sign_in")]
    async fn sign_in(&self, anyone: Anyone, body: Body<SignIn>) -> Result<SignInAnswer> {
        let app = &anyone.app;
        let SignInAdmin { email, password, surface, code } = body.into_inner().admin;
        let email = email.trim().to_lowercase();
        let device = anyone.device.hash();
        // Taken before the password is looked at, so that guesses at once cannot slip through.
        let values = [email.clone().into(), device.clone().into(), anyone.address.clone().into()];
        refuse_while_paused(app, "select control.take_sign_in($1, $2, $3)", values).await?;

        let sql = "select account_id, password_hash, secret, held_by from control.find_sign_in($1)";
        let found: Vec<FoundAccount> = app.door.all(sql, [email.clone().into()]).await?;
        let FoundAccount { account_id: account, password_hash: hash, secret, held_by } =
            found.into_iter().next().unwrap_or_default();
        let fits = passwords::verify(password.clone(), hash.clone()).await?;
        let Some(account) = account.map(Id::<Account>::from_uuid).filter(|_| fits) else {
            sign_in_log::failed(app, account.map(Id::from_uuid), &email, &anyone.address).await?;
            return Err(Code::USER_WRONG_EMAIL_OR_PW.into());
        };
        if let Some(secret) = &secret {
            let code = code.as_deref().map(str::trim).filter(|code| !code.is_empty());
            let code = code.ok_or_else(|| Problem::new(Code::SECOND_FACTOR_REQUIRED))?;
            if let Err(problem) = second_factor::check(app, account, secret, code).await {
                sign_in_log::failed(app, Some(account), &email, &anyone.address).await?;
                return Err(problem);
            }
        }
        let hash = match hash {
            Some(old) if passwords::is_outdated(&old) => {
                let new = passwords::hash(password).await?;
                let values = [account.uuid().into(), old.into(), new.clone().into()];
                app.door.call("select control.set_password_hash($1, $2, $3)::text", values).await?;
                Some(new)
            }
            hash => hash,
        };
        app.door
            .call(
                "select control.forget_sign_in($1, $2, $3)::text",
                [email.into(), device.into(), anyone.address.clone().into()],
            )
            .await?;
        let opening = Opening {
            account,
            surface: surface.unwrap_or(Surface::Admin),
            second_factor: secret.is_some(),
            known_device: true,
            partner: held_by.map(Id::from_uuid),
            password_hash: hash,
            from: None,
            cookie_for_all: true,
        };
        sign_in::open(&anyone, opening).await
    }

    /// Signs out: the session ends on every device that uses it, with the next request.
    #[oai(path = "/sign_out", method = "delete", operation_id = "sessions_sign_out")]
    async fn sign_out(&self, caller: SigningOut) -> Result<SignOutAnswer> {
        let SigningOut(caller) = caller;
        let values = [caller.session.into(), caller.account.uuid().into()];
        caller.app.door.call("select control.end_session($1, $2)::text", values).await?;
        Ok(SignOutAnswer(token_cookie(&caller.app, "", 0)))
    }

    /// Asks for a mail with a one-time link that sets a new password.
    ///
    /// The answer is the same whether or not there is such an account.
    ///
    /// codes: USER_INVALID_EMAIL, TOO_MANY_REQUESTS, FOREIGN_ORIGIN
    #[oai(path = "/password-reset", method = "post", operation_id = "sessions_forgot_password")]
    async fn forgot_password(&self, anyone: Anyone, body: Body<PasswordResetRequest>) -> Result<Done> {
        let email = email_of(&body.email)?;
        take_attempt(&anyone.app, format!("forgot_password address {}", anyone.address), 30, 10).await?;
        take_attempt(&anyone.app, format!("forgot_password account {email}"), 3, 15).await?;
        anyone.app.door.call("select control.ask_password_reset($1)::text", [email.into()]).await?;
        Ok(Done)
    }

    /// Whose a one-time link for a new password is.
    ///
    /// It proves nothing and changes nothing.
    ///
    /// codes: USER_INVALID_TOKEN, TOO_MANY_REQUESTS
    #[oai(path = "/password-reset/:token", method = "get", operation_id = "sessions_password_link")]
    async fn password_link(&self, anyone: Anyone, token: Path<String>) -> Result<Json<PasswordLink>> {
        take_attempt(&anyone.app, format!("password_link address {}", anyone.address), 60, 10).await?;
        let link = password_link(&anyone, &token).await?;
        let partners = link.partners(&anyone.app).await?;
        let password_min_length = link.password_min_length();
        Ok(Json(PasswordLink { email: link.email, has_password: link.own, password_min_length, partners }))
    }

    /// Sets a password with a one-time link.
    ///
    /// The link works once and for one hour; every session of the account ends. Where the account had a
    /// password of its own, its second factor stays and the person signs in anew (204). Otherwise the account
    /// becomes the person's own: what was set up for it before has ended, and the answer is that of signing
    /// in; 204 where the person does not enter the admin, or has a second factor to show.
    ///
    /// codes: USER_INVALID_TOKEN, USER_HAS_PASSWORD, CONFLICT, USER_DELETE_NOT_ALLOWED,
    /// USER_PASSWORD_NOT_MATCH, USER_PASSWORD_CANNOT_BE_EMPTY, USER_PASSWORD_WEAK, TOO_MANY_REQUESTS,
    /// FOREIGN_ORIGIN
    #[oai(path = "/password-reset/:token", method = "put", operation_id = "sessions_reset_password")]
    async fn reset_password(
        &self, anyone: Anyone, token: Path<String>, body: Body<NewPassword>,
    ) -> Result<LinkAnswer> {
        take_attempt(&anyone.app, format!("password_reset address {}", anyone.address), 30, 10).await?;
        let link = password_link(&anyone, &token).await?;
        let NewPassword { password, password_again, leave } = body.into_inner();
        let owner = Owner::of_account(&anyone.app, link.account, link.super_admin).await?;
        let hash = link.chosen(password, &password_again, &owner).await?;
        let sql = "select u.outcome, case when u.outcome in ('accepted', 'taken') then \
            control.note_account($3, 'sessions_reset_password', $3, $6)::text end \
                   from (select control.use_password_link($1, $2, $4, $5, $6) outcome offset 0) u";
        let values = vec![hash.clone().into(), link.account.uuid().into()];
        link.redeem(&anyone, sql, values, Some(hash), leave.unwrap_or_default()).await
    }
}

/// Only a link that was mailed for a password.
async fn password_link(anyone: &Anyone, token: &str) -> Result<Link> {
    let hash = digest(token);
    let rows = anyone.app.door.call("select 1 from control.ticket_owner($1)", [hash.clone().into()]).await?;
    if rows.is_empty() { Err(Code::USER_INVALID_TOKEN.into()) } else { Link::find(&anyone.app, hash).await }
}
