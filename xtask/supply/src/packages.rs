//! The packages of the interface, from `package-lock.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{
    licence,
    policy::{self, Packages},
};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lock {
    pub lockfile_version: u32,
    pub packages: BTreeMap<String, Entry>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub name: Option<String>,
    pub version: Option<String>,
    pub license: Option<String>,
    pub resolved: Option<String>,
    pub integrity: Option<String>,
    #[serde(default)]
    pub dev: bool,
    #[serde(flatten)]
    pub wanted: Manifest,
}

/// The dependencies in `package.json`, which the lock file's first entry repeats.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    #[serde(default)]
    pub dependencies: BTreeMap<String, String>,
    #[serde(default)]
    pub dev_dependencies: BTreeMap<String, String>,
}

impl Lock {
    /// Each package: its name and entry.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.packages.iter().filter(|(path, _)| !path.is_empty()).map(|(path, entry)| {
            let last =
                path.rfind("node_modules/").map_or(path.as_str(), |at| &path[at + "node_modules/".len()..]);
            (entry.name.as_deref().unwrap_or(last), entry)
        })
    }
}

pub fn findings(policy: &Packages, lock: &Lock, wanted: &Manifest) -> Vec<String> {
    let delivered = policy::set(&policy.allow);
    let tools = delivered.union(&policy::set(&policy.allow_tools)).copied().collect();
    let mut found = Vec::new();
    if lock.packages.get("").map(|own| &own.wanted) != Some(wanted) {
        found.push("package-lock.json is not that of package.json; `npm install` writes it anew".to_owned());
    }
    if lock.lockfile_version < 3 {
        found.push("package-lock.json is of an old form".to_owned());
    }
    for (name, entry) in lock.all() {
        let what = format!("{name} {}", entry.version.as_deref().unwrap_or_default());
        let exception =
            policy.exceptions.iter().any(|one| one.package == name && one.licence == entry.license);
        if !exception
            && !licence::accepted(
                entry.license.as_deref().unwrap_or_default(),
                if entry.dev { &tools } else { &delivered },
            )
        {
            found.push(format!("{what}: its licence is {:?}", entry.license.as_deref().unwrap_or_default()));
        }
        // Where a package lies follows from its name and version, by what npm is set to. An address here would be
        // that of a mirror, or of something else.
        if let Some(resolved) = &entry.resolved {
            found.push(format!("{what}: it comes from {resolved}; admin-ui/.npmrc leaves addresses out"));
        }
        if !entry.integrity.as_deref().is_some_and(|hash| hash.starts_with("sha512-")) {
            found.push(format!("{what}: package-lock.json has no SHA-512 of it"));
        }
        if let Some(ban) = policy.deny.iter().find(|ban| ban.package == name) {
            found.push(format!("{what}: it is banned ({})", ban.reason));
        }
    }
    for one in &policy.exceptions {
        if !lock.all().any(|(name, entry)| name == one.package && entry.license == one.licence) {
            found.push(format!(
                "{}: nothing uses it under that licence any more, so it needs no exception",
                one.package
            ));
        }
    }
    found
}
