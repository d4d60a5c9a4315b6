//! Calls with a token, and failures by their possible effect.

use std::time::Duration;

use client::{Answer, Client};
use contract::{CallError, CallFault, Secret};
use reqwest::Method;
use serde::{Deserialize, de::DeserializeOwned};
use url::Url;

const CONNECT: Duration = Duration::from_secs(2);

/// Teya's errors: of the API (`code`), and of the token endpoint in the form of OAuth (`error`).
#[derive(Default, Deserialize)]
struct Refusal {
    code: Option<String>,
    error: Option<String>,
}

pub(crate) struct Http(Client);

/// The body of the request.
pub(crate) enum Content {
    Nothing,
    Form(String),
    Json(Vec<u8>),
}

impl Http {
    pub(crate) fn new(patience: Duration) -> Result<Self, String> {
        Client::new(CONNECT, patience).map(Self)
    }

    /// Sends one call, once.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self, method: Method, url: Url, token: Option<&Secret>, content: Content,
    ) -> Result<T, CallError> {
        let mut request = self.0.request(method, url);
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
        let answer = self.0.send(request, Answer::is_json).await?;
        let (status, rate_limited) = (answer.status, answer.rate_limited());
        let body = answer.body?;
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
            429 => refused(rate_limited),
            400..=499 => refused(CallError::harmless(CallFault::Invalid)),
            500..=599 => refused(CallError::unknown(CallFault::Broken)),
            _ => CallError::unknown(CallFault::Protocol),
        })
    }
}
