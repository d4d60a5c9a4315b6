//! Category and unit of the tax report: inherited values, own values of rows, and values that cannot be
//! chosen.

use std::collections::HashSet;

use catalogue::bulk::{CategoryRow, ProductRow, SubproductRow};
use kernel::{Fault, setting::NtakQuantityUnit};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{Comparison, Field, MenuImportDifference, differences::differ};
use crate::{
    fold::fold,
    lines::{At, Line, Read},
};

/// What a level has itself, or hands down.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Ntak {
    pub category: Option<Uuid>,
    pub unit: Option<NtakQuantityUnit>,
}

impl Ntak {
    pub(super) fn of_product(row: &ProductRow) -> Self {
        Self { category: row.ntak_category_id, unit: row.ntak_quantity_unit }
    }

    fn of_size(row: &SubproductRow) -> Self {
        Self { category: row.ntak_category_id, unit: row.ntak_quantity_unit }
    }

    /// Its own values, else those above.
    pub(super) fn or(self, above: Self) -> Self {
        Self { category: self.category.or(above.category), unit: self.unit.or(above.unit) }
    }
}

/// A value of its own where the wanted one is not what holds; none where the one above is wanted.
fn own<T: Copy + PartialEq>(own: &mut Option<T>, wanted: Option<T>, above: Option<T>) {
    if wanted.is_some() && wanted != own.or(above) {
        *own = wanted.filter(|_| wanted != above);
    }
}

/// What all lines have in common.
fn shared<T: Copy + PartialEq>(lines: &[Line], of: fn(&Line) -> Option<T>) -> Option<T> {
    let first = of(lines.first()?)?;
    lines.iter().all(|line| of(line) == Some(first)).then_some(first)
}

/// Gives a product what all its lines share and what it does not inherit; answers what it hands down.
pub(super) fn of_lines(row: &mut ProductRow, lines: &[Line], above: Ntak) -> Ntak {
    let category = shared(lines, |line| line.ntak_category);
    if category.is_some() && category != row.ntak_category_id.or(above.category) {
        row.ntak_category_id = category;
    }
    let unit = shared(lines, |line| line.ntak_unit);
    if unit.is_some() && unit != row.ntak_quantity_unit.or(above.unit) {
        row.ntak_quantity_unit = unit;
    }
    Ntak::of_product(row).or(above)
}

/// Gives a size what its line says beyond its product.
pub(super) fn of_line(row: &mut SubproductRow, line: &Line, above: Ntak) {
    own(&mut row.ntak_category_id, line.ntak_category, above.category);
    own(&mut row.ntak_quantity_unit, line.ntak_unit, above.unit);
    row.ntak_quantity = line.ntak_quantity.or(row.ntak_quantity);
}

impl Comparison<'_> {
    /// What a category hands down.
    pub(super) fn inherited_ntak(&self, category: Uuid) -> Ntak {
        let row = |id: Uuid| self.menu.categories.get(&id);
        let of = |row: &CategoryRow| Ntak { category: row.ntak_category_id, unit: row.ntak_quantity_unit };
        // New categories have none of their own; the one above them may.
        let new = || self.plan.new_categories.iter().find(|row| row.id == category);
        let own = row(category).or_else(new);
        let above = own.and_then(|row| row.parent_id).and_then(row);
        let restaurant = Ntak { category: self.menu.ntak_category_id, unit: self.menu.ntak_quantity_unit };
        own.map(of).unwrap_or_default().or(above.map(of).unwrap_or_default()).or(restaurant)
    }

    /// The lines without those that choose a category that has ended, which only stays where it is.
    pub(super) fn without_ended(
        &self, category: Uuid, present: Option<&ProductRow>, lines: Vec<Line>, read: &mut Read,
    ) -> Vec<Line> {
        let valid = |id: &Uuid| self.menu.ntak_categories.get(id).is_none_or(|row| row.valid);
        if lines.iter().filter_map(|line| line.ntak_category.as_ref()).all(valid) {
            return lines;
        }
        let inherited = self.inherited_ntak(category);
        let holds = |line: &Line| {
            let product = present?;
            let size = self.present_size(product, line, lines.len() == 1)?;
            Ntak::of_size(size).or(Ntak::of_product(product)).or(inherited).category
        };
        let mut refused: HashSet<u32> = HashSet::new();
        for line in &lines {
            let ended = line.ntak_category.filter(|id| !valid(id));
            if ended.is_some() && ended != holds(line) && refused.insert(line.row) {
                let value = ended.and_then(|id| self.ntak_name(Some(id))).unwrap_or_default();
                let at = At { mapping: self.mapping, row: line.row, column: None, value: &value };
                read.fault(at, Field::NtakCategory, &Fault::NotExist, None);
                read.faulty_rows += 1;
                read.faulty_names.insert(fold(&line.name));
            }
        }
        lines.into_iter().filter(|line| !refused.contains(&line.row)).collect()
    }

    /// The words of a category, as `ETEL/LEVES`.
    fn ntak_name(&self, id: Option<Uuid>) -> Option<String> {
        self.menu.ntak_categories.get(&id?).map(catalogue::bulk::NtakCategoryRow::code)
    }

    /// What is different of category and unit, between two values that hold.
    pub(super) fn ntak_differences(&self, found: &mut Vec<MenuImportDifference>, was: Ntak, is: Ntak) {
        differ(found, Field::NtakCategory, self.ntak_name(was.category), self.ntak_name(is.category));
        differ(found, Field::NtakQuantityUnit, was.unit.map(unit_name), is.unit.map(unit_name));
    }

    /// The same of a size and its quantity; changes of its product are not repeated.
    pub(super) fn size_ntak_differences(
        &self, found: &mut Vec<MenuImportDifference>, (old, was_above): (&SubproductRow, Ntak),
        (new, above): (&SubproductRow, Ntak),
    ) {
        let (was, is) = (Ntak::of_size(old), Ntak::of_size(new));
        if was.category != is.category {
            let names = [was.or(was_above), is.or(above)].map(|ntak| self.ntak_name(ntak.category));
            let [before, after] = names;
            differ(found, Field::NtakCategory, before, after);
        }
        if was.unit != is.unit {
            let [before, after] = [was.or(was_above), is.or(above)].map(|ntak| ntak.unit.map(unit_name));
            differ(found, Field::NtakQuantityUnit, before, after);
        }
        let text = |quantity: Option<Decimal>| quantity.map(|quantity| quantity.normalize().to_string());
        differ(found, Field::NtakQuantity, text(old.ntak_quantity), text(new.ntak_quantity));
    }
}

/// The name of a unit on the wire.
fn unit_name(unit: NtakQuantityUnit) -> String {
    let name = match unit {
        NtakQuantityUnit::Liter => "liter",
        NtakQuantityUnit::Kilogram => "kilogram",
        NtakQuantityUnit::Unit => "unit",
        NtakQuantityUnit::Piece => "piece",
        NtakQuantityUnit::Portion => "portion",
    };
    name.to_owned()
}
