//! Compares a group of options with the present one.

use catalogue::bulk::{OptionGroupRow, OptionRow};
use kernel::money::Money;
use uuid::Uuid;

use super::{
    AMONG_GROUPS, Comparison, Field, MenuImportDifference, MenuImportKind, MenuImportLine,
    differences::{differ, price},
};
use crate::{
    fold::fold,
    lines::{GroupLines, OptionLine, signed},
    options::type_name,
};

impl Comparison<'_> {
    /// The group, made where it is not there, and its options.
    pub(super) fn option_group(&mut self, lines: &GroupLines) {
        let present = self.groups.get(&fold(&lines.name)).and_then(|id| self.menu.option_groups.get(id));
        let mut row = present.cloned().unwrap_or_else(|| OptionGroupRow {
            id: Uuid::now_v7(),
            name: lines.name.clone(),
            name_sec_lang: None,
            r#type: lines.r#type,
            min_no_options: 0,
            max_no_options: 0,
            ranking: 0,
            version: 1,
        });
        if lines.name_sec_lang.is_some() {
            row.name_sec_lang.clone_from(&lines.name_sec_lang);
        }
        row.r#type = lines.r#type;
        (row.min_no_options, row.max_no_options) = lines.limits;
        let mut differences = present.map(|old| group_differences(old, &row)).unwrap_or_default();
        let there = present.and_then(|row| self.menu.options.get(&row.id)).map_or(&[][..], Vec::as_slice);
        for line in &lines.options {
            let was = there.iter().find(|option| fold(&option.name) == fold(&line.name));
            self.option(&row, was, line, std::mem::take(&mut differences));
        }
        for option in there.iter().filter(|option| !lines.named.contains(&fold(&option.name))) {
            self.lines.push(shown(MenuImportKind::Missing, None, &row, option, vec![]));
        }
        match present {
            None => {
                row.ranking = self.places.next(AMONG_GROUPS);
                self.groups.insert(fold(&row.name), row.id);
                self.plan.new_option_groups.push(row);
            }
            Some(old) if *old != row => self.plan.option_groups.push(row),
            Some(_) => {}
        }
    }

    fn option(
        &mut self, group: &OptionGroupRow, was: Option<&OptionRow>, line: &OptionLine,
        mut differences: Vec<MenuImportDifference>,
    ) {
        let mut row = was.cloned().unwrap_or_else(|| OptionRow {
            id: Uuid::now_v7(),
            option_group_id: group.id,
            name: line.name.clone(),
            name_sec_lang: None,
            price: 0.into(),
            ranking: 0,
            active: true,
            allergenic_ids: vec![],
            subproduct_id: None,
            subproduct_pieces: Some(1),
            version: 1,
        });
        row.name.clone_from(&line.name);
        if line.name_sec_lang.is_some() {
            row.name_sec_lang.clone_from(&line.name_sec_lang);
        }
        row.price = line.price.unwrap_or(row.price);
        row.active = line.active.unwrap_or(row.active);
        if let Some(allergens) = &line.allergens {
            let mut present = row.allergenic_ids.clone();
            present.sort_unstable();
            if present != *allergens {
                row.allergenic_ids.clone_from(allergens);
            }
        }
        let kind = match was {
            None => {
                row.ranking = self.places.next(Some(group.id));
                self.plan.new_options.push(row.clone());
                MenuImportKind::New
            }
            Some(was) => {
                differ(&mut differences, Field::Option, Some(was.name.clone()), Some(row.name.clone()));
                differ(
                    &mut differences,
                    Field::OptionSecLang,
                    was.name_sec_lang.clone(),
                    row.name_sec_lang.clone(),
                );
                differ(&mut differences, Field::Price, price(was.price), price(row.price));
                differ(
                    &mut differences,
                    Field::Allergens,
                    self.allergens(&was.allergenic_ids),
                    self.allergens(&row.allergenic_ids),
                );
                differ(
                    &mut differences,
                    Field::Active,
                    Some(was.active.to_string()),
                    Some(row.active.to_string()),
                );
                if *was != row {
                    self.plan.options.push(row.clone());
                }
                if differences.is_empty() { MenuImportKind::Unchanged } else { MenuImportKind::Changed }
            }
        };
        self.lines.push(shown(kind, Some(signed(line.row)), group, &row, differences));
        self.stands_later(row.id, was, line);
    }
}

fn shown(
    kind: MenuImportKind, row: Option<i32>, group: &OptionGroupRow, option: &OptionRow,
    differences: Vec<MenuImportDifference>,
) -> MenuImportLine {
    MenuImportLine {
        kind,
        option: true,
        row,
        category: group.name.clone(),
        name: option.name.clone(),
        subproduct: None,
        price: Money(option.price),
        differences,
    }
}

fn group_differences(old: &OptionGroupRow, new: &OptionGroupRow) -> Vec<MenuImportDifference> {
    let mut found = Vec::new();
    differ(&mut found, Field::OptionGroupSecLang, old.name_sec_lang.clone(), new.name_sec_lang.clone());
    differ(
        &mut found,
        Field::OptionType,
        Some(type_name(old.r#type).to_owned()),
        Some(type_name(new.r#type).to_owned()),
    );
    let text = |number: i32| Some(number.to_string());
    differ(&mut found, Field::MinNoOptions, text(old.min_no_options), text(new.min_no_options));
    differ(&mut found, Field::MaxNoOptions, text(old.max_no_options), text(new.max_no_options));
    found
}
