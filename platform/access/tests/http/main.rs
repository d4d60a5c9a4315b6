//! Access through HTTP, against a real Postgres.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod audit;
mod limits;
mod lost;
mod permissions;
mod role_isolation;
mod tenancy;

/// That of the service: what memory is measured here is what it would take.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
