//! Malicious files, and files that a program made unexpectedly large. See
//! `docs/decisions/security.md#spreadsheets`.

use std::fmt::Write;

use rust_xlsxwriter::{Formula, Workbook};

use super::{
    tests::{cells, ods, packed, shown},
    *,
};

/// The most memory that reading a file may take beside the file itself.
const GROWTH: u64 = 200_000_000;

/// How much more memory than before this took at its worst, in bytes; none where the system does not say.
fn growth<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let field = |name: &str| -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() * 1_000
    };
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = field("VmRSS:");
    let done = work();
    (done, field("VmHWM:").saturating_sub(before))
}

/// What cannot be packed well: a bomb that is not dense.
fn noise(length: u64) -> Vec<u8> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..length).map(|_| b'a' + u8::try_from(next() >> 33 & 15).unwrap()).collect()
}

/// A workbook whose sheets are written by hand, with texts that they share.
fn book(sheets: &[&str], shared: &str) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let (mut list, mut links) = (String::new(), String::new());
    for number in 1..=sheets.len() {
        write!(list, "<sheet name=\"L{number}\" sheetId=\"{number}\" r:id=\"r{number}\"/>").unwrap();
        write!(
            links,
            "<Relationship Id=\"r{number}\" Type=\"{relations}/worksheet\" \
            Target=\"worksheets/sheet{number}.xml\"/>"
        )
        .unwrap();
    }
    let workbook =
        format!("<workbook xmlns=\"{main}\" xmlns:r=\"{relations}\"><sheets>{list}</sheets></workbook>");
    let links = format!("<Relationships xmlns=\"{package}\">{links}</Relationships>");
    let root = format!(
        "<Relationships xmlns=\"{package}\"><Relationship Id=\"a\" Type=\"{relations}/officeDocument\" \
         Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let bodies: Vec<(String, String)> = sheets
        .iter()
        .zip(1..)
        .map(|(rows, number)| {
            (
                format!("xl/worksheets/sheet{number}.xml"),
                format!("<worksheet xmlns=\"{main}\">{rows}</worksheet>"),
            )
        })
        .collect();
    let mut parts: Vec<(&str, &[u8])> = vec![
        ("_rels/.rels", root.as_bytes()),
        ("xl/workbook.xml", workbook.as_bytes()),
        ("xl/_rels/workbook.xml.rels", links.as_bytes()),
        ("xl/sharedStrings.xml", shared.as_bytes()),
    ];
    parts.extend(bodies.iter().map(|(name, body)| (name.as_str(), body.as_bytes())));
    packed(&parts)
}

fn refused(name: &str, bytes: &[u8], fault: SheetFault) {
    assert!(bytes.len() <= LARGEST_FILE, "{name} could not be sent: {} bytes", bytes.len());
    let (outcome, grown) = growth(|| read(bytes));
    eprintln!("{name}: {} bytes packed, {} MB more memory", bytes.len(), grown / 1_000_000);
    assert_eq!(outcome.unwrap_err(), fault, "{name}");
    assert!(grown < GROWTH, "{name}: {grown} bytes");
}

#[test]
fn bombs_of_all_sorts_end_before_they_are_read() {
    let mebibytes = vec![b'a'; 3_000_000];
    assert_eq!(
        read(&packed(&[("xl/workbook.xml", b"<w/>"), ("xl/worksheets/sheet1.xml", &mebibytes)])).unwrap_err(),
        SheetFault::TooLarge
    );
    // Less dense, but more than anybody's menu.
    let noise: Vec<u8> =
        (0..64_000_000_u64).map(|at| (at.wrapping_mul(6_364_136_223_846_793_005) >> 58) as u8).collect();
    assert_eq!(
        read(&packed(&[("xl/workbook.xml", b"<w/>"), ("xl/media/image1.png", &noise)])).unwrap_err(),
        SheetFault::TooLarge
    );
    let names: Vec<String> = (0..1_001).map(|at| format!("part{at}")).collect();
    let parts: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    assert_eq!(read(&packed(&parts)).unwrap_err(), SheetFault::TooLarge);
    let laughs =
        b"<?xml version=\"1.0\"?><!DOCTYPE w [<!ENTITY a \"haha\"><!ENTITY b \"&a;&a;\">]><w>&b;</w>";
    assert_eq!(read(&packed(&[("xl/workbook.xml", laughs)])).unwrap_err(), SheetFault::Broken);
    // Two cells in far corners; a cell that is said a billion times.
    assert_eq!(read(include_bytes!("../tests/files/corners.xls")).unwrap_err(), SheetFault::TooLarge);
    let many = "<table:table-row table:number-rows-repeated=\"1048576\"><table:table-cell \
        table:number-columns-repeated=\"16384\" \
                office:value-type=\"float\" \
                office:value=\"1\"><text:p>1</text:p></table:table-cell></table:table-row>";
    assert_eq!(read(&ods(many)).unwrap_err(), SheetFault::TooLarge);
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write(0, 0, "név").unwrap();
    sheet.write(1_048_575, 16_383, "messze").unwrap();
    let sheets = read(&book.save_to_buffer().unwrap()).unwrap();
    assert_eq!(shown(&sheets[0]), vec![(1, cells("név"))], "columns far out are not looked at");
}

#[test]
fn too_many_rows_are_refused() {
    let text = "a;b\n".repeat(MOST_ROWS + 1);
    assert_eq!(read(text.as_bytes()).unwrap_err(), SheetFault::TooLarge);
}

#[test]
fn a_missing_or_wrong_declared_size_changes_nothing() {
    let large = [noise(400_000), vec![b'a'; 61_000_000]].concat();
    let honest = packed(&[("xl/workbook.xml", b"<w/>"), ("xl/worksheets/sheet1.xml", &large)]);
    refused("declared", &honest, SheetFault::TooLarge);
    // In the list at the end and before the part itself: twelve bytes, it says.
    let size = u32::try_from(large.len()).unwrap().to_le_bytes();
    let mut lying = honest;
    for at in 0..lying.len() - 4 {
        if lying[at..at + 4] == size {
            lying[at..at + 4].copy_from_slice(&12_u32.to_le_bytes());
        }
    }
    let (outcome, grown) = growth(|| read(&lying));
    assert!(matches!(outcome, Err(SheetFault::TooLarge | SheetFault::Broken)), "{outcome:?}");
    assert!(grown < GROWTH);
}

#[test]
fn declared_sizes_of_a_file_allocate_no_memory() {
    let sheet = "<sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c></row></sheetData>";
    let shared = |count: &str| format!("<sst count=\"1\" uniqueCount=\"{count}\"><si><t>név</t></si></sst>");
    for count in ["4000000000", "99999999999999999999", "768614336404564651"] {
        let (outcome, grown) = growth(|| read(&book(&[sheet], &shared(count))));
        assert!(
            outcome.is_err_and(|fault| fault == SheetFault::TooLarge) || grown < 10_000_000,
            "{count}: {grown}"
        );
    }
    assert_eq!(shown(&read(&book(&[sheet], &shared("1"))).unwrap()[0]), vec![(1, cells("név"))]);
}

#[test]
fn a_shared_text_is_stored_once_for_a_million_cells() {
    let text = "ű".repeat(4_000);
    let shared = format!("<sst uniqueCount=\"1\"><si><t>{text}</t></si></sst>");
    let mut rows = String::from("<sheetData>");
    for row in 1..=40_000 {
        write!(rows, "<row r=\"{row}\">").unwrap();
        for column in ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"] {
            write!(rows, "<c r=\"{column}{row}\" t=\"s\"><v>0</v></c>").unwrap();
        }
        rows += "</row>";
    }
    refused("shared text", &book(&[&(rows + "</sheetData>")], &shared), SheetFault::TooLarge);
    // The same through one cell that is merged over all rows.
    let mut rows = String::from(
        "<sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\"><v>1</v></c></row>",
    );
    for row in 2..=40_000 {
        write!(rows, "<row r=\"{row}\"><c r=\"B{row}\"><v>1</v></c></row>").unwrap();
    }
    rows += "</sheetData><mergeCells count=\"1\"><mergeCell ref=\"A1:A40000\"/></mergeCells>";
    refused("merged text", &book(&[&rows], &shared), SheetFault::TooLarge);
    let cell = format!(
        "<table:table-cell table:number-columns-repeated=\"50\" \
         office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>"
    );
    refused(
        "repeated text",
        &ods(&format!("<table:table-row table:number-rows-repeated=\"9000\">{cell}</table:table-row>")),
        SheetFault::TooLarge,
    );
}

#[test]
fn lists_without_end_are_given_up() {
    let noise = String::from_utf8(noise(900_000)).unwrap();
    refused(
        "empty texts",
        &book(&["<sheetData/>"], &format!("<!--{noise}--><sst>{}</sst>", "<si/>".repeat(9_000_000))),
        SheetFault::TooLarge,
    );
    // Far cells: each row would be a hundred cells long.
    let mut rows = String::from("<sheetData>");
    for row in 1..=49_000 {
        write!(rows, "<row r=\"{row}\"><c r=\"CV{row}\"><v>1</v></c></row>").unwrap();
    }
    rows += "</sheetData>";
    refused("far cells", &book(&[rows.as_str(); 25], "<sst/>"), SheetFault::TooLarge);
    let row = "<table:table-row table:number-rows-repeated=\"40000\"><table:table-cell \
        table:number-columns-repeated=\"20\" \
               office:value-type=\"float\" \
               office:value=\"1\"><text:p>1</text:p></table:table-cell></table:table-row>";
    let tables = [row; 40].join("</table:table><table:table table:name=\"x\">");
    refused("many tables", &ods(&tables), SheetFault::TooLarge);
    let ((), grown) = growth(|| {
        let line = [&b"n;"[..], &vec![b';'; 9_000_000]].concat();
        assert_eq!(shown(&read(&line).unwrap()[0])[0].1[0], "n");
    });
    assert!(grown < 60_000_000, "a line of separators: {grown}");
}

#[test]
fn a_million_empty_rows_and_thousands_of_columns_are_read() {
    // As programs save a sheet whose columns were coloured to the very bottom.
    let mut rows =
        String::from("<sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>név</t></is></c></row>");
    for row in 2..=1_048_576 {
        write!(rows, "<row r=\"{row}\" s=\"1\"/>").unwrap();
    }
    let file = book(&[&(rows + "</sheetData>")], "<sst/>");
    let (sheets, grown) = growth(|| read(&file).unwrap());
    assert_eq!(shown(&sheets[0]), vec![(1, cells("név"))]);
    eprintln!("a million empty rows: {} MB more memory", grown / 1_000_000);
    assert!(grown < GROWTH);
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for column in 0..16_384 {
        sheet.write(0, column, "x").unwrap();
    }
    let sheets = read(&workbook.save_to_buffer().unwrap()).unwrap();
    assert_eq!(sheets[0].rows[0].cells.len(), MOST_COLUMNS);
}

#[test]
fn the_largest_file_that_is_read_stays_within_bounds() {
    let mut rows = String::from("<sheetData>");
    for row in 1..=9_900 {
        write!(rows, "<row r=\"{row}\">").unwrap();
        for column in 0..MOST_COLUMNS {
            write!(rows, "<c><v>{}</v></c>", row * 7_919 + column * column * 104_729).unwrap();
        }
        rows += "</row>";
    }
    let file = book(&[&(rows + "</sheetData>")], "<sst/>");
    let (sheets, grown) = growth(|| read(&file));
    eprintln!("990,000 cells: {} bytes packed, {} MB more memory", file.len(), grown / 1_000_000);
    assert_eq!(sheets.unwrap()[0].rows.len(), 9_900);
    assert!(grown < GROWTH);
}

#[test]
fn formulas_are_never_calculated_and_texts_that_look_like_one_stay_texts() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet
        .write_formula(0, 0, Formula::new("=HYPERLINK(\"http://example.test\",\"x\")").set_result("Leves"))
        .unwrap();
    sheet
        .write_formula(0, 1, Formula::new("=WEBSERVICE(\"http://example.test\")").set_result("1990"))
        .unwrap();
    sheet.write_string(0, 2, "=cmd|' /C calc'!A0").unwrap();
    sheet.write_string(0, 3, "@SUM(1)").unwrap();
    let rows = shown(&read(&workbook.save_to_buffer().unwrap()).unwrap()[0]);
    assert_eq!(rows[0].1, ["Leves", "1990", "=cmd|' /C calc'!A0", "@SUM(1)"]);
    // One whose value was never saved is an empty cell, not a formula to be read.
    let unsaved = "<sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>név</t></is></c><c \
        r=\"B1\"><f>1+1</f></c></row></sheetData>";
    assert_eq!(shown(&read(&book(&[unsaved], "<sst/>")).unwrap()[0]), vec![(1, cells("név"))]);
}
