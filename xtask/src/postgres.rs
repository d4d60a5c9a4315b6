//! A private Postgres: prepared once, run as a child process, never as root, ended with xtask.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    Result,
    postgres_find::{self, Binaries, NOBODY, as_user},
    process::{self, Output, Service, Shutdown},
    progress::Step,
    project::{self, Project},
    sys::{self, Signal},
};

/// Every partner has some 100 tables, and one transaction may touch those of several: the default of 64 is
/// too few.
const LOCKS: &str = "max_locks_per_transaction=1024";
/// What units of work of partners on other servers prepare here.
const PREPARED: &str = "max_prepared_transactions=64";

#[derive(Clone, Copy, PartialEq)]
pub enum Durability {
    /// Data to keep.
    Durable,
    /// Data of a test run: nothing is written safely, everything is faster.
    ThrownAway,
}

/// A running Postgres; dropping it stops it.
pub struct Postgres {
    pub service: Service,
    /// Its port on 127.0.0.1.
    pub port: u16,
    password: String,
}

impl Postgres {
    /// Starts it with its files in `folder`, preparing them on the first start.
    pub fn start(
        project: &Project, npm: &dyn Fn() -> Result<Command>, folder: &Path, log: &Path,
        durability: Durability,
    ) -> Result<Self> {
        let mut step = Step::begin("Postgres", "looking for its programs");
        project::make_folder(folder)?;
        let database = folder.join("db");
        let uid = owner(&database);
        if !sys::is_root() && uid != sys::own_uid() {
            return Err(format!(
                "{} belongs to another user (id {uid}); start as that user, or begin anew with `cargo xtask \
                 up --reset`.",
                database.display()
            ));
        }
        let made_by =
            fs::read_to_string(database.join("PG_VERSION")).ok().and_then(|text| text.trim().parse().ok());
        if database.exists() && made_by.is_none() {
            return Err(broken(&database, "PG_VERSION is missing"));
        }
        let binaries = postgres_find::find(project, npm, folder, uid, made_by, &mut step)?;
        let password_file = folder.join("password");
        if made_by.is_some() && !password_file.exists() {
            return Err(broken(&database, "the password file beside it is missing"));
        }
        let password = project::secret(&password_file, || project::random_hex(16))?;
        hand_over(folder, uid)?;
        hand_over(&password_file, uid)?;
        if made_by.is_none() {
            step.wait_for("preparing the data folder");
            initialise(&binaries, folder, durability, &password_file, uid, log, &mut step)?;
        }
        step.wait_for("the end of the previous one");
        wait_for_predecessor(&database, &mut step)?;
        let port = project::remembered_port(folder, "postgres")?;
        step.wait_for(&format!("version {} on port {port}", binaries.major));
        let mut command = as_user(&binaries.folder.join("postgres"), uid);
        command.arg("-D").arg(&database).args([
            "-p",
            &port.to_string(),
            "-k",
            "",
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            LOCKS,
            "-c",
            PREPARED,
        ]);
        command.args(["-c", "max_connections=300"]);
        let mut shutdown =
            Shutdown { signal: Signal::INT, patience: Duration::from_secs(20), when_orphaned: Signal::INT };
        if durability == Durability::ThrownAway {
            for setting in [
                "fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal",
                "max_wal_senders=0", "max_wal_size=256MB", "autovacuum=off",
            ] {
                command.args(["-c", setting]);
            }
            // An immediate end: nobody needs the data.
            shutdown = Shutdown {
                signal: Signal::QUIT,
                patience: Duration::from_secs(5),
                when_orphaned: Signal::QUIT,
            };
        }
        let mut service = Service::start("Postgres", &mut command, log, shutdown)?;
        service.wait_until(&mut step, Duration::from_secs(60), || answers(port)).map_err(|reason| {
            if reason == process::STOPPED { reason } else { broken(&database, reason.trim_end()) }
        })?;
        step.done(&format!("version {} on 127.0.0.1:{port}", binaries.major));
        Ok(Self { service, port, password })
    }

    /// Address of a database as the superuser `pult`.
    pub fn owner_url(&self, database: &str) -> String {
        format!("postgres://pult:{}@127.0.0.1:{}/{database}", self.password, self.port)
    }

    /// Address of a database as the login role without rights, with the password the migration shall give it.
    pub fn app_url(&self, database: &str, password: &str) -> String {
        format!("postgres://pult_app:{password}@127.0.0.1:{}/{database}", self.port)
    }
}

fn broken(database: &Path, why: &str) -> String {
    format!(
        "Postgres cannot use {}: {why}\nMove the folder away to keep it, or begin anew with `cargo xtask up \
         --reset` (deletes the local data).",
        database.display()
    )
}

/// Who runs Postgres: the owner of the data, else ourselves, else (for root) nobody.
fn owner(database: &Path) -> u32 {
    match fs::metadata(database) {
        Ok(metadata) if metadata.uid() != 0 => metadata.uid(),
        _ if sys::is_root() => NOBODY,
        _ => sys::own_uid(),
    }
}

fn hand_over(path: &Path, uid: u32) -> Result<()> {
    if !sys::is_root() {
        return Ok(());
    }
    chown(path, Some(uid), Some(uid))
        .map_err(|error| format!("{} cannot be given to user {uid}: {error}.", path.display()))
}

/// `initdb` into a folder of another name that is renamed at the end: one that was interrupted is never taken
/// for whole.
fn initialise(
    binaries: &Binaries, folder: &Path, durability: Durability, password: &Path, uid: u32, log: &Path,
    step: &mut Step,
) -> Result<()> {
    let unfinished = folder.join("db.unfinished");
    let _ = fs::remove_dir_all(&unfinished);
    let mut command = as_user(&binaries.folder.join("initdb"), uid);
    command.arg("-D").arg(&unfinished).arg("--pwfile").arg(password);
    command.args(["-U", "pult", "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions"]);
    // Proving a password by 4,096 hashes takes a third of what tests need, who open thousands of connections.
    command.args(match durability {
        Durability::Durable => &["-A", "scram-sha-256"][..],
        Durability::ThrownAway if binaries.major >= 16 => {
            &["-A", "scram-sha-256", "-c", "scram_iterations=1"]
        }
        Durability::ThrownAway => &["-A", "md5"],
    });
    process::run(&mut command, &Output::Log(log), step)?;
    let database = folder.join("db");
    fs::rename(&unfinished, &database)
        .map_err(|error| format!("{} cannot be made: {error}.", database.display()))
}

/// After `kill -9` the previous Postgres ends by itself, but needs a moment.
fn wait_for_predecessor(database: &Path, step: &mut Step) -> Result<()> {
    let started = Instant::now();
    while let Some(pid) = running(database) {
        if started.elapsed() > Duration::from_secs(20) {
            return Err(format!(
                "Another Postgres (process {pid}) works on {}; stop it with `kill -INT {pid}`.",
                database.display()
            ));
        }
        if sys::interrupts() > 0 {
            return Err(process::STOPPED.into());
        }
        step.tick();
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

fn running(database: &Path) -> Option<u32> {
    let text = fs::read_to_string(database.join("postmaster.pid")).ok()?;
    let pid: u32 = text.lines().next()?.trim().parse().ok()?;
    let works_in = fs::read_link(PathBuf::from(format!("/proc/{pid}/cwd"))).ok()?;
    (works_in == fs::canonicalize(database).ok()?).then_some(pid)
}

/// Whether a server accepts connections: it answers the 8 bytes of an SSLRequest with `S` or `N`.
pub fn answers(port: u16) -> bool {
    let ask = || -> std::io::Result<u8> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_millis(500)))?;
        stream.write_all(&[0, 0, 0, 8, 4, 210, 22, 47])?;
        let mut answer = [0];
        stream.read_exact(&mut answer)?;
        Ok(answer[0])
    };
    matches!(ask(), Ok(b'N' | b'S'))
}

/// Whether the user who would run Postgres can work in this folder: tried, because modes alone do not tell.
pub fn can_enter(folder: &Path) -> bool {
    let mut command = as_user(Path::new("/bin/sh"), NOBODY);
    command.args(["-c", "cd -- \"$1\"", "sh"]).arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A new folder for data of one run: in memory where there is room, else in the usual places for such things.
/// The guard removes it when we cannot.
pub fn throw_away_folder() -> Result<PathBuf> {
    const ROOM: u64 = 3 << 30;
    for place in [PathBuf::from("/dev/shm"), std::env::temp_dir(), "/tmp".into(), "/var/tmp".into()] {
        let folder = place.join(format!("pult-{}-{}", std::process::id(), project::random_hex(4)?));
        if sys::free_bytes(&place) < ROOM || fs::create_dir(&folder).is_err() {
            continue;
        }
        crate::guard::watch_folder(&folder);
        let open = fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).is_ok();
        if open && (!sys::is_root() || can_enter(&folder)) {
            return Ok(folder);
        }
        let _ = fs::remove_dir(&folder);
    }
    Err("No room for test data: 3 GB must be free in /dev/shm, the temporary folder or /var/tmp.".into())
}
