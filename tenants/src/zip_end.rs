//! The end of a zip: where its directory is and how many files that lists.
//!
//! Looked at before the zip crate sees a file from outside. It makes room for as many entries as the file
//! says it has, up to one for each byte before the directory (a few gigabytes for a large upload), and where
//! a directory cannot be read it looks for another one in front of it.

use std::io::{Read, Seek, SeekFrom};

use zip::ZipArchive;

use crate::archive::{ArchiveFault, Limits, broken};

/// The record that ends every zip, without a comment.
const END: usize = 22;
/// What large ones have before it: a record, and where that is.
const LARGE: usize = 56 + 20;
/// Bytes of one entry of a directory of ours, at most: our names are short.
const ENTRY: u64 = 1024;

/// Refuses an archive whose end is not that of one of ours.
/// Errors: `TooLarge` for too many files, else `Broken`.
pub(crate) fn check<R: Read + Seek>(mut archive: R, limits: Limits) -> Result<(), ArchiveFault> {
    let from = directory(&mut archive, limits)?;
    archive.rewind().map_err(broken)?;
    // With nothing before the directory there is none but this one.
    ZipArchive::new(ZeroPadded { archive, from }).map(drop).map_err(broken)
}

/// Where the directory begins.
fn directory(file: &mut (impl Read + Seek), limits: Limits) -> Result<u64, ArchiveFault> {
    let odd = || ArchiveFault::Broken("its end is not that of an archive of ours".to_owned());
    let length = file.seek(SeekFrom::End(0)).map_err(broken)?;
    let at = length.saturating_sub((END + LARGE) as u64);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(at)).map_err(broken)?;
    file.read_to_end(&mut tail).map_err(broken)?;
    let (before, end) = tail.split_at_checked(tail.len().saturating_sub(END)).ok_or_else(odd)?;
    if !end.starts_with(b"PK\x05\x06") || !end.ends_with(&[0, 0]) {
        return Err(odd());
    }
    let number = |bytes: &[u8], at: usize, size: usize| {
        bytes[at..at + size].iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let small = (number(end, 10, 2), number(end, 12, 4), number(end, 16, 4));
    let is_large =
        small.0 == u64::from(u16::MAX) || small.1 == u64::from(u32::MAX) || small.2 == u64::from(u32::MAX);
    let (entries, size, from) = match is_large {
        false => small,
        true if before.len() == LARGE && before.starts_with(b"PK\x06\x06") => {
            (number(before, 32, 8), number(before, 40, 8), number(before, 48, 8))
        }
        true => return Err(odd()),
    };
    let most = limits.entries as u64;
    if entries > most || size > most * ENTRY {
        return Err(ArchiveFault::TooLarge);
    }
    let ends = length - (END + if is_large { LARGE } else { 0 }) as u64;
    if from.checked_add(size) != Some(ends) {
        return Err(odd());
    }
    let mut all = Vec::new();
    file.seek(SeekFrom::Start(from)).map_err(broken)?;
    file.read_to_end(&mut all).map_err(broken)?;
    let found = |mark: &[u8]| all.windows(mark.len()).filter(|window| *window == mark).count();
    if found(b"PK\x05\x06") != 1
        || found(b"PK\x06\x06") != usize::from(is_large)
        || found(b"PK\x06\x07") != usize::from(is_large)
    {
        return Err(odd());
    }
    Ok(from)
}

/// An archive with zeros before a place.
struct ZeroPadded<R> {
    archive: R,
    from: u64,
}

impl<R: Read + Seek> Read for ZeroPadded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let at = self.archive.stream_position()?;
        let read = self.archive.read(buffer)?;
        let hidden = usize::try_from(self.from.saturating_sub(at)).unwrap_or(usize::MAX).min(read);
        buffer[..hidden].fill(0);
        Ok(read)
    }
}

impl<R: Seek> Seek for ZeroPadded<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.archive.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;

    use super::*;

    fn looked_at(bytes: &[u8]) -> Result<(), ArchiveFault> {
        check(Cursor::new(bytes), Limits { entries: 3, ..Limits::default() })
    }

    fn zip(files: usize) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for file in 0..files {
            zip.start_file(format!("tables/{file}.copy"), SimpleFileOptions::default()).unwrap();
            zip.write_all(&[7; 1000]).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    /// The same with an end for large archives, which says what it likes.
    fn large(mut bytes: Vec<u8>, entries: u64) -> Vec<u8> {
        let end = bytes.split_off(bytes.len() - END);
        let at = bytes.len() as u64;
        let number = |from: usize| u64::from(u32::from_le_bytes(end[from..from + 4].try_into().unwrap()));
        let (size, from) = (number(12), number(16));
        bytes.extend(b"PK\x06\x06");
        bytes.extend(44_u64.to_le_bytes());
        bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for value in [entries, entries, size, from] {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend(b"PK\x06\x07\0\0\0\0");
        bytes.extend(at.to_le_bytes());
        bytes.extend([1, 0, 0, 0]);
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        bytes.extend([0xff; 12]);
        bytes.extend([0, 0]);
        bytes
    }

    #[test]
    fn claims_of_an_archive_about_itself_are_checked() {
        assert_eq!(looked_at(&zip(3)), Ok(()));
        assert_eq!(looked_at(&large(zip(3), 3)), Ok(()));
        assert_eq!(looked_at(&zip(4)), Err(ArchiveFault::TooLarge));
        for entries in [4, 3_000_000_000, u64::MAX] {
            assert_eq!(looked_at(&large(zip(3), entries)), Err(ArchiveFault::TooLarge), "{entries}");
        }
        let broken = |bytes: &[u8]| matches!(looked_at(bytes), Err(ArchiveFault::Broken(_)));
        for bytes in [&b""[..], b"PK\x05\x06", &zip(1)[..60], &[zip(1), b"more".to_vec()].concat()] {
            assert!(broken(bytes), "{} bytes", bytes.len());
        }
        // Two directories: the last is no good, so that the one before would be taken.
        let mut second = zip(2);
        let at = second.len() - END - 1;
        second[at] ^= 0xff;
        let start = second.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        second[start] = b'X';
        assert!(broken(&[large(zip(2), 3_000), second].concat()));
    }
}
