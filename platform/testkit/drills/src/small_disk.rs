//! File systems that fill up: tmpfs of a fixed size.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use rig::Result;

use crate::context::CannotRun;

/// A small file system. It goes when dropped.
pub struct SmallDisk {
    /// Where it is.
    pub folder: PathBuf,
}

impl SmallDisk {
    /// Mounts one of so many MB on this folder, which is made.
    pub fn mount(folder: &Path, megabytes: u64) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let options = format!("size={megabytes}m,mode=1777");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder);
        match mount.output() {
            Ok(output) if output.status.success() => Ok(Self { folder: folder.to_owned() }),
            Ok(output) => {
                let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                Err(CannotRun(format!("a small file system cannot be mounted: {why}")).into())
            }
            Err(error) => Err(CannotRun(format!("there is no mount: {error}")).into()),
        }
    }

    fn filler(&self) -> PathBuf {
        self.folder.join("filler")
    }

    /// Fills it to the last byte.
    pub fn fill(&self) -> Result<()> {
        let mut file = File::create(self.filler())?;
        for size in [1 << 20, 1 << 12, 1] {
            let piece = vec![0_u8; size];
            while file.write_all(&piece).is_ok() {}
        }
        Ok(())
    }

    /// Makes room again, as an operator who removes something or grows the disk.
    pub fn free(&self) -> Result<()> {
        Ok(fs::remove_file(self.filler())?)
    }

    /// Names of what lies in it, folders left out.
    pub fn files(&self) -> Vec<String> {
        let mut found = vec![];
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path != self.filler() {
                    found.push(path.strip_prefix(&self.folder).unwrap_or(&path).display().to_string());
                }
            }
        }
        found.sort();
        found
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, because a process may have a file open at this moment.
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
    }
}
