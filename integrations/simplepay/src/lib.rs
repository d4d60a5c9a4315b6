//! SimplePay v2 (OTP): payments on SimplePay's page. See the README.

mod action;
mod amount;
mod http;
mod refusal;
mod sign;
mod transaction;

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, SecondsFormat, Utc};
use contract::{
    CallError, CallFault, Callback, Merchant, NotSigned, Notice, OnlineAbilities, OnlinePayment,
    PageLanguage, PaymentRef, Proof, RawAnswer, RawMessage, RefundOrder, ReturnHint, Secret, SeenRefund,
    SeenState, Snapshot, StartPayment, StartedPayment, read_amount,
};
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use url::{Url, form_urlencoded};

use crate::{
    action::Action,
    http::{Http, salt},
    sign::{is_signed, sign},
    transaction::{snapshot, text},
};

/// A call takes at most this long.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct SimplePay {
    http: Http,
}

impl SimplePay {
    pub fn live() -> Result<Self, String> {
        Self::at("https://secure.simplepay.hu/", PATIENCE)
    }

    pub fn test_host() -> Result<Self, String> {
        Self::at("https://sandbox.simplepay.hu/", PATIENCE)
    }

    pub fn stand_in(base: &Url) -> Result<Self, String> {
        Self::at(base.as_str(), PATIENCE)
    }

    /// With another patience, for tests.
    pub fn with_patience(base: &Url, patience: Duration) -> Result<Self, String> {
        Self::at(base.as_str(), patience)
    }

    fn at(base: &str, patience: Duration) -> Result<Self, String> {
        // Paths are joined to a folder.
        let folder = format!("{}/", base.trim_end_matches('/'));
        let base = folder.parse().map_err(|error| format!("{base} is no address: {error}"))?;
        Ok(Self { http: Http::new(base, patience)? })
    }

    /// The payments that these fields name.
    async fn query(
        &self, merchant: &Merchant, mut fields: Map<String, Value>,
    ) -> Result<Vec<Map<String, Value>>, CallError> {
        fields.extend(object(json!({"refunds": true, "detailed": true})));
        let mut answer = self.http.call(Action::Query, merchant, fields).await?;
        let lacking = || CallError::unknown(CallFault::Protocol);
        // No match is an empty list or none.
        let entries = match answer.remove("transactions") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(entries)) => entries,
            Some(_) => return Err(lacking()),
        };
        // A list that was cut is none.
        let all = answer.get("totalCount").and_then(Value::as_u64);
        if all.is_some_and(|all| all != entries.len() as u64) {
            return Err(lacking());
        }
        let entry = |entry: Value| match entry {
            Value::Object(entry) => Some(entry),
            _ => None,
        };
        entries.into_iter().map(entry).collect::<Option<_>>().ok_or_else(lacking)
    }

    /// Takes this part of the held money, and releases the rest.
    async fn finish(&self, merchant: &Merchant, payment: &Snapshot, taken: String) -> Result<(), CallError> {
        let fields = json!({
            "orderRef": payment.attempt,
            "transactionId": payment.reference,
            "originalTotal": amount::positive(payment.amount, &merchant.currency)?,
            "approveTotal": taken,
            "currency": merchant.currency,
        });
        let answer = self.http.call(Action::Finish, merchant, object(fields)).await?;
        is_about(&answer, &payment.reference)
    }
}

fn invalid() -> CallError {
    CallError::harmless(CallFault::Invalid)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn iso(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).to_rfc3339_opts(SecondsFormat::Secs, false)
}

/// An answer about another payment says nothing about ours.
fn is_about(answer: &Map<String, Value>, reference: &str) -> Result<(), CallError> {
    match text(answer, "transactionId") {
        Some(other) if other != reference => Err(CallError::unknown(CallFault::Protocol)),
        _ => Ok(()),
    }
}

/// The address of the invoice, if it is whole: SimplePay refuses a half one.
fn invoice(payment: &StartPayment) -> Option<Value> {
    let buyer = &payment.buyer;
    let needed = [&buyer.name, &buyer.country, &buyer.postcode, &buyer.city, &buyer.address];
    if needed.iter().any(|one| one.trim().is_empty()) {
        return None;
    }
    let mut invoice = json!({
        "name": buyer.name,
        "country": buyer.country.to_lowercase(),
        "state": buyer.city,
        "city": buyer.city,
        "zip": buyer.postcode,
        "address": buyer.address,
    });
    if let Some(phone) = &buyer.phone {
        invoice["phone"] = phone.as_str().into();
    }
    Some(invoice)
}

#[async_trait]
impl OnlinePayment for SimplePay {
    fn abilities(&self) -> OnlineAbilities {
        OnlineAbilities {
            two_step: true,
            partial_refund: true,
            szep: true,
            signs: true,
            address_by_hand: true,
            currencies: amount::CURRENCIES,
        }
    }

    async fn check(&self, merchant: &Merchant) -> Result<(), CallError> {
        if !amount::CURRENCIES.contains(&merchant.currency.as_str()) {
            return Err(CallError::harmless(CallFault::Credentials));
        }
        // Nothing has this name, so a good account gets an empty list.
        let nothing = json!({"orderRefs": [format!("pult-check-{}", salt())]});
        self.query(merchant, object(nothing)).await.map(|_| ())
    }

    async fn start(&self, merchant: &Merchant, payment: &StartPayment) -> Result<StartedPayment, CallError> {
        let total = amount::positive(payment.amount, &merchant.currency)?;
        if payment.attempt.is_empty() || payment.szep && merchant.currency != "HUF" {
            return Err(invalid());
        }
        // A SZÉP card is paid by card too, at an account of its own.
        let mut fields = object(json!({
            "orderRef": payment.attempt,
            "currency": merchant.currency,
            "customerEmail": payment.buyer.email,
            "language": match payment.language {
                PageLanguage::Hungarian => "HU",
                PageLanguage::English => "EN",
            },
            "methods": ["CARD"],
            "total": total,
            "timeout": iso(payment.expires_at),
            "url": payment.return_url.as_str(),
        }));
        if let Some(invoice) = invoice(payment) {
            fields.insert("invoice".to_owned(), invoice);
        }
        if payment.hold {
            fields.insert("twoStep".to_owned(), true.into());
        }
        let answer = self.http.call(Action::Start, merchant, fields).await?;
        let page = text(&answer, "paymentUrl").and_then(|page| page.parse::<Url>().ok());
        let page =
            page.filter(|page| page.scheme() == "https" || self.http.is_plain() && page.scheme() == "http");
        let is_ours = text(&answer, "orderRef").as_ref() == Some(&payment.attempt)
            && text(&answer, "currency").as_ref() == Some(&merchant.currency)
            && answer.get("total").and_then(read_amount) == Some(payment.amount);
        match (text(&answer, "transactionId"), page) {
            (Some(reference), Some(page)) if is_ours => Ok(StartedPayment { reference, page }),
            _ => Err(CallError::unknown(CallFault::Protocol)),
        }
    }

    async fn status(
        &self, merchant: &Merchant, payment: PaymentRef<'_>,
    ) -> Result<Option<Snapshot>, CallError> {
        let (list, id, field) = match payment.reference {
            Some(reference) => ("transactionIds", reference, "transactionId"),
            None => ("orderRefs", payment.attempt, "orderRef"),
        };
        let entries = self.query(merchant, object(json!({list: [id]}))).await?;
        let mut found = entries.iter().filter(|entry| text(entry, field).as_deref() == Some(id));
        match (found.next(), found.next()) {
            (None, _) => Ok(None),
            (Some(entry), None) => snapshot(entry).map(Some),
            // One name stands for one payment.
            (Some(_), Some(_)) => Err(CallError::unknown(CallFault::Protocol)),
        }
    }

    async fn list(
        &self, merchant: &Merchant, from: SystemTime, till: SystemTime,
    ) -> Result<Option<Vec<Snapshot>>, CallError> {
        let entries = self.query(merchant, object(json!({"from": iso(from), "until": iso(till)}))).await?;
        entries.iter().map(snapshot).collect::<Result<_, _>>().map(Some)
    }

    async fn capture(
        &self, merchant: &Merchant, payment: &Snapshot, amount: Decimal,
    ) -> Result<(), CallError> {
        let taken = amount::positive(amount, &merchant.currency)?;
        if amount > payment.amount || payment.currency != merchant.currency {
            return Err(invalid());
        }
        self.finish(merchant, payment, taken).await
    }

    async fn release(&self, merchant: &Merchant, payment: &Snapshot) -> Result<(), CallError> {
        self.finish(merchant, payment, amount::digits(Decimal::ZERO, &merchant.currency)?).await
    }

    async fn refund(&self, merchant: &Merchant, order: RefundOrder<'_>) -> Result<SeenRefund, CallError> {
        let before = order.before;
        let total = amount::positive(order.amount, &merchant.currency)?;
        if before.state != SeenState::Captured
            || before.currency != merchant.currency
            || order.amount > before.amount - before.refunded
        {
            return Err(invalid());
        }
        let fields = json!({
            "transactionId": before.reference,
            "refundTotal": total,
            "currency": merchant.currency,
        });
        let answer = self.http.call(Action::Refund, merchant, object(fields)).await?;
        is_about(&answer, &before.reference)?;
        match (text(&answer, "refundTransactionId"), answer.get("refundTotal").and_then(read_amount)) {
            (Some(reference), Some(amount)) if amount == order.amount => {
                Ok(SeenRefund { reference, ours: None, amount, succeeded: true })
            }
            _ => Err(CallError::unknown(CallFault::Protocol)),
        }
    }

    fn read_return(&self, merchant: &Merchant, query: &str) -> Option<ReturnHint> {
        // A plus that was not escaped comes as a blank.
        let value = |name: &str| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            pairs.find(|(one, _)| one == name).map(|(_, value)| value.replace(' ', "+"))
        };
        let text_of_r = STANDARD.decode(value("r")?).ok()?;
        if !is_signed(&merchant.secret, &text_of_r, &value("s")?) {
            return None;
        }
        let Ok(Value::Object(said)) = serde_json::from_slice(&text_of_r) else { return None };
        if text(&said, "m")? != merchant.name {
            return None;
        }
        Some(ReturnHint { attempt: text(&said, "o"), reference: text(&said, "t") })
    }

    fn read_message(&self, message: &RawMessage) -> Option<Notice> {
        let Ok(Value::Object(said)) = serde_json::from_slice(&message.body) else { return None };
        let notice = Notice {
            attempt: text(&said, "orderRef"),
            reference: text(&said, "transactionId"),
            merchant: text(&said, "merchant"),
        };
        (notice.attempt.is_some() || notice.reference.is_some()).then_some(notice)
    }

    fn settles_after(&self) -> u32 {
        60
    }
}

impl Callback for SimplePay {
    fn proof(&self, secret: &Secret, message: &RawMessage, _: SystemTime) -> Result<Proof, NotSigned> {
        let signature = message.header("signature").ok_or(NotSigned)?;
        is_signed(secret, &message.body, signature).then_some(Proof::Signed).ok_or(NotSigned)
    }

    /// The received bytes with the time of receipt as the last member, signed.
    fn answer(&self, secret: &Secret, message: &RawMessage, now: SystemTime) -> RawAnswer {
        let mut body = message.body.clone();
        if let Some(end) = body.iter().rposition(|byte| *byte == b'}') {
            let before = body.get(..end).unwrap_or_default().trim_ascii_end();
            let comma = if before.last().is_none_or(|byte| *byte == b'{') { "" } else { "," };
            let member = format!("{comma}\"receiveDate\":\"{}\"", iso(now));
            body.splice(end..end, member.into_bytes());
        }
        let signature = sign(secret, &body);
        let headers = [("content-type", "application/json".to_owned()), ("signature", signature)];
        RawAnswer { headers: headers.map(|(name, value)| (name.to_owned(), value)).into(), body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plug_in() -> SimplePay {
        SimplePay::live().unwrap()
    }

    fn message(body: &str, secret: &Secret) -> RawMessage {
        RawMessage {
            headers: vec![("signature".to_owned(), sign(secret, body.as_bytes()))],
            query: String::new(),
            body: body.as_bytes().to_vec(),
        }
    }

    #[test]
    fn an_answer_to_a_message_is_the_message_and_its_receipt() {
        let (plug_in, secret) = (plug_in(), Secret::new("key"));
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000);
        for (body, answered) in [
            (
                r#"{"salt":"x","nested":{"a":1},"total":10.50}"#,
                r#"{"salt":"x","nested":{"a":1},"total":10.50,"receiveDate":"2020-09-13T12:26:40+00:00"}"#,
            ),
            (r#"{"a":{"b":1}}"#, r#"{"a":{"b":1},"receiveDate":"2020-09-13T12:26:40+00:00"}"#),
            ("{}", r#"{"receiveDate":"2020-09-13T12:26:40+00:00"}"#),
            ("none", "none"),
        ] {
            let answer = plug_in.answer(&secret, &message(body, &secret), at);
            assert_eq!(String::from_utf8_lossy(&answer.body), answered);
            assert!(answer.headers.contains(&("signature".to_owned(), sign(&secret, &answer.body))));
            assert!(answer.headers.contains(&("content-type".to_owned(), "application/json".to_owned())));
        }
    }

    #[test]
    fn a_message_names_the_payment_by_a_number_or_a_text() {
        let read = |body: &str| plug_in().read_message(&message(body, &Secret::new("key")));
        for id in ["7", "\"7\""] {
            let notice = read(&format!(r#"{{"orderRef":"A","transactionId":{id},"merchant":"M"}}"#)).unwrap();
            assert_eq!(
                (notice.attempt.as_deref(), notice.reference.as_deref(), notice.merchant.as_deref()),
                (Some("A"), Some("7"), Some("M"))
            );
        }
        for other in ["[]", "{}", "garbage", r#"{"merchant":"M"}"#] {
            assert_eq!(read(other), None);
        }
    }

    #[test]
    fn a_return_is_signed_over_the_decoded_text() {
        let merchant = Merchant { name: "M".into(), secret: Secret::new("key "), currency: "HUF".into() };
        let query = |said: &str, signed: &str, blank: &str| {
            let s = sign(&merchant.secret, signed.as_bytes()).replace('+', blank).replace('/', "%2F");
            format!("r={}&s={}", STANDARD.encode(said), s.replace('=', "%3D"))
        };
        let read = |query: &str| plug_in().read_return(&merchant, query);
        // One of these signatures contains a plus.
        for order in 0..20 {
            let said = format!(r#"{{"r":0,"t":7,"e":"SUCCESS","m":"M","o":"A-{order}"}}"#);
            for blank in ["+", "%20", "%2B"] {
                let hint = read(&query(&said, &said, blank)).unwrap();
                assert_eq!(
                    (hint.attempt, hint.reference.as_deref()),
                    (Some(format!("A-{order}")), Some("7"))
                );
            }
            assert_eq!(read(&query(&said, &STANDARD.encode(&said), "%2B")), None);
        }
        let foreign = r#"{"r":0,"t":7,"e":"SUCCESS","m":"N","o":"A"}"#;
        for other in [query(foreign, foreign, "%2B"), "r=e30%3D".into(), "s=x".into(), String::new()] {
            assert_eq!(read(&other), None, "{other}");
        }
    }
}
