//! The shared libraries of a binary, as this machine's loader finds them, and which packages they are from.

use std::{fs, path::Path, process::Command};

use crate::{Result, about};

pub struct Library {
    /// Where the loader looks for it, without the leading slash.
    pub path: String,
    pub bytes: Vec<u8>,
    /// Where it comes from; none on a system without Debian's packages.
    pub package: Option<Package>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    pub name: String,
    pub version: String,
    pub architecture: String,
}

/// What the binary needs, sorted by path; the loader is among it.
pub fn of(binary: &Path) -> Result<Vec<Library>> {
    let output = Command::new("ldd")
        .arg(binary)
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("LD_PRELOAD")
        .env("LC_ALL", "C")
        .output()
        .map_err(|error| format!("ldd: {error}; it comes with the C library."))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("ldd {}: {}{text}", binary.display(), String::from_utf8_lossy(&output.stderr)));
    }
    let mut libraries = paths(&text)?.into_iter().map(|path| read(&path)).collect::<Result<Vec<_>>>()?;
    libraries.sort_by(|one, other| one.path.cmp(&other.path));
    // Before glibc 2.34 this was a library of its own, loaded when a name is looked for.
    const ASKS_NAME_SERVERS: &[u8] = b"_nss_dns_gethostbyname4_r";
    let found = |library: &Library| {
        library.bytes.windows(ASKS_NAME_SERVERS.len()).any(|window| window == ASKS_NAME_SERVERS)
    };
    if libraries.iter().any(found) {
        Ok(libraries)
    } else {
        Err("The image needs glibc 2.34 or newer, which looks names up by itself (Debian 12).".into())
    }
}

/// The paths in the output of ldd: `name => path (address)`, or the path of the loader alone. What the kernel
/// adds has no path.
pub fn paths(text: &str) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for line in text.lines().map(str::trim) {
        let (name, found) = line.split_once(" => ").unwrap_or(("", line));
        if found == "not found" {
            return Err(format!("The binary needs {name}, which this machine does not have."));
        }
        let path = found.split(" (").next().unwrap_or_default();
        if path.starts_with('/') {
            paths.push(path.to_owned());
        }
    }
    if paths.is_empty() { Err(format!("ldd names no library:\n{text}")) } else { Ok(paths) }
}

fn read(path: &str) -> Result<Library> {
    Ok(Library {
        path: path.trim_start_matches('/').to_owned(),
        bytes: fs::read(path).map_err(about(Path::new(path)))?,
        package: owner(path),
    })
}

/// The package of a file. With merged folders the package's list has another name of it than the loader.
fn owner(path: &str) -> Option<Package> {
    let real = fs::canonicalize(path).ok()?.display().to_string();
    let short = real.strip_prefix("/usr").unwrap_or(&real).to_owned();
    let name = [path.to_owned(), real, short].into_iter().find_map(|path| {
        let found = asked("dpkg-query", &["--search", &path])?;
        Some(found.lines().next()?.split_once(": ")?.0.to_owned())
    })?;
    let found =
        asked("dpkg-query", &["--show", "--showformat", "${Package}\t${Version}\t${Architecture}", &name])?;
    let mut parts = found.split('\t').map(str::to_owned);
    Some(Package { name: parts.next()?, version: parts.next()?, architecture: parts.next()? })
}

/// What a program says; none when it does not succeed or is not there.
pub fn asked(program: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(program).args(words).env("LC_ALL", "C").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
