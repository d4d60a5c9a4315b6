//! Callers without a restaurant: a signed-in person, a super admin, anybody.

use kernel::{Account, Code, Id, Problem, Result};
use poem::{Request, RequestBody, http::Method};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use tenants::Refusal;
use uuid::Uuid;

use crate::{
    app::App,
    credential::Credential,
    scope::{app_of, kept, marker, problem},
};

/// A signed-in person, wherever they may act: what is the caller's own.
pub struct SignedIn {
    /// The account.
    pub account: Id<Account>,
    /// The session.
    pub session: Uuid,
    /// What the account is.
    pub facts: tenants::AccountFacts,
    /// What the process shares.
    pub app: App,
}

impl<'a> ApiExtractor<'a> for SignedIn {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        vec![kept(format!("{}none", marker::SCOPE)), kept(format!("{}no_perm_required", marker::PERMISSION))]
    }

    async fn from_request(request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>) -> poem::Result<Self> {
        Ok(signed_in(request).await?)
    }
}

async fn signed_in(request: &Request) -> Result<SignedIn> {
    let app = app_of(request)?.clone();
    match Credential::of(request, &app)? {
        Credential::Session { account, session } => {
            let facts = app.door.account(session, account).await?.ok_or_else(|| problem(Refusal::Session, false))?;
            Ok(SignedIn { account, session, facts, app })
        }
        Credential::Key(hash) => {
            let rows = app.door.call("select control.key_alive($1) alive", [hash.into()]).await?;
            let alive = rows.first().is_some_and(|row| row.try_get("", "alive").unwrap_or(false));
            Err(if alive { Code::USER_PERMISSION_REQUIRED } else { Code::API_KEY_INVALID }.into())
        }
    }
}

/// A super admin, for calls about the platform itself.
pub struct Platform(pub SignedIn);

impl<'a> ApiExtractor<'a> for Platform {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        vec![kept(format!("{}platform", marker::SCOPE)), kept(format!("{}super_admin", marker::PERMISSION))]
    }

    async fn from_request(request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>) -> poem::Result<Self> {
        let signed_in = signed_in(request).await?;
        if !signed_in.facts.super_admin {
            return Err(Problem::new(Code::USER_PERMISSION_REQUIRED).into());
        }
        Ok(Self(signed_in))
    }
}

/// Anybody: start-up, sign-in, password reset.
pub struct Anyone {
    /// What the process shares.
    pub app: App,
    /// The client's address, for limits.
    pub address: String,
    /// What the client calls itself.
    pub agent: String,
    /// Whether our own pages are calling (`X-Pult-UI`).
    pub ui: bool,
}

impl<'a> ApiExtractor<'a> for Anyone {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        vec![kept(format!("{}none", marker::SCOPE)), kept(format!("{}public", marker::PERMISSION))]
    }

    async fn from_request(request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>) -> poem::Result<Self> {
        let app = app_of(request)?.clone();
        let ui = request.header("x-pult-ui") == Some("1");
        if ui && *request.method() != Method::GET {
            crate::credential::check_origin(request, &app.settings)?;
        }
        let address = crate::credential::client_address(request, &app.settings);
        let agent = request.header("user-agent").unwrap_or_default().to_owned();
        Ok(Self { app, address, agent, ui })
    }
}
