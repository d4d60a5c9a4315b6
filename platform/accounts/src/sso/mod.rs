//! Sign-in with a partner's OpenID Connect provider.
//!
//! A partner names its provider; the platform does not trust it beyond the partner: an account is bound to
//! partner, issuer and subject, the session reaches this partner only, super admins are never signed in, and
//! claims about groups or roles are not read. The first sign-in needs an invitation, or an address of a
//! domain that the partner has proven.

mod oidc;
mod provider;

use kernel::{Account, Body, Code, Fault, Id, Problem, Result};
use poem::{Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions, Object, OpenApi, payload::Json};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use self::oidc::{Provider, redirect_uri};
pub(crate) use self::provider::SignInProviders;
use crate::sign_in::{self, Opening, SignInAnswer, Surface};
use access::{
    answers::{Tag, WithCookie},
    app::App,
    attempts::take_attempt,
    credential::digest,
    device,
    people::Anyone,
    sealed,
    secrets::derive,
};

pub(crate) struct Sso;

/// Seconds between leaving for the provider and coming back; `control.begin_sso` has the same.
const LASTS: i64 = 600;
/// Name of the cookie that binds a sign-in under way to its browser. Over https no neighbour of the host can
/// set it.
fn cookie_name(app: &App) -> &'static str {
    if app.settings.public_url.scheme() == "https" { "__Host-pult_sso" } else { "pult_sso" }
}

/// The cookie of a running sign-in with a provider.
struct BrowserState(Option<String>);

impl<'a> ApiExtractor<'a> for BrowserState {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let name = cookie_name(App::of(request)?);
        Ok(Self(request.cookie().get(name).map(|cookie| cookie.value_str().to_owned())))
    }
}

#[derive(Debug, Object)]
struct SsoBegin {
    /// Whoever signs in with an address of a proven domain.
    #[oai(validator(max_length = 254))]
    email: Option<String>,
    /// The token of an invitation, instead of an address.
    #[oai(validator(max_length = 200))]
    invitation: Option<String>,
}

#[derive(Debug, Object)]
struct SsoRedirect {
    /// The provider's page; null when there is none for this address.
    redirect_url: Option<String>,
}

#[derive(Debug, Object)]
struct SsoFinish {
    #[oai(validator(min_length = 1, max_length = 4000))]
    code: String,
    #[oai(validator(min_length = 1, max_length = 200))]
    state: String,
    /// Where to sign in; `admin` when absent.
    surface: Option<Surface>,
}

fn refused() -> Problem {
    Problem::new(Code::SIGN_IN_PROVIDER_REFUSED)
}

/// Why it was refused is for our log, not for the one who tries.
fn refused_because(reason: impl std::fmt::Display) -> Problem {
    tracing::info!(%reason, "a provider's sign-in was refused");
    refused()
}

#[derive(FromQueryResult)]
struct ProviderRow {
    partner_id: Uuid,
    issuer: String,
    client_id: String,
    client_secret: Option<Vec<u8>>,
    data_key: Option<Vec<u8>>,
}

#[derive(FromQueryResult)]
struct BegunSignIn {
    invitation: Option<Vec<u8>>,
    #[sea_orm(nested)]
    provider: ProviderRow,
}

fn provider_of(app: &App, row: ProviderRow) -> Result<Provider> {
    let ProviderRow { partner_id: partner, issuer, client_id, client_secret: sealed, data_key } = row;
    let client_secret = match sealed {
        Some(sealed) => {
            let key = sealed::DataKey::unwrap(&app.settings.secrets, partner, &data_key.unwrap_or_default())?;
            let plain = key.open(sealed::sign_in_provider(&partner.to_string()), &sealed)?;
            Some(String::from_utf8(plain).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?)
        }
        None => None,
    };
    Ok(Provider { partner: partner.into(), issuer, client_id, client_secret, redirect: redirect_uri(app) })
}

/// What belongs to a state: derived from it, so that nothing of it is kept but a hash.
fn part(secret: &[u8], purpose: &str, state: &str) -> String {
    hex::encode(derive(secret, &format!("sso {purpose} {state}")))
}

#[OpenApi(prefix_path = "/api/v3/admins/sso", tag = "Tag::Session")]
impl Sso {
    /// Begins to sign in with the provider of one's company.
    ///
    /// The answer says nothing about accounts: it depends on the address's domain only, or on the invitation.
    /// The browser that begins is the one that can finish.
    ///
    /// codes: USER_INVALID_EMAIL, SIGN_IN_PROVIDER_REFUSED, TOO_MANY_REQUESTS, FOREIGN_ORIGIN
    #[oai(path = "/", method = "post", operation_id = "sso_begin")]
    async fn begin(&self, anyone: Anyone, body: Body<SsoBegin>) -> Result<WithCookie<Json<SsoRedirect>>> {
        let app = &anyone.app;
        let SsoBegin { email, invitation } = body.into_inner();
        take_attempt(app, format!("sso address {}", anyone.address), 60, 10).await?;
        let domain = match (&invitation, email) {
            (Some(_), _) => String::new(),
            (None, Some(email)) => domain_of(&crate::sessions::email_of(&email)?).to_owned(),
            (None, None) => return Err(Problem::new(Code::VALIDATION_FAILED).key("email", Fault::Required)),
        };
        let invitation = invitation.map(|token| digest(&token));
        let sql = "select * from control.find_provider($1, $2)";
        let found: Vec<ProviderRow> = app.door.all(sql, [domain.into(), invitation.clone().into()]).await?;
        let Some(row) = found.into_iter().next() else {
            return Ok(WithCookie(Json(SsoRedirect { redirect_url: None }), None));
        };
        let provider = provider_of(app, row)?;
        let found = oidc::discover(&app.outgoing, &provider).await.map_err(refused_because)?;
        let state = device::random();
        let part = |purpose| part(app.settings.secrets.newest(), purpose, &state);
        let url = oidc::authorization_url(&provider, &found, &state, &part("nonce"), &part("verifier"))
            .map_err(refused_because)?;
        app.door
            .call(
                "select control.begin_sso($1, $2, $3)::text",
                [digest(&state).into(), provider.partner.into(), invitation.into()],
            )
            .await?;
        let cookie = device::cookie(app, cookie_name(app), &part("browser"), LASTS);
        Ok(WithCookie(Json(SsoRedirect { redirect_url: Some(url) }), Some(cookie)))
    }

    /// Finishes signing in with a provider.
    ///
    /// The page to which the provider sent the person back posts what it got. It answers like signing in.
    ///
    /// codes: SIGN_IN_PROVIDER_REFUSED, NO_ADMIN_ACCESS, RESTAURANT_ARCHIVED, PARTNER_SUSPENDED,
    /// USER_PERMISSION_REQUIRED, FEATURE_NOT_AVAILABLE, TOO_MANY_REQUESTS, FOREIGN_ORIGIN
    #[oai(path = "/", method = "put", operation_id = "sso_finish")]
    async fn finish(
        &self, anyone: Anyone, browser: BrowserState, body: Body<SsoFinish>,
    ) -> Result<SignInAnswer> {
        let app = &anyone.app;
        let SsoFinish { code, state, surface } = body.into_inner();
        take_attempt(app, format!("sso address {}", anyone.address), 60, 10).await?;
        // Somebody else's answer, slipped to this browser, would sign its person in as somebody else.
        let began = |secret: &&[u8]| browser.0.as_deref() == Some(&*part(secret, "browser", &state));
        let secret = app
            .settings
            .secrets
            .all()
            .find(began)
            .ok_or_else(|| refused_because("the browser is not the one that began"))?;
        let begun: Option<BegunSignIn> =
            app.door.all("select * from control.take_sso($1)", [digest(&state).into()]).await?.pop();
        let BegunSignIn { invitation, provider } =
            begun.ok_or_else(|| refused_because("the state is unknown, used or too old"))?;
        let provider = provider_of(app, provider)?;
        let (nonce, verifier) = (part(secret, "nonce", &state), part(secret, "verifier", &state));
        let person =
            oidc::person(&app.outgoing, &provider, code, &nonce, verifier).await.map_err(refused_because)?;
        let email = person.email.and_then(|email| crate::sessions::email_of(&email).ok());
        let values = [
            provider.partner.into(),
            provider.issuer.into(),
            person.subject.into(),
            email.clone().into(),
            email.as_deref().map(|email| domain_of(email).to_owned()).into(),
            invitation.into(),
        ];
        let sql = "select control.sso_account($1, $2, $3, $4, $5, $6)";
        let account: Option<Id<Account>> = app.door.value(sql, values).await?.flatten();
        let account = account.ok_or_else(|| refused_because("nobody here is bound to this person"))?;
        let opening = Opening {
            account,
            surface: surface.unwrap_or(Surface::Admin),
            second_factor: false,
            known_device: false,
            partner: Some(provider.partner),
            password_hash: None,
            from: None,
            cookie_for_all: false,
        };
        Ok(sign_in::open(&anyone, opening).await?.cookie(device::cookie(app, cookie_name(app), "", 0)))
    }
}

fn domain_of(email: &str) -> &str {
    email.rsplit_once('@').map_or("", |(_, domain)| domain)
}
