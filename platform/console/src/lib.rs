//! The super admins' console: the life of partners, support access, exports, jobs.

mod api_keys;
mod exports;
mod jobs;
pub mod load;
mod operating;
mod partners;
mod platform;
mod restore;
mod support;
mod work;

use ::work::JobError;
use access::App;
use kernel::{Id, Partner};
use object_storage::Storage;
use poem_openapi::OpenApi;

pub use self::work::Owner;

/// This crate in the server's list.
pub struct Domain;

#[async_trait::async_trait]
impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        let partners = (partners::PartnersApi, restore::RestoreApi, support::SupportApi);
        (
            partners,
            (exports::PlatformExports, exports::OwnExports, exports::Downloads),
            (jobs::JobsApi, operating::OperatingApi, api_keys::LimitsApi),
        )
    }

    async fn remove(&self, app: &App, _: &Storage, partner: Id<Partner>) -> Result<(), JobError> {
        work::remove_folder(&exports::folder(app, partner.uuid())).await
    }
}
