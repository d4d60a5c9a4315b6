//! Who sees and changes which promotion.

use serde_json::{Value, json};
use testkit::kit;

use super::{admin_of, discount, make, path};

#[testkit::test]
async fn a_restaurant_admin_changes_what_holds_at_own_restaurants_only() {
    let kit = kit().await;
    let (here, there) = (kit.restaurant().await, kit.restaurant().await);
    let (admin, neighbour) = (here.admin().await, there.admin().await);
    let (both, owner) = (admin_of(&[&here, &there]).await, here.partner_admin().await);
    let at = |places: &[&testkit::Place<'_>]| {
        json!(places.iter().map(|place| place.restaurant).collect::<Vec<_>>())
    };

    let refused = admin.post("/discounts").json(discount(json!({"restaurant_ids": null}))).send().await;
    let refused = refused.assert_keys(&["restaurant_ids"]);
    assert_eq!(refused.json()["detail"], "all_restaurants_not_allowed");
    let foreign = discount(json!({"restaurant_ids": at(&[&here, &there])}));
    admin.post("/discounts").json(foreign).send().await.assert_keys(&["restaurant_ids.1"]);
    let stranger = kit.stranger().await;
    let foreign = discount(json!({"restaurant_ids": [stranger.restaurant]}));
    owner.post("/discounts").json(foreign).send().await.assert_keys(&["restaurant_ids.0"]);
    let twice = discount(json!({"restaurant_ids": at(&[&here, &here])}));
    admin.post("/discounts").json(twice).send().await.assert_keys(&["restaurant_ids.1"]);
    // Nothing chosen is the present restaurant.
    let own = make(&admin, json!({"restaurant_ids": []})).await;
    assert_eq!(own["restaurant_ids"], at(&[&here]));
    neighbour.get(&path(&own)).send().await.assert_problem(404, "DISCOUNT_NOT_EXIST");

    let shared = make(&both, json!({"restaurant_ids": at(&[&here, &there])})).await;
    let whole = make(&owner, json!({"restaurant_ids": null})).await;
    for (client, row, editable) in [
        (&admin, &own, true),
        (&admin, &shared, false),
        (&admin, &whole, false),
        (&neighbour, &shared, false),
        (&neighbour, &whole, false),
        (&both, &shared, true),
        (&both, &whole, false),
        (&owner, &own, true),
        (&owner, &shared, true),
        (&owner, &whole, true),
    ] {
        let seen = client.get(&path(row)).send().await.assert(200).json();
        assert_eq!(seen["editable"], editable, "{seen}");
        let changed = client.put(&path(row)).json(json!({"name": "Akció"})).send().await;
        if editable {
            changed.assert(200);
        } else {
            changed.assert_problem(403, "USER_PERMISSION_REQUIRED");
            client.delete(&path(row)).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        }
    }
    // Nobody widens a promotion beyond the own restaurants.
    for wider in [Value::Null, at(&[&here, &there])] {
        let change = admin.put(&path(&own)).json(json!({"restaurant_ids": wider})).send().await;
        change.assert(422);
    }
    both.put(&path(&shared)).json(json!({"restaurant_ids": at(&[&there])})).send().await.assert(200);
    both.get(&path(&shared)).send().await.assert_problem(404, "DISCOUNT_NOT_EXIST");
    neighbour.delete(&path(&shared)).send().await.assert(204);
    owner.delete(&path(&whole)).send().await.assert(204);
}

#[testkit::test]
async fn every_call_needs_the_permission_and_the_place() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let made = make(&place.admin().await, json!({})).await;
    let without = place.with_keys(&["admin_login", "order"]).await;
    let with = place.with_keys(&["admin_login", "discount"]).await;
    let outside = kit.restaurant().await.admin().await;
    for tail in ["", "/running", &format!("/{}", made["id"].as_str().unwrap())] {
        let path = format!("/discounts{tail}");
        without.get(&path).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        with.get(&path).send().await.assert(200);
        place.nobody().get(&path).send().await.assert(401);
        let there =
            format!("/api/v3/admin/partners/{}/restaurants/{}{path}", place.partner, place.restaurant);
        outside.get(&there).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    }
    without.post("/discounts").json(discount(json!({}))).send().await.assert(403);
}
