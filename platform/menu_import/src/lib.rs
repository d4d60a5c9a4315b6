//! Importing a menu from a spreadsheet: a rehearsal that says everything and writes nothing, then all of it
//! in one transaction, and for a day the way back (`README.md` has the rules).

mod api;
mod cells;
mod columns;
mod compare;
mod fields;
mod fold;
mod jobs;
mod lines;
mod options;
mod rehearsal;
mod sheet;
mod store;
mod types;
mod upload;

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod template;
#[cfg(test)]
mod tests;

use poem_openapi::OpenApi;

pub use jobs::handlers;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    api::MenuImportsApi
}
