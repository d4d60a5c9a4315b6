//! Rules for the rows of a ledger. No I/O.

use access::prelude::*;
use kernel::money::{Currency, Money};
use rust_decimal::Decimal;

/// The most that one row moves, in the currency's unit.
pub(crate) const MOST: Decimal = Decimal::from_parts(10_000_000, 0, 0, false, 0);
/// The most that a balance may be, either way: far inside of what the column holds.
const MOST_BALANCE: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);
/// The most that a customer's points may be, either way.
const MOST_POINTS: i64 = 1_000_000_000_000;

/// What is wrong with the value of a row, by itself.
pub(crate) fn value_fault(value: Money, currency: Currency) -> Option<Fault> {
    if value.is_zero() {
        Some(Fault::Invalid)
    } else if value.value() > MOST {
        Some(Fault::Max)
    } else if value.value() < -MOST {
        Some(Fault::Min)
    } else if value != value.round(currency) {
        Some(Fault::Invalid)
    } else {
        None
    }
}

/// The balance after a row; a fault when it would be more than is kept.
pub(crate) fn balance_after(before: Money, value: Money) -> Result<Money, Fault> {
    let after = before.value() + value.value();
    if after > MOST_BALANCE {
        Err(Fault::Max)
    } else if after < -MOST_BALANCE {
        Err(Fault::Min)
    } else {
        Ok(Money(after))
    }
}

/// The points after a row; a fault when they would be more than is kept.
pub(crate) fn points_after(before: i64, value: i64) -> Result<i64, Fault> {
    match before.checked_add(value) {
        Some(after) if (-MOST_POINTS..=MOST_POINTS).contains(&after) => Ok(after),
        _ if value > 0 => Err(Fault::Max),
        _ => Err(Fault::Min),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(text: &str) -> Money {
        text.parse().unwrap()
    }

    #[test]
    fn a_value_is_whole_not_zero_and_not_too_large() {
        for (value, currency, expected) in [
            ("1", Currency::Huf, None),
            ("-1", Currency::Huf, None),
            ("10.00", Currency::Huf, None),
            ("10000000", Currency::Huf, None),
            ("-10000000", Currency::Huf, None),
            ("0", Currency::Huf, Some(Fault::Invalid)),
            ("0.00", Currency::Eur, Some(Fault::Invalid)),
            ("0.5", Currency::Huf, Some(Fault::Invalid)),
            ("0.05", Currency::Eur, None),
            ("0.005", Currency::Eur, Some(Fault::Invalid)),
            ("10000000.01", Currency::Eur, Some(Fault::Max)),
            ("-10000001", Currency::Huf, Some(Fault::Min)),
            ("999999999999", Currency::Huf, Some(Fault::Max)),
        ] {
            assert_eq!(value_fault(money(value), currency), expected, "{value} {currency}");
        }
    }

    #[test]
    fn a_balance_stays_within_its_column() {
        let most = money("1000000000");
        assert_eq!(balance_after(money("-5"), money("5")).unwrap(), Money::ZERO);
        assert_eq!(balance_after(money("999999999"), money("1")).unwrap(), most);
        assert_eq!(balance_after(most, money("0.01")), Err(Fault::Max));
        assert_eq!(balance_after(money("-999999999"), money("-2")), Err(Fault::Min));
    }

    #[test]
    fn points_do_not_overflow() {
        assert_eq!(points_after(1, -3), Ok(-2));
        assert_eq!(points_after(i64::MAX, 1), Err(Fault::Max));
        assert_eq!(points_after(MOST_POINTS, 1), Err(Fault::Max));
        assert_eq!(points_after(-MOST_POINTS, -1), Err(Fault::Min));
    }
}
