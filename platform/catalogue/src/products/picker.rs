//! Short forms of products and sub-products, for choosing one. See `docs/decisions/api.md#pickers`.

use access::prelude::*;
use kernel::money::{Currency, Money};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    Products, Subproducts,
    types::{ProductShort, SubproductShort},
};
use crate::{ProductCategories, price::SalePrice};

/// The keys of the screens that choose products: menu, discounts, kitchen queues, recipes.
type ProductPickerRight = AnyOf<(perm::Order, perm::Discount, perm::PosKitchenQueue, perm::DepotRecipe)>;

/// A sub-product with what its product is called.
#[derive(FromQueryResult)]
struct PickRow {
    product_id: Id<Products>,
    product_name: String,
    product_active: bool,
    product_category_id: Id<ProductCategories>,
    id: Id<Subproducts>,
    name: String,
    active: bool,
    price: Money,
    currency: Currency,
}

impl From<PickRow> for SubproductShort {
    fn from(row: PickRow) -> Self {
        let PickRow { id, name, active, product_id, product_name, product_category_id, .. } = row;
        let price = SalePrice::shown(row.price, row.currency);
        Self { id, name, active, product_id, product_name, product_category_id, price }
    }
}

/// Products in the order of the menu, each row one sub-product.
const PICK: &str = "select p.id product_id, p.name product_name, p.active product_active, \
    p.product_category_id, \
    s.id, s.name, s.active, s.price, r.currency \
    from product p join product_category c on c.id = p.product_category_id left join product_category k on \
    k.id = c.parent_id \
    join subproduct s on s.product_id = p.id and s.archived_at is null join restaurant_facts r on r.id = \
    p.restaurant_id \
    where p.restaurant_id = $1 and p.archived_at is null \
      and ($2::text is null or ref.fold(p.name) like ref.fold($2) or ($3 and ref.fold(s.name) like \
      ref.fold($2))) \
      and ($4::uuid is null or p.product_category_id = $4 or c.parent_id = $4) \
      and (cardinality($5::uuid[]) = 0 or p.id = any ($5)) and (cardinality($6::uuid[]) = 0 or s.id = any ($6)) \
    order by coalesce(k.ranking, c.ranking), coalesce(k.id, c.id), c.ranking, c.id, p.ranking, p.id, \
    s.ranking, s.id";

/// What is looked for; nothing of it is everything.
#[derive(Default)]
struct Filter {
    name: Option<String>,
    /// Whether names of sub-products count too.
    by_subproduct: bool,
    category: Option<Id<ProductCategories>>,
    products: Vec<Uuid>,
    subproducts: Vec<Uuid>,
}

async fn pick(tx: &TenantTx, restaurant: Id<Restaurant>, filter: Filter) -> Result<Vec<PickRow>> {
    let Filter { name, by_subproduct, category, products, subproducts } = filter;
    let pattern = name.as_deref().map(str::trim).filter(|name| !name.is_empty()).map(crate::text::contains);
    let values = [
        restaurant.into(),
        pattern.into(),
        by_subproduct.into(),
        category.map(Id::uuid).into(),
        products.into(),
        subproducts.into(),
    ];
    Ok(tx.all(PICK, values).await?)
}

/// Ids that were asked for, alone or as a list; none: every row.
pub(crate) fn wanted<T>(id: Option<Id<T>>, ids: Option<Vec<Id<T>>>) -> Vec<Uuid> {
    id.into_iter().chain(ids.into_iter().flatten()).map(Id::uuid).collect()
}

pub(crate) struct ProductPicker;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/product-categories/all/products",
    tag = "Tag::Catalogue"
)]
impl ProductPicker {
    /// Every product in short, in the order of the menu, for choosing.
    #[oai(path = "/", method = "get", operation_id = "products_pick")]
    async fn products(
        &self, scope: In<Restaurant, ProductPickerRight>, paging: Unpaged,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
        /// Only those of this category or of one below it.
        product_category_id: QueryParam<Id<ProductCategories>>,
        /// Only this one.
        id: QueryParam<Id<Products>>,
        /// Only these.
        #[oai(name = "ids[]", validator(max_items = 100))]
        ids: QueryParam<Vec<Id<Products>>>,
    ) -> Result<Page<ProductShort>> {
        let tx = scope.begin().await?;
        let mut found: Vec<ProductShort> = Vec::new();
        let (category, products) = (product_category_id.0, wanted(id.0, ids.0));
        let filter = Filter { name: name.0, category, products, ..Filter::default() };
        for row in pick(&tx, scope.restaurant(), filter).await? {
            if found.last().is_none_or(|last| last.id != row.product_id) {
                found.push(ProductShort {
                    id: row.product_id,
                    name: row.product_name.clone(),
                    active: row.product_active,
                    product_category_id: row.product_category_id,
                    subproducts: Vec::new(),
                });
            }
            if let Some(last) = found.last_mut() {
                last.subproducts.push(row.into());
            }
        }
        Ok(cut(found, paging))
    }

    /// Every sub-product in short, in the order of the menu, for choosing.
    #[oai(path = "/all/subproducts", method = "get", operation_id = "subproducts_pick")]
    async fn subproducts(
        &self, scope: In<Restaurant, ProductPickerRight>, paging: Unpaged,
        /// Only those whose name, or whose product's name, holds this; accents and case ignored.
        name: QueryParam<String>,
        /// Only those of products of this category or of one below it.
        product_category_id: QueryParam<Id<ProductCategories>>,
        /// Only this one.
        id: QueryParam<Id<Subproducts>>,
        /// Only these.
        #[oai(name = "ids[]", validator(max_items = 100))]
        ids: QueryParam<Vec<Id<Subproducts>>>,
    ) -> Result<Page<SubproductShort>> {
        let tx = scope.begin().await?;
        let (category, subproducts) = (product_category_id.0, wanted(id.0, ids.0));
        let filter = Filter { name: name.0, by_subproduct: true, category, subproducts, ..Filter::default() };
        let rows = pick(&tx, scope.restaurant(), filter).await?;
        Ok(cut(rows.into_iter().map(SubproductShort::from).collect(), paging))
    }
}

/// The requested page of an unpaged list.
pub(crate) fn cut<T>(rows: Vec<T>, paging: Unpaged) -> Page<T> {
    let limit = paging.limit();
    let total = paging.count.then_some(rows.len() as u64);
    let skip = usize::try_from(paging.offset(limit)).unwrap_or(usize::MAX);
    let take = usize::try_from(limit).unwrap_or(usize::MAX);
    Page { rows: rows.into_iter().skip(skip).take(take).collect(), total }
}
