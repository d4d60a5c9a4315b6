//! Paths: the checkout, downloaded tools, the data of the local installation.

use std::{
    fs::{self, File},
    hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState},
    io::{Read, Write},
    iter,
    net::TcpListener,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use crate::{Result, postgres, sys};

pub struct Project {
    /// Folder of the workspace's Cargo.toml.
    pub root: PathBuf,
}

impl Project {
    /// The checkout this program belongs to: what cargo says at run time, else where it was built.
    pub fn find() -> Self {
        let own = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        Self { root: own.parent().map(Path::to_path_buf).unwrap_or(own) }
    }

    pub fn ui(&self) -> PathBuf {
        self.root.join("admin-ui")
    }

    /// Tools fetched once (a current Node, Postgres binaries); ignored by git and kept by `--reset`.
    pub fn tools(&self) -> PathBuf {
        self.root.join(".pult/tools")
    }

    /// Folder for notes about what is already built.
    pub fn stamps(&self) -> PathBuf {
        self.target().join("xtask")
    }

    /// Cargo's output folder.
    pub fn target(&self) -> PathBuf {
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.root.join("target"), PathBuf::from)
    }

    /// Whether the service was compiled here so that the next compilation can go on from it.
    pub fn has_incremental_state(&self) -> bool {
        let entries = std::fs::read_dir(self.target().join("debug/incremental"));
        entries.is_ok_and(|entries| {
            entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("server-"))
        })
    }

    pub fn binary(&self, name: &str, release: bool) -> PathBuf {
        self.target().join(if release { "release" } else { "debug" }).join(name)
    }

    /// The folder for the data of `cargo xtask up`, made if need be, and a sentence when it is not the usual
    /// one.
    pub fn data(&self) -> Result<(PathBuf, Option<String>)> {
        let usual = self.root.join(".pult/data");
        make_folder(&usual)?;
        if !sys::is_root() || postgres::can_enter(&usual) {
            return Ok((usual, None));
        }
        let _ = fs::remove_dir(&usual); // only if empty
        let mut hasher = DefaultHasher::new();
        self.root.hash(&mut hasher);
        let name = self.root.file_name().unwrap_or_default().to_string_lossy();
        let other = PathBuf::from(format!("/var/lib/pult/{name}-{:08x}", hasher.finish() as u32));
        make_folder(&other)?;
        let why = format!(
            "The checkout is closed to other users and Postgres does not run as root, so the data lie in {}",
            other.display()
        );
        Ok((other, Some(why)))
    }
}

/// Makes a folder that everybody may enter, with its parents.
pub fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)
        .and_then(|()| fs::set_permissions(folder, fs::Permissions::from_mode(0o755)))
        .map_err(|error| {
            format!("{} cannot be used: {error}. Make it writable, or move it away.", folder.display())
        })
}

/// Holds a data folder for one xtask at a time.
pub struct Lock(#[allow(dead_code)] File);

impl Lock {
    /// Takes the lock of `data`; it ends with this process.
    pub fn take(data: &Path) -> Result<Self> {
        let path = data.join("lock");
        let mut file =
            File::options().create(true).truncate(false).read(true).write(true).open(&path).map_err(
                |error| {
                    format!("{} cannot be used: {error}. Make it writable, or move it away.", data.display())
                },
            )?;
        if file.try_lock().is_err() {
            let mut owner = String::new();
            let _ = file.read_to_string(&mut owner);
            return Err(format!(
                "`cargo xtask up` is already running here (process {}); stop it first with Ctrl+C.",
                owner.trim()
            ));
        }
        let _ = file.set_len(0);
        let _ = writeln!(file, "{}", std::process::id());
        Ok(Self(file))
    }
}

/// A text kept in a file that only its owner may read; made by `make` when it is not there yet.
pub fn secret(path: &Path, make: impl FnOnce() -> Result<String>) -> Result<String> {
    if let Ok(text) = fs::read_to_string(path)
        && !text.trim().is_empty()
    {
        return Ok(text.trim().to_owned());
    }
    let text = make()?;
    let _ = fs::remove_file(path);
    File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| format!("{} cannot be written: {error}.", path.display()))?;
    Ok(text)
}

/// `bytes` random bytes as hexadecimal digits.
pub fn random_hex(bytes: usize) -> Result<String> {
    let mut random = vec![0u8; bytes];
    File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut random))
        .map_err(|error| format!("The system gives no random numbers: {error}."))?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether nobody listens on this port of the loopback address.
pub fn port_is_free(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_ok()
}

/// A free port, the one remembered under `name` in `folder` if it still is.
pub fn remembered_port(folder: &Path, name: &str) -> Result<u16> {
    let file = folder.join(format!("{name}.port"));
    if let Some(port) = fs::read_to_string(&file).ok().and_then(|text| text.trim().parse().ok())
        && port_is_free(port)
    {
        return Ok(port);
    }
    let port = free_port()?;
    fs::write(&file, port.to_string())
        .map_err(|error| format!("{} cannot be written: {error}.", file.display()))?;
    Ok(port)
}

/// A port that is free now, below those that the system gives to outgoing connections: none of these takes it
/// before it is used.
pub fn free_port() -> Result<u16> {
    let mut any =
        iter::repeat_with(|| 20_000 + (RandomState::new().build_hasher().finish() % 12_000) as u16).take(100);
    any.find(|port| port_is_free(*port)).ok_or_else(|| "No port is free.".to_owned())
}
