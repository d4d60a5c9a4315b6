//! What any plug-in has to pass against the stand-in of its company. A plug-in's tests give a bench and run
//! the suite.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

pub mod card_terminal;

pub use sandbox::Fault;
