//! Accounts through HTTP, against a real Postgres.

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
