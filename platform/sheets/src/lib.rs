//! Spreadsheets and text tables as rows of values, and writing workbooks. Files that are read are untrusted: their kind is determined by their
//! content, archives are checked before they are unpacked, and everything is limited. See
//! `docs/decisions/security.md#spreadsheets`.

mod changed;
mod codepage;
mod guard;
mod mend;
mod text;
mod workbook;
mod writer;

use rust_decimal::Decimal;

pub use writer::{Cell, Column, SheetWriter, WriteFault, write};

/// The most bytes a file may have.
pub const LARGEST_FILE: usize = 10_000_000;
/// The most rows of a sheet that are read.
pub const MOST_ROWS: usize = 50_000;
/// Columns beyond these are not looked at.
pub const MOST_COLUMNS: usize = 100;
/// The most cells of all sheets together, those that are empty and stand before a filled one included.
const MOST_CELLS: usize = 1_000_000;
/// The most bytes that the texts of all cells may have together: a text that is written once may be shown in
/// a million cells.
const MOST_TEXT: usize = 20_000_000;
/// The longest text of a cell that is kept, in characters: longer ones are a fault in every field.
const LONGEST_TEXT: usize = 4_000;

/// Stands before the text of a cell that is no value of its kind, where a file is mended before it is read.
const UNREADABLE: char = '\u{e000}';

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Empty,
    /// A text without outer blanks.
    Text(String),
    /// A number, as somebody typed it.
    Number(Decimal),
    /// Yes or no.
    Bool(bool),
    /// A date, the error that a formula ended in, or a text whose letters are not certain: nothing that a table
    /// of values could hold. As it is shown.
    Other(String),
}

impl Value {
    /// A text without outer blanks; none is an empty cell, and an error is no text.
    fn text(text: &str) -> Self {
        let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'));
        let (text, unreadable) = match text.strip_prefix(UNREADABLE) {
            Some(rest) => (rest, true),
            None => {
                let odd = text.contains(text::is_odd);
                (text, odd || changed::is_error(text) || codepage::is_garbled(text))
            }
        };
        let shown = || text.chars().take(LONGEST_TEXT).collect();
        match (text.is_empty(), unreadable) {
            (_, true) => Self::Other(shown()),
            (true, false) => Self::Empty,
            (false, false) => Self::Text(shown()),
        }
    }

    /// A number as spreadsheets keep it. The shortest decimal that means the same is what somebody typed.
    fn number(number: f64) -> Self {
        // Sums of formulas may be off in the last bits: 1990.0000000000002.
        let typed = number.to_string().parse::<Decimal>().map(|value| value.round_dp(6).normalize());
        typed.map_or_else(|_| Self::Other(number.to_string()), Self::Number)
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::Empty
    }

    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) | Self::Other(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Bool(value) => value.to_string(),
        }
    }
}

/// A row that is not empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its number as the spreadsheet shows it, from 1.
    pub number: u32,
    /// Its cells from the first column on.
    pub cells: Vec<Value>,
    /// Its only filled cell spans several columns: a title.
    pub title: bool,
}

impl Row {
    /// The cell of this column, from 0; an empty one where there is none.
    #[must_use]
    pub fn cell(&self, column: usize) -> &Value {
        self.cells.get(column).unwrap_or(&Value::Empty)
    }

    /// The cells that are not empty, with their columns.
    pub fn filled(&self) -> impl Iterator<Item = (usize, &Value)> {
        self.cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty())
    }
}

#[derive(Debug, Clone, Default)]
pub struct Sheet {
    /// Its name; empty for a text file.
    pub name: String,
    /// Its rows, without empty ones.
    pub rows: Vec<Row>,
}

/// Why a file cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum SheetFault {
    /// The content is no table, whatever the file's name.
    Kind,
    /// It breaks off, or says what no spreadsheet says.
    Broken,
    /// Unpacked it would be too large, or it holds too much.
    TooLarge,
    /// It is locked with a password.
    Locked,
    /// It holds no row.
    Empty,
}

impl SheetFault {
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// The kind of a file by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An archive: xlsx or ods.
    Archive,
    /// The binary format of old Excel.
    Compound,
    /// Separated by `;`, `,` or tabs.
    Text,
}

/// What this file is; none when it is no table.
#[must_use]
pub fn kind(bytes: &[u8]) -> Option<Kind> {
    if bytes.starts_with(b"PK\x03\x04") {
        Some(Kind::Archive)
    } else if bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
        Some(Kind::Compound)
    } else {
        text::looks_like(bytes).then_some(Kind::Text)
    }
}

/// Reads an archive; where it is broken, once more without the cells that break it.
fn mended(bytes: &[u8], read: fn(&[u8]) -> Result<Vec<Sheet>, SheetFault>) -> Result<Vec<Sheet>, SheetFault> {
    match read(bytes) {
        Err(SheetFault::Broken) => read(&mend::archive(bytes)?),
        read => read,
    }
}

/// The tables of a file, in their order.
pub fn read(bytes: &[u8]) -> Result<Vec<Sheet>, SheetFault> {
    let sheets = match kind(bytes).ok_or(SheetFault::Kind)? {
        Kind::Archive => {
            if guard::archive(bytes)? {
                mended(bytes, workbook::xlsx)?
            } else {
                mended(bytes, workbook::ods)?
            }
        }
        Kind::Compound => workbook::xls(&guard::compound(bytes)?)?,
        Kind::Text => vec![text::read(bytes)?],
    };
    if sheets.iter().all(|sheet| sheet.rows.is_empty()) { Err(SheetFault::Empty) } else { Ok(sheets) }
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
