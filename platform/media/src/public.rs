//! The pictures that a restaurant shows to third parties.

use access::{answers::Tagged, prelude::*};
use kernel::ids::Images;
use poem_openapi::{param::Header, types::Example};
use uuid::Uuid;

use crate::{pictures::Picture, store};

pub(crate) struct PublicImages;

/// A picture that the restaurant has marked as public.
#[derive(Debug, Object)]
#[oai(example)]
struct PublicImage {
    id: Id<Images>,
    name: String,
    /// Addresses of its sizes, open to everybody. A picture that is replaced gets others.
    image: Picture,
    /// Of the largest size, in pixels.
    width: i32,
    /// Of the largest size, in pixels.
    height: i32,
}

impl Example for PublicImage {
    fn example() -> Self {
        let address = |size: &str| {
            format!("https://pictures.example/public/1/0123456789abcdef0123456789abcdef/{size}.webp")
        };
        Self {
            id: Id::from_uuid(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0501)),
            name: "Terasz".to_owned(),
            image: Picture {
                original: address("original"),
                medium: address("medium"),
                small: address("small"),
            },
            width: 2048,
            height: 1365,
        }
    }
}

#[OpenApi(
    prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/images",
    tag = "Tag::Public"
)]
impl PublicImages {
    /// The restaurant's pictures that are marked as public, newest first.
    ///
    /// Pictures of products and categories stand in the menu. Send the `ETag` back as `If-None-Match`: as
    /// long as nothing has changed the answer is 304 without a body.
    #[oai(path = "/", method = "get", operation_id = "public_images_list")]
    async fn list(
        &self, scope: In<Public, perm::MenuRead>,
        /// ETags of copies that the client has.
        #[oai(name = "If-None-Match")]
        known: Header<Option<String>>,
    ) -> Result<Tagged<Vec<PublicImage>>> {
        let tx = scope.begin().await?;
        let base = &scope.app().settings.objects.public_url;
        let images = store::public(&tx, scope.restaurant()).await?.into_iter().map(|row| PublicImage {
            image: Picture::new(base, scope.partner(), &row.token),
            id: row.id,
            name: row.name,
            width: row.width,
            height: row.height,
        });
        Ok(Tagged::new(&images.collect(), known.as_deref()))
    }
}
