//! The commands of the binary.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use access::passwords;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use clap::{Parser, Subcommand};
use kernel::{Email, Id, Restaurant};
use rand::RngCore;
use sea_orm::DbErr;
use tenants::{AdminSpec, PartnerSpec, Provisioner, Setup};
use uuid::Uuid;

use crate::{
    config::{self, Config},
    document,
    serve::{self, Part},
};

pub(crate) type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The service and its commands. Settings come from the environment.
#[derive(Debug, Parser)]
#[command(name = "pult", version = version())]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The release, and the number of the chart's contract that it needs.
fn version() -> &'static str {
    static TEXT: LazyLock<String> =
        LazyLock::new(|| format!("{} (chart contract {})", config::VERSION, config::CHART));
    &TEXT
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves requests and, unless PULT_JOBS=off, runs background work
    Serve,
    /// Runs background work alone
    Work,
    /// Makes or updates the database (PULT_DATABASE_OWNER_URL)
    Migrate {
        /// Succeeds although single partners were set aside: an upgrade does not wait for them
        #[arg(long)]
        go_on: bool,
    },
    /// Makes a super admin and prints a one-time link for the password; what signed in to the account before
    /// ends at once
    CreateSuperAdmin {
        /// The e-mail address of the account
        email: String,
        /// Base32, at least 26 letters: the second factor is on from the start. Without it the first sign-in
        /// sets it up
        secret: Option<String>,
    },
    /// Prints the code of this moment
    SecondFactorCode {
        /// The secret of the second factor, base32
        secret: String,
    },
    /// Makes the demo partner and its accounts, whose passwords are published: with PULT_DEV only
    Demo,
    /// What concerns the audit logs
    #[command(subcommand)]
    Audit(Audit),
    /// What concerns sealed secrets
    #[command(subcommand)]
    Secrets(Secrets),
    /// After the database was brought back to an earlier moment: new numbers for menus
    Restored,
    /// What concerns one partner
    #[command(subcommand)]
    Partner(crate::partner::Command),
    /// Writes the published documents
    Openapi {
        /// Made when it does not exist
        folder: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
enum Audit {
    /// Checks the chain of the platform's audit log and of every partner's
    Verify,
}

#[derive(Debug, Subcommand)]
enum Secrets {
    /// Seals all secrets anew that are not under the newest PULT_SECRET_KEY
    Reseal,
}

/// Runs one command; `arguments` are those after the name of the program.
pub async fn run(arguments: &[String]) -> Outcome {
    // Before the arguments: a newer chart has some that this release does not know.
    config::chart()?;
    let arguments = std::iter::once("pult").chain(arguments.iter().map(String::as_str));
    let command = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli.command,
        Err(error) if error.use_stderr() => return Err(error.to_string().into()),
        Err(help) => {
            println!("{help}");
            return Ok(());
        }
    };
    match command {
        Command::Serve => serve::run(Part::Service).await,
        Command::Work => serve::run(Part::Work).await,
        Command::Migrate { go_on } => migrate(go_on).await,
        Command::Demo => demo().await,
        Command::CreateSuperAdmin { email, secret } => create_super_admin(&email, secret.as_deref()).await,
        Command::SecondFactorCode { secret } => second_factor_code(&secret),
        Command::Audit(Audit::Verify) => verify_audit().await,
        Command::Secrets(Secrets::Reseal) => reseal().await,
        Command::Restored => restored().await,
        Command::Partner(command) => crate::partner::run(command).await,
        Command::Openapi { folder } => openapi(&folder),
    }
}

fn openapi(folder: &Path) -> Outcome {
    std::fs::create_dir_all(folder)?;
    for (name, text) in document::files() {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

async fn migrate(go_on: bool) -> Outcome {
    let password = config::database_password(&config::database_url()?)?;
    let setup = Setup::open(config::owner_url()?.as_str(), migrations::SHAPE).await?;
    // An older release that is brought back works on the newer schemas, and can change nothing of them.
    if let Some(newer) = setup.newer().await? {
        eprintln!("the installation has {newer}, which this release does not know: nothing is changed");
        return Ok(());
    }
    // Nothing is changed while one of them is away.
    let servers = owned_servers().await?;
    let before = setup.version().await?;
    setup.migrate_control(&password, &config::installation()?).await?;
    // Partners on a server that this run does not reach would be left on the old schema.
    for name in Provisioner::new(&setup).servers_in_use().await? {
        if !servers.contains_key(&name) {
            return Err(format!("partners are on {name}, which PULT_DATABASE_SERVERS_OWNER has not").into());
        }
    }
    if !servers.is_empty() {
        tenants::check_prepares(config::owner_url()?.as_str()).await?;
    }
    let others = servers.iter().map(|(name, server)| (name.as_str(), server));
    let known: Vec<_> = std::iter::once((tenants::HOME, &setup)).chain(others).collect();
    tenants::check_apart(&known).await.map_err(|error| match error {
        DbErr::Custom(reason) => format!("PULT_DATABASE_SERVERS_OWNER: {reason}"),
        error => error.to_string(),
    })?;
    for server in servers.values() {
        server.migrate_control(&password, &config::installation()?).await?;
        tenants::copy_reference(&setup, server).await?;
    }
    // While another run, or a move, is under way here, no other server is touched.
    let mut left = migrate_partners(&Provisioner::new(&setup), "").await?;
    if left == Left::Unmigrated
        && let Some(before) = before
    {
        // The release that goes on makes new partners.
        for one in servers.values().chain([&setup]) {
            one.stay_at(&before).await?;
        }
    }
    let mut proved = Provisioner::new(&setup).taken().await?;
    for (name, server) in &servers {
        let provisioner = Provisioner::new(server).proved(proved);
        let there = migrate_partners(&provisioner, &format!(" on {name}")).await;
        Provisioner::new(&setup).hear_of(name, server).await?;
        left = left.max(there?);
        proved = proved || provisioner.taken().await?;
    }
    match left {
        Left::Nobody => Ok(()),
        Left::SetAside if go_on => Ok(()),
        Left::SetAside => Err("some partners were set aside; mend the cause and run pult migrate again".into()),
        Left::Unmigrated => Err(
            "the first partners all failed, so the others were left as they are; mend the cause and run pult \
            migrate again"
                .into(),
        ),
    }
}

/// Whom a migration has left behind, the worst last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    Nobody,
    /// Single partners, who are in maintenance.
    SetAside,
    /// Everybody: the first ones failed, so the migration is at fault.
    Unmigrated,
}

/// The owner's connections to the servers beside the home server.
pub(crate) async fn owned_servers() -> Outcome<BTreeMap<String, Setup>> {
    let mut servers = BTreeMap::new();
    for (name, url) in config::servers_owner()? {
        let opened = Setup::open(url.as_str(), migrations::SHAPE).await;
        let opened =
            opened.map_err(|error| format!("the server {name} of PULT_DATABASE_SERVERS_OWNER: {error}"))?;
        servers.insert(name, opened);
    }
    Ok(servers)
}

async fn migrate_partners(provisioner: &Provisioner<'_>, place: &str) -> Outcome<Left> {
    let begun = std::time::Instant::now();
    eprintln!(
        "control and ref are current{place}; {} partners to migrate",
        provisioner.migration_plan().await?
    );
    let done = std::cell::Cell::new(0_usize);
    let run = provisioner
        .migrate_all(MIGRATIONS_AT_ONCE, |one, total| {
            done.set(done.get() + 1);
            if let Some(error) = &one.error {
                eprintln!("  {} ({}): {error}", one.partner, one.name);
            } else if done.get().is_multiple_of(100) {
                eprintln!("  {} of {total}", done.get());
            }
        })
        .await?;
    let failed = run.failed().count();
    eprintln!(
        "{} partners migrated, {failed} failed, {} left, in {:.1} s",
        run.done.len() - failed,
        run.left,
        begun.elapsed().as_secs_f64()
    );
    Ok(match failed {
        _ if run.gave_up => Left::Unmigrated,
        0 => Left::Nobody,
        _ => Left::SetAside,
    })
}

async fn verify_audit() -> Outcome {
    let setup = Setup::open(config::owner_url()?.as_str(), migrations::SHAPE).await?;
    let mut logs = tenants::verify_audit(&setup).await?;
    for server in owned_servers().await?.values() {
        // The platform's own log is at home.
        logs.extend(tenants::verify_audit(server).await?.into_iter().filter(|log| log.partner.is_some()));
    }
    let sealed: i64 = logs.iter().map(|log| log.sealed).sum();
    let faulty: Vec<_> = logs.iter().filter(|log| !log.faults.is_empty()).collect();
    println!(
        "{} logs, the platform's own among them, {sealed} sealed lines; {} with faults",
        logs.len(),
        faulty.len()
    );
    for log in &faulty {
        let owner = log.partner.map_or_else(|| "the platform".to_owned(), |partner| partner.to_string());
        println!("{owner}: {} faults", log.faults.len());
        // The first ones say where to look.
        log.faults.iter().take(20).for_each(|fault| println!("  {fault}"));
    }
    if faulty.is_empty() { Ok(()) } else { Err("an audit log is not what was written".into()) }
}

async fn restored() -> Outcome {
    let setup = Setup::open(config::owner_url()?.as_str(), migrations::SHAPE).await?;
    let mut restaurants = tenants::renumber(&setup).await?;
    for server in owned_servers().await?.values() {
        restaurants += tenants::renumber(server).await?;
    }
    println!("the menus of {restaurants} restaurants have new numbers");
    Ok(())
}

async fn reseal() -> Outcome {
    let setup = Setup::open(config::owner_url()?.as_str(), migrations::SHAPE).await?;
    let done = access::sealed::reseal(&setup, &config::secrets()?).await?;
    println!(
        "{} secrets sealed anew, {} were under the newest key, {} do not open",
        done.renewed, done.current, done.failed
    );
    if done.failed == 0 {
        Ok(())
    } else {
        Err("some secrets were sealed under a key that PULT_SECRET_KEY does not hold; keep the older keys"
            .into())
    }
}

/// Partners migrated at the same time: more only queue for the same two or four cores.
const MIGRATIONS_AT_ONCE: usize = 6;

/// Ids of the demo are fixed, so that links to it stay good after `--reset`.
const fn demo_id(number: u128) -> Uuid {
    Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + number)
}

fn second_factor_code(secret: &str) -> Outcome {
    println!("{}", accounts::current_code(secret).map_err(|_| NO_SECRET)?);
    Ok(())
}

const NO_SECRET: &str = "the secret of a second factor is at least 26 letters and digits of base32";

async fn demo() -> Outcome {
    const PASSWORD: &str = "pult-demo-2026";
    // Published like the passwords: the demo's super admin is for trying, and its codes can be computed by
    // scripts.
    const SECOND_FACTOR: &str = "PULTDEMO2PULTDEMO3PULTDEMO4PULTD";
    if !config::development() {
        return Err(
            "everybody knows the passwords of the demo's accounts, one of them a super admin's: this needs \
            PULT_DEV=1"
                .into(),
        );
    }
    let setup = Setup::open(config::owner_url()?.as_str(), migrations::SHAPE).await?;
    let provisioner = Provisioner::new(&setup);
    let partner = Id::from_uuid(demo_id(1));
    let restaurants: [(Id<Restaurant>, &str); 2] =
        [(Id::from_uuid(demo_id(11)), "Kispiac Bisztró"), (Id::from_uuid(demo_id(12)), "Borpatika Fogadó")];
    provisioner
        .create(&PartnerSpec {
            id: partner,
            name: "Pult Demó".to_owned(),
            mode: "demo",
            group: Id::from_uuid(demo_id(2)),
            restaurants: restaurants.iter().map(|(id, name)| (*id, (*name).to_owned())).collect(),
        })
        .await?;
    let ids: Vec<Uuid> = restaurants.iter().map(|(id, _)| id.uuid()).collect();
    let (sql, values) = customers::demo_customers(&ids);
    provisioner.run(partner, sql, values).await?;
    let hash = passwords::hash(PASSWORD.to_owned()).await.map_err(|problem| problem.to_string())?;
    let whole = Some((partner, None));
    let one = Some((partner, Some(vec![restaurants[0].0])));
    for (role, email, last_name, first_name, target) in [
        ("super admin", "super@pult.example", "Platform", "Admin", None),
        ("partner admin", "partner@pult.example", "Partner", "Admin", whole),
        ("restaurant admin", "restaurant@pult.example", "Étterem", "Admin", one),
    ] {
        let admin = AdminSpec {
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
        let account = provisioner.save_admin(&admin).await?;
        if admin.super_admin {
            let secret = accounts::sealed_secret(&config::secrets()?, account, SECOND_FACTOR)
                .map_err(|problem| problem.to_string())?;
            provisioner.save_second_factor(account, secret).await?;
            println!("{role}\t{email}\t{PASSWORD}\t{SECOND_FACTOR}");
        } else {
            println!("{role}\t{email}\t{PASSWORD}");
        }
    }
    Ok(())
}

async fn create_super_admin(email: &str, second_factor: Option<&str>) -> Outcome {
    let config = Config::read()?;
    let email = Email::parse(email).ok_or("that is not an e-mail address")?.lowercase();
    let setup = Setup::open(config::owner_url()?.as_str(), migrations::SHAPE).await?;
    let provisioner = Provisioner::new(&setup);
    let mut random = [0_u8; 24];
    rand::rng().fill_bytes(&mut random);
    let ticket = URL_SAFE_NO_PAD.encode(random);
    let seal = |account| match second_factor {
        Some(secret) => {
            accounts::sealed_secret(&config.secrets, account, secret).map(Some).map_err(|_| NO_SECRET.into())
        }
        None => Ok::<_, Box<dyn std::error::Error + Send + Sync>>(None),
    };
    provisioner.make_super_admin(&email, seal, access::digest(&ticket)).await?;
    println!("{}", config.public_url.join(&format!("/new-password?token={ticket}"))?);
    eprintln!("Open it within one hour to set the password; it works once.");
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::Cli;

    #[test]
    fn the_commands_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn which_arguments_are_commands() {
        for (arguments, known) in [
            ("serve", true),
            ("work", true),
            ("migrate", true),
            ("migrate --go-on", true),
            ("demo", true),
            ("create-super-admin anna@pelda.hu", true),
            ("create-super-admin anna@pelda.hu SECRET", true),
            ("second-factor-code SECRET", true),
            ("audit verify", true),
            ("secrets reseal", true),
            ("partner export 01900000-0000-7000-8000-000000000001 file.zip", true),
            ("partner export 01900000-0000-7000-8000-000000000001 file.zip --copy", true),
            ("partner export Kispiac file.zip", false),
            ("partner move 01900000-0000-7000-8000-000000000001 east", true),
            ("partner move 01900000-0000-7000-8000-000000000001", false),
            ("partner export", false),
            ("openapi folder", true),
            ("", false),
            ("serve now", false),
            ("create-super-admin", false),
            ("audit", false),
            ("audit erase", false),
            ("openapi", false),
        ] {
            let words = std::iter::once("pult").chain(arguments.split_whitespace());
            assert_eq!(Cli::try_parse_from(words).is_ok(), known, "{arguments}");
        }
    }
}
