//! The whole local installation: Postgres, the sandbox (S3 and mail), migrations, demo data, the service.

use std::{
    env, fs,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{
    Result,
    node::{self, Node},
    postgres::{Durability, Postgres},
    process::{self, Output, Service, Shutdown},
    progress::Step,
    project::{self, Project, remembered_port},
    sys::{self, Signal},
    tls::Certificate,
};

/// What to start, and where.
pub struct Plan {
    /// Folder for everything that is kept.
    pub data: PathBuf,
    pub port: u16,
    /// Serve HTTPS.
    pub certificate: Option<Certificate>,
    /// Serve the whole local network, not this machine alone.
    pub lan: bool,
    /// Use the optimised binaries.
    pub release: bool,
    pub durability: Durability,
}

/// One of the accounts that `pult demo` makes.
pub struct Account {
    pub role: String,
    pub email: String,
    pub password: String,
    /// The secret of its second factor, where it has one.
    pub second_factor: Option<String>,
}

/// Everything running. Dropping it stops the service first and Postgres last (fields are dropped in their
/// order).
pub struct Stack {
    pub server: Service,
    /// S3 and the mail sink.
    pub sandbox: Service,
    /// The database, unless an address of another one was given.
    pub postgres: Option<Postgres>,
    /// Where the browser goes.
    pub url: String,
    pub accounts: Vec<Account>,
    pub mail_url: String,
    /// The stand-in for a partner's sign-in provider: its issuer.
    pub provider_url: String,
    /// Why the demo menus could not be loaded.
    pub without_menus: Option<String>,
    settings: Vec<(String, String)>,
    binary: PathBuf,
}

pub fn build(project: &Project, release: bool) -> Result<()> {
    if !release && process::is_all_built() {
        return Ok(());
    }
    let mut step = Step::begin_loud(
        "Service",
        if release {
            "cargo build --release (some minutes the first time)"
        } else {
            "cargo build (some minutes the first time)"
        },
    );
    let mut cargo = process::command("cargo");
    cargo.args(["build", "--package", "server", "--package", "sandbox"]).current_dir(&project.root);
    if release {
        cargo.arg("--release");
    }
    process::run(&mut cargo, &Output::Terminal, &mut step)?;
    step.done("built");
    Ok(())
}

/// Brings the database to the shape of this release and makes the demo partner; the accounts of the demo.
fn migrate_and_fill(pult: &impl Fn(&[&str]) -> Command, plan: &Plan, logs: &Path) -> Result<Vec<Account>> {
    let mut step = Step::begin("Database", "pult migrate");
    process::run(&mut pult(&["migrate"]), &Output::Log(&logs.join("migrate.log")), &mut step)?;
    step.done("migrated");
    let mut step = Step::begin("Demo partner", "pult demo");
    let list = plan.data.join("accounts.tsv");
    process::run(&mut pult(&["demo"]), &Output::Files(&list, &logs.join("demo.log")), &mut step)?;
    let accounts = read_accounts(&list)?;
    step.done(&format!("{} accounts", accounts.len()));
    Ok(accounts)
}

impl Stack {
    /// Starts everything and loads the demo data when they are not there yet.
    /// Errors: One sentence (and the end of a log) about the first thing that does not work; what was started
    /// is stopped again.
    pub fn start(project: &Project, node: &Node, plan: Plan) -> Result<Self> {
        let logs = plan.data.join("logs");
        project::make_folder(&logs)?;
        let secrets = plan.data.join("secrets");
        project::make_folder(&secrets)?;
        let app_password = project::secret(&secrets.join("app-password"), || project::random_hex(16))?;

        let mut settings = Settings::default();
        let postgres = database(project, node, &plan, &app_password, &logs, &mut settings)?;

        let port = |name| remembered_port(&plan.data, name);
        let (s3, smtp, mail, metrics, oidc) =
            (port("s3")?, port("smtp")?, port("mail")?, port("metrics")?, port("oidc")?);
        let (geocoder, push, teya) = (port("geocoder")?, port("push")?, port("teya")?);
        let (simplepay, barion) = (port("simplepay")?, port("barion")?);
        let url = plan.url();
        settings.of_stand_ins(&secrets, [s3, smtp, mail, geocoder, push, teya, simplepay, barion])?;
        settings.of_service(&plan, &secrets, metrics, &url)?;
        let settings = settings.0;

        let ports = [s3, smtp, mail, oidc, geocoder, push, teya, simplepay, barion];
        let sandbox = start_sandbox(project, &plan, &settings, ports, &logs)?;
        let binary = project.binary("pult", plan.release);
        let pult = |arguments: &[&str]| {
            let mut command = process::command(&binary);
            command.args(arguments).envs(settings.iter().cloned()).current_dir(&project.root);
            command
        };
        let accounts = migrate_and_fill(&pult, &plan, &logs)?;

        let menus = Menus::look(project, &plan.data, simplepay)?;
        let mut loading = Ok(());
        if plan.certificate.is_some() && !menus.loaded {
            // The loader speaks plain HTTP: it gets an instance of its own, on the loopback address, for this
            // moment.
            let port = project::free_port()?;
            let _for_loading =
                serve(pult(&["serve"]), port, None, false, metrics, &logs.join("server-demo.log"))?;
            loading = menus.load(project, &plan, &accounts, port, &logs);
        }
        let server = serve(
            pult(&["serve"]),
            plan.port,
            plan.certificate.as_ref(),
            plan.lan,
            metrics,
            &logs.join("server.log"),
        )?;
        if plan.certificate.is_none() && !menus.loaded {
            loading = menus.load(project, &plan, &accounts, plan.port, &logs);
        }
        // In a kept installation the rest is of use without the menus, and the next start goes on with them.
        let without_menus = match loading {
            Err(reason) if plan.durability == Durability::Durable && reason != process::STOPPED => {
                Some(reason)
            }
            Err(reason) if reason != process::STOPPED => {
                return Err(format!("{reason}The end of the service's log:\n{}", server.log_tail()));
            }
            other => other.map(|()| None)?,
        };
        let mail_url = format!("http://127.0.0.1:{mail}");
        let provider_url = format!("http://127.0.0.1:{oidc}");
        Ok(Self {
            server,
            sandbox,
            postgres,
            url,
            accounts,
            mail_url,
            provider_url,
            without_menus,
            settings,
            binary,
        })
    }

    /// One more instance of the service on the same database.
    pub fn second_instance(&self, port: u16, metrics: u16, log: &Path) -> Result<Service> {
        let mut command = process::command(&self.binary);
        // Its own address: a browser says where its page came from, and the service compares.
        command
            .arg("serve")
            .envs(self.settings.iter().cloned())
            .env("PULT_PUBLIC_URL", format!("http://localhost:{port}"));
        serve(command, port, None, false, metrics, log)
    }

    /// The code of an authenticator app at this moment.
    pub fn code(&self, secret: &str) -> Result<String> {
        current_code(&self.binary, secret)
    }

    /// `Some` with the reason when one of them has stopped.
    pub fn ended(&mut self) -> Option<String> {
        let postgres = self.postgres.as_mut().and_then(|postgres| postgres.service.ended());
        self.server.ended().or_else(|| self.sandbox.ended()).or(postgres)
    }

    /// Stops them in order, saying so.
    pub fn stop(mut self) {
        for (name, service) in [
            ("Service", Some(&mut self.server)),
            ("Sandbox", Some(&mut self.sandbox)),
            ("Postgres", self.postgres.as_mut().map(|postgres| &mut postgres.service)),
        ] {
            if let Some(service) = service {
                let step = Step::begin(name, "its end");
                service.stop();
                step.done("stopped");
            }
        }
    }
}

/// What the processes find in their environment.
#[derive(Default)]
struct Settings(Vec<(String, String)>);

impl Settings {
    fn set(&mut self, name: &str, value: String) {
        self.0.push((name.to_owned(), value));
    }

    /// Where the stand-ins of the sandbox answer, unless the caller's environment says something else.
    fn of_stand_ins(&mut self, secrets: &Path, ports: [u16; 8]) -> Result<()> {
        let [s3, smtp, mail, geocoder, push, teya, simplepay, barion] = ports;
        if env::var_os("PULT_S3_ENDPOINT").is_none() {
            self.set("PULT_S3_ENDPOINT", format!("http://127.0.0.1:{s3}"));
            self.set("PULT_S3_BUCKET", "pult".into());
            self.set("PULT_S3_REGION", "us-east-1".into());
            self.set("PULT_S3_ACCESS_KEY", "pult".into());
            self.set(
                "PULT_S3_SECRET_KEY",
                project::secret(&secrets.join("s3-key"), || project::random_hex(16))?,
            );
        }
        if env::var_os("PULT_SMTP_URL").is_none() {
            self.set("PULT_SMTP_URL", format!("smtp://127.0.0.1:{smtp}"));
            self.set("PULT_STAND_IN_SMTP_URL", format!("smtp://127.0.0.1:{smtp}"));
        }
        if env::var_os("PULT_MAIL_FROM").is_none() {
            self.set("PULT_MAIL_FROM", "Pult <pult@localhost>".into());
        }
        // A new partner is live unless one says otherwise, and its guide searches an address too.
        for name in ["PULT_GEOCODER_URL", "PULT_GEOCODER_GUESTS", "PULT_STAND_IN_GEOCODER_URL"] {
            if env::var_os(name).is_none() {
                self.set(name, format!("http://127.0.0.1:{geocoder}"));
            }
        }
        for (name, port) in [
            ("PULT_STAND_IN_TEYA_URL", teya),
            ("PULT_STAND_IN_PUSH_URL", push),
            ("PULT_STAND_IN_SIMPLEPAY_URL", simplepay),
            ("PULT_STAND_IN_BARION_URL", barion),
        ] {
            if env::var_os(name).is_none() {
                self.set(name, format!("http://127.0.0.1:{port}"));
            }
        }
        let builders = [
            ("PULT_BUILDER_PARTNER_URL", "partner"),
            ("PULT_BUILDER_FRONT_SITE_URL", "site"),
            ("PULT_BUILDER_APP_URL", "app"),
            ("PULT_BUILDER_IFRAME_URL", "iframe"),
            ("PULT_BUILDER_RESTAURANT_SELECTOR_URL", "selector"),
        ];
        for (name, page) in builders.into_iter().filter(|(name, _)| env::var_os(name).is_none()) {
            self.set(name, format!("http://127.0.0.1:{mail}/builder/{page}"));
        }
        if env::var_os("PULT_HELP_EMAIL").is_none() {
            self.set("PULT_HELP_EMAIL", "help@example.com".into());
            self.set("PULT_HELP_PHONE", "+36 1 555 0100".into());
            self.set("PULT_HELP_KNOWLEDGE_URL", "https://example.com/help".into());
        }
        Ok(())
    }

    fn of_service(&mut self, plan: &Plan, secrets: &Path, metrics: u16, url: &str) -> Result<()> {
        if env::var_os("PULT_SECRET_KEY").is_none() {
            // 64 hexadecimal digits are valid base64 too: of 48 bytes with 256 random bits in them.
            self.set(
                "PULT_SECRET_KEY",
                project::secret(&secrets.join("secret-key"), || project::random_hex(32))?,
            );
        }
        self.set("PULT_DEV", "1".into());
        // The demo is loaded, and tests work, with few sessions.
        if env::var_os("PULT_CALLS_PER_SESSION").is_none() {
            self.set("PULT_CALLS_PER_SESSION", "10000".into());
        }
        self.set("PULT_METRICS_LISTEN", format!("127.0.0.1:{metrics}"));
        if plan.lan {
            self.set("PULT_DEV_LAN", "1".into());
        }
        if env::var_os("PULT_PUBLIC_URL").is_none() {
            self.set("PULT_PUBLIC_URL", url.to_owned());
        }
        Ok(())
    }
}

/// The database, unless the caller's environment names one.
fn database(
    project: &Project, node: &Node, plan: &Plan, app_password: &str, logs: &Path, settings: &mut Settings,
) -> Result<Option<Postgres>> {
    if let Ok(url) = env::var("PULT_DATABASE_URL") {
        if env::var_os("PULT_DATABASE_OWNER_URL").is_none() {
            return Err("PULT_DATABASE_URL is set, so PULT_DATABASE_OWNER_URL must be too (a role that \
                may create roles and databases)."
                .into());
        }
        if env::var_os("PULT_DATABASE_LISTEN_URL").is_none() {
            settings.set("PULT_DATABASE_LISTEN_URL", url);
        }
        Ok(None)
    } else {
        let postgres = Postgres::start(
            project,
            &|| Ok(node.npm()),
            &plan.data.join("postgres"),
            &logs.join("postgres.log"),
            plan.durability,
        )?;
        settings.set("PULT_DATABASE_URL", postgres.app_url("pult", app_password));
        settings.set("PULT_DATABASE_LISTEN_URL", postgres.app_url("pult", app_password));
        settings.set("PULT_DATABASE_OWNER_URL", postgres.owner_url("pult"));
        Ok(Some(postgres))
    }
}

impl Plan {
    /// The address under which browsers find the service.
    fn url(&self) -> String {
        let scheme = if self.certificate.is_some() { "https" } else { "http" };
        match sys::lan_address() {
            Some(address) if self.lan => format!("{scheme}://{address}:{}", self.port),
            _ => format!("{scheme}://localhost:{}", self.port),
        }
    }
}

fn start_sandbox(
    project: &Project, plan: &Plan, settings: &[(String, String)], ports: [u16; 9], logs: &Path,
) -> Result<Service> {
    let mut step = Step::begin(
        "Sandbox",
        "S3, mail, a sign-in provider, a geocoder, push, card terminals, online payment",
    );
    let [s3, smtp, mail, oidc, geocoder, push, teya, simplepay, barion] = ports;
    let mut command = process::command(project.binary("sandbox", plan.release));
    command.arg("serve").arg("--data").arg(&plan.data).envs(settings.iter().cloned());
    command.args([
        "--s3-port",
        &s3.to_string(),
        "--smtp-port",
        &smtp.to_string(),
        "--mail-http-port",
        &mail.to_string(),
    ]);
    command.args(["--teya-port", &teya.to_string()]);
    command.args(["--simplepay-port", &simplepay.to_string(), "--barion-port", &barion.to_string()]);
    command.args([
        "--oidc-port",
        &oidc.to_string(),
        "--geocoder-port",
        &geocoder.to_string(),
        "--push-port",
        &push.to_string(),
    ]);
    let shutdown =
        Shutdown { signal: Signal::TERM, patience: Duration::from_secs(3), when_orphaned: Signal::KILL };
    let mut sandbox = Service::start("The sandbox", &mut command, &logs.join("sandbox.log"), shutdown)?;
    let open = |port: u16| TcpStream::connect(("127.0.0.1", port)).is_ok();
    sandbox.wait_until(&mut step, Duration::from_secs(20), || ports.into_iter().all(open))?;
    step.done(&format!("S3 on 127.0.0.1:{s3}, SMTP on 127.0.0.1:{smtp}"));
    Ok(sandbox)
}

pub fn host(lan: bool) -> &'static str {
    if lan { "0.0.0.0" } else { "127.0.0.1" }
}

fn serve(
    mut command: Command, port: u16, certificate: Option<&Certificate>, lan: bool, metrics: u16, log: &Path,
) -> Result<Service> {
    let mut step = Step::begin("Service", &format!("pult serve on port {port}"));
    let host = host(lan);
    command
        .env("PULT_LISTEN", format!("{host}:{port}"))
        .env("PULT_METRICS_LISTEN", format!("127.0.0.1:{metrics}"));
    if let Some(certificate) = certificate {
        command.env("PULT_TLS_CERT", &certificate.chain).env("PULT_TLS_KEY", &certificate.key);
    }
    let shutdown =
        Shutdown { signal: Signal::TERM, patience: Duration::from_secs(10), when_orphaned: Signal::KILL };
    let mut server = Service::start("The service", &mut command, log, shutdown)?;
    // Over HTTPS we cannot ask the public port; the one for metrics says the same.
    let (port_to_ask, path) = if certificate.is_some() { (metrics, "/readyz") } else { (port, "/api/rest") };
    server.wait_until(&mut step, Duration::from_secs(60), || http_ok(port_to_ask, path))?;
    step.done(&format!("answers on port {port}"));
    Ok(server)
}

/// Whether a GET of this path on the loopback address is answered with 200.
fn http_ok(port: u16, path: &str) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n")?;
        let mut answer = [0; 12];
        stream.read_exact(&mut answer)?;
        Ok(answer.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}

/// The code that belongs to a secret at this moment, from the service's binary.
pub fn current_code(binary: &Path, secret: &str) -> Result<String> {
    let output = Command::new(binary).args(["second-factor-code", secret]).output();
    let output = output.map_err(|error| {
        format!("{} cannot be run: {error}. `cargo xtask up` builds it.", binary.display())
    })?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The accounts that `pult demo` has printed.
pub fn read_accounts(list: &Path) -> Result<Vec<Account>> {
    let text =
        fs::read_to_string(list).map_err(|error| format!("{} cannot be read: {error}.", list.display()))?;
    Ok(text
        .lines()
        .filter_map(|line| {
            let mut parts = line.split('\t').map(str::to_owned);
            Some(Account {
                role: parts.next()?,
                email: parts.next()?,
                password: parts.next()?,
                second_factor: parts.next(),
            })
        })
        .collect())
}

/// The demo menus, which go through the product's own API like anybody's.
struct Menus {
    files: PathBuf,
    loaded: bool,
    fingerprint: String,
    /// Where the stand-in of SimplePay learns the address of its messages.
    simplepay: u16,
}

impl Menus {
    fn look(project: &Project, data: &Path, simplepay: u16) -> Result<Self> {
        let files = project.root.join("integrations/sandbox/demo");
        let mut list: Vec<PathBuf> =
            fs::read_dir(&files).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        list.sort();
        let fingerprint =
            format!("{} {}", node::hash_files(&list)?, env::var("PULT_DATABASE_URL").unwrap_or_default());
        let loaded = fs::read_to_string(data.join("demo-loaded")).is_ok_and(|text| text == fingerprint);
        Ok(Self { files, loaded, fingerprint, simplepay })
    }

    fn load(
        &self, project: &Project, plan: &Plan, accounts: &[Account], port: u16, logs: &Path,
    ) -> Result<()> {
        let mut step = Step::begin("Demo menus", "sandbox demo");
        let account = accounts.iter().find(|account| account.role.contains("partner")).or(accounts.first());
        let account = account.ok_or("`pult demo` printed no account to load the demo menus with.")?;
        let mut command = process::command(project.binary("sandbox", plan.release));
        command.args([
            "demo",
            "--url",
            &format!("http://127.0.0.1:{port}"),
            "--email",
            &account.email,
            "--password",
            &account.password,
        ]);
        command.arg("--data").arg(&self.files);
        command.args(["--simplepay", &format!("http://127.0.0.1:{}", self.simplepay)]);
        let unfinished = plan.data.join("demo-unfinished");
        if unfinished.exists() {
            command.arg("--resume");
        }
        let write = |path: &Path, text: &str| {
            fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}.", path.display()))
        };
        write(&unfinished, "")?;
        process::run(&mut command, &Output::Log(&logs.join("demo-menus.log")), &mut step)?;
        let _ = fs::remove_file(&unfinished);
        write(&plan.data.join("demo-loaded"), &self.fingerprint)?;
        step.done("loaded through the API");
        Ok(())
    }
}
