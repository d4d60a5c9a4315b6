//! Importing a menu from a spreadsheet: a rehearsal that says everything and writes nothing, then all of it
//! in one transaction, and for a day the way back (`README.md` has the rules).

mod api;
mod cells;
mod columns;
mod compare;
mod fields;
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

use kernel::Resource;
use poem_openapi::OpenApi;

pub use jobs::handlers;

/// Imports of menus.
#[derive(Debug)]
pub struct MenuImports;

impl Resource for MenuImports {
    const NAME: &'static str = "menu_imports";
    const ENTITY: &'static str = "MENU_IMPORT";
}

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    MenuImports
}
