//! The commands of the binary.

use std::{path::Path, time::Duration};

use access::{App, passwords};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use kernel::{Id, Restaurant};
use poem::{
    Server,
    listener::{Listener, RustlsCertificate, RustlsConfig, TcpListener},
};
use rand::RngCore;
use tenants::{Door, DoorSettings, NewAdmin, NewPartner, Provisioner, Setup};
use uuid::Uuid;
use work::{Hub, Mailer, Runner};

use crate::{
    config::{self, Config},
    document::Documents,
    probes, routes,
    socket::Sessions,
};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// What the binary can do.
pub const HELP: &str = "pult serve                     serves requests and runs background work
pult migrate                   makes or updates the database (PULT_DATABASE_OWNER_URL)
pult create-super-admin EMAIL  makes a super admin and prints a one-time link for the password
pult demo                      makes the demo partner and its accounts
pult openapi FOLDER            writes the published documents";

/// Runs one command.
///
/// # Errors
/// A sentence for the operator.
pub async fn run(arguments: &[String]) -> Outcome {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve"] => serve().await,
        ["migrate"] => migrate().await,
        ["demo"] => demo().await,
        ["create-super-admin", email] => create_super_admin(email).await,
        ["openapi", folder] => openapi(Path::new(folder)),
        _ => Err(HELP.into()),
    }
}

fn openapi(folder: &Path) -> Outcome {
    std::fs::create_dir_all(folder)?;
    let documents = Documents::make();
    std::fs::write(folder.join("openapi.json"), documents.whole)?;
    std::fs::write(folder.join("public.json"), documents.public)?;
    Ok(())
}

async fn migrate() -> Outcome {
    let password = config::database_url()?.password().unwrap_or_default().to_owned();
    let setup = Setup::open(config::owner_url()?.as_str()).await?;
    setup.migrate_control(&password, &config::installation()?).await?;
    let done = Provisioner::new(&setup).migrate_all().await?;
    let failed: Vec<_> = done.iter().filter(|one| one.error.is_some()).collect();
    eprintln!("control and ref are current; {} partners migrated, {} set aside", done.len() - failed.len(), failed.len());
    for one in &failed {
        eprintln!("  {}: {}", one.partner, one.error.as_deref().unwrap_or_default());
    }
    if failed.is_empty() { Ok(()) } else { Err("some partners were set aside; mend the cause and run pult migrate again".into()) }
}

/// Ids of the demo are fixed, so that links to it stay good after `--reset`.
const fn demo_id(number: u128) -> Uuid {
    Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + number)
}

async fn demo() -> Outcome {
    const PASSWORD: &str = "pult-demo-2026";
    let setup = Setup::open(config::owner_url()?.as_str()).await?;
    let provisioner = Provisioner::new(&setup);
    let partner = Id::from_uuid(demo_id(1));
    let restaurants: [(Id<Restaurant>, &str); 2] =
        [(Id::from_uuid(demo_id(11)), "Kispiac Bisztró"), (Id::from_uuid(demo_id(12)), "Borpatika Fogadó")];
    provisioner
        .create(&NewPartner {
            id: partner,
            name: "Pult Demó".to_owned(),
            mode: "demo",
            group: Id::from_uuid(demo_id(2)),
            restaurants: restaurants.iter().map(|(id, name)| (*id, (*name).to_owned())).collect(),
        })
        .await?;
    let hash = passwords::hash(PASSWORD.to_owned()).await.map_err(|problem| problem.to_string())?;
    let whole = Some((partner, None));
    let one = Some((partner, Some(vec![restaurants[0].0])));
    for (role, email, last_name, first_name, target) in [
        ("super admin", "super@pult.example", "Platform", "Admin", None),
        ("partner admin", "partner@pult.example", "Partner", "Admin", whole),
        ("restaurant admin", "restaurant@pult.example", "Étterem", "Admin", one),
    ] {
        let admin = NewAdmin {
            email: email.to_owned(),
            first_name: first_name.to_owned(),
            last_name: last_name.to_owned(),
            password_hash: Some(hash.clone()),
            super_admin: target.is_none(),
            target,
            permission_keys: vec![],
            full_target_access: true,
            surfaces: vec!["admin".to_owned(), "pos".to_owned()],
        };
        provisioner.save_admin(&admin).await?;
        println!("{role}\t{email}\t{PASSWORD}");
    }
    Ok(())
}

async fn create_super_admin(email: &str) -> Outcome {
    let config = Config::read()?;
    if !email.contains('@') || email.len() > 254 {
        return Err("that is not an e-mail address".into());
    }
    let setup = Setup::open(config::owner_url()?.as_str()).await?;
    let provisioner = Provisioner::new(&setup);
    let admin = NewAdmin {
        email: email.to_owned(),
        first_name: String::new(),
        last_name: String::new(),
        password_hash: None,
        super_admin: true,
        target: None,
        permission_keys: vec![],
        full_target_access: false,
        surfaces: vec![],
    };
    let account = provisioner.save_admin(&admin).await?;
    let mut random = [0_u8; 24];
    rand::rng().fill_bytes(&mut random);
    let ticket = URL_SAFE_NO_PAD.encode(random);
    provisioner.save_password_ticket(account, access::digest(&ticket)).await?;
    println!("{}", config.public_url.join(&format!("/new-password?token={ticket}"))?);
    eprintln!("Open it within one hour to set the password; it works once.");
    Ok(())
}

/// Reads the settings and puts the shared parts together, without touching the network.
///
/// # Errors
/// The faulty setting by name.
pub async fn application(config: &Config) -> Outcome<(App, Mailer)> {
    let door = Door::open(&DoorSettings { url: config.database_url.to_string(), connections: config.database_pool, development: config.development })
        .await?;
    let settings = access::Settings {
        public_url: config.public_url.clone(),
        development: config.development,
        trusted_proxies: config.trusted_proxies.clone(),
        secret: config.secret.clone(),
    };
    let mailer = Mailer::new(&config.smtp.0, &config.smtp.1)?;
    Ok((App::new(door, settings).await?, mailer))
}

async fn serve() -> Outcome {
    let config = Config::read()?;
    tenants::check_server(config.database_url.as_str()).await?;
    let (app, mailer) = application(&config).await?;
    if config.database_owner_url.is_none() {
        tracing::warn!("PULT_DATABASE_OWNER_URL is not set: creating partners is switched off");
    }
    let hub = Hub::default();
    let sessions = Sessions::default();
    let background = [
        tokio::spawn(hub.clone().listen(config.database_listen_url.to_string())),
        tokio::spawn(sessions.clone().watch(app.clone())),
        tokio::spawn(Runner::new(app.door.clone(), mailer, hub.clone(), crate::handlers()).run()),
        tokio::spawn(usage(app.clone())),
    ];
    let readiness = probes::Readiness::new(app.clone());
    let probes = tokio::spawn(Server::new(TcpListener::bind(config.metrics_listen)).run(probes::routes(readiness.clone())));

    let service = routes::service(app, hub, sessions);
    let listener = TcpListener::bind(config.listen);
    tracing::info!(listen = %config.listen, public_url = %config.public_url, "serving");
    let drained = async move {
        stop_signal().await;
        // Readiness turns red first, and listening goes on while the balancer notices.
        readiness.drain();
        if !config.development {
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
    };
    let patience = Some(Duration::from_secs(25));
    match &config.tls {
        Some((cert, key)) => {
            let tls = RustlsConfig::new().fallback(RustlsCertificate::new().cert(std::fs::read(cert)?).key(std::fs::read(key)?));
            Server::new(listener.rustls(tls)).run_with_graceful_shutdown(service, drained, patience).await?;
        }
        None => Server::new(listener).run_with_graceful_shutdown(service, drained, patience).await?,
    }
    probes.abort();
    background.iter().for_each(tokio::task::JoinHandle::abort);
    Ok(())
}

/// Writes every ten seconds which keys were used.
async fn usage(app: App) {
    loop {
        tokio::time::sleep(Duration::from_secs(10)).await;
        if let Err(error) = app.write_usage().await {
            tracing::warn!(%error, "the use of keys cannot be written");
        }
    }
}

async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
        (Ok(mut terminate), Ok(mut interrupt)) => {
            tokio::select! { _ = terminate.recv() => (), _ = interrupt.recv() => () }
        }
        _ => std::future::pending().await,
    }
}
