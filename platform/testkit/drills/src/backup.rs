//! A server whose log is archived while it works, its base backup, and servers that recover from both.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use rig::{Database, Files, Result};
use sqlx::{Connection, PgConnection};

/// How long a recovery may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Where backups are kept: a base backup and the archived log. It outlives the server.
pub struct Backup {
    files: Files,
}

/// Where a recovery stops.
#[derive(Clone, Copy)]
pub enum Until {
    /// At this moment: the last transaction that was committed before it is the last one there.
    Moment(DateTime<Utc>),
    /// At the end of the archive.
    End,
}

/// What a recovered server does then.
#[derive(Clone, Copy, PartialEq)]
pub enum Then {
    /// Takes writes, as the new server.
    Work,
    /// Waits, and can be read.
    Pause,
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(text) } else { Err(text.into()) }
}

impl Backup {
    /// An empty place for backups of a server of these programs.
    pub fn new(programs: &Path) -> Result<Self> {
        let files = Files::new(programs)?;
        files.make_folder("wal")?;
        Ok(Self { files })
    }

    /// Where the archived log lies.
    pub fn wal(&self) -> PathBuf {
        self.files.folder.join("wal")
    }

    fn base(&self) -> PathBuf {
        self.files.folder.join("base")
    }

    /// The settings of a server that archives its log here, a segment at the latest after so many seconds.
    pub fn settings(&self, seconds: u32) -> Vec<String> {
        let wal = self.wal().display().to_string();
        vec![
            "wal_level=replica".to_owned(),
            "archive_mode=on".to_owned(),
            format!("archive_timeout={seconds}"),
            // A segment is there whole or not at all, none is written over, and the same one may come again.
            format!(
                "archive_command=if [ -f {wal}/%f ]; then cmp -s %p {wal}/%f; else cp %p {wal}/%f.part && sync \
                 {wal}/%f.part && mv {wal}/%f.part {wal}/%f && sync {wal}; fi"
            ),
        ]
    }

    /// Takes the base backup of a working server, and checks it.
    pub async fn take(&self, database: &Database) -> Result<()> {
        let mut command = self.files.command("pg_basebackup");
        command.arg("-D").arg(self.base()).arg("-d").arg(database.url());
        command.args(["-X", "stream", "-c", "fast", "--no-sync"]);
        tokio::task::spawn_blocking(move || output(&mut command)).await??;
        self.check()
    }

    /// Whether the base backup is what was taken: the sums of its manifest.
    pub fn check(&self) -> Result<()> {
        output(self.files.command("pg_verifybackup").arg(self.base()).stderr(Stdio::piped())).map(drop)
    }

    /// Damages a file of the base backup, as a worn disk does: a byte in the middle of its largest file.
    pub fn damage_base(&self) -> Result<Damage> {
        let mut files = vec![];
        let mut folders = vec![self.base().join("base")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    folders.push(entry.path());
                } else {
                    files.push((entry.metadata()?.len(), entry.path()));
                }
            }
        }
        let (_, file) = files.into_iter().max().ok_or("the base backup is empty")?;
        Damage::spoil(file)
    }

    /// Damages a segment of the archived log, or takes it away.
    pub fn damage_wal(&self, segment: &str, missing: bool) -> Result<Damage> {
        let file = self.wal().join(segment);
        if missing { Damage::take(file) } else { Damage::spoil(file) }
    }

    /// Waits until this segment is in the archive.
    pub async fn archived(&self, segment: &str) -> Result<()> {
        let begun = Instant::now();
        while !self.wal().join(segment).exists() {
            if begun.elapsed() > PATIENCE {
                return Err(format!("{segment} is not archived").into());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }

    /// A server of its own that recovers into an empty folder. An error is the end of its log: it could not.
    pub async fn recover(&self, until: Until, then: Then) -> Result<Database> {
        let files = Files::new(&self.files.programs)?;
        output(Command::new("cp").arg("-a").arg(self.base()).arg(files.folder.join("db")))?;
        fs::write(files.folder.join("db/recovery.signal"), "")?;
        let mut settings = vec![
            // It never writes into the archive of the server that it comes from.
            "archive_mode=off".to_owned(),
            "fsync=off".to_owned(),
            format!("restore_command=cp {}/%f %p", self.wal().display()),
            format!("recovery_target_action={}", if then == Then::Pause { "pause" } else { "promote" }),
        ];
        if let Until::Moment(moment) = until {
            settings.push(format!("recovery_target_time={}", moment.format("%Y-%m-%d %H:%M:%S%.6f+00")));
        }
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        let mut database = Database::launch(files, &settings)?;
        match reached(&mut database, then).await {
            Ok(()) => Ok(database),
            Err(error) => {
                database.remove().await?;
                Err(error)
            }
        }
    }

    /// Removes everything.
    pub fn remove(self) -> Result<()> {
        Ok(fs::remove_dir_all(&self.files.folder)?)
    }
}

/// Waits until a recovering server is where it was to stop, or has ended.
async fn reached(database: &mut Database, then: Then) -> Result<()> {
    let sql = match then {
        Then::Work => "select not pg_is_in_recovery()",
        Then::Pause => "select pg_is_in_recovery() and pg_get_wal_replay_pause_state() = 'paused'",
    };
    let begun = Instant::now();
    loop {
        if let Ok(mut connection) = PgConnection::connect(&database.url()).await
            && let Ok(true) = sqlx::query_scalar(sql).fetch_one(&mut connection).await
        {
            return Ok(());
        }
        if !database.runs()? || begun.elapsed() > PATIENCE {
            let log = fs::read_to_string(database.files.folder.join("log")).unwrap_or_default();
            // Not what it said to those who asked too early.
            let fatal = |line: &&str| {
                line.contains("FATAL") && !line.contains("database system is") || line.contains("PANIC")
            };
            let why: Vec<&str> = log.lines().filter(fatal).collect();
            return Err(why.first().map_or_else(|| log.clone(), |line| (*line).to_owned()).into());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Something that was damaged and can be mended.
pub struct Damage {
    file: PathBuf,
    whole: Vec<u8>,
}

impl Damage {
    fn take(file: PathBuf) -> Result<Self> {
        let whole = fs::read(&file)?;
        fs::remove_file(&file)?;
        Ok(Self { file, whole })
    }

    fn spoil(file: PathBuf) -> Result<Self> {
        let whole = fs::read(&file)?;
        let mut spoilt = whole.clone();
        // The first page and one in the middle: one of them is in use.
        for place in (0..8192).chain(whole.len() / 2..whole.len() / 2 + 8192) {
            if let Some(byte) = spoilt.get_mut(place) {
                *byte ^= 0xa5;
            }
        }
        fs::write(&file, spoilt)?;
        Ok(Self { file, whole })
    }

    /// Makes it whole again.
    pub fn mend(self) -> Result<()> {
        Ok(fs::write(&self.file, &self.whole)?)
    }
}
