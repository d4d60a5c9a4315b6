//! Exports, later reports. Reads the tables of all domains.

mod exports;

use access::domain::Services;
use kernel::Result;
use poem_openapi::OpenApi;
use tenants::TenantTx;
use uuid::Uuid;

/// This crate in the server's list.
pub struct Domain;

#[async_trait::async_trait]
impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (exports::ExportRequests, exports::OrderExports, exports::ExportFiles)
    }

    fn jobs(&self, services: &Services) -> Vec<(&'static str, work::Handler)> {
        exports::handlers(&services.app)
    }

    async fn anonymise(&self, tx: &TenantTx, _: &[Uuid]) -> Result<()> {
        exports::withdraw(tx).await
    }
}
