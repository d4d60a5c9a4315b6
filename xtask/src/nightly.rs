//! `cargo xtask nightly`: every long run, one after the other. A new one is a row of `RUNS`.

use crate::{
    Result, chart, contract, drill, fault, image,
    node::Node,
    project::{self, Project},
    report::Report,
    supply,
    test_steps::{self, Database, Tools},
};

/// The words after `nightly`.
#[derive(Default)]
pub struct Options {
    /// The runs that are wanted; all when there are none.
    names: Vec<String>,
    seed: Option<u64>,
}

/// A long run: its name, and what it does with the checkout and the seed of this night.
type Run = (&'static str, fn(&Project, u64) -> Result<()>);

const RUNS: &[Run] = &[
    ("contract", |project, seed| {
        contract::run(project, &Node::find(project)?, &contract::ContractRun { seconds: 720, seed })
    }),
    ("supply", |project, _| supply::run(project, true)),
    ("chart", |project, _| chart::run(project)),
    ("connections", |project, _| {
        let test = "server::edge::a_proxy_that_keeps_its_connections_sees_no_error_in_ten_minutes";
        test_steps::cargo(
            project,
            &["test", "--package", "server", "--test", "http_server", "--", "--ignored", "--exact", test],
        )
    }),
    ("image", |_, _| image::run(&image::Options::night())),
    ("long", |project, _| with_database(project, test_steps::long_tests)),
    ("fault", |_, _| fault::run(&fault::Options::long())),
    ("drill", |_, seed| drill::run(&drill::Options::night(seed))),
    ("pooler", |project, _| {
        with_database(project, |project, tools, database| {
            test_steps::pooler_tests(project, tools, database, &[])
        })
    }),
    ("elsewhere", |project, _| with_database(project, test_steps::elsewhere_tests)),
    ("previous", |project, _| drill::previous_tests(project)),
    ("browser", |project, _| {
        let tools = Tools::all(project)?;
        tools.install_interface(project)?;
        tools.build_interface(project)?;
        test_steps::browser_tests(project, &tools, &[], test_steps::Extent::Night)
    }),
];

/// Runs these Rust tests on a database of their own.
fn with_database(
    project: &Project, tests: impl FnOnce(&Project, &Tools, &mut Database) -> Result<()>,
) -> Result<()> {
    let tools = Tools::for_rust(project)?;
    let mut database = Database::start(project, &tools)?;
    tests(project, &tools, &mut database)
}

impl Options {
    pub fn read(words: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--seed" {
                let seed = words.next().and_then(|text| text.parse().ok());
                options.seed = Some(seed.ok_or("--seed needs the number that a run has printed.")?);
            } else if RUNS.iter().any(|(name, _)| name == word) {
                options.names.push(word.clone());
            } else {
                let names: Vec<&str> = RUNS.iter().map(|(name, _)| *name).collect();
                return Err(format!(
                    "`cargo xtask nightly` has no run {word}; there are {}.",
                    names.join(", ")
                ));
            }
        }
        Ok(options)
    }
}

/// Runs them. One failure does not hide the next.
pub fn run(options: &Options) -> Result<()> {
    let project = Project::find();
    let seed = match options.seed {
        Some(seed) => seed,
        None => u64::from_str_radix(&project::random_hex(4)?, 16).map_err(|error| error.to_string())?,
    };
    println!("Seed {seed}: the same again with `cargo xtask nightly --seed {seed}`.");
    let mut report = Report::begin();
    for (name, run) in RUNS
        .iter()
        .filter(|(name, _)| options.names.is_empty() || options.names.iter().any(|one| one == name))
    {
        report.step(name, || run(&project, seed));
    }
    report.finish()
}
