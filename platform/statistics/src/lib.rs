//! Exports, later reports. Reads the tables of all domains.

mod exports;

use access::domain::Services;
use poem_openapi::OpenApi;

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (exports::ExportRequests, exports::ExportFiles)
    }

    fn jobs(&self, services: &Services) -> Vec<(&'static str, work::Handler)> {
        exports::handlers(&services.app)
    }
}
