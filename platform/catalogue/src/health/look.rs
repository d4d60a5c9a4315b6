//! The menu as the checks see it: every size once, in the order of the menu, with all that it inherits. Pure.

use std::collections::{HashMap, HashSet};

use kernel::{
    Id,
    ids::{NtakCategories, Vats},
    money::Percent,
    time::Timestamp,
};
use pricing::{Catalogue, Visibility};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::kinds::Kind;
use crate::{
    effective::{Effective, Own, ValueOrigin, effective},
    flags::Ntak,
    menu::{
        index::{Index, MenuSubject},
        preview_catalogue,
        rows::{CategoryRow, ProductRow, SubproductRow},
        store::{GonePart, Rows},
    },
};

/// The standard rate of Hungary, in percent.
pub(super) const STANDARD: Percent = Percent(Decimal::from_parts(27, 0, 0, false, 0));

/// The tax report's categories of rows.
#[derive(Debug, Default)]
pub(crate) struct Tax {
    /// What rows set themselves, by category, product or size.
    pub own: HashMap<Uuid, Id<NtakCategories>>,
    /// Words of the report's main categories, by category.
    pub mains: HashMap<Uuid, String>,
}

/// All that the checks look at.
pub(crate) struct Input<'a> {
    pub rows: &'a Rows,
    /// Archived sizes that something refers to.
    pub gone: &'a [GonePart],
    pub tax: &'a Tax,
    /// The standard rate, which rows may get; none where nobody has one.
    pub standard: Option<Id<Vats>>,
    pub at: Timestamp,
}

pub(super) struct Size<'a> {
    pub row: &'a SubproductRow,
    pub product: &'a ProductRow,
    pub category: &'a CategoryRow,
    pub parent: Option<&'a CategoryRow>,
    pub active: bool,
    pub values: Effective,
    pub kind: Kind,
    /// The tax report says what kind it is, not only a name.
    pub is_kind_sure: bool,
}

impl Size<'_> {
    pub(super) fn id(&self) -> Uuid {
        self.row.id.uuid()
    }

    pub(super) fn visible(&self) -> Visibility {
        self.values.visibility()
    }

    pub(super) fn is_visible(&self) -> bool {
        self.visible() != Visibility::NONE
    }
}

/// See the module.
pub(super) struct Look<'a> {
    pub input: &'a Input<'a>,
    pub index: Index<'a>,
    /// Categories in the order of the menu, each upper one before those below it.
    pub categories: Vec<&'a CategoryRow>,
    pub sizes: Vec<Size<'a>>,
    /// Their places in `sizes`.
    pub place: HashMap<Uuid, usize>,
    /// Sizes that something consists of, or that an option stands for.
    pub parts: HashSet<Uuid>,
    /// What an order would be priced by.
    pub catalogue: Catalogue,
}

impl<'a> Look<'a> {
    pub(super) fn new(input: &'a Input<'a>) -> Self {
        let rows = input.rows;
        let index = Index::new(rows, input.gone);
        let mut products: HashMap<Uuid, Vec<&ProductRow>> = HashMap::new();
        for row in &rows.products {
            products.entry(row.product_category_id.uuid()).or_default().push(row);
        }
        let categories = in_order(rows);
        let mut sizes = Vec::with_capacity(rows.subproducts.len());
        for category in &categories {
            for product in products.remove(&category.id.uuid()).unwrap_or_default() {
                let own = index.sizes_of.get(&product.id.uuid()).into_iter().flatten();
                let parent = index.parent(category);
                sizes.extend(own.map(|row| size(input, row, product, category, parent)));
            }
        }
        let components = rows.components.values().flatten().map(|(id, _)| *id);
        let parts = components.chain(rows.options.iter().filter_map(|option| option.subproduct_id)).collect();
        let catalogue = preview_catalogue(rows, &index, input.at);
        let place = sizes.iter().enumerate().map(|(at, size)| (size.id(), at)).collect();
        Self { input, index, categories, sizes, place, parts, catalogue }
    }

    /// Sizes that are active on every level, in the order of the menu.
    pub(super) fn active(&self) -> impl Iterator<Item = &Size<'a>> {
        self.sizes.iter().filter(|size| size.active)
    }

    pub(super) fn size(&self, id: Uuid) -> Option<&Size<'a>> {
        self.place.get(&id).and_then(|at| self.sizes.get(*at))
    }

    /// What a size consists of, with pieces.
    pub(super) fn components(&self, size: &Size<'_>) -> &[(Uuid, i32)] {
        self.input.rows.components.get(&size.id()).map_or(&[], Vec::as_slice)
    }

    pub(super) fn groups(&self, size: &Size<'_>) -> &[Uuid] {
        self.input.rows.links.get(&size.id()).map_or(&[], Vec::as_slice)
    }

    /// Sizes of the menu's order that belong together: those of one product, as its subject when all of its active
    /// sizes are among them, else each by itself.
    pub(super) fn by_product<'s>(
        &self, found: impl IntoIterator<Item = &'s Size<'a>>,
    ) -> Vec<(MenuSubject, Vec<&'s Size<'a>>)>
    where
        'a: 's,
    {
        let mut products: Vec<Vec<&Size<'a>>> = Vec::new();
        for size in found {
            match products.last_mut() {
                Some(last) if last[0].product.id == size.product.id => last.push(size),
                _ => products.push(vec![size]),
            }
        }
        let mut subjects = Vec::new();
        for sizes in products {
            let product = sizes[0].product;
            let all = self.index.sizes_of.get(&product.id.uuid()).map_or(0, |all| {
                all.iter().filter(|row| self.size(row.id.uuid()).is_some_and(|size| size.active)).count()
            });
            if sizes.len() == all {
                subjects.push((self.index.product(product), sizes));
            } else {
                subjects.extend(sizes.into_iter().map(|size| (self.index.size(size.row), vec![size])));
            }
        }
        subjects
    }

    pub(super) fn is_in_hungary(&self) -> bool {
        self.input.rows.facts.country.eq_ignore_ascii_case("HU")
    }

    /// Whether anything is prepared for the tax report: some row or the restaurant has a category, or the
    /// restaurant a unit. Nothing else says it yet.
    pub(super) fn is_taxed(&self) -> bool {
        let defaults = &self.input.rows.defaults;
        !self.input.tax.own.is_empty() || defaults.ntak_category.is_some() || defaults.ntak_unit.is_some()
    }
}

fn in_order(rows: &Rows) -> Vec<&CategoryRow> {
    let mut children: HashMap<Uuid, Vec<&CategoryRow>> = HashMap::new();
    for row in &rows.categories {
        if let Some(parent) = row.parent_id {
            children.entry(parent.uuid()).or_default().push(row);
        }
    }
    let top = rows.categories.iter().filter(|row| row.parent_id.is_none());
    top.flat_map(|row| {
        std::iter::once(row).chain(children.remove(&row.id.uuid()).unwrap_or_default()).collect::<Vec<_>>()
    })
    .collect()
}

fn size<'a>(
    input: &Input<'_>, row: &'a SubproductRow, product: &'a ProductRow, category: &'a CategoryRow,
    parent: Option<&'a CategoryRow>,
) -> Size<'a> {
    let own = |id: Uuid, inheritable| Own {
        inheritable,
        ntak: Ntak { category: input.tax.own.get(&id).copied(), unit: None },
    };
    let mut levels = vec![
        (ValueOrigin::Subproduct, own(row.id.uuid(), row.inheritable())),
        (ValueOrigin::Product, own(product.id.uuid(), product.inheritable())),
        (ValueOrigin::Category, own(category.id.uuid(), category.inheritable())),
    ];
    levels.extend(
        parent.map(|parent| (ValueOrigin::ParentCategory, own(parent.id.uuid(), parent.inheritable()))),
    );
    let values = effective(&levels, &input.rows.defaults);
    let main = values.ntak_category.id.and_then(|id| input.tax.mains.get(&id.uuid()));
    let reported = main.map_or(Kind::Unknown, |main| Kind::of_main_category(main));
    let above = std::iter::once(category).chain(parent).map(|row| row.name.as_str());
    let is_kind_sure = reported != Kind::Unknown;
    Size {
        row,
        product,
        category,
        parent,
        active: row.active && product.active && category.active && parent.is_none_or(|parent| parent.active),
        values,
        kind: if is_kind_sure { reported } else { Kind::of_names(&product.name, above) },
        is_kind_sure,
    }
}
