//! The number of an order, and the statement that writes an order with it. See
//! `docs/decisions/orders.md#counter`.

use std::sync::LazyLock;

use access::{KEEPING, prelude::*};
use kernel::time::BusinessDay;
use sea_orm::Value as Bound;
use work::events;

use crate::{
    events::Event,
    store::{inserting_after, refused},
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
            (restaurant_id, business_day, day_ends_at, order_number) values ($1, $15, $17, 1) \
        on conflict (restaurant_id) do update set (business_day, day_ends_at, order_number) = (\
            select day, ends, (select n from (select generate_series(first, first + 1000000) n) free \
                where not exists (select from orders o where o.restaurant_id = $1 and o.business_day = day \
                    and o.counter = $18::text || n and not o.is_test) limit 1) \
            from (select case when lasts then r.business_day else $15 end as day, \
                case when lasts then r.day_ends_at else $17 end as ends, \
                case when lasts or r.business_day = $15 then r.order_number + 1 else 1 end as first \
                from (select coalesce($16 < r.day_ends_at and \
                    r.day_ends_at <= $16 + interval '26 hours', false) as lasts) running) today) \
        returning r.business_day as day, $18::text || r.order_number as counter)";

/// The number of a test order (`T1`, `T2`, …, without the prefix), so numbers of guests' orders have no gaps.
const TEST_COUNTER: &str = "given as (insert into order_numbering as r (restaurant_id, test_day, test_number) \
            values ($1, $15, 1) \
        on conflict (restaurant_id) do update set (test_day, test_number) = (\
            select day, case when r.test_day = day then r.test_number + 1 else 1 end \
            from (select case when $16 < r.day_ends_at and r.day_ends_at <= $16 + interval '26 hours' \
                then r.business_day else $15 end as day) today) \
        returning r.test_day as day, 'T' || r.test_number as counter)";

/// What the order's own row takes of it.
const NUMBER: &str =
    "(select jsonb_build_object('counter', given.counter, 'business_day', given.day) from given)";

/// The order's entry for lists, and what windows hear of the number. It follows one of the two numbers and the
/// order's row, `o`.
const ENTERED: &str = ", l as (insert into order_entry (order_id, restaurant_id, business_day, created_at, show_at, is_test, \
    has_discount, platform, payment_method_ids, total_price, words) \
    select id, restaurant_id, business_day, created_at, show_at, is_test, discount_price <> 0, \
    platform, array_remove(array[payment_method_id], null), total_price, \
    order_words(first_name, last_name, phone_1, delivery_data, counter) from o), \
    n as (select jsonb_build_object('counter', counter) as extra, to_json(counter)::text as missing from o)";

/// The whole statement, whose `counter` has the values up to that place.
fn arriving(counter: &str, values: usize) -> String {
    events::publishing(&format!("{counter}, {}{ENTERED}{KEEPING}", inserting_after(values, NUMBER)))
}

static ARRIVE: LazyLock<String> = LazyLock::new(|| arriving(COUNTER, 18));
static ARRIVE_AS_TEST: LazyLock<String> = LazyLock::new(|| arriving(TEST_COUNTER, 16));

/// The same for an order that is there without one: the number follows what else its transaction has written.
static GIVE: LazyLock<String> = LazyLock::new(|| giving(COUNTER, 6));
static GIVE_AS_TEST: LazyLock<String> = LazyLock::new(|| giving(TEST_COUNTER, 4));

/// The whole statement; the order's id is the last of so many values.
fn giving(counter: &str, values: usize) -> String {
    let counter = [("$15", "$2"), ("$16", "$3"), ("$17", "$4"), ("$18", "$5")]
        .into_iter()
        .fold(counter.to_owned(), |text, (from, to)| text.replace(from, to));
    format!(
        "with {counter} update orders o set counter = given.counter, business_day = given.day from given \
        where o.id = ${values} returning o.counter"
    )
}

/// The settings that an order's number depends on.
pub(crate) struct Number<'a> {
    pub now: Timestamp,
    /// The business day of now by the settings.
    pub day: BusinessDay,
    /// When that ends.
    pub ends: Timestamp,
    pub prefix: Option<&'a str>,
}

/// An order that is written with its number.
pub(crate) struct Numbered {
    /// As [`inserting_after`] takes them.
    pub rows: [Bound; 16],
    /// As [`KEEPING`] takes them; what is missing is the counter.
    pub answer: [Bound; 6],
    pub is_test: bool,
}

impl Number<'_> {
    /// Gives an order that is written already its number, and answers it. It locks the restaurant's counter.
    ///
    /// # Errors
    /// What the database says.
    pub async fn assign(
        &self,
        tx: &TenantTx,
        restaurant: Id<Restaurant>,
        order: Id<OrderId>,
        is_test: bool,
    ) -> Result<String> {
        let day: [Bound; 3] = [restaurant.into(), self.day.into(), self.now.into()];
        let given: Option<String> = if is_test {
            tx.value(GIVE_AS_TEST.as_str(), day.into_iter().chain([order.into()])).await?
        } else {
            let more: [Bound; 3] = [self.ends.into(), self.prefix.unwrap_or_default().into(), order.into()];
            tx.value(GIVE.as_str(), day.into_iter().chain(more)).await?
        };
        given.ok_or_else(Problem::not_exist::<OrderId>)
    }

    /// Writes an order with its counter, which it answers, keeps its answer, and publishes that it has arrived.
    /// Call it as the last of a transaction.
    ///
    /// # Errors
    /// As [`refused`].
    pub async fn give(&self, tx: &TenantTx, order: Numbered, event: &Event) -> Result<String> {
        let Numbered { rows, answer, is_test } = order;
        let own = answer.into_iter().chain([self.day.into(), self.now.into()]);
        let written = if is_test {
            events::publish_with(tx, event, ARRIVE_AS_TEST.as_str(), own.chain(rows)).await?
        } else {
            let more = [self.ends.into(), self.prefix.unwrap_or_default().into()];
            events::publish_with(tx, event, ARRIVE.as_str(), own.chain(more).chain(rows)).await?
        };
        let extra = written.map_err(refused)?;
        let counter = extra["counter"].as_str().ok_or_else(Problem::not_exist::<Restaurant>)?;
        Ok(counter.to_owned())
    }
}
