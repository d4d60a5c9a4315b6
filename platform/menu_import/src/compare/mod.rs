//! The difference between a file and the present menu, and what has to be written. Pure. See
//! `docs/decisions/catalogue.md#menu-import`.
//!
//! Categories, products, option groups and options are the same when their names are (accents and case
//! ignored), within their parent. What a file does not state stays; rows that it does not name are listed and
//! left unchanged.

mod categories;
mod differences;
mod ntak;
mod options;
mod parts;
mod products;

use std::collections::{HashMap, HashSet};

use catalogue::bulk::{Menu, Plan, ProductRow};
use kernel::money::Money;
use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    columns::{Mapping, MenuImportField as Field},
    fold::fold,
    lines::{Line, Read, groups_by_name},
};

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, Serialize, Deserialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum MenuImportKind {
    New,
    Changed,
    Unchanged,
    /// It is on the menu and not in the file; it stays as it is.
    Missing,
}

/// A field with another value.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub(crate) struct MenuImportDifference {
    pub field: Field,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A line of the file, or of the menu.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub(crate) struct MenuImportLine {
    pub kind: MenuImportKind,
    /// It is an option, of the sheet with the options.
    pub option: bool,
    /// Number of its row in its sheet.
    pub row: Option<i32>,
    /// Its category; an upper one stands before a `>`. Of an option its group.
    pub category: String,
    pub name: String,
    /// The size or variant, where it has a name of its own.
    pub subproduct: Option<String>,
    pub price: Money,
    pub differences: Vec<MenuImportDifference>,
}

/// Among the option groups, where places are counted.
const AMONG_GROUPS: Option<Uuid> = Some(Uuid::nil());

struct Comparison<'a> {
    menu: &'a Menu,
    mapping: &'a Mapping,
    plan: Plan,
    lines: Vec<MenuImportLine>,
    /// Categories by folded parent and name: those there are and those to be made.
    categories: HashMap<(Option<Uuid>, String), Uuid>,
    /// Option groups by folded name: those there are and those to be made.
    groups: HashMap<String, Uuid>,
    /// The lines of the file.
    seen: HashSet<Uuid>,
    places: Places,
    parts: parts::Parts,
}

/// The next free place within a category, a product, a group, and among categories.
#[derive(Default)]
struct Places(HashMap<Option<Uuid>, i32>);

impl Places {
    /// This place is taken.
    fn take(&mut self, within: Option<Uuid>, ranking: i32) {
        let next = self.0.entry(within).or_insert(0);
        *next = (*next).max(ranking + 1);
    }

    fn next(&mut self, within: Option<Uuid>) -> i32 {
        let place = self.0.entry(within).or_insert(0);
        *place += 1;
        *place - 1
    }
}

/// Compares what was read with what is there; lines that the menu cannot take become faults. `options` is the mapping
/// of the sheet with the options.
pub(crate) fn compare(
    read: &mut Read, mapping: &Mapping, options: &Mapping, menu: &Menu,
) -> (Plan, Vec<MenuImportLine>) {
    let mut categories = HashMap::new();
    let mut places = Places::default();
    for row in menu.categories.values() {
        categories.insert((row.parent_id, fold(&row.name)), row.id);
        places.take(row.parent_id, row.ranking);
    }
    menu.products.values().for_each(|row| places.take(Some(row.product_category_id), row.ranking));
    menu.subproducts.values().flatten().for_each(|row| places.take(Some(row.product_id), row.ranking));
    menu.options.values().flatten().for_each(|row| places.take(Some(row.option_group_id), row.ranking));
    menu.option_groups.values().for_each(|row| places.take(AMONG_GROUPS, row.ranking));
    let groups = groups_by_name(menu);
    let mut comparison = Comparison {
        menu,
        mapping,
        plan: Plan::default(),
        lines: Vec::new(),
        categories,
        groups,
        seen: HashSet::new(),
        places,
        parts: parts::Parts::of(menu),
    };
    for group in std::mem::take(&mut read.groups) {
        comparison.option_group(&group);
    }
    let lines = comparison.placed(read);
    let mut groups: Vec<(Uuid, Vec<Line>)> = Vec::new();
    let mut of: HashMap<(Uuid, String), usize> = HashMap::new();
    for (category, line) in lines {
        let at = *of.entry((category, fold(&line.name))).or_insert_with(|| {
            groups.push((category, Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push(line);
    }
    let known: HashMap<(Uuid, String), Uuid> =
        menu.products.values().map(|row| ((row.product_category_id, fold(&row.name)), row.id)).collect();
    let mut groups: Vec<_> = groups
        .into_iter()
        .map(|(category, lines)| {
            let product = lines
                .first()
                .and_then(|line| known.get(&(category, fold(&line.name))))
                .and_then(|id| menu.products.get(id));
            let place = product.map_or_else(|| comparison.places.next(Some(category)), |row| row.ranking);
            (category, product, place, lines)
        })
        .collect();
    groups.sort_by_key(|(.., lines)| parts::wait(lines));
    for (category, product, place, lines) in groups {
        let lines = comparison.without_ended(category, product, lines, read);
        let lines = comparison.with_components(product, lines, read);
        comparison.product(category, product, place, &lines);
    }
    comparison.standing_options(options, read);
    if !read.only_options {
        comparison.missing(&read.faulty_names);
    }
    (comparison.plan, comparison.lines)
}

impl Comparison<'_> {
    /// Rows of the menu that the file does not name.
    fn missing(&mut self, faulty: &HashSet<String>) {
        let mut products: Vec<&ProductRow> =
            self.menu.products.values().filter(|row| !faulty.contains(&fold(&row.name))).collect();
        products.sort_by_key(|row| (row.product_category_id, row.ranking, row.id));
        for product in products {
            for sub in self
                .menu
                .subproducts
                .get(&product.id)
                .into_iter()
                .flatten()
                .filter(|sub| !self.seen.contains(&sub.id))
            {
                self.lines.push(MenuImportLine {
                    kind: MenuImportKind::Missing,
                    option: false,
                    row: None,
                    category: self.path(product.product_category_id),
                    name: product.name.clone(),
                    subproduct: Some(sub.name.clone()).filter(|name| *name != product.name),
                    price: Money(sub.price),
                    differences: vec![],
                });
            }
        }
    }
}
