//! `cargo xtask test`: installs what tests need and runs everything; one failure does not hide the next.

use std::time::{Duration, Instant};

use crate::{
    Result,
    process::STOPPED,
    project::Project,
    sys,
    test_steps::{self, Database, Tools},
};

/// The words after `test`.
#[derive(Default)]
pub struct Options {
    quick: bool,
    postgres: bool,
    browser: bool,
    pooler: bool,
    /// Crates; when given, only their Rust tests run.
    crates: Vec<String>,
    /// Handed on to nextest, or to Playwright.
    more: Vec<String>,
}

impl Options {
    /// Reads them.
    ///
    /// # Errors
    /// One sentence about a word that is none of ours.
    pub fn read(words: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--quick" => options.quick = true,
                "--browser" => options.browser = true,
                "--pooler" => options.pooler = true,
                "--postgres" => options.postgres = true,
                "-p" | "--package" => options.crates.push(words.next().ok_or("-p needs the name of a crate.")?.clone()),
                "--" => options.more.extend(words.by_ref().cloned()),
                other => {
                    return Err(format!("`cargo xtask test` does not know {other}; see `cargo xtask help`."));
                }
            }
        }
        Ok(options)
    }
}

struct Report {
    entries: Vec<(&'static str, Duration, Result<()>)>,
}

impl Report {
    /// Runs a step, unless the user has stopped us, and keeps its result.
    fn step(&mut self, name: &'static str, work: impl FnOnce() -> Result<()>) -> bool {
        if sys::interrupts() > 0 {
            return false;
        }
        println!("\n== {name}");
        let started = Instant::now();
        let result = work();
        if let Err(reason) = &result {
            println!("{reason}");
        }
        let good = result.is_ok();
        self.entries.push((name, started.elapsed(), result));
        good
    }

    fn finish(self, total: Duration) -> Result<()> {
        println!("\n== Summary");
        let mut failed = Vec::new();
        for (name, time, result) in &self.entries {
            let (mark, reason) = match result {
                Ok(()) => ("✓", String::new()),
                Err(reason) => ("✗", format!("  {}", reason.lines().next().unwrap_or_default())),
            };
            println!("  {mark} {name:<22} {:>7.1} s{reason}", time.as_secs_f32());
            if result.is_err() {
                failed.push(*name);
            }
        }
        println!("    {:<22} {:>7.1} s", "all", total.as_secs_f32());
        if sys::interrupts() > 0 {
            return Err(STOPPED.into());
        }
        if failed.is_empty() { Ok(()) } else { Err(format!("Failed: {}.", failed.join(", "))) }
    }
}

/// Runs what was asked for.
///
/// # Errors
/// The names of the steps that failed.
pub fn run(options: &Options) -> Result<()> {
    let started = Instant::now();
    let project = Project::find();
    if options.postgres {
        return only_postgres(&project);
    }
    let mut report = Report { entries: Vec::new() };
    if options.browser {
        report.step("browser tests", || {
            let tools = Tools::all(&project)?;
            tools.install_interface(&project)?;
            tools.build_interface(&project)?;
            test_steps::browser_tests(&project, &tools, &options.more)
        });
        return report.finish(started.elapsed());
    }
    if options.pooler {
        report.step("pooler", || {
            let tools = Tools::for_rust(&project)?;
            let mut database = Database::start(&project, &tools)?;
            test_steps::pooler_tests(&project, &tools, &mut database, &options.more)
        });
        return report.finish(started.elapsed());
    }
    if !options.crates.is_empty() || !options.more.is_empty() {
        report.step("Rust tests", || {
            let tools = Tools::for_rust(&project)?;
            let mut database = Database::start(&project, &tools)?;
            test_steps::rust_tests(&project, &tools, &mut database, &options.crates, &options.more)
        });
        return report.finish(started.elapsed());
    }

    let mut tools = None;
    if !report.step("tools", || {
        tools = Some(if options.quick { Tools::for_interface(&project)? } else { Tools::all(&project)? });
        Ok(())
    }) {
        return report.finish(started.elapsed());
    }
    let Some(tools) = tools else {
        return Err(STOPPED.into());
    };

    report.step("format", || test_steps::cargo(&project, &["fmt", "--all", "--check"]));
    report.step("lints", || test_steps::cargo(&project, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    report.step("Rust tests", || {
        let mut database = Database::start(&project, &tools)?;
        test_steps::rust_tests(&project, &tools, &mut database, &[], &[])
    });
    report.step("document", || crate::openapi::check_document(&project));
    if report.step("interface packages", || tools.install_interface(&project)) {
        report.step("generated client", || tools.check_client(&project));
        report.step("interface checks", || tools.npm_run(&project, "check"));
        report.step("interface tests", || tools.npm_run(&project, "test"));
        if !options.quick && report.step("interface build", || tools.build_interface(&project)) {
            report.step("browser tests", || test_steps::browser_tests(&project, &tools, &[]));
        }
    }
    report.finish(started.elapsed())
}

/// For tests run by hand: the database they need, until Ctrl+C.
fn only_postgres(project: &Project) -> Result<()> {
    let tools = Tools::none();
    let mut database = Database::start(project, &tools)?;
    println!("\nexport PULT_TEST_DATABASE_URL={}\n\nCtrl+C stops it.", database.url);
    while sys::interrupts() == 0 {
        if let Some(reason) = database.ended() {
            return Err(reason);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
