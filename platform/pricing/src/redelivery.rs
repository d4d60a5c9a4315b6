//! The delivery of an order that is placed and goes elsewhere: its fee is found anew, and nothing else is priced
//! again. See `docs/decisions/orders.md#changing-an-order`.

use kernel::money::{Currency, Money, Percent};

use crate::{
    Place, VatSum, fees,
    units::{Coin, Factor},
};

/// The delivery of an order, in whole units of its currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// List price.
    pub list: Money,
    /// What each promotion of the order takes from it, in the order in which they act; never more than there is.
    pub taken: Vec<Money>,
    pub vat_percent: Percent,
    /// Net of what is paid for it.
    pub net: Money,
}

impl Delivery {
    #[must_use]
    pub fn paid(&self) -> Money {
        self.list - self.taken.iter().copied().sum::<Money>()
    }
}

/// An order's delivery, and what else carries VAT.
#[derive(Debug, Clone, Copy)]
pub struct Redelivery<'a> {
    pub before: &'a Delivery,
    /// The place in the list of the first promotion that makes the delivery free, whatever it costs.
    pub free: Option<usize>,
    /// Goods without gifts at list price, as they were ordered: what thresholds look at.
    pub list_value: Money,
    /// The sums of the order by rate, this delivery in them.
    pub vats: &'a [VatSum],
    pub currency: Currency,
}

impl Redelivery<'_> {
    /// What the delivery is when it goes to a place, or to none (`None`: it is fetched).
    ///
    /// A free delivery stays free. What else promotions take from the fee stays as it is, as far as the new fee
    /// has so much; of what it has not, the last ones take less first.
    #[must_use]
    pub fn to(&self, place: Option<Place>, vat_percent: Percent) -> Delivery {
        let coin = Coin(self.currency);
        let list = place.map_or(Money::ZERO, |place| fees::to(place, self.list_value));
        let list = coin.money(coin.units(list));
        let was_free = !self.before.list.is_zero() && self.before.paid().is_zero();
        let giver = || self.before.taken.iter().position(|taken| !taken.is_zero());
        let free = self.free.or_else(|| was_free.then(giver).flatten());
        let mut left = list;
        let mut taken: Vec<Money> = Vec::with_capacity(self.before.taken.len());
        for before in &self.before.taken {
            let now = (*before).min(left);
            left -= now;
            taken.push(now);
        }
        if let Some(giver) = free.and_then(|at| taken.get_mut(at)) {
            *giver += left;
            left = Money::ZERO;
        }
        let net = self.net(coin, left, vat_percent);
        Delivery { list, taken, vat_percent, net }
    }

    /// The net of a fee, so that the net of its rate is rounded once: the lines keep theirs.
    fn net(&self, coin: Coin, paid: Money, vat_percent: Percent) -> Money {
        let of_rate = self.vats.iter().find(|sum| same(sum.percent, vat_percent));
        let (mut gross, mut net) = of_rate.map_or((Money::ZERO, Money::ZERO), |sum| (sum.gross, sum.net));
        if same(self.before.vat_percent, vat_percent) {
            gross -= self.before.paid();
            net -= self.before.net;
        }
        let whole = coin.money(Factor::net(vat_percent).of(coin.units(gross + paid)));
        (whole - net).max(Money::ZERO).min(paid)
    }

    /// The sums by rate with another delivery, highest rate first.
    #[must_use]
    pub fn vats(&self, after: &Delivery) -> Vec<VatSum> {
        let mut sums = self.vats.to_vec();
        let before = self.before;
        for (one, gross, net) in [(before, -before.paid(), -before.net), (after, after.paid(), after.net)] {
            let at = sums.iter().position(|sum| same(sum.percent, one.vat_percent)).unwrap_or_else(|| {
                let [net, vat, gross] = [Money::ZERO; 3];
                sums.push(VatSum { percent: one.vat_percent, net, vat, gross });
                sums.len() - 1
            });
            let sum = &mut sums[at];
            sum.gross += gross;
            sum.net += net;
            sum.vat = sum.gross - sum.net;
        }
        sums.retain(|sum| !sum.gross.is_zero());
        sums.sort_by_key(|sum| std::cmp::Reverse(sum.percent));
        sums
    }
}

/// The same rate, however many zeros it is written with.
fn same(one: Percent, other: Percent) -> bool {
    one.value() == other.value()
}
