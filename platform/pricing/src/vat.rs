//! VAT: summed by rate, rounded once per rate, and spread to the parts so that they add up to it. See
//! `docs/decisions/money-and-time.md#vat`.

use kernel::money::{Currency, Money, Percent, spread};

use crate::VatSum;

/// Splits gross amounts by rate. Returns the sums by rate, highest rate first, and the net of each amount in
/// the order given.
pub(crate) fn split(parts: &[(Percent, Money)], currency: Currency) -> (Vec<VatSum>, Vec<Money>) {
    let mut rates: Vec<Percent> = parts.iter().map(|(percent, _)| *percent).collect();
    rates.sort_by(|a, b| b.cmp(a));
    rates.dedup();
    let mut sums = Vec::new();
    let mut nets = vec![Money::ZERO; parts.len()];
    for percent in rates {
        let members: Vec<usize> = (0..parts.len()).filter(|index| parts[*index].0 == percent).collect();
        let weights: Vec<_> = members.iter().map(|index| parts[*index].1.value()).collect();
        let gross: Money = members.iter().map(|index| parts[*index].1).sum();
        let net = percent.net_of(gross).round(currency);
        for (index, share) in members.into_iter().zip(spread(net, &weights, currency.unit())) {
            nets[index] = share;
        }
        if !gross.is_zero() {
            sums.push(VatSum { percent, net, vat: gross - net, gross });
        }
    }
    (sums, nets)
}
