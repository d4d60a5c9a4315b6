//! Payment methods and card terminals through HTTP, against a real Postgres.

mod accounts;
mod connection;
mod methods;
mod schemes;
