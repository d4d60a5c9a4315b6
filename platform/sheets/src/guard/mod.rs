//! Checks an untrusted file before it is read into memory. See `docs/decisions/security.md#spreadsheets`.
//!
//! calamine trusts numbers that a file states about itself (how many texts, how large a sheet, where a chain
//! ends) and allocates that much memory. A failed allocation would end the whole service.

mod compound;
mod document;

use std::io::{BufReader, Cursor, Read};

use quick_xml::{Reader, events::Event};
use zip::{ZipArchive, result::ZipError};

use super::{MOST_CELLS, SheetFault};

pub(super) use compound::compound;

/// The most parts an archive may have.
const MOST_PARTS: usize = 1_000;
/// The most bytes all parts may have unpacked: no menu comes near it.
const LARGEST_UNPACKED: u64 = 60_000_000;
/// The highest allowed compression ratio of a part, above a minimum size.
const DENSEST: u64 = 100;
const WORTH_LOOKING: u64 = 1_000_000;
/// The most tags that all parts but the sheets may have: each may become an entry of a list.
const MOST_TAGS: u64 = 2_000_000;
/// The most texts that a workbook may say it shares: room for them is made before they are read.
const MOST_TEXTS: usize = 1_000_000;

/// The number of bytes that were unpacked and discarded.
struct Unpacked {
    left: u64,
    tags_left: u64,
}

/// Unpacks every part into nothing, so what counts is how large it is and not how large it says it is.
/// Whether it is an xlsx; else it is an ods.
pub(super) fn archive(bytes: &[u8]) -> Result<bool, SheetFault> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| SheetFault::Broken)?;
    if archive.len() > MOST_PARTS {
        return Err(SheetFault::TooLarge);
    }
    let mut so_far = Unpacked { left: LARGEST_UNPACKED, tags_left: MOST_TAGS };
    let (mut workbook, mut document, mut texts) = (false, false, Vec::new());
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(|error| match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => SheetFault::Locked,
            _ => SheetFault::Broken,
        })?;
        let (packed, name) =
            (part.compressed_size(), part.name().map_err(|_| SheetFault::Broken)?.to_ascii_lowercase());
        workbook |= name == "xl/workbook.xml";
        document |= name == "content.xml";
        if name.ends_with("sharedstrings.xml") {
            texts.push(at);
        }
        let unpacked = so_far.unpack(part, &name)?;
        if unpacked > WORTH_LOOKING && unpacked / packed.max(1) > DENSEST {
            return Err(SheetFault::TooLarge);
        }
    }
    let part = |at: usize,
                archive: &mut ZipArchive<Cursor<&[u8]>>,
                look: fn(BufReader<&mut dyn Read>) -> Result<(), SheetFault>| {
        let mut part = archive.by_index(at).map_err(|_| SheetFault::Broken)?;
        look(BufReader::new(&mut part))
    };
    match (workbook, document) {
        (true, _) => {
            texts.into_iter().try_for_each(|at| part(at, &mut archive, shared_texts))?;
            Ok(true)
        }
        (false, true) => {
            let at = archive.index_for_name("content.xml").ok_or(SheetFault::Broken)?;
            part(at, &mut archive, document::repeats)?;
            Ok(false)
        }
        // An archive of something else: a text document, a program.
        (false, false) => Err(SheetFault::Kind),
    }
}

impl Unpacked {
    /// Reads a part to its end and answers its size. A spreadsheet never declares entities.
    fn unpack(&mut self, mut part: impl Read, name: &str) -> Result<u64, SheetFault> {
        let mut buffer = [0_u8; 16_384];
        let mut size = 0;
        let mut first = true;
        // Sheets are read tag by tag; of everything else lists are made. The content of an ods is counted by
        // itself.
        let listed = !name.contains("worksheets/") && name != "content.xml";
        loop {
            let read = part.read(&mut buffer).map_err(|_| SheetFault::Broken)?;
            let Some(piece) = buffer.get(..read).filter(|piece| !piece.is_empty()) else { return Ok(size) };
            // A document type stands at the very beginning or nowhere.
            let declares = first && piece.windows(9).any(|part| part.eq_ignore_ascii_case(b"<!DOCTYPE"));
            let xml =
                std::path::Path::new(name).extension().is_some_and(|kind| kind == "xml" || kind == "rels");
            if declares && xml {
                return Err(SheetFault::Broken);
            }
            first = false;
            size += read as u64;
            self.left = self.left.checked_sub(read as u64).ok_or(SheetFault::TooLarge)?;
            if listed && xml {
                let tags = piece.iter().filter(|byte| **byte == b'<').count() as u64;
                self.tags_left = self.tags_left.checked_sub(tags).ok_or(SheetFault::TooLarge)?;
            }
        }
    }
}

/// How many texts the shared ones say that they are.
fn shared_texts(part: BufReader<&mut dyn Read>) -> Result<(), SheetFault> {
    let mut xml = Reader::from_reader(part);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match xml.read_event_into(&mut buffer).map_err(|_| SheetFault::Broken)? {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "sst" => {
                let declared = tag.attributes().flatten().filter(|one| one.key.as_ref() == "uniqueCount");
                // Anything but a number is refused, too.
                let most = declared.filter_map(|one| one.value.trim().parse::<usize>().ok()).max();
                return if most.is_some_and(|most| most > MOST_TEXTS) {
                    Err(SheetFault::TooLarge)
                } else {
                    Ok(())
                };
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}
