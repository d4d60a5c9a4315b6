//! The reconciler: journal, orders, counters, events, idempotency rows, jobs, quantities and customers' figures must
//! agree, each effect once. It reads the database as its owner.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor, PgConnection, Row};

use crate::{
    Acknowledged, PARTNER, RESTAURANT, Shop,
    shop::{COUNTED, PIECES},
};

/// An order as it was written.
struct Written {
    id: String,
    intent: usize,
    status: String,
    counter: Option<String>,
    day: Option<String>,
    /// Equal amounts are equal floats, whatever their trailing zeros.
    total: f64,
    of_lines: f64,
    lines: i64,
    history: i64,
    archived: bool,
}

const ORDERS: &str = "select o.id::text, o.message, o.status, o.counter, o.business_day::text as day, \
    o.total_price::float8 as total, \
    (select sum(i.total_price)::float8 from order_item i where i.order_id = o.id) as of_lines, \
    (select count(*) from order_item i where i.order_id = o.id) as lines, \
    (select count(*) from order_history h where h.order_id = o.id and h.status = o.status) as history, \
    o.archived_at is not null as archived from orders o where o.restaurant_id = $1::uuid";
/// That nobody accepts an order is told besides.
const EVENTS: &str = "select number, coalesce(data ->> 'change', '') as change, data ->> 'order_id' as order_id \
    from event where restaurant_id = $1::uuid order by number";
const COUNTER: &str = "select (select count(*) from event e where e.restaurant_id = c.restaurant_id) as \
    events, event_number, coalesce(order_number, 0) as order_number, \
    business_day::text as day \
    from restaurant_counter c left join order_numbering using (restaurant_id) where c.restaurant_id = $1::uuid";
const KEYS: &str = "select key, status, answer from idempotency_key where operation = 'orders_create'";
const JOBS: &str = "select args ->> 'order_id' as order_id from control.job where kind = 'order_expire'";
const SOLD: &str = "select s.sellable_quantity as left_over, (select coalesce(sum(i.quantity), 0) from \
    order_item i join orders o on o.id = i.order_id and o.archived_at is null where i.subproduct_id = s.id) as sold \
    from subproduct s where s.id = $1::uuid";
/// Customers whose added-up figures are not what a new count of the orders says.
pub const WRONG_CUSTOMERS: &str = "with counted as (select coalesce(c.root_id, c.id) as id, o.restaurant_id, \
    count(*) filter (where o.order_parent_id is null) as orders, sum(o.total_price) as total, \
    max(o.created_at) filter (where o.order_parent_id is null) as last, min(o.created_at) as first \
    from customer_order o join shadow_customer c on c.id = o.customer_id where o.counts group by 1, 2), \
    of_all as (select id, sum(orders) as orders, sum(total) as total, max(last) as last from counted group by 1) \
    select c.id::text from shadow_customer c left join of_all a using (id) \
    where c.root_id is null and c.archived_at is null \
    and (c.order_number, c.order_total_sum, c.last_order_at) \
    is distinct from (coalesce(a.orders, 0), coalesce(a.total, 0), a.last) \
    union all \
    select id::text from shadow_customer c join (select shadow_customer_id as id, restaurant_id, order_number, \
    order_total_sum, last_order_at, first_order_at from shadow_customer_restaurant) s using (id) \
    full join counted a using (id, restaurant_id) where c.root_id is null and c.archived_at is null \
    and (s.order_number, s.order_total_sum, s.last_order_at, s.first_order_at) \
    is distinct from (coalesce(a.orders, 0), coalesce(a.total, 0), a.last, a.first)";

/// Everything that does not fit, in words; empty when all is well.
pub async fn reconcile(
    db: &mut PgConnection, shop: &Shop, intents: usize, journal: &[Acknowledged],
) -> Vec<String> {
    // The owner sees every schema.
    let sql = "select role from control.partner where id = $1::text::uuid";
    let schema: String = sqlx::query_scalar(sql).bind(PARTNER).fetch_one(&mut *db).await.unwrap();
    db.execute(AssertSqlSafe(format!("set search_path = {schema}"))).await.unwrap();
    let orders = orders(db).await;
    let mut found = Vec::new();
    each_intent_once(&orders, shop, intents, &mut found);
    acknowledged(&orders, journal, &mut found);
    counters(db, &orders, &mut found).await;
    events(db, &orders, &mut found).await;
    keys(db, &orders, journal, &mut found).await;
    jobs(db, &orders, &mut found).await;
    quantities(db, shop, &mut found).await;
    let customers: Vec<String> = sqlx::query_scalar(WRONG_CUSTOMERS).fetch_all(&mut *db).await.unwrap();
    found.extend(
        customers.into_iter().map(|id| format!("the figures of customer {id} are not those of the orders")),
    );
    found
}

async fn orders(db: &mut PgConnection) -> Vec<Written> {
    let rows = sqlx::query(ORDERS).bind(RESTAURANT).fetch_all(db).await.unwrap();
    rows.iter()
        .map(|row| Written {
            id: row.get("id"),
            intent: row.get::<String, _>("message").parse().unwrap(),
            status: row.get("status"),
            counter: row.get("counter"),
            day: row.get("day"),
            total: row.get("total"),
            of_lines: row.get("of_lines"),
            lines: row.get("lines"),
            history: row.get("history"),
            archived: row.get("archived"),
        })
        .collect()
}

/// One whole order per intent.
fn each_intent_once(orders: &[Written], shop: &Shop, intents: usize, found: &mut Vec<String>) {
    let mut count = vec![0; intents];
    for order in orders {
        count[order.intent] += 1;
        let intended = shop.order(order.intent);
        if intended["items"].as_array().unwrap().len() as i64 != order.lines
            || order.total != order.of_lines
            || order.history != 1
        {
            found.push(format!("order {} is not whole", order.intent));
        }
    }
    for (intent, count) in count.into_iter().enumerate().filter(|(_, count)| *count != 1) {
        found.push(format!("order {intent} is there {count} times"));
    }
}

/// Acknowledged orders are stored as they were acknowledged.
fn acknowledged(orders: &[Written], journal: &[Acknowledged], found: &mut Vec<String>) {
    let by_id: HashMap<&str, &Written> = orders.iter().map(|order| (order.id.as_str(), order)).collect();
    for entry in journal {
        let acknowledged = entry.order();
        let text = |field: &str| acknowledged[field].as_str().map(str::to_owned);
        let acknowledged = (
            entry.intent,
            text("status").unwrap_or_default(),
            text("counter"),
            acknowledged["total_price"].as_f64(),
        );
        let written = by_id.get(text("id").unwrap_or_default().as_str());
        let written = written
            .map(|order| (order.intent, order.status.clone(), order.counter.clone(), Some(order.total)));
        if written.as_ref() != Some(&acknowledged) {
            found.push(format!("acknowledged was {acknowledged:?}, and there is {written:?}"));
        }
    }
}

/// Counters of a day are 1, 2, 3 …; an order that waits for its payment has none.
async fn counters(db: &mut PgConnection, orders: &[Written], found: &mut Vec<String>) {
    let mut days: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
    for order in orders {
        match (order.status.as_str(), &order.counter, &order.day) {
            ("succeeded", Some(counter), Some(day)) => {
                days.entry(day).or_default().push(counter.parse().unwrap())
            }
            ("received", None, None) => {}
            _ => found
                .push(format!("order {} is {} with counter {:?}", order.intent, order.status, order.counter)),
        }
    }
    for (day, counters) in &mut days {
        counters.sort_unstable();
        if counters.iter().zip(1..).any(|(counter, expected)| *counter != expected) {
            found.push(format!("the counters of {day} are not 1 to {}: {counters:?}", counters.len()));
        }
    }
    let row = sqlx::query(COUNTER).bind(RESTAURANT).fetch_one(db).await.unwrap();
    let newest = days.last_key_value().map(|(day, counters)| ((*day).to_owned(), counters.len() as i32));
    let counted =
        (row.get::<Option<String>, _>("day").unwrap_or_default(), row.get::<i32, _>("order_number"));
    if newest.is_some_and(|newest| newest != counted) {
        found.push(format!("the restaurant counts {counted:?}"));
    }
    if row.get::<i64, _>("events") != row.get::<i64, _>("event_number") {
        found.push("the number of events is not the newest event's number".to_owned());
    }
}

/// Events are numbered without gaps; each taken order has exactly one, and one more when it was archived.
async fn events(db: &mut PgConnection, orders: &[Written], found: &mut Vec<String>) {
    let rows = sqlx::query(EVENTS).bind(RESTAURANT).fetch_all(db).await.unwrap();
    let numbers: Vec<i64> = rows.iter().map(|row| row.get("number")).collect();
    if numbers.windows(2).any(|two| two[1] != two[0] + 1) {
        found.push("there are gaps between the events".to_owned());
    }
    let told = |of: fn(&str) -> bool| {
        let rows = rows.iter().filter(move |row| of(row.get::<&str, _>("change")));
        rows.filter_map(|row| row.get::<Option<String>, _>("order_id"))
    };
    let of = |which: fn(&&Written) -> bool| orders.iter().filter(which).map(|order| order.id.as_str());
    let taken = of(|order| order.status == "succeeded");
    compare("event", told(|change| !matches!(change, "escalated" | "archived")), taken, found);
    compare("archiving", told(|change| change == "archived"), of(|order| order.archived), found);
}

/// Each order has the answer that is kept under its key, and it is the one that was given.
async fn keys(db: &mut PgConnection, orders: &[Written], journal: &[Acknowledged], found: &mut Vec<String>) {
    let rows = sqlx::query(KEYS).fetch_all(db).await.unwrap();
    let answers: HashMap<String, String> = rows
        .iter()
        .filter(|row| row.get::<Option<i32>, _>("status") == Some(201))
        .map(|row| (row.get("key"), row.get::<Option<String>, _>("answer").unwrap_or_default()))
        .collect();
    if answers.len() != rows.len() {
        found.push("there are idempotency keys without an answer".to_owned());
    }
    for entry in journal.iter().filter(|entry| answers.get(&entry.key) != Some(&entry.body)) {
        found.push(format!("the answer to order {} is not the one that was kept", entry.intent));
    }
    let id =
        |answer: &String| serde_json::from_str::<Value>(answer).unwrap()["id"].as_str().unwrap().to_owned();
    compare("idempotency key", answers.values().map(id), orders.iter().map(|order| order.id.as_str()), found);
}

/// Each order that waits for its payment has one job that ends it.
async fn jobs(db: &mut PgConnection, orders: &[Written], found: &mut Vec<String>) {
    let rows = sqlx::query(JOBS).fetch_all(db).await.unwrap();
    let waiting = orders.iter().filter(|order| order.status == "received").map(|order| order.id.as_str());
    compare("job", rows.iter().map(|row| row.get("order_id")), waiting, found);
}

/// The remaining and the sold quantity add up to the initial one; what is refused is given back.
async fn quantities(db: &mut PgConnection, shop: &Shop, found: &mut Vec<String>) {
    for item in &shop.items[..COUNTED] {
        let row = sqlx::query(SOLD).bind(item).fetch_one(&mut *db).await.unwrap();
        let (left, sold) = (i64::from(row.get::<i32, _>("left_over")), row.get::<i64, _>("sold"));
        if left + sold != PIECES {
            found.push(format!("{left} pieces are left of {PIECES}, and {sold} were sold"));
        }
    }
}

/// The effects belong to exactly these orders, once each.
fn compare<'a>(
    effect: &str, effects: impl Iterator<Item = String>, orders: impl Iterator<Item = &'a str>,
    found: &mut Vec<String>,
) {
    let mut missing: HashSet<&str> = orders.collect();
    for id in effects {
        if !missing.remove(id.as_str()) {
            found.push(format!("{effect} of order {id} is one too many"));
        }
    }
    found.extend(missing.into_iter().map(|id| format!("order {id} has no {effect}")));
}
