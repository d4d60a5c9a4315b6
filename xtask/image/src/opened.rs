//! Reads an image as those do who run it: every part by its digest.

use std::{
    collections::BTreeMap,
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use miniz_oxide::inflate::decompress_to_vec;
use serde::Deserialize;
use serde_json::Value;
use tar::Archive;

use crate::{
    Result, about,
    blobs::{self, Descriptor},
};

/// An image that was read and is what its digests say.
pub struct Opened {
    pub start: Start,
    pub labels: BTreeMap<String, String>,
    layers: Vec<Vec<u8>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Start {
    pub user: String,
    pub env: Vec<String>,
    pub entrypoint: Vec<String>,
    pub cmd: Vec<String>,
    pub volumes: BTreeMap<String, Value>,
    labels: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Index {
    manifests: Vec<Descriptor>,
}

#[derive(Deserialize)]
struct Manifest {
    config: Descriptor,
    layers: Vec<Descriptor>,
}

#[derive(Deserialize)]
struct Config {
    config: Start,
    rootfs: Layers,
}

#[derive(Deserialize)]
struct Layers {
    diff_ids: Vec<String>,
}

/// The only archive of the folder.
pub fn archive_in(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).map_err(about(folder))?.flatten().map(|entry| entry.path());
    let found: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "tar")).collect();
    match <[PathBuf; 1]>::try_from(found) {
        Ok([one]) => Ok(one),
        Err(found) => Err(format!("{} has {} images.", folder.display(), found.len())),
    }
}

impl Opened {
    pub fn read(archive: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        let file = fs::File::open(archive).map_err(about(archive))?;
        for entry in Archive::new(file).entries().map_err(about(archive))? {
            let mut entry = entry.map_err(about(archive))?;
            let path = entry.path().map_err(about(archive))?.display().to_string();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(about(archive))?;
            files.insert(path, bytes);
        }
        let part = |one: &Descriptor| -> Result<Vec<u8>> {
            let path = format!("{}{}", blobs::FOLDER, one.digest.trim_start_matches("sha256:"));
            let bytes = files.get(&path).ok_or_else(|| format!("{path} is missing."))?;
            if blobs::digest(bytes) != one.digest || bytes.len() as u64 != one.size {
                return Err(format!("{path} is not what its name says."));
            }
            Ok(bytes.clone())
        };
        let index: Index = read(files.get("index.json").map_or(&[], Vec::as_slice), "index.json")?;
        let [manifest] = <[Descriptor; 1]>::try_from(index.manifests)
            .map_err(|found| format!("The archive has {} images.", found.len()))?;
        let manifest: Manifest = read(&part(&manifest)?, "the manifest")?;
        let config: Config = read(&part(&manifest.config)?, "the configuration")?;
        let layers = manifest.layers.iter().map(|one| unzipped(&part(one)?)).collect::<Result<Vec<_>>>()?;
        let ids: Vec<String> = layers.iter().map(|layer| blobs::digest(layer)).collect();
        if ids != config.rootfs.diff_ids {
            return Err("The layers are not those that the configuration names.".into());
        }
        Ok(Self { labels: config.config.labels.clone(), start: config.config, layers })
    }

    /// An image of layers alone.
    #[cfg(test)]
    pub fn of_layers(layers: Vec<Vec<u8>>) -> Self {
        let start = serde_json::json!({
            "User": "", "Env": [], "Entrypoint": [], "Cmd": [], "Volumes": {}, "Labels": {},
        });
        let start: Start = serde_json::from_value(start).unwrap_or_else(|error| panic!("{error}"));
        Self { labels: start.labels.clone(), start, layers }
    }

    /// Unpacks the layers into a new folder: as root with their owners.
    pub fn unpack(&self, folder: &Path, with_owners: bool) -> Result<()> {
        fs::create_dir_all(folder).map_err(about(folder))?;
        for layer in &self.layers {
            for entry in Archive::new(layer.as_slice()).entries().map_err(about(folder))? {
                let entry = entry.map_err(about(folder))?;
                let mode = entry.header().mode().map_err(about(folder))?;
                let path = entry.path().map_err(about(folder))?.display().to_string();
                if mode & 0o6000 != 0 || (mode & 0o002 != 0 && path.trim_end_matches('/') != "tmp") {
                    return Err(format!("{path} in the image has the mode {mode:o}."));
                }
            }
            let mut archive = Archive::new(layer.as_slice());
            archive.set_preserve_permissions(true);
            archive.set_preserve_ownerships(with_owners);
            archive.unpack(folder).map_err(about(folder))?;
        }
        Ok(())
    }
}

fn read<'t, T: Deserialize<'t>>(text: &'t [u8], name: &str) -> Result<T> {
    serde_json::from_slice(text).map_err(|error| format!("{name}: {error}."))
}

/// What `blobs::gzip` has compressed.
pub fn unzipped(bytes: &[u8]) -> Result<Vec<u8>> {
    let inner = bytes.get(10..bytes.len().saturating_sub(8)).unwrap_or_default();
    let out = decompress_to_vec(inner).map_err(|error| format!("A layer cannot be unpacked: {error}."))?;
    let sum = crc32fast::hash(&out).to_le_bytes();
    if bytes.get(bytes.len() - 8..bytes.len() - 4) == Some(&sum) {
        Ok(out)
    } else {
        Err("A layer is damaged.".into())
    }
}
