//! Statements that write an order, except changes of its state.

use std::sync::LazyLock;

use access::{Caller, prelude::*};
use chrono::Duration;
use kernel::{error::is_unique_violation, time::BusinessDay};
use sea_orm::FromQueryResult;
use serde::Serialize;
use uuid::Uuid;
use work::events;

use crate::{
    checkout::PricedCart,
    events::Event,
    input::NewOrder,
    new_rows,
    partial_storno::Lines,
    read::{self, OfItem},
    row::{ItemRow, OptionRow, OrderRow, PartRow},
    state::Actor,
    types::{Order, PaymentMethod},
    values::OrderId,
    waiting::{HOUR, Sender},
};

/// The order with its items, their options and parts, its first history line and who sent it, in one
/// statement: the rows travel as JSON. Of senders that no longer count, 100 are deleted at a time.
static INSERT: LazyLock<String> = LazyLock::new(|| {
    let (order, item) = (OrderRow::columns(""), ItemRow::columns(""));
    let (option, part) = (OptionRow::columns(""), PartRow::columns(""));
    format!(
        "with o as (insert into orders ({order}) select {order} from jsonb_populate_record(null::orders, $1::text::jsonb)), \
        i as (insert into order_item ({item}) select {item} from \
            jsonb_populate_recordset(null::order_item, $2::text::jsonb)), \
        p as (insert into order_item_option ({option}) select {option} from \
            jsonb_populate_recordset(null::order_item_option, $3::text::jsonb)), \
        q as (insert into order_item_part ({part}) select {part} from \
            jsonb_populate_recordset(null::order_item_part, $4::text::jsonb)), \
        s as (insert into order_sender (order_id, restaurant_id, phone, guest, created_at) \
            select $5, $11, $12, $13, $14 where $12::text is not null or $13::text is not null), \
        d as (delete from order_sender where ($12::text is not null or $13::text is not null) and order_id in \
            (select order_id from order_sender where restaurant_id = $11 and created_at <= $15 \
            order by created_at limit 100 for update skip locked)) \
        insert into order_history (order_id, status, actor_kind, actor_id, actor_name, surface) \
        values ($5, $6, $7, $8, $9, $10)"
    )
});

/// An order to be written.
pub(crate) struct New<'a> {
    pub id: Id<OrderId>,
    pub caller: &'a Caller,
    pub sent: &'a NewOrder,
    pub checkout: &'a PricedCart,
    /// Whose waiting order it is, where they are counted.
    pub sender: Option<&'a Sender>,
    pub is_test: bool,
}

impl New<'_> {
    /// Writes it, and answers it without its number.
    ///
    /// # Errors
    /// `CONFLICT` when the caller has sent this `external_id` before.
    pub async fn insert(&self, tx: &TenantTx) -> Result<Order> {
        let Self { caller, checkout, .. } = *self;
        let row = new_rows::order(self);
        let (items, options, parts) = new_rows::items(self);
        let sender = |of: fn(&Sender) -> &Option<String>| self.sender.and_then(|sender| of(sender).clone());
        let rows = Rows { order: &row, items: &items, options: &options, parts: &parts };
        let actor = (caller.kind(), caller.id(), caller.name(), caller.surface());
        let values = rows.values(actor, sender(|sender| &sender.phone), sender(|sender| &sender.guest))?;
        match tx.run(INSERT.as_str(), values).await {
            Err(error) if is_unique_violation(&error) => {
                return Err(Problem::new(Code::CONFLICT)
                    .key("external_id", Fault::NotUnique)
                    .detail("an order with this external_id exists"));
            }
            done => done?,
        };
        let items = read::items(items, &mut OfItem::new(options, parts), row.created_at);
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
}

/// The rows of an order that is written.
struct Rows<'a> {
    order: &'a OrderRow,
    items: &'a [ItemRow],
    options: &'a [OptionRow],
    parts: &'a [PartRow],
}

impl Rows<'_> {
    /// The values of [`INSERT`]: who writes it, and who sent it where that is counted.
    fn values(
        &self,
        (kind, actor, name, surface): (&str, Option<Uuid>, &str, &str),
        phone: Option<String>,
        guest: Option<String>,
    ) -> Result<[sea_orm::Value; 15]> {
        let created_at = self.order.created_at;
        Ok([
            json(self.order)?.into(),
            json(&self.items)?.into(),
            json(&self.options)?.into(),
            json(&self.parts)?.into(),
            self.order.id.into(),
            self.order.status.name().into(),
            kind.into(),
            actor.into(),
            name.into(),
            surface.into(),
            self.order.restaurant_id.into(),
            phone.into(),
            guest.into(),
            created_at.into(),
            (created_at.0 - Duration::minutes(HOUR)).into(),
        ])
    }
}

const DAY_OF_PARENT: &str = "update orders c set business_day = p.business_day from orders p \
    where c.id = $1 and p.id = c.order_parent_id";

/// Writes a partial storno: an order of its parent's business day.
///
/// # Errors
/// What the database says.
pub(crate) async fn insert_child(
    tx: &TenantTx,
    order: &OrderRow,
    lines: &Lines,
    actor: Actor<'_>,
) -> Result<()> {
    let rows = Rows { order, items: &lines.items, options: &lines.options, parts: &lines.parts };
    tx.run(INSERT.as_str(), rows.values(actor.columns(), None, None)?).await?;
    tx.run(DAY_OF_PARENT, [order.id.into()]).await?;
    let parent = order.order_parent_id.map(Id::from_uuid);
    for id in parent.into_iter().chain([order.id]) {
        write_entry(tx, id, None).await?;
    }
    Ok(())
}

/// Writes an order's entry for lists anew; `day` where it has no business day of its own.
///
/// # Errors
/// What the database says.
pub(crate) async fn write_entry(tx: &TenantTx, id: Id<OrderId>, day: Option<BusinessDay>) -> Result<()> {
    tx.run("select write_order_entry($1, $2)", [id.into(), day.into()]).await?;
    Ok(())
}

/// What partial stornos took back of an order.
pub(crate) struct TakenBack {
    /// Pieces by line.
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
///
/// # Errors
/// What the database says.
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

/// Writes the number that was given, from when the order is visible, and its entry for lists. It follows either
/// of the two below.
const NUMBERED: &str = ", o as (update orders set counter = given.counter, business_day = given.day, \
    visible_at = greatest($11, orders.show_at) from given \
    where orders.id = $10 returning orders.id, orders.restaurant_id, orders.business_day, \
    orders.created_at, orders.show_at, orders.is_test, orders.discount_price, orders.platform, \
    orders.payment_method_id, orders.total_price, orders.first_name, orders.last_name, \
    orders.phone_1, orders.delivery_data, orders.counter), \
             l as (insert into order_entry (order_id, restaurant_id, business_day, created_at, show_at, is_test, \
    has_discount, platform, payment_method_ids, total_price, words) \
    select id, restaurant_id, business_day, created_at, show_at, is_test, discount_price <> 0, \
    platform, array_remove(array[payment_method_id], null), total_price, \
    order_words(first_name, last_name, phone_1, delivery_data, counter) from o \
    on conflict (order_id) do update set business_day = excluded.business_day, words = excluded.words), \
             n as (select jsonb_build_object('counter', counter) as extra from o)";

/// Gives the next number of the day at the very end of the transaction. The restaurant's row is locked until
/// the commit, so numbers have no gaps. The first order of a restaurant writes the row.
///
/// A day that has begun lasts until it ends by the settings with which it began, so that changed settings
/// hold from the next day, and an instance whose clock is behind goes on with the day that another has begun.
/// An end that lies further ahead than any day lasts was written by a clock that was wrong. A number that
/// stands on an order of the day already (one with another prefix may read alike) is left out. The series
/// stands among the columns, where it is computed only as far as it is read.
const COUNTER: &str = "given as (insert into order_numbering as r \
            (restaurant_id, business_day, day_ends_at, order_number) values ($1, $9, $12, 1) \
        on conflict (restaurant_id) do update set (business_day, day_ends_at, order_number) = (\
            select day, ends, (select n from (select generate_series(first, first + 1000000) n) free \
                where not exists (select from orders o where o.restaurant_id = $1 and o.business_day = day \
                    and o.counter = $13::text || n and not o.is_test) limit 1) \
            from (select case when lasts then r.business_day else $9 end as day, \
                case when lasts then r.day_ends_at else $12 end as ends, \
                case when lasts or r.business_day = $9 then r.order_number + 1 else 1 end as first \
                from (select coalesce($11 < r.day_ends_at and \
                    r.day_ends_at <= $11 + interval '26 hours', false) as lasts) running) today) \
        returning r.business_day as day, $13::text || r.order_number as counter)";

/// The number of a test order (`T1`, `T2`, …, without the prefix), so numbers of guests' orders have no gaps.
const TEST_COUNTER: &str = "given as (insert into order_numbering as r (restaurant_id, test_day, test_number) \
            values ($1, $9, 1) \
        on conflict (restaurant_id) do update set (test_day, test_number) = (\
            select day, case when r.test_day = day then r.test_number + 1 else 1 end \
            from (select case when $11 < r.day_ends_at and r.day_ends_at <= $11 + interval '26 hours' \
                then r.business_day else $9 end as day) today) \
        returning r.test_day as day, 'T' || r.test_number as counter)";

static ARRIVE: LazyLock<String> = LazyLock::new(|| events::publishing(&format!("{COUNTER}{NUMBERED}")));
static ARRIVE_AS_TEST: LazyLock<String> =
    LazyLock::new(|| events::publishing(&format!("{TEST_COUNTER}{NUMBERED}")));

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
    Ok(tx.value::<Uuid>(sql, [id.into(), acceptance.into()]).await?.map(Id::from_uuid))
}

/// Notes that an order is announced as due; false when it was before, when there is nothing to announce any more,
/// and when its time was changed and has not come (clocks may differ a little).
///
/// # Errors
/// What the database says.
pub(crate) async fn announce(tx: &TenantTx, id: Id<OrderId>, now: Timestamp) -> Result<bool> {
    let sql = "update orders set announced_at = $2 where id = $1 and announced_at is null and archived_at is \
        null and status in ('succeeded', 'processed') and show_at <= $2::timestamptz + interval '1 minute'";
    Ok(tx.run(sql, [id.into(), now.into()]).await? > 0)
}

/// How many orders are neither finished nor refused: to be paid, to be accepted, or in the kitchen.
///
/// # Errors
/// What the database says.
pub(crate) async fn count_unfinished(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<i64> {
    let sql = "select count(*) n from orders where restaurant_id = $1 and archived_at is null and status in \
        ('received', 'succeeded', 'processed')";
    Ok(tx.value(sql, [restaurant.into()]).await?.unwrap_or_default())
}
