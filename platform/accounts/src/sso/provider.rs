//! A partner's sign-in provider: its settings, and the proof of a domain. See
//! `docs/decisions/accounts.md#sign-in-providers`.

use kernel::DomainName;
use sea_orm::FromQueryResult;
use serde_json::json;
use url::Url;
use work::Outgoing;

use super::oidc::redirect_uri;
use access::{answers::Maybe, app::App, audit::difference, prelude::*, sealed, secrets::derive};

pub(crate) struct SignInProviders;

kernel::resource!(SignInProviders, "sign_in_provider", "SIGN_IN_PROVIDER");

/// The provider with which a partner's people can sign in.
#[derive(Debug, Object)]
struct SignInProvider {
    /// What it is called on the sign-in page.
    name: String,
    /// Its address, as it calls itself.
    issuer: String,
    client_id: String,
    /// Whether a client secret is kept; it is never shown.
    has_client_secret: bool,
    /// Whose addresses are sent to it, once proven.
    domains: Vec<String>,
    proofs: Vec<DomainProof>,
    /// The address to be registered at the provider.
    redirect_uri: String,
    active: bool,
    version: i64,
}

/// How a domain is proven to be the partner's own.
#[derive(Debug, Object)]
struct DomainProof {
    domain: String,
    proven: bool,
    /// The file to be put there.
    url: String,
    /// What it must hold.
    text: String,
}

#[derive(Debug, Object)]
struct SignInProviderChange {
    #[oai(validator(min_length = 1, max_length = 100))]
    name: String,
    #[oai(validator(min_length = 1, max_length = 300))]
    issuer: String,
    #[oai(validator(min_length = 1, max_length = 300))]
    client_id: String,
    /// Absent: the one that is kept stays, as long as issuer and client stay.
    #[oai(validator(min_length = 1, max_length = 1000))]
    client_secret: Option<String>,
    #[oai(validator(max_items = 20, unique_items))]
    domains: Option<Vec<String>>,
    /// True when absent.
    active: Option<bool>,
    /// The version that was changed; another one is refused.
    version: Option<i64>,
}

#[derive(Debug, Object)]
struct DomainToProve {
    #[oai(validator(min_length = 1, max_length = 253))]
    domain: String,
}

/// The text of the file, under one of the installation's secrets.
fn proof(secret: &[u8], partner: Id<Partner>, domain: &str) -> String {
    let token = hex::encode(derive(secret, &format!("domain proof {partner} {domain}")));
    format!("pult-domain={}", &token[..32])
}

fn file(domain: &str) -> String {
    format!("https://{domain}/.well-known/pult-domain.txt")
}

/// Names that belong to nobody (RFC 2606): in development they need no proof.
fn is_reserved(domain: &str) -> bool {
    [".test", ".example", ".localhost"].iter().any(|end| domain.ends_with(end))
}

/// The provider as it lies in the database.
#[derive(FromQueryResult)]
struct ProviderRow {
    name: String,
    issuer: String,
    client_id: String,
    has_client_secret: bool,
    domains: Vec<String>,
    proven: Vec<String>,
    active: bool,
    version: i64,
}

async fn find(tx: &TenantTx, app: &App) -> Result<Option<SignInProvider>> {
    let Some(row) = tx.one::<ProviderRow>("select * from control.sign_in_provider()", []).await? else {
        return Ok(None);
    };
    let proofs = row.domains.iter().map(|domain| DomainProof {
        proven: row.proven.contains(domain),
        url: file(domain),
        text: proof(app.settings.secrets.newest(), tx.partner(), domain),
        domain: domain.clone(),
    });
    Ok(Some(SignInProvider {
        proofs: proofs.collect(),
        name: row.name,
        issuer: row.issuer,
        client_id: row.client_id,
        has_client_secret: row.has_client_secret,
        domains: row.domains,
        redirect_uri: redirect_uri(app),
        active: row.active,
        version: row.version,
    }))
}

fn facts(provider: Option<&SignInProvider>) -> serde_json::Value {
    provider.map_or_else(
        || json!({}),
        |one| {
            json!({"name": one.name, "issuer": one.issuer, "client_id": one.client_id,
                "has_client_secret": one.has_client_secret,
                   "domains": one.domains, "active": one.active})
        },
    )
}

fn check(body: &SignInProviderChange, outgoing: &Outgoing) -> Result<Vec<String>> {
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    let issuer =
        body.issuer.parse::<Url>().ok().filter(|url| url.query().is_none() && outgoing.check(url).is_ok());
    if issuer.is_none() {
        problem = problem.key("issuer", Fault::Invalid);
    }
    let mut domains = Vec::new();
    for (at, text) in body.domains.iter().flatten().enumerate() {
        match DomainName::parse(text).map(String::from) {
            Some(name) if domains.contains(&name) => {
                problem = problem.key(format!("domains.{at}"), Fault::NotUnique)
            }
            Some(name) => domains.push(name),
            None => problem = problem.key(format!("domains.{at}"), Fault::Pattern),
        }
    }
    problem.if_any()?;
    Ok(domains)
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/sign-in-provider", tag = "Tag::Access")]
impl SignInProviders {
    /// The partner's sign-in provider; `null` when there is none.
    ///
    /// Partner admins only, as all of it.
    #[oai(path = "/", method = "get", operation_id = "sign_in_provider_get")]
    async fn get(&self, scope: In<Partner, WholePartner<perm::User>>) -> Result<Maybe<SignInProvider>> {
        let tx = scope.begin().await?;
        Ok(Maybe(find(&tx, scope.app()).await?))
    }

    /// Sets the partner's sign-in provider.
    ///
    /// The client secret is kept sealed and never shown. Passwords go on working beside it.
    ///
    /// codes: SIGN_IN_PROVIDER_NOT_EXIST, CONFLICT
    #[oai(path = "/", method = "put", operation_id = "sign_in_provider_update")]
    async fn update(
        &self, scope: In<Partner, WholePartner<perm::User>>, body: Body<SignInProviderChange>,
    ) -> Result<Json<SignInProvider>> {
        let app = scope.app();
        let domains = check(&body, &app.outgoing)?;
        let SignInProviderChange { name, issuer, client_id, client_secret, domains: sent, active, version } =
            body.into_inner();
        let partner = scope.partner().to_string();
        let new_secret = client_secret.is_some();
        let tx = scope.begin().await?;
        let sealed = match client_secret {
            Some(secret) => Some(
                sealed::DataKey::of(app, &tx)
                    .await?
                    .seal(sealed::sign_in_provider(&partner), secret.as_bytes())?,
            ),
            None => None,
        };
        let before = find(&tx, app).await?;
        let logged = rows::Logged { resource: "sign_in_provider", record: scope.partner().uuid() };
        match &before {
            Some(before) => rows::check_version(&tx, version, before.version, before, logged).await?,
            None if version.is_some() => return Err(Problem::not_exist::<SignInProviders>()),
            None => {}
        }
        let domains = match (&before, sent) {
            (Some(before), None) => before.domains.clone(),
            _ => domains,
        };
        let reserved: Vec<String> = domains
            .iter()
            .filter(|domain| app.settings.development && is_reserved(domain))
            .cloned()
            .collect();
        let known = before.as_ref().map(|before| before.version);
        let values = [
            known.into(),
            name.trim().into(),
            issuer.into(),
            client_id.trim().into(),
            sealed.into(),
            active.unwrap_or(true).into(),
            domains.into(),
        ];
        let saved = tx
            .value("select control.save_sign_in_provider($1, $2, $3, $4, $5, $6, $7) saved", values)
            .await?;
        if !saved.unwrap_or(false) {
            let now = find(&tx, app).await?.ok_or_else(Problem::not_exist::<SignInProviders>)?;
            return Err(rows::conflict(&tx, &now, logged).await?);
        }
        for domain in reserved {
            tx.row("select control.prove_sign_in_domain($1)", [domain.into()]).await?;
        }
        let after = find(&tx, app).await?.ok_or_else(Problem::not_exist::<SignInProviders>)?;
        let mut details = difference(&facts(before.as_ref()), &facts(Some(&after)));
        if new_secret {
            details["client_secret"] = json!(["…", "…"]);
        }
        scope.audit(&tx, None, "sign_in_provider_update", scope.partner(), details).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Looks whether the file that proves a domain is there.
    ///
    /// codes: SIGN_IN_PROVIDER_NOT_EXIST
    #[oai(path = "/proof", method = "post", operation_id = "sign_in_provider_prove")]
    async fn prove(
        &self, scope: In<Partner, WholePartner<perm::User>>, body: Body<DomainToProve>,
    ) -> Result<Json<SignInProvider>> {
        let app = scope.app();
        let invalid = |fault| Problem::new(Code::VALIDATION_FAILED).key("domain", fault);
        let tx = scope.begin().await?;
        let provider = find(&tx, app).await?.ok_or_else(Problem::not_exist::<SignInProviders>)?;
        // No connection is held while a foreign server takes its time.
        drop(tx);
        let domain = DomainName::parse(&body.domain)
            .map(String::from)
            .filter(|domain| provider.domains.contains(domain))
            .ok_or_else(|| invalid(Fault::NotExist))?;
        let address: Url = file(&domain).parse().map_err(|_| invalid(Fault::Pattern))?;
        // The file may have been put there under an older secret.
        let expected: Vec<_> =
            app.settings.secrets.all().map(|secret| proof(secret, scope.partner(), &domain)).collect();
        let found = app.outgoing.send(scope.partner(), "GET", &address, &[], vec![]).await;
        let holds = found.is_ok_and(|reply| {
            reply.status == 200
                && String::from_utf8_lossy(&reply.body)
                    .lines()
                    .any(|line| expected.iter().any(|text| text == line.trim()))
        });
        if !holds {
            return Err(invalid(Fault::Invalid).detail(
                "the file is not there, does not hold the text, or its server has failed too often just now",
            ));
        }
        let tx = scope.begin().await?;
        let done = tx.value("select control.prove_sign_in_domain($1) done", [domain.clone().into()]).await?;
        if !done.unwrap_or(false) {
            return Err(invalid(Fault::NotUnique));
        }
        scope
            .audit(&tx, None, "sign_in_provider_prove", scope.partner(), json!({ "domain": [null, domain] }))
            .await?;
        let after = find(&tx, app).await?.ok_or_else(Problem::not_exist::<SignInProviders>)?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Takes the sign-in provider away. Sessions that it opened end; accounts stay, with their passwords.
    ///
    /// codes: SIGN_IN_PROVIDER_NOT_EXIST
    #[oai(path = "/", method = "delete", operation_id = "sign_in_provider_delete")]
    async fn delete(&self, scope: In<Partner, WholePartner<perm::User>>) -> Result<Done> {
        let tx = scope.begin().await?;
        let done = tx.value("select control.remove_sign_in_provider() done", []).await?;
        if !done.unwrap_or(false) {
            return Err(Problem::not_exist::<SignInProviders>());
        }
        scope.audit(&tx, None, "sign_in_provider_delete", scope.partner(), json!({})).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
