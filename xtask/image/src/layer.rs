//! Layers: archives whose bytes follow from their content alone.

use std::collections::BTreeMap;

use tar::{Builder, EntryType, Header};

use crate::Result;

/// Files and folders by path, without a leading slash.
#[derive(Default)]
pub struct Layer(BTreeMap<String, Entry>);

struct Entry {
    /// None for a folder.
    bytes: Option<Vec<u8>>,
    mode: u32,
    owner: u32,
}

impl Layer {
    /// A file of root's that all may read, with the folders above it; `mode` also says who may run it.
    pub fn file(&mut self, path: &str, mode: u32, bytes: impl Into<Vec<u8>>) {
        self.above(path);
        self.0.insert(path.to_owned(), Entry { bytes: Some(bytes.into()), mode, owner: 0 });
    }

    pub fn folder(&mut self, path: &str, mode: u32, owner: u32) {
        self.above(path);
        self.0.insert(path.to_owned(), Entry { bytes: None, mode, owner });
    }

    fn above(&mut self, path: &str) {
        for (at, _) in path.match_indices('/') {
            self.0.entry(path[..at].to_owned()).or_insert(Entry { bytes: None, mode: 0o755, owner: 0 });
        }
    }

    /// The archive. Everything in it has this time (seconds since 1970); the entries are sorted.
    pub fn archive(&self, time: u64) -> Result<Vec<u8>> {
        let room: usize = self.0.values().map(|one| one.bytes.as_ref().map_or(0, Vec::len) + 1024).sum();
        let mut archive = Builder::new(Vec::with_capacity(room + 1024));
        for (path, entry) in &self.0 {
            let bytes = entry.bytes.as_deref().unwrap_or_default();
            let mut header = Header::new_ustar();
            header.set_mode(entry.mode);
            header.set_uid(entry.owner.into());
            header.set_gid(entry.owner.into());
            header.set_mtime(time);
            header.set_size(bytes.len() as u64);
            header.set_entry_type(if entry.bytes.is_some() {
                EntryType::Regular
            } else {
                EntryType::Directory
            });
            archive.append_data(&mut header, path, bytes).map_err(|error| format!("{path}: {error}."))?;
        }
        archive.into_inner().map_err(|error| error.to_string())
    }
}
