//! Amounts of regions and streets.

use kernel::{
    Fault,
    money::{Currency, Money},
};
use rust_decimal::Decimal;

/// The most that any of them may be.
pub(crate) const MOST: Decimal = Decimal::from_parts(10_000_000, 0, 0, false, 0);

/// Without the zeros that the column's scale adds.
pub(crate) fn shown(amount: Money) -> Money {
    Money(amount.value().normalize())
}

/// What is wrong with these amounts in this currency: out of range, or smaller than its smallest coin (Ft
/// have no decimals).
pub(crate) fn faults(
    amounts: impl IntoIterator<Item = (&'static str, Option<Money>)>, currency: Currency,
) -> Vec<(String, Fault)> {
    let amounts = amounts.into_iter().filter_map(|(key, amount)| Some((key, fault(amount?, currency)?)));
    amounts.map(|(key, fault)| (key.to_owned(), fault)).collect()
}

pub(crate) fn fault(amount: Money, currency: Currency) -> Option<Fault> {
    if amount.is_negative() {
        Some(Fault::Min)
    } else if amount.value() > MOST {
        Some(Fault::Max)
    } else {
        (amount != amount.round(currency)).then_some(Fault::Invalid)
    }
}

/// A text without blanks around it; none when nothing is left.
pub(crate) fn tidy(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}
