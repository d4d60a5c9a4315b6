//! Dividing an amount into parts that add up to it. See `docs/decisions/money-and-time.md#rounding`.

use rust_decimal::Decimal;

use super::Money;

/// Divides an amount into parts in proportion to `weights` so that the parts add up to it exactly: **largest
/// remainder**, ties to the larger part, then to the earlier.
///
/// `unit` is the smallest amount a part may have ([`Currency::unit`]); when `amount` itself is no multiple of
/// it, the odd rest goes to the largest part. A negative amount is divided like its opposite. Weights below
/// zero count as zero; when all are zero, the first part takes everything. Without weights there are no
/// parts.
pub fn spread(amount: Money, weights: &[Decimal], unit: Decimal) -> Vec<Money> {
    let weights: Vec<Decimal> = weights.iter().map(|w| (*w).max(Decimal::ZERO)).collect();
    let total: Decimal = weights.iter().sum();
    if total.is_zero() {
        let rest = weights.len().saturating_sub(1);
        return weights
            .first()
            .map(|_| amount)
            .into_iter()
            .chain(std::iter::repeat_n(Money::ZERO, rest))
            .collect();
    }
    let whole = amount.abs().0;
    let units = (whole / unit).trunc();
    let mut parts = Vec::with_capacity(weights.len());
    let mut order = Vec::with_capacity(weights.len());
    for (index, weight) in weights.iter().enumerate() {
        // A product beyond `Decimal` (amounts no cart can reach) is only approximated; the sum stays exact
        // below.
        let (part, remainder) = match units.checked_mul(*weight) {
            Some(product) => ((product - product % total) / total, product % total),
            None => ((units * (*weight / total)).trunc(), Decimal::ZERO),
        };
        parts.push(part);
        order.push((remainder, *weight, index));
    }
    order.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    let mut left = units - parts.iter().sum::<Decimal>();
    for (_, _, index) in &order {
        if left < Decimal::ONE {
            break;
        }
        parts[*index] += Decimal::ONE;
        left -= Decimal::ONE;
    }
    let mut parts: Vec<Decimal> = parts.into_iter().map(|part| part * unit).collect();
    let largest = order.iter().max_by(|a, b| a.1.cmp(&b.1).then(b.2.cmp(&a.2)));
    if let Some((_, _, index)) = largest {
        let given: Decimal = parts.iter().sum();
        parts[*index] += whole - given;
    }
    parts.into_iter().map(|part| if amount.is_negative() { -Money(part) } else { Money(part) }).collect()
}
