//! Whose an order is by its phone, what a guest leaves there, and who may ask for it.

use serde_json::{Value, json};
use testkit::{Client, Place, kit};

use super::{
    Menu, amount, coupon,
    destinations::delivered,
    order, pickup, prepared, quoted,
    waiting::{key_of, next_second},
    with,
};

/// An order of a guest with this phone and e-mail.
fn of(menu: &Menu, phone: &str, email: &str) -> Value {
    with(with(pickup(menu), "phone_1", json!(phone)), "email", json!(email))
}

async fn customers(place: &Place<'_>) -> Vec<String> {
    let sql = format!(
        "select concat_ws('|', c.name, c.phone_1, c.email, (select string_agg(street, ',' order by id) \
         from {0}.shadow_customer_address a where a.shadow_customer_id = c.id)) from {0}.shadow_customer c \
         join {0}.shadow_customer_restaurant r on r.shadow_customer_id = c.id where r.restaurant_id = '{1}' \
         order by c.id",
        place.schema, place.restaurant
    );
    place.kit.texts(&sql).await
}

#[testkit::test]
async fn two_people_stay_two() {
    let place = kit().await.partner().await;
    let (admin, menu, key) = prepared(&place).await;
    let cases: Value =
        serde_json::from_str(include_str!("../../../customers/tests/cases/phones.json")).unwrap();
    let pairs: Vec<[String; 2]> = serde_json::from_value(cases["same_guest_must_be_false"].clone()).unwrap();
    let more = [
        ["6 20 555 0101", "6 20 555 0102"],
        ["612345678", "612345679"],
        ["06 30 123 456", "06 30 123 457"],
        ["+36 30 555 0100 ext 1", "+36 30 555 0100 ext 2"],
        ["06 30 555 0100/1", "06 30 555 0100/2"],
        ["06305550100, 06305550103", "06305550100, 06305550104"],
        ["3.63056E+10", "3.63056E+10"],
        ["06 1", "06 1"],
        ["555-0100", "555-0100"],
        ["nincs", "nincs"],
    ];
    let (given, more) = (pairs.len(), more.iter().map(|pair| pair.map(str::to_owned)));
    for (at, pair) in pairs.into_iter().chain(more).enumerate() {
        // A shop has 20 calls a second.
        let senders = [("pult", &admin), ("bolt", &key)].into_iter().take(if at < given { 2 } else { 1 });
        for (whose, sender) in senders {
            let mut found = Vec::new();
            for (side, phone) in pair.iter().enumerate() {
                let guest = of(&menu, phone, &format!("{whose}-{at}-{side}@guest.test"));
                let made = order(sender, guest).await.assert(201).json();
                assert_eq!(made["phone_1"], json!(phone), "staff can call what was written");
                found.push(made["customer_id"].clone());
            }
            assert!(found[0] != found[1] || found[0].is_null(), "{pair:?} from {whose}: {found:?}");
        }
        // A number that cannot be one shows nobody.
        let asked = admin.get(&format!("/shadow-customers/by-phone?phone={}", plain(&pair[0]))).send().await;
        assert!(matches!(asked.status, 200 | 422), "{pair:?}: {}", asked.text());
        assert!(asked.status == 422 || !asked.text().contains(&format!("-{at}-1@")), "{pair:?}");
    }
}

fn plain(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[testkit::test]
async fn a_number_that_was_cut_once_leads_to_nobody() {
    let place = kit().await.partner().await;
    let (admin, menu, _) = prepared(&place).await;
    let made = order(&admin, of(&menu, "06 30 555 0100", "anna@guest.test")).await.assert(201).json();
    // As an earlier release kept it.
    let sql = format!("update {}.shadow_customer set phone_1 = '+363012345' where id = $1", place.schema);
    let id: uuid::Uuid = made["customer_id"].as_str().unwrap().parse().unwrap();
    place.kit.run(&sql, vec![id.into()]).await;
    for phone in ["+363012345", "06 30 12345", "36 30 12345"] {
        let other = order(&admin, with(pickup(&menu), "phone_1", json!(phone))).await.assert(201).json();
        assert_eq!(other["customer_id"], Value::Null, "{phone}");
        let asked = admin.get(&format!("/shadow-customers/by-phone?phone={}", plain(phone))).send().await;
        asked.assert_keys(&["phone"]);
    }
    // The e-mail still leads there, and staff see what was kept.
    let again = order(&admin, of(&menu, "+363012345", "anna@guest.test")).await.assert(201).json();
    assert_eq!(again["customer_id"], made["customer_id"]);
    assert_eq!(customers(&place).await, ["Próba Vendég|+363012345|anna@guest.test"]);
}

#[testkit::test]
async fn a_guest_fills_only_a_customer_that_the_order_made() {
    let place = kit().await.partner().await;
    let (admin, menu, key) = prepared(&place).await;
    let shop = key_of(&place, &admin, "browser").await;
    let phone_only = |street: &str| {
        let body = with(delivered(&menu, street), "phone_1", json!("06 30 555 0100"));
        with(with(body, "first_name", json!("")), "last_name", json!("Vendég"))
    };
    let first = order(&key, phone_only("Fő utca")).await.assert(201).json();
    let own = "Vendég|+36305550100|Fő utca";
    assert_eq!(customers(&place).await, [own], "the order made it, so it is filled");
    // Whoever knows the number writes nothing into what is a stranger's, address and name included.
    let stranger = with(phone_only("Idegen utca"), "first_name", json!("Idegen"));
    let stranger = with(stranger, "email", json!("idegen@guest.test"));
    for sender in [&shop, &key] {
        order(sender, stranger.clone()).await.assert(201);
        assert_eq!(customers(&place).await, [own]);
    }
    // Nor is anybody found by what the stranger wrote.
    let other = order(&key, of(&menu, "06 30 555 0177", "idegen@guest.test")).await.assert(201).json();
    assert_ne!(other["customer_id"], first["customer_id"]);
    // A key that names the customer vouches, and so do staff. What somebody else has stays there.
    let named =
        with(with(stranger, "customer_id", first["customer_id"].clone()), "first_name", json!("Anna"));
    order(&key, with(named, "email", json!("anna@guest.test"))).await.assert(201);
    let filled = "Vendég Anna|+36305550100|anna@guest.test|Fő utca,Idegen utca";
    assert_eq!(customers(&place).await[0], filled);
    let by_staff = with(phone_only("Új utca"), "email", json!("idegen@guest.test"));
    order(&admin, by_staff).await.assert(201);
    assert_eq!(customers(&place).await[0], format!("{filled},Új utca"), "nothing is replaced");
}

#[testkit::test]
async fn a_browser_keys_quote_tells_nothing_of_a_number() {
    let place = kit().await.partner().await;
    let (admin, menu, key) = prepared(&place).await;
    let shop = key_of(&place, &admin, "browser").await;
    coupon(&admin, "egyszer", json!({"customer_max_use_qty": 1})).await;
    let coded =
        |phone: &str| with(with(pickup(&menu), "phone_1", json!(phone)), "coupon_code", json!("egyszer"));
    let [used, unused, none] = ["06 30 555 0100", "06 30 555 0101", "12"];
    order(&key, coded(used)).await.assert(201);
    let told = [quoted(&shop, &coded(used)).await, quoted(&shop, &coded(unused)).await];
    assert_eq!(told[0], told[1]);
    assert_eq!(amount(&told[0]["total_price"]), 4720, "as for somebody without uses");
    assert_eq!(quoted(&shop, &coded(none)).await, told[0]);
    next_second().await;
    // The order says what does not apply, without saying why.
    for phone in [used, none] {
        let refused = order(&shop, coded(phone)).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
        assert_eq!(refused["reasons"][0]["detail"], "customer", "{phone}");
    }
    order(&shop, coded(unused)).await.assert(201);
    // A secret key hears more; a number that is none leads to no customer.
    assert_eq!(quoted(&key, &coded(used)).await["reasons"][0]["detail"], "customer_limit_reached");
    assert_eq!(quoted(&key, &coded(none)).await["reasons"][0]["detail"], "customer_unknown");
}

#[testkit::test]
async fn placing_by_hand_needs_a_right() {
    let place = kit().await.partner().await;
    let (_, menu, _) = prepared(&place).await;
    let phone = with(pickup(&menu), "platform", json!("phone"));
    let by_phone = "/shadow-customers/by-phone?phone=0615550100";
    for (key, may) in [
        ("fresh_order", true),
        ("order_accept", true),
        ("pos", true),
        ("catalog_edit", false),
        ("all_order", false),
    ] {
        let clerk = place.with_keys(&["admin_login", key]).await;
        let quote = clerk.post("/public/orders/quote").json(super::cart(&phone)).send().await;
        let order = order(&clerk, phone.clone()).await;
        let found = clerk.get(by_phone).send().await;
        if may {
            quote.assert(200);
            order.assert(201);
            found.assert(200);
        } else {
            for refused in [quote, order, found] {
                refused.assert_problem(403, "USER_PERMISSION_REQUIRED");
            }
        }
    }
    // Who may place may also go below a minimum.
    let clerk = place.with_keys(&["admin_login", "order_accept"]).await;
    let reason = with(
        with(delivered(&menu, "Fő utca"), "platform", json!("phone")),
        "override_reason",
        json!("jó vendég"),
    );
    let made = order(&clerk, reason).await.assert(201).json();
    let reader = place.with_keys(&["admin_login", "all_order"]).await;
    let read = reader.get(&format!("/orders/{}", made["id"].as_str().unwrap())).send().await.assert(200);
    assert_eq!(read.json()["history"][0]["details"]["override_reason"], "jó vendég");
}

#[testkit::test]
async fn numbers_that_a_person_quotes_count_with_those_searched() {
    let place = kit().await.partner().await;
    let (admin, menu, _) = prepared(&place).await;
    let clerk = place.with_keys(&["admin_login", "fresh_order"]).await;
    let quote = async |clerk: &Client<'_>, phone: &str, email: Option<&str>| {
        let cart = with(with(pickup(&menu), "platform", json!("phone")), "phone_1", json!(phone));
        let cart = with(cart, "email", json!(email));
        clerk.post("/public/orders/quote").json(super::cart(&cart)).send().await.status
    };
    let search = async |clerk: &Client<'_>, phone: &str| {
        clerk.get(&format!("/shadow-customers/by-phone?phone={phone}")).send().await.status
    };
    // Who is looked for and then quoted is asked for once, however often the cart changes.
    for _ in 0..3 {
        assert_eq!(search(&clerk, "06305550000").await, 404);
    }
    for _ in 0..5 {
        assert_eq!(quote(&clerk, "+36 30 555 0000", None).await, 200);
        assert_eq!(quote(&clerk, "06 30", None).await, 200, "no number");
    }
    for number in 1..=116 {
        assert_eq!(quote(&clerk, &format!("0630555{number:04}"), None).await, 200, "{number}");
    }
    assert_eq!(quote(&clerk, "06 30", Some("anna@guest.test")).await, 200, "e-mails count too");
    assert_eq!(quote(&clerk, "06 30 555 9999", None).await, 429);
    assert_eq!(search(&clerk, "06305559999").await, 429);
    assert_eq!(quote(&clerk, "06 30", Some("bela@guest.test")).await, 429);
    // The guest at the phone gets the order, and somebody else's count is their own.
    assert_eq!(quote(&clerk, "06 30 555 0116", Some("ANNA@guest.test")).await, 200);
    assert_eq!(quote(&admin, "06 30 555 9999", None).await, 200);
}

#[testkit::test]
async fn an_order_says_whose_it_is_to_those_who_read_orders() {
    let place = kit().await.partner().await;
    let sibling = place.kit.restaurant_of(place.partner).await;
    let (admin, menu, key) = prepared(&place).await;
    let (_, there, other_key) = prepared(&sibling).await;
    let guest = |menu: &Menu| of(menu, "06 30 555 0100", "anna@guest.test");
    let first = order(&key, guest(&menu)).await.assert(201).json();
    assert_eq!(first["shadow_customer"], Value::Null, "a shop does not hear a name for a number");
    order(&key, with(guest(&menu), "last_name", json!("Más"))).await.assert(201);
    order(&other_key, guest(&there)).await.assert(201);
    let nobody = order(&key, with(pickup(&menu), "phone_1", json!("12"))).await.assert(201).json();
    let reader = place.with_keys(&["admin_login", "all_order"]).await;
    let read = async |order: &Value| {
        let path = format!("/orders/{}", order["id"].as_str().unwrap());
        reader.get(&path).send().await.assert(200).json()["shadow_customer"].clone()
    };
    let whose = json!({"id": first["customer_id"], "name": "Próba Vendég", "order_number": 2});
    assert_eq!(read(&first).await, whose, "those of this restaurant are counted");
    assert_eq!(read(&nobody).await, Value::Null);
    let list = admin.get("/orders/fresh").send().await.assert(200).json();
    let of_list = list.as_array().unwrap().iter().find(|one| one["id"] == first["id"]).unwrap();
    assert_eq!(of_list["shadow_customer"], whose);
    let followed = key.get(&format!("/public/orders/{}", first["id"].as_str().unwrap())).send().await;
    assert_eq!(followed.assert(200).json()["shadow_customer"], Value::Null);
}
