//! Featured products: those that a restaurant puts first, in its order. See
//! `docs/decisions/catalogue.md#featured-products`.

use access::prelude::*;
use kernel::money::{Currency, Money};
use media::{Picture, pictures};
use sea_orm::{FromQueryResult, Select};
use uuid::Uuid;

use crate::{ProductCategories, Products, price::SalePrice, products::product, restaurant_defaults::touched};

pub(crate) struct FeaturedProducts;

kernel::resource!(FeaturedProducts, "featured_products", "FEATURED_PRODUCT");

#[derive(Debug, Clone, DeriveEntityModel)]
#[sea_orm(table_name = "featured_product")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<FeaturedProducts>,
    pub restaurant_id: Id<Restaurant>,
    pub product_id: Id<Products>,
    pub ranking: i32,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

entity!(pub(crate));

/// A product that is put first.
#[derive(Debug, Object)]
pub(crate) struct FeaturedProduct {
    id: Id<FeaturedProducts>,
    product_id: Id<Products>,
    ranking: i32,
    version: i64,
    /// Name of the product.
    name: String,
    name_sec_lang: Option<String>,
    product_category_id: Id<ProductCategories>,
    /// Addresses of its picture.
    image: Option<Picture>,
    /// The product and its categories are active; guests do not see it otherwise.
    active: bool,
    /// Of its cheapest size, gross; `null`: it has no size.
    lowest_price: Option<SalePrice>,
    /// Of its dearest size.
    highest_price: Option<SalePrice>,
}

#[derive(Debug, Object)]
struct NewFeaturedProduct {
    product_id: Id<Products>,
}

/// The featured products in their new order.
#[derive(Debug, Object)]
struct FeaturedProductRanking {
    featured_product_ids: Vec<Id<FeaturedProducts>>,
}

#[derive(FromQueryResult)]
struct Shown {
    id: Id<FeaturedProducts>,
    product_id: Id<Products>,
    ranking: i32,
    version: i64,
    name: String,
    name_sec_lang: Option<String>,
    product_category_id: Id<ProductCategories>,
    image_id: Option<Uuid>,
    active: bool,
    lowest: Option<Money>,
    highest: Option<Money>,
    currency: Currency,
}

const SHOWN: &str = "select f.id, f.product_id, f.ranking, f.version, p.name, p.name_sec_lang, \
    p.product_category_id, p.image_id, p.active and c.active and coalesce(k.active, true) active, s.lowest, \
    s.highest, r.currency \
    from featured_product f join product p on p.id = f.product_id \
        join product_category c on c.id = p.product_category_id left join product_category k on k.id = c.parent_id \
        join restaurant_facts r on r.id = f.restaurant_id \
        cross join lateral (select min(price) lowest, max(price) highest from subproduct \
            where product_id = p.id and archived_at is null) s \
    where f.id = any ($1) order by f.ranking, f.id";

impl rows::Table for Entity {
    type Of = FeaturedProducts;
    type Tx = TenantTx;
    type Answer = FeaturedProduct;
    const HOME: rows::Home = rows::Home::Restaurant;
    const DERIVED: &'static [&'static str] =
        &["name", "name_sec_lang", "product_category_id", "image", "active", "lowest_price", "highest_price"];

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::ranked(found)
    }

    async fn after(rows: &rows::Rows<'_>, _: rows::Change<'_, Model>) -> Result<()> {
        touched(rows.tx(), rows.restaurant()?).await
    }
}

impl rows::Answer<Entity> for FeaturedProduct {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let ids: Vec<Uuid> = found.iter().map(|row| row.id.uuid()).collect();
        let shown: Vec<Shown> = rows.tx().all(SHOWN, [ids.into()]).await?;
        let base = &rows.app().settings.objects.public_url;
        let images: Vec<Uuid> = shown.iter().filter_map(|row| row.image_id).collect();
        let images = pictures(rows.tx(), base, images).await?;
        let answer = |row: Shown| {
            let price = |amount: Option<Money>| amount.map(|amount| SalePrice::shown(amount, row.currency));
            let (lowest_price, highest_price) = (price(row.lowest), price(row.highest));
            Self {
                id: row.id,
                product_id: row.product_id,
                ranking: row.ranking,
                version: row.version,
                name: row.name,
                name_sec_lang: row.name_sec_lang,
                product_category_id: row.product_category_id,
                image: row.image_id.and_then(|id| images.get(&id).cloned()),
                active: row.active,
                lowest_price,
                highest_price,
            }
        };
        Ok(shown.into_iter().map(answer).collect())
    }
}

/// Locks the product, so that it is neither archived meanwhile nor added by two at once.
async fn check(rows: &rows::Rows<'_>, product: Id<Products>) -> Result<()> {
    let (tx, restaurant) = (rows.tx(), rows.restaurant()?);
    let wrong = |fault| Err(Problem::new(Code::VALIDATION_FAILED).key("product_id", fault));
    let found = rows::live::<product::Entity>(restaurant)?.filter(product::Column::Id.eq(product.uuid()));
    if sea_orm::QuerySelect::lock_exclusive(found).one(tx).await?.is_none() {
        return wrong(Fault::NotExist);
    }
    let same = rows.live::<Entity>()?.filter(Column::ProductId.eq(product.uuid()));
    if same.one(tx).await?.is_some() { wrong(Fault::NotUnique) } else { Ok(()) }
}

/// Archived products are featured no more.
pub(crate) async fn forget(tx: &TenantTx, restaurant: Id<Restaurant>, products: Vec<Uuid>) -> Result<()> {
    let sql = "update featured_product set archived_at = $3 \
        where restaurant_id = $1 and product_id = any ($2) and archived_at is null";
    tx.run(sql, [restaurant.into(), products.into(), kernel::clock::now().into()]).await?;
    Ok(())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/featured-products",
    tag = "Tag::Catalogue"
)]
impl FeaturedProducts {
    /// The featured products in their order.
    #[oai(path = "/", method = "get", operation_id = "featured_products_list")]
    async fn list(
        &self, scope: In<Restaurant, perm::Order>, paging: Unpaged,
    ) -> Result<Page<FeaturedProduct>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        rows.list(rows.live::<Entity>()?, paging).await
    }

    /// Features a product, as the last. A product is featured once.
    #[oai(path = "/", method = "post", operation_id = "featured_products_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::CatalogEdit>, key: IdempotencyKey, body: Body<NewFeaturedProduct>,
    ) -> Result<Stored<FeaturedProduct>> {
        let (NewFeaturedProduct { product_id }, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = async {
            check(&rows, product_id).await?;
            Ok(ActiveModel { product_id: Set(product_id), ..Default::default() })
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Features a product no more; the product stays.
    ///
    /// codes: FEATURED_PRODUCT_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "featured_products_delete")]
    async fn delete(
        &self, scope: In<Restaurant, perm::CatalogDelete>, id: Path<Id<FeaturedProducts>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Puts the featured products in another order.
    #[oai(path = "/ranking", method = "put", operation_id = "featured_products_rank")]
    async fn rank(
        &self, scope: In<Restaurant, perm::CatalogEdit>, body: Body<FeaturedProductRanking>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).rank::<Entity>("featured_product_ids", &body.featured_product_ids).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
