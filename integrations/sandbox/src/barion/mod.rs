//! Barion's API and its page: start, state, capture, release and refund of payments, callbacks with their timetable.
//!
//! The test that started it, or `POST /control`, scripts faults, moves the time and acts for the person who pays
//! (`{"fault": "close_after_work"}`, `{"wait_s": 1800}`, `{"pay": "<payment id>"}`).

mod answers;
mod page;
mod payment;
mod send;
mod spelling;

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use http_body_util::{BodyExt, Limited};
use hyper::{Method, Request, body::Incoming};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use self::payment::{BOUNCE, Payment, REFUND, Row, amount};
pub use self::{
    payment::{
        ACCOUNTS, Account, OTHER_ENVIRONMENT, PAYEE, PAYEE_EUR, PAYEE_USD, POS_KEY, POS_KEY_EUR, POS_KEY_USD,
    },
    spelling::{Delivery, Spelling},
};
pub use crate::Fault;
use crate::{
    faults::{Answer, document},
    http,
};

/// What a person does on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Pay,
    /// The bank refuses the card.
    Decline,
    /// Back to the shop.
    Cancel,
    /// A bank transfer whose end is not known yet; [`Outcome::Pay`] may follow.
    Wait,
}

/// A call of the API.
struct Call<'a> {
    method: &'a Method,
    path: &'a str,
    query: &'a str,
    key: &'a str,
    host: &'a str,
}

struct State {
    payments: HashMap<String, Payment>,
    faults: VecDeque<Fault>,
    calls: Vec<String>,
    bodies: Vec<String>,
    deliveries: Vec<Delivery>,
    spelling: Spelling,
    silent: bool,
    /// The code with which the next refund is refused.
    refund_refusal: Option<&'static str>,
    /// How long a second of the timetable of callbacks is.
    second: Duration,
    /// Seconds that the clock is ahead.
    ahead: u64,
}

pub struct Barion {
    state: Mutex<State>,
}

impl Default for Barion {
    fn default() -> Self {
        Self {
            state: Mutex::new(State {
                payments: HashMap::new(),
                faults: VecDeque::new(),
                calls: Vec::new(),
                bodies: Vec::new(),
                deliveries: Vec::new(),
                spelling: Spelling::default(),
                silent: false,
                refund_refusal: None,
                second: Duration::from_secs(1),
                ahead: 0,
            }),
        }
    }
}

fn plain(id: &str) -> String {
    id.replace('-', "").to_ascii_lowercase()
}

impl Barion {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next call has this fault; several are used up one by one.
    pub fn next(&self, fault: Fault) {
        self.state().faults.push_back(fault);
    }

    /// Lets time pass: windows end.
    pub fn wait(self: &Arc<Self>, seconds: u64) {
        self.state().ahead += seconds;
        self.sweep();
    }

    /// The calls since the last time, as `METHOD path`; what browsers open does not count.
    pub fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.state().calls)
    }

    /// The bodies of the calls since the last time, as they came.
    pub fn bodies(&self) -> Vec<String> {
        std::mem::take(&mut self.state().bodies)
    }

    /// The tries to call back since the last time.
    pub fn deliveries(&self) -> Vec<Delivery> {
        std::mem::take(&mut self.state().deliveries)
    }

    /// How callbacks name the payment from now on.
    pub fn spell(&self, spelling: Spelling) {
        self.state().spelling = spelling;
    }

    /// Callbacks are not sent any more, or are again.
    pub fn silence(&self, silent: bool) {
        self.state().silent = silent;
    }

    /// How long a second of the timetable of callbacks is.
    pub fn second(&self, length: Duration) {
        self.state().second = length;
    }

    /// The payments with this id of ours.
    pub fn started(&self, request_id: &str) -> Vec<String> {
        let state = self.state();
        let ours = state.payments.iter().filter(|(_, payment)| payment.request_id == request_id);
        ours.map(|(id, _)| id.clone()).collect()
    }

    /// The callback again, as when it comes twice or late.
    pub fn call_back(self: &Arc<Self>, id: &str) {
        self.send(&plain(id));
    }

    /// Somebody acts on the page. False: the payment does not take it any more.
    pub fn act(self: &Arc<Self>, id: &str, outcome: Outcome) -> bool {
        self.sweep();
        let done = self.change(id, |payment| {
            if !payment.open() {
                return false;
            }
            match outcome {
                Outcome::Pay if payment.hold => payment.status = "Authorized".to_owned(),
                Outcome::Pay => payment.take(payment.asked),
                Outcome::Decline => payment.status = "Failed".to_owned(),
                Outcome::Cancel => payment.status = "Canceled".to_owned(),
                Outcome::Wait => payment.status = "Waiting".to_owned(),
            }
            payment.result = match outcome {
                Outcome::Pay => Some("Successful"),
                Outcome::Decline => Some("LowFunds"),
                Outcome::Cancel | Outcome::Wait => None,
            };
            true
        });
        done == Some(true)
    }

    /// Somebody pays.
    pub fn pay(self: &Arc<Self>, id: &str) -> bool {
        self.act(id, Outcome::Pay)
    }

    /// The bank refuses.
    pub fn decline(self: &Arc<Self>, id: &str) -> bool {
        self.act(id, Outcome::Decline)
    }

    /// Somebody gives up.
    pub fn cancel(self: &Arc<Self>, id: &str) -> bool {
        self.act(id, Outcome::Cancel)
    }

    /// A refund on the provider's page, which names the payment's id and no refund of ours.
    pub fn refund_on_page(self: &Arc<Self>, id: &str, amount: Decimal) -> bool {
        let done = self.change(id, |payment| {
            let left = payment.taken - payment.refunded();
            let good = payment.status == "Succeeded" && amount > Decimal::ZERO && amount <= left;
            if good {
                let pos = payment.pos_id.clone();
                payment.refund(amount, &pos, "A bolt oldalán / On the page of the shop");
            }
            good
        });
        done == Some(true)
    }

    /// The next refund is refused: the shop's wallet is suspended.
    pub fn refuse_next_refund(&self) {
        self.state().refund_refusal = Some("SuspendedUserTriedToRefund");
    }

    /// A refund did not reach the card: the one with this id, or the latest one of the payment with this id.
    pub fn bounce(self: &Arc<Self>, id: &str) -> bool {
        let id = plain(id);
        let payment = {
            let state = self.state();
            let has = |one: &Payment| one.rows.iter().any(|row| row.id == id);
            state.payments.iter().find(|(key, one)| **key == id || has(one)).map(|(key, _)| key.clone())
        };
        let Some(payment) = payment else { return false };
        let done = self.change(&payment, |payment| {
            let stands = |row: &&Row| {
                let gone = |one: &Row| one.kind == BOUNCE && one.related.as_ref() == Some(&row.id);
                row.kind == REFUND && !payment.rows.iter().any(gone)
            };
            let mut refunds = payment.rows.iter().rev().filter(stands);
            let named = refunds.clone().find(|row| row.id == id);
            let bounced = named.or_else(|| refunds.next());
            let Some((refund, total)) = bounced.map(|row| (row.id.clone(), row.total)) else { return false };
            payment.add(BOUNCE, total, refund);
            true
        });
        done == Some(true)
    }

    /// The callback of a payment as it is spelled now: its query, the type of its body, its body.
    pub fn message(&self, id: &str) -> Option<(String, &'static str, String)> {
        let state = self.state();
        let payment = state.payments.get(&plain(id))?;
        let (url, kind, body) = state.spelling.message(&payment.callback, &plain(id))?;
        Some((url::Url::parse(&url).ok()?.query().unwrap_or_default().to_owned(), kind, body))
    }

    /// Where the browser goes back to.
    pub fn back(&self, id: &str) -> Option<String> {
        self.state().payments.get(&plain(id)).map(|payment| payment.back(&plain(id)))
    }

    /// The provider says this of a payment from now on, true or not: a status, an amount, a currency.
    pub fn claim(
        &self, id: &str, status: Option<&str>, amount: Option<Decimal>, currency: Option<&str>,
    ) -> bool {
        let mut state = self.state();
        let Some(payment) = state.payments.get_mut(&plain(id)) else { return false };
        if let Some(status) = status {
            status.clone_into(&mut payment.status);
        }
        if let Some(amount) = amount {
            (payment.asked, payment.taken) = (amount, amount);
        }
        if let Some(currency) = currency {
            currency.clone_into(&mut payment.currency);
        }
        true
    }

    /// A change that is true is called back.
    fn change(self: &Arc<Self>, id: &str, change: impl FnOnce(&mut Payment) -> bool) -> Option<bool> {
        let id = plain(id);
        let done = change(self.state().payments.get_mut(&id)?);
        if done {
            self.send(&id);
        }
        Some(done)
    }

    /// Windows and holds that are over end.
    fn sweep(self: &Arc<Self>) {
        let ended: Vec<String> = {
            let mut state = self.state();
            let time = now(&state);
            let over = state.payments.iter_mut().filter(|(_, payment)| {
                let end = payment.created + payment.window_s;
                (payment.open() && end <= time)
                    || (payment.status == "Authorized" && end + payment.hold_s <= time)
            });
            over.map(|(id, payment)| {
                "Expired".clone_into(&mut payment.status);
                id.clone()
            })
            .collect()
        };
        for id in ended {
            self.send(&id);
        }
    }

    fn control(self: &Arc<Self>, body: &[u8]) -> Answer {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let text = |name: &str| body[name].as_str();
        if let Some(fault) = text("fault").and_then(Fault::parse) {
            self.next(fault);
        }
        if let Some(silent) = body["silent"].as_bool() {
            self.silence(silent);
        }
        self.wait(body["wait_s"].as_u64().unwrap_or(0));
        let acts = [
            ("pay", Outcome::Pay),
            ("decline", Outcome::Decline),
            ("cancel", Outcome::Cancel),
            ("wait", Outcome::Wait),
        ];
        let mut done = acts.iter().all(|(name, outcome)| text(name).is_none_or(|id| self.act(id, *outcome)));
        done &= text("bounce").is_none_or(|id| self.bounce(id));
        if let Some(id) = text("refund") {
            let amount = amount(&body["amount"]);
            done &= amount.is_some_and(|amount| self.refund_on_page(id, amount));
        }
        document(if done { 200 } else { 409 }, &json!({}))
    }

    /// None: the connection is closed without an answer.
    async fn serve_one(self: &Arc<Self>, request: Request<Incoming>) -> Option<Answer> {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let query = request.uri().query().unwrap_or_default().to_owned();
        let header = |name: &str| {
            request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
        };
        let (key, host) = (header("x-pos-key"), header("host"));
        let body = Limited::new(request.into_body(), 100_000).collect().await.ok()?.to_bytes();
        self.sweep();
        match (&method, path.as_str()) {
            (&Method::GET, "/Pay") => return Some(self.show(&query)),
            (&Method::POST, "/Pay") => return Some(self.press(&body)),
            (&Method::POST, "/control") => return Some(self.control(&body)),
            _ => {}
        }
        let fault = {
            let mut state = self.state();
            state.calls.push(format!("{method} {path}"));
            state.bodies.push(String::from_utf8_lossy(&body).into_owned());
            state.faults.pop_front()
        };
        let call = Call { method: &method, path: &path, query: &query, key: &key, host: &host };
        self.call(fault, &call, &body).await
    }
}

fn now(state: &State) -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()) + state.ahead
}

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, barion: Arc<Barion>) {
    let swept = barion.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            swept.sweep();
        }
    });
    let closed = || std::io::Error::other("closed");
    http::serve(listener, move |request| {
        let barion = barion.clone();
        async move { barion.serve_one(request).await.ok_or_else(closed) }
    })
    .await;
}
