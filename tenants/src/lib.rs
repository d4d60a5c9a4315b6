//! Partners as schemas, and the one door to their data. See `docs/decisions/tenancy.md#the-door`.
//!
//! The rest of the service gets a [`TenantTx`] or a [`ControlTx`], never a connection.

pub mod archive;
mod audit;
mod bundle;
pub mod clone;
mod create;
mod door;
mod entry;
mod export;
mod home_side;
mod id_replacer;
mod may_move;
mod migrate;
pub mod objects;
mod pack;
mod pause;
mod places;
mod pool;
mod provision;
mod public_rights;
mod relocate;
mod remove;
mod renumber;
mod replica;
mod replicate;
mod restore;
mod sealed;
mod servers;
mod setup;
mod shape;
mod tx;
mod unpack;
mod watch;
mod wear;
mod zip_end;

pub use audit::{CheckedLog, verify_audit};
pub use create::FirstSteps;
pub use door::{Door, DoorSettings, PlatformProof};
pub use entry::{
    AccountFacts, CallbackFacts, DeviceFacts, Entry, Facts, KeyFacts, Refusal, SessionFacts, Target,
};
pub use export::{Exported, unfinished};
pub use migrate::{MigrationRun, TenantMigration};
pub use provision::{AdminSpec, AdminTarget, FIRST_FEATURES, PartnerSpec, Provisioner};
pub use relocate::{Moved, OwnedServer, Relocation, copy_reference, server_of, stay};
pub use renumber::renumber;
pub use replica::LogPosition;
pub use restore::Restored;
pub use sealed::{SEALED, SealedColumn, SealedValue};
pub use servers::{HOME, ServerAddress, asks_home};
pub use setup::{ServerFault, Setup, check_apart, check_prepares, check_server};
pub use shape::{Migrations, Shape};
pub use tx::{ControlTx, TenantTx, first};
