//! The settings of the service: one table, read from the environment, refused at the start with the setting's name.

use std::{env, net::SocketAddr, path::PathBuf};

use base64::{Engine, engine::general_purpose::STANDARD};
use url::Url;

/// Everything that can be set. README.md shows the same table.
#[derive(Debug, Clone)]
pub struct Config {
    /// `PULT_DEV`: development; plain http is accepted, the demo partner is open to super admins.
    pub development: bool,
    /// `PULT_DATABASE_URL`: the login role without rights.
    pub database_url: Url,
    /// `PULT_DATABASE_OWNER_URL`: may create roles and become `pult_owner`; without it provisioning is off.
    pub database_owner_url: Option<Url>,
    /// `PULT_DATABASE_LISTEN_URL`: direct, past a pooler; `PULT_DATABASE_URL` when absent.
    pub database_listen_url: Url,
    /// `PULT_DATABASE_POOL`: the most connections of this instance.
    pub database_pool: u32,
    /// `PULT_LISTEN`: address and port of the service.
    pub listen: SocketAddr,
    /// `PULT_METRICS_LISTEN`: address and port of the probes.
    pub metrics_listen: SocketAddr,
    /// `PULT_PUBLIC_URL`: how browsers reach the service.
    pub public_url: Url,
    /// `PULT_TRUSTED_PROXIES`: hops whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<std::net::IpAddr>,
    /// `PULT_SECRET_KEY`: at least 32 random bytes.
    pub secret: Vec<u8>,
    /// `PULT_SMTP_URL` and `PULT_MAIL_FROM`.
    pub smtp: (String, String),
    /// `PULT_S3_ENDPOINT`, `PULT_S3_BUCKET`, `PULT_S3_REGION`, `PULT_S3_ACCESS_KEY`, `PULT_S3_SECRET_KEY`.
    pub s3: S3,
    /// `PULT_TLS_CERT` and `PULT_TLS_KEY`: PEM files, when the service ends TLS itself.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// `PULT_INSTALLATION`: short name in the names of schemas and roles; fixed with the first migration.
    pub installation: String,
}

/// The object store.
#[derive(Debug, Clone)]
pub struct S3 {
    /// Address of the server.
    pub endpoint: Url,
    /// Bucket that holds everything.
    pub bucket: String,
    /// Region.
    pub region: String,
    /// Key id.
    pub access_key: String,
    /// Secret.
    pub secret_key: String,
}

/// A setting that is missing or wrong, named.
#[derive(Debug, PartialEq, Eq)]
pub struct Faulty(pub String);

impl std::fmt::Display for Faulty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for Faulty {}

fn get(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}

fn need(name: &str, what: &str) -> Result<String, Faulty> {
    get(name).ok_or_else(|| Faulty(format!("{name} is not set: {what}")))
}

fn parsed<T: std::str::FromStr>(name: &str, value: &str, what: &str) -> Result<T, Faulty> {
    value.parse().map_err(|_| Faulty(format!("{name} is not {what}")))
}

fn or<T: std::str::FromStr>(name: &str, default: &str, what: &str) -> Result<T, Faulty> {
    parsed(name, &get(name).unwrap_or_else(|| default.to_owned()), what)
}

fn address(name: &str, value: &str, schemes: &[&str]) -> Result<Url, Faulty> {
    let url: Url = parsed(name, value, "an address")?;
    if schemes.contains(&url.scheme()) { Ok(url) } else { Err(Faulty(format!("{name} must begin with {}://", schemes.join(":// or ")))) }
}

/// The owner's database address alone, for commands that need nothing else.
///
/// # Errors
/// Names the setting.
pub fn owner_url() -> Result<Url, Faulty> {
    let value = need("PULT_DATABASE_OWNER_URL", "the address of the database with a role that may create roles")?;
    address("PULT_DATABASE_OWNER_URL", &value, &["postgres", "postgresql"])
}

/// The login role's database address alone.
///
/// # Errors
/// Names the setting.
pub fn database_url() -> Result<Url, Faulty> {
    let value = need("PULT_DATABASE_URL", "the address of the database with the login role pult_app")?;
    address("PULT_DATABASE_URL", &value, &["postgres", "postgresql"])
}

/// `PULT_INSTALLATION`.
///
/// # Errors
/// Names the setting.
pub fn installation() -> Result<String, Faulty> {
    let name = get("PULT_INSTALLATION").unwrap_or_else(|| "main".to_owned());
    let sound = (1..=16).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if sound { Ok(name) } else { Err(Faulty("PULT_INSTALLATION must have 1 to 16 small letters and digits".to_owned())) }
}

impl Config {
    /// Reads the environment.
    ///
    /// # Errors
    /// The first setting that is missing or wrong, by name.
    pub fn read() -> Result<Self, Faulty> {
        let development = get("PULT_DEV").is_some_and(|value| value != "0");
        let database_url = database_url()?;
        let public_url =
            address("PULT_PUBLIC_URL", &need("PULT_PUBLIC_URL", "the address under which browsers reach the service")?, &["https", "http"])?;
        if public_url.scheme() == "http" && !development {
            return Err(Faulty("PULT_PUBLIC_URL must begin with https:// (plain http is for development, PULT_DEV=1)".to_owned()));
        }
        let secret = need("PULT_SECRET_KEY", "at least 32 random bytes in base64")?;
        let secret = STANDARD.decode(secret.trim()).ok().filter(|secret| secret.len() >= 32);
        let secret = secret.ok_or_else(|| Faulty("PULT_SECRET_KEY is not at least 32 bytes in base64".to_owned()))?;
        let proxies = get("PULT_TRUSTED_PROXIES").unwrap_or_default();
        let trusted_proxies = proxies
            .split(',')
            .map(str::trim)
            .filter(|hop| !hop.is_empty())
            .map(|hop| parsed("PULT_TRUSTED_PROXIES", hop, "a list of IP addresses"))
            .collect::<Result<_, _>>()?;
        let tls = match (get("PULT_TLS_CERT"), get("PULT_TLS_KEY")) {
            (Some(cert), Some(key)) => Some((cert.into(), key.into())),
            (None, None) => None,
            _ => return Err(Faulty("PULT_TLS_CERT and PULT_TLS_KEY belong together".to_owned())),
        };
        let smtp_url = need("PULT_SMTP_URL", "the address of the mail server")?;
        address("PULT_SMTP_URL", &smtp_url, &["smtp", "smtps"])?;
        Ok(Self {
            development,
            database_owner_url: get("PULT_DATABASE_OWNER_URL").map(|_| owner_url()).transpose()?,
            database_listen_url: match get("PULT_DATABASE_LISTEN_URL") {
                Some(value) => address("PULT_DATABASE_LISTEN_URL", &value, &["postgres", "postgresql"])?,
                None => database_url.clone(),
            },
            database_url,
            database_pool: or("PULT_DATABASE_POOL", "16", "a number")?,
            listen: or("PULT_LISTEN", "127.0.0.1:8080", "an address with a port")?,
            metrics_listen: or("PULT_METRICS_LISTEN", "127.0.0.1:9090", "an address with a port")?,
            public_url,
            trusted_proxies,
            secret,
            smtp: (smtp_url, need("PULT_MAIL_FROM", "the sender of the service's mail")?),
            s3: S3 {
                endpoint: address("PULT_S3_ENDPOINT", &need("PULT_S3_ENDPOINT", "the address of the object store")?, &["https", "http"])?,
                bucket: need("PULT_S3_BUCKET", "the bucket of the object store")?,
                region: get("PULT_S3_REGION").unwrap_or_else(|| "us-east-1".to_owned()),
                access_key: need("PULT_S3_ACCESS_KEY", "the key id of the object store")?,
                secret_key: need("PULT_S3_SECRET_KEY", "the secret of the object store")?,
            },
            tls,
            installation: installation()?,
        })
    }
}
