//! Commands about one partner.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use kernel::{Id, Partner};
use sea_orm::DbErr;
use tenants::{OwnedServer, Provisioner, Relocation, ServerFault, Setup, unfinished};
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
    },
}

pub(crate) async fn run(command: Command) -> Outcome {
    match command {
        Command::Export { partner, file, copy } => export(Id::from_uuid(partner), &file, copy).await,
        Command::Move { partner, to, at_rest } => relocate(Id::from_uuid(partner), &to, at_rest).await,
    }
}

async fn relocate(partner: Id<Partner>, to: &str, at_rest: bool) -> Outcome {
    let home_url = config::owner_url()?;
    let home = Setup::open(home_url.as_str(), migrations::SHAPE).await?;
    let (setups, urls) = (owned_servers().await?, config::servers_owner()?);
    let server = |name: &str| -> Outcome<OwnedServer<'_>> {
        if name == tenants::HOME {
            return Ok(OwnedServer { name: tenants::HOME, setup: &home, url: &home_url });
        }
        let found = setups.get_key_value(name).zip(urls.iter().find(|(known, _)| known == name));
        let ((name, setup), (_, url)) =
            found.ok_or_else(|| format!("PULT_DATABASE_SERVERS_OWNER has no {name}"))?;
        Ok(OwnedServer { name, setup, url })
    };
    let from = match tenants::server_of(&home, partner).await {
        Err(DbErr::RecordNotFound(id)) => return Err(format!("there is no partner with the id {id}").into()),
        found => found?,
    };
    // Where the service cannot follow no partner is moved.
    if let Some((_, url)) = config::servers()?.iter().find(|(name, _)| name == to) {
        let answers = tenants::check_server(url.as_str()).await;
        answers.map_err(|(ServerFault::Away(reason) | ServerFault::Unfit(reason))| {
            format!("the server {to} of PULT_DATABASE_SERVERS: {reason}")
        })?;
    }
    if from == to {
        for name in setups.keys().map(String::as_str).chain([tenants::HOME]).filter(|name| *name != to) {
            let left = Relocation { partner, home: &home, from: server(name)?, to: server(to)?, at_rest };
            left.clear_left().await?;
        }
        println!("the partner is on {to} already; what a move that was cut had left elsewhere is removed");
        return Ok(());
    }
    let move_ = Relocation { partner, home: &home, from: server(&from)?, to: server(to)?, at_rest };
    let moved = move_.run(|step| eprintln!("{step}")).await?;
    println!(
        "moved from {from} to {to}: copied in {:.1} s while it worked, {:.2} s of pause",
        moved.copied_in.as_secs_f64(),
        moved.paused.as_secs_f64()
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
