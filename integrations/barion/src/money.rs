//! Amounts as Barion writes them: JSON numbers in the major unit, never through a float.

use contract::{CallError, CallFault};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Number, Value};

/// The currencies of Barion.
pub(crate) const CURRENCIES: &[&str] = &["HUF", "EUR", "USD", "CZK", "RON", "PLN"];

/// The number to send: forints whole, all others with two decimals.
///
/// # Errors
/// `Invalid`: it is not above zero, has more decimals than the currency, or Barion does not have the currency.
pub(crate) fn number(amount: Decimal, currency: &str) -> Result<Number, CallError> {
    let invalid = || CallError::harmless(CallFault::Invalid);
    if !CURRENCIES.contains(&currency) || amount <= Decimal::ZERO {
        return Err(invalid());
    }
    let decimals = if currency == "HUF" { 0 } else { 2 };
    let mut exact = amount.normalize();
    if exact.scale() > decimals {
        return Err(invalid());
    }
    exact.rescale(decimals);
    exact.to_string().parse().map_err(|_| invalid())
}

/// An amount of an answer: a number, or the same as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount(pub(crate) Decimal);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = match Value::deserialize(deserializer)? {
            Value::Number(number) => number.to_string(),
            Value::String(text) => text,
            _ => return Err(D::Error::custom("not an amount")),
        };
        let text = text.trim();
        Decimal::from_str_exact(text)
            .or_else(|_| Decimal::from_scientific(text))
            .map(Self)
            .map_err(|_| D::Error::custom("not an amount"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_sent_with_exact_digits() {
        let sent = |amount: &str, currency: &str| {
            number(amount.parse().unwrap(), currency).map(|number| Value::from(number).to_string()).ok()
        };
        for (amount, currency, wire) in [
            ("1290", "HUF", Some("1290")),
            ("1290.00", "HUF", Some("1290")),
            ("12.5", "HUF", None),
            ("0.1", "EUR", Some("0.10")),
            ("12.5", "EUR", Some("12.50")),
            ("12.340", "USD", Some("12.34")),
            ("12.345", "USD", None),
            ("90071992547409.93", "EUR", Some("90071992547409.93")),
            ("0", "HUF", None),
            ("-5", "HUF", None),
            ("5", "GBP", None),
            ("5", "huf", None),
        ] {
            assert_eq!(sent(amount, currency).as_deref(), wire, "{amount} {currency}");
        }
    }

    #[test]
    fn amounts_are_read_with_exact_digits() {
        let read = |text: &str| serde_json::from_str::<Amount>(text).map(|amount| amount.0.to_string()).ok();
        for (text, amount) in [
            ("1290", Some("1290")),
            ("1290.0", Some("1290.0")),
            ("0.1", Some("0.1")),
            ("90071992547409.93", Some("90071992547409.93")),
            ("1.29e3", Some("1290")),
            ("\"12.50\"", Some("12.50")),
            ("\" 5 \"", Some("5")),
            ("\"\"", None),
            ("true", None),
            ("1e999", None),
        ] {
            assert_eq!(read(text).as_deref(), amount, "{text}");
        }
    }
}
