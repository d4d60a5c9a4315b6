//! Coupon codes: which apply, what the others are told, and how many may be tried.

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::kit;

use super::{amount, coupon, order, pickup, prepared, quoted, waiting::key_of, with};

fn coded(menu: &super::Menu, code: &str) -> Value {
    with(pickup(menu), "coupon_code", json!(code))
}

#[testkit::test]
async fn a_code_applies_or_the_order_is_refused_with_the_reason() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let elsewhere = kit().await.restaurant_of(place.partner).await.admin().await;
    coupon(&elsewhere, "MÁSHOL", json!({})).await;
    coupon(&admin, "Őszi🍂", json!({})).await;
    coupon(&admin, "EGYSZER", json!({"all_max_use_qty": 1})).await;
    coupon(&admin, "RÉGI", json!({"valid_till": "2020-01-01T00:00:00Z"})).await;
    coupon(&admin, "SOK", json!({"ranges": [{"price_from": 50000}]})).await;
    order(&key, coded(&menu, "egyszer")).await.assert(201);
    for (code, detail) in [
        ("nincs", None),
        ("🍕", None),
        ("máshol", None),
        ("egyszer", Some("limit_reached")),
        ("régi", Some("expired")),
        ("sok", Some("range_not_reached")),
    ] {
        let expected = json!([{"reason": "coupon_not_applicable", "item_index": null, "option_id": null,
                "option_group_id": null, "detail": detail}]);
        let bare = |reasons: &Value| {
            let mut reasons = reasons.clone();
            for reason in reasons.as_array_mut().unwrap() {
                for field in ["item_index", "option_id", "option_group_id", "detail"] {
                    reason.as_object_mut().unwrap().entry(field).or_insert(Value::Null);
                }
            }
            reasons
        };
        let quote = quoted(&key, &coded(&menu, code)).await;
        assert_eq!(
            (bare(&quote["reasons"]), &quote["acceptable"]),
            (expected.clone(), &json!(false)),
            "{code}"
        );
        assert_eq!(amount(&quote["total_price"]), 5900, "{code}");
        let refused =
            order(&key, coded(&menu, code)).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
        assert_eq!(bare(&refused["reasons"]), expected, "{code}");
    }
    for code in ["Őszi🍂", "  ŐSZI🍂 "] {
        let made = order(&key, coded(&menu, code)).await.assert(201).json();
        assert_eq!((amount(&made["total_price"]), &made["coupon_code"]), (4720, &json!(code.trim())));
        assert_eq!(
            made["lines"].as_array().unwrap().iter().filter(|line| line["step"] == "coupon").count(),
            1
        );
    }
    // Nothing but blanks is none; a text that is no code is a fault of the field.
    assert_eq!(amount(&order(&key, coded(&menu, "  ")).await.assert(201).json()["total_price"]), 5900);
    order(&admin, coded(&menu, &"a".repeat(10_000))).await.assert_keys(&["coupon_code"]);
    order(&admin, coded(&menu, &"🍕".repeat(101))).await.assert_keys(&["coupon_code"]);
    order(&admin, coded(&menu, "a\nb")).await.assert_keys(&["coupon_code"]);
    assert_eq!(place.count("orders").await, 4);
}

#[testkit::test]
async fn codes_are_not_found_by_trying() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    coupon(&admin, "JÓ", json!({})).await;
    // A secret key that tells its guests apart.
    let shop = key_of(&place, &admin, "secret").await.header("x-guest-address", "203.0.113.9");
    let mut answers = Vec::new();
    for at in 0..20 {
        // A right code is no attempt.
        if at == 10 {
            assert_eq!(amount(&quoted(&shop, &coded(&menu, "jó")).await["total_price"]), 4720);
        }
        // A key has 20 calls a second.
        tokio::time::sleep(std::time::Duration::from_millis(60)).await;
        answers.push(quoted(&shop, &coded(&menu, &format!("K{at}"))).await);
    }
    assert!(answers.iter().all(|answer| answer == &answers[0]), "the same answer for each");
    for code in ["K20", "jó"] {
        let body = super::cart(&coded(&menu, code));
        let refused = shop.post("/public/orders/quote").json(body).send().await;
        refused.assert_problem(429, "TOO_MANY_REQUESTS");
        order(&shop, coded(&menu, code)).await.assert_problem(429, "TOO_MANY_REQUESTS");
    }
    // Without a code nothing is counted, and staff have a count of their own.
    assert_eq!(amount(&quoted(&shop, &pickup(&menu)).await["total_price"]), 5900);
    assert_eq!(amount(&quoted(&admin, &coded(&menu, "jó")).await["total_price"]), 4720);
}

/// A page may ask an order for number after number, with a total that is refused: who has used the coupon gets another
/// refusal.
#[testkit::test]
async fn a_page_does_not_hear_who_has_used_a_coupon() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    coupon(&admin, "EGYSZER", json!({"customer_max_use_qty": 1})).await;
    let page = key_of(&place, &admin, "browser").await;
    let probe = |at: i32| {
        let body = with(coded(&menu, "egyszer"), "phone_1", json!(format!("+36 30 555 {at:04}")));
        order(&page, with(body, "total_price", json!(1)))
    };
    for at in 0..20 {
        // A page has 5 calls a second.
        tokio::time::sleep(std::time::Duration::from_millis(220)).await;
        probe(at).await.assert_problem(409, "ORDER_PRICE_CHANGED");
    }
    probe(20).await.assert_problem(429, "TOO_MANY_REQUESTS");
}

#[testkit::test]
async fn right_codes_at_once_pause_nobody() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    coupon(&admin, "JÓ", json!({})).await;
    let right = coded(&menu, "jó");
    for quote in join_all((0..40).map(|_| quoted(&admin, &right))).await {
        assert_eq!(amount(&quote["total_price"]), 4720);
    }
    // Of wrong ones no more than twenty are looked at.
    let sent = (0..30).map(|at| {
        let body = super::cart(&coded(&menu, &format!("K{at}")));
        async { admin.post("/public/orders/quote").json(body).send().await }
    });
    let answers = join_all(sent).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 20);
    assert_eq!(answers.iter().filter(|answer| answer.status == 429).count(), 10);
}

/// A code that was looked for counts whatever else is wrong with the cart; a cart that is refused before does
/// not count.
#[testkit::test]
async fn no_fault_of_the_cart_hides_an_attempt() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    coupon(&admin, "JÓ", json!({})).await;
    let shop = key_of(&place, &admin, "secret").await.header("x-guest-address", "203.0.113.10");
    let quote = async |body: Value| shop.post("/public/orders/quote").json(super::cart(&body)).send().await;
    // A key has 20 calls a second.
    let pause = || tokio::time::sleep(std::time::Duration::from_millis(60));
    for _ in 0..21 {
        pause().await;
        let faulty = with(coded(&menu, "jó"), "courier_tip", json!(100));
        quote(faulty).await.assert_keys(&["courier_tip"]);
    }
    let key = uuid::Uuid::now_v7().to_string();
    let once = async || {
        let body = coded(&menu, "jó");
        shop.post("/public/orders").key(&key).json(body).send().await.assert(201).json()
    };
    let made = once().await;
    let dear = json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 9_000_000}]});
    admin.put(&menu.soup_product).json(dear).send().await.assert(200);
    let items = json!([{"subproduct_id": menu.soup, "quantity": 999}]);
    let huge = |code: &str| with(coded(&menu, code), "items", items.clone());
    for at in 0..20 {
        pause().await;
        order(&shop, huge(&format!("K{at}"))).await.assert_keys(&["items"]);
    }
    pause().await;
    order(&shop, huge("K20")).await.assert_problem(429, "TOO_MANY_REQUESTS");
    quote(coded(&menu, "jó")).await.assert_problem(429, "TOO_MANY_REQUESTS");
    assert_eq!(once().await, made, "the first answer is heard again");
}
