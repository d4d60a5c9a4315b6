//! `cargo xtask drill`: the drills of `platform/testkit/drills`, with the programs that they need.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    Result, apt,
    node::Node,
    pooler::{self, PoolerError},
    postgres,
    postgres_find::{self, NOBODY},
    process::{self, Output, STOPPED},
    progress::Step,
    project::{self, Project},
    report, sys,
    test_steps::{self, Database, Tools},
};

/// The drills' exit code when nothing failed and something could not run here.
const NOT_RUN: i32 = 77;

/// The words after `drill`.
#[derive(Default)]
pub struct Options {
    /// `all`, or none to list them.
    names: Vec<String>,
    small: bool,
    release: bool,
    seed: Option<String>,
    /// A commit, or `auto`.
    previous: Option<String>,
}

impl Options {
    pub fn read(words: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--small" => options.small = true,
                "--release" => options.release = true,
                "--seed" => {
                    options.seed =
                        Some(words.next().ok_or("--seed needs the number that a run has printed.")?.clone());
                }
                "--previous" => {
                    options.previous =
                        Some(words.next().ok_or("--previous needs a commit, or auto.")?.clone());
                }
                name if !name.starts_with('-') => options.names.push(name.to_owned()),
                other => {
                    return Err(format!(
                        "`cargo xtask drill` does not know {other}; see `cargo xtask help`."
                    ));
                }
            }
        }
        Ok(options)
    }

    /// The short forms of all, for every change.
    pub fn small() -> Self {
        Self { names: vec!["all".to_owned()], small: true, ..Self::default() }
    }

    /// All of them in full, with the optimised service and the release before the newest migration.
    pub fn night(seed: u64) -> Self {
        Self {
            names: vec!["all".to_owned()],
            release: true,
            seed: Some(seed.to_string()),
            previous: Some("auto".to_owned()),
            ..Self::default()
        }
    }
}

/// Builds what is needed and runs them.
/// Errors: When one found damage, or could not run here; it has printed what, and its seed.
pub fn run(options: &Options) -> Result<()> {
    let project = Project::find();
    project::make_folder(&project.ui().join("dist"))?;
    // Optimised too at night: its clients share the processors with what they measure.
    if options.release || !process::is_all_built() {
        build(&project, options.release)?;
    }
    let drills = project.binary("drills", options.release);
    if options.names.is_empty() {
        let mut list = process::command(drills);
        return process::run(&mut list, &Output::Terminal, &mut Step::begin_loud("Drills", "the list"));
    }
    let [binary, sandbox] = ["pult", "sandbox"].map(|name| project.binary(name, options.release));
    clocks();
    let folder = postgres::throw_away_folder()?;
    let result = with_programs(&project, options, [drills, binary, sandbox], &folder);
    let _ = fs::remove_dir_all(&folder);
    result
}

/// Together, as other commands build the service: a package built alone has other features of its libraries, and
/// everything would be compiled once more.
fn build(project: &Project, release: bool) -> Result<()> {
    let mut step = Step::begin_loud("Programs", "cargo build (some minutes the first time)");
    let mut cargo = process::command("cargo");
    cargo
        .args(["build", "--package", "server", "--package", "sandbox", "--package", "drills", "--bins"])
        .current_dir(&project.root);
    if release {
        cargo.arg("--release");
    }
    process::run(&mut cargo, &Output::Terminal, &mut step)?;
    step.done("built");
    Ok(())
}

/// The library that changes a program's clock. Without it the drill that needs it says that it could not run.
fn clocks() {
    let there = ["x86_64", "aarch64"].iter().any(|machine| {
        Path::new(&format!("/usr/lib/{machine}-linux-gnu/faketime/libfaketimeMT.so.1")).exists()
    });
    if !there && apt::usable() {
        let _ = apt::install("faketime", &["faketime"]);
    }
}

fn with_programs(
    project: &Project, options: &Options, [drills, binary, sandbox]: [PathBuf; 3], folder: &Path,
) -> Result<()> {
    let npm = || Ok(Node::find(project)?.npm());
    let uid = if sys::is_root() { NOBODY } else { sys::own_uid() };
    let mut step = Step::begin("Postgres", "looking for its programs");
    let postgres = postgres_find::find(project, &npm, folder, uid, None, &mut step)?;
    step.done(&format!("version {}", postgres.major));
    let mut command = process::command(drills);
    command.args(&options.names).arg("--binary").arg(binary).arg("--postgres-bin").arg(&postgres.folder);
    command.arg("--sandbox").arg(sandbox);
    if options.small {
        command.arg("--small");
    }
    if let Some(seed) = &options.seed {
        command.args(["--seed", seed]);
    }
    let mut step = Step::begin("PgBouncer", "looking for it");
    match pooler::words(project, folder, &mut step) {
        Ok(words) => {
            step.done(&words);
            command.args(["--pgbouncer", &words]);
        }
        Err(PoolerError::Failed(why)) => return Err(why),
        // The drills that want it say that they could not run.
        Err(PoolerError::Unavailable(why)) => step.done(&why),
    }
    if let Some(commit) = &options.previous {
        match previous(project, commit, options.release) {
            Err(why) if why == STOPPED => return Err(why),
            // With the same release on both sides they would prove less than was asked for.
            Err(why) => {
                return Err(report::not_run(
                    "drill",
                    &format!("the previous release cannot be built: {why}"),
                ));
            }
            Ok(binary) => _ = command.arg("--previous").arg(binary),
        }
    }
    // Their Postgres and files go where the other tests' go.
    command.env("TMPDIR", folder);
    let mut step = Step::begin_loud("Drills", &options.names.join(", "));
    let status = process::status(&mut command, &Output::Terminal, &mut step)?;
    match status.code() {
        Some(0) => {
            step.done("proved");
            Ok(())
        }
        Some(NOT_RUN) => Err(report::not_run("drill", "some of them lack something here, and say what")),
        _ => Err("Some drills found damage; they have printed what, and their seed.".into()),
    }
}

/// The service of another commit, built in a checkout of its own. `auto` is the one before the newest
/// migration, so that the way from it to this one has a migration on it.
fn previous(project: &Project, commit: &str, release: bool) -> Result<PathBuf> {
    let (checkout, target) = other_commit(project, commit)?;
    let mut step = Step::begin_loud("Previous", "cargo build (some minutes)");
    let mut cargo = process::command("cargo");
    cargo.args(["build", "--package", "server", "--bin", "pult"]).current_dir(&checkout.root);
    cargo.env("CARGO_TARGET_DIR", &target);
    if release {
        cargo.arg("--release");
    }
    process::run(&mut cargo, &Output::Terminal, &mut step)?;
    step.done("built");
    Ok(target.join(if release { "release" } else { "debug" }).join("pult"))
}

/// The previous release on this schema: the tests through HTTP of the commit before the newest migration, with the
/// migrations of this one.
pub fn previous_tests(project: &Project) -> Result<()> {
    let here = git(project, &["rev-parse", "HEAD"])?;
    let (checkout, target) = other_commit(project, "auto")?;
    git(&checkout, &["checkout", "--quiet", &here, "--", "migrations/control", "migrations/tenant"])?;
    let tools = Tools::for_rust(&checkout)?;
    let mut database = Database::start(project, &tools)?;
    let target = target.display().to_string();
    test_steps::previous_tests(&checkout, &tools, &mut database, &target)
}

/// A checkout of another commit (see [`previous`]), and the folder for what is built in it.
fn other_commit(project: &Project, commit: &str) -> Result<(Project, PathBuf)> {
    let commit = if commit == "auto" {
        let newest =
            git(project, &["log", "-1", "--format=%H", "--", "migrations/tenant", "migrations/control"])?;
        git(project, &["rev-parse", "--verify", &format!("{newest}~1")])?
    } else {
        git(project, &["rev-parse", "--verify", commit])?
    };
    println!("  The previous release is {commit}.");
    let place = project.target().join("previous");
    let checkout = Project { root: place.join("checkout") };
    project::make_folder(&place)?;
    if checkout.root.exists() {
        git(&checkout, &["checkout", "--quiet", "--force", "--detach", &commit])?;
    } else {
        let shown = checkout.root.display().to_string();
        git(project, &["worktree", "prune"])?;
        git(project, &["worktree", "add", "--quiet", "--force", "--detach", &shown, &commit])?;
    }
    project::make_folder(&checkout.ui().join("dist"))?;
    Ok((checkout, place.join("target")))
}

fn git(project: &Project, words: &[&str]) -> Result<String> {
    let output = process::command("git").args(words).current_dir(&project.root).output();
    let output = output.map_err(|error| format!("git cannot be started: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}
