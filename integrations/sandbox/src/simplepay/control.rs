//! The controls of the stand-in: functions for tests, `POST /control` for other programs.
//!
//! | member | effect |
//! |---|---|
//! | `fault` | the next call has this fault (`close_after_work`, `status_503`, …) |
//! | `code` | the next call is refused with this code; 5304 and 2019 come after the work |
//! | `wait_s` | time passes |
//! | `pay`, `decline`, `go_back`, `expire`, `check` | the guest of this order reference does so; `check` is a fraud check |
//! | `send_again` | the message about this payment is sent once more |
//! | `refund` with `amount` | money is given back on SimplePay's own page |
//! | `bounce` | the refund of this id bounces |
//! | `end_hold` | the hold ends by itself |
//!
//! `POST /control/ipn {"merchant", "url"}` registers the address of messages. `GET /control/transactions` lists
//! payments and messages.

use serde_json::{Value, json};

use super::{Account, Book, Delivery, Fault, SimplePay, Transaction, notify};
use crate::faults::{Answer, document};

impl SimplePay {
    /// The next call has this fault; several are used up one by one.
    pub fn next(&self, fault: Fault) {
        self.state().faults.push_back(fault);
    }

    /// The next call of this kind has it: `query`, `refund`, `finish`.
    pub fn next_at(&self, kind: &'static str, fault: Fault) {
        self.state().faults_at.push((kind, fault));
    }

    /// Faults that no call has met are forgotten.
    pub fn forget_faults(&self) {
        self.state().faults.clear();
    }

    /// A guest sends the form of the page with this secret: `outcome=paid`.
    pub fn send_form(&self, token: &str, form: &str) {
        self.chosen(token, form.as_bytes());
    }

    /// The next call is refused with this code.
    pub fn next_code(&self, code: u32) {
        self.state().codes.push_back(code);
    }

    /// The next refund is refused: its deadline is over.
    pub fn refuse_next_refund(&self) {
        self.state().refuse_refund = true;
    }

    /// Lets time pass.
    pub fn wait(&self, seconds: u64) {
        self.state().ahead += seconds;
    }

    /// The calls since the last time, as `METHOD path`; the pages of browsers do not count.
    pub fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.state().calls)
    }

    /// The body of the last call.
    pub fn last_body(&self) -> Value {
        self.state().last.clone()
    }

    /// Registers where a merchant gets messages.
    pub fn set_ipn(&self, merchant: &str, url: &str) {
        let mut state = self.state();
        state.addresses.insert(merchant.to_owned(), url.to_owned());
        if let Some(file) = &self.file {
            // Without it the address is forgotten with the process, and payments are found by asking.
            let _ = std::fs::write(file, json!(state.addresses).to_string());
        }
    }

    /// All messages with their outcome.
    pub fn deliveries(&self) -> Vec<Delivery> {
        self.state().deliveries.clone()
    }

    /// What has been paid and given back, of all payments.
    pub fn books(&self) -> Vec<Book> {
        let mut state = self.state();
        state.sweep();
        let of = |one: &Transaction| {
            let is_paid = matches!(one.status.as_str(), "FINISHED" | "REFUND");
            let taken = if is_paid { one.taken / 100 } else { 0 };
            let back = if is_paid { taken - one.remaining() / 100 } else { 0 };
            Book { order_ref: one.order_ref.clone(), taken, back }
        };
        state.transactions.iter().map(of).collect()
    }

    /// Moves an open payment (by order reference or id), or one under a fraud check, to this state.
    fn act(&self, name: &str, status: &str, code: u32) -> bool {
        let mut state = self.state();
        state.sweep();
        let found = state.find(name).filter(|one| one.is_open() || one.status == "INFRAUD");
        let Some((id, two_step)) = found.map(|one| (one.id, one.two_step)) else { return false };
        let status = if status == "FINISHED" && two_step { "AUTHORIZED" } else { status };
        state.set(id, status, code);
        true
    }

    /// The guest pays.
    pub fn pay(&self, name: &str) -> bool {
        self.act(name, "FINISHED", 0)
    }

    /// The bank refuses, with this code.
    pub fn decline(&self, name: &str, code: u32) -> bool {
        self.act(name, "NOTAUTHORIZED", code)
    }

    /// The guest goes back.
    pub fn go_back(&self, name: &str) -> bool {
        self.act(name, "CANCELLED", 2016)
    }

    /// The guest is too late.
    pub fn expire(&self, name: &str) -> bool {
        self.act(name, "TIMEOUT", 0)
    }

    /// The payment is under a fraud check, until it is paid or declined.
    pub fn hold_for_check(&self, name: &str) -> bool {
        self.act(name, "INFRAUD", 0)
    }

    /// A hold ends by itself.
    pub fn end_hold(&self, name: &str) -> bool {
        let mut state = self.state();
        let Some(id) = state.find(name).filter(|one| one.status == "AUTHORIZED").map(|one| one.id) else {
            return false;
        };
        state.set(id, "REVERSED", 0);
        true
    }

    /// A state that is not documented; no message is sent.
    pub fn set_status(&self, name: &str, status: &str) {
        if let Some(one) = self.state().find(name) {
            status.clone_into(&mut one.status);
        }
    }

    /// Another total than the one that was asked for, in hundredths.
    pub fn set_total(&self, name: &str, hundredths: i64) {
        if let Some(one) = self.state().find(name) {
            (one.total, one.taken) = (hundredths, hundredths);
        }
    }

    /// This sum (in hundredths) is given back on SimplePay's own page.
    pub fn refund_by_hand(&self, name: &str, hundredths: i64) -> bool {
        let mut state = self.state();
        let id = state.id();
        state.find(name).is_some_and(|one| one.give_back(id, hundredths).is_ok())
    }

    /// A refund bounces.
    pub fn bounce(&self, refund: &str) -> bool {
        let mut state = self.state();
        for one in &mut state.transactions {
            if let Some(row) = one.refunds.iter_mut().find(|row| row.id.to_string() == refund) {
                row.bounced = true;
                "FINISHED".clone_into(&mut one.status);
                return true;
            }
        }
        false
    }

    /// The bytes and the signature of the message about a payment, with another status if one is given.
    pub fn message(&self, name: &str, status: Option<&str>) -> Option<(Vec<u8>, String)> {
        let mut state = self.state();
        let id = state.find(name)?.id;
        state.message(id, status)
    }

    /// Sends a message about a payment: with another status, or wrongly signed, as a test wants it.
    pub fn send(&self, name: &str, status: Option<&str>, is_signed: bool) -> bool {
        let mut state = self.state();
        let Some(id) = state.find(name).map(|one| one.id) else { return false };
        state.tell(id, status, is_signed);
        true
    }

    /// Whether this is the answer that a message waits for. Errors: a sentence about its fault.
    pub fn judge(
        &self, merchant: &str, sent: &[u8], kind: &str, signature: &str, answer: &[u8],
    ) -> Result<(), String> {
        let account = Account::of(merchant).ok_or("there is no such merchant")?;
        notify::judge(account, sent, kind, signature, answer)
    }

    /// The query with which the browser comes back.
    pub fn return_query(&self, name: &str) -> Option<String> {
        let mut state = self.state();
        url::Url::parse(&state.find(name)?.back()?).ok()?.query().map(str::to_owned)
    }

    pub(super) fn control(&self, body: &[u8]) -> Answer {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let said = |name: &str| body[name].as_str();
        if let Some(fault) = said("fault").and_then(Fault::parse) {
            self.next(fault);
        }
        let code = body["code"].as_u64().and_then(|code| u32::try_from(code).ok());
        if let Some(code) = code.filter(|_| said("decline").is_none()) {
            self.next_code(code);
        }
        self.wait(body["wait_s"].as_u64().unwrap_or(0));
        let amount = body["amount"].as_i64().unwrap_or(0) * 100;
        let done = [
            said("pay").map(|name| self.pay(name)),
            said("decline").map(|name| self.decline(name, code.unwrap_or(2013))),
            said("go_back").map(|name| self.go_back(name)),
            said("expire").map(|name| self.expire(name)),
            said("check").map(|name| self.hold_for_check(name)),
            said("send_again").map(|name| self.send(name, None, true)),
            said("refund").map(|name| self.refund_by_hand(name, amount)),
            said("bounce").map(|name| self.bounce(name)),
            said("end_hold").map(|name| self.end_hold(name)),
        ];
        let is_done = done.iter().flatten().all(|done| *done);
        document(if is_done { 200 } else { 409 }, &json!({}))
    }

    pub(super) fn register(&self, body: &[u8]) -> Answer {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        match (body["merchant"].as_str(), body["url"].as_str()) {
            (Some(merchant), Some(url)) if Account::of(merchant).is_some() => {
                self.set_ipn(merchant, url);
                document(200, &json!({}))
            }
            _ => document(400, &json!({})),
        }
    }

    pub(super) fn listed(&self) -> Answer {
        let mut state = self.state();
        state.sweep();
        let payments = state.transactions.iter().map(|one| {
            json!({"merchant": one.account.merchant, "orderRef": one.order_ref, "transactionId": one.id,
                "status": one.status, "total": one.account.number(one.total),
                "remainingTotal": one.account.number(one.remaining()), "page": format!("{}/pay/{}", self.base, one.token)})
        });
        let messages = state.deliveries.iter().map(|one| {
            json!({"orderRef": one.order_ref, "status": one.status, "tries": one.tries,
                "answered": one.is_answered, "fault": one.fault})
        });
        let (payments, messages): (Vec<_>, Vec<_>) = (payments.collect(), messages.collect());
        document(200, &json!({"transactions": payments, "messages": messages}))
    }
}
