//! The cash that a guest announces. See `docs/decisions/orders.md#cash-that-is-announced`.

use access::prelude::*;
use kernel::money::{Currency, Money};

use crate::payments::in_coins;

/// The key of the only method that gives change.
const CASH: &str = "cash";

/// Whether somebody may say what is paid with: `method` is the key of the order's, none where that is said later.
pub(crate) fn is_cash(method: Option<&str>) -> bool {
    method.is_none_or(|key| key == CASH)
}

/// What is wrong with an amount for so much that is due.
pub(crate) fn fault(
    pays_with: Option<Money>, due: Money, method: Option<&str>, currency: Currency,
) -> Option<(String, Fault)> {
    let amount = pays_with?;
    let fault = if !is_cash(method) || amount != in_coins(amount, currency) {
        Fault::Invalid
    } else if amount.is_zero() || amount < in_coins(due, currency) {
        Fault::Min
    } else {
        return None;
    };
    Some(("pays_with".to_owned(), fault))
}

/// What comes back of it; none where nothing is due, and where it is not enough by now.
pub(crate) fn change(pays_with: Option<Money>, due: Money, currency: Currency) -> Option<Money> {
    let to_pay = in_coins(due, currency);
    pays_with.filter(|amount| due > Money::ZERO && *amount >= to_pay).map(|amount| amount - to_pay)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HUF: Currency = Currency::Huf;

    #[test]
    fn change_is_counted_in_coins() {
        for (pays_with, due, back) in [
            (Some(20_000), 7_342, Some(12_660)),
            (Some(10_000), 9_998, Some(0)),
            (Some(10_000), 10_002, Some(0)),
            (Some(10_000), 10_003, None),
            (Some(5_000), 0, None),
            (Some(5_000), -300, None),
            (None, 5_000, None),
        ] {
            let found = change(pays_with.map(Money::from), due.into(), HUF);
            assert_eq!(found, back.map(Money::from), "{pays_with:?} for {due}");
        }
    }

    #[test]
    fn only_cash_that_is_enough_is_announced() {
        let of = |amount: i64, method| {
            fault(Some(amount.into()), 4_990.into(), method, HUF).map(|(_, fault)| fault)
        };
        assert!(of(5_000, Some("cash")).is_none());
        assert!(of(4_990, None).is_none());
        assert!(matches!(of(4_985, Some("cash")), Some(Fault::Min)));
        assert!(matches!(of(0, Some("cash")), Some(Fault::Min)));
        assert!(matches!(of(5_001, Some("cash")), Some(Fault::Invalid)));
        assert!(matches!(of(5_000, Some("card")), Some(Fault::Invalid)));
        assert!(matches!(of(5_000, Some("szep_kartya")), Some(Fault::Invalid)));
        assert!(fault(None, 4_990.into(), Some("card"), HUF).is_none());
    }
}
