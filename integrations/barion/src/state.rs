//! The state of a payment, with all its transactions.

use contract::{CallError, CallFault, Decline, SeenRefund, SeenState, Snapshot, masked_card};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;

use crate::{hint::guid, money::Amount};

/// `GET /v4/payment/{id}/paymentstate`
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct PaymentState {
    payment_id: String,
    payment_request_id: String,
    status: Value,
    total: Amount,
    currency: String,
    #[serde(default)]
    transactions: Option<Vec<Transaction>>,
    #[serde(default)]
    funding_information: Option<Funding>,
    #[serde(default)]
    errors: Option<Vec<Problem>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Transaction {
    transaction_id: String,
    #[serde(default, rename = "POSTransactionId")]
    pos_transaction_id: Option<String>,
    total: Amount,
    #[serde(default)]
    status: Option<Value>,
    #[serde(default)]
    transaction_type: Option<String>,
    #[serde(default)]
    related_id: Option<String>,
    #[serde(default)]
    comment: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Funding {
    #[serde(default)]
    bank_card: Option<BankCard>,
    #[serde(default)]
    process_result: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct BankCard {
    #[serde(default)]
    masked_pan: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Problem {
    #[serde(default)]
    error_code: Option<String>,
}

/// What a transaction is, by its type.
#[derive(PartialEq)]
enum Kind {
    Payment,
    Refund,
    /// A refund that did not arrive.
    Bounce,
    Fee,
    /// A fee that was given back.
    FeeBack,
    /// Money goes back in a way that is not documented.
    Strange,
}

impl Transaction {
    fn kind(&self) -> Kind {
        let name = self.transaction_type.as_deref().unwrap_or_default().to_ascii_lowercase();
        match name.as_str() {
            "refund" | "refundtobankcard" | "refundtobankaccount" => Kind::Refund,
            "stornounsuccessfulrefundtobankcard" | "stornounsuccessfulrefundtobankaccount" => Kind::Bounce,
            _ if name.ends_with("fee") => Kind::Fee,
            _ if name.ends_with("feestorno") => Kind::FeeBack,
            _ if name.contains("refund") => Kind::Strange,
            _ => Kind::Payment,
        }
    }

    fn relates_to(&self, id: &str) -> bool {
        self.related_id.as_deref().and_then(guid).is_some_and(|related| related == id)
    }
}

/// A name, or the number that stands for it.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned())
}

/// Whether the status of a refund says that it did not succeed. One that is under way counts as given back.
pub(crate) fn fell_through(status: Option<&Value>) -> bool {
    let status = status.map(word).unwrap_or_default().to_ascii_lowercase();
    status.contains("fail") || matches!(status.as_str(), "canceled" | "rejected" | "expired")
}

fn state(status: &str) -> SeenState {
    match status {
        "Prepared" | "Started" | "InProgress" | "Waiting" | "10" | "20" | "21" | "22" => SeenState::Pending,
        "Reserved" | "Authorized" | "PartiallySucceeded" | "25" | "26" | "60" => SeenState::Authorised,
        "Succeeded" | "40" => SeenState::Captured,
        "Canceled" | "30" => SeenState::Cancelled,
        "Failed" | "50" => SeenState::Failed,
        "Expired" | "70" => SeenState::Expired,
        _ => SeenState::Unknown,
    }
}

/// What the reason of a refused card means. Its words are not documented, so they are read by what they contain.
fn decline(reason: Option<&str>) -> Decline {
    let reason = reason.unwrap_or_default().to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| reason.contains(word));
    if has(&["fund", "balance"]) {
        Decline::NotEnoughMoney
    } else if has(&["limit"]) {
        Decline::Limit
    } else if has(&["stolen", "lost", "fraud"]) {
        Decline::Suspicious
    } else if has(&["3ds", "authentic"]) {
        Decline::Authentication
    } else if has(&["expired", "cvc", "cvv", "pan", "invalidcard"]) {
        Decline::CardData
    } else {
        Decline::Refused
    }
}

/// A code or a word of the provider, of a length that can be kept.
fn short(text: &str) -> Option<String> {
    CallError::harmless(CallFault::Protocol).with_code(text).code
}

/// The refunds of our transaction. `None`: one that bounced cannot be told.
fn refunds(rows: &[Transaction], ours: &str, attempt: &str) -> Option<Vec<SeenRefund>> {
    let own = |text: &Option<String>| {
        text.as_deref().map(str::trim).filter(|text| !text.is_empty() && *text != attempt).map(str::to_owned)
    };
    let mut refunds: Vec<SeenRefund> = rows
        .iter()
        .filter(|row| row.kind() == Kind::Refund && row.relates_to(ours))
        .map(|row| {
            Some(SeenRefund {
                reference: guid(&row.transaction_id)?,
                // Barion may repeat the id of the payment there; then our id is in the comment alone.
                ours: own(&row.pos_transaction_id).or_else(|| own(&row.comment)),
                amount: row.total.0.abs(),
                succeeded: !fell_through(row.status.as_ref()),
            })
        })
        .collect::<Option<_>>()?;
    for bounce in rows.iter().filter(|row| row.kind() == Kind::Bounce) {
        let amount = bounce.total.0.abs();
        let named = refunds.iter().position(|refund| bounce.relates_to(&refund.reference));
        // It may name the payment instead: then the latest refund of its amount is meant.
        let latest = || {
            refunds.iter().rposition(|one| one.succeeded && one.amount == amount && bounce.relates_to(ours))
        };
        let place = named.or_else(latest)?;
        refunds.get_mut(place)?.succeeded = false;
    }
    Some(refunds)
}

impl PaymentState {
    /// In our words. `None`: it is of another payment, or an id is none.
    pub(crate) fn snapshot(self, reference: &str) -> Option<Snapshot> {
        if guid(&self.payment_id)? != reference {
            return None;
        }
        let rows = self.transactions.unwrap_or_default();
        let attempt = self.payment_request_id;
        let ours = rows.iter().find(|row| {
            row.kind() == Kind::Payment && row.pos_transaction_id.as_deref() == Some(attempt.as_str())
        });
        let part = match ours {
            Some(row) => Some(guid(&row.transaction_id)?),
            None => None,
        };
        let seen = part.as_deref().and_then(|part| {
            let strange = rows.iter().any(|row| row.kind() == Kind::Strange && row.relates_to(part));
            refunds(&rows, part, &attempt).filter(|_| !strange)
        });
        let provider_state = word(&self.status);
        let mut state = state(&provider_state);
        // Money without our transaction, or that went back in an unknown way.
        if seen.is_none() && matches!(state, SeenState::Captured | SeenState::Authorised) {
            state = SeenState::Unknown;
        }
        let refunds = seen.unwrap_or_default();
        let fees =
            |kind: Kind| rows.iter().filter(move |row| row.kind() == kind).map(|row| row.total.0.abs());
        let fee = fees(Kind::Fee)
            .next()
            .is_some()
            .then(|| fees(Kind::Fee).sum::<Decimal>() - fees(Kind::FeeBack).sum::<Decimal>());
        let funding = self.funding_information;
        let result = funding.as_ref().and_then(|one| one.process_result.as_deref());
        let errors = self.errors.unwrap_or_default();
        let error = errors.first().and_then(|one| one.error_code.as_deref());
        Some(Snapshot {
            reference: reference.to_owned(),
            state,
            provider_state: short(&provider_state).unwrap_or_default(),
            amount: ours.map_or(self.total.0, |row| row.total.0),
            currency: self.currency,
            refunded: refunds.iter().filter(|one| one.succeeded).map(|one| one.amount).sum(),
            refunds,
            decline: (state == SeenState::Failed).then(|| decline(result.or(error))),
            decline_code: (state == SeenState::Failed).then(|| result.or(error).and_then(short)).flatten(),
            masked_card: funding
                .and_then(|one| one.bank_card?.masked_pan)
                .and_then(|card| masked_card(&card)),
            fee,
            part,
            attempt,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PAYMENT: &str = "046a46b98838473684da452da7000001";
    const OURS: &str = "0f5a46b98838473684da452da7000002";
    const BACK: &str = "0f5a46b98838473684da452da7000003";

    fn read(rows: Value, status: &str) -> Snapshot {
        let ours = json!({"TransactionId": OURS, "POSTransactionId": "attempt", "Total": 1000,
            "TransactionType": "CardPayment", "Status": "Succeeded", "RelatedId": null});
        let mut all = vec![ours];
        all.extend(rows.as_array().unwrap().clone());
        let whole = json!({"PaymentId": "046A46B9-8838-4736-84DA-452DA7000001", "PaymentRequestId": "attempt",
            "Status": status, "Total": "600.0", "Currency": "HUF", "Transactions": all, "Errors": []});
        serde_json::from_value::<PaymentState>(whole).unwrap().snapshot(PAYMENT).unwrap()
    }

    fn refund(id: &str, pos: &str, comment: &str) -> Value {
        json!({"TransactionId": id, "POSTransactionId": pos, "Comment": comment, "Total": "400",
            "TransactionType": "RefundToBankCard", "Status": "Succeeded", "RelatedId": OURS})
    }

    #[test]
    fn every_documented_state_has_a_word_of_ours() {
        for (theirs, ours) in [
            ("Prepared", SeenState::Pending),
            ("Started", SeenState::Pending),
            ("InProgress", SeenState::Pending),
            ("Waiting", SeenState::Pending),
            ("Reserved", SeenState::Authorised),
            ("Authorized", SeenState::Authorised),
            ("PartiallySucceeded", SeenState::Authorised),
            ("Succeeded", SeenState::Captured),
            ("Canceled", SeenState::Cancelled),
            ("Failed", SeenState::Failed),
            ("Expired", SeenState::Expired),
            ("Frozen", SeenState::Unknown),
        ] {
            let seen = read(json!([]), theirs);
            assert_eq!((seen.state, seen.provider_state.as_str()), (ours, theirs));
        }
    }

    #[test]
    fn refunds_and_fees_are_told_by_their_type() {
        let fee = |kind: &str, total: &str| {
            json!({"TransactionId": BACK, "POSTransactionId": "attempt", "Total": total,
                "TransactionType": kind, "Status": "Succeeded", "RelatedId": OURS})
        };
        let seen = read(
            json!([
                fee("GatewayFee", "10.00"),
                fee("CardProcessingFee", "6.5"),
                fee("CardProcessingFeeStorno", "0.5"),
                refund(BACK, "refund", "refund"),
            ]),
            "Succeeded",
        );
        assert_eq!(seen.state, SeenState::Captured);
        assert_eq!((seen.amount, seen.refunded, seen.fee), (1000.into(), 400.into(), Some(16.into())));
        assert_eq!(seen.part.as_deref(), Some(OURS));
        // Barion may name the payment there.
        let seen = read(json!([refund(BACK, "attempt", "refund")]), "Succeeded");
        assert_eq!(seen.refunds[0].ours.as_deref(), Some("refund"));
        let seen = read(json!([refund(BACK, "attempt", "")]), "Succeeded");
        assert_eq!((seen.refunds[0].ours.as_deref(), seen.refunded), (None, 400.into()));
    }

    #[test]
    fn a_refund_that_bounced_is_not_counted() {
        let storno = |related: &str| {
            json!([refund(BACK, "refund", "refund"),
                {"TransactionId": "0f5a46b98838473684da452da7000009", "Total": 400, "RelatedId": related,
                 "TransactionType": "StornoUnSuccessfulRefundToBankCard", "Status": "Succeeded"}])
        };
        for related in [BACK, OURS] {
            let seen = read(storno(related), "Succeeded");
            assert_eq!(seen.state, SeenState::Captured);
            assert_eq!((seen.refunded, seen.refunds[0].succeeded), (Decimal::ZERO, false), "{related}");
        }
        let seen = read(storno(PAYMENT), "Succeeded");
        assert_eq!(seen.state, SeenState::Unknown, "it cannot be told which one");
    }

    #[test]
    fn money_that_cannot_be_told_is_unknown() {
        let strange = json!([{"TransactionId": BACK, "Total": 5, "TransactionType": "RefundToMars",
            "Status": "Succeeded", "RelatedId": OURS}]);
        assert_eq!(read(strange, "Succeeded").state, SeenState::Unknown);
        let others = json!({"PaymentId": PAYMENT, "PaymentRequestId": "another", "Status": "Succeeded",
            "Total": 5, "Currency": "HUF", "Transactions": null});
        let seen = serde_json::from_value::<PaymentState>(others.clone()).unwrap().snapshot(PAYMENT).unwrap();
        assert_eq!((seen.state, seen.part, seen.amount), (SeenState::Unknown, None, 5.into()));
        assert!(serde_json::from_value::<PaymentState>(others).unwrap().snapshot(OURS).is_none());
    }
}
