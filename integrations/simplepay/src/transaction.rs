//! A transaction of SimplePay's answers in our words.

use contract::{CallError, CallFault, Decline, SeenRefund, SeenState, Snapshot, masked_card, read_amount};
use rust_decimal::Decimal;
use serde_json::{Map, Value};

type Answer = Map<String, Value>;

pub(crate) fn state(word: &str) -> SeenState {
    match word {
        "INIT" | "INPAYMENT" | "INFRAUD" => SeenState::Pending,
        "AUTHORIZED" => SeenState::Authorised,
        "FINISHED" | "REFUND" => SeenState::Captured,
        "NOTAUTHORIZED" | "FRAUD" => SeenState::Failed,
        "CANCELLED" | "REVERSED" => SeenState::Cancelled,
        "TIMEOUT" => SeenState::Expired,
        _ => SeenState::Unknown,
    }
}

/// What a code of a refused card means.
fn decline(code: Option<&str>) -> Decline {
    match code.and_then(|code| code.parse::<u32>().ok()) {
        Some(2013) => Decline::NotEnoughMoney,
        Some(2063 | 2064 | 2066 | 2068 | 2071 | 2072) => Decline::CardData,
        Some(2019) => Decline::Away,
        Some(3000..=3999) => Decline::Authentication,
        _ => Decline::Refused,
    }
}

/// A text, or a number as its digits: ids come both ways.
pub(crate) fn text(answer: &Answer, name: &str) -> Option<String> {
    match answer.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
    .filter(|text| !text.is_empty())
}

fn money(answer: &Answer, name: &str) -> Option<Decimal> {
    answer.get(name).and_then(read_amount)
}

/// Refunds that certainly did not arrive. The words are not documented, so any other one counts as done. The sum in
/// `remainingTotal` decides.
fn bounced(word: &str) -> bool {
    matches!(word, "FAILED" | "REJECTED" | "NOTAUTHORIZED" | "CANCELLED" | "REVERSED" | "TIMEOUT")
}

fn refund(one: &Value) -> Option<SeenRefund> {
    let one = one.as_object()?;
    Some(SeenRefund {
        reference: text(one, "transactionId").or_else(|| text(one, "refundTransactionId"))?,
        ours: None,
        amount: money(one, "refundTotal").or_else(|| money(one, "total"))?.abs(),
        succeeded: !text(one, "status").is_some_and(|word| bounced(&word)),
    })
}

/// One entry of `transactions`.
pub(crate) fn snapshot(entry: &Answer) -> Result<Snapshot, CallError> {
    let lacking = || CallError::unknown(CallFault::Protocol);
    let provider_state = text(entry, "status").ok_or_else(lacking)?;
    let state = state(&provider_state);
    let total = money(entry, "total").ok_or_else(lacking)?;
    let remaining = money(entry, "remainingTotal");
    let list = entry.get("refunds").and_then(Value::as_array);
    let refunds: Vec<_> = list.into_iter().flatten().filter_map(refund).collect();
    let listed: Decimal = refunds.iter().filter(|one| one.succeeded).map(|one| one.amount).sum();
    let is_two_step = entry.get("twoStep") == Some(&Value::Bool(true));
    let (amount, refunded) = match (state, remaining) {
        // `total` may be all that was held, so the part that was taken is computed: the rest and the refunds.
        (SeenState::Captured, Some(remaining)) if is_two_step && list.is_some() => {
            (remaining + listed, listed)
        }
        (SeenState::Captured, Some(remaining)) => (total, total - remaining),
        (SeenState::Captured, None) => (total, listed),
        _ => (total, Decimal::ZERO),
    };
    let code = text(entry, "resultCode").filter(|code| code != "OK" && code != "0");
    let code = code.and_then(|code| CallError::unknown(CallFault::Protocol).with_code(&code).code);
    let code = code.filter(|_| state == SeenState::Failed);
    let why = match provider_state.as_str() {
        "FRAUD" => Decline::Suspicious,
        _ => decline(code.as_deref()),
    };
    Ok(Snapshot {
        attempt: text(entry, "orderRef").ok_or_else(lacking)?,
        reference: text(entry, "transactionId").ok_or_else(lacking)?,
        state,
        provider_state,
        amount,
        currency: text(entry, "currency").ok_or_else(lacking)?,
        refunded,
        refunds,
        decline_code: code,
        decline: (state == SeenState::Failed).then_some(why),
        masked_card: text(entry, "cardMask").as_deref().and_then(masked_card),
        fee: None,
        part: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Snapshot, CallError> {
        snapshot(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn every_state_has_one_word_of_ours() {
        use SeenState::{Authorised, Cancelled, Captured, Expired, Failed, Pending, Unknown};
        for (word, ours) in [
            ("INIT", Pending),
            ("INPAYMENT", Pending),
            ("INFRAUD", Pending),
            ("AUTHORIZED", Authorised),
            ("FINISHED", Captured),
            ("NOTAUTHORIZED", Failed),
            ("FRAUD", Failed),
            ("CANCELLED", Cancelled),
            ("TIMEOUT", Expired),
            ("REVERSED", Cancelled),
            ("REFUND", Captured),
            ("finished", Unknown),
            ("SETTLED", Unknown),
        ] {
            assert_eq!(state(word), ours, "{word}");
        }
    }

    #[test]
    fn a_recorded_answer_is_read() {
        let seen = read(
            r#"{"merchant": "PUBLICTESTHUF", "orderRef": "A-1", "currency": "HUF", "currencyEnum": "HUF",
                "language": "HU", "twoStep": false, "total": 1000, "shippingCost": 0, "discount": 0,
                "transactionId": 509007599, "status": "INIT", "remainingTotal": 1000,
                "paymentDate": "2026-08-30T11:29:57+02:00"}"#,
        )
        .unwrap();
        assert_eq!((seen.attempt.as_str(), seen.reference.as_str()), ("A-1", "509007599"));
        assert_eq!((seen.state, seen.amount, seen.refunded), (SeenState::Pending, 1000.into(), 0.into()));
    }

    #[test]
    fn what_went_back_is_told_from_what_was_never_taken() {
        let with = |rest: &str| {
            let head = r#""orderRef":"A","currency":"HUF","transactionId":"7","total":1000"#;
            let seen = read(&format!("{{{head},{rest}}}")).unwrap();
            (seen.amount, seen.refunded, seen.refunds.len())
        };
        assert_eq!(with(r#""status":"FINISHED","remainingTotal":400"#), (1000.into(), 600.into(), 0));
        assert_eq!(with(r#""status":"REFUND","remainingTotal":0"#), (1000.into(), 1000.into(), 0));
        let part = r#""status":"FINISHED","twoStep":true,"remainingTotal":400,"refunds":"#;
        assert_eq!(with(&format!("{part}[]")), (400.into(), 0.into(), 0));
        assert_eq!(
            with(&format!(r#"{part}[{{"transactionId":8,"refundTotal":100}}]"#)),
            (500.into(), 100.into(), 1)
        );
        let bounced = r#"[{"transactionId":8,"refundTotal":100,"status":"FAILED"}]"#;
        assert_eq!(with(&format!("{part}{bounced}")), (400.into(), 0.into(), 1));
        assert_eq!(with(r#""status":"NOTAUTHORIZED","remainingTotal":0"#), (1000.into(), 0.into(), 0));
        assert!(read(r#"{"status":"FINISHED"}"#).is_err());
    }
}
