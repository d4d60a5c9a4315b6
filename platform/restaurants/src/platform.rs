//! All restaurants of the platform, for the super admin's selector.

use access::{
    Platform,
    audit::total,
    prelude::*,
    search::{HITS, SearchText},
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::settings::RestaurantShort;

pub(crate) struct PlatformRestaurants;

/// A restaurant of any partner.
#[derive(Debug, Object, FromQueryResult)]
struct PlatformRestaurant {
    #[oai(flatten)]
    #[sea_orm(nested)]
    short: RestaurantShort,
    partner_name: String,
}

const LIST: &str = "select id, name, partner_id, partner_name, group_id restaurant_group_id, zone timezone, currency, primary_language, \
    secondary_language, city \
                    from control.restaurants_for($1, $2, $3, $4) order by ref.fold(partner_name), \
                    partner_id, ref.fold(name), id limit $5 offset $6";
const COUNT: &str = "select count(*) total from control.restaurants_for($1, $2, $3, $4)";

#[OpenApi(prefix_path = "/api/v3/super-admin/restaurants", tag = "Tag::Restaurants")]
impl PlatformRestaurants {
    /// The restaurants of all partners, by partner and name.
    ///
    /// The words of `name` are looked for in both names and the city; `id` finds whose a restaurant is.
    /// Opening a partner's data is another matter: it needs a support access. Without `limit` it answers up
    /// to 2,000 at once.
    #[oai(path = "/", method = "get", operation_id = "platform_restaurants_list")]
    async fn list(
        &self, caller: Platform, id: QueryParam<Id<Restaurant>>, name: QueryParam<String>, paging: Unpaged,
    ) -> Result<Page<PlatformRestaurant>> {
        let Platform(caller) = caller;
        let door = &caller.app.door;
        let name = name.0.map(|name| name.trim().to_owned());
        let filter = [caller.session.into(), caller.account.into(), id.0.map(Id::uuid).into(), name.into()];
        let total = if paging.count { total(&door.call(COUNT, filter.clone()).await?)? } else { None };
        let limit = paging.limit();
        // Both are bounded, far below what bigint holds.
        let cut = [limit, paging.offset(limit)].map(|rows| i64::try_from(rows).unwrap_or(i64::MAX).into());
        Ok(Page { rows: door.all(LIST, filter.into_iter().chain(cut)).await?, total })
    }

    /// The first restaurants that a text finds, as the list finds them by `name`.
    #[oai(path = "/search", method = "post", operation_id = "platform_restaurants_search")]
    async fn search(
        &self, caller: Platform, body: Body<SearchText>,
    ) -> Result<Json<Vec<PlatformRestaurant>>> {
        let Platform(caller) = caller;
        let text = body.text.trim().to_owned();
        let filter = [caller.session.into(), caller.account.into(), None::<Uuid>.into(), text.into()];
        let rows = caller.app.door.all(LIST, filter.into_iter().chain([HITS.into(), 0_i64.into()])).await?;
        Ok(Json(rows))
    }
}
