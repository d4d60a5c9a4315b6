//! Drills: the real binary and a real Postgres under load, while something breaks or is changed. Each prints
//! its seed, what it did and what it proved, and ends with the reconciler. `cargo xtask drill` starts it.

#![allow(clippy::too_many_lines, reason = "a drill is told from its beginning to its end")]

mod backup;
mod balancer;
mod context;
mod drills;
mod faulty;
mod load;
mod neighbours;
mod people;
mod pooler;
mod process;
mod relay;
mod small_disk;
mod sockets;
mod stage;
mod store;

use std::{path::PathBuf, process::ExitCode, time::Instant};

use context::{CannotRun, Context};
use drills::DRILLS;

const HELP: &str = "\
drills [NAME ...|all] [--small] [--seed N] --binary PATH --postgres-bin DIR [--pgbouncer WORDS]
                            [--sandbox PATH] [--previous PATH]
    Without a name it lists the drills.
    --small          the short forms, for every change
    --seed N         the same choices as in the run that has printed this seed
    --binary PATH    the service
    --postgres-bin   the folder of Postgres' programs
    --pgbouncer      the words that start PgBouncer, with spaces between
    --sandbox PATH   the stand-ins of object store and mail
    --previous PATH  the service of the previous release";
/// The exit code when nothing failed and something could not run here.
const NOT_RUN: u8 = 77;

struct Options {
    names: Vec<String>,
    small: bool,
    seed: u64,
    binary: PathBuf,
    programs: PathBuf,
    pgbouncer: Option<Vec<String>>,
    sandbox: Option<PathBuf>,
    previous: Option<PathBuf>,
}

impl Options {
    fn read(words: &[String]) -> rig::Result<Self> {
        let mut options = Self {
            names: vec![],
            small: false,
            // Short enough to be typed again.
            seed: u64::from(rand::random::<u32>()),
            binary: PathBuf::new(),
            programs: PathBuf::new(),
            pgbouncer: None,
            sandbox: None,
            previous: None,
        };
        let (mut words, mut all) = (words.iter(), false);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--small" => options.small = true,
                "--seed" => options.seed = value()?.parse()?,
                "--binary" => options.binary = std::fs::canonicalize(value()?)?,
                "--postgres-bin" => options.programs = value()?.into(),
                "--pgbouncer" => {
                    options.pgbouncer = Some(value()?.split_whitespace().map(str::to_owned).collect());
                }
                "--sandbox" => options.sandbox = Some(value()?.into()),
                "--previous" => options.previous = Some(value()?.into()),
                "all" => all = true,
                name if DRILLS.iter().any(|drill| drill.name == name) => options.names.push(name.to_owned()),
                other => return Err(format!("there is no drill {other}\n{HELP}").into()),
            }
        }
        if all {
            // The short form of some would prove nothing.
            let wanted = DRILLS.iter().filter(|drill| drill.small || !options.small);
            options.names.extend(wanted.map(|drill| drill.name.to_owned()));
        }
        Ok(options)
    }
}

fn list() {
    println!("The drills; `cargo xtask drill NAME` runs one, `--small` in its short form:\n");
    for drill in DRILLS {
        let night = if drill.small { "" } else { " (nightly alone)" };
        println!("  {:<22} {}{night}", drill.name, drill.sentence);
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--help" || word == "-h") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let options = match Options::read(&words) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("drills: {error}");
            return ExitCode::FAILURE;
        }
    };
    if options.names.is_empty() {
        list();
        return ExitCode::SUCCESS;
    }
    let (mut failed, mut missing) = (vec![], vec![]);
    let context = match Context::new(&options) {
        Ok(context) => context,
        Err(error) => {
            eprintln!("drills: {error}");
            return ExitCode::FAILURE;
        }
    };
    for drill in DRILLS.iter().filter(|drill| options.names.iter().any(|name| name == drill.name)) {
        let begun = Instant::now();
        println!("\n== {} (seed {}): {}", drill.name, options.seed, drill.sentence);
        let result = (drill.run)(&context).await;
        context.look_for_guests();
        let damage = context.take_damage();
        match result {
            Err(error) if error.is::<CannotRun>() => {
                println!("  – could not run: {error}");
                missing.push(drill.name);
            }
            Err(error) => {
                println!("  ✗ it ended early: {error}");
                failed.push(drill.name);
            }
            Ok(()) if damage > 0 => failed.push(drill.name),
            Ok(()) => println!("  proved in {:.1} s", begun.elapsed().as_secs_f64()),
        }
        if failed.last() == Some(&drill.name) {
            println!("  what to do when this happens for real: {}", drill.page);
        }
    }
    context.end();
    if !missing.is_empty() {
        println!("\nCould not run: {}.", missing.join(", "));
    }
    if failed.is_empty() {
        return if missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NOT_RUN) };
    }
    println!("\nFailed (seed {}): {}.", options.seed, failed.join(", "));
    ExitCode::FAILURE
}
