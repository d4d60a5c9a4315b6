//! Partners as schemas, and the one door to their data (architecture, "The door to data").
//!
//! Everything else in the service gets a [`TenantTx`] or a [`ControlTx`], never a connection.

mod door;
mod entry;
mod provision;
mod setup;
mod tx;

pub use door::{Door, DoorSettings, PlatformProof};
pub use entry::{AccountFacts, Entry, Facts, KeyFacts, Refusal, SessionFacts, Target};
pub use provision::{AdminTarget, NewAdmin, NewPartner, Provisioner, TenantMigration};
pub use setup::{Setup, check_server};
pub use tx::{ControlTx, TenantTx};
