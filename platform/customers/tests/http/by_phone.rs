//! Finding one customer by the whole number.

use serde_json::json;
use testkit::kit;

use super::{address, manager, order, person, soup};

#[testkit::test]
async fn a_whole_number_finds_one_customer_of_this_restaurant_without_a_pin() {
    let kit = kit().await;
    let place = kit.partner().await;
    let sibling = kit.restaurant_of(place.partner).await;
    let soup = soup(&place).await;
    order(&place, &soup, json!({"pickup": false, "delivery_data": address("Fő utca")})).await;
    manager(&sibling).await.enter(json!({"phone_1": "06 30 555 0999"})).await;
    let clerk = place.with_keys(&["admin_login", "fresh_order"]).await;
    let ask = |phone: &str| clerk.get(&format!("/shadow-customers/by-phone?phone={phone}")).send();
    for spelling in
        ["06305550100", "%2B36%2030%20555%200100", "0036-30-555-0100", "(06)30/5550100", "305550100"]
    {
        let found = ask(spelling).await.assert(200).json();
        assert_eq!(found["name"], "Nagy Béla", "{spelling}");
        assert_eq!(found["addresses"][0]["street"], "Fő utca");
        assert_eq!(found["orders"][0]["items"][0]["name"], "Gulyás");
        assert_eq!(found["order_number"], json!(1));
    }
    for unknown in ["06305550101", "0615550100", "06305550999"] {
        ask(unknown).await.assert_problem(404, "SHADOW_CUSTOMER_NOT_EXIST");
    }
    for part in ["", "0100", "5550", "nincs", "%25", "0630555010", "%2B36%2030", "06305550100%20ext%201"] {
        ask(part).await.assert_keys(&["phone"]);
    }
    clerk.get("/shadow-customers/by-phone").send().await.assert(422);
    let other = person(&[&place], &["admin_login", "customer"], false).await;
    other
        .get("/shadow-customers/by-phone?phone=06305550100")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let lines = place.partner_admin().await.get("/audit?limit=200").send().await.assert(200).json();
    let asked = lines.as_array().unwrap().iter().filter(|line| line["action"] == "shadow_customers_by_phone");
    // Five that were found, three that were not.
    assert_eq!(asked.count(), 8);
    assert!(!lines.to_string().contains("305550100"));
}

#[testkit::test]
async fn numbers_are_limited_by_account() {
    let place = kit().await.partner().await;
    let clerk = place.with_keys(&["admin_login", "fresh_order"]).await;
    let mut last = 0;
    for _ in 0..121 {
        last = clerk.get("/shadow-customers/by-phone?phone=06305550100").send().await.status;
    }
    assert_eq!(last, 429);
    let other = place.with_keys(&["admin_login", "fresh_order"]).await;
    other.get("/shadow-customers/by-phone?phone=06305550100").send().await.assert(404);
}
