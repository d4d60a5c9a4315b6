//! Which column is which field: recognised by Hungarian and English headings, or chosen by the user.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::{
    fields::MenuImportField as Field,
    sheet::{Row, Sheet},
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
}

/// Where the headings stand, and what each column is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mapping {
    /// Name of the sheet; empty in a text file.
    pub sheet: String,
    /// Number of the row with the headings, as the spreadsheet shows it; 0: there is none.
    pub header_row: u32,
    /// The field of each column, from the first one.
    pub fields: Vec<Option<Field>>,
}

/// Headings stand within the first rows: above them are titles, addresses, dates.
const SEARCHED: usize = 40;

/// The fields recognised by the headings of a menu.
pub(crate) fn recognise(sheet: &Sheet) -> Mapping {
    among(sheet, &Field::MENU)
}

/// The sheet with the options, which names groups and their options; no other looks like it.
pub(crate) fn options(sheet: &Sheet) -> Option<Mapping> {
    let has = |mapping: &Mapping, field| mapping.fields.contains(&Some(field));
    Some(among(sheet, &Field::OPTIONS))
        .filter(|mapping| has(mapping, Field::OptionGroup) && has(mapping, Field::Option))
}

/// The row that names the most fields has the headings.
fn among(sheet: &Sheet, all: &[Field]) -> Mapping {
    let width = sheet.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let meanings = |row: &Row| {
        let mut fields: Vec<Option<Field>> = Vec::with_capacity(width);
        for column in 0..width {
            // The first of two columns with one meaning has it.
            fields.push(
                Field::of(&row.cell(column).shown(), all).filter(|field| !fields.contains(&Some(*field))),
            );
        }
        fields
    };
    let mut best = Mapping { sheet: sheet.name.clone(), header_row: 0, fields: vec![None; width] };
    let mut most = 1;
    for row in sheet.rows.iter().take(SEARCHED) {
        let fields = meanings(row);
        let known = fields.iter().flatten().count();
        if known > most {
            most = known;
            best = Mapping { header_row: row.number, fields, ..best };
        }
    }
    best
}

/// Fields that a menu needs and no column holds.
pub(crate) fn missing(mapping: &Mapping) -> Vec<Field> {
    [Field::Name, Field::Price].into_iter().filter(|field| !mapping.fields.contains(&Some(*field))).collect()
}

/// How much a sheet looks like a menu, for choosing among several: whatever needs no more columns first, and
/// of others rather one that is no list of options.
pub(crate) fn match_score(sheet: &Sheet) -> (bool, bool, usize, usize) {
    let mapping = recognise(sheet);
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
