//! The service: configuration, routing, sockets, the embedded UI, the published document. No business rule.

pub mod cli;
pub mod config;
pub mod document;
pub mod edge;
mod guide;
mod headers;
mod html;
mod live;
mod middleware;
mod no_effect;
mod plugins;
mod probes;
pub mod routes;
mod short;
pub mod socket;
mod ui;

use contract::Plugins;
pub use live::subscriptions;
use poem_openapi::OpenApi;

/// Every operation of the product.
#[must_use]
pub fn api() -> impl OpenApi {
    (
        (
            routes::StartUp,
            accounts::api(),
            restaurants::api(),
            (catalogue::api(), menu_import::api()),
            orders::api(),
            customers::api(),
            console::api(),
        ),
        (payments::api(), media::api(), content::api(), devices::api(), delivery::api(), statistics::api()),
    )
}

/// Who does which kind of job.
#[must_use]
pub fn handlers(app: &access::App, plugins: &Plugins) -> Vec<(&'static str, work::Handler)> {
    let storage = s3_client::storage(&app.settings.objects);
    [
        restaurants::handlers(),
        orders::handlers(),
        menu_import::handlers(),
        access::handlers(),
        accounts::handlers(app),
        payments::handlers(plugins),
        media::handlers(&storage),
        content::handlers(&storage, plugins),
        devices::handlers(),
        delivery::handlers(),
        statistics::handlers(app),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The owner's jobs; what a partner keeps in the object store travels and goes with it.
#[must_use]
pub fn owner(app: access::App, setup: tenants::Setup) -> std::sync::Arc<Owner> {
    let storage = s3_client::storage(&app.settings.objects);
    Owner::new(app, setup, storage)
}

pub use console::Owner;
