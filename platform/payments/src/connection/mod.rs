//! A restaurant's connection to the company behind its card terminals (document 1 §2, §3, §7; facts about
//! payments 3.1).

mod api;
mod held;
mod store;
mod tokens;

pub(crate) use api::Connection;
pub use api::back;
