//! How `#[testkit::test]` runs a test: on threads that all tests of a process share, so that the service and
//! its pool outlive each of them; or in a process of its own.

use std::{
    cell::RefCell,
    io::{Read, Write},
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    process::{Command, Stdio},
    sync::{LazyLock, mpsc},
    thread,
    time::{Duration, Instant},
};

use tokio::runtime::{Builder, Runtime};

/// After so long a test has failed, unless it is one of those that are ignored. nextest has a limit of its own.
/// `PULT_TEST_LIMIT` says another one, in seconds.
static LIMIT: LazyLock<Duration> = LazyLock::new(|| {
    let set = std::env::var("PULT_TEST_LIMIT").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(set.unwrap_or(120))
});
/// The name of the threads that tests share.
const SHARED: &str = "shared by tests";
/// Set in the process of a test that is alone.
const ALONE: &str = "PULT_TEST_ALONE";
/// A file for the names of tests that passed at their second try. Without it there is none.
const SECOND_TRIES: &str = "PULT_TEST_SECOND_TRIES";

/// What the attribute says of a test.
#[derive(Clone, Copy)]
pub struct Test {
    /// Its path, which begins with the crate.
    pub name: &'static str,
    /// Whether it changes or measures its process.
    pub alone: bool,
    /// Whether it may take longer than others.
    pub long: bool,
}

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let told = panic::take_hook();
    panic::set_hook(Box::new(move |info| tell(info, &told)));
    Builder::new_multi_thread().worker_threads(4).thread_name(SHARED).enable_all().build().unwrap()
});

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A panic of a test stands in that test's output. One of the shared threads would stand in that of any test.
fn tell(info: &PanicHookInfo<'_>, told: &dyn Fn(&PanicHookInfo<'_>)) {
    if thread::current().name() == Some(SHARED) {
        let _ = writeln!(std::io::stderr(), "{info}");
        return;
    }
    PANIC.set(info.to_string());
    told(info);
}

/// Runs a test, and once more when it fails and second tries are counted.
pub fn run<F: Future<Output = ()> + 'static>(test: Test, body: fn() -> F) {
    let apart = ["NEXTEST", ALONE].iter().any(|name| std::env::var_os(name).is_some());
    let once = || {
        if test.alone && !apart {
            return in_a_process(test);
        }
        in_a_thread(test, body, if apart || test.long { Duration::MAX } else { *LIMIT })
    };
    let Err(why) = once() else { return };
    let counted = std::env::var_os(SECOND_TRIES).filter(|_| !apart);
    // It was shown where it happened.
    let Some(file) = counted else { panic::resume_unwind(Box::new(why)) };
    if let Err(again) = once() {
        panic::resume_unwind(Box::new(again));
    }
    // Not as tests print, since of one that passed nothing is shown.
    let _ = writeln!(std::io::stderr(), "{} passed at its second try only. {why}", test.name);
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
    writeln!(file, "{}", test.name).unwrap();
}

/// Runs it in a thread, which is left behind when it hangs.
fn in_a_thread<F: Future<Output = ()> + 'static>(
    test: Test, body: fn() -> F, limit: Duration,
) -> Result<(), String> {
    let (over, end) = mpsc::channel();
    let run = move || {
        // A test that measures its process has nothing in it but itself.
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| match test.alone {
            true => Builder::new_current_thread().enable_all().build().unwrap().block_on(body()),
            false => RUNTIME.block_on(body()),
        }));
        let moved = (kernel::clock::now() - chrono::Utc::now()).abs() > chrono::Duration::seconds(1);
        let outcome = if moved && !test.alone {
            kernel::clock::set(chrono::Utc::now());
            Err(shown("The test left the clock moved: it has to be `#[testkit::test(alone)]`.".to_owned()))
        } else {
            outcome.map_err(|_| PANIC.take())
        };
        let _ = over.send(outcome);
    };
    thread::Builder::new().name(test.name.to_owned()).spawn(run).unwrap();
    let hangs = || Err(shown(format!("{} has not ended after {limit:?}.", test.name)));
    end.recv_timeout(limit).unwrap_or_else(|_| hangs())
}

fn shown(why: String) -> String {
    eprintln!("{why}");
    why
}

/// Runs it alone in a process, which is ended when it hangs. What it says is shown as its own.
fn in_a_process(test: Test) -> Result<(), String> {
    let (_, name) = test.name.split_once("::").unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--include-ignored", "--nocapture"])
        .env(ALONE, "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    fn read(mut from: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
        thread::spawn(move || {
            let mut all = Vec::new();
            let _ = from.read_to_end(&mut all);
            all
        })
    }
    let said = [read(child.stdout.take().unwrap()), read(child.stderr.take().unwrap())];
    let begun = Instant::now();
    let ended = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status),
            None if !test.long && begun.elapsed() > *LIMIT => break None,
            None => thread::sleep(Duration::from_millis(20)),
        }
    };
    let _ = (child.kill(), child.wait());
    let said = said.map(|thread| String::from_utf8_lossy(&thread.join().unwrap()).into_owned()).concat();
    print!("{said}");
    match ended {
        Some(status) if status.success() && said.contains("1 passed") => Ok(()),
        Some(status) => Err(format!("{}, alone in its process: {status}. {said}", test.name)),
        None => Err(shown(format!("{}, alone in its process, has not ended after {:?}.", test.name, *LIMIT))),
    }
}
