//! The service: configuration, routing, sockets, the embedded UI, the published document. No business rule.

pub mod cli;
pub mod config;
pub mod document;
mod html;
mod middleware;
mod probes;
pub mod routes;
pub mod socket;
mod ui;

use poem_openapi::OpenApi;

/// Every operation of the product.
#[must_use]
pub fn api() -> impl OpenApi {
    (routes::StartUp, access::api(), restaurants::api(), catalogue::api(), orders::api(), customers::api())
}

/// Who does which kind of job.
#[must_use]
pub fn handlers() -> Vec<(&'static str, work::Handler)> {
    orders::handlers()
}
