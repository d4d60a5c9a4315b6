//! Ways into a partner's data. Each unit of work is begun anew, because no provider is called within one.

use access::{App, In, Permission, prelude::*};
use async_trait::async_trait;
use tenants::{Entry, Facts, Refusal};
use work::{Job, JobContext};

/// Begins units of work of one partner.
#[async_trait]
pub(crate) trait Way: Send + Sync {
    async fn begin(&self) -> Result<TenantTx>;

    /// Whether a guest stands behind it.
    fn is_guest(&self) -> bool {
        false
    }
}

#[async_trait]
impl<P: Permission + Send + Sync> Way for In<Restaurant, P> {
    async fn begin(&self) -> Result<TenantTx> {
        Self::begin(self).await
    }
}

/// A job's.
pub(crate) struct OfJob<'a>(pub &'a JobContext, pub &'a Job);

#[async_trait]
impl Way for OfJob<'_> {
    async fn begin(&self) -> Result<TenantTx> {
        self.0.begin(self.1).await.map_err(|error| {
            tracing::info!(%error, "a job has no unit of work");
            Problem::new(Code::UNAVAILABLE_SERVER)
        })
    }
}

/// A guest's, on the page with this token.
pub(crate) struct OfPage<'a> {
    pub app: &'a App,
    pub token: &'a str,
}

impl OfPage<'_> {
    /// The place of the page, with a first unit of work.
    /// Errors: `NOT_FOUND`, `PARTNER_IN_MAINTENANCE`.
    pub async fn enter(&self) -> Result<(TenantTx, tenants::CallbackFacts)> {
        let entry = Entry::Callback { hash: access::digest(self.token) };
        match self.app.door.begin(&entry).await? {
            Ok((tx, Facts::Callback(facts))) if facts.provider == orders::PAY => Ok((tx, facts)),
            Err(Refusal::Maintenance) => Err(Problem::new(Code::PARTNER_IN_MAINTENANCE).retry_after(5)),
            _ => Err(Problem::new(Code::NOT_FOUND)),
        }
    }
}

#[async_trait]
impl Way for OfPage<'_> {
    async fn begin(&self) -> Result<TenantTx> {
        Ok(self.enter().await?.0)
    }

    fn is_guest(&self) -> bool {
        true
    }
}
