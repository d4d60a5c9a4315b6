//! Whose an order is, and limits by customer.

use serde_json::{Value, json};
use testkit::{Place, kit};
use uuid::Uuid;

use super::{
    amount, order, pickup, prepared, promotion, quoted,
    waiting::{key_of, next_second},
    with,
};

async fn known(place: &Place<'_>) -> Vec<String> {
    let sql = format!(
        "select concat_ws('|', c.name, c.phone_1, c.email) from {0}.shadow_customer c \
         join {0}.shadow_customer_restaurant r on r.shadow_customer_id = c.id where r.restaurant_id = '{1}' \
         order by c.id",
        place.schema, place.restaurant
    );
    place.kit.texts(&sql).await
}

fn of(menu: &super::Menu, guest: Value) -> Value {
    let mut body = pickup(menu);
    body.as_object_mut().unwrap().extend(guest.as_object().unwrap().clone());
    body
}

#[testkit::test]
async fn an_order_finds_its_customer_or_makes_one() {
    let place = kit().await.partner().await;
    let (admin, menu, key) = prepared(&place).await;
    let made = async |guest: Value| order(&key, of(&menu, guest)).await.assert(201).json();
    quoted(&key, &pickup(&menu)).await;
    assert_eq!(known(&place).await, Vec::<String>::new(), "a quote makes nobody");
    let first = made(json!({"phone_1": "06 30 555 0100"})).await;
    let said = of(&menu, json!({"phone_1": "+36 (30) 555-0100", "email": "Anna@guest.test"}));
    let again = order(&key, said.clone()).await.assert(201).json();
    assert_eq!(first["customer_id"], again["customer_id"]);
    assert_ne!(first["customer_id"], Value::Null);
    assert_eq!(known(&place).await, ["Próba Vendég|+36305550100"], "nobody vouches for the guest");
    order(&admin, said).await.assert(201);
    assert_eq!(known(&place).await, ["Próba Vendég|+36305550100|anna@guest.test"], "what is empty is filled");
    let by_mail = made(json!({"phone_1": "nincs", "email": "ANNA@guest.test", "last_name": "Más"})).await;
    assert_eq!(by_mail["customer_id"], first["customer_id"]);
    // The phone goes before the address, and nothing is replaced.
    let other = made(json!({"phone_1": "+36 30 555 0101", "email": "anna@guest.test"})).await;
    assert_eq!(other["customer_id"], first["customer_id"], "found by the address");
    assert_eq!(known(&place).await, ["Próba Vendég|+36305550100|anna@guest.test"]);
    let nobody = made(json!({"phone_1": "nincs"})).await;
    assert_eq!(nobody["customer_id"], Value::Null);
    let tried = with(of(&menu, json!({"phone_1": "+36 30 555 0199"})), "is_test", json!(true));
    let tried = order(&admin, tried).await.assert(201).json();
    assert_eq!(
        (&tried["is_test"], &tried["customer_id"]),
        (&json!(true), &Value::Null),
        "a test makes nobody"
    );
    assert_eq!(known(&place).await.len(), 1);
    // Of one new guest at the same moment one is made.
    let body = of(&menu, json!({"phone_1": "+36 30 555 0777"}));
    let copies = futures_util::future::join_all((0..8).map(|_| order(&admin, body.clone()))).await;
    let copies: Vec<Value> = copies.into_iter().map(|one| one.assert(201).json()).collect();
    assert!(copies.iter().all(|one| one["customer_id"] == copies[0]["customer_id"]));
    assert_eq!(known(&place).await.len(), 2);
}

#[testkit::test]
async fn who_vouches_names_the_customer() {
    let place = kit().await.partner().await;
    let (admin, menu, key) = prepared(&place).await;
    let shop = key_of(&place, &admin, "browser").await;
    promotion(&admin, json!({"name": "törzsvendég", "login_needed": true})).await;
    let first = order(&key, pickup(&menu)).await.assert(201).json();
    assert_eq!(amount(&first["total_price"]), 5900, "a typed phone vouches for nobody");
    let named = with(pickup(&menu), "customer_id", first["customer_id"].clone());
    assert_eq!(amount(&order(&key, named.clone()).await.assert(201).json()["total_price"]), 4720);
    assert_eq!(amount(&order(&admin, pickup(&menu)).await.assert(201).json()["total_price"]), 4720);
    let from_shop = order(&shop, pickup(&menu)).await.assert(201).json();
    assert_eq!((amount(&from_shop["total_price"]), &from_shop["customer_id"]), (5900, &Value::Null));
    order(&shop, named).await.assert_keys(&["customer_id"]);
    order(&key, with(pickup(&menu), "customer_id", json!(Uuid::now_v7())))
        .await
        .assert_keys(&["customer_id"]);
}

#[testkit::test]
async fn a_limit_by_customer_counts_by_phone_and_tells_a_browser_key_little() {
    let place = kit().await.partner().await;
    let (admin, menu, key) = prepared(&place).await;
    let shop = key_of(&place, &admin, "browser").await;
    super::coupon(&admin, "egyszer", json!({"customer_max_use_qty": 1})).await;
    let coded = |phone: &str| with(of(&menu, json!({"phone_1": phone})), "coupon_code", json!("EGYSZER"));
    assert_eq!(amount(&quoted(&key, &coded("06 30 555 0100")).await["total_price"]), 4720, "nobody yet");
    let made = order(&key, coded("06 30 555 0100")).await.assert(201).json();
    assert_eq!(amount(&made["total_price"]), 4720);
    let why = |quote: Value| quote["reasons"][0]["detail"].clone();
    assert_eq!(why(quoted(&key, &coded("+36 30 555 0100")).await), "customer_limit_reached");
    for phone in ["+36 30 555 0100", "nincs"] {
        assert_eq!(amount(&quoted(&shop, &coded(phone)).await["total_price"]), 4720, "as for anybody");
        let refused = order(&shop, coded(phone)).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
        assert_eq!(why(refused), "customer");
    }
    assert_eq!(why(quoted(&key, &coded("nincs")).await), "customer_unknown");
    order(&key, coded("+36 30 555 0101")).await.assert(201);
    next_second().await;
    // Whoever reads the key of a page is no till and nobody at the phone.
    let posed = |platform: &str| with(of(&menu, json!({})), "platform", json!(platform));
    order(&shop, posed("phone")).await.assert_keys(&["platform"]);
    let kiosk = super::cart(&posed("kiosk_sit_in"));
    shop.post("/public/orders/quote").json(kiosk).send().await.assert_keys(&["platform"]);
    // Refused, the use is there again.
    let archive = format!("/orders/{}/archive", made["id"].as_str().unwrap());
    admin.put(&archive).json(json!({"reason": "too_busy"})).send().await.assert(200);
    order(&key, coded("+36 30 555 0100")).await.assert(201);
}

#[testkit::test]
async fn a_limit_by_customer_counts_those_who_were_merged_together() {
    let place = kit().await.partner().await;
    let (_, menu, key) = prepared(&place).await;
    let staff =
        super::promotions::with_pin(&place, &["admin_login", "customer"], "470023", Value::Null).await;
    let owner = place.partner_admin().await;
    super::coupon(&owner, "ketto", json!({"customer_max_use_qty": 2})).await;
    let coded = |phone: &str| with(of(&menu, json!({"phone_1": phone})), "coupon_code", json!("ketto"));
    let customer = async |phone: &str| {
        order(&key, coded(phone)).await.assert(201).json()["customer_id"].as_str().unwrap().to_owned()
    };
    let [older, younger] = ["06 30 555 0100", "06 30 555 0101"];
    let (first, second) = (customer(older).await, customer(younger).await);
    let merge = format!("/shadow-customers/{second}/merge");
    let pin = |call: testkit::Call<'static>| call.header("x-pin", "470023");
    pin(staff.post(&merge)).json(json!({"into": first})).send().await.assert(201);
    for phone in [older, younger] {
        let quote = quoted(&key, &coded(phone)).await;
        assert_eq!(quote["reasons"][0]["detail"], "customer_limit_reached", "{phone}");
        order(&key, coded(phone)).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE");
    }
    pin(staff.delete(&merge)).send().await.assert(200);
    for phone in [older, younger] {
        order(&key, coded(phone)).await.assert(201);
        let quote = quoted(&key, &coded(phone)).await;
        assert_eq!(quote["reasons"][0]["detail"], "customer_limit_reached", "each has two again: {phone}");
    }
}
