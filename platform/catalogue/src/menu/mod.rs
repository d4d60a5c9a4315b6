//! The menu for guests on one channel, computed and cached until something changes. See
//! `docs/decisions/catalogue.md#computed-menu`.

mod answer;
mod api;
mod build;
mod cache;
mod rows;
mod store;
mod suggested;
#[cfg(test)]
mod tests;
mod types;

pub use api::MenuApi;
