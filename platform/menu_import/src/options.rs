//! The sheet with options: groups, their minimum and maximum, and options with prices.

use std::collections::HashMap;

use catalogue::{OptionGroupType, bulk::Menu, limits};
use kernel::Fault;

use super::{
    cells,
    columns::{Mapping, MenuImportField as Field},
    fold::fold,
    lines::{At, GroupLines, MenuNames, OptionLine, Read, groups_by_name},
    parts,
    reading::{Reading, below, mapped},
    rules::{self, Rule},
    sheet::Sheet,
};

/// What the rows of a group say about it: the first row that says something holds, and another one may not
/// contradict it.
#[derive(Default)]
struct GroupSettings {
    name: String,
    name_sec_lang: Option<String>,
    rule: Rule,
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
pub(crate) fn read(sheet: &Sheet, mapping: &Mapping, known: &MenuNames, menu: &Menu, found: &mut Read) {
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
        let Rule { r#type, min, max } = settings.rule;
        if let Some(field) = unstated(settings.rule, present.is_some(), sheet, mapping) {
            settings.fault(found, mapping, field, &Fault::Required);
            continue;
        }
        // Beside a minimum or a maximum, *any number* means one between them.
        let between = min.is_some_and(|min| min > 0) || max.is_some();
        let kind = r#type
            .filter(|kind| *kind != OptionGroupType::Inclusive || !between)
            .or((between || min.is_some()).then_some(OptionGroupType::MinMax))
            .or(present.map(|row| row.r#type))
            .unwrap_or(OptionGroupType::Inclusive);
        let current =
            present.filter(|row| row.r#type == kind).map(|row| (row.min_no_options, row.max_no_options));
        match limits(kind, (min, max), current) {
            Ok(limits) => found.groups.push(GroupLines {
                stated: r#type.is_some() || min.is_some() || max.is_some(),
                name: settings.name,
                name_sec_lang: settings.name_sec_lang,
                r#type: kind,
                limits,
                options: settings.options,
                named: settings.rows.into_keys().collect(),
            }),
            // No option can be taken into a group that asks for more than it allows.
            Err((_, fault)) => settings.fault(found, mapping, Field::MaxNoOptions, &fault),
        }
    }
}

impl GroupSettings {
    /// None of its options can be taken.
    fn fault(&self, found: &mut Read, mapping: &Mapping, field: Field, fault: &Fault) {
        for option in &self.options {
            let at = At { mapping, row: option.row, column: None, value: &self.name };
            found.fault(at, field, fault, None);
            found.faulty_rows += 1;
        }
    }
}

/// The field that has to say more about a new group: one has to be taken, and nothing says how many at most; or nothing
/// says anything, and a column that holds no field may do.
fn unstated(rule: Rule, present: bool, sheet: &Sheet, mapping: &Mapping) -> Option<Field> {
    let Rule { r#type, min, max } = rule;
    if present || max.is_some() || r#type == Some(OptionGroupType::Exclusive) {
        return None;
    }
    if min.is_some_and(|min| min > 0) && r#type != Some(OptionGroupType::MinMax) {
        return Some(Field::MaxNoOptions);
    }
    let rules = [Field::OptionType, Field::OptionRequired, Field::MinNoOptions, Field::MaxNoOptions];
    if r#type.is_some() || min.is_some() || mapping.chosen || rules.iter().any(|field| mapping.has(*field)) {
        return None;
    }
    let says = |column: usize| below(sheet, mapping).any(|row| !row.cell(column).is_empty());
    let open = (0..mapping.fields.len()).any(|at| mapping.fields.get(at) == Some(&None) && says(at));
    open.then_some(Field::OptionType)
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
        mut self, current: &mut Option<String>, groups: &mut Vec<GroupSettings>,
    ) -> Option<(usize, OptionLine)> {
        let group = self.name(Field::OptionGroup).or_else(|| current.clone());
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
        let rule = self.take(Field::OptionType, rules::rule);
        let (required, min, max) = (
            self.take(Field::OptionRequired, rules::required),
            self.take(Field::MinNoOptions, cells::whole),
            self.take(Field::MaxNoOptions, cells::whole),
        );
        // One that has to be taken, and a minimum beside it, are the same statement.
        let least = min.or(rule.min);
        let required =
            required.filter(|one| least.is_none() || (*one > 0) != least.is_some_and(|least| least > 0));
        let told = &mut settings.rule;
        for (field, agrees) in [
            (Field::OptionType, agree(&mut told.r#type, rule.r#type)),
            (Field::OptionType, agree(&mut told.min, rule.min) && agree(&mut told.max, rule.max)),
            (Field::OptionRequired, agree(&mut told.min, required)),
            (Field::MinNoOptions, agree(&mut told.min, min)),
            (Field::MaxNoOptions, agree(&mut told.max, max)),
        ] {
            if !agrees {
                self.fault(field, &Fault::Invalid);
            }
        }
        let name = self.name(Field::Option);
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
            if self.cell(Field::Option).is_empty() {
                self.fault(Field::Option, &Fault::Required);
            }
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
