//! Whether orders are taken, the end of an SOS close, and rules between settings.

use chrono::TimeDelta;
use kernel::{clock, time::Timestamp};
use serde_json::json;
use testkit::{Client, Place, kit};

fn public(place: &Place<'_>, what: &str) -> String {
    format!("/api/v3/partners/{}/restaurants/{}{what}", place.partner, place.restaurant)
}

fn later(minutes: i64) -> String {
    Timestamp::now().plus_minutes(minutes).to_string()
}

async fn opening(place: &Place<'_>, client: &Client<'_>) -> serde_json::Value {
    client.get(&public(place, "/opening-hours")).send().await.assert(200).json()
}

#[testkit::test]
async fn third_parties_read_when_orders_are_taken() {
    let place = kit().await.restaurant().await;
    let (admin, shop) = (place.admin().await, place.api_key(&["menu:read"]).await);
    let answer = shop.get(&public(&place, "/opening-hours")).send().await.assert(200);
    let etag = answer.header("etag").unwrap().to_owned();
    let now = answer.json();
    assert_eq!(
        (&now["timezone"], &now["open_now"], &now["open_until"], &now["next_opening"]),
        (&json!("Europe/Budapest"), &json!(true), &json!(null), &json!(null))
    );
    assert_eq!(now["opening_hours"].as_array().unwrap().len(), 7);
    let again = || shop.get(&public(&place, "/opening-hours")).header("If-None-Match", etag.clone()).send();
    assert_eq!(again().await.assert(304).text(), "");

    let day = |from: i64, till: i64, kind: &str| {
        let date = |days| {
            (clock::now().with_timezone(&kernel::time::Tz::Europe__Budapest) + TimeDelta::days(days))
                .date_naive()
                .to_string()
        };
        json!({"valid_from": date(from), "valid_till": date(till), "holiday_type": kind})
    };
    admin.post("/restaurant-holidays").json(day(-9, -8, "holiday_close")).send().await.assert(201);
    let row =
        admin.post("/restaurant-holidays").json(day(0, 0, "holiday_close")).send().await.assert(201).json();
    let now = again().await.assert(200).json();
    assert_eq!(now["open_now"], false, "closed today");
    assert_eq!(now["holidays"].as_array().unwrap().len(), 1, "what is past is left out");
    let next: Timestamp = now["next_opening"].as_str().unwrap().parse().unwrap();
    assert!(
        next > Timestamp::now() && next < Timestamp::now().plus_minutes(25 * 60),
        "from the next midnight on"
    );
    let menu = || async {
        shop.get(&public(&place, "/menu")).send().await.assert(200).json()["restaurant"]["open_now"].clone()
    };
    assert_eq!(menu().await, false, "the menu says the same");
    admin.post("/restaurant-holidays").json(day(0, 0, "holiday_open")).send().await.assert(201);
    assert_eq!(
        (opening(&place, &shop).await["open_now"].clone(), menu().await),
        (json!(true), json!(true)),
        "the latest created wins"
    );
    admin.delete(&format!("/restaurant-holidays/{}", row["id"].as_str().unwrap())).send().await.assert(204);
    assert_eq!(opening(&place, &shop).await["holidays"].as_array().unwrap().len(), 1);

    let other = kit().await.restaurant().await;
    shop.get(&public(&other, "/opening-hours")).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    place
        .api_key(&["orders:read"])
        .await
        .get(&public(&place, "/opening-hours"))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    place.with_keys(&["admin_login"]).await.get(&public(&place, "/opening-hours")).send().await.assert(200);
}

#[testkit::test(alone)]
async fn an_sos_close_ends_in_time_on_an_instance_whose_clock_is_behind() {
    let place = kit().await.partner().await;
    let body = json!({"temp_no_orders": true, "temp_no_orders_until": later(60)});
    place.admin().await.put("/close").json(body).send().await.assert(200);
    for sql in [
        format!("update {}.restaurant set temp_no_orders_until = now() where id = $1", place.schema),
        "update control.job set run_at = now() where args->>'restaurant_id' = ($1::uuid)::text".to_owned(),
    ] {
        place.kit.run(&sql, vec![place.restaurant.into()]).await;
    }
    clock::set(clock::now() - TimeDelta::hours(1));
    place.kit.run_jobs().await;
    let sql = format!("select temp_no_orders closed from {}.restaurant where id = $1", place.schema);
    let closed: bool =
        place.kit.row(&sql, vec![place.restaurant.into()]).await.try_get("", "closed").unwrap();
    assert!(!closed);
}

#[testkit::test(alone)]
async fn an_sos_close_ends_by_itself_and_tells_open_windows() {
    let place = kit().await.restaurant().await;
    let (admin, shop) = (place.admin().await, place.api_key(&["menu:read"]).await);
    let put = |path, body| admin.put(path).json(body).send();
    for path in ["/close", "/system"] {
        put(path, json!({"temp_no_orders": true, "temp_no_orders_until": later(-1)}))
            .await
            .assert_keys(&["temp_no_orders_until"]);
        put(path, json!({"temp_no_orders": false, "temp_no_orders_until": later(5)}))
            .await
            .assert_keys(&["temp_no_orders_until"]);
    }
    let until = later(60);
    let after = put("/close", json!({"temp_no_orders": true, "temp_no_orders_until": until}))
        .await
        .assert(200)
        .json();
    assert_eq!((&after["temp_no_orders"], &after["temp_no_orders_until"]), (&json!(true), &json!(until)));
    let now = opening(&place, &shop).await;
    assert_eq!(
        (&now["open_now"], &now["next_opening"], &now["temp_no_orders_until"]),
        (&json!(false), &json!(until), &json!(until))
    );
    let menu = shop.get(&public(&place, "/menu")).send().await.assert(200).json();
    assert_eq!(
        (&menu["restaurant"]["temp_no_orders"], &menu["valid_until"]),
        (&json!(true), &json!(until)),
        "the menu is another one then"
    );

    // The clock alone opens; the job then writes it down and tells open windows.
    let start = clock::now();
    clock::set(start + TimeDelta::minutes(61));
    let now = opening(&place, &shop).await;
    assert_eq!(
        (&now["open_now"], &now["temp_no_orders"], &now["temp_no_orders_until"]),
        (&json!(true), &json!(false), &json!(null))
    );
    assert_eq!(
        shop.get(&public(&place, "/menu")).send().await.assert(200).json()["restaurant"]["temp_no_orders"],
        false
    );
    let restaurant = admin.get("").send().await.assert(200).json();
    assert_eq!((&restaurant["temp_no_orders"], &restaurant["version"]), (&json!(false), &json!(2)));
    place
        .kit
        .run(
            "update control.job set run_at = now() where kind = 'restaurant_open' and args->>'restaurant_id' \
             = $1",
            vec![place.restaurant.to_string().into()],
        )
        .await;
    place.kit.run_jobs().await;
    let restaurant = admin.get("").send().await.assert(200).json();
    assert_eq!((&restaurant["temp_no_orders"], &restaurant["version"]), (&json!(false), &json!(3)));
    let sql =
        format!("select string_agg(kind, ',') kinds from {}.event where restaurant_id = $1", place.schema);
    let kinds: String =
        place.kit.row(&sql, vec![place.restaurant.into()]).await.try_get("", "kinds").unwrap();
    assert_eq!(kinds, ["TASK_RESTAURANT_RELOAD"; 2].join(","));
    assert_eq!(
        place
            .kit
            .texts(&format!(
                "select actor_kind from {}.audit where restaurant_id = '{}' and action = 'restaurants_close' \
                 order by id",
                place.schema, place.restaurant
            ))
            .await,
        ["admin", "job"]
    );

    // Without an end it holds until somebody opens, and an older job leaves it alone.
    put("/system", json!({"temp_no_orders": true, "temp_no_orders_until": later(5)})).await.assert(200);
    let after = put("/system", json!({"temp_no_orders": true})).await.assert(200).json();
    assert_eq!((&after["temp_no_orders"], &after["temp_no_orders_until"]), (&json!(true), &json!(null)));
    clock::set(start + TimeDelta::minutes(120));
    place
        .kit
        .run(
            "update control.job set run_at = now() where kind = 'restaurant_open' and args->>'restaurant_id' \
             = $1",
            vec![place.restaurant.to_string().into()],
        )
        .await;
    place.kit.run_jobs().await;
    let now = opening(&place, &shop).await;
    assert_eq!(
        (&now["open_now"], &now["next_opening"], &now["temp_no_orders"]),
        (&json!(false), &json!(null), &json!(true))
    );
}

#[testkit::test]
async fn points_are_clamped() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "restaurant_general"]).await;
    for (sent, kept) in [(json!(7.25), "7.25"), (json!("250"), "100"), (json!(-1), "0")] {
        let after =
            admin.put("/points").json(json!({ "point_cash_ratio": sent })).send().await.assert(200).json();
        assert_eq!(after["point_cash_ratio"].to_string().trim_end_matches(".00"), kept);
    }
    admin
        .put("/points")
        .json(json!({"point_cash_ratio": "sok"}))
        .send()
        .await
        .assert_keys(&["point_cash_ratio"]);
    admin
        .put("/points")
        .json(json!({"point_cash_ratio": 1, "version": 1}))
        .send()
        .await
        .assert_problem(409, "CONFLICT");
    let other = place.with_keys(&["admin_login", "restaurant_opening"]).await;
    other
        .put("/points")
        .json(json!({"point_cash_ratio": 1}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn a_place_on_the_map_has_both_coordinates() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let put = |body| admin.put("/general").json(body).send();
    put(json!({"coord_lat": 47.4979})).await.assert_keys(&["coord_lng"]);
    put(json!({"coord_lat": 90.1, "coord_lng": -181})).await.assert_keys(&["coord_lat", "coord_lng"]);
    let after = put(json!({"coord_lat": 47.497912, "coord_lng": 19.040235})).await.assert(200).json();
    assert_eq!((&after["coord_lat"], &after["coord_lng"]), (&json!(47.497_912), &json!(19.040_235)));
    put(json!({"coord_lat": null})).await.assert_keys(&["coord_lat"]);
    let after = put(json!({"coord_lat": null, "coord_lng": null})).await.assert(200).json();
    assert!(after["coord_lat"].is_null() && after["coord_lng"].is_null());
}
