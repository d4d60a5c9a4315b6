//! Kiosks.

use serde_json::json;
use testkit::{kit, plain_resource};

#[testkit::test]
async fn kiosks_are_a_plain_resource() {
    plain_resource("kiosks").await;
}

#[testkit::test]
async fn a_pin_is_made_is_one_kiosks_own_and_never_logged() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "kiosk"]).await;
    let one = admin.post("/kiosks").json(json!({"name": "Bejárat"})).send().await.assert(201).json();
    let pin = one["pin"].as_str().unwrap();
    assert!(pin.len() == 6 && pin.bytes().all(|digit| digit.is_ascii_digit()), "{pin}");
    admin.post("/kiosks").json(json!({"name": "Pult", "pin": pin})).send().await.assert_keys(&["pin"]);
    let other =
        admin.post("/kiosks").json(json!({"name": "Pult", "pin": "4321"})).send().await.assert(201).json();
    let path = format!("/kiosks/{}", other["id"].as_str().unwrap());
    admin.put(&path).json(json!({"pin": pin})).send().await.assert_keys(&["pin"]);
    admin.put(&path).json(json!({"pin": "12"})).send().await.assert_keys(&["pin"]);
    admin.put(&path).json(json!({"pin": "87654321"})).send().await.assert(200);
    admin.delete(&path).send().await.assert(204);
    admin.post("/kiosks").json(json!({"name": "Új", "pin": "87654321"})).send().await.assert(201);
    let logged = format!(
        "select string_agg(d.details::text, '') from {0}.audit_detail d join {0}.audit a on a.id = \
         d.audit_id where a.restaurant_id = '{1}'",
        place.schema, place.restaurant
    );
    let logged = kit().await.texts(&logged).await.concat();
    assert!(logged.contains("pin") && !logged.contains("87654321") && !logged.contains(pin), "{logged}");
}

#[testkit::test]
async fn kiosks_need_their_feature_and_choosing_one_does_not() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "kiosk"]).await;
    let kiosk = admin.post("/kiosks").json(json!({"name": "Bejárat"})).send().await.assert(201).json();
    kit()
        .await
        .run(
            &format!(
                "delete from {}.restaurant_feature where restaurant_id = $1 and feature = 'kiosk'",
                place.schema
            ),
            vec![place.restaurant.into()],
        )
        .await;
    for (method, path) in
        [("GET", "/kiosks".to_owned()), ("GET", format!("/kiosks/{}", kiosk["id"].as_str().unwrap()))]
    {
        admin.call(method.parse().unwrap(), &path).send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    }
    admin.post("/kiosks").json(json!({"name": 1})).send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    place
        .with_keys(&["admin_login"])
        .await
        .get("/kiosks")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let cashier = place.with_keys(&["admin_login", "payment_method"]).await;
    let short = cashier.get("/kiosks/picker?name=BEJARAT").send().await.assert(200).json();
    assert_eq!(short, json!([{"id": kiosk["id"], "name": "Bejárat"}]));
}

/// Postgres writes the values of what an index refuses into its log: the index is never asked.
#[testkit::test]
async fn equal_pins_at_once_are_refused_before_the_index() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "kiosk"]).await;
    // Were it asked, this would be said instead.
    let index = format!("drop index {}.kiosk_pin", place.schema);
    place.kit.run(&index, vec![]).await;
    let add = |name: String| admin.post("/kiosks").json(json!({"name": name, "pin": "4711"})).send();
    let answers = futures_util::future::join_all((0..8).map(|at| add(format!("K{at}")))).await;
    let mut made = vec![];
    for answer in answers {
        match answer.status {
            201 => made.push(answer.json()),
            _ => _ = answer.assert_keys(&["pin"]),
        }
    }
    assert_eq!(made.len(), 1);
    // Two that are given the same one at once, and one that keeps its own.
    let mut paths = vec![];
    for name in ["Egy", "Kettő"] {
        let kiosk = admin.post("/kiosks").json(json!({"name": name})).send().await.assert(201).json();
        paths.push(format!("/kiosks/{}", kiosk["id"].as_str().unwrap()));
    }
    let set = |path: &str| admin.put(path).json(json!({"pin": "5555"})).send();
    let (one, two) = futures_util::future::join(set(&paths[0]), set(&paths[1])).await;
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422]);
    let own = format!("/kiosks/{}", made[0]["id"].as_str().unwrap());
    admin.put(&own).json(json!({"pin": "4711", "name": "Más név"})).send().await.assert(200);
    // Another restaurant has PINs of its own.
    let other = kit().await.restaurant_of(place.partner).await;
    let there = other.with_keys(&["admin_login", "kiosk"]).await;
    there.post("/kiosks").json(json!({"name": "Ott", "pin": "4711"})).send().await.assert(201);
}
