//! Calls to the operating system that the standard library does not offer. All `unsafe` code of this crate is
//! here: a signal handler, and a step between `fork` and `exec`. Neither `rustix` nor the standard library has
//! a safe form of these two.
#![allow(unsafe_code)]

use std::{
    io,
    net::{IpAddr, UdpSocket},
    os::unix::process::CommandExt,
    path::Path,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

use rustix::process::{self, Pid};

pub use rustix::process::Signal;

static INTERRUPTS: AtomicU32 = AtomicU32::new(0);

extern "C" fn on_signal(_: libc::c_int) {
    INTERRUPTS.fetch_add(1, Ordering::SeqCst);
}

/// From now on Ctrl+C, SIGTERM and a closed terminal are only counted; see [`interrupts`].
pub fn count_interrupts() {
    let handler = on_signal as extern "C" fn(libc::c_int);
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler only adds to an atomic, which is allowed in a signal handler.
        unsafe { libc::signal(signal, handler as libc::sighandler_t) };
    }
}

/// How often the user asked us to end.
pub fn interrupts() -> u32 {
    INTERRUPTS.load(Ordering::SeqCst)
}

/// Whether this process runs with all rights.
pub fn is_root() -> bool {
    process::geteuid().is_root()
}

/// The user id this process acts as.
pub fn own_uid() -> u32 {
    process::geteuid().as_raw()
}

/// Makes the child receive `signal` when the thread that starts it ends, however it ends (Linux).
///
/// The flag is tied to the starting *thread*: start children from the main thread only. It is set after a
/// change of user, which would clear it. A parent that died in between is noticed and the child does not
/// start.
pub fn die_with_us(command: &mut Command, signal: Signal) {
    #[cfg(target_os = "linux")]
    {
        let parent = process::getpid();
        // SAFETY: prctl and getppid are async-signal-safe and touch no memory of the parent.
        unsafe {
            command.pre_exec(move || {
                process::set_parent_process_death_signal(Some(signal))?;
                if process::getppid() != Some(parent) {
                    return Err(io::Error::from(rustix::io::Errno::SRCH));
                }
                Ok(())
            });
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (command, signal);
}

/// Puts this process into a session of its own, so that nothing the terminal sends reaches it.
pub fn own_session() {
    let _ = process::setsid();
}

/// The id of a child; none for 0 and for what no process can have.
fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

/// Sends `signal` to one process; a process that has ended is no error.
pub fn kill(id: u32, signal: Signal) {
    if let Some(pid) = pid(id) {
        let _ = process::kill_process(pid, signal);
    }
}

/// Sends `signal` to every process of a group; an empty group is no error.
pub fn kill_group(group: u32, signal: Signal) {
    if let Some(group) = pid(group) {
        let _ = process::kill_process_group(group, signal);
    }
}

/// Free bytes for ordinary users on the file system that holds `path`, 0 when it cannot be asked.
pub fn free_bytes(path: &Path) -> u64 {
    rustix::fs::statvfs(path).map_or(0, |stat| stat.f_bavail * stat.f_frsize)
}

/// The address under which other machines of the local network reach this one: the one from which it would
/// write to the internet. Nothing is sent. None without a network.
pub fn lan_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}
