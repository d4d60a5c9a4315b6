//! SimplePay v2: payments on a page, queries, refunds, holds, and messages (IPN) to the address that a merchant has
//! registered. It makes the checks of SimplePay, so a wrong client fails here.
//!
//! A test that started it calls its functions; `POST /control` does the same for programs outside, see `control.rs`.

mod api;
mod control;
mod notify;
mod page;

use std::{
    collections::{HashMap, VecDeque},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use aws_lc_rs::hmac;
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::DateTime;
use http_body_util::{BodyExt, Limited};
use hyper::{Method, Request, body::Incoming, header};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use url::Url;

pub use crate::Fault;
use crate::{
    faults::{Answer, answer, document, spoiled},
    http,
};

/// A merchant's account: one currency, one key.
#[derive(Debug, Clone, Copy)]
pub struct Account {
    pub merchant: &'static str,
    pub secret: &'static str,
    pub currency: &'static str,
    /// For SZÉP cards; without two steps.
    pub szep: bool,
}

/// All accounts. One secret was copied with a blank at its end.
pub const ACCOUNTS: [Account; 3] = [
    Account { merchant: "PULTHUF", secret: "StandInKeyHuf0123456789abcdefghi", currency: "HUF", szep: false },
    Account { merchant: "PULTSZEP", secret: "StandInKeySzep123456789abcdefghi", currency: "HUF", szep: true },
    Account {
        merchant: "PULTEUR",
        secret: "StandInKeyEur0123456789abcdefghi ",
        currency: "EUR",
        szep: false,
    },
];

impl Account {
    fn of(merchant: &str) -> Option<&'static Self> {
        ACCOUNTS.iter().find(|one| one.merchant == merchant)
    }

    fn key(&self) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA384, self.secret.trim().as_bytes())
    }

    /// The signature of these bytes.
    #[must_use]
    pub fn sign(&self, bytes: &[u8]) -> String {
        STANDARD.encode(hmac::sign(&self.key(), bytes))
    }

    fn is_signed(&self, bytes: &[u8], signature: &str) -> bool {
        STANDARD.decode(signature).is_ok_and(|signature| hmac::verify(&self.key(), bytes, &signature).is_ok())
    }

    /// An id is a number for some accounts and a text for others: both are seen.
    fn id(&self, id: u64) -> Value {
        if self.currency == "HUF" { json!(id) } else { json!(id.to_string()) }
    }

    /// Hundredths as a JSON number.
    fn number(&self, amount: i64) -> Value {
        if self.currency == "HUF" {
            return json!(amount / 100);
        }
        serde_json::from_str(self.digits(amount).trim_end_matches('0').trim_end_matches('.'))
            .unwrap_or_default()
    }

    /// Hundredths in the currency's digits.
    fn digits(&self, amount: i64) -> String {
        let (whole, part) = (amount / 100, amount % 100);
        if self.currency == "HUF" { whole.to_string() } else { format!("{whole}.{part:02}") }
    }

    /// Hundredths of a text with exactly the currency's digits.
    fn read(&self, value: &Value) -> Option<i64> {
        let text = value.as_str()?;
        let (whole, part) = if self.currency == "HUF" { (text, "00") } else { text.split_once('.')? };
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let sound = !whole.is_empty() && whole.len() < 12 && digits(whole) && part.len() == 2 && digits(part);
        if sound { format!("{whole}{part}").parse().ok() } else { None }
    }
}

struct Refund {
    id: u64,
    amount: i64,
    bounced: bool,
}

struct Transaction {
    id: u64,
    /// The secret part of the page's address.
    token: String,
    account: &'static Account,
    order_ref: String,
    total: i64,
    /// The part of it that was taken.
    taken: i64,
    status: String,
    /// Why it was refused.
    code: u32,
    two_step: bool,
    hungarian: bool,
    /// The bank is slow, and the page says so.
    is_slow: bool,
    url: String,
    begun: u64,
    ends: u64,
    finished: Option<u64>,
    refunds: Vec<Refund>,
}

impl Transaction {
    fn remaining(&self) -> i64 {
        let back: i64 = self.refunds.iter().filter(|one| !one.bounced).map(|one| one.amount).sum();
        if matches!(self.status.as_str(), "FINISHED" | "REFUND") { self.taken - back } else { self.total }
    }

    fn is_open(&self) -> bool {
        matches!(self.status.as_str(), "INIT" | "INPAYMENT")
    }

    fn event(&self) -> &'static str {
        match self.status.as_str() {
            "FINISHED" | "AUTHORIZED" | "INFRAUD" | "REFUND" => "SUCCESS",
            "CANCELLED" => "CANCEL",
            "TIMEOUT" => "TIMEOUT",
            _ => "FAIL",
        }
    }

    /// The address to which the page leads, with `r` and `s`.
    fn back(&self) -> Option<String> {
        let said = json!({"r": self.code, "t": self.account.id(self.id), "e": self.event(),
            "m": self.account.merchant, "o": self.order_ref})
        .to_string();
        let mut back = Url::parse(&self.url).ok()?;
        back.query_pairs_mut()
            .append_pair("r", &STANDARD.encode(&said))
            .append_pair("s", &self.account.sign(said.as_bytes()));
        Some(back.into())
    }
}

/// A message that waits to be sent.
struct Due {
    at: Instant,
    url: String,
    account: &'static Account,
    body: Vec<u8>,
    signature: String,
    /// Its place in the list of deliveries.
    delivery: usize,
}

/// A message with its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub order_ref: String,
    pub status: String,
    pub tries: u32,
    /// The answer was as it should be.
    pub is_answered: bool,
    /// Why the last try failed.
    pub fault: Option<String>,
}

/// A payment as it stands in the books, in whole units of its currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    pub order_ref: String,
    pub taken: i64,
    pub back: i64,
}

#[derive(Default)]
struct State {
    transactions: Vec<Transaction>,
    /// The registered address of messages, by merchant.
    addresses: HashMap<String, String>,
    due: VecDeque<Due>,
    deliveries: Vec<Delivery>,
    faults: VecDeque<Fault>,
    /// Those of the next call of one kind: `refund`.
    faults_at: Vec<(&'static str, Fault)>,
    codes: VecDeque<u32>,
    calls: Vec<String>,
    last: Value,
    refuse_refund: bool,
    /// Seconds that the clock is ahead.
    ahead: u64,
    ids: u64,
}

impl State {
    fn now(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()) + self.ahead
    }

    fn id(&mut self) -> u64 {
        self.ids += 1;
        509_000_000 + self.ids
    }

    fn of_token(&mut self, token: &str) -> Option<&mut Transaction> {
        self.transactions.iter_mut().find(|one| one.token == token)
    }

    /// By the order reference, or by the id.
    fn find(&mut self, name: &str) -> Option<&mut Transaction> {
        self.transactions.iter_mut().find(|one| one.order_ref == name || one.id.to_string() == name)
    }

    /// Sets a state, and tells the merchant if it is an end or a hold.
    fn set(&mut self, id: u64, status: &str, code: u32) {
        let now = self.now();
        let Some(one) = self.transactions.iter_mut().find(|one| one.id == id) else { return };
        (one.status, one.code) = (status.to_owned(), code);
        if status == "FINISHED" {
            (one.finished, one.taken) = (Some(now), if one.taken == 0 { one.total } else { one.taken });
        }
        if !matches!(status, "INIT" | "INPAYMENT" | "INFRAUD") {
            self.tell(id, None, true);
        }
    }

    /// Ends payments that are too late.
    fn sweep(&mut self) {
        let now = self.now();
        let late = self.transactions.iter().filter(|one| one.is_open() && one.ends <= now);
        for id in late.map(|one| one.id).collect::<Vec<_>>() {
            self.set(id, "TIMEOUT", 0);
        }
    }
}

pub struct SimplePay {
    /// Where its page is.
    base: String,
    state: Mutex<State>,
    /// Where registered addresses are kept.
    file: Option<PathBuf>,
}

fn random(count: usize) -> String {
    let mut bytes = vec![0_u8; count];
    // Without chance there is nothing to stand in for.
    if aws_lc_rs::rand::fill(&mut bytes).is_err() {
        std::process::abort();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn iso(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    time.map_or_else(String::new, |time| time.format("%Y-%m-%dT%H:%M:%S+00:00").to_string())
}

impl SimplePay {
    /// One whose page is below this address, as `http://127.0.0.1:9000`.
    #[must_use]
    pub fn new(base: impl Into<String>) -> Self {
        Self { base: base.into().trim_end_matches('/').to_owned(), state: Mutex::default(), file: None }
    }

    /// One that keeps registered addresses in this file: what a merchant has typed in once stays. Payments are forgotten.
    #[must_use]
    pub fn remembering(mut self, file: PathBuf) -> Self {
        let kept = std::fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        self.state().addresses = kept.unwrap_or_default();
        self.file = Some(file);
        self
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lead(to: Option<String>) -> Answer {
        let Some(place) = to.and_then(|to| to.parse().ok()) else {
            return answer(404, "text/plain", String::new());
        };
        let mut response = answer(303, "text/plain", String::new());
        response.headers_mut().insert(header::LOCATION, place);
        response
    }

    /// None: the connection is closed without an answer.
    async fn serve_one(&self, request: Request<Incoming>) -> Option<Answer> {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let signature = request.headers().get("signature").and_then(|value| value.to_str().ok());
        let signature = signature.unwrap_or_default().trim().to_owned();
        let body = Limited::new(request.into_body(), 100_000).collect().await.ok()?.to_bytes();
        let segments: Vec<_> = path.split('/').skip(1).collect();
        let action = match (&method, segments.as_slice()) {
            (&Method::GET, ["pay", token]) => return Some(self.page(token)),
            (&Method::POST, ["pay", token]) => return Some(self.chosen(token, &body)),
            (&Method::GET, ["control", "transactions"]) => return Some(self.listed()),
            (&Method::POST, ["control"]) => return Some(self.control(&body)),
            (&Method::POST, ["control", "ipn"]) => return Some(self.register(&body)),
            (&Method::POST, ["payment", "v2", action]) => *action,
            _ => return Some(answer(404, "text/plain", String::new())),
        };
        let (fault, code) = {
            let mut state = self.state();
            state.calls.push(format!("{method} {path}"));
            let at = state.faults_at.iter().position(|(kind, _)| *kind == action);
            let fault = match at {
                Some(at) => Some(state.faults_at.remove(at).1),
                None => state.faults.pop_front(),
            };
            (fault, state.codes.pop_front())
        };
        let work = || {
            let (said, account) = self.api(action, &signature, &body, code);
            let text = said.to_string();
            let signature = match account {
                Some(_) if fault == Some(Fault::WrongSignature) => Some(STANDARD.encode([0; 48])),
                Some(account) => Some(account.sign(text.as_bytes())),
                None => None,
            };
            let mut done = answer(200, "application/json", text);
            if let Some(signature) = signature.and_then(|signature| signature.parse().ok()) {
                done.headers_mut().insert("signature", signature);
            }
            done
        };
        spoiled(fault, |status| document(status, &json!({})), work).await
    }
}

/// Serves, and sends messages, until the program ends.
pub async fn serve(listener: TcpListener, simplepay: Arc<SimplePay>) {
    tokio::spawn(simplepay.clone().send_messages());
    let closed = || std::io::Error::other("closed");
    http::serve(listener, move |request| {
        let simplepay = simplepay.clone();
        async move { simplepay.serve_one(request).await.ok_or_else(closed) }
    })
    .await;
}
