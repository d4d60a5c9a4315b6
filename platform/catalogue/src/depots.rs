//! From which depot categories and products are taken, once there is stock: the product's own, else its
//! category's, else the parent category's, else the first one of the restaurant's group. See
//! `docs/decisions/catalogue.md#depots`.

use access::prelude::*;
use kernel::ids::Depots;
use sea_orm::FromQueryResult;
use serde_json::json;

use crate::{ProductCategories, Products, product_categories::entity as category, products::product, text};

/// The level that a depot comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
enum DepotOrigin {
    /// The product.
    Product,
    /// The category: of the product, or the row itself.
    Category,
    /// The category above it.
    ParentCategory,
    /// Nobody says anything: the first depot of the restaurant's group.
    Group,
}

/// The depot that counts.
#[derive(Debug, Object, FromQueryResult)]
struct EffectiveDepot {
    /// `null`: the group has none.
    #[sea_orm(from_alias = "effective_id")]
    id: Option<Id<Depots>>,
    #[sea_orm(from_alias = "origin")]
    from: DepotOrigin,
}

/// A category and its depot.
#[derive(Debug, Object, FromQueryResult)]
struct CategoryDepot {
    id: Id<ProductCategories>,
    restaurant_id: Id<Restaurant>,
    /// Its own; `null`: as the level above says.
    depot_id: Option<Id<Depots>>,
    #[sea_orm(nested)]
    effective: EffectiveDepot,
    name: String,
    active: bool,
    parent_id: Option<Id<ProductCategories>>,
}

/// A product and its depot.
#[derive(Debug, Object, FromQueryResult)]
struct ProductDepot {
    id: Id<Products>,
    restaurant_id: Id<Restaurant>,
    /// Its own; `null`: as the level above says.
    depot_id: Option<Id<Depots>>,
    #[sea_orm(nested)]
    effective: EffectiveDepot,
    name: String,
    active: bool,
    product_category_id: Id<ProductCategories>,
}

#[derive(Debug, Object)]
struct DepotChoice {
    /// A depot of the restaurant's group; `null`: as the level above says. It must be sent.
    depot_id: Clearable<Id<Depots>>,
}

impl DepotChoice {
    /// What was chosen.
    /// Errors: `VALIDATION_FAILED` where nothing was sent, or no depot of the restaurant's group.
    async fn chosen(self, tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Option<Id<Depots>>> {
        let wrong = |fault| Problem::new(Code::VALIDATION_FAILED).key("depot_id", fault);
        let id = match self.depot_id {
            Clearable::Undefined => return Err(wrong(Fault::Required)),
            Clearable::Null => return Ok(None),
            Clearable::Value(id) => id,
        };
        let known = tx.row(KNOWN, [restaurant.into(), id.into()]).await?.is_some();
        if known { Ok(Some(id)) } else { Err(wrong(Fault::NotExist)) }
    }
}

const KNOWN: &str = "select 1 from depot_place d join restaurant_facts r \
    on r.restaurant_group_id = d.restaurant_group_id where r.id = $1 and d.id = $2";

/// The depots that count, of `c` and of the category `k` above it, and the first one of the group. One of
/// another group, from before the restaurant moved, is none.
macro_rules! above {
    () => {
        "join restaurant_facts r on r.id = c.restaurant_id \
         left join depot_place cd on cd.id = c.depot_id and cd.restaurant_group_id = r.restaurant_group_id \
         left join product_category k on k.id = c.parent_id \
         left join depot_place kd on kd.id = k.depot_id and kd.restaurant_group_id = r.restaurant_group_id \
         left join lateral (select f.id from depot_place f where f.restaurant_group_id = r.restaurant_group_id \
            order by f.created_at, f.id limit 1) gd on true "
    };
}

const CATEGORIES: &str = concat!(
    "select c.id, c.restaurant_id, c.name, c.active, c.parent_id, cd.id depot_id, \
     coalesce(cd.id, kd.id, gd.id) effective_id, case when cd.id is not null then 'category' \
        when kd.id is not null then 'parent_category' else 'group' end origin \
     from product_category c ",
    above!(),
    "where c.restaurant_id = $1 and c.archived_at is null and ($2::uuid is null or c.id = $2) \
     order by coalesce(k.ranking, c.ranking), coalesce(k.id, c.id), k.id is not null, c.ranking, c.id"
);

const PRODUCTS: &str = concat!(
    "select p.id, p.restaurant_id, p.name, p.active, p.product_category_id, pd.id depot_id, \
     coalesce(pd.id, cd.id, kd.id, gd.id) effective_id, case when pd.id is not null then 'product' \
        when cd.id is not null then 'category' when kd.id is not null then 'parent_category' else 'group' end \
        origin \
     from product p join product_category c on c.id = p.product_category_id ",
    above!(),
    "left join depot_place pd on pd.id = p.depot_id and pd.restaurant_group_id = r.restaurant_group_id \
     where p.restaurant_id = $1 and p.archived_at is null and ($2::uuid is null or p.id = $2) \
       and ($3::uuid is null or p.product_category_id = $3) \
       and ($4::text is null or ref.fold(p.name) like ref.fold($4)) \
     order by coalesce(k.ranking, c.ranking), coalesce(k.id, c.id), c.ranking, c.id, p.ranking, p.id"
);

pub(crate) struct CategoryDepots;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/product-categories",
    tag = "Tag::Catalogue"
)]
impl CategoryDepots {
    /// The categories of the menu with their depots, in the order of the menu: each one before those below it.
    #[oai(path = "/depot", method = "get", operation_id = "product_categories_depots")]
    async fn list(&self, scope: In<Restaurant, perm::DepotProductRelation>) -> Result<Page<CategoryDepot>> {
        let tx = scope.begin().await?;
        let none: Option<uuid::Uuid> = None;
        Ok(Page::unpaged(tx.all(CATEGORIES, [scope.restaurant().into(), none.into()]).await?))
    }

    /// Says from which depot the products of a category are taken that do not say it themselves, and those of
    /// the categories below it. The later of two calls counts.
    ///
    /// codes: PRODUCT_CATEGORY_NOT_EXIST
    #[oai(path = "/:id/depot", method = "put", operation_id = "product_categories_depot")]
    async fn update(
        &self, scope: In<Restaurant, perm::DepotProductRelation>, id: Path<Id<ProductCategories>>,
        body: Body<DepotChoice>,
    ) -> Result<Json<CategoryDepot>> {
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let before = rows::lock::<category::Entity, _>(&tx, restaurant, *id).await?.depot_id;
        let depot = body.into_inner().chosen(&tx, restaurant).await?;
        if depot != before {
            let sql = "update product_category set depot_id = $2 where id = $1";
            tx.run(sql, [id.0.into(), depot.into()]).await?;
            let details = json!({"depot_id": [before, depot]});
            scope.audit(&tx, Some(restaurant.uuid()), "product_categories_depot", *id, details).await?;
        }
        let row = tx.one(CATEGORIES, [restaurant.into(), Some(id.uuid()).into()]).await?;
        tx.commit().await?;
        row.map(Json).ok_or_else(Problem::not_exist::<ProductCategories>)
    }
}

pub(crate) struct ProductDepots;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/products",
    tag = "Tag::Catalogue"
)]
impl ProductDepots {
    /// The products of the menu with their depots, in the order of the menu.
    #[oai(path = "/depot", method = "get", operation_id = "products_depots")]
    async fn list(
        &self, scope: In<Restaurant, perm::DepotProductRelation>,
        /// Only those of this category.
        product_category_id: QueryParam<Id<ProductCategories>>,
        /// Only those whose name holds this; accents and case ignored.
        #[oai(validator(max_length = 100))]
        name: QueryParam<String>,
    ) -> Result<Page<ProductDepot>> {
        let tx = scope.begin().await?;
        let one: Option<uuid::Uuid> = None;
        let name = name.as_deref().map(str::trim).filter(|name| !name.is_empty()).map(text::contains);
        let category = product_category_id.0.map(Id::uuid);
        let values = [scope.restaurant().into(), one.into(), category.into(), name.into()];
        Ok(Page::unpaged(tx.all(PRODUCTS, values).await?))
    }

    /// Says from which depot a product is taken. The later of two calls counts.
    ///
    /// codes: PRODUCT_NOT_EXIST
    #[oai(path = "/:id/depot", method = "put", operation_id = "products_depot")]
    async fn update(
        &self, scope: In<Restaurant, perm::DepotProductRelation>, id: Path<Id<Products>>,
        body: Body<DepotChoice>,
    ) -> Result<Json<ProductDepot>> {
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let before = rows::lock::<product::Entity, _>(&tx, restaurant, *id).await?.depot_id;
        let depot = body.into_inner().chosen(&tx, restaurant).await?;
        if depot != before {
            tx.run("update product set depot_id = $2 where id = $1", [id.0.into(), depot.into()]).await?;
            let details = json!({"depot_id": [before, depot]});
            scope.audit(&tx, Some(restaurant.uuid()), "products_depot", *id, details).await?;
        }
        let none: (Option<uuid::Uuid>, Option<String>) = (None, None);
        let values = [restaurant.into(), Some(id.uuid()).into(), none.0.into(), none.1.into()];
        let row = tx.one(PRODUCTS, values).await?;
        tx.commit().await?;
        row.map(Json).ok_or_else(Problem::not_exist::<Products>)
    }
}
