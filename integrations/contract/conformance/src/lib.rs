//! The suite that every plug-in of a capability passes against the stand-in of its company. A plug-in's tests
//! provide the set-up and run the suite.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

pub mod card_terminal;

pub use sandbox::Fault;
