//! Commands about one partner.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use kernel::{Id, Partner};
use sea_orm::DbErr;
use tenants::{OwnedServer, Provisioner, Relocation, ServerFault, Setup, unfinished};
use url::Url;
use uuid::Uuid;

use crate::{
    cli::{Outcome, owned_servers},
    config,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Writes the archive of a partner from a copy of the database, say one that was brought back to an hour
    /// ago. No job of the copy is run. The archive is restored on the screen Partners
    Export {
        /// The id of the partner
        partner: Uuid,
        /// The file to be made; it must not be there
        file: PathBuf,
        /// The database takes writes and is a copy all the same
        #[arg(long)]
        copy: bool,
    },
    /// Moves a partner to another database server while it works; it waits for some seconds at the end. Cut short it
    /// can be run again
    Move {
        /// The id of the partner
        partner: Uuid,
        /// A server of PULT_DATABASE_SERVERS_OWNER, or default, the home server
        to: String,
        /// The partner waits while everything is copied: for servers that cannot replicate (wal_level)
        #[arg(long)]
        at_rest: bool,
        /// What the target has of the partner without a move under way is removed. It may be newer than what is here,
        /// when the home server was brought back to a moment before a move
        #[arg(long)]
        overwrite: bool,
        /// Where the authority of the databases' certificates lies on the target's own machine; default the path of
        /// `sslrootcert` in the source's address
        #[arg(long, value_name = "PATH")]
        ca_there: Option<String>,
    },
    /// Ends a move that was cut: the partner goes on where it is. The target need not answer
    Stay {
        /// The id of the partner
        partner: Uuid,
    },
}

pub(crate) async fn run(command: Command) -> Outcome {
    match command {
        Command::Export { partner, file, copy } => export(Id::from_uuid(partner), &file, copy).await,
        Command::Move { partner, to, at_rest, overwrite, ca_there } => {
            relocate(Id::from_uuid(partner), &to, at_rest, overwrite, ca_there).await
        }
        Command::Stay { partner } => stay(Id::from_uuid(partner)).await,
    }
}

/// A database server, opened with the owner's address.
struct Opened {
    name: String,
    setup: Setup,
    url: Url,
}

impl Opened {
    async fn new(name: &str) -> Outcome<Self> {
        let url = if name == tenants::HOME {
            config::owner_url()?
        } else {
            let found = config::servers_owner()?.into_iter().find(|(known, _)| known == name);
            found.ok_or_else(|| format!("PULT_DATABASE_SERVERS_OWNER has no {name}"))?.1
        };
        let setup = Setup::open(url.as_str(), migrations::SHAPE).await;
        let setup = setup.map_err(|error| format!("the server {name}: {error}"))?;
        Ok(Self { name: name.to_owned(), setup, url })
    }

    /// A server of this name that is not home, which is open already.
    async fn beside_home(name: &str) -> Outcome<Option<Self>> {
        if name == tenants::HOME { Ok(None) } else { Self::new(name).await.map(Some) }
    }

    fn server(&self) -> OwnedServer<'_> {
        OwnedServer { name: &self.name, setup: &self.setup, url: &self.url }
    }
}

/// The same address, with the authority of certificates at another path.
fn with_authority(url: &Url, path: &str) -> Url {
    let mut changed = url.clone();
    let kept = url.query_pairs().filter(|(key, _)| key != "sslrootcert");
    changed.query_pairs_mut().clear().extend_pairs(kept).append_pair("sslrootcert", path);
    changed
}

async fn server_of(home: &Opened, partner: Id<Partner>) -> Outcome<String> {
    match tenants::server_of(&home.setup, partner).await {
        Err(DbErr::RecordNotFound(id)) => Err(format!("there is no partner with the id {id}").into()),
        found => Ok(found?),
    }
}

async fn relocate(
    partner: Id<Partner>, to: &str, at_rest: bool, overwrite: bool, ca_there: Option<String>,
) -> Outcome {
    let home = Opened::new(tenants::HOME).await?;
    let from = server_of(&home, partner).await?;
    // Where the service cannot follow no partner is moved.
    if let Some((_, url)) = config::servers()?.iter().find(|(name, _)| name == to) {
        let answers = tenants::check_server(url.as_str()).await;
        answers.map_err(|(ServerFault::Away(reason) | ServerFault::Unfit(reason))| {
            format!("the server {to} of PULT_DATABASE_SERVERS: {reason}")
        })?;
    }
    let target = Opened::beside_home(to).await?;
    let target = target.as_ref().unwrap_or(&home);
    if from == to {
        let others = config::servers_owner()?.into_iter().map(|(name, _)| name);
        for name in others.chain([tenants::HOME.to_owned()]).filter(|name| name != to) {
            let left = Opened::beside_home(&name).await?;
            let (from, to) = (left.as_ref().unwrap_or(&home).server(), target.server());
            Relocation { partner, home: &home.setup, from, to, at_rest, overwrite }.clear_left().await?;
        }
        println!("the partner is on {to} already; what a move that was cut had left elsewhere is removed");
        return Ok(());
    }
    let source = Opened::beside_home(&from).await?;
    let source = source.as_ref().unwrap_or(&home);
    let url = ca_there.map(|path| with_authority(&source.url, &path));
    let leaving = OwnedServer { url: url.as_ref().unwrap_or(&source.url), ..source.server() };
    let move_ =
        Relocation { partner, home: &home.setup, from: leaving, to: target.server(), at_rest, overwrite };
    let moved = move_.run(|step| eprintln!("{step}")).await?;
    println!(
        "moved from {from} to {to}: copied in {:.1} s while it worked, {:.2} s of pause",
        moved.copied_in.as_secs_f64(),
        moved.paused.as_secs_f64()
    );
    Ok(())
}

async fn stay(partner: Id<Partner>) -> Outcome {
    let home = Opened::new(tenants::HOME).await?;
    let from = server_of(&home, partner).await?;
    let place = Opened::beside_home(&from).await?;
    tenants::stay(&home.setup, place.as_ref().unwrap_or(&home).server(), partner).await?;
    println!(
        "the partner goes on on {from}; what the move has left on the other server goes with the next one there"
    );
    Ok(())
}

async fn export(partner: Id<Partner>, file: &Path, copy: bool) -> Outcome {
    let storage = s3_client::storage(&config::object_store()?);
    if file.exists() {
        return Err(format!("{} is there already", file.display()).into());
    }
    let setup = Setup::open(config::owner_url()?.as_str(), migrations::SHAPE).await?;
    if !copy && !setup.only_reads().await? {
        return Err(
            "this database takes writes. On the one that the service works on order the export in the \
            console, which tells the partner; with a copy that was made for this say --copy"
                .into(),
        );
    }
    let part = unfinished(file);
    let servers = owned_servers().await?;
    let written = Provisioner::new(&setup).with_servers(&servers).export(partner, &part, &storage).await;
    let placed = match written {
        Ok(done) => std::fs::rename(&part, file).map(|()| done).map_err(Into::into),
        Err(error) => Err(error.into()),
    };
    match placed {
        Ok(done) => {
            println!("{}: {} bytes", file.display(), done.size);
            Ok(())
        }
        Err(error) => {
            let _ = std::fs::remove_file(&part);
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_at_another_path_changes_nothing_else() {
        for (from, to) in [
            (
                "postgres://o:p%40x@db:5432/pult",
                "postgres://o:p%40x@db:5432/pult?sslrootcert=%2Fetc%2Fca.crt",
            ),
            (
                "postgres://o@db/pult?sslmode=verify-full&sslrootcert=/secrets/ca.crt",
                "postgres://o@db/pult?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.crt",
            ),
        ] {
            assert_eq!(with_authority(&from.parse().unwrap(), "/etc/ca.crt").as_str(), to);
        }
    }
}
