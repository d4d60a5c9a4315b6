//! Proposals for a whole menu: for categories, products and sizes, so few that inheritance does the
//! rest. Pure. See `docs/decisions/catalogue.md#categories-of-the-tax-report`.

use std::collections::{HashMap, HashSet};

use kernel::setting::NtakQuantityUnit;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{
    guess::{Guess, Names, category, guess},
    words::Pair,
};
use crate::bulk::{CategoryRow, Menu, ProductRow, SubproductRow};

/// Where a value would stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Category(Uuid),
    Product(Uuid),
    Subproduct(Uuid),
}

/// Category and unit, both or one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Taxed {
    pub category: Option<Uuid>,
    pub unit: Option<NtakQuantityUnit>,
}

impl Taxed {
    /// Its own values, else those above.
    fn or(self, above: Self) -> Self {
        Self { category: self.category.or(above.category), unit: self.unit.or(above.unit) }
    }

    fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// What one row would get. A field that is none stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Proposal {
    pub place: Place,
    pub set: Taxed,
    pub quantity: Option<Decimal>,
    /// What holds there now, its own or inherited.
    pub holds: Taxed,
    /// The quantity that a size has now.
    pub has_quantity: Option<Decimal>,
    /// It would take the place of something that holds now.
    pub replaces: bool,
}

/// A size with what its names speak for; none: nothing, or a category that cannot be chosen.
struct SizeGuess<'a> {
    size: &'a SubproductRow,
    taxed: Option<Taxed>,
    quantity: Option<Decimal>,
}

/// Makes the proposals of a menu.
struct Proposing<'a> {
    menu: &'a Menu,
    /// Categories that can be chosen.
    ids: HashMap<(&'a str, &'a str), Uuid>,
    /// Also where something holds already.
    all: bool,
    found: Vec<Proposal>,
}

/// The proposals of a menu in its order. Sizes that consist of others (`menus`) get none: each of their parts is
/// reported. `all`: also where another value holds, its own or inherited.
pub(super) fn propose(menu: &Menu, menus: &HashSet<Uuid>, all: bool) -> Vec<Proposal> {
    let pairs = menu.ntak_categories.values().filter(|row| row.valid);
    let ids = pairs.map(|row| ((row.main_category.as_str(), row.sub_category.as_str()), row.id)).collect();
    let mut products: HashMap<Uuid, Vec<&ProductRow>> = HashMap::new();
    for row in menu.products.values() {
        products.entry(row.product_category_id).or_default().push(row);
    }
    let mut proposing = Proposing { menu, ids, all, found: Vec::new() };
    for category in in_order(menu) {
        let mut rows = products.remove(&category.id).unwrap_or_default();
        rows.sort_by_key(|row| (row.ranking, row.id));
        proposing.category(category, &rows, menus);
    }
    proposing.found
}

/// The categories as the menu shows them: each upper one before those below it.
fn in_order(menu: &Menu) -> Vec<&CategoryRow> {
    let mut rows: Vec<&CategoryRow> = menu.categories.values().collect();
    let above = |row: &CategoryRow| row.parent_id.and_then(|id| menu.categories.get(&id));
    rows.sort_by_key(|row| {
        let top = above(row).unwrap_or(row);
        (top.ranking, top.id, row.parent_id.is_some(), row.ranking, row.id)
    });
    rows
}

/// What all have in common; none where one differs or nothing is there.
fn shared<T: PartialEq + Copy>(values: impl IntoIterator<Item = Option<T>>) -> Option<T> {
    let mut values = values.into_iter();
    let first = values.next()??;
    values.all(|value| value == Some(first)).then_some(first)
}

impl<'a> Proposing<'a> {
    fn id(&self, pair: Pair) -> Option<Uuid> {
        self.ids.get(&pair).copied()
    }

    fn restaurant(&self) -> Taxed {
        Taxed { category: self.menu.ntak_category_id, unit: self.menu.ntak_quantity_unit }
    }

    /// Proposes for one row, and answers what then holds there. `inherits`: what it inherits now, and what it
    /// would.
    fn row(&mut self, place: Place, own: Taxed, inherits: (Taxed, Taxed), wanted: Taxed) -> Taxed {
        let (holds, would) = (own.or(inherits.0), own.or(inherits.1));
        let mut set = Taxed::default();
        if wanted.category.is_some()
            && would.category != wanted.category
            && (self.all || holds.category.is_none())
        {
            set.category = wanted.category;
        }
        if wanted.unit.is_some() && would.unit != wanted.unit && (self.all || holds.unit.is_none()) {
            set.unit = wanted.unit;
        }
        if !set.is_empty() {
            let replaces = set.category.is_some() && holds.category.is_some()
                || set.unit.is_some() && holds.unit.is_some();
            self.found.push(Proposal { place, set, quantity: None, holds, has_quantity: None, replaces });
        }
        set.or(would)
    }

    fn category(&mut self, row: &'a CategoryRow, products: &[&'a ProductRow], menus: &HashSet<Uuid>) {
        let parent = row.parent_id.and_then(|id| self.menu.categories.get(&id));
        let own = |row: &CategoryRow| Taxed { category: row.ntak_category_id, unit: row.ntak_quantity_unit };
        let above = parent.map(own).unwrap_or_default().or(self.restaurant());
        let wanted: Vec<(&ProductRow, Vec<SizeGuess<'a>>)> = products
            .iter()
            .map(|product| (*product, self.wanted(row, parent, product, menus)))
            .filter(|(_, sizes)| !sizes.is_empty())
            .collect();
        let sizes = || wanted.iter().flat_map(|(_, sizes)| sizes);
        let said = category(&row.name, parent.map(|row| row.name.as_str())).and_then(|pair| self.id(pair));
        // A category with others below it has no products of its own: they are proposed one by one.
        let has_children = self.menu.categories.values().any(|other| other.parent_id == Some(row.id));
        let of_category =
            said.or_else(|| shared(sizes().map(|size| size.taxed.and_then(|taxed| taxed.category))));
        // Litres stand at products whose volume is known: a new drink must not count as one litre unseen.
        let unit = shared(sizes().map(|size| size.taxed.and_then(|taxed| taxed.unit)))
            .filter(|unit| !matches!(unit, NtakQuantityUnit::Liter | NtakQuantityUnit::Kilogram));
        let taxed = if has_children { Taxed::default() } else { Taxed { category: of_category, unit } };
        let holds = own(row).or(above);
        let would = self.row(Place::Category(row.id), own(row), (above, above), taxed);
        for (product, sizes) in wanted {
            self.product(product, &sizes, (holds, would));
        }
    }

    fn wanted(
        &self, category: &CategoryRow, parent: Option<&CategoryRow>, product: &ProductRow,
        menus: &HashSet<Uuid>,
    ) -> Vec<SizeGuess<'a>> {
        let sizes = self.menu.subproducts.get(&product.id).map_or(&[][..], Vec::as_slice);
        let of_size = |size: &'a SubproductRow| {
            let found = guess(&Names {
                category: &category.name,
                parent: parent.map(|row| row.name.as_str()),
                product: &product.name,
                description: product.description.as_deref(),
                size: &size.name,
            });
            let known = found.and_then(|Guess { pair, unit, quantity }| {
                Some((Taxed { category: Some(self.id(pair)?), unit: Some(unit) }, quantity))
            });
            SizeGuess {
                size,
                taxed: known.map(|(taxed, _)| taxed),
                quantity: known.and_then(|(_, quantity)| quantity),
            }
        };
        sizes.iter().filter(|size| !menus.contains(&size.id)).map(of_size).collect()
    }

    fn product(&mut self, row: &ProductRow, sizes: &[SizeGuess<'_>], above: (Taxed, Taxed)) {
        let own = Taxed { category: row.ntak_category_id, unit: row.ntak_quantity_unit };
        let taxed = |size: &SizeGuess<'_>| size.taxed.unwrap_or_default();
        let wanted = Taxed {
            category: shared(sizes.iter().map(|size| taxed(size).category)),
            unit: shared(sizes.iter().map(|size| taxed(size).unit)),
        };
        let holds = own.or(above.0);
        let would = self.row(Place::Product(row.id), own, above, wanted);
        for size in sizes {
            self.size(size, (holds, would));
        }
    }

    fn size(&mut self, wanted: &SizeGuess<'_>, above: (Taxed, Taxed)) {
        let row = wanted.size;
        let own = Taxed { category: row.ntak_category_id, unit: row.ntak_quantity_unit };
        let (place, before) = (Place::Subproduct(row.id), self.found.len());
        let taxed = wanted.taxed.unwrap_or_default();
        let would = self.row(place, own, above, taxed);
        // A quantity is one of its unit.
        let fits =
            wanted.quantity.is_some() && would.unit == taxed.unit && row.ntak_quantity != wanted.quantity;
        let quantity = wanted.quantity.filter(|_| fits && (self.all || row.ntak_quantity.is_none()));
        if quantity.is_some() && self.found.len() == before {
            let holds = own.or(above.0);
            self.found.push(Proposal {
                place,
                set: Taxed::default(),
                quantity,
                holds,
                has_quantity: None,
                replaces: false,
            });
        }
        if let Some(proposal) = self.found.get_mut(before) {
            proposal.quantity = quantity;
            proposal.has_quantity = row.ntak_quantity;
            proposal.replaces |= quantity.is_some() && row.ntak_quantity.is_some();
        }
    }
}
