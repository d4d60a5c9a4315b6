//! PgBouncer in transaction mode in front of the tests' Postgres: the system's when it is new enough,
//! otherwise Debian 13's package with its own libraries, downloaded once.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use crate::{
    Result, apt,
    postgres::{self, answers},
    postgres_find::{NOBODY, as_user},
    process::{self, Output, Service, Shutdown},
    progress::Step,
    project::{self, Project},
    sys::Signal,
};

/// The oldest version that keeps named prepared statements in transaction mode (`max_prepared_statements`).
const OLDEST: (u32, u32) = (1, 21);
/// Few enough that every test's transactions meet connections that others have used.
const CONNECTIONS: u32 = 10;
/// The password that `platform/testkit` gives the login role.
const PASSWORD: &str = "app-password-of-the-tests";

/// A running pooler; dropping it stops it.
pub struct Pooler {
    service: Service,
    folder: PathBuf,
    pub address: String,
}

/// Why there is none.
pub enum PoolerError {
    /// It cannot be had on this machine: what needs it is not run.
    Unavailable(String),
    /// It should work and does not, or the user stopped us.
    Failed(String),
}

impl Pooler {
    /// Starts one before the server of this address.
    pub fn start(project: &Project, database_url: &str) -> std::result::Result<Self, PoolerError> {
        let mut step = Step::begin("PgBouncer", "looking for it");
        let folder = postgres::throw_away_folder().map_err(PoolerError::Failed)?;
        let program = find(project, &folder, &mut step).map_err(|why| {
            if why == process::STOPPED { PoolerError::Failed(why) } else { PoolerError::Unavailable(why) }
        });
        let started = program
            .and_then(|program| run(&program, &folder, database_url, &mut step).map_err(PoolerError::Failed));
        match started {
            Ok((service, address)) => {
                step.done(&format!("transaction mode, {CONNECTIONS} connections, on {address}"));
                Ok(Self { service, folder, address })
            }
            Err(missing) => {
                let _ = fs::remove_dir_all(&folder);
                Err(missing)
            }
        }
    }

    /// `Some` with the reason when it has stopped.
    pub fn ended(&mut self) -> Option<String> {
        self.service.ended()
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.service.stop();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The words that start a pooler that is new enough, with spaces between; its files are in `folder`, if they
/// had to be unpacked.
pub fn words(project: &Project, folder: &Path, step: &mut Step) -> std::result::Result<String, PoolerError> {
    let program = find(project, folder, step).map_err(|why| {
        if why == process::STOPPED { PoolerError::Failed(why) } else { PoolerError::Unavailable(why) }
    })?;
    let words: Vec<String> = program.0.iter().map(|word| word.display().to_string()).collect();
    Ok(words.join(" "))
}

/// The words that start it.
struct Program(Vec<PathBuf>);

impl Program {
    /// As a user that it accepts: it refuses to run as root.
    fn command(&self) -> Command {
        let mut command = as_user(&self.0[0], NOBODY);
        command.args(&self.0[1..]);
        command
    }

    fn version(&self) -> Option<(u32, u32)> {
        let output = self.command().arg("--version").stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned(); // "PgBouncer 1.24.1" and its libraries
        let mut parts = text.lines().next()?.split_whitespace().nth(1)?.split('.').map(str::parse);
        Some((parts.next()?.ok()?, parts.next()?.ok()?))
    }
}

fn find(project: &Project, folder: &Path, step: &mut Step) -> Result<Program> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places =
        std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]).map(|place| place.join("pgbouncer"));
    let own = places.filter(|place| place.exists()).map(|place| Program(vec![place]));
    if let Some(program) =
        own.into_iter().find(|program| program.version().is_some_and(|version| version >= OLDEST))
    {
        return Ok(program);
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(format!(
            "PgBouncer {}.{} or newer is not installed, and the package that could be fetched is for x86-64 \
             Linux",
            OLDEST.0, OLDEST.1
        ));
    }
    let packages =
        apt::fetch(project, "pgbouncer", "PgBouncer from Debian 13 (download of 7 MB, once)", step)?;
    // Unpacked anew each time, where the user it runs as can reach it: a checkout may lie below a closed
    // home.
    let root = folder.join("root");
    project::make_folder(&root)?;
    for package in packages {
        let mut unpack = process::command("dpkg-deb");
        unpack.arg("-x").arg(&package).arg(&root);
        process::run(&mut unpack, &Output::Log(&folder.join("unpack.log")), step)?;
    }
    let libraries = root.join("usr/lib/x86_64-linux-gnu");
    let program = Program(vec![
        // Its own loader, because its C library is newer than the system's may be.
        libraries.join("ld-linux-x86-64.so.2"),
        "--library-path".into(),
        libraries,
        root.join("usr/sbin/pgbouncer"),
    ]);
    match program.version() {
        Some(version) if version >= OLDEST => Ok(program),
        _ => Err("the fetched PgBouncer does not run on this machine".into()),
    }
}

fn run(program: &Program, folder: &Path, database_url: &str, step: &mut Step) -> Result<(Service, String)> {
    let server = database_url.rsplit('@').next().and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let (host, server_port) = server.rsplit_once(':').unwrap_or((server, "5432"));
    let port = project::free_port()?;
    let users = folder.join("users");
    let settings = folder.join("pgbouncer.ini");
    let text = format!(
        "[databases]\n* = host={host} port={server_port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port \
         = {port}\nunix_socket_dir =\n\
         auth_type = scram-sha-256\nauth_file = {}\npool_mode = transaction\ndefault_pool_size = \
         {CONNECTIONS}\nmax_client_conn = 1000\n\
         max_prepared_statements = 200\nignore_startup_parameters = extra_float_digits\n",
        users.display()
    );
    for (file, text) in [(&settings, text), (&users, format!("\"pult_app\" \"{PASSWORD}\"\n"))] {
        fs::write(file, text).map_err(|error| format!("{} cannot be written: {error}.", file.display()))?;
    }
    let shutdown =
        Shutdown { signal: Signal::QUIT, patience: Duration::from_secs(3), when_orphaned: Signal::QUIT };
    let mut service = Service::start(
        "PgBouncer",
        program.command().arg(&settings),
        &folder.join("pgbouncer.log"),
        shutdown,
    )?;
    service.wait_until(step, Duration::from_secs(20), || answers(port))?;
    Ok((service, format!("127.0.0.1:{port}")))
}
