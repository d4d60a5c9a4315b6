//! Access through HTTP, against a real Postgres.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

mod audit;
mod limits;
mod lost;
mod permissions;
mod role_isolation;
mod tenancy;

/// The allocator of the service, so measured memory is comparable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
