//! Text tables: csv and tsv in the encodings and with the separators that spreadsheets save in Hungary.

use std::borrow::Cow;

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};

use super::{MOST_CELLS, MOST_COLUMNS, MOST_ROWS, Row, Sheet, SheetFault, Value, codepage};

/// A character that no program writes into a table.
pub(super) fn is_odd(sign: char) -> bool {
    sign.is_control() && !matches!(sign, '\r' | '\n' | '\t')
}

/// Whether these bytes are a text, and not a page, a picture or a program with another name.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    let text = decode(&bytes[..bytes.len().min(4096)]).0;
    // One bad cell is a fault of that cell; a program or a picture has many such characters.
    let odd = text.chars().filter(|c| is_odd(*c) || *c == '\u{fffe}').count() * 20 > text.chars().count();
    let start = text.trim_start();
    !odd && !start.starts_with('<') && !start.starts_with("%PDF") && !start.starts_with("{\\rtf")
}

/// By the mark at its beginning; else UTF-16 where every other byte is zero, UTF-8 where it is valid, and
/// else the code page that makes most Hungarian words of it. Whether the page was guessed.
fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    if let Some((encoding, mark)) = encoding_rs::Encoding::for_bom(bytes) {
        return (encoding.decode_without_bom_handling(&bytes[mark..]).0, false);
    }
    let zeros = |from: usize| bytes.iter().skip(from).step_by(2).take(200).filter(|byte| **byte == 0).count();
    let half = bytes.len().min(400) / 2;
    let encoding = if half > 2 && zeros(1) * 10 > half * 7 {
        UTF_16LE
    } else if half > 2 && zeros(0) * 10 > half * 7 {
        UTF_16BE
    } else if std::str::from_utf8(bytes).is_ok_and(|_| true)
        || std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
    {
        // A letter that is cut off at the very end is no sign of another encoding.
        UTF_8
    } else {
        return (codepage::decode(bytes), true);
    };
    (encoding.decode_without_bom_handling(bytes).0, false)
}

pub(super) fn read(bytes: &[u8]) -> Result<Sheet, SheetFault> {
    let (text, guessed) = decode(bytes);
    let separator = separator(&text);
    let mut rows = Vec::new();
    let mut cells_left = MOST_CELLS;
    for (number, record) in (1_u32..).zip(records(&text, separator)) {
        if rows.len() >= MOST_ROWS {
            return Err(SheetFault::TooLarge);
        }
        let value = |cell: &String| match Value::text(unguarded(cell)) {
            Value::Text(text) if guessed && codepage::is_uncertain(&text) => Value::Other(text),
            value => value,
        };
        let cells: Vec<Value> = record.iter().take(MOST_COLUMNS).map(value).collect();
        let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
        cells_left = cells_left.checked_sub(filled).ok_or(SheetFault::TooLarge)?;
        if filled > 0 {
            rows.push(Row { number, cells, title: false });
        }
    }
    Ok(Sheet { name: String::new(), rows })
}

/// Without the apostrophe that our own exports put before what a spreadsheet would take for a formula, and
/// before a text that has such apostrophes of its own.
fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r']) => rest,
        _ => cell,
    }
}

/// The one that cuts most of the first rows into equally many cells.
fn separator(text: &str) -> char {
    let regular = |separator: char| {
        let mut counts: Vec<usize> =
            records(text, separator).take(40).map(|record| record.len()).filter(|count| *count > 1).collect();
        counts.sort_unstable();
        let best = counts.chunk_by(PartialEq::eq).map(<[usize]>::len).max();
        best.unwrap_or(0)
    };
    // The later one wins where two cut equally well.
    [',', ';', '\t'].into_iter().max_by_key(|separator| regular(*separator)).unwrap_or(';')
}

/// Rows of a text table. A quote counts at the beginning of a cell only; inside it two are one.
fn records(text: &str, separator: char) -> impl Iterator<Item = Vec<String>> + '_ {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut record = Vec::new();
        loop {
            let (cell, after) = cell(rest, separator);
            // A line of millions of separators is no list of millions of cells.
            if record.len() <= MOST_COLUMNS {
                record.push(cell);
            }
            match after.chars().next() {
                Some(c) if c == separator => rest = &after[c.len_utf8()..],
                _ => {
                    rest = after
                        .strip_prefix("\r\n")
                        .or_else(|| after.strip_prefix(['\n', '\r']))
                        .unwrap_or(after);
                    return Some(record);
                }
            }
        }
    })
}

/// The cell at the beginning, and what follows it.
fn cell(text: &str, separator: char) -> (String, &str) {
    if let Some(quoted) = text.strip_prefix('"')
        && let Some(found) = closed(quoted, separator)
    {
        return found;
    }
    let end = text.find([separator, '\n', '\r']).unwrap_or(text.len());
    (text[..end].to_owned(), &text[end..])
}

/// The rest of a quoted cell; none when no quote closes it: then the first one was meant as it stands there
/// (12" pizza).
fn closed(text: &str, separator: char) -> Option<(String, &str)> {
    let mut cell = String::new();
    let mut rest = text;
    loop {
        let at = rest.find('"')?;
        cell.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.strip_prefix('"') {
            Some(more) => {
                cell.push('"');
                rest = more;
            }
            None => {
                let fits = rest.is_empty() || rest.starts_with([separator, '\n', '\r']);
                return fits.then_some((cell, rest));
            }
        }
    }
}
