//! The domain crate whose accounts get messages.

use access::App;
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use contract::{Plugins, Secret};
use kernel::{Id, Restaurant, Result};
use tenants::TenantTx;
use uuid::Uuid;
use work::JobError;

/// A message that is kept and not worked yet.
#[derive(Debug, Clone)]
pub struct Message {
    /// Its id.
    pub id: Uuid,
    /// The restaurant whose address was called.
    pub restaurant: Id<Restaurant>,
    /// The provider, as plug-ins are registered.
    pub provider: String,
    /// The account at the provider.
    pub account: Uuid,
    /// Whether the provider signed it. If not, it says nothing by itself: ask the provider.
    pub is_signed: bool,
    /// The query of the address; empty where the provider signed, because no signature covers it.
    pub query: String,
    /// The raw bytes.
    pub body: Vec<u8>,
    /// When it came last (UTC).
    pub received_at: DateTime<Utc>,
}

/// The domain crate whose accounts get messages.
#[async_trait]
pub trait Receiver: Send + Sync + 'static {
    /// The kind of the job that works them.
    fn job_kind(&self) -> &'static str;

    /// The secret with which the provider signs for this account. None when there is no such account any more.
    async fn secret(&self, app: &App, tx: &TenantTx, account: Uuid) -> Result<Option<Secret>>;

    /// Does what a message says, in the transaction that marks it as worked: it happens once. No provider is called
    /// here; that is the work of a job that this enqueues.
    async fn work(
        &self, with: (&App, &Plugins), tx: &TenantTx, message: &Message,
    ) -> std::result::Result<(), JobError>;
}
