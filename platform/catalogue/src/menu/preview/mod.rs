//! The preview: the menu as guests see it on a channel at a moment, with the reasons why the rest is hidden or cannot
//! be ordered. The reasons are those of an order: `pricing` is asked about one piece of each size; here they are only
//! traced to the rows from which they come. See `docs/decisions/catalogue.md#preview`.

mod api;
mod build;
mod causes;
#[cfg(test)]
pub(crate) mod tests;
mod types;

pub use api::MenuPreviewApi;
pub(crate) use build::{Asked, preview_catalogue};
pub(crate) use causes::{Place, Trace};
pub(crate) use types::MenuPreviewCause;
