//! Where guests are: geocoding, later delivery regions.

mod geocode;

use poem_openapi::OpenApi;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (geocode::Geocode::default(), ())
}

/// The kinds of jobs of this crate.
#[must_use]
pub fn handlers() -> Vec<(&'static str, work::Handler)> {
    vec![]
}
