//! Writing workbooks row by row, so memory does not grow with them. Every cell has a type, so a text that looks like a
//! formula stays a text. See `docs/decisions/exports.md#cells`.

use std::{borrow::Cow, collections::HashMap, path::Path};

use chrono::{NaiveDate, NaiveDateTime};
use kernel::money::{Currency, Money};
use rust_decimal::Decimal;
use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

/// The most rows below the headings of one sheet; a spreadsheet takes 1,048,576.
const MOST_ROWS: u32 = 1_000_000;
/// In characters.
const LONGEST_TEXT: usize = 32_767;
/// Spreadsheets keep numbers of 15 digits exactly.
const EXACT: u128 = 1_000_000_000_000_000;

/// A cell to be written.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Empty,
    Text(String),
    /// A number. One of more digits than a spreadsheet keeps is written as a text.
    Number(Decimal),
    /// The same, shown as an amount of a currency.
    Money(Money, Currency),
    /// Wall time of the restaurant.
    Instant(NaiveDateTime),
    Day(NaiveDate),
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        if text.is_empty() { Self::Empty } else { Self::Text(text) }
    }
}

impl From<Decimal> for Cell {
    fn from(number: Decimal) -> Self {
        Self::Number(number)
    }
}

impl From<NaiveDateTime> for Cell {
    fn from(at: NaiveDateTime) -> Self {
        Self::Instant(at)
    }
}

impl From<NaiveDate> for Cell {
    fn from(day: NaiveDate) -> Self {
        Self::Day(day)
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(content: Option<T>) -> Self {
        content.map_or(Self::Empty, Into::into)
    }
}

/// A column to be written: heading and width in characters.
pub type Column = (Cow<'static, str>, f64);

/// Why a workbook cannot be written.
pub type WriteFault = XlsxError;

/// A workbook that is being written. A sheet that is full is followed by another with the same headings.
pub struct SheetWriter {
    book: Workbook,
    title: String,
    columns: Vec<Column>,
    sheets: usize,
    row: u32,
    instant: Format,
    day: Format,
    /// By currency and decimals.
    amounts: HashMap<(Currency, u32), Format>,
}

impl SheetWriter {
    /// Begins a workbook whose unfinished parts lie in this folder, else in the system's one for such files.
    ///
    /// # Errors
    /// The title is none that a sheet may have, or files cannot be written.
    pub fn begin(folder: Option<&Path>, title: &str, columns: Vec<Column>) -> Result<Self, WriteFault> {
        let mut book = Workbook::new();
        if let Some(folder) = folder {
            book.set_tempdir(folder)?;
        }
        let mut writer = Self {
            book,
            title: title.to_owned(),
            columns,
            sheets: 0,
            row: 0,
            instant: Format::new().set_num_format("yyyy/mm/dd hh:mm"),
            day: Format::new().set_num_format("yyyy/mm/dd"),
            amounts: HashMap::new(),
        };
        writer.next_sheet()?;
        Ok(writer)
    }

    fn next_sheet(&mut self) -> Result<(), WriteFault> {
        self.sheets += 1;
        self.row = 1;
        let sheet = self.book.add_worksheet_with_constant_memory()?;
        let name =
            if self.sheets == 1 { self.title.clone() } else { format!("{} {}", self.title, self.sheets) };
        sheet.set_name(name)?;
        sheet.set_freeze_panes(1, 0)?;
        for (at, (_, width)) in (0_u16..).zip(&self.columns) {
            sheet.set_column_width(at, *width)?;
        }
        let bold = Format::new().set_bold();
        for (at, (heading, _)) in (0_u16..).zip(&self.columns) {
            sheet.write_string_with_format(0, at, heading.as_ref(), &bold)?;
        }
        Ok(())
    }

    /// Writes the next row.
    ///
    /// # Errors
    /// Files cannot be written.
    pub fn row(&mut self, cells: &[Cell]) -> Result<(), WriteFault> {
        if self.row > MOST_ROWS {
            self.next_sheet()?;
        }
        let row = self.row;
        self.row += 1;
        let sheet: &mut Worksheet = self.book.worksheet_from_index(self.sheets - 1)?;
        for (at, cell) in (0_u16..).zip(cells) {
            match cell {
                Cell::Empty => continue,
                // Always a string cell: nothing is looked at for a sign of equality.
                Cell::Text(text) if text.chars().count() > LONGEST_TEXT => {
                    sheet.write_string(row, at, text.chars().take(LONGEST_TEXT).collect::<String>())
                }
                Cell::Text(text) => sheet.write_string(row, at, text),
                Cell::Number(number) => match exact(*number) {
                    Some(near) => sheet.write_number(row, at, near),
                    None => sheet.write_string(row, at, number.normalize().to_string()),
                },
                Cell::Money(Money(amount), currency) => match exact(*amount) {
                    Some(near) => {
                        let decimals = currency.decimals().max(amount.normalize().scale());
                        let format = self.amounts.entry((*currency, decimals));
                        let format = format.or_insert_with(|| amount_format(*currency, decimals));
                        sheet.write_number_with_format(row, at, near, format)
                    }
                    None => sheet.write_string(row, at, amount.normalize().to_string()),
                },
                Cell::Instant(instant) => sheet.write_datetime_with_format(row, at, instant, &self.instant),
                Cell::Day(day) => sheet.write_datetime_with_format(row, at, day, &self.day),
            }?;
        }
        Ok(())
    }

    /// Writes the finished workbook.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self, file: &Path) -> Result<(), WriteFault> {
        self.book.save(file)
    }
}

/// A whole workbook.
///
/// # Errors
/// As [`SheetWriter::begin`] and [`SheetWriter::row`].
pub fn write(
    title: &str, columns: Vec<Column>, rows: impl IntoIterator<Item = Vec<Cell>>,
) -> Result<Vec<u8>, WriteFault> {
    let mut writer = SheetWriter::begin(None, title, columns)?;
    rows.into_iter().try_for_each(|row| writer.row(&row))?;
    writer.book.save_to_buffer()
}

/// The number as spreadsheets keep it, which reads back as the same.
fn exact(number: Decimal) -> Option<f64> {
    let number = number.normalize();
    // Of the text the nearest one is taken; dividing the digits would round twice.
    let text = (number.mantissa().unsigned_abs() < EXACT).then(|| number.to_string())?;
    text.parse().ok()
}

fn amount_format(currency: Currency, decimals: u32) -> Format {
    let digits = "0".repeat(decimals as usize);
    let point = if decimals == 0 { "" } else { "." };
    Format::new().set_num_format(format!("#,##0{point}{digits} \"{}\"", currency.symbol()))
}

#[cfg(test)]
mod tests;
