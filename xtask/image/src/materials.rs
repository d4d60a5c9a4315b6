//! The materials of the image, as CycloneDX 1.6: crates, packages of the interface, libraries of the system, the
//! list of authorities, and Rust's own library.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Value, json};

use crate::{
    Result, about, blobs,
    libraries::{self, Library},
};

/// The lists that `supply` has written, and what it does not know of. The same inputs give the same bytes.
pub fn list(folder: &Path, lock: &str, libraries: &[Library], version: &str, time: &str) -> Result<Vec<u8>> {
    let mut parts: BTreeMap<String, Value> = BTreeMap::new();
    for name in ["service", "interface"] {
        let path = folder.join(format!("{name}.cdx.json"));
        let text = fs::read(&path).map_err(about(&path))?;
        let list: Value =
            serde_json::from_slice(&text).map_err(|error| format!("{}: {error}.", path.display()))?;
        let Some(found) = list["components"].as_array().filter(|found| !found.is_empty()) else {
            return Err(format!("{} lists nothing.", path.display()));
        };
        parts.extend(found.iter().map(|one| (reference(one), one.clone())));
    }
    parts.extend(libraries.iter().map(of_system).map(|one| (reference(&one), one)));
    let roots = "webpki-root-certs";
    let version_of_roots = locked(lock, roots).ok_or_else(|| format!("Cargo.lock does not have {roots}."))?;
    let purl = format!("pkg:cargo/{roots}@{version_of_roots}");
    parts.insert(
        purl.clone(),
        json!({"type": "data", "name": roots, "version": version_of_roots, "purl": purl, "bom-ref": purl,
            "licenses": [{"expression": "CDLA-Permissive-2.0"}]}),
    );
    let rust = libraries::asked("rustc", &["--version"]).unwrap_or_default();
    let rust = rust.split_whitespace().nth(1).unwrap_or("unknown");
    let purl = format!("pkg:generic/rust-std@{rust}");
    parts.insert(
        purl.clone(),
        json!({"type": "library", "name": "rust-std", "version": rust, "purl": purl, "bom-ref": purl,
            "licenses": [{"expression": "MIT OR Apache-2.0"}]}),
    );
    let list = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time,
            "component": {"type": "container", "name": "pult", "version": version, "bom-ref": "pult"},
        },
        "components": parts.into_values().collect::<Vec<_>>(),
    });
    serde_json::to_vec(&sorted(list)).map_err(|error| error.to_string())
}

fn reference(one: &Value) -> String {
    one["bom-ref"].as_str().unwrap_or_default().to_owned()
}

fn of_system(library: &Library) -> Value {
    let hashes = json!([{
        "alg": "SHA-256",
        "content": blobs::digest(&library.bytes).trim_start_matches("sha256:"),
    }]);
    let Some(package) = &library.package else {
        return json!({"type": "file", "name": library.path, "bom-ref": library.path, "hashes": hashes});
    };
    let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let of_system = |name: &str| {
        let line = system.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim_matches('"').to_owned()
    };
    let (id, release) = (of_system("ID="), of_system("VERSION_ID="));
    let version = package.version.replace('+', "%2B").replace(':', "%3A");
    let purl = format!(
        "pkg:deb/{id}/{}@{version}?arch={}&distro={id}-{release}",
        package.name, package.architecture
    );
    json!({
        "type": "library", "name": package.name, "version": package.version, "purl": purl,
        "bom-ref": format!("{purl}#{}", library.path), "hashes": hashes,
        "properties": [{"name": "path", "value": format!("/{}", library.path)}],
    })
}

/// The version of a crate in the text of `Cargo.lock`.
pub fn locked<'l>(lock: &'l str, name: &str) -> Option<&'l str> {
    let (_, after) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    after.split('"').next()
}

/// With the members of objects in order: whether serde_json keeps theirs follows from what else is built.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<String, Value> = members.into_iter().collect();
            Value::Object(members.into_iter().map(|(name, value)| (name, sorted(value))).collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(sorted).collect()),
        other => other,
    }
}
