//! Rows of a sheet as lines of a menu. Faults have row, column and reason.

use std::collections::{HashMap, HashSet};

use catalogue::{
    OptionGroupType,
    bulk::{Menu, NtakCategoryRow, OptionGroupRow},
};
use kernel::{Fault, money::Currency, setting::NtakQuantityUnit};
use poem_openapi::{Enum, Object};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    columns::{Mapping, MenuImportField as Field, letters},
    fold::fold,
    parts::Part,
};

/// The most lines of one menu.
pub(crate) const MOST_LINES: usize = 5_000;
/// The most faults that are kept.
const MOST_FAULTS: usize = 10_000;

/// The rows that a sheet may refer to.
#[derive(Debug, Default)]
pub(crate) struct MenuNames {
    pub currency: Currency,
    pub vats: HashMap<Decimal, Uuid>,
    /// Allergens by folded code, names and number.
    pub allergens: HashMap<String, Uuid>,
    /// Folded names of option groups: those of the menu and those that the file makes.
    pub option_groups: HashSet<String>,
    /// Categories of the tax report by their words and names, as [`ntak_key`] makes them; none: it may mean
    /// several, or a main category alone.
    pub ntak: HashMap<String, Option<Uuid>>,
}

impl MenuNames {
    /// The rows that a file for this menu may refer to.
    pub(crate) fn new(menu: &Menu) -> Self {
        let mut allergens = HashMap::new();
        for one in menu.allergens.values() {
            for name in [&one.code, &one.name, &one.name_en] {
                allergens.insert(fold(name), one.id);
            }
            allergens.insert(one.ranking.to_string(), one.id);
        }
        Self {
            currency: menu.currency,
            vats: menu.vats(),
            allergens,
            option_groups: groups_by_name(menu).into_keys().collect(),
            ntak: ntak_by_name(menu),
        }
    }
}

/// Words and names of categories of the tax report are the same when their letters are: `ETEL/LEVES`, `Étel – leves`.
pub(crate) fn ntak_key(name: &str) -> String {
    let folded = fold(name);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Those that can be chosen, and those that the menu has. The sub-category alone is enough where it stands below one
/// main category.
fn ntak_by_name(menu: &Menu) -> HashMap<String, Option<Uuid>> {
    let categories = menu.categories.values().map(|row| row.ntak_category_id);
    let products = menu.products.values().map(|row| row.ntak_category_id);
    let sizes = menu.subproducts.values().flatten().map(|row| row.ntak_category_id);
    let own = categories.chain(products).chain(sizes).chain([menu.ntak_category_id]);
    let used: HashSet<Uuid> = own.flatten().collect();
    let known = || menu.ntak_categories.values().filter(|row| row.valid || used.contains(&row.id));
    let names = |row: &NtakCategoryRow| {
        [
            [row.main_category.clone(), row.sub_category.clone()],
            [row.main_category_name.clone(), row.sub_category_name.clone()],
            [row.main_category_name_en.clone(), row.sub_category_name_en.clone()],
        ]
    };
    let mut alone: HashMap<String, Option<Uuid>> = HashMap::new();
    for row in known() {
        for [main, sub] in names(row) {
            alone.insert(ntak_key(&main), None);
            let of_sub = alone.entry(ntak_key(&sub)).or_insert(Some(row.id));
            *of_sub = of_sub.filter(|id| *id == row.id);
        }
    }
    for row in known() {
        alone.extend(names(row).map(|[main, sub]| (ntak_key(&format!("{main} {sub}")), Some(row.id))));
    }
    alone
}

/// Option groups by folded name; of equals the first one counts.
pub(crate) fn groups_by_name(menu: &Menu) -> HashMap<String, Uuid> {
    let mut rows: Vec<&OptionGroupRow> = menu.option_groups.values().collect();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.ranking), std::cmp::Reverse(row.id)));
    rows.into_iter().map(|row| (fold(&row.name), row.id)).collect()
}

/// One sellable thing as the file has it. A field that the file leaves empty is none and changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub row: u32,
    pub parent: Option<String>,
    pub category: String,
    pub category_sec_lang: Option<String>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    pub size: Option<String>,
    /// The column of the price, where it is the one of a size.
    pub size_column: Option<usize>,
    pub price: Decimal,
    pub vat: Option<Uuid>,
    pub sit_in_vat: Option<Uuid>,
    pub allergens: Option<Vec<Uuid>>,
    pub option_groups: Option<Vec<String>>,
    pub ean_code: Option<String>,
    pub active: Option<bool>,
    pub ntak_category: Option<Uuid>,
    pub ntak_unit: Option<NtakQuantityUnit>,
    pub ntak_quantity: Option<Decimal>,
    pub deposit_pieces: Option<i32>,
    pub components: Option<Vec<Part>>,
}

/// A group as the file has it, with those of its rows that can be taken.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GroupLines {
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub r#type: OptionGroupType,
    /// Fewest and most options of one piece.
    pub limits: (i32, i32),
    /// Whether the file says how many; else it is what the menu has, or any number.
    pub stated: bool,
    pub options: Vec<OptionLine>,
    /// Folded names of all its options, faulty ones too: they are in the file.
    pub named: HashSet<String>,
}

/// An option as the file has it. A field that the file leaves empty is none and changes nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OptionLine {
    pub row: u32,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub price: Option<Decimal>,
    pub allergens: Option<Vec<Uuid>>,
    pub active: Option<bool>,
    /// The size that it stands for, at most one; an empty list takes it away.
    pub stands_for: Option<Vec<Part>>,
}

/// Why a cell cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, Serialize, Deserialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum MenuImportReason {
    /// It is empty.
    Required,
    /// It is no price, rate, yes or no.
    Type,
    /// It has more characters than the field holds (`limit`).
    TooLong,
    /// It is negative.
    Min,
    /// It is more than the field holds.
    Max,
    /// There is no such rate, allergen, option group, size, category or unit of the tax report; or it has ended.
    NotExist,
    /// The same stands in another row (`other_row`).
    NotUnique,
    /// It contradicts the menu or another row: a price smaller than the smallest coin, products beside
    /// sub-categories, an option group of two kinds; or it names half a category of the tax report, a size that
    /// may be several, or for a part of another one which consists of others itself.
    Invalid,
}

impl From<&Fault> for MenuImportReason {
    fn from(fault: &Fault) -> Self {
        match fault {
            Fault::Required => Self::Required,
            Fault::TooLong(_) => Self::TooLong,
            Fault::Min => Self::Min,
            Fault::Max => Self::Max,
            Fault::NotExist => Self::NotExist,
            Fault::NotUnique => Self::NotUnique,
            Fault::Invalid => Self::Invalid,
            _ => Self::Type,
        }
    }
}

/// A cell that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub(crate) struct MenuImportFault {
    /// Its sheet; `null` in a text file.
    pub sheet: Option<String>,
    /// Number of the row as the spreadsheet shows it.
    pub row: i32,
    /// Letter of the column; `null` where no column holds the field.
    pub column: Option<String>,
    pub key: Field,
    pub reason: MenuImportReason,
    /// The most characters or the like, where the reason has a limit.
    pub limit: Option<i32>,
    /// The row that says the same.
    pub other_row: Option<i32>,
    /// What stands there, cut after 100 characters.
    pub value: String,
}

/// The result of reading a sheet.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub lines: Vec<Line>,
    /// Of the sheet with the options.
    pub groups: Vec<GroupLines>,
    /// There is no other sheet: nothing is said about products.
    pub only_options: bool,
    pub faults: Vec<MenuImportFault>,
    /// How many faults there are.
    pub seen: usize,
    /// Rows with something for sale in them, faulty ones and options too.
    pub rows: usize,
    /// Lines of those rows: one for each price.
    pub line_count: usize,
    pub faulty_rows: usize,
    /// The folded names in faulty lines: they are in the file, although nothing becomes of them.
    pub faulty_names: HashSet<String>,
    /// There are more lines than one menu may have.
    pub too_many: bool,
}

impl Read {
    /// Counts a row with so many lines. False when there are more lines than one menu may have.
    pub(crate) fn count_row(&mut self, lines: usize) -> bool {
        self.rows += 1;
        self.line_count += lines;
        self.too_many = self.line_count > MOST_LINES;
        !self.too_many
    }

    pub(crate) fn fault(&mut self, at: At<'_>, key: Field, fault: &Fault, other: Option<u32>) {
        self.seen += 1;
        if self.faults.len() < MOST_FAULTS {
            let column = at.column.or_else(|| at.mapping.fields.iter().position(|field| *field == Some(key)));
            let limit = match fault {
                Fault::TooLong(limit) => i32::try_from(*limit).ok(),
                _ => None,
            };
            self.faults.push(MenuImportFault {
                sheet: Some(at.mapping.sheet.clone()).filter(|name| !name.is_empty()),
                row: signed(at.row),
                column: column.map(letters),
                key,
                reason: fault.into(),
                limit,
                other_row: other.map(signed),
                value: at.value.chars().take(100).collect(),
            });
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub mapping: &'a Mapping,
    pub row: u32,
    /// Its column; none is the first one that holds the field.
    pub column: Option<usize>,
    pub value: &'a str,
}

pub(crate) fn signed(row: u32) -> i32 {
    i32::try_from(row).unwrap_or(i32::MAX)
}
