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

/// What is switched on, by name.
pub(crate) async fn read(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<RestaurantFeature>> {
    let rows = tx
        .rows(
            "select feature from restaurant_feature where restaurant_id = $1 order by feature",
            [restaurant.into()],
        )
        .await?;
    rows.iter().map(|row| Ok(RestaurantFeature { feature: row.try_get("", "feature")? })).collect()
}

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
