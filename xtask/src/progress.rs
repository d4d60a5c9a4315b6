//! Progress on the terminal: one line per step, with its present wait and its duration.

use std::{
    io::{IsTerminal, Write},
    time::{Duration, Instant},
};

/// One step. Dropped without [`Step::done`] it counts as failed and says so.
pub struct Step {
    name: String,
    waiting_for: String,
    started: Instant,
    last_sign: Instant,
    live: bool,
    finished: bool,
}

impl Step {
    /// A step whose line is renewed while it waits.
    pub fn begin(name: &str, waiting_for: &str) -> Self {
        let now = Instant::now();
        let live = std::io::stdout().is_terminal();
        let step = Self {
            name: name.into(),
            waiting_for: waiting_for.into(),
            started: now,
            last_sign: now,
            live,
            finished: false,
        };
        if live {
            step.show_waiting();
        }
        step
    }

    /// A step whose program writes to the terminal itself, so progress is not printed meanwhile.
    pub fn begin_loud(name: &str, waiting_for: &str) -> Self {
        let mut step = Self::begin(name, waiting_for);
        if step.live {
            println!();
        } else {
            println!("    {name:<14} {waiting_for} ...");
        }
        step.live = false;
        step.last_sign = Instant::now() + Duration::from_secs(3600 * 24);
        step
    }

    /// Changes what the step says it waits for.
    pub fn wait_for(&mut self, what: &str) {
        self.waiting_for = what.into();
        if self.live {
            self.show_waiting();
        }
    }

    /// To be called now and then while waiting: renews the line, or gives a sign of life every 15 s in a log.
    pub fn tick(&mut self) {
        let quiet = self.last_sign.elapsed();
        if self.live && quiet > Duration::from_secs(1) {
            self.last_sign = Instant::now();
            self.show_waiting();
        } else if !self.live && quiet > Duration::from_secs(15) {
            self.last_sign = Instant::now();
            println!(
                "    {:<14} still waiting: {} ({:.0} s)",
                self.name,
                self.waiting_for,
                self.started.elapsed().as_secs_f32()
            );
        }
    }

    /// The step has succeeded; `note` says with what result.
    pub fn done(mut self, note: &str) {
        self.finished = true;
        self.close("✓", note);
    }

    fn show_waiting(&self) {
        let seconds = self.started.elapsed().as_secs();
        let time = if seconds > 0 { format!(" ({seconds} s)") } else { String::new() };
        print!("\r\x1b[K  … {:<14} {}{time}", self.name, self.waiting_for);
        let _ = std::io::stdout().flush();
    }

    fn close(&self, mark: &str, note: &str) {
        if self.live {
            print!("\r\x1b[K");
        }
        println!("  {mark} {:<14} {note} ({:.1} s)", self.name, self.started.elapsed().as_secs_f32());
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        if !self.finished {
            self.close("✗", &self.waiting_for);
        }
    }
}
