//! A cart at list price, the input of promotions, fees and reasons.

use std::{cmp::Ordering, collections::HashMap};

use kernel::money::Money;
use uuid::Uuid;

use crate::{
    Cart, CartOption, Catalogue, Config, Fulfilment, fees,
    lines::{Lines, Prices},
    units::Coin,
};

/// A cart at list price.
///
/// Its lines stand in an order of their own: by size, then options, then pieces; only equal lines keep the
/// cart's order. Whatever is spread gives a tie to the earlier line, so the cart's order changes no amount.
pub(crate) struct Basket<'a> {
    pub catalogue: &'a Catalogue,
    pub cart: &'a Cart,
    pub config: &'a Config,
    pub prices: Prices<'a>,
    pub goods: Lines<'a>,
    /// For each line of the cart, its place in `goods`.
    pub position: Vec<usize>,
    /// The goods, in units.
    pub list_value: i128,
    pub delivery_fee: i128,
}

impl<'a> Basket<'a> {
    pub fn new(catalogue: &'a Catalogue, cart: &'a Cart, config: &'a Config) -> Self {
        let here = cart.fulfilment() == Fulfilment::Here;
        let prices = Prices { catalogue, coin: Coin(config.currency), here };
        let sorted_options: Vec<Vec<CartOption>> = cart
            .items
            .iter()
            .map(|line| {
                let mut options = line.options.clone();
                options.sort_unstable();
                options
            })
            .collect();
        let mut order: Vec<usize> = (0..cart.items.len()).collect();
        order.sort_by(|a, b| {
            let (left, right) = (&cart.items[*a], &cart.items[*b]);
            left.subproduct_id
                .cmp(&right.subproduct_id)
                .then_with(|| by_options(&sorted_options[*a], &sorted_options[*b]))
                .then(left.quantity.cmp(&right.quantity))
        });
        let mut goods = Lines::default();
        let mut position = vec![0; cart.items.len()];
        for (place, index) in order.into_iter().enumerate() {
            let line = &cart.items[index];
            goods.push(prices, line.subproduct_id, line.quantity.into(), &sorted_options[index]);
            position[index] = place;
        }
        let list_value = goods.cells.iter().map(|cell| cell.list).sum();
        let delivery_fee = fees::delivery(cart, config, prices.coin, list_value);
        Self { catalogue, cart, config, prices, goods, position, list_value, delivery_fee }
    }

    pub fn coin(&self) -> Coin {
        self.prices.coin
    }

    /// The goods at list price: what minimum, threshold and ranges look at.
    pub fn list_money(&self) -> Money {
        self.coin().money(self.list_value)
    }

    /// Pieces of each size that the cart takes, those of components and options counted.
    pub fn pieces(&self) -> HashMap<Uuid, u64> {
        let mut pieces: HashMap<Uuid, u64> = HashMap::new();
        for (subproduct_id, count) in self.goods.pieces() {
            let sum = pieces.entry(subproduct_id).or_default();
            *sum = sum.saturating_add(count);
        }
        pieces
    }
}

/// By ids, then by how many of each.
fn by_options(a: &[CartOption], b: &[CartOption]) -> Ordering {
    let ids = |options: &[CartOption]| options.iter().map(|option| option.option_id).collect::<Vec<_>>();
    ids(a).cmp(&ids(b)).then_with(|| a.cmp(b))
}
