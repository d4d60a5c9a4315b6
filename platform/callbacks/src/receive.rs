//! A message comes in: token, account, signature, kept once, answered.

use access::{digest, raw::RawCall};
use contract::{Environment, NotSigned, Proof, RawMessage};
use kernel::{Code, Problem, Result, clock};
use poem::Response;
use serde_json::json;
use telemetry::measures;
use tenants::{Entry, Facts, Refusal};

use crate::{address::PREFIX, receiver::Receiver, store};

pub(crate) async fn receive(call: RawCall, receiver: &'static dyn Receiver) -> Result<Response> {
    let RawCall { app, plugins, variables, query, headers, body } = call;
    // A stranger does not learn what a guess lacks.
    let gone = || Problem::new(Code::NOT_FOUND);
    let token = variables.get("token").filter(|token| token.starts_with(PREFIX)).ok_or_else(gone)?;
    let (tx, facts) = match app.door.begin(&Entry::Callback { hash: digest(token) }).await? {
        Ok((tx, Facts::Callback(facts))) => (tx, facts),
        Err(Refusal::Maintenance) => {
            return Err(Problem::new(Code::PARTNER_IN_MAINTENANCE).retry_after(5));
        }
        _ => return Err(gone()),
    };
    if variables.get("provider") != Some(&facts.provider) {
        return Err(gone());
    }
    let mut plugins = plugins.callbacks(Environment::of_mode(&facts.mode));
    let plugin = plugins.find(|(provider, _)| *provider == facts.provider).ok_or_else(gone)?.1;
    let secret = receiver.secret(&app, &tx, facts.account).await?.ok_or_else(gone)?;
    let text = |value: &poem::http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
    let message = RawMessage { headers, query, body };
    let now = clock::now();
    let is_signed = match plugin.proof(&secret, &message, now.into()) {
        Ok(proof) => proof == Proof::Signed,
        Err(NotSigned) => {
            measures::callback_refused(&facts.provider);
            return Err(Problem::new(Code::BAD_REQUEST).detail("the signature does not fit"));
        }
    };
    if let Some(id) = store::keep(&tx, &facts, &message, is_signed, now).await? {
        let args = json!({"callback_id": id});
        work::enqueue(&tx, receiver.job_kind(), Some(&id.to_string()), args, None).await?;
    }
    tx.commit().await?;
    let answer = plugin.answer(&secret, &message, now.into());
    let response = answer
        .headers
        .iter()
        .fold(Response::builder(), |response, (name, value)| response.header(name.as_str(), value.as_str()));
    Ok(response.body(answer.body))
}
