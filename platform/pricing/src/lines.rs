//! Lines at list price, and their parts, each with a VAT rate of its own. See
//! `docs/decisions/pricing.md#parts-of-a-line`.

use std::ops::Range;

use kernel::money::Percent;
use uuid::Uuid;

use crate::{CartOption, Catalogue, Item, ItemOption, PartKind, units::Coin};

/// A part of a line, at list price.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub kind: PartKind,
    /// The size by which it is taxed.
    pub subproduct_id: Uuid,
    /// The option that stands for the size.
    pub option_id: Option<Uuid>,
    /// Pieces of the size, in the whole line.
    pub pieces: u32,
    pub vat: Percent,
    /// List price, in units.
    pub list: i128,
}

/// A line, at list price.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    pub subproduct_id: Uuid,
    /// `None` when the catalogue does not know it.
    pub item: Option<&'a Item>,
    pub quantity: u32,
    /// List price of one piece with its options, in units.
    pub unit_price: i128,
    pub cells: Range<usize>,
    /// Those that are the price of the size itself: the first of its cells. The others are its options'.
    pub own_cells: Range<usize>,
    /// Bottles or cans with a deposit, those of components and options counted.
    pub deposit_pieces: u32,
}

impl Line<'_> {
    /// List price, in units.
    pub fn list(&self) -> i128 {
        self.unit_price * i128::from(self.quantity)
    }
}

/// Lines with their cells, each line's together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines<'a> {
    pub lines: Vec<Line<'a>>,
    pub cells: Vec<Cell>,
}

/// What one piece of a line consists of, before prices are split.
struct Content<'a> {
    kind: PartKind,
    option_id: Option<Uuid>,
    subproduct_id: Uuid,
    item: &'a Item,
    /// Per piece of the line.
    pieces: u32,
}

/// What decides the prices of lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prices<'a> {
    pub catalogue: &'a Catalogue,
    pub coin: Coin,
    /// Eaten here: sit-in VAT.
    pub here: bool,
}

impl<'a> Lines<'a> {
    /// Adds a line. A size or option that the catalogue does not know costs nothing.
    pub fn push(&mut self, prices: Prices<'a>, subproduct_id: Uuid, quantity: u32, options: &[CartOption]) {
        let item = prices.catalogue.items.get(&subproduct_id);
        let chosen: Vec<ChosenOption<'a>> =
            options.iter().filter_map(|option| ChosenOption::find(prices, item?, *option)).collect();
        let own_price = item.map_or(0, |item| prices.coin.units(item.price));
        let contents = contents(prices.catalogue, subproduct_id, item, &chosen);

        let from = self.cells.len();
        let vat = item.map_or(Percent::ZERO, |item| item.vat(prices.here));
        let whole = Cell {
            kind: PartKind::Item,
            subproduct_id,
            option_id: None,
            pieces: quantity,
            vat,
            list: own_price * i128::from(quantity),
        };
        if contents.is_empty() {
            self.cells.push(whole);
        }
        let parts: Vec<_> =
            contents.iter().map(|one| (prices.coin.units(one.item.price), one.pieces)).collect();
        for (content, share) in contents.iter().zip(split_per_piece(own_price, &parts)) {
            self.cells.push(content.cell(prices, quantity, share));
        }
        let own_cells = from..self.cells.len();

        let plain: i128 = chosen.iter().filter(|option| option.size.is_none()).map(|o| o.per_piece()).sum();
        if plain > 0 {
            let list = plain * i128::from(quantity);
            self.cells.push(Cell { kind: PartKind::Options, list, ..whole });
        }
        for option in chosen.iter().filter(|option| option.price > 0) {
            if let Some(content) = option.content() {
                self.cells.push(content.cell(prices, quantity, option.per_piece()));
            }
        }

        let of_options: i128 = chosen.iter().map(ChosenOption::per_piece).sum();
        self.lines.push(Line {
            subproduct_id,
            item,
            quantity,
            unit_price: own_price + of_options,
            cells: from..self.cells.len(),
            own_cells,
            deposit_pieces: deposit_pieces(prices.catalogue, item, &chosen).saturating_mul(quantity),
        });
    }
}

impl Lines<'_> {
    /// Pieces of sizes, those of components and options counted; a size may come several times.
    pub fn pieces(&self) -> impl Iterator<Item = (Uuid, u64)> {
        let own = self.lines.iter().map(|line| (line.subproduct_id, line.quantity.into()));
        let parts = self.cells.iter().filter(|cell| cell.kind.is_another_size());
        own.chain(parts.map(|cell| (cell.subproduct_id, cell.pieces.into())))
    }
}

struct ChosenOption<'a> {
    option: &'a ItemOption,
    quantity: u32,
    /// Of one, in units.
    price: i128,
    /// The size it stands for, and how many pieces of it one option is.
    size: Option<(Uuid, &'a Item, u32)>,
}

impl<'a> ChosenOption<'a> {
    fn find(prices: Prices<'a>, item: &'a Item, chosen: CartOption) -> Option<Self> {
        let (_, _, option) = prices.catalogue.option(item, chosen.option_id)?;
        let size = option.size.filter(|size| size.pieces > 0).and_then(|size| {
            let item = prices.catalogue.items.get(&size.subproduct_id)?;
            Some((size.subproduct_id, item, u32::from(size.pieces)))
        });
        let price = prices.coin.units(option.price);
        Some(Self { option, quantity: chosen.quantity.into(), price, size })
    }

    /// Its list price on one piece of the line.
    fn per_piece(&self) -> i128 {
        self.price * i128::from(self.quantity)
    }

    fn content(&self) -> Option<Content<'a>> {
        self.size.map(|(subproduct_id, item, pieces)| Content {
            kind: PartKind::Option,
            option_id: Some(self.option.id),
            subproduct_id,
            item,
            pieces: self.quantity.saturating_mul(pieces),
        })
    }
}

impl Content<'_> {
    fn cell(&self, prices: Prices<'_>, quantity: u32, per_piece: i128) -> Cell {
        Cell {
            kind: self.kind,
            subproduct_id: self.subproduct_id,
            option_id: self.option_id,
            pieces: self.pieces.saturating_mul(quantity),
            vat: self.item.vat(prices.here),
            list: per_piece * i128::from(quantity),
        }
    }
}

/// What shares the price of a size: its components, and options without a price that stand for a size. Such
/// options of a size without components share it with the size itself. Nothing: the price is not shared.
fn contents<'a>(
    catalogue: &'a Catalogue, subproduct_id: Uuid, item: Option<&'a Item>, chosen: &[ChosenOption<'a>],
) -> Vec<Content<'a>> {
    let Some(item) = item else {
        return Vec::new();
    };
    let mut contents: Vec<Content<'a>> = components(catalogue, item)
        .map(|(subproduct_id, component, pieces)| Content {
            kind: PartKind::Component,
            option_id: None,
            subproduct_id,
            item: component,
            pieces,
        })
        .collect();
    let included = chosen.iter().filter(|option| option.price == 0).filter_map(ChosenOption::content);
    let itself = Content { kind: PartKind::Item, option_id: None, subproduct_id, item, pieces: 1 };
    if contents.is_empty() {
        contents.push(itself);
    }
    contents.extend(included);
    if matches!(contents.as_slice(), [Content { kind: PartKind::Item, .. }]) {
        contents.clear();
    }
    contents
}

/// The components of an item that the catalogue knows, with their pieces.
pub(crate) fn components<'a>(
    catalogue: &'a Catalogue, item: &'a Item,
) -> impl Iterator<Item = (Uuid, &'a Item, u32)> {
    item.components.iter().filter(|component| component.pieces > 0).filter_map(|component| {
        let of = catalogue.items.get(&component.subproduct_id)?;
        Some((component.subproduct_id, of, u32::from(component.pieces)))
    })
}

/// Splits the price of one piece over parts, each a list price and its pieces: by list prices × pieces, by pieces
/// where all list prices are 0. Shares are rounded down; the rest goes to the heaviest, of several to the first.
pub(crate) fn split_per_piece(price: i128, parts: &[(i128, u32)]) -> Vec<i128> {
    let mut weights: Vec<i128> = parts.iter().map(|(list, pieces)| list * i128::from(*pieces)).collect();
    if weights.iter().all(|weight| *weight == 0) {
        weights = parts.iter().map(|(_, pieces)| (*pieces).into()).collect();
    }
    let total = weights.iter().sum::<i128>().max(1);
    let mut shares: Vec<i128> = weights.iter().map(|weight| price * *weight / total).collect();
    let rest = price - shares.iter().sum::<i128>();
    let heaviest = (0..weights.len()).rev().max_by_key(|index| weights[*index]);
    if let Some(index) = heaviest {
        shares[index] += rest;
    }
    shares
}

fn deposit_pieces(catalogue: &Catalogue, item: Option<&Item>, chosen: &[ChosenOption<'_>]) -> u32 {
    let Some(item) = item else {
        return 0;
    };
    let of = |item: &Item, pieces: u32| u32::from(item.deposit_pieces).saturating_mul(pieces);
    let components = components(catalogue, item).map(|(_, component, pieces)| of(component, pieces));
    let options = chosen.iter().filter_map(ChosenOption::content).map(|c| of(c.item, c.pieces));
    components.chain(options).fold(of(item, 1), u32::saturating_add)
}
