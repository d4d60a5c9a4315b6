//! A domain crate as the server sees it: one value.
//!
//! Each domain crate exports a unit struct `Domain` that implements [`Domain`]. The server has one list of them.
//! Operations, handlers of jobs, subscriptions, messages to windows, steps of the guide, what a copied
//! restaurant takes over and what goes with a partner come from that list alone.

use async_trait::async_trait;
use contract::Plugins;
use futures_util::{FutureExt, future::BoxFuture};
use kernel::{Id, Partner, Restaurant, Result};
use object_storage::Storage;
use poem_openapi::OpenApi;
use tenants::TenantTx;
use uuid::Uuid;
use work::{Handler, JobError, Subscriptions, events::DescribeMessage};

use crate::App;

/// What handlers of jobs work with.
#[derive(Clone)]
pub struct Services {
    /// What requests work with too.
    pub app: App,
    /// The installation's bucket.
    pub storage: Storage,
    /// Plug-ins for other companies' services.
    pub plugins: Plugins,
}

/// What a domain crate brings to the service. Only its operations are required.
#[async_trait]
pub trait Domain: Send + Sync + 'static {
    /// The operations.
    fn api() -> impl OpenApi
    where
        Self: Sized;

    /// The kinds of jobs, each with its handler.
    fn jobs(&self, _services: &Services) -> Vec<(&'static str, Handler)> {
        vec![]
    }

    /// Adds what the crate subscribes to, of its own events and of crates below.
    fn subscriptions(&self, table: Subscriptions) -> Subscriptions {
        table
    }

    /// The messages that open windows get from this crate, for the published document.
    fn messages(&self) -> Vec<DescribeMessage> {
        vec![]
    }

    /// The steps of getting started that this crate's tables answer.
    fn steps(&self) -> Vec<Step> {
        vec![]
    }

    /// Copies the rows of this crate's tables, in the transaction that opens the new restaurant.
    ///
    /// # Errors
    /// What the database says.
    async fn copy(&self, _tx: &TenantTx, _copying: &Copying) -> Result<()> {
        Ok(())
    }

    /// Removes what the crate has of a partner outside the database, before the partner's schema goes. It may
    /// be cut short anywhere and run again.
    ///
    /// # Errors
    /// What the store says; the whole removal is tried again.
    async fn remove(&self, _app: &App, _storage: &Storage, _partner: Id<Partner>) -> Result<(), JobError> {
        Ok(())
    }
}

/// The domain crates of this service, in the order of the server's list.
pub type Domains = &'static [&'static dyn Domain];

/// A question to the data of a restaurant.
pub type StepCheck = for<'a> fn(&'a TenantTx, Id<Restaurant>) -> BoxFuture<'a, Result<bool>>;

/// One step of the guide.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Its name for screens and other clients.
    pub key: &'static str,
    /// Whether the restaurant cannot open without it as things are: nobody could order, or guests would not
    /// be told who sells to them and where. The others are good advice.
    pub needed: StepCheck,
    /// Whether somebody has done it. What a new restaurant begins with was done by nobody.
    pub done: StepCheck,
}

/// Needed by every restaurant.
pub const NEEDED: StepCheck = |_, _| std::future::ready(Ok(true)).boxed();
/// Good advice.
pub const ADVISED: StepCheck = |_, _| std::future::ready(Ok(false)).boxed();

/// From which restaurant to which.
#[derive(Debug, Clone)]
pub struct Copying {
    /// The one that is there.
    pub from: Id<Restaurant>,
    /// The new one, which has nothing yet.
    pub to: Id<Restaurant>,
    /// Each live picture of the one, and the row of the same picture in the other.
    pub pictures: Vec<(Uuid, Uuid)>,
}
