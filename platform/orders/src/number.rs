//! The number of an order, and the statement that gives it. See `docs/decisions/orders.md#counter`.

use std::sync::LazyLock;

use access::prelude::*;
use kernel::time::BusinessDay;
use restaurants::Facts;
use sea_orm::Value as Bound;
use work::events;

use crate::{
    events::Event,
    store::{RETURNED, inserting_after, refused},
    values::OrderId,
};

/// Gives the next number of the day at the very end of the transaction. The restaurant's row is locked until
/// the commit, so numbers have no gaps. The first order of a restaurant writes the row.
///
/// A day that has begun lasts until it ends by the settings with which it began, so that changed settings
/// hold from the next day, and an instance whose clock is behind goes on with the day that another has begun.
/// An end that lies further ahead than any day lasts was written by a clock that was wrong. A number that
/// stands on an order of the day already (one with another prefix may read alike) is left out. The series
/// stands among the columns, where it is computed only as far as it is read.
const COUNTER: &str = "given as (insert into order_numbering as r \
            (restaurant_id, business_day, day_ends_at, order_number) values ($1, $9, $11, 1) \
        on conflict (restaurant_id) do update set (business_day, day_ends_at, order_number) = (\
            select day, ends, (select n from (select generate_series(first, first + 1000000) n) free \
                where not exists (select from orders o where o.restaurant_id = $1 and o.business_day = day \
                    and o.counter = $12::text || n and not o.is_test) limit 1) \
            from (select case when lasts then r.business_day else $9 end as day, \
                case when lasts then r.day_ends_at else $11 end as ends, \
                case when lasts or r.business_day = $9 then r.order_number + 1 else 1 end as first \
                from (select coalesce($10 < r.day_ends_at and \
                    r.day_ends_at <= $10 + interval '26 hours', false) as lasts) running) today) \
        returning r.business_day as day, $12::text || r.order_number as counter)";

/// The number of a test order (`T1`, `T2`, …, without the prefix), so numbers of guests' orders have no gaps.
const TEST_COUNTER: &str = "given as (insert into order_numbering as r (restaurant_id, test_day, test_number) \
            values ($1, $9, 1) \
        on conflict (restaurant_id) do update set (test_day, test_number) = (\
            select day, case when r.test_day = day then r.test_number + 1 else 1 end \
            from (select case when $10 < r.day_ends_at and r.day_ends_at <= $10 + interval '26 hours' \
                then r.business_day else $9 end as day) today) \
        returning r.test_day as day, 'T' || r.test_number as counter)";

/// What a row that is written now takes of it.
const NUMBER: &str =
    "(select jsonb_build_object('counter', given.counter, 'business_day', given.day) from given)";

/// A row that was there before takes it too; its id is the value after so many others.
fn numbering_after(others: usize) -> String {
    let id = others + 1;
    format!(
        "o as (update orders o set counter = given.counter, business_day = given.day from given where o.id = ${id} \
        returning {})",
        RETURNED.split(", ").map(|column| format!("o.{column}")).collect::<Vec<_>>().join(", ")
    )
}

/// The order's entry for lists, and what windows hear of the number. It follows the number and the order's row, `o`.
const ENTERED: &str = ", l as (insert into order_entry (order_id, restaurant_id, business_day, created_at, show_at, is_test, \
    has_discount, platform, payment_method_ids, total_price, words) \
    select id, restaurant_id, business_day, created_at, show_at, is_test, discount_price <> 0, \
    platform, array_remove(array[payment_method_id], null), total_price, \
    order_words(first_name, last_name, phone_1, delivery_data, counter) from o \
    on conflict (order_id) do update set business_day = excluded.business_day, show_at = excluded.show_at, \
    words = excluded.words), \
    n as (select jsonb_build_object('counter', counter) as extra from o)";

/// The whole statement: a number, the row by what follows it, and the entry.
fn arriving(counter: &str, row: &str) -> String {
    events::publishing(&format!("{counter}, {row}{ENTERED}"))
}

/// A number has so many values, with those of the event; one of a test two fewer.
const VALUES: usize = 12;
const TEST_VALUES: usize = 10;

static WRITE: LazyLock<String> = LazyLock::new(|| arriving(COUNTER, &inserting_after(VALUES, NUMBER)));
static WRITE_TEST: LazyLock<String> =
    LazyLock::new(|| arriving(TEST_COUNTER, &inserting_after(TEST_VALUES, NUMBER)));
static GIVE: LazyLock<String> = LazyLock::new(|| arriving(COUNTER, &numbering_after(VALUES)));
static GIVE_TEST: LazyLock<String> = LazyLock::new(|| arriving(TEST_COUNTER, &numbering_after(TEST_VALUES)));

/// How the order that gets a number comes into the table.
pub(crate) enum Written {
    /// With the number, by the values of [`crate::store::values`].
    Now(Box<[Bound; 16]>),
    /// It is there and has none.
    Before(Id<OrderId>),
}

/// The settings that an order's number depends on.
pub(crate) struct Number<'a> {
    now: Timestamp,
    /// The business day of now by the settings.
    day: BusinessDay,
    pub ends: Timestamp,
    prefix: Option<&'a str>,
}

impl<'a> Number<'a> {
    /// Of an order that reaches the restaurant then.
    pub fn of(facts: &'a Facts, now: Timestamp, day: BusinessDay) -> Self {
        let ends = day.end(facts.schedule.zone, facts.order_reset_time);
        Self { now, day, ends, prefix: facts.counter_prefix.as_deref() }
    }

    /// Gives an order its number, which it answers, and its entry for lists, and publishes the event. Call it as the
    /// last of a transaction: it locks the restaurant's counters.
    pub async fn give(
        &self, tx: &TenantTx, (is_test, written): (bool, Written), event: &Event,
    ) -> Result<String> {
        let mut values: Vec<Bound> = vec![self.day.into(), self.now.into()];
        if !is_test {
            values.extend([self.ends.into(), self.prefix.unwrap_or_default().into()]);
        }
        let statement = match (&written, is_test) {
            (Written::Now(_), false) => &WRITE,
            (Written::Now(_), true) => &WRITE_TEST,
            (Written::Before(_), false) => &GIVE,
            (Written::Before(_), true) => &GIVE_TEST,
        };
        match written {
            Written::Now(rows) => values.extend(*rows),
            Written::Before(id) => values.push(id.into()),
        }
        let extra = events::publish_with(tx, event, statement.as_str(), values).await?.map_err(refused)?;
        let counter = extra["counter"].as_str().ok_or_else(Problem::not_exist::<OrderId>)?;
        Ok(counter.to_owned())
    }
}
