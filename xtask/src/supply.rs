//! Runs `xtask/supply`, which checks third-party packages.

use crate::{Result, project::Project, test_steps};

/// The check of every change, or that of the night with what needs the network.
///
/// # Errors
/// What was found stands in the output.
pub fn run(project: &Project, nightly: bool) -> Result<()> {
    let words = ["run", "--quiet", "--package", "supply", "--", if nightly { "nightly" } else { "check" }];
    test_steps::cargo(project, &words)
        .map_err(|_| "Something that others made is against deny.toml or xtask/supply/npm.toml.".into())
}

/// `cargo xtask supply`.
///
/// # Errors
/// Also for words that it does not know.
pub fn command(words: &[String]) -> Result<()> {
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => run(&Project::find(), false),
        ["--nightly"] => run(&Project::find(), true),
        _ => Err("`cargo xtask supply` takes nothing, or --nightly.".into()),
    }
}
