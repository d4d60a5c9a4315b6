//! The plan of a change of many rows. Pure.

use std::collections::{HashMap, HashSet};

use kernel::{Clearable, Code, Fault, Problem, setting::NtakQuantityUnit};
use uuid::Uuid;

use super::types::{NtakChangeRow, NtakLevel};
use crate::{
    bulk::{Menu, Plan, ProductRow, SubproductRow},
    products::ntak_quantity_fault,
};

fn set<T>(field: &mut Option<T>, change: Clearable<T>) {
    match change {
        Clearable::Undefined => {}
        Clearable::Null => *field = None,
        Clearable::Value(value) => *field = Some(value),
    }
}

/// How many rows of each kind get another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub categories: i32,
    pub products: i32,
    pub subproducts: i32,
}

/// Puts a plan together.
struct Planning<'a> {
    menu: &'a Menu,
    sizes: HashMap<Uuid, &'a SubproductRow>,
    /// Products as they will be: a product's version stands for its sizes too.
    products: HashMap<Uuid, ProductRow>,
    plan: Plan,
    counts: Counts,
}

/// What these rows make of the menu; what is wrong with them at their keys.
/// Errors: `VALIDATION_FAILED` with `rows.N.…`: an id that is not there at its level or stands there twice, a
/// category that cannot be chosen, a wrong quantity, or one of a row that has none.
pub(super) fn plan(menu: &Menu, rows: Vec<NtakChangeRow>) -> kernel::Result<(Plan, Counts)> {
    let live = menu.subproducts.values().flatten().filter(|row| menu.products.contains_key(&row.product_id));
    let sizes = live.map(|row| (row.id, row)).collect();
    let mut planning =
        Planning { menu, sizes, products: HashMap::new(), plan: Plan::default(), counts: Counts::default() };
    let mut seen = HashSet::new();
    let mut faults = Vec::new();
    for (at, row) in rows.into_iter().enumerate() {
        let twice = !seen.insert((row.level, row.id));
        let mut found = if twice { vec![("id", Fault::NotUnique)] } else { planning.faults(&row) };
        if found.is_empty() {
            planning.add(row);
        }
        faults.extend(found.drain(..).map(|(key, fault)| (format!("rows.{at}.{key}"), fault)));
    }
    Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
    let Planning { mut plan, products, counts, .. } = planning;
    plan.products = products.into_values().collect();
    plan.products.sort_by_key(|row| row.id);
    Ok((plan, counts))
}

impl Planning<'_> {
    /// The category of the tax report that a row has itself; none where there is no such row.
    fn present(&self, row: &NtakChangeRow) -> Option<Option<Uuid>> {
        match row.level {
            NtakLevel::Category => self.menu.categories.get(&row.id).map(|row| row.ntak_category_id),
            NtakLevel::Product => self.menu.products.get(&row.id).map(|row| row.ntak_category_id),
            NtakLevel::Subproduct => self.sizes.get(&row.id).map(|row| row.ntak_category_id),
        }
    }

    fn faults(&self, row: &NtakChangeRow) -> Vec<(&'static str, Fault)> {
        let Some(present) = self.present(row) else { return vec![("id", Fault::NotExist)] };
        let mut found = Vec::new();
        let wanted = row.ntak_category_id.value().map(|id| id.uuid()).filter(|id| Some(*id) != present);
        let valid = |id: &Uuid| self.menu.ntak_categories.get(id).is_some_and(|row| row.valid);
        if wanted.is_some_and(|id| !valid(&id)) {
            found.push(("ntak_category_id", Fault::NotExist));
        }
        let quantity = if row.level == NtakLevel::Subproduct {
            row.ntak_quantity.value().copied().and_then(ntak_quantity_fault)
        } else {
            row.ntak_quantity.value().map(|_| Fault::Invalid)
        };
        found.extend(quantity.map(|fault| ("ntak_quantity", fault)));
        found
    }

    /// Takes a row without faults into the plan, if it changes anything.
    fn add(&mut self, row: NtakChangeRow) {
        let NtakChangeRow { level, id, ntak_category_id, ntak_quantity_unit, ntak_quantity } = row;
        let taxed = |category: &mut Option<Uuid>, unit: &mut Option<NtakQuantityUnit>| {
            let mut chosen = category.map(kernel::Id::from_uuid);
            set(&mut chosen, ntak_category_id);
            *category = chosen.map(|id| id.uuid());
            set(unit, ntak_quantity_unit);
        };
        match level {
            NtakLevel::Category => {
                let Some(was) = self.menu.categories.get(&id) else { return };
                let mut row = was.clone();
                taxed(&mut row.ntak_category_id, &mut row.ntak_quantity_unit);
                if row != *was {
                    self.counts.categories += 1;
                    self.plan.categories.push(row);
                }
            }
            NtakLevel::Product => {
                let Some(was) = self.menu.products.get(&id) else { return };
                let mut row = was.clone();
                taxed(&mut row.ntak_category_id, &mut row.ntak_quantity_unit);
                if row != *was {
                    self.counts.products += 1;
                    self.products.insert(id, row);
                }
            }
            NtakLevel::Subproduct => {
                let Some(was) = self.sizes.get(&id) else { return };
                let mut row = (*was).clone();
                taxed(&mut row.ntak_category_id, &mut row.ntak_quantity_unit);
                let mut quantity = row.ntak_quantity.map(kernel::money::Quantity);
                set(&mut quantity, ntak_quantity);
                row.ntak_quantity = quantity.map(|quantity| quantity.value());
                if row != **was {
                    self.counts.subproducts += 1;
                    let product = self.menu.products.get(&row.product_id);
                    if let Some(product) = product.filter(|product| !self.products.contains_key(&product.id))
                    {
                        self.products.insert(product.id, product.clone());
                    }
                    self.plan.subproducts.push(row);
                }
            }
        }
    }
}
