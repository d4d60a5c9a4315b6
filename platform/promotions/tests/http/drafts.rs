//! Drafts that are tried out instead of a saved promotion.

use serde_json::{Value, json};
use testkit::kit;

use super::{discount, make, menu};

#[testkit::test]
async fn a_draft_has_the_age_and_the_restaurants_of_the_saved_one() {
    let kit = kit().await;
    let place = kit.partner().await;
    let euros = kit.restaurant_of(place.partner).await;
    let sql = format!("update {}.restaurant set currency = 'eur' where id = $1", place.schema);
    kit.run(&sql, vec![euros.restaurant.into()]).await;
    let owner = place.partner_admin().await;
    let size = menu(&owner).await.size;
    let alone = || json!({"stackable": false});
    let older = make(&owner, alone()).await;
    // Another moment of creation.
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    make(&owner, alone()).await;
    let cart =
        json!({"platform": "browser", "pickup": true, "items": [{"subproduct_id": size, "quantity": 1}]});
    let tried = async |fields: Value, saved: &Value| {
        let body = json!({"cart": cart, "draft": discount(fields), "draft_of": saved["id"]});
        owner.post("/discounts/try").json(body).send().await
    };
    // Both take as much: the older one is taken.
    let answer = tried(alone(), &older).await.assert(200).json();
    for quote in ["now", "draft"] {
        let told = answer[quote]["promotions"].as_array().unwrap().iter();
        let applied: Vec<&Value> =
            told.filter(|one| one["reason"].is_null()).map(|one| &one["promotion_id"]).collect();
        assert_eq!(applied, [&older["id"]], "{quote}: {answer}");
    }
    // It holds everywhere still, and an amount cannot be of two currencies.
    let everywhere = make(&owner, json!({"restaurant_ids": null})).await;
    let amount = || json!({"ranges": [{"discount_value": 500, "discount_type": "amount"}]});
    let refused = tried(amount(), &everywhere).await.assert_keys(&["draft.restaurant_ids"]);
    assert_eq!(refused.json()["detail"], "currencies_differ");
    tried(amount(), &older).await.assert(200);
}
