//! Barion: payments on its page. See `docs/decisions/payments.md`.

mod hint;
mod http;
mod money;
mod state;

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use contract::{
    CallError, CallFault, Callback, Merchant, NotSigned, Notice, OnlineAbilities, OnlinePayment,
    PageLanguage, PaymentRef, Proof, RawAnswer, RawMessage, RefundOrder, ReturnHint, Secret, SeenRefund,
    SeenState, Snapshot, StartPayment, StartedPayment,
};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;

use crate::{hint::guid, http::Http, money::Amount, state::PaymentState};

/// Establishing a connection takes at most this long.
pub const CONNECT: Duration = Duration::from_secs(5);
/// A whole call takes at most this long.
pub const PATIENCE: Duration = Duration::from_secs(30);
const MINUTE: u64 = 60;
const DAY: u64 = 86_400;
const WEEK: u64 = 7 * DAY;

#[derive(Debug)]
pub struct Barion {
    api: Url,
    /// The page, where an answer does not have its address.
    page: Url,
    http: Http,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Started {
    payment_id: String,
    #[serde(default)]
    payment_request_id: Option<String>,
    #[serde(default)]
    gateway_url: Option<String>,
}

/// The answer to a capture and to a release.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Finished {
    payment_id: String,
    #[serde(default)]
    is_successful: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Refunded {
    refunded_transactions: Vec<RefundedTransaction>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RefundedTransaction {
    transaction_id: String,
    total: Amount,
    #[serde(default)]
    status: Option<Value>,
}

impl Barion {
    /// Where money is real.
    pub fn live() -> Result<Self, String> {
        Self::at("https://api.barion.com/", "https://secure.barion.com/Pay")
    }

    /// Barion's own environment for tests. It has keys of its own.
    pub fn test_host() -> Result<Self, String> {
        Self::at("https://api.test.barion.com/", "https://secure.test.barion.com/Pay")
    }

    /// A stand-in, which has API and page at one address.
    pub fn stand_in(base: Url) -> Result<Self, String> {
        let page = below(&base, &["Pay"]).ok_or_else(|| format!("{base} cannot have paths"))?;
        Ok(Self { api: base, page, http: Http::new(CONNECT, PATIENCE)? })
    }

    /// With other limits of time.
    pub fn with_patience(self, connect: Duration, patience: Duration) -> Result<Self, String> {
        Ok(Self { http: Http::new(connect, patience)?, ..self })
    }

    fn at(api: &str, page: &str) -> Result<Self, String> {
        let read = |text: &str| Url::parse(text).map_err(|error| format!("{text}: {error}"));
        Ok(Self { api: read(api)?, page: read(page)?, http: Http::new(CONNECT, PATIENCE)? })
    }

    fn url(&self, segments: &[&str]) -> Result<Url, CallError> {
        below(&self.api, segments).ok_or_else(invalid)
    }

    async fn state(&self, merchant: &Merchant, id: &str) -> Result<Snapshot, CallError> {
        let url = self.url(&["v4", "payment", id, "paymentstate"])?;
        let state: PaymentState = self.http.get(url, &merchant.secret).await?;
        state.snapshot(id).ok_or_else(unreadable)
    }

    /// Where the guest pays.
    fn page(&self, id: &str, told: Option<&str>) -> Option<Url> {
        let Some(told) = told.filter(|text| !text.trim().is_empty()) else {
            let mut page = self.page.clone();
            page.query_pairs_mut().append_pair("id", id);
            return Some(page);
        };
        let told: Url = told.parse().ok()?;
        (told.scheme() == "https" || told.scheme() == self.api.scheme()).then_some(told)
    }

    /// Ends a hold, by capture or release.
    async fn finish(
        &self, merchant: &Merchant, payment: &Snapshot, call: &str, body: &Value,
    ) -> Result<(), CallError> {
        let url = self.url(&["v2", "Payment", call])?;
        let done: Finished = self.http.post(url, &merchant.secret, body).await?;
        let sound = done.is_successful != Some(false)
            && guid(&done.payment_id).is_some_and(|id| guid(&payment.reference) == Some(id));
        if sound { Ok(()) } else { Err(unreadable()) }
    }
}

fn below(base: &Url, segments: &[&str]) -> Option<Url> {
    let mut url = base.clone();
    url.path_segments_mut().ok()?.pop_if_empty().extend(segments);
    Some(url)
}

fn invalid() -> CallError {
    CallError::harmless(CallFault::Invalid)
}

/// An answer that is not what is documented.
fn unreadable() -> CallError {
    CallError::unknown(CallFault::Protocol)
}

/// Barion's spans of time: days, hours, minutes, seconds.
fn span(seconds: u64) -> String {
    let (days, rest) = (seconds / DAY, seconds % DAY);
    format!("{days}.{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The ids that a later call needs.
fn ids(payment: &Snapshot) -> Result<(String, String), CallError> {
    let part = payment.part.as_deref().and_then(guid);
    guid(&payment.reference).zip(part).ok_or_else(invalid)
}

/// Checked here too: what Barion does with a longer one is its own affair.
fn start_body(merchant: &Merchant, payment: &StartPayment, now: SystemTime) -> Result<Value, CallError> {
    let attempt = payment.attempt.as_str();
    let addresses = [&payment.return_url, &payment.callback_url];
    if attempt.is_empty()
        || attempt.len() > 100
        || payment.szep
        || addresses.iter().any(|url| url.as_str().len() > 2000)
    {
        return Err(invalid());
    }
    let total = money::number(payment.amount, &merchant.currency)?;
    let text: String = payment.description.trim().chars().filter(|one| !one.is_control()).take(250).collect();
    let text = if text.is_empty() { attempt } else { &text };
    let (locale, unit) = match payment.language {
        PageLanguage::Hungarian => ("hu-HU", "db"),
        PageLanguage::English => ("en-US", "pc"),
    };
    let left = payment.expires_at.duration_since(now).map_or(0, |left| left.as_secs());
    let mut body = json!({
        "PaymentType": if payment.hold { "DelayedCapture" } else { "Immediate" },
        "GuestCheckOut": true,
        "FundingSources": ["All"],
        "PaymentRequestId": attempt,
        "PaymentWindow": span(left.clamp(MINUTE, WEEK)),
        "RedirectUrl": payment.return_url.as_str(),
        "CallbackUrl": payment.callback_url.as_str(),
        "Locale": locale,
        "Currency": merchant.currency,
        "Transactions": [{
            "POSTransactionId": attempt,
            "Payee": merchant.name.trim(),
            "Total": total,
            "Comment": text,
            "Items": [{
                "Name": text,
                "Description": text,
                "Quantity": 1,
                "Unit": unit,
                "UnitPrice": total,
                "ItemTotal": total,
            }],
        }],
    });
    if payment.hold {
        body["DelayedCapturePeriod"] = span(WEEK).into();
    }
    let email = payment.buyer.email.trim();
    if !email.is_empty() && email.len() <= 256 {
        body["PayerHint"] = email.into();
    }
    Ok(body)
}

#[async_trait]
impl OnlinePayment for Barion {
    fn abilities(&self) -> OnlineAbilities {
        OnlineAbilities {
            two_step: true,
            partial_refund: true,
            szep: false,
            signs: false,
            address_by_hand: false,
            currencies: money::CURRENCIES,
        }
    }

    /// Asks for a payment that does not exist: a good key hears just that. The payee is not checked by it.
    async fn check(&self, merchant: &Merchant) -> Result<(), CallError> {
        if !money::CURRENCIES.contains(&merchant.currency.as_str()) {
            return Err(CallError::harmless(CallFault::Credentials));
        }
        match self.state(merchant, &Uuid::new_v4().simple().to_string()).await {
            Err(error) if error.fault != CallFault::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    async fn start(&self, merchant: &Merchant, payment: &StartPayment) -> Result<StartedPayment, CallError> {
        let body = start_body(merchant, payment, SystemTime::now())?;
        let started: Started =
            self.http.post(self.url(&["v2", "Payment", "Start"])?, &merchant.secret, &body).await?;
        if started.payment_request_id.is_some_and(|told| told != payment.attempt) {
            return Err(unreadable());
        }
        let reference = guid(&started.payment_id).ok_or_else(unreadable)?;
        let page = self.page(&reference, started.gateway_url.as_deref()).ok_or_else(unreadable)?;
        Ok(StartedPayment { reference, page })
    }

    async fn status(
        &self, merchant: &Merchant, payment: PaymentRef<'_>,
    ) -> Result<Option<Snapshot>, CallError> {
        let reference = payment.reference.ok_or_else(invalid)?;
        // A segment of dots would be taken away.
        if matches!(reference, "" | "." | "..") {
            return Ok(None);
        }
        let id = guid(reference).unwrap_or_else(|| reference.to_owned());
        match self.state(merchant, &id).await {
            Err(error) if error.fault == CallFault::NotFound => Ok(None),
            seen => seen.map(Some),
        }
    }

    async fn capture(
        &self, merchant: &Merchant, payment: &Snapshot, amount: Decimal,
    ) -> Result<(), CallError> {
        if amount > payment.amount {
            return Err(invalid());
        }
        let (id, part) = ids(payment)?;
        let total = money::number(amount, &payment.currency)?;
        let body = json!({"PaymentId": id, "Transactions": [{"TransactionId": part, "Total": total}]});
        self.finish(merchant, payment, "Capture", &body).await
    }

    async fn release(&self, merchant: &Merchant, payment: &Snapshot) -> Result<(), CallError> {
        let id = guid(&payment.reference).ok_or_else(invalid)?;
        self.finish(merchant, payment, "CancelAuthorization", &json!({ "PaymentId": id })).await
    }

    async fn refund(&self, merchant: &Merchant, order: RefundOrder<'_>) -> Result<SeenRefund, CallError> {
        let before = order.before;
        if before.state != SeenState::Captured || order.amount > before.amount - before.refunded {
            return Err(invalid());
        }
        let (id, part) = ids(before)?;
        let amount = money::number(order.amount, &before.currency)?;
        let body = json!({"PaymentId": id, "TransactionsToRefund": [{
            "TransactionId": part,
            "POSTransactionId": order.refund,
            "AmountToRefund": amount,
            "Comment": order.refund,
        }]});
        let answer: Refunded =
            self.http.post(self.url(&["v2", "Payment", "Refund"])?, &merchant.secret, &body).await?;
        let [row] = answer.refunded_transactions.as_slice() else { return Err(unreadable()) };
        let reference = guid(&row.transaction_id).ok_or_else(unreadable)?;
        if row.total.0.abs() != order.amount {
            return Err(unreadable());
        }
        Ok(SeenRefund {
            reference,
            ours: Some(order.refund.to_owned()),
            amount: order.amount,
            succeeded: !state::fell_through(row.status.as_ref()),
        })
    }

    fn read_return(&self, _: &Merchant, query: &str) -> Option<ReturnHint> {
        Some(ReturnHint { attempt: None, reference: Some(hint::of_query(query)?) })
    }

    fn read_message(&self, message: &RawMessage) -> Option<Notice> {
        Some(Notice { attempt: None, reference: Some(hint::of_message(message)?), merchant: None })
    }

    fn settles_after(&self) -> u32 {
        60
    }
}

impl Callback for Barion {
    fn proof(&self, _: &Secret, _: &RawMessage, _: SystemTime) -> Result<Proof, NotSigned> {
        Ok(Proof::Hint)
    }

    fn answer(&self, _: &Secret, _: &RawMessage, _: SystemTime) -> RawAnswer {
        RawAnswer::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_days_hours_minutes_and_seconds() {
        assert_eq!(span(1800), "0.00:30:00");
        assert_eq!(span(WEEK), "7.00:00:00");
        assert_eq!(span(DAY + 3661), "1.01:01:01");
    }

    #[test]
    fn a_page_is_secure_and_always_known() {
        let id = "046a46b98838473684da452da7000001";
        let page = |told| Barion::live().unwrap().page(id, told).map(String::from);
        let own = format!("https://secure.barion.com/Pay?id={id}");
        assert_eq!(page(None).as_ref(), Some(&own));
        assert_eq!(page(Some("")).as_ref(), Some(&own));
        assert_eq!(page(Some("https://secure.barion.com/x")).as_deref(), Some("https://secure.barion.com/x"));
        assert_eq!(page(Some("http://secure.barion.com/x")), None);
        assert_eq!(page(Some("javascript:alert(1)")), None);
    }
}
