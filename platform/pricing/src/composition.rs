//! The composition of a menu, as prices see it, for callers that put one together.

use kernel::money::{Currency, Money, Percent};
use uuid::Uuid;

use crate::{Catalogue, Component, VatSum, lines::split_per_piece, units::Coin, vat};

/// A component's part in the price of one menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    pub subproduct_id: Uuid,
    pub pieces: u16,
    /// What these pieces cost alone, gross.
    pub list_price: Money,
    /// How much of the menu's price is theirs, gross.
    pub price: Money,
    pub vat: Percent,
}

/// The price of one menu split over its components as an order splits it, and the VAT in it by rate, highest
/// first. `here`: at the rates of what is eaten here. Components that the catalogue does not know have no share.
#[must_use]
pub fn composition(
    catalogue: &Catalogue, price: Money, components: &[Component], here: bool, currency: Currency,
) -> (Vec<Share>, Vec<VatSum>) {
    let coin = Coin(currency);
    let known: Vec<_> = components
        .iter()
        .filter(|component| component.pieces > 0)
        .filter_map(|component| Some((component, catalogue.items.get(&component.subproduct_id)?)))
        .collect();
    let parts: Vec<(i128, u32)> =
        known.iter().map(|(component, item)| (coin.units(item.price), component.pieces.into())).collect();
    let grosses = split_per_piece(coin.units(price), &parts);
    let rated: Vec<(Percent, i128)> =
        known.iter().zip(&grosses).map(|((_, item), gross)| (item.vat(here), *gross)).collect();
    let shares =
        known.iter().zip(&parts).zip(&rated).map(|(((component, _), (list, pieces)), (vat, gross))| Share {
            subproduct_id: component.subproduct_id,
            pieces: component.pieces,
            list_price: coin.money(list * i128::from(*pieces)),
            price: coin.money(*gross),
            vat: *vat,
        });
    (shares.collect(), vat::by_rate(&rated, coin).0)
}
