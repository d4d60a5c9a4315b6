//! SimplePay's error codes and statuses as failures with an effect.

use contract::{CallError, CallFault, Effect};
use serde_json::{Map, Value};

use crate::action::Action;

/// The fault and the effect of a documented code. Any other code leaves the effect open.
fn meaning(action: Action, code: u32) -> (CallFault, Effect) {
    match code {
        // Merchant not found, not the same, access denied; our signature is not good.
        2006 | 5010 | 5012 | 5100 | 5202 | 5302 | 5303 => (CallFault::Credentials, Effect::None),
        // General faults, and time that ran out behind SimplePay.
        999 | 1529 | 2004 | 2019 | 2020 | 2079 | 2999 | 3000 | 5000 | 5016 | 5027 | 5304..=5306 | 5555 => {
            (CallFault::Broken, Effect::Unknown)
        }
        5011 => (CallFault::NotFound, Effect::None),
        // A payment of this name is there, perhaps by our own call whose answer was lost.
        5013 | 5015 | 5018 if action == Action::Start => (CallFault::Conflict, Effect::Unknown),
        // The state of the payment, or the rules of refunds.
        2000..=3999
        | 5013..=5015
        | 5017
        | 5018
        | 5021
        | 5022
        | 5026
        | 5028..=5030
        | 5033
        | 5228..=5230
        | 5308
        | 5343
        | 5344
        | 5372
        | 5403..=5405 => (CallFault::Conflict, Effect::None),
        5001..=5699 => (CallFault::Invalid, Effect::None),
        _ => (CallFault::Protocol, Effect::Unknown),
    }
}

fn codes(answer: &Map<String, Value>) -> Option<Vec<Option<u32>>> {
    let one = |value: &Value| match value {
        Value::Number(number) => number.to_string().parse().ok(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    match answer.get("errorCodes")? {
        Value::Null => None,
        Value::Array(several) if several.is_empty() => None,
        Value::Array(several) => Some(several.iter().map(one).collect()),
        single => Some(vec![one(single)]),
    }
}

/// The failure that the answer's codes say. None: it has no codes.
pub(crate) fn of_codes(action: Action, answer: &Map<String, Value>) -> Option<CallError> {
    let weight = |error: &CallError| {
        (
            error.effect == Effect::Unknown,
            error.fault == CallFault::Credentials,
            error.fault == CallFault::Conflict,
        )
    };
    let each = codes(answer)?.into_iter().map(|code| {
        let Some(code) = code else { return CallError::unknown(CallFault::Protocol) };
        let (fault, effect) = meaning(action, code);
        CallError { effect, ..CallError::harmless(fault).with_code(&code.to_string()) }
    });
    each.max_by_key(weight)
}

/// The failure of an answer that is not signed as it should be, or has another status than 200.
pub(crate) fn unsigned(action: Action, status: u16, rate_limited: CallError, body: &[u8]) -> CallError {
    match status {
        429 => rate_limited,
        500..=599 => CallError::unknown(CallFault::Broken),
        // With a wrong secret the answer that says so cannot be verified. It is believed that far, but not that no
        // money has moved.
        _ => match serde_json::from_slice(body) {
            Ok(Value::Object(answer)) => of_codes(action, &answer)
                .filter(|error| error.fault == CallFault::Credentials)
                .map(|error| CallError { effect: effect_of_unsigned(action), ..error }),
            _ => None,
        }
        .unwrap_or_else(|| CallError::unknown(CallFault::Protocol)),
    }
}

fn effect_of_unsigned(action: Action) -> Effect {
    if action.moves_money() { Effect::Unknown } else { Effect::None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_says_what_may_have_happened() {
        use Action::{Finish, Query, Refund, Start};
        use CallFault::{Broken, Conflict, Credentials, Invalid, NotFound, Protocol};
        use Effect::{None, Unknown};
        for (action, codes, fault, effect, code) in [
            (Query, "[5302]", Credentials, None, "5302"),
            (Refund, "[5303]", Credentials, None, "5303"),
            (Query, "[5010]", Credentials, None, "5010"),
            (Start, "[5013]", Conflict, Unknown, "5013"),
            (Finish, "[5018]", Conflict, None, "5018"),
            (Refund, "[5011]", NotFound, None, "5011"),
            (Refund, "[5106]", Invalid, None, "5106"),
            (Refund, "[5229]", Conflict, None, "5229"),
            (Refund, "[5304]", Broken, Unknown, "5304"),
            (Refund, "[2019]", Broken, Unknown, "2019"),
            (Finish, "[5308]", Conflict, None, "5308"),
            (Start, "[5321, 5401]", Invalid, None, "5401"),
            (Start, "[5321, 5303]", Credentials, None, "5303"),
            (Start, "[5304, 5303]", Broken, Unknown, "5304"),
            (Start, "\"5401\"", Invalid, None, "5401"),
            (Start, "[9999]", Protocol, Unknown, "9999"),
            (Start, "[{}]", Protocol, Unknown, ""),
        ] {
            let answer = serde_json::from_str(&format!("{{\"errorCodes\": {codes}}}")).unwrap();
            let error = of_codes(action, &answer).unwrap();
            assert_eq!((error.fault, error.effect), (fault, effect), "{codes}");
            assert_eq!(error.code.unwrap_or_default(), code);
        }
        for none in ["{}", "{\"errorCodes\": []}", "{\"errorCodes\": null}"] {
            assert_eq!(of_codes(Start, &serde_json::from_str(none).unwrap()), Option::None);
        }
    }

    #[test]
    fn an_unsigned_refusal_of_credentials_leaves_open_whether_money_moved() {
        let limited = || CallError { retry_after: Some(7), ..CallError::harmless(CallFault::RateLimited) };
        let body = br#"{"errorCodes":[5302]}"#;
        let error = |action| unsigned(action, 200, limited(), body);
        assert_eq!(error(Action::Query), CallError::harmless(CallFault::Credentials).with_code("5302"));
        assert_eq!(error(Action::Refund), CallError::unknown(CallFault::Credentials).with_code("5302"));
        // What stands before SimplePay may refuse a call as well: that says nothing of the account.
        let page = unsigned(Action::Query, 403, limited(), b"<html>are you human?</html>");
        assert_eq!(page, CallError::unknown(CallFault::Protocol));
        let other = unsigned(Action::Start, 200, limited(), br#"{"errorCodes":[5321]}"#);
        assert_eq!(other, CallError::unknown(CallFault::Protocol));
        assert_eq!(unsigned(Action::Start, 429, limited(), b""), limited());
    }
}
