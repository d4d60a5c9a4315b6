//! Where guests are: geocoding, later delivery regions.

mod geocode;

use poem_openapi::OpenApi;

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (geocode::Geocode::default(), ())
    }
}
