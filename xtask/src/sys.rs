//! The few calls to the operating system that the standard library does not offer. All `unsafe` of this crate
//! is here.
#![allow(unsafe_code)]

use std::{
    ffi::CString,
    io,
    net::{IpAddr, Ipv4Addr},
    os::{
        fd::AsRawFd,
        unix::{ffi::OsStrExt, process::CommandExt},
    },
    path::Path,
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

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
    // SAFETY: has no preconditions.
    unsafe { libc::geteuid() == 0 }
}

/// The user id this process acts as.
pub fn own_uid() -> u32 {
    // SAFETY: has no preconditions.
    unsafe { libc::geteuid() }
}

/// Makes the child receive `signal` when the thread that starts it ends, however it ends (Linux).
///
/// The flag is tied to the starting *thread*: start children from the main thread only. It is set after a
/// change of user, which would clear it. A parent that died in between is noticed and the child does not
/// start.
pub fn die_with_us(command: &mut Command, signal: libc::c_int) {
    #[cfg(target_os = "linux")]
    {
        let parent = std::process::id();
        // SAFETY: prctl and getppid are async-signal-safe and touch no memory of the parent.
        unsafe {
            command.pre_exec(move || {
                if libc::prctl(libc::PR_SET_PDEATHSIG, signal) != 0 {
                    return Err(io::Error::last_os_error());
                }
                if libc::getppid() as u32 != parent {
                    return Err(io::Error::from_raw_os_error(libc::ESRCH));
                }
                Ok(())
            });
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (command, signal);
}

/// Puts the child into a session of its own, so that nothing the terminal sends reaches it.
pub fn own_session(command: &mut Command) {
    // SAFETY: setsid is async-signal-safe.
    unsafe {
        command.pre_exec(|| {
            libc::setsid();
            Ok(())
        });
    }
}

/// Sends `signal` to one process; a process that has ended is no error.
pub fn kill(pid: u32, signal: libc::c_int) {
    // SAFETY: has no preconditions; the pid is one of a child that was not waited for yet.
    unsafe { libc::kill(pid as libc::pid_t, signal) };
}

/// Sends `signal` to every process of a group; an empty group is no error.
pub fn kill_group(group: u32, signal: libc::c_int) {
    // SAFETY: has no preconditions.
    unsafe { libc::kill(-(group as libc::pid_t), signal) };
}

/// Free bytes for ordinary users on the file system that holds `path`, 0 when it cannot be asked.
pub fn free_bytes(path: &Path) -> u64 {
    let Ok(path) = CString::new(path.as_os_str().as_bytes()) else {
        return 0;
    };
    // SAFETY: the struct is plain data, filled by statvfs, and the path ends with NUL.
    unsafe {
        let mut stat: libc::statvfs = std::mem::zeroed();
        if libc::statvfs(path.as_ptr(), &mut stat) != 0 {
            return 0;
        }
        #[allow(clippy::unnecessary_cast)] // the field widths differ between systems
        let bytes = stat.f_bavail as u64 * stat.f_frsize as u64;
        bytes
    }
}

/// Takes the exclusive lock on an open file, without waiting; false when another process has it.
pub fn try_lock(file: &std::fs::File) -> bool {
    // SAFETY: the descriptor is open as long as `file` lives.
    unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) == 0 }
}

/// IPv4 addresses under which other machines of the local network may reach this one.
pub fn lan_addresses() -> Vec<IpAddr> {
    let mut found = Vec::new();
    let mut list: *mut libc::ifaddrs = std::ptr::null_mut();
    // SAFETY: the list is read only between getifaddrs and freeifaddrs, and an address is read as IPv4 only
    // when it says so.
    unsafe {
        if libc::getifaddrs(&mut list) != 0 {
            return found;
        }
        let mut entry = list;
        while let Some(interface) = entry.as_ref() {
            let address = interface.ifa_addr;
            if !address.is_null() && i32::from((*address).sa_family) == libc::AF_INET {
                let v4 = Ipv4Addr::from(u32::from_be((*address.cast::<libc::sockaddr_in>()).sin_addr.s_addr));
                if !v4.is_loopback() && !v4.is_link_local() {
                    found.push(IpAddr::V4(v4));
                }
            }
            entry = interface.ifa_next;
        }
        libc::freeifaddrs(list);
    }
    found
}
