//! Whole units of a currency as integers: forints or cents. Integers keep every sum exact and cost a fraction
//! of decimals. See `docs/decisions/money-and-time.md#rounding`.

use kernel::money::{Currency, Money, Percent, spread};
use rust_decimal::{Decimal, prelude::ToPrimitive};

/// The largest amount from outside, 10^12 of a currency with cents. It keeps every product within `i128`.
const MAX_UNITS: i128 = 100_000_000_000_000;

/// Between amounts of a currency and its whole units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coin(pub Currency);

impl Coin {
    /// The whole units of an amount from outside. Sale prices and fees are saved in whole units and not
    /// negative; a row that is not (an old import) is made so here, once, so that everything still adds up.
    pub fn units(self, amount: Money) -> i128 {
        let mut value = amount.round(self.0).value();
        value.rescale(self.0.decimals());
        value.mantissa().clamp(0, MAX_UNITS)
    }

    /// The amount of so many units.
    pub fn money(self, units: i128) -> Money {
        Money(Decimal::try_from_i128_with_scale(units, self.0.decimals()).unwrap_or(Decimal::MAX))
    }
}

/// An exact factor, not negative. What it gives is rounded once, half away from zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Factor {
    numerator: i128,
    denominator: i128,
}

impl Factor {
    /// Of an amount, so many hundredths.
    pub fn percent(percent: Decimal) -> Self {
        let (numerator, denominator) = fraction(percent);
        Self { numerator, denominator: denominator * 100 }
    }

    /// The net in a gross amount: gross ÷ (1 + VAT %).
    pub fn net(vat: Percent) -> Self {
        let (numerator, denominator) = fraction(vat.value());
        Self { numerator: denominator * 100, denominator: denominator * 100 + numerator }
    }

    /// The units of an amount per piece.
    pub fn per_piece(amount: Decimal, coin: Coin) -> Self {
        let (numerator, denominator) = fraction(amount);
        Self { numerator: numerator.saturating_mul(10_i128.pow(coin.0.decimals())), denominator }
    }

    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// This much of `number`, which is not negative.
    pub fn of(self, number: i128) -> i128 {
        self.rounded(|numerator, _| numerator.checked_mul(number))
    }

    /// This much of `number`, rounded down.
    pub fn floor_of(self, number: i128) -> i128 {
        let Self { mut numerator, mut denominator } = self;
        loop {
            if let Some(product) = numerator.checked_mul(number) {
                return product / denominator;
            }
            numerator /= 2;
            denominator = (denominator / 2).max(1);
        }
    }

    /// What `amount` has above this much of `number`; 0 when it has less.
    pub fn above(self, amount: i128, number: i128) -> i128 {
        self.rounded(|numerator, denominator| {
            let limit = numerator.checked_mul(number)?;
            Some(amount.checked_mul(denominator)?.checked_sub(limit)?.max(0))
        })
    }

    /// A multiple of 1 ÷ denominator, rounded. Numbers that no order reaches lose their last digits first.
    fn rounded(self, multiple: impl Fn(i128, i128) -> Option<i128>) -> i128 {
        let Self { mut numerator, mut denominator } = self;
        loop {
            let doubled = multiple(numerator, denominator).and_then(|exact| exact.checked_mul(2));
            if let Some(sum) = doubled.and_then(|doubled| doubled.checked_add(denominator)) {
                return sum / (2 * denominator);
            }
            numerator /= 2;
            denominator = (denominator / 2).max(1);
        }
    }
}

/// A decimal as a fraction; nothing when it is below zero.
fn fraction(value: Decimal) -> (i128, i128) {
    let value = value.max(Decimal::ZERO).normalize();
    (value.mantissa(), 10_i128.pow(value.scale()))
}

/// Divides an amount in proportion to weights by **largest remainder**, ties to the larger weight, then to
/// the earlier. No part is larger than its weight where the amount is not larger than their sum. When all
/// weights are 0, the first part takes everything. No number is negative.
pub(crate) fn split(amount: i128, weights: &[i128]) -> Vec<i128> {
    let total: i128 = weights.iter().sum();
    if amount == 0 || total == 0 || weights.len() == 1 {
        let mut parts = vec![0; weights.len()];
        if let Some(first) = parts.first_mut() {
            *first = amount;
        }
        return parts;
    }
    let mut parts = Vec::with_capacity(weights.len());
    let mut given = 0;
    for weight in weights {
        let Some(product) = amount.checked_mul(*weight) else {
            return split_huge(amount, weights);
        };
        let part = product / total;
        given += part;
        parts.push(part);
    }
    let left = usize::try_from(amount - given).unwrap_or(0);
    if left == 0 {
        return parts;
    }
    let remainder = |index: usize| amount * weights[index] - parts[index] * total;
    let mut order: Vec<_> = (0..weights.len()).map(|at| (remainder(at), weights[at], at)).collect();
    order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    for (_, _, index) in order.iter().take(left) {
        parts[*index] += 1;
    }
    parts
}

/// The same for amounts that no order reaches: the parts are close and add up.
fn split_huge(amount: i128, weights: &[i128]) -> Vec<i128> {
    let decimal = |number: i128| Decimal::try_from_i128_with_scale(number, 0).unwrap_or(Decimal::MAX);
    let weights: Vec<Decimal> = weights.iter().map(|weight| decimal(*weight)).collect();
    let parts = spread(Money(decimal(amount)), &weights, Decimal::ONE);
    parts.into_iter().map(|part| part.value().to_i128().unwrap_or(0)).collect()
}
