//! The client of all calls: no redirects, limits of time and size, and failures by their possible effect.

use std::time::Duration;

use contract::{Call, CallError, CallFault, Effect, Secret, read_answer};
use reqwest::{Body, Method, redirect::Policy};
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use url::Url;

/// The most bytes of an answer that are read.
const LIMIT: usize = 1_000_000;
const CONNECT: Duration = Duration::from_secs(2);

/// Teya's errors: of the API (`code`), and of the token endpoint in the form of OAuth (`error`).
#[derive(Default, Deserialize)]
struct Refusal {
    code: Option<String>,
    error: Option<String>,
}

#[derive(Clone)]
pub(crate) struct Http {
    client: reqwest::Client,
}

/// The body of the request.
pub(crate) enum Content {
    Nothing,
    Form(String),
    Json(Vec<u8>),
}

impl Http {
    pub(crate) fn new(patience: Duration) -> Result<Self, String> {
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(CONNECT.min(patience))
            .timeout(patience)
            .pool_max_idle_per_host(4)
            .build()
            .map_err(|error| format!("no HTTP client can be made: {error}"))?;
        Ok(Self { client })
    }

    /// Sends one call, once.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self, method: Method, url: Url, token: Option<&Secret>, content: Content,
    ) -> Result<T, CallError> {
        let (name, host) = (method.to_string(), url.host_str().unwrap_or_default().to_owned());
        let mut request = self.client.request(method, url).header("accept", "application/json");
        if let Some(token) = token {
            request = request.bearer_auth(token.reveal());
        }
        request = match content {
            Content::Nothing => request,
            Content::Form(form) => {
                request.header("content-type", "application/x-www-form-urlencoded").body(form)
            }
            Content::Json(json) => request.header("content-type", "application/json").body(json),
        };
        // The library's message may contain the address, so only the kind of the error is used.
        let call = Call::begin(&name, host);
        let response = match request.headers(call.headers()).send().await {
            Ok(response) => response,
            Err(error) => {
                call.end(None);
                return Err(CallError {
                    effect: if error.is_connect() { Effect::None } else { Effect::Unknown },
                    ..CallError::unknown(CallFault::Unreachable)
                });
            }
        };
        let status = response.status().as_u16();
        let retry_after =
            response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
        let body = read_answer(Body::from(response), LIMIT).await;
        let is_json = |body: &Vec<u8>| serde_json::from_slice::<IgnoredAny>(body).is_ok();
        call.end_read(status, body.as_ref().is_ok_and(|body| status >= 300 || is_json(body)));
        let body = body.map_err(|unread| CallError::unknown(unread.into()))?;
        if status == 200 || status == 201 {
            return serde_json::from_slice(&body).map_err(|_| CallError::unknown(CallFault::Protocol));
        }
        let refusal: Refusal = serde_json::from_slice(&body).unwrap_or_default();
        let refused = |error: CallError| match refusal.code.as_deref().or(refusal.error.as_deref()) {
            Some(code) => error.with_code(code),
            None => error,
        };
        Err(match status {
            // The token endpoint answers 400 to a code or refresh token that is used up, and to a client that
            // is unknown.
            400 if matches!(refusal.error.as_deref(), Some("invalid_grant" | "invalid_client")) => {
                refused(CallError::harmless(CallFault::Credentials))
            }
            401 | 403 => refused(CallError::harmless(CallFault::Credentials)),
            404 | 410 => refused(CallError::harmless(CallFault::NotFound)),
            409 => refused(CallError::harmless(CallFault::Conflict)),
            // Where it does not say how long, a minute.
            429 => CallError {
                retry_after: Some(retry_after.unwrap_or(60)),
                ..refused(CallError::harmless(CallFault::RateLimited))
            },
            400..=499 => refused(CallError::harmless(CallFault::Invalid)),
            500..=599 => refused(CallError::unknown(CallFault::Broken)),
            _ => CallError::unknown(CallFault::Protocol),
        })
    }
}
