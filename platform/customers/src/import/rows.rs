//! Reads customers from the rows of a table. No I/O.

use std::collections::HashMap;

use kernel::{Email, Fault, text};
use serde_json::json;
use sheets::{Row, Sheet, Value};

use crate::{phone, store::Fields, types::NewAddress};

/// The most rows of a table.
pub(crate) const MOST: usize = 10_000;

/// A column: the field, its headings, the most characters of a cell.
pub(crate) struct Column {
    pub key: &'static str,
    pub hu: &'static str,
    pub en: &'static str,
    longest: usize,
    /// Line breaks may stand in it.
    lines: bool,
}

const fn column(key: &'static str, hu: &'static str, en: &'static str, longest: usize) -> Column {
    Column { key, hu, en, longest, lines: false }
}

const fn lines(key: &'static str, hu: &'static str, en: &'static str, longest: usize) -> Column {
    Column { key, hu, en, longest, lines: true }
}

/// The columns of exports and imports, in the order of an export.
pub(crate) const COLUMNS: [Column; 17] = [
    column("last_name", "Vezetéknév", "Last name", 80),
    column("first_name", "Keresztnév", "First name", 80),
    column("phone_1", "Telefon", "Phone", 40),
    column("phone_2", "Második telefon", "Second phone", 40),
    column("email", "E-mail", "E-mail", 254),
    lines("note", "Jegyzet", "Note", 1000),
    lines("comment", "Megjegyzés", "Comment", 1000),
    column("country", "Ország", "Country", 60),
    column("postcode", "Irányítószám", "Postcode", 20),
    column("city", "Város", "City", 100),
    column("street", "Utca", "Street", 100),
    column("premise_number", "Házszám", "House number", 30),
    column("building", "Épület", "Building", 30),
    column("floor", "Emelet", "Floor", 30),
    column("door_number", "Ajtó", "Door", 30),
    column("doorbell", "Kapucsengő", "Doorbell", 30),
    lines("address_notes", "Megjegyzés a címhez", "Address notes", 500),
];

/// A cell at fault, by the row's number in the spreadsheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowFault {
    pub row: u32,
    pub key: &'static str,
    pub fault: Fault,
}

/// A customer in a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub row: u32,
    pub fields: Fields,
    pub address: Option<NewAddress>,
}

/// As headings are compared: letters and digits, without accents and case.
fn heading(text: &str) -> String {
    let plain = text.to_lowercase();
    let plain = plain.chars().filter(|sign| sign.is_alphanumeric()).map(|sign| match sign {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' | 'ö' | 'ő' => 'o',
        'ú' | 'ü' | 'ű' => 'u',
        other => other,
    });
    plain.collect()
}

/// Which column of the table each of ours is; none when the row has no heading of a name, a phone or an
/// e-mail.
fn headings(row: &Row) -> Option<HashMap<&'static str, usize>> {
    let mut found = HashMap::new();
    for (at, cell) in row.filled() {
        let shown = heading(&cell.shown());
        let fits = |column: &&Column| [column.key, column.hu, column.en].map(heading).contains(&shown);
        if let Some(column) = COLUMNS.iter().find(fits) {
            found.entry(column.key).or_insert(at);
        }
    }
    ["last_name", "first_name", "phone_1", "email"].iter().any(|key| found.contains_key(key)).then_some(found)
}

/// What a table is, or what is wrong with it as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableFault {
    /// No row has the headings.
    Headings,
    TooMany,
    /// No row below the headings.
    Empty,
}

/// Reads the first sheet that has the headings.
pub(crate) fn read(sheets: &[Sheet], country: &str) -> Result<(Vec<Line>, Vec<RowFault>), TableFault> {
    let begin = sheets.iter().find_map(|sheet| {
        let rows = sheet.rows.iter().take(20).enumerate();
        rows.filter_map(|(at, row)| Some((at, headings(row)?))).next().map(|(at, found)| (sheet, at, found))
    });
    let (sheet, at, columns) = begin.ok_or(TableFault::Headings)?;
    let rows = &sheet.rows[at + 1..];
    if rows.is_empty() {
        return Err(TableFault::Empty);
    }
    if rows.len() > MOST {
        return Err(TableFault::TooMany);
    }
    let (mut lines, mut faults) = (Vec::new(), Vec::new());
    for row in rows {
        let reader = Reader { row, columns: &columns, country };
        if let Some(line) = reader.line(&mut faults) {
            lines.push(line);
        }
    }
    faults.extend(twice(&lines));
    Ok((lines, faults))
}

/// Phones and e-mails that stand in more than one row.
fn twice(lines: &[Line]) -> Vec<RowFault> {
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let mut faults = Vec::new();
    for Line { row, fields, .. } in lines {
        let cells = [("phone_1", &fields.phone_1), ("phone_2", &fields.phone_2), ("email", &fields.email)];
        for (key, value) in cells {
            let Some(value) = value else { continue };
            if *seen.entry(value).or_insert(*row) != *row {
                faults.push(RowFault { row: *row, key, fault: Fault::NotUnique });
            }
        }
    }
    faults
}

/// Whether a spreadsheet has changed what somebody typed into a cell: an error, a date or a truth everywhere, digits in
/// scientific notation where digits are meant, a date or a bare number where a person's name is.
fn changed(key: &str, cell: &Value) -> bool {
    match key {
        "phone_1" | "phone_2" | "postcode" => cell.lost_digits(),
        "last_name" | "first_name" => {
            let shown = cell.shown();
            let number =
                !shown.is_empty() && shown.chars().all(|sign| sign.is_ascii_digit() || ",. ".contains(sign));
            cell.lost_name() || number && shown.contains(|sign: char| sign.is_ascii_digit())
        }
        "city" | "street" => cell.lost_name(),
        _ => matches!(cell, Value::Other(_) | Value::Bool(_)),
    }
}

struct Reader<'a> {
    row: &'a Row,
    columns: &'a HashMap<&'static str, usize>,
    country: &'a str,
}

impl Reader<'_> {
    /// A cell; none when it is empty. A text that an export of ours marked as none that is computed loses
    /// that
    /// mark.
    fn cell(&self, key: &'static str, faults: &mut Vec<RowFault>) -> Option<String> {
        let column = COLUMNS.iter().find(|column| column.key == key)?;
        let cell = self.row.cell(*self.columns.get(key)?);
        if changed(key, cell) {
            faults.push(RowFault { row: self.row.number, key, fault: Fault::Type });
            return None;
        }
        let shown = cell.shown();
        let marked =
            shown.strip_prefix('\'').filter(|rest| rest.starts_with(['=', '+', '-', '@', '\t', '\r']));
        let text = marked.unwrap_or(&shown).trim().to_owned();
        if text.is_empty() {
            return None;
        }
        let mut wrong = |fault| faults.push(RowFault { row: self.row.number, key, fault });
        if text.chars().count() > column.longest {
            wrong(Fault::TooLong(column.longest));
        } else if !(if column.lines { text::is_lines(&text) } else { text::is_one_line(&text) }) {
            wrong(Fault::Pattern);
        } else {
            return Some(text);
        }
        None
    }

    fn phone(&self, key: &'static str, faults: &mut Vec<RowFault>) -> Option<String> {
        let written = self.cell(key, faults)?;
        let number = phone::e164(&written, self.country);
        if number.is_none() {
            faults.push(RowFault { row: self.row.number, key, fault: Fault::Pattern });
        }
        number
    }

    fn email(&self, faults: &mut Vec<RowFault>) -> Option<String> {
        let written = self.cell("email", faults)?;
        let email = Email::parse(&written).map(|email| email.lowercase());
        if email.is_none() {
            faults.push(RowFault { row: self.row.number, key: "email", fault: Fault::Pattern });
        }
        email
    }

    /// What the row says; none when it is at fault.
    fn line(&self, faults: &mut Vec<RowFault>) -> Option<Line> {
        let before = faults.len();
        let name = |key, faults: &mut Vec<RowFault>| self.cell(key, faults).unwrap_or_default();
        let fields = Fields {
            last_name: name("last_name", faults),
            first_name: name("first_name", faults),
            phone_1: self.phone("phone_1", faults),
            phone_2: self.phone("phone_2", faults),
            email: self.email(faults),
            note: self.cell("note", faults),
            comment: self.cell("comment", faults),
            external_ids: json!([]),
            ..Fields::none()
        };
        let address = self.address(faults);
        let mut wrong = |key, fault| faults.push(RowFault { row: self.row.number, key, fault });
        if fields.phone_1.is_some() && fields.phone_1 == fields.phone_2 {
            wrong("phone_2", Fault::NotUnique);
        }
        let named = !fields.last_name.is_empty() || !fields.first_name.is_empty();
        let reached = fields.phone_1.is_some() || fields.phone_2.is_some() || fields.email.is_some();
        if !named && !reached && faults.len() == before {
            faults.push(RowFault { row: self.row.number, key: "last_name", fault: Fault::Required });
        }
        (faults.len() == before).then_some(Line { row: self.row.number, fields, address })
    }

    /// The address of the row, when anything of one is there.
    fn address(&self, faults: &mut Vec<RowFault>) -> Option<NewAddress> {
        let [city, street, premise_number] =
            ["city", "street", "premise_number"].map(|key| self.cell(key, faults));
        let rest = ["country", "postcode", "building", "floor", "door_number", "doorbell", "address_notes"];
        let [country, postcode, building, floor, door_number, doorbell, address_notes] =
            rest.map(|key| self.cell(key, faults));
        let any = [&city, &street, &premise_number, &postcode, &building, &floor, &door_number, &doorbell];
        if any.iter().all(|cell| cell.is_none()) && address_notes.is_none() {
            return None;
        }
        for (key, cell) in [("city", &city), ("street", &street), ("premise_number", &premise_number)] {
            if cell.is_none() {
                faults.push(RowFault { row: self.row.number, key, fault: Fault::Required });
            }
        }
        Some(NewAddress {
            name: None,
            country,
            state_province_county: None,
            postcode,
            city: city?,
            street: street?,
            premise_number: premise_number?,
            building,
            floor,
            door_number,
            doorbell,
            address_notes,
            coord_lat: None,
            coord_lng: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<(Vec<Line>, Vec<RowFault>), TableFault> {
        read(&sheets::read(text.as_bytes()).unwrap(), "HU")
    }

    fn faults(text: &str) -> Vec<(u32, &'static str, &'static str)> {
        let faults = table(text).unwrap().1;
        faults.iter().map(|fault| (fault.row, fault.key, fault.fault.name())).collect()
    }

    #[test]
    fn headings_are_known_in_both_languages_and_by_key() {
        for heading in ["Vezetéknév;Telefon", "last name;PHONE", "last_name;phone_1", "VEZETEKNEV;telefon"]
        {
            let (lines, faults) = table(&format!("{heading}\nKis;06 30 555 0100\n")).unwrap();
            assert_eq!(faults, vec![], "{heading}");
            assert_eq!(lines[0].fields.last_name, "Kis");
            assert_eq!(lines[0].fields.phone_1.as_deref(), Some("+36305550100"));
        }
        assert_eq!(table("Termék;Ár\nLeves;1\n"), Err(TableFault::Headings));
        assert_eq!(table("Vezetéknév;Telefon\n"), Err(TableFault::Empty));
        let long = format!("Vezetéknév;Telefon\n{}", "Kis;\n".repeat(MOST + 1));
        assert_eq!(table(&long), Err(TableFault::TooMany));
    }

    #[test]
    fn each_fault_names_its_row_and_column() {
        let head = "Vezetéknév;Keresztnév;Telefon;Második telefon;E-mail;Város;Utca;Házszám\n";
        for (row, expected) in [
            ("Kis;Anna;+36305550100;;anna@guest.test;Pécs;Fő utca;1", vec![]),
            ("Kis;Anna;nincs;;;;;", vec![(2, "phone_1", "pattern")]),
            ("Kis;Anna;;;anna;;;", vec![(2, "email", "pattern")]),
            ("Kis;Anna;06305550100;+36 30 555 0100;;;;", vec![(2, "phone_2", "not_unique")]),
            ("Kis;Anna;;;;Pécs;;", vec![(2, "street", "required"), (2, "premise_number", "required")]),
            (";;06305550100;;;;;", vec![]),
        ] {
            assert_eq!(faults(&format!("{head}{row}\n")), expected, "{row}");
        }
        let long = format!("{head}{};Anna;;;;;;\n", "x".repeat(81));
        assert_eq!(faults(&long), [(2, "last_name", "too_long")]);
        let same = format!("{head}Kis;A;06305550100;;;;;\nNagy;B;;0036305550100;;;;\n");
        assert_eq!(faults(&same), [(3, "phone_2", "not_unique")]);
    }

    #[test]
    fn cells_that_a_spreadsheet_has_changed_are_faults() {
        let of = |bytes: &[u8]| {
            let (lines, faults) = read(&sheets::read(bytes).unwrap(), "HU").unwrap();
            let faults: Vec<_> = faults.iter().map(|one| (one.row, one.key, one.fault.name())).collect();
            (lines, faults)
        };
        let (lines, faults) = of(include_bytes!("../../tests/cases/guests-scientific.csv"));
        assert_eq!((lines, faults), (vec![], vec![(2, "phone_1", "type"), (3, "phone_1", "type")]));
        let (lines, faults) = of(include_bytes!("../../tests/files/guests-date-as-name.xlsx"));
        assert_eq!((lines, faults), (vec![], vec![(2, "first_name", "type")]));
        // Two numbers that lost their zeros are two guests or two faults, never one number.
        let (lines, faults) = of(include_bytes!("../../tests/cases/guests-lost-zero.xlsx"));
        let numbers: Vec<_> = lines.iter().filter_map(|line| line.fields.phone_1.as_deref()).collect();
        assert!(!faults.is_empty() || numbers == ["+36301234567", "+36301234599"], "{numbers:?} {faults:?}");
        let head = "Vezetéknév;Keresztnév;Telefon;Irányítószám;Város;Utca;Házszám\n";
        for (row, key) in [
            ("Kis;02.jan;06305550100;;;;", "first_name"),
            ("2026-01-02;Anna;06305550100;;;;", "last_name"),
            ("Kis;46024;06305550100;;;;", "first_name"),
            ("Kis;Jan-02;06305550100;;;;", "first_name"),
            ("Kis;5-máj;06305550100;;;;", "first_name"),
            ("#HIV!;Anna;06305550100;;;;", "last_name"),
            ("Kis;Anna;3.63055E+10;;;;", "phone_1"),
            ("Kis;Anna;36305550100.0;;;;", "phone_1"),
            ("Kis;Anna;#N/A;;;;", "phone_1"),
            ("Kis;Anna;Err:502;;;;", "phone_1"),
            ("Kis;Anna;06305550100;1,051E+03;Pécs;Fő utca;1", "postcode"),
            ("Kis;Anna;06305550100;1051;#SPILL!;Fő utca;1", "city"),
            ("Kis;Anna;06305550100;1051;Pécs;2026.01.02.;1", "street"),
            ("Kis;Anna;06305550100;1051;Pécs;Fő utca;#ÉRTÉK!", "premise_number"),
        ] {
            let (_, faults) = of(format!("{head}{row}\n").as_bytes());
            assert!(faults.contains(&(2, key, "type")), "{row}: {faults:?}");
        }
        let (lines, faults) =
            of("Vezetéknév;Telefon;Kedvenc\nKis;06305550100;#REF!\n-;06305550101;\n".as_bytes());
        assert_eq!((lines.len(), faults), (2, vec![]), "an error in a column that is not used is none");
    }

    #[test]
    fn a_mark_of_an_export_is_taken_off() {
        let (lines, _) = table("Vezetéknév;Telefon\n'=Kis;'+36305550100\n").unwrap();
        assert_eq!(lines[0].fields.last_name, "=Kis");
        assert_eq!(lines[0].fields.phone_1.as_deref(), Some("+36305550100"));
    }
}
