//! Writes an archive on a thread of its own, and counts what was written.

use std::{
    fmt::Display,
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::{
    archive::{MANIFEST, Manifest, ManifestFile, hex},
    bundle,
};

/// Messages to the thread that writes an archive.
pub(crate) enum Part {
    /// A file begins: path and columns.
    File(String, Vec<String>),
    /// An object begins, in the file of the objects: the block before it.
    Object(Vec<u8>),
    /// Some bytes of the file that has begun.
    Bytes(Vec<u8>),
    /// Everything was sent: the manifest, without its files.
    End(Box<Manifest>),
}

/// The state of the writer.
struct Open {
    path: String,
    columns: Vec<String>,
    hash: Sha256,
    bytes: u64,
    rows: u64,
}

#[derive(Default)]
struct Written {
    open: Option<Open>,
    files: Vec<ManifestFile>,
}

impl Written {
    fn begin(&mut self, path: String, columns: Vec<String>) {
        self.close();
        self.open = Some(Open { path, columns, hash: Sha256::new(), bytes: 0, rows: 0 });
    }

    fn close(&mut self) {
        let Some(Open { path, columns, hash, bytes, rows }) = self.open.take() else { return };
        let sha256 = hex(&hash.finalize());
        self.files.push(ManifestFile { path, columns, rows, bytes, sha256 });
    }

    /// Some bytes; with `object`, those with which an object begins.
    fn add(&mut self, bytes: &[u8], object: bool) {
        if let Some(open) = &mut self.open {
            open.hash.update(bytes);
            open.bytes += bytes.len() as u64;
            let lines = || bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            open.rows += if open.path == bundle::PATH { u64::from(object) } else { lines() };
        }
    }
}

/// Writes an archive from what comes through the channel; runs on a thread of its own. A channel that closes
/// before the end leaves no archive.
pub(crate) fn write(to: &Path, mut parts: mpsc::Receiver<Part>) -> Result<u64, String> {
    let failure = |error: &dyn Display| format!("the archive cannot be written: {error}");
    let mut zip = ZipWriter::new(File::create(to).map_err(|error| failure(&error))?);
    let texts = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(3))
        .large_file(true);
    // Pictures are packed already.
    let pictures =
        SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    let mut written = Written::default();
    while let Some(part) = parts.blocking_recv() {
        match part {
            Part::Bytes(bytes) => {
                written.add(&bytes, false);
                zip.write_all(&bytes).map_err(|error| failure(&error))?;
            }
            Part::Object(head) => {
                written.add(&head, true);
                zip.write_all(&head).map_err(|error| failure(&error))?;
            }
            Part::File(path, columns) => {
                let options = if path == bundle::PATH { pictures } else { texts };
                zip.start_file(path.as_str(), options).map_err(|error| failure(&error))?;
                written.begin(path, columns);
            }
            Part::End(mut manifest) => {
                written.close();
                manifest.files = written.files;
                zip.start_file(MANIFEST, texts).map_err(|error| failure(&error))?;
                // Piece by piece: with many objects missing it is long.
                let mut text = BufWriter::with_capacity(64 * 1024, &mut zip);
                serde_json::to_writer_pretty(&mut text, &manifest).map_err(|error| failure(&error))?;
                text.flush().map_err(|error| failure(&error))?;
                drop(text);
                let file = zip.finish().map_err(|error| failure(&error))?;
                file.sync_all().map_err(|error| failure(&error))?;
                return file.metadata().map(|data| data.len()).map_err(|error| failure(&error));
            }
        }
    }
    drop(zip);
    let _ = std::fs::remove_file(to);
    Err("the export was cut short".to_owned())
}
