//! Compares the lines of a product with the present one.

use catalogue::bulk::{ProductRow, SubproductRow};
use kernel::money::Money;
use uuid::Uuid;

use super::{
    Comparison, MenuImportDifference, MenuImportKind, MenuImportLine,
    categories::Vats,
    ntak::{self, Ntak},
};
use crate::{
    lines::{Line, signed},
    sizes::is_same_size,
};

/// A product as it is and as it will be, and what its sizes need to know of it.
struct Target<'a> {
    category: Uuid,
    present: Option<&'a ProductRow>,
    old: ProductRow,
    row: ProductRow,
    /// VAT that the category hands down.
    inherited: Vats,
    /// VAT that the product hands down to its sizes.
    handed_down: Vats,
    /// What the category hands down of the tax report, and what the product does.
    ntak: (Ntak, Ntak),
    /// All lines are of one row: what would stand on the size stands on the product.
    one_row: bool,
    single: bool,
}

impl Comparison<'_> {
    /// All lines of one product, which has this place when it is made. Values that all sizes share are stored on the product, others on the size.
    pub(super) fn product(
        &mut self, category: Uuid, present: Option<&ProductRow>, place: i32, lines: &[Line],
    ) {
        let Some(first) = lines.first() else { return };
        let target = self.target(category, present, first, lines);
        let mut differences = match present {
            Some(_) => {
                let mut found = self.product_differences(&target.old, &target.row, target.inherited);
                let was = Ntak::of_product(&target.old).or(target.ntak.0);
                self.ntak_differences(&mut found, was, target.ntak.1);
                found
            }
            None => vec![],
        };
        // Groups in the first row of a product hold for all its sizes.
        let groups = lines.iter().find_map(|line| line.option_groups.as_ref());
        let mut touched = false;
        for line in lines {
            let (was, sub) = self.size(&target, line, groups);
            touched |= self.add_line(&target, line, was, sub, std::mem::take(&mut differences));
        }
        let Target { old, mut row, .. } = target;
        match present {
            None => {
                row.ranking = place;
                self.plan.new_products.push(row);
            }
            // A product's version stands for its sizes too.
            Some(_) if row != old || touched => self.plan.products.push(row),
            Some(_) => {}
        }
    }

    fn target<'a>(
        &self, category: Uuid, present: Option<&'a ProductRow>, first: &Line, lines: &[Line],
    ) -> Target<'a> {
        let one_row = lines.iter().all(|line| line.row == first.row);
        let inherited = self.inherited(category);
        let old = present.cloned().unwrap_or_else(|| new_product(category, &first.name));
        let mut row = old.clone();
        row.name.clone_from(&first.name);
        let given = |of: fn(&Line) -> &Option<String>| lines.iter().find_map(|line| of(line).clone());
        let keep =
            |field: &mut Option<String>, value: Option<String>| *field = value.or_else(|| field.take());
        keep(&mut row.name_sec_lang, given(|line| &line.name_sec_lang));
        keep(&mut row.description, given(|line| &line.description));
        keep(&mut row.description_sec_lang, given(|line| &line.description_sec_lang));
        if one_row {
            keep(&mut row.ean_code, first.ean_code.clone());
            row.active = first.active.unwrap_or(row.active);
        }
        let shared = |of: fn(&Line) -> Option<Uuid>| {
            of(first).filter(|vat| lines.iter().all(|line| of(line) == Some(*vat)))
        };
        let vat = shared(|line| line.vat);
        let sit_in = shared(|line| line.sit_in_vat);
        if vat.is_some_and(|vat| vat != row.vat_id.unwrap_or(inherited.vat)) {
            row.vat_id = vat;
        }
        if sit_in.is_some_and(|vat| vat != inherited.sit_in_of(row.vat_id, row.sit_in_vat_id)) {
            row.sit_in_vat_id = sit_in;
        }
        let above = self.inherited_ntak(category);
        let ntak = (above, ntak::of_lines(&mut row, lines, above));
        let handed_down =
            Vats { vat: row.vat_id.unwrap_or(inherited.vat), sit_in: row.sit_in_vat_id.or(inherited.sit_in) };
        let single = lines.len() == 1;
        Target { category, present, old, row, inherited, handed_down, ntak, one_row, single }
    }

    /// The size that a line means: as it is, when it is there, and as it will be.
    fn size(
        &self, target: &Target<'_>, line: &Line, groups: Option<&Vec<String>>,
    ) -> (Option<SubproductRow>, SubproductRow) {
        let Target { row, old, handed_down, one_row, single, .. } = target;
        let was = target.present.and_then(|row| self.present_size(row, line, *single)).cloned();
        let name = line.size.clone().unwrap_or_else(|| row.name.clone());
        let mut sub = was.clone().unwrap_or_else(|| SubproductRow::new(row.id, name, line.price));
        sub.price = line.price;
        // A size that is called like its product goes on being called like it.
        if was.as_ref().is_some_and(|was| was.name == old.name) && line.size.is_none() {
            sub.name.clone_from(&row.name);
        }
        if let Some(groups) = line.option_groups.as_ref().or(groups) {
            sub.option_group_ids = groups.iter().filter_map(|name| self.groups.get(name).copied()).collect();
        }
        if let Some(allergens) = &line.allergens {
            let mut present = sub.allergenic_ids.clone();
            present.sort_unstable();
            if present != *allergens {
                sub.allergenic_ids.clone_from(allergens);
            }
        }
        if !one_row {
            sub.ean_code = line.ean_code.clone().or(sub.ean_code);
            sub.active = line.active.unwrap_or(sub.active);
        }
        own_vat(&mut sub.vat_id, line.vat, handed_down.vat);
        let above = handed_down.sit_in_of(sub.vat_id, None);
        own_vat(&mut sub.sit_in_vat_id, line.sit_in_vat, above);
        ntak::of_line(&mut sub, line, target.ntak.1);
        self.consist(&mut sub, line);
        (was, sub)
    }

    /// The present size of a product that a line means; `single`: it is the product's only line.
    pub(super) fn present_size(
        &self, product: &ProductRow, line: &Line, single: bool,
    ) -> Option<&SubproductRow> {
        let there = self.menu.subproducts.get(&product.id)?;
        let name = line.size.as_deref().unwrap_or(&line.name);
        let only = single && line.size.is_none() && there.len() == 1;
        there.iter().find(|sub| only || is_same_size(&sub.name, name))
    }

    /// Puts a size into the plan, and its line into what is shown; whether anything of it changes.
    fn add_line(
        &mut self, target: &Target<'_>, line: &Line, was: Option<SubproductRow>, mut sub: SubproductRow,
        mut differences: Vec<MenuImportDifference>,
    ) -> bool {
        let Target { row, old, inherited, handed_down, .. } = target;
        self.seen.insert(sub.id);
        let (kind, touched) = match was {
            None => {
                sub.ranking = self.places.next(Some(row.id));
                self.plan.new_subproducts.push(sub.clone());
                (MenuImportKind::New, true)
            }
            Some(was) => {
                differences.extend(self.subproduct_differences(&was, &sub, *inherited, *handed_down, old));
                let above = Ntak::of_product(old).or(target.ntak.0);
                self.size_ntak_differences(&mut differences, (&was, above), (&sub, target.ntak.1));
                let touched = was != sub;
                if touched {
                    self.plan.subproducts.push(sub.clone());
                }
                let unchanged = differences.is_empty();
                (if unchanged { MenuImportKind::Unchanged } else { MenuImportKind::Changed }, touched)
            }
        };
        self.lines.push(MenuImportLine {
            kind,
            option: false,
            row: Some(signed(line.row)),
            category: self.path(target.category),
            name: row.name.clone(),
            subproduct: Some(sub.name.clone()).filter(|name| *name != row.name),
            price: Money(line.price),
            differences,
        });
        touched
    }
}

fn new_product(category: Uuid, name: &str) -> ProductRow {
    ProductRow {
        id: Uuid::now_v7(),
        product_category_id: category,
        name: name.to_owned(),
        name_sec_lang: None,
        description: None,
        description_sec_lang: None,
        ranking: 0,
        active: true,
        vat_id: None,
        sit_in_vat_id: None,
        ntak_category_id: None,
        ntak_quantity_unit: None,
        ean_code: None,
        version: 1,
    }
}

/// A rate of its own where the wanted one is not what holds; none where the one above is wanted.
fn own_vat(own: &mut Option<Uuid>, wanted: Option<Uuid>, above: Uuid) {
    if let Some(wanted) = wanted.filter(|wanted| *wanted != own.unwrap_or(above)) {
        *own = Some(wanted).filter(|wanted| *wanted != above);
    }
}
