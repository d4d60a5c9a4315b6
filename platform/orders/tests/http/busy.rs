//! Busy: orders for now take longer, shops are told, and it ends by the clock. See `docs/decisions/orders.md#busy`.

use chrono::Duration;
use kernel::{clock, time::Timestamp};
use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{menu, pickup, prepared, quoted, reasons::reasons, with};

const NOTHING: Value = Value::Null;

/// So many minutes from now.
fn later(minutes: i64) -> String {
    Timestamp(clock::now() + Duration::minutes(minutes)).to_string()
}

/// Estimate and both fields of busy.
fn told(answer: &Value) -> (i64, &Value, &Value) {
    (answer["estimated_delivery_time"].as_i64().unwrap(), &answer["busy_minutes"], &answer["busy_until"])
}

async fn changes(place: &testkit::Place<'_>) -> Vec<String> {
    let sql = format!(
        "select kind from {}.event where restaurant_id = '{}' order by number",
        place.schema, place.restaurant
    );
    place.kit.texts(&sql).await
}

#[testkit::test(alone)]
async fn shops_and_accepting_hear_of_it_until_it_ends() {
    let place = kit().await.restaurant().await;
    let (admin, menu, shop) = prepared(&place).await;
    let reader = place.api_key(&["menu:read"]).await;
    let waiter = place.with_keys(&["fresh_order", "order_accept"]).await;
    admin.put("/system").json(json!({"estimated_delivery_time": 25})).send().await.assert(200);
    let public = async |what: &str, known: Option<&str>| {
        let call = reader.get(&format!("/public{what}"));
        let call = if let Some(known) = known { call.header("If-None-Match", known) } else { call };
        call.send().await
    };
    let before = (public("", None).await.assert(200), public("/menu", None).await.assert(200));
    assert_eq!(told(&before.0.json()), (25, &NOTHING, &NOTHING));
    let etags = [&before.0, &before.1].map(|answer| answer.header("etag").unwrap().to_owned());
    let heard = changes(&place).await.len();

    let until = later(60);
    let body = json!({"busy_minutes": 20, "busy_until": until});
    let set = waiter.put("/busy").json(body.clone()).send().await.assert(200).json();
    assert_eq!((&set["busy_minutes"], &set["busy_until"]), (&json!(20), &json!(until)));
    assert_eq!(set["estimated_delivery_time"], 25, "the setting stays");
    // Saying it again is no change: nobody is told, and nothing is noted.
    waiter.put("/busy").json(body).send().await.assert(200);
    assert_eq!(changes(&place).await[heard..], ["TASK_RESTAURANT_RELOAD"]);

    let seen = public("", Some(&etags[0])).await.assert(200).json();
    assert_eq!(told(&seen), (45, &json!(20), &json!(until)));
    assert_eq!(seen["min_preorder_pickup_diff"], 45, "nothing is wanted sooner than now would take");
    let on_menu = public("/menu", Some(&etags[1])).await.assert(200);
    assert_eq!(on_menu.json()["restaurant"]["estimated_delivery_time"], 45);
    assert_eq!(on_menu.json()["valid_until"], json!(until), "a menu that is kept ends with it");
    let quote = quoted(&shop, &pickup(&menu)).await;
    assert_eq!(told(&quote), (45, &json!(20), &json!(until)));
    let order = super::order(&shop, pickup(&menu)).await.assert(201).json();
    let accept = format!("/orders/{}/accept", order["id"].as_str().unwrap());
    assert_eq!(waiter.put(&accept).send().await.assert(200).json()["delivery_time_minute"], 45);

    // Its end comes by the clock, without a job and without a call.
    clock::set(clock::now() + Duration::minutes(61));
    let seen = public("", None).await.assert(200);
    assert_eq!(told(&seen.json()), (25, &NOTHING, &NOTHING));
    let on_menu = public("/menu", Some(on_menu.header("etag").unwrap())).await.assert(200).json();
    assert_eq!(on_menu["restaurant"]["estimated_delivery_time"], 25);
    assert_eq!(told(&quoted(&shop, &pickup(&menu)).await), (25, &NOTHING, &NOTHING));
    let own = admin.get("").send().await.assert(200).json();
    assert_eq!((&own["busy_minutes"], &own["busy_until"]), (&NOTHING, &NOTHING));

    // A person ends it early, once.
    admin.put("/busy").json(json!({"busy_minutes": 10, "busy_until": later(30)})).send().await.assert(200);
    let heard = changes(&place).await.len();
    for _ in 0..2 {
        let ended = waiter.delete("/busy").send().await.assert(200).json();
        assert_eq!(ended["busy_minutes"], NOTHING);
    }
    assert_eq!(changes(&place).await[heard..], ["TASK_RESTAURANT_RELOAD"]);
    let lines = format!(
        "select action || ' ' || (actor_id is not null) from {}.audit where restaurant_id = '{}' and action like \
         'restaurants_busy%' order by at",
        place.schema, place.restaurant
    );
    let noted = place.kit.texts(&lines).await;
    assert_eq!(noted, ["restaurants_busy true", "restaurants_busy true", "restaurants_busy_end true"]);
}

#[testkit::test]
async fn a_wanted_time_is_not_sooner_than_now_would_take() {
    let place = kit().await.restaurant().await;
    let (admin, menu, shop) = prepared(&place).await;
    admin.put("/system").json(json!({"estimated_delivery_time": 30})).send().await.assert(200);
    let on = json!({"preorder_pickup": true, "min_preorder_pickup_diff": 30, "days_to_preorder": 2});
    admin.put("/delivery").json(on).send().await.assert(200);
    let wanted = |minutes: i64| with(pickup(&menu), "expected_at", json!(later(minutes)));
    assert!(reasons(&shop, wanted(40)).await.is_empty());
    admin.put("/busy").json(json!({"busy_minutes": 30, "busy_until": later(30)})).send().await.assert(200);
    assert_eq!(reasons(&shop, wanted(40)).await, ["preorder_time"]);
    assert!(reasons(&shop, wanted(61)).await.is_empty(), "later ones are as usual");
    let quote = quoted(&shop, &wanted(90)).await;
    for field in ["estimated_delivery_time", "busy_minutes", "busy_until"] {
        assert_eq!(quote[field], NOTHING, "who wants it later is not told how long now would take");
    }
    // A restaurant that asks for more anyway asks for no more than that.
    admin.put("/delivery").json(json!({"min_preorder_pickup_diff": 120})).send().await.assert(200);
    assert!(reasons(&shop, wanted(121)).await.is_empty());
    admin.delete("/busy").send().await.assert(200);
    assert_eq!(reasons(&shop, wanted(119)).await, ["preorder_time"]);
}

#[testkit::test]
async fn what_is_no_busy_time_is_refused() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let put = async |client: &Client<'_>, minutes: Value, until: Value| {
        client.put("/busy").json(json!({"busy_minutes": minutes, "busy_until": until})).send().await
    };
    for minutes in [json!(0), json!(-10), json!(15), json!(40), json!(10.5), json!("20"), NOTHING] {
        put(&admin, minutes, json!(later(30)))
            .await
            .assert_problem(422, "VALIDATION_FAILED")
            .assert_keys(&["busy_minutes"]);
    }
    for until in [json!(later(0)), json!(later(-30)), json!(later(2 * 24 * 60)), json!("tomorrow"), NOTHING] {
        put(&admin, json!(20), until)
            .await
            .assert_problem(422, "VALIDATION_FAILED")
            .assert_keys(&["busy_until"]);
    }
    put(&admin, json!(20), json!(later(24 * 60 - 1))).await.assert(200);
    let other = kit().await.restaurant().await;
    let stranger = kit().await.stranger().await;
    for elsewhere in [&other, &stranger] {
        let path =
            format!("/api/v3/admin/partners/{}/restaurants/{}/busy", elsewhere.partner, elsewhere.restaurant);
        let body = json!({"busy_minutes": 10, "busy_until": later(30)});
        assert_eq!(admin.put(&path).json(body).send().await.status, 404);
        assert_eq!(admin.delete(&path).send().await.status, 404);
    }
    let reader = place.with_keys(&["fresh_order", "system_general"]).await;
    put(&reader, json!(10), json!(later(30))).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    reader.delete("/busy").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    // A copy is not busy, and takes the settings of escalation along.
    let owner = place.partner_admin().await;
    let settings = json!({"escalate_after_minutes": 7, "escalate_admins_after_minutes": 0});
    let system = admin.put("/system").json(settings).send().await.assert(200).json();
    assert_eq!(system["escalate_admins_after_minutes"], NOTHING, "0 is never");
    let all = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let copy = json!({"name": "Másolat", "copy_from": place.restaurant});
    let copy = owner.post(&all).json(copy).send().await.assert(201).json();
    assert_eq!((&copy["busy_minutes"], &copy["escalate_after_minutes"]), (&NOTHING, &json!(7)));
    let fresh = owner.post(&all).json(json!({"name": "Új"})).send().await.assert(201).json();
    assert_eq!(
        (&fresh["escalate_after_minutes"], &fresh["escalate_admins_after_minutes"]),
        (&json!(5), &json!(10)),
        "new restaurants begin with it"
    );
    for (minutes, status) in [(-1, 422), (121, 422), (120, 200)] {
        let sent = json!({"escalate_after_minutes": minutes});
        assert_eq!(admin.put("/system").json(sent).send().await.status, status, "{minutes}");
    }
}

#[testkit::test(alone)]
async fn an_end_in_the_night_of_a_clock_change_is_an_instant() {
    let place = kit().await.restaurant().await;
    let (admin, shop) = (place.admin().await, place.api_key(&["menu:read"]).await);
    menu(&admin).await;
    let set = |instant: &str| clock::set(instant.parse::<Timestamp>().unwrap().0);
    // 2:50 of summer time, forty minutes ahead: the hour comes twice, and the first one counts.
    set("2026-10-25T00:10:00Z");
    let until = "2026-10-25T00:50:00.000Z";
    admin.put("/busy").json(json!({"busy_minutes": 10, "busy_until": until})).send().await.assert(200);
    for (at, busy) in
        [("2026-10-25T00:49:59Z", true), ("2026-10-25T00:50:00.005Z", false), ("2026-10-25T01:40:00Z", false)]
    {
        set(at);
        let seen = shop.get("/public").send().await.assert(200).json();
        assert_eq!(seen["busy_minutes"].is_number(), busy, "{at}");
    }
    // A day of 25 hours: 24 are the most.
    set("2026-10-24T22:00:00Z");
    let body = |until: &str| json!({"busy_minutes": 10, "busy_until": until});
    admin.put("/busy").json(body("2026-10-25T22:00:01Z")).send().await.assert_keys(&["busy_until"]);
    admin.put("/busy").json(body("2026-10-25T21:59:59Z")).send().await.assert(200);
}
