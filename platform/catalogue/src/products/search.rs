//! Finding products by words of their name.

use access::{
    prelude::*,
    search::{HITS, SearchText},
};
use sea_orm::FromQueryResult;

use super::Products;
use crate::ProductCategories;

/// A product that was found.
#[derive(Debug, Object, FromQueryResult)]
struct ProductHit {
    id: Id<Products>,
    name: String,
    active: bool,
    product_category_id: Id<ProductCategories>,
    category_name: String,
}

const FIND: &str = "select p.id, p.name, p.active, p.product_category_id, c.name category_name \
    from product p join product_category c on c.id = p.product_category_id \
    where p.restaurant_id = $1 and p.archived_at is null and not exists (select from unnest($2::text[]) word \
        where strpos(ref.fold(concat_ws(' ', p.name, p.name_sec_lang)), ref.fold(word)) = 0) \
    order by p.active desc, ref.fold(p.name), p.id limit $3";

pub(crate) struct ProductSearch;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/product-categories/all/products",
    tag = "Tag::Catalogue"
)]
impl ProductSearch {
    /// The first products whose name, in either language, holds every word of the text.
    #[oai(path = "/search", method = "post", operation_id = "products_search")]
    async fn search(
        &self, scope: In<Restaurant, perm::Order>, body: Body<SearchText>,
    ) -> Result<Json<Vec<ProductHit>>> {
        let tx = scope.begin().await?;
        Ok(Json(tx.all(FIND, [scope.restaurant().into(), body.words().into(), HITS.into()]).await?))
    }
}
