//! Running numbers have no gaps or duplicates when their settings change during the day. See
//! `docs/decisions/orders.md#counter`.

use kernel::{clock, time::Timestamp};
use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{Menu, pickup, prepared};

fn set(instant: &str) {
    clock::set(instant.parse::<Timestamp>().unwrap().0);
}

async fn number(key: &Client<'_>, menu: &Menu) -> String {
    let made = key
        .post("/public/orders")
        .key(&uuid::Uuid::new_v4().to_string())
        .json(pickup(menu))
        .send()
        .await
        .assert(201)
        .json();
    made["counter"].as_str().unwrap().to_owned()
}

async fn system(admin: &Client<'_>, change: Value) {
    admin.put("/system").json(change).send().await.assert(200);
}

#[testkit::test(alone)]
async fn another_reset_time_holds_from_the_next_day_on() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    // In Budapest two hours later.
    set("2025-06-09T11:00:00Z");
    assert_eq!(number(&key, &menu).await, "1", "the day before");
    set("2025-06-10T11:00:00Z");
    assert_eq!(number(&key, &menu).await, "1");
    // By the new time it would be yesterday, whose first number is given.
    system(&admin, json!({"order_reset_time": "14:00"})).await;
    assert_eq!(number(&key, &menu).await, "2");
    set("2025-06-10T22:59:00Z");
    assert_eq!(number(&key, &menu).await, "3", "before the day would have ended");
    set("2025-06-10T23:30:00Z");
    assert_eq!(number(&key, &menu).await, "4", "it lasts until the new time");
    set("2025-06-11T11:59:00Z");
    assert_eq!(number(&key, &menu).await, "5");
    set("2025-06-11T12:00:00Z");
    assert_eq!(number(&key, &menu).await, "1", "the next day");
    // By this time it would be the day after; the one that has begun ends as it was to.
    set("2025-06-12T02:00:00Z");
    system(&admin, json!({"order_reset_time": "01:00"})).await;
    assert_eq!(number(&key, &menu).await, "2");
    set("2025-06-12T12:00:00Z");
    assert_eq!(number(&key, &menu).await, "1");
    set("2025-06-12T23:00:00Z");
    assert_eq!(number(&key, &menu).await, "1");
}

#[testkit::test(alone)]
async fn an_instance_with_a_slow_clock_continues_the_present_day() {
    let place = kit().await.restaurant().await;
    let (_, menu, key) = prepared(&place).await;
    set("2025-06-10T22:59:50Z");
    assert_eq!(number(&key, &menu).await, "1");
    set("2025-06-10T23:00:05Z");
    assert_eq!(number(&key, &menu).await, "1", "the next day");
    set("2025-06-10T22:59:55Z");
    assert_eq!(number(&key, &menu).await, "2");
    set("2025-06-10T23:00:10Z");
    assert_eq!(number(&key, &menu).await, "3");
}

#[testkit::test(alone)]
async fn a_prefix_that_is_taken_away_gives_no_number_twice() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    set("2025-06-10T11:00:00Z");
    system(&admin, json!({"counter_prefix": "1"})).await;
    assert_eq!(number(&key, &menu).await, "11");
    system(&admin, json!({"counter_prefix": null})).await;
    let mut numbers = Vec::new();
    for _ in 0..11 {
        numbers.push(number(&key, &menu).await);
    }
    assert_eq!(numbers, ["2", "3", "4", "5", "6", "7", "8", "9", "10", "12", "13"], "11 was given already");
}
