//! The single steps of `cargo xtask test`, and their tools.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    Result, apt,
    node::{self, Node},
    pooler::{Pooler, PoolerError},
    postgres::{self, Durability, Postgres},
    process::{self, Output},
    progress::Step,
    project::{self, Project},
    report,
    stack::{self, Plan, Stack},
};

/// Programs that tests need, found or installed.
pub struct Tools {
    node: Option<Node>,
    nextest: bool,
    browser: Option<PathBuf>,
}

impl Tools {
    /// None, for a database alone.
    pub fn none() -> Self {
        Self { node: None, nextest: false, browser: None }
    }

    /// For Rust tests alone. Node is looked for only if Postgres has to come from its packages.
    pub fn for_rust(project: &Project) -> Result<Self> {
        // rust-embed wants the folder of the built interface to be there, empty or not.
        project::make_folder(&project.ui().join("dist"))?;
        Ok(Self { node: None, nextest: nextest()?, browser: None })
    }

    /// The same and Node.
    pub fn for_interface(project: &Project) -> Result<Self> {
        Ok(Self { node: Some(Node::find(project)?), ..Self::for_rust(project)? })
    }

    /// The same and a browser.
    pub fn all(project: &Project) -> Result<Self> {
        Ok(Self { browser: Some(browser()?), ..Self::for_interface(project)? })
    }

    /// Node, which was looked for.
    pub fn node(&self) -> Result<&Node> {
        self.node.as_ref().ok_or_else(|| "Node was not looked for.".into())
    }

    /// `npm ci`.
    pub fn install_interface(&self, project: &Project) -> Result<()> {
        node::install(project, self.node()?)
    }

    /// `npm run build`.
    pub fn build_interface(&self, project: &Project) -> Result<()> {
        node::build(project, self.node()?)
    }

    /// One of the scripts of the interface's package.json.
    pub fn npm_run(&self, project: &Project, script: &str) -> Result<()> {
        let mut npm = self.node()?.npm();
        npm.args(["run", script]).current_dir(project.ui());
        run_loud(&mut npm, "npm", &format!("npm run {script}"))
    }
}

fn run_loud(command: &mut Command, name: &str, what: &str) -> Result<()> {
    let mut step = Step::begin_loud(name, what);
    process::run(command, &Output::Terminal, &mut step)?;
    step.done(what);
    Ok(())
}

pub fn cargo(project: &Project, words: &[&str]) -> Result<()> {
    run_loud(process::command("cargo").args(words).current_dir(&project.root), "cargo", &words[..1].join(" "))
}

/// Whether nextest can be used: the installed one, else it is installed; when that fails, `cargo test` does.
fn nextest() -> Result<bool> {
    let has = || {
        process::command("cargo")
            .args(["nextest", "--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
    };
    match has() {
        Ok(status) if status.success() => return Ok(true),
        Err(error) => return Err(format!("cargo cannot be started: {error}.")),
        Ok(_) => {}
    }
    let installed = run_loud(
        process::command("cargo").args(["install", "cargo-nextest", "--locked"]),
        "nextest",
        "cargo install cargo-nextest (once, some minutes)",
    );
    match installed {
        Err(reason) if reason == process::STOPPED => Err(reason),
        Err(reason) => {
            println!("  {reason} The tests run with `cargo test` instead.");
            Ok(false)
        }
        Ok(()) => Ok(true),
    }
}

/// A Chromium: `CHROMIUM`, the system's, or (as root on Debian) a newly installed one. Debian's build without
/// a window is taken first: it needs a fifth less of the processors.
fn browser() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("CHROMIUM") {
        return Ok(path.into());
    }
    const NAMES: [&str; 5] =
        ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let known = || NAMES.iter().map(|name| Path::new("/usr/bin").join(name)).find(|path| path.exists());
    if let Some(path) = known() {
        return Ok(path);
    }
    const SENTENCE: &str = "The browser tests need Chromium: `apt-get install chromium-headless-shell`, or \
        set CHROMIUM to a browser's path.";
    if !apt::usable() {
        return Err(SENTENCE.into());
    }
    apt::install("Chromium", &NAMES[..2])?;
    known().ok_or_else(|| SENTENCE.into())
}

pub struct Database {
    pub url: String,
    /// The process, unless `PULT_TEST_DATABASE_URL` named another one. Stopped before its folder goes.
    postgres: Option<Postgres>,
    folder: Option<Folder>,
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Database {
    /// A throw-away Postgres.
    pub fn start(project: &Project, tools: &Tools) -> Result<Self> {
        if let Ok(url) = std::env::var("PULT_TEST_DATABASE_URL") {
            return Ok(Self { url, postgres: None, folder: None });
        }
        let folder = Folder(postgres::throw_away_folder()?);
        let npm = || match &tools.node {
            Some(node) => Ok(node.npm()),
            None => Ok(Node::find(project)?.npm()),
        };
        let postgres = Postgres::start(
            project,
            &npm,
            &folder.0.join("postgres"),
            &folder.0.join("postgres.log"),
            Durability::ThrownAway,
        )?;
        Ok(Self { url: postgres.owner_url("postgres"), postgres: Some(postgres), folder: Some(folder) })
    }

    /// `Some` with the reason when it has stopped.
    pub fn ended(&mut self) -> Option<String> {
        self.postgres.as_mut().and_then(|postgres| postgres.service.ended())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.postgres = None; // stops it
        self.folder = None;
    }
}

/// The Rust tests of some crates, or all.
pub fn rust_tests(
    project: &Project,
    tools: &Tools,
    database: &mut Database,
    crates: &[String],
    more: &[String],
) -> Result<()> {
    tests(project, tools, database, crates, more, &[])
}

fn tests(
    project: &Project,
    tools: &Tools,
    database: &mut Database,
    crates: &[String],
    more: &[String],
    environment: &[(&str, &str)],
) -> Result<()> {
    let mut cargo = process::command("cargo");
    cargo
        .args(if tools.nextest { &["nextest", "run"][..] } else { &["test"][..] })
        .current_dir(&project.root);
    if crates.is_empty() {
        cargo.arg("--workspace");
    }
    for name in crates {
        cargo.args(["--package", name]);
    }
    cargo.args(more).env("PULT_TEST_DATABASE_URL", &database.url);
    cargo.envs(environment.iter().copied());
    let told = project.target().join("nextest/default/junit.xml");
    let _ = std::fs::remove_file(&told);
    let result = run_loud(&mut cargo, "cargo", "the Rust tests");
    result.map_err(|reason| match database.ended() {
        Some(why) => format!("{reason} {why}"),
        None => reason,
    })?;
    few_second_tries(&std::fs::read_to_string(told).unwrap_or_default())
}

/// So many tests of a run may pass at their second try only.
const MOST_SECOND_TRIES: usize = 3;

/// A test that passes at its second try is a fault to be looked at: of the test or of the product.
fn few_second_tries(junit: &str) -> Result<()> {
    let cases = junit.split("<testcase ").skip(1).filter(|case| case.contains("<flakyFailure"));
    let names: Vec<&str> = cases.filter_map(|case| case.split('"').nth(1)).collect();
    if names.len() <= MOST_SECOND_TRIES {
        return Ok(());
    }
    Err(format!("{} tests passed at their second try only: {}.", names.len(), names.join(", ")))
}

/// The tests through HTTP and those of the queue, with the service's connections behind a pooler. Where there can be
/// none, that is what the result says, never that they passed.
pub fn pooler_tests(
    project: &Project,
    tools: &Tools,
    database: &mut Database,
    more: &[String],
) -> Result<()> {
    let mut pooler = match Pooler::start(project, &database.url) {
        Ok(pooler) => pooler,
        Err(PoolerError::Unavailable(why)) => return Err(report::not_run("pooler", &why)),
        Err(PoolerError::Failed(why)) => return Err(why),
    };
    let words: Vec<String> = ["--test", "http", "--test", "jobs"]
        .into_iter()
        .map(str::to_owned)
        .chain(more.iter().cloned())
        .collect();
    let result = tests(project, tools, database, &[], &words, &[("PULT_TEST_POOLER", &pooler.address)]);
    result.map_err(|reason| pooler.ended().map_or_else(|| reason.clone(), |why| format!("{reason} {why}")))
}

/// Tests that cannot be as they are when partners are on another server: they look into a partner's schema with a
/// connection of their own, restore into a partner, or read a line of its log before a job has carried it there.
const AT_HOME: &[&str] = &[
    "a_thousand_changes_of_the_sealed_log_are_all_found",
    "a_statement_of_somebody_else_stays_within_its_partner",
    "a_tenant_role_cannot_leave_its_place_nor_change_a_ledger",
    "statements_are_valid_on_the_schema_and_find_their_rows_by_an_index",
    "a_broken_handler_is_found",
    "the_own_name_is_changed_and_the_partners_copy_follows",
    "a_partner_that_is_not_live_asks_the_stand_in",
    "an_order_counts_for_an_hour_and_no_address_is_kept_longer",
    "an_address_opens_its_board_until_it_is_replaced",
    "a_partner_goes_back_to_its_archive",
    "a_log_goes_back_to_before_its_first_seal",
    "a_partner_that_goes_back_has_the_pictures_of_then_and_no_others",
    "a_restored_partner_exports_the_same_and_answers_alike",
    "taking_over_an_account_can_leave_partners",
    "an_access_that_runs_out_or_is_replaced_ends_in_the_partners_log_once",
    "a_socket_under_a_support_access_is_two_lines_of_the_log_and_ends_with_it",
];

/// The tests through HTTP with every partner on another database server than `control`.
pub fn elsewhere_tests(project: &Project, tools: &Tools, database: &mut Database) -> Result<()> {
    let left: Vec<String> = AT_HOME.iter().map(|name| format!("test({name})")).collect();
    let words =
        ["--test".to_owned(), "http".to_owned(), "-E".to_owned(), format!("not ({})", left.join(" or "))];
    tests(project, tools, database, &[], &words, &[("PULT_TEST_ELSEWHERE", "1")])
}

/// The tests through HTTP of another checkout, whose schema is a newer one. What describes the schema of its own
/// release is left out.
pub fn previous_tests(
    checkout: &Project,
    tools: &Tools,
    database: &mut Database,
    target: &str,
) -> Result<()> {
    let words = ["--test", "http", "-E", "not test(/^sql::/)"].map(str::to_owned);
    tests(checkout, tools, database, &[], &words, &[("CARGO_TARGET_DIR", target)])
}

/// What every change tries with a few random cases, with many, and what waits in real time.
pub fn long_tests(project: &Project, tools: &Tools, database: &mut Database) -> Result<()> {
    let wanted = "package(kernel) | package(pricing) | test(whatever_happens_to_an_order_its_money_adds_up) | \
        test(replacing_an_order_counts_once) | \
        test(/^leases::/)";
    let words = ["--profile", "night", "--run-ignored", "all", "-E", wanted].map(str::to_owned);
    tests(
        project,
        tools,
        database,
        &[],
        &words,
        &[("PULT_CASES", "10000"), ("PULT_LIVES", "200"), ("PULT_REPLACED", "500")],
    )
}

/// How much of the browser tests is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Without those that wait long or try variants, which each night runs.
    Short,
    /// All, each screen in some looks.
    Usual,
    /// All, each screen in all looks.
    Night,
}

/// Starts a whole service with new data, a second instance beside it, and runs the browser tests against
/// them.
pub fn browser_tests(project: &Project, tools: &Tools, more: &[String], extent: Extent) -> Result<()> {
    stack::build(project, false)?;
    let folder = Folder(postgres::throw_away_folder()?);
    let node = tools.node()?;
    let plan = Plan {
        data: folder.0.clone(),
        port: project::free_port()?,
        certificate: None,
        lan: false,
        release: false,
        durability: Durability::ThrownAway,
    };
    let stack = Stack::start(project, node, plan)?;
    let second_port = project::free_port()?;
    let second =
        stack.second_instance(second_port, project::free_port()?, &folder.0.join("logs/server-2.log"))?;
    let mut npm = node.npm();
    npm.args(["run", "e2e", "--"]).args(more).current_dir(project.ui());
    npm.env("PULT_E2E_URL", &stack.url).env("PULT_E2E_URL_2", format!("http://localhost:{second_port}"));
    npm.env("PULT_E2E_ACCOUNTS", folder.0.join("accounts.tsv")).env("PULT_E2E_MAILS", folder.0.join("mail"));
    npm.env("PULT_E2E_PROVIDER", &stack.provider_url);
    match extent {
        Extent::Short => _ = npm.env("PULT_E2E_SHORT", "1"),
        Extent::Usual => {}
        Extent::Night => _ = npm.env("PULT_E2E_LOOKS", "all"),
    }
    if let Some(browser) = &tools.browser {
        npm.env("CHROMIUM", browser);
    }
    let result = run_loud(&mut npm, "npm", "the browser tests").map_err(|reason| {
        format!(
            "{reason}\nWarnings in the service's log:\n{}Warnings in the second instance's log:\n{}",
            stack.server.log_warnings(),
            second.log_warnings()
        )
    });
    drop(second);
    stack.stop();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_three_second_tries_fail_a_run() {
        let flaky = |at| {
            format!("<testcase name=\"test {at}\" classname=\"x\"><flakyFailure type=\"a\"/></testcase>")
        };
        let passed = "<testcase name=\"fine\" classname=\"x\"></testcase>";
        let of = |count| passed.to_owned() + &(0..count).map(flaky).collect::<String>() + passed;
        assert_eq!(few_second_tries(""), Ok(()));
        assert_eq!(few_second_tries(&of(3)), Ok(()));
        let told = few_second_tries(&of(4)).unwrap_err();
        assert_eq!(told, "4 tests passed at their second try only: test 0, test 1, test 2, test 3.");
    }
}
