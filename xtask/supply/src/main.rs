//! Checks third-party packages against a policy and lists them. `cargo xtask supply` runs it (README).

mod advisories;
mod crates;
mod licence;
mod packages;
mod policy;
mod sbom;
#[cfg(test)]
mod tests;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Output},
};

use serde_json::Value;

const HELP: &str = "supply check | nightly | sbom FOLDER | extract FOLDER DATE";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map_or_else(PathBuf::new, Path::to_path_buf)
}

/// Everything that is read from the checkout.
struct Inputs {
    crates_text: String,
    crates: policy::Crates,
    packages: policy::Packages,
    metadata: crates::Metadata,
    lock: crates::Lock,
    npm_lock: packages::Lock,
    npm_wanted: packages::Manifest,
    snapshot: Option<advisories::Snapshot>,
}

impl Inputs {
    fn new(root: &Path) -> Result<Self, String> {
        let ui = root.join("admin-ui");
        let text =
            |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
        let lock = text(&ui.join("package-lock.json"))?;
        let wanted = text(&ui.join("package.json"))?;
        Ok(Self {
            crates_text: text(&root.join("deny.toml"))?,
            crates: policy::read(&root.join("deny.toml"))?,
            packages: policy::read(&root.join("xtask/supply/npm.toml"))?,
            metadata: crates::metadata(root)?,
            lock: policy::read(&root.join("Cargo.lock"))?,
            npm_lock: serde_json::from_str(&lock).map_err(|error| format!("package-lock.json: {error}"))?,
            npm_wanted: serde_json::from_str(&wanted).map_err(|error| format!("package.json: {error}"))?,
            snapshot: advisories::Snapshot::read(&root.join("xtask/supply/advisories.tsv"))?,
        })
    }
}

/// One line of the report: a check and its result. A check that did not run never passes.
enum Outcome {
    Passed(String),
    NotRun(String),
    Failed(Vec<String>),
}

fn outcome_of(found: Vec<String>, passed: String) -> Outcome {
    if found.is_empty() { Outcome::Passed(passed) } else { Outcome::Failed(found) }
}

/// What is looked at on every change: it needs no network beyond what the build needs.
fn check(inputs: &Inputs) -> Vec<(&'static str, Outcome)> {
    let exceptions = policy::without_reason(&inputs.crates_text, &inputs.crates, &inputs.packages);
    let crates = crates::findings(&inputs.crates, &inputs.metadata, &inputs.lock);
    let packages = packages::findings(&inputs.packages, &inputs.npm_lock, &inputs.npm_wanted);
    let advisories = match &inputs.snapshot {
        None => Outcome::NotRun("xtask/supply/advisories.tsv is missing".to_owned()),
        Some(snapshot) => known_faults(
            snapshot,
            snapshot.findings(&inputs.lock, &inputs.crates.advisories.ignore),
            advisories::today(),
        ),
    };
    vec![
        ("exceptions", outcome_of(exceptions, "each has a date and a reason".to_owned())),
        (
            "crates",
            outcome_of(
                crates,
                format!("{} crates: licences, sources, bans, lock file", inputs.lock.package.len()),
            ),
        ),
        (
            "packages",
            outcome_of(
                packages,
                format!("{} packages: licences, sources, bans, lock file", inputs.npm_lock.all().count()),
            ),
        ),
        ("advisories", advisories),
    ]
}

/// What the extract knows. One that is too old says nothing of what is good, but what it knows still holds.
fn known_faults(snapshot: &advisories::Snapshot, found: Vec<String>, today: i64) -> Outcome {
    let known = format!("{} advisories of RustSec as of {}", snapshot.len(), snapshot.date);
    match snapshot.age(today) {
        days if found.is_empty() && !(0..=advisories::GOOD_FOR).contains(&days) => {
            Outcome::NotRun(format!("{known} are {days} days old, and hold for {}", advisories::GOOD_FOR))
        }
        _ => outcome_of(found, known),
    }
}

/// cargo-deny over the same policy; it is installed first where it is missing, which takes minutes.
fn cargo_deny(root: &Path) -> Result<Output, String> {
    let cargo = |words: &[&str]| {
        Command::new("cargo")
            .args(words)
            .current_dir(root)
            .output()
            .map_err(|error| format!("cargo: {error}"))
    };
    if !cargo(&["deny", "--version"])?.status.success()
        && !cargo(&["install", "cargo-deny", "--locked"])?.status.success()
    {
        return Err("cargo-deny cannot be installed".to_owned());
    }
    cargo(&["deny", "check", "licenses", "sources", "bans"])
}

/// Checks that need the network, or a tool that takes long to install.
fn nightly(inputs: &Inputs, root: &Path) -> Vec<(&'static str, Outcome)> {
    let tool = match cargo_deny(root) {
        Ok(output) if output.status.success() => {
            Outcome::Passed("licences, sources and bans once more".to_owned())
        }
        Ok(output) => Outcome::Failed(vec![String::from_utf8_lossy(&output.stderr).trim().to_owned()]),
        Err(why) => Outcome::NotRun(why),
    };
    let audit = Command::new("npm").args(["audit", "--json"]).current_dir(root.join("admin-ui")).output();
    let audit = match audit {
        Ok(output) => npm_advisories(&output.stdout, &inputs.packages),
        Err(error) => Outcome::NotRun(format!("npm: {error}")),
    };
    vec![("cargo-deny", tool), ("npm audit", audit)]
}

/// What `npm audit` says of packages; an answer without a list is none.
fn npm_advisories(answer: &[u8], policy: &policy::Packages) -> Outcome {
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    let Some(list) = answer["vulnerabilities"].as_object() else {
        return Outcome::NotRun(format!(
            "the registry does not say ({})",
            answer["message"].as_str().unwrap_or("no answer")
        ));
    };
    let accepted = |name: &str| policy.advisories.iter().any(|known| known.id == name);
    let found = list
        .iter()
        .filter(|(name, _)| !accepted(name))
        .map(|(name, one)| format!("{name}: {}", one["severity"].as_str().unwrap_or_default()));
    outcome_of(found.collect(), "no package has a known fault".to_owned())
}

/// The worst of the outcomes.
enum Verdict {
    Good,
    NotRun,
    Bad,
}

/// The exit code when nothing failed and something could not run.
const NOT_RUN: u8 = 77;

fn print_outcomes(outcomes: &[(&str, Outcome)]) -> Verdict {
    let (mut failed, mut left_out) = (false, false);
    for (name, outcome) in outcomes {
        match outcome {
            Outcome::Passed(what) => println!("  {name}: passed ({what})"),
            Outcome::NotRun(why) => {
                left_out = true;
                println!("  {name}: not run ({why})");
            }
            Outcome::Failed(found) => {
                failed = true;
                println!("  {name}: failed");
                found.iter().for_each(|one| println!("    {one}"));
            }
        }
    }
    match (failed, left_out) {
        (true, _) => Verdict::Bad,
        (false, true) => Verdict::NotRun,
        (false, false) => Verdict::Good,
    }
}

fn write_sboms(inputs: &Inputs, folder: &Path) -> Result<(), String> {
    let io_error = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(io_error)?;
    for (name, bom) in [
        ("service", sbom::service(&inputs.metadata, &inputs.lock)),
        ("interface", sbom::interface(&inputs.npm_lock)),
    ] {
        let path = folder.join(format!("{name}.cdx.json"));
        fs::write(&path, format!("{bom:#}\n")).map_err(io_error)?;
        println!("  {}: {} parts", path.display(), bom["components"].as_array().map_or(0, Vec::len));
    }
    Ok(())
}

fn run(words: &[&str]) -> Result<Verdict, String> {
    let root = root();
    match words {
        ["check"] => Ok(print_outcomes(&check(&Inputs::new(&root)?))),
        ["nightly"] => {
            let inputs = Inputs::new(&root)?;
            let mut outcomes = check(&inputs);
            outcomes.extend(nightly(&inputs, &root));
            write_sboms(&inputs, &root.join("target/sbom"))?;
            Ok(print_outcomes(&outcomes))
        }
        ["sbom", folder] => write_sboms(&Inputs::new(&root)?, Path::new(folder)).map(|()| Verdict::Good),
        ["extract", folder, date] => {
            let text = advisories::extract(Path::new(folder), date)?;
            fs::write(root.join("xtask/supply/advisories.tsv"), text).map_err(|error| error.to_string())?;
            Ok(Verdict::Good)
        }
        _ => Err(HELP.to_owned()),
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::NotRun) => ExitCode::from(NOT_RUN),
        Ok(Verdict::Bad) => ExitCode::FAILURE,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}
