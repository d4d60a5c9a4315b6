//! The menu for guests on one channel, computed and cached until something changes. See
//! `docs/decisions/catalogue.md#computed-menu`.

mod answer;
mod api;
mod build;
mod builder;
mod cache;
pub(crate) mod changed;
mod file;
pub(crate) mod index;
#[cfg(test)]
mod inheritance_tests;
pub(crate) mod preview;
pub(crate) mod rows;
pub(crate) mod store;
mod suggested;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod types;

pub use api::MenuApi;
pub use file::MenuFiles;
pub use preview::MenuPreviewApi;
pub(crate) use preview::{Asked, MenuPreviewCause, Place, Trace, preview_catalogue};
