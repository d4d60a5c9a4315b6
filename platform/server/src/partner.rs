//! Commands about one partner.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use kernel::{Id, Partner};
use tenants::{Provisioner, Setup, unfinished};
use uuid::Uuid;

use crate::{cli::Outcome, config};

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
}

pub(crate) async fn run(command: Command) -> Outcome {
    match command {
        Command::Export { partner, file, copy } => export(Id::from_uuid(partner), &file, copy).await,
    }
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
    let written = Provisioner::new(&setup).export(partner, &part, &storage).await;
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
