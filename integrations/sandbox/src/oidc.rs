//! An OpenID Connect provider without passwords: its page asks which address is the user's.
//!
//! Authorization code with PKCE; ID tokens are signed with a key of this process (ES256). Any client and any
//! secret is accepted. The service has to check everything itself, as with a real provider.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use http_body_util::{BodyExt, Full, Limited};
use hyper::{Method, Request, Response, StatusCode, body::Bytes, body::Incoming, header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use url::form_urlencoded;

use sandbox::{html::escaped, http};

use crate::Result;

/// Codes that were given out and not exchanged; the oldest run is forgotten whole when there are more.
const CODES: usize = 1000;

type Form = HashMap<String, String>;
type Answer = Response<Full<Bytes>>;

/// The request that a code belongs to.
struct Grant {
    client: String,
    redirect: String,
    nonce: String,
    challenge: String,
    email: String,
}

pub struct Provider {
    issuer: String,
    key: EcdsaKeyPair,
    codes: Mutex<HashMap<String, Grant>>,
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn answer(status: StatusCode, kind: &'static str, body: String) -> Answer {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
    response
}

fn document(value: &Value) -> Answer {
    answer(StatusCode::OK, "application/json", value.to_string())
}

fn refusal(error: &str) -> Answer {
    answer(StatusCode::BAD_REQUEST, "application/json", json!({ "error": error }).to_string())
}

impl Provider {
    /// A provider at this address, with a new key.
    pub fn new(issuer: String) -> Result<Self> {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)
            .map_err(|_| "The provider's key cannot be made.")?;
        Ok(Self { issuer, key, codes: Mutex::default() })
    }

    fn discovery(&self) -> Answer {
        let at = |path: &str| format!("{}/{path}", self.issuer);
        document(&json!({
            "issuer": self.issuer, "authorization_endpoint": at("authorize"), "token_endpoint": at("token"),
            "jwks_uri": at("jwks"),
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "code_challenge_methods_supported": ["S256"],
        }))
    }

    fn jwks(&self) -> Answer {
        // An uncompressed point: 4, x, y.
        let (x, y) = self.key.public_key().as_ref()[1..].split_at(32);
        document(
            &json!({"keys": [{"kty": "EC", "crv": "P-256", "kid": "sandbox", "use": "sig", "alg": "ES256",
                "x": encode(x), "y": encode(y)}]}),
        )
    }

    /// The page that asks who it is; what the service sent along goes with it.
    fn page(query: &Form) -> Answer {
        let kept: String = ["client_id", "redirect_uri", "state", "nonce", "code_challenge"]
            .iter()
            .map(|name| {
                format!(
                    "<input type=hidden name={name} value=\"{}\">",
                    escaped(query.get(*name).map_or("", String::as_str))
                )
            })
            .collect();
        let hint = escaped(query.get("login_hint").map_or("", String::as_str));
        let html = format!(
            "<!doctype html><meta charset=utf-8><title>Stand-in provider</title><link rel=icon \
             href=\"data:,\">\
             <style>body{{font:16px system-ui;margin:4rem \
             auto;max-width:24rem}}input,button{{font:inherit;width:100%;padding:.5rem;margin:.5rem \
             0}}</style>\
             <h1>Stand-in provider</h1><p>It believes everybody.</p><form action=/login>{kept}\
             <label>E-mail <input name=email type=email required autofocus \
             value=\"{hint}\"></label><button>Sign in</button></form>"
        );
        answer(StatusCode::OK, "text/html; charset=utf-8", html)
    }

    /// Sends the browser back with a code.
    fn login(&self, query: &Form) -> Answer {
        let get = |name: &str| query.get(name).cloned().unwrap_or_default();
        let Ok(mut back) = url::Url::parse(&get("redirect_uri")) else { return refusal("invalid_request") };
        let mut random = [0_u8; 16];
        if aws_lc_rs::rand::SecureRandom::fill(&SystemRandom::new(), &mut random).is_err() {
            return refusal("server_error");
        }
        let code = encode(random);
        let grant = Grant {
            client: get("client_id"),
            redirect: get("redirect_uri"),
            nonce: get("nonce"),
            challenge: get("code_challenge"),
            email: get("email").trim().to_lowercase(),
        };
        let mut codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        if codes.len() >= CODES {
            codes.clear();
        }
        codes.insert(code.clone(), grant);
        back.query_pairs_mut().append_pair("code", &code).append_pair("state", &get("state"));
        let mut response = answer(StatusCode::FOUND, "text/plain", String::new());
        if let Ok(place) = back.as_str().parse() {
            response.headers_mut().insert(header::LOCATION, place);
        }
        response
    }

    fn token(&self, form: &Form) -> Answer {
        let get = |name: &str| form.get(name).map_or("", String::as_str);
        let grant = self.codes.lock().unwrap_or_else(PoisonError::into_inner).remove(get("code"));
        let Some(grant) = grant.filter(|grant| grant.redirect == get("redirect_uri")) else {
            return refusal("invalid_grant");
        };
        if grant.challenge != encode(Sha256::digest(get("code_verifier"))) {
            return refusal("invalid_grant");
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let claims = json!({
            "iss": self.issuer, "sub": encode(&Sha256::digest(&grant.email)[..15]), "aud": grant.client,
            "nonce": grant.nonce, "iat": now, "exp": now + 300,
            "email": grant.email, "email_verified": true,
        });
        let text = format!(
            "{}.{}",
            encode(json!({"alg": "ES256", "typ": "JWT", "kid": "sandbox"}).to_string()),
            encode(claims.to_string())
        );
        let Ok(signature) = self.key.sign(&SystemRandom::new(), text.as_bytes()) else {
            return refusal("server_error");
        };
        let id_token = format!("{text}.{}", encode(signature));
        document(&json!({"access_token": "unused", "token_type": "Bearer", "expires_in": 300,
                "id_token": id_token}))
    }

    async fn serve_one(&self, request: Request<Incoming>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let form = |text: &[u8]| form_urlencoded::parse(text).into_owned().collect::<Form>();
        let query = form(request.uri().query().unwrap_or_default().as_bytes());
        match (method, path.as_str()) {
            (Method::GET, "/.well-known/openid-configuration") => self.discovery(),
            (Method::GET, "/jwks") => self.jwks(),
            (Method::GET, "/authorize") => Self::page(&query),
            (Method::GET, "/login") => self.login(&query),
            (Method::POST, "/token") => match Limited::new(request.into_body(), 100_000).collect().await {
                Ok(body) => self.token(&form(&body.to_bytes())),
                Err(_) => refusal("invalid_request"),
            },
            _ => answer(StatusCode::NOT_FOUND, "text/plain", "Not here.".to_owned()),
        }
    }
}

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, provider: Arc<Provider>) {
    http::serve(listener, move |request| {
        let provider = provider.clone();
        async move { Ok::<_, Infallible>(provider.serve_one(request).await) }
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_exchanged_once_and_only_with_its_verifier() {
        let provider = Provider::new("http://127.0.0.1:1".to_owned()).unwrap();
        let form = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Form>()
        };
        let challenge = encode(Sha256::digest("verifier"));
        let code = || {
            let answer = provider.login(&form(&[
                ("client_id", "pult"),
                ("redirect_uri", "http://localhost/sso"),
                ("state", "s"),
                ("nonce", "n"),
                ("code_challenge", &challenge),
                ("email", "Eva@example.com"),
            ]));
            let place: url::Url = answer.headers()["location"].to_str().unwrap().parse().unwrap();
            place.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned()
        };
        let exchange = |code: &str, verifier: &str| {
            provider
                .token(&form(&[
                    ("code", code),
                    ("code_verifier", verifier),
                    ("redirect_uri", "http://localhost/sso"),
                ]))
                .status()
        };
        let one = code();
        assert_eq!(exchange(&one, "verifier"), StatusCode::OK);
        assert_eq!(exchange(&one, "verifier"), StatusCode::BAD_REQUEST);
        assert_eq!(exchange(&code(), "another"), StatusCode::BAD_REQUEST);
        assert_eq!(provider.login(&form(&[("redirect_uri", "nowhere")])).status(), StatusCode::BAD_REQUEST);
    }
}
