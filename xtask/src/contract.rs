//! The service against its own document: Schemathesis makes requests from `openapi/` and compares the
//! answers.

use std::path::Path;

use crate::{
    Result,
    node::Node,
    postgres::{self, Durability},
    process::{self, Output},
    progress::Step,
    project::{self, Project},
    python,
    stack::{self, Plan, Stack},
};

/// The seed of the test command.
const SEED: u64 = 20_261_123;

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
pub fn run(project: &Project, node: &Node, run_options: &ContractRun) -> Result<()> {
    let python = python::with(project, "contract", "openapi/check/requirements.txt")?;
    stack::build(project, false)?;
    project::make_folder(&project.ui().join("dist"))?;
    let folder = postgres::throw_away_folder()?;
    let result = against_new_service(project, node, run_options, &python, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    result
}

fn against_new_service(
    project: &Project, node: &Node, run_options: &ContractRun, python: &Path, folder: &Path,
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
