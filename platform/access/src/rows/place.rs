//! [`Rows`]: rows at one place in one unit of work; [`Transaction`]: what a unit of work must offer for that.

use kernel::{Code, Id, Problem, Restaurant, Result, time::Timestamp};
use sea_orm::{ConnectionTrait, FromQueryResult, sea_query::LockType};
use serde_json::Value as Json;
use tenants::{ControlTx, TenantTx};
use uuid::Uuid;

use super::Logged;
use crate::{app::App, audit, caller::Caller, people::Platform, places::Scope, scope::In};

/// The newest line about a row.
#[derive(Debug, FromQueryResult)]
pub struct LastChange {
    /// The actor's name at that time.
    pub actor_name: String,
    pub at: Timestamp,
}

const LAST_CHANGE: &str = "select actor_name, at from audit where record_id = $1 and starts_with(action, $2 \
    || '_') order by at desc, id desc limit 1";
const LAST_PLATFORM_CHANGE: &str = "select actor_name, at from control.platform_audit where record_id = $1 and \
    starts_with(action, $2 || '_') order by at desc, id desc limit 1";

/// A unit of work in which rows are read and written, and its audit log.
pub trait Transaction: ConnectionTrait + Send + Sync + Sized {
    type Caller: Send + Sync;
    /// How a row that will be changed is locked.
    const LOCK: LockType;

    /// Who changed a row last, as far as the audit log knows.
    fn last_change(&self, logged: Logged<'_>) -> impl Future<Output = Result<Option<LastChange>>> + Send;

    /// Writes one line of the audit log; about no record where all rows of a place are changed.
    fn audit(
        &self, caller: &Self::Caller, restaurant: Option<Uuid>, action: &str, record: Option<Uuid>,
        details: Json,
    ) -> impl Future<Output = Result<()>> + Send;
}

impl Transaction for TenantTx {
    type Caller = Caller;
    const LOCK: LockType = LockType::Update;

    async fn last_change(&self, logged: Logged<'_>) -> Result<Option<LastChange>> {
        Ok(self.one(LAST_CHANGE, [logged.record.into(), logged.resource.into()]).await?)
    }

    async fn audit(
        &self, caller: &Caller, restaurant: Option<Uuid>, action: &str, record: Option<Uuid>, details: Json,
    ) -> Result<()> {
        audit::write(self, restaurant, &caller.into(), action, record, details).await
    }
}

impl Transaction for ControlTx {
    type Caller = Platform;
    // Readers of a message who confirm it meanwhile refer to its row and are not kept waiting.
    const LOCK: LockType = LockType::NoKeyUpdate;

    async fn last_change(&self, logged: Logged<'_>) -> Result<Option<LastChange>> {
        Ok(self.one(LAST_PLATFORM_CHANGE, [logged.record.into(), logged.resource.into()]).await?)
    }

    async fn audit(
        &self, caller: &Platform, _: Option<Uuid>, action: &str, record: Option<Uuid>, details: Json,
    ) -> Result<()> {
        caller.audit(self, action, record, details).await
    }
}

/// Rows at one place, in one unit of work: those of a restaurant, of a partner, of the platform, or below one
/// row. `In::rows` and `Platform::rows` make it.
pub struct Rows<'a, X: Transaction = TenantTx> {
    pub(super) tx: &'a X,
    pub(super) app: &'a App,
    pub(super) caller: &'a X::Caller,
    pub(super) restaurant: Option<Uuid>,
    pub(super) parent: Option<Uuid>,
}

impl<S: Scope, P> In<S, P> {
    pub fn rows<'a>(&'a self, tx: &'a TenantTx) -> Rows<'a> {
        let restaurant = self.place().map(Id::uuid);
        Rows { tx, app: self.app(), caller: self.caller(), restaurant, parent: None }
    }
}

impl Platform {
    #[must_use]
    pub fn rows<'a>(&'a self, tx: &'a ControlTx) -> Rows<'a, ControlTx> {
        Rows { tx, app: &self.0.app, caller: self, restaurant: None, parent: None }
    }
}

impl<'a, X: Transaction> Rows<'a, X> {
    pub fn tx(&self) -> &'a X {
        self.tx
    }

    pub fn app(&self) -> &'a App {
        self.app
    }

    pub fn caller(&self) -> &'a X::Caller {
        self.caller
    }

    /// The restaurant of this place.
    /// Errors: `UNKNOWN_ERROR` at a place without one, which a test of the resource would meet at once.
    pub fn restaurant(&self) -> Result<Id<Restaurant>> {
        let none = || Problem::new(Code::UNKNOWN_ERROR).detail("the table lives elsewhere");
        self.restaurant.map(Id::from_uuid).ok_or_else(none)
    }

    /// The rows below this row, which is not looked for. [`Self::below_live`] does; before a row is added,
    /// [`Self::lock`] does.
    #[must_use]
    pub fn below<T>(&self, parent: Id<T>) -> Self {
        Self { parent: Some(parent.uuid()), ..*self }
    }
}
