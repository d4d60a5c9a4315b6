//! Finds the column of the price: by its heading, confirmed by the values below it.

use kernel::money::Currency;
use rust_decimal::Decimal;

use super::{
    cells,
    fold::fold,
    sheet::{Row, Sheet, Value},
};

/// How likely a heading is to name the price that guests pay. The first is proposed, the others are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Price {
    Whole,
    Plain,
    /// Of a litre or a piece.
    Unit,
    /// Of some days.
    Sale,
    /// Without tax, or what the restaurant pays: never taken by itself.
    Other,
}

/// Words of currencies and units, which change nothing.
const BESIDE: [&str; 12] = ["ft", "huf", "forint", "eur", "euro", "€", "gbp", "£", "usd", "$", "dkk", "kr"];

const HEADINGS: [(Price, &[&str]); 5] = [
    (
        Price::Whole,
        &[
            "brutto ar", "brutto eladasi ar", "fogyasztoi ar", "normal ar", "normal price", "regular price",
            "gross price", "list price", "listaar", "lista ar", "alapar", "eredeti ar", "original price",
            "teljes ar", "uj ar", "new price", "afas ar", "ar afaval", "price incl tax", "price incl vat",
            "price incl. tax", "price incl. vat", "price including tax", "price including vat",
            "price with tax", "price inc vat", "price (incl tax)", "base price", "bolti ar", "etlapi ar",
            "brutto",
        ],
    ),
    (Price::Plain, &["ar", "price", "eladasi ar", "selling price", "ara", ""]),
    (Price::Unit, &["egysegar", "unit price", "brutto egysegar", "price per unit", "ar/db", "ar/adag"]),
    (
        Price::Sale,
        &[
            "sale price", "akcios ar", "kedvezmenyes ar", "special price", "discount price",
            "discounted price", "akcio", "akcios", "promo price", "promotional price", "online sale price",
            "leertekelt ar",
        ],
    ),
    (
        Price::Other,
        &[
            "netto ar", "netto", "net price", "netto egysegar", "netto eladasi ar", "price excl tax",
            "price excl vat", "price excl. tax", "price excl. vat", "price without tax", "price ex vat",
            "beszerzesi ar", "bekerulesi ar", "onkoltseg", "cost", "cost price", "purchase price", "regi ar",
            "old price", "cost of goods sold",
        ],
    ),
];

/// Bytes: no heading of a price has more.
const LONGEST_HEADING: usize = 200;

/// What kind of price a heading names; none where it names none.
pub(crate) fn of_heading(heading: &str) -> Option<Price> {
    if heading.len() > LONGEST_HEADING {
        return None;
    }
    let folded = fold(heading);
    let plain = folded.trim_end_matches([':', '*', '.']).replace(['(', ')', '[', ']', ','], " ");
    let words: Vec<&str> = plain.split_whitespace().filter(|word| !BESIDE.contains(word)).collect();
    let name = words.join(" ");
    // `Ft` alone is a price; an empty heading is none.
    if name.is_empty() && !matches!(plain.trim(), "ft" | "huf" | "eur" | "gbp" | "usd") {
        return None;
    }
    HEADINGS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(kind, _)| *kind)
}

/// Rows below a heading that are looked at.
const LOOKED_AT: usize = 200;

/// A mark in a column of yes and no: 1, x, yes, ✓.
fn is_mark(cell: &Value) -> bool {
    match cell {
        Value::Bool(_) => true,
        Value::Number(number) => number.is_zero() || *number == Decimal::ONE,
        Value::Text(text) => {
            matches!(text.as_str(), "0" | "1") || text.chars().count() <= 12 && cells::flag(cell).is_ok()
        }
        Value::Empty | Value::Other(_) => false,
    }
}

/// The filled cells below a heading, those left out that say that nothing is sold.
fn below(sheet: &Sheet, header_row: u32, column: usize) -> impl Iterator<Item = (&Row, &Value)> {
    let rows = sheet.rows.iter().filter(move |row| row.number > header_row).take(LOOKED_AT);
    rows.map(move |row| (row, row.cell(column)))
        .filter(|(_, cell)| !cell.is_empty() && !cells::not_sold(cell))
}

/// Whether a column holds prices: at least half of what stands below its heading, marks left out. A column of marks
/// alone holds none, whatever its heading is.
pub(crate) fn stand_below(sheet: &Sheet, header_row: u32, column: usize, currency: Currency) -> bool {
    let (mut prices, mut others) = (0, 0);
    for (_, cell) in below(sheet, header_row, column) {
        match cells::likely_price(cell, currency) {
            // One unit of money, or a mark: it says nothing.
            _ if is_mark(cell) => {}
            true => prices += 1,
            false => others += 1,
        }
    }
    prices > 0 && prices >= others
}

/// Whether what stands below a heading is like what the rows cost by themselves: a third of it at least. Grades
/// (hotness 1 to 3) are not.
pub(crate) fn are_like(sheet: &Sheet, header_row: u32, column: usize, own: usize) -> bool {
    let (mut like, mut unlike) = (0, 0);
    for (row, cell) in below(sheet, header_row, column) {
        let amounts = (cells::any_amount(cell), cells::any_amount(row.cell(own)));
        if let (Some(value), Some(own)) = amounts {
            let counted = if value * Decimal::from(3) >= own { &mut like } else { &mut unlike };
            *counted += 1;
        }
    }
    like >= unlike
}

/// Of the columns whose headings in this row name a price the one that is proposed: the likeliest heading with prices
/// below it. Where no column has prices, the first one whose cells are no marks: its cells are faults then.
pub(crate) fn column(sheet: &Sheet, row: &Row, currency: Currency) -> Option<usize> {
    let named = || {
        let kind = |(at, cell): (usize, &Value)| Some((of_heading(&cell.shown())?, at));
        row.filled().filter_map(kind).filter(|(kind, _)| *kind != Price::Other)
    };
    let best = named().filter(|(_, at)| stand_below(sheet, row.number, *at, currency)).min();
    let words = |at: usize| {
        let mut cells = below(sheet, row.number, at).map(|(_, cell)| cell).peekable();
        let mark = |cell: &Value| is_mark(cell) && cells::any_amount(cell).is_none();
        cells.peek().is_some() && cells.all(mark)
    };
    best.or_else(|| named().find(|(_, at)| !words(*at))).map(|(_, at)| at)
}

/// Whether a column that is left out could be the price as well: by its heading, and by what stands below it.
pub(crate) fn could_be(sheet: &Sheet, header_row: u32, column: usize, currency: Currency) -> bool {
    let heading = sheet.rows.iter().find(|row| row.number == header_row).map(|row| row.cell(column).shown());
    heading.and_then(|heading| of_heading(&heading)).is_some()
        && stand_below(sheet, header_row, column, currency)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_prices() {
        for (heading, kind) in [
            ("Ár", Some(Price::Plain)),
            ("Ár (Ft)", Some(Price::Plain)),
            ("Price [EUR]", Some(Price::Plain)),
            ("Ft", Some(Price::Plain)),
            ("Regular price", Some(Price::Whole)),
            ("Regular price (£)", Some(Price::Whole)),
            ("Bruttó ár (Ft):", Some(Price::Whole)),
            ("Normál ár", Some(Price::Whole)),
            ("Price incl. tax", Some(Price::Whole)),
            ("Egységár", Some(Price::Unit)),
            ("Akciós ár", Some(Price::Sale)),
            ("Sale price", Some(Price::Sale)),
            ("Nettó ár", Some(Price::Other)),
            ("Price excl. VAT", Some(Price::Other)),
            ("Beszerzési ár", Some(Price::Other)),
            ("Árrés", None),
            ("Felár", None),
            ("Date sale price starts", None),
            ("()", None),
            ("", None),
        ] {
            assert_eq!(of_heading(heading), kind, "{heading}");
        }
    }

    #[test]
    fn words_are_compared_folded() {
        for word in HEADINGS.iter().flat_map(|(_, names)| names.iter()).chain(&BESIDE) {
            assert_eq!(fold(word), *word);
        }
    }
}
