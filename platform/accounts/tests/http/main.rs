//! Accounts through HTTP, against a real Postgres.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

mod account;
mod admins;
mod api_keys;
mod details;
mod grants;
mod holders;
mod invitations;
mod pins;
mod races;
mod rotation;
mod second_factor;
mod sessions;
mod sign_in_rules;
mod sso;
mod sso_network;
mod taking_over;
mod ways;

/// The allocator of the service, so measured memory is comparable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
