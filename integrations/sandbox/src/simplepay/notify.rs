//! Messages to the address that a merchant has registered, until they are answered as they should be.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::DateTime;
use serde_json::{Value, json};

use super::{Account, Delivery, Due, SimplePay, State, iso, random};

/// Seconds between the tries; then it gives up. The true schedule is not known.
const PAUSES_S: [u64; 10] = [1, 2, 4, 8, 15, 30, 60, 60, 60, 60];

impl State {
    /// The bytes and the signature of the message about a payment.
    pub(super) fn message(&mut self, id: u64, status: Option<&str>) -> Option<(Vec<u8>, String)> {
        let now = self.now();
        let one = self.transactions.iter().find(|one| one.id == id)?;
        let said = json!({"salt": random(16), "orderRef": one.order_ref, "method": "CARD",
            "merchant": one.account.merchant, "finishDate": iso(one.finished.unwrap_or(now)),
            "paymentDate": iso(one.begun), "transactionId": one.account.id(one.id),
            "status": status.unwrap_or(&one.status)});
        let body = said.to_string().into_bytes();
        let signature = one.account.sign(&body);
        Some((body, signature))
    }

    /// Has a message sent, if the merchant has registered an address.
    pub(super) fn tell(&mut self, id: u64, status: Option<&str>, is_signed: bool) {
        let Some((body, signature)) = self.message(id, status) else { return };
        let Some(one) = self.transactions.iter().find(|one| one.id == id) else { return };
        let Some(url) = self.addresses.get(one.account.merchant).cloned() else { return };
        let delivery = Delivery {
            order_ref: one.order_ref.clone(),
            status: status.unwrap_or(&one.status).to_owned(),
            tries: 0,
            is_answered: false,
            fault: None,
        };
        let signature = if is_signed { signature } else { one.account.sign(b"another") };
        let place = self.deliveries.len();
        self.due.push_back(Due {
            at: Instant::now(),
            url,
            account: one.account,
            body,
            signature,
            delivery: place,
        });
        self.deliveries.push(delivery);
    }
}

/// Whether this is the answer that was waited for: the message with `receiveDate` as its last member, signed.
pub(super) fn judge(
    account: &Account, sent: &[u8], kind: &str, signature: &str, answer: &[u8],
) -> Result<(), String> {
    if !kind.starts_with("application/json") {
        return Err(format!("the content type is {kind}"));
    }
    if !account.is_signed(answer, signature.trim()) {
        return Err("the signature is wrong".to_owned());
    }
    let read = |bytes: &[u8]| match serde_json::from_slice(bytes) {
        Ok(Value::Object(fields)) => Ok(fields),
        _ => Err("the answer is no JSON object".to_owned()),
    };
    let mut fields = read(answer)?;
    let date = fields.remove("receiveDate").ok_or("receiveDate is missing")?;
    if date.as_str().is_none_or(|date| DateTime::parse_from_rfc3339(date).is_err()) {
        return Err("receiveDate is no time".to_owned());
    }
    let kept = sent.strip_suffix(b"}").unwrap_or(sent);
    if fields == read(sent)? && answer.starts_with(kept) {
        Ok(())
    } else {
        Err("the message was changed".to_owned())
    }
}

/// Sends one message, once.
fn post(due: &Due) -> Result<(), String> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(10)))
        .http_status_as_error(false)
        .max_redirects(0)
        .build()
        .into();
    let mut answer = agent
        .post(&due.url)
        .header("content-type", "application/json")
        .header("signature", &due.signature)
        .send(&due.body[..])
        .map_err(|error| error.to_string())?;
    if answer.status() != 200 {
        return Err(format!("the status is {}", answer.status().as_u16()));
    }
    let header =
        |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (kind, signature) = (header("content-type").to_owned(), header("signature").to_owned());
    let body =
        answer.body_mut().with_config().limit(100_000).read_to_vec().map_err(|error| error.to_string())?;
    judge(due.account, &due.body, &kind, &signature, &body)
}

impl SimplePay {
    /// Sends the messages that are due, until the program ends.
    pub(super) async fn send_messages(self: Arc<Self>) {
        loop {
            let due: VecDeque<Due> = {
                let mut state = self.state();
                state.sweep();
                let now = Instant::now();
                let (ready, later) = state.due.drain(..).partition(|one: &Due| one.at <= now);
                state.due = later;
                ready
            };
            for mut one in due {
                let simplepay = self.clone();
                tokio::task::spawn_blocking(move || {
                    let outcome = post(&one);
                    let mut state = simplepay.state();
                    let Some(delivery) = state.deliveries.get_mut(one.delivery) else { return };
                    delivery.tries += 1;
                    delivery.is_answered = outcome.is_ok();
                    delivery.fault = outcome.err();
                    let pause = PAUSES_S.get(delivery.tries as usize - 1).filter(|_| !delivery.is_answered);
                    if let Some(pause) = pause {
                        one.at = Instant::now() + Duration::from_secs(*pause);
                        state.due.push_back(one);
                    }
                });
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
