//! Access through HTTP, against a real Postgres.

mod audit;
mod limits;
mod lost;
mod permissions;
mod role_isolation;
mod tenancy;
