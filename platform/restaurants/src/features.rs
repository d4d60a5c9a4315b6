//! Features: what super admins have switched on for a restaurant. See
//! `docs/decisions/permissions.md#features`.

use access::prelude::*;

pub(crate) struct Features;

/// A feature that is switched on.
#[derive(Debug, Object)]
pub(crate) struct RestaurantFeature {
    /// `balance`, `loyalty`, `kiosk`, `tv`, `push`. Nothing comes of `balance` and `loyalty` before there are
    /// customers.
    feature: String,
}

/// The enabled features, by name.
pub(crate) async fn read(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<RestaurantFeature>> {
    let names = names(tx, restaurant).await?;
    Ok(names.into_iter().map(|feature| RestaurantFeature { feature }).collect())
}

/// The names of what is switched on, in their order.
pub(crate) async fn names(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<String>> {
    let sql = "select feature from restaurant_feature where restaurant_id = $1 order by feature";
    let rows = tx.rows(sql, [restaurant.into()]).await?;
    rows.iter().map(|row| Ok(row.try_get("", "feature")?)).collect()
}

/// Switches these on and all others off.
pub(crate) async fn set(tx: &TenantTx, restaurant: Id<Restaurant>, wanted: Vec<String>) -> Result<()> {
    tx.run(REMOVE, [restaurant.into(), wanted.clone().into()]).await?;
    tx.run(ADD, [restaurant.into(), wanted.into()]).await?;
    Ok(())
}

const REMOVE: &str = "delete from restaurant_feature where restaurant_id = $1 and feature <> all ($2)";
const ADD: &str = "insert into restaurant_feature (restaurant_id, feature) select $1, f from \
    unnest($2::text[]) f on conflict do nothing";

const BEGIN: &str = "insert into restaurant_feature (restaurant_id, feature) select $1, unnest($2::text[])";

/// What a new restaurant begins with; super admins take away and add.
pub(crate) async fn begin(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    let features: Vec<String> = tenants::FIRST_FEATURES.map(str::to_owned).into();
    tx.run(BEGIN, [restaurant.into(), features.into()]).await?;
    Ok(())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/features",
    tag = "Tag::Restaurants"
)]
impl Features {
    /// The features that are switched on for the restaurant.
    #[oai(path = "/", method = "get", operation_id = "features_list")]
    async fn list(&self, scope: In<Restaurant, perm::NoPermRequired>) -> Result<Page<RestaurantFeature>> {
        let tx = scope.begin().await?;
        Ok(Page::unpaged(read(&tx, scope.restaurant()).await?))
    }
}
