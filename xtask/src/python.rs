//! Python with pinned packages, for the checks that are written in it.

use std::path::PathBuf;

use crate::{
    Result, apt, node,
    process::{self, Output},
    progress::Step,
    project::{self, Project},
    report,
};

/// The oldest Python that the pinned packages are for.
const OLDEST: (u32, u32) = (3, 11);

/// A Python with the packages of this list, by their hashes, in a folder of its own.
pub fn with(project: &Project, name: &str, requirements: &str) -> Result<PathBuf> {
    let requirements = project.root.join(requirements);
    let folder =
        project.tools().join(format!("{name}-{}", &node::hash_files(std::slice::from_ref(&requirements))?));
    let (python, complete) = (folder.join("bin/python"), folder.join("complete"));
    if complete.exists() {
        return Ok(python);
    }
    let missing = |why: &str| report::not_run(name, why);
    if version().is_none_or(|version| version < OLDEST) && apt::usable() {
        apt::install("Python", &["python3-venv"])?;
    }
    if version().is_none_or(|version| version < OLDEST) {
        return Err(missing(&format!(
            "it needs Python {}.{} or newer: `apt-get install python3-venv`",
            OLDEST.0, OLDEST.1
        )));
    }
    project::make_folder(&project.tools())?;
    let _ = std::fs::remove_dir_all(&folder);
    let log = project.tools().join(format!("{name}.log"));
    let environment = || {
        let mut step = Step::begin("Python", "python3 -m venv");
        process::run(
            process::command("python3").args(["-m", "venv"]).arg(&folder),
            &Output::Log(&log),
            &mut step,
        )?;
        step.done("an environment of its own");
        Ok(())
    };
    let made: Result<()> = environment();
    // Debian keeps what this needs in a package of its own.
    if made.is_err() {
        if !apt::usable() {
            return Err(missing("Python's venv is not here: `apt-get install python3-venv`"));
        }
        apt::install("Python", &["python3-venv"])?;
        environment()?;
    }
    let mut step = Step::begin("Packages", "pip install (once)");
    let mut pip = process::command(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--no-input",
        "--require-hashes",
        "--only-binary",
        ":all:",
        "-r",
    ]);
    if let Err(why) = process::run(pip.arg(&requirements), &Output::Log(&log), &mut step) {
        // Packages that cannot be had are no fault of what is checked; ones with another hash are a fault.
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let refused = why == process::STOPPED || text.contains("DO NOT MATCH THE HASHES");
        return Err(if refused { why } else { missing(&why) });
    }
    step.done("installed");
    std::fs::write(&complete, "")
        .map_err(|error| format!("{} cannot be written: {error}.", complete.display()))?;
    Ok(python)
}

/// The version of the system's Python.
fn version() -> Option<(u32, u32)> {
    let output = process::command("python3").arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut parts = text.trim().strip_prefix("Python ")?.split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??))
}
