//! What is written, as spreadsheets and our own imports read it.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use proptest::prelude::*;

use super::*;
use crate::{Value, read};

fn columns(number: usize) -> Vec<Column> {
    (0..number).map(|at| (format!("=Heading {at}").into(), 10.0)).collect()
}

/// What a spreadsheet reads from these rows; none of its cells is a formula.
fn shown(rows: &[Vec<Cell>]) -> Vec<Vec<Data>> {
    let bytes = write("Orders", columns(rows[0].len()), rows.iter().cloned()).unwrap();
    let mut book = Xlsx::new(Cursor::new(bytes)).unwrap();
    assert_eq!(book.worksheet_formula("Orders").unwrap().used_cells().count(), 0);
    book.worksheet_range("Orders").unwrap().rows().map(<[Data]>::to_vec).collect()
}

/// A part of a workbook as it lies in the archive.
fn part(bytes: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    std::io::read_to_string(archive.by_name(name).unwrap()).unwrap()
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[test]
fn every_kind_of_cell_is_read_as_what_it_is() {
    let day = NaiveDate::from_ymd_opt(2026, 6, 1).unwrap();
    let cells = vec![
        Cell::from(Some("=1+1".to_owned())),
        Cell::from(String::new()),
        Cell::from(None::<Decimal>),
        Cell::from(decimal("-1234.50")),
        Cell::Money(Money(decimal("1990")), Currency::Huf),
        Cell::from(day),
        Cell::from(day.and_hms_opt(7, 5, 0)),
        Cell::Text("x".repeat(LONGEST_TEXT + 1)),
    ];
    let bytes = write("Rendelések", columns(cells.len()), [cells]).unwrap();
    let sheets = read(&bytes).unwrap();
    assert_eq!(sheets[0].name, "Rendelések");
    let (headings, row) = (&sheets[0].rows[0], &sheets[0].rows[1]);
    assert_eq!(headings.cell(7), &Value::Text("=Heading 7".into()));
    assert_eq!(row.cell(0), &Value::Text("=1+1".into()));
    assert!(row.cell(1).is_empty() && row.cell(2).is_empty());
    assert_eq!(row.cell(3), &Value::Number(decimal("-1234.5")));
    assert_eq!(row.cell(4), &Value::Number(decimal("1990")));
    assert_eq!(row.cell(5), &Value::Other("2026-06-01".into()));
    let book = shown(&[vec![Cell::from(day.and_hms_opt(7, 5, 0)), Cell::Day(day)]]);
    let (Data::DateTime(instant), Data::DateTime(only)) = (&book[1][0], &book[1][1]) else {
        panic!("{book:?}")
    };
    assert_eq!(instant.to_ymd_hms_milli(), (2026, 6, 1, 7, 5, 0, 0));
    assert_eq!(only.to_ymd_hms_milli(), (2026, 6, 1, 0, 0, 0, 0));
    let sheet = part(&bytes, "xl/worksheets/sheet1.xml");
    assert!(sheet.contains("<pane ySplit=\"1\"") && sheet.contains("state=\"frozen\""), "{}", &sheet[..600]);
    assert!(sheet.contains("<cols>") && part(&bytes, "xl/styles.xml").contains("<b/>"));
}

#[test]
fn amounts_have_the_format_of_their_currency() {
    let of = |amount: &str, currency| Cell::Money(Money(decimal(amount)), currency);
    let amounts = [
        of("1990", Currency::Huf),
        of("-0.5", Currency::Huf),
        of("12.5", Currency::Eur),
        of("12", Currency::Gbp),
    ];
    let styles = part(&write("Orders", columns(4), [amounts.to_vec()]).unwrap(), "xl/styles.xml");
    for format in ["#,##0 \"Ft\"", "#,##0.0 \"Ft\"", "#,##0.00 \"€\"", "#,##0.00 \"£\""] {
        let escaped = format.replace('"', "&quot;");
        assert!(styles.contains(&format!("formatCode=\"{escaped}\"")), "{format}: {styles}");
    }
    let numbers = shown(&[amounts.to_vec()]);
    assert_eq!(numbers[1], [1990.0, -0.5, 12.5, 12.0].map(Data::Float));
}

#[test]
fn a_number_that_no_spreadsheet_keeps_is_a_text() {
    let long = "1234567890123456.5";
    for cell in [Cell::Number(decimal(long)), Cell::Money(Money(decimal(long)), Currency::Eur)] {
        assert_eq!(shown(&[vec![cell]])[1][0], Data::String(long.into()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn texts_that_look_like_formulas_are_read_as_they_were(rows in proptest::collection::vec(proptest::array::uniform3("[=+\\-@\t'][=+\\-@'\"0-9A-Z(!|;,<>&á \n\\PC]{0,80}"), 1..6)) {
        let cells: Vec<Vec<Cell>> = rows.iter().map(|row| row.iter().map(|text| Cell::from(text.clone())).collect()).collect();
        let wanted: Vec<Vec<Data>> = rows.iter().map(|row| row.iter().map(|text| Data::String(text.clone())).collect()).collect();
        let shown = shown(&cells);
        prop_assert_eq!(&shown[0][0], &Data::String("=Heading 0".into()));
        prop_assert_eq!(&shown[1..], &wanted[..]);
    }

    #[test]
    fn a_number_is_read_as_the_same_decimal(digits in -999_999_999_999_999_i64..=999_999_999_999_999, scale in 0_u32..=12) {
        let number = Decimal::new(digits, scale).normalize();
        let Data::Float(near) = shown(&[vec![Cell::Number(number)]])[1][0] else { panic!("{number} is no number") };
        prop_assert_eq!(near.to_string().parse::<Decimal>().unwrap().normalize(), number);
    }
}
