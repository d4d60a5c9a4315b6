//! Callers without a restaurant: a signed-in person, a super admin, an anonymous caller.

use kernel::{Account, Code, Id, Problem, Result, paging::Filters, request};
use poem::{Request, RequestBody, http::Method};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::Value as Json;
use tenants::{ControlTx, Refusal};
use uuid::Uuid;

use crate::{
    api_keys::calling,
    app::App,
    credential::{Credential, check_origin, client_address},
    device::Device,
    places::problem,
    scope::{interned, marker},
};

/// A signed-in person, wherever they may act: what is the caller's own.
pub struct SignedIn {
    pub account: Id<Account>,
    pub session: Uuid,
    pub facts: tenants::AccountFacts,
    pub app: App,
}

impl<'a> ApiExtractor<'a> for SignedIn {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        vec![
            interned(format!("{}none", marker::SCOPE)),
            interned(format!("{}no_perm_required", marker::PERMISSION)),
        ]
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(signed_in(request).await?)
    }
}

async fn signed_in(request: &Request) -> Result<SignedIn> {
    let app = App::of(request)?.clone();
    let credential = Credential::of(request, &app)?;
    person(request, app, credential).await
}

async fn person(request: &Request, app: App, credential: Credential) -> Result<SignedIn> {
    match credential {
        Credential::Session { account, session } => {
            let facts =
                app.door.account(session, account).await?.ok_or_else(|| problem(Refusal::Session, false))?;
            app.note_session(request, session);
            Filters::check(request)?;
            Ok(SignedIn { account, session, facts, app })
        }
        Credential::Key(hash) => Err(calling::not_for_keys(&app, request, &hash).await),
    }
}

/// A signed-in person who signs out: allowed however often the session has called, or a page in a loop could not be
/// left.
pub struct SigningOut(pub SignedIn);

impl<'a> ApiExtractor<'a> for SigningOut {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        SignedIn::security_schemes()
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let app = App::of(request)?.clone();
        let credential = Credential::uncounted(request, &app)?;
        Ok(Self(person(request, app, credential).await?))
    }
}

/// A super admin, for calls about the platform itself.
pub struct Platform(pub SignedIn);

impl Platform {
    /// Begins a unit of work in `control`. The caller is checked in the same round trip.
    /// Errors: `USER_LOGIN_REQUIRED` when the session has ended meanwhile.
    pub async fn begin(&self) -> Result<ControlTx> {
        let Self(SignedIn { app, session, account, .. }) = self;
        let tx = app.door.begin_super_admin(*session, *account).await?;
        tx.ok_or_else(|| Problem::new(Code::USER_LOGIN_REQUIRED))
    }

    /// The caller's name, last name first; the address when there is none.
    #[must_use]
    pub fn name(&self) -> String {
        let facts = &self.0.facts;
        let name = format!("{} {}", facts.last_name, facts.first_name).trim().to_owned();
        if name.is_empty() { facts.email.clone() } else { name }
    }

    /// Writes one line of the platform's log.
    pub async fn audit(
        &self, tx: &ControlTx, action: &str, record: impl Into<Option<Uuid>>, details: Json,
    ) -> Result<()> {
        if details.is_null() {
            return Ok(());
        }
        let values = [
            "admin".into(),
            self.0.account.into(),
            self.name().into(),
            action.into(),
            None::<Uuid>.into(),
            record.into().into(),
            request::id().into(),
            details.into(),
        ];
        tx.rows("select control.audit($1, $2, $3, $4, $5, $6, $7, $8)::text", values).await?;
        Ok(())
    }
}

impl<'a> ApiExtractor<'a> for Platform {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        vec![
            interned(format!("{}platform", marker::SCOPE)),
            interned(format!("{}super_admin", marker::PERMISSION)),
        ]
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let signed_in = signed_in(request).await?;
        if !signed_in.facts.super_admin {
            return Err(Problem::new(Code::USER_PERMISSION_REQUIRED).into());
        }
        Ok(Self(signed_in))
    }
}

/// Anybody: start-up, sign-in, password reset.
pub struct Anyone {
    pub app: App,
    /// The client's address, for limits.
    pub address: String,
    /// What the client calls itself.
    pub agent: String,
    /// Whether our own pages are calling (`X-Pult-UI`).
    pub ui: bool,
    /// The browser's device; a new one when it brings none.
    pub device: Device,
    /// The session that the caller has until now, alive or not.
    pub session: Option<(Id<Account>, Uuid)>,
}

impl<'a> ApiExtractor<'a> for Anyone {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        vec![interned(format!("{}none", marker::SCOPE)), interned(format!("{}public", marker::PERMISSION))]
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(anyone(request)?)
    }
}

fn anyone(request: &Request) -> Result<Anyone> {
    let app = App::of(request)?.clone();
    let ui = request.header("x-pult-ui") == Some("1");
    if ui && *request.method() != Method::GET {
        check_origin(request, &app.settings)?;
    }
    let address = client_address(request, &app.settings);
    let agent = request.header("user-agent").unwrap_or_default().to_owned();
    let device = Device::of(request, &app);
    let session = match Credential::carried(request, &app) {
        Some(Credential::Session { account, session }) => Some((account, session)),
        _ => None,
    };
    Ok(Anyone { app, address, agent, ui, device, session })
}

/// Whoever opens a file in the browser, by an address that nobody can guess: a person where one is signed in.
/// The browser sends the cookie along but none of our headers, so it counts alone here; a foreign page gets
/// nothing by it, because it neither knows the address nor reads the answer.
pub struct Opening {
    pub app: App,
    credential: Option<Credential>,
}

impl Opening {
    /// The signed-in person. Ask once the address has shown that there is something to open.
    pub async fn person(self) -> Result<Option<SignedIn>> {
        let Self { app, credential } = self;
        let Some(Credential::Session { account, session }) = credential else { return Ok(None) };
        let facts = app.door.account(session, account).await?;
        Ok(facts.map(|facts| SignedIn { account, session, facts, app }))
    }
}

impl<'a> ApiExtractor<'a> for Opening {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        Anyone::security_schemes()
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let app = App::of(request)?.clone();
        let credential = Credential::carried(request, &app);
        Ok(Self { app, credential })
    }
}

/// A signed-in person, or somebody with a one-time ticket in the query.
pub enum Visitor {
    /// Without a ticket.
    SignedIn(Box<SignedIn>),
    /// With one; who it is, the ticket says.
    Anyone(Box<Anyone>),
}

impl<'a> ApiExtractor<'a> for Visitor {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        SignedIn::security_schemes()
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let ticket = url::form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes())
            .any(|(name, _)| name == "ticket");
        if ticket {
            Ok(Self::Anyone(Box::new(anyone(request)?)))
        } else {
            Ok(Self::SignedIn(Box::new(signed_in(request).await?)))
        }
    }
}
