//! Changing a group of a restaurant's settings, inside the caller's unit of work: check, write, audit, tell
//! open windows.

use access::prelude::*;
use kernel::money::Currency;
use poem_openapi::types::ToJSON;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    entity::{ActiveModel, Model},
    opening,
    rules::{self, Checks},
    store,
    types::{
        RestaurantClose, RestaurantDelivery, RestaurantDetails, RestaurantGeneral, RestaurantPoints,
        RestaurantSystem, Vat,
    },
};

/// The event that tells every open window to load the restaurant anew.
pub(super) const RELOAD: &str = "TASK_RESTAURANT_RELOAD";

/// A change in a unit of work of its own.
pub(crate) async fn alone<P, C, M>(
    scope: &In<Restaurant, P>,
    body: Body<C>,
    change: impl AsyncFnOnce(&TenantTx, &In<Restaurant, P>, C) -> Result<M>,
) -> Result<M> {
    let tx = scope.begin().await?;
    let after = change(&tx, scope, body.into_inner()).await?;
    tx.commit().await?;
    Ok(after)
}

/// Name, address, contact, zone, currency, languages and VAT.
pub(crate) async fn general<P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    change: RestaurantGeneral,
) -> Result<Model> {
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
        coord_lat,
        coord_lng,
        timezone,
        currency,
        primary_language,
        secondary_language,
        min_order_price,
        vat_id,
        sit_in_vat_id,
        delivery_vat_id,
        version,
    } = change;
    let before = store::lock(tx, scope.restaurant()).await?;
    let min_order_price = rules::price_or_zero(min_order_price);
    let mut checks = Checks::new();
    checks.timezone(timezone.as_deref());
    checks.languages(
        primary_language.unwrap_or(before.primary_language),
        rules::then(secondary_language, before.secondary_language),
    );
    checks.place(rules::then(coord_lat, before.coord_lat), rules::then(coord_lng, before.coord_lng));
    let currency_then: Currency = currency.unwrap_or(before.currency);
    checks.minimum_price(min_order_price.unwrap_or(before.min_order_price), currency_then);
    check_vats(
        tx,
        &mut checks,
        [("vat_id", vat_id), ("sit_in_vat_id", sit_in_vat_id), ("delivery_vat_id", delivery_vat_id)],
    )
    .await?;
    checks.done()?;
    let mut row = before.clone().into_active_model();
    apply!(row: name, phone_1, contact_email, domain, country, state_province_county, postcode, city, street, premise_number);
    apply!(row: coord_lat, coord_lng, timezone, currency, primary_language, secondary_language, min_order_price);
    apply!(row: vat_id, sit_in_vat_id, delivery_vat_id);
    let after = save(tx, scope, "restaurants_general", before, version, row).await?;
    store::save_directory(tx, &after).await?;
    Ok(after)
}

/// Delivery, pickup, preorders, least value.
pub(crate) async fn delivery<P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    change: RestaurantDelivery,
) -> Result<Model> {
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
    } = change;
    let min_preorder_pickup_diff = rules::at_least_one(min_preorder_pickup_diff);
    let min_preorder_delivery_diff = rules::at_least_one(min_preorder_delivery_diff);
    let min_order_price = rules::price_or_zero(min_order_price);
    let before = store::lock(tx, scope.restaurant()).await?;
    let mut checks = Checks::new();
    checks.minimum_price(min_order_price.unwrap_or(before.min_order_price), before.currency);
    checks.done()?;
    let mut row = before.clone().into_active_model();
    apply!(row: normal_delivery, preorder_delivery, normal_pickup, preorder_pickup, min_days_to_preorder, days_to_preorder);
    apply!(row: min_preorder_pickup_diff, min_preorder_delivery_diff, preorder_notification_mins_before_expected, min_order_price);
    let after = save(tx, scope, "restaurants_delivery", before, version, row).await?;
    tx.run(
        "update restaurant set delivery_set_at = coalesce(delivery_set_at, now()) where id = $1",
        [scope.restaurant().into()],
    )
    .await?;
    Ok(after)
}

/// SOS close.
pub(crate) async fn close<P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    change: RestaurantClose,
) -> Result<Model> {
    let RestaurantClose { temp_no_orders, temp_no_orders_until, version } = change;
    let before = store::lock(tx, scope.restaurant()).await?;
    let mut row = before.clone().into_active_model();
    sos_close(tx, scope, &mut row, Some(temp_no_orders), temp_no_orders_until).await?;
    let after = save(tx, scope, "restaurants_close", before, version, row).await?;
    work::events::publish(tx, scope.restaurant(), RELOAD, json!({})).await?;
    Ok(after)
}

/// Numbering of orders, SOS close, usual delivery time.
pub(crate) async fn system<P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    change: RestaurantSystem,
) -> Result<Model> {
    let RestaurantSystem {
        order_reset_time,
        counter_prefix,
        temp_no_orders,
        temp_no_orders_until,
        estimated_delivery_time,
        order_accept_on_open,
        max_waiting_per_phone,
        max_waiting_per_guest,
        version,
    } = change;
    let counter_prefix = rules::counter_prefix(counter_prefix);
    let before = store::lock(tx, scope.restaurant()).await?;
    let mut row = before.clone().into_active_model();
    sos_close(tx, scope, &mut row, temp_no_orders, temp_no_orders_until).await?;
    apply!(row: order_reset_time, counter_prefix, estimated_delivery_time, order_accept_on_open);
    apply!(row: max_waiting_per_phone, max_waiting_per_guest);
    let after = save(tx, scope, "restaurants_system", before, version, row).await?;
    work::events::publish(tx, scope.restaurant(), RELOAD, json!({})).await?;
    Ok(after)
}

/// What guests get back as points.
pub(crate) async fn points<P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    change: RestaurantPoints,
) -> Result<Model> {
    let RestaurantPoints { point_cash_ratio, version } = change;
    let point_cash_ratio = point_cash_ratio.map(rules::share);
    let before = store::lock(tx, scope.restaurant()).await?;
    let mut row = before.clone().into_active_model();
    apply!(row: point_cash_ratio);
    save(tx, scope, "restaurants_points", before, version, row).await
}

/// Sets both fields of SOS close when it is switched, and the job that ends it.
async fn sos_close<P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    row: &mut ActiveModel,
    on: Option<bool>,
    until: Option<Timestamp>,
) -> Result<()> {
    let mut checks = Checks::new();
    checks.sos_end(on, until, Timestamp::now());
    checks.done()?;
    if let Some(on) = on {
        (row.temp_no_orders, row.temp_no_orders_until) = (Set(on), Set(until));
    }
    if let Some(until) = until {
        opening::enqueue(tx, scope.restaurant(), until).await?;
    }
    Ok(())
}

/// Writes into the log what differs between two states of a group of settings.
pub(crate) async fn audit<P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    action: &str,
    before: &impl ToJSON,
    after: &impl ToJSON,
) -> Result<()> {
    let details =
        access::difference(&before.to_json().unwrap_or_default(), &after.to_json().unwrap_or_default());
    scope.audit(tx, Some(scope.restaurant().uuid()), action, scope.restaurant(), details).await
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
async fn save<P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    action: &str,
    before: Model,
    version: Option<i64>,
    row: ActiveModel,
) -> Result<Model> {
    let current = RestaurantDetails::of(before.clone(), scope.partner());
    rows::check_version(version, before.version, &current)?;
    let after = store::save(tx, &before, row).await?;
    let changed =
        access::difference(&shown(&current), &shown(&RestaurantDetails::of(after.clone(), scope.partner())));
    scope.audit(tx, Some(scope.restaurant().uuid()), action, scope.restaurant(), changed).await?;
    Ok(after)
}

/// What the audit log compares: everything but the version that rises each time.
pub(super) fn shown(details: &RestaurantDetails) -> Value {
    let mut json = details.to_json().unwrap_or_default();
    if let Some(fields) = json.as_object_mut() {
        fields.remove("catalogue_version");
    }
    json
}
