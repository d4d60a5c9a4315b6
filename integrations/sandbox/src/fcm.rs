//! Firebase Cloud Messaging: a token endpoint that checks signed assertions, and the call that sends one
//! message to one device. How a device's token begins says what becomes of it: `gone-` (unregistered),
//! `foreign-` (another project), `bad-` (no token), `apns-` (the key at Apple is wrong), `busy-` (429 the
//! first time), `down-` (503 the first time), `never-` (500 each time), `lost-` (sent, but the answer is
//! lost); all others are accepted. Accepted messages are listed at `/calls`.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use aws_lc_rs::{
    encoding::AsDer,
    rsa::{KeyPair, KeySize},
    signature::{KeyPair as _, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use http_body_util::{BodyExt, Full, Limited};
use hyper::{Method, Request, Response, StatusCode, body::Bytes, body::Incoming, header};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use url::form_urlencoded;

use crate::{Result, http};

type Answer = Response<Full<Bytes>>;

#[derive(Default)]
struct State {
    tokens: HashSet<String>,
    /// How often each device was tried.
    tries: HashMap<String, u32>,
    accepted: Vec<Value>,
}

pub struct Fcm {
    key: KeyPair,
    pem: String,
    address: String,
    state: Mutex<State>,
}

fn answer(status: u16, body: &Value) -> Answer {
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json; charset=UTF-8"));
    response
}

/// Google's errors: the status' name, and what it means in a detail of its own.
fn refusal(status: u16, name: &str, code: &str) -> Answer {
    let details =
        json!([{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}]);
    answer(
        status,
        &json!({"error": {"code": status, "message": "refused", "status": name, "details": details}}),
    )
}

impl Fcm {
    /// The company at this address (`http://127.0.0.1:…/`), with a key of this run.
    pub fn new(address: String) -> Result<Self> {
        let key = KeyPair::generate(KeySize::Rsa2048)
            .map_err(|_| "The key of the service account cannot be made.")?;
        let der = AsDer::<aws_lc_rs::encoding::Pkcs8V1Der>::as_der(&key)
            .map_err(|_| "The key of the service account cannot be written.")?;
        let lines: Vec<String> = STANDARD
            .encode(der.as_ref())
            .as_bytes()
            .chunks(64)
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect();
        let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", lines.join("\n"));
        Ok(Self { key, pem, address, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The devices that were sent to, in order, as often as they were.
    #[must_use]
    pub fn accepted(&self) -> Vec<String> {
        self.state()
            .accepted
            .iter()
            .filter_map(|message| message["token"].as_str().map(str::to_owned))
            .collect()
    }

    pub fn end_tokens(&self) {
        self.state().tokens.clear();
    }

    fn account(&self) -> Value {
        json!({"type": "service_account", "project_id": "pult-sandbox", "private_key_id": "sandbox",
            "private_key": self.pem,
            "client_email": "pult@pult-sandbox.iam.example", "token_uri": format!("{}token", self.address)})
    }

    /// Whether an assertion is signed by the account, for this endpoint, for at most an hour.
    fn holds(&self, assertion: &str) -> bool {
        let parts: Vec<&str> = assertion.split('.').collect();
        let [head, claims, signature] = parts[..] else { return false };
        let read = |part: &str| URL_SAFE_NO_PAD.decode(part).ok();
        let (Some(signature), Some(claims_text)) = (read(signature), read(claims)) else { return false };
        let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, self.key.public_key().as_ref());
        if public.verify(format!("{head}.{claims}").as_bytes(), &signature).is_err() {
            return false;
        }
        let claims: Value = serde_json::from_slice(&claims_text).unwrap_or_default();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let (from, till) =
            (claims["iat"].as_u64().unwrap_or_default(), claims["exp"].as_u64().unwrap_or_default());
        claims["aud"] == format!("{}token", self.address)
            && claims["iss"] == self.account()["client_email"]
            && claims["scope"] == "https://www.googleapis.com/auth/firebase.messaging"
            && from <= now + 60
            && till > now
            && till - from <= 3600
    }

    fn token(&self, body: &[u8]) -> Answer {
        let form: HashMap<String, String> = form_urlencoded::parse(body).into_owned().collect();
        let grant =
            form.get("grant_type").map(String::as_str) == Some("urn:ietf:params:oauth:grant-type:jwt-bearer");
        if !grant || !self.holds(form.get("assertion").map_or("", String::as_str)) {
            return answer(
                400,
                &json!({"error": "invalid_grant", "error_description": "Invalid JWT Signature."}),
            );
        }
        let mut random = [0_u8; 24];
        let _ = aws_lc_rs::rand::fill(&mut random);
        let token = URL_SAFE_NO_PAD.encode(random);
        self.state().tokens.insert(token.clone());
        answer(200, &json!({"access_token": token, "token_type": "Bearer", "expires_in": 3599}))
    }

    /// What becomes of a message; none when the connection is closed instead of an answer.
    fn send(&self, bearer: &str, body: &[u8]) -> Option<Answer> {
        let mut state = self.state();
        if !state.tokens.contains(bearer) {
            return Some(answer(
                401,
                &json!({"error": {"code": 401, "message": "refused", "status": "UNAUTHENTICATED"}}),
            ));
        }
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let message = body["message"].clone();
        let token = message["token"].as_str().unwrap_or_default().to_owned();
        if body.to_string().len() > 4096 || !message["notification"]["title"].is_string() {
            return Some(refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"));
        }
        let tries = state.tries.entry(token.clone()).or_default();
        *tries += 1;
        let first = *tries == 1;
        let kind = token.split('-').next().unwrap_or_default();
        let wait = |mut answer: Answer| {
            answer.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
            answer
        };
        Some(match kind {
            "gone" => refusal(404, "NOT_FOUND", "UNREGISTERED"),
            "foreign" => refusal(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
            "bad" => {
                let violations =
                    json!([{"field": "message.token", "description": "Invalid registration token"}]);
                let details = json!([{"@type": "type.googleapis.com/google.rpc.BadRequest",
                    "fieldViolations": violations}]);
                answer(
                    400,
                    &json!({"error": {"code": 400, "message": "refused", "status": "INVALID_ARGUMENT",
                        "details": details}}),
                )
            }
            "apns" => refusal(401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"),
            "busy" if first => wait(refusal(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")),
            "down" if first => wait(refusal(503, "UNAVAILABLE", "UNAVAILABLE")),
            "never" => wait(refusal(500, "INTERNAL", "INTERNAL")),
            _ => {
                state.accepted.push(message);
                if kind == "lost" {
                    return None;
                }
                let number = state.accepted.len();
                answer(200, &json!({"name": format!("projects/pult-sandbox/messages/{number}")}))
            }
        })
    }

    async fn serve_one(&self, request: Request<Incoming>) -> std::result::Result<Answer, std::io::Error> {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let bearer = request
            .headers()
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let bearer = bearer.strip_prefix("Bearer ").unwrap_or_default().to_owned();
        let body = Limited::new(request.into_body(), 100_000)
            .collect()
            .await
            .map(|body| body.to_bytes())
            .unwrap_or_default();
        Ok(match (method, path.as_str()) {
            (Method::GET, "/service-account.json") => answer(200, &self.account()),
            (Method::GET, "/calls") => answer(200, &Value::Array(self.state().accepted.clone())),
            (Method::POST, "/token") => self.token(&body),
            (Method::POST, "/v1/projects/pult-sandbox/messages:send") => {
                self.send(&bearer, &body).ok_or_else(|| std::io::Error::other("the answer is lost"))?
            }
            _ => refusal(404, "NOT_FOUND", "NOT_FOUND"),
        })
    }
}

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, company: Arc<Fcm>) {
    http::serve(listener, move |request| {
        let company = company.clone();
        async move { company.serve_one(request).await }
    })
    .await;
}
