//! The suite that every plug-in of a capability passes against the stand-in of its company. A plug-in's tests
//! provide the set-up and run the suite.
#![warn(missing_docs)]
#![allow(clippy::unwrap_used, clippy::expect_used)]

pub mod card_terminal;
pub mod online_payment;

pub use sandbox::Fault;
