//! Accounts through HTTP, against a real Postgres.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod account;
mod admins;
mod api_keys;
mod grants;
mod holders;
mod pins;
mod races;
mod rotation;
mod second_factor;
mod sessions;
mod sso;
mod sso_network;
mod taking_over;

/// That of the service: what memory is measured here is what it would take.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
