//! Operations on pictures.

use access::{Idempotency, prelude::*};
use kernel::{
    form::{Upload, check_name},
    ids::Images,
};
use poem::web::Data;
use serde_json::json;

use crate::{
    jobs,
    picture_store::PictureStore,
    pictures::{self, LARGEST, Picture, StoredPicture, USUAL},
    store::{self, Entity, Model, Use},
    upload::SentImage,
};

pub(crate) struct ImagesApi;

/// A picture of the restaurant.
#[derive(Debug, Object)]
struct Image {
    id: Id<Images>,
    restaurant_id: Id<Restaurant>,
    name: String,
    /// Addresses of its sizes, open to everybody.
    image: Picture,
    /// Of the largest size, in pixels.
    width: i32,
    /// Of the largest size, in pixels.
    height: i32,
    /// Of all sizes together, in bytes.
    bytes: i64,
    /// Whether third parties may read it with an API key.
    is_public: bool,
    /// What shows it; it can be removed when nothing does.
    used_by: Vec<Use>,
    created_at: Timestamp,
    version: i64,
}

fn answer<P>(scope: &In<Restaurant, P>, row: &Model, used_by: Vec<Use>) -> Image {
    let Model { id, restaurant_id, name, token, created_at, version, .. } = row.clone();
    let Model { width, height, bytes, is_public, .. } = *row;
    let image = Picture::new(&scope.app().settings.objects.public_url, scope.partner(), &token);
    Image { id, restaurant_id, name, image, width, height, bytes, is_public, used_by, created_at, version }
}

/// The permission for managing pictures, and those of screens that choose one.
type PictureUsers = AnyOf<(perm::DepotRecipe, perm::CatalogEdit, perm::Tv)>;

/// Makes the sizes and puts them into the store.
async fn put<P>(
    scope: &In<Restaurant, P>, pictures: &PictureStore, upload: Upload, catalogue: bool,
) -> Result<StoredPicture> {
    let limit = if catalogue { LARGEST } else { USUAL };
    if upload.bytes > limit {
        return Err(Problem::new(Code::TOO_LARGE)
            .detail(format!("at most {limit} bytes"))
            .key("image", Fault::Max));
    }
    pictures.store(scope, upload.file).await
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/images",
    tag = "Tag::Content"
)]
impl ImagesApi {
    /// The pictures of the restaurant, newest first.
    #[oai(path = "/", method = "get", operation_id = "images_list")]
    async fn list(
        &self, scope: In<Restaurant, PictureUsers>, paging: Paging,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
        /// Only those that nothing shows.
        unused: QueryParam<bool>,
    ) -> Result<Page<Image>> {
        let tx = scope.begin().await?;
        let page = rows::page(
            &tx,
            store::found(scope.restaurant(), name.as_deref(), unused.0 == Some(true))?,
            paging,
        )
        .await?;
        let mut uses = store::uses(&tx, page.rows.iter().map(|row| row.id)).await?;
        Ok(page.map(|row| answer(&scope, &row, uses.remove(&row.id.uuid()).unwrap_or_default())))
    }

    /// One picture.
    ///
    /// codes: IMAGE_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "images_get")]
    async fn get(&self, scope: In<Restaurant, PictureUsers>, id: Path<Id<Images>>) -> Result<Json<Image>> {
        let tx = scope.begin().await?;
        let row = rows::find::<Entity, _>(&tx, scope.restaurant(), *id).await?;
        let uses = store::uses(&tx, [row.id]).await?.remove(&row.id.uuid());
        Ok(Json(answer(&scope, &row, uses.unwrap_or_default())))
    }

    /// Adds a picture: JPEG, PNG, WebP or GIF, at most 10 MB and 40 megapixels.
    ///
    /// It is made anew in three sizes, upright and without what the camera wrote into it.
    ///
    /// codes: TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED, BAD_REQUEST, VALIDATION_FAILED, IMAGE_INVALID,
    /// STORAGE_UNAVAILABLE, UNAVAILABLE_SERVER
    #[oai(path = "/", method = "post", operation_id = "images_create")]
    async fn create(
        &self, scope: In<Restaurant, PictureUsers>, storage: Data<&PictureStore>,
        /// It is for the menu, where up to 15,000,000 bytes are taken.
        catalogue: QueryParam<bool>,
        key: IdempotencyKey, form: SentImage<true>,
    ) -> Result<Stored<Image>> {
        let (problem, name) = check_name(Problem::new(Code::VALIDATION_FAILED), "name", form.name.as_deref());
        let upload = form.image;
        let problem = if upload.is_none() { problem.key("image", Fault::Required) } else { problem };
        problem.if_any()?;
        let Some(upload) = upload else { return Err(Code::BAD_REQUEST.into()) };
        let stored = put(&scope, &storage, upload, catalogue.0 == Some(true)).await?;
        let raw = json!({"name": name, "image": hex::encode(&stored.hash)});
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "images_create", &raw).await? {
            Idempotency::First(first) => first,
            // The objects of this repetition go with the sweep.
            Idempotency::Replay(answer) => return Ok(answer),
        };
        let id = pictures::add(&scope, &tx, &name, stored).await?;
        let row = rows::find::<Entity, _>(&tx, scope.restaurant(), id).await?;
        let answer = Stored::new(201, &answer(&scope, &row, vec![]));
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Renames a picture, shows it to third parties or no longer, or puts another in its place wherever it is
    /// shown.
    ///
    /// codes: IMAGE_NOT_EXIST, CONFLICT, TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED, BAD_REQUEST, VALIDATION_FAILED,
    /// IMAGE_INVALID, STORAGE_UNAVAILABLE, UNAVAILABLE_SERVER
    #[oai(path = "/:id", method = "put", operation_id = "images_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::DepotRecipe>, storage: Data<&PictureStore>, id: Path<Id<Images>>,
        form: SentImage,
    ) -> Result<Json<Image>> {
        let SentImage { name, image, is_public, version } = form;
        let tx = scope.begin().await?;
        let row = rows::find::<Entity, _>(&tx, scope.restaurant(), *id).await?;
        let name = match name {
            Some(name) => {
                let (problem, name) = check_name(Problem::new(Code::VALIDATION_FAILED), "name", Some(&name));
                problem.if_any()?;
                Some(name)
            }
            None => None,
        };
        let logged = rows::Logged::of(*id);
        rows::check_version(&tx, version, row.version, &answer(&scope, &row, vec![]), logged).await?;
        drop(tx);
        let stored = match image {
            Some(upload) => Some(put(&scope, &storage, upload, true).await?),
            None => None,
        };
        let tx = scope.begin().await?;
        let before = rows::lock::<Entity, _>(&tx, scope.restaurant(), *id).await?;
        let mut uses = store::uses(&tx, [before.id]).await?;
        let used_by = uses.remove(&before.id.uuid()).unwrap_or_default();
        let current = answer(&scope, &before, used_by.clone());
        rows::check_version(&tx, version, before.version, &current, logged).await?;
        let mut row = before.clone().into_active_model();
        apply!(row: name, is_public);
        let replaced = stored.is_some();
        if let Some(StoredPicture { token, hash, width, height, bytes }) = stored {
            fill!(row: token, hash, width, height, bytes);
        }
        row.version = Set(before.version + 1);
        let after = row.update(&tx).await?;
        let facts = |row: &Model| {
            json!({"name": row.name, "width": row.width, "height": row.height,
            "bytes": row.bytes, "is_public": row.is_public})
        };
        scope
            .audit(
                &tx,
                Some(scope.restaurant().uuid()),
                "images_update",
                *id,
                access::difference(&facts(&before), &facts(&after)),
            )
            .await?;
        if replaced {
            jobs::sweep(&tx, &before.token, false).await?;
            // The menu names the addresses.
            access::menu_changed(&tx, scope.restaurant()).await?;
        }
        tx.commit().await?;
        Ok(Json(answer(&scope, &after, used_by)))
    }

    /// Removes a picture that nothing shows.
    ///
    /// codes: IMAGE_NOT_EXIST, IN_USE
    #[oai(path = "/:id", method = "delete", operation_id = "images_delete")]
    async fn delete(&self, scope: In<Restaurant, perm::DepotRecipe>, id: Path<Id<Images>>) -> Result<Done> {
        let tx = scope.begin().await?;
        let row = rows::lock::<Entity, _>(&tx, scope.restaurant(), *id).await?;
        // Locked: a concurrent choice of this picture waits, and then finds it removed.
        if let Some(uses) = store::uses(&tx, [row.id]).await?.remove(&row.id.uuid()) {
            let names: Vec<&str> = uses.iter().take(5).map(|one| one.name.as_str()).collect();
            return Err(Problem::new(Code::IN_USE).detail(format!("it is shown by {}", names.join(", "))));
        }
        rows::archive::<Entity, _>(&tx, scope.restaurant(), *id).await?;
        let restaurant = Some(scope.restaurant().uuid());
        scope.audit(&tx, restaurant, "images_delete", *id, json!({})).await?;
        jobs::sweep(&tx, &row.token, false).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
