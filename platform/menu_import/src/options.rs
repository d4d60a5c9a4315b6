//! The sheet with options: groups, their minimum and maximum, and options with prices.

use std::collections::HashMap;

use catalogue::{OptionGroupType, bulk::Menu, limits};
use kernel::Fault;

use super::{
    cells,
    columns::{Mapping, MenuImportField as Field},
    fold::fold,
    lines::{At, GroupLines, Known, OptionLine, Read, groups_by_name},
    parts,
    reading::{Reading, below, mapped},
    sheet::Sheet,
};

/// What the rows of a group say about it: the first row that says something holds, and another one may not
/// contradict it.
#[derive(Default)]
struct GroupSettings {
    name: String,
    name_sec_lang: Option<String>,
    r#type: Option<OptionGroupType>,
    min: Option<i32>,
    max: Option<i32>,
    options: Vec<OptionLine>,
    rows: HashMap<String, u32>,
}

/// The name of a type on the wire.
pub(crate) const fn type_name(kind: OptionGroupType) -> &'static str {
    match kind {
        OptionGroupType::Exclusive => "exclusive",
        OptionGroupType::Inclusive => "inclusive",
        OptionGroupType::MinMax => "min_max",
    }
}

/// Reads the rows below the headings. An empty group is the one above.
pub(crate) fn read(sheet: &Sheet, mapping: &Mapping, known: &Known, menu: &Menu, found: &mut Read) {
    let mut groups: Vec<GroupSettings> = Vec::new();
    let mut current: Option<String> = None;
    for row in below(sheet, mapping).filter(|row| !row.title && mapped(row, mapping).next().is_some()) {
        if !found.count_row(1) {
            return;
        }
        let before = found.seen;
        let line = Reading { row, mapping, known, found }.option(&mut current, &mut groups);
        match line.filter(|_| found.seen == before) {
            Some((at, line)) => {
                groups.get_mut(at).into_iter().for_each(|settings| settings.options.push(line.clone()))
            }
            None => found.faulty_rows += 1,
        }
    }
    let present = groups_by_name(menu);
    for settings in groups.into_iter().filter(|settings| !settings.options.is_empty()) {
        let present = present.get(&fold(&settings.name)).and_then(|id| menu.option_groups.get(id));
        let between = (settings.min.is_some() || settings.max.is_some()).then_some(OptionGroupType::MinMax);
        let kind = settings
            .r#type
            .or(between)
            .or(present.map(|row| row.r#type))
            .unwrap_or(OptionGroupType::Inclusive);
        let current =
            present.filter(|row| row.r#type == kind).map(|row| (row.min_no_options, row.max_no_options));
        match limits(kind, (settings.min, settings.max), current) {
            Ok(limits) => found.groups.push(GroupLines {
                name: settings.name,
                name_sec_lang: settings.name_sec_lang,
                r#type: kind,
                limits,
                options: settings.options,
                named: settings.rows.into_keys().collect(),
            }),
            // No option can be taken into a group that asks for more than it allows.
            Err((_, fault)) => {
                for option in settings.options {
                    found.fault(
                        At { mapping, row: option.row, column: None, value: &settings.name },
                        Field::MaxNoOptions,
                        &fault,
                        None,
                    );
                    found.faulty_rows += 1;
                }
            }
        }
    }
}

/// The first value wins.
fn agree<T: PartialEq>(stated: &mut Option<T>, now: Option<T>) -> bool {
    match (&stated, now) {
        (Some(first), Some(now)) => *first == now,
        (None, now) => {
            *stated = now;
            true
        }
        (Some(_), None) => true,
    }
}

impl Reading<'_> {
    /// The row as an option, with the place of its group.
    fn option(
        mut self,
        current: &mut Option<String>,
        groups: &mut Vec<GroupSettings>,
    ) -> Option<(usize, OptionLine)> {
        let group = self.text(Field::OptionGroup, 100).or_else(|| current.clone());
        let Some(group) = group else {
            self.fault(Field::OptionGroup, &Fault::Required);
            return None;
        };
        *current = Some(group.clone());
        let at =
            groups.iter().position(|settings| fold(&settings.name) == fold(&group)).unwrap_or_else(|| {
                groups.push(GroupSettings { name: group, ..GroupSettings::default() });
                groups.len() - 1
            });
        let settings = groups.get_mut(at)?;
        let name_sec_lang = self.text(Field::OptionGroupSecLang, 100);
        settings.name_sec_lang = settings.name_sec_lang.take().or(name_sec_lang);
        let (kind, min, max) = (
            self.take(Field::OptionType, cells::choice),
            self.take(Field::MinNoOptions, cells::whole),
            self.take(Field::MaxNoOptions, cells::whole),
        );
        for (field, agrees) in [
            (Field::OptionType, agree(&mut settings.r#type, kind)),
            (Field::MinNoOptions, agree(&mut settings.min, min)),
            (Field::MaxNoOptions, agree(&mut settings.max, max)),
        ] {
            if !agrees {
                self.fault(field, &Fault::Invalid);
            }
        }
        let name = self.text(Field::Option, 100);
        let currency = self.known.currency;
        let price = if self.cell(Field::Price).is_empty() {
            None
        } else {
            Some(self.take(Field::Price, |cell| cells::price(cell, currency)))
        };
        let line = OptionLine {
            row: self.row.number,
            name: name.clone().unwrap_or_default(),
            name_sec_lang: self.text(Field::OptionSecLang, 100),
            price,
            allergens: self.allergens(),
            active: self.take(Field::Active, cells::flag),
            stands_for: self.take(Field::StandsFor, parts::one_part),
        };
        let Some(name) = name else {
            self.fault(Field::Option, &Fault::Required);
            return None;
        };
        if let Some(first) = settings.rows.get(&fold(&name)) {
            self.found.fault(
                At { mapping: self.mapping, row: self.row.number, column: None, value: &name },
                Field::Option,
                &Fault::NotUnique,
                Some(*first),
            );
        } else {
            settings.rows.insert(fold(&name), self.row.number);
        }
        Some((at, line))
    }
}
