//! A workbook that is written row by row, so memory does not grow with it. Every cell has a type, so a text
//! that looks like a formula stays a text. See `docs/decisions/exports.md#cells`.

use std::{borrow::Cow, path::Path};

use chrono::{NaiveDate, NaiveDateTime};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

/// The most rows below the headings of one sheet; a spreadsheet takes 1,048,576.
const MOST_ROWS: u32 = 1_000_000;
const LONGEST_TEXT: usize = 32_767;

#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Empty,
    Text(String),
    /// An amount or a number of pieces.
    Number(Decimal),
    /// Wall time of the restaurant.
    Instant(NaiveDateTime),
    Day(NaiveDate),
    Flag(bool),
}

impl From<Option<String>> for Cell {
    fn from(text: Option<String>) -> Self {
        text.filter(|text| !text.is_empty()).map_or(Self::Empty, Self::Text)
    }
}

/// A column: heading and width in characters.
pub(crate) type Column = (Cow<'static, str>, f64);

/// A workbook that is being written.
pub(crate) struct SheetWriter {
    book: Workbook,
    title: &'static str,
    columns: Vec<Column>,
    sheets: usize,
    row: u32,
    instant: Format,
    day: Format,
    heading: Format,
    /// Words for yes and no.
    flags: [&'static str; 2],
}

impl SheetWriter {
    /// Begins a workbook whose unfinished parts lie in this folder.
    pub(crate) fn begin(
        folder: &Path, title: &'static str, columns: Vec<Column>, flags: [&'static str; 2],
    ) -> Result<Self, XlsxError> {
        let mut book = Workbook::new();
        book.set_tempdir(folder)?;
        let mut writer = Self {
            book,
            title,
            columns,
            sheets: 0,
            row: 0,
            instant: Format::new().set_num_format("yyyy/mm/dd hh:mm"),
            day: Format::new().set_num_format("yyyy/mm/dd"),
            heading: Format::new().set_bold(),
            flags,
        };
        writer.next_sheet()?;
        Ok(writer)
    }

    fn next_sheet(&mut self) -> Result<(), XlsxError> {
        self.sheets += 1;
        self.row = 1;
        let name =
            if self.sheets == 1 { self.title.to_owned() } else { format!("{} {}", self.title, self.sheets) };
        let sheet = self.book.add_worksheet_with_constant_memory()?;
        sheet.set_name(name)?;
        sheet.set_freeze_panes(1, 0)?;
        for (at, (_, width)) in (0_u16..).zip(&self.columns) {
            sheet.set_column_width(at, *width)?;
        }
        for (at, (heading, _)) in (0_u16..).zip(&self.columns) {
            sheet.write_string_with_format(0, at, heading.as_ref(), &self.heading)?;
        }
        Ok(())
    }

    pub(crate) fn row(&mut self, cells: &[Cell]) -> Result<(), XlsxError> {
        if self.row > MOST_ROWS {
            self.next_sheet()?;
        }
        let (row, last) = (self.row, self.sheets - 1);
        self.row += 1;
        let sheet: &mut Worksheet = self.book.worksheet_from_index(last)?;
        for (at, cell) in (0_u16..).zip(cells) {
            match cell {
                Cell::Empty => continue,
                // Always a string cell: nothing is looked at for a sign of equality.
                Cell::Text(text) if text.chars().count() > LONGEST_TEXT => {
                    sheet.write_string(row, at, text.chars().take(LONGEST_TEXT).collect::<String>())
                }
                Cell::Text(text) => sheet.write_string(row, at, text),
                // Spreadsheets know no other numbers than these.
                Cell::Number(number) => sheet.write_number(row, at, number.to_f64().unwrap_or_default()),
                Cell::Instant(at_time) => sheet.write_datetime_with_format(row, at, at_time, &self.instant),
                Cell::Day(day) => sheet.write_datetime_with_format(row, at, day, &self.day),
                Cell::Flag(flag) => sheet.write_string(row, at, self.flags[usize::from(*flag)]),
            }?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self, file: &Path) -> Result<(), XlsxError> {
        self.book.save(file)
    }
}

#[cfg(test)]
mod tests {
    use calamine::{Data, Reader, Xlsx};
    use proptest::prelude::*;

    use super::*;

    /// What a spreadsheet reads from these rows; none of its cells is a formula.
    fn read(rows: &[Vec<Cell>]) -> Vec<Vec<Data>> {
        let (folder, name) = (std::env::temp_dir(), format!("pult-sheet-{}.xlsx", uuid::Uuid::now_v7()));
        let columns = rows[0].iter().map(|_| ("=Heading".into(), 10.0)).collect();
        let mut writer = SheetWriter::begin(&folder, "Orders", columns, ["no", "yes"]).unwrap();
        rows.iter().for_each(|row| writer.row(row).unwrap());
        let file = folder.join(name);
        writer.finish(&file).unwrap();
        let mut book = Xlsx::new(std::io::Cursor::new(std::fs::read(&file).unwrap())).unwrap();
        std::fs::remove_file(file).unwrap();
        let formulas = book.worksheet_formula("Orders").unwrap();
        assert_eq!(formulas.used_cells().count(), 0);
        book.worksheet_range("Orders").unwrap().rows().map(<[Data]>::to_vec).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn texts_that_look_like_formulas_are_read_as_they_were(rows in proptest::collection::vec(proptest::array::uniform3("[=+\\-@\t'][=+\\-@'\"0-9A-Z(!|;,<>&á \n\\PC]{0,80}"), 1..6)) {
            let cells: Vec<Vec<Cell>> = rows.iter().map(|row| row.iter().map(|text| Cell::from(Some(text.clone()))).collect()).collect();
            let wanted: Vec<Vec<Data>> = rows.iter().map(|row| row.iter().map(|text| Data::String(text.clone())).collect()).collect();
            let read = read(&cells);
            prop_assert_eq!(&read[0][0], &Data::String("=Heading".into()));
            prop_assert_eq!(&read[1..], &wanted[..]);
        }
    }
}
