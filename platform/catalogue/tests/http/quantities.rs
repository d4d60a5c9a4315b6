//! What is left of sizes: the calls of its screen, and what begins with the business day.

use catalogue::Today;
use futures_util::{StreamExt, stream};
use kernel::{clock, time::Timestamp};
use serde_json::{Value, json};
use tenants::Entry;
use testkit::{Client, Place, kit};
use uuid::Uuid;

use super::{NOBODY, audited, category, make, ordering::entry, text, version};

const ALL: &str = "/sellable-quantities";

fn set(instant: &str) {
    clock::set(instant.parse::<Timestamp>().unwrap().0);
}

fn at(id: &str) -> String {
    format!("{ALL}/{id}")
}

/// A soup with two sizes; their ids.
async fn soup(admin: &Client<'_>) -> [String; 2] {
    let soups = category(admin, "Levesek", None).await;
    let body = json!({"name": "Gulyás", "ean_code": "5990000000017", "subproducts": [{"name": "Csésze",
        "price": 1200, "ean_code": "5990000000024"}, {"name": "Tányér", "price": 1800}]});
    let made = make(admin, &format!("/product-categories/{soups}/products"), body).await;
    [0, 1].map(|nth| text(&made["subproducts"][nth]["id"]))
}

async fn put(admin: &Client<'_>, id: &str, body: Value) -> Value {
    admin.put(&at(id)).json(body).send().await.assert(200).json()
}

/// Quantity, daily quantity and state.
async fn held(admin: &Client<'_>, id: &str) -> Value {
    let row = admin.get(&at(id)).send().await.assert(200).json();
    json!([row["sellable_quantity"], row["daily_quantity"], row["state"]])
}

/// Pieces of a size on the public menu, and whether it can be had.
async fn on_menu(key: &Client<'_>, id: &str) -> Value {
    let menu = key.get("/public/menu").send().await.assert(200).json();
    let sizes = menu["categories"].as_array().unwrap().iter().flat_map(|category| {
        category["products"].as_array().unwrap().iter().flat_map(|product| {
            product["subproducts"]
                .as_array()
                .unwrap()
                .iter()
                .map(|size| (text(&size["id"]), json!([size["sellable_quantity"], size["available"]])))
        })
    });
    sizes.into_iter().find(|(one, _)| one == id).map_or(Value::Null, |(_, found)| found)
}

/// An order takes so many pieces; whether there were enough.
async fn take(place: &Place<'_>, entry: &Entry, id: &str, pieces: i32) -> bool {
    let (tx, _) = place.kit.app.door.begin(entry).await.unwrap().unwrap();
    let facts = restaurants::facts(&tx, place.restaurant).await.unwrap();
    let today = Today::of(&facts, Timestamp::now());
    let id: Uuid = id.parse().unwrap();
    let missing = catalogue::take_quantities(&tx, place.restaurant, &[(id, pieces)], today).await.unwrap();
    if missing.is_empty() {
        tx.commit().await.unwrap();
    }
    missing.is_empty()
}

#[testkit::test]
async fn a_size_is_counted_and_switched() {
    let place = kit().await.restaurant().await;
    let entry = entry(&place).await;
    let (admin, key) = (place.admin().await, place.api_key(&["menu:read"]).await);
    let [cup, plate] = soup(&admin).await;
    let rows = admin.get(&format!("{ALL}?count=true")).send().await.assert(200);
    assert_eq!(rows.header("x-total-count"), Some("2"));
    let first = &rows.json()[0];
    assert_eq!(
        (
            &first["product_name"], &first["name"], &first["ean_code"], &first["category_name"],
            &first["alone"]
        ),
        (&json!("Gulyás"), &json!("Csésze"), &json!("5990000000024"), &json!("Levesek"), &json!(false))
    );
    assert_eq!(held(&admin, &cup).await, json!([null, null, "on"]));
    let before = version(&place).await;

    // Switched on as the screen does it.
    let after = put(&admin, &cup, json!({"sellable_quantity": 20, "state": "on", "version": 1})).await;
    assert_eq!((&after["sellable_quantity"], &after["version"]), (&json!(20), &json!(2)));
    assert_eq!(
        audited(&place).await,
        ("sellable_quantities_update".to_owned(), json!({"sellable_quantity": [null, 20]}))
    );
    assert_eq!((version(&place).await - before, on_menu(&key, &cup).await), (1, json!([20, true])));
    put(&admin, &cup, json!({"sellable_quantity": 3})).await;
    assert_eq!(version(&place).await - before, 1, "numbers alone are laid over computed menus");
    assert_eq!(on_menu(&key, &cup).await, json!([3, true]));
    assert!(take(&place, &entry, &cup, 3).await && !take(&place, &entry, &cup, 1).await);
    assert_eq!(on_menu(&admin, &cup).await, json!([0, false]));
    put(&admin, &cup, json!({"version": 3})).await;

    // Off for good, for today, and on again; what was counted stays.
    put(&admin, &cup, json!({"sellable_quantity": 7, "state": "off"})).await;
    assert_eq!((held(&admin, &cup).await, on_menu(&key, &cup).await), (json!([7, null, "off"]), Value::Null));
    put(&admin, &cup, json!({"state": "off_today"})).await;
    assert_eq!(
        (held(&admin, &cup).await, on_menu(&key, &cup).await),
        (json!([7, null, "off_today"]), json!([0, false]))
    );
    assert!(!take(&place, &entry, &cup, 1).await);
    put(&admin, &plate, json!({"state": "off_today"})).await;
    assert_eq!(on_menu(&key, &plate).await, json!([0, false]), "also where nobody counts");
    assert!(!take(&place, &entry, &plate, 1).await);
    for (only, found) in [("counted", vec![&cup]), ("sold_out", vec![]), ("off", vec![&cup, &plate])] {
        let rows = admin.get(&format!("{ALL}?only={only}")).send().await.assert(200).json();
        let ids: Vec<String> = rows.as_array().unwrap().iter().map(|row| text(&row["id"])).collect();
        assert_eq!(ids.iter().collect::<Vec<_>>(), found, "{only}");
    }
    put(&admin, &cup, json!({"state": "on"})).await;
    put(&admin, &plate, json!({"state": "on"})).await;
    assert_eq!(
        (on_menu(&key, &cup).await, on_menu(&key, &plate).await),
        (json!([7, true]), json!([null, true]))
    );
    put(&admin, &cup, json!({"sellable_quantity": null})).await;
    assert_eq!(held(&admin, &cup).await, json!([null, null, "on"]));

    for (query, found) in [
        ("name=gulyas%20tany", 1),
        ("name=GULY%C3%81S", 2),
        ("name=%25", 0),
        ("ean_code=5990000000024", 1),
        ("ean_code=5990000000017", 2),
        ("ean_code=599", 0),
    ] {
        let rows = admin.get(&format!("{ALL}?{query}")).send().await.assert(200).json();
        assert_eq!(rows.as_array().unwrap().len(), found, "{query}");
    }
}

#[testkit::test]
async fn what_cannot_be_is_refused() {
    let place = kit().await.restaurant().await;
    let other = kit().await.restaurant().await;
    let admin = place.admin().await;
    let [cup, plate] = soup(&admin).await;
    for (body, key) in [
        (json!({"sellable_quantity": -1}), "sellable_quantity"),
        (json!({"sellable_quantity": 1.5}), "sellable_quantity"),
        (json!({"sellable_quantity": 100_001}), "sellable_quantity"),
        (json!({"sellable_quantity": 99_999_999_999_i64}), "sellable_quantity"),
        (json!({"sellable_quantity": "sok"}), "sellable_quantity"),
        (json!({"daily_quantity": 0}), "daily_quantity"),
        (json!({"daily_quantity": 2.5}), "daily_quantity"),
        (json!({"sellable_quantity": null, "daily_quantity": 5}), "daily_quantity"),
        (json!({"state": "maybe"}), "state"),
    ] {
        admin.put(&at(&cup)).json(body).send().await.assert_keys(&[key]);
    }
    let step = |by: Value| admin.post(&format!("{}/step", at(&cup))).json(json!({"by": by})).send();
    for by in [json!(100_001), json!(-100_001), json!(0.5), json!(null)] {
        step(by).await.assert_keys(&["by"]);
    }
    let gone = "SUBPRODUCT_NOT_EXIST";
    let [theirs, _] = soup(&other.admin().await).await;
    for id in [NOBODY, &theirs] {
        admin.get(&at(id)).send().await.assert_problem(404, gone);
        admin.put(&at(id)).json(json!({"state": "off_today"})).send().await.assert_problem(404, gone);
        admin.post(&format!("{}/step", at(id))).json(json!({"by": 1})).send().await.assert_problem(404, gone);
    }

    // Nobody counts: there is nothing to add to. An older version is told what holds, and who made it so.
    step(json!(1)).await.assert_problem(409, "CONFLICT");
    put(&admin, &cup, json!({"sellable_quantity": 5, "version": 1})).await;
    let stale = admin.put(&at(&cup)).json(json!({"sellable_quantity": 9, "version": 1})).send().await;
    let stale = stale.assert_problem(409, "CONFLICT").json();
    assert_eq!(stale["current"]["sellable_quantity"], 5);
    assert!(stale["changed_by"].is_string());

    // Each right for itself.
    let edits = place.with_keys(&["order", "catalog_edit"]).await;
    let switches = place.with_keys(&["order", "catalog_activate"]).await;
    let reads = place.with_keys(&["order"]).await;
    edits.put(&at(&cup)).json(json!({"sellable_quantity": 6})).send().await.assert(200);
    edits.put(&at(&cup)).json(json!({"sellable_quantity": 6, "state": "on"})).send().await.assert(200);
    switches.put(&at(&cup)).json(json!({"state": "off_today"})).send().await.assert(200);
    switches.put(&at(&cup)).json(json!({"sellable_quantity": 6, "state": "on"})).send().await.assert(200);
    let denied = "USER_PERMISSION_REQUIRED";
    edits.put(&at(&cup)).json(json!({"state": "off"})).send().await.assert_problem(403, denied);
    switches.put(&at(&cup)).json(json!({"sellable_quantity": 1})).send().await.assert_problem(403, denied);
    reads.put(&at(&cup)).json(json!({"state": "off"})).send().await.assert_problem(403, denied);
    reads.get(ALL).send().await.assert(200);
    assert_eq!(held(&admin, &cup).await, json!([6, null, "on"]));

    // What is archived is gone for all of it.
    let row = admin.get(&at(&plate)).send().await.json();
    let product = format!(
        "/product-categories/{}/products/{}",
        text(&row["product_category_id"]),
        text(&row["product_id"])
    );
    admin.put(&product).json(json!({"subproducts": [{"id": cup}]})).send().await.assert(200);
    admin.put(&at(&plate)).json(json!({"state": "off_today"})).send().await.assert_problem(404, gone);
    assert_eq!(admin.get(ALL).send().await.json().as_array().unwrap().len(), 1);
}

/// People add and take away while orders take: everything counts, once.
#[testkit::test]
async fn everybody_counts_at_the_same_time() {
    let place = kit().await.restaurant().await;
    let entry = entry(&place).await;
    let admin = place.admin().await;
    let [cup, _] = soup(&admin).await;
    put(&admin, &cup, json!({"sellable_quantity": 50})).await;
    let steps = (0..40).map(|number| {
        let (admin, place, entry, cup) = (&admin, &place, &entry, &cup);
        async move {
            match number % 4 {
                0 => assert!(take(place, entry, cup, 2).await),
                at => {
                    let by = if at == 1 { -1 } else { 1 };
                    let key = Uuid::new_v4().to_string();
                    // Twice, as after an answer that was lost.
                    for _ in 0..2 {
                        let step = admin.post(&format!("{}/step", super::quantities::at(cup))).key(&key);
                        step.json(json!({"by": by})).send().await.assert(200);
                    }
                }
            }
        }
    });
    stream::iter(steps).buffer_unordered(5).collect::<Vec<()>>().await;
    assert_eq!(held(&admin, &cup).await, json!([50 - 20 - 10 + 20, null, "on"]));
    let step = async |by: i32| {
        let step = admin.post(&format!("{}/step", at(&cup))).json(json!({"by": by})).send().await;
        step.assert(200).json()["sellable_quantity"].clone()
    };
    assert_eq!((step(-100).await, step(-1).await, step(3).await), (json!(0), json!(0), json!(3)));
}

/// At the first instant of the business day what is daily is there again and what was off for today is on, once, also
/// in the nights when clocks change and after days in which the service was down.
#[testkit::test(alone)]
async fn the_business_day_begins() {
    let place = kit().await.restaurant().await;
    let entry = entry(&place).await;
    let (admin, key) = (place.admin().await, place.api_key(&["menu:read"]).await);
    let [cup, plate] = soup(&admin).await;
    admin.put("/system").json(json!({"order_reset_time": "02:30"})).send().await.assert(200);
    let nights = [
        // In winter; the hour of the reset does not exist; it exists twice.
        ("2026-01-14T12:00:00Z", "2026-01-15T01:29:30Z", "2026-01-15T01:30:00.000Z"),
        ("2026-03-28T12:00:00Z", "2026-03-29T00:59:30Z", "2026-03-29T01:00:00.000Z"),
        ("2026-10-24T12:00:00Z", "2026-10-25T00:29:30Z", "2026-10-25T00:30:00.000Z"),
    ];
    for (day, before, boundary) in nights {
        set(day);
        put(&admin, &cup, json!({"sellable_quantity": 12, "daily_quantity": 10, "state": "on"})).await;
        let row = put(&admin, &plate, json!({"sellable_quantity": null, "state": "off_today"})).await;
        assert_eq!((&row["off_until"], &row["refill_at"]), (&json!(boundary), &Value::Null));
        assert_eq!(on_menu(&key, &cup).await, json!([12, true]));
        assert!(take(&place, &entry, &cup, 9).await);
        let version = version(&place).await;
        set(before);
        assert_eq!(
            (on_menu(&key, &cup).await, on_menu(&key, &plate).await),
            (json!([3, true]), json!([0, false]))
        );
        assert!(!take(&place, &entry, &cup, 4).await && !take(&place, &entry, &plate, 1).await);
        set(boundary);
        assert_eq!(
            (on_menu(&key, &cup).await, on_menu(&key, &plate).await),
            (json!([10, true]), json!([null, true]))
        );
        assert_eq!(held(&admin, &cup).await, json!([10, 10, "on"]));
        assert_eq!(held(&admin, &plate).await, json!([null, null, "on"]));
        assert!(take(&place, &entry, &cup, 8).await && take(&place, &entry, &plate, 1).await);
        assert_eq!(held(&admin, &cup).await, json!([2, 10, "on"]), "once: the order is not forgotten");
        assert_eq!(super::version(&place).await, version, "nobody had to do anything");
    }
    // Staff set it at the very moment at which it refills.
    set("2026-11-02T01:30:00Z");
    put(&admin, &cup, json!({"sellable_quantity": 4})).await;
    assert_eq!(held(&admin, &cup).await, json!([4, 10, "on"]));
    set("2026-11-03T01:29:30Z");
    let step =
        admin.post(&format!("{}/step", at(&cup))).json(json!({"by": 1})).send().await.assert(200).json();
    assert_eq!(
        (&step["sellable_quantity"], &step["refill_at"]),
        (&json!(5), &json!("2026-11-03T01:30:00.000Z"))
    );
    set("2026-11-03T01:30:00Z");
    let step =
        admin.post(&format!("{}/step", at(&cup))).json(json!({"by": 1})).send().await.assert(200).json();
    assert_eq!(
        (&step["sellable_quantity"], &step["refill_at"]),
        (&json!(11), &json!("2026-11-04T01:30:00.000Z")),
        "on top of what it refilled to"
    );
    // Nobody was there for days; then a storno gives back.
    put(&admin, &cup, json!({"sellable_quantity": 0})).await;
    set("2026-11-09T12:00:00Z");
    assert_eq!(on_menu(&key, &cup).await, json!([10, true]));
    let saved =
        json!({"name": "Gulyásleves", "subproducts": [{"id": cup, "sellable_quantity": 6}, {"id": plate}]});
    let row = admin.get(&at(&cup)).send().await.json();
    let product = format!(
        "/product-categories/{}/products/{}",
        text(&row["product_category_id"]),
        text(&row["product_id"])
    );
    let answer = admin.put(&product).json(saved).send().await.assert(200).json();
    assert_eq!(answer["subproducts"][0]["daily_quantity"], 10);
    assert_eq!(held(&admin, &cup).await, json!([6, 10, "on"]), "set by the editor of the product");
    let none = json!({"subproducts": [{"id": cup, "sellable_quantity": null}, {"id": plate}]});
    admin.put(&product).json(none).send().await.assert(200);
    assert_eq!(held(&admin, &cup).await, json!([null, null, "on"]));
    let daily = put(&admin, &cup, json!({"daily_quantity": 8})).await;
    assert_eq!(
        (&daily["sellable_quantity"], &daily["refill_at"]),
        (&json!(8), &json!("2026-11-10T01:30:00.000Z"))
    );
}

/// Days that begin at another time, or elsewhere: the day that is running ends once.
#[testkit::test(alone)]
async fn another_reset_time_holds_from_the_next_day_on() {
    let place = kit().await.restaurant().await;
    let entry = entry(&place).await;
    let admin = place.admin().await;
    let [cup, plate] = soup(&admin).await;
    // In Budapest two hours later.
    set("2025-06-10T11:00:00Z");
    put(&admin, &cup, json!({"sellable_quantity": 5, "daily_quantity": 10})).await;
    put(&admin, &plate, json!({"state": "off_today"})).await;
    let system = async |reset: &str| {
        admin.put("/system").json(json!({"order_reset_time": reset})).send().await.assert(200);
    };
    system("14:00").await;
    set("2025-06-10T23:30:00Z");
    assert_eq!(held(&admin, &cup).await, json!([5, 10, "on"]), "the day lasts until the new time");
    assert_eq!(held(&admin, &plate).await, json!([null, null, "off_today"]));
    set("2025-06-11T12:00:00Z");
    assert_eq!(held(&admin, &cup).await, json!([10, 10, "on"]));
    assert_eq!(held(&admin, &plate).await, json!([null, null, "on"]));
    assert!(take(&place, &entry, &cup, 1).await);
    // By the new time the day after would have begun already: the one that is running ends as it was to.
    set("2025-06-12T02:00:00Z");
    system("01:00").await;
    assert_eq!(held(&admin, &cup).await, json!([9, 10, "on"]));
    set("2025-06-12T12:00:00Z");
    assert_eq!(held(&admin, &cup).await, json!([10, 10, "on"]));
    assert!(take(&place, &entry, &cup, 2).await);
    set("2025-06-12T23:00:00Z");
    assert_eq!(held(&admin, &cup).await, json!([10, 10, "on"]));
    // It has refilled, and nobody has touched it; the day is made longer: no second time.
    set("2025-06-13T00:00:00Z");
    system("03:00").await;
    assert!(take(&place, &entry, &cup, 4).await);
    set("2025-06-13T01:30:00Z");
    assert_eq!(held(&admin, &cup).await, json!([6, 10, "on"]), "not again at three o'clock of the same day");
    set("2025-06-14T01:00:00Z");
    assert_eq!(held(&admin, &cup).await, json!([10, 10, "on"]));
    // The same by the zone.
    assert!(take(&place, &entry, &cup, 4).await);
    set("2025-06-14T10:00:00Z");
    admin.put("/general").json(json!({"timezone": "America/New_York"})).send().await.assert(200);
    set("2025-06-15T01:00:00Z");
    assert_eq!(held(&admin, &cup).await, json!([6, 10, "on"]));
    set("2025-06-15T07:00:00Z");
    assert_eq!(held(&admin, &cup).await, json!([10, 10, "on"]));
}
