//! Gifts of promotions. See `docs/decisions/pricing.md#gifts`.

use std::collections::HashMap;

use kernel::money::Percent;
use rust_decimal::{Decimal, prelude::ToPrimitive};
use uuid::Uuid;

use crate::{
    Gift, GiftOffer, GiftQuantityType, GiftState, RangeFilterType,
    applicable::Ready,
    apply::shares,
    basket::Basket,
    lines::{Lines, components},
    units::Factor,
};

#[derive(Default)]
pub(crate) struct Gifts<'a> {
    /// The gift lines at list price.
    pub goods: Lines<'a>,
    /// What is left to pay of each cell of `goods`, in units.
    pub left: Vec<i128>,
    /// The promotion of each line of `goods`, by its place in the set.
    pub given_by: Vec<usize>,
    /// How much of each line is given.
    pub discounts: Vec<Percent>,
    /// What became of each gift; with the place of its promotion in the set.
    pub offers: Vec<(usize, GiftOffer)>,
    /// What the promotions give: the discounts on gifts, in units.
    pub value: i128,
}

/// The gifts of a set of promotions that are taken, and what became of the others.
pub(crate) fn gifts<'r, 'a: 'r>(
    basket: &Basket<'a>, set: impl Iterator<Item = &'r Ready<'r>> + Clone,
) -> Gifts<'a> {
    let mut gifts = Gifts::default();
    if set.clone().all(|ready| ready.range.gifts.is_empty()) {
        return gifts;
    }
    // What the cart takes itself goes first.
    let mut taken = basket.pieces();
    for (place, ready) in set.enumerate() {
        for gift in &ready.range.gifts {
            let quantity = quantity(ready, gift);
            if quantity == 0 {
                continue;
            }
            let state = state(basket, ready, gift, quantity, &mut taken);
            if state == GiftState::Given {
                gifts.give(basket, place, gift, quantity);
            }
            let Gift { subproduct_id, discount_percentage, .. } = *gift;
            gifts.offers.push((place, GiftOffer { subproduct_id, quantity, discount_percentage, state }));
        }
    }
    gifts
}

impl<'a> Gifts<'a> {
    /// Adds the line of a gift, and spreads its discount over the parts of the line.
    fn give(&mut self, basket: &Basket<'a>, place: usize, gift: &Gift, quantity: u32) {
        let from = self.goods.cells.len();
        self.goods.push(basket.prices, gift.subproduct_id, quantity, &[]);
        let weights: Vec<i128> = self.goods.cells[from..].iter().map(|cell| cell.list).collect();
        let given = Factor::percent(gift.discount_percentage.value());
        let shares = shares(&weights, |list| given.of(list));
        self.left.extend(weights.iter().zip(&shares).map(|(weight, share)| weight - share));
        self.given_by.push(place);
        self.discounts.push(gift.discount_percentage);
        self.value += shares.iter().sum::<i128>();
    }
}

/// Whether a gift costs nothing.
pub(crate) fn is_free(discount_percentage: Percent) -> bool {
    discount_percentage.value() >= Decimal::ONE_HUNDRED
}

/// How many pieces a promotion gives.
fn quantity(ready: &Ready<'_>, gift: &Gift) -> u32 {
    let times = match (gift.quantity_type, ready.promotion.range_filter_type) {
        (GiftQuantityType::PerCart, _) => 1,
        (GiftQuantityType::PerItem, RangeFilterType::ByPrice) => ready.pieces,
        (GiftQuantityType::PerItem, RangeFilterType::ByQuantity) => {
            // From 0 pieces on means for each piece.
            let from = ready.range.price_from.max(Decimal::ONE);
            (Decimal::from(ready.pieces) / from).floor().to_u32().unwrap_or(0)
        }
    };
    u32::from(gift.quantity).saturating_mul(times)
}

/// What becomes of a gift. One that is given takes its pieces.
fn state(
    basket: &Basket<'_>, ready: &Ready<'_>, gift: &Gift, quantity: u32, taken: &mut HashMap<Uuid, u64>,
) -> GiftState {
    let wanted = pieces(basket, gift.subproduct_id, quantity);
    let is_left = |(subproduct_id, pieces): &(Uuid, u64)| {
        let sum = taken.get(subproduct_id).copied().unwrap_or(0).saturating_add(*pieces);
        let sellable = basket.catalogue.items.get(subproduct_id).and_then(|item| item.sellable_quantity);
        sellable.is_none_or(|left| u64::try_from(left).is_ok_and(|left| sum <= left))
    };
    let active = basket.catalogue.items.get(&gift.subproduct_id).is_some_and(|item| item.active);
    if !active || !wanted.iter().all(is_left) {
        return GiftState::Unavailable;
    }
    let choices = basket.cart.gift_choices.iter();
    let choice = choices.rev().find(|choice| choice.is_about(ready.promotion.id, gift.subproduct_id));
    match choice.map(|choice| choice.accepted) {
        Some(false) => return GiftState::Declined,
        None if !is_free(gift.discount_percentage) => return GiftState::Offered,
        Some(true) | None => {}
    }
    for (subproduct_id, pieces) in wanted {
        let sum = taken.entry(subproduct_id).or_default();
        *sum = sum.saturating_add(pieces);
    }
    GiftState::Given
}

/// Pieces of each size that a gift takes, each size once.
fn pieces(basket: &Basket<'_>, subproduct_id: Uuid, quantity: u32) -> Vec<(Uuid, u64)> {
    let mut pieces = vec![(subproduct_id, u64::from(quantity))];
    let Some(item) = basket.catalogue.items.get(&subproduct_id) else {
        return pieces;
    };
    for (component, _, of_one) in components(basket.catalogue, item) {
        let count = u64::from(of_one) * u64::from(quantity);
        match pieces.iter_mut().find(|(id, _)| *id == component) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => pieces.push((component, count)),
        }
    }
    pieces
}
