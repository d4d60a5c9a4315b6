//! Restaurants through HTTP, against a real Postgres.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod facts;
mod lists;
mod opening_hours;
mod settings;
