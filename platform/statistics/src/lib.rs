//! Exports, later reports. Reads the tables of all domains.

mod exports;

use poem_openapi::OpenApi;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (exports::ExportRequests, exports::ExportFiles)
}

/// The kinds of jobs of this crate.
#[must_use]
pub fn handlers(app: &access::App) -> Vec<(&'static str, work::Handler)> {
    exports::handlers(app)
}
