//! Amounts on the wire: forints whole, euros and dollars with two decimals.

use contract::{CallError, CallFault};
use rust_decimal::Decimal;
use serde_json::Value;

/// The currencies that SimplePay has accounts in.
pub(crate) const CURRENCIES: &[&str] = &["HUF", "EUR", "USD"];

/// The exact digits. More decimals than the currency has, and less than nothing, are refused.
pub(crate) fn digits(amount: Decimal, currency: &str) -> Result<String, CallError> {
    let decimals = match currency {
        "HUF" => 0,
        "EUR" | "USD" => 2,
        _ => return Err(CallError::harmless(CallFault::Invalid)),
    };
    let mut exact = amount.normalize();
    if exact.scale() > decimals || exact.is_sign_negative() && !exact.is_zero() {
        return Err(CallError::harmless(CallFault::Invalid));
    }
    exact.rescale(decimals);
    Ok(exact.to_string())
}

/// As [`digits`], above zero.
pub(crate) fn positive(amount: Decimal, currency: &str) -> Result<String, CallError> {
    if amount.is_zero() { Err(CallError::harmless(CallFault::Invalid)) } else { digits(amount, currency) }
}

/// An amount of an answer: a number or a text.
pub(crate) fn read(value: &Value) -> Option<Decimal> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => return None,
    };
    text.parse().or_else(|_| Decimal::from_scientific(&text)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_currency_has_its_digits() {
        for (amount, currency, sent) in [
            ("2500", "HUF", Some("2500")),
            ("2500.00", "HUF", Some("2500")),
            ("12.5", "HUF", None),
            ("0", "HUF", Some("0")),
            ("-1", "HUF", None),
            ("12.5", "EUR", Some("12.50")),
            ("12", "EUR", Some("12.00")),
            ("12.345", "EUR", None),
            ("0.01", "USD", Some("0.01")),
            ("12.50", "USD", Some("12.50")),
            ("9999999999.99", "USD", Some("9999999999.99")),
            ("1", "CHF", None),
        ] {
            let amount: Decimal = amount.parse().unwrap();
            assert_eq!(digits(amount, currency).ok().as_deref(), sent, "{amount} {currency}");
        }
        assert!(positive(Decimal::ZERO, "HUF").is_err());
    }

    #[test]
    fn numbers_and_texts_are_read_exactly() {
        for (json, amount) in [
            ("1000", Some("1000")),
            ("1000.0", Some("1000.0")),
            ("\"12.50\"", Some("12.50")),
            ("1e3", Some("1000")),
            ("null", None),
            ("\"many\"", None),
        ] {
            let value = serde_json::from_str(json).unwrap();
            assert_eq!(read(&value), amount.map(|amount| amount.parse().unwrap()), "{json}");
        }
    }
}
