//! Partners as schemas, and the one door to their data (architecture, "The door to data").
//!
//! Everything else in the service gets a [`TenantTx`] or a [`ControlTx`], never a connection.

mod door;
mod provision;
mod setup;

pub use door::{AccountFacts, Facts, ControlTx, Door, DoorSettings, Entry, KeyFacts, PlatformProof, Refusal, SessionFacts, Target, TenantTx};
pub use provision::{NewAdmin, NewPartner, Provisioner, TenantMigration};
pub use setup::{Setup, check_server};
