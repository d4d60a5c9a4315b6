//! Known vulnerabilities of crates: a dated extract of the RustSec database, one line per advisory,
//! committed.

use std::{fs, path::Path};

use semver::{Version, VersionReq};
use serde::Deserialize;

use crate::{
    crates::Lock,
    policy::{self, AcceptedAdvisory},
};

/// The extract: when the database was as it says, and the advisories.
pub struct Snapshot {
    pub date: String,
    lines: Vec<Advisory>,
}

/// For so many days an extract says what is good: a critical fault is mended within as many.
pub const GOOD_FOR: i64 = 7;

/// The days since 1970-01-01, by the calendar that has no switch.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 719_469
}

/// The present day, as [`day_number`] counts (UTC).
pub fn today() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_secs() / 86_400).unwrap_or(0)
}

struct Advisory {
    id: String,
    package: String,
    /// `vulnerability`, or what it is called that is none: `unmaintained`, `unsound`, `notice`.
    kind: String,
    /// Versions that do not have it.
    good: Vec<VersionReq>,
}

impl Snapshot {
    /// The extract in this file; none when there is no file.
    pub fn read(path: &Path) -> Result<Option<Self>, String> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text).map(Some).map_err(|error| format!("{}: {error}", path.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let date = lines
            .next()
            .and_then(|line| line.strip_prefix("# RustSec as of "))
            .filter(|date| policy::is_date(date));
        let date = date.ok_or("the first line does not say of when it is")?.to_owned();
        let lines = lines.map(|line| {
            let [id, package, kind, good] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("four columns: {line}"));
            };
            let good = good
                .split(';')
                .filter(|one| !one.is_empty())
                .map(VersionReq::parse)
                .collect::<Result<_, _>>();
            let good = good.map_err(|error| format!("{id}: {error}"))?;
            Ok(Advisory { id: id.to_owned(), package: package.to_owned(), kind: kind.to_owned(), good })
        });
        Ok(Self { date, lines: lines.collect::<Result<_, _>>()? })
    }

    /// How many days before `today` it was made.
    pub fn age(&self, today: i64) -> i64 {
        let mut parts = self.date.split('-').map(|part| part.parse().unwrap_or(0));
        let mut next = || parts.next().unwrap_or(0);
        today - day_number(next(), next(), next())
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// What is known against what is in the lock file, but for what is borne with; and what is borne with
    /// needlessly.
    pub fn findings(&self, lock: &Lock, accepted: &[AcceptedAdvisory]) -> Vec<String> {
        let mut hit = Vec::new();
        // A crate of ours may have the name of one that others publish.
        for one in lock.package.iter().filter(|one| one.source.is_some()) {
            let Ok(version) = Version::parse(&one.version) else { continue };
            for advisory in self.lines.iter().filter(|advisory| advisory.package == one.name) {
                if !advisory.good.iter().any(|good| good.matches(&version)) {
                    hit.push((
                        &advisory.id,
                        format!("{} {}: {} ({})", one.name, one.version, advisory.id, advisory.kind),
                    ));
                }
            }
        }
        let needless = accepted.iter().filter(|known| !hit.iter().any(|(id, _)| **id == known.id));
        let needless: Vec<String> =
            needless.map(|known| format!("{}: nothing here has it any more", known.id)).collect();
        hit.into_iter()
            .filter(|(id, _)| !accepted.iter().any(|known| known.id == **id))
            .map(|(_, what)| what)
            .chain(needless)
            .collect()
    }
}

#[derive(Deserialize)]
struct AdvisoryFile {
    advisory: AdvisoryHeader,
    #[serde(default)]
    versions: Versions,
}

#[derive(Deserialize)]
struct AdvisoryHeader {
    id: String,
    package: String,
    informational: Option<String>,
    withdrawn: Option<String>,
}

#[derive(Default, Deserialize)]
struct Versions {
    #[serde(default)]
    patched: Vec<String>,
    #[serde(default)]
    unaffected: Vec<String>,
}

/// Makes the extract from a checkout of the database (its folder `crates`), which is as of this date.
pub fn extract(folder: &Path, date: &str) -> Result<String, String> {
    let mut lines = Vec::new();
    let io_error = |error: std::io::Error| format!("{}: {error}", folder.display());
    for krate in fs::read_dir(folder).map_err(io_error)? {
        for file in fs::read_dir(krate.map_err(io_error)?.path()).map_err(io_error)? {
            let path = file.map_err(io_error)?.path();
            let text = fs::read_to_string(&path).map_err(io_error)?;
            let head = text.split("```").nth(1).and_then(|head| head.trim_start().strip_prefix("toml"));
            let head: AdvisoryFile = policy::parse(head.unwrap_or_default())
                .map_err(|error| format!("{}: {error}", path.display()))?;
            if head.advisory.withdrawn.is_some() {
                continue;
            }
            let kind = head.advisory.informational.unwrap_or_else(|| "vulnerability".to_owned());
            let good = [head.versions.patched, head.versions.unaffected].concat().join(";");
            lines.push([head.advisory.id, head.advisory.package, kind, good].join("\t"));
        }
    }
    lines.sort();
    let text = format!("# RustSec as of {date}\n{}\n", lines.join("\n"));
    Snapshot::parse(&text)?;
    Ok(text)
}
