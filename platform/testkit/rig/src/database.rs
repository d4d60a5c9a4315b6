//! A Postgres of the test's own that it can kill, stop, and start with other settings.

use std::{
    fs::{self, File},
    os::unix::{
        fs::{MetadataExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, geteuid, kill_process};
use sqlx::{Connection, PgConnection};
use tokio::process::Child;

use crate::{Result, free_port};

/// As long as a start with recovery may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Who runs it when the test runs as root, which Postgres refuses to ("nobody").
const NOBODY: u32 = 65_534;
const SETTINGS: &[&str] = &[
    "listen_addresses=127.0.0.1",
    "max_locks_per_transaction=1024",
    "max_connections=300",
    "max_prepared_transactions=64",
];

/// Where its programs and files are, and who runs it.
#[derive(Debug, Clone)]
pub struct Files {
    /// Folder with `postgres` and `initdb`.
    pub programs: PathBuf,
    /// The folder of this server: `db` and `log` lie in it.
    pub folder: PathBuf,
    owner: (u32, u32),
}

impl Files {
    /// A new folder for a server of these programs.
    pub fn new(programs: &Path) -> Result<Self> {
        let user = if geteuid().is_root() { NOBODY } else { geteuid().as_raw() };
        Self::owned(programs, (user, user))
    }

    fn owned(programs: &Path, owner: (u32, u32)) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("pult-fault-{:08x}", rand::random::<u32>()));
        let files = Self { programs: programs.to_owned(), folder, owner };
        files.make_folder("")?;
        Ok(files)
    }

    /// Makes a folder below that of the server which the server may write into.
    pub fn make_folder(&self, name: &str) -> Result<PathBuf> {
        let folder = if name.is_empty() { self.folder.clone() } else { self.folder.join(name) };
        fs::create_dir(&folder)?;
        if geteuid().is_root() {
            chown(&folder, Some(self.owner.0), Some(self.owner.1))?;
        }
        Ok(folder)
    }

    /// One of its programs, as the user who runs it.
    #[must_use]
    pub fn command(&self, program: &str) -> Command {
        self.unprivileged(&self.programs.join(program))
    }

    /// Any program as that user.
    #[must_use]
    pub fn unprivileged(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("LC_ALL", "C").env_remove("LD_LIBRARY_PATH");
        if geteuid().is_root() {
            command.uid(self.owner.0).gid(self.owner.1);
        }
        command.current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    /// Makes empty data.
    pub fn prepare(&self) -> Result<()> {
        let mut initdb = self.command("initdb");
        initdb.arg("-D").arg(self.folder.join("db")).args(["-U", "pult", "-A", "trust", "-E", "UTF8"]);
        let made = initdb.args(["--no-locale", "--no-sync"]).output()?;
        if made.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&made.stderr).into()) }
    }
}

/// A running server. It is killed when dropped.
#[derive(Debug)]
pub struct Database {
    /// Its programs and files.
    pub files: Files,
    port: u16,
    /// What it starts with besides the usual, as `name=value`.
    settings: Vec<String>,
    process: Child,
    /// How often it was killed.
    pub kills: usize,
}

impl Database {
    /// Starts an empty one on this machine, beside `server`, which is asked where its programs lie. What is
    /// committed is written before it is answered: the death of the process loses nothing of it.
    pub async fn start(server: &str) -> Result<Self> {
        let mut tests = PgConnection::connect(server).await?;
        let programs: String = sqlx::query_scalar("select setting from pg_config where name = 'BINDIR'")
            .fetch_one(&mut tests)
            .await?;
        let data: String =
            sqlx::query_scalar("select current_setting('data_directory')").fetch_one(&mut tests).await?;
        let data = fs::metadata(&data).map_err(|_| "PULT_TEST_DATABASE_URL is not on this machine")?;
        let files = Files::owned(Path::new(&programs), (data.uid(), data.gid()))?;
        files.prepare()?;
        Self::open(files, &[]).await
    }

    /// Starts an empty one of these programs, with these settings.
    pub async fn fresh(programs: &Path, settings: &[&str]) -> Result<Self> {
        let files = Files::new(programs)?;
        files.prepare()?;
        Self::open(files, settings).await
    }

    /// Starts one on data that are there.
    pub async fn open(files: Files, settings: &[&str]) -> Result<Self> {
        let mut database = Self::launch(files, settings)?;
        database.wait().await?;
        Ok(database)
    }

    /// The same without waiting for it: it may be about to recover, or to end.
    pub fn launch(files: Files, settings: &[&str]) -> Result<Self> {
        let port = free_port()?;
        let settings: Vec<String> = settings.iter().map(|one| (*one).to_owned()).collect();
        let process = serve(&files, port, &settings)?;
        Ok(Self { files, port, settings, process, kills: 0 })
    }

    /// Whether its process is there.
    pub fn runs(&mut self) -> Result<bool> {
        Ok(self.process.try_wait()?.is_none())
    }

    /// Its port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address as a superuser.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://pult:pult@127.0.0.1:{}/postgres", self.port)
    }

    /// Kills it and starts it again: it recovers from its log.
    pub async fn kill(&mut self) -> Result<()> {
        self.process.kill().await?;
        self.kills += 1;
        self.begin().await
    }

    /// Ends it in order: it cuts its connections, as an operator's restart does.
    pub async fn stop(&mut self) -> Result<()> {
        if let Some(pid) = self.process.id().and_then(|id| Pid::from_raw(id as i32)) {
            kill_process(pid, Signal::INT)?;
        }
        self.process.wait().await?;
        Ok(())
    }

    /// Starts it again.
    pub async fn begin(&mut self) -> Result<()> {
        self.process = serve(&self.files, self.port, &self.settings)?;
        self.wait().await
    }

    /// Waits until it answers. It does not start while processes of the killed one are left: then it is started
    /// again.
    async fn wait(&mut self) -> Result<()> {
        let begun = Instant::now();
        loop {
            if let Ok(connection) = PgConnection::connect(&self.url()).await {
                connection.close().await?;
                return Ok(());
            }
            if begun.elapsed() > PATIENCE {
                let log = fs::read_to_string(self.files.folder.join("log")).unwrap_or_default();
                return Err(format!("Postgres does not answer: {log}").into());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            if self.process.try_wait()?.is_some() {
                self.process = serve(&self.files, self.port, &self.settings)?;
            }
        }
    }

    /// Ends it and removes its files.
    pub async fn remove(mut self) -> Result<()> {
        self.process.kill().await?;
        // What its processes still write goes with the folder.
        for _ in 0..100 {
            if fs::remove_dir_all(&self.files.folder).is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err("the files of the killed Postgres stay".into())
    }
}

fn serve(files: &Files, port: u16, settings: &[String]) -> Result<Child> {
    let log = File::options().create(true).append(true).open(files.folder.join("log"))?;
    let mut postgres = files.command("postgres");
    postgres.arg("-D").arg(files.folder.join("db")).args(["-p", &port.to_string(), "-k", ""]);
    for setting in SETTINGS.iter().copied().chain(settings.iter().map(String::as_str)) {
        postgres.args(["-c", setting]);
    }
    postgres.stdout(log.try_clone()?).stderr(log);
    let mut postgres = tokio::process::Command::from(postgres);
    Ok(postgres.kill_on_drop(true).spawn()?)
}
