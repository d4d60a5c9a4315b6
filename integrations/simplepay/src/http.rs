//! Signed calls with signed answers, and failures by their possible effect.

use std::time::Duration;

use client::{Answer, Client};
use contract::{CallError, CallFault, Merchant};
use rand::Rng;
use reqwest::Method;
use serde_json::{Map, Value};
use url::Url;

use crate::{
    action::Action,
    refusal,
    sign::{is_signed, sign},
};

const CONNECT: Duration = Duration::from_secs(5);

pub(crate) struct Http {
    client: Client,
    base: Url,
}

/// 32 characters by chance.
pub(crate) fn salt() -> String {
    rand::rng().sample_iter(rand::distr::Alphanumeric).take(32).map(char::from).collect()
}

impl Http {
    pub(crate) fn new(base: Url, patience: Duration) -> Result<Self, String> {
        Ok(Self { client: Client::new(CONNECT, patience)?, base })
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
        let request = self.client.request(Method::POST, url).header("content-type", "application/json");
        let request = request.header("signature", sign(&merchant.secret, &body)).body(body);
        let is_answer_signed = |answer: &Answer| {
            let signature = answer.header("signature").unwrap_or_default();
            answer.body.as_ref().is_ok_and(|body| is_signed(&merchant.secret, body, signature))
        };
        let is_sound =
            |answer: &Answer| is_answer_signed(answer) || answer.body.is_ok() && answer.status >= 300;
        let answer = self.client.send(request, is_sound).await?;
        let is_signed = is_answer_signed(&answer);
        let (status, rate_limited) = (answer.status, answer.rate_limited());
        let body = answer.body?;
        if !is_signed {
            return Err(refusal::unsigned(action, status, rate_limited, &body));
        }
        let Ok(Value::Object(answer)) = serde_json::from_slice(&body) else {
            return Err(CallError::unknown(CallFault::Protocol));
        };
        if let Some(error) = refusal::of_codes(action, &answer) {
            return Err(error);
        }
        match status {
            200 if answer.get("merchant").and_then(Value::as_str) == Some(&merchant.name) => Ok(answer),
            _ => Err(refusal::unsigned(action, status, rate_limited, b"")),
        }
    }
}
