//! The settings of the service: one table, read from the environment. A wrong setting is refused at the
//! start, by name.

mod operating;

use std::{env, net::SocketAddr, num::NonZeroU32, path::PathBuf, time::Duration};

use access::{BuilderKind, Secrets};
use contract::{HelpContacts, Secret};
use ipnet::IpNet;
use tenants::DoorSettings;
use url::Url;

pub use operating::{CHART, VERSION, chart, trace_endpoint, trace_ratio};

/// Everything that can be set. README.md shows the same table.
#[derive(Debug, Clone)]
pub struct Config {
    /// `PULT_DEV`: development; plain http is accepted, the demo partner is open to super admins. It listens
    /// on this machine alone unless `PULT_DEV_LAN` is set; then sign-in providers on this machine are
    /// refused.
    pub development: bool,
    /// `PULT_DATABASE_URL`: the login role without rights.
    pub database_url: Url,
    /// `PULT_DATABASE_OWNER_URL`: may create roles and become `pult_owner`; without it provisioning is off.
    pub database_owner_url: Option<Url>,
    /// `PULT_DATABASE_REPLICA_URL`: a standby that exports are read from.
    pub database_replica_url: Option<Url>,
    /// `PULT_DATABASE_SERVERS`: `name=address`, with spaces between: servers beside the home server that partners may
    /// be on, with the login role.
    pub database_servers: Vec<(String, Url)>,
    /// `PULT_DATABASE_SERVERS_LISTEN`: the same, direct, past a pooler; `PULT_DATABASE_SERVERS` when absent.
    pub database_servers_listen: Vec<(String, Url)>,
    /// `PULT_DATABASE_SERVERS_OWNER`: the same, with the role of `PULT_DATABASE_OWNER_URL`.
    pub database_servers_owner: Vec<(String, Url)>,
    /// `PULT_DATABASE_LISTEN_URL`: direct, past a pooler; `PULT_DATABASE_URL` when absent.
    pub database_listen_url: Url,
    /// `PULT_DATABASE_POOL`: the most connections of this instance.
    pub database_pool: u32,
    /// `PULT_DATABASE_LIFETIME`: seconds after which a connection is replaced.
    pub database_lifetime: Duration,
    /// `PULT_LISTEN`: address and port of the service.
    pub listen: SocketAddr,
    /// `PULT_METRICS_LISTEN`: address and port of the probes.
    pub metrics_listen: SocketAddr,
    /// `PULT_CONNECTIONS` and `PULT_CONNECTIONS_PER_ADDRESS`: the most connections at the same time, in all
    /// and from one address, those of trusted proxies excepted.
    pub connections: usize,
    pub connections_per_address: usize,
    /// `PULT_PUBLIC_URL`: how browsers reach the service.
    pub public_url: Url,
    /// `PULT_TRUSTED_PROXIES`: addresses and networks whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// `PULT_CALLS_PER_SESSION`: so many calls a second one session may make here.
    pub calls_per_session: NonZeroU32,
    /// `PULT_SECRET_KEY`: at least 32 random bytes each, the newest first.
    pub secrets: Secrets,
    /// `PULT_SMTP_URL` and `PULT_MAIL_FROM`.
    pub smtp: (String, String),
    /// `PULT_STAND_IN_SMTP_URL`: who takes the mail of partners that are not live, but for what goes to their
    /// own people; without it nobody gets it.
    pub stand_in_smtp: Option<String>,
    /// `PULT_S3_ENDPOINT`, `PULT_S3_BUCKET`, `PULT_S3_REGION`, `PULT_S3_ACCESS_KEY`, `PULT_S3_SECRET_KEY`,
    /// and `PULT_S3_PUBLIC_URL`, where browsers read what is public: the bucket at the endpoint when absent.
    pub s3: object_storage::Settings,
    /// `PULT_BUILDER_PARTNER_URL`, `…_FRONT_SITE_…`, `…_APP_…`, `…_IFRAME_…`, `…_RESTAURANT_SELECTOR_…`:
    /// external builders.
    pub builders: Vec<(BuilderKind, Url)>,
    /// `PULT_JOBS`: `off` leaves background work to `pult work`.
    pub jobs: bool,
    /// `PULT_TLS_CERT` and `PULT_TLS_KEY`: PEM files, when the service ends TLS itself.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// `PULT_SERVICE_WORKER`: `off` takes the service worker away from browsers that have it.
    pub service_worker: bool,
    /// `PULT_FILES_DIR`: where exports, archives to be restored and the files of earlier releases of the
    /// interface lie, shared by all instances; a folder for temporary files when absent.
    pub files: PathBuf,
    /// `PULT_GEOCODER_URL`: a server that speaks as Nominatim does; without it addresses are not searched.
    pub geocoder: Option<Url>,
    /// `PULT_GEOCODER_GUESTS`: the operator's own server of this kind, which guests' addresses may be given to;
    /// without it they go nowhere.
    pub guest_geocoder: Option<Url>,
    /// `PULT_STAND_IN_GEOCODER_URL`: the stand-in of both for partners that are not live.
    pub stand_in_geocoder: Option<Url>,
    /// `PULT_MAP_TILES_URL`: template of the map's pictures (`https://…/{z}/{x}/{y}.png`); maps are blank
    /// without it.
    pub map_tiles: Option<String>,
    /// `PULT_FCM_KEY_FILE`: key file of the service account that sends push notifications; without it none
    /// are sent.
    pub fcm_key: Option<Secret>,
    /// `PULT_STAND_IN_PUSH_URL`: who takes those of partners that are not live.
    pub stand_in_push: Option<Url>,
    /// `PULT_TEYA_CLIENT_ID`, `PULT_TEYA_CLIENT_SECRET`, `PULT_TEYA_API_URL`, `PULT_TEYA_IDENTITY_URL`: who
    /// we are at Teya, and where it is when not in its live environment; without them no live partner
    /// connects card terminals.
    pub teya: Option<teya::Settings>,
    /// `PULT_STAND_IN_TEYA_URL`: who stands in for Teya for partners that are not live.
    pub stand_in_teya: Option<teya::Settings>,
    /// `PULT_STAND_IN_SIMPLEPAY_URL`, `PULT_STAND_IN_BARION_URL`: who takes the payments of partners that are not live.
    pub stand_in_simplepay: Option<Url>,
    pub stand_in_barion: Option<Url>,
    /// `PULT_HELP_EMAIL`, `PULT_HELP_PHONE`, `PULT_HELP_KNOWLEDGE_URL`: the cards of the help page.
    pub help: HelpContacts,
    /// `PULT_ZENDESK_SUBDOMAIN`, `PULT_ZENDESK_SSO_KEY`, `PULT_ZENDESK_CHAT_KEY_ID`, `PULT_ZENDESK_CHAT_KEY`:
    /// the live chat.
    pub zendesk: Option<zendesk::Settings>,
    /// `PULT_INSTALLATION`: short name in the names of schemas and roles; fixed with the first migration.
    pub installation: String,
}

/// A setting that is missing or wrong, named.
#[derive(Debug, PartialEq, Eq)]
pub struct ConfigError(pub String);

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for ConfigError {}

fn get(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}

fn need(name: &str, what: &str) -> Result<String, ConfigError> {
    get(name).ok_or_else(|| ConfigError(format!("{name} is not set: {what}")))
}

fn parsed<T: std::str::FromStr>(name: &str, value: &str, what: &str) -> Result<T, ConfigError> {
    value.parse().map_err(|_| ConfigError(format!("{name} is not {what}")))
}

fn or<T: std::str::FromStr>(name: &str, default: &str, what: &str) -> Result<T, ConfigError> {
    parsed(name, &get(name).unwrap_or_else(|| default.to_owned()), what)
}

fn address(name: &str, value: &str, schemes: &[&str]) -> Result<Url, ConfigError> {
    let url: Url = parsed(name, value, "an address")?;
    if schemes.contains(&url.scheme()) {
        Ok(url)
    } else {
        Err(ConfigError(format!("{name} must begin with {}://", schemes.join(":// or "))))
    }
}

fn optional_address(name: &str) -> Result<Option<Url>, ConfigError> {
    get(name).map(|value| address(name, &value, &["https", "http"])).transpose()
}

/// A switch that is on unless it is set to `off`.
fn on(name: &str) -> Result<bool, ConfigError> {
    match get(name).as_deref() {
        None | Some("on") => Ok(true),
        Some("off") => Ok(false),
        Some(_) => Err(ConfigError(format!("{name} must be on or off"))),
    }
}

fn database_servers(name: &str) -> Result<Vec<(String, Url)>, ConfigError> {
    let mut servers: Vec<(String, Url)> = Vec::new();
    for part in get(name).unwrap_or_default().split_whitespace() {
        let wrong = || ConfigError(format!("{name} is not a list of name=address"));
        let (server, url) = part.split_once('=').ok_or_else(wrong)?;
        let named = server.starts_with(|c: char| c.is_ascii_lowercase())
            && server.len() <= 32
            && server.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if !named || server == tenants::HOME {
            return Err(ConfigError(format!(
                "{name}: the name of a server has small letters, digits and hyphens, begins with a letter, and \
                 is not {}",
                tenants::HOME
            )));
        }
        if servers.iter().any(|(known, _)| known == server) {
            return Err(ConfigError(format!("{name} has {server} twice")));
        }
        let url = address(name, url, &["postgres", "postgresql"])?;
        // What follows would be the name of a database, and stand in the log with its password.
        if url.path().contains(',') {
            return Err(ConfigError(format!("{name}: spaces stand between servers, not commas")));
        }
        servers.push((server.to_owned(), url));
    }
    Ok(servers)
}

/// Servers of two settings: those of `name` must be among the others.
fn servers_of(name: &str, known: &[(String, Url)]) -> Result<Vec<(String, Url)>, ConfigError> {
    let servers = database_servers(name)?;
    match servers.iter().find(|(server, _)| known.iter().all(|(other, _)| other != server)) {
        Some((server, _)) => {
            Err(ConfigError(format!("{name} has {server}, which PULT_DATABASE_SERVERS has not")))
        }
        None => Ok(servers),
    }
}

/// The owner's addresses of the servers beside the home server, for commands that need nothing else.
pub fn servers_owner() -> Result<Vec<(String, Url)>, ConfigError> {
    servers_of("PULT_DATABASE_SERVERS_OWNER", &database_servers("PULT_DATABASE_SERVERS")?)
}

/// The service's addresses of the servers beside the home server, for commands that need nothing else.
pub fn servers() -> Result<Vec<(String, Url)>, ConfigError> {
    database_servers("PULT_DATABASE_SERVERS")
}

/// The owner's database address alone, for commands that need nothing else.
pub fn owner_url() -> Result<Url, ConfigError> {
    let value =
        need("PULT_DATABASE_OWNER_URL", "the address of the database with a role that may create roles")?;
    address("PULT_DATABASE_OWNER_URL", &value, &["postgres", "postgresql"])
}

/// The login role's database address alone.
pub fn database_url() -> Result<Url, ConfigError> {
    let value = need("PULT_DATABASE_URL", "the address of the database with the login role pult_app")?;
    address("PULT_DATABASE_URL", &value, &["postgres", "postgresql"])
}

/// The password in the address of a database, as Postgres knows it.
pub fn database_password(url: &Url) -> Result<String, ConfigError> {
    let encoded = url.password().unwrap_or_default();
    let password = percent_encoding::percent_decode_str(encoded).decode_utf8();
    password
        .map(Into::into)
        .map_err(|_| ConfigError("PULT_DATABASE_URL: its password is not UTF-8".to_owned()))
}

/// `PULT_SECRET_KEY` alone.
pub fn secrets() -> Result<Secrets, ConfigError> {
    let secret = need("PULT_SECRET_KEY", "at least 32 random bytes in base64")?;
    Secrets::parse(&secret).ok_or_else(|| {
        ConfigError(
            "PULT_SECRET_KEY is not at least 32 bytes in base64 (several: the newest first, commas between)"
                .to_owned(),
        )
    })
}

/// `PULT_INSTALLATION`.
pub fn installation() -> Result<String, ConfigError> {
    let name = get("PULT_INSTALLATION").unwrap_or_else(|| "main".to_owned());
    let sound = (1..=16).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if sound {
        Ok(name)
    } else {
        Err(ConfigError("PULT_INSTALLATION must have 1 to 16 small letters and digits".to_owned()))
    }
}

/// `PULT_DEV`: development.
#[must_use]
pub fn development() -> bool {
    get("PULT_DEV").is_some_and(|value| value != "0")
}

/// The object store alone.
pub fn object_store() -> Result<object_storage::Settings, ConfigError> {
    let endpoint = address(
        "PULT_S3_ENDPOINT",
        &need("PULT_S3_ENDPOINT", "the address of the object store")?,
        &["https", "http"],
    )?;
    let bucket = need("PULT_S3_BUCKET", "the bucket of the object store")?;
    let public = get("PULT_S3_PUBLIC_URL")
        .unwrap_or_else(|| format!("{}/{bucket}", endpoint.as_str().trim_end_matches('/')));
    Ok(object_storage::Settings {
        endpoint,
        bucket,
        region: get("PULT_S3_REGION").unwrap_or_else(|| "us-east-1".to_owned()),
        access_key: need("PULT_S3_ACCESS_KEY", "the key id of the object store")?,
        secret_key: need("PULT_S3_SECRET_KEY", "the secret of the object store")?,
        public_url: address("PULT_S3_PUBLIC_URL", &public, &["https", "http"])?,
    })
}

fn fcm_key() -> Result<Option<Secret>, ConfigError> {
    let Some(file) = get("PULT_FCM_KEY_FILE") else { return Ok(None) };
    let key = std::fs::read_to_string(file)
        .map_err(|error| ConfigError(format!("PULT_FCM_KEY_FILE cannot be read: {error}")))?;
    fcm::Fcm::new(&key).map_err(|reason| ConfigError(format!("PULT_FCM_KEY_FILE: {reason}")))?;
    Ok(Some(Secret::new(key)))
}

fn live_teya() -> Result<Option<teya::Settings>, ConfigError> {
    let place =
        |name: &str, usual: &str| address(name, &get(name).unwrap_or_else(|| usual.to_owned()), &["https"]);
    match (get("PULT_TEYA_CLIENT_ID"), get("PULT_TEYA_CLIENT_SECRET")) {
        (None, None) => Ok(None),
        (Some(client_id), Some(client_secret)) => Ok(Some(teya::Settings {
            api: place("PULT_TEYA_API_URL", "https://api.teya.com")?,
            identity: place("PULT_TEYA_IDENTITY_URL", "https://id.teya.com")?,
            client_id,
            client_secret: Secret::new(client_secret),
        })),
        _ => Err(ConfigError("PULT_TEYA_CLIENT_ID and PULT_TEYA_CLIENT_SECRET belong together".to_owned())),
    }
}

/// The stand-in is one address, and knows everybody by the same secret.
fn stand_in_teya(at: Url) -> teya::Settings {
    teya::Settings {
        api: at.clone(),
        identity: at,
        client_id: "pult".to_owned(),
        client_secret: Secret::new("stand-in"),
    }
}

fn zendesk() -> Result<Option<zendesk::Settings>, ConfigError> {
    let names = [
        "PULT_ZENDESK_SUBDOMAIN",
        "PULT_ZENDESK_SSO_KEY",
        "PULT_ZENDESK_CHAT_KEY_ID",
        "PULT_ZENDESK_CHAT_KEY",
    ];
    match names.map(get) {
        [None, None, None, None] => Ok(None),
        [Some(subdomain), Some(sso_key), Some(chat_key_id), Some(chat_key)] => {
            // It becomes part of an address to which tokens are sent.
            if !subdomain.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
                return Err(ConfigError(
                    "PULT_ZENDESK_SUBDOMAIN is not the name before .zendesk.com".to_owned(),
                ));
            }
            let (sso_key, chat_key) = (Secret::new(sso_key), Secret::new(chat_key));
            Ok(Some(zendesk::Settings { subdomain, sso_key, chat_key_id, chat_key }))
        }
        _ => Err(ConfigError(format!("{} belong together", names.join(", ")))),
    }
}

fn builders() -> Result<Vec<(BuilderKind, Url)>, ConfigError> {
    let known = [
        (BuilderKind::Partner, "PULT_BUILDER_PARTNER_URL"),
        (BuilderKind::FrontSite, "PULT_BUILDER_FRONT_SITE_URL"),
        (BuilderKind::App, "PULT_BUILDER_APP_URL"),
        (BuilderKind::Iframe, "PULT_BUILDER_IFRAME_URL"),
        (BuilderKind::RestaurantSelector, "PULT_BUILDER_RESTAURANT_SELECTOR_URL"),
    ];
    known
        .into_iter()
        .filter_map(|(kind, name)| {
            Some(address(name, &get(name)?, &["https", "http"]).map(|url| (kind, url)))
        })
        .collect()
}

/// Under which address browsers reach the service.
fn public_url(development: bool) -> Result<Url, ConfigError> {
    let text = need("PULT_PUBLIC_URL", "the address under which browsers reach the service")?;
    let url = address("PULT_PUBLIC_URL", &text, &["https", "http"])?;
    if url.scheme() == "http" && !development {
        return Err(ConfigError(
            "PULT_PUBLIC_URL must begin with https:// (plain http is for development, PULT_DEV=1)".to_owned(),
        ));
    }
    Ok(url)
}

/// Where the service listens; in development on this machine alone, unless the network is let in.
fn listen(development: bool) -> Result<SocketAddr, ConfigError> {
    let listen: SocketAddr = or("PULT_LISTEN", "127.0.0.1:8080", "an address with a port")?;
    if development && !listen.ip().is_loopback() && get("PULT_DEV_LAN").is_none_or(|value| value == "0") {
        let reason = "PULT_LISTEN is open to the network, and development (PULT_DEV) is for this machine \
            alone unless PULT_DEV_LAN=1";
        return Err(ConfigError(reason.to_owned()));
    }
    Ok(listen)
}

/// An address or a network; all addresses together are none.
fn proxy(text: &str) -> Option<IpNet> {
    if text.contains('/') {
        return text.parse::<IpNet>().ok().filter(|network| network.prefix_len() > 0);
    }
    text.parse::<std::net::IpAddr>().ok().map(|address| address.to_canonical().into())
}

fn trusted_proxies() -> Result<Vec<IpNet>, ConfigError> {
    let proxies = get("PULT_TRUSTED_PROXIES").unwrap_or_default();
    proxies
        .split(',')
        .map(str::trim)
        .filter(|hop| !hop.is_empty())
        .map(|hop| {
            let fault =
                || ConfigError("PULT_TRUSTED_PROXIES is not a list of IP addresses and networks".to_owned());
            proxy(hop).ok_or_else(fault)
        })
        .collect()
}

/// Files of the certificate and of its key.
fn tls() -> Result<Option<(PathBuf, PathBuf)>, ConfigError> {
    match (get("PULT_TLS_CERT"), get("PULT_TLS_KEY")) {
        (Some(certificate), Some(key)) => Ok(Some((certificate.into(), key.into()))),
        (None, None) => Ok(None),
        _ => Err(ConfigError("PULT_TLS_CERT and PULT_TLS_KEY belong together".to_owned())),
    }
}

impl Config {
    pub fn read() -> Result<Self, ConfigError> {
        let development = development();
        let database_url = database_url()?;
        let database_servers = database_servers("PULT_DATABASE_SERVERS")?;
        let listening = servers_of("PULT_DATABASE_SERVERS_LISTEN", &database_servers)?;
        let (public_url, listen) = (public_url(development)?, listen(development)?);
        let (secrets, trusted_proxies, tls) = (secrets()?, trusted_proxies()?, tls()?);
        let smtp_url = need("PULT_SMTP_URL", "the address of the mail server")?;
        address("PULT_SMTP_URL", &smtp_url, &["smtp", "smtps"])?;
        let stand_in_smtp = get("PULT_STAND_IN_SMTP_URL");
        stand_in_smtp
            .as_ref()
            .map(|url| address("PULT_STAND_IN_SMTP_URL", url, &["smtp", "smtps"]))
            .transpose()?;
        Ok(Self {
            development,
            database_owner_url: get("PULT_DATABASE_OWNER_URL").map(|_| owner_url()).transpose()?,
            database_listen_url: match get("PULT_DATABASE_LISTEN_URL") {
                Some(value) => address("PULT_DATABASE_LISTEN_URL", &value, &["postgres", "postgresql"])?,
                None => database_url.clone(),
            },
            database_replica_url: get("PULT_DATABASE_REPLICA_URL")
                .map(|value| address("PULT_DATABASE_REPLICA_URL", &value, &["postgres", "postgresql"]))
                .transpose()?,
            database_servers_owner: servers_owner()?,
            // Each of them is listened to; those of the second list past a pooler.
            database_servers_listen: database_servers
                .iter()
                .map(|one| listening.iter().find(|(name, _)| *name == one.0).unwrap_or(one).clone())
                .collect(),
            database_servers,
            database_url,
            database_pool: or::<NonZeroU32>("PULT_DATABASE_POOL", "16", "a number from 1")?.get(),
            database_lifetime: match get("PULT_DATABASE_LIFETIME") {
                Some(value) => {
                    let seconds: NonZeroU32 =
                        parsed("PULT_DATABASE_LIFETIME", &value, "a number of seconds")?;
                    Duration::from_secs(seconds.get().into())
                }
                None => DoorSettings::LIFETIME,
            },
            listen,
            metrics_listen: or("PULT_METRICS_LISTEN", "127.0.0.1:9090", "an address with a port")?,
            connections: or("PULT_CONNECTIONS", "10000", "a number")?,
            connections_per_address: or("PULT_CONNECTIONS_PER_ADDRESS", "512", "a number")?,
            calls_per_session: or("PULT_CALLS_PER_SESSION", "100", "a number from 1")?,
            public_url,
            trusted_proxies,
            secrets,
            smtp: (smtp_url, need("PULT_MAIL_FROM", "the sender of the service's mail")?),
            stand_in_smtp,
            s3: object_store()?,
            builders: builders()?,
            tls,
            jobs: on("PULT_JOBS")?,
            service_worker: on("PULT_SERVICE_WORKER")?,
            files: get("PULT_FILES_DIR").map_or_else(|| env::temp_dir().join("pult-files"), PathBuf::from),
            geocoder: optional_address("PULT_GEOCODER_URL")?,
            guest_geocoder: optional_address("PULT_GEOCODER_GUESTS")?,
            stand_in_geocoder: optional_address("PULT_STAND_IN_GEOCODER_URL")?,
            // The content policy names its origin, so it must be an address as it stands.
            map_tiles: optional_address("PULT_MAP_TILES_URL")?.and_then(|_| get("PULT_MAP_TILES_URL")),
            fcm_key: fcm_key()?,
            stand_in_push: optional_address("PULT_STAND_IN_PUSH_URL")?,
            teya: live_teya()?,
            stand_in_teya: optional_address("PULT_STAND_IN_TEYA_URL")?.map(stand_in_teya),
            stand_in_simplepay: optional_address("PULT_STAND_IN_SIMPLEPAY_URL")?,
            stand_in_barion: optional_address("PULT_STAND_IN_BARION_URL")?,
            help: HelpContacts {
                email: get("PULT_HELP_EMAIL"),
                phone: get("PULT_HELP_PHONE"),
                knowledge_base_url: optional_address("PULT_HELP_KNOWLEDGE_URL")?.map(String::from),
            },
            zendesk: zendesk()?,
            installation: installation()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_what_its_address_stands_for() {
        for (address, password) in [
            ("postgres://pult_app:plain-._~@db/pult", Some("plain-._~")),
            ("postgres://pult_app:p%40s%3Ds%25@db/pult", Some("p@s=s%")),
            ("postgres://pult_app:k%C3%A9k+@db/pult", Some("kék+")),
            ("postgres://pult_app@db/pult", Some("")),
            ("postgres://pult_app:%FF@db/pult", None),
        ] {
            let url = address.parse().unwrap();
            assert_eq!(database_password(&url).ok().as_deref(), password, "{address}");
        }
    }
}
