//! Workbooks of old Excel (xls): one stream of records within a compound file.

use std::{
    collections::HashSet,
    io::{Cursor, Read, Write},
};

use cfb::{CompoundFile, Version};

use super::{MOST_CELLS, SheetFault};
use crate::MOST_TEXT;

/// The most sheets of a workbook.
const MOST_SHEETS: usize = 100;

/// The sizes in a workbook's records, as its reader will see them.
struct Records<'a> {
    stream: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Records<'a> {
    type Item = (u64, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let kind = two(self.stream, self.at)?;
        let length = usize::try_from(two(self.stream, self.at + 2)?).ok()?;
        let data = self.stream.get(self.at + 4..self.stream.len().min(self.at + 4 + length))?;
        self.at += 4 + length;
        Some((kind, data))
    }
}

fn two(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
}

fn four(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
}

/// Walks through an old workbook: where its cells stand, how large it says its sheets are, how often it shows
/// its texts. The same workbook in a new file that has nothing else in it: calamine follows no chain,
/// directory or macro of the stranger's.
pub(crate) fn compound(bytes: &[u8]) -> Result<Vec<u8>, SheetFault> {
    let mut stream = workbook_stream(bytes).map_err(|_| SheetFault::Broken)?;
    known_errors(&mut stream);
    let (mut sheets, mut texts) = (Vec::new(), Vec::new());
    let mut records = Records { stream: &stream, at: 0 };
    while let Some((kind, data)) = records.next() {
        match kind {
            // The end of what the sheets share.
            0x000A => break,
            // Where a sheet begins.
            0x0085 => sheets.push(four(data, 0).ok_or(SheetFault::Broken)?),
            // The texts, with the records that go on with them.
            0x00FC => {
                let mut pieces = vec![data];
                while two(&stream, records.at) == Some(0x003C) {
                    pieces.extend(records.next().map(|(_, data)| data));
                }
                texts = lengths(&pieces);
            }
            _ => {}
        }
    }
    let different: HashSet<u64> = sheets.iter().copied().collect();
    if different.len() != sheets.len() || sheets.len() > MOST_SHEETS {
        return Err(SheetFault::TooLarge);
    }
    let (mut cells, mut text) = (0_u64, 0_u64);
    for begin in sheets {
        let at = usize::try_from(begin).map_err(|_| SheetFault::Broken)?;
        let extent = sheet(Records { stream: &stream, at }, &texts)?;
        cells += extent.0;
        text = text.saturating_add(extent.1);
        if cells > MOST_CELLS as u64 || text > MOST_TEXT as u64 {
            return Err(SheetFault::TooLarge);
        }
    }
    alone(&stream).map_err(|_| SheetFault::Broken)
}

/// Makes errors that the reader does not know one that it knows: they would make the whole file broken.
fn known_errors(stream: &mut [u8]) {
    const KNOWN: [u8; 8] = [0x00, 0x07, 0x0F, 0x17, 0x1D, 0x24, 0x2A, 0x2B];
    const NONE: u8 = 0x2A;
    let mut at = 0;
    while let (Some(kind), Some(length)) = (two(stream, at), two(stream, at + 2)) {
        let data = at + 4;
        let byte = |stream: &[u8], place: usize| stream.get(data + place).copied();
        // A truth or an error; the result of a formula.
        let error = match kind {
            0x0205 if byte(stream, 7).is_some_and(|is_error| is_error > 0) => {
                stream.get_mut(data + 7).into_iter().for_each(|is_error| *is_error = 1);
                Some(6)
            }
            0x0006 if byte(stream, 6) == Some(2) && two(stream, data + 12) == Some(0xFFFF) => Some(8),
            _ => None,
        };
        if let Some(place) = error
            && byte(stream, place).is_some_and(|code| !KNOWN.contains(&code))
            && let Some(code) = stream.get_mut(data + place)
        {
            *code = NONE;
        }
        at = data + usize::try_from(length).unwrap_or(usize::MAX - data);
    }
}

/// How many cells a sheet spans, because it is read as one block, and how many characters of the shared texts
/// it shows.
fn sheet(records: Records<'_>, texts: &[u64]) -> Result<(u64, u64), SheetFault> {
    let (mut bottom, mut right, mut text, mut declared) = (0_u64, 0_u64, 0_u64, 0_u64);
    for (kind, data) in records {
        let number = |at: usize| two(data, at).unwrap_or_default();
        let (row, column) = match kind {
            0x000A => break,
            0x0200 => {
                // Room for all of it is made as soon as it is said, each time that it is said.
                let (from, to) = if data.len() >= 14 {
                    (
                        (four(data, 0).unwrap_or_default(), number(8)),
                        (four(data, 4).unwrap_or_default(), number(10)),
                    )
                } else {
                    ((number(0), number(4)), (number(2), number(6)))
                };
                if to.0 > 0 && to.1 > 0 && (from.0 >= to.0 || from.1 == to.1) {
                    return Err(SheetFault::Broken);
                }
                declared = declared.saturating_add(to.0.saturating_mul(to.1));
                (0, 0)
            }
            // Cells: formula, blank, number, label, truth, text, RK, rows of RK and of blanks.
            0x0006
            | 0x0001..=0x0005
            | 0x0201
            | 0x0203
            | 0x0204
            | 0x0205
            | 0x027E
            | 0x0406
            | 0x0206
            | 0x00D6 => (number(0), number(2)),
            0x00BD | 0x00BE => (number(0), number(2) + data.len() as u64 / 2),
            // A shared text.
            0x00FD => {
                let which = four(data, 6).and_then(|at| usize::try_from(at).ok());
                // Of each character as many bytes as it may have.
                text = text.saturating_add(
                    which.and_then(|at| texts.get(at)).copied().unwrap_or_default().saturating_mul(3),
                );
                (number(0), number(2))
            }
            _ => continue,
        };
        bottom = bottom.max(row + 1);
        right = right.max(column + 1);
    }
    Ok((declared.max(bottom * right), text))
}

/// How many characters each of the shared texts has. Where one of them goes on in the next record, that one
/// says anew how wide its characters are.
fn lengths(pieces: &[&[u8]]) -> Vec<u64> {
    let mut rest = pieces.iter().copied();
    let mut piece = rest.next().and_then(|first| first.get(8..)).unwrap_or_default();
    let mut found = Vec::new();
    loop {
        if piece.is_empty() {
            match rest.next() {
                Some(next) => piece = next,
                None => return found,
            }
        }
        let (Some(length), Some(flags)) = (two(piece, 0), piece.get(2).copied()) else { return found };
        found.push(length);
        let (runs, after) = if flags & 8 == 0 { (0, 3) } else { (two(piece, 3).unwrap_or_default() * 4, 5) };
        let (more, after) =
            if flags & 4 == 0 { (0, after) } else { (four(piece, after).unwrap_or_default(), after + 4) };
        piece = piece.get(after..).unwrap_or_default();
        let (mut left, mut wide) = (length, flags & 1);
        while left > 0 {
            let size = u64::from(wide) + 1;
            let taken = left.min(piece.len() as u64 / size);
            left -= taken;
            piece = usize::try_from(taken * size).ok().and_then(|at| piece.get(at..)).unwrap_or_default();
            if left > 0 {
                let Some(next) = rest.next() else { return found };
                wide = next.first().map_or(0, |flags| flags & 1);
                piece = next.get(1..).unwrap_or_default();
            }
        }
        let mut skipped = runs + more;
        while skipped > 0 {
            let taken = skipped.min(piece.len() as u64);
            skipped -= taken;
            piece = usize::try_from(taken).ok().and_then(|at| piece.get(at..)).unwrap_or_default();
            if skipped > 0 {
                let Some(next) = rest.next() else { return found };
                piece = next;
            }
        }
    }
}

/// A compound file with this stream as its only one, of version 3: in one of version 4 calamine demands small
/// streams too.
fn alone(stream: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut file = CompoundFile::create_with_version(Version::V3, Cursor::new(Vec::new()))?;
    file.create_stream("/Workbook")?.write_all(stream)?;
    file.flush()?;
    Ok(file.into_inner().into_inner())
}

/// The stream `Workbook` (or `Book`) of a compound file.
fn workbook_stream(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut file = CompoundFile::open(Cursor::new(bytes))?;
    let name = if file.is_stream("/Workbook") { "/Workbook" } else { "/Book" };
    let mut stream = Vec::new();
    // A stream cannot be longer than its file; the length that the file states is not trusted.
    file.open_stream(name)?.take(bytes.len() as u64).read_to_end(&mut stream)?;
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn record(kind: u16, data: &[u8]) -> Vec<u8> {
        [&kind.to_le_bytes()[..], &u16::try_from(data.len()).unwrap().to_le_bytes(), data].concat()
    }

    fn words(numbers: &[u16]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// A workbook of one sheet that has these records, named as many times as wanted.
    fn book(shared: &[u8], records: &[u8], times: usize) -> Vec<u8> {
        let begin = record(0x0809, &words(&[0x0600, 5, 0, 0, 0, 0, 0, 0]));
        let named = |at: usize| {
            record(0x0085, &[&u32::try_from(at).unwrap().to_le_bytes()[..], &[0, 0, 1, 0, b'L']].concat())
        };
        let end = record(0x000A, &[]);
        let at = begin.len() + named(0).len() * times + shared.len() + end.len();
        let sheet = [&record(0x0809, &words(&[0x0600, 16, 0, 0, 0, 0, 0, 0])), records, &end[..]].concat();
        alone(&[begin, named(at).repeat(times), shared.to_vec(), end.clone(), sheet].concat()).unwrap()
    }

    fn text(length: u16) -> Vec<u8> {
        let body = [&words(&[1, 0, 1, 0, length])[..], &[0], &vec![b'a'; usize::from(length)]].concat();
        record(0x00FC, &body)
    }

    fn shows(row: u16) -> Vec<u8> {
        record(0x00FD, &words(&[row, 0, 0, 0, 0]))
    }

    #[test]
    fn a_workbook_is_read_from_its_copy() {
        // Below and above 4096 bytes, where streams are kept otherwise.
        for number in [3, 2_000] {
            let rows: Vec<u8> = (0..number).flat_map(shows).collect();
            let sheets = read(&book(&text(4), &rows, 1)).unwrap();
            assert_eq!(sheets[0].rows.len(), usize::from(number));
            assert_eq!(sheets[0].rows[0].cell(0).shown(), "aaaa");
        }
    }

    #[test]
    fn declared_sizes_of_an_old_workbook_allocate_no_memory() {
        let sized =
            |numbers: &[u16]| book(&text(4), &[record(0x0200, &words(numbers)), shows(0)].concat(), 1);
        // A sheet that ends before it begins; one of four thousand million rows.
        assert_eq!(read(&sized(&[9, 0, 1, 0, 0, 1, 0])).unwrap_err(), SheetFault::Broken);
        assert_eq!(read(&sized(&[0, 0, 0xFFFF, 0xFFFF, 0, 256, 0])).unwrap_err(), SheetFault::TooLarge);
        assert!(read(&sized(&[0, 0, 1, 0, 0, 1, 0])).is_ok());
        let again = [record(0x0200, &words(&[0, 0, 60_000, 0, 0, 16, 0])).repeat(40), shows(0)].concat();
        assert_eq!(read(&book(&text(4), &again, 1)).unwrap_err(), SheetFault::TooLarge);
        // One sheet under many names is read as many times.
        assert_eq!(read(&book(&text(4), &shows(0), 50)).unwrap_err(), SheetFault::TooLarge);
        let rows: Vec<u8> = (0..4_000).flat_map(shows).collect();
        assert_eq!(read(&book(&text(8_000), &rows, 1)).unwrap_err(), SheetFault::TooLarge);
    }

    #[test]
    fn chains_that_bite_their_tail_end() {
        let rows: Vec<u8> = (0..2_000).flat_map(shows).collect();
        let mut file = book(&text(4), &rows, 1);
        // Each sector that another one follows in the first table is followed by itself.
        let table = (usize::try_from(four(&file, 76).unwrap()).unwrap() + 1) * 512;
        for sector in 0..128 {
            let at = table + sector * 4;
            if four(&file, at).unwrap() < 0xFFFF_FFFA {
                file[at..at + 4].copy_from_slice(&u32::try_from(sector).unwrap().to_le_bytes());
            }
        }
        assert_eq!(read(&file).unwrap_err(), SheetFault::Broken);
    }
}
