//! The calls of the API, checked as Barion checks them.

use std::sync::Arc;

use chrono::DateTime;
use hyper::Method;
use rust_decimal::Decimal;
use serde_json::{Number, Value, json};
use url::form_urlencoded;

use super::{
    Barion, Call, now,
    payment::{ACCOUNTS, Account, Payment, Row, amount, guid},
    plain,
};
use crate::faults::{Answer, Fault, document, spoiled};

const WEEK: u64 = 7 * 86_400;

/// Errors as Barion lists them. `AuthData` has the account: no log of a client may have it.
fn refusal(status: u16, errors: &[(&str, &str)]) -> Answer {
    let list: Vec<Value> = errors
        .iter()
        .map(|(code, text)| {
            json!({"Title": code, "Description": text, "ErrorCode": code, "HappenedAt": "2026-01-01T00:00:00Z",
                "AuthData": "bolt@pult.example;auth-data", "EndPoint": "", "PaymentId": null})
        })
        .collect();
    document(status, &json!({ "Errors": list }))
}

fn refused(code: &str) -> Answer {
    refusal(400, &[(code, "Refused by the stand-in.")])
}

fn number(amount: Decimal) -> Value {
    amount.to_string().parse::<Number>().map_or(Value::Null, Value::Number)
}

/// Above zero, and no more decimals than the currency has.
fn exact(value: &Value, currency: &str) -> Option<Decimal> {
    let decimals = if currency == "HUF" { 0 } else { 2 };
    amount(value).filter(|amount| {
        value.is_number() && *amount > Decimal::ZERO && amount.normalize().scale() <= decimals
    })
}

/// Seconds of `d.hh:mm:ss` or `d:hh:mm:ss` or `hh:mm:ss`.
fn span(value: &Value) -> Option<u64> {
    let text = value.as_str()?.replacen('.', ":", 1);
    let mut parts: Vec<u64> = text.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    if parts.len() == 3 {
        parts.insert(0, 0);
    }
    let [days, hours, minutes, seconds] = parts.as_slice() else { return None };
    Some(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
}

fn moment(seconds: u64) -> Value {
    i64::try_from(seconds)
        .ok()
        .and_then(|seconds| DateTime::from_timestamp(seconds, 0))
        .map_or(Value::Null, |time| time.format("%Y-%m-%dT%H:%M:%SZ").to_string().into())
}

/// A start that is sound, or what is wrong with it.
fn payment(body: &Value, account: &'static Account, time: u64) -> Result<Payment, Vec<String>> {
    let mut wrong = Vec::new();
    let text = |value: &Value, most: usize| {
        value.as_str().filter(|text| !text.is_empty() && text.len() <= most).map(str::to_owned)
    };
    let mut need = |name: &str, found: Option<String>| {
        found.unwrap_or_else(|| {
            wrong.push(format!("{name} is missing or wrong."));
            String::new()
        })
    };
    let request_id = need("PaymentRequestId", text(&body["PaymentRequestId"], 100));
    let redirect =
        need("RedirectUrl", text(&body["RedirectUrl"], 2000).filter(|url| url::Url::parse(url).is_ok()));
    let callback =
        need("CallbackUrl", text(&body["CallbackUrl"], 2000).filter(|url| url::Url::parse(url).is_ok()));
    let locale =
        need("Locale", text(&body["Locale"], 10).filter(|one| ["hu-HU", "en-US"].contains(&one.as_str())));
    let currency = need("Currency", text(&body["Currency"], 3).filter(|one| one == account.currency));
    let kind = need(
        "PaymentType",
        text(&body["PaymentType"], 20).filter(|one| ["Immediate", "DelayedCapture"].contains(&one.as_str())),
    );
    let hold = kind == "DelayedCapture";
    let hold_s = span(&body["DelayedCapturePeriod"]).filter(|one| (60..=WEEK).contains(one));
    need("DelayedCapturePeriod", (hold == hold_s.is_some()).then(String::new));
    let window = &body["PaymentWindow"];
    let window_s = if window.is_null() { Some(1800) } else { span(window) };
    let window_s = window_s.filter(|one| (60..=WEEK).contains(one));
    need("PaymentWindow", window_s.map(|_| String::new()));
    need("GuestCheckOut", body["GuestCheckOut"].is_boolean().then(String::new));
    need("FundingSources", (body["FundingSources"] == json!(["All"])).then(String::new));
    let rows = body["Transactions"].as_array().map_or(&[][..], Vec::as_slice);
    need("Transactions", (rows.len() == 1).then(String::new));
    let row = rows.first().unwrap_or(&Value::Null);
    let pos_id = need("Transactions[0].POSTransactionId", text(&row["POSTransactionId"], 100));
    let total = exact(&row["Total"], account.currency);
    need("Transactions[0].Total", total.map(|_| String::new()));
    let items = row["Items"].as_array().map_or(&[][..], Vec::as_slice);
    let mut sum = Decimal::ZERO;
    for item in items {
        need("Name", text(&item["Name"], 1000));
        need("Description", text(&item["Description"], 2000));
        need("Unit", text(&item["Unit"], 50));
        let (quantity, price) = (amount(&item["Quantity"]), amount(&item["UnitPrice"]));
        let item_total = amount(&item["ItemTotal"]);
        let product = quantity.zip(price).map(|(quantity, price)| quantity * price);
        need("ItemTotal", item_total.filter(|total| Some(*total) == product).map(|_| String::new()));
        sum += item_total.unwrap_or_default();
    }
    need("Transactions[0].Items", (!items.is_empty() && Some(sum) == total).then(String::new));
    let name = items.first().and_then(|item| item["Name"].as_str()).unwrap_or_default();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Payment {
        account,
        request_id,
        pos_id,
        transaction: guid(),
        hold,
        asked: total.unwrap_or_default(),
        taken: Decimal::ZERO,
        currency,
        status: "Prepared".to_owned(),
        created: time,
        window_s: window_s.unwrap_or_default(),
        hold_s: hold_s.unwrap_or_default(),
        redirect,
        callback,
        description: name.to_owned(),
        hungarian: locale == "hu-HU",
        result: None,
        rows: Vec::new(),
    })
}

fn transactions(payment: &Payment) -> Vec<Value> {
    let row = |row: &Row| {
        json!({"TransactionId": row.id, "POSTransactionId": row.pos_id, "Total": number(row.total),
            "Currency": payment.currency, "Status": "Succeeded", "TransactionType": row.kind,
            "RelatedId": row.related, "Comment": row.comment})
    };
    let done = payment.taken > Decimal::ZERO;
    let ours = json!({"TransactionId": payment.transaction, "POSTransactionId": payment.pos_id,
        "Total": number(if done { payment.taken } else { payment.asked }), "Currency": payment.currency,
        "Status": payment.status, "TransactionType": if done { "CardPayment" } else { "Unspecified" },
        "RelatedId": null, "Comment": payment.description});
    // Ours is not the first one: a client finds it by what it is.
    payment.rows.iter().map(row).chain([ours]).collect()
}

fn state(id: &str, payment: &Payment) -> Answer {
    let total =
        if payment.taken > Decimal::ZERO { payment.taken - payment.refunded() } else { payment.asked };
    let card = payment.result.map(|result| {
        json!({"BankCard": {"MaskedPan": "516123******1234", "BankCardType": "MasterCard",
            "ValidThruYear": "2030", "ValidThruMonth": "12"}, "AuthorizationCode": "123456", "ProcessResult": result})
    });
    let end = payment.created + payment.window_s;
    document(
        200,
        &json!({"PaymentId": id, "PaymentRequestId": payment.request_id, "OrderNumber": null,
            "POSId": "stand-in", "Status": payment.status,
            "PaymentType": if payment.hold { "DelayedCapture" } else { "Immediate" },
            "FundingSource": card.as_ref().map(|_| "BankCard"), "FundingInformation": card,
            "CreatedAt": moment(payment.created), "ValidUntil": moment(end),
            "DelayedCaptureUntil": if payment.hold { moment(end + payment.hold_s) } else { Value::Null },
            "Total": number(total), "Currency": payment.currency, "Transactions": transactions(payment),
            "FraudRiskScore": 0, "Errors": []}),
    )
}

fn finished(id: &str, payment: &Payment) -> Answer {
    document(
        200,
        &json!({"IsSuccessful": true, "PaymentId": id, "PaymentRequestId": payment.request_id,
            "Status": payment.status, "Transactions": [{"POSTransactionId": payment.pos_id,
            "TransactionId": payment.transaction, "Status": payment.status}], "Errors": []}),
    )
}

/// The whole list of a call names exactly our transaction.
fn only<'a>(list: &'a Value, payment: &Payment) -> Result<&'a Value, &'static str> {
    match list.as_array().map(Vec::as_slice) {
        Some([one]) if plain(one["TransactionId"].as_str().unwrap_or_default()) == payment.transaction => {
            Ok(one)
        }
        Some([_]) => Err("TransactionDoesNotBelongToPayment"),
        _ => Err("ModelValidationError"),
    }
}

fn capture(id: &str, payment: &mut Payment, body: &Value) -> Result<Answer, &'static str> {
    if payment.status != "Authorized" {
        return Err("PaymentStatusNotValid");
    }
    let total = exact(&only(&body["Transactions"], payment)?["Total"], &payment.currency);
    let total = total.filter(|total| *total <= payment.asked).ok_or("ModelValidationError")?;
    payment.take(total);
    Ok(finished(id, payment))
}

fn release(id: &str, payment: &mut Payment) -> Result<Answer, &'static str> {
    if payment.status != "Authorized" {
        return Err("PaymentStatusNotValid");
    }
    "Canceled".clone_into(&mut payment.status);
    Ok(finished(id, payment))
}

fn refund(id: &str, payment: &mut Payment, body: &Value) -> Result<Answer, &'static str> {
    if payment.status != "Succeeded" {
        return Err("PaymentStatusNotValid");
    }
    let one = only(&body["TransactionsToRefund"], payment)?;
    let amount = exact(&one["AmountToRefund"], &payment.currency);
    let pos_id = one["POSTransactionId"].as_str().filter(|text| !text.is_empty());
    let (Some(amount), Some(pos_id)) = (amount, pos_id) else { return Err("ModelValidationError") };
    if amount > payment.taken - payment.refunded() {
        return Err("AmountToRefundIsGreaterThanTransactionAmount");
    }
    let row = payment.refund(amount, pos_id, one["Comment"].as_str().unwrap_or_default());
    Ok(document(
        200,
        &json!({"PaymentId": id, "RefundedTransactions": [{"TransactionId": row.id,
            "Total": number(row.total), "POSTransactionId": row.pos_id, "Comment": row.comment,
            "Status": "Succeeded"}], "Errors": []}),
    ))
}

impl Barion {
    /// The answer to a call of the API. None: the connection is closed without one.
    pub(super) async fn call(
        self: &Arc<Self>, fault: Option<Fault>, call: &Call<'_>, body: &[u8],
    ) -> Option<Answer> {
        spoiled(
            fault,
            |status| refusal(status, &[("Scripted", "Scripted by a test.")]),
            || self.api(call, body),
        )
        .await
    }

    pub(super) fn api(self: &Arc<Self>, call: &Call<'_>, body: &[u8]) -> Answer {
        let v4 = call.path.starts_with("/v4/");
        let body: Value = if call.method == Method::POST {
            match serde_json::from_slice(body) {
                Ok(body) => body,
                // Barion's answer to broken JSON.
                Err(_) => return refused("AuthenticationFailed"),
            }
        } else {
            Value::Null
        };
        // In the body only below v4. In the query it would stand in logs: never.
        let body_key = if v4 { None } else { body["POSKey"].as_str() };
        let in_query = form_urlencoded::parse(call.query.as_bytes())
            .any(|(name, _)| name.eq_ignore_ascii_case("poskey"));
        let key = plain(if call.key.is_empty() { body_key.unwrap_or_default() } else { call.key });
        let Some(account) = ACCOUNTS.iter().find(|one| one.pos_key == key && !in_query) else {
            return refused("AuthenticationFailed");
        };
        let segments: Vec<String> = call.path.split('/').skip(1).map(str::to_ascii_lowercase).collect();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        match (call.method, segments.as_slice()) {
            (&Method::POST, ["v2", "payment", "start"]) => self.begin(call, account, &body),
            (&Method::GET, ["v4", "payment", id, "paymentstate"]) => {
                let id = plain(id);
                let seen = self
                    .state()
                    .payments
                    .get(&id)
                    .filter(|one| one.account.pos_key == key)
                    .map(|one| state(&id, one));
                seen.unwrap_or_else(|| refused("NotExistingPaymentId"))
            }
            (&Method::POST, ["v2", "payment", what @ ("capture" | "cancelauthorization" | "refund")]) => {
                let id = plain(body["PaymentId"].as_str().unwrap_or_default());
                let mine = self.state().payments.get(&id).is_some_and(|one| one.account.pos_key == key);
                if !mine {
                    return refused("NotExistingPaymentId");
                }
                let refusal = if *what == "refund" { self.state().refund_refusal.take() } else { None };
                if let Some(code) = refusal {
                    return refused(code);
                }
                let mut done = None;
                self.change(&id, |payment| {
                    let outcome = match *what {
                        "capture" => capture(&id, payment, &body),
                        "refund" => refund(&id, payment, &body),
                        _ => release(&id, payment),
                    };
                    let changed = outcome.is_ok();
                    done = Some(outcome.unwrap_or_else(refused));
                    changed
                });
                done.unwrap_or_else(|| refused("NotExistingPaymentId"))
            }
            _ => document(404, &json!({"Message": "No HTTP resource was found."})),
        }
    }

    fn begin(&self, call: &Call<'_>, account: &'static Account, body: &Value) -> Answer {
        let mut state = self.state();
        let payment = match payment(body, account, now(&state)) {
            Ok(payment) => payment,
            Err(wrong) => {
                let errors: Vec<(&str, &str)> =
                    wrong.iter().map(|text| ("ModelValidationError", text.as_str())).collect();
                return refusal(400, &errors);
            }
        };
        if body["Transactions"][0]["Payee"] != account.payee {
            return refused("InvalidUser");
        }
        let id = guid();
        let done = document(
            200,
            &json!({"PaymentId": id, "PaymentRequestId": payment.request_id, "Status": "Prepared",
                "QRUrl": format!("http://{}/qr?id={id}", call.host),
                "GatewayUrl": format!("http://{}/Pay?id={id}", call.host),
                "Transactions": [{"POSTransactionId": payment.pos_id, "TransactionId": payment.transaction,
                "Status": "Prepared"}], "Errors": []}),
        );
        state.payments.insert(id, payment);
        done
    }
}
