//! Checks of crates: licences, sources, bans, from `cargo metadata` and `Cargo.lock`.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
};

use serde::Deserialize;

use crate::{
    licence,
    policy::{self, Crates},
};

/// The platform that is delivered.
const TARGET: &str = "x86_64-unknown-linux-gnu";

#[derive(Debug, Deserialize)]
pub struct Metadata {
    pub packages: Vec<Package>,
    pub resolve: Resolve,
}

#[derive(Debug, Deserialize)]
pub struct Package {
    pub id: String,
    pub name: String,
    pub version: String,
    pub license: Option<String>,
    /// None for our own.
    pub source: Option<String>,
    #[serde(default)]
    pub dependencies: Vec<DependencyEntry>,
}

/// A dependency as a manifest asks for it.
#[derive(Debug, Deserialize)]
pub struct DependencyEntry {
    /// Where cargo takes it from; none for our own.
    pub source: Option<String>,
    /// The registry that the manifest names; none for cargo's own default.
    pub registry: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Resolve {
    pub nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
pub struct Node {
    pub id: String,
    pub deps: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
pub struct Dependency {
    pub pkg: String,
    pub dep_kinds: Vec<DependencyKind>,
}

#[derive(Debug, Deserialize)]
pub struct DependencyKind {
    /// None for an ordinary one; `build`, `dev`.
    pub kind: Option<String>,
}

/// `Cargo.lock`: the crates of all platforms.
#[derive(Debug, Deserialize)]
pub struct Lock {
    pub package: Vec<Locked>,
}

#[derive(Debug, Deserialize)]
pub struct Locked {
    pub name: String,
    pub version: String,
    pub source: Option<String>,
    pub checksum: Option<String>,
}

/// The metadata of cargo about the checkout. It fails when the lock file is not that of the manifests.
pub fn metadata(root: &Path) -> Result<Metadata, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = ["metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET];
    let output = Command::new(cargo)
        .args(words)
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("Cargo.lock: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// Where cargo takes crates from that no manifest says anything else of.
fn default_source(metadata: &Metadata) -> Option<&str> {
    let ours = metadata.packages.iter().filter(|package| package.source.is_none());
    let wanted = ours.flat_map(|package| &package.dependencies).filter(|wanted| wanted.registry.is_none());
    wanted.filter_map(|wanted| wanted.source.as_deref()).find(|source| source.starts_with("registry+"))
}

pub fn findings(crates: &Crates, metadata: &Metadata, lock: &Lock) -> Vec<String> {
    let allowed = policy::set(&crates.licenses.allow);
    let mut found = Vec::new();
    for package in metadata.packages.iter().filter(|package| package.source.is_some()) {
        let own = crates
            .licenses
            .exceptions
            .iter()
            .filter(|one| one.name == package.name)
            .flat_map(|one| one.allow.iter().map(String::as_str));
        let allowed: BTreeSet<&str> = allowed.iter().copied().chain(own).collect();
        let licence = package.license.as_deref().unwrap_or_default();
        if !licence::accepted(licence, &allowed) {
            found.push(format!("{} {}: its licence is {licence:?}", package.name, package.version));
        }
    }
    let default_source = default_source(metadata);
    for one in &lock.package {
        let Some(source) = &one.source else { continue };
        if Some(source.as_str()) != default_source {
            found.push(format!("{} {}: it comes from {source}", one.name, one.version));
        } else if one.checksum.is_none() {
            found.push(format!("{} {}: Cargo.lock has no checksum of it", one.name, one.version));
        }
    }
    let names: BTreeMap<&str, &str> =
        metadata.packages.iter().map(|package| (package.id.as_str(), package.name.as_str())).collect();
    for ban in &crates.bans.deny {
        let here = lock.package.iter().any(|one| one.name == ban.name);
        let users = metadata.resolve.nodes.iter().filter(|node| {
            node.deps.iter().any(|dep| names.get(dep.pkg.as_str()) == Some(&ban.name.as_str()))
        });
        let users: BTreeSet<&str> = users.filter_map(|node| names.get(node.id.as_str()).copied()).collect();
        if here && ban.wrappers.is_empty() {
            found.push(format!("{}: it is banned ({})", ban.name, ban.reason));
        }
        for user in users
            .iter()
            .filter(|user| !ban.wrappers.is_empty() && !ban.wrappers.iter().any(|wrapper| wrapper == *user))
        {
            found.push(format!("{}: {user} may not use it ({})", ban.name, ban.reason));
        }
        if !here && !ban.wrappers.is_empty() {
            found.push(format!("{}: nothing uses it any more, so nobody needs leave for it", ban.name));
        }
    }
    for one in &crates.licenses.exceptions {
        if !lock.package.iter().any(|package| package.name == one.name) {
            found.push(format!("{}: nothing uses it any more, so its licence needs no exception", one.name));
        }
    }
    found
}

/// What the service is made of: all crates that are built into it, or build it.
pub fn built_into<'m>(metadata: &'m Metadata, name: &str) -> Vec<&'m Package> {
    let nodes: BTreeMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let mut open: Vec<&str> = metadata
        .packages
        .iter()
        .filter(|package| package.name == name)
        .map(|package| package.id.as_str())
        .collect();
    let mut seen: BTreeSet<&str> = open.iter().copied().collect();
    while let Some(node) = open.pop().and_then(|id| nodes.get(id)) {
        for dep in &node.deps {
            if dep.dep_kinds.iter().any(|kind| kind.kind.as_deref() != Some("dev")) && seen.insert(&dep.pkg) {
                open.push(&dep.pkg);
            }
        }
    }
    metadata.packages.iter().filter(|package| seen.contains(package.id.as_str())).collect()
}
