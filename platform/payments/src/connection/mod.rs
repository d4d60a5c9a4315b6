//! A restaurant's connection to the company behind its card terminals.

mod api;
mod held;
mod store;
mod tokens;

pub(crate) use api::Connection;
pub use api::back;
