//! `cargo xtask test`: installs what tests need and runs everything; one failure does not hide the next.

use std::{path::PathBuf, thread::JoinHandle, time::Duration};

use crate::{
    Result, chart, contract,
    node::Node,
    process::{self, Output, STOPPED},
    progress::Step,
    project::{self, Project},
    report::{Report, not_run},
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
    contract: bool,
    chart: bool,
    interface: bool,
    image: bool,
    /// Crates; when given, only their Rust tests run.
    crates: Vec<String>,
    /// Handed on to nextest, or to Playwright.
    more: Vec<String>,
}

impl Options {
    pub fn read(words: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--quick" => options.quick = true,
                "--browser" => options.browser = true,
                "--pooler" => options.pooler = true,
                "--contract" => options.contract = true,
                "--chart" => options.chart = true,
                "--interface" => options.interface = true,
                "--image" => options.image = true,
                "--postgres" => options.postgres = true,
                "-p" | "--package" => {
                    options.crates.push(words.next().ok_or("-p needs the name of a crate.")?.clone())
                }
                "--" => options.more.extend(words.by_ref().cloned()),
                other => {
                    return Err(format!("`cargo xtask test` does not know {other}; see `cargo xtask help`."));
                }
            }
        }
        Ok(options)
    }
}

pub fn run(options: &Options) -> Result<()> {
    let project = Project::find();
    if options.postgres {
        return only_postgres(&project);
    }
    let mut report = Report::begin();
    if one_part(&project, options, &mut report)? {
        return report.finish();
    }

    let mut tools = None;
    if !report.step("tools", || {
        tools = Some(if options.quick { Tools::for_interface(&project)? } else { Tools::all(&project)? });
        Ok(())
    }) {
        return report.finish();
    }
    let Some(tools) = tools else {
        return Err(STOPPED.into());
    };

    report.step("format", || test_steps::cargo(&project, &["fmt", "--all", "--check"]));
    let words: &[&str] = if options.quick { &["--interface", "--quick"] } else { &["--interface"] };
    let interface = Beside::start(&project, "interface", words);
    let chart = Beside::start(&project, "chart", &["--chart"]);
    process::lint_while_compiling(true);
    if !project.has_incremental_state() {
        process::compile_for_once();
    }
    if report.step("compile, with lints", || {
        test_steps::cargo(&project, &["build", "--workspace", "--all-targets"])?;
        // Alone: with the other crates, `kernel` has its feature `service` here too.
        test_steps::cargo(&project, &["build", "--package", "pricing"])
    }) {
        process::all_is_built();
    } else {
        // The other steps have their say in spite of a warning.
        process::lint_while_compiling(false);
    }
    report.step("interface", || interface.join());
    report.step_where_possible("chart", || chart.join());
    report.step_where_possible("supply chain", || crate::supply::run(&project, false));
    report.step("Rust tests", || {
        let mut database = Database::start(&project, &tools)?;
        test_steps::rust_tests(&project, &tools, &mut database, &[], &[])
    });
    report.step_where_possible("drills", || crate::drill::run(&crate::drill::Options::small()));
    report.step("document", || crate::openapi::check_document(&project));
    // Both wait for answers half of their time.
    let contract = (!options.quick).then(|| {
        (
            Beside::start(&project, "contract", &["--contract"]),
            Beside::start(&project, "image", &["--image", "--quick"]),
        )
    });
    // Both are unchanged, unless they failed beside the compilation: then they say so again.
    let packages = report.step("interface packages", || tools.install_interface(&project));
    if packages {
        report.step("interface tests", || tools.npm_run(&project, "test"));
    }
    if let Some((contract, image)) = contract {
        report.step_where_possible("image", || image.join());
        report.step("contract", || contract.join());
        if packages && report.step("interface build", || tools.build_interface(&project)) {
            report.step("browser tests", || {
                test_steps::browser_tests(&project, &tools, &[], test_steps::Extent::Short)
            });
        }
    }
    report.finish()
}

/// Runs the part that was asked for; false when all of them are.
fn one_part(project: &Project, options: &Options, report: &mut Report) -> Result<bool> {
    if options.browser {
        report.step("browser tests", || {
            let tools = Tools::all(project)?;
            tools.install_interface(project)?;
            tools.build_interface(project)?;
            test_steps::browser_tests(project, &tools, &options.more, test_steps::Extent::Usual)
        });
    } else if options.interface {
        let tools = Tools::for_interface(project)?;
        if report.step("interface packages", || tools.install_interface(project)) {
            report.step("interface checks", || tools.npm_run(project, "check"));
            if !options.quick {
                report.step("interface build", || tools.build_interface(project));
            }
        }
    } else if options.chart {
        report.step("chart", || chart::run_when_changed(project));
    } else if options.image {
        report.step("image", || crate::image::check_development(project, options.quick));
    } else if options.contract {
        report.step("contract", || {
            contract::run(project, &Node::find(project)?, &contract::ContractRun::usual())
        });
    } else if options.pooler {
        report.step("pooler", || {
            let tools = Tools::for_rust(project)?;
            let mut database = Database::start(project, &tools)?;
            test_steps::pooler_tests(project, &tools, &mut database, &options.more)
        });
    } else if !options.crates.is_empty() || !options.more.is_empty() {
        report.step("Rust tests", || {
            let tools = Tools::for_rust(project)?;
            let mut database = Database::start(project, &tools)?;
            test_steps::rust_tests(project, &tools, &mut database, &options.crates, &options.more)
        });
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// A part of the tests beside another, which leaves a core idle again and again. Its output is kept.
struct Beside {
    name: &'static str,
    log: PathBuf,
    thread: JoinHandle<Result<()>>,
}

impl Beside {
    fn start(project: &Project, name: &'static str, words: &[&str]) -> Self {
        let (root, folder) = (project.root.clone(), project.stamps());
        let log = folder.join(format!("{name}.log"));
        let file = log.clone();
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        // Compiling with lints has put another file in the place of the one that runs.
        let program = project.binary("xtask", false);
        let run = move || {
            project::make_folder(&folder)?;
            let mut command = process::command(program);
            process::compile_alike(&mut command);
            command.arg("test").args(words).current_dir(root);
            let mut step = Step::begin_loud(name, "beside the other tests");
            process::run(&mut command, &Output::Log(&file), &mut step)?;
            step.done("checked");
            Ok(())
        };
        Self { name, log, thread: std::thread::spawn(run) }
    }

    /// Waits for the end and shows what was written.
    fn join(self) -> Result<()> {
        let result = self.thread.join().unwrap_or_else(|_| Err("It panicked.".into()));
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        println!("{log}");
        // The last word of its own summary counts: its log may say of a part that it could not run, beside another
        // that failed.
        result.map_err(|_| match log.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) if line.starts_with("Not run:") => not_run(self.name, "its output says why"),
            _ => format!("{} failed.", self.name),
        })
    }
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
