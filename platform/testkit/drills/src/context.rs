//! What every drill is given, and what it tells.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use rig::Result;
use tokio::sync::OnceCell;

use crate::{Options, stage::Template};

/// Whether it has what each order of a drill has of its guest: the last name, or the beginning of the phone as it is
/// typed or kept; or the address of somebody who signs in.
fn names_guest(line: &str) -> bool {
    ["Vendég", "36 1 555", "+361555", "@pult.example"].iter().any(|guest| line.contains(guest))
}

/// The surroundings of a run.
pub struct Context {
    /// Of all that is drawn at random.
    pub seed: u64,
    /// The short form.
    pub small: bool,
    /// The service.
    pub binary: PathBuf,
    /// Folder of Postgres' programs.
    pub programs: PathBuf,
    /// The words that start PgBouncer.
    pub pgbouncer: Option<Vec<String>>,
    /// The stand-ins of store and mail.
    pub sandbox: Option<PathBuf>,
    /// The service of the previous release.
    pub previous: Option<PathBuf>,
    /// For logs and files; removed when nothing failed.
    pub folder: PathBuf,
    /// A prepared installation that drills copy.
    pub template: OnceCell<Template>,
    damage: AtomicUsize,
    all_damage: AtomicUsize,
}

/// The error of a drill that lacks something here: it has neither passed nor failed.
#[derive(Debug)]
pub struct CannotRun(pub String);

impl fmt::Display for CannotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for CannotRun {}

impl Context {
    /// Makes the folder.
    pub fn new(options: &Options) -> Result<Self> {
        for (name, path) in [("--binary", &options.binary), ("--postgres-bin", &options.programs)] {
            if path.as_os_str().is_empty() || !path.exists() {
                return Err(format!("{name} names nothing that is there").into());
            }
        }
        let folder = std::env::temp_dir().join(format!("pult-drill-{:08x}", rand::random::<u32>()));
        std::fs::create_dir(&folder)?;
        Ok(Self {
            seed: options.seed,
            small: options.small,
            binary: options.binary.clone(),
            programs: options.programs.clone(),
            pgbouncer: options.pgbouncer.clone(),
            sandbox: options.sandbox.clone(),
            previous: options.previous.clone(),
            folder,
            template: OnceCell::new(),
            damage: AtomicUsize::new(0),
            all_damage: AtomicUsize::new(0),
        })
    }

    /// One of two sizes.
    pub fn size<T>(&self, small: T, whole: T) -> T {
        if self.small { small } else { whole }
    }

    /// Tells what was done.
    pub fn did(&self, text: impl fmt::Display) {
        println!("  · {text}");
    }

    /// Tells what was found, and whether it is as it must be.
    pub fn expect(&self, good: bool, text: impl fmt::Display) {
        println!("  {} {text}", if good { "✓" } else { "✗" });
        if !good {
            self.damage.fetch_add(1, Ordering::Relaxed);
            self.all_damage.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// No log of a service has the name or the phone of a guest, whatever went wrong.
    pub fn look_for_guests(&self) {
        let folders = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let files =
            folders.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten());
        let logs =
            files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "log"));
        let (mut read, mut named) = (0, None);
        for text in logs.filter_map(|path| std::fs::read(path).ok()) {
            let text = String::from_utf8_lossy(&text);
            read += 1;
            named = named.or_else(|| text.lines().find(|line| names_guest(line)).map(str::to_owned));
        }
        match named {
            Some(line) => self.expect(false, format!("the log has data of a person: {line}")),
            None => self
                .expect(read > 0, format!("no data of guests and staff in {read} logs of services so far")),
        }
    }

    /// Number of things that were not as they must be since the last call.
    pub fn take_damage(&self) -> usize {
        self.damage.swap(0, Ordering::Relaxed)
    }

    /// A folder of a drill's own.
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join(format!("{name}-{:04x}", rand::random::<u16>()));
        std::fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// Removes the files, unless they are evidence.
    pub fn end(&self) {
        if let Some(template) = self.template.get() {
            template.remove();
        }
        if self.all_damage.load(Ordering::Relaxed) > 0 {
            println!("\nLogs: {}", shown(&self.folder));
        } else {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::names_guest;

    #[test]
    fn guests_are_found() {
        for (line, named) in [
            ("Key (phone)=(+3615550100) already exists", true),
            ("last_name: Vendég", true),
            ("+36 1 555 0100", true),
            ("request 36155", false),
        ] {
            assert_eq!(names_guest(line), named, "{line}");
        }
    }
}
