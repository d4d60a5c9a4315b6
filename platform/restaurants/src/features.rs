//! Features that super admins switch on for a restaurant. See
//! `docs/decisions/permissions.md#features`.

use access::prelude::*;
use poem_openapi::types::ParseFromJSON;

/// What the log calls changes of switches and of features.
pub(crate) const ACTIONS: [&str; 2] = ["restaurant_switches_update", "restaurant_features_update"];

pub(crate) struct Features;

/// What super admins switch on for a restaurant. Nothing comes of `balance` and `loyalty` before there are
/// customers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum Feature {
    /// Guests have a balance.
    Balance,
    /// Guests collect points.
    Loyalty,
    /// Guests order at kiosks in the restaurant.
    Kiosk,
    /// A screen shows guests how far their orders are.
    Tv,
    /// Messages to the phones of guests.
    Push,
}

/// A feature that is switched on.
#[derive(Debug, Object)]
pub(crate) struct RestaurantFeature {
    feature: Feature,
}

/// The enabled features, by name.
pub(crate) async fn read(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<RestaurantFeature>> {
    let on = switched_on(tx, restaurant).await?;
    Ok(on.into_iter().map(|feature| RestaurantFeature { feature }).collect())
}

pub(crate) async fn switched_on(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<Feature>> {
    let sql = "select feature from restaurant_feature where restaurant_id = $1 order by feature";
    let names: Vec<String> = tx.values(sql, [restaurant.into()]).await?;
    Ok(names.into_iter().filter_map(|name| Feature::parse_from_json(Some(name.into())).ok()).collect())
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
