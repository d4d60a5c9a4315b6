//! Amounts on the wire: forints whole, euros and dollars with two decimals.

use contract::{CallError, CallFault, exact_amount};
use rust_decimal::Decimal;

/// The currencies that SimplePay has accounts in.
pub(crate) const CURRENCIES: &[&str] = &["HUF", "EUR", "USD"];

/// The exact digits. More decimals than the currency has, and less than nothing, are refused.
pub(crate) fn digits(amount: Decimal, currency: &str) -> Result<String, CallError> {
    if !CURRENCIES.contains(&currency) {
        return Err(CallError::harmless(CallFault::Invalid));
    }
    exact_amount(amount, currency).map(|exact| exact.to_string())
}

/// As [`digits`], above zero.
pub(crate) fn positive(amount: Decimal, currency: &str) -> Result<String, CallError> {
    if amount.is_zero() { Err(CallError::harmless(CallFault::Invalid)) } else { digits(amount, currency) }
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
}
