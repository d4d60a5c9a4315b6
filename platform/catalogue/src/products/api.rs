//! Operations on products.

use access::{Idempotency, Stored, prelude::*};
use media::{PictureStore, Sent};
use poem::web::Data;
use sea_orm::{IntoActiveModel, TryIntoModel};
use serde_json::json;
use uuid::Uuid;

use super::{
    Products,
    answer::{Above, Links, pictured},
    components, copy,
    drafts::{Draft, Parent, drafts, expect, missing, write},
    ids::Save,
    product, store, subproduct,
    types::{NewProduct, Product, ProductChange, ProductMove, ProductRanking, SubproductRow},
};
use crate::{
    ProductCategories, Today, changes,
    external_ids::{self, ExternalIds, ProductIds},
    featured_products,
    product_categories::{entity as category, store as categories},
    reference::ReferenceData,
    restaurant_defaults::{RestaurantDefaults, touched},
    text,
};

/// What is wrong with an availability window: it must not end before it begins.
fn window(problem: Problem, row: &product::Model) -> Problem {
    problem.keys(crate::product_categories::window_fault(row.available_from, row.available_to))
}

/// A category that is to get a product, locked: categories with sub-categories have none of their own.
async fn open_category(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<ProductCategories>) -> Result<bool> {
    Ok(categories::counts(tx, restaurant).await?.get(&id.uuid()).is_none_or(|counts| counts.children == 0))
}

const MIXED: &str = "a category opens either sub-categories or products: this one has sub-categories";

/// The drafts; those whose quantity is set and refills refill with the next business day.
async fn counted_anew(
    tx: &TenantTx, restaurant: Id<Restaurant>, mut drafts: Vec<Draft>,
) -> Result<Vec<Draft>> {
    let anew =
        |draft: &&mut Draft| draft.row.sellable_quantity.is_set() && draft.row.refill_at.as_ref().is_some();
    let anew: Vec<&mut Draft> = drafts.iter_mut().filter(anew).collect();
    if !anew.is_empty() {
        let now = Timestamp::now();
        let ends = Today::of(&restaurants::facts(tx, restaurant).await?, now).ends;
        for draft in anew {
            let refilled = |at: &Timestamp| *at <= now;
            if draft.row.refill_at.as_ref().as_ref().is_none_or(refilled) {
                draft.row.refill_at = Set(Some(ends));
            }
        }
    }
    Ok(drafts)
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/product-categories",
    tag = "Tag::Catalogue"
)]
impl Products {
    /// The products of a category, in their order.
    ///
    /// codes: PRODUCT_CATEGORY_NOT_EXIST
    #[oai(path = "/:category_id/products", method = "get", operation_id = "products_list")]
    async fn list(
        &self, scope: In<Restaurant, perm::Order>, category_id: Path<Id<ProductCategories>>, paging: Unpaged,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
    ) -> Result<Page<Product>> {
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        rows::find::<category::Entity, _>(&tx, restaurant, *category_id).await?;
        let select = rows::named(
            store::in_category(restaurant, *category_id)?,
            product::Column::Name,
            name.as_deref(),
        );
        let Page { rows, total } = rows::whole(&tx, select, paging).await?;
        let categories = categories::all(&tx, restaurant).await?;
        let defaults = RestaurantDefaults::load(&tx, restaurant).await?;
        let mut rows =
            Above { categories: &categories, defaults: &defaults }.answers(&tx, restaurant, rows).await?;
        pictured(&scope, &tx, &mut rows).await?;
        Ok(Page { rows, total })
    }

    /// One product with its sub-products.
    ///
    /// codes: PRODUCT_NOT_EXIST
    #[oai(path = "/:category_id/products/:id", method = "get", operation_id = "products_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::Order>, category_id: Path<Id<ProductCategories>>,
        id: Path<Id<Products>>,
    ) -> Result<Json<Product>> {
        let tx = scope.begin().await?;
        let row = store::find(&tx, scope.restaurant(), *category_id, *id, false).await?;
        answer(&scope, &tx, row).await.map(Json)
    }

    /// Creates a product with its sub-products, as the last of the category.
    ///
    /// A form (`multipart/form-data`) brings the picture `image` along: each field is a part of its name,
    /// lists and objects are written as JSON. Such a picture is added to the media of the restaurant; an
    /// empty part takes the present one away.
    ///
    /// codes: PRODUCT_CATEGORY_NOT_EXIST, TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED, BAD_REQUEST, IMAGE_INVALID,
    /// STORAGE_UNAVAILABLE, UNAVAILABLE_SERVER
    #[oai(path = "/:category_id/products", method = "post", operation_id = "products_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::CatalogEdit>, category_id: Path<Id<ProductCategories>>,
        picture_store: Data<&PictureStore>, key: IdempotencyKey, body: Sent<NewProduct>,
    ) -> Result<Stored<Product>> {
        let (raw, mut new, mut pictures) = body.store(&scope, &picture_store).await?;
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "products_create", &raw).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(answer) => return Ok(answer),
        };
        let restaurant = scope.restaurant();
        components::lock(&tx, restaurant).await?;
        rows::lock::<category::Entity, _>(&tx, restaurant, *category_id).await?;
        let known = ReferenceData::load(&tx, restaurant).await?;
        let defaults = RestaurantDefaults::load(&tx, restaurant).await?;
        new.image_id = pictures.take(&scope, &tx, "image", &new.name).await?.or(new.image_id);
        let (mut problem, _) =
            text::name(Problem::new(Code::VALIDATION_FAILED), "name", Some(new.name.clone()));
        if !open_category(&tx, restaurant, *category_id).await? {
            problem = problem.detail(MIXED).key("product_category_id", Fault::Invalid);
        }
        problem = known.inheritable(problem, "", &new.own);
        problem = known.color(problem, new.pos_color_id);
        problem = known.ntak(problem, "", new.ntak_category_id, None);
        problem = problem.keys(media::missing(&tx, restaurant, "image_id", new.image_id).await?);
        let id = Id::new();
        let name = text::clean(new.name);
        let name_sec_lang = text::optional(new.name_sec_lang);
        let parent = Parent { restaurant, id, name: &name, name_sec_lang: name_sec_lang.as_deref() };
        let sent = new.subproducts.unwrap_or_else(|| vec![SubproductRow::absent()]);
        let problem = components::check(&tx, restaurant, &sent, problem).await?;
        let (problem, drafts) = drafts(problem, &parent, (sent, new.base_price), &[], &known, &defaults);
        let mut links = Links::default();
        links.product_ids.insert(id.uuid(), ProductIds::default().changed(new.ids));
        expect(&drafts, &mut links);
        let ids = Save::of(id, true, &drafts, &links);
        let problem = ids.faults(&tx, restaurant, problem, &[]).await?;
        let mut row = product::ActiveModel {
            id: Set(id),
            restaurant_id: Set(restaurant),
            origin_id: Set(id),
            product_category_id: Set(*category_id),
            name: Set(name),
            name_sec_lang: Set(name_sec_lang),
            description: Set(text::optional(new.description)),
            description_sec_lang: Set(text::optional(new.description_sec_lang)),
            ranking: Set(store::next_ranking(&tx, restaurant, *category_id).await?),
            active: Set(new.active.unwrap_or(true)),
            available_from: Set(new.available_from),
            available_to: Set(new.available_to),
            expected_at: Set(new.expected_at),
            ntak_category_id: Set(new.ntak_category_id),
            ntak_quantity_unit: Set(new.ntak_quantity_unit),
            pos_color_id: Set(new.pos_color_id),
            depot_id: Set(None),
            ean_code: Set(text::optional(new.ean_code)),
            image_id: Set(new.image_id),
            version: Set(1),
            archived_at: Set(None),
            ..Default::default()
        };
        row.set_inheritable(new.own);
        window(problem, &row.clone().try_into_model()?).if_any()?;
        let row = row.insert(&tx).await?;
        write(&tx, restaurant, drafts).await?;
        ids.write(&tx, restaurant, &[]).await?;
        let product = answer(&scope, &tx, row).await?;
        scope.audit(&tx, Some(restaurant.uuid()), "products_create", id, changes::facts(&product)).await?;
        touched(&tx, restaurant).await?;
        let answer = Stored::new(201, &product);
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a product and, when they are sent, all of its sub-products. Removing one needs
    /// `catalog_delete`, and is refused while another consists of it or an option stands for it.
    ///
    /// A form (`multipart/form-data`) brings the picture `image` along: each field is a part of its name,
    /// lists and objects are written as JSON. Such a picture is added to the media of the restaurant; an
    /// empty part takes the present one away.
    ///
    /// codes: PRODUCT_NOT_EXIST, CONFLICT, IN_USE, TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED, BAD_REQUEST, IMAGE_INVALID,
    /// STORAGE_UNAVAILABLE, UNAVAILABLE_SERVER
    #[oai(path = "/:category_id/products/:id", method = "put", operation_id = "products_update")]
    async fn update(
        &self, scope: In<Restaurant, AnyOf<(perm::CatalogEdit, perm::CatalogActivate)>>,
        category_id: Path<Id<ProductCategories>>, id: Path<Id<Products>>, picture_store: Data<&PictureStore>,
        body: Sent<ProductChange>,
    ) -> Result<Json<Product>> {
        if body.has_pictures() {
            changes::need(&scope, "catalog_edit")?;
        }
        let (_, mut change, mut pictures) = body.store(&scope, &picture_store).await?;
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        components::lock(&tx, restaurant).await?;
        let before = store::find(&tx, restaurant, *category_id, *id, true).await?;
        let name = change.name.as_deref().unwrap_or(&before.name);
        if let Some(picture) = pictures.take(&scope, &tx, "image", name).await? {
            change.image_id = Clearable::Value(picture);
        }
        let existing = store::lock_subproducts(&tx, restaurant, *id).await?;
        let known = ReferenceData::load(&tx, restaurant).await?;
        let defaults = RestaurantDefaults::load(&tx, restaurant).await?;
        let categories = categories::all(&tx, restaurant).await?;
        let above = Above { categories: &categories, defaults: &defaults };
        let sizes = existing.iter().map(|row| row.id.uuid()).collect();
        let mut links = Links::load(&tx, vec![id.uuid()], sizes).await?;
        let current = above.answer(before.clone(), &existing, &links);
        let facts = changes::facts(&current);

        let (version, base_price) = (change.version, change.base_price);
        let ids = std::mem::take(&mut change.ids);
        let ids_sent = !ProductIds::is_absent(&ids);
        links.product_ids.entry(id.uuid()).and_modify(|own| *own = std::mem::take(own).changed(ids));
        let sent = change.sent_subproducts(&existing);
        let problem = change.check(&tx, restaurant, &known, &before).await?;
        let problem = components::check(&tx, restaurant, &sent, problem).await?;
        let mut row = before.clone().into_active_model();
        let problem = change.apply(problem, &mut row);
        let wanted = row.clone().try_into_model()?;
        let problem = window(problem, &wanted);
        let parent = Parent {
            restaurant,
            id: *id,
            name: &wanted.name,
            name_sec_lang: wanted.name_sec_lang.as_deref(),
        };
        let (problem, drafts) = drafts(problem, &parent, (sent, base_price), &existing, &known, &defaults);

        let after: Vec<subproduct::Model> = drafts.iter().map(Draft::model).collect::<Result<_>>()?;
        expect(&drafts, &mut links);
        changes::check_right(&scope, &facts, &changes::facts(&above.answer(wanted, &after, &links)))?;
        let removed = missing(&existing, &after);
        if !removed.is_empty() {
            changes::need(&scope, "catalog_delete")?;
        }
        let ids = Save::of(*id, ids_sent, &drafts, &links);
        ids.faults(&tx, restaurant, problem, &removed).await?.if_any()?;
        let logged = rows::Logged::of(*id);
        rows::check_version(&tx, version, before.version, &current, logged).await?;

        row.version = Set(before.version + 1);
        let row = row.update(&tx).await?;
        write(&tx, restaurant, counted_anew(&tx, restaurant, drafts).await?).await?;
        ids.write(&tx, restaurant, &removed).await?;
        components::check_unused(&tx, removed.clone()).await?;
        store::archive_subproducts(&tx, removed).await?;
        let product = answer(&scope, &tx, row).await?;
        let details = access::difference(&facts, &changes::facts(&product));
        scope.audit(&tx, Some(restaurant.uuid()), "products_update", *id, details).await?;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Json(product))
    }

    /// Archives a product with its sub-products. It is featured no more.
    ///
    /// Refused while another sub-product consists of one of them, or an option stands for one: `used_by` names
    /// these.
    ///
    /// codes: PRODUCT_NOT_EXIST, IN_USE
    #[oai(path = "/:category_id/products/:id", method = "delete", operation_id = "products_delete")]
    async fn delete(
        &self, scope: In<Restaurant, perm::CatalogDelete>, category_id: Path<Id<ProductCategories>>,
        id: Path<Id<Products>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        components::lock(&tx, restaurant).await?;
        let row = store::find(&tx, restaurant, *category_id, *id, true).await?;
        let subproducts = store::lock_subproducts(&tx, restaurant, *id).await?;
        let sizes: Vec<Uuid> = subproducts.iter().map(|row| row.id.uuid()).collect();
        components::check_unused(&tx, sizes.clone()).await?;
        external_ids::forget(&tx, [vec![id.uuid()], sizes.clone()].concat()).await?;
        store::archive_subproducts(&tx, sizes).await?;
        rows::archive::<product::Entity, _>(&tx, restaurant, *id).await?;
        featured_products::forget(&tx, restaurant, vec![id.uuid()]).await?;
        scope.audit(&tx, Some(restaurant.uuid()), "products_delete", *id, json!({"name": row.name})).await?;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Moves a product into another category, as the last there.
    ///
    /// codes: PRODUCT_NOT_EXIST
    #[oai(path = "/:category_id/products/:id/move", method = "put", operation_id = "products_move")]
    async fn relocate(
        &self, scope: In<Restaurant, perm::CatalogEdit>, category_id: Path<Id<ProductCategories>>,
        id: Path<Id<Products>>, body: Body<ProductMove>,
    ) -> Result<Json<Product>> {
        let target = body.into_inner().new_product_category_id;
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let locked = categories::lock(&tx, restaurant, &[*category_id, target]).await?;
        let row = store::find(&tx, restaurant, *category_id, *id, true).await?;
        let problem = Problem::new(Code::VALIDATION_FAILED);
        if !locked.contains_key(&target.uuid()) {
            return Err(problem.key("new_product_category_id", Fault::NotExist));
        }
        if !open_category(&tx, restaurant, target).await? {
            return Err(problem.detail(MIXED).key("new_product_category_id", Fault::Invalid));
        }
        let version = row.version + 1;
        let mut row = row.into_active_model();
        if target != *category_id {
            row.product_category_id = Set(target);
            row.ranking = Set(store::next_ranking(&tx, restaurant, target).await?);
        }
        row.version = Set(version);
        let product = answer(&scope, &tx, row.update(&tx).await?).await?;
        let details = json!({"product_category_id": [*category_id, target]});
        scope.audit(&tx, Some(restaurant.uuid()), "products_move", *id, details).await?;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Json(product))
    }

    /// Copies a product with its sub-products, as the last of its category.
    ///
    /// The copy has the same option groups and picture and a name of its own; it is inactive and has no EAN
    /// codes.
    ///
    /// codes: PRODUCT_CATEGORY_NOT_EXIST, PRODUCT_NOT_EXIST
    #[oai(path = "/:category_id/products/:id/copy", method = "post", operation_id = "products_copy")]
    async fn copy(
        &self, scope: In<Restaurant, perm::CatalogEdit>, category_id: Path<Id<ProductCategories>>,
        id: Path<Id<Products>>, key: IdempotencyKey,
    ) -> Result<Stored<Product>> {
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "products_copy", &json!({"original": *id})).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(answer) => return Ok(answer),
        };
        let restaurant = scope.restaurant();
        components::lock(&tx, restaurant).await?;
        rows::lock::<category::Entity, _>(&tx, restaurant, *category_id).await?;
        let original = store::find(&tx, restaurant, *category_id, *id, true).await?;
        let copy = copy::copy(&tx, original).await?;
        let new = copy.id;
        let product = answer(&scope, &tx, copy).await?;
        let details = json!({"original": *id, "name": product.name});
        scope.audit(&tx, Some(restaurant.uuid()), "products_copy", new, details).await?;
        touched(&tx, restaurant).await?;
        let answer = Stored::new(201, &product);
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Puts the products of a category into the order in which they are sent.
    ///
    /// codes: PRODUCT_CATEGORY_NOT_EXIST
    #[oai(path = "/:category_id/products/ranking", method = "put", operation_id = "products_rank")]
    async fn rank(
        &self, scope: In<Restaurant, perm::CatalogEdit>, category_id: Path<Id<ProductCategories>>,
        body: Body<ProductRanking>,
    ) -> Result<Done> {
        let ids: Vec<Uuid> = body.into_inner().product_ids.into_iter().map(Id::uuid).collect();
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        rows::find::<category::Entity, _>(&tx, restaurant, *category_id).await?;
        rows::rank(&tx, store::in_category(restaurant, *category_id)?, "product_ids", &ids).await?;
        scope
            .audit(&tx, Some(restaurant.uuid()), "products_rank", *category_id, json!({"product_ids": ids}))
            .await?;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

/// One product as it lies there now.
async fn answer<P>(scope: &In<Restaurant, P>, tx: &TenantTx, row: product::Model) -> Result<Product> {
    let restaurant = row.restaurant_id;
    let categories = categories::all(tx, restaurant).await?;
    let defaults = RestaurantDefaults::load(tx, restaurant).await?;
    let mut answers =
        Above { categories: &categories, defaults: &defaults }.answers(tx, restaurant, vec![row]).await?;
    pictured(scope, tx, &mut answers).await?;
    answers.into_iter().next().ok_or_else(Problem::not_exist::<Products>)
}
