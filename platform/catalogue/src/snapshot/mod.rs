//! The part of the catalogue that an order refers to.

mod cache;
mod read;
mod types;

pub use read::snapshot;
pub use types::{ItemNames, OptionNames, Snapshot, SnapshotRequest, TaxFields, ordered_name};
