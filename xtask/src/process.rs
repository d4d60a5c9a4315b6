//! Programs that xtask starts: tools that run to their end, and services that run beside it.

use std::{
    fs::{self, File},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use crate::{
    Result, guard,
    progress::Step,
    sys::{self, Signal},
};

const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Whether cargo compiles the workspace with clippy from now on.
static LINTING: AtomicBool = AtomicBool::new(false);

/// Has cargo compile the workspace with clippy instead of rustc, and refuse warnings. What that makes can be
/// run: the tests need no second compilation, which `cargo clippy` and its own copy of every dependency would
/// cost. Switching it costs one, so a run of all steps keeps it.
pub fn lint_while_compiling(on: bool) {
    LINTING.store(on, Ordering::Relaxed);
}

/// Whether cargo compiles without noting what the next compilation could go on from.
static FOR_ONCE: AtomicBool = AtomicBool::new(false);

/// Has cargo compile without incremental state and without debug information from now on. A first compilation
/// cannot use the one, and nobody debugs what it made with the other; writing them costs a quarter of the time.
/// Where there is incremental state, going without compiles everything anew.
pub fn compile_for_once() {
    FOR_ONCE.store(true, Ordering::Relaxed);
}

/// Says to whatever `cargo xtask test` starts that the whole workspace has just been built.
const ALL_BUILT: &str = "PULT_XTASK_ALL_BUILT";

/// Whether the service and all beside it were just built by this command: alone they would take fewer features of
/// their libraries, and be compiled once more.
static BUILT: AtomicBool = AtomicBool::new(false);

/// The whole workspace is built; nothing that follows builds a part of it again.
pub fn all_is_built() {
    BUILT.store(true, Ordering::Relaxed);
}

/// Whether the whole workspace was just built, by this program or by the one that started it.
pub fn is_all_built() -> bool {
    BUILT.load(Ordering::Relaxed) || std::env::var_os(ALL_BUILT).is_some()
}

/// Has a command, and what it starts, compile as this program does: otherwise it compiles everything anew.
pub fn compile_alike(command: &mut Command) {
    if LINTING.load(Ordering::Relaxed) {
        command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
        command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    }
    if FOR_ONCE.load(Ordering::Relaxed) {
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    }
    if BUILT.load(Ordering::Relaxed) {
        command.env(ALL_BUILT, "1");
    }
}

/// A command without the variables that `cargo run` adds for the program it runs: build scripts that look at
/// them would run again, and a build through xtask would differ from a build by hand.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let of_the_package = text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_BIN_");
        if of_the_package
            || ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_CRATE_NAME", "CARGO_PRIMARY_PACKAGE"]
                .contains(&&*text)
        {
            command.env_remove(&name);
        }
    }
    if command.get_program() == "cargo" {
        compile_alike(&mut command);
    }
    command.stdin(Stdio::null());
    command
}

pub enum Output<'a> {
    /// To the terminal, as it comes.
    Terminal,
    /// Into a file; an excerpt is shown when the tool fails.
    Log(&'a Path),
    /// Standard output into the first file, errors into the second.
    Files(&'a Path, &'a Path),
}

/// Runs a tool to its end. Ctrl+C ends it and all it has started.
pub fn run(command: &mut Command, output: &Output, step: &mut Step) -> Result<()> {
    let name = name_of(command);
    let log = match output {
        Output::Terminal => None,
        Output::Log(log) | Output::Files(_, log) => Some(*log),
    };
    let status = status(command, output, step)?;
    if status.success() {
        return Ok(());
    }
    Err(match log {
        Some(log) => format!("{name} failed ({status}).\n{}", excerpt(log, 6, |_| true)),
        None => format!("{name} failed ({status})."),
    })
}

fn name_of(command: &Command) -> String {
    Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The same, for a tool whose exit code says more than whether it failed.
pub fn status(command: &mut Command, output: &Output, step: &mut Step) -> Result<ExitStatus> {
    let name = name_of(command);
    match output {
        Output::Terminal => {}
        Output::Log(log) => {
            let file = create(log)?;
            command.stdout(clone(&file)?).stderr(file);
        }
        Output::Files(out, log) => {
            command.stdout(create(out)?).stderr(create(log)?);
        }
    }
    command.process_group(0);
    sys::die_with_us(command, Signal::KILL);
    let mut child = command.spawn().map_err(|error| not_started(&name, &error))?;
    guard::watch_group(child.id());
    let status = wait(&mut child, step);
    // Processes that the tool left in its group are ended.
    sys::kill_group(child.id(), Signal::KILL);
    guard::forget_group(child.id());
    status
}

fn wait(child: &mut Child, step: &mut Step) -> Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(status);
        }
        if sys::interrupts() > 0 {
            end(child, Signal::TERM, Duration::from_secs(3));
            return Err(STOPPED.into());
        }
        step.tick();
        std::thread::sleep(LOOK_EVERY);
    }
}

/// The error of everything that ends because the user asked for it.
pub const STOPPED: &str = "Stopped.";

/// Asks the child's whole group to end, then makes it end. A second Ctrl+C shortens the patience.
fn end(child: &mut Child, signal: Signal, patience: Duration) {
    let since = Instant::now();
    let interrupts = sys::interrupts();
    sys::kill(child.id(), signal);
    while matches!(child.try_wait(), Ok(None)) {
        if since.elapsed() > patience || sys::interrupts() > interrupts.max(1) {
            sys::kill_group(child.id(), Signal::KILL);
            let _ = child.kill();
            let _ = child.wait();
            return;
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// A program that runs until we stop it, with its output in a log. It is stopped when dropped.
pub struct Service {
    name: &'static str,
    child: Child,
    log: PathBuf,
    stop_signal: Signal,
    patience: Duration,
}

/// How a service is ended.
#[derive(Clone, Copy)]
pub struct Shutdown {
    /// Asks it to end in order.
    pub signal: Signal,
    /// How long it may take before it is killed.
    pub patience: Duration,
    /// What the system sends it when xtask itself was killed: nothing may be left.
    pub when_orphaned: Signal,
}

impl Service {
    /// Starts it. The previous log is kept beside the new one as `*.1`.
    pub fn start(name: &'static str, command: &mut Command, log: &Path, shutdown: Shutdown) -> Result<Self> {
        if log.exists() {
            let _ = fs::rename(log, log.with_extension("log.1"));
        }
        let file = create(log)?;
        command.stdout(clone(&file)?).stderr(file).process_group(0);
        sys::die_with_us(command, shutdown.when_orphaned);
        let child = command.spawn().map_err(|error| not_started(name, &error))?;
        Ok(Self { name, child, log: log.into(), stop_signal: shutdown.signal, patience: shutdown.patience })
    }

    /// `Some` with the reason and the end of the log when it has stopped.
    pub fn ended(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(format!(
                "{} ended ({status}). The end of {}:\n{}",
                self.name,
                self.log.display(),
                tail(&self.log)
            )),
            Err(error) => Some(format!("{} cannot be watched: {error}.", self.name)),
        }
    }

    /// Waits until `ready` says yes.
    pub fn wait_until(
        &mut self, step: &mut Step, at_most: Duration, mut ready: impl FnMut() -> bool,
    ) -> Result<()> {
        let started = Instant::now();
        while !ready() {
            if let Some(reason) = self.ended() {
                return Err(reason);
            }
            if sys::interrupts() > 0 {
                return Err(STOPPED.into());
            }
            if started.elapsed() > at_most {
                return Err(format!(
                    "{} did not answer within {} s. The end of {}:\n{}",
                    self.name,
                    at_most.as_secs(),
                    self.log.display(),
                    tail(&self.log)
                ));
            }
            step.tick();
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    /// Ends it in order, or by force when that takes too long.
    pub fn stop(&mut self) {
        end(&mut self.child, self.stop_signal, self.patience);
    }

    /// The last lines of its log.
    pub fn log_tail(&self) -> String {
        tail(&self.log)
    }

    /// The last lines of its log that are no mere information: a page's requests would hide what failed.
    pub fn log_warnings(&self) -> String {
        excerpt(&self.log, 0, |line| !line.contains(r#""level":"INFO""#))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop();
    }
}

fn create(path: &Path) -> Result<File> {
    File::create(path).map_err(|error| format!("{} cannot be written: {error}.", path.display()))
}

fn clone(file: &File) -> Result<File> {
    file.try_clone().map_err(|error| error.to_string())
}

fn not_started(name: &str, error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::NotFound {
        format!("{name} is not installed.")
    } else {
        format!("{name} cannot be started: {error}.")
    }
}

/// The end of a log, indented.
pub fn tail(log: &Path) -> String {
    excerpt(log, 0, |_| true)
}

/// What matters of a tool's log, indented: some of its beginning (npm names the cause first) and its end
/// (others do it last).
fn excerpt(log: &Path, beginning: usize, wanted: impl Fn(&str) -> bool) -> String {
    const END: usize = 20;
    let text = fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| wanted(line)).collect();
    let end = lines.len().saturating_sub(END);
    let shown =
        if end <= beginning + 1 { lines } else { [&lines[..beginning], &["..."], &lines[end..]].concat() };
    shown.iter().map(|line| format!("    {line}\n")).collect()
}
