//! The super admins' console: the life of partners, support access, exports, jobs.

mod accounts;
mod api_keys;
mod exports;
mod jobs;
mod partners;
mod platform;
mod restore;
mod support;
mod work;

use poem_openapi::OpenApi;

pub use self::work::Owner;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    let partners = (partners::PartnersApi, restore::RestoreApi, support::SupportApi);
    (
        partners,
        (exports::PlatformExports, exports::OwnExports, exports::Downloads),
        (jobs::JobsApi, accounts::SuperAdminsApi),
        api_keys::LimitsApi,
    )
}
