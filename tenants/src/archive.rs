//! The archive of a partner: a zip with one file per table, the directory's rows, its objects and a manifest
//! with checksums. Everything is checked before anything is written to a database or an object store. See
//! `docs/decisions/tenancy.md#archives`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    fs::File,
    io::Read,
    path::Path,
};

use chrono::{DateTime, Utc};
use sea_orm::FromQueryResult;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;
use zip::ZipArchive;

use crate::{bundle, objects::Tokens, zip_end};

/// Version of the archive's own form.
pub const FORMAT: i32 = 4;
pub(crate) const MANIFEST: &str = "manifest.json";
/// Room for the names of all objects of as many pictures as an archive may have, were all of them missing.
const LARGEST_MANIFEST: u64 = 20_000_000;

/// The directory's rows that travel with a partner, by the name of their table in `control`.
pub const DIRECTORY: &[&str] = &["restaurant", "admin", "api_key"];

/// The content of an archive.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: i32,
    /// Name of the installation that made it.
    pub installation: String,
    pub partner: ManifestPartner,
    /// Version of the partner's schema: only an installation with the same one restores it.
    pub schema_version: String,
    pub exported_at: DateTime<Utc>,
    /// Ids of which there may be only one of each on an installation.
    pub ids: DirectoryIds,
    /// Whence the partner itself was restored or cloned.
    pub origin: Option<Origin>,
    /// Head of the audit log's chain, when something is sealed.
    pub chain: Option<serde_json::Value>,
    /// Tables and columns that an archive never contains.
    pub left_out: Vec<String>,
    pub files: Vec<ManifestFile>,
    /// Names of objects (`<token>/<size>.webp`) that rows refer to and that were not in the store, or were no
    /// pictures.
    pub missing_objects: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, FromQueryResult)]
pub struct ManifestPartner {
    pub id: Uuid,
    pub name: String,
    /// `live`, `sandbox` or `demo`.
    pub mode: String,
    /// The least characters of a password.
    pub password_min_length: i32,
    /// Minutes without use after which a session ends; none without a limit.
    pub idle_minutes: Option<i32>,
}

/// Ids of which there may be only one of each on an installation.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct DirectoryIds {
    pub groups: Vec<Uuid>,
    pub restaurants: Vec<Uuid>,
    pub admins: Vec<Uuid>,
    pub api_keys: Vec<Uuid>,
}

/// Whence a partner was restored or cloned.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Origin {
    pub partner: Uuid,
    pub installation: String,
    /// The archive's instant.
    pub exported_at: DateTime<Utc>,
    /// What was made again because the ids changed.
    pub renewed: Vec<String>,
    /// Which id became which; empty when ids were kept.
    pub ids: BTreeMap<Uuid, Uuid>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ManifestFile {
    /// `tables/<table>.copy` (text format of COPY), `directory/<table>.jsonl` or `objects.tar`
    /// (`<token>/<size>.webp`, in the order of their names).
    pub path: String,
    /// The columns of a table, in the order of the file.
    pub columns: Vec<String>,
    /// Lines; of `objects.tar`, objects.
    pub rows: u64,
    /// Bytes unpacked.
    pub bytes: u64,
    /// SHA-256 of the unpacked bytes, in hexadecimal digits.
    pub sha256: String,
}

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of the file.
    pub packed: u64,
    /// Bytes of all its files unpacked.
    pub unpacked: u64,
    /// How many times larger it may be unpacked than packed.
    pub ratio: u64,
    /// Files: each takes about half a kilobyte of memory while an archive is read.
    pub entries: usize,
    /// Pictures: each takes sixteen bytes of memory while an archive is read.
    pub pictures: usize,
    /// Bytes of one object.
    pub object: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            packed: 10_000_000_000,
            unpacked: 20_000_000_000,
            ratio: 200,
            entries: 1_000,
            pictures: 100_000,
            object: 10_000_000,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveFault {
    /// It is not whole, or not an archive of ours.
    #[error("the archive is not whole: {0}")]
    Broken(String),
    /// It holds a file that its manifest does not name, or one with a foreign path.
    #[error("the archive holds a foreign file: {0}")]
    Foreign(String),
    #[error("the archive is larger than is allowed")]
    TooLarge,
    #[error("the archive is of another version: {0}")]
    Version(String),
}

pub(crate) fn broken(error: impl fmt::Display) -> ArchiveFault {
    ArchiveFault::Broken(error.to_string())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads an archive from its beginning to its end and refuses one that is broken, too large, of another
/// version than `version`, or that holds anything which its manifest does not name.
pub fn verify(archive: &Path, version: &str, limits: Limits) -> Result<Manifest, ArchiveFault> {
    let file = File::open(archive).map_err(broken)?;
    let packed = file.metadata().map_err(broken)?.len();
    if packed > limits.packed {
        return Err(ArchiveFault::TooLarge);
    }
    zip_end::check(&file, limits)?;
    let mut zip = ZipArchive::new(file).map_err(broken)?;
    let manifest = read_manifest(&mut zip)?;
    if manifest.format != FORMAT {
        return Err(ArchiveFault::Version(format!("format {}", manifest.format)));
    }
    if manifest.schema_version != version {
        return Err(ArchiveFault::Version(manifest.schema_version.clone()));
    }
    let names: BTreeSet<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
    if names.len() != manifest.files.len() {
        return Err(ArchiveFault::Broken("a file is named twice".to_owned()));
    }
    for name in zip.file_names() {
        let name = &*name.map_err(broken)?;
        if name != MANIFEST && !(names.contains(name) && is_ours(name)) {
            return Err(ArchiveFault::Foreign(name.chars().take(100).collect()));
        }
    }
    if zip.len() != names.len() + 1 {
        return Err(ArchiveFault::Broken("files are missing or there twice".to_owned()));
    }
    let Some(objects) = manifest.files.iter().find(|file| file.path == bundle::PATH) else {
        return Err(ArchiveFault::Broken(format!("there is no {}", bundle::PATH)));
    };
    let declared = manifest.files.iter().map(|file| file.bytes).fold(0_u64, u64::saturating_add);
    if declared > limits.unpacked || declared > packed.saturating_mul(limits.ratio).max(10_000_000) {
        return Err(ArchiveFault::TooLarge);
    }
    let mut tokens = Tokens::at_most(limits.pictures);
    for file in manifest.files.iter().filter(|file| file.path != bundle::PATH) {
        check_file(&mut zip, file, &mut tokens)?;
    }
    bundle::check(&mut zip, objects, &tokens, &manifest.missing_objects, limits)?;
    Ok(manifest)
}

fn read_manifest(zip: &mut ZipArchive<File>) -> Result<Manifest, ArchiveFault> {
    let entry = zip.by_name(MANIFEST).map_err(|_| ArchiveFault::Broken("there is no manifest".to_owned()))?;
    let mut text = Vec::new();
    entry.take(LARGEST_MANIFEST + 1).read_to_end(&mut text).map_err(broken)?;
    if text.len() as u64 > LARGEST_MANIFEST {
        return Err(ArchiveFault::TooLarge);
    }
    // Its version is looked at first: a manifest of another version may have another shape.
    let unreadable = |_| ArchiveFault::Broken("the manifest cannot be read".to_owned());
    let ManifestFormat { format } = serde_json::from_slice(&text).map_err(unreadable)?;
    if let Some(format) = format.filter(|format| *format != i64::from(FORMAT)) {
        return Err(ArchiveFault::Version(format!("format {format}")));
    }
    serde_json::from_slice(&text).map_err(unreadable)
}

/// The field that every version of the manifest has.
#[derive(Deserialize)]
struct ManifestFormat {
    format: Option<i64>,
}

/// `tables/<table>.copy` with the name of a table, one of the directory's files, or the objects; nothing with
/// `..`, `/` or another root.
fn is_ours(path: &str) -> bool {
    let plain = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    if let Some(table) = path.strip_prefix("tables/").and_then(|rest| rest.strip_suffix(".copy")) {
        return plain(table);
    }
    path.strip_prefix("directory/")
        .and_then(|rest| rest.strip_suffix(".jsonl"))
        .is_some_and(|name| DIRECTORY.contains(&name))
        || path == bundle::PATH
}

fn check_file(
    zip: &mut ZipArchive<File>, file: &ManifestFile, tokens: &mut Tokens,
) -> Result<(), ArchiveFault> {
    let named = tokens.begin(file);
    let mut rows = 0_u64;
    let (bytes, hash) = read(zip, &file.path, file.bytes, |piece| {
        rows += piece.iter().filter(|byte| **byte == b'\n').count() as u64;
        if named { tokens.pass(piece) } else { Ok(()) }
    })?;
    if bytes != file.bytes || rows != file.rows || hash != file.sha256 {
        return Err(ArchiveFault::Broken(format!("{} does not fit its checksum", file.path)));
    }
    Ok(())
}

/// Reads a file, at most one byte more than it is said to have; its length and checksum.
fn read(
    zip: &mut ZipArchive<File>, path: &str, bytes: u64,
    mut each: impl FnMut(&[u8]) -> Result<(), ArchiveFault>,
) -> Result<(u64, String), ArchiveFault> {
    let mut entry = zip.by_name(path).map_err(broken)?.take(bytes.saturating_add(1));
    let (mut hash, mut total) = (Sha256::new(), 0_u64);
    let mut buffer = [0_u8; 64 * 1024];
    loop {
        let read =
            entry.read(&mut buffer).map_err(|error| ArchiveFault::Broken(format!("{path}: {error}")))?;
        if read == 0 {
            return Ok((total, hex(&hash.finalize())));
        }
        total += read as u64;
        hash.update(&buffer[..read]);
        each(&buffer[..read])?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_paths_are_taken() {
        for (path, good) in [
            ("tables/orders.copy", true),
            ("directory/admin.jsonl", true),
            ("directory/account.jsonl", false),
            ("tables/../orders.copy", false),
            ("tables/a/b.copy", false),
            ("/tables/orders.copy", false),
            ("tables/orders.copy.sh", false),
            ("tables/Orders.copy", false),
            ("tables/.copy", false),
            ("..\\orders.copy", false),
            ("", false),
            ("objects.tar", true),
            ("objects.tar/", false),
            ("objects/0123456789abcdef0123456789abcdef/small.webp", false),
        ] {
            assert_eq!(is_ours(path), good, "{path}");
        }
    }
}
