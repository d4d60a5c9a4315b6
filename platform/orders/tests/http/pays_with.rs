//! Cash that a guest says to pay with, and the change that is brought along.

use serde_json::{Value, json};

use super::{amount, order, payments::Till, pickup, prepared, text, with};
use testkit::kit;

/// What is told of an order's cash: with what it is paid, and what comes back.
fn told(order: &Value) -> (Option<i64>, Option<i64>) {
    let of = |key: &str| Some(&order[key]).filter(|value| !value.is_null()).map(amount);
    (of("pays_with"), of("change_due"))
}

#[testkit::test]
async fn change_is_told_with_the_order() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    super::takes(&admin, &["card", "szep_kartya"]).await;
    let body = |amount: Value| with(pickup(&menu), "pays_with", amount);
    for amount in
        [json!(5895), json!(0), json!(-5), json!(6001), json!(10000.5), json!(1_000_000_001), json!("sok")]
    {
        order(&key, body(amount)).await.assert_keys(&["pays_with"]);
    }
    for method in ["card", "szep_kartya"] {
        let refused = with(body(json!(10_000)), "payment_method", json!(method));
        order(&key, refused).await.assert_keys(&["pays_with"]);
    }
    for (amount, change) in [(5900, 0), (6000, 100), (20_000, 14_100)] {
        let taken = order(&key, body(json!(amount))).await.assert(201).json();
        assert_eq!(told(&taken), (Some(amount), Some(change)));
        let seen = admin.get(&format!("/orders/{}", text(&taken["id"]))).send().await.assert(200).json();
        assert_eq!(told(&seen), (Some(amount), Some(change)));
    }
    // How it is paid may be said later.
    let later = with(body(json!(10_000)), "payment_method", Value::Null);
    assert_eq!(told(&order(&key, later).await.assert(201).json()), (Some(10_000), Some(4100)));
    assert_eq!(told(&order(&key, pickup(&menu)).await.assert(201).json()), (None, None));
}

#[testkit::test]
async fn what_is_due_by_now_decides_the_change() {
    let till = Till::changeable("470077").await;
    let change = async |body: Value| till.change("470077", body).await;
    change(json!({"pays_with": 5890})).await.assert_keys(&["pays_with"]);
    let after = change(json!({"pays_with": 10_000})).await.assert(200).json();
    assert_eq!((told(&after), &after["changed_fields"]), ((Some(10_000), Some(4100)), &json!(["pays_with"])));
    // Part of it is paid otherwise: more comes back.
    till.pay(json!({"payment_method": "card", "amount": 2000, "confirmed": true})).await.assert(201);
    assert_eq!(told(&till.read().await), (Some(10_000), Some(6100)));
    let row = till.pay(json!({"payment_method": "cash"})).await.assert(201).json();
    assert_eq!(told(&till.read().await), (Some(10_000), None), "nothing is due: {row}");

    let other = Till::changeable("470078").await;
    let change = async |body: Value| other.change("470078", body).await;
    change(json!({"pays_with": 10_000, "payment_method": "card"})).await.assert_keys(&["pays_with"]);
    change(json!({"pays_with": 10_000})).await.assert(200);
    let card = change(json!({"payment_method": "card"})).await.assert(200).json();
    assert_eq!(told(&card), (None, None), "another method forgets it");
    change(json!({"pays_with": 10_000})).await.assert_keys(&["pays_with"]);
    let cash = change(json!({"payment_method": "cash", "pays_with": 6000})).await.assert(200).json();
    assert_eq!(told(&cash), (Some(6000), Some(100)));
    assert_eq!(told(&change(json!({"pays_with": null})).await.assert(200).json()), (None, None));
}
