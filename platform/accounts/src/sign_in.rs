//! The last step of every sign-in: check that the account may enter, open a session, set cookies. See
//! `docs/decisions/accounts.md#sessions`.

use kernel::{Account, Code, Id, Partner, Problem, Result};
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse, Enum,
    payload::Json,
    registry::{MetaResponses, Registry},
};
use sea_orm::FromQueryResult;
use tenants::Entry;
use uuid::Uuid;

use crate::{
    profile::{self, Me},
    sign_in_log,
};
use access::{
    app::App,
    device::{self, Device},
    people::Anyone,
    tokens::DAYS,
};

/// Where somebody works: each is granted by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[oai(rename_all = "snake_case")]
pub(crate) enum Surface {
    Admin,
    Pos,
    Lct,
    Kiosk,
}

impl Surface {
    pub(crate) const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// The account, with the token in the cookie or the `authorization` header when it was signed in just now.
pub(crate) struct SignInAnswer {
    me: Me,
    cookies: Vec<String>,
    authorization: Option<String>,
}

impl From<Me> for SignInAnswer {
    fn from(me: Me) -> Self {
        Self { me, cookies: vec![], authorization: None }
    }
}

impl SignInAnswer {
    /// Sets one more cookie.
    pub(crate) fn cookie(mut self, cookie: String) -> Self {
        self.cookies.push(cookie);
        self
    }
}

impl IntoResponse for SignInAnswer {
    fn into_response(self) -> Response {
        let mut response = Json(self.me).into_response();
        let headers = response.headers_mut();
        for cookie in self.cookies.iter().filter_map(|cookie| cookie.parse().ok()) {
            headers.append("set-cookie", cookie);
        }
        if let Some(value) = self.authorization.and_then(|token| token.parse().ok()) {
            headers.insert("authorization", value);
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

/// The cookie that carries the token; empty with 0 seconds ends it.
pub(crate) fn token_cookie(app: &App, token: &str, seconds: i64) -> String {
    device::cookie(app, app.cookie_name(), token, seconds)
}

/// How a session begins.
pub(crate) struct Opening {
    pub(crate) account: Id<Account>,
    pub(crate) surface: Surface,
    /// Whether a second factor was shown.
    pub(crate) second_factor: bool,
    /// Whether the person has shown the password here: then the device is known from now on.
    pub(crate) known_device: bool,
    /// The partner that holds the password or whose provider signed the person in. The session reaches no
    /// other partner.
    pub(crate) partner: Option<Id<Partner>>,
    /// Hash of the password that was shown: it opens nothing when it is another by now.
    pub(crate) password_hash: Option<String>,
    /// The session that made the ticket. The new session has the same reach, and none when that one has
    /// ended.
    pub(crate) from: Option<Uuid>,
    /// Whether the cookie is set for callers without our header too. Not where a foreign page can make the
    /// call.
    pub(crate) cookie_for_all: bool,
}

/// Opens the session of an authenticated person.
/// Errors: `NO_ADMIN_ACCESS`, `USER_PERMISSION_REQUIRED` (surface), `PARTNER_SUSPENDED` when every partner
/// that would let it in is; `FEATURE_NOT_AVAILABLE` for the light client where no restaurant has it;
/// `USER_WRONG_EMAIL_OR_PW` when the password that was shown was changed, or the account locked, a moment
/// ago.
pub(crate) async fn open(anyone: &Anyone, opening: Opening) -> Result<SignInAnswer> {
    let Opening {
        account,
        surface,
        second_factor,
        known_device,
        partner,
        password_hash,
        from,
        cookie_for_all,
    } = opening;
    let (app, shown) = (&anyone.app, password_hash.is_some());
    may_enter(app, account, surface, partner).await?;
    let session = Uuid::now_v7();
    let days = i32::try_from(DAYS).unwrap_or(14);
    let values = [
        session.into(),
        account.uuid().into(),
        surface.name().into(),
        anyone.agent.clone().into(),
        anyone.address.clone().into(),
        days.into(),
        second_factor.into(),
        known_device.then(|| anyone.device.hash()).into(),
        partner.map(Id::uuid).into(),
        password_hash.into(),
        from.into(),
    ];
    let done = app
        .door
        .done("select control.open_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) done", values)
        .await?;
    if !done {
        return Err(if shown { Code::USER_WRONG_EMAIL_OR_PW } else { Code::NO_ADMIN_ACCESS }.into());
    }
    if surface == Surface::Lct && !lct_somewhere(app, account, session).await? {
        app.door.call("select control.end_session($1, $2)", [session.into(), account.uuid().into()]).await?;
        return Err(Problem::new(Code::FEATURE_NOT_AVAILABLE).with("feature", "lct".into()));
    }
    sign_in_log::signed_in(app, account, partner, surface.name(), &anyone.address).await?;
    let token = app.tokens.issue(account, session)?;
    let me = profile::load(app, account, session).await?;
    let mut cookies = Vec::new();
    if anyone.ui || cookie_for_all {
        cookies.push(token_cookie(app, &token, DAYS * 86_400));
        // No one has the token any more that this one takes the place of.
        if let Some((account, replaced)) = anyone.session {
            let values = [replaced.into(), account.uuid().into()];
            app.door.call("select control.end_session($1, $2)::text", values).await?;
        }
    }
    if known_device {
        cookies.push(Device::cookie(&anyone.device, app));
    }
    Ok(SignInAnswer { me, cookies, authorization: (!anyone.ui).then_some(token) })
}

/// The light client is switched on by restaurant: whoever works only where it is off does not get in. Asked
/// with the session that is being opened, because the switch lies with each partner.
async fn lct_somewhere(app: &App, account: Id<Account>, session: Uuid) -> Result<bool> {
    let sql = "select 1 from restaurant_facts where lct_enabled and archived_at is null and ($1::uuid[] is null or \
        id = any ($1)) limit 1";
    for target in app.door.targets(session, account).await? {
        let entry =
            Entry::Session { session, account, partner: target.partner, restaurant: None, known: None };
        // Where the partner is suspended or away, nobody gets in anyway.
        let Ok((tx, _)) = app.door.begin(&entry).await? else { continue };
        let restaurants = target.restaurant_ids.map(|ids| ids.into_iter().map(Id::uuid).collect::<Vec<_>>());
        if tx.row(sql, [restaurants.into()]).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The rows of an account at one partner.
#[derive(FromQueryResult)]
struct SignInGrants {
    permission_keys: Vec<String>,
    surfaces: Vec<String>,
    full_target_access: bool,
    super_admin: bool,
    suspended: bool,
    /// Every restaurant that the row reaches is archived.
    archived: bool,
}

/// Whether the account may sign in on this surface: somewhere it holds `admin_login` (for `admin`) and the
/// surface; at this partner, when the session shall reach no other.
/// Errors: `NO_ADMIN_ACCESS`, `USER_PERMISSION_REQUIRED` (surface), `PARTNER_SUSPENDED` when every partner
/// that would let it in is, `RESTAURANT_ARCHIVED` when every restaurant that it would reach is.
pub(crate) async fn may_enter(
    app: &App, account: Id<Account>, surface: Surface, partner: Option<Id<Partner>>,
) -> Result<()> {
    let values = [account.uuid().into(), partner.map(Id::uuid).into()];
    let rows: Vec<SignInGrants> =
        app.door.all("select * from control.sign_in_grants($1, $2)", values).await?;
    let (mut surface_missing, mut suspended, mut archived) = (false, false, false);
    for row in rows {
        let whole = row.full_target_access.then_some("full_target_access");
        let platform = row.super_admin.then_some("super_admin");
        let surfaces: Vec<String> = row.surfaces.iter().map(|surface| format!("surface:{surface}")).collect();
        let granted = row.permission_keys.iter().chain(&surfaces).map(String::as_str);
        let grants = app.policy.evaluate(granted.chain(whole).chain(platform));
        if !grants.has(&format!("sign_in:{}", surface.name())) {
            surface_missing = true;
        } else if surface == Surface::Admin && !grants.has("admin_login") {
            continue;
        } else if row.suspended {
            suspended = true;
        } else if row.archived {
            archived = true;
        } else {
            return Ok(());
        }
    }
    Err(if suspended {
        Code::PARTNER_SUSPENDED
    } else if archived {
        Code::RESTAURANT_ARCHIVED
    } else if surface_missing {
        Code::USER_PERMISSION_REQUIRED
    } else {
        Code::NO_ADMIN_ACCESS
    }
    .into())
}
