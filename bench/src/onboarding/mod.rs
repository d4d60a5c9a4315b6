//! Measures setting up a restaurant: settings, a menu from a spreadsheet, pictures, sockets, an export, the
//! audit log, customers, finding whose an order is and where it goes, the life of an order,
//! paying online, previous orders, what it costs to see the service, and what the home server spends. Each part can be measured alone.
//! README.md describes the method.

mod audit;
mod customers;
mod export;
mod finding;
mod health;
mod home;
mod import;
mod life;
mod paying;
mod picture;
mod previous;
mod seeing;
mod settings;
mod sockets;

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
};

use rig::{Api, Connection, Installation, Result, Service, free_port};
use serde_json::Value;
use sqlx::PgConnection;
use tokio::process::{Child, Command};
use url::Url;
use uuid::Uuid;

use crate::{cpu, load::Request, report, rounds::serve};

const PARTNER: &str = "01900000-0000-7000-8000-000000000001";
const RESTAURANT: &str = "01900000-0000-7000-8000-00000000000b";
/// On both cores, as it would run: the program that measures has core 1 only and would hand that on.
const BOTH: [&str; 3] = ["taskset", "-c", "0,1"];
/// Stores and those who send files are other machines: here they take processors that the service has there.
const BEHIND: [&str; 3] = ["nice", "-n", "5"];
/// A boundary that no file holds.
const BOUNDARY: &str = "pult-bench-0f2b6c1e7d";
const PARTS: [&str; 14] = [
    "settings", "import", "audit", "picture", "sockets", "export", "customers", "finding", "life", "paying",
    "previous", "seeing", "home", "health",
];

/// An installation with the demo partner, and stand-ins for what stands around it.
struct Stage {
    installation: Installation,
    owner: PgConnection,
    /// The process that all of Postgres's are children of.
    postgres: u32,
    schema: String,
    folder: PathBuf,
    /// The stand-in of a payment provider.
    simplepay: Url,
    _sandbox: Child,
}

impl Stage {
    async fn make(pult: &Path, sandbox: &Path, folder: &Path) -> Result<Self> {
        let server = crate::rounds::variable("PULT_BENCH_DATABASE_URL")?;
        let mut installation = Installation::make(pult, &server, folder).await?;
        let [s3, smtp, simplepay, barion] = [free_port()?, free_port()?, free_port()?, free_port()?];
        installation.set("PULT_STAND_IN_BARION_URL", &format!("http://127.0.0.1:{barion}"));
        installation.set("PULT_S3_ENDPOINT", &format!("http://127.0.0.1:{s3}"));
        installation.set("PULT_SMTP_URL", &format!("smtp://127.0.0.1:{smtp}"));
        installation.set("PULT_FILES_DIR", &folder.join("files").to_string_lossy());
        installation.prefix(&BOTH);
        let mut command = Command::new(BOTH[0]);
        command
            .args(&BOTH[1..])
            .args(BEHIND)
            .arg(sandbox)
            .arg("serve")
            .arg("--data")
            .arg(folder.join("sandbox"));
        command.args(["--s3-port", &s3.to_string(), "--smtp-port", &smtp.to_string()]);
        command.args(["--simplepay-port", &simplepay.to_string(), "--barion-port", &barion.to_string()]);
        for name in ["PULT_S3_ACCESS_KEY", "PULT_S3_SECRET_KEY", "PULT_S3_BUCKET"] {
            command.env(name, installation.setting(name));
        }
        let sandbox = command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true).spawn()?;
        let mut owner = installation.owner().await?;
        let backend: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut owner).await?;
        let postgres = u32::try_from(backend)
            .ok()
            .and_then(cpu::parent)
            .ok_or("Postgres does not run on this machine")?;
        let sql = "select role from control.partner where id = $1";
        let schema = sqlx::query_scalar(sql).bind(PARTNER.parse::<Uuid>()?).fetch_one(&mut owner).await?;
        let simplepay = format!("http://127.0.0.1:{simplepay}").parse()?;
        Ok(Self {
            installation,
            owner,
            postgres,
            schema,
            folder: folder.to_owned(),
            simplepay,
            _sandbox: sandbox,
        })
    }

    /// An instance of the service, and the partner's admin signed in at it.
    async fn serve(&self) -> Result<RunningService> {
        let (program, service) = serve(&self.installation).await?;
        let admin = Api::sign_in(program.address, self.installation.account("partner admin")?).await?;
        Ok(RunningService { address: program.address, pid: program.pid, admin, service })
    }
}

struct RunningService {
    address: SocketAddr,
    pid: u32,
    admin: Api,
    service: Service,
}

impl RunningService {
    /// A reading call in the demo restaurant.
    fn get(&self, path: &str) -> Request {
        Request {
            method: "GET",
            path: place(path),
            bearer: self.admin.bearer().to_owned(),
            headers: vec![],
            body: None,
            status: 200,
        }
    }

    /// Sends a file; the answer to it.
    async fn send(&self, path: &str, field: &str, name: &str, file: &[u8]) -> Result<Value> {
        // A picture has a name that people call it by, a spreadsheet has none.
        let called = if field == "image" {
            format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"name\"\r\n\r\nKép\r\n")
        } else {
            String::new()
        };
        let head = format!(
            "{called}--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{field}\"; \
             filename=\"{name}\"\r\ncontent-type: application/octet-stream\r\n\r\n"
        );
        let tail = format!("\r\n--{BOUNDARY}--\r\n");
        let lines = format!(
            "POST {} HTTP/1.1\r\nhost: localhost\r\nauthorization: {}\r\nidempotency-key: {}\r\n\
             content-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {}\r\n\r\n",
            place(path),
            self.admin.bearer(),
            Uuid::now_v7(),
            head.len() + file.len() + tail.len()
        );
        let mut connection = Connection::open(self.address).await?;
        for piece in [lines.as_bytes(), head.as_bytes(), file, tail.as_bytes()] {
            connection.send(piece).await?;
        }
        let reply = connection.reply().await?;
        match reply.status {
            200..300 => Ok(serde_json::from_slice(&reply.body)?),
            status => Err(format!("POST {path} was answered {status}: {}", reply.text()).into()),
        }
    }
}

/// The address of something in the demo restaurant.
fn place(path: &str) -> String {
    format!("/api/v3/admin/partners/{PARTNER}/restaurants/{RESTAURANT}{path}")
}

/// Measures everything, or one part, and prints the tables of README.md. The database is left behind: its
/// server is thrown away.
pub(crate) async fn run(pult: &Path, sandbox: &Path, folder: &Path, part: Option<&str>) -> Result<()> {
    if let Some(part) = part.filter(|part| !PARTS.contains(part)) {
        return Err(format!("there is no part {part}; there are {}", PARTS.join(", ")).into());
    }
    let mut stage = Stage::make(pult, sandbox, folder).await?;
    let mut lines = Vec::new();
    for name in PARTS.into_iter().filter(|name| part.is_none_or(|part| part == *name)) {
        lines.extend(match name {
            "settings" => settings::measure(&mut stage).await?,
            "import" => import::measure(&stage).await?,
            "audit" => audit::measure(&mut stage).await?,
            "picture" => picture::measure(&stage).await?,
            "sockets" => sockets::measure(&mut stage).await?,
            "export" => export::measure(&mut stage).await?,
            "customers" => customers::measure(&mut stage).await?,
            "life" => life::measure(&mut stage, sandbox).await?,
            "paying" => paying::measure(&mut stage, sandbox).await?,
            "previous" => previous::measure(&mut stage).await?,
            "seeing" => seeing::measure(&mut stage).await?,
            "home" => home::measure(&mut stage, sandbox).await?,
            // Last: its products are in the menu from here on.
            "health" => health::measure(&mut stage).await?,
            _ => finding::measure(&mut stage, sandbox).await?,
        });
    }
    report::summary(&lines);
    Ok(())
}
