//! Signing in and out (document 1 §2, §7; decisions §5).

use kernel::{Account, Body, Code, Fault, Id, Problem, Result};
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse, Enum, Object, OpenApi,
    param::Path,
    payload::Json,
    registry::{MetaResponses, Registry},
};
use uuid::Uuid;

use crate::{
    answers::{Done, Tag},
    app::App,
    credential::digest,
    me::{self, Me},
    passwords,
    people::{Anyone, SignedIn},
    tokens::DAYS,
};

pub(crate) struct Sessions;

/// Where somebody works: each is granted by itself.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
enum Surface {
    Admin,
    Pos,
    Lct,
    Kiosk,
}

impl Surface {
    const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Pos => "pos",
            Self::Lct => "lct",
            Self::Kiosk => "kiosk",
        }
    }
}

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
}

#[derive(Debug, Object)]
struct NewPassword {
    #[oai(validator(max_length = 200))]
    password: String,
    #[oai(validator(max_length = 200))]
    password_again: String,
}

/// The account, with the token in the cookie or the `authorization` header.
struct SignInAnswer {
    me: Me,
    cookie: String,
    authorization: Option<String>,
}

impl IntoResponse for SignInAnswer {
    fn into_response(self) -> Response {
        let mut response = Json(self.me).with_header("Set-Cookie", self.cookie).into_response();
        if let Some(value) = self.authorization.and_then(|token| token.parse().ok()) {
            response.headers_mut().insert("authorization", value);
        }
        response
    }
}
impl ApiResponse for SignInAnswer {
    fn meta() -> MetaResponses {
        Json::<Me>::meta()
    }
    fn register(registry: &mut Registry) {
        Json::<Me>::register(registry);
    }
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

fn cookie(app: &App, value: &str, seconds: i64) -> String {
    let secure = if app.settings.public_url.scheme() == "https" { "; Secure" } else { "" };
    format!("{}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}", app.cookie_name())
}

/// Takes one attempt; refuses when there were too many.
async fn take_attempt(app: &App, subject: String, limit: i32, minutes: i32) -> Result<()> {
    let values = [subject.into(), limit.into(), format!("{minutes} minutes").into()];
    let rows = app.door.call("select control.take_attempt($1, $2, $3::interval) pause", values).await?;
    match rows.first().map(|row| row.try_get::<i32>("", "pause")).transpose()? {
        Some(pause) if pause > 0 => Err(Problem::new(Code::TOO_MANY_REQUESTS).retry_after(u64::try_from(pause).unwrap_or(60))),
        _ => Ok(()),
    }
}

#[OpenApi(prefix_path = "/api/v3/admins", tag = "Tag::Session")]
impl Sessions {
    /// Signs in.
    ///
    /// The answer is the account with its targets. A browser gets the token as a cookie that no script can read;
    /// other clients get it in the `authorization` header and send it back as a bearer token. It lasts 14 days.
    ///
    /// codes: USER_WRONG_EMAIL_OR_PW, NO_ADMIN_ACCESS, USER_PERMISSION_REQUIRED, TOO_MANY_REQUESTS, FOREIGN_ORIGIN
    #[oai(path = "/sign_in", method = "post", operation_id = "sessions_sign_in")]
    async fn sign_in(&self, anyone: Anyone, body: Body<SignIn>) -> Result<SignInAnswer> {
        let Anyone { app, address, agent, ui } = anyone;
        let SignInAdmin { email, password, surface } = body.into_inner().admin;
        let email = email.trim().to_lowercase();
        take_attempt(&app, format!("sign_in address {address}"), 30, 10).await?;
        take_attempt(&app, format!("sign_in account {email}"), 5, 15).await?;

        let rows = app.door.call("select * from control.find_sign_in($1)", [email.clone().into()]).await?;
        let (account, hash): (Option<Uuid>, Option<String>) = match rows.first() {
            Some(row) => (Some(row.try_get("", "account_id")?), row.try_get("", "password_hash")?),
            None => (None, None),
        };
        if !passwords::verify(password, hash).await? {
            return Err(Code::USER_WRONG_EMAIL_OR_PW.into());
        }
        let account: Id<Account> = account.ok_or_else(|| Problem::new(Code::USER_WRONG_EMAIL_OR_PW))?.into();
        app.door.call("select control.forget_attempts($1)::text", [format!("sign_in account {email}").into()]).await?;
        let surface = surface.unwrap_or(Surface::Admin);
        may_enter(&app, account, surface).await?;

        let session = Uuid::now_v7();
        let values =
            [session.into(), account.uuid().into(), surface.name().into(), agent.into(), address.into(), i32::try_from(DAYS).unwrap_or(14).into()];
        app.door.call("select control.open_session($1, $2, $3, $4, $5, $6)::text", values).await?;
        let token = app.tokens.issue(account, session)?;
        let me = me::load(&app, account, session).await?;
        Ok(SignInAnswer { me, cookie: cookie(&app, &token, DAYS * 86_400), authorization: (!ui).then_some(token) })
    }

    /// Signs out: the session ends on every device that uses it, with the next request.
    #[oai(path = "/sign_out", method = "delete", operation_id = "sessions_sign_out")]
    async fn sign_out(&self, caller: SignedIn) -> Result<SignOutAnswer> {
        let values = [caller.session.into(), caller.account.uuid().into()];
        caller.app.door.call("select control.end_session($1, $2)::text", values).await?;
        Ok(SignOutAnswer(cookie(&caller.app, "", 0)))
    }

    /// Sets a password with a one-time link.
    ///
    /// The link works once and for one hour; every session of the account ends.
    ///
    /// codes: USER_INVALID_TOKEN, USER_PASSWORD_NOT_MATCH, USER_PASSWORD_CANNOT_BE_EMPTY, USER_PASSWORD_WEAK, TOO_MANY_REQUESTS, FOREIGN_ORIGIN
    #[oai(path = "/password-reset/:token", method = "put", operation_id = "sessions_reset_password")]
    async fn reset_password(&self, anyone: Anyone, token: Path<String>, body: Body<NewPassword>) -> Result<Done> {
        let app = anyone.app;
        take_attempt(&app, format!("password_reset address {}", anyone.address), 30, 10).await?;
        let hash = digest(&token);
        let rows = app.door.call("select email, super_admin from control.ticket_owner($1)", [hash.clone().into()]).await?;
        let row = rows.first().ok_or_else(|| Problem::new(Code::USER_INVALID_TOKEN))?;
        let NewPassword { password, password_again } = body.into_inner();
        if password != password_again {
            return Err(Problem::new(Code::USER_PASSWORD_NOT_MATCH).key("password_again", Fault::Invalid));
        }
        passwords::check(&password, &row.try_get::<String>("", "email")?, row.try_get("", "super_admin")?)?;
        let password_hash = passwords::hash(password).await?;
        let rows = app.door.call("select control.redeem_password_ticket($1, $2) done", [hash.into(), password_hash.into()]).await?;
        let done = rows.first().is_some_and(|row| row.try_get("", "done").unwrap_or(false));
        if done { Ok(Done) } else { Err(Code::USER_INVALID_TOKEN.into()) }
    }
}

/// Whether the account may sign in on this surface: somewhere it holds `admin_login` (for `admin`) and the surface.
async fn may_enter(app: &App, account: Id<Account>, surface: Surface) -> Result<()> {
    let rows = app.door.call("select * from control.sign_in_grants($1)", [account.uuid().into()]).await?;
    let mut surface_missing = false;
    for row in &rows {
        let keys: Vec<String> = row.try_get("", "permission_keys")?;
        let surfaces: Vec<String> = row.try_get("", "surfaces")?;
        let whole = row.try_get::<bool>("", "full_target_access")?.then_some("full_target_access");
        let platform = row.try_get::<bool>("", "super_admin")?.then_some("super_admin");
        let surfaces: Vec<String> = surfaces.iter().map(|surface| format!("surface:{surface}")).collect();
        let granted = keys.iter().chain(&surfaces).map(String::as_str).chain(whole).chain(platform);
        let grants = app.policy.evaluate(granted);
        if !grants.has(&format!("sign_in:{}", surface.name())) {
            surface_missing = true;
        } else if matches!(surface, Surface::Admin) && !grants.has("admin_login") {
            continue;
        } else {
            return Ok(());
        }
    }
    Err(if surface_missing { Code::USER_PERMISSION_REQUIRED } else { Code::NO_ADMIN_ACCESS }.into())
}
