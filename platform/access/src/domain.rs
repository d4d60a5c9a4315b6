//! A domain crate as the server sees it: one value.
//!
//! Each domain crate exports a unit struct `Domain` that implements [`Domain`]. The server has one list of
//! them. Operations, handlers of jobs, subscriptions, messages to windows, steps of the guide, the histories
//! of settings, what a copied restaurant takes over and what goes with a partner come from that list alone.

use async_trait::async_trait;
use contract::Plugins;
use futures_util::{FutureExt, future::BoxFuture};
use kernel::{Code, Id, Partner, Problem, Restaurant, Result, time::Timestamp};
use object_storage::Storage;
use poem_openapi::{Enum, OpenApi};
use serde_json::{Map, Value};
use tenants::TenantTx;
use uuid::Uuid;
use work::{Handler, JobError, Subscriptions, events::DescribeMessage};

use crate::{
    App, In,
    audit::Line,
    perm::{self, AnyOf},
    raw::RawRoute,
};

/// What handlers of jobs work with.
#[derive(Clone)]
pub struct Services {
    /// What requests work with too.
    pub app: App,
    /// The installation's bucket.
    pub storage: Storage,
    pub plugins: Plugins,
}

/// What a domain crate brings to the service. Only its operations are required.
#[async_trait]
pub trait Domain: Send + Sync + 'static {
    fn api() -> impl OpenApi
    where
        Self: Sized;

    /// Routes outside the document: what other companies' servers and pages call.
    fn raw_routes(&self) -> Vec<RawRoute> {
        vec![]
    }

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

    /// The settings of a restaurant that this crate's tables hold and that have a history.
    fn settings(&self) -> Vec<SettingsOf> {
        vec![]
    }

    /// Copies the rows of this crate's tables, in the transaction that opens the new restaurant.
    async fn copy(&self, _tx: &TenantTx, _copying: &Copying) -> Result<()> {
        Ok(())
    }

    /// Refuses to archive a restaurant in which something of this crate is not finished. The restaurant's row
    /// is locked: nothing new can refer to it.
    async fn check_archive(&self, _tx: &TenantTx, _restaurant: Id<Restaurant>) -> Result<()> {
        Ok(())
    }

    /// Refuses another currency for a restaurant that has amounts of this crate in the present one. The
    /// restaurant's row is locked as for [`Domain::check_archive`].
    /// Errors: `CURRENCY_FIXED`; what the database says.
    async fn check_currency(&self, _tx: &TenantTx, _restaurant: Id<Restaurant>) -> Result<()> {
        Ok(())
    }

    /// Moves what ends with the present business day, in the transaction that gives the restaurant another time at
    /// which days begin, or another zone: the day ends at `ends`.
    async fn day_moved(&self, _tx: &TenantTx, _restaurant: Id<Restaurant>, _ends: Timestamp) -> Result<()> {
        Ok(())
    }

    /// Refuses to anonymise customers for whom something of this crate is not finished, and locks what is
    /// theirs,
    /// as everywhere before the customers themselves. Of each person all rows are named that stand for it.
    /// Errors: `IN_USE`; what the database says.
    async fn check_anonymise(&self, _tx: &TenantTx, _customers: &[Uuid]) -> Result<()> {
        Ok(())
    }

    /// Takes names, phones, addresses and whatever else says who these customers were out of this crate's
    /// tables, in the transaction that anonymises them. Amounts and days stay.
    async fn anonymise(&self, _tx: &TenantTx, _customers: &[Uuid]) -> Result<()> {
        Ok(())
    }

    /// Removes what the crate has of a partner outside the database, before the partner's schema goes. It may
    /// be cut short anywhere and run again.
    /// Errors: What the store says; the whole removal is tried again.
    async fn remove(&self, _app: &App, _storage: &Storage, _partner: Id<Partner>) -> Result<(), JobError> {
        Ok(())
    }
}

/// The job that says that a person is out at a partner, by `admin_id`: what outlives sessions ends. The function
/// `control.note_leaving` writes it too.
pub const PERSON_LEFT: &str = "person_left";

/// The domain crates of this service, in the order of the server's list.
pub type Domains = &'static [&'static dyn Domain];

/// A question to the data of a restaurant.
pub type StepCheck = for<'a> fn(&'a TenantTx, Id<Restaurant>) -> BoxFuture<'a, Result<bool>>;

#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Its name for screens and other clients.
    pub key: &'static str,
    /// Whether the restaurant cannot open without it: nobody could order, or guests would not
    /// be told who sells to them and where. The others are good advice.
    pub needed: StepCheck,
    /// Whether somebody has done it. What a new restaurant begins with was done by nobody.
    pub done: StepCheck,
}

/// Needed by every restaurant.
pub const NEEDED: StepCheck = |_, _| std::future::ready(Ok(true)).boxed();
/// Good advice.
pub const ADVISED: StepCheck = |_, _| std::future::ready(Ok(false)).boxed();

/// Settings that are changed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum SettingsGroup {
    /// Name, address, contact, zone, currency, languages, VAT.
    General,
    /// How orders reach the guest.
    Delivery,
    /// Numbering of orders, usual delivery time.
    System,
    /// What guests get back as points.
    Points,
    /// The week's hours.
    OpeningHours,
    /// Days that differ from the week.
    Holidays,
    /// The company behind the restaurant.
    LegalData,
    /// Pages on social networks.
    Socials,
    /// Which payment methods are taken; the accounts at providers are shown, but never returned.
    PaymentMethods,
    /// Service fee, tips, deposits of what is eaten here.
    PosSettings,
    /// What mails about orders say. A return concerns one kind of mail.
    OrderEmails,
    /// What super admins switch on and off. Only they return to an earlier state.
    Features,
    /// The partner's rules for passwords and idle sessions, for admins of the whole partner; its sign-in
    /// provider is shown, but never returned.
    SignIn,
}

/// A group of settings with its history in the audit log.
#[derive(Clone, Copy)]
pub struct SettingsOf {
    pub group: SettingsGroup,
    /// The actions of the log that are its changes.
    pub actions: &'static [&'static str],
    /// Actions that are listed with them, but lead back to nothing.
    pub noted: &'static [&'static str],
    /// The keys of which any one is needed to change it.
    pub keys: fn() -> Vec<&'static str>,
    /// Whether it is the whole partner's, not the restaurant's.
    pub of_partner: bool,
    /// Whether a line with these details says what was before, so that one can return to it.
    pub leads_back: fn(&Value) -> bool,
    /// Returns to an earlier state; none where no one of the partner may.
    pub restore: Option<RestoreSettings>,
}

impl SettingsOf {
    /// A group of the restaurant's settings to which nobody returns.
    #[must_use]
    pub const fn new(
        group: SettingsGroup, actions: &'static [&'static str], keys: fn() -> Vec<&'static str>,
    ) -> Self {
        Self {
            group,
            actions,
            noted: &[],
            keys,
            of_partner: false,
            leads_back: |details| earlier(details).next().is_some(),
            restore: None,
        }
    }

    /// The same, with the function that returns to an earlier state.
    #[must_use]
    pub const fn with(self, restore: RestoreSettings) -> Self {
        Self { restore: Some(restore), ..self }
    }
}

/// Somebody who may change some group of a restaurant's settings.
pub type SettingsScope = In<
    Restaurant,
    AnyOf<(
        perm::RestaurantGeneral,
        perm::RestaurantDelivery,
        perm::SystemGeneral,
        perm::RestaurantOpening,
        perm::PaymentMethod,
        perm::PosSettings,
        perm::User,
    )>,
>;

/// A return to what a group was before the first of these changes.
pub struct Restore<'a> {
    pub tx: &'a TenantTx,
    /// Who returns, and in which restaurant.
    pub scope: &'a SettingsScope,
    /// The change, and all later ones of the group, oldest first.
    pub changes: &'a [Line],
    /// Who must agree to another currency.
    pub domains: Domains,
}

/// Changes a group back, checked and logged like any other change. Refuses with `CONFLICT` when the log no
/// longer has the values.
pub type RestoreSettings = for<'a> fn(Restore<'a>) -> BoxFuture<'a, Result<()>>;

/// The fields of a line with their values before it.
pub fn earlier(details: &Value) -> impl Iterator<Item = (&String, &Value)> {
    details.as_object().into_iter().flatten().filter_map(|(field, both)| {
        // A pair is before and after; anything else is a fact about the change.
        match both.as_array().map(Vec::as_slice) {
            Some([before, _]) => Some((field, before)),
            _ => None,
        }
    })
}

/// The values of a group's fields before the first of these changes: a field's earliest value is the one from
/// then. Empty when the log has none.
#[must_use]
pub fn earlier_values(changes: &[Line]) -> Map<String, Value> {
    let mut fields = Map::new();
    for (field, before) in changes.iter().flat_map(|change| earlier(&change.details)) {
        fields.entry(field).or_insert_with(|| before.clone());
    }
    fields
}

/// The refusal of a return to values that the log does not have.
#[must_use]
pub fn no_earlier_values() -> Problem {
    Problem::new(Code::CONFLICT).detail("the earlier values are not kept any more, or cannot be brought back")
}

#[derive(Debug, Clone)]
pub struct Copying {
    pub from: Id<Restaurant>,
    /// The new one, which has nothing yet.
    pub to: Id<Restaurant>,
    /// Each live picture of the one, and the row of the same picture in the other.
    pub pictures: Vec<(Uuid, Uuid)>,
}
