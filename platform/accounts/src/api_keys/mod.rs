//! Management of API keys, which are shown once and stored as a hash with a visible prefix: `api` for a
//! restaurant's keys, `partner` for keys of several restaurants. The crate `access` handles their calls. See
//! `docs/decisions/permissions.md#api-keys`.

mod api;
mod limits;
mod made;
mod partner;
mod rules;
mod store;
mod types;

pub(crate) use api::ApiKeysApi;
pub use limits::LimitedKey;
pub(crate) use made::{made_by, revoke_made};
pub(crate) use partner::PartnerApiKeys;
pub(crate) use types::ApiKey;
