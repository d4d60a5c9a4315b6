//! Access through HTTP, against a real Postgres.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod api_keys;
mod permissions;
mod sessions;
mod tenancy;
