//! A small process beside xtask that cleans up when xtask ends without a chance to (`kill -9`, out of
//! memory).
//!
//! Direct children end with xtask (`sys::die_with_us`), but *their* children do not: npm starts node, browser
//! tests start browsers. So every tool runs in a process group of its own, and the guard knows these groups.
//! It holds the reading end of a pipe: when the pipe closes, xtask is gone, and the guard kills the groups
//! and removes throw-away folders.

use std::{
    fs,
    io::{BufRead, Write},
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{ChildStdin, Command, Stdio},
    sync::Mutex,
    time::Duration,
};

use crate::sys::{self, Signal};

/// The hidden word on the command line that makes this binary the guard.
pub const COMMAND: &str = "__guard";

static PIPE: Mutex<Option<ChildStdin>> = Mutex::new(None);

/// Starts the guard; without one (no /proc, no processes left) everything works but the cleaning after `kill
/// -9`.
pub fn start() {
    // The file may be replaced by a build while we run; this link still leads to what we are.
    let own = Path::new("/proc/self/exe");
    let own = if own.exists() { own.to_path_buf() } else { std::env::current_exe().unwrap_or_default() };
    let mut command = Command::new(own);
    command
        .arg0("xtask-guard")
        .arg(COMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .current_dir("/");
    if let Ok(mut child) = command.spawn()
        && let Ok(mut pipe) = PIPE.lock()
    {
        *pipe = child.stdin.take();
    }
}

fn send(word: &str, value: &[u8]) {
    if let Ok(mut pipe) = PIPE.lock()
        && let Some(pipe) = pipe.as_mut()
    {
        let mut line = format!("{word} ").into_bytes();
        line.extend_from_slice(value);
        line.push(b'\n');
        let _ = pipe.write_all(&line);
    }
}

/// A process group that must not outlive us.
pub fn watch_group(group: u32) {
    send("group", group.to_string().as_bytes());
}

/// The group has ended; its number may be used again.
pub fn forget_group(group: u32) {
    send("ended", group.to_string().as_bytes());
}

/// A folder that must not outlive us.
pub fn watch_folder(folder: &Path) {
    send("folder", folder.as_os_str().as_bytes());
}

/// What the guard process does: reads until the pipe closes, then cleans.
pub fn run() {
    sys::own_session();
    let mut groups: Vec<u32> = Vec::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    for line in std::io::stdin().lock().split(b'\n').map_while(Result::ok) {
        let mut parts = line.splitn(2, |byte| *byte == b' ');
        let (word, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let number = || std::str::from_utf8(value).ok().and_then(|text| text.parse::<u32>().ok());
        match word {
            b"group" => groups.extend(number()),
            b"ended" => groups.retain(|group| Some(*group) != number()),
            b"folder" => folders.push(PathBuf::from(std::ffi::OsString::from_vec(value.to_vec()))),
            _ => {}
        }
    }
    for group in groups {
        sys::kill_group(group, Signal::KILL);
    }
    // A database in such a folder is told to end by the system at the same moment; it may write for a little
    // longer.
    for _ in 0..50 {
        folders.retain(|folder| folder.exists() && fs::remove_dir_all(folder).is_err());
        if folders.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
