//! Reading spreadsheets and text tables.

use std::io::{Cursor, Write};

use rust_xlsxwriter::{Format, Formula, Workbook};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::*;

pub(super) fn shown(sheet: &Sheet) -> Vec<(u32, Vec<String>)> {
    sheet.rows.iter().map(|row| (row.number, row.cells.iter().map(Value::shown).collect())).collect()
}

pub(super) fn cells(text: &str) -> Vec<String> {
    text.split('|').map(str::to_owned).collect()
}

pub(super) fn packed(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        archive
            .start_file(*name, SimpleFileOptions::default().compression_method(CompressionMethod::Deflated))
            .unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

pub(super) fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\"?><office:document-content \
         xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\">\
         <office:body><office:spreadsheet><table:table \
         table:name=\"Lap\">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let kind = b"application/vnd.oasis.opendocument.spreadsheet";
    let manifest = b"<?xml version=\"1.0\"?><manifest:manifest \
        xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>";
    packed(&[("mimetype", kind), ("META-INF/manifest.xml", manifest), ("content.xml", content.as_bytes())])
}

#[test]
fn text_files_in_every_encoding_and_with_every_separator() {
    let table = |separator: &str| {
        let rows = [
            ["név", "őű ára", "x"].join(separator),
            String::new(),
            ["Rántott hús, \"nagy\"", "1 990", ""].map(quoted).join(separator),
        ];
        rows.join("\r\n")
    };
    fn quoted(cell: &str) -> String {
        format!("\"{}\"", cell.replace('"', "\"\""))
    }
    let wanted = vec![(1, cells("név|őű ára|x")), (3, cells("Rántott hús, \"nagy\"|1 990|"))];
    for separator in [";", ",", "\t"] {
        let text = table(separator);
        let utf16 = |mark: &[u8], bytes: fn(u16) -> [u8; 2]| {
            [mark, &text.encode_utf16().flat_map(bytes).collect::<Vec<_>>()].concat()
        };
        let latin2 = encoding_rs::WINDOWS_1250.encode(&text).0.into_owned();
        for (name, bytes) in [
            ("utf-8", text.clone().into_bytes()),
            ("utf-8 with mark", [&b"\xEF\xBB\xBF"[..], text.as_bytes()].concat()),
            ("utf-16 le", utf16(b"\xFF\xFE", u16::to_le_bytes)),
            ("utf-16 be", utf16(b"\xFE\xFF", u16::to_be_bytes)),
            ("utf-16 le without mark", utf16(b"", u16::to_le_bytes)),
            ("latin-2", latin2),
        ] {
            assert_eq!(shown(&read(&bytes).unwrap()[0]), wanted, "{name} {separator:?}");
        }
    }
}

#[test]
fn quotes_and_apostrophes_in_text_files() {
    let read = |text: &str| shown(&read(text.as_bytes()).unwrap()[0]);
    assert_eq!(
        read("a;b\n12\" pizza;1\nx;y"),
        vec![(1, cells("a|b")), (2, cells("12\" pizza|1")), (3, cells("x|y"))]
    );
    assert_eq!(read("a;b\n\"12\" pizza;1"), vec![(1, cells("a|b")), (2, cells("\"12\" pizza|1"))]);
    assert_eq!(read("a;b\n\"két\nsor\";1\nx;y")[1], (2, cells("két\nsor|1")));
    assert_eq!(
        read("a;b\n'=1+1;'alma\n'-x;'@y"),
        vec![(1, cells("a|b")), (2, cells("=1+1|'alma")), (3, cells("-x|@y"))]
    );
}

#[test]
fn one_odd_character_spoils_its_cell_alone() {
    for odd in ['\u{1}', '\0', '\u{7f}'] {
        let file = format!("Kategória;Név;Ár\nA;Te{odd}a;400\nA;Kóla;500");
        assert_eq!(kind(file.as_bytes()), Some(Kind::Text), "{odd:?}");
        let rows = &super::read(file.as_bytes()).unwrap()[0].rows;
        assert_eq!(rows[1].cells[1], Value::Other(format!("Te{odd}a")), "{odd:?}");
        assert_eq!(rows[2].cells[1], Value::Text("Kóla".to_owned()));
    }
}

#[test]
fn a_file_that_is_no_table_is_recognised_by_its_content() {
    for bytes in [
        &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..],
        b"%PDF-1.7\n1 0 obj",
        b"<html><table><tr><td>1</td></tr></table></html>",
        b"MZ\x90\0\x03\0\0\0",
        b"{\\rtf1 hello}",
        b"\x1f\x8b\x08\0\0\0\0\0",
    ] {
        assert_eq!(kind(bytes), None, "{}", String::from_utf8_lossy(bytes));
    }
    assert_eq!(read(b"PK\x03\x04 and then nothing").unwrap_err(), SheetFault::Broken);
    assert_eq!(read(&packed(&[("word/document.xml", b"<w/>")])).unwrap_err(), SheetFault::Kind);
    assert_eq!(read(b"\n\n  \n;;;\n").unwrap_err(), SheetFault::Empty);
    let broken = [&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1][..], &[7; 2000]].concat();
    assert_eq!(read(&broken).unwrap_err(), SheetFault::Broken);
}

#[test]
fn workbooks_of_excel() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.merge_range(0, 0, 0, 3, "Étlap 2026", &Format::new()).unwrap();
    sheet.write_row(2, 0, ["Kategória", "Név", "Ár", "Aktív"]).unwrap();
    sheet.merge_range(3, 0, 4, 0, "Levesek", &Format::new()).unwrap();
    sheet.write(3, 1, "Húsleves").unwrap();
    sheet.write(3, 2, 1990).unwrap();
    sheet.write(3, 3, true).unwrap();
    sheet.write(4, 1, "Gulyás").unwrap();
    sheet.write_formula(4, 2, Formula::new("=C4+0.1+0.2").set_result("1990.3")).unwrap();
    sheet.write_formula(5, 2, Formula::new("=1/0").set_result("#DIV/0!")).unwrap();
    let hidden = book.add_worksheet();
    hidden.write(0, 0, "titok").unwrap();
    hidden.set_hidden(true);
    let sheets = read(&book.save_to_buffer().unwrap()).unwrap();
    assert_eq!(sheets.len(), 1, "hidden sheets are not looked at");
    assert!(sheets[0].rows[0].title && !sheets[0].rows[1].title);
    let rows = shown(&sheets[0]);
    assert_eq!(rows[1], (3, cells("Kategória|Név|Ár|Aktív")));
    assert_eq!(rows[2], (4, cells("Levesek|Húsleves|1990|true")));
    assert_eq!(
        rows[3],
        (5, cells("Levesek|Gulyás|1990.3")),
        "cells merged downwards hold for each of their rows"
    );
    assert!(matches!(sheets[0].rows[4].cells[2], Value::Other(_)), "an error is no value");
}

#[test]
fn workbooks_of_old_excel_and_of_libre_office() {
    let sheets = read(include_bytes!("../tests/files/winter.xls")).unwrap();
    let rows = shown(&sheets[0]);
    assert_eq!(sheets[0].name, "Étlap");
    assert!(sheets[0].rows[0].title);
    assert_eq!(rows[3], (5, cells("Levesek|Húsleves|csiga tészta|1990")));
    assert_eq!(rows[4], (6, cells("Levesek|Gyümölcsleves||1 490 Ft")));
    let text = |text: &str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
    };
    let number = "<table:table-cell office:value-type=\"float\" \
        office:value=\"1990\"><text:p>1990</text:p></table:table-cell>";
    let blank = "<table:table-row table:number-rows-repeated=\"3\"><table:table-cell \
        table:number-columns-repeated=\"16384\"/></table:table-row>";
    let rows = format!(
        "<table:table-row>{}{}</table:table-row>{blank}<table:table-row>{}{number}</table:table-row>\
         <table:table-row table:number-rows-repeated=\"1048571\"><table:table-cell \
         table:number-columns-repeated=\"16384\"/></table:table-row>",
        text("Név"),
        text("Ár"),
        text("Húsleves")
    );
    let sheets = read(&ods(&rows)).unwrap();
    assert_eq!(shown(&sheets[0]), vec![(1, cells("Név|Ár")), (5, cells("Húsleves|1990"))]);
}

/// A workbook of one sheet with this row of cells.
fn xlsx(cells: &str) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let book = format!(
        "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"Lap\" sheetId=\"1\" \
         r:id=\"r1\"/></sheets></workbook>"
    );
    let links = format!(
        "<Relationships xmlns=\"{package}\"><Relationship Id=\"r1\" Type=\"{office}/worksheet\" \
         Target=\"worksheets/sheet1.xml\"/></Relationships>"
    );
    let sheet = format!(
        "<worksheet xmlns=\"{main}\"><dimension ref=\"A1:C1\"/><sheetData><row r=\"1\"><c r=\"A1\" \
         t=\"inlineStr\"><is><t>Ragu &amp; Co</t></is></c><c r=\"B1\"><v>1500</v></c>{cells}</row></sheetData></worksheet>"
    );
    let package_links = format!(
        "<Relationships xmlns=\"{package}\"><Relationship Id=\"r1\" Type=\"{office}/officeDocument\" \
         Target=\"xl/workbook.xml\"/></Relationships>"
    );
    packed(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", package_links.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", links.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

#[test]
fn one_bad_cell_makes_no_workbook_broken() {
    for (cell, shown_as) in [
        ("<c r=\"C1\" t=\"e\"><v>#SPILL!</v></c>", "#SPILL!"),
        ("<c r=\"C1\" t=\"e\"><f>A1&amp;B1</f><v>#GETTING_DATA</v></c>", "#GETTING_DATA"),
        ("<c r=\"C1\" t=\"e\"><v>#KIBONTÁS!</v></c>", "#KIBONTÁS!"),
        ("<c r=\"C1\" t=\"e\"><v>Err:502</v></c>", "Err:502"),
        ("<c r=\"C1\" t=\"e\"><v>#N/A</v></c>", "#N/A"),
        ("<c r=\"C1\" t=\"n\"><v>12,5</v></c>", "12,5"),
        ("<c r=\"C1\" t=\"b\"><v>igen</v></c>", "igen"),
        ("<c r=\"C1\" t=\"s\"><v>7</v></c>", "7"),
        ("<c r=\"C1\" t=\"zz\"><v>a &lt; b</v></c>", "a < b"),
    ] {
        let sheets = read(&xlsx(cell)).unwrap_or_else(|fault| panic!("{cell}: {fault:?}"));
        let cells = &sheets[0].rows[0].cells;
        assert_eq!(cells[..2].iter().map(Value::shown).collect::<Vec<_>>(), ["Ragu & Co", "1500"], "{cell}");
        assert_eq!(cells[2], Value::Other(shown_as.to_owned()), "{cell}");
    }
    let sheets = read(&xlsx("<c r=\"C1\"><v>2</v><extLst><ext uri=\"x\"/></extLst></c>")).unwrap();
    assert_eq!(sheets[0].rows[0].cells[2].shown(), "2", "an extension is no value");
    let bad = "<table:table-row><table:table-cell office:value-type=\"float\" office:value=\"sok\"><text:p>sok\
        </text:p></table:table-cell><table:table-cell office:value-type=\"string\" office:string-value=\"\" \
        calcext:value-type=\"error\"><text:p>Err:502</text:p></table:table-cell></table:table-row>";
    let sheets = read(&ods(bad)).unwrap();
    let cells = &sheets[0].rows[0].cells;
    assert_eq!((cells[0].shown().as_str(), &cells[1]), ("sok", &Value::Other("Err:502".to_owned())));
}

#[test]
fn a_date_is_shown_as_a_date() {
    let mut book = Workbook::new();
    let day = rust_xlsxwriter::ExcelDateTime::from_ymd(2026, 1, 2).unwrap();
    let format = Format::new().set_num_format("yyyy-mm-dd");
    book.add_worksheet().write_datetime_with_format(0, 0, &day, &format).unwrap();
    let sheets = read(&book.save_to_buffer().unwrap()).unwrap();
    assert_eq!(sheets[0].rows[0].cells[0], Value::Other("2026-01-02".to_owned()));
}
