//! Operations on categories.

use std::collections::HashMap;

use access::{Idempotency, Stored, prelude::*};
use kernel::ids::Images;
use media::{PictureStore, Sent};
use poem::web::Data;
use sea_orm::{IntoActiveModel, TryIntoModel};
use uuid::Uuid;

use super::{
    ProductCategories,
    change::ranges,
    entity::{ActiveModel, Entity, Model},
    rules::{Placement, window_fault},
    store::{self, Counts, Filter},
    types::{NewProductCategory, ProductCategory, ProductCategoryChange, ProductCategoryRanking},
};
use crate::{
    changes,
    effective::{ValueOrigin, effective},
    product_category_upsells, products,
    reference::ReferenceData,
    restaurant_defaults::{RestaurantDefaults, touched},
    text,
};

/// Data that answers about categories need beside their rows.
struct CategoryContext {
    all: HashMap<Uuid, Model>,
    counts: HashMap<Uuid, Counts>,
    defaults: RestaurantDefaults,
}

impl CategoryContext {
    async fn load(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Self> {
        let all = store::all(tx, restaurant).await?;
        Ok(Self {
            all,
            counts: store::counts(tx, restaurant).await?,
            defaults: RestaurantDefaults::load(tx, restaurant).await?,
        })
    }

    fn counts(&self, id: Id<ProductCategories>) -> Counts {
        self.counts.get(&id.uuid()).copied().unwrap_or_default()
    }

    fn answer(&self, row: Model) -> ProductCategory {
        let parent = row.parent_id.and_then(|id| self.all.get(&id.uuid()));
        let levels: Vec<_> = std::iter::once((ValueOrigin::Category, row.own()))
            .chain(parent.map(|parent| (ValueOrigin::ParentCategory, parent.own())))
            .collect();
        let Counts { children, products } = self.counts(row.id);
        ProductCategory {
            effective: effective(&levels, &self.defaults),
            own: row.inheritable(),
            id: row.id,
            parent_id: row.parent_id,
            name: row.name,
            name_sec_lang: row.name_sec_lang,
            description: row.description,
            description_sec_lang: row.description_sec_lang,
            ranking: row.ranking,
            active: row.active,
            archived_at: row.archived_at,
            available_from: row.available_from,
            available_to: row.available_to,
            expected_at: row.expected_at,
            time_ranges: row.time_ranges.map(|ranges| ranges.0),
            ntak_category_id: row.ntak_category_id,
            ntak_quantity_unit: row.ntak_quantity_unit,
            pos_color_id: row.pos_color_id,
            image_web_id: row.image_web_id,
            image_web: None,
            image_app_id: row.image_app_id,
            image_app: None,
            image_desc_id: row.image_desc_id,
            image_desc: None,
            origin_id: row.origin_id,
            version: row.version,
            children_count: children,
            product_count: products,
            products: None,
        }
    }

    /// Adds the addresses of the pictures, with one statement for all.
    async fn pictured<S: Scope, P>(
        scope: &In<S, P>, tx: &TenantTx, categories: &mut [ProductCategory],
    ) -> Result<()> {
        let ids = categories
            .iter()
            .flat_map(|row| [row.image_web_id, row.image_app_id, row.image_desc_id])
            .flatten()
            .map(Id::uuid);
        let found =
            media::pictures(tx, &scope.app().settings.objects.public_url, ids.collect::<Vec<_>>()).await?;
        let of = |id: Option<Id<Images>>| id.and_then(|id| found.get(&id.uuid()).cloned());
        for row in categories {
            (row.image_web, row.image_app, row.image_desc) =
                (of(row.image_web_id), of(row.image_app_id), of(row.image_desc_id));
        }
        Ok(())
    }

    /// One category with the addresses of its pictures.
    async fn full<S: Scope, P>(
        &self, scope: &In<S, P>, tx: &TenantTx, row: Model,
    ) -> Result<ProductCategory> {
        let mut answer = self.answer(row);
        Self::pictured(scope, tx, std::slice::from_mut(&mut answer)).await?;
        Ok(answer)
    }

    /// Names `parent_id` when the category may not stand below it. The parent was locked with the category.
    fn place(
        &self, problem: Problem, category: Option<Id<ProductCategories>>, parent: Id<ProductCategories>,
        locked: &HashMap<Uuid, Model>,
    ) -> Problem {
        let Some(row) = locked.get(&parent.uuid()) else {
            return problem.key("parent_id", Fault::NotExist);
        };
        let placement = Placement {
            itself: category == Some(parent),
            parent_is_child: row.parent_id.is_some(),
            parent_has_products: self.counts(parent).products > 0,
            has_children: category.is_some_and(|category| self.counts(category).children > 0),
        };
        match placement.refusal() {
            Some(reason) => problem.detail(reason).key("parent_id", Fault::Invalid),
            None => problem,
        }
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/product-categories",
    tag = "Tag::Catalogue"
)]
impl ProductCategories {
    /// The categories of the menu: top-level ones first, then by parent; within a parent by ranking.
    #[oai(path = "/", method = "get", operation_id = "product_categories_list")]
    #[allow(clippy::too_many_arguments, reason = "one per query parameter")]
    async fn list(
        &self, scope: In<Restaurant, AnyOf<(perm::Order, perm::Discount)>>, paging: Unpaged,
        /// Only those directly below this one.
        parent_id: QueryParam<Id<ProductCategories>>,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
        /// Only those with a product whose name holds this; accents and case ignored.
        product_name: QueryParam<String>,
        /// Each category with its products.
        all_products: QueryParam<bool>,
    ) -> Result<Page<ProductCategory>> {
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let filter = Filter { parent_id: parent_id.0, name: name.0, product_name: product_name.0 };
        let page = rows::whole(&tx, store::filtered(restaurant, &filter)?, paging).await?;
        let around = CategoryContext::load(&tx, restaurant).await?;
        let mut page = page.map(|row| around.answer(row));
        CategoryContext::pictured(&scope, &tx, &mut page.rows).await?;
        if all_products.0 == Some(true) {
            let mut products = products::by_category(&tx, restaurant, &around.all, &around.defaults).await?;
            for category in &mut page.rows {
                category.products = Some(products.remove(&category.id.uuid()).unwrap_or_default());
            }
            products::pictured(
                &scope,
                &tx,
                page.rows.iter_mut().flat_map(|category| category.products.iter_mut().flatten()),
            )
            .await?;
        }
        Ok(page)
    }

    /// One category.
    ///
    /// codes: PRODUCT_CATEGORY_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "product_categories_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::Order>, id: Path<Id<ProductCategories>>,
    ) -> Result<Json<ProductCategory>> {
        let tx = scope.begin().await?;
        let row = rows::find::<Entity, _>(&tx, scope.restaurant(), *id).await?;
        Ok(Json(CategoryContext::load(&tx, scope.restaurant()).await?.full(&scope, &tx, row).await?))
    }

    /// Creates a category, as the last of its siblings.
    ///
    /// A form (`multipart/form-data`) brings the pictures `image_web`, `image_app` and `image_desc` along:
    /// each field is a part of its name, lists and objects are written as JSON. Such a picture is added to
    /// the media of the restaurant; an empty part takes the present one away.
    ///
    /// codes: TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED, BAD_REQUEST, IMAGE_INVALID, STORAGE_UNAVAILABLE,
    /// UNAVAILABLE_SERVER
    #[oai(path = "/", method = "post", operation_id = "product_categories_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::CatalogEdit>, picture_store: Data<&PictureStore>,
        key: IdempotencyKey, body: Sent<NewProductCategory>,
    ) -> Result<Stored<ProductCategory>> {
        let (raw, mut new, mut pictures) = body.store(&scope, &picture_store).await?;
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "product_categories_create", &raw).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(answer) => return Ok(answer),
        };
        let restaurant = scope.restaurant();
        let locked = store::lock(&tx, restaurant, new.parent_id.as_slice()).await?;
        let mut around = CategoryContext::load(&tx, restaurant).await?;
        let known = ReferenceData::load(&tx, restaurant).await?;
        let problem =
            Problem::new(Code::VALIDATION_FAILED).keys(window_fault(new.available_from, new.available_to));
        let (mut problem, _) = text::name(problem, "name", Some(new.name.clone()));
        if let Some(parent) = new.parent_id {
            problem = around.place(problem, None, parent, &locked);
        }
        problem = known.inheritable(problem, "", &new.own);
        problem = known.color(problem, new.pos_color_id);
        for (file, id) in [
            ("image_web", &mut new.image_web_id),
            ("image_app", &mut new.image_app_id),
            ("image_desc", &mut new.image_desc_id),
        ] {
            *id = pictures.take(&scope, &tx, file, &new.name).await?.or(*id);
        }
        for (key, id) in [
            ("image_web_id", new.image_web_id),
            ("image_app_id", new.image_app_id),
            ("image_desc_id", new.image_desc_id),
        ] {
            problem = problem.keys(media::missing(&tx, restaurant, key, id).await?);
        }
        known.ntak(problem, "", new.ntak_category_id, None).if_any()?;
        let id = Id::new();
        let mut row = ActiveModel {
            id: Set(id),
            restaurant_id: Set(restaurant),
            origin_id: Set(id),
            parent_id: Set(new.parent_id),
            name: Set(text::clean(new.name)),
            name_sec_lang: Set(text::optional(new.name_sec_lang)),
            description: Set(text::optional(new.description)),
            description_sec_lang: Set(text::optional(new.description_sec_lang)),
            ranking: Set(store::next_ranking(&tx, restaurant, new.parent_id).await?),
            active: Set(new.active.unwrap_or(true)),
            available_from: Set(new.available_from),
            available_to: Set(new.available_to),
            expected_at: Set(new.expected_at),
            time_ranges: Set(new.time_ranges.and_then(ranges)),
            ntak_category_id: Set(new.ntak_category_id),
            ntak_quantity_unit: Set(new.ntak_quantity_unit),
            pos_color_id: Set(new.pos_color_id),
            depot_id: Set(None),
            image_web_id: Set(new.image_web_id),
            image_app_id: Set(new.image_app_id),
            image_desc_id: Set(new.image_desc_id),
            version: Set(1),
            ..Default::default()
        };
        row.set_inheritable(new.own);
        let row = row.insert(&tx).await?;
        around.all.insert(id.uuid(), row.clone());
        let answer = around.full(&scope, &tx, row).await?;
        scope
            .audit(&tx, Some(restaurant.uuid()), "product_categories_create", id, changes::facts(&answer))
            .await?;
        touched(&tx, restaurant).await?;
        let answer = Stored::new(201, &answer);
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a category. A category that moves below another becomes the last there.
    ///
    /// A form (`multipart/form-data`) brings the pictures `image_web`, `image_app` and `image_desc` along:
    /// each field is a part of its name, lists and objects are written as JSON. Such a picture is added to
    /// the media of the restaurant; an empty part takes the present one away.
    ///
    /// codes: PRODUCT_CATEGORY_NOT_EXIST, CONFLICT, TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED, BAD_REQUEST,
    /// IMAGE_INVALID, STORAGE_UNAVAILABLE, UNAVAILABLE_SERVER
    #[oai(path = "/:id", method = "put", operation_id = "product_categories_update")]
    async fn update(
        &self, scope: In<Restaurant, AnyOf<(perm::CatalogEdit, perm::CatalogActivate)>>,
        id: Path<Id<ProductCategories>>, picture_store: Data<&PictureStore>,
        body: Sent<ProductCategoryChange>,
    ) -> Result<Json<ProductCategory>> {
        if body.has_pictures() {
            changes::need(&scope, "catalog_edit")?;
        }
        let (_, mut change, mut pictures) = body.store(&scope, &picture_store).await?;
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let ids: Vec<_> = std::iter::once(*id).chain(change.parent_id.value().copied()).collect();
        let locked = store::lock(&tx, restaurant, &ids).await?;
        let before = locked.get(&id.uuid()).cloned().ok_or_else(Problem::not_exist::<ProductCategories>)?;
        let around = CategoryContext::load(&tx, restaurant).await?;
        let known = ReferenceData::load(&tx, restaurant).await?;
        change.take_pictures(&scope, &tx, &mut pictures, &before.name).await?;

        let version = change.version;
        let problem = change.check(&tx, restaurant, &known, &before).await?;
        let mut row = before.clone().into_active_model();
        let mut problem = change.apply(problem, &mut row);
        let wanted = row.clone().try_into_model()?;
        let moved = wanted.parent_id != before.parent_id;
        if let Some(parent) = wanted.parent_id.filter(|_| moved) {
            problem = around.place(problem, Some(*id), parent, &locked);
        }
        problem = problem.keys(window_fault(wanted.available_from, wanted.available_to));

        let current = around.answer(before.clone());
        let facts = changes::facts(&current);
        changes::check_right(&scope, &facts, &changes::facts(&around.answer(wanted.clone())))?;
        problem.if_any()?;
        let logged = rows::Logged::of(*id);
        rows::check_version(&tx, version, before.version, &current, logged).await?;

        if moved {
            row.ranking = Set(store::next_ranking(&tx, restaurant, wanted.parent_id).await?);
        }
        row.version = Set(before.version + 1);
        let answer = around.full(&scope, &tx, row.update(&tx).await?).await?;
        let details = access::difference(&facts, &changes::facts(&answer));
        scope.audit(&tx, Some(restaurant.uuid()), "product_categories_update", *id, details).await?;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Json(answer))
    }

    /// Archives an empty category. One that has products or sub-categories must be emptied first. Upsells that
    /// name it go with it.
    ///
    /// codes: PRODUCT_CATEGORY_NOT_EXIST, IN_USE
    #[oai(path = "/:id", method = "delete", operation_id = "product_categories_delete")]
    async fn delete(
        &self, scope: In<Restaurant, perm::CatalogDelete>, id: Path<Id<ProductCategories>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let row = rows::lock::<Entity, _>(&tx, restaurant, *id).await?;
        let below = store::counts(&tx, restaurant).await?.remove(&id.uuid()).unwrap_or_default();
        if below.children > 0 || below.products > 0 {
            return Err(
                Problem::new(Code::IN_USE).detail("the category still has products or sub-categories")
            );
        }
        rows::archive::<Entity, _>(&tx, restaurant, *id).await?;
        product_category_upsells::forget(&tx, restaurant, vec![id.uuid()]).await?;
        scope
            .audit(
                &tx,
                Some(restaurant.uuid()),
                "product_categories_delete",
                *id,
                serde_json::json!({"name": row.name}),
            )
            .await?;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Puts categories into the order in which they are sent.
    #[oai(path = "/ranking", method = "put", operation_id = "product_categories_rank")]
    async fn rank(
        &self, scope: In<Restaurant, perm::CatalogEdit>, body: Body<ProductCategoryRanking>,
    ) -> Result<Done> {
        let ids: Vec<Uuid> = body.into_inner().product_category_ids.into_iter().map(Id::uuid).collect();
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let siblings = store::siblings(&tx, restaurant, &ids).await?;
        rows::rank(&tx, siblings, "product_category_ids", &ids).await?;
        let details = serde_json::json!({"product_category_ids": ids});
        scope.audit(&tx, Some(restaurant.uuid()), "product_categories_rank", restaurant, details).await?;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
