//! Pictures of a restaurant, in three sizes, which browsers read from the object store. This crate alone
//! writes the table `media`. See `docs/decisions/media.md#pictures`.

mod api;
mod copy;
mod form;
mod jobs;
mod picture_store;
mod pictures;
mod store;
mod upload;

use poem_openapi::OpenApi;

pub use copy::copy;
pub use form::{NewPictures, Pictured, Sent};
pub use jobs::handlers;
pub use picture_store::{Encode, EncodedPicture, PictureStore, Refusal};
pub use pictures::{LARGEST, Picture, SIZES, USUAL, missing, pictures};

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    api::ImagesApi
}
