//! Writing an archive: a thread of its own takes what is sent and knows at the end what there was.

use std::{
    fmt::Display,
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::archive::{MANIFEST, Manifest, ManifestFile, ManifestObject, hex};

/// What the thread that writes an archive is told.
pub(crate) enum Part {
    /// A file begins: path and columns.
    File(String, Vec<String>),
    /// An object begins: path.
    Object(String),
    /// Some bytes of the one that has begun; of a file, whole lines.
    Bytes(Vec<u8>),
    /// Everything was sent: the manifest, without its files and objects.
    End(Box<Manifest>),
}

/// What is being written.
struct Open {
    path: String,
    /// Of a table; none of an object.
    columns: Option<Vec<String>>,
    hash: Sha256,
    bytes: u64,
    rows: u64,
}

/// What was written.
#[derive(Default)]
struct Written {
    open: Option<Open>,
    files: Vec<ManifestFile>,
    objects: Vec<ManifestObject>,
}

impl Written {
    fn begin(&mut self, path: String, columns: Option<Vec<String>>) {
        self.close();
        self.open = Some(Open { path, columns, hash: Sha256::new(), bytes: 0, rows: 0 });
    }

    fn close(&mut self) {
        let Some(Open { path, columns, hash, bytes, rows }) = self.open.take() else { return };
        let sha256 = hex(&hash.finalize());
        match columns {
            Some(columns) => self.files.push(ManifestFile { path, columns, rows, bytes, sha256 }),
            None => self.objects.push(ManifestObject { path, bytes, sha256 }),
        }
    }

    fn add(&mut self, bytes: &[u8]) {
        if let Some(open) = &mut self.open {
            open.hash.update(bytes);
            open.bytes += bytes.len() as u64;
            if open.columns.is_some() {
                open.rows += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            }
        }
    }
}

/// Writes an archive from what comes through the channel; runs on a thread of its own. A channel that closes before the
/// end leaves no archive.
pub(crate) fn write(to: &Path, mut parts: mpsc::Receiver<Part>) -> Result<u64, String> {
    let said = |error: &dyn Display| format!("the archive cannot be written: {error}");
    let mut zip = ZipWriter::new(File::create(to).map_err(|error| said(&error))?);
    let texts = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).compression_level(Some(3)).large_file(true);
    // Pictures are packed already.
    let pictures = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut written = Written::default();
    while let Some(part) = parts.blocking_recv() {
        match part {
            Part::Bytes(bytes) => {
                written.add(&bytes);
                zip.write_all(&bytes).map_err(|error| said(&error))?;
            }
            Part::File(path, columns) => {
                zip.start_file(path.as_str(), texts).map_err(|error| said(&error))?;
                written.begin(path, Some(columns));
            }
            Part::Object(path) => {
                zip.start_file(path.as_str(), pictures).map_err(|error| said(&error))?;
                written.begin(path, None);
            }
            Part::End(mut manifest) => {
                written.close();
                (manifest.files, manifest.objects) = (written.files, written.objects);
                zip.start_file(MANIFEST, texts).map_err(|error| said(&error))?;
                // Piece by piece: with many objects it is long.
                let mut text = BufWriter::with_capacity(64 * 1024, &mut zip);
                serde_json::to_writer_pretty(&mut text, &manifest).map_err(|error| said(&error))?;
                text.flush().map_err(|error| said(&error))?;
                drop(text);
                let file = zip.finish().map_err(|error| said(&error))?;
                file.sync_all().map_err(|error| said(&error))?;
                return file.metadata().map(|data| data.len()).map_err(|error| said(&error));
            }
        }
    }
    drop(zip);
    let _ = std::fs::remove_file(to);
    Err("the export was cut short".to_owned())
}
