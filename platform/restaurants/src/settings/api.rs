//! The calls about a restaurant and its settings.

use access::{Caller, prelude::*};
use kernel::{Group, money::Currency};
use poem_openapi::types::ToJSON;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    entity::{ActiveModel, Model},
    rules::{self, Checks},
    store,
    types::{
        MenuLanguage, NewRestaurant, RestaurantClose, RestaurantDelivery, RestaurantDetails, RestaurantGeneral, RestaurantShort, RestaurantSystem,
        Vat,
    },
};

/// The restaurants of a partner.
pub(crate) struct PartnerRestaurants;

/// One restaurant. A type of its own because only the prefix of a path tells the scope which restaurant is meant.
pub(crate) struct Restaurants;

/// The event that tells every open window to load the restaurant anew.
const RELOAD: &str = "TASK_RESTAURANT_RELOAD";

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/restaurants", tag = "Tag::Restaurants")]
impl PartnerRestaurants {
    /// The partner's restaurants that the caller may open, by name.
    #[oai(path = "/", method = "get", operation_id = "restaurants_list")]
    async fn list(&self, scope: In<Partner, perm::NoPermRequired>, name: Query<Option<String>>, paging: Whole) -> Result<Page<RestaurantShort>> {
        let only = own_restaurants(&scope).await?;
        let tx = scope.begin().await?;
        let page = store::page(&tx, only, name.as_deref(), paging).await?;
        Ok(page.map(|row| RestaurantShort::of(row, scope.partner())))
    }

    /// Opens a new restaurant of the partner.
    ///
    /// Only admins of the whole partner may.
    #[oai(path = "/", method = "post", operation_id = "restaurants_create")]
    async fn create(&self, scope: In<Partner, perm::RestaurantGeneral>, body: Body<NewRestaurant>) -> Result<Created<RestaurantDetails>> {
        if matches!(scope.caller(), Caller::Person { whole_partner: false, .. }) {
            return Err(Code::USER_PERMISSION_REQUIRED.into());
        }
        let NewRestaurant {
            name,
            restaurant_group_id: wanted_group,
            timezone,
            currency,
            primary_language,
            secondary_language,
            phone_1,
            contact_email,
            domain,
            country,
            postcode,
            city,
            street,
            premise_number,
        } = body.into_inner();
        let mut checks = Checks::new();
        checks.timezone(timezone.as_deref());
        checks.languages(primary_language.unwrap_or(MenuLanguage::Hu), secondary_language);
        let tx = scope.begin().await?;
        let group: Option<Id<Group>> = store::group(&tx, wanted_group).await?;
        if group.is_none() {
            checks.fault("restaurant_group_id", Fault::NotExist);
        }
        checks.done()?;
        let mut row = ActiveModel { id: Set(Id::new()), ..ActiveModel::new() };
        let restaurant_group_id = group;
        fill!(row: name, restaurant_group_id, timezone, currency, primary_language, country, city, street, premise_number);
        fill!(row: secondary_language, phone_1, contact_email, domain, postcode);
        let row = store::create(&tx, row).await?;
        store::save_directory(&tx, &row).await?;
        let details = RestaurantDetails::of(row, scope.partner());
        let id = details.short.id;
        scope.audit(&tx, Some(id.uuid()), "restaurants_create", id, access::difference(&json!({}), &shown(&details))).await?;
        tx.commit().await?;
        Ok(Created(details))
    }
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id", tag = "Tag::Restaurants")]
impl Restaurants {
    /// One restaurant with its settings.
    #[oai(path = "/", method = "get", operation_id = "restaurants_get")]
    async fn get(&self, scope: In<Restaurant, perm::NoPermRequired>) -> Result<Json<RestaurantDetails>> {
        let tx = scope.begin().await?;
        let row = store::find(&tx, scope.restaurant()).await?;
        Ok(Json(RestaurantDetails::of(row, scope.partner())))
    }

    /// Changes name, address, contact, zone, currency, languages and VAT.
    ///
    /// codes: CONFLICT
    #[oai(path = "/general", method = "put", operation_id = "restaurants_general")]
    async fn general(&self, scope: In<Restaurant, perm::RestaurantGeneral>, body: Body<RestaurantGeneral>) -> Result<Json<RestaurantDetails>> {
        let RestaurantGeneral {
            name,
            phone_1,
            contact_email,
            domain,
            country,
            state_province_county,
            postcode,
            city,
            street,
            premise_number,
            timezone,
            currency,
            primary_language,
            secondary_language,
            min_order_price,
            vat_id,
            sit_in_vat_id,
            delivery_vat_id,
            version,
        } = body.into_inner();
        let tx = scope.begin().await?;
        let before = store::lock(&tx, scope.restaurant()).await?;
        let min_order_price = rules::price_or_zero(min_order_price);
        let mut checks = Checks::new();
        checks.timezone(timezone.as_deref());
        let second = match secondary_language {
            MaybeUndefined::Undefined => before.secondary_language,
            MaybeUndefined::Null => None,
            MaybeUndefined::Value(language) => Some(language),
        };
        checks.languages(primary_language.unwrap_or(before.primary_language), second);
        let currency_then: Currency = currency.unwrap_or(before.currency);
        checks.minimum_price(min_order_price.unwrap_or(before.min_order_price), currency_then);
        check_vats(&tx, &mut checks, [("vat_id", vat_id), ("sit_in_vat_id", sit_in_vat_id), ("delivery_vat_id", delivery_vat_id)]).await?;
        checks.done()?;
        let mut row = before.clone().into_active_model();
        apply!(row: name, phone_1, contact_email, domain, country, state_province_county, postcode, city, street, premise_number);
        apply!(row: timezone, currency, primary_language, secondary_language, min_order_price, vat_id, sit_in_vat_id, delivery_vat_id);
        let after = save(&tx, &scope, "restaurants_general", before, version, row).await?;
        store::save_directory(&tx, &after).await?;
        tx.commit().await?;
        Ok(Json(RestaurantDetails::of(after, scope.partner())))
    }

    /// Changes how orders reach the guest: delivery, pickup, preorders, least value.
    ///
    /// codes: CONFLICT
    #[oai(path = "/delivery", method = "put", operation_id = "restaurants_delivery")]
    async fn delivery(&self, scope: In<Restaurant, perm::RestaurantDelivery>, body: Body<RestaurantDelivery>) -> Result<Json<RestaurantDetails>> {
        let RestaurantDelivery {
            normal_delivery,
            preorder_delivery,
            normal_pickup,
            preorder_pickup,
            min_days_to_preorder,
            days_to_preorder,
            min_preorder_pickup_diff,
            min_preorder_delivery_diff,
            preorder_notification_mins_before_expected,
            min_order_price,
            version,
        } = body.into_inner();
        let min_preorder_pickup_diff = rules::at_least_one(min_preorder_pickup_diff);
        let min_preorder_delivery_diff = rules::at_least_one(min_preorder_delivery_diff);
        let min_order_price = rules::price_or_zero(min_order_price);
        let tx = scope.begin().await?;
        let before = store::lock(&tx, scope.restaurant()).await?;
        let mut checks = Checks::new();
        checks.minimum_price(min_order_price.unwrap_or(before.min_order_price), before.currency);
        checks.done()?;
        let mut row = before.clone().into_active_model();
        apply!(row: normal_delivery, preorder_delivery, normal_pickup, preorder_pickup, min_days_to_preorder, days_to_preorder);
        apply!(row: min_preorder_pickup_diff, min_preorder_delivery_diff, preorder_notification_mins_before_expected, min_order_price);
        let after = save(&tx, &scope, "restaurants_delivery", before, version, row).await?;
        tx.commit().await?;
        Ok(Json(RestaurantDetails::of(after, scope.partner())))
    }

    /// Switches SOS close on or off: while it is on, no orders are taken.
    ///
    /// codes: CONFLICT
    #[oai(path = "/close", method = "put", operation_id = "restaurants_close")]
    async fn close(
        &self,
        scope: In<Restaurant, AnyOf<(perm::FreshOrder, perm::SystemGeneral)>>,
        body: Body<RestaurantClose>,
    ) -> Result<Json<RestaurantDetails>> {
        let RestaurantClose { temp_no_orders, version } = body.into_inner();
        let tx = scope.begin().await?;
        let before = store::lock(&tx, scope.restaurant()).await?;
        let mut row = before.clone().into_active_model();
        row.temp_no_orders = Set(temp_no_orders);
        let after = save(&tx, &scope, "restaurants_close", before, version, row).await?;
        work::events::publish(&tx, scope.restaurant(), RELOAD, json!({})).await?;
        tx.commit().await?;
        Ok(Json(RestaurantDetails::of(after, scope.partner())))
    }

    /// Changes numbering of orders, SOS close, usual delivery time and whether opening accepts.
    ///
    /// codes: CONFLICT
    #[oai(path = "/system", method = "put", operation_id = "restaurants_system")]
    async fn system(&self, scope: In<Restaurant, perm::SystemGeneral>, body: Body<RestaurantSystem>) -> Result<Json<RestaurantDetails>> {
        let RestaurantSystem { order_reset_time, counter_prefix, temp_no_orders, estimated_delivery_time, order_accept_on_open, version } =
            body.into_inner();
        let counter_prefix = rules::counter_prefix(counter_prefix);
        let tx = scope.begin().await?;
        let before = store::lock(&tx, scope.restaurant()).await?;
        let mut row = before.clone().into_active_model();
        apply!(row: order_reset_time, counter_prefix, temp_no_orders, estimated_delivery_time, order_accept_on_open);
        let after = save(&tx, &scope, "restaurants_system", before, version, row).await?;
        work::events::publish(&tx, scope.restaurant(), RELOAD, json!({})).await?;
        tx.commit().await?;
        Ok(Json(RestaurantDetails::of(after, scope.partner())))
    }
}

/// The restaurants to which a Restaurant admin is limited; none for whoever acts for the whole partner.
async fn own_restaurants<P>(scope: &In<Partner, P>) -> Result<Option<Vec<Uuid>>> {
    let Caller::Person { session, account, whole_partner: false, .. } = scope.caller() else {
        return Ok(None);
    };
    // The unit of work that the scope has begun gives its connection back first: a request that holds two can starve the pool.
    scope.begin().await?.commit().await?;
    let targets = scope.app().door.targets(*session, *account).await?;
    let here = targets.into_iter().find(|target| target.partner == scope.partner());
    let ids = here.and_then(|target| target.restaurant_ids).unwrap_or_default();
    Ok(Some(ids.into_iter().map(Id::uuid).collect()))
}

async fn check_vats(tx: &TenantTx, checks: &mut Checks, sent: [(&str, Option<Id<Vat>>); 3]) -> Result<()> {
    let ids: Vec<Uuid> = sent.iter().filter_map(|(_, id)| id.map(Id::uuid)).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let known = store::vats(tx, ids).await?;
    for (key, id) in sent {
        if id.is_some_and(|id| !known.contains(&id)) {
            checks.fault(key, Fault::NotExist);
        }
    }
    Ok(())
}

/// Writes changed settings and says in the audit log what differs.
async fn save<P>(tx: &TenantTx, scope: &In<Restaurant, P>, action: &str, before: Model, version: Option<i64>, row: ActiveModel) -> Result<Model> {
    let current = RestaurantDetails::of(before.clone(), scope.partner());
    rows::check_version(version, before.version, &current)?;
    let after = store::save(tx, &before, row).await?;
    let changed = access::difference(&shown(&current), &shown(&RestaurantDetails::of(after.clone(), scope.partner())));
    scope.audit(tx, Some(scope.restaurant().uuid()), action, scope.restaurant(), changed).await?;
    Ok(after)
}

/// What the audit log compares: everything but the version that rises each time.
fn shown(details: &RestaurantDetails) -> Value {
    let mut json = details.to_json().unwrap_or_default();
    if let Some(fields) = json.as_object_mut() {
        fields.remove("catalogue_version");
    }
    json
}
