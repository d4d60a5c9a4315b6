//! Where deliveries go: regions price quotes and orders, and orders keep them.

use serde_json::{Value, json};
use testkit::{Client, Place, kit};

use super::{Menu, amount, order, pickup, prepared, quoted, with};

/// Two regions: *Közel*, 500 Ft (900 below 6,000) from 3,000 on, a square at 47/19 with one street at 300 Ft; and
/// *Távol*, 1,200 Ft from 8,000 on, beside it.
pub async fn regions(place: &Place<'_>, admin: &Client<'_>, method: &str) -> [Value; 2] {
    let sql = format!("update {}.restaurant set delivery_method = $2 where id = $1", place.schema);
    place.kit.run(&sql, vec![place.restaurant.into(), method.into()]).await;
    let make = |path: String, body: Value| async move {
        admin.post(&path).json(body).send().await.assert(201).json()
    };
    let near = json!({"name": "Közel", "name_sec_lang": "Near", "price": 500, "min_order_price": 3000, "threshold_price": 6000,
        "price_under_threshold": 900, "courier_price": 250});
    let near = make("/delivery-regions".into(), near).await;
    let far =
        make("/delivery-regions".into(), json!({"name": "Távol", "price": 1200, "min_order_price": 8000}))
            .await;
    for (region, lng, street, price) in
        [(&near, 19.0, "Fő utca", json!(300)), (&far, 19.1, "Hosszú út", Value::Null)]
    {
        let at = |lat: f64, lng: f64| json!({"lat": lat, "lng": lng});
        let ring = [at(47.0, lng), at(47.0, lng + 0.1), at(47.1, lng + 0.1), at(47.1, lng)];
        let shape = json!({"delivery_region_id": region["id"], "polygon_type": "polygon", "polygon_data": {"points": ring}});
        make("/delivery-regions/polygons".into(), shape).await;
        let streets = format!("/delivery-regions/{}/streets", region["id"].as_str().unwrap());
        make(streets, json!({"name": street, "postcode": "9021", "price": price})).await;
    }
    [near, far]
}

/// Two soups and a pizza, 5,900 Ft, to be delivered to this street.
pub fn delivered(menu: &Menu, street: &str) -> Value {
    let address = json!({"postcode": "9021", "city": "Győr", "street": street, "premise_number": "3"});
    with(with(pickup(menu), "pickup", json!(false)), "delivery_data", address)
}

pub fn at(mut body: Value, lat: f64, lng: f64) -> Value {
    body["coord_lat"] = json!(lat);
    body["coord_lng"] = json!(lng);
    body
}

pub fn reasons(answer: &Value) -> Vec<(String, Value)> {
    let reasons = answer["reasons"].as_array().unwrap().iter();
    reasons.map(|one| (one["reason"].as_str().unwrap().to_owned(), one["detail"].clone())).collect()
}

#[testkit::test]
async fn the_street_prices_an_order_which_keeps_it() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let body = delivered(&menu, "fo u. 12");
    let before = quoted(&key, &body).await;
    assert_eq!(
        (amount(&before["delivery_price"]), &before["delivery_region"]),
        (0, &Value::Null),
        "no regions"
    );
    let [near, _] = regions(&place, &admin, "street_based").await;
    let quote = quoted(&key, &body).await;
    // Below 6,000 Ft the larger of 300 and 900.
    assert_eq!((amount(&quote["delivery_price"]), amount(&quote["total_price"])), (900, 6800));
    assert_eq!(quote["acceptable"], json!(true));
    let region = &quote["delivery_region"];
    assert_eq!(
        (&region["id"], &region["street"], &region["found_by"]),
        (&near["id"], &json!("Fő utca"), &json!("street"))
    );
    assert_eq!(region["prices"]["price"], json!(300));
    // Shown before there were regions: the price has changed.
    let old = with(body.clone(), "total_price", json!(5900));
    let changed = order(&key, old).await.assert_problem(409, "ORDER_PRICE_CHANGED").json();
    assert_eq!(changed["quote"]["total_price"], json!(6800));
    let made = order(&key, with(body, "total_price", json!(6800))).await.assert(201).json();
    for (field, expected) in [
        ("delivery_region_id", near["id"].clone()),
        ("delivery_region_name", json!("Közel")),
        ("delivery_street", json!("Fő utca")),
        ("delivery_found_by", json!("street")),
        (
            "delivery_prices",
            json!({"price": 300, "min_order_price": 3000, "threshold_price": 6000, "price_under_threshold": 900}),
        ),
        ("delivery_chosen_by", Value::Null),
        ("delivery_address_region_id", Value::Null),
        ("coord_lat", Value::Null),
        ("delivery_vat_percent", json!(27)),
    ] {
        assert_eq!(made[field], expected, "{field}");
    }
    // What happens to the region later changes nothing.
    let path = format!("/delivery-regions/{}", near["id"].as_str().unwrap());
    admin.put(&path).json(json!({"name": "Más", "price": 1})).send().await.assert(200);
    admin.delete(&path).send().await.assert(204);
    let kept =
        admin.get(&format!("/orders/{}", made["id"].as_str().unwrap())).send().await.assert(200).json();
    assert_eq!(
        (&kept["delivery_region_name"], &kept["delivery_prices"]),
        (&json!("Közel"), &made["delivery_prices"])
    );
    assert_eq!(kept["total_price"], json!(6800));
}

#[testkit::test]
async fn coordinates_go_before_the_address_and_a_difference_is_told() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let [near, far] = regions(&place, &admin, "gps_based").await;
    let mut body = at(delivered(&menu, "Hosszú út"), 47.05, 19.05);
    let quote = quoted(&key, &body).await;
    assert_eq!((amount(&quote["delivery_price"]), &quote["acceptable"]), (900, &json!(true)));
    assert_eq!(quote["delivery_region"]["address_region_name"], json!("Távol"));
    let made = order(&key, body.clone()).await.assert(201).json();
    assert_eq!((&made["delivery_region_id"], &made["delivery_found_by"]), (&near["id"], &json!("shape")));
    assert_eq!(
        (&made["delivery_address_region_id"], &made["delivery_address_region_name"]),
        (&far["id"], &json!("Távol"))
    );
    assert_eq!((&made["coord_lat"], &made["coord_lng"]), (&json!(47.05), &json!(19.05)));
    // The same region by both: nothing to tell. A shape has no street's price.
    let same = order(&key, at(delivered(&menu, "Fő utca"), 47.05, 19.05)).await.assert(201).json();
    assert_eq!((&same["delivery_address_region_id"], &same["delivery_street"]), (&Value::Null, &Value::Null));
    // Without coordinates the street is asked.
    let by_street = quoted(&key, &delivered(&menu, "Fő utca")).await;
    assert_eq!(by_street["delivery_region"]["found_by"], json!("street"));
    // Beside every shape; nowhere at all.
    body = at(body, 47.5, 19.05);
    assert_eq!(reasons(&quoted(&key, &body).await), [("no_delivery_there".to_owned(), Value::Null)]);
    order(&key, body).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE");
    let unknown = delivered(&menu, "Ismeretlen utca");
    let refused = order(&key, unknown).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
    assert_eq!(reasons(&refused), [("no_delivery_there".to_owned(), json!("place_unknown"))]);
    // What is fetched has no region.
    let fetched = order(&key, at(pickup(&menu), 47.05, 19.05)).await.assert(201).json();
    assert_eq!((&fetched["delivery_region_id"], &fetched["coord_lat"]), (&Value::Null, &Value::Null));
    let map = admin.get("/delivery-regions/orders-map").send().await.assert(200).json();
    assert_eq!(map, json!([{"lat": 47.05, "lng": 19.05, "delivery_region_id": near["id"], "count": 2}]));
}

#[testkit::test]
async fn the_regions_minimum_holds_and_half_a_place_is_refused() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let [near, _] = regions(&place, &admin, "gps_based").await;
    let body = at(delivered(&menu, "Hosszú út"), 47.05, 19.15);
    let quote = quoted(&key, &body).await;
    assert_eq!(reasons(&quote), [("minimum_not_reached".to_owned(), json!("8000"))]);
    assert_eq!(amount(&quote["delivery_price"]), 1200);
    let plain = delivered(&menu, "Fő utca");
    for (field, value, key_at_fault) in [
        ("coord_lat", json!(47.0), "coord_lng"),
        ("coord_lng", json!(19.0), "coord_lat"),
        ("delivery_region_id", near["id"].clone(), "delivery_region_id"),
        ("override_reason", json!("mert"), "override_reason"),
    ] {
        let refused = order(&key, with(plain.clone(), field, value.clone())).await;
        refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&[key_at_fault]);
        // Whoever is no staff at the phone or the till may not either.
        let refused = admin
            .post("/public/orders/quote")
            .json(super::cart(&with(plain.clone(), field, value)))
            .send()
            .await;
        refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&[key_at_fault]);
    }
    order(&key, at(plain, 91.0, 19.0))
        .await
        .assert_problem(422, "VALIDATION_FAILED")
        .assert_keys(&["coord_lat"]);
}

#[testkit::test]
async fn staff_choose_a_region_or_say_why() {
    let kit = kit().await;
    let (place, other) = (kit.restaurant().await, kit.restaurant().await);
    let (admin, menu, _) = prepared(&place).await;
    let [_, far] = regions(&place, &admin, "gps_based").await;
    let [foreign, _] = regions(&other, &other.admin().await, "gps_based").await;
    let phone = with(delivered(&menu, "Ismeretlen utca"), "platform", json!("phone"));
    let refused = order(&admin, phone.clone()).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
    assert_eq!(reasons(&refused), [("no_delivery_there".to_owned(), json!("place_unknown"))]);
    let chosen = with(phone.clone(), "delivery_region_id", far["id"].clone());
    let refused = order(&admin, chosen.clone()).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
    assert_eq!(reasons(&refused), [("minimum_not_reached".to_owned(), json!("8000"))]);
    let blank = with(chosen.clone(), "override_reason", json!("  "));
    order(&admin, blank).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE");
    let made =
        order(&admin, with(chosen, "override_reason", json!(" törzsvendég "))).await.assert(201).json();
    assert_eq!((&made["delivery_region_id"], &made["delivery_found_by"]), (&far["id"], &json!("staff")));
    assert_eq!(
        (amount(&made["delivery_price"]), &made["delivery_override_reason"]),
        (1200, &json!("törzsvendég"))
    );
    assert_eq!(
        (&made["delivery_chosen_by"], &made["delivery_chosen_by_name"]),
        (&made["admin_id"], &made["admin_name"])
    );
    assert_ne!(made["delivery_chosen_by"], Value::Null);
    // Without a region: for nothing, and the order says so.
    let outside = with(at(phone.clone(), 48.0, 19.0), "override_reason", json!("útba esik"));
    let made = order(&admin, outside).await.assert(201).json();
    assert_eq!((amount(&made["delivery_price"]), &made["delivery_found_by"]), (0, &json!("outside")));
    assert_eq!(
        (&made["delivery_region_id"], &made["delivery_override_reason"]),
        (&Value::Null, &json!("útba esik"))
    );
    // A region of another restaurant is none.
    let wrong = with(phone, "delivery_region_id", foreign["id"].clone());
    let refused = order(&admin, wrong).await;
    refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&["delivery_region_id"]);
}

#[testkit::test]
async fn the_fee_has_the_vat_that_the_restaurant_chose() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    regions(&place, &admin, "street_based").await;
    let five = "00000000-0000-7000-8000-000000000105";
    let owner = place.partner_admin().await;
    owner.put("/general").json(json!({"delivery_vat_id": five})).send().await.assert(200);
    let made = order(&key, delivered(&menu, "Fő utca")).await.assert(201).json();
    let fields = ["delivery_price", "delivery_net_price", "delivery_vat_price", "delivery_vat_percent"];
    assert_eq!(fields.map(|field| amount(&made[field])), [900, 857, 43, 5]);
}
