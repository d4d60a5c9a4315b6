//! The bill of materials of each half, as CycloneDX 1.6.

use serde_json::{Value, json};

use crate::{
    crates::{self, Metadata},
    packages,
};

fn bom(name: &str, version: &str, mut components: Vec<Value>) -> Value {
    components.sort_by_key(|one| one["purl"].to_string());
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": name, "version": version, "bom-ref": name}},
        "components": components,
    })
}

fn component(name: &str, version: &str, purl: &str, licence: Option<&str>, hash: Option<Value>) -> Value {
    let mut one = json!({"type": "library", "name": name, "version": version, "purl": purl, "bom-ref": purl});
    if let Some(licence) = licence {
        one["licenses"] =
            json!([{"expression": licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")}]);
    }
    if let Some(hash) = hash {
        one["hashes"] = json!([hash]);
    }
    one
}

/// The service: what is built into the binary `pult`, and what builds it.
pub fn service(metadata: &Metadata, lock: &crates::Lock) -> Value {
    let built = crates::built_into(metadata, "server");
    let version = built.iter().find(|one| one.name == "server").map_or("", |one| &one.version);
    let components = built.iter().filter(|one| one.source.is_some()).map(|one| {
        let locked =
            lock.package.iter().find(|locked| locked.name == one.name && locked.version == one.version);
        let hash = locked
            .and_then(|locked| locked.checksum.as_ref())
            .map(|hash| json!({"alg": "SHA-256", "content": hash}));
        component(
            &one.name,
            &one.version,
            &format!("pkg:cargo/{}@{}", one.name, one.version),
            one.license.as_deref(),
            hash,
        )
    });
    bom("pult", version, components.collect())
}

/// The interface: what is delivered to browsers.
pub fn interface(lock: &packages::Lock) -> Value {
    let own = lock.packages.get("");
    let version = own.and_then(|own| own.version.as_deref()).unwrap_or_default();
    let mut components: Vec<Value> = Vec::new();
    for (name, entry) in lock.all().filter(|(_, entry)| !entry.dev) {
        let version = entry.version.as_deref().unwrap_or_default();
        let purl = format!("pkg:npm/{}@{version}", name.replacen('@', "%40", 1));
        if !components.iter().any(|one| one["purl"] == *purl) {
            components.push(component(name, version, &purl, entry.license.as_deref(), None));
        }
    }
    bom("pult-admin-ui", version, components)
}
