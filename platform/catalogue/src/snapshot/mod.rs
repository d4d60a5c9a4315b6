//! The part of the catalogue that an order refers to.

mod kept;
mod read;
mod types;

pub use read::snapshot;
pub use types::{ItemNames, OptionNames, Snapshot, TaxFields, Wanted, ordered_name};
