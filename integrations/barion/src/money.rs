//! Amounts as Barion writes them: JSON numbers in the major unit, never through a float.

use contract::{CallError, CallFault, exact_amount, read_amount};
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
    exact_amount(amount, currency)?.to_string().parse().map_err(|_| invalid())
}

/// An amount of an answer: a number, or the same as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount(pub(crate) Decimal);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = read_amount(&Value::deserialize(deserializer)?);
        read.map(Self).ok_or_else(|| D::Error::custom("not an amount"))
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
}
