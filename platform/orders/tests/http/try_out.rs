//! Promotions tried out before they are saved.

use serde_json::{Value, json};
use testkit::kit;

use super::{amount, prepared, promotion, with};

/// A cart of nobody in particular.
fn pickup(menu: &super::Menu) -> Value {
    let mut cart = super::pickup(menu);
    cart.as_object_mut().unwrap().remove("phone_1");
    cart
}

fn draft(value: u32) -> Value {
    let ranges = json!([{"price_from": 0, "discount_value": value, "discount_type": "percent", "apply_on_options": true}]);
    json!({"name": "Vacsora", "discount_type": "discount", "platforms": ["browser"], "ranges": ranges})
}

#[testkit::test]
async fn a_draft_is_priced_as_if_it_were_saved_and_is_not() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    let saved = promotion(&admin, json!({})).await;
    let trial = with(json!({"cart": pickup(&menu)}), "draft", draft(50));
    let tried = admin.post("/discounts/try").json(trial.clone()).send().await.assert(200).json();
    assert_eq!(amount(&tried["now"]["discount_price"]), 1180);
    // Both apply, one after the other.
    assert!(amount(&tried["draft"]["discount_price"]) > 2950, "{tried}");
    // Instead of the saved one, and switched off: tried all the same.
    let instead = with(trial.clone(), "draft_of", json!(saved));
    let instead = with(instead, "draft", with(draft(50), "active", json!(false)));
    let tried = admin.post("/discounts/try").json(instead).send().await.assert(200).json();
    assert_eq!(amount(&tried["draft"]["discount_price"]), 2950);
    // What is over says so.
    let over = with(trial.clone(), "draft", with(draft(50), "valid_till", json!("2020-01-01T00:00:00Z")));
    let tried = admin.post("/discounts/try").json(over).send().await.assert(200).json();
    let told = tried["draft"]["promotions"].as_array().unwrap();
    assert_eq!(told.iter().filter(|one| one["reason"] == "expired").count(), 1, "{told:?}");
    // Only what is saved, at another moment.
    let later = json!({"cart": pickup(&menu), "ordered_at": "2031-01-01T12:00:00Z"});
    let tried = admin.post("/discounts/try").json(later).send().await.assert(200).json();
    assert!(tried["draft"].is_null());
    let list = admin.get("/discounts?activity=all").send().await.assert(200).json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!((&list[0]["name"], &list[0]["use_qty"]), (&json!("Ebéd"), &json!(0)));
}

#[testkit::test]
async fn a_draft_is_refused_as_saving_it_is() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    let saved = promotion(&admin, json!({})).await;
    let trial = json!({"cart": pickup(&menu)});
    let sent = async |draft: Value, of: Value| {
        let body = with(with(trial.clone(), "draft", draft), "draft_of", of);
        admin.post("/discounts/try").json(body).send().await
    };
    sent(draft(101), Value::Null).await.assert_keys(&["draft.ranges.0.discount_value"]);
    sent(with(draft(5), "discount_type", json!("upsell")), json!(saved)).await.assert(422);
    sent(draft(5), json!("01900000-0000-7000-8000-00000000ffff")).await.assert_keys(&["draft_of"]);
    sent(Value::Null, json!(saved)).await.assert_keys(&["draft"]);
    // Whoever is named, or found, may be told by the answer.
    let customer = json!("01900000-0000-7000-8000-00000000ffff");
    for (field, guest) in
        [("customer_id", customer), ("phone_1", json!("+36 1 555 0100")), ("email", json!("a@guest.test"))]
    {
        let named = with(trial.clone(), "cart", with(pickup(&menu), field, guest));
        admin.post("/discounts/try").json(named).send().await.assert_problem(403, "PIN_REQUIRED");
    }
}
