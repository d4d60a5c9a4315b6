//! Statements that write an order, except changes of its state.

use std::{fmt::Write as _, sync::LazyLock};

use access::prelude::*;
use chrono::Duration;
use kernel::{error::is_unique_violation_of, time::BusinessDay};
use sea_orm::{DbErr, FromQueryResult};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    actor::Actor,
    row::{ItemRow, Lines, OptionRow, OrderRow, PartRow, Row},
    values::{OrderId, OrderStatus},
    waiting::HOUR,
};

/// What an entry for lists is made of.
pub(crate) const RETURNED: &str = "id, restaurant_id, business_day, created_at, show_at, is_test, discount_price, \
    platform, payment_method_id, total_price, first_name, last_name, phone_1, delivery_data, counter";

/// The order with its items, their options and parts, its first history line and who sent it, in one
/// statement: the rows travel as JSON. `number` (jsonb) has what the order's own JSON lacks: counter and business
/// day. Of senders that no longer count, 100 are deleted at a time.
fn inserting(number: &str) -> String {
    let (order, item) = (OrderRow::columns(""), ItemRow::columns(""));
    let (option, part) = (OptionRow::columns(""), PartRow::columns(""));
    format!(
        "with o as (insert into orders ({order}, business_day) select {order}, business_day from \
            jsonb_populate_record(null::orders, $1::text::jsonb || {number}) \
            returning {RETURNED}), \
        i as (insert into order_item ({item}) select {item} from \
            jsonb_populate_recordset(null::order_item, $2::text::jsonb)), \
        p as (insert into order_item_option ({option}) select {option} from \
            jsonb_populate_recordset(null::order_item_option, $3::text::jsonb)), \
        q as (insert into order_item_part ({part}) select {part} from \
            jsonb_populate_recordset(null::order_item_part, $4::text::jsonb)), \
        s as (insert into order_sender (order_id, restaurant_id, phone, guest, created_at, email) \
            select $5, $11, $12, $13, $14, $16 where coalesce($12::text, $13, $16) is not null), \
        d as (delete from order_sender where coalesce($12::text, $13, $16) is not null and order_id in \
            (select order_id from order_sender where restaurant_id = $11 and created_at <= $15 \
            order by created_at limit 100 for update skip locked)), \
        h as (insert into order_history (order_id, status, actor_kind, actor_id, actor_name, surface) \
            select $5::uuid, unnest($6::text[]), $7::text, $8::uuid, $9::text, $10::text) \
        select from o"
    )
}

static INSERT: LazyLock<String> = LazyLock::new(|| inserting("'{}'::jsonb"));

/// The common table expressions of [`inserting`] as a part of another statement, in which the values of
/// [`values`] come after so many others. The order's row is `o`.
pub(crate) fn inserting_after(others: usize, number: &str) -> String {
    let whole = inserting(number);
    // What stands before them, and the statement after the last of them, are left out.
    let parts = whole.trim_start_matches("with ").rsplit_once(") ").unwrap_or_default().0;
    let mut pieces = parts.split('$');
    let mut moved = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(piece.len());
        let (place, rest) = piece.split_at(digits);
        let place = place.parse::<usize>().unwrap_or_default() + others;
        let _ = write!(moved, "${place}{rest}");
    }
    moved + ")"
}

/// Writes an order without a number; the values are those of [`values`].
pub(crate) async fn insert(tx: &TenantTx, values: [sea_orm::Value; 16]) -> Result<()> {
    tx.run(INSERT.as_str(), values).await.map_err(refused)?;
    Ok(())
}

/// Why an order was not written: its source sent another one with this `external_id` meanwhile, else what the database
/// says.
pub(crate) fn refused(error: DbErr) -> Problem {
    if is_unique_violation_of(&error, "order_external") { Problem::overtaken() } else { error.into() }
}

#[derive(FromQueryResult)]
pub(crate) struct PlacedBefore {
    pub id: Id<OrderId>,
    pub counter: Option<String>,
    pub status: OrderStatus,
}

/// The order that a key has sent with this `external_id`.
pub(crate) async fn placed_before(
    tx: &TenantTx, restaurant: Id<Restaurant>, key: Uuid, external_id: String,
) -> Result<Option<PlacedBefore>> {
    let sql = "select id, counter, status from orders where restaurant_id = $1 and api_key_id = $2 and external_id = $3";
    Ok(tx.one(sql, [restaurant.into(), key.into(), external_id.into()]).await?)
}

/// The first lines of an order's history. One that is accepted at once has come all the same.
fn told(order: &OrderRow) -> Vec<String> {
    let mut states = vec![order.status.name().to_owned()];
    if order.status == OrderStatus::Processed {
        states.insert(0, OrderStatus::Succeeded.name().to_owned());
        states.extend(order.closed_at.map(|_| "closed".to_owned()));
    }
    states
}

/// Which of the values of [`inserting`] are the first lines of history.
const HISTORY: usize = 5;

/// The values of [`inserting`]: who writes it, and who sent it where that is counted.
pub(crate) fn values(
    order: &OrderRow, lines: &Lines, (kind, actor, name, surface): (&str, Option<Uuid>, &str, &str),
    [phone, email, guest]: [Option<String>; 3],
) -> Result<[sea_orm::Value; 16]> {
    let created_at = order.created_at;
    Ok([
        json(order)?.into(),
        json(&lines.items)?.into(),
        json(&lines.options)?.into(),
        json(&lines.parts)?.into(),
        order.id.into(),
        told(order).into(),
        kind.into(),
        actor.into(),
        name.into(),
        surface.into(),
        order.restaurant_id.into(),
        phone.into(),
        guest.into(),
        created_at.into(),
        (created_at.0 - Duration::minutes(HOUR)).into(),
        email.into(),
    ])
}

const DAY_OF_PARENT: &str = "update orders c set business_day = p.business_day from orders p \
    where c.id = $1 and p.id = c.order_parent_id";

/// Writes a partial storno: an order of its parent's business day.
pub(crate) async fn insert_child(
    tx: &TenantTx, order: &OrderRow, lines: &Lines, actor: Actor<'_>,
) -> Result<()> {
    tx.run(INSERT.as_str(), values(order, lines, actor.columns(), [None, None, None])?).await?;
    tx.run(DAY_OF_PARENT, [order.id.into()]).await?;
    let parent = order.order_parent_id.map(Id::from_uuid);
    for id in parent.into_iter().chain([order.id]) {
        write_entry(tx, id, None).await?;
    }
    Ok(())
}

/// Writes an order that takes the place of another, without a number and without a line of history.
pub(crate) async fn insert_replacing(
    tx: &TenantTx, order: &OrderRow, lines: &Lines, actor: Actor<'_>,
) -> Result<()> {
    let mut values = values(order, lines, actor.columns(), [None, None, None])?;
    values[HISTORY] = Vec::<String>::new().into();
    tx.run(INSERT.as_str(), values).await?;
    Ok(())
}

/// Writes an order's entry for lists anew; `day` where it has no business day of its own.
pub(crate) async fn write_entry(tx: &TenantTx, id: Id<OrderId>, day: Option<BusinessDay>) -> Result<()> {
    tx.run("select write_order_entry($1, $2)", [id.into(), day.into()]).await?;
    Ok(())
}

/// What partial stornos took back of an order.
pub(crate) struct TakenBack {
    pub pieces: Vec<(Uuid, i32)>,
    pub delivery: bool,
    pub system_usage_fee: bool,
    pub tips: bool,
}

#[derive(FromQueryResult)]
struct FeesBack {
    delivery: bool,
    system_usage_fee: bool,
    tips: bool,
}

#[derive(FromQueryResult)]
struct PiecesBack {
    id: Uuid,
    pieces: i32,
}

const PIECES_BACK: &str = "select i.parent_item_id id, (-sum(i.quantity))::int pieces from order_item i \
    join orders o on o.id = i.order_id where o.order_parent_id = $1 group by i.parent_item_id";
const FEES_BACK: &str = "select coalesce(bool_or(coalesce(delivery_original_price, delivery_price) <> 0), false) \
        delivery, coalesce(bool_or(system_usage_fee <> 0), false) system_usage_fee, \
        coalesce(bool_or(tip + employee_tip + courier_tip <> 0), false) tips \
    from orders where order_parent_id = $1";

/// Of the locked order with this id.
pub(crate) async fn taken_back(tx: &TenantTx, id: Id<OrderId>) -> Result<TakenBack> {
    let pieces: Vec<PiecesBack> = tx.all(PIECES_BACK, [id.into()]).await?;
    let fees: Option<FeesBack> = tx.one(FEES_BACK, [id.into()]).await?;
    let FeesBack { delivery, system_usage_fee, tips } = fees.ok_or(Code::UNKNOWN_ERROR)?;
    let pieces = pieces.into_iter().map(|one| (one.id, one.pieces)).collect();
    Ok(TakenBack { pieces, delivery, system_usage_fee, tips })
}

/// As text: a tree of values would be copied and written again on its way to the database.
pub(crate) fn json(rows: &impl Serialize) -> Result<String> {
    serde_json::to_string(rows).map_err(|error| {
        tracing::error!(%error, "an order cannot be written as JSON");
        Code::UNKNOWN_ERROR.into()
    })
}

/// Marks that the guest is being told of this acceptance, if it still holds, and answers the restaurant. From
/// then on taking it back is mailed, too.
pub(crate) async fn tell_accepted(
    tx: &TenantTx, id: Id<OrderId>, acceptance: Option<i32>,
) -> Result<Option<Id<Restaurant>>> {
    let sql = "update orders set guest_told = true where id = $1 and email is not null and archived_at is \
        null \
               and status in ('processed', 'prepared') and ($2::int is null or acceptance = $2) returning \
               restaurant_id";
    Ok(tx.value::<Uuid>(sql, [id.into(), acceptance.into()]).await?.map(Id::from_uuid))
}

/// Notes that an order is announced as due; false when it was before, when there is nothing to announce any more,
/// and when its time was changed and has not come (clocks may differ a little).
pub(crate) async fn announce(tx: &TenantTx, id: Id<OrderId>, now: Timestamp) -> Result<bool> {
    let sql = "update orders set announced_at = $2 where id = $1 and announced_at is null and archived_at is \
        null and status in ('succeeded', 'processed') and show_at <= $2::timestamptz + interval '1 minute'";
    Ok(tx.run(sql, [id.into(), now.into()]).await? > 0)
}

/// How many orders are neither finished nor refused: to be paid, to be accepted, or in the kitchen.
pub(crate) async fn count_unfinished(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<i64> {
    let sql = "select count(*) n from orders where restaurant_id = $1 and archived_at is null and status in \
        ('received', 'succeeded', 'processed')";
    Ok(tx.value(sql, [restaurant.into()]).await?.unwrap_or_default())
}
