//! Importing a menu from a spreadsheet: a rehearsal that writes nothing, applying all of it in one
//! transaction, and undoing it within a day. See `docs/decisions/catalogue.md#menu-import`.

mod allergens;
mod api;
mod cells;
mod columns;
mod compare;
mod fields;
mod jobs;
mod layouts;
mod lines;
mod options;
mod parts;
mod prices;
mod reading;
mod rehearsal;
mod rules;
mod sizes;
mod store;
mod types;
mod upload;

use sheets as sheet;

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod template;
#[cfg(test)]
mod tests;

use access::domain::Services;
use catalogue::fold;
use poem_openapi::OpenApi;

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        api::MenuImportsApi
    }

    fn jobs(&self, _: &Services) -> Vec<(&'static str, work::Handler)> {
        jobs::handlers()
    }
}
