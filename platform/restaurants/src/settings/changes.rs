//! Changing a group of a restaurant's settings inside the caller's unit of work: check, write, audit.

use std::mem;

use access::{domain::Domains, prelude::*};
use kernel::{ids::Vats, money::Currency, setting::NoRegion};
use poem_openapi::types::ToJSON;
use serde_json::Value;

use super::{
    entity::{ActiveModel, Model},
    moved_day, opening,
    rules::{self, Checks},
    store,
    types::{
        RestaurantClose, RestaurantDelivery, RestaurantDeliveryMethod, RestaurantDetails, RestaurantGeneral,
        RestaurantPoints, RestaurantSystem,
    },
};
use crate::{Event, groups};

/// A change in a unit of work of its own, of which open windows hear.
pub(crate) async fn alone<P, C, M>(
    scope: &In<Restaurant, P>, body: Body<C>,
    change: impl AsyncFnOnce(&TenantTx, &In<Restaurant, P>, C) -> Result<M>,
) -> Result<M> {
    let tx = scope.begin().await?;
    let after = change(&tx, scope, body.into_inner()).await?;
    // Last, because it locks what every order needs.
    work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
    tx.commit().await?;
    Ok(after)
}

/// Name, address, contact, zone, currency, languages and VAT.
pub(crate) async fn general<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, domains: Domains, mut change: RestaurantGeneral,
) -> Result<Model> {
    let before = lock_for(tx, scope.restaurant(), change.currency).await?;
    let min_order_price = rules::price_or_zero(change.min_order_price);
    let mut checks = Checks::new();
    checks.timezone(change.timezone.as_deref());
    checks.languages(
        change.primary_language.unwrap_or(before.primary_language),
        change.secondary_language.or(before.secondary_language),
    );
    checks.place(change.coord_lat.or(before.coord_lat), change.coord_lng.or(before.coord_lng));
    let currency_then: Currency = change.currency.unwrap_or(before.currency);
    checks.minimum_price(min_order_price.unwrap_or(before.min_order_price), currency_then);
    check_vats(
        tx,
        &mut checks,
        [
            ("vat_id", change.vat_id, Some(before.vat_id)),
            ("sit_in_vat_id", change.sit_in_vat_id.value().copied(), before.sit_in_vat_id),
            ("delivery_vat_id", change.delivery_vat_id, Some(before.delivery_vat_id)),
        ],
    )
    .await?;
    checks.done()?;
    groups::check_membership(tx, scope, domains, &before, (None, change.currency)).await?;
    let contact_email = change.contact_email.take().map(String::from);
    let domain = mem::take(&mut change.domain).map(String::from);
    let mut row = before.clone().into_active_model();
    apply!(row: min_order_price, contact_email, domain);
    let version = change.version;
    change.apply(&mut row);
    let after = save(tx, scope, "restaurants_general", before.clone(), version, row).await?;
    store::save_directory(tx, &after).await?;
    moved_day::tell(tx, domains, &before, &after).await?;
    Ok(after)
}

/// Delivery, pickup, preorders, least value.
pub(crate) async fn delivery<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, mut change: RestaurantDelivery,
) -> Result<Model> {
    change.min_preorder_pickup_diff = rules::at_least_one(change.min_preorder_pickup_diff);
    change.min_preorder_delivery_diff = rules::at_least_one(change.min_preorder_delivery_diff);
    let min_order_price = rules::price_or_zero(change.min_order_price);
    let before = store::lock(tx, scope.restaurant()).await?;
    let mut checks = Checks::new();
    checks.minimum_price(min_order_price.unwrap_or(before.min_order_price), before.currency);
    checks.preorder_days(
        (change.min_days_to_preorder, before.min_days_to_preorder),
        (change.days_to_preorder, before.days_to_preorder),
    );
    checks.done()?;
    let mut row = before.clone().into_active_model();
    apply!(row: min_order_price);
    let version = change.version;
    change.apply(&mut row);
    let after = save(tx, scope, "restaurants_delivery", before, version, row).await?;
    tx.run(
        "update restaurant set delivery_set_at = coalesce(delivery_set_at, now()) where id = $1",
        [scope.restaurant().into()],
    )
    .await?;
    Ok(after)
}

pub(crate) async fn delivery_method<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, change: RestaurantDeliveryMethod,
) -> Result<Model> {
    let before = store::lock(tx, scope.restaurant()).await?;
    let mut row = before.clone().into_active_model();
    let version = change.version;
    change.apply(&mut row);
    save(tx, scope, "restaurants_delivery_method", before, version, row).await
}

/// Keeps what holds where no region is active, now that none is: what was sent, else `nowhere`. `was_active`: the
/// last active one has gone; of others what holds already stays. Windows hear of it with the transaction.
pub async fn no_region<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, sent: Option<NoRegion>, was_active: bool,
) -> Result<()> {
    let before = store::lock(tx, scope.restaurant()).await?;
    let kept = before.no_region.filter(|_| !was_active);
    let no_region = sent.or(kept).unwrap_or(NoRegion::Nowhere);
    if before.no_region == Some(no_region) {
        return Ok(());
    }
    let mut row = before.clone().into_active_model();
    row.no_region = Set(Some(no_region));
    save(tx, scope, "restaurants_delivery", before, None, row).await?;
    work::events::publish(tx, &Event::Changed(scope.restaurant())).await
}

pub(crate) async fn close<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, change: RestaurantClose,
) -> Result<Model> {
    let before = store::lock(tx, scope.restaurant()).await?;
    let mut row = before.clone().into_active_model();
    sos_close(tx, scope, &mut row, Some(change.temp_no_orders), change.temp_no_orders_until).await?;
    save(tx, scope, "restaurants_close", before, change.version, row).await
}

/// Locks the restaurant; against new rows that refer to it too, when its currency is sent: nothing is priced
/// in the earlier one meanwhile.
async fn lock_for(tx: &TenantTx, id: Id<Restaurant>, currency: Option<Currency>) -> Result<Model> {
    if currency.is_some() { store::lock_whole(tx, id).await } else { store::lock(tx, id).await }
}

/// Numbering of orders, SOS close, usual delivery time, currency and group, telling of orders that nobody accepts.
pub(crate) async fn system<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, domains: Domains, mut change: RestaurantSystem,
) -> Result<Model> {
    change.counter_prefix = rules::counter_prefix(change.counter_prefix);
    change.escalate_after_minutes = rules::minutes_or_never(change.escalate_after_minutes);
    change.escalate_admins_after_minutes = rules::minutes_or_never(change.escalate_admins_after_minutes);
    let before = lock_for(tx, scope.restaurant(), change.currency).await?;
    let mut checks = Checks::new();
    checks.currency_of(before.min_order_price, change.currency);
    checks.done()?;
    let membership = (change.restaurant_group_id, change.currency);
    groups::check_membership(tx, scope, domains, &before, membership).await?;
    let mut row = before.clone().into_active_model();
    sos_close(tx, scope, &mut row, change.temp_no_orders, change.temp_no_orders_until).await?;
    let version = change.version;
    change.apply(&mut row);
    let after = save(tx, scope, "restaurants_system", before.clone(), version, row).await?;
    moved_day::tell(tx, domains, &before, &after).await?;
    if membership != (None, None) {
        store::save_directory(tx, &after).await?;
    }
    Ok(after)
}

/// Whether opening an order accepts it, where the till's configuration says so.
pub(crate) async fn accept_on_open<P>(tx: &TenantTx, scope: &In<Restaurant, P>, on: bool) -> Result<()> {
    let before = store::lock(tx, scope.restaurant()).await?;
    if before.order_accept_on_open == on {
        return Ok(());
    }
    let mut row = before.clone().into_active_model();
    row.order_accept_on_open = Set(on);
    save(tx, scope, "restaurants_system", before, None, row).await.map(drop)
}

/// The share that guests get back as points.
pub(crate) async fn points<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, change: RestaurantPoints,
) -> Result<Model> {
    let point_cash_ratio = change.point_cash_ratio.map(rules::share);
    let before = store::lock(tx, scope.restaurant()).await?;
    let mut row = before.clone().into_active_model();
    apply!(row: point_cash_ratio);
    save(tx, scope, "restaurants_points", before, change.version, row).await
}

/// Sets both fields of SOS close when it is switched, and the job that ends it.
async fn sos_close<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, row: &mut ActiveModel, on: Option<bool>,
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

/// A field's name, the rate sent for it, and its present one.
type SentVat = (&'static str, Option<Id<Vats>>, Option<Id<Vats>>);

/// Checks the rates that are not the present ones: a rate that was archived stays where it is.
async fn check_vats(tx: &TenantTx, checks: &mut Checks, sent: [SentVat; 3]) -> Result<()> {
    let changed =
        sent.into_iter().filter_map(|(key, id, current)| Some((key, id.filter(|id| Some(*id) != current)?)));
    let changed: Vec<(&str, Id<Vats>)> = changed.collect();
    if changed.is_empty() {
        return Ok(());
    }
    let known = store::vats(tx, changed.iter().map(|(_, id)| id.uuid()).collect()).await?;
    for (key, id) in changed {
        if !known.contains(&id) {
            checks.fault(key, Fault::NotExist);
        }
    }
    Ok(())
}

/// Writes changed settings and says in the audit log what differs.
async fn save<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, action: &str, before: Model, version: Option<i64>,
    row: ActiveModel,
) -> Result<Model> {
    let current = RestaurantDetails::of(before.clone(), scope.partner());
    let logged = rows::Logged { resource: "restaurants", record: scope.restaurant().uuid() };
    rows::check_version(tx, version, before.version, &current, logged).await?;
    let after = store::save(tx, &before, row).await?;
    let changed =
        access::difference(&shown(&current), &shown(&RestaurantDetails::of(after.clone(), scope.partner())));
    scope.audit(tx, Some(scope.restaurant().uuid()), action, scope.restaurant(), changed).await?;
    Ok(after)
}

/// What the audit log compares: everything but the version that rises each time.
pub(crate) fn shown(details: &RestaurantDetails) -> Value {
    let mut json = details.to_json().unwrap_or_default();
    if let Some(fields) = json.as_object_mut() {
        fields.remove("catalogue_version");
    }
    json
}
