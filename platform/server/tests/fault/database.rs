//! A Postgres of the test's own, from the programs of the one that tests use, so that it can be killed.

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

use rig::{Result, free_port};
use sqlx::{Connection, PgConnection};
use tokio::process::Child;

/// As long as a start with recovery may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Database {
    programs: PathBuf,
    folder: PathBuf,
    /// Who runs it: whoever runs the tests' one, because Postgres does not run as root.
    owner: (u32, u32),
    port: u16,
    process: Child,
    /// How often it was killed.
    pub kills: usize,
}

impl Database {
    /// Starts one on this machine, beside `server`, which is asked where its programs lie. What is committed is
    /// written before it is answered: the death of the process loses nothing of it.
    pub async fn start(server: &str) -> Result<Self> {
        let mut tests = PgConnection::connect(server).await?;
        let programs: String = sqlx::query_scalar("select setting from pg_config where name = 'BINDIR'")
            .fetch_one(&mut tests)
            .await?;
        let data: String =
            sqlx::query_scalar("select current_setting('data_directory')").fetch_one(&mut tests).await?;
        let data = fs::metadata(&data).map_err(|_| "PULT_TEST_DATABASE_URL is not on this machine")?;
        let owner = (data.uid(), data.gid());
        let folder = std::env::temp_dir().join(format!("pult-fault-{:08x}", rand::random::<u32>()));
        fs::create_dir(&folder)?;
        chown(&folder, Some(owner.0), Some(owner.1))?;
        let programs = PathBuf::from(programs);
        let mut initdb = command(&programs.join("initdb"), owner, &folder);
        initdb.arg("-D").arg(folder.join("db")).args(["-U", "pult", "-A", "trust", "-E", "UTF8"]);
        let made = initdb.args(["--no-locale", "--no-sync"]).output()?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).into());
        }
        let port = free_port()?;
        let process = serve(&programs, &folder, owner, port)?;
        let mut database = Self { programs, folder, owner, port, process, kills: 0 };
        database.wait().await?;
        Ok(database)
    }

    /// The address as a superuser.
    pub fn url(&self) -> String {
        format!("postgres://pult:pult@127.0.0.1:{}/postgres", self.port)
    }

    /// Kills it and starts it again: it recovers from its log.
    pub async fn kill(&mut self) -> Result<()> {
        self.process.kill().await?;
        self.kills += 1;
        self.process = serve(&self.programs, &self.folder, self.owner, self.port)?;
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
                let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                return Err(format!("Postgres does not answer: {log}").into());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            if self.process.try_wait()?.is_some() {
                self.process = serve(&self.programs, &self.folder, self.owner, self.port)?;
            }
        }
    }

    /// Ends it and removes its files.
    pub async fn remove(mut self) -> Result<()> {
        self.process.kill().await?;
        // What its processes still write goes with the folder.
        for _ in 0..100 {
            if fs::remove_dir_all(&self.folder).is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err("the files of the killed Postgres stay".into())
    }
}

fn command(program: &Path, (uid, gid): (u32, u32), folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.uid(uid).gid(gid).current_dir(folder).stdin(Stdio::null());
    command
}

fn serve(programs: &Path, folder: &Path, owner: (u32, u32), port: u16) -> Result<Child> {
    let log = File::options().create(true).append(true).open(folder.join("log"))?;
    let mut postgres = command(&programs.join("postgres"), owner, folder);
    postgres.arg("-D").arg(folder.join("db")).args(["-p", &port.to_string(), "-k", ""]);
    // The machine does not lose power: a killed process leaves its writes to the system.
    for setting in
        ["listen_addresses=127.0.0.1", "max_locks_per_transaction=1024", "max_connections=300", "fsync=off"]
    {
        postgres.args(["-c", setting]);
    }
    postgres.stdout(log.try_clone()?).stderr(log);
    let mut postgres = tokio::process::Command::from(postgres);
    Ok(postgres.kill_on_drop(true).spawn()?)
}
