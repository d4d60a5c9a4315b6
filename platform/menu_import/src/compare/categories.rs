//! Finds the categories of lines, and makes missing ones.

use std::collections::HashSet;

use catalogue::bulk::CategoryRow;
use kernel::Fault;
use uuid::Uuid;

use super::{Comparison, Field};
use crate::{
    fold::fold,
    lines::{At, Line, Read},
};

/// How the VAT of a level reaches those below it.
#[derive(Clone, Copy)]
pub(super) struct Vats {
    pub vat: Uuid,
    /// None where no level has one: then `vat` holds for sitting in too.
    pub sit_in: Option<Uuid>,
}

impl Vats {
    /// The rate for sitting in of a row with these rates of its own.
    pub fn sit_in_of(self, vat: Option<Uuid>, sit_in: Option<Uuid>) -> Uuid {
        sit_in.or(self.sit_in).or(vat).unwrap_or(self.vat)
    }
}

impl Comparison<'_> {
    /// The lines with their categories, made where they are not there. A category opens either sub-categories
    /// or products.
    pub(super) fn placed(&mut self, read: &mut Read) -> Vec<(Uuid, Line)> {
        let menu = self.menu;
        let mut parents: HashSet<Uuid> = menu.categories.values().filter_map(|row| row.parent_id).collect();
        let mut filled: HashSet<Uuid> = menu.products.values().map(|row| row.product_category_id).collect();
        let mut placed = Vec::with_capacity(read.lines.len());
        let mut kept = Vec::with_capacity(read.lines.len());
        let mut refused = None;
        for line in std::mem::take(&mut read.lines) {
            let parent = line.parent.as_ref().map(|name| self.category(None, name, None));
            // An upper category is told by its own column; without one, a name may also mean a lower
            // category.
            let category = match parent {
                Some(parent) => {
                    self.category(Some(parent), &line.category, line.category_sec_lang.as_deref())
                }
                None => match self.lower(&line.category) {
                    Some(lower) => lower,
                    None => self.category(None, &line.category, line.category_sec_lang.as_deref()),
                },
            };
            let fault = if parent.is_some_and(|parent| filled.contains(&parent)) {
                Some(Field::ParentCategory)
            } else {
                parents.contains(&category).then_some(Field::Category)
            };
            if let Some(field) = fault {
                // All lines of a row have its category.
                if refused == Some(line.row) {
                    continue;
                }
                refused = Some(line.row);
                let value = if field == Field::Category {
                    &line.category
                } else {
                    line.parent.as_ref().unwrap_or(&line.category)
                };
                let at = At { mapping: self.mapping, row: line.row, column: None, value };
                read.fault(at, field, &Fault::Invalid, None);
                read.faulty_rows += 1;
                read.faulty_names.insert(fold(&line.name));
                continue;
            }
            parents.extend(parent);
            filled.insert(category);
            kept.push(line.clone());
            placed.push((category, line));
        }
        read.lines = kept;
        // Categories that only faulty lines have are not made.
        let used: HashSet<Uuid> = placed.iter().map(|(category, _)| *category).collect();
        let above: HashSet<Uuid> = self
            .plan
            .new_categories
            .iter()
            .filter(|row| used.contains(&row.id))
            .filter_map(|row| row.parent_id)
            .collect();
        self.plan.new_categories.retain(|row| used.contains(&row.id) || above.contains(&row.id));
        self.plan.categories.retain(|row| used.contains(&row.id));
        placed
    }

    /// The only lower category of this name, where no upper one has it.
    fn lower(&self, name: &str) -> Option<Uuid> {
        let name = fold(name);
        if self.categories.contains_key(&(None, name.clone())) {
            return None;
        }
        let mut found =
            self.menu.categories.values().filter(|row| row.parent_id.is_some() && fold(&row.name) == name);
        found.next().filter(|_| found.next().is_none()).map(|row| row.id)
    }

    fn category(&mut self, parent: Option<Uuid>, name: &str, name_sec_lang: Option<&str>) -> Uuid {
        if let Some(id) = self.categories.get(&(parent, fold(name))).copied() {
            self.rename(id, name_sec_lang);
            return id;
        }
        let id = Uuid::now_v7();
        self.categories.insert((parent, fold(name)), id);
        let ranking = self.places.next(parent);
        self.plan.new_categories.push(CategoryRow {
            id,
            parent_id: parent,
            name: name.to_owned(),
            name_sec_lang: name_sec_lang.map(str::to_owned),
            ranking,
            vat_id: None,
            sit_in_vat_id: None,
            ntak_category_id: None,
            ntak_quantity_unit: None,
            version: 1,
        });
        id
    }

    /// Gives a category the name in the second language that the file has for it.
    fn rename(&mut self, id: Uuid, name_sec_lang: Option<&str>) {
        let Some(name) = name_sec_lang else { return };
        if let Some(new) = self.plan.new_categories.iter_mut().find(|row| row.id == id) {
            new.name_sec_lang.get_or_insert_with(|| name.to_owned());
            return;
        }
        let changed = self.plan.categories.iter().any(|row| row.id == id);
        if let Some(row) =
            self.menu.categories.get(&id).filter(|row| !changed && row.name_sec_lang.as_deref() != Some(name))
        {
            self.plan.categories.push(CategoryRow { name_sec_lang: Some(name.to_owned()), ..row.clone() });
        }
    }

    pub(super) fn inherited(&self, category: Uuid) -> Vats {
        let row = |id: Uuid| {
            self.menu.categories.get(&id).or_else(|| self.plan.new_categories.iter().find(|row| row.id == id))
        };
        let own = row(category);
        let above = own.and_then(|row| row.parent_id).and_then(row);
        let of =
            |field: fn(&CategoryRow) -> Option<Uuid>| own.and_then(field).or_else(|| above.and_then(field));
        Vats {
            vat: of(|row| row.vat_id).unwrap_or(self.menu.vat_id),
            sit_in: of(|row| row.sit_in_vat_id).or(self.menu.sit_in_vat_id),
        }
    }

    /// Category as it is shown: an upper one before a `>`.
    pub(super) fn path(&self, category: Uuid) -> String {
        let row = |id: Uuid| {
            self.menu.categories.get(&id).or_else(|| self.plan.new_categories.iter().find(|row| row.id == id))
        };
        let Some(own) = row(category) else { return String::new() };
        own.parent_id
            .and_then(row)
            .map_or_else(|| own.name.clone(), |above| format!("{} > {}", above.name, own.name))
    }
}
