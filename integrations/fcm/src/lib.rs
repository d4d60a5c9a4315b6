//! Firebase Cloud Messaging, HTTP v1: one call per device, signed in with a service account.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use contract::{Call, Push, PushMessage, PushOutcome, Secret, read_answer};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::{Body, Client, RequestBuilder, StatusCode, redirect::Policy};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use url::{Url, form_urlencoded};

const SCOPE: &str = "https://www.googleapis.com/auth/firebase.messaging";
const PATIENCE: Duration = Duration::from_secs(10);
/// The most bytes of an answer that are read.
const LIMIT: usize = 100_000;
/// A token is renewed this long before it ends.
const MARGIN: Duration = Duration::from_secs(300);
/// The longest accepted life of a token, in seconds; Google's is an hour.
const LONGEST_LIFE: u64 = 3600;
/// So long nobody waits for a token again after none could be fetched.
const REST: Duration = Duration::from_secs(30);
/// Seconds to wait where a full quota says nothing: Google asks for a minute.
const MINUTE: u64 = 60;

/// A service account, as its key file has it.
#[derive(Clone, Deserialize)]
pub struct ServiceAccount {
    pub project_id: String,
    pub client_email: String,
    /// RSA key, PKCS#8 in PEM.
    pub private_key: Secret,
    /// Where assertions are exchanged for tokens.
    pub token_uri: String,
}

enum Source {
    Known(Box<ServiceAccount>),
    /// A stand-in shows its own at this address.
    Shown(Url),
}

pub struct Fcm {
    api: Url,
    source: Source,
    client: Client,
    /// Locked while a token is fetched, so that one call does it for all.
    session: Mutex<Session>,
}

#[derive(Default)]
enum Session {
    /// Account, token and its end.
    Open(ServiceAccount, Secret, Instant),
    /// No token could be fetched: until then all who wait for one are told so at once. All partners share it,
    /// and one after the other they would wait for the same silence.
    Away(Instant),
    #[default]
    None,
}

#[derive(Deserialize)]
struct Token {
    access_token: Secret,
    expires_in: Option<u64>,
}

fn client() -> Result<Client, String> {
    let builder = Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .connect_timeout(Duration::from_secs(2))
        .timeout(PATIENCE);
    builder.build().map_err(|error| format!("no HTTP client can be made: {error}"))
}

impl Fcm {
    /// Google's own service with this key file (JSON).
    pub fn new(key_file: &str) -> Result<Self, String> {
        let account: ServiceAccount =
            serde_json::from_str(key_file).map_err(|_| "it is not the key file of a service account")?;
        Url::parse(&account.token_uri).map_err(|_| "its token_uri is no address")?;
        EncodingKey::from_rsa_pem(account.private_key.reveal().as_bytes())
            .map_err(|_| "its private_key is not an RSA key")?;
        let api = Url::parse("https://fcm.googleapis.com/").map_err(|error| error.to_string())?;
        Ok(Self {
            api,
            source: Source::Known(Box::new(account)),
            client: client()?,
            session: Mutex::default(),
        })
    }

    /// A stand-in at this address, which shows its service account at `service-account.json`.
    pub fn stand_in(api: Url) -> Result<Self, String> {
        let shown = api.join("service-account.json").map_err(|error| error.to_string())?;
        Ok(Self { api, source: Source::Shown(shown), client: client()?, session: Mutex::default() })
    }

    async fn account(&self) -> Result<ServiceAccount, PushOutcome> {
        match &self.source {
            Source::Known(account) => Ok((**account).clone()),
            Source::Shown(url) => {
                let (_, _, body) =
                    answer(self.client.get(url.clone())).await.map_err(|_| PushOutcome::Later(None))?;
                serde_json::from_value(body).map_err(|_| PushOutcome::Failed("PROTOCOL".to_owned()))
            }
        }
    }

    /// The project and a token that holds.
    async fn session(&self) -> Result<(String, Secret), PushOutcome> {
        let mut session = self.session.lock().await;
        let now = Instant::now();
        match &*session {
            Session::Open(account, token, end) if *end > now => {
                return Ok((account.project_id.clone(), token.clone()));
            }
            Session::Away(end) if *end > now => {
                return Err(PushOutcome::Later(Some((*end - now).as_secs() + 1)));
            }
            _ => {}
        }
        match self.token().await {
            Ok((account, token, life)) => {
                let answer = (account.project_id.clone(), token.clone());
                *session = Session::Open(account, token, Instant::now() + life);
                Ok(answer)
            }
            Err(outcome) => {
                let away = matches!(outcome, PushOutcome::Later(_));
                *session = if away { Session::Away(Instant::now() + REST) } else { Session::None };
                Err(outcome)
            }
        }
    }

    /// A new token for the account, and how long to use it.
    async fn token(&self) -> Result<(ServiceAccount, Secret, Duration), PushOutcome> {
        let account = self.account().await?;
        let assertion = assertion(&account)?;
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
            .append_pair("assertion", &assertion)
            .finish();
        let request = self
            .client
            .post(account.token_uri.as_str())
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form);
        // Nothing was sent to a device, so every failure except a refused key can be repeated.
        let (status, _, body) = answer(request).await.map_err(|_| PushOutcome::Later(None))?;
        if matches!(status, StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED) {
            return Err(PushOutcome::Failed(code(&body).unwrap_or_else(|| "INVALID_GRANT".to_owned())));
        }
        let token: Token = serde_json::from_value(body).map_err(|_| PushOutcome::Later(None))?;
        let life =
            Duration::from_secs(token.expires_in.unwrap_or(600).min(LONGEST_LIFE)).saturating_sub(MARGIN);
        Ok((account, token.access_token, life))
    }

    async fn deliver(&self, message: &PushMessage, device: &Secret) -> Result<PushOutcome, PushOutcome> {
        let (project, token) = self.session().await?;
        let path = format!("v1/projects/{project}/messages:send");
        let url = self.api.join(&path).map_err(|_| PushOutcome::Failed("PROTOCOL".to_owned()))?;
        let body = json!({"message": {
            "token": device.reveal(),
            "notification": {"title": message.title, "body": message.body},
            "data": {"notification_id": message.id},
        }});
        let request = self
            .client
            .post(url)
            .bearer_auth(token.reveal())
            .header("content-type", "application/json")
            .body(body.to_string());
        let (status, retry_after, body) = answer(request).await?;
        let error_code = code(&body);
        Ok(match (status.as_u16(), error_code.as_deref()) {
            (200, _) if body["name"].is_string() => PushOutcome::Accepted,
            (200, _) => PushOutcome::Unknown,
            (404, Some("UNREGISTERED")) | (403, Some("SENDER_ID_MISMATCH")) => PushOutcome::Unregistered,
            (400, _) if names_the_token(&body) => PushOutcome::Unregistered,
            (401, Some("THIRD_PARTY_AUTH_ERROR")) => PushOutcome::Failed("THIRD_PARTY_AUTH_ERROR".to_owned()),
            // Our own token has ended early: the next attempt fetches another.
            (401, _) => {
                *self.session.lock().await = Session::None;
                PushOutcome::Later(None)
            }
            (429, _) => PushOutcome::Later(Some(retry_after.unwrap_or(MINUTE).max(1))),
            (500..=599, _) => PushOutcome::Later(retry_after),
            (_, error_code) => PushOutcome::Failed(error_code.unwrap_or("UNKNOWN").to_owned()),
        })
    }
}

#[async_trait]
impl Push for Fcm {
    async fn send(&self, message: &PushMessage, token: &Secret) -> PushOutcome {
        self.deliver(message, token).await.unwrap_or_else(|outcome| outcome)
    }
}

fn assertion(account: &ServiceAccount) -> Result<String, PushOutcome> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let claims = json!({"iss": account.client_email, "scope": SCOPE, "aud": account.token_uri, "iat": now,
        "exp": now + 3600});
    let key = EncodingKey::from_rsa_pem(account.private_key.reveal().as_bytes());
    let signed = key.and_then(|key| jsonwebtoken::encode(&Header::new(Algorithm::RS256), &claims, &key));
    signed.map_err(|_| PushOutcome::Failed("INVALID_KEY".to_owned()))
}

/// Google's own word for what is wrong (the details' `errorCode`, else the status), or that of the token
/// endpoint.
fn code(body: &Value) -> Option<String> {
    let error = &body["error"];
    let detailed = error["details"]
        .as_array()
        .and_then(|details| details.iter().find_map(|detail| detail["errorCode"].as_str()));
    let error_code = detailed.or_else(|| error["status"].as_str()).or_else(|| error.as_str())?;
    Some(
        error_code
            .chars()
            .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
            .take(60)
            .collect(),
    )
}

/// Whether the one thing that is wrong is the device's token.
fn names_the_token(body: &Value) -> bool {
    let violations = body["error"]["details"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|detail| detail["fieldViolations"].as_array())
        .flatten();
    let fields: Vec<_> = violations.filter_map(|violation| violation["field"].as_str()).collect();
    !fields.is_empty() && fields.iter().all(|field| *field == "message.token")
}

/// Sends one call, once: status, `Retry-After`, body (null when it is no JSON).
async fn answer(request: RequestBuilder) -> Result<(StatusCode, Option<u64>, Value), PushOutcome> {
    let lost = |error: &reqwest::Error| {
        if error.is_connect() { PushOutcome::Later(None) } else { PushOutcome::Unknown }
    };
    let (client, request) = request.build_split();
    let request = request.map_err(|error| lost(&error))?;
    let host = request.url().host_str().unwrap_or_default().to_owned();
    let call = Call::begin(request.method().as_str(), host);
    let sent = RequestBuilder::from_parts(client, request).headers(call.headers()).send().await;
    let response = match sent {
        Ok(response) => response,
        Err(error) => {
            call.end(None);
            return Err(lost(&error));
        }
    };
    let status = response.status();
    let retry_after =
        response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
    let bytes = read_answer(Body::from(response), LIMIT).await.ok();
    let json: Option<Value> = bytes.as_ref().and_then(|bytes| serde_json::from_slice(bytes).ok());
    call.end_read(status.as_u16(), bytes.is_some() && (json.is_some() || !status.is_success()));
    bytes.map(|_| (status, retry_after, json.unwrap_or_default())).ok_or(PushOutcome::Unknown)
}
