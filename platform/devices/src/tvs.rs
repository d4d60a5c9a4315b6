//! Guest TVs: the settings of a display for guests, and the address that opens it. See
//! `docs/decisions/devices.md#guest-tvs`.

use access::{App, prelude::*};
use kernel::{DeviceKind, ids::Images};
use media::{Picture, PictureStore, Pictured, Sent, USUAL};
use poem::web::Data;
use sea_orm::Select;
use serde_json::json;

use crate::{store, types::Devices};

pub struct RestaurantTvs;

kernel::resource!(RestaurantTvs, "restaurant_tvs", "RESTAURANT_TV");

#[derive(Debug, Clone, DeriveEntityModel)]
#[sea_orm(table_name = "restaurant_tv")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<RestaurantTvs>,
    pub restaurant_id: Id<Restaurant>,
    pub name: String,
    pub background_color: String,
    pub background_id: Option<Id<Images>>,
    pub enable_sound: bool,
    pub sit_in_order: bool,
    pub take_away_order: bool,
    pub online_order: bool,
    pub phone_order: bool,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

entity!();

/// A display that shows guests the numbers of their orders.
#[derive(Debug, Clone, Object)]
pub struct RestaurantTv {
    id: Id<RestaurantTvs>,
    name: String,
    /// `#rrggbb`.
    background_color: String,
    /// A picture of the restaurant; the display lays a veil of the colour over it.
    background_id: Option<Id<Images>>,
    /// Addresses of that picture.
    background: Option<Picture>,
    /// It chimes when an order becomes ready.
    enable_sound: bool,
    /// Shows orders taken at tables and at kiosks for eating there.
    sit_in_order: bool,
    /// Shows orders taken at the till and at kiosks for taking away.
    take_away_order: bool,
    /// Shows orders of web and apps that guests fetch.
    online_order: bool,
    /// Shows orders taken by phone that guests fetch.
    phone_order: bool,
    /// Opens the display, without signing in. Whoever has it sees the numbers, nothing else.
    tv_url: Option<String>,
    /// The public token in `tv_url`.
    api_key: Option<String>,
    version: i64,
    archived_at: Option<Timestamp>,
}

#[derive(Debug, Object)]
struct NewRestaurantTv {
    #[oai(validator(max_length = 80))]
    name: String,
    #[oai(validator(pattern = "^#[0-9a-fA-F]{6}$"))]
    background_color: Option<String>,
    background_id: Option<Id<Images>>,
    #[oai(default = "rows::yes")]
    enable_sound: bool,
    #[oai(default = "rows::yes")]
    sit_in_order: bool,
    #[oai(default = "rows::yes")]
    take_away_order: bool,
    #[oai(default = "rows::yes")]
    online_order: bool,
    #[oai(default = "rows::yes")]
    phone_order: bool,
}

#[derive(Debug, Object)]
struct RestaurantTvChange {
    #[oai(validator(min_length = 1, max_length = 80))]
    name: Option<String>,
    #[oai(validator(pattern = "^#[0-9a-fA-F]{6}$"))]
    background_color: Option<String>,
    background_id: Clearable<Id<Images>>,
    enable_sound: Option<bool>,
    sit_in_order: Option<bool>,
    take_away_order: Option<bool>,
    online_order: Option<bool>,
    phone_order: Option<bool>,
    version: Option<i64>,
}

/// A guest TV in short, for choosing.
#[derive(Debug, Object)]
struct RestaurantTvShort {
    id: Id<RestaurantTvs>,
    name: String,
}

impl Pictured for NewRestaurantTv {
    const PICTURES: &'static [&'static str] = &["background"];
    const LARGEST: u64 = USUAL;
}

impl Pictured for RestaurantTvChange {
    const PICTURES: &'static [&'static str] = &["background"];
    const LARGEST: u64 = USUAL;
}

type Here = In<Restaurant, OfFeature<feature::Tv, perm::Tv>>;

impl rows::Table for Entity {
    type Of = RestaurantTvs;
    type Tx = TenantTx;
    type Answer = RestaurantTv;
    const HOME: rows::Home = rows::Home::Restaurant;
    const DERIVED: &'static [&'static str] = &["background"];
    // The address is kept sealed, beside the stored answer and not in it.
    const SECRET: &'static [&'static str] = &["tv_url", "api_key"];

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::alphabetic(found, Column::Name)
    }

    // A guest TV is opened as a device of its name. Displays that show it follow within a second.
    async fn after(rows: &rows::Rows<'_>, change: rows::Change<'_, Model>) -> Result<()> {
        let (tx, restaurant) = (rows.tx(), rows.restaurant()?);
        match change {
            rows::Change::Changed(before, after) if before.name != after.name => {
                let linked = store::linked(rows.app(), tx, restaurant, Some(after.id.uuid())).await?;
                if let Some(linked) = linked.first() {
                    store::rename(tx, linked.device, &after.name).await?;
                }
            }
            rows::Change::Removed(id) => return store::revoke_all(tx, restaurant, id).await,
            rows::Change::Created(_) | rows::Change::Changed(..) | rows::Change::Ranked => {}
        }
        store::notify(tx, restaurant).await
    }
}

impl rows::Answer<Entity> for RestaurantTv {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let (app, tx) = (rows.app(), rows.tx());
        let ids = found.iter().filter_map(|tv| tv.background_id.map(Id::uuid)).collect::<Vec<_>>();
        let pictures = media::pictures(tx, &app.settings.objects.public_url, ids).await?;
        let one = <[Model; 1]>::try_from(found.clone()).ok().map(|[tv]| tv.id.uuid());
        let mut linked = store::linked(app, tx, rows.restaurant()?, one).await?;
        let answers = found.into_iter().map(|tv| {
            let own =
                linked.iter().position(|one| one.subject == tv.id.uuid()).map(|at| linked.swap_remove(at));
            let secret = own.and_then(|own| own.secret);
            let background = tv.background_id.and_then(|id| pictures.get(&id.uuid()).cloned());
            answer(app, tv, secret, background)
        });
        Ok(answers.collect())
    }
}

fn answer(app: &App, tv: Model, secret: Option<String>, background: Option<Picture>) -> RestaurantTv {
    // Behind the `#` it stands in no log on the way.
    let page = app.settings.public_url.join("tv").ok();
    RestaurantTv {
        id: tv.id,
        name: tv.name,
        background_color: tv.background_color,
        background_id: tv.background_id,
        background,
        enable_sound: tv.enable_sound,
        sit_in_order: tv.sit_in_order,
        take_away_order: tv.take_away_order,
        online_order: tv.online_order,
        phone_order: tv.phone_order,
        tv_url: page.zip(secret.as_ref()).map(|(page, secret)| format!("{page}#{secret}")),
        api_key: secret,
        version: tv.version,
        archived_at: tv.archived_at,
    }
}

/// Gives a guest TV the device by whose address it is opened.
async fn link_device(rows: &rows::Rows<'_>, tv: Id<RestaurantTvs>, name: &str) -> Result<()> {
    let (tx, restaurant) = (rows.tx(), rows.restaurant()?);
    let device = Id::<Devices>::new();
    store::create(tx, restaurant, device, DeviceKind::GuestTv, name, Some(tv.uuid())).await?;
    store::link(rows.app(), tx, device).await?;
    Ok(())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/restaurant-tvs",
    tag = "Tag::Devices"
)]
impl RestaurantTvs {
    /// The restaurant's guest TVs by name.
    #[oai(path = "/", method = "get", operation_id = "restaurant_tvs_list")]
    async fn list(
        &self, scope: Here, name: QueryParam<String>, paging: Unpaged,
    ) -> Result<Page<RestaurantTv>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        rows.list(rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref()), paging).await
    }

    /// Guest TVs in short, for choosing.
    #[oai(path = "/picker", method = "get", operation_id = "restaurant_tvs_pick")]
    async fn pick(
        &self, scope: In<Restaurant, AnyOf<(perm::Tv, perm::AdminTable)>>, paging: Unpaged,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
    ) -> Result<Page<RestaurantTvShort>> {
        let tx = scope.begin().await?;
        let found = rows::named(scope.rows(&tx).live::<Entity>()?, Column::Name, name.as_deref());
        let found = rows::whole(&tx, rows::alphabetic(found, Column::Name)?, paging).await?;
        Ok(found.map(|tv| RestaurantTvShort { id: tv.id, name: tv.name }))
    }

    /// One guest TV.
    ///
    /// codes: RESTAURANT_TV_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "restaurant_tvs_get")]
    async fn get(&self, scope: Here, id: Path<Id<RestaurantTvs>>) -> Result<Json<RestaurantTv>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds a guest TV, with the address that opens it.
    ///
    /// A form (`multipart/form-data`) brings the picture `background` along: each field is a part of its
    /// name. Such a picture is added to the media of the restaurant.
    ///
    /// codes: TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED, BAD_REQUEST, IMAGE_INVALID, STORAGE_UNAVAILABLE,
    /// UNAVAILABLE_SERVER
    #[oai(path = "/", method = "post", operation_id = "restaurant_tvs_create")]
    async fn create(
        &self, scope: Here, picture_store: Data<&PictureStore>, key: IdempotencyKey,
        body: Sent<NewRestaurantTv>,
    ) -> Result<Stored<RestaurantTv>> {
        let (raw, new, mut sent) = body.store(&scope, &picture_store).await?;
        let NewRestaurantTv {
            name,
            background_color,
            background_id,
            enable_sound,
            sit_in_order,
            take_away_order,
            online_order,
            phone_order,
        } = new;
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        let rows = scope.rows(&tx);
        let row = async {
            let background_id = sent.take(&scope, &tx, "background", &name).await?.or(background_id);
            Problem::new(Code::VALIDATION_FAILED)
                .keys(media::missing(&tx, restaurant, "background_id", background_id).await?)
                .if_any()?;
            let id = Id::new();
            link_device(&rows, id, &name).await?;
            let mut row = ActiveModel { id: Set(id), ..ActiveModel::new() };
            fill!(row: name, background_color, background_id, enable_sound, sit_in_order);
            fill!(row: take_away_order, online_order, phone_order);
            Ok(row)
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a guest TV; displays that show it follow within a second.
    ///
    /// A form (`multipart/form-data`) brings the picture `background` along: each field is a part of its
    /// name. Such a picture is added to the media of the restaurant; an empty part, or `null` in JSON, takes
    /// the present one away.
    ///
    /// codes: RESTAURANT_TV_NOT_EXIST, CONFLICT, TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED, BAD_REQUEST,
    /// IMAGE_INVALID, STORAGE_UNAVAILABLE, UNAVAILABLE_SERVER
    #[oai(path = "/:id", method = "put", operation_id = "restaurant_tvs_update")]
    async fn update(
        &self, scope: Here, picture_store: Data<&PictureStore>, id: Path<Id<RestaurantTvs>>,
        body: Sent<RestaurantTvChange>,
    ) -> Result<Json<RestaurantTv>> {
        let (_, change, mut sent) = body.store(&scope, &picture_store).await?;
        let RestaurantTvChange {
            name,
            background_color,
            mut background_id,
            enable_sound,
            sit_in_order,
            take_away_order,
            online_order,
            phone_order,
            version,
        } = change;
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        let rows = scope.rows(&tx);
        let mut edit = rows.edit_version::<Entity>(*id, version).await?;
        let name_then = name.as_deref().unwrap_or(&edit.before.name);
        if let Some(picture) = sent.take(&scope, &tx, "background", name_then).await? {
            background_id = Clearable::Value(picture);
        }
        let shown = background_id.value().copied();
        Problem::new(Code::VALIDATION_FAILED)
            .keys(media::missing(&tx, restaurant, "background_id", shown).await?)
            .if_any()?;
        apply!(edit.row: name, background_color, background_id, enable_sound, sit_in_order);
        apply!(edit.row: take_away_order, online_order, phone_order);
        let answer = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(answer))
    }

    /// Gives a guest TV another address. What was opened with the one before goes dark within a second.
    ///
    /// codes: RESTAURANT_TV_NOT_EXIST
    #[oai(path = "/:id/address", method = "post", operation_id = "restaurant_tvs_rotate")]
    async fn rotate(&self, scope: Here, id: Path<Id<RestaurantTvs>>) -> Result<Json<RestaurantTv>> {
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        let rows = scope.rows(&tx);
        let tv = rows.lock::<Entity>(*id).await?;
        match store::linked(scope.app(), &tx, restaurant, Some(id.uuid())).await?.pop() {
            Some(linked) => drop(store::link(scope.app(), &tx, linked.device).await?),
            // Its device was revoked, or the partner was restored without its devices.
            None => link_device(&rows, *id, &tv.name).await?,
        }
        scope.audit(&tx, Some(restaurant.uuid()), "restaurant_tvs_rotate", *id, json!({})).await?;
        store::notify(&tx, restaurant).await?;
        let answer = rows.answer::<Entity>(tv).await?;
        tx.commit().await?;
        Ok(Json(answer))
    }

    /// Archives a guest TV; what shows it goes dark.
    ///
    /// codes: RESTAURANT_TV_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "restaurant_tvs_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<RestaurantTvs>>) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
