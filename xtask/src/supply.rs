//! Runs `xtask/supply`, which checks third-party packages.

use crate::{
    Result,
    process::{self, Output},
    progress::Step,
    project::Project,
    report,
};

/// The program's exit code when nothing failed and something could not run.
const NOT_RUN: i32 = 77;

/// The check of every change, or that of the night with what needs the network.
pub fn run(project: &Project, nightly: bool) -> Result<()> {
    let words = ["run", "--quiet", "--package", "supply", "--", if nightly { "nightly" } else { "check" }];
    let mut step = Step::begin_loud("cargo", "run");
    let mut command = process::command("cargo");
    command.args(words).current_dir(&project.root);
    let status = process::status(&mut command, &Output::Terminal, &mut step)?;
    match status.code() {
        Some(0) => {
            step.done("run");
            Ok(())
        }
        Some(NOT_RUN) => Err(report::not_run("supply", "some checks lack something here, and say what")),
        _ => Err("Something that others made is against deny.toml or xtask/supply/npm.toml.".into()),
    }
}

/// `cargo xtask supply`.
pub fn command(words: &[String]) -> Result<()> {
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => run(&Project::find(), false),
        ["--nightly"] => run(&Project::find(), true),
        _ => Err("`cargo xtask supply` takes nothing, or --nightly.".into()),
    }
}
