//! What tests start in their own process; the program beside it starts everything.

mod faults;
pub mod fcm;
pub mod http;
pub mod nominatim;
pub mod s3;
pub mod teya;

pub use faults::Fault;

/// Errors are sentences for the one who called.
pub type Result<T> = std::result::Result<T, String>;
