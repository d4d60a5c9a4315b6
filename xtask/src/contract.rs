//! The service against its own document: Schemathesis makes requests from `openapi/` and compares the
//! answers.

use std::path::{Path, PathBuf};

use crate::{
    Result, apt,
    node::{self, Node},
    postgres::{self, Durability},
    process::{self, Output},
    progress::Step,
    project::{self, Project},
    report,
    stack::{self, Plan, Stack},
};

/// The seed of the test command.
const SEED: u64 = 20_261_123;

/// The oldest Python that the pinned packages are for.
const OLDEST: (u32, u32) = (3, 11);

/// How long to try, and from which seed.
pub struct ContractRun {
    /// Seconds for the whole document; what an API key may call gets a quarter of that besides.
    pub seconds: u64,
    /// The same seed makes the same requests.
    pub seed: u64,
}

impl ContractRun {
    /// Of the test command: a minute in all.
    pub fn usual() -> Self {
        Self { seconds: 48, seed: SEED }
    }
}

/// Starts the service with the demo in a throw-away database and tries both documents.
///
/// # Errors
/// What was found; or that it could not run here.
pub fn run(project: &Project, node: &Node, run_options: &ContractRun) -> Result<()> {
    let python = python(project)?;
    stack::build(project, false)?;
    project::make_folder(&project.ui().join("dist"))?;
    let folder = postgres::throw_away_folder()?;
    let result = against_new_service(project, node, run_options, &python, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn against_new_service(
    project: &Project,
    node: &Node,
    run_options: &ContractRun,
    python: &Path,
    folder: &Path,
) -> Result<()> {
    let plan = Plan {
        data: folder.into(),
        port: project::free_port()?,
        certificate: None,
        lan: false,
        release: false,
        durability: Durability::ThrownAway,
    };
    let stack = Stack::start(project, node, plan)?;
    let secret = stack
        .accounts
        .iter()
        .find_map(|account| account.second_factor.clone())
        .ok_or("The demo has no super admin.")?;
    let mut command = process::command(python);
    command
        .arg(project.root.join("openapi/check/run.py"))
        .args([&stack.url, &secret])
        .arg(folder.join("accounts.tsv"));
    command
        .arg(project.binary("pult", false))
        .args([run_options.seconds.to_string(), run_options.seed.to_string()]);
    command.current_dir(folder);
    let mut step = Step::begin_loud(
        "Contract",
        &format!(
            "Schemathesis, {} s, seed {}",
            run_options.seconds + run_options.seconds / 4,
            run_options.seed
        ),
    );
    let result = process::run(&mut command, &Output::Terminal, &mut step);
    match &result {
        Ok(()) => step.done("the service does what its document says"),
        Err(_) => println!("    The end of the service's log:\n{}", stack.server.log_tail()),
    }
    stack.stop();
    result
}

/// A Python with the pinned packages, in a folder of its own.
fn python(project: &Project) -> Result<PathBuf> {
    let requirements = project.root.join("openapi/check/requirements.txt");
    let folder =
        project.tools().join(format!("contract-{}", &node::hash_files(std::slice::from_ref(&requirements))?));
    let (python, complete) = (folder.join("bin/python"), folder.join("complete"));
    if complete.exists() {
        return Ok(python);
    }
    let missing = |why: &str| report::not_run("contract", why);
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
    let log = project.tools().join("contract.log");
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
    let mut step = Step::begin("Schemathesis", "pip install (once)");
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
    process::run(pip.arg(&requirements), &Output::Log(&log), &mut step)?;
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
