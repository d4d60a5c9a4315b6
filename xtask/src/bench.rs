//! `cargo xtask bench`: the measurements of `bench/`, on a Postgres of their own.

use std::fs;

use crate::{
    Result,
    node::Node,
    postgres::{self, Durability, Postgres},
    process::{self, Output},
    progress::Step,
    project::{self, Project},
};

/// Starts Postgres, which writes nothing durably (what a disk costs would hide what the code costs), and
/// bench/run.sh.
pub fn run(words: &[String]) -> Result<()> {
    let project = Project::find();
    project::make_folder(&project.ui().join("dist"))?;
    let folder = postgres::throw_away_folder()?;
    let npm = || Ok(Node::find(&project)?.npm());
    let log = folder.join("postgres.log");
    let postgres = Postgres::start(&project, &npm, &folder.join("postgres"), &log, Durability::ThrownAway);
    let result = postgres.and_then(|postgres| {
        let mut step = Step::begin_loud("Bench", "bench/run.sh");
        let mut script = process::command("bash");
        script.arg(project.root.join("bench/run.sh")).args(words).current_dir(&project.root);
        script
            .env("PULT_BENCH_DATABASE_URL", postgres.owner_url("postgres"))
            .env("PULT_BENCH_POSTGRES_LOG", &log);
        process::run(&mut script, &Output::Terminal, &mut step)?;
        step.done("finished");
        Ok(())
    });
    let _ = fs::remove_dir_all(&folder);
    result
}
