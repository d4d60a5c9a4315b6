//! The policy: `deny.toml` for crates, in cargo-deny's format, and `npm.toml` for packages.

use std::{collections::BTreeSet, fs, path::Path};

use serde::Deserialize;

/// The parts of `deny.toml` that are looked at here. cargo-deny knows more of them.
#[derive(Debug, Deserialize)]
pub struct Crates {
    pub licenses: Licences,
    pub bans: Bans,
    #[serde(default)]
    pub advisories: Advisories,
}

#[derive(Debug, Deserialize)]
pub struct Licences {
    pub allow: Vec<String>,
    #[serde(default)]
    pub exceptions: Vec<LicenceException>,
}

#[derive(Debug, Deserialize)]
pub struct LicenceException {
    #[serde(rename = "crate")]
    pub name: String,
    pub allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct Bans {
    #[serde(default)]
    pub deny: Vec<Ban>,
}

#[derive(Debug, Deserialize)]
pub struct Ban {
    #[serde(rename = "crate")]
    pub name: String,
    /// Packages that are excepted.
    #[serde(default)]
    pub wrappers: Vec<String>,
    pub reason: String,
}

#[derive(Debug, Default, Deserialize)]
pub struct Advisories {
    #[serde(default)]
    pub ignore: Vec<AcceptedAdvisory>,
}

/// An advisory that is accepted, and why.
#[derive(Debug, Deserialize)]
pub struct AcceptedAdvisory {
    pub id: String,
    pub reason: String,
}

/// The whole of `npm.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packages {
    pub allow: Vec<String>,
    /// Besides, for what only helps making the interface and is not delivered.
    #[serde(default)]
    pub allow_tools: Vec<String>,
    #[serde(default)]
    pub exceptions: Vec<PackageException>,
    #[serde(default)]
    pub deny: Vec<PackageBan>,
    #[serde(default)]
    pub advisories: Vec<AcceptedAdvisory>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageException {
    pub package: String,
    /// None where the package names no licence.
    pub licence: Option<String>,
    pub reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageBan {
    pub package: String,
    pub reason: String,
}

/// Reads one of the files, and looks whether each exception in it says when it was made and why.
pub fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&text).map_err(|error| format!("{}: {error}", path.display()))
}

pub fn parse<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| error.to_string())
}

/// Exceptions that do not say when they were made and why, as `YYYY-MM-DD: reason`.
pub fn without_reason(crates_text: &str, crates: &Crates, packages: &Packages) -> Vec<String> {
    let bans = crates.bans.deny.iter().map(|ban| (&ban.name, &ban.reason));
    let known =
        crates.advisories.ignore.iter().chain(&packages.advisories).map(|known| (&known.id, &known.reason));
    let exceptions = packages.exceptions.iter().map(|one| (&one.package, &one.reason));
    let denied = packages.deny.iter().map(|one| (&one.package, &one.reason));
    let mut found: Vec<String> = bans
        .chain(known)
        .chain(exceptions)
        .chain(denied)
        .filter(|(_, reason)| !is_dated(reason))
        .map(|(name, _)| name.clone())
        .collect();
    // cargo-deny has no field for the reason of a licence's exception: it stands behind it.
    for one in &crates.licenses.exceptions {
        let line = crates_text
            .lines()
            .find(|line| line.contains(&format!("crate = \"{}\"", one.name)) && line.contains("allow ="));
        if !line.and_then(|line| line.split_once('#')).is_some_and(|(_, reason)| is_dated(reason.trim())) {
            found.push(one.name.clone());
        }
    }
    found
        .iter()
        .map(|name| format!("{name}: an exception says since when and why, as `YYYY-MM-DD: reason`"))
        .collect()
}

fn is_dated(reason: &str) -> bool {
    reason.split_once(": ").is_some_and(|(date, why)| is_date(date) && why.len() > 10)
}

pub fn is_date(text: &str) -> bool {
    let digits =
        |part: &str, many: usize| part.len() == many && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.split('-').collect();
    matches!(parts[..], [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2))
}

/// The licences that are accepted for everything.
pub fn set(allowed: &[String]) -> BTreeSet<&str> {
    allowed.iter().map(String::as_str).collect()
}
