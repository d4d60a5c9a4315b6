//! Payment methods and card terminals through HTTP, against a real Postgres.

pub mod accounts;
mod connection;
mod methods;
mod schemes;
