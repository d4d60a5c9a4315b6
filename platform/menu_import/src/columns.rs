//! Which column is which field or size: recognised by Hungarian and English headings, or chosen by the user.

use kernel::money::Currency;
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    fields::MenuImportField as Field,
    prices,
    sheet::{Row, Sheet, Value},
    sizes::{self, is_same_size},
};

pub(crate) use super::fields::MenuImportField;

/// A column of the file and what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub(crate) struct MenuImportColumn {
    /// Which column, from 0.
    #[oai(validator(minimum(value = "0"), maximum(value = "99")))]
    pub column: i32,
    /// What it holds; `null` is left out.
    pub field: Option<MenuImportField>,
    /// The size whose price it holds: required with `size_price`, refused with other fields.
    #[oai(validator(max_length = 100))]
    pub size: Option<String>,
}

/// Where the headings stand, and what each column is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Mapping {
    /// Name of the sheet; empty in a text file.
    pub sheet: String,
    /// Number of the row with the headings, as the spreadsheet shows it; 0: there is none.
    pub header_row: u32,
    /// The field of each column, from the first one.
    pub fields: Vec<Option<Field>>,
    /// The sizes whose prices stand in columns, with their columns.
    pub sizes: Vec<(usize, String)>,
    /// Somebody has chosen the fields.
    pub chosen: bool,
}

impl Mapping {
    pub(crate) fn has(&self, field: Field) -> bool {
        self.fields.contains(&Some(field))
    }

    /// The size whose price stands in this column.
    pub(crate) fn size(&self, column: usize) -> Option<&String> {
        self.sizes.iter().find(|(at, _)| *at == column).map(|(_, size)| size)
    }
}

/// Headings stand within the first rows: above them are titles, addresses, dates.
const SEARCHED: usize = 40;

/// The fields recognised by the headings of a menu, and the sizes that have columns of their own. A heading alone
/// makes neither a price nor a size: prices have to stand below it.
pub(crate) fn recognise(sheet: &Sheet, currency: Currency) -> Mapping {
    among(
        sheet,
        &Field::MENU,
        |row| prices::column(sheet, row, currency),
        |row, column, own| sizes::of_column(sheet, row, column, own, currency),
    )
}

/// The sheet with the options, which names groups and their options; no other looks like it.
pub(crate) fn options(sheet: &Sheet) -> Option<Mapping> {
    Some(options_of(sheet)).filter(|mapping| mapping.has(Field::OptionGroup) && mapping.has(Field::Option))
}

/// The fields recognised by the headings of a sheet with options.
pub(crate) fn options_of(sheet: &Sheet) -> Mapping {
    let price = |row: &Row| {
        let is_price = |cell: &Value| Field::of(&cell.shown(), &Field::OPTIONS) == Some(Field::Price);
        row.filled().find(|(_, cell)| is_price(cell)).map(|(at, _)| at)
    };
    among(sheet, &Field::OPTIONS, price, |_, _, _| None)
}

/// The row that names the most fields and sizes has the headings.
fn among(
    sheet: &Sheet, all: &[Field], price: impl Fn(&Row) -> Option<usize>,
    size: impl Fn(&Row, usize, Option<usize>) -> Option<String>,
) -> Mapping {
    let width = sheet.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let recognised = |row: &Row| {
        let mut mapping = Mapping { sheet: sheet.name.clone(), header_row: row.number, ..Mapping::default() };
        let own = price(row);
        for column in 0..width {
            // The first of two columns with one meaning has it; of prices the likeliest one.
            let named = Field::of(&row.cell(column).shown(), all);
            let field = named.filter(|field| match field {
                Field::Price => own == Some(column),
                field => !mapping.has(*field),
            });
            let size = if field.is_none() { size(row, column, own) } else { None };
            let size = size.filter(|size| mapping.sizes.iter().all(|(_, one)| !is_same_size(one, size)));
            mapping.fields.push(field.or(size.as_ref().map(|_| Field::SizePrice)));
            mapping.sizes.extend(size.map(|size| (column, size)));
        }
        mapping
    };
    let mut best = Mapping { sheet: sheet.name.clone(), fields: vec![None; width], ..Mapping::default() };
    let mut most = 1;
    for row in sheet.rows.iter().take(SEARCHED) {
        let mapping = recognised(row);
        let known = mapping.fields.iter().flatten().count();
        if known > most {
            most = known;
            best = mapping;
        }
    }
    best
}

/// Fields that a menu needs and no column holds.
pub(crate) fn missing(mapping: &Mapping) -> Vec<Field> {
    let held = |field| mapping.has(field) || field == Field::Price && !mapping.sizes.is_empty();
    [Field::Name, Field::Price].into_iter().filter(|field| !held(*field)).collect()
}

/// How much a sheet looks like a menu, for choosing among several: whatever needs no more columns first, and
/// of others rather one that is no list of options.
pub(crate) fn match_score(sheet: &Sheet, currency: Currency) -> (bool, bool, usize, usize) {
    let mapping = recognise(sheet, currency);
    let missing = missing(&mapping).len();
    (missing == 0, options(sheet).is_none(), 2 - missing, mapping.fields.iter().flatten().count())
}

/// Column letters as spreadsheets show them: A, B, … Z, AA.
pub(crate) fn letters(column: usize) -> String {
    let mut rest = column + 1;
    let mut letters = Vec::new();
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'A' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    letters.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::fold;

    #[test]
    fn headings_are_known_in_both_languages() {
        let cases = [
            ("Megnevezés", Some(Field::Name)),
            ("TERMÉK NEVE:", Some(Field::Name)),
            ("Eladási ár", Some(Field::Price)),
            ("Regular price", Some(Field::Price)),
            ("Nettó ár", None),
            ("Ár (Ft)", Some(Field::Price)),
            ("  price ", Some(Field::Price)),
            ("Főkategória", Some(Field::ParentCategory)),
            ("Kiszerelés", Some(Field::Subproduct)),
            ("sit_in_vat", Some(Field::SitInVat)),
            ("Összetevők", Some(Field::Description)),
            ("Allergének", Some(Field::Allergens)),
            ("Opciócsoportok", Some(Field::OptionGroups)),
            ("Felár", None),
            ("Beszállító", None),
            ("", None),
        ];
        for (heading, field) in cases {
            assert_eq!(Field::of(heading, &Field::MENU), field, "{heading}");
        }
    }

    #[test]
    fn no_heading_means_two_things() {
        for fields in [&Field::MENU[..], &Field::OPTIONS] {
            let mut all: Vec<&str> = fields.iter().flat_map(|field| field.headings()).copied().collect();
            all.sort_unstable();
            let twice: Vec<_> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{twice:?}");
            for heading in all {
                assert_eq!(fold(heading), heading, "headings are compared folded");
            }
        }
    }

    #[test]
    fn columns_have_letters() {
        assert_eq!([0, 25, 26, 51, 701, 702].map(letters), ["A", "Z", "AA", "AZ", "ZZ", "AAA"]);
    }
}
