//! `pult serve` and `pult work`: from the settings to the last answer.

use std::{collections::BTreeMap, path::Path, time::Duration};

use access::App;
use tenants::{Door, DoorSettings, ServerAddress, ServerFault, Setup};
use tokio::task::JoinHandle;
use work::{Hub, Mailer, Runner, platform_jobs};

use crate::{
    config::Config,
    draining::{closing, send_away, stop_signal, unless_draining},
    edge::{self, Edge, Limits},
    observe, plugins, probes, routes,
    socket::Sessions,
    ui,
};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// What running requests and jobs get when the service stops.
const PATIENCE: Duration = Duration::from_secs(25);
/// How long the service listens after readiness has turned red, while the balancer notices.
const NOTICE: Duration = Duration::from_secs(5);
/// Between two looks at a database that is away or has not been migrated.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Between two looks for prepared transactions that nobody ends.
const SETTLE: Duration = Duration::from_secs(3);

/// Which part of the service a process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Requests, and background work unless `PULT_JOBS` is `off`.
    Service,
    /// Background work alone.
    Work,
}

impl Part {
    const fn name(self, jobs: bool) -> &'static str {
        match (self, jobs) {
            (Self::Work, _) => "work",
            (Self::Service, true) => "service_and_work",
            (Self::Service, false) => "service",
        }
    }
}

/// Reads the settings and puts the shared parts together, without touching the network.
pub async fn application(config: &Config) -> Outcome<(App, Mailer)> {
    tokio::task::spawn_blocking(customers::phone::prepare);
    let settings = DoorSettings {
        url: config.database_url.to_string(),
        connections: config.database_pool,
        patience: DoorSettings::PATIENCE,
        lifetime: config.database_lifetime,
        development: config.development,
    };
    let mut door = Door::open(&settings).await?;
    let servers: Vec<_> = config
        .database_servers
        .iter()
        .map(|(name, url)| ServerAddress { name: name.clone(), url: url.to_string() })
        .collect();
    door = door.with_servers(&servers, &settings).await?;
    if let Some(replica) = &config.database_replica_url {
        door = door.with_replica(replica.as_str(), config.database_pool).await?;
    }
    let settings = access::Settings {
        public_url: config.public_url.clone(),
        development: config.development,
        alone: config.development && config.listen.ip().is_loopback(),
        trusted_proxies: config.trusted_proxies.clone(),
        calls_per_session: config.calls_per_session,
        secrets: config.secrets.clone(),
        files: config.files.clone(),
        objects: config.s3.clone(),
        builders: config.builders.clone(),
        map_tiles: config.map_tiles.clone(),
        service_worker: config.service_worker,
    };
    let mailer = Mailer::new(&config.smtp.0, &config.smtp.1, config.stand_in_smtp.as_deref())?;
    Ok((App::new(door, settings).await?, mailer))
}

/// Runs until it is told to stop.
pub async fn run(part: Part) -> Outcome {
    let config = Config::read()?;
    observe::begin()?;
    work::subscriptions::install(crate::subscriptions());
    let (app, mailer) = application(&config).await?;
    let readiness = probes::Readiness::new(app.clone());
    let limits = limits(&config);
    // Before anybody can see that the process lives: no signal ends it at once or is lost.
    let mut told_to_stop = Box::pin(stop_signal());
    observe::readiness(readiness.clone());
    // Before the database is asked: while it is away the process lives and is not ready.
    let probes = Edge::bind(config.metrics_listen, None, limits.clone(), &config.trusted_proxies).await?;
    let probes =
        tokio::spawn(probes.run(probes::routes(readiness.clone()), std::future::pending(), PATIENCE));
    tokio::select! {
        ready = database(&config, &readiness) => ready?,
        () = &mut told_to_stop => return Ok(()),
    }
    report(&app).await;

    let plugins = plugins::all(&config);
    let hub = Hub::default();
    let mut background = vec![
        tokio::spawn(hub.clone().listen(config.database_listen_url.to_string())),
        tokio::spawn(observe::sample(app.door.clone(), readiness.clone(), part.name(config.jobs))),
        tokio::spawn(app.door.clone().watch()),
    ];
    background.extend(of_servers(&config, part, &app, &hub));
    let (stop, mut stopped) = tokio::sync::watch::channel(false);
    let runners = if part == Part::Work || config.jobs {
        runners(&config, &app, &mailer, &hub, &plugins, &stopped).await?
    } else {
        vec![]
    };
    let stopping = readiness.clone();
    let windows = hub.clone();
    let draining = async move {
        told_to_stop.await;
        // Readiness turns red first, and listening goes on while the balancer notices.
        stopping.drain();
        if part == Part::Service && !config.development {
            tokio::time::sleep(NOTICE).await;
        }
        // No new job starts; running ones have the same time as requests.
        stop.send_replace(true);
        send_away(&windows).await;
    };
    let jobs = async move {
        let _ = stopped.wait_for(|stop| *stop).await;
        let _ = tokio::time::timeout(PATIENCE, futures_util::future::join_all(runners)).await;
    };
    match part {
        Part::Work => {
            readiness.begun();
            tracing::info!(version = crate::config::VERSION, "working");
            tokio::join!(draining, jobs);
        }
        Part::Service => {
            let sessions = Sessions::default();
            background.extend([
                tokio::spawn(sessions.clone().watch(app.clone())),
                tokio::spawn(usage(app.clone())),
                tokio::spawn(seals(app.clone())),
            ]);
            let tls = tls(&config, &mut background)?;
            let edge = Edge::bind(config.listen, tls, limits, &config.trusted_proxies).await?;
            // Before anybody is sent a page of this release, the other instances can answer for its files.
            let release = ui::Releases::of(&config.files);
            release.publish().await;
            background.push(tokio::spawn(release.keep()));
            let (service, shortcut) = routes::with_shortcut(app.clone(), hub, sessions, plugins);
            let edge = edge.with_shortcut(unless_draining(shortcut, readiness.clone()));
            readiness.begun();
            let service = closing(service, move || readiness.is_draining());
            tracing::info!(
                version = crate::config::VERSION, listen = %config.listen, public_url = %config.public_url, "serving"
            );
            tokio::join!(edge.run(service, draining, PATIENCE), jobs);
        }
    }
    probes.abort();
    background.iter().for_each(JoinHandle::abort);
    last_usage(&app).await;
    observe::end();
    Ok(())
}

/// Writes the usage of the last ten seconds.
async fn last_usage(app: &App) {
    if let Err(error) = app.write_usage().await {
        tracing::warn!(%error, "the use of keys and sessions cannot be written");
    }
}

/// What goes on for database servers beside the home server: they are listened to, their jobs carried, and what is left
/// prepared is settled.
fn of_servers(config: &Config, part: Part, app: &App, hub: &Hub) -> Vec<JoinHandle<()>> {
    let mut tasks = Vec::new();
    for (name, url) in &config.database_servers_listen {
        tasks.push(tokio::spawn(hub.clone().listen(url.to_string())));
        if part == Part::Work || config.jobs {
            tasks.push(tokio::spawn(work::carrier::run(app.door.clone(), hub.clone(), name.clone())));
        }
    }
    if !tasks.is_empty() {
        tasks.push(tokio::spawn(settle(app.door.clone())));
    }
    tasks
}

/// Brings to an end what units of work that were cut have left prepared at home.
async fn settle(door: Door) {
    loop {
        tokio::time::sleep(SETTLE).await;
        if let Err(error) = door.settle().await {
            tracing::warn!(%error, "prepared transactions cannot be looked for");
        }
    }
}

/// Waits until the database answers and has been migrated for this release. Both may come later: a cluster
/// starts everything at once, and `pult migrate` may be under way.
/// Errors: What waiting does not mend: a server or a pooler that does not fit, a role or a password that is
/// refused.
async fn database(config: &Config, readiness: &probes::Readiness) -> Outcome {
    let mut told = false;
    loop {
        match tenants::check_server(config.database_url.as_str()).await {
            Ok(()) => break,
            Err(ServerFault::Unfit(reason)) => return Err(reason.into()),
            Err(ServerFault::Away(reason)) if !told => tracing::warn!(reason, "waiting for the database"),
            Err(ServerFault::Away(_)) => {}
        }
        told = true;
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    servers(config).await?;
    let mut told = "";
    loop {
        let why = match readiness.migrated().await {
            Some(true) => return Ok(()),
            Some(false) => "the database has not been migrated for this release; waiting for `pult migrate`",
            None => "waiting for the database",
        };
        if why != told {
            tracing::warn!(why, "not ready yet");
        }
        told = why;
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// Servers beside the home server: one that is away or does not fit is so for its own partners.
async fn servers(config: &Config) -> Outcome {
    if !config.database_servers.is_empty() {
        tenants::check_prepares(config.database_url.as_str()).await?;
    }
    for (name, url) in &config.database_servers {
        match tenants::check_server(url.as_str()).await {
            Ok(()) => {}
            // It concerns its own partners alone.
            Err(ServerFault::Unfit(reason) | ServerFault::Away(reason)) => {
                tracing::error!(name, reason, "a database server cannot be used");
            }
        }
    }
    Ok(())
}

async fn runners(
    config: &Config, app: &App, mailer: &Mailer, hub: &Hub, plugins: &contract::Plugins,
    stopped: &tokio::sync::watch::Receiver<bool>,
) -> Outcome<Vec<JoinHandle<()>>> {
    let run = |handlers| {
        let mut stopped = stopped.clone();
        // A sender that is gone has stopped too.
        let stopped = async move { stopped.wait_for(|stop| *stop).await.map(drop).unwrap_or_default() };
        tokio::spawn(Runner::new(app.door.clone(), mailer.clone(), hub.clone(), handlers).run(stopped))
    };
    let mut runners = vec![run(crate::handlers(app, plugins))];
    if let Some(url) = &config.database_owner_url {
        // Separate runners, so quick jobs and mails do not wait for an export.
        let mut servers = BTreeMap::new();
        for (name, url) in &config.database_servers_owner {
            servers.insert(name.clone(), Setup::lazy(url.as_str(), migrations::SHAPE).await?);
        }
        let setup = Setup::lazy(url.as_str(), migrations::SHAPE).await?;
        let owner = crate::owner(app.clone(), setup, servers);
        runners.extend([owner.quick(), owner.long()].map(run));
    } else {
        tracing::warn!("PULT_DATABASE_OWNER_URL is not set: creating partners is switched off");
    }
    Ok(runners)
}

/// What an operator should know of the database before anything is served.
async fn report(app: &App) {
    if let Err(error) = report_open_rights(app).await {
        tracing::warn!(error, "the rights of partners' roles cannot be looked at");
    }
    if let Err(error) = report_unknown_servers(app).await {
        tracing::warn!(error, "the servers of partners cannot be looked at");
    }
}

/// Names the servers that partners are on and this process cannot reach. All other partners are served.
async fn report_unknown_servers(app: &App) -> Outcome {
    let names = platform_jobs::unknown_servers(&app.door).await?;
    if !names.is_empty() {
        tracing::error!(
            servers = names.join(", "),
            "partners are on servers that PULT_DATABASE_SERVERS does not name; they are not served"
        );
    }
    Ok(())
}

/// Says whether this Postgres let the migration take from partners' roles what leads out of their schemas.
async fn report_open_rights(app: &App) -> Outcome {
    let gaps = app.door.gaps().await?;
    if gaps.is_empty() {
        tracing::info!("partners' roles have nothing that leads out of their schemas");
    } else {
        tracing::warn!(
            gaps = gaps.join(", "),
            "this Postgres leaves partners' roles what leads out of their schemas; `pult migrate` with a \
             superuser in PULT_DATABASE_OWNER_URL takes it away"
        );
    }
    Ok(())
}

/// With a task that takes a renewed certificate within a minute.
fn tls(config: &Config, background: &mut Vec<JoinHandle<()>>) -> Outcome<Option<edge::Tls>> {
    let Some((certificate, key)) = config.tls.clone() else { return Ok(None) };
    let read = [read("PULT_TLS_CERT", &certificate)?, read("PULT_TLS_KEY", &key)?];
    let tls = edge::acceptor(&read[0], &read[1])?;
    background.push(tokio::spawn(tls.clone().renew([certificate, key], read, Duration::from_mins(1))));
    Ok(Some(tls))
}

fn read(name: &str, file: &Path) -> Outcome<Vec<u8>> {
    Ok(std::fs::read(file).map_err(|error| format!("{name}: {} cannot be read: {error}", file.display()))?)
}

/// What connections may cost here: those to the database and to other services need descriptors too.
fn limits(config: &Config) -> Limits {
    let room = edge::room(config.database_pool as usize + 256);
    if room < config.connections {
        tracing::warn!(room, "the system allows fewer descriptors than PULT_CONNECTIONS needs");
    }
    Limits {
        in_all: config.connections.min(room),
        per_address: config.connections_per_address,
        ..Limits::default()
    }
}

/// Writes every ten seconds what became of the calls of keys and which sessions were used.
async fn usage(app: App) {
    loop {
        tokio::time::sleep(Duration::from_secs(10)).await;
        if let Err(error) = app.write_usage().await {
            tracing::warn!(%error, "the use of keys and sessions cannot be written");
        }
    }
}

/// Has the audit log sealed: of all partners once, then of those where something was done.
async fn seals(app: App) {
    let mut due = access::seal_all(&app).await;
    loop {
        if let Err(error) = due {
            tracing::warn!(%error, "the sealing of the audit log cannot be ordered");
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
        due = access::enqueue_seals(&app).await;
    }
}
