//! `cargo xtask fault`: the fault tests with a Postgres that writes durably.

use std::fs;

use crate::{
    Result,
    node::Node,
    postgres::{self, Durability, Postgres},
    process::{self, Output},
    progress::Step,
    project::{self, Project},
};

const LONG: &str = "200";

/// The words after `fault`.
#[derive(Default)]
pub struct Options {
    long: bool,
    seed: Option<String>,
}

impl Options {
    pub fn long() -> Self {
        Self { long: true, seed: None }
    }

    pub fn read(words: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--long" => options.long = true,
                "--seed" => {
                    options.seed =
                        Some(words.next().ok_or("--seed needs the number that a run has printed.")?.clone())
                }
                other => {
                    return Err(format!(
                        "`cargo xtask fault` does not know {other}; see `cargo xtask help`."
                    ));
                }
            }
        }
        Ok(options)
    }
}

/// Runs them, on the server of `PULT_TEST_DATABASE_URL` or one of their own.
/// Errors: When a test fails; it has printed its seed.
pub fn run(options: &Options) -> Result<()> {
    let project = Project::find();
    project::make_folder(&project.ui().join("dist"))?;
    if let Ok(url) = std::env::var("PULT_TEST_DATABASE_URL") {
        return tests(&project, options, &url);
    }
    let folder = postgres::throw_away_folder()?;
    let npm = || Ok(Node::find(&project)?.npm());
    let postgres = Postgres::start(
        &project,
        &npm,
        &folder.join("postgres"),
        &folder.join("postgres.log"),
        Durability::Durable,
    );
    let result = postgres.and_then(|postgres| tests(&project, options, &postgres.owner_url("postgres")));
    let _ = fs::remove_dir_all(&folder);
    result
}

fn tests(project: &Project, options: &Options, url: &str) -> Result<()> {
    let mut step = Step::begin_loud("Fault tests", "cargo test --test fault");
    let mut cargo = process::command("cargo");
    cargo.args([
        "test", "--package", "server", "--test", "fault", "--", "--include-ignored", "--nocapture",
        "--test-threads=1",
    ]);
    cargo.env("PULT_TEST_DATABASE_URL", url).current_dir(&project.root);
    if options.long {
        cargo.env("PULT_FAULT_ROUNDS", LONG);
    }
    if let Some(seed) = &options.seed {
        cargo.env("PULT_FAULT_SEED", seed);
    }
    process::run(&mut cargo, &Output::Terminal, &mut step)?;
    step.done("passed");
    Ok(())
}
