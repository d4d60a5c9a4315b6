//! The service: configuration, routing, sockets, the embedded UI, the published document. No business rule.

mod bearers;
pub mod cli;
pub mod config;
pub mod document;
mod domains;
mod draining;
pub mod edge;
mod headers;
mod html;
mod live;
pub mod log;
mod middleware;
mod no_effect;
pub mod observe;
mod partner;
mod plugins;
mod probes;
mod raw;
pub mod routes;
pub mod serve;
mod short;
pub mod socket;
mod turn_away;
mod ui;

use std::collections::BTreeMap;

use access::{App, domain::Services};
use contract::Plugins;

pub use console::Owner;
pub use domains::{api, raw_routes};
pub use live::subscriptions;

use crate::domains::DOMAINS;

/// Who does which kind of job.
#[must_use]
pub fn handlers(app: &App, plugins: &Plugins) -> Vec<(&'static str, work::Handler)> {
    let services = Services {
        app: app.clone(),
        storage: s3_client::storage(&app.settings.objects),
        plugins: plugins.clone(),
    };
    let jobs = DOMAINS.iter().flat_map(|domain| domain.jobs(&services));
    access::handlers().into_iter().chain(jobs).collect()
}

/// The owner's jobs; what a partner keeps outside the database travels and goes with it. `servers` are those beside the
/// home server, by name.
#[must_use]
pub fn owner(
    app: App, setup: tenants::Setup, servers: BTreeMap<String, tenants::Setup>,
) -> std::sync::Arc<Owner> {
    let storage = s3_client::storage(&app.settings.objects);
    Owner::new(app, setup, servers, storage, DOMAINS)
}
