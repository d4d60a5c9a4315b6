//! Partners: list, create, rename, suspend, delete, clone, repeat a migration.

mod api;
mod store;
mod types;

pub(crate) use api::PartnersApi;
pub(crate) use store::{PendingPartner, enqueue, set_beside, wait};
pub(crate) use types::{Mode, PartnerRow, PartnerStatus};
