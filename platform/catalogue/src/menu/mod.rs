//! The menu as guests see it on one channel, computed and kept until something changes.

mod answer;
mod api;
mod build;
mod cache;
mod rows;
mod store;
#[cfg(test)]
mod tests;
mod types;

pub use api::MenuApi;
