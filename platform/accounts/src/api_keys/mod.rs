//! API keys: shown once, kept as a hash with a visible prefix. Managing them stands in `api` (a
//! restaurant's) and `partner` (for several restaurants); what happens when one calls, in the crate `access`.

mod api;
mod partner;
mod rules;
mod store;
mod types;

pub(crate) use api::ApiKeysApi;
pub(crate) use partner::PartnerApiKeys;
