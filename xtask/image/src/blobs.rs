//! The parts of an image by their digests, and the archive of them (OCI image layout 1.0).

use std::{collections::BTreeMap, fs, io::Write, path::Path};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Result, about, layer::Layer};

/// Media types.
pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
pub const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
pub const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// Where a digest's bytes lie in the layout.
pub const FOLDER: &str = "blobs/sha256/";

/// How a part is named by another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    pub media_type: String,
    pub digest: String,
    pub size: u64,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

/// `sha256:` and the digits.
pub fn digest(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    sum.iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

/// Compressed as gzip does, from 1 (fast) to 9 (small).
///
/// The time, the name and the system are left out of the header. The compressor is called directly: which one
/// `flate2` uses follows from what else is built beside it, and one that looks for the processor's
/// instructions gives other bytes on another machine.
pub fn gzip(bytes: &[u8], level: u8) -> Vec<u8> {
    const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut out = HEADER.to_vec();
    out.extend(miniz_oxide::deflate::compress_to_vec(bytes, level));
    out.extend(crc32fast::hash(bytes).to_le_bytes());
    // The format has the length modulo 2^32.
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

/// The parts that were made, by digest.
#[derive(Default)]
pub struct Blobs(BTreeMap<String, Vec<u8>>);

impl Blobs {
    /// Takes a part.
    pub fn add(&mut self, media_type: &str, bytes: Vec<u8>) -> Descriptor {
        let digest = digest(&bytes);
        let one = Descriptor {
            media_type: media_type.to_owned(),
            digest: digest.clone(),
            size: bytes.len() as u64,
            annotations: BTreeMap::new(),
        };
        self.0.insert(digest, bytes);
        one
    }

    /// All of them together, in bytes.
    pub fn size(&self) -> u64 {
        self.0.values().map(|bytes| bytes.len() as u64).sum()
    }

    /// Writes the layout as a folder, anew, and the same as an archive beside it.
    pub fn write(self, index: Vec<u8>, folder: &Path, archive: &Path, time: u64) -> Result<()> {
        let mut layout = Layer::default();
        layout.file("oci-layout", 0o644, r#"{"imageLayoutVersion":"1.0.0"}"#);
        layout.file("index.json", 0o644, index);
        for (digest, bytes) in self.0 {
            layout.file(&format!("{FOLDER}{}", digest.trim_start_matches("sha256:")), 0o644, bytes);
        }
        let bytes = layout.archive(time)?;
        fs::File::create(archive).and_then(|mut file| file.write_all(&bytes)).map_err(about(archive))?;
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).map_err(about(folder))?;
        tar::Archive::new(bytes.as_slice()).unpack(folder).map_err(about(folder))
    }
}
