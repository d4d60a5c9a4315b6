//! Shapes: one by one, a region's, and the whole map at once.

use serde_json::{Value, json};
use testkit::kit;
use uuid::Uuid;

use super::{KEYS, at, polygon, region, square};

fn one(shape: &Value) -> String {
    format!("/delivery-regions/polygons/{}", shape["id"].as_str().unwrap())
}

#[testkit::test]
async fn a_shape_is_what_was_drawn() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    let (home, other) =
        (region(&admin, "Belváros", json!({})).await, region(&admin, "Külváros", json!({})).await);
    let made = polygon(&admin, &home, square(47.0, 19.0, 0.1)).await;
    assert_eq!(made["polygon_data"], square(47.0, 19.0, 0.1), "the list that the specification shows");
    // The older form is read, and is the same shape.
    let older = json!({"polygon_data": {"points": square(47.0, 19.0, 0.2)}});
    let changed = admin.put(&one(&made)).json(older).send().await.assert(200).json();
    assert_eq!(changed["polygon_data"], square(47.0, 19.0, 0.2));
    let made = admin.put(&one(&made)).json(json!({"polygon_data": square(47.0, 19.0, 0.1)})).send().await;
    let made = made.assert(200).json();
    assert_eq!(made["bounds"], json!({"min_lat": 47.0, "max_lat": 47.1, "min_lng": 19.0, "max_lng": 19.1}));
    let area = made["area"].as_i64().unwrap();
    assert!((84_000_000..85_000_000).contains(&area), "{area} m²");
    let circle = json!({"polygon_type": "circle", "polygon_data": {"center_lat": 47.5, "center_lng": 19.05,
        "radius": 2500}, "delivery_region_id": other["id"], "version": 3});
    let changed = admin.put(&one(&made)).json(circle).send().await.assert(200).json();
    assert_eq!(changed["polygon_data"]["radius"], json!(2500));
    assert_eq!(
        (&changed["polygon_data"]["points"], &changed["delivery_region_id"]),
        (&Value::Null, &other["id"])
    );
    let stale = admin.put(&one(&made)).json(json!({"version": 1})).send().await;
    assert_eq!(stale.assert_problem(409, "CONFLICT").json()["current"], changed);
    assert_eq!(admin.get(&format!("{}/polygons", at(&home))).send().await.assert(200).json(), json!([]));
    assert_eq!(
        admin.get(&format!("{}/polygons", at(&other))).send().await.assert(200).json(),
        json!([changed])
    );
    admin.delete(&one(&made)).send().await.assert(204);
    admin.delete(&one(&made)).send().await.assert_problem(404, "DELIVERY_POLYGON_NOT_EXIST");
}

#[testkit::test]
async fn an_outline_is_refused_with_the_place() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    let home = region(&admin, "Belváros", json!({})).await;
    let points = |points: &[(f64, f64)]| {
        let points: Vec<Value> = points.iter().map(|(lat, lng)| json!({"lat": lat, "lng": lng})).collect();
        json!({ "points": points })
    };
    let bow_tie = points(&[(47.0, 19.0), (47.1, 19.1), (47.0, 19.1), (47.1, 19.0)]);
    for (kind, data, fault, at) in [
        ("polygon", bow_tie, "crosses_itself", json!({"lat": 47.05, "lng": 19.05})),
        ("polygon", points(&[(47.0, 19.0), (47.1, 19.1)]), "too_few_points", Value::Null),
        (
            "polygon",
            points(&[(47.0, 19.0), (47.0, 19.0), (47.1, 19.1), (47.2, 19.0)]),
            "repeated_point",
            json!({"lat": 47.0, "lng": 19.0}),
        ),
        ("polygon", points(&[(47.0, 19.0), (47.0, 19.1), (47.0, 19.2)]), "no_area", Value::Null),
        (
            "polygon",
            points(&[(0.0, 179.0), (0.0, -179.0), (1.0, 179.0)]),
            "date_line",
            json!({"lat": 0.0, "lng": 179.0}),
        ),
    ] {
        let body = json!({"delivery_region_id": home["id"], "polygon_type": kind, "polygon_data": data});
        let refused = admin.post("/delivery-regions/polygons").json(body).send().await;
        let refused = refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&["polygon_data"]).json();
        assert_eq!((&refused["shape_fault"], &refused["at"]), (&json!(fault), &at));
    }
    let circle = |radius: Value| json!({"center_lat": 47.0, "center_lng": 19.0, "radius": radius});
    for (kind, data, key) in [
        ("circle", circle(json!(0)), "polygon_data.radius"),
        ("circle", circle(json!(100_001)), "polygon_data.radius"),
        ("circle", circle(json!(12.5)), "polygon_data.radius"),
        ("circle", square(47.0, 19.0, 0.1), "polygon_data"),
        ("polygon", circle(json!(100)), "polygon_data"),
        ("polygon", points(&[(91.0, 19.0), (47.1, 19.1), (47.2, 19.0)]), "polygon_data.points.0.lat"),
        (
            "polygon",
            json!([{"lat": 47.0, "lng": 19.0}, {"lat": 47.1, "lng": 181}, {"lat": 47.2, "lng": 19.0}]),
            "polygon_data.1.lng",
        ),
        ("polygon", json!([{"lat": 47.0}]), "polygon_data.0.lng"),
        ("polygon", json!([]), "polygon_data"),
        ("polygon", json!("47.0,19.0"), "polygon_data"),
        ("star", circle(json!(100)), "polygon_type"),
    ] {
        let body = json!({"delivery_region_id": home["id"], "polygon_type": kind, "polygon_data": data});
        let refused = admin.post("/delivery-regions/polygons").json(body).send().await;
        refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&[key]);
    }
    assert_eq!(place.count("delivery_polygon").await, 0);
}

#[testkit::test]
async fn the_map_is_saved_whole_or_not_at_all() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    let (home, other) =
        (region(&admin, "Belváros", json!({})).await, region(&admin, "Külváros", json!({})).await);
    let (first, second) = (
        polygon(&admin, &home, square(47.0, 19.0, 0.1)).await,
        polygon(&admin, &home, square(48.0, 19.0, 0.1)).await,
    );
    let drawn = |region: &Value, data: Value| json!({"delivery_region_id": region["id"], "polygon_type": "polygon", "polygon_data": data});
    let kept = |shape: &Value, version: i64, mut body: Value| {
        body["id"] = shape["id"].clone();
        body["version"] = json!(version);
        body
    };
    let map = async || admin.get("/delivery-regions/polygons").send().await.assert(200).json();
    let before = map().await;
    let bow_tie = json!({"points": [{"lat": 47.0, "lng": 19.0}, {"lat": 47.1, "lng": 19.1},
        {"lat": 47.0, "lng": 19.1}, {"lat": 47.1, "lng": 19.0}]});
    for (body, status, keys) in [
        (
            json!({"save": [drawn(&home, square(46.0, 19.0, 0.1)), drawn(&home, bow_tie)]}),
            422,
            &["save.1.polygon_data"][..],
        ),
        (json!({"save": [kept(&first, 9, drawn(&home, square(46.0, 19.0, 0.1)))]}), 409, &["save.0.version"]),
        (
            json!({"save": [drawn(&home, square(46.0, 19.0, 0.1))], "delete": [{"id": first["id"], "version": 3}]}),
            409,
            &["delete.0.version"],
        ),
        (
            json!({"save": [kept(&first, 1, drawn(&home, square(46.0, 19.0, 0.1)))], "delete": [{"id": first["id"]}]}),
            422,
            &["delete.0.id"],
        ),
        (json!({"delete": [{"id": Uuid::now_v7()}]}), 422, &["delete.0.id"]),
        (json!({"save": vec![drawn(&home, square(46.0, 19.0, 0.1)); 199]}), 422, &["save"]),
    ] {
        let refused = admin.put("/delivery-regions/polygons").json(body).send().await;
        assert_eq!((refused.status, &refused.json()["keys"]), (status, &json!(keys)));
        assert_eq!(map().await, before, "nothing has changed");
    }
    let body = json!({
        "save": [kept(&first, 1, drawn(&other, square(46.0, 19.0, 0.2))), drawn(&home, square(45.0, 19.0, 0.1))],
        "delete": [{"id": second["id"], "version": 1}],
    });
    let after = admin.put("/delivery-regions/polygons").json(body).send().await.assert(200).json();
    assert_eq!(after, map().await);
    assert_eq!(after.as_array().unwrap().len(), 2);
    assert_eq!(
        (&after[0]["id"], &after[0]["version"], &after[0]["delivery_region_id"]),
        (&first["id"], &json!(2), &other["id"])
    );
    assert_eq!(after[1]["delivery_region_id"], home["id"]);

    // The whole set of a region.
    let set = format!("{}/polygons", at(&home));
    let foreign = json!({"polygons": [{"id": first["id"], "polygon_type": "polygon", "polygon_data": square(1.0, 1.0, 0.1)}]});
    admin
        .put(&set)
        .json(foreign)
        .send()
        .await
        .assert_problem(422, "VALIDATION_FAILED")
        .assert_keys(&["polygons.0.id"]);
    let body = json!({"polygons": [
        {"id": after[1]["id"], "version": 1, "polygon_type": "polygon", "polygon_data": square(45.0, 19.0, 0.3)},
        {"polygon_type": "circle", "polygon_data": {"center_lat": 45.0, "center_lng": 19.0, "radius": 100}},
    ]});
    let shapes = admin.put(&set).json(body.clone()).send().await.assert(200).json();
    assert_eq!(shapes.as_array().unwrap().len(), 2);
    admin.put(&set).json(body).send().await.assert_problem(409, "CONFLICT");
    let none = admin.put(&set).json(json!({"polygons": []})).send().await.assert(200).json();
    assert_eq!((none, map().await.as_array().unwrap().len()), (json!([]), 1));
}

#[testkit::test]
async fn of_two_saves_on_one_version_one_is_refused() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    let home = region(&admin, "Belváros", json!({})).await;
    let shape = polygon(&admin, &home, square(47.0, 19.0, 0.1)).await;
    let save = |size: f64| {
        let body = json!({"save": [{"id": shape["id"], "version": 1, "delivery_region_id": home["id"],
            "polygon_type": "polygon", "polygon_data": square(47.0, 19.0, size)}]});
        admin.put("/delivery-regions/polygons").json(body).send()
    };
    let (one, other) = tokio::join!(save(0.2), save(0.3));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    // Two who fill the map do not fill it over its brim.
    let many = |count: usize| {
        let one = json!({"delivery_region_id": home["id"], "polygon_type": "circle",
            "polygon_data": {"center_lat": 47.0, "center_lng": 19.0, "radius": 100}});
        admin.put("/delivery-regions/polygons").json(json!({"save": vec![one; count]})).send()
    };
    let (one, other) = tokio::join!(many(120), many(120));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422]);
    assert_eq!(place.count("delivery_polygon").await, 121);
}
