//! Text with semicolons between cells, as spreadsheets of the house's languages open it. See
//! `docs/decisions/exports.md#cells`.

use std::{
    borrow::Cow,
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use csv::{Terminator, Writer, WriterBuilder};
use kernel::money::Money;
use rust_decimal::Decimal;
use sheets::{Cell, Column};

/// Says that the file is UTF-8; without it spreadsheets take it for the language's old encoding.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A text file that is being written.
pub(crate) struct TextWriter {
    rows: Writer<BufWriter<File>>,
    english: bool,
}

impl TextWriter {
    pub(crate) fn begin(file: &Path, columns: &[Column], english: bool) -> csv::Result<Self> {
        let mut file = BufWriter::new(File::create(file)?);
        file.write_all(MARK)?;
        let mut rows = WriterBuilder::new().delimiter(b';').terminator(Terminator::CRLF).from_writer(file);
        rows.write_record(columns.iter().map(|(heading, _)| harmless(heading).into_owned()))?;
        Ok(Self { rows, english })
    }

    pub(crate) fn row(&mut self, cells: &[Cell]) -> csv::Result<()> {
        for cell in cells {
            match cell {
                Cell::Empty => self.rows.write_field("")?,
                Cell::Text(text) => self.rows.write_field(harmless(text).as_bytes())?,
                Cell::Number(number) | Cell::Money(Money(number), _) => {
                    self.rows.write_field(written(*number, self.english))?;
                }
                Cell::Instant(at) => self.rows.write_field(at.format("%Y-%m-%d %H:%M").to_string())?,
                Cell::Day(day) => self.rows.write_field(day.to_string())?,
            }
        }
        self.rows.write_record(None::<&[u8]>)
    }

    pub(crate) fn finish(self) -> std::io::Result<()> {
        let rest = self.rows.into_inner().map_err(csv::IntoInnerError::into_error)?;
        rest.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
    }
}

/// A number without needless zeros; Hungarian spreadsheets take a point for a date.
fn written(number: Decimal, english: bool) -> String {
    let text = number.normalize().to_string();
    if english { text } else { text.replace('.', ",") }
}

/// A text that no spreadsheet takes for a formula: an apostrophe stands before what begins like one. Cells of text
/// files have no types, unlike those of workbooks.
fn harmless(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use kernel::money::Currency;
    use proptest::prelude::*;

    use super::*;

    fn text(rows: &[Vec<Cell>], english: bool) -> String {
        let file = std::env::temp_dir().join(format!("pult-text-{}.csv", uuid::Uuid::now_v7()));
        let columns: Vec<Column> = rows[0].iter().map(|_| ("Név".into(), 10.0)).collect();
        let mut writer = TextWriter::begin(&file, &columns, english).unwrap();
        rows.iter().for_each(|row| writer.row(row).unwrap());
        writer.finish().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        text
    }

    #[test]
    fn cells_are_written_as_spreadsheets_read_them() {
        let day = NaiveDate::from_ymd_opt(2026, 6, 1).unwrap();
        let cells = vec![
            Cell::Number(Decimal::new(-123_450, 2)),
            Cell::Money(Money(Decimal::new(1990, 0)), Currency::Huf),
            Cell::Day(day),
            Cell::Instant(day.and_hms_opt(7, 5, 59).unwrap()),
            Cell::Empty,
            Cell::from(Some("+36 30 1".to_owned())),
            Cell::from(Some("a;\"b\"\nc".to_owned())),
        ];
        let headings = "\u{feff}Név;Név;Név;Név;Név;Név;Név\r\n";
        let rest = "1990;2026-06-01;2026-06-01 07:05;;'+36 30 1;\"a;\"\"b\"\"\nc\"\r\n";
        assert_eq!(text(std::slice::from_ref(&cells), false), format!("{headings}-1234,5;{rest}"));
        assert_eq!(text(&[cells], true), format!("{headings}-1234.5;{rest}"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_text_is_read_as_it_was_but_for_an_apostrophe(rows in proptest::collection::vec(proptest::array::uniform3("[=+\\-@\t'\";\r\n a]{0,3}[=+'\"0-9A-Z;,&á \r\n\\PC]{0,40}"), 1..6)) {
            let cells: Vec<Vec<Cell>> = rows.iter().map(|row| row.iter().map(|text| Cell::Text(text.clone())).collect()).collect();
            let written = text(&cells, false);
            let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_reader(written.trim_start_matches('\u{feff}').as_bytes());
            let read: Vec<Vec<String>> = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
            prop_assert_eq!(read.len(), rows.len());
            for (was, is) in rows.iter().flatten().zip(read.iter().flatten()) {
                prop_assert!(!is.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']));
                prop_assert!(was == is || is.strip_prefix('\'') == Some(was));
            }
        }
    }
}
