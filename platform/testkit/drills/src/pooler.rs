//! PgBouncer in transaction mode before the drill's Postgres.

use std::{
    fs::{self, File},
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use rig::{Database, Installation, Result, free_port};
use tokio::{net::TcpStream, process::Child};

use crate::context::{CannotRun, Context};

/// Few enough that transactions meet connections that others have used.
const CONNECTIONS: u32 = 10;

/// A running pooler. It is killed when dropped.
pub struct Pooler {
    _process: Child,
}

impl Pooler {
    /// Starts one, and sends the service's connections through it from now on; `LISTEN` stays direct.
    pub async fn start(
        context: &Context, database: &Database, installation: &mut Installation,
    ) -> Result<Self> {
        Self::keeping(context, database, installation, 200).await
    }

    /// The same with so many prepared statements that it keeps for each connection.
    pub async fn keeping(
        context: &Context, database: &Database, installation: &mut Installation, statements: u32,
    ) -> Result<Self> {
        let Some((program, words)) = context.pgbouncer.as_deref().and_then(<[String]>::split_first) else {
            return Err(CannotRun("there is no PgBouncer 1.21 or newer".to_owned()).into());
        };
        let folder = &database.files.folder;
        let url = installation.setting("PULT_DATABASE_URL");
        let password =
            url.split_once("pult_app:").and_then(|(_, rest)| rest.split_once('@')).ok_or("no password")?.0;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = \
             {}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = {}\npool_mode = transaction\n\
             default_pool_size = {CONNECTIONS}\nmax_client_conn = 1000\nmax_prepared_statements = {statements}\n\
             server_login_retry = 1\n\
             ignore_startup_parameters = extra_float_digits\n",
            database.port(),
            address.port(),
            folder.join("users").display()
        );
        fs::write(folder.join("users"), format!("\"pult_app\" \"{password}\"\n"))?;
        fs::write(folder.join("pgbouncer.ini"), settings)?;
        let log = File::create(folder.join("pgbouncer.log"))?;
        let mut command = database.files.unprivileged(program.as_ref());
        command.args(words).arg(folder.join("pgbouncer.ini")).stdout(log.try_clone()?).stderr(log);
        let process = tokio::process::Command::from(command).kill_on_drop(true).spawn()?;
        for _ in 0..200 {
            if TcpStream::connect(address).await.is_ok() {
                installation.through(&["DATABASE_URL"], address)?;
                return Ok(Self { _process: process });
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err(format!(
            "PgBouncer does not answer: {}",
            fs::read_to_string(folder.join("pgbouncer.log")).unwrap_or_default()
        )
        .into())
    }
}
