//! API keys: shown once, kept as a hash with a visible prefix.
//!
//! Managing them stands in `api` (a restaurant's) and `partner` (for several restaurants); what happens when
//! one calls in `calling`, with `cors` for the pages of browser keys and `usage` for what became of the
//! calls.

mod api;
pub(crate) mod calling;
pub(crate) mod cors;
mod partner;
mod rules;
mod store;
mod types;
pub(crate) mod usage;

pub(crate) use api::ApiKeysApi;
use kernel::ids::ApiKeys;
pub(crate) use partner::PartnerApiKeys;
