//! However xtask ends, its processes end too.
#![allow(clippy::unwrap_used)]

use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// A throw-away Postgres started by xtask: the process, the port, and its folder's name in messages of the
/// system.
fn start() -> (Child, u16) {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.args(["test", "--postgres"]).env_remove("PULT_TEST_DATABASE_URL").stdout(Stdio::piped());
    let mut child = xtask.spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let line = output.lines().map_while(Result::ok).find(|line| line.contains("postgres://")).unwrap();
    let port = line.rsplit(':').next().unwrap().split('/').next().unwrap().parse().unwrap();
    assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
    (child, port)
}

fn folders(of: u32) -> Vec<PathBuf> {
    let places = [PathBuf::from("/dev/shm"), std::env::temp_dir(), "/tmp".into(), "/var/tmp".into()];
    let mine =
        |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(&format!("pult-{of}-"));
    places
        .iter()
        .flat_map(|place| std::fs::read_dir(place).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .filter(mine)
        .collect()
}

fn ends(port: u16, pid: u32) {
    let started = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_ok() || !folders(pid).is_empty() {
        assert!(started.elapsed() < Duration::from_secs(15), "left: port {port}, {:?}", folders(pid));
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn signal(name: &str, pid: u32) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

#[test]
fn after_ctrl_c() {
    let (mut child, port) = start();
    assert_eq!(folders(child.id()).len(), 1);
    signal("-INT", child.id());
    assert!(child.wait().unwrap().success());
    ends(port, child.id());
}

#[test]
fn after_kill() {
    let (mut child, port) = start();
    signal("-KILL", child.id());
    child.wait().unwrap();
    ends(port, child.id());
}

#[test]
fn mistakes_are_answered_with_a_sentence() {
    for (words, sentence) in [
        (&["tset"][..], "There is no command `tset`"),
        (&["up", "--prot", "1"], "does not know --prot"),
        (&["up", "--port", "web"], "--port needs a number"),
        (&["test", "-p"], "-p needs the name of a crate"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(words).output().unwrap();
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains(sentence), "{words:?}");
    }
}

#[test]
fn a_taken_port_is_named_with_a_way_out() {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let output =
        Command::new(env!("CARGO_BIN_EXE_xtask")).args(["up", "--port", &port.to_string()]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success()
            && message.contains(&format!("Port {port} is in use; stop what uses it or choose another")),
        "{message}"
    );
}
