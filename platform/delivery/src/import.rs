//! Lists of streets and towns as rows of spreadsheets. Pure but for the thread that reads. See
//! `docs/decisions/delivery.md#imports`.

use std::collections::{HashMap, HashSet};

use access::prelude::*;
use kernel::money::{Currency, Money};
use rust_decimal::Decimal;
use serde_json::{Value as Json, json};
use sheets::{Row, Sheet, SheetFault, Value};

use crate::{place, price, street, words::fold};

/// The most rows below the headings.
const MOST_ROWS: usize = 5_000;

/// A column of a list, and what it may be called, folded.
struct Heading {
    key: &'static str,
    names: &'static [&'static str],
    required: bool,
}

const NAME: Heading =
    Heading { key: "name", names: &["name", "utca", "street", "nev", "kozterulet"], required: true };
const POSTCODE: Heading = Heading {
    key: "postcode",
    names: &["postcode", "iranyitoszam", "irsz", "zip", "postal code"],
    required: false,
};
const CITY: Heading =
    Heading { key: "city", names: &["city", "varos", "telepules", "town", "helyseg"], required: false };
const TOWN: Heading = Heading { required: true, ..CITY };
const PRICE: Heading = Heading {
    key: "price",
    names: &["price", "ar", "dij", "szallitasi dij", "kiszallitasi dij", "fee", "delivery fee"],
    required: false,
};
const FEE: Heading = Heading { required: true, ..PRICE };
const ACTIVE: Heading = Heading { key: "active", names: &["active", "aktiv"], required: false };
const MINIMUM: Heading = Heading {
    key: "min_order_price",
    names: &[
        "min_order_price", "min order price", "minimum", "minimum rendeles", "min rendeles",
        "minimalis rendeles", "legkisebb rendeles", "minimum order", "smallest order",
    ],
    required: true,
};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StreetRow {
    /// As the spreadsheet shows it.
    pub row: u32,
    pub name: String,
    pub postcode: Option<String>,
    pub city: Option<String>,
    /// None where the file has no such column; in it, none for an empty cell.
    pub price: Option<Option<Money>>,
    /// None where the file has no such column, or nothing stands in it.
    pub active: Option<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TownRow {
    /// As the spreadsheet shows it.
    pub row: u32,
    pub city: String,
    pub postcode: Option<String>,
    pub price: Money,
    pub min_order_price: Money,
}

/// What is wrong with the cells of a file.
#[derive(Debug, Default)]
pub(crate) struct RowFaults {
    cells: Vec<Json>,
    /// What each faulty row is about, where that can be read.
    names: HashMap<u64, String>,
}

/// A name is shown up to so many characters.
const SHOWN: usize = 120;

impl RowFaults {
    /// A faulty cell.
    pub fn add(&mut self, row: u32, key: &str, fault: Fault) {
        self.cells.push(json!({"row": row, "key": key, "fault": fault.name()}));
    }

    /// Names a row by its town or street.
    pub fn name(&mut self, row: u32, name: &str) {
        let shown: String = name.trim().chars().filter(|c| !c.is_control()).take(SHOWN).collect();
        if !kernel::text::is_blank(&shown) {
            self.names.insert(row.into(), shown);
        }
    }

    /// Refuses when there is any.
    /// Errors: `VALIDATION_FAILED` with `rows`: row, column, fault, and the town or street of the row.
    pub fn refuse(self) -> Result<()> {
        if self.cells.is_empty() {
            return Ok(());
        }
        let named = |mut cell: Json| {
            if let Some(name) = cell["row"].as_u64().and_then(|row| self.names.get(&row)) {
                cell["name"] = name.as_str().into();
            }
            cell
        };
        let shown: Vec<Json> = self.cells.into_iter().take(200).map(named).collect();
        Err(Problem::new(Code::VALIDATION_FAILED).key("file", Fault::Invalid).with("rows", shown.into()))
    }
}

fn unreadable(fault: SheetFault) -> Problem {
    match fault {
        SheetFault::Kind => Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED)
            .detail("the content is no xlsx, xls, ods, csv or tsv"),
        SheetFault::TooLarge => Problem::new(Code::TOO_LARGE).detail("the file holds too much"),
        SheetFault::Broken | SheetFault::Locked | SheetFault::Empty => {
            Problem::new(Code::VALIDATION_FAILED).key("file", Fault::Invalid).detail(fault.name())
        }
    }
}

/// The rows below the headings of the first sheet that is not empty, with the columns of these headings.
struct Table {
    rows: Vec<Row>,
    columns: Vec<Option<usize>>,
}

impl Table {
    fn of(sheets: Vec<Sheet>, headings: &[Heading]) -> Result<Self> {
        let sheet = sheets.into_iter().find(|sheet| !sheet.rows.is_empty());
        let mut rows = sheet.map(|sheet| sheet.rows).unwrap_or_default().into_iter();
        let problem = Problem::new(Code::VALIDATION_FAILED);
        let Some(first) = rows.next() else { return Err(unreadable(SheetFault::Empty)) };
        let words = |cell: &Value| {
            fold(&cell.shown())
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let titles: Vec<String> = first.cells.iter().map(words).collect();
        let find =
            |heading: &Heading| titles.iter().position(|title| heading.names.contains(&title.as_str()));
        let columns: Vec<Option<usize>> = headings.iter().map(find).collect();
        let missing =
            headings.iter().zip(&columns).filter(|(heading, column)| heading.required && column.is_none());
        let missing: Vec<&str> = missing.map(|(heading, _)| heading.key).collect();
        if !missing.is_empty() {
            let rows: Vec<Json> = missing
                .iter()
                .map(|key| json!({"row": first.number, "key": key, "fault": Fault::Required.name()}))
                .collect();
            let detail = format!("the first row names no column for: {}", missing.join(", "));
            return Err(problem.key("file", Fault::Invalid).detail(detail).with("rows", rows.into()));
        }
        let rows: Vec<Row> = rows.collect();
        if rows.len() > MOST_ROWS {
            return Err(problem.key("file", Fault::TooLong(MOST_ROWS)).detail("at most 5000 rows"));
        }
        if rows.is_empty() {
            return Err(unreadable(SheetFault::Empty));
        }
        Ok(Self { rows, columns })
    }

    fn cell<'a>(&self, row: &'a Row, heading: usize) -> Option<&'a Value> {
        self.columns.get(heading).copied().flatten().map(|column| row.cell(column))
    }
}

/// A cell as the spreadsheet shows it.
fn shown(cell: Option<&Value>) -> String {
    cell.map(Value::shown).unwrap_or_default()
}

/// A text of at most so many characters; a number as it is shown.
fn text(cell: Option<&Value>, most: usize) -> Result<Option<String>, Fault> {
    let text = match cell {
        None | Some(Value::Empty) => return Ok(None),
        Some(Value::Other(_) | Value::Bool(_)) => return Err(Fault::Type),
        Some(cell) => cell.shown(),
    };
    if text.chars().count() > most {
        Err(Fault::TooLong(most))
    } else if !kernel::text::is_one_line(&text) {
        Err(Fault::Pattern)
    } else {
        Ok(Some(text).filter(|text| !text.trim().is_empty()))
    }
}

/// A postcode: digits that a spreadsheet has changed are none.
fn code(cell: Option<&Value>) -> Result<Option<String>, Fault> {
    if cell.is_some_and(Value::lost_digits) { Err(Fault::Type) } else { text(cell, 20) }
}

/// A name: no date, and nothing else that a spreadsheet makes of one.
fn words(cell: Option<&Value>, most: usize) -> Result<Option<String>, Fault> {
    if cell.is_some_and(Value::lost_name) { Err(Fault::Type) } else { text(cell, most) }
}

/// Whether points or commas part thousands, as in `5.500`: no amount has three decimals.
fn in_thousands(digits: &str) -> bool {
    let mut parts = digits.split(['.', ',']);
    let first = parts.next().unwrap_or_default();
    let mut rest = parts.peekable();
    (1..=3).contains(&first.len())
        && first != "0"
        && rest.peek().is_some()
        && rest.all(|part| part.len() == 3)
}

/// Signs and names of currencies behind an amount, folded.
const SIGNS: [(&str, Currency); 12] = [
    ("huf", Currency::Huf),
    ("ft.", Currency::Huf),
    ("ft", Currency::Huf),
    ("eur", Currency::Eur),
    ("€", Currency::Eur),
    ("usd", Currency::Usd),
    ("$", Currency::Usd),
    ("gbp", Currency::Gbp),
    ("£", Currency::Gbp),
    ("dkk", Currency::Dkk),
    ("kr.", Currency::Dkk),
    ("kr", Currency::Dkk),
];

/// An amount: a number, or a text like `1 990 Ft`, `€ 5` or `1.990`. The sign of another currency is a fault.
fn amount(cell: Option<&Value>, currency: Currency) -> Result<Option<Money>, Fault> {
    let value = match cell {
        None | Some(Value::Empty) => return Ok(None),
        Some(Value::Number(number)) => *number,
        Some(Value::Text(text)) => {
            let folded = fold(text);
            let digits: String = folded.chars().filter(|c| !c.is_whitespace()).collect();
            let sign = |(sign, one): &(&str, Currency)| {
                Some((digits.strip_suffix(sign).or_else(|| digits.strip_prefix(sign))?.to_owned(), *one))
            };
            let digits = match SIGNS.iter().find_map(sign) {
                Some((_, one)) if one != currency => return Err(Fault::Invalid),
                Some((rest, _)) => rest,
                None => digits,
            };
            let digits = digits.trim_end_matches(",-").trim_end_matches(".-");
            let plain =
                if in_thousands(digits) { digits.replace(['.', ','], "") } else { digits.replace(',', ".") };
            // `1e5` is a number to some parsers, and no amount to anybody else.
            if !plain.chars().all(|sign| sign.is_ascii_digit() || matches!(sign, '.' | '-' | '+')) {
                return Err(Fault::Type);
            }
            plain.parse().map_err(|_| Fault::Type)?
        }
        Some(Value::Bool(_) | Value::Other(_)) => return Err(Fault::Type),
    };
    if value.is_sign_negative() && !value.is_zero() {
        Err(Fault::Min)
    } else if value > price::MOST {
        Err(Fault::Max)
    } else {
        Ok(Some(Money(value)))
    }
}

fn switch(cell: Option<&Value>) -> Result<Option<bool>, Fault> {
    match cell {
        None | Some(Value::Empty) => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(Value::Number(number)) if *number == Decimal::ONE => Ok(Some(true)),
        Some(Value::Number(number)) if number.is_zero() => Ok(Some(false)),
        Some(Value::Text(text)) => match fold(text).trim() {
            "igen" | "i" | "yes" | "y" | "true" | "igaz" | "x" | "aktiv" | "active" | "1" => Ok(Some(true)),
            "nem" | "n" | "no" | "false" | "hamis" | "inaktiv" | "inactive" | "0" | "-" => Ok(Some(false)),
            _ => Err(Fault::Type),
        },
        Some(Value::Number(_) | Value::Other(_)) => Err(Fault::Type),
    }
}

/// Notes a fault, and goes on without the cell.
fn noted<T>(faults: &mut RowFaults, row: &Row, key: &str, cell: Result<Option<T>, Fault>) -> Option<T> {
    cell.unwrap_or_else(|fault| {
        faults.add(row.number, key, fault);
        None
    })
}

fn street_rows(sheets: Vec<Sheet>, currency: Currency) -> Result<Vec<StreetRow>> {
    let table = Table::of(sheets, &[NAME, POSTCODE, CITY, PRICE, ACTIVE])?;
    let mut faults = RowFaults::default();
    let mut rows = Vec::with_capacity(table.rows.len());
    let mut met = HashSet::new();
    for row in &table.rows {
        let cell = |heading| table.cell(row, heading);
        faults.name(row.number, &shown(cell(0)));
        let named = words(cell(0), 120);
        let nameless = matches!(named, Ok(None));
        let name = noted(&mut faults, row, "name", named).unwrap_or_default();
        let postcode = noted(&mut faults, row, "postcode", code(cell(1)));
        let city = noted(&mut faults, row, "city", words(cell(2), 100));
        let amount = noted(&mut faults, row, "price", amount(cell(3), currency));
        let active = noted(&mut faults, row, "active", switch(cell(4)));
        let keys = street::Keys::of_row(&name, postcode.as_deref(), city.as_deref());
        if nameless {
            faults.add(row.number, "name", Fault::Required);
        } else if !name.is_empty() && keys.name.is_empty() {
            faults.add(row.number, "name", Fault::Invalid);
        } else if keys.whole() && keys.postcode.is_none() && keys.city.is_none() {
            faults.add(row.number, "postcode", Fault::Required);
        } else if !name.is_empty() && !met.insert((keys.name, keys.postcode, keys.city)) {
            faults.add(row.number, "name", Fault::NotUnique);
        }
        let price = table.columns[3].map(|_| amount);
        rows.push(StreetRow { row: row.number, name, postcode, city, price, active });
    }
    faults.refuse()?;
    Ok(rows)
}

fn town_rows(sheets: Vec<Sheet>, currency: Currency) -> Result<Vec<TownRow>> {
    let table = Table::of(sheets, &[TOWN, FEE, MINIMUM, POSTCODE])?;
    let mut faults = RowFaults::default();
    let mut rows = Vec::with_capacity(table.rows.len());
    let mut met = HashMap::new();
    let mut codes = HashSet::new();
    for row in &table.rows {
        let cell = |heading| table.cell(row, heading);
        faults.name(row.number, &shown(cell(0)));
        let mut required = |key, value: Result<Option<Money>, Fault>| match value {
            Ok(Some(value)) => Some(value),
            Ok(None) => {
                faults.add(row.number, key, Fault::Required);
                None
            }
            Err(fault) => {
                faults.add(row.number, key, fault);
                None
            }
        };
        let price = required("price", amount(cell(1), currency));
        // An empty minimum asks for none.
        let least = amount(cell(2), currency).map(|amount| Some(amount.unwrap_or(Money::ZERO)));
        let min_order_price = required("min_order_price", least);
        let postcode = noted(&mut faults, row, "postcode", code(cell(3)));
        let city = match words(cell(0), 80) {
            Ok(Some(city)) if place::city_key(&city).is_some() => city,
            Ok(Some(_)) => {
                faults.add(row.number, "city", Fault::Invalid);
                continue;
            }
            Ok(None) => {
                faults.add(row.number, "city", Fault::Required);
                continue;
            }
            Err(fault) => {
                faults.add(row.number, "city", fault);
                continue;
            }
        };
        // One town may have several postcodes, at one price.
        let key = place::city_key(&city);
        let prices = *met.entry(key.clone()).or_insert((price, min_order_price));
        let code = postcode.as_deref().and_then(place::postcode_key);
        if prices != (price, min_order_price) || !codes.insert((key, code)) {
            faults.add(row.number, "city", Fault::NotUnique);
        }
        if let (Some(price), Some(min_order_price)) = (price, min_order_price) {
            rows.push(TownRow { row: row.number, city, postcode, price, min_order_price });
        }
    }
    faults.refuse()?;
    Ok(rows)
}

async fn read<T: Send + 'static>(
    bytes: Vec<u8>, currency: Currency, rows: fn(Vec<Sheet>, Currency) -> Result<T>,
) -> Result<T> {
    let work = move || rows(sheets::read(&bytes).map_err(unreadable)?, currency);
    tokio::task::spawn_blocking(work).await.map_err(|_| unreadable(SheetFault::Broken))?
}

/// The rows of a list of streets.
/// Errors: `VALIDATION_FAILED` with `rows`; `TOO_LARGE`, `MEDIA_TYPE_NOT_SUPPORTED`.
pub(crate) async fn streets(bytes: Vec<u8>, currency: Currency) -> Result<Vec<StreetRow>> {
    read(bytes, currency, street_rows).await
}

pub(crate) async fn towns(bytes: Vec<u8>, currency: Currency) -> Result<Vec<TownRow>> {
    read(bytes, currency, town_rows).await
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
