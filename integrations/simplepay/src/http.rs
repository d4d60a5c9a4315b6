//! The client of all calls. It signs requests, reads only signed answers, and tells failures by their effect.

use std::time::Duration;

use contract::{Call, CallError, CallFault, Effect, Merchant, read_answer};
use rand::Rng;
use reqwest::{Body, redirect::Policy};
use serde_json::{Map, Value};
use url::Url;

use crate::{
    refusal,
    sign::{is_signed, sign},
};

/// The most bytes of an answer that are read.
const LIMIT: usize = 1_000_000;
const CONNECT: Duration = Duration::from_secs(5);

/// The calls of SimplePay.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Start,
    Query,
    Refund,
    Finish,
}

impl Action {
    const fn path(self) -> &'static str {
        match self {
            Self::Start => "payment/v2/start",
            Self::Query => "payment/v2/query",
            Self::Refund => "payment/v2/refund",
            Self::Finish => "payment/v2/finish",
        }
    }

    pub(crate) const fn moves_money(self) -> bool {
        matches!(self, Self::Refund | Self::Finish)
    }
}

pub(crate) struct Http {
    client: reqwest::Client,
    base: Url,
}

/// 32 characters by chance.
pub(crate) fn salt() -> String {
    rand::rng().sample_iter(rand::distr::Alphanumeric).take(32).map(char::from).collect()
}

impl Http {
    pub(crate) fn new(base: Url, patience: Duration) -> Result<Self, String> {
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(CONNECT.min(patience))
            .timeout(patience)
            .pool_max_idle_per_host(4)
            .build()
            .map_err(|error| format!("no HTTP client can be made: {error}"))?;
        Ok(Self { client, base })
    }

    /// Whether pages of this host are open without TLS: only those of a stand-in.
    pub(crate) fn is_plain(&self) -> bool {
        self.base.scheme() == "http"
    }

    /// Sends one call, once.
    pub(crate) async fn call(
        &self, action: Action, merchant: &Merchant, mut fields: Map<String, Value>,
    ) -> Result<Map<String, Value>, CallError> {
        let url = self.base.join(action.path()).map_err(|_| CallError::harmless(CallFault::Invalid))?;
        fields.insert("salt".to_owned(), salt().into());
        fields.insert("merchant".to_owned(), merchant.name.clone().into());
        fields.insert("sdkVersion".to_owned(), "Pult/1".into());
        // The signature is of exactly the bytes that are sent.
        let body = Value::Object(fields).to_string().into_bytes();
        let call = Call::begin("POST", self.base.host_str().unwrap_or_default().to_owned());
        let sent = self
            .client
            .post(url)
            .header("content-type", "application/json")
            .header("accept", "application/json")
            .header("signature", sign(&merchant.secret, &body))
            .headers(call.headers())
            .body(body)
            .send()
            .await;
        // The library's message may contain the address, so only the kind of the error is used.
        let response = match sent {
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
        let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
        let (signature, retry_after) = (header("signature").unwrap_or_default(), header("retry-after"));
        let body = read_answer(Body::from(response), LIMIT).await;
        let signed = body.as_ref().is_ok_and(|body| is_signed(&merchant.secret, body, &signature));
        call.end_read(status, signed || body.is_ok() && status >= 300);
        let body = body.map_err(|unread| CallError::unknown(unread.into()))?;
        if !signed {
            return Err(refusal::unsigned(action, status, retry_after.as_deref(), &body));
        }
        let Ok(Value::Object(answer)) = serde_json::from_slice(&body) else {
            return Err(CallError::unknown(CallFault::Protocol));
        };
        if let Some(error) = refusal::of_codes(action, &answer) {
            return Err(error);
        }
        match status {
            200 if answer.get("merchant").and_then(Value::as_str) == Some(&merchant.name) => Ok(answer),
            _ => Err(refusal::unsigned(action, status, retry_after.as_deref(), b"")),
        }
    }
}
