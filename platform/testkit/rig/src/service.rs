//! An installation with a database of its own, and the service as a process.

use std::{
    fs::File,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use tokio::process::{Child, Command};
use url::Url;

use crate::{Connection, Result, request};

/// Of the login role, which belongs to the whole server: the same as in the test kit, which may use it at
/// this moment.
const PASSWORD: &str = "app-password-of-the-tests";
/// Everybody who makes roles on a test server holds this lock.
const GATE: &str = "select pg_advisory_lock(7306)";
/// How long a start may take on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long an end in order may take: 5 s listening, 25 s for what is running, and some for a busy machine.
const LONGEST_END: Duration = Duration::from_secs(45);

/// One of the accounts that `pult demo` makes.
#[derive(Debug, Clone)]
pub struct Account {
    /// Its permissions.
    pub role: String,
    /// Its sign-in name.
    pub email: String,
    /// Its password.
    pub password: String,
}

/// An installation with the demo partner.
#[derive(Debug, Clone)]
pub struct Installation {
    binary: PathBuf,
    folder: PathBuf,
    name: String,
    server: Url,
    settings: Vec<(String, String)>,
    /// Words before the binary's name.
    prefix: Vec<String>,
    /// Its demo accounts.
    pub accounts: Vec<Account>,
}

/// A port that nobody uses at this moment, below those that the system gives to outgoing connections.
pub fn free_port() -> Result<u16> {
    let mut any = std::iter::repeat_with(|| rand::random_range(20_000..32_000)).take(100);
    any.find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .ok_or_else(|| "no port is free".into())
}

impl Installation {
    /// Makes a database on `server` (address of a superuser) with the commands of the operator. Logs go to
    /// `folder`.
    pub async fn make(binary: &Path, server: &str, folder: &Path) -> Result<Self> {
        let name = format!("f{:08x}", rand::random::<u32>());
        std::fs::create_dir_all(folder)?;
        let server: Url = server.parse()?;
        let mut owner = server.clone();
        owner.set_path(&format!("/pult_{name}"));
        let mut app = owner.clone();
        if app.set_username("pult_app").is_err() || app.set_password(Some(PASSWORD)).is_err() {
            return Err("the server's address has no host".into());
        }
        let set = |name: &str, value: &str| (format!("PULT_{name}"), value.to_owned());
        let settings = vec![
            set("DATABASE_URL", app.as_str()),
            set("DATABASE_LISTEN_URL", app.as_str()),
            set("DATABASE_OWNER_URL", owner.as_str()),
            set("INSTALLATION", &name),
            set("DEV", "1"),
            set("PUBLIC_URL", "http://localhost"),
            set("SECRET_KEY", &"0123456789abcdef".repeat(4)),
            // Nobody listens there: what these tests do sends neither mail nor files.
            set("SMTP_URL", "smtp://127.0.0.1:9"),
            // All clients come from one address here.
            set("CONNECTIONS_PER_ADDRESS", "20000"),
            // And many tills have one session.
            set("CALLS_PER_SESSION", "1000000"),
            set("MAIL_FROM", "pult@pult.example"),
            set("S3_ENDPOINT", "http://127.0.0.1:9"),
            set("S3_BUCKET", "pult"),
            set("S3_ACCESS_KEY", "pult"),
            set("S3_SECRET_KEY", "pult"),
        ];
        let mut made = Self {
            binary: binary.to_owned(),
            folder: folder.to_owned(),
            name,
            server,
            settings,
            prefix: vec![],
            accounts: vec![],
        };
        let mut gate = PgConnection::connect(made.server.as_str()).await?;
        gate.execute(GATE).await?;
        made.run("migrate").await?;
        let list = made.run("demo").await?;
        gate.close().await?;
        made.accounts = list.lines().filter_map(account).collect();
        Ok(made)
    }

    /// Changes a setting for instances that start from now on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.unset(name);
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    /// Takes a setting away.
    pub fn unset(&mut self, name: &str) {
        self.settings.retain(|(known, _)| known != name);
    }

    /// The value of a setting.
    #[must_use]
    pub fn setting(&self, name: &str) -> &str {
        self.settings.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Instances that start from now on are started by this command, say `taskset -c 0`; it must become the
    /// service.
    pub fn prefix(&mut self, words: &[&str]) {
        self.prefix = words.iter().map(|word| (*word).to_owned()).collect();
    }

    /// The account with this role.
    pub fn account(&self, role: &str) -> Result<&Account> {
        Ok(self
            .accounts
            .iter()
            .find(|account| account.role == role)
            .ok_or_else(|| format!("pult demo made no {role}"))?)
    }

    /// A connection of the superuser, for looking behind the service.
    pub async fn owner(&self) -> Result<PgConnection> {
        let mut url = self.server.clone();
        url.set_path(&format!("/pult_{}", self.name));
        Ok(PgConnection::connect(url.as_str()).await?)
    }

    /// A connection of the service's own role.
    pub async fn login(&self) -> Result<PgConnection> {
        let mut url = self.server.clone();
        url.set_path(&format!("/pult_{}", self.name));
        url.set_username("pult_app")
            .and_then(|()| url.set_password(Some(PASSWORD)))
            .map_err(|()| "the server's address takes no user")?;
        Ok(PgConnection::connect(url.as_str()).await?)
    }

    /// Raises the limits of all present API keys ten thousand times, because these tests load the service and
    /// not the limits.
    pub async fn lift_limits(&self) -> Result<()> {
        let mut owner = self.owner().await?;
        owner.execute("update control.api_key set limit_factor = 10000").await?;
        // No order of a guest is counted. A trigger, because a rule cannot stand in for an insert that is part
        // of a larger statement.
        owner
            .execute(
                "do $$ declare schema text; begin \
                 for schema in select role from control.partner where to_regclass(format('%I.order_sender', \
                 role)) is not null loop \
                     execute format('create or replace function %I.lifted() returns trigger \
                     language plpgsql as ''begin return null; end''', schema); \
                     execute format('create or replace trigger lifted before insert on %1$I.order_sender \
                     for each row execute function %1$I.lifted()', schema); \
                 end loop; end $$",
            )
            .await?;
        Ok(())
    }

    fn command(&self) -> Command {
        let mut command = match self.prefix.split_first() {
            None => Command::new(&self.binary),
            Some((program, words)) => {
                let mut command = Command::new(program);
                command.args(words).arg(&self.binary);
                command
            }
        };
        command.envs(self.settings.iter().cloned()).stdin(Stdio::null()).kill_on_drop(true);
        command
    }

    /// Runs a command of the operator to its end; what it printed.
    pub async fn run(&self, word: &str) -> Result<String> {
        let output = self.command().args(word.split_whitespace()).output().await?;
        if !output.status.success() {
            return Err(format!("pult {word}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Begins a command of the operator, say `migrate`, whose end is the caller's to await or to hasten.
    pub fn begin(&self, word: &str) -> Result<Child> {
        Ok(self
            .command()
            .args(word.split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?)
    }

    /// The same installation on another server that has a copy of its database.
    pub fn on(&self, server: &str) -> Result<Self> {
        let mut moved = self.clone();
        moved.server = server.parse()?;
        for (name, value) in moved.settings.iter_mut().filter(|(name, _)| name.starts_with("PULT_DATABASE")) {
            if name.ends_with("_URL") {
                *value = relocated(value, server)?;
            }
        }
        Ok(moved)
    }

    /// The service's connections go through this address from now on, say that of a pooler or of a relay; those
    /// of `names` (`DATABASE_URL`, `DATABASE_LISTEN_URL`, `DATABASE_OWNER_URL`).
    pub fn through(&mut self, names: &[&str], address: SocketAddr) -> Result<()> {
        for name in names {
            let name = format!("PULT_{name}");
            let value = relocated(self.setting(&name), &format!("postgres://{address}"))?;
            self.set(&name, &value);
        }
        Ok(())
    }

    /// Logs go to this folder from now on.
    pub fn log_to(&mut self, folder: &Path) {
        folder.clone_into(&mut self.folder);
    }

    /// Another binary from now on, say of another release.
    pub fn use_binary(&mut self, binary: &Path) {
        binary.clone_into(&mut self.binary);
    }

    /// The name of its database.
    #[must_use]
    pub fn database(&self) -> String {
        format!("pult_{}", self.name)
    }

    /// Starts an instance on these ports and waits until it answers.
    pub async fn serve(&self, port: u16, metrics: u16) -> Result<Service> {
        let service = self.start(port, metrics)?;
        service.ready().await?;
        Ok(service)
    }

    /// Starts an instance without waiting for it.
    pub fn start(&self, port: u16, metrics: u16) -> Result<Service> {
        let mut command = self.command();
        if self.setting("PULT_JOBS") == "off" {
            command.env_remove("PULT_DATABASE_OWNER_URL");
        }
        command.arg("serve");
        self.spawn(command, port, metrics)
    }

    /// Instances that start from now on leave background work to [`Self::work`] and do not have the owner's
    /// address, as with the chart.
    pub fn leave_jobs(&mut self) {
        self.set("PULT_JOBS", "off");
    }

    /// Starts background work alone, without waiting for it. It listens on its port of measurements only.
    pub fn work(&self, metrics: u16) -> Result<Service> {
        let mut command = self.command();
        command.arg("work").env_remove("PULT_JOBS");
        self.spawn(command, metrics, metrics)
    }

    fn spawn(&self, mut command: Command, port: u16, metrics: u16) -> Result<Service> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let log = self.folder.join(format!("service-{port}.log"));
        let file = File::options().create(true).append(true).open(&log)?;
        let metrics = SocketAddr::from((Ipv4Addr::LOCALHOST, metrics));
        command.env("PULT_LISTEN", address.to_string()).env("PULT_METRICS_LISTEN", metrics.to_string());
        let child = command.stdout(file.try_clone()?).stderr(file).spawn()?;
        Ok(Service { child, address, metrics, log })
    }

    /// Removes the database and the roles. Not called after a failure: then they are evidence.
    pub async fn remove(self) -> Result<()> {
        let mut server = PgConnection::connect(self.server.as_str()).await?;
        server.execute(GATE).await?;
        // The name is made of letters and digits, here.
        server.execute(AssertSqlSafe(format!("drop database pult_{} with (force)", self.name))).await?;
        let roles = format!(
            "do $$ declare r text; begin for r in select rolname from pg_roles where rolname like \
             'pult_{}_%' loop execute format('drop role %I', r); end loop; end $$",
            self.name
        );
        server.execute(AssertSqlSafe(roles)).await?;
        Ok(server.close().await?)
    }
}

/// The address with host and port of another one.
fn relocated(value: &str, at: &str) -> Result<String> {
    let (mut value, at): (Url, Url) = (value.parse()?, at.parse()?);
    value.set_host(at.host_str())?;
    value.set_port(at.port()).map_err(|()| "an address without a port")?;
    Ok(value.into())
}

fn account(line: &str) -> Option<Account> {
    let mut parts = line.split('\t').map(str::to_owned);
    Some(Account { role: parts.next()?, email: parts.next()?, password: parts.next()? })
}

/// One instance of the service. It is killed when dropped.
#[derive(Debug)]
pub struct Service {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    /// Where it shows what it measures.
    pub metrics: SocketAddr,
    log: PathBuf,
}

impl Service {
    /// Its process, until it was killed.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits for its first answer.
    pub async fn ready(&self) -> Result<()> {
        let begun = Instant::now();
        let ask = request("GET", "/api/rest", &[], None);
        loop {
            if let Ok(mut connection) = Connection::open(self.address).await
                && connection.call(&ask).await.is_ok_and(|reply| reply.status == 200)
            {
                return Ok(());
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!(
                    "the service did not answer within {PATIENCE:?}; the end of its log:\n{}",
                    self.log_end()
                )
                .into());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Asks it to end, as an operator does, and waits until it has; how it ended.
    pub async fn terminate(mut self) -> Result<std::process::ExitStatus> {
        let pid = self.child.id().and_then(|id| Pid::from_raw(id as i32)).ok_or("it has ended by itself")?;
        kill_process(pid, Signal::TERM)?;
        Ok(tokio::time::timeout(LONGEST_END, self.child.wait())
            .await
            .map_err(|_| format!("it did not end within {LONGEST_END:?} after SIGTERM"))??)
    }

    /// Whether it still runs.
    pub fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Where its log is.
    #[must_use]
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// `kill -9`; it is gone when this returns.
    pub async fn kill(mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }

    /// The end of its log.
    #[must_use]
    pub fn log_end(&self) -> String {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}
