//! Components of sizes and sizes of options, as cells name them. See
//! `docs/decisions/catalogue.md#components`.
//!
//! Sizes with components are compared after all others, and options that stand for something after those: a cell
//! may name what the file itself makes.

use std::collections::{HashMap, HashSet};

use catalogue::bulk::{Menu, OptionRow, ProductRow, SubproductRow};
use kernel::Fault;
use uuid::Uuid;

use super::{Comparison, Field, MenuImportKind, differences::differ};
use crate::{
    columns::Mapping,
    fold::fold,
    lines::{At, Line, OptionLine, Read},
    parts::Part,
};

#[derive(Default)]
pub(super) struct Parts {
    /// Sizes by what people may call them; made when it is first needed.
    names: Option<HashMap<String, Vec<Uuid>>>,
    /// Sizes that something consists of, or that an option stands for.
    used: HashSet<Uuid>,
    /// Sizes that consist of others.
    menus: HashSet<Uuid>,
    /// What the sizes of a row of the file consist of.
    of_row: HashMap<u32, (Vec<Uuid>, Vec<i32>)>,
    /// Options with something in that cell.
    options: Vec<StandingOption>,
}

/// An option whose cell says what it stands for.
struct StandingOption {
    id: Uuid,
    was: Option<OptionRow>,
    line: OptionLine,
    shown: usize,
}

impl Parts {
    pub(super) fn of(menu: &Menu) -> Self {
        let sizes = || menu.subproducts.values().flatten();
        let options = menu.options.values().flatten().filter_map(|option| option.subproduct_id);
        Self {
            used: sizes().flat_map(|size| size.component_ids.iter().copied()).chain(options).collect(),
            menus: sizes().filter(|size| !size.component_ids.is_empty()).map(|size| size.id).collect(),
            ..Self::default()
        }
    }
}

/// Names are the same when their letters and digits are: `Kóla (0,5l)`, `kóla 0,5 l`.
fn key(name: &str) -> String {
    fold(name).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Whether sizes of these lines consist of something: they wait for all others.
pub(super) fn wait(lines: &[Line]) -> bool {
    lines.iter().any(|line| line.components.as_ref().is_some_and(|parts| !parts.is_empty()))
}

impl Comparison<'_> {
    /// Every size with the names of its product and its own; by that of the product alone where it is the only one,
    /// or called the same.
    fn size_names(&self) -> HashMap<String, Vec<Uuid>> {
        let mut sizes: HashMap<Uuid, Vec<&SubproductRow>> = HashMap::new();
        for size in self.menu.subproducts.values().flatten().chain(&self.plan.new_subproducts) {
            sizes.entry(size.product_id).or_default().push(size);
        }
        let mut names: HashMap<String, Vec<Uuid>> = HashMap::new();
        for product in self.menu.products.values().chain(&self.plan.new_products) {
            let own = key(&product.name);
            let of_product = sizes.get(&product.id).map_or(&[][..], Vec::as_slice);
            for size in of_product {
                let same = key(&size.name) == own;
                let whole = (!same).then(|| key(&format!("{} {}", product.name, size.name)));
                let alone = (same || of_product.len() == 1).then(|| own.clone());
                for name in whole.into_iter().chain(alone) {
                    names.entry(name).or_default().push(size.id);
                }
            }
        }
        names
    }

    /// The sizes that are named, or what is wrong with one of the names.
    fn named(&mut self, parts: &[Part]) -> Result<(Vec<Uuid>, Vec<i32>), (Fault, String)> {
        let mut found = (Vec::new(), Vec::new());
        for part in parts {
            if self.parts.names.is_none() {
                self.parts.names = Some(self.size_names());
            }
            let named = self.parts.names.as_ref().and_then(|names| names.get(&key(&part.name)));
            let id = match named.map(Vec::as_slice) {
                Some([id]) => *id,
                Some([]) | None => return Err((Fault::NotExist, part.name.clone())),
                Some(_) => return Err((Fault::Invalid, part.name.clone())),
            };
            if found.0.contains(&id) {
                return Err((Fault::NotUnique, part.name.clone()));
            }
            if self.parts.menus.contains(&id) {
                return Err((Fault::Invalid, part.name.clone()));
            }
            found.0.push(id);
            found.1.push(part.pieces);
        }
        Ok(found)
    }

    /// Finds the components of these lines; a line that cannot have them becomes a fault.
    pub(super) fn with_components(
        &mut self, present: Option<&ProductRow>, lines: Vec<Line>, read: &mut Read,
    ) -> Vec<Line> {
        let mut refused: HashSet<u32> = HashSet::new();
        for line in &lines {
            let Some(parts) = &line.components else { continue };
            let own =
                present.and_then(|row| self.present_size(row, line, lines.len() == 1)).map(|size| size.id);
            let found = self.named(parts).and_then(|found| {
                let part = own.is_some_and(|own| self.parts.used.contains(&own) && !found.0.is_empty());
                let itself = own.is_some_and(|own| found.0.contains(&own));
                if part || itself { Err((Fault::Invalid, line.name.clone())) } else { Ok(found) }
            });
            match found {
                Ok(found) => {
                    self.parts.used.extend(&found.0);
                    self.parts.menus.extend(own.filter(|_| !found.0.is_empty()));
                    self.parts.of_row.insert(line.row, found);
                }
                Err((fault, value)) => {
                    if refused.insert(line.row) {
                        let at = At { mapping: self.mapping, row: line.row, column: None, value: &value };
                        read.fault(at, Field::Components, &fault, None);
                        read.faulty_rows += 1;
                        read.faulty_names.insert(fold(&line.name));
                    }
                }
            }
        }
        lines.into_iter().filter(|line| !refused.contains(&line.row)).collect()
    }

    /// Gives a size what its line says of deposit and components.
    pub(super) fn consist(&self, size: &mut SubproductRow, line: &Line) {
        size.deposit_pieces = line.deposit_pieces.or(size.deposit_pieces);
        if let Some((ids, pieces)) = line.components.as_ref().and_then(|_| self.parts.of_row.get(&line.row)) {
            size.component_ids.clone_from(ids);
            size.component_pieces.clone_from(pieces);
        }
    }

    /// Keeps what the cell of an option says until all sizes are known.
    pub(super) fn stands_later(&mut self, id: Uuid, was: Option<&OptionRow>, line: &OptionLine) {
        if line.stands_for.is_some() {
            let shown = self.lines.len() - 1;
            self.parts.options.push(StandingOption { id, was: was.cloned(), line: line.clone(), shown });
        }
    }

    /// Finds what options stand for; an option that cannot becomes a fault.
    pub(super) fn standing_options(&mut self, mapping: &Mapping, read: &mut Read) {
        // Sizes that were compared since the first one was looked for are there too, and some of them have components.
        self.parts.names = None;
        let new = self.plan.new_subproducts.iter().filter(|size| !size.component_ids.is_empty());
        self.parts.menus.extend(new.map(|size| size.id));
        let mut refused: Vec<usize> = Vec::new();
        for StandingOption { id, was, line, shown } in std::mem::take(&mut self.parts.options) {
            let Some(parts) = &line.stands_for else { continue };
            let (size, pieces) = match self.named(parts) {
                Ok((ids, pieces)) => (ids.first().copied(), pieces.first().copied().unwrap_or(1)),
                Err((fault, value)) => {
                    let at = At { mapping, row: line.row, column: None, value: &value };
                    read.fault(at, Field::StandsFor, &fault, None);
                    read.faulty_rows += 1;
                    self.plan.new_options.retain(|row| row.id != id);
                    self.plan.options.retain(|row| row.id != id);
                    refused.push(shown);
                    continue;
                }
            };
            self.parts.used.extend(size);
            let names = |row: &OptionRow| {
                let pieces = row.subproduct_pieces.unwrap_or(1);
                self.part_names(row.subproduct_id.as_slice(), &[pieces])
            };
            let before = was.as_ref().and_then(names);
            let planned = self.plan.new_options.iter().chain(&self.plan.options).find(|row| row.id == id);
            let Some(mut row) = planned.or(was.as_ref()).cloned() else { continue };
            (row.subproduct_id, row.subproduct_pieces) = (size, Some(pieces));
            let after = names(&row);
            if before == after {
                continue;
            }
            let shown = &mut self.lines[shown];
            if was.is_some() {
                differ(&mut shown.differences, Field::StandsFor, before, after);
                shown.kind = MenuImportKind::Changed;
            }
            let planned = self.plan.new_options.iter_mut().chain(&mut self.plan.options);
            match planned.into_iter().find(|other| other.id == id) {
                Some(other) => *other = row,
                None => self.plan.options.push(row),
            }
        }
        for place in refused.into_iter().rev() {
            self.lines.remove(place);
        }
    }

    /// Names of sizes with their pieces; none where there are none.
    pub(super) fn part_names(&self, ids: &[Uuid], pieces: &[i32]) -> Option<String> {
        let sizes = || self.menu.subproducts.values().flatten().chain(&self.plan.new_subproducts);
        let product = |id: Uuid| {
            let new = || self.plan.new_products.iter().find(|row| row.id == id);
            self.menu.products.get(&id).or_else(new)
        };
        let named = ids.iter().zip(pieces).filter_map(|(id, pieces)| {
            let size = sizes().find(|size| size.id == *id)?;
            let product = product(size.product_id)?;
            let name = if size.name == product.name {
                product.name.clone()
            } else {
                format!("{} {}", product.name, size.name)
            };
            Some(if *pieces == 1 { name } else { format!("{pieces} × {name}") })
        });
        Some(named.collect::<Vec<_>>().join("; ")).filter(|names| !names.is_empty())
    }
}
