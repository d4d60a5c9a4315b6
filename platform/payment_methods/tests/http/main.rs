//! Payment methods and card terminals through HTTP, against a real Postgres.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

mod connection;
mod methods;
mod schemes;
