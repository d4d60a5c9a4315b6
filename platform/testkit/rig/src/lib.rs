//! The service as clients meet it: the real binary as a process, on a database of its own, over TCP.
#![allow(clippy::missing_errors_doc, reason = "every error here ends a test or a measurement")]

mod api;
mod service;
mod wire;

pub use api::Api;
pub use service::{Account, Installation, Service, free_port};
pub use wire::{Connection, Reply, request};

/// An error message for the test's output.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;
