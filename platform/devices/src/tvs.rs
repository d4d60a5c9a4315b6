//! Guest TVs: what a display for guests shows, and the address that opens it.

use access::{Idempotency, prelude::*};
use poem::web::Data;
use poem_openapi::types::ToJSON;
use restaurants::{
    pictured::{Pictured, Sent, USUAL},
    pictures::{self, Images, Picture, PictureKeeper},
};
use serde_json::json;
use uuid::Uuid;

use crate::{
    store::{self, Linked},
    types::{DeviceKind, Devices},
};

pub struct RestaurantTvs;

impl Resource for RestaurantTvs {
    const NAME: &'static str = "restaurant_tvs";
    const ENTITY: &'static str = "RESTAURANT_TV";
}

/// A display that shows guests the numbers of their orders.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "RestaurantTv")]
#[sea_orm(table_name = "restaurant_tv")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<RestaurantTvs>,
    #[oai(skip)]
    pub restaurant_id: Id<Restaurant>,
    pub name: String,
    /// `#rrggbb`.
    pub background_color: String,
    /// A picture of the restaurant; the display lays a veil of the colour over it.
    pub background_id: Option<Id<Images>>,
    /// Addresses of that picture.
    #[sea_orm(ignore)]
    pub background: Option<Picture>,
    /// It chimes when an order becomes ready.
    pub enable_sound: bool,
    /// Shows orders taken at tables and at kiosks for eating there.
    pub sit_in_order: bool,
    /// Shows orders taken at the till and at kiosks for taking away.
    pub take_away_order: bool,
    /// Shows orders of web and apps that guests fetch.
    pub online_order: bool,
    /// Shows orders taken by phone that guests fetch.
    pub phone_order: bool,
    /// Opens the display, without signing in. Whoever has it sees the numbers, nothing else.
    #[sea_orm(ignore)]
    pub tv_url: Option<String>,
    /// The public token in `tv_url`.
    #[sea_orm(ignore)]
    pub api_key: Option<String>,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
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

type RestaurantTv = Model;
entity!();

type Here = In<Restaurant, OfFeature<feature::Tv, perm::Tv>>;

fn address(scope: &Here, secret: Option<String>) -> (Option<String>, Option<String>) {
    // Behind the `#` it stands in no log on the way.
    let page = scope.app().settings.public_url.join("tv").ok();
    (page.zip(secret.as_ref()).map(|(page, secret)| format!("{page}#{secret}")), secret)
}

/// Adds addresses to rows: those that open the displays and those of their pictures.
async fn with_addresses(
    scope: &Here,
    tx: &TenantTx,
    mut tvs: Vec<RestaurantTv>,
    mut linked: Vec<Linked>,
) -> Result<Vec<RestaurantTv>> {
    let ids = tvs.iter().filter_map(|tv| tv.background_id.map(Id::uuid)).collect::<Vec<_>>();
    let pictures = pictures::pictures(tx, &scope.app().settings.objects.public_url, ids).await?;
    for tv in &mut tvs {
        let own = linked.iter().position(|one| one.subject == tv.id.uuid()).map(|at| linked.swap_remove(at));
        (tv.tv_url, tv.api_key) = address(scope, own.and_then(|own| own.secret));
        tv.background = tv.background_id.and_then(|id| pictures.get(&id.uuid()).cloned());
    }
    Ok(tvs)
}

/// The same for one.
async fn with_address(
    scope: &Here,
    tx: &TenantTx,
    tv: RestaurantTv,
    linked: Vec<Linked>,
) -> Result<RestaurantTv> {
    let [tv]: [RestaurantTv; 1] = with_addresses(scope, tx, vec![tv], linked)
        .await?
        .try_into()
        .map_err(|_| Problem::not_exist::<RestaurantTvs>())?;
    Ok(tv)
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/restaurant-tvs",
    tag = "Tag::Devices"
)]
impl RestaurantTvs {
    /// The restaurant's guest TVs by name.
    #[oai(path = "/", method = "get", operation_id = "restaurant_tvs_list")]
    async fn list(
        &self,
        scope: Here,
        name: QueryParam<String>,
        paging: Unpaged,
    ) -> Result<Page<RestaurantTv>> {
        let tx = scope.begin().await?;
        let found = rows::named(rows::live::<Entity>(scope.restaurant())?, Column::Name, name.as_deref());
        let Page { rows, total } = rows::whole(&tx, rows::alphabetic(found, Column::Name)?, paging).await?;
        let linked = store::linked(scope.app(), &tx, scope.restaurant(), None).await?;
        Ok(Page { rows: with_addresses(&scope, &tx, rows, linked).await?, total })
    }

    /// Guest TVs in short, for choosing.
    #[oai(path = "/picker", method = "get", operation_id = "restaurant_tvs_pick")]
    async fn pick(
        &self,
        scope: In<Restaurant, AnyOf<(perm::Tv, perm::AdminTable)>>,
        paging: Unpaged,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
    ) -> Result<Page<RestaurantTvShort>> {
        let tx = scope.begin().await?;
        let found = rows::named(rows::live::<Entity>(scope.restaurant())?, Column::Name, name.as_deref());
        let Page { rows, total } = rows::whole(&tx, rows::alphabetic(found, Column::Name)?, paging).await?;
        Ok(Page {
            rows: rows.into_iter().map(|tv| RestaurantTvShort { id: tv.id, name: tv.name }).collect(),
            total,
        })
    }

    /// One guest TV.
    ///
    /// codes: RESTAURANT_TV_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "restaurant_tvs_get")]
    async fn get(&self, scope: Here, id: Path<Id<RestaurantTvs>>) -> Result<Json<RestaurantTv>> {
        let tx = scope.begin().await?;
        let tv = rows::find::<Entity, _>(&tx, scope.restaurant(), *id).await?;
        let linked = store::linked(scope.app(), &tx, scope.restaurant(), Some(id.uuid())).await?;
        with_address(&scope, &tx, tv, linked).await.map(Json)
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
        &self,
        scope: Here,
        keeper: Data<&PictureKeeper>,
        key: IdempotencyKey,
        body: Sent<NewRestaurantTv>,
    ) -> Result<Stored<RestaurantTv>> {
        let (raw, new, mut sent) = body.keep(&scope, &keeper).await?;
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
        let called = name.clone();
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        let (answer, id, background_id) = match key.begin(&scope, &tx, RestaurantTvs::NAME, &raw).await? {
            Idempotency::Replay(answer) => {
                let known = |name: &str| answer.field(name).as_str().and_then(|id| id.parse::<Uuid>().ok());
                let (id, background_id) = (known("id"), known("background_id"));
                (answer, id, background_id)
            }
            Idempotency::First(first) => {
                let background_id = sent.take(&scope, &tx, "background", &name).await?.or(background_id);
                Problem::new(Code::VALIDATION_FAILED)
                    .keys(pictures::missing(&tx, restaurant, "background_id", background_id).await?)
                    .if_any()?;
                let id = Id::<RestaurantTvs>::new();
                let mut row =
                    ActiveModel { id: Set(id), restaurant_id: Set(restaurant), ..ActiveModel::new() };
                fill!(row: name, background_color, background_id, enable_sound, sit_in_order, take_away_order, online_order, phone_order);
                let tv = row.insert(&tx).await?;
                let details = access::difference(&json!({}), &tv.to_json().unwrap_or_default());
                scope.audit(&tx, Some(restaurant.uuid()), "restaurant_tvs_create", id, details).await?;
                let answer = Stored::new(201, &tv);
                first.keep(&tx, &answer).await?;
                (answer, Some(id.uuid()), background_id.map(Id::uuid))
            }
        };
        // The address is kept sealed, beside the stored answer and not in it.
        let secret = match store::linked(scope.app(), &tx, restaurant, id).await?.pop() {
            Some(known) => known.secret,
            None => {
                let device = Id::<Devices>::new();
                store::create(&tx, restaurant, device, DeviceKind::GuestTv, &called, id).await?;
                Some(store::link(scope.app(), &tx, device).await?)
            }
        };
        let background = pictures::pictures(&tx, &scope.app().settings.objects.public_url, background_id)
            .await?
            .into_values()
            .next();
        store::tell(&tx, restaurant).await?;
        tx.commit().await?;
        let (tv_url, api_key) = address(&scope, secret);
        Ok(answer.with([
            ("tv_url", json!(tv_url)),
            ("api_key", json!(api_key)),
            ("background", background.to_json().unwrap_or_default()),
        ]))
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
        &self,
        scope: Here,
        keeper: Data<&PictureKeeper>,
        id: Path<Id<RestaurantTvs>>,
        body: Sent<RestaurantTvChange>,
    ) -> Result<Json<RestaurantTv>> {
        let (_, change, mut sent) = body.keep(&scope, &keeper).await?;
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
        let before = rows::lock::<Entity, _>(&tx, restaurant, *id).await?;
        let linked = store::linked(scope.app(), &tx, restaurant, Some(id.uuid())).await?;
        let device = linked.first().map(|linked| linked.device);
        if version.is_some_and(|version| version != before.version) {
            let current = with_address(&scope, &tx, before, linked).await?;
            return Err(Problem::new(Code::CONFLICT).with("current", current.to_json().unwrap_or_default()));
        }
        if let Some(picture) =
            sent.take(&scope, &tx, "background", name.as_deref().unwrap_or(&before.name)).await?
        {
            background_id = Clearable::Value(picture);
        }
        let shown = background_id.value().copied();
        Problem::new(Code::VALIDATION_FAILED)
            .keys(pictures::missing(&tx, restaurant, "background_id", shown).await?)
            .if_any()?;
        let mut row = before.clone().into_active_model();
        apply!(row: name, background_color, background_id, enable_sound, sit_in_order, take_away_order, online_order, phone_order);
        let after = rows::change::<RestaurantTvs, _, _>(&tx, &scope, &before, row).await?;
        if let Some(device) = device.filter(|_| after.name != before.name) {
            store::rename(&tx, device, &after.name).await?;
        }
        store::tell(&tx, restaurant).await?;
        let answer = with_address(&scope, &tx, after, linked).await?;
        tx.commit().await?;
        Ok(Json(answer))
    }

    /// Gives a guest TV another address. What was opened with the one before goes dark within a second.
    ///
    /// codes: RESTAURANT_TV_NOT_EXIST
    #[oai(path = "/:id/address", method = "post", operation_id = "restaurant_tvs_rotate")]
    async fn rotate(&self, scope: Here, id: Path<Id<RestaurantTvs>>) -> Result<Json<RestaurantTv>> {
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        let tv = rows::lock::<Entity, _>(&tx, restaurant, *id).await?;
        let device = match store::linked(scope.app(), &tx, restaurant, Some(id.uuid())).await?.pop() {
            Some(known) => known.device,
            // Its device was revoked, or the partner was restored without its devices.
            None => {
                let device = Id::<Devices>::new();
                store::create(&tx, restaurant, device, DeviceKind::GuestTv, &tv.name, Some(id.uuid()))
                    .await?;
                device
            }
        };
        let secret = store::link(scope.app(), &tx, device).await?;
        scope.audit(&tx, Some(restaurant.uuid()), "restaurant_tvs_rotate", *id, json!({})).await?;
        store::tell(&tx, restaurant).await?;
        let mut tv = with_address(&scope, &tx, tv, vec![]).await?;
        tx.commit().await?;
        (tv.tv_url, tv.api_key) = address(&scope, Some(secret));
        Ok(Json(tv))
    }

    /// Archives a guest TV; what shows it goes dark.
    ///
    /// codes: RESTAURANT_TV_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "restaurant_tvs_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<RestaurantTvs>>) -> Result<Done> {
        let tx = scope.begin().await?;
        rows::remove::<Entity, _, _>(&tx, &scope, *id).await?;
        store::revoke_all(&tx, scope.restaurant(), id.uuid()).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
