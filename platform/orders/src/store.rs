//! Every statement that writes an order.

use access::{Caller, prelude::*};
use catalogue::Snapshot;
use chrono::{DateTime, Utc};
use kernel::{Email, error::is_unique_violation, time::BusinessDay};
use pricing::{Fulfilment, Priced};
use restaurants::Facts;
use serde_json::{Value as JsonValue, json};
use uuid::Uuid;

use crate::{
    cart,
    input::NewOrder,
    types::{OrderId, OrderStatus},
};

/// An order to be written.
pub(crate) struct New<'a> {
    pub id: Id<OrderId>,
    pub restaurant: Id<Restaurant>,
    pub caller: &'a Caller,
    pub order: &'a NewOrder,
    pub fulfilment: Fulfilment,
    pub facts: &'a Facts,
    pub status: OrderStatus,
    pub is_test: bool,
    pub payment_method: Option<Uuid>,
    pub show_at: Timestamp,
    pub now: Timestamp,
    pub snapshot: &'a Snapshot,
    pub priced: &'a Priced,
}

/// The order with its items, options and first history line, in one statement: the rows travel as JSON.
const INSERT: &str = "with o as (insert into orders (id, restaurant_id, timezone, status, platform, locale, \
    pickup, is_preorder, is_test, message, \
        first_name, last_name, email, phone_1, payment_method_id, currency, products_price, delivery_price, \
        discount_price, original_price, \
        service_fee, tip, employee_tip, courier_tip, system_usage_fee, total_price, vats, explanation, \
        expected_at, show_at, table_name, \
        admin_id, admin_name, delivery_data, api_key_id, external_id, created_at) \
    select id, restaurant_id, timezone, status, platform, locale, pickup, is_preorder, is_test, message, \
        first_name, last_name, email, phone_1, payment_method_id, currency, products_price, delivery_price, \
        discount_price, original_price, \
        service_fee, tip, employee_tip, courier_tip, system_usage_fee, total_price, vats, explanation, \
        expected_at, show_at, table_name, \
        admin_id, admin_name, delivery_data, api_key_id, external_id, created_at from \
        jsonb_populate_record(null::orders, $1)), \
    i as (insert into order_item (id, order_id, ranking, subproduct_id, product_name, product_name_sec_lang, \
    subproduct_name, \
        subproduct_name_sec_lang, quantity, unit_price, total_price, vat_percent, net_price, vat_price, \
        message) \
    select id, order_id, ranking, subproduct_id, product_name, product_name_sec_lang, subproduct_name, \
        subproduct_name_sec_lang, quantity, unit_price, total_price, vat_percent, net_price, vat_price, \
        message \
        from jsonb_populate_recordset(null::order_item, $2)), \
    p as (insert into order_item_option (id, order_item_id, ranking, option_id, option_group_id, group_name, \
    option_name, option_name_sec_lang, \
        quantity, unit_price, total_price) \
    select id, order_item_id, ranking, option_id, option_group_id, group_name, option_name, \
    option_name_sec_lang, \
        quantity, unit_price, total_price from jsonb_populate_recordset(null::order_item_option, $3)) \
    insert into order_history (order_id, status, actor_kind, actor_id, actor_name, surface) values ($4, $5, \
    $6, $7, $8, $9)";

/// Writes an order.
///
/// # Errors
/// `CONFLICT` when the caller has sent this `external_id` before.
pub(crate) async fn insert(tx: &TenantTx, new: &New<'_>) -> Result<()> {
    let (items, options) = rows(new);
    let values = [
        order_row(new).into(),
        JsonValue::Array(items).into(),
        JsonValue::Array(options).into(),
        new.id.into(),
        new.status.name().into(),
        new.caller.kind().into(),
        new.caller.id().into(),
        new.caller.name().into(),
        new.caller.surface().into(),
    ];
    match tx.run(INSERT, values).await {
        Err(error) if is_unique_violation(&error) => Err(Problem::new(Code::CONFLICT)
            .key("external_id", Fault::NotUnique)
            .detail("an order with this external_id exists")),
        done => Ok(done.map(drop)?),
    }
}

fn order_row(new: &New<'_>) -> JsonValue {
    let New { order, priced, facts, caller, .. } = new;
    let text = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let person = matches!(caller, Caller::Person { .. });
    json!({
        "id": new.id,
        "restaurant_id": new.restaurant,
        "timezone": facts.schedule.zone.name(),
        "status": new.status.name(),
        "platform": order.platform.name(),
        "locale": order.locale.as_deref().unwrap_or(facts.primary_language),
        "pickup": new.fulfilment == Fulfilment::Pickup,
        "is_preorder": order.expected_at.is_some(),
        "is_test": new.is_test,
        "message": text(order.message.as_deref()),
        "first_name": text(order.first_name.as_deref()),
        "last_name": text(order.last_name.as_deref()),
        "email": text(order.email.as_ref().map(Email::as_str)),
        "phone_1": text(order.phone_1.as_deref()),
        "payment_method_id": new.payment_method,
        "currency": facts.currency.to_string(),
        "products_price": priced.products_price,
        "delivery_price": priced.delivery_price,
        "discount_price": priced.discount_price,
        "original_price": priced.original_price,
        "service_fee": priced.service_fee,
        "tip": priced.tips.tip,
        "employee_tip": priced.tips.employee_tip,
        "courier_tip": priced.tips.courier_tip,
        "system_usage_fee": priced.system_usage_fee,
        "total_price": priced.total_price,
        "vats": cart::vats(priced),
        "explanation": cart::explanation(priced),
        "expected_at": order.expected_at,
        "show_at": new.show_at,
        "table_name": text(order.table_name.as_deref()),
        "admin_id": caller.id().filter(|_| person),
        "admin_name": person.then(|| caller.name()),
        "delivery_data": order.delivery_data.as_ref().filter(|_| new.fulfilment == Fulfilment::Delivery),
        "api_key_id": caller.id().filter(|_| !person),
        "external_id": text(order.external_id.as_deref()),
        "created_at": new.now,
    })
}

fn rows(new: &New<'_>) -> (Vec<JsonValue>, Vec<JsonValue>) {
    let mut items = Vec::with_capacity(new.priced.lines.len());
    let mut options = Vec::new();
    for (ranking, (line, sent)) in new.priced.lines.iter().zip(&new.order.items).enumerate() {
        let id = Uuid::now_v7();
        let names = new.snapshot.item_names.get(&line.subproduct_id);
        items.push(json!({
            "id": id,
            "order_id": new.id,
            "ranking": ranking,
            "subproduct_id": line.subproduct_id,
            "product_name": names.map(|names| &names.product),
            "product_name_sec_lang": names.and_then(|names| names.product_sec_lang.as_ref()),
            "subproduct_name": names.map(|names| &names.subproduct),
            "subproduct_name_sec_lang": names.and_then(|names| names.subproduct_sec_lang.as_ref()),
            "quantity": line.quantity,
            "unit_price": line.unit_price,
            "total_price": line.total_price,
            "vat_percent": line.vat_percent,
            "net_price": line.net,
            "vat_price": line.vat,
            "message": sent.message.as_deref().map(str::trim).filter(|message| !message.is_empty()),
        }));
        for (ranking, option) in line.options.iter().enumerate() {
            let names = new.snapshot.option_names.get(&option.option_id);
            options.push(json!({
                "id": Uuid::now_v7(),
                "order_item_id": id,
                "ranking": ranking,
                "option_id": option.option_id,
                "option_group_id": option.option_group_id,
                "group_name": names.map(|names| &names.group),
                "option_name": names.map(|names| &names.option),
                "option_name_sec_lang": names.and_then(|names| names.option_sec_lang.as_ref()),
                "quantity": option.quantity,
                "unit_price": option.unit_price,
                "total_price": option.total_price,
            }));
        }
    }
    (items, options)
}

/// The counter and the event together: one lock of the restaurant's counter row, at the very end of the
/// transaction.
///
/// A day that has begun lasts until it ends by the settings with which it began, so that changed settings
/// hold from the next day, and an instance whose clock is behind goes on with the day that another has begun.
/// An end that lies further ahead than any day lasts was written by a clock that was wrong. A number that
/// stands on an order of the day already (one with another prefix may read alike) is left out.
const COUNTER: &str = "with was as (select business_day, order_number, day_ends_at, \
            coalesce($5 < day_ends_at and day_ends_at <= $5 + interval '26 hours', false) lasts \
        from restaurant_counter where restaurant_id = $1 for update), \
    today as (select case when lasts then business_day else $2 end as day, case when lasts then day_ends_at \
    else $6 end as ends, \
            case when lasts or business_day = $2 then order_number + 1 else 1 end as first from was), \
    next as (select day, ends, (select n from (select generate_series(first, first + 1000000) n) free \
            where not exists (select from orders o where o.restaurant_id = $1 and o.business_day = day and \
            o.counter = $3::text || n \
                and not o.is_test) limit 1) as number \
        from today), \
    c as (update restaurant_counter r set event_number = r.event_number + 1, order_number = next.number, \
    business_day = next.day, \
            day_ends_at = next.ends \
        from next where r.restaurant_id = $1 returning r.event_number, r.business_day, $3::text || \
        r.order_number counter), \
    o as (update orders set counter = c.counter, business_day = c.business_day from c where orders.id = $4), \
    e as (insert into event (restaurant_id, number, kind, data) \
        select $1, c.event_number, 'TASK_ORDERS_RELOAD', jsonb_build_object('order_id', $4, 'counter', \
        c.counter, 'status', 'succeeded', 'change', 'created', 'due', $7::bool) from c) \
    select c.counter, pg_notify('pult_event', $1::text)::text from c";

/// The same for a test: its number is one of its own, so guests' orders have no gap for it.
const TEST_COUNTER: &str = "with was as (select coalesce($4 < day_ends_at and day_ends_at <= $4 + interval \
    '26 hours', false) lasts, business_day, test_day, \
        test_number from restaurant_counter where restaurant_id = $1 for update), \
    today as (select case when lasts then business_day else $2 end as day, test_day, test_number from was), \
    c as (update restaurant_counter r set event_number = r.event_number + 1, test_day = today.day, \
            test_number = case when today.test_day = today.day then today.test_number + 1 else 1 end \
        from today where r.restaurant_id = $1 returning r.event_number, r.test_day, 'T' || r.test_number \
        counter), \
    o as (update orders set counter = c.counter, business_day = c.test_day from c where orders.id = $3), \
    e as (insert into event (restaurant_id, number, kind, data) \
        select $1, c.event_number, 'TASK_ORDERS_RELOAD', jsonb_build_object('order_id', $3, 'counter', \
        c.counter, 'status', 'succeeded', 'change', 'created', 'due', $5::bool) from c) \
    select c.counter, pg_notify('pult_event', $1::text)::text from c";

/// What an order's number depends on.
pub(crate) struct Number<'a> {
    pub restaurant: Id<Restaurant>,
    pub now: Timestamp,
    /// The business day of now by the settings.
    pub day: BusinessDay,
    /// When that ends.
    pub ends: Timestamp,
    pub prefix: Option<&'a str>,
}

impl Number<'_> {
    /// Gives an order its counter and tells everybody; `due` says whether the kitchen should see it by now.
    /// Call it as the last write but the stored answer.
    ///
    /// # Errors
    /// What the database says.
    pub async fn give(&self, tx: &TenantTx, id: Id<OrderId>, due: bool) -> Result<String> {
        let prefix = self.prefix.unwrap_or_default().into();
        let values = [
            self.restaurant.into(),
            self.day.into(),
            prefix,
            id.into(),
            self.now.into(),
            self.ends.into(),
            due.into(),
        ];
        let row = tx.row(COUNTER, values).await?.ok_or_else(Problem::not_exist::<Restaurant>)?;
        Ok(row.try_get("", "counter")?)
    }

    /// The same for a test: `T1`, `T2`, …, whatever the prefix.
    ///
    /// # Errors
    /// What the database says.
    pub async fn of_test(&self, tx: &TenantTx, id: Id<OrderId>, due: bool) -> Result<String> {
        let values = [self.restaurant.into(), self.day.into(), id.into(), self.now.into(), due.into()];
        let row = tx.row(TEST_COUNTER, values).await?.ok_or_else(Problem::not_exist::<Restaurant>)?;
        Ok(row.try_get("", "counter")?)
    }
}

/// What is locked before a change of state.
pub(crate) struct Locked {
    pub status: OrderStatus,
    pub archived: bool,
    pub is_preorder: bool,
    pub is_test: bool,
    pub email: Option<String>,
    pub version: i64,
    /// Which time it was accepted.
    pub acceptance: i32,
    /// Whether the guest has been told of that.
    pub guest_told: bool,
}

/// Locks an order.
///
/// # Errors
/// `ORDER_NOT_EXIST`.
pub(crate) async fn lock(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>) -> Result<Locked> {
    let sql = "select status, archived_at is not null archived, is_preorder, is_test, email, version, \
        acceptance, guest_told from orders \
               where restaurant_id = $1 and id = $2 for update";
    let row = tx.row(sql, [restaurant.into(), id.into()]).await?.ok_or_else(Problem::not_exist::<OrderId>)?;
    Ok(Locked {
        status: OrderStatus::parse(&row.try_get::<String>("", "status")?),
        archived: row.try_get("", "archived")?,
        is_preorder: row.try_get("", "is_preorder")?,
        is_test: row.try_get("", "is_test")?,
        email: row.try_get("", "email")?,
        version: row.try_get("", "version")?,
        acceptance: row.try_get("", "acceptance")?,
        guest_told: row.try_get("", "guest_told")?,
    })
}

/// Accepts: `processed`, with the promised minutes. A preorder keeps the time the guest wanted. Answers which
/// time it was.
///
/// # Errors
/// What the database says.
pub(crate) async fn accept(
    tx: &TenantTx,
    id: Id<OrderId>,
    minutes: i32,
    expected_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<i32> {
    let sql = "update orders set status = 'processed', accepted_at = $2, delivery_time_minute = $3, \
        expected_at = coalesce($4, expected_at), \
               acceptance = acceptance + 1, guest_told = false, version = version + 1 where id = $1 \
               returning acceptance";
    let row = tx
        .row(sql, [id.into(), now.into(), minutes.into(), expected_at.into()])
        .await?
        .ok_or_else(Problem::not_exist::<OrderId>)?;
    Ok(row.try_get("", "acceptance")?)
}

/// Not accepted any more: nothing is promised, and a preorder keeps the time the guest wanted.
///
/// # Errors
/// What the database says.
pub(crate) async fn take_back(tx: &TenantTx, id: Id<OrderId>) -> Result<()> {
    let sql = "update orders set status = 'succeeded', accepted_at = null, delivery_time_minute = null, \
        guest_told = false, \
               expected_at = case when is_preorder then expected_at end, version = version + 1 where id = $1";
    tx.run(sql, [id.into()]).await?;
    Ok(())
}

/// Notes that the guest is being told of this acceptance; where it still holds, the restaurant of the order.
/// From then on taking back is told, too.
///
/// # Errors
/// What the database says.
pub(crate) async fn tell_accepted(
    tx: &TenantTx,
    id: Id<OrderId>,
    acceptance: Option<i32>,
) -> Result<Option<Id<Restaurant>>> {
    let sql = "update orders set guest_told = true where id = $1 and email is not null and archived_at is \
        null \
               and status in ('processed', 'prepared') and ($2::int is null or acceptance = $2) returning \
               restaurant_id";
    let row = tx.row(sql, [id.into(), acceptance.into()]).await?;
    Ok(row.map(|row| row.try_get::<Uuid>("", "restaurant_id")).transpose()?.map(Id::from_uuid))
}

/// Ready, or being made again.
///
/// # Errors
/// What the database says.
pub(crate) async fn prepare(tx: &TenantTx, id: Id<OrderId>, prepared_at: Option<Timestamp>) -> Result<()> {
    let sql = "update orders set status = case when $2::timestamptz is null then 'processed' else 'prepared' \
        end, prepared_at = $2, \
               version = version + 1 where id = $1";
    tx.run(sql, [id.into(), prepared_at.into()]).await?;
    Ok(())
}

/// Archives, once and for ever.
///
/// # Errors
/// What the database says.
pub(crate) async fn archive(
    tx: &TenantTx,
    id: Id<OrderId>,
    reason: Option<&str>,
    text: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let sql = "update orders set archived_at = $2, archive_reason = $3, archive_reason_text = $4, version = \
        version + 1 where id = $1";
    tx.run(sql, [id.into(), now.into(), reason.map(str::to_owned).into(), text.map(str::to_owned).into()])
        .await?;
    Ok(())
}

/// Sets the state of an order that nobody pays for.
///
/// # Errors
/// What the database says.
pub(crate) async fn expire(tx: &TenantTx, id: Id<OrderId>) -> Result<()> {
    tx.run("update orders set status = 'expired', version = version + 1 where id = $1", [id.into()]).await?;
    Ok(())
}

/// Gives back what an order has taken of what can be sold. A test has taken nothing.
///
/// # Errors
/// What the database says.
pub(crate) async fn give_back(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    id: Id<OrderId>,
    locked: &Locked,
) -> Result<()> {
    if locked.is_test {
        return Ok(());
    }
    let sql = "select subproduct_id, sum(quantity)::int quantity from order_item where order_id = $1 group \
        by subproduct_id order by subproduct_id";
    let rows = tx.rows(sql, [id.into()]).await?;
    let pieces: Vec<(Uuid, i32)> = rows
        .iter()
        .map(|row| Ok((row.try_get("", "subproduct_id")?, row.try_get("", "quantity")?)))
        .collect::<Result<_>>()?;
    catalogue::give_back(tx, restaurant, &pieces).await
}

/// Notes that an order is announced as due; false when it was before, or when there is nothing to announce
/// any more.
///
/// # Errors
/// What the database says.
pub(crate) async fn announce(tx: &TenantTx, id: Id<OrderId>, now: Timestamp) -> Result<bool> {
    let sql = "update orders set announced_at = $2 where id = $1 and announced_at is null and archived_at is \
        null and status in ('succeeded', 'processed')";
    Ok(tx.run(sql, [id.into(), now.into()]).await? > 0)
}

/// Writes a line of an order's history.
///
/// # Errors
/// What the database says.
pub(crate) async fn note(tx: &TenantTx, id: Id<OrderId>, status: &str, by: Option<&Caller>) -> Result<()> {
    let sql = "insert into order_history (order_id, status, actor_kind, actor_id, actor_name, surface) \
        values ($1, $2, $3, $4, $5, $6)";
    let (kind, actor, name, surface) = match by {
        Some(caller) => (caller.kind(), caller.id(), caller.name(), caller.surface()),
        None => ("job", None, "", "job"),
    };
    tx.run(sql, [id.into(), status.into(), kind.into(), actor.into(), name.into(), surface.into()]).await?;
    Ok(())
}

/// The key that sent an order.
///
/// # Errors
/// `ORDER_NOT_EXIST`.
pub(crate) async fn key_of(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    id: Id<OrderId>,
) -> Result<Option<Uuid>> {
    let row = tx
        .row(
            "select api_key_id from orders where restaurant_id = $1 and id = $2",
            [restaurant.into(), id.into()],
        )
        .await?;
    Ok(row.ok_or_else(Problem::not_exist::<OrderId>)?.try_get("", "api_key_id")?)
}

/// Orders that the kitchen should see by `till`: not archived, those to be accepted first, and of these
/// whoever waits longest, so that nobody waits on a later page while others are served; then what is
/// accepted, latest first.
///
/// # Errors
/// What the database says.
pub(crate) async fn fresh(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    till: DateTime<Utc>,
    limit: u64,
    offset: u64,
) -> Result<Vec<Uuid>> {
    let sql = "select id from orders where restaurant_id = $1 and archived_at is null and status in \
        ('succeeded', 'processed') and show_at <= $2 \
               order by status = 'succeeded' desc, case when status = 'succeeded' then show_at end, case \
               when status = 'succeeded' then id end, \
               show_at desc, id desc limit $3 offset $4";
    let cut = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let rows = tx.rows(sql, [restaurant.into(), till.into(), cut(limit).into(), cut(offset).into()]).await?;
    rows.iter().map(|row| Ok(row.try_get("", "id")?)).collect()
}

/// How many those are.
///
/// # Errors
/// What the database says.
pub(crate) async fn count_fresh(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    till: DateTime<Utc>,
) -> Result<u64> {
    let sql = "select count(*) n from orders where restaurant_id = $1 and archived_at is null and status in \
        ('succeeded', 'processed') and show_at <= $2";
    let row = tx.row(sql, [restaurant.into(), till.into()]).await?;
    let count: i64 = row.map(|row| row.try_get("", "n")).transpose()?.unwrap_or_default();
    Ok(u64::try_from(count).unwrap_or_default())
}

/// How many of them wait to be accepted.
///
/// # Errors
/// What the database says.
pub(crate) async fn count_waiting(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    till: DateTime<Utc>,
) -> Result<u64> {
    let sql = "select count(*) n from orders where restaurant_id = $1 and archived_at is null and status = \
        'succeeded' and show_at <= $2";
    let row = tx.row(sql, [restaurant.into(), till.into()]).await?;
    let count: i64 = row.map(|row| row.try_get("", "n")).transpose()?.unwrap_or_default();
    Ok(u64::try_from(count).unwrap_or_default())
}
