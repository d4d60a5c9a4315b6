//! Media storage: pictures of a restaurant, in three sizes, read from the object store by address.

mod api;
mod guard;
mod jobs;
mod keeper;
mod picture;
mod store;
mod upload;
mod worker;

pub(crate) use api::ImagesApi;
pub(crate) use jobs::{SWEEP, handler};

/// What every object of a picture is.
pub(crate) const KIND: &str = "image/webp";
