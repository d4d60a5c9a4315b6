//! The service as clients meet it: the real binary as a process, on a database of its own, over TCP; and what
//! fault tests and drills share: a Postgres to break, clients that repeat what was not answered, the journal
//! of what was, and the reconciler that compares it with everything that the service wrote.
#![allow(clippy::missing_errors_doc, reason = "every error here ends a test or a measurement")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "an answer that cannot be read ends the test at the place where it was met"
)]

mod api;
mod clients;
mod database;
mod journal;
mod reconcile;
mod service;
mod shop;
mod wire;

pub use api::Api;
pub use clients::Clients;
pub use database::{Database, Files};
pub use journal::{Acknowledged, Journal};
pub use reconcile::{WRONG_CUSTOMERS, reconcile};
pub use service::{Account, Installation, Service, free_port};
pub use shop::{PARTNER, RESTAURANT, Shop, around_the_clock};
pub use wire::{Connection, Reply, request};

/// An error message for the test's output.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;
