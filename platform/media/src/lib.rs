//! Pictures of a restaurant, in three sizes, which browsers read from the object store. This crate alone
//! writes the table `media`. See `docs/decisions/media.md#pictures`.

mod api;
mod copy;
mod form;
mod jobs;
mod picture_store;
mod pictures;
mod public;
mod store;
mod upload;

use access::{App, domain::Services};
use kernel::{Id, Partner};
use object_storage::Storage;
use poem_openapi::OpenApi;
use work::JobError;

pub use copy::copy;
pub use form::{NewPictures, Pictured, Sent};
pub use picture_store::{Encode, EncodedPicture, PictureStore, Refusal};
pub use pictures::{LARGEST, Picture, SIZES, USUAL, missing, pictures};

/// This crate in the server's list.
pub struct Domain;

#[async_trait::async_trait]
impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (api::ImagesApi, public::PublicImages)
    }

    fn jobs(&self, services: &Services) -> Vec<(&'static str, work::Handler)> {
        jobs::handlers(&services.storage)
    }

    async fn remove(&self, _: &App, storage: &Storage, partner: Id<Partner>) -> Result<(), JobError> {
        storage.remove_partner(partner).await.map_err(JobError::retry)
    }
}
