//! The objects of an archive: one tar inside the zip, in the order of their names. So neither the zip's
//! directory nor the manifest grows with them, and reading and writing hold few of them in memory.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use sha2::{Digest, Sha256};
use tar::{Archive, Entry, EntryType, Header};
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
};
use zip::ZipArchive;

use crate::{
    archive::{ArchiveFault, Limits, ManifestFile, broken, hex},
    objects::{self, BEGINNING, Tokens},
};

/// Where it lies in the archive.
pub(crate) const PATH: &str = "objects.tar";
/// A tar ends with two blocks of zeros.
pub(crate) const END: [u8; 2 * BLOCK] = [0; 2 * BLOCK];
const BLOCK: usize = 512;
/// So many bytes of objects are between the archive and the store at once; one that is larger goes alone.
const IN_HAND: usize = 16_000_000;

/// The block before an object of so many bytes. It says nothing of when or by whom: the same objects are the
/// same bytes.
pub(crate) fn head(name: &str, bytes: u64) -> io::Result<Vec<u8>> {
    let mut header = Header::new_ustar();
    header.set_path(name)?;
    header.set_size(bytes);
    header.set_mode(0o644);
    header.set_mtime(0);
    header.set_entry_type(EntryType::Regular);
    header.set_cksum();
    Ok(header.as_bytes().to_vec())
}

pub(crate) fn padding(bytes: u64) -> Vec<u8> {
    let over = usize::try_from(bytes % BLOCK as u64).unwrap_or_default();
    vec![0; (BLOCK - over) % BLOCK]
}

/// The name of an entry. Only files with the name of an object are taken: no link, no folder, no extension.
fn name_of(entry: &Entry<impl Read>) -> Result<String, ArchiveFault> {
    let path = entry.path_bytes();
    let name = std::str::from_utf8(&path)
        .ok()
        .filter(|name| entry.header().entry_type() == EntryType::Regular && objects::is_name(name));
    name.map(str::to_owned)
        .ok_or_else(|| ArchiveFault::Foreign(String::from_utf8_lossy(&path).chars().take(100).collect()))
}

/// Hashes and counts what is read.
struct Hashing<R> {
    from: R,
    hash: Sha256,
    bytes: u64,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.hash.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

/// Refuses objects that are broken, too large, no pictures, or not exactly those of these pictures but for
/// the ones that are known to be missing.
pub(crate) fn check(
    zip: &mut ZipArchive<File>, file: &ManifestFile, pictures: &Tokens, missing: &[String], limits: Limits,
) -> Result<(), ArchiveFault> {
    let entry = zip.by_name(PATH).map_err(broken)?.take(file.bytes.saturating_add(1));
    let mut reading = Hashing { from: entry, hash: Sha256::new(), bytes: 0 };
    let mut wanted =
        ExpectedObjects { names: pictures.names(), missing: missing.iter().map(String::as_str).collect() };
    let (mut count, mut length) = (0_u64, END.len() as u64);
    for entry in Archive::new(&mut reading).entries().map_err(cut)?.raw(true) {
        let mut entry = entry.map_err(cut)?;
        let name = name_of(&entry)?;
        wanted.take(&name)?;
        let size = entry.size();
        if size > limits.object {
            return Err(ArchiveFault::TooLarge);
        }
        let mut beginning = Vec::with_capacity(BEGINNING);
        (&mut entry).take(BEGINNING as u64).read_to_end(&mut beginning).map_err(cut)?;
        if !objects::is_picture(&beginning) {
            return Err(ArchiveFault::Foreign(name));
        }
        count += 1;
        length += BLOCK as u64 + size.next_multiple_of(BLOCK as u64);
    }
    wanted.end()?;
    // The end, and anything that hides behind it.
    io::copy(&mut reading, &mut io::sink()).map_err(cut)?;
    let whole = reading.bytes == file.bytes
        && file.bytes == length
        && file.rows == count
        && hex(&reading.hash.finalize()) == file.sha256;
    if whole { Ok(()) } else { Err(ArchiveFault::Broken(format!("{PATH} does not fit its checksum"))) }
}

#[allow(clippy::needless_pass_by_value)]
fn cut(error: io::Error) -> ArchiveFault {
    ArchiveFault::Broken(format!("{PATH}: {error}"))
}

/// The names that have to come, in their order.
struct ExpectedObjects<'a, N> {
    names: N,
    missing: BTreeSet<&'a str>,
}

impl<N: Iterator<Item = String>> ExpectedObjects<'_, N> {
    /// This one has come: all before it are known to be missing, and it is not.
    fn take(&mut self, name: &str) -> Result<(), ArchiveFault> {
        for one in self.names.by_ref() {
            if one == name {
                let there = !self.missing.contains(name);
                return if there {
                    Ok(())
                } else {
                    Err(ArchiveFault::Broken(format!("the object {name} is missing and there")))
                };
            }
            if !self.missing.remove(one.as_str()) {
                break;
            }
        }
        Err(ArchiveFault::Foreign(format!(
            "{PATH}: {name}, which no picture has or which is not in its place"
        )))
    }

    /// No more come.
    fn end(mut self) -> Result<(), ArchiveFault> {
        for one in self.names {
            if !self.missing.remove(one.as_str()) {
                return Err(ArchiveFault::Broken(format!("the object {one} is not there")));
            }
        }
        if self.missing.is_empty() {
            Ok(())
        } else {
            Err(broken("an object is named as missing that nothing refers to"))
        }
    }
}

/// An object with its name, and its part of what may be in hand: the part is free again when this is dropped.
pub(crate) struct ObjectInFlight {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) _room: OwnedSemaphorePermit,
}

/// Sends the objects of an archive that was checked, one by one; runs on a thread of its own.
pub(crate) fn send(
    archive: &Path, to: &mpsc::Sender<ObjectInFlight>, runtime: &Handle,
) -> Result<(), ArchiveFault> {
    let mut zip = ZipArchive::new(File::open(archive).map_err(broken)?).map_err(broken)?;
    let room = Arc::new(Semaphore::new(IN_HAND));
    for entry in Archive::new(zip.by_name(PATH).map_err(broken)?).entries().map_err(cut)?.raw(true) {
        let mut entry = entry.map_err(cut)?;
        let name = name_of(&entry)?;
        let size = usize::try_from(entry.size()).map_err(broken)?;
        let part = u32::try_from(size.min(IN_HAND)).map_err(broken)?;
        let _room = runtime.block_on(room.clone().acquire_many_owned(part)).map_err(broken)?;
        let mut bytes = Vec::with_capacity(size);
        entry.read_to_end(&mut bytes).map_err(cut)?;
        if to.blocking_send(ObjectInFlight { name, bytes, _room }).is_err() {
            return Ok(()); // Nobody wants the rest: the store has said why.
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_in_their_order_or_are_known_to_be_missing() {
        let names = || ["a", "b", "c", "d"].map(str::to_owned).into_iter();
        let go = |come: &[&str], missing: &[&'static str]| {
            let mut wanted = ExpectedObjects { names: names(), missing: missing.iter().copied().collect() };
            come.iter().try_for_each(|name| wanted.take(name)).and_then(|()| wanted.end())
        };
        assert_eq!(go(&["a", "b", "c", "d"], &[]), Ok(()));
        assert_eq!(go(&["b", "d"], &["a", "c"]), Ok(()));
        assert_eq!(go(&[], &["a", "b", "c", "d"]), Ok(()));
        for (come, missing) in [
            (&["b", "a", "c", "d"][..], &[][..]),
            (&["a", "a", "b", "c", "d"], &[]),
            (&["a", "b", "c", "d", "e"], &[]),
            (&["a", "b", "c"], &[]),
            (&["a", "b", "d"], &[]),
            (&["a", "b", "c", "d"], &["b"]),
            (&["a", "b", "c", "d"], &["e"]),
        ] {
            assert!(go(come, missing).is_err(), "{come:?} without {missing:?}");
        }
    }

    #[test]
    fn what_is_written_is_a_tar() {
        let name = "0123456789abcdef0123456789abcdef/small.webp";
        for length in [0_usize, 1, 511, 512, 513] {
            let bytes = vec![7; length];
            let tar =
                [head(name, length as u64).unwrap(), bytes.clone(), padding(length as u64), END.to_vec()]
                    .concat();
            assert_eq!(tar.len() % BLOCK, 0);
            let mut tar = Archive::new(tar.as_slice());
            let mut entries = tar.entries().unwrap().raw(true);
            let mut entry = entries.next().unwrap().unwrap();
            let mut found = Vec::new();
            entry.read_to_end(&mut found).unwrap();
            assert_eq!((name_of(&entry), found), (Ok(name.to_owned()), bytes));
            assert!(entries.next().is_none());
        }
    }
}
