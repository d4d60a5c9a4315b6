//! SOS close that ends by itself, in nights with a clock change: the end is an instant. See
//! `docs/decisions/restaurants.md#sos-close`.

use kernel::{clock, time::Timestamp};
use serde_json::{Value, json};
use testkit::kit;

use super::{pickup, prepared, reasons::reasons};

fn set(instant: &str) {
    clock::set(instant.parse::<Timestamp>().unwrap().0);
}

/// Closes at `from` until `until` and looks at each of the instants: whether orders are taken, until when,
/// else from when on.
async fn night(from: &str, until: &str, looks: &[(&str, bool, &str)]) {
    // Signing in is by the real clock.
    clock::set(chrono::Utc::now());
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    set(from);
    // The night belongs to Saturday; at two or three o'clock on Sunday the clocks change.
    let week = json!([{"day": "sat", "open_at": "18:00", "close_at": "04:00"}]);
    admin.put("/opening-hours").json(json!({ "opening_hours": week })).send().await.assert(200);
    assert!(reasons(&key, pickup(&menu)).await.is_empty(), "{from}: open before");
    admin
        .put("/close")
        .json(json!({"temp_no_orders": true, "temp_no_orders_until": until}))
        .send()
        .await
        .assert(200);
    for (at, open, then) in looks {
        // Rounded to the millisecond, it could show the one before.
        set(&at.replace('Z', ".005Z"));
        let now = key.get("/public/opening-hours").send().await.assert(200).json();
        let (opens, closes) = if *open { (Value::Null, json!(then)) } else { (json!(then), Value::Null) };
        assert_eq!(
            (&now["open_now"], &now["next_opening"], &now["open_until"]),
            (&json!(open), &opens, &closes),
            "{at}"
        );
        let closed = at.parse::<Timestamp>().unwrap() < until.parse::<Timestamp>().unwrap();
        assert_eq!(now["temp_no_orders"], closed, "{at}");
        let expected: &[&str] = match (closed, open) {
            (true, _) => &["temp_no_orders"],
            (false, false) => &["closed"],
            (false, true) => &[],
        };
        assert_eq!(reasons(&key, pickup(&menu)).await, expected, "{at}");
    }
}

#[testkit::test(alone)]
async fn an_end_in_the_repeated_hour_is_unambiguous() {
    // 2:45 summer time, and the same an hour later in winter time; 4:00 is winter time.
    let closing = "2027-10-31T03:00:00.000Z";
    let (first, second) = ("2027-10-31T00:45:00.000Z", "2027-10-31T01:45:00.000Z");
    let looks = [
        ("2027-10-30T23:31:00Z", false, first),
        ("2027-10-31T00:44:59Z", false, first),
        ("2027-10-31T00:45:00Z", true, closing),
    ];
    night("2027-10-30T23:30:00Z", first, &looks).await;
    let looks = [
        ("2027-10-31T00:45:00Z", false, second),
        ("2027-10-31T01:44:59Z", false, second),
        ("2027-10-31T01:45:00Z", true, closing),
        ("2027-10-31T03:00:59Z", true, closing),
        // Winter time: 18:00 is 17:00 UTC.
        ("2027-10-31T03:01:00Z", false, "2027-11-06T17:00:00.000Z"),
    ];
    night("2027-10-30T23:30:00Z", second, &looks).await;
}

#[testkit::test(alone)]
async fn an_end_after_the_hour_that_is_missing_comes_in_time() {
    // Two o'clock winter time is three o'clock summer time; 4:00 is 2:00 UTC.
    let (end, closing) = ("2027-03-28T01:30:00.000Z", "2027-03-28T02:00:00.000Z");
    let looks = [
        ("2027-03-28T00:59:59Z", false, end),
        ("2027-03-28T01:29:59Z", false, end),
        ("2027-03-28T01:30:00Z", true, closing),
    ];
    night("2027-03-27T23:30:00Z", end, &looks).await;
    // An end after closing time opens with the next hours.
    let (end, next) = ("2027-03-28T03:30:00.000Z", "2027-04-03T16:00:00.000Z");
    night(
        "2027-03-27T23:30:00Z",
        end,
        &[("2027-03-28T01:30:00Z", false, next), ("2027-03-28T03:30:00Z", false, next)],
    )
    .await;
}
