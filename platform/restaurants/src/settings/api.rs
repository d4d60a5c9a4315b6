//! Operations on a restaurant and its settings.

use access::{Caller, domain::Domains, prelude::*};
use poem::web::Data;
use serde_json::json;
use uuid::Uuid;

use crate::archive::{self, RestaurantArchiving};

use super::{
    changes::{self, shown},
    create, store,
    types::{
        NewRestaurant, RestaurantClose, RestaurantDelivery, RestaurantDeliveryMethod, RestaurantDetails,
        RestaurantGeneral, RestaurantPoints, RestaurantShort, RestaurantSystem,
    },
};

pub(crate) struct PartnerRestaurants;

/// One restaurant. A type of its own because only the prefix of a path tells the scope which restaurant is
/// meant.
pub(crate) struct Restaurants;

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/restaurants", tag = "Tag::Restaurants")]
impl PartnerRestaurants {
    /// The partner's restaurants that the caller may open, by name.
    #[oai(path = "/", method = "get", operation_id = "restaurants_list")]
    async fn list(
        &self, scope: In<Partner, perm::NoPermRequired>, name: QueryParam<String>, paging: Unpaged,
    ) -> Result<Page<RestaurantShort>> {
        let only = own_restaurants(&scope).await?;
        let tx = scope.begin().await?;
        let page = store::page(&tx, only, name.as_deref(), paging).await?;
        Ok(page.map(|row| RestaurantShort::of(row, scope.partner())))
    }

    /// Opens a new restaurant of the partner.
    ///
    /// Only admins of the whole partner may. With `copy_from` it begins as a copy of another restaurant of
    /// the partner.
    #[oai(path = "/", method = "post", operation_id = "restaurants_create")]
    async fn create(
        &self, scope: In<Partner, WholePartner<perm::RestaurantGeneral>>, domains: Data<&Domains>,
        body: Body<NewRestaurant>,
    ) -> Result<Created<RestaurantDetails>> {
        let new = body.into_inner();
        let copy_from = new.copy_from;
        let tx = scope.begin().await?;
        let row = create::create(&tx, domains.0, new).await?;
        let details = RestaurantDetails::of(row, scope.partner());
        let id = details.row.id;
        let mut changed = access::difference(&json!({}), &shown(&details));
        if let (Some(original), Some(fields)) = (copy_from, changed.as_object_mut()) {
            fields.insert("copy_from".to_owned(), json!([null, original]));
        }
        scope.audit(&tx, Some(id.uuid()), "restaurants_create", id, changed).await?;
        tx.commit().await?;
        Ok(Created(details))
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id",
    tag = "Tag::Restaurants"
)]
impl Restaurants {
    /// One restaurant with its settings.
    #[oai(path = "/", method = "get", operation_id = "restaurants_get")]
    async fn get(&self, scope: In<Restaurant, perm::NoPermRequired>) -> Result<Json<RestaurantDetails>> {
        let tx = scope.begin().await?;
        let row = store::find(&tx, scope.restaurant()).await?;
        Ok(Json(RestaurantDetails::of(row, scope.partner())))
    }

    /// Archives the restaurant: from the next request on nobody finds it, and it takes no orders.
    ///
    /// Only admins of the whole partner may. `confirm` is its name, typed. Everything of it is kept, and for
    /// 30 days it can be brought back (`…/archived-restaurants`). Refused while orders of it are not
    /// finished, and for the partner's last restaurant.
    ///
    /// codes: RESTAURANT_HAS_ORDERS, LAST_RESTAURANT
    #[oai(path = "/", method = "delete", operation_id = "restaurants_delete")]
    async fn delete(
        &self, scope: In<Restaurant, WholePartner<perm::RestaurantGeneral>>, domains: Data<&Domains>,
        body: Body<RestaurantArchiving>,
    ) -> Result<Done> {
        archive::archive(&scope, domains.0, &body.confirm).await
    }

    /// Changes name, address, contact, zone, currency, languages and VAT.
    ///
    /// codes: CONFLICT, CURRENCY_FIXED
    #[oai(path = "/general", method = "put", operation_id = "restaurants_general")]
    async fn general(
        &self, scope: In<Restaurant, perm::RestaurantGeneral>, domains: Data<&Domains>,
        body: Body<RestaurantGeneral>,
    ) -> Result<Json<RestaurantDetails>> {
        let after = changes::alone(&scope, body, async |tx: &TenantTx, scope: &In<_, _>, change| {
            changes::general(tx, scope, domains.0, change).await
        })
        .await?;
        Ok(Json(RestaurantDetails::of(after, scope.partner())))
    }

    /// Changes how orders reach the guest: delivery, pickup, preorders, least value.
    ///
    /// codes: CONFLICT
    #[oai(path = "/delivery", method = "put", operation_id = "restaurants_delivery")]
    async fn delivery(
        &self, scope: In<Restaurant, perm::RestaurantDelivery>, body: Body<RestaurantDelivery>,
    ) -> Result<Json<RestaurantDetails>> {
        let after = changes::alone(&scope, body, changes::delivery).await?;
        Ok(Json(RestaurantDetails::of(after, scope.partner())))
    }

    /// Changes how the region of a delivery is found: by coordinates, or by postcode and street.
    ///
    /// codes: CONFLICT
    #[oai(path = "/delivery-method", method = "put", operation_id = "restaurants_delivery_method")]
    async fn delivery_method(
        &self, scope: In<Restaurant, perm::SystemDeliveryRegion>, body: Body<RestaurantDeliveryMethod>,
    ) -> Result<Json<RestaurantDetails>> {
        let after = changes::alone(&scope, body, changes::delivery_method).await?;
        Ok(Json(RestaurantDetails::of(after, scope.partner())))
    }

    /// Switches SOS close on or off: while it is on, no orders are taken.
    ///
    /// With an end it is off again by then, and open windows hear of it.
    ///
    /// codes: CONFLICT
    #[oai(path = "/close", method = "put", operation_id = "restaurants_close")]
    async fn close(
        &self, scope: In<Restaurant, AnyOf<(perm::FreshOrder, perm::SystemGeneral)>>,
        body: Body<RestaurantClose>,
    ) -> Result<Json<RestaurantDetails>> {
        let after = changes::alone(&scope, body, changes::close).await?;
        Ok(Json(RestaurantDetails::of(after, scope.partner())))
    }

    /// Changes numbering of orders, SOS close, usual delivery time, whether opening accepts, currency and
    /// group.
    ///
    /// codes: CONFLICT, CURRENCY_FIXED
    #[oai(path = "/system", method = "put", operation_id = "restaurants_system")]
    async fn system(
        &self, scope: In<Restaurant, perm::SystemGeneral>, domains: Data<&Domains>,
        body: Body<RestaurantSystem>,
    ) -> Result<Json<RestaurantDetails>> {
        let after = changes::alone(&scope, body, async |tx: &TenantTx, scope: &In<_, _>, change| {
            changes::system(tx, scope, domains.0, change).await
        })
        .await?;
        Ok(Json(RestaurantDetails::of(after, scope.partner())))
    }

    /// Changes how much of what they pay guests get back as points.
    ///
    /// codes: CONFLICT
    #[oai(path = "/points", method = "put", operation_id = "restaurants_points")]
    async fn points(
        &self, scope: In<Restaurant, perm::RestaurantGeneral>, body: Body<RestaurantPoints>,
    ) -> Result<Json<RestaurantDetails>> {
        let after = changes::alone(&scope, body, changes::points).await?;
        Ok(Json(RestaurantDetails::of(after, scope.partner())))
    }
}

/// The restaurants to which a Restaurant admin is limited; none for whoever acts for the whole partner.
async fn own_restaurants<P>(scope: &In<Partner, P>) -> Result<Option<Vec<Uuid>>> {
    let Caller::Person { session, account, whole_partner: false, .. } = scope.caller() else {
        return Ok(None);
    };
    // The unit of work that the scope has begun gives its connection back first: a request that holds two can
    // starve the pool.
    scope.release().await?;
    let targets = scope.app().door.targets(*session, *account).await?;
    let here = targets.into_iter().find(|target| target.partner == scope.partner());
    let ids = here.and_then(|target| target.restaurant_ids).unwrap_or_default();
    Ok(Some(ids.into_iter().map(Id::uuid).collect()))
}
