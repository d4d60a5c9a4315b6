//! Workbooks of old Excel: one stream of records within a file system of its own.

use std::collections::HashSet;

use super::{MOST_CELLS, SheetFault};
use crate::sheet::MOST_TEXT;

/// The most sheets of a workbook.
const MOST_SHEETS: usize = 100;

/// What the records of a workbook say, as its reader will see them.
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
/// its texts. The same workbook in a new file that has nothing else in it: no chain, directory or macro of
/// the stranger's is followed twice.
pub(in crate::sheet) fn compound(bytes: &[u8]) -> Result<Vec<u8>, SheetFault> {
    let stream = workbook_stream(bytes).ok_or(SheetFault::Broken)?;
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
    alone(stream)
}

/// How many cells a sheet spans, because it is read as one block, and how many characters of the shared texts
/// it shows.
fn sheet(records: Records<'_>, texts: &[u64]) -> Result<(u64, u64), SheetFault> {
    let (mut bottom, mut right, mut text, mut said) = (0_u64, 0_u64, 0_u64, 0_u64);
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
                said = said.saturating_add(to.0.saturating_mul(to.1));
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
    Ok((said.max(bottom * right), text))
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

const SECTOR: usize = 4096;
const LAST: u32 = 0xFFFF_FFFE;
const FREE: u32 = 0xFFFF_FFFF;

/// A compound file with this stream as its only one.
fn alone(mut stream: Vec<u8>) -> Result<Vec<u8>, SheetFault> {
    // Smaller ones would lie elsewhere. What follows the last record is not looked at.
    stream.resize(stream.len().max(SECTOR).next_multiple_of(SECTOR), 0);
    let length = stream.len();
    let number = |number: usize| u32::try_from(number).map_err(|_| SheetFault::TooLarge);
    let sectors = length / SECTOR;
    // The directory, the stream, and the tables that say what follows what.
    let tables = (sectors + 1).div_ceil(SECTOR / 4 - 1);
    let mut header = vec![0_u8; SECTOR];
    let mut put = |at: usize, bytes: &[u8]| {
        header.iter_mut().skip(at).zip(bytes).for_each(|(place, byte)| *place = *byte)
    };
    put(0, &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
    put(24, &[0x3E, 0, 4, 0, 0xFE, 0xFF, 12, 0, 6, 0]);
    put(44, &number(tables)?.to_le_bytes());
    put(48, &number(tables)?.to_le_bytes());
    put(60, &LAST.to_le_bytes());
    put(68, &LAST.to_le_bytes());
    for table in 0..109 {
        let sector = if table < tables { number(table)? } else { FREE };
        put(76 + table * 4, &sector.to_le_bytes());
    }
    let mut follows = vec![0xFFFF_FFFD_u32; tables];
    follows.push(LAST);
    for sector in 0..sectors {
        follows.push(if sector + 1 == sectors { LAST } else { number(tables + sector + 2)? });
    }
    follows.resize(tables * SECTOR / 4, FREE);
    let entry = |name: &str, kind: u8, start: u32, length: usize| {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let named = u8::try_from(entry.len() + 2).unwrap_or_default();
        entry.resize(64, 0);
        entry.extend([named, 0, kind, 1]);
        entry.extend([0xFF; 12]);
        entry.resize(116, 0);
        entry.extend(start.to_le_bytes());
        entry.extend((length as u64).to_le_bytes());
        entry
    };
    let mut directory = entry("Root Entry", 5, 0, 0);
    directory.extend(entry("Workbook", 2, number(tables + 1)?, length));
    directory.resize(SECTOR, 0);
    let follows = follows.into_iter().flat_map(u32::to_le_bytes);
    Ok(header.into_iter().chain(follows).chain(directory).chain(stream).collect())
}

/// The stream `Workbook` (or `Book`) of a compound file.
fn workbook_stream(bytes: &[u8]) -> Option<Vec<u8>> {
    const END: u32 = 0xFFFF_FFFA;
    let wide = |at: usize| {
        bytes.get(at..at + 4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    };
    let size = match bytes.get(30)? {
        9 => 512_usize,
        12 => 4096,
        _ => return None,
    };
    let sector = |number: u32| {
        let begin = usize::try_from(number).ok()?.checked_add(1)?.checked_mul(size)?;
        bytes.get(begin..bytes.len().min(begin.checked_add(size)?)).filter(|part| !part.is_empty())
    };
    let numbers = |part: &[u8]| {
        part.chunks_exact(4)
            .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            .collect::<Vec<_>>()
    };
    // Where the table of chains lies: 109 places in the header, more in a chain of their own.
    let mut tables: Vec<u32> = numbers(bytes.get(76..512)?);
    let mut next = wide(68)?;
    while next < END && tables.len() < 40_000 {
        let mut more = numbers(sector(next)?);
        next = more.pop()?;
        tables.extend(more);
    }
    let chains: Vec<u32> =
        tables.into_iter().filter(|table| *table < END).filter_map(sector).flat_map(numbers).collect();
    let follow = |first: u32, from: &dyn Fn(u32) -> Option<Vec<u8>>, chains: &[u32]| {
        let (mut found, mut next) = (Vec::new(), first);
        while next < END {
            found.extend(from(next)?);
            next = *chains.get(usize::try_from(next).ok()?)?;
            // A chain that bites its tail.
            if found.len() > bytes.len() + size {
                return None;
            }
        }
        Some(found)
    };
    let whole = |number: u32| sector(number).map(<[u8]>::to_vec);
    let directory = follow(wide(48)?, &whole, &chains)?;
    let entries: Vec<&[u8]> = directory.chunks_exact(128).collect();
    let name = |entry: &[u8]| -> String {
        let length = usize::from(u16::from_le_bytes([entry[64], entry[65]])).saturating_sub(2).min(64);
        String::from_utf16_lossy(
            &entry[..length]
                .chunks_exact(2)
                .map(|two| u16::from_le_bytes([two[0], two[1]]))
                .collect::<Vec<_>>(),
        )
    };
    let start = |entry: &[u8]| u32::from_le_bytes([entry[116], entry[117], entry[118], entry[119]]);
    let length = |entry: &[u8]| u32::from_le_bytes([entry[120], entry[121], entry[122], entry[123]]);
    let entry = entries.iter().find(|entry| {
        name(entry).eq_ignore_ascii_case("Workbook") || name(entry).eq_ignore_ascii_case("Book")
    })?;
    if length(entry) >= 4096 {
        return follow(start(entry), &whole, &chains);
    }
    // Small streams lie in pieces of 64 bytes within the stream of the root.
    let root = follow(start(entries.first()?), &whole, &chains)?;
    let small_chains: Vec<u32> = numbers(&follow(wide(60)?, &whole, &chains)?);
    let piece = |number: u32| {
        let begin = usize::try_from(number).ok()?.checked_mul(64)?;
        root.get(begin..begin + 64).map(<[u8]>::to_vec)
    };
    follow(start(entry), &piece, &small_chains)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::sheet::read;

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
        alone([begin, named(at).repeat(times), shared.to_vec(), end.clone(), sheet].concat()).unwrap()
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
        let rows: Vec<u8> = (0..3).flat_map(shows).collect();
        let sheets = read(&book(&text(4), &rows, 1)).unwrap();
        assert_eq!(sheets[0].rows.len(), 3);
        assert_eq!(sheets[0].rows[0].cell(0).shown(), "aaaa");
    }

    #[test]
    fn what_an_old_workbook_says_about_itself_makes_no_room() {
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
        let mut file = book(&text(4), &shows(0), 1);
        // The first entry after the table's own and the directory's: the stream follows itself.
        let at = SECTOR + 8;
        file[at..at + 4].copy_from_slice(&2_u32.to_le_bytes());
        assert_eq!(read(&file).unwrap_err(), SheetFault::Broken);
    }
}
