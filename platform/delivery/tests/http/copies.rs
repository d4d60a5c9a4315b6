//! A copied restaurant takes its regions along.

use serde_json::json;
use testkit::kit;

use super::{at, polygon, region, square, street};

#[testkit::test]
async fn a_copy_has_regions_streets_and_shapes_of_its_own() {
    let place = kit().await.partner().await;
    let owner = place.partner_admin().await;
    let home = region(&owner, "Belváros", json!({"courier_price": 300, "threshold_price": 5000})).await;
    let gone = region(&owner, "Volt", json!({})).await;
    owner.delete(&at(&gone)).send().await.assert(204);
    street(&owner, &home, json!({"name": "Fő utca", "price": 400})).await;
    polygon(&owner, &home, square(47.0, 19.0, 0.1)).await;
    owner.put("/delivery-method").json(json!({"delivery_method": "gps_based"})).send().await.assert(200);
    owner.put("/delivery").json(json!({"no_region": "everywhere"})).send().await.assert(200);
    let tips =
        format!("update {}.restaurant set is_courier_tip_available = true where id = $1", place.schema);
    place.kit.run(&tips, vec![place.restaurant.into()]).await;
    let restaurants = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let body = json!({"name": "Második", "copy_from": place.restaurant});
    let copy = owner.post(&restaurants).json(body).send().await.assert(201).json();
    for (field, expected) in [
        ("delivery_method", json!("gps_based")),
        ("no_region", json!("everywhere")),
        ("is_courier_tip_available", json!(true)),
    ] {
        assert_eq!(copy[field], expected, "{field}");
    }
    let there = format!("{restaurants}/{}/delivery-regions", copy["id"].as_str().unwrap());
    let regions = owner.get(&there).send().await.assert(200).json();
    assert_eq!(regions.as_array().unwrap().len(), 1);
    let new = &regions[0];
    assert_ne!(new["id"], home["id"]);
    for field in ["name", "price", "min_order_price", "courier_price", "threshold_price", "active"] {
        assert_eq!(new[field], home[field], "{field}");
    }
    assert_eq!((&new["streets"], &new["polygons"], &new["version"]), (&json!(1), &json!(1), &json!(1)));
    let path = format!("{there}/{}", new["id"].as_str().unwrap());
    let streets = owner.get(&format!("{path}/streets")).send().await.assert(200).json();
    assert_eq!((&streets[0]["name"], &streets[0]["price"]), (&json!("Fő utca"), &json!(400)));
    let shapes = owner.get(&format!("{path}/polygons")).send().await.assert(200).json();
    assert_eq!(shapes[0]["polygon_data"], square(47.0, 19.0, 0.1));
}
