//! The outcomes of a command's steps: one failure does not hide the next.

use std::time::{Duration, Instant};

use crate::{Result, process::STOPPED, sys};

/// Steps and their results.
pub struct Report {
    started: Instant,
    entries: Vec<(&'static str, Duration, Result<()>)>,
    /// Steps that may be left out where a machine cannot run them.
    where_possible: Vec<&'static str>,
}

/// What stands in the reason of a step that could not run here: it has neither passed nor failed.
const NOT_RUN: &str = ": not run (";

/// The result of a step that cannot run here.
pub fn not_run(name: &str, why: &str) -> String {
    format!("{name}{NOT_RUN}{why})")
}

impl Report {
    /// No step yet.
    pub fn begin() -> Self {
        Self { started: Instant::now(), entries: Vec::new(), where_possible: Vec::new() }
    }

    /// Runs a step, unless the user has stopped us, and keeps its result.
    pub fn step(&mut self, name: &'static str, work: impl FnOnce() -> Result<()>) -> bool {
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

    /// The same with a step that is left out, and named in the summary, where a machine cannot run it: at night
    /// it has to.
    pub fn step_where_possible(&mut self, name: &'static str, work: impl FnOnce() -> Result<()>) -> bool {
        self.where_possible.push(name);
        self.step(name, work)
    }

    /// Prints the summary.
    pub fn finish(self) -> Result<()> {
        println!("\n== Summary");
        let (mut failed, mut missing) = (Vec::new(), Vec::new());
        for (name, time, result) in &self.entries {
            let (mark, reason) = match result {
                Ok(()) => ("✓ passed ", String::new()),
                Err(reason) if reason.contains(NOT_RUN) => {
                    if !self.where_possible.contains(name) {
                        missing.push(*name);
                    }
                    ("– not run", format!("  {}", reason.lines().next().unwrap_or_default()))
                }
                Err(reason) => {
                    failed.push(*name);
                    ("✗ failed ", format!("  {}", reason.lines().next().unwrap_or_default()))
                }
            };
            println!("  {mark} {name:<22} {:>7.1} s{reason}", time.as_secs_f32());
        }
        println!("            {:<22} {:>7.1} s", "all", self.started.elapsed().as_secs_f32());
        if sys::interrupts() > 0 {
            return Err(STOPPED.into());
        }
        let named = |what: &str, names: &[&str]| {
            if names.is_empty() { None } else { Some(format!("{what}: {}.", names.join(", "))) }
        };
        let sentences: Vec<String> =
            [named("Failed", &failed), named("Not run", &missing)].into_iter().flatten().collect();
        if sentences.is_empty() { Ok(()) } else { Err(sentences.join(" ")) }
    }
}
