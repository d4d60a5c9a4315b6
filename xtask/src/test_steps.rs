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

/// The test targets that hold the tests through HTTP of several crates each, with the names of these.
fn http_targets(project: &Project) -> Result<Vec<(String, Vec<String>)>> {
    let mut found = Vec::new();
    for path in files(&project.root.join("platform/server/tests")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("http_") {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}.", path.display()))?;
            let crates = text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
            found.push((name, crates.map(str::to_owned).collect()));
        }
    }
    found.sort();
    Ok(found)
}

/// The folders of these crates, which lie in several of the workspace.
fn folders(project: &Project, crates: &[String]) -> Result<Vec<PathBuf>> {
    let path = project.root.join("Cargo.toml");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}.", path.display()))?;
    // The members stand in quotes, before everything else.
    let members = text.split("[workspace.package]").next().unwrap_or_default().split('"').skip(1).step_by(2);
    let chosen = members.filter(|member| crates.iter().any(|name| member.rsplit('/').next() == Some(name)));
    Ok(chosen.map(|member| project.root.join(member)).collect())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// The Rust tests of some crates, or all. With more words nextest runs each test in a process of its own.
pub fn rust_tests(
    project: &Project, tools: &Tools, database: &mut Database, crates: &[String], more: &[String],
) -> Result<()> {
    let mut run = Run { project, tools, database, environment: &[], second_tries: Vec::new() };
    if crates.is_empty() && !more.is_empty() {
        return run.apart(&[&words(&["--workspace"]), more].concat()).and_then(|()| run.end());
    }
    if crates.is_empty() {
        let shared = run.shared(&[], &[], &[]);
        let apart = run.apart(&words(&["--workspace", "-E", "not binary(/^http_/)"]));
        return shared.and(apart).and_then(|()| run.end());
    }
    let mut chosen: Vec<String> = crates.iter().flat_map(|name| words(&["--package", name])).collect();
    let mut targets = Vec::new();
    for (target, of) in http_targets(project)? {
        if crates.iter().any(|name| of.contains(name)) {
            targets.extend(words(&["--test", &target]));
        }
    }
    if targets.is_empty() {
        let any = if more.is_empty() { &["--no-tests", "pass"][..] } else { &[] };
        return run.apart(&[chosen, words(any), more.to_vec()].concat()).and_then(|()| run.end());
    }
    chosen.extend(words(&["--package", "server"]));
    for folder in folders(project, crates)? {
        for path in files(&folder.join("tests")) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.join("main.rs").exists() || path.extension().is_some() && !stem.starts_with("http_") {
                targets.extend(words(&["--test", &stem]));
            }
        }
    }
    let all = [chosen, words(&["--lib", "--bins"]), targets].concat();
    if !more.is_empty() {
        return run.apart(&[&all[..], more].concat()).and_then(|()| run.end());
    }
    let modules: Vec<String> = crates.iter().map(|name| format!("{name}::")).collect();
    let shared = run.shared(&all, &modules, &[]);
    let own: Vec<String> = crates.iter().map(|name| format!("package({name})")).collect();
    let own = format!("({}) and not binary(/^http_/)", own.join(" or "));
    let apart = run.apart(&[&all[..], &words(&["--no-tests", "pass", "-E", &own])].concat());
    shared.and(apart).and_then(|()| run.end())
}

/// Rust tests on one database, in several steps.
struct Run<'r> {
    project: &'r Project,
    tools: &'r Tools,
    database: &'r mut Database,
    environment: &'r [(&'r str, &'r str)],
    second_tries: Vec<String>,
}

/// So many tests of a process run at the same time. Most wait for Postgres half of their time.
const THREADS: &str = "6";

impl Run<'_> {
    fn cargo(&mut self, words: &[String], what: &str) -> Result<()> {
        let mut cargo = process::command("cargo");
        cargo.args(words).current_dir(&self.project.root).env("PULT_TEST_DATABASE_URL", &self.database.url);
        cargo.env("PULT_TEST_SECOND_TRIES", self.told("second_tries"));
        cargo.envs(self.environment.iter().copied());
        run_loud(&mut cargo, "cargo", what).map_err(|reason| match self.database.ended() {
            Some(why) => format!("{reason} {why}"),
            None => reason,
        })
    }

    fn told(&self, name: &str) -> PathBuf {
        self.project.target().join(name)
    }

    /// The tests through HTTP on threads of one process for each target. With a choice of cargo's: of its targets
    /// those of these modules alone.
    fn shared(&mut self, chosen: &[String], modules: &[String], left: &[&str]) -> Result<()> {
        let mut all = words(&["test", "--no-fail-fast"]);
        if chosen.is_empty() {
            all.push("--workspace".to_owned());
            all.extend(
                http_targets(self.project)?.into_iter().flat_map(|(name, _)| words(&["--test", &name])),
            );
        }
        all.extend(chosen.iter().filter(|word| !["--lib", "--bins"].contains(&word.as_str())).cloned());
        all.push("--".to_owned());
        all.extend(modules.iter().cloned());
        all.extend(left.iter().flat_map(|name| words(&["--skip", name])));
        all.extend(words(&["--test-threads", THREADS]));
        let told = self.told("second_tries");
        let _ = fs::remove_file(&told);
        self.cargo(&all, "the Rust tests through HTTP")?;
        self.second_tries.extend(fs::read_to_string(told).unwrap_or_default().lines().map(str::to_owned));
        Ok(())
    }

    /// Each test in a process of its own, where there is nextest.
    fn apart(&mut self, chosen: &[String]) -> Result<()> {
        let first = if self.tools.nextest { &["nextest", "run"][..] } else { &["test"][..] };
        let told = self.told("nextest/default/junit.xml");
        let _ = fs::remove_file(&told);
        self.cargo(&[&words(first), chosen].concat(), "the Rust tests")?;
        self.second_tries.extend(second_tries(&fs::read_to_string(told).unwrap_or_default()));
        Ok(())
    }

    fn end(self) -> Result<()> {
        few_second_tries(&self.second_tries)
    }
}

/// So many tests of a run may pass at their second try only.
const MOST_SECOND_TRIES: usize = 3;

/// A test that passes at its second try is a fault to be looked at: of the test or of the product.
fn few_second_tries(names: &[String]) -> Result<()> {
    if names.len() <= MOST_SECOND_TRIES {
        return Ok(());
    }
    Err(format!("{} tests passed at their second try only: {}.", names.len(), names.join(", ")))
}

/// Those of nextest's report.
fn second_tries(junit: &str) -> Vec<String> {
    let cases = junit.split("<testcase ").skip(1).filter(|case| case.contains("<flakyFailure"));
    cases.filter_map(|case| Some(case.split('"').nth(1)?.to_owned())).collect()
}

/// The tests through HTTP and those of the queue, with the service's connections behind a pooler. Where there can be
/// none, that is what the result says, never that they passed.
pub fn pooler_tests(
    project: &Project, tools: &Tools, database: &mut Database, more: &[String],
) -> Result<()> {
    let mut pooler = match Pooler::start(project, &database.url) {
        Ok(pooler) => pooler,
        Err(PoolerError::Unavailable(why)) => return Err(report::not_run("pooler", &why)),
        Err(PoolerError::Failed(why)) => return Err(why),
    };
    let environment = [("PULT_TEST_POOLER", pooler.address.as_str())];
    let mut run = Run { project, tools, database, environment: &environment, second_tries: Vec::new() };
    let result = if more.is_empty() {
        run.shared(&[], &[], &[]).and(run.apart(&words(&["--workspace", "--test", "jobs"])))
    } else {
        let targets = http_targets(project)?.into_iter().map(|(name, _)| name).chain(["jobs".to_owned()]);
        let targets: Vec<String> = targets.flat_map(|name| words(&["--test", &name])).collect();
        run.apart(&[&words(&["--workspace"]), &targets, more].concat())
    };
    let result = result.and_then(|()| run.end());
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
    let environment = [("PULT_TEST_ELSEWHERE", "1")];
    let mut run = Run { project, tools, database, environment: &environment, second_tries: Vec::new() };
    run.shared(&[], &[], AT_HOME).and_then(|()| run.end())
}

/// The tests through HTTP of another checkout, whose schema is a newer one. What describes the schema of its own
/// release is left out.
pub fn previous_tests(
    checkout: &Project, tools: &Tools, database: &mut Database, target: &str,
) -> Result<()> {
    let environment = [("CARGO_TARGET_DIR", target)];
    let of_before = http_targets(checkout)?.is_empty();
    let mut run =
        Run { project: checkout, tools, database, environment: &environment, second_tries: Vec::new() };
    let result = if of_before {
        // A release with a target for each crate.
        run.apart(&words(&["--workspace", "--test", "http", "-E", "not test(/^sql::/)"]))
    } else {
        run.shared(&[], &[], &["server::sql::"])
    };
    result.and_then(|()| run.end())
}

/// What every change tries with a few random cases, with many, and what waits in real time.
pub fn long_tests(project: &Project, tools: &Tools, database: &mut Database) -> Result<()> {
    let wanted = "package(kernel) | package(pricing) | test(whatever_happens_to_an_order_its_money_adds_up) | \
        test(replacing_an_order_counts_once) | \
        test(/^leases::/)";
    let environment = [("PULT_CASES", "10000"), ("PULT_LIVES", "200"), ("PULT_REPLACED", "500")];
    let mut run = Run { project, tools, database, environment: &environment, second_tries: Vec::new() };
    run.apart(&words(&["--workspace", "--profile", "night", "--run-ignored", "all", "-E", wanted]))
        .and_then(|()| run.end())
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
        let told = |count| few_second_tries(&second_tries(&of(count)));
        assert_eq!(few_second_tries(&second_tries("")), Ok(()));
        assert_eq!(told(3), Ok(()));
        assert_eq!(
            told(4).unwrap_err(),
            "4 tests passed at their second try only: test 0, test 1, test 2, test 3."
        );
    }
}
