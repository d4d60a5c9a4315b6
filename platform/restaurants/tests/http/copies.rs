//! Restaurants made as a copy of another.

use serde_json::{Value, json};
use testkit::{Client, kit};

async fn list(client: &Client<'_>, path: &str) -> Vec<Value> {
    client.get(path).send().await.assert(200).json().as_array().unwrap().clone()
}

#[testkit::test]
async fn a_restaurant_begins_as_the_copy_of_another() {
    let place = kit().await.partner().await;
    let admin = place.admin().await;
    let put = |path, body| admin.put(path).json(body).send();
    put(
        "/general",
        json!({"name": "Eredeti", "phone_1": "+36 1 555 0100", "city": "Győr", "street": "Fő utca",
            "secondary_language": "en", "currency": "eur",
        "coord_lat": 47.5, "coord_lng": 17.6}),
    )
    .await
    .assert(200);
    put("/delivery", json!({"normal_pickup": false, "min_order_price": "12.50"})).await.assert(200);
    put("/system", json!({"counter_prefix": "K", "temp_no_orders": true})).await.assert(200);
    put("/points", json!({"point_cash_ratio": 5})).await.assert(200);
    put(
        "/opening-hours",
        json!({"opening_hours": [{"day": "mon", "open_at": "11:00", "close_at": "20:00"}]}),
    )
    .await
    .assert(200);
    put(
        "/legal-file",
        json!({"company_name": "Kékfrankos Kft.", "tax_num": "12345678", "address": "9021 Győr, Fő utca 1."}),
    )
    .await
    .assert(200);
    put("/socials", json!({"blog": "https://barmi.example"})).await.assert(200);
    let region = json!({"name": "Belváros", "price": 5, "min_order_price": 0});
    let region = admin.post("/delivery-regions").json(region).send().await.assert(201).json();
    put(
        "/pos/configs",
        json!({"service_fee": 12.5, "service_fee_mode": "all_items", "default_tip": 10,
            "default_delivery_region_id": region["id"], "default_payment_method": "card", "accept_at_once": true}),
    )
    .await
    .assert(200);
    for (day, kind) in [("2099-12-24", "holiday_close"), ("2001-12-24", "holiday_close")] {
        admin
            .post("/restaurant-holidays")
            .json(json!({"valid_from": day, "valid_till": day, "holiday_type": kind}))
            .send()
            .await
            .assert(201);
    }
    let category =
        admin.post("/product-categories").json(json!({"name": "Pizza"})).send().await.assert(201).json();
    let below = admin
        .post("/product-categories")
        .json(json!({"name": "Olasz", "parent_id": category["id"]}))
        .send()
        .await
        .assert(201)
        .json();
    let products = format!("/product-categories/{}/products", below["id"].as_str().unwrap());
    let group = admin
        .post("/option-groups")
        .json(json!({"name": "Feltét", "type": "inclusive", "min_no_options": 0, "max_no_options": 2}))
        .send()
        .await;
    let group = group.assert(201).json();
    let options = format!("/option-groups/{}/options", group["id"].as_str().unwrap());
    admin.post(&options).json(json!({"name": "Sajt", "price": "0.50"})).send().await.assert(201);
    let body = json!({"name": "Margherita", 
        "subproducts": [{"name": "32 cm", "price": "9.90", "option_group_ids": [group["id"]],
            "sellable_quantity": 3}]});
    let product = admin.post(&products).json(body).send().await.assert(201).json();
    let gone = json!({"name": "Megszűnt", "subproducts": [{"name": "x", "price": 1}]});
    let gone = admin.post(&products).json(gone).send().await.assert(201).json();
    admin.delete(&format!("{products}/{}", gone["id"].as_str().unwrap())).send().await.assert(204);
    let picture = format!(
        "with m as (insert into {0}.media (id, restaurant_id, name, token, hash, width, height, bytes) \
         values (gen_random_uuid(), $1, 'kép', md5('x'), '', 1, 1, 1) returning id) update {0}.product set \
         image_id = (select id from m) where id = $2",
        place.schema
    );
    let id: uuid::Uuid = product["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(place.kit.run(&picture, vec![place.restaurant.into(), id.into()]).await, 1);

    let boss = place.partner_admin().await;
    let all = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    boss.post(&all)
        .json(json!({"name": "x", "copy_from": uuid::Uuid::now_v7()}))
        .send()
        .await
        .assert_keys(&["copy_from"]);
    boss.post(&all)
        .json(json!({"name": "x", "copy_from": place.restaurant, "currency": "huf"}))
        .send()
        .await
        .assert_keys(&["currency"]);
    let stranger = kit().await.restaurant().await;
    boss.post(&all)
        .json(json!({"name": "x", "copy_from": stranger.restaurant}))
        .send()
        .await
        .assert_keys(&["copy_from"]);
    let copy = boss
        .post(&all)
        .json(json!({"name": "Másolat", "copy_from": place.restaurant, "city": "Sopron"}))
        .send()
        .await
        .assert(201)
        .json();
    for (field, value) in [
        ("name", json!("Másolat")),
        ("city", json!("Sopron")),
        ("street", json!("")),
        ("coord_lat", json!(null)),
        ("phone_1", json!("+36 1 555 0100")),
        ("currency", json!("eur")),
        ("secondary_language", json!("en")),
        ("normal_pickup", json!(false)),
        ("counter_prefix", json!("K")),
        ("temp_no_orders", json!(false)),
        ("version", json!(1)),
        ("catalogue_version", json!(1)),
    ] {
        assert_eq!(copy[field], value, "{field}");
    }
    let at = format!("{all}/{}", copy["id"].as_str().unwrap());
    let hours = async |client: &Client<'_>, path: &str| {
        client.get(path).send().await.assert(200).json()["opening_hours"].clone()
    };
    assert_eq!(hours(&boss, &format!("{at}/opening-hours")).await, hours(&admin, "/opening-hours").await);
    assert_eq!(list(&boss, &format!("{at}/restaurant-holidays")).await.len(), 1, "those to come");
    let pos = boss.get(&format!("{at}/pos/configs")).send().await.assert(200).json();
    assert_eq!(
        (pos["service_fee"].as_f64(), pos["default_tip"].as_f64(), &pos["version"]),
        (Some(12.5), Some(10.0), &json!(1))
    );
    assert_eq!(
        (&pos["default_delivery_region_id"], &pos["default_payment_method"]),
        (&json!(null), &json!("card")),
        "the region is one of the other restaurant"
    );
    assert_eq!(pos["accept_at_once"], true);
    assert_eq!(
        boss.get(&format!("{at}/legal-file")).send().await.assert(200).json()["company_name"],
        "Kékfrankos Kft."
    );
    let socials =
        format!("/api/v3/partners/{}/restaurants/{}/socials", place.partner, copy["id"].as_str().unwrap());
    assert_eq!(boss.get(&socials).send().await.assert(200).json()["blog"], "https://barmi.example");

    let menu =
        format!("/api/v3/partners/{}/restaurants/{}/menu", place.partner, copy["id"].as_str().unwrap());
    let menu = boss.get(&menu).send().await.assert(200).json();
    let items = &menu["categories"][0]["children"][0]["products"];
    assert_eq!(items.as_array().unwrap().len(), 1, "live rows only: {menu}");
    assert_eq!(
        (&items[0]["name"], &menu["option_groups"][0]["options"][0]["name"]),
        (&json!("Margherita"), &json!("Sajt"))
    );
    assert_ne!(items[0]["id"], product["id"]);
    let sql = format!(
        "select count(distinct restaurant_id)::text || ' ' || count(*)::text || ' ' || \
         count(sellable_quantity)::text from {0}.subproduct where origin_id = \
        (select origin_id from {0}.subproduct where product_id = '{1}')",
        place.schema,
        product["id"].as_str().unwrap()
    );
    assert_eq!(
        place.kit.texts(&sql).await,
        ["2 2 1"],
        "the copy keeps the origin; pieces are counted in one kitchen"
    );
    let pictures = format!(
        "select count(distinct m.id)::text || ' ' || count(distinct m.token)::text || ' ' || \
         bool_and(m.restaurant_id = p.restaurant_id)::text \
         from {0}.product p join {0}.media m on m.id = p.image_id where p.origin_id = '{id}'",
        place.schema
    );
    assert_eq!(
        place.kit.texts(&pictures).await,
        ["2 1 true"],
        "each has a row of its own for the same picture"
    );
    // A copy of a copy too.
    let third = boss
        .post(&all)
        .json(json!({"name": "Harmadik", "copy_from": copy["id"]}))
        .send()
        .await
        .assert(201)
        .json();
    let origins = format!(
        "select origin_id::text from {}.product where restaurant_id = '{}'",
        place.schema,
        third["id"].as_str().unwrap()
    );
    assert_eq!(place.kit.texts(&origins).await, [product["id"].as_str().unwrap()]);
}
