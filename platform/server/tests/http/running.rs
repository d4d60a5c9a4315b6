//! What becomes of tests that behave badly. They do so in a process of this test alone.

use std::{fs, future::pending, path::Path, process::Command};

use uuid::Uuid;

const BAD: &str = "PULT_TEST_BAD";

fn bad() -> bool {
    std::env::var_os(BAD).is_some()
}

#[testkit::test]
async fn panics() {
    assert!(!bad(), "as it should");
}

#[testkit::test]
async fn panics_once() {
    let folder = std::env::var(BAD).unwrap_or_default();
    assert!(folder.is_empty() || fs::create_dir(folder).is_err(), "as it should, once");
}

#[testkit::test]
async fn hangs() {
    if bad() {
        pending().await
    }
}

#[testkit::test]
async fn blocks() {
    while bad() {
        std::thread::park();
    }
}

#[testkit::test]
async fn moves_the_clock() {
    if bad() {
        kernel::clock::set(kernel::clock::now() + chrono::Duration::days(1));
    }
}

#[testkit::test(alone)]
async fn moves_its_own_clock() {
    kernel::clock::set(kernel::clock::now() + chrono::Duration::days(1));
}

#[testkit::test(alone)]
async fn panics_alone() {
    assert!(!bad(), "as it should, alone");
}

#[testkit::test(alone)]
async fn hangs_alone() {
    if bad() {
        pending().await
    }
}

#[testkit::test]
async fn is_well() {
    let moved = kernel::clock::now() - chrono::Utc::now();
    assert!(moved.abs() < chrono::Duration::seconds(1));
}

/// What a process with the bad tests of these names said.
fn run(names: &[&str], tries: &Path) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(names).args(["--skip", "a_bad_test", "--test-threads", "9"]);
    command.env_remove("NEXTEST").env(BAD, tries.with_extension("once")).env("PULT_TEST_LIMIT", "3");
    let output = command.env("PULT_TEST_SECOND_TRIES", tries).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_bad_test_names_itself_and_leaves_the_others_alone() {
    let tries = std::env::temp_dir().join(format!("pult-bad-{}", Uuid::now_v7().simple()));
    let text = run(&["server::running::", "--skip", "moves_the_clock"], &tries);
    for bad in ["blocks", "hangs", "hangs_alone", "panics", "panics_alone"] {
        assert!(text.contains(&format!("test server::running::{bad} ... FAILED\n")), "{bad}: {text}");
    }
    for said in [
        "as it should",
        "as it should, alone",
        "server::running::hangs has not ended after 3s",
        "server::running::blocks has not ended after 3s",
        "server::running::hangs_alone, alone in its process, has not ended after 3s",
        "3 passed; 5 failed",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let tried = fs::read_to_string(&tries).unwrap();
    assert!(tried.contains("::server::running::panics_once\n") && !tried.contains("hangs"), "{tried}");
    let text = run(&["server::running::moves_the_clock"], &tries);
    assert!(text.contains("The test left the clock moved") && text.contains("1 failed"), "{text}");
    let (_, _) = (fs::remove_dir(tries.with_extension("once")), fs::remove_file(&tries));
}
