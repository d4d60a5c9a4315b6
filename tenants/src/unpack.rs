//! Reads the files of a checked archive.

use std::{collections::BTreeMap, fs::File, io::Read, path::Path};

use tokio::sync::mpsc;
use uuid::Uuid;
use zip::ZipArchive;

use crate::{
    archive::{ArchiveFault, broken},
    id_replacer::IdReplacer,
};

/// Sends a file of an archive piece by piece, with ids replaced; runs on a thread of its own.
pub(crate) fn send(
    archive: &Path, path: &str, ids: &BTreeMap<Uuid, Uuid>, to: &mpsc::Sender<Vec<u8>>,
) -> Result<(), ArchiveFault> {
    let mut zip = ZipArchive::new(File::open(archive).map_err(broken)?).map_err(broken)?;
    let mut entry = zip.by_name(path).map_err(broken)?;
    let mut exchange = IdReplacer::new(ids);
    let mut buffer = vec![0_u8; 256 * 1024];
    loop {
        let read = entry.read(&mut buffer).map_err(broken)?;
        let piece = if read == 0 { exchange.rest() } else { exchange.pass(&buffer[..read]) };
        if !piece.is_empty() && to.blocking_send(piece).is_err() {
            return Ok(()); // Nobody wants the rest: the reader has said why.
        }
        if read == 0 {
            return Ok(());
        }
    }
}
