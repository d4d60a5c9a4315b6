//! Category upsells: which category is suggested to a guest whose cart has something of another one. See
//! `docs/decisions/catalogue.md#category-upsells`.

use access::prelude::*;
use sea_orm::{FromQueryResult, Select};
use uuid::Uuid;

use crate::{ProductCategories, product_categories::store as categories, restaurant_defaults::touched};

pub(crate) struct ProductCategoryUpsells;

kernel::resource!(ProductCategoryUpsells, "product_category_upsells", "PRODUCT_CATEGORY_UPSELL");

#[derive(Debug, Clone, DeriveEntityModel)]
#[sea_orm(table_name = "product_category_upsell")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<ProductCategoryUpsells>,
    pub restaurant_id: Id<Restaurant>,
    pub suggested_category_id: Id<ProductCategories>,
    pub product_category_id: Option<Id<ProductCategories>>,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

entity!(pub(crate));

/// A category that is suggested.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct ProductCategoryUpsell {
    id: Id<ProductCategoryUpsells>,
    /// What is suggested.
    suggested_category_id: Id<ProductCategories>,
    /// Suggested when the cart has something of this one; `null`: to every cart.
    product_category_id: Option<Id<ProductCategories>>,
    /// Name of the suggested category.
    name: String,
    /// Name of the category that it follows.
    product_category_name: Option<String>,
    /// Both categories, and those above them, are active; nothing is suggested otherwise.
    active: bool,
    version: i64,
}

new! {
    struct NewProductCategoryUpsell of ActiveModel {
        /// What is suggested.
        suggested_category_id: Id<ProductCategories>,
        /// Suggested when the cart has something of this one; empty: to every cart.
        product_category_id: Option<Id<ProductCategories>>,
    }
}

change! {
    struct ProductCategoryUpsellChange of ActiveModel {
        /// What is suggested.
        suggested_category_id: Option<Id<ProductCategories>>,
        /// Suggested when the cart has something of this one; empty: to every cart.
        product_category_id: Clearable<Id<ProductCategories>>,
    }
}

/// By what is in the cart, what holds for every cart first, in the order of the menu.
const SHOWN: &str = "select u.id, u.suggested_category_id, u.product_category_id, s.name, \
    c.name product_category_name, \
    s.active and coalesce(sk.active, true) and coalesce(c.active, true) and coalesce(k.active, true) active, \
    u.version \
    from product_category_upsell u join product_category s on s.id = u.suggested_category_id \
        left join product_category sk on sk.id = s.parent_id \
        left join product_category c on c.id = u.product_category_id \
        left join product_category k on k.id = c.parent_id \
    where u.id = any ($1) \
    order by c.id is not null, coalesce(k.ranking, c.ranking), coalesce(k.id, c.id), c.ranking, c.id, \
        coalesce(sk.ranking, s.ranking), s.ranking, u.id";

impl rows::Table for Entity {
    type Of = ProductCategoryUpsells;
    type Tx = TenantTx;
    type Answer = ProductCategoryUpsell;
    const HOME: rows::Home = rows::Home::Restaurant;
    const DERIVED: &'static [&'static str] = &["name", "product_category_name", "active"];

    // By places of categories, which the answer joins: `SHOWN` orders.
    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found)
    }

    async fn after(rows: &rows::Rows<'_>, _: rows::Change<'_, Model>) -> Result<()> {
        touched(rows.tx(), rows.restaurant()?).await
    }
}

impl rows::Answer<Entity> for ProductCategoryUpsell {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let ids: Vec<Uuid> = found.iter().map(|row| row.id.uuid()).collect();
        Ok(rows.tx().all(SHOWN, [ids.into()]).await?)
    }
}

/// What is suggested, and after what.
type Pair = (Id<ProductCategories>, Option<Id<ProductCategories>>);

fn pair(row: &Model) -> Pair {
    (row.suggested_category_id, row.product_category_id)
}

const SAME: &str = "select 1 yes from product_category_upsell where restaurant_id = $1 and \
    suggested_category_id = $2 and product_category_id is not distinct from $3 and id is distinct from $4 \
    and archived_at is null";

/// What is wrong with a pair. Its categories are locked, so that they are neither archived meanwhile nor paired
/// by two at once.
async fn check(
    rows: &rows::Rows<'_>, (suggested, after): Pair, itself: Option<Id<ProductCategoryUpsells>>,
) -> Result<()> {
    let (tx, restaurant) = (rows.tx(), rows.restaurant()?);
    let ids: Vec<_> = std::iter::once(suggested).chain(after).collect();
    let locked = categories::lock(tx, restaurant, &ids).await?;
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    for (key, id) in [("suggested_category_id", Some(suggested)), ("product_category_id", after)] {
        if id.is_some_and(|id| !locked.contains_key(&id.uuid())) {
            problem = problem.key(key, Fault::NotExist);
        }
    }
    problem.if_any()?;
    let problem = Problem::new(Code::VALIDATION_FAILED);
    if after == Some(suggested) {
        return Err(problem
            .key("product_category_id", Fault::Invalid)
            .detail("a category suggests another one"));
    }
    let values = [restaurant.into(), suggested.into(), after.into(), itself.into()];
    match tx.row(SAME, values).await? {
        Some(_) => Err(problem.key("suggested_category_id", Fault::NotUnique)),
        None => Ok(()),
    }
}

/// Archived categories are neither suggested nor suggest anything.
pub(crate) async fn forget(tx: &TenantTx, restaurant: Id<Restaurant>, categories: Vec<Uuid>) -> Result<()> {
    let sql = "update product_category_upsell set archived_at = $3 where restaurant_id = $1 and \
        (suggested_category_id = any ($2) or product_category_id = any ($2)) and archived_at is null";
    tx.run(sql, [restaurant.into(), categories.into(), kernel::clock::now().into()]).await?;
    Ok(())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/product-category-upsells",
    tag = "Tag::Catalogue"
)]
impl ProductCategoryUpsells {
    /// The restaurant's category upsells: those of every cart first, then by the category in the cart.
    #[oai(path = "/", method = "get", operation_id = "product_category_upsells_list")]
    async fn list(&self, scope: In<Restaurant, perm::Order>) -> Result<Page<ProductCategoryUpsell>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows.live::<Entity>()?.all(&tx).await?;
        Ok(Page::unpaged(<ProductCategoryUpsell as rows::Answer<Entity>>::of(&rows, found).await?))
    }

    /// Suggests a category to carts with something of another one, or to all.
    #[oai(path = "/", method = "post", operation_id = "product_category_upsells_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::CatalogEdit>, key: IdempotencyKey,
        body: Body<NewProductCategoryUpsell>,
    ) -> Result<Stored<ProductCategoryUpsell>> {
        let (new, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = async {
            check(&rows, (new.suggested_category_id, new.product_category_id), None).await?;
            Ok(new.fill())
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes an upsell.
    ///
    /// codes: PRODUCT_CATEGORY_UPSELL_NOT_EXIST, CONFLICT, UNAVAILABLE_SERVER
    #[oai(path = "/:id", method = "put", operation_id = "product_category_upsells_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<ProductCategoryUpsells>>,
        body: Body<ProductCategoryUpsellChange>,
    ) -> Result<Json<ProductCategoryUpsell>> {
        let change = body.into_inner();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        // Categories are locked before what refers to them, as where one is archived.
        let before = rows.find::<Entity>(*id).await?;
        let mut wanted = before.clone();
        wanted.suggested_category_id = change.suggested_category_id.unwrap_or(wanted.suggested_category_id);
        match change.product_category_id {
            Clearable::Undefined => {}
            Clearable::Null => wanted.product_category_id = None,
            Clearable::Value(id) => wanted.product_category_id = Some(id),
        }
        check(&rows, pair(&wanted), Some(*id)).await?;
        let mut edit = rows.edit_version::<Entity>(*id, change.version).await?;
        if pair(&edit.before) != pair(&before) {
            return Err(Problem::overtaken());
        }
        change.apply(&mut edit.row);
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Suggests it no more.
    ///
    /// codes: PRODUCT_CATEGORY_UPSELL_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "product_category_upsells_delete")]
    async fn delete(
        &self, scope: In<Restaurant, perm::CatalogDelete>, id: Path<Id<ProductCategoryUpsells>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
