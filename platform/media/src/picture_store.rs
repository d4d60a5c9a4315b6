//! Makes the sizes of an uploaded picture and puts them into the object store. See
//! `docs/decisions/media.md#sizes`.

use std::{io::Read, sync::LazyLock, thread::available_parallelism, time::Duration};

use access::prelude::*;
use futures_util::future::try_join_all;
use object_storage::Storage;
use rand::RngCore;
use tokio::{fs::File, sync::Semaphore, task::spawn_blocking, time::timeout};

use crate::{
    jobs,
    pictures::{StoredPicture, key},
};

/// A picture in its three sizes.
#[derive(Debug)]
pub struct EncodedPicture {
    /// SHA-256 of the upload.
    pub hash: Vec<u8>,
    /// Of the largest size, in pixels.
    pub width: u32,
    /// Of the largest size, in pixels.
    pub height: u32,
    /// WebP files by the names of [`crate::SIZES`].
    pub sizes: Vec<(&'static str, Vec<u8>)>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is no picture, or of a format that is not taken.
    Format,
    Picture(String),
}

/// Checks an upload and makes its sizes. It occupies the thread for up to seconds.
pub type Encode = fn(&[u8]) -> Result<EncodedPicture, Refusal>;

/// Half of the processors, at most four: a picture of 40 megapixels holds 160 MB while it is made.
static ENCODING: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new((available_parallelism().map_or(1, usize::from) / 2).clamp(1, 4)));
/// A longer wait is answered with a request to try again.
const PATIENCE: Duration = Duration::from_secs(15);
/// The sizes of a picture.
pub(crate) const CONTENT_TYPE: &str = "image/webp";

/// Stores pictures for every crate that takes them. The codec comes from the server as a plain function, so
/// that no domain crate is compiled after it.
#[derive(Clone, Debug)]
pub struct PictureStore {
    storage: Storage,
    encode: Encode,
}

impl PictureStore {
    /// Puts what this codec makes into this store.
    #[must_use]
    pub fn new(storage: Storage, encode: Encode) -> Self {
        Self { storage, encode }
    }

    /// Makes and stores a picture for a resource of the restaurant. No transaction is open meanwhile. When no
    /// row comes to name the picture, its objects are removed after an hour.
    /// Errors: `MEDIA_TYPE_NOT_SUPPORTED`, `IMAGE_INVALID`, `STORAGE_UNAVAILABLE`, `UNAVAILABLE_SERVER`.
    pub(crate) async fn store<P>(&self, scope: &In<Restaurant, P>, file: File) -> Result<StoredPicture> {
        let picture = self.encode(file).await?;
        let mut random = [0_u8; 16];
        rand::rng().fill_bytes(&mut random);
        let token = hex::encode(random);
        let tx = scope.begin().await?;
        jobs::sweep(&tx, &token, true).await?;
        tx.commit().await?;
        let bytes = picture.sizes.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        let puts = picture.sizes.into_iter().map(|(size, bytes)| {
            let key = key(scope.partner(), &token, size);
            async move { self.storage.put(&key, CONTENT_TYPE, bytes).await }
        });
        try_join_all(puts).await?;
        let fits = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        Ok(StoredPicture {
            token,
            hash: picture.hash,
            width: fits(picture.width),
            height: fits(picture.height),
            bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
        })
    }

    /// Makes the sizes on a blocking thread, few pictures at a time.
    async fn encode(&self, upload: File) -> Result<EncodedPicture> {
        let busy =
            || Problem::new(Code::UNAVAILABLE_SERVER).detail("too many pictures at once").retry_after(5);
        let permit = timeout(PATIENCE, ENCODING.acquire()).await.map_err(|_| busy())?.map_err(|_| busy())?;
        let (upload, encode) = (upload.into_std().await, self.encode);
        // The permit goes with the work: a request that is given up does not make room for another picture.
        let encoded = spawn_blocking(move || {
            let _permit = permit;
            read_and_encode(upload, encode)
        });
        encoded.await.unwrap_or_else(|error| {
            // A decoder that panics is answered as one that refuses.
            tracing::error!(%error, "a picture could not be made");
            Err(refused(Refusal::Picture("the picture cannot be read".to_owned())))
        })
    }
}

/// Reads the upload only now: those who wait hold no memory.
fn read_and_encode(mut upload: std::fs::File, encode: Encode) -> Result<EncodedPicture> {
    let mut bytes = Vec::new();
    upload.read_to_end(&mut bytes).map_err(|error| {
        tracing::error!(%error, "an upload cannot be read again");
        Problem::new(Code::UNKNOWN_ERROR)
    })?;
    encode(&bytes).map_err(refused)
}

fn refused(refusal: Refusal) -> Problem {
    match refusal {
        Refusal::Format => Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED)
            .detail("send a JPEG, PNG, WebP or GIF")
            .key("image", Fault::Type),
        Refusal::Picture(what) => Problem::new(Code::IMAGE_INVALID).detail(what).key("image", Fault::Invalid),
    }
}
