//! Applies a set of promotions and the staff discount to a cart. See
//! `docs/decisions/pricing.md#what-a-promotion-takes`.

use crate::{
    ApplyType, PromotionKind, StaffDiscount, ValueKind,
    applicable::Ready,
    basket::Basket,
    fees,
    lines::Line,
    units::{Factor, split},
};

/// What is left of the goods and the delivery fee, in units.
pub(crate) struct Left {
    /// Of each cell of the basket.
    pub cells: Vec<i128>,
    pub fee: i128,
    /// What each promotion of the set takes, in the set's order.
    pub taken: Vec<i128>,
    /// What of it each takes from the delivery fee.
    pub taken_of_fee: Vec<i128>,
    /// The goods before the staff discount.
    pub before_staff: i128,
    /// What the staff discount takes.
    pub staff: i128,
    /// Goods, delivery fee and service fee: what sets of promotions are compared by.
    pub total: i128,
}

/// The order in which promotions act: per item, per cart, coupons; within each overwritten values,
/// percentages, fixed amounts; among equals the older.
pub(crate) fn sort_in_acting_order(ready: &mut [Ready<'_>]) {
    ready.sort_by_key(|ready| {
        let promotion = ready.promotion;
        let step = match (promotion.kind, promotion.apply_type) {
            (PromotionKind::Coupon, _) => 2,
            (_, ApplyType::ApplyPerCart) => 1,
            (_, ApplyType::ApplyPerItem) => 0,
        };
        (step, ready.range.discount_type, promotion.created_at, promotion.id)
    });
}

/// Lets a set of promotions, in acting order, act one after another, each on what the earlier ones left.
pub(crate) fn apply<'r, 'a: 'r>(
    basket: &Basket<'_>, set: impl Iterator<Item = &'r Ready<'a>> + Clone,
) -> Left {
    let mut left = Left {
        cells: basket.goods.cells.iter().map(|cell| cell.list).collect(),
        fee: basket.delivery_fee,
        taken: Vec::with_capacity(set.size_hint().0),
        taken_of_fee: Vec::with_capacity(set.size_hint().0),
        before_staff: 0,
        staff: 0,
        total: 0,
    };
    // A free delivery is free before any value acts.
    let free = set.clone().position(|ready| ready.range.free_delivery);
    if free.is_some() {
        left.fee = 0;
    }
    for (at, ready) in set.enumerate() {
        let of_delivery = if free == Some(at) { basket.delivery_fee } else { 0 };
        let fee = left.fee;
        let of_values = act(basket, ready, &mut left);
        left.taken.push(of_delivery + of_values);
        left.taken_of_fee.push(of_delivery + fee - left.fee);
    }
    take_staff_discount(basket, &mut left);
    left.total = left.cells.iter().sum::<i128>() + left.fee + service_fee(basket, &left.cells);
    left
}

/// What the value of a promotion takes.
fn act(basket: &Basket<'_>, ready: &Ready<'_>, left: &mut Left) -> i128 {
    let range = ready.range;
    if ready.value.is_zero() {
        return 0;
    }
    let lines = ready.lines.iter().map(|place| &basket.goods.lines[*place]);
    let of_line = |line: &Line<'_>| {
        if range.apply_on_options { line.cells.clone() } else { line.own_cells.clone() }
    };
    match ready.promotion.apply_type {
        ApplyType::ApplyPerCart => left.take(lines.flat_map(of_line), range.apply_on_delivery, |base| {
            value_of(range.discount_type, ready.value, base, 1)
        }),
        ApplyType::ApplyPerItem => {
            let mut taken = 0;
            for line in lines {
                let pieces = line.quantity.into();
                taken += left.take(of_line(line), false, |base| {
                    value_of(range.discount_type, ready.value, base, pieces)
                });
            }
            if range.apply_on_delivery && range.discount_type == ValueKind::Percent {
                taken += left.take(0..0, true, |base| value_of(ValueKind::Percent, ready.value, base, 1));
            }
            taken
        }
    }
}

/// What a value takes from so many pieces that cost `base` together; it may be more than there is.
fn value_of(kind: ValueKind, value: Factor, base: i128, pieces: i128) -> i128 {
    match kind {
        ValueKind::Percent => value.of(base),
        ValueKind::FixedValue => value.of(pieces),
        ValueKind::OverwrittenValue => value.above(base, pieces),
    }
}

impl Left {
    /// Takes an amount of the sum of some cells, and of the delivery fee if it belongs to them, and spreads
    /// it over them. Answers how much that was.
    fn take(
        &mut self, cells: impl Iterator<Item = usize> + Clone, and_fee: bool, amount: impl Fn(i128) -> i128,
    ) -> i128 {
        let mut weights: Vec<i128> = cells.clone().map(|cell| self.cells[cell]).collect();
        if and_fee {
            weights.push(self.fee);
        }
        let shares = shares(&weights, amount);
        for (cell, share) in cells.zip(&shares) {
            self.cells[cell] -= share;
        }
        if and_fee {
            self.fee -= shares.last().copied().unwrap_or(0);
        }
        shares.iter().sum()
    }
}

/// The shares of an amount that is taken of the sum of `weights`: no more than there is, of any of them.
pub(crate) fn shares(weights: &[i128], amount: impl Fn(i128) -> i128) -> Vec<i128> {
    let shares = split(amount(weights.iter().sum()), weights);
    shares.into_iter().zip(weights).map(|(share, weight)| share.min(*weight)).collect()
}

/// The staff discount: of all goods, as promotions left them.
fn take_staff_discount(basket: &Basket<'_>, left: &mut Left) {
    left.before_staff = left.cells.iter().sum();
    let Some(discount) = basket.cart.staff_discount else {
        return;
    };
    left.staff = left.take(0..left.cells.len(), false, |base| match discount {
        StaffDiscount::Percent(percent) => Factor::percent(percent.value()).of(base),
        StaffDiscount::Amount(amount) => basket.coin().units(amount),
    });
}

/// The service fee of the goods alone.
fn service_fee(basket: &Basket<'_>, cells: &[i128]) -> i128 {
    let mode = basket.config.fees.service.mode;
    let carrying =
        basket.goods.lines.iter().filter(|line| mode.includes(line.item.and_then(|i| i.service_fee)));
    let paid = carrying.flat_map(|line| &cells[line.cells.clone()]).sum();
    fees::service(basket.cart, basket.config).of(paid)
}
