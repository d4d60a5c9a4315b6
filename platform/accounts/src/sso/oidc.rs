//! OpenID Connect as a relying party: discovery, authorization code with PKCE and nonce, checks of the ID
//! token. Answers of a provider are untrusted: form, size, time and signature are checked. See
//! `docs/decisions/accounts.md#sign-in-providers`.

use access::{
    app::App,
    prelude::{Id, Partner},
};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, jwk::JwkSet};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EndpointNotSet,
    ExtraTokenFields, HttpRequest, HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    StandardRevocableToken, StandardTokenResponse, TokenUrl,
    basic::{
        BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse, BasicTokenType,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;
use work::Outgoing;

/// Signatures that are taken. None with a shared secret: a client's secret is no proof of who signed.
const ALGORITHMS: &[Algorithm] = &[
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];
/// Seconds by which a provider's clock may differ.
const LEEWAY: u64 = 60;

/// The page of the UI to which a provider sends people back.
pub(super) fn redirect_uri(app: &App) -> String {
    format!("{}/sso", app.settings.public_url.as_str().trim_end_matches('/'))
}

/// A partner's provider.
pub(super) struct Provider {
    pub(super) partner: Id<Partner>,
    pub(super) issuer: String,
    pub(super) client_id: String,
    pub(super) client_secret: Option<String>,
    /// Where it sends people back to.
    pub(super) redirect: String,
}

/// The identity in a provider's answer. Nothing else is read: groups and roles grant nothing.
pub(super) struct Person {
    pub(super) subject: String,
    /// Only one that the provider has verified.
    pub(super) email: Option<String>,
}

/// The discovery document of a provider.
#[derive(Deserialize)]
pub(super) struct Discovered {
    issuer: String,
    authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct IdToken {
    id_token: String,
}
impl ExtraTokenFields for IdToken {}

type OidcClient<A = EndpointNotSet, T = EndpointNotSet> = Client<
    BasicErrorResponse,
    StandardTokenResponse<IdToken, BasicTokenType>,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    A,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    T,
>;

#[derive(Deserialize)]
struct Claims {
    sub: String,
    aud: Value,
    azp: Option<String>,
    nonce: Option<String>,
    iat: i64,
    email: Option<String>,
    #[serde(default)]
    email_verified: Value,
}

async fn get_json<T: for<'a> Deserialize<'a>>(
    outgoing: &Outgoing, partner: Id<Partner>, url: &Url,
) -> Result<T, String> {
    let reply = outgoing.send(partner, "GET", url, &[("accept", "application/json")], vec![]).await?;
    if reply.status != 200 {
        return Err(format!("{} answers {}", url.path(), reply.status));
    }
    serde_json::from_slice(&reply.body).map_err(|_| format!("{} does not answer what it should", url.path()))
}

/// Reads what the issuer publishes; it must call itself exactly as it is called here.
pub(super) async fn discover(outgoing: &Outgoing, provider: &Provider) -> Result<Discovered, String> {
    let url = format!("{}/.well-known/openid-configuration", provider.issuer.trim_end_matches('/'));
    let url = url.parse().map_err(|_| "the issuer is no address")?;
    let found: Discovered = get_json(outgoing, provider.partner, &url).await?;
    if found.issuer != provider.issuer {
        return Err("the issuer calls itself otherwise".to_owned());
    }
    // The first is opened by a browser, the others are called from here; none may be another kind of address.
    for url in [&found.authorization_endpoint, &found.token_endpoint, &found.jwks_uri] {
        outgoing.check(url)?;
    }
    Ok(found)
}

fn client(provider: &Provider) -> OidcClient {
    let client = OidcClient::new(ClientId::new(provider.client_id.clone()));
    match &provider.client_secret {
        Some(secret) => client.set_client_secret(ClientSecret::new(secret.clone())),
        None => client,
    }
}

fn redirect(provider: &Provider) -> Result<RedirectUrl, String> {
    RedirectUrl::new(provider.redirect.clone()).map_err(|_| "the public address is faulty".to_owned())
}

/// Where a browser is sent to sign in.
pub(super) fn authorization_url(
    provider: &Provider, found: &Discovered, state: &str, nonce: &str, verifier: &str,
) -> Result<String, String> {
    let client = client(provider)
        .set_auth_uri(AuthUrl::from_url(found.authorization_endpoint.clone()))
        .set_redirect_uri(redirect(provider)?);
    let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(verifier.to_owned()));
    let request = client
        .authorize_url(|| CsrfToken::new(state.to_owned()))
        .add_scopes(["openid", "email", "profile"].map(|scope| Scope::new(scope.to_owned())))
        .add_extra_param("nonce", nonce)
        .set_pkce_challenge(challenge);
    Ok(request.url().0.into())
}

/// Exchanges the code and checks what comes back.
pub(super) async fn person(
    outgoing: &Outgoing, provider: &Provider, code: String, nonce: &str, verifier: String,
) -> Result<Person, String> {
    let found = discover(outgoing, provider).await?;
    let methods = &found.token_endpoint_auth_methods_supported;
    let in_body = methods.iter().any(|one| one == "client_secret_post")
        && !methods.iter().any(|one| one == "client_secret_basic");
    let client = client(provider)
        .set_auth_type(if in_body || provider.client_secret.is_none() {
            AuthType::RequestBody
        } else {
            AuthType::BasicAuth
        })
        .set_token_uri(TokenUrl::from_url(found.token_endpoint.clone()))
        .set_redirect_uri(redirect(provider)?);
    let http = |request: HttpRequest| send(outgoing.clone(), provider.partner, request);
    let request =
        client.exchange_code(AuthorizationCode::new(code)).set_pkce_verifier(PkceCodeVerifier::new(verifier));
    let answer = request.request_async(&http).await.map_err(|_| "the code was not taken")?;
    let keys: JwkSet = get_json(outgoing, provider.partner, &found.jwks_uri).await?;
    check(provider, &keys, &answer.extra_fields().id_token, nonce)
}

#[derive(Debug)]
struct Failed(String);
impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for Failed {}

async fn send(
    outgoing: Outgoing, partner: Id<Partner>, request: HttpRequest,
) -> Result<HttpResponse, Failed> {
    let url: Url = request.uri().to_string().parse().map_err(|_| Failed("no address".to_owned()))?;
    let headers: Vec<(&str, &str)> = request
        .headers()
        .iter()
        .filter_map(|(name, value)| value.to_str().ok().map(|value| (name.as_str(), value)))
        .collect();
    let reply = outgoing
        .send(partner, request.method().as_str(), &url, &headers, request.body().clone())
        .await
        .map_err(Failed)?;
    let mut response = HttpResponse::new(reply.body);
    *response.status_mut() =
        poem::http::StatusCode::from_u16(reply.status).map_err(|_| Failed("no status".to_owned()))?;
    response.headers_mut().insert("content-type", poem::http::HeaderValue::from_static("application/json"));
    Ok(response)
}

/// The checks of OpenID Connect Core 1.0, 3.1.3.7.
fn check(provider: &Provider, keys: &JwkSet, token: &str, nonce: &str) -> Result<Person, String> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| "the ID token is not one")?;
    // What a token says must be understood (`crit`), none of which is known here (RFC 7515, 4.1.11).
    if !ALGORITHMS.contains(&header.alg) || header.crit.is_some() {
        return Err("the ID token's signature is of a kind that is not taken".to_owned());
    }
    let key = match &header.kid {
        Some(kid) => keys.find(kid),
        None if keys.keys.len() == 1 => keys.keys.first(),
        None => None,
    };
    let key =
        key.and_then(|key| DecodingKey::from_jwk(key).ok()).ok_or("the ID token's key is not published")?;
    let mut validation = Validation::new(header.alg);
    validation.set_audience(&[&provider.client_id]);
    validation.set_issuer(&[&provider.issuer]);
    validation.set_required_spec_claims(&["iss", "sub", "aud", "exp"]);
    validation.validate_nbf = true;
    validation.leeway = LEEWAY;
    let claims = jsonwebtoken::decode::<Claims>(token, &key, &validation)
        .map_err(|error| format!("the ID token does not hold: {error}"))?
        .claims;
    let several = claims.aud.as_array().is_some_and(|all| all.len() > 1);
    let for_us = claims.azp.as_ref().map_or(!several, |azp| *azp == provider.client_id);
    if !for_us {
        return Err("the ID token is for another client".to_owned());
    }
    if claims.nonce.as_deref() != Some(nonce) {
        return Err("the ID token answers another question".to_owned());
    }
    let age = kernel::clock::now().timestamp() - claims.iat;
    if !(-60..=600).contains(&age) {
        return Err("the ID token is too old".to_owned());
    }
    if claims.sub.is_empty() || claims.sub.len() > 255 {
        return Err("the ID token names nobody".to_owned());
    }
    let verified = claims.email_verified == Value::Bool(true) || claims.email_verified == "true";
    Ok(Person { subject: claims.sub, email: claims.email.filter(|_| verified) })
}

#[cfg(test)]
#[path = "oidc_tests.rs"]
mod tests;
