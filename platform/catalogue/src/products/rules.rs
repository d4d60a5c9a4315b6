//! Prices of sub-products in a save, and other limits that the schema cannot express.

use kernel::{
    Fault,
    money::{Money, Quantity},
};
use rust_decimal::Decimal;

/// The price of the only sub-product, which may stand in the product (`base_price`, as the form has it), in
/// the sub-product (as other clients send it), or in both. Where they differ, the one that differs from the
/// current price is the one that was changed.
/// Errors: What is wrong with `base_price`: missing when there is no price at all, invalid when both are new
/// and differ.
pub(crate) fn only_price(
    base: Option<Money>, own: Option<Money>, current: Option<Money>,
) -> Result<Money, Fault> {
    match (base, own) {
        (None, None) => current.ok_or(Fault::Required),
        (Some(one), None) | (None, Some(one)) => Ok(one),
        (Some(base), Some(own)) if base == own || current == Some(own) => Ok(base),
        (Some(base), Some(own)) if current == Some(base) => Ok(own),
        (Some(_), Some(_)) => Err(Fault::Invalid),
    }
}

/// What is wrong with the quantity of the tax report: more than 0, at most 100,000, at most 4 decimals.
pub(crate) fn ntak_quantity_fault(quantity: Quantity) -> Option<Fault> {
    if quantity.value() <= Decimal::ZERO {
        Some(Fault::Min)
    } else if quantity.value() > Decimal::from(100_000) {
        Some(Fault::Max)
    } else if quantity.value().normalize().scale() > 4 {
        Some(Fault::Invalid)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_changed_price_wins() {
        let of = |amount: Option<i64>| amount.map(Money::from);
        let cases = [
            // base_price, own price, current price, result
            (None, None, None, Err(Fault::Required)),
            (None, None, Some(900), Ok(900)),
            (Some(1000), None, None, Ok(1000)),
            (None, Some(1000), Some(900), Ok(1000)),
            (Some(1000), Some(1000), Some(900), Ok(1000)),
            (Some(1000), Some(900), Some(900), Ok(1000)),
            (Some(900), Some(1000), Some(900), Ok(1000)),
            (Some(1000), Some(1100), Some(900), Err(Fault::Invalid)),
            (Some(1000), Some(1100), None, Err(Fault::Invalid)),
        ];
        for (base, own, current, result) in cases {
            assert_eq!(
                only_price(of(base), of(own), of(current)),
                result.map(Money::from),
                "{base:?} {own:?} {current:?}"
            );
        }
    }

    #[test]
    fn quantities_fit_their_column() {
        for (text, right) in [
            ("0", false),
            ("0.00", false),
            ("0.0001", true),
            ("0.3333", true),
            ("0.33333", false),
            ("1.20000", true),
            ("100000", true),
            ("100000.1", false),
            ("-1", false),
        ] {
            assert_eq!(ntak_quantity_fault(text.parse().unwrap()).is_none(), right, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_client_that_changes_one_of_the_two_is_understood(current in 0_i64..1000, wanted in 0_i64..1000) {
            let (current, wanted) = (Money::from(current), Money::from(wanted));
            prop_assert_eq!(only_price(Some(wanted), Some(current), Some(current)), Ok(wanted));
            prop_assert_eq!(only_price(Some(current), Some(wanted), Some(current)), Ok(wanted));
        }
    }
}
