//! The stand-ins, for tests that start them in their own process. The binary starts all of them.

pub mod barion;
pub mod callback;
mod faults;
pub mod fcm;
pub mod html;
pub mod http;
pub mod nominatim;
pub mod s3;
pub mod simplepay;
pub mod teya;

pub use faults::Fault;

/// Errors are sentences for the one who called.
pub type Result<T> = std::result::Result<T, String>;
