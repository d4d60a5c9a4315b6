//! Statements that write an order, except changes of its state.

use std::sync::LazyLock;

use access::{Caller, prelude::*};
use catalogue::ItemNames;
use chrono::{DateTime, Utc};
use kernel::{Email, error::is_unique_violation, time::BusinessDay};
use pricing::Fulfilment;
use serde::Serialize;
use serde_json::Value as JsonValue;
use uuid::Uuid;
use work::events;

use crate::{
    cart,
    checkout::PricedCart,
    events::Event,
    input::NewOrder,
    read,
    row::{ItemRow, OptionRow, OrderRow},
    state,
    types::{Order, PaymentMethod},
    values::OrderId,
};

/// The order with its items, options and first history line, in one statement: the rows travel as JSON.
static INSERT: LazyLock<String> = LazyLock::new(|| {
    let (order, item, option) = (OrderRow::columns(""), ItemRow::columns(""), OptionRow::columns(""));
    format!(
        "with o as (insert into orders ({order}) select {order} from jsonb_populate_record(null::orders, $1)), \
        i as (insert into order_item ({item}) select {item} from \
            jsonb_populate_recordset(null::order_item, $2)), \
        p as (insert into order_item_option ({option}) select {option} from \
            jsonb_populate_recordset(null::order_item_option, $3)) \
        insert into order_history (order_id, status, actor_kind, actor_id, actor_name, surface) \
        values ($4, $5, $6, $7, $8, $9)"
    )
});

/// Writes an order, and answers it without its number.
///
/// # Errors
/// `CONFLICT` when the caller has sent this `external_id` before.
pub(crate) async fn insert(
    tx: &TenantTx,
    caller: &Caller,
    sent: &NewOrder,
    checkout: &PricedCart,
    is_test: bool,
) -> Result<Order> {
    let row = order_row(caller, sent, checkout, is_test);
    let (items, options) = item_rows(row.id, sent, checkout);
    let values = [
        json(&row)?.into(),
        json(&items)?.into(),
        json(&options)?.into(),
        row.id.into(),
        row.status.name().into(),
        caller.kind().into(),
        caller.id().into(),
        caller.name().into(),
        caller.surface().into(),
    ];
    match tx.run(INSERT.as_str(), values).await {
        Err(error) if is_unique_violation(&error) => {
            return Err(Problem::new(Code::CONFLICT)
                .key("external_id", Fault::NotUnique)
                .detail("an order with this external_id exists"));
        }
        done => done?,
    };
    let items = read::items(items, options).remove(&row.id.uuid()).unwrap_or_default();
    let method = checkout.method.as_ref().map(|method| PaymentMethod {
        id: method.id,
        payment_key: method.payment_key.clone(),
        payment_type: method.payment_type(),
        name: method.name.clone(),
        name_en: method.name_en.clone(),
        paid_online: method.paid_online,
    });
    Ok(Order::new(row, method, items))
}

fn json(rows: &impl Serialize) -> Result<JsonValue> {
    serde_json::to_value(rows).map_err(|error| {
        tracing::error!(%error, "an order cannot be written as JSON");
        Code::UNKNOWN_ERROR.into()
    })
}

/// A text without blanks around it; none when nothing is left.
fn text(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn order_row(caller: &Caller, sent: &NewOrder, checkout: &PricedCart, is_test: bool) -> OrderRow {
    let PricedCart { facts, cart, method, priced, now, .. } = checkout;
    let person = matches!(caller, Caller::Person { .. });
    let notice = i64::from(facts.preorder_notification_mins_before_expected);
    let show_at = cart.expected_at.map_or(*now, |at| (*now).max(at.plus_minutes(-notice)));
    OrderRow {
        id: Id::new(),
        restaurant_id: facts.id,
        counter: None,
        timezone: facts.schedule.zone.name().to_owned(),
        status: state::placed(method.as_ref().is_some_and(|method| method.paid_online)),
        platform: sent.platform.name().to_owned(),
        locale: sent.locale.as_deref().unwrap_or(facts.primary_language).to_owned(),
        pickup: cart.fulfilment() == Fulfilment::Pickup,
        is_preorder: sent.expected_at.is_some(),
        is_test,
        message: text(sent.message.as_deref()),
        first_name: text(sent.first_name.as_deref()),
        last_name: text(sent.last_name.as_deref()),
        email: text(sent.email.as_ref().map(Email::as_str)),
        phone_1: text(sent.phone_1.as_deref()),
        payment_method_id: method.as_ref().map(|method| method.id),
        currency: facts.currency,
        products_price: priced.products_price.into(),
        delivery_price: priced.delivery_price.into(),
        discount_price: priced.discount_price.into(),
        original_price: priced.original_price.into(),
        service_fee: priced.service_fee.into(),
        tip: priced.tips.tip.into(),
        employee_tip: priced.tips.employee_tip.into(),
        courier_tip: priced.tips.courier_tip.into(),
        system_usage_fee: priced.system_usage_fee.into(),
        total_price: priced.total_price.into(),
        vats: cart::vats(priced),
        explanation: cart::explanation(priced),
        expected_at: sent.expected_at,
        show_at,
        delivery_time_minute: None,
        table_id: None,
        table_name: text(sent.table_name.as_deref()),
        admin_id: caller.id().filter(|_| person),
        admin_name: person.then(|| caller.name().to_owned()),
        courier_id: None,
        delivery_data: sent.delivery_data.clone().filter(|_| cart.fulfilment() == Fulfilment::Delivery),
        api_key_id: caller.id().filter(|_| !person),
        external_id: text(sent.external_id.as_deref()),
        created_at: *now,
        accepted_at: None,
        prepared_at: None,
        archived_at: None,
        archive_reason: None,
        archive_reason_text: None,
        version: 1,
    }
}

fn item_rows(id: Id<OrderId>, sent: &NewOrder, checkout: &PricedCart) -> (Vec<ItemRow>, Vec<OptionRow>) {
    let PricedCart { snapshot, priced, .. } = checkout;
    let mut items = Vec::with_capacity(priced.lines.len());
    let mut options = Vec::new();
    for (ranking, (line, sent)) in (0..).zip(priced.lines.iter().zip(&sent.items)) {
        let item = Uuid::now_v7();
        let names = snapshot.item_names.get(&line.subproduct_id);
        let (name, name_sec_lang) = names.map(ItemNames::ordered).unzip();
        items.push(ItemRow {
            id: item,
            order_id: id,
            ranking,
            subproduct_id: line.subproduct_id,
            product_name: names.map(|names| names.product.clone()).unwrap_or_default(),
            product_name_sec_lang: names.and_then(|names| names.product_sec_lang.clone()),
            subproduct_name: names.map(|names| names.subproduct.clone()).unwrap_or_default(),
            subproduct_name_sec_lang: names.and_then(|names| names.subproduct_sec_lang.clone()),
            name,
            name_sec_lang: name_sec_lang.flatten(),
            quantity: cart::pieces(line.quantity),
            unit_price: line.unit_price.into(),
            total_price: line.total_price.into(),
            vat_percent: cart::rate(line),
            net_price: (line.net + line.service_fee_net).into(),
            vat_price: (line.vat + line.service_fee_vat).into(),
            message: text(sent.message.as_deref()),
        });
        for (ranking, option) in (0..).zip(&line.options) {
            let names = snapshot.option_names.get(&option.option_id);
            options.push(OptionRow {
                id: Uuid::now_v7(),
                order_item_id: item,
                ranking,
                option_id: option.option_id,
                option_group_id: option.option_group_id,
                group_name: names.map(|names| names.group.clone()).unwrap_or_default(),
                option_name: names.map(|names| names.option.clone()).unwrap_or_default(),
                option_name_sec_lang: names.and_then(|names| names.option_sec_lang.clone()),
                quantity: option.quantity.into(),
                unit_price: option.unit_price.into(),
                total_price: option.total_price.into(),
            });
        }
    }
    (items, options)
}

/// Gives the next number of the day, under the one lock of the restaurant's counter row under which the event is
/// numbered too, at the very end of the transaction.
///
/// A day that has begun lasts until it ends by the settings with which it began, so that changed settings
/// hold from the next day, and an instance whose clock is behind goes on with the day that another has begun.
/// An end that lies further ahead than any day lasts was written by a clock that was wrong. A number that
/// stands on an order of the day already (one with another prefix may read alike) is left out.
const COUNTER: &str = "with was as (select business_day, order_number, day_ends_at, \
            coalesce($11 < day_ends_at and day_ends_at <= $11 + interval '26 hours', false) lasts \
        from restaurant_counter where restaurant_id = $1 for update), \
    today as (select case when lasts then business_day else $9 end as day, case when lasts then day_ends_at \
    else $12 end as ends, \
            case when lasts or business_day = $9 then order_number + 1 else 1 end as first from was), \
    next as (select day, ends, (select n from (select generate_series(first, first + 1000000) n) free \
            where not exists (select from orders o where o.restaurant_id = $1 and o.business_day = day and \
            o.counter = $13::text || n \
                and not o.is_test) limit 1) as number \
        from today), \
    c as (update restaurant_counter r set event_number = r.event_number + 1, order_number = next.number, \
    business_day = next.day, \
            day_ends_at = next.ends \
        from next where r.restaurant_id = $1 returning r.event_number, r.business_day, \
            jsonb_build_object('counter', $13::text || r.order_number) as extra), \
    o as (update orders set counter = c.extra ->> 'counter', business_day = c.business_day from c where \
    orders.id = $10)";

/// The number of a test order (`T1`, `T2`, …, without the prefix), so numbers of guests' orders have no gaps.
const TEST_COUNTER: &str = "with was as (select coalesce($11 < day_ends_at and day_ends_at <= $11 + interval \
    '26 hours', false) lasts, business_day, test_day, \
        test_number from restaurant_counter where restaurant_id = $1 for update), \
    today as (select case when lasts then business_day else $9 end as day, test_day, test_number from was), \
    c as (update restaurant_counter r set event_number = r.event_number + 1, test_day = today.day, \
            test_number = case when today.test_day = today.day then today.test_number + 1 else 1 end \
        from today where r.restaurant_id = $1 returning r.event_number, r.test_day, \
            jsonb_build_object('counter', 'T' || r.test_number) as extra), \
    o as (update orders set counter = c.extra ->> 'counter', business_day = c.test_day from c where \
    orders.id = $10)";

static ARRIVE: LazyLock<String> = LazyLock::new(|| events::publishing(COUNTER));
static ARRIVE_AS_TEST: LazyLock<String> = LazyLock::new(|| events::publishing(TEST_COUNTER));

/// The settings that an order's number depends on.
pub(crate) struct Number<'a> {
    pub now: Timestamp,
    /// The business day of now by the settings.
    pub day: BusinessDay,
    /// When that ends.
    pub ends: Timestamp,
    pub prefix: Option<&'a str>,
}

impl Number<'_> {
    /// Gives an order its counter and publishes that it has arrived. Call it as the last write but the stored
    /// answer.
    ///
    /// # Errors
    /// What the database says.
    pub async fn give(&self, tx: &TenantTx, event: &Event, is_test: bool) -> Result<String> {
        let own = [self.day.into(), event.order().id.into(), self.now.into()];
        let extra = if is_test {
            events::publish_with(tx, event, ARRIVE_AS_TEST.as_str(), own).await?
        } else {
            let more = [self.ends.into(), self.prefix.unwrap_or_default().into()];
            events::publish_with(tx, event, ARRIVE.as_str(), own.into_iter().chain(more)).await?
        };
        let counter = extra["counter"].as_str().ok_or_else(Problem::not_exist::<Restaurant>)?;
        Ok(counter.to_owned())
    }
}

/// Marks that the guest is being told of this acceptance, if it still holds, and answers the restaurant. From
/// then on taking it back is mailed, too.
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

/// Ready orders that were called so after `since`, latest first, `most` of them.
///
/// # Errors
/// What the database says.
pub(crate) async fn ready(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    since: DateTime<Utc>,
    most: i64,
) -> Result<Vec<Uuid>> {
    let sql = "select id from orders where restaurant_id = $1 and archived_at is null and status = 'prepared' \
        and prepared_at > $2 order by prepared_at desc, id desc limit $3";
    let rows = tx.rows(sql, [restaurant.into(), since.into(), most.into()]).await?;
    rows.iter().map(|row| Ok(row.try_get("", "id")?)).collect()
}

/// How many fresh orders wait to be accepted.
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

/// How many orders are neither finished nor refused: to be paid, to be accepted, or in the kitchen.
///
/// # Errors
/// What the database says.
pub(crate) async fn count_unfinished(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<i64> {
    let sql = "select count(*) n from orders where restaurant_id = $1 and archived_at is null and status in \
        ('received', 'succeeded', 'processed')";
    let row = tx.row(sql, [restaurant.into()]).await?;
    Ok(row.map(|row| row.try_get("", "n")).transpose()?.unwrap_or_default())
}
