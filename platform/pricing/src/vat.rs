//! VAT: summed by rate, rounded once per rate, and spread to the parts so that they add up to it. See
//! `docs/decisions/money-and-time.md#vat`.

use kernel::money::Percent;

use crate::{
    VatSum,
    units::{Coin, Factor, split},
};

/// Splits gross amounts by rate. Returns the sums by rate, highest rate first, and the net of each amount in
/// the order given.
pub(crate) fn by_rate(parts: &[(Percent, i128)], coin: Coin) -> (Vec<VatSum>, Vec<i128>) {
    let mut rates: Vec<Percent> = parts.iter().map(|(percent, _)| *percent).collect();
    rates.sort_unstable_by(|a, b| b.cmp(a));
    rates.dedup();
    let mut sums = Vec::new();
    let mut nets = vec![0; parts.len()];
    for percent in rates {
        let members: Vec<usize> = (0..parts.len()).filter(|index| parts[*index].0 == percent).collect();
        let weights: Vec<i128> = members.iter().map(|index| parts[*index].1).collect();
        let gross: i128 = weights.iter().sum();
        let net = Factor::net(percent).of(gross);
        for (index, share) in members.into_iter().zip(split(net, &weights)) {
            nets[index] = share;
        }
        if gross != 0 {
            let [net, vat, gross] = [net, gross - net, gross].map(|amount| coin.money(amount));
            sums.push(VatSum { percent, net, vat, gross });
        }
    }
    (sums, nets)
}
