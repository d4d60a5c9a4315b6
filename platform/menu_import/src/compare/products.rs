//! Compares the lines of a product with the present one.

use catalogue::bulk::{ProductRow, SubproductRow};
use kernel::money::Money;
use uuid::Uuid;

use super::{Comparison, MenuImportKind, MenuImportLine, categories::Vats};
use crate::{
    fold::fold,
    lines::{Line, signed},
};

impl Comparison<'_> {
    /// All lines of one product. What all its sizes share stands on the product, what differs on the size.
    pub(super) fn product(&mut self, category: Uuid, present: Option<&ProductRow>, lines: &[Line]) {
        let Some(first) = lines.first() else { return };
        let single = lines.len() == 1;
        let inherited = self.inherited(category);
        let mut row = present.cloned().unwrap_or_else(|| ProductRow {
            id: Uuid::now_v7(),
            product_category_id: category,
            name: first.name.clone(),
            name_sec_lang: None,
            description: None,
            description_sec_lang: None,
            ranking: 0,
            active: true,
            vat_id: None,
            sit_in_vat_id: None,
            ean_code: None,
            version: 1,
        });
        let old = row.clone();
        row.name.clone_from(&first.name);
        let said = |of: fn(&Line) -> &Option<String>| lines.iter().find_map(|line| of(line).clone());
        let keep =
            |field: &mut Option<String>, value: Option<String>| *field = value.or_else(|| field.take());
        keep(&mut row.name_sec_lang, said(|line| &line.name_sec_lang));
        keep(&mut row.description, said(|line| &line.description));
        keep(&mut row.description_sec_lang, said(|line| &line.description_sec_lang));
        if single {
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
        if sit_in.is_some_and(|vat| vat != row.sit_in_vat_id.unwrap_or(inherited.sit_in)) {
            row.sit_in_vat_id = sit_in;
        }
        let from_product = Vats {
            vat: row.vat_id.unwrap_or(inherited.vat),
            sit_in: row.sit_in_vat_id.unwrap_or(inherited.sit_in),
        };
        let mut differences =
            if present.is_some() { self.product_differences(&old, &row, inherited) } else { vec![] };
        let there: &[SubproductRow] =
            present.and_then(|row| self.menu.subproducts.get(&row.id)).map_or(&[], Vec::as_slice);
        // Groups in the first row of a product hold for all its sizes.
        let groups = lines.iter().find_map(|line| line.option_groups.as_ref());
        let mut touched = false;
        for line in lines {
            let name = line.size.clone().unwrap_or_else(|| row.name.clone());
            let only = single && line.size.is_none() && there.len() == 1;
            let was = there.iter().find(|sub| only || fold(&sub.name) == fold(&name));
            let mut sub = was.cloned().unwrap_or_else(|| SubproductRow {
                id: Uuid::now_v7(),
                product_id: row.id,
                name: name.clone(),
                price: line.price,
                ranking: 0,
                active: true,
                vat_id: None,
                sit_in_vat_id: None,
                allergenic_ids: vec![],
                ean_code: None,
                option_group_ids: vec![],
            });
            sub.price = line.price;
            // A size that is called like its product goes on being called like it.
            if was.is_some_and(|was| was.name == old.name) && line.size.is_none() {
                sub.name.clone_from(&row.name);
            }
            if let Some(groups) = line.option_groups.as_ref().or(groups) {
                sub.option_group_ids =
                    groups.iter().filter_map(|name| self.groups.get(name).copied()).collect();
            }
            if let Some(allergens) = &line.allergens {
                let mut present = sub.allergenic_ids.clone();
                present.sort_unstable();
                if present != *allergens {
                    sub.allergenic_ids.clone_from(allergens);
                }
            }
            if !single {
                sub.ean_code = line.ean_code.clone().or(sub.ean_code);
                sub.active = line.active.unwrap_or(sub.active);
            }
            if let Some(wanted) = line.vat.filter(|wanted| *wanted != sub.vat_id.unwrap_or(from_product.vat))
            {
                sub.vat_id = Some(wanted).filter(|wanted| *wanted != from_product.vat);
            }
            if let Some(wanted) =
                line.sit_in_vat.filter(|wanted| *wanted != sub.sit_in_vat_id.unwrap_or(from_product.sit_in))
            {
                sub.sit_in_vat_id = Some(wanted).filter(|wanted| *wanted != from_product.sit_in);
            }
            self.seen.insert(sub.id);
            let mut own = std::mem::take(&mut differences);
            let kind = match was {
                None => {
                    sub.ranking = self.places.next(Some(row.id));
                    touched = true;
                    self.plan.new_subproducts.push(sub.clone());
                    MenuImportKind::New
                }
                Some(was) => {
                    own.extend(self.subproduct_differences(was, &sub, inherited, from_product, &old));
                    if *was != sub {
                        touched = true;
                        self.plan.subproducts.push(sub.clone());
                    }
                    if own.is_empty() { MenuImportKind::Unchanged } else { MenuImportKind::Changed }
                }
            };
            self.lines.push(MenuImportLine {
                kind,
                option: false,
                row: Some(signed(line.row)),
                category: self.path(category),
                name: row.name.clone(),
                subproduct: Some(sub.name.clone()).filter(|name| *name != row.name),
                price: Money(line.price),
                differences: own,
            });
        }
        match present {
            None => {
                row.ranking = self.places.next(Some(category));
                self.plan.new_products.push(row);
            }
            // A product's version stands for its sizes too.
            Some(_) if row != old || touched => self.plan.products.push(row),
            Some(_) => {}
        }
    }
}
