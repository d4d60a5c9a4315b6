//! Copying, what runs now, and what a promotion brought.

use serde_json::{Value, json};
use testkit::kit;
use uuid::Uuid;

use super::{
    admin_of, make, path,
    uses::{order, undo},
};

#[testkit::test]
async fn a_copy_is_switched_off_and_belongs_to_whoever_copies() {
    let kit = kit().await;
    let (here, there) = (kit.restaurant().await, kit.restaurant().await);
    let (admin, both) = (here.admin().await, admin_of(&[&here, &there]).await);
    let original = json!({"discount_type": "coupon", "code": "NYÁR", "all_max_use_qty": 5,
        "restaurant_ids": [here.restaurant, there.restaurant]});
    let original = make(&both, original).await;
    let copy = format!("{}/copy", path(&original));
    let no_code = both.post(&copy).json(json!({})).send().await;
    no_code.assert_keys(&["code"]);
    both.post(&copy).json(json!({"code": "nyár"})).send().await.assert_keys(&["code"]);
    let send = || both.post(&copy).key("egy").json(json!({"code": "ŐSZ"})).send();
    let made = send().await.assert(201).json();
    assert_eq!(send().await.assert(201).json(), made);
    let mut expected = original.clone();
    for (field, value) in [
        ("id", made["id"].clone()),
        ("name", json!("Ebéd (copy)")),
        ("code", json!("ŐSZ")),
        ("active", json!(false)),
        ("isValid", json!(false)),
        ("created_at", made["created_at"].clone()),
    ] {
        expected[field] = value;
    }
    assert_eq!(made, expected);
    let named =
        admin.post(&copy).json(json!({"code": "TÉL", "name": "Téli"})).send().await.assert(201).json();
    assert_eq!(
        (&named["name"], &named["restaurant_ids"], &named["editable"]),
        (&json!("Téli"), &json!([here.restaurant]), &json!(true))
    );
    let nowhere = format!("/discounts/{}/copy", Uuid::now_v7());
    admin.post(&nowhere).json(json!({})).send().await.assert_problem(404, "DISCOUNT_NOT_EXIST");
}

#[testkit::test]
async fn no_two_live_copies_have_one_name() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let original = make(&admin, json!({})).await;
    let copied = async || {
        let copy = format!("{}/copy", path(&original));
        admin.post(&copy).json(json!({})).send().await.assert(201).json()
    };
    let first = copied().await;
    assert_eq!((&first["name"], &copied().await["name"]), (&json!("Ebéd (copy)"), &json!("Ebéd (copy 2)")));
    admin.delete(&path(&first)).send().await.assert(204);
    assert_eq!(copied().await["name"], "Ebéd (copy)");
}

#[testkit::test]
async fn what_runs_now_is_told_with_the_reason_why_others_do_not() {
    let place = kit().await.partner().await;
    let admin = place.admin().await;
    make(&admin, json!({"name": "A fut", "valid_till": "2099-01-01T00:00:00Z"})).await;
    make(&admin, json!({"name": "B később", "valid_from": "2098-01-01T00:00:00Z"})).await;
    // Neither yesterday's, today's nor tomorrow's weekday.
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let weekday = format!("{:?}", kernel::time::Day::of(kernel::clock::now().date_naive())).to_lowercase();
    let today = days.iter().position(|day| *day == weekday).unwrap();
    let hours = json!([{"day": days[(today + 3) % 7], "from": "11:00", "till": "12:00"}]);
    make(&admin, json!({"name": "C idő", "time_ranges": hours})).await;
    let used = make(&admin, json!({"name": "D elfogyott", "all_max_use_qty": 1})).await;
    order(&place, "2026-01-05", None, None, &[super::id(&used)]).await.unwrap();
    make(&admin, json!({"name": "E kikapcsolva", "active": false})).await;
    make(&admin, json!({"name": "F vége", "valid_till": "2020-01-01T00:00:00Z"})).await;
    make(&admin, json!({"name": "G mindig"})).await;
    let rows = admin.get("/discounts/running").send().await.assert(200).json();
    let found: Vec<Value> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["discount"]["name"], row["running"], row["reason"]]))
        .collect();
    assert_eq!(
        found,
        [
            json!(["A fut", true, null]),
            json!(["G mindig", true, null]),
            json!(["B később", false, "not_yet_valid"]),
            json!(["C idő", false, "outside_time_range"]),
            json!(["D elfogyott", false, "limit_reached"]),
        ]
    );
    assert_eq!(rows[0]["changes_at"], "2099-01-01T00:00:00.000Z");
    assert_eq!(rows[1]["changes_at"], Value::Null);
    assert!(rows[3]["changes_at"].is_string());
}

#[testkit::test]
async fn revenue_counts_orders_that_stand_at_the_callers_restaurants() {
    let kit = kit().await;
    let place = kit.partner().await;
    let other = kit.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let made = make(&owner, json!({"restaurant_ids": null})).await;
    let promotion = super::id(&made);
    let paid = async |order: Uuid, at: Uuid, total: i64, parent: Option<Uuid>| {
        let sql = format!(
            "insert into {}.orders (id, restaurant_id, timezone, status, platform, pickup, currency, \
                products_price, original_price, total_price, vats, explanation, show_at, order_parent_id) \
             values ($1, $2, 'Europe/Budapest', 'processed', 'browser', true, 'huf', $3, $3, $3, '[]', '[]', \
                now(), $4)",
            place.schema
        );
        kit.run(&sql, vec![order.into(), at.into(), total.into(), parent.into()]).await;
    };
    let first = order(&place, "2026-01-05", None, None, &[promotion]).await.unwrap();
    paid(first, place.restaurant.uuid(), 5000, None).await;
    paid(Uuid::now_v7(), place.restaurant.uuid(), -1500, Some(first)).await;
    let undone = order(&place, "2026-01-05", None, None, &[promotion]).await.unwrap();
    paid(undone, place.restaurant.uuid(), 9000, None).await;
    undo(&place, undone).await;
    let there = order(&other, "2026-02-05", None, None, &[promotion]).await.unwrap();
    paid(there, other.restaurant.uuid(), 2000, None).await;
    let row = |at: &testkit::Place<'_>, uses: i64, back: i64, total: i64| {
        json!({"restaurant_id": at.restaurant, "restaurant_name": format!("Teszt {}", at.restaurant),
            "currency": "huf", "use_qty": uses, "given_back_qty": back, "discount_price": uses * 100,
            "total_price": total})
    };
    let revenue = async |client: &testkit::Client<'_>, query: &str| {
        let found = client.get(&format!("{}/revenue{query}", path(&made))).send().await.assert(200).json();
        let mut rows = found.as_array().unwrap().clone();
        for row in &mut rows {
            // 100.00 is 100.
            for field in ["discount_price", "total_price"] {
                row[field] = json!(row[field].as_f64().unwrap() as i64);
            }
        }
        rows
    };
    let mut both = vec![row(&place, 1, 1, 3500), row(&other, 1, 0, 2000)];
    both.sort_by_key(|row| row["restaurant_name"].to_string());
    assert_eq!(revenue(&owner, "").await, both);
    assert_eq!(revenue(&place.admin().await, "").await, [row(&place, 1, 1, 3500)]);
    assert_eq!(revenue(&owner, "?from=2026-02-01").await, [row(&other, 1, 0, 2000)]);
    assert_eq!(revenue(&owner, "?till=2026-01-05").await, [row(&place, 1, 1, 3500)]);
    let sql = format!(
        "select count(*)::text from {}.promotion_use where discount_id = '{promotion}'",
        place.schema
    );
    assert_eq!(kit.texts(&sql).await, ["3"]);
}
