//! Becomes a program in the image, with no more rights than a cluster gives it. `unshare` has made the
//! namespaces; what is mounted here is seen by nobody else.

use std::{
    fs,
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
};

use rustix::{
    fs::{Mode, OFlags},
    mount::{MountFlags, UnmountFlags, mount, mount_bind, mount_remount, unmount},
    process::{chdir, chroot, geteuid, pivot_root},
    thread::{
        CapabilitySet, CapabilitySets, clear_ambient_capability_set, remove_capability_from_bounding_set,
        set_capabilities, set_no_new_privs,
    },
};
use serde::{Deserialize, Serialize};

use crate::{ROOTS, Result, USER, about, arguments::Arguments};

pub const COMMAND: &str = "inside";
/// The command that says what can be done there. It runs in the place of the service.
pub const PROBE: &str = "probe";
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
const READ_ONLY: MountFlags =
    MountFlags::BIND.union(MountFlags::RDONLY).union(MountFlags::NOSUID).union(MountFlags::NODEV);

/// Mounts, gives up all rights, and becomes the program.
pub fn run(arguments: &Arguments) -> Result<()> {
    let root = arguments.path("root")?;
    let writable = arguments.get("writable") == Some("yes");
    let own =
        rustix::fs::open("/proc/self/exe", OFlags::RDONLY, Mode::empty()).map_err(failed("own file"))?;
    place(&root, arguments)?;
    if !writable {
        mount_remount(&root, READ_ONLY, c"").map_err(failed("read-only"))?;
    }
    chdir(&root).and_then(|()| pivot_root(".", ".")).map_err(failed("the new root"))?;
    unmount(".", UnmountFlags::DETACH).and_then(|()| chdir("/")).map_err(failed("the old root"))?;
    become_program(&own, &arguments.program)
}

/// Everything that a runtime puts into a container.
fn place(root: &Path, arguments: &Arguments) -> Result<()> {
    let at = |path: &str| root.join(path);
    mount_bind(root, root).map_err(failed("the root"))?;
    let strict = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", at("proc"), "proc", strict, None).map_err(failed("/proc"))?;
    mount("tmpfs", at("tmp"), "tmpfs", strict, c"mode=1777,size=512m").map_err(failed("/tmp"))?;
    mount("tmpfs", at("dev"), "tmpfs", MountFlags::NOSUID, c"mode=755").map_err(failed("/dev"))?;
    for name in DEVICES {
        let path = at("dev").join(name);
        fs::write(&path, "").map_err(about(&path))?;
        mount_bind(Path::new("/dev").join(name), &path).map_err(failed(name))?;
    }
    let flags = MountFlags::RDONLY | MountFlags::NOSUID;
    mount_remount(at("dev"), flags, c"mode=755").map_err(failed("/dev"))?;
    for (name, path) in
        [("files", "files"), ("hosts", "etc/hosts"), ("resolv", "etc/resolv.conf"), ("roots", ROOTS)]
    {
        if let Some(from) = arguments.get(name) {
            mount_bind(from, at(path)).map_err(failed(name))?;
            if name != "files" {
                mount_remount(at(path), READ_ONLY, c"").map_err(failed(name))?;
            }
        }
    }
    Ok(())
}

fn become_program(own: &OwnedFd, words: &[String]) -> Result<()> {
    let (program, rest) = words.split_first().ok_or("No program is named.")?;
    set_no_new_privs(true).map_err(failed("no new rights"))?;
    for one in CapabilitySet::all().iter() {
        // A kernel that does not know one cannot give it.
        let _ = remove_capability_from_bounding_set(one);
    }
    clear_ambient_capability_set().map_err(failed("rights of programs started here"))?;
    let program = if program == PROBE {
        PathBuf::from(format!("/proc/self/fd/{}", own.as_raw_fd()))
    } else {
        PathBuf::from(program)
    };
    let mut command = Command::new(&program);
    if words[0] == PROBE {
        command.arg(PROBE);
    }
    command.args(rest);
    if geteuid().is_root() {
        // With the user the rights go, and all other groups.
        command.uid(USER).gid(USER);
    } else {
        let none = CapabilitySet::empty();
        let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
        set_capabilities(None, sets).map_err(failed("rights"))?;
    }
    Err(format!("{} in the image cannot be started: {}.", program.display(), command.exec()))
}

fn failed(what: &str) -> impl Fn(rustix::io::Errno) -> String {
    let what = what.to_owned();
    move |error| format!("The namespaces of the image, {what}: {error}.")
}

/// What a program in the image can do.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Folders and files that it can write to, but for devices; of a folder that can be written to nothing
    /// further is listed.
    pub writable: Vec<String>,
    /// It can become a part of another root, which only somebody with rights can.
    pub privileged: bool,
}

/// Says what can be done here.
pub fn probe() -> Result<()> {
    let mut findings = Findings::default();
    look(Path::new("/"), &mut findings.writable);
    findings.writable.sort();
    findings.privileged = chroot("/").is_ok();
    println!("{}", serde_json::to_string(&findings).map_err(|error| error.to_string())?);
    Ok(())
}

fn look(folder: &Path, writable: &mut Vec<String>) {
    let tried = folder.join(".probe");
    if fs::write(&tried, "").is_ok() {
        let _ = fs::remove_file(&tried);
        writable.push(folder.display().to_string());
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        // Of the file itself: the folder knows only what a device was mounted on.
        let kind = fs::symlink_metadata(&path).map(|found| found.file_type());
        if kind.as_ref().is_ok_and(fs::FileType::is_dir) && path != Path::new("/proc") {
            look(&path, writable);
        } else if kind.is_ok_and(|kind| kind.is_file())
            && fs::File::options().append(true).open(&path).is_ok()
        {
            writable.push(path.display().to_string());
        }
    }
}
