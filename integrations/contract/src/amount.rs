//! Amounts and cards as providers write them.

use rust_decimal::Decimal;
use serde_json::Value;

use crate::{CallError, CallFault};

/// An amount with exactly the decimals of its currency: none of `HUF`, two of all others.
///
/// # Errors
/// `Invalid`: it is below zero, or has more decimals. It is not rounded.
pub fn exact_amount(amount: Decimal, currency: &str) -> Result<Decimal, CallError> {
    let decimals = if currency == "HUF" { 0 } else { 2 };
    let mut exact = amount.normalize();
    if exact.scale() > decimals || exact < Decimal::ZERO {
        return Err(CallError::harmless(CallFault::Invalid));
    }
    exact.rescale(decimals);
    Ok(exact)
}

/// An amount of an answer, by its exact digits: a number, or the same as text.
#[must_use]
pub fn read_amount(value: &Value) -> Option<Decimal> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    Decimal::from_str_exact(&text).or_else(|_| Decimal::from_scientific(&text)).ok()
}

/// The number of a card with at most the first six and the last four digits, however much of it is there; all else is a
/// star. None: it has no digit.
#[must_use]
pub fn masked_card(card: &str) -> Option<String> {
    let card: Vec<char> = card.chars().filter(|one| !one.is_whitespace() && *one != '-').take(32).collect();
    let length = card.len();
    let is_kept = |at: usize| at + 4 >= length || (at < 6 && length > 10);
    let shown = |(at, one): (usize, char)| if one.is_ascii_digit() && is_kept(at) { one } else { '*' };
    let shown: String = card.into_iter().enumerate().map(shown).collect();
    shown.chars().any(|one| one.is_ascii_digit()).then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_number_is_never_whole() {
        for (card, shown) in [
            ("4571234567891234", Some("457123******1234")),
            ("4571 23** **** 1234", Some("457123******1234")),
            ("516123******1234", Some("516123******1234")),
            ("5161 2345 6789 1234", Some("516123******1234")),
            ("************1234", Some("************1234")),
            ("****1234", Some("****1234")),
            ("xxxx-1234", Some("****1234")),
            ("1234567890", Some("******7890")),
            ("123456789", Some("*****6789")),
            ("1234", Some("1234")),
            ("", None),
            ("xxxx", None),
        ] {
            assert_eq!(masked_card(card).as_deref(), shown, "{card}");
        }
    }

    #[test]
    fn amounts_are_read_with_exact_digits() {
        for (json, amount) in [
            ("1290", Some("1290")),
            ("1290.0", Some("1290.0")),
            ("0.1", Some("0.1")),
            ("90071992547409.93", Some("90071992547409.93")),
            ("1.29e3", Some("1290")),
            ("1e3", Some("1000")),
            ("\"12.50\"", Some("12.50")),
            ("\" 5 \"", Some("5")),
            ("\"\"", None),
            ("\"many\"", None),
            ("null", None),
            ("true", None),
            ("1e999", None),
        ] {
            let value: Value = serde_json::from_str(json).unwrap();
            assert_eq!(read_amount(&value).map(|amount| amount.to_string()).as_deref(), amount, "{json}");
        }
    }
}
