//! Promotions in quotes and orders: what they take, what is told, and who has the last use.

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Answer, Client, Place, kit};
use uuid::Uuid;

use super::{amount, coupon, order, pickup, prepared, promotion, quoted, with};

async fn uses(admin: &Client<'_>, id: &str) -> i64 {
    amount(&admin.get(&format!("/discounts/{id}")).send().await.assert(200).json()["use_qty"])
}

fn steps(answer: &Value) -> Vec<(String, i64)> {
    let lines = answer["lines"].as_array().unwrap().iter();
    lines.map(|line| (line["step"].as_str().unwrap().to_owned(), amount(&line["amount"]))).collect()
}

#[testkit::test]
async fn an_order_keeps_what_its_promotions_took() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let id = promotion(&admin, json!({})).await;
    let quote = quoted(&key, &pickup(&menu)).await;
    assert_eq!((amount(&quote["original_price"]), amount(&quote["discount_price"])), (5900, 1180));
    assert_eq!(
        (&quote["promotions"][0]["promotion_id"], amount(&quote["promotions"][0]["amount"])),
        (&json!(id), 1180)
    );
    let guest = format!("{}@guest.test", place.restaurant);
    let body = with(pickup(&menu), "total_price", quote["total_price"].clone());
    let made = order(&key, with(body, "email", json!(guest))).await.assert(201).json();
    assert_eq!(amount(&made["total_price"]), 4720);
    assert!(place.kit.mail_to(&guest).await.contains("Ebéd: -1\u{a0}180\u{a0}Ft"));
    assert_eq!(steps(&made), [("item".into(), 3600), ("item".into(), 2300), ("discount".into(), -1180)]);
    let kept = json!([{"promotion_id": id, "name": "Ebéd", "discount_type": "discount", "amount": 1180}]);
    assert_eq!(without_nulls(&made["promotions"]), kept);
    let [soup, pizza] = &made["items"].as_array().unwrap()[..] else { panic!("{made}") };
    let of = |item: &Value| ["total_price", "discount", "paid_price"].map(|field| amount(&item[field]));
    assert_eq!((of(soup), of(pizza)), ([3600, 720, 2880], [2300, 460, 1840]));
    let parts = pizza["parts"].as_array().unwrap();
    let kinds: Vec<_> = parts.iter().map(|part| (&part["kind"], amount(&part["paid_price"]))).collect();
    assert_eq!(kinds, [(&json!("item"), 1600), (&json!("options"), 240)]);
    // A later change of the promotion alters nothing.
    admin.put(&format!("/discounts/{id}")).json(json!({"name": "Vacsora"})).send().await.assert(200);
    let path = format!("/orders/{}", made["id"].as_str().unwrap());
    let page = admin.get(&path).send().await.assert(200).json();
    for field in ["lines", "items", "promotions", "total_price", "vats"] {
        assert_eq!(page[field], made[field], "{field}");
    }
    // A storno gives the use back, once; a test takes none.
    assert_eq!(uses(&admin, &id).await, 1);
    admin.put(&format!("{path}/accept")).json(json!({})).send().await.assert(200);
    admin.put(&format!("{path}/archive")).json(json!({"reason": "duplicate"})).send().await.assert(200);
    assert_eq!(uses(&admin, &id).await, 0);
    let tried = order(&admin, with(pickup(&menu), "is_test", json!(true))).await.assert(201).json();
    assert_eq!((amount(&tried["total_price"]), uses(&admin, &id).await), (4720, 0));
}

fn without_nulls(rows: &Value) -> Value {
    let mut rows = rows.clone();
    for row in rows.as_array_mut().unwrap() {
        row.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    }
    rows
}

#[testkit::test]
async fn a_key_hears_of_what_anybody_can_reach() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    promotion(&admin, json!({"name": "nagy kosár", "ranges": [{"price_from": 8000, "discount_value": 10}]}))
        .await;
    let pieces = json!([{"price_from": 50, "discount_value": 10}]);
    promotion(&admin, json!({"name": "ötven darab", "range_filter_type": "by_quantity", "ranges": pieces}))
        .await;
    promotion(&admin, json!({"name": "app", "platforms": ["ios"]})).await;
    promotion(&admin, json!({"name": "kiszállítás", "pickup_enabled": false})).await;
    promotion(&admin, json!({"name": "nekik", "locked_customers": true})).await;
    promotion(&admin, json!({"name": "belépve", "login_needed": true})).await;
    promotion(&admin, json!({"name": "később", "valid_from": "2099-01-01T00:00:00Z"})).await;
    coupon(&admin, "TITOK", json!({"name": "kupon"})).await;
    let told = |quote: &Value| {
        let rows = quote["promotions"].as_array().unwrap().iter();
        let mut rows: Vec<String> = rows
            .map(|row| format!("{} {}", row["name"].as_str().unwrap(), row["reason"].as_str().unwrap_or("-")))
            .collect();
        rows.sort();
        rows
    };
    let quote = quoted(&key, &pickup(&menu)).await;
    assert_eq!(
        told(&quote),
        [
            "app platform",
            "kiszállítás pickup",
            "nagy kosár range_not_reached",
            "ötven darab range_not_reached",
        ]
    );
    let named = |name: &str| {
        quote["promotions"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone()
    };
    assert_eq!(named("ötven darab")["range_filter_type"], "by_quantity");
    let reach = named("nagy kosár");
    assert_eq!((amount(&reach["to_next_range"]), &reach["range_filter_type"]), (2100, &json!("by_price")));
    let coded = quoted(&key, &with(pickup(&menu), "coupon_code", json!("titok"))).await;
    assert!(told(&coded).contains(&"kupon -".to_owned()));
    let staff = quoted(&admin, &pickup(&menu)).await;
    assert_eq!(staff["promotions"].as_array().unwrap().len(), 8, "people of the restaurant hear everything");
}

#[testkit::test]
async fn gifts_are_lines_of_their_own() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let pizzas = with(pickup(&menu), "items", json!([{"subproduct_id": menu.pizza, "quantity": 1}]));
    let gift = |percent: i64| {
        json!({"ranges": [{"discount_value": 0,
            "gifts": [{"subproduct_id": menu.soup, "discount_percentage": percent}]}]})
    };
    let id = promotion(&admin, gift(100)).await;
    let path = format!("/discounts/{id}");
    let chosen = |subproduct: &str, accepted: bool| {
        let choice = json!([{"promotion_id": id, "subproduct_id": subproduct, "accepted": accepted}]);
        with(pizzas.clone(), "gift_choices", choice)
    };
    let made = order(&key, pizzas.clone()).await.assert(201).json();
    let soup = &made["items"][1];
    assert_eq!((&soup["gift_of"], &soup["name"]), (&json!(id), &json!("Gulyás")));
    assert_eq!(["total_price", "discount", "paid_price"].map(|field| amount(&soup[field])), [1800, 1800, 0]);
    assert_eq!((amount(&made["total_price"]), amount(&made["original_price"])), (2000, 3800));
    assert_eq!(quoted(&key, &chosen(&menu.soup, false)).await["items"].as_array().unwrap().len(), 1);
    order(&key, chosen(&menu.ham, true)).await.assert_keys(&["gift_choices.0"]);
    order(&key, with(chosen(&menu.soup, true), "gift_choices", json!([{"promotion_id": id}])))
        .await
        .assert_keys(&["gift_choices.0.subproduct_id"]);

    // Half a price is offered, and paid when accepted.
    admin.put(&path).json(gift(50)).send().await.assert(200);
    let offered = quoted(&key, &pizzas).await;
    assert_eq!(offered["promotions"], json!([]), "what has no effect is nobody's business");
    let paid = quoted(&key, &chosen(&menu.soup, true)).await;
    assert_eq!((amount(&paid["total_price"]), paid["items"].as_array().unwrap().len()), (2900, 2));

    // A gift that is gone: another price where one was sent, the order without it where none was.
    let gone =
        json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 1800, "sellable_quantity": 0}]});
    admin.put(&menu.soup_product).json(gone).send().await.assert(200);
    let taken = chosen(&menu.soup, true);
    let changed = order(&key, with(taken.clone(), "total_price", json!(2900))).await;
    let changed = changed.assert_problem(409, "ORDER_PRICE_CHANGED").json();
    assert_eq!(changed["difference"]["field"], "total_price");
    let changed = order(&key, with(taken.clone(), "total_price", json!(2000))).await;
    let changed = changed.assert_problem(409, "ORDER_PRICE_CHANGED").json();
    assert_eq!(
        (&changed["difference"]["field"], &changed["difference"]["index"]),
        (&json!("gift_choices"), &json!(0))
    );
    let seen = json!({"lines": changed["quote"]["lines"], "items": shown(&changed["quote"])});
    let seen = with(with(taken.clone(), "total_price", json!(2000)), "quoted", seen);
    assert_eq!(order(&key, seen).await.assert(201).json()["items"].as_array().unwrap().len(), 1);
    assert_eq!(amount(&order(&key, taken).await.assert(201).json()["total_price"]), 2000);
}

/// The items of a quote as an order sends them back.
fn shown(quote: &Value) -> Value {
    let items = quote["items"].as_array().unwrap().iter();
    items.map(|item| json!({"unit_price": item["unit_price"], "paid_price": item["paid_price"]})).collect()
}

#[testkit::test]
async fn an_upsell_is_suggested() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let gift = |percent: i64| json!([{"subproduct_id": menu.soup, "discount_percentage": percent}]);
    let ranges = json!([{"price_from": 1000, "discount_value": 0, "gifts": gift(30)},
        {"price_from": 6000, "discount_value": 0, "gifts": gift(60)}]);
    let id = promotion(&admin, json!({"name": "leves", "discount_type": "upsell", "ranges": ranges})).await;
    let quote =
        quoted(&key, &with(pickup(&menu), "items", json!([{"subproduct_id": menu.pizza, "quantity": 2}])))
            .await;
    let told: Vec<_> = quote["upsells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert_eq!((&one["promotion_id"], &one["name"]), (&json!(id), &json!("Gulyás")));
            (amount(&one["discount_percentage"]), one["missing"].to_string())
        })
        .collect();
    assert_eq!(told, [(30, "null".to_owned()), (60, "2000".to_owned())]);
}

#[testkit::test]
async fn an_upsell_stands_in_the_public_menu() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let shown = async |query: &str| {
        let answer = key.get(&format!("/public/menu{query}")).send().await.assert(200);
        (answer.header("etag").unwrap().to_owned(), answer.json()["upsells"].clone())
    };
    let (before, none) = shown("").await;
    assert_eq!(none, json!([]));
    let gift = |size: &str, percent: i64| json!({"subproduct_id": size, "discount_percentage": percent});
    let ranges = json!([{"price_from": 6000, "discount_value": 0, "gifts": [gift(&menu.soup, 100), gift(&menu.pizza, 50)]},
        {"price_from": 1000, "discount_value": 0, "gifts": [gift(&menu.soup, 30)]}]);
    let body = json!({"name": "leves", "discount_type": "upsell", "ranges": ranges});
    let id = promotion(&admin, body).await;
    promotion(&admin, json!({"name": "nem ajánlat"})).await;
    let (after, upsells) = shown("").await;
    assert_ne!(before, after, "who keeps the menu learns of it");
    let upsell = &upsells[0];
    assert_eq!(
        (
            &upsell["promotion_id"],
            &upsell["name"],
            &upsell["range_filter_type"],
            upsells.as_array().unwrap().len()
        ),
        (&json!(id), &json!("leves"), &json!("by_price"), 1)
    );
    let told = |range: &Value| {
        let gifts = range["gifts"].as_array().unwrap().iter();
        let gifts: Vec<_> = gifts
            .map(|gift| {
                (
                    gift["name"].as_str().unwrap().to_owned(),
                    amount(&gift["price"]),
                    amount(&gift["discount_percentage"]),
                )
            })
            .collect();
        (amount(&range["price_from"]), amount(&range["discount_value"]), gifts)
    };
    let (soup, pizza) =
        (|percent| ("Gulyás".to_owned(), 1800, percent), ("Pizza, 32 cm".to_owned(), 2000, 50));
    let all: Vec<_> = upsell["ranges"].as_array().unwrap().iter().map(told).collect();
    assert_eq!(all, [(1000, 0, vec![soup(30)]), (6000, 0, vec![soup(100), pizza.clone()])]);
    // It holds in the web shop and the apps alone.
    for channel in ["sit_in", "phone", "kiosk_sit_in"] {
        assert_eq!(shown(&format!("?channel={channel}")).await.1, json!([]), "{channel}");
    }
    // A gift that is switched off goes, and with it what offers nothing; one that is only hidden stays.
    let sizes = |fields: Value| {
        let mut size = json!({"id": menu.soup, "name": "Adag", "price": 1800});
        size.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        admin.put(&menu.soup_product).json(json!({"subproducts": [size]})).send()
    };
    sizes(json!({"visible_online": false})).await.assert(200);
    assert_eq!(shown("").await.1[0]["ranges"].as_array().unwrap().len(), 2);
    sizes(json!({"active": false})).await.assert(200);
    let left: Vec<_> = shown("").await.1[0]["ranges"].as_array().unwrap().iter().map(told).collect();
    assert_eq!(left, [(6000, 0, vec![pizza])]);
    let path = format!("/discounts/{id}");
    admin.put(&path).json(json!({"active": false})).send().await.assert(200);
    assert_eq!(shown("").await.1, json!([]));
    admin.put(&path).json(json!({"active": true})).send().await.assert(200);
    assert_eq!(shown("").await.1.as_array().unwrap().len(), 1);
    admin.delete(&path).send().await.assert(204);
    assert_eq!(shown("").await.1, json!([]));
}

#[testkit::test]
async fn a_choice_names_a_promotion_that_was_here() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let ranges =
        json!([{"discount_value": 0, "gifts": [{"subproduct_id": menu.soup, "discount_percentage": 50}]}]);
    let gift = promotion(&admin, json!({"name": "leves", "ranges": ranges})).await;
    let stranger = kit().await.restaurant().await;
    let (other, other_menu, _) = prepared(&stranger).await;
    let there = json!([{"discount_value": 0, "gifts": [{"subproduct_id": other_menu.soup, "discount_percentage": 50}]}]);
    let foreign = promotion(&other, json!({"name": "máshol", "ranges": there})).await;
    let choice = |promotion: &str, accepted: bool| json!({"promotion_id": promotion, "subproduct_id": menu.soup, "accepted": accepted});
    let sent = |choices: Value| with(pickup(&menu), "gift_choices", choices);
    let never = Uuid::now_v7().to_string();
    for (choices, keys) in [
        (json!([choice(&never, true)]), vec!["gift_choices.0.promotion_id"]),
        (json!([choice(&never, false)]), vec!["gift_choices.0.promotion_id"]),
        (json!([choice(&foreign, true)]), vec!["gift_choices.0.promotion_id"]),
        (json!([choice(&Uuid::nil().to_string(), true)]), vec!["gift_choices.0.promotion_id"]),
        (
            json!([choice(&gift, true), choice(&never, true), choice(&foreign, false)]),
            vec!["gift_choices.1.promotion_id", "gift_choices.2.promotion_id"],
        ),
    ] {
        let body = sent(choices);
        for client in [&key, &admin] {
            client.post("/public/orders/quote").json(super::cart(&body)).send().await.assert_keys(&keys);
            order(client, body.clone()).await.assert_keys(&keys);
        }
    }
    // What was here and is over is no fault: switched off, over, archived.
    let path = format!("/discounts/{gift}");
    let declined = sent(json!([choice(&gift, true)]));
    quoted(&key, &declined).await;
    for change in [json!({"active": false}), json!({"active": true, "valid_till": "2020-01-01T00:00:00Z"})] {
        admin.put(&path).json(change).send().await.assert(200);
        quoted(&key, &declined).await;
        order(&key, declined.clone()).await.assert(201);
    }
    admin.delete(&path).send().await.assert(204);
    quoted(&key, &declined).await;
}

#[testkit::test]
async fn a_change_between_quote_and_order_is_shown_line_by_line() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let id = promotion(&admin, json!({"all_max_use_qty": 2})).await;
    let path = format!("/discounts/{id}");
    let quote = quoted(&key, &pickup(&menu)).await;
    let seen = json!({"lines": quote["lines"], "items": shown(&quote)});
    let priced = with(pickup(&menu), "total_price", quote["total_price"].clone());
    let body = with(priced.clone(), "quoted", seen);
    order(&key, body.clone()).await.assert(201);
    let changed = async |body: &Value| {
        order(&key, body.clone()).await.assert_problem(409, "ORDER_PRICE_CHANGED").json()
    };
    admin
        .put(&path)
        .json(json!({"ranges": [{"discount_value": 10, "apply_on_options": true}]}))
        .send()
        .await
        .assert(200);
    let found = changed(&body).await;
    let difference = &found["difference"];
    assert_eq!((&difference["field"], &difference["index"]), (&json!("lines"), &json!(2)));
    assert_eq!(
        (amount(&difference["quoted"]["amount"]), amount(&difference["quote"]["amount"])),
        (-1180, -590)
    );
    assert_eq!((&found["quoted"]["lines"], amount(&found["quote"]["total_price"])), (&quote["lines"], 5310));
    assert_eq!(changed(&priced).await["difference"]["field"], "total_price");
    // An item that was shown at another price.
    let lying = json!({"items": [{"unit_price": 1800, "paid_price": 1}]});
    let found = changed(&with(pickup(&menu), "quoted", lying)).await;
    assert_eq!((&found["difference"]["field"], &found["difference"]["index"]), (&json!("items"), &json!(0)));
    // Used up, archived.
    admin
        .put(&path)
        .json(json!({"ranges": [{"discount_value": 20, "apply_on_options": true}]}))
        .send()
        .await
        .assert(200);
    order(&key, priced.clone()).await.assert(201);
    assert_eq!(amount(&changed(&priced).await["quote"]["total_price"]), 5900);
    admin.put(&path).json(json!({"all_max_use_qty": null})).send().await.assert(200);
    order(&key, priced.clone()).await.assert(201);
    admin.delete(&path).send().await.assert(204);
    assert_eq!(amount(&changed(&priced).await["quote"]["total_price"]), 5900);
}

/// An order that is sent again under its key while the service has no connection free, as clients do.
async fn persistent(client: &Client<'_>, body: Value) -> Answer {
    let key = Uuid::now_v7().to_string();
    loop {
        let answer = client.post("/public/orders").key(&key).json(body.clone()).send().await;
        if answer.status != 503 {
            return answer;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

#[testkit::test]
async fn of_a_hundred_orders_at_once_one_has_the_last_use() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    let second = kit().await.second_instance().await;
    let there = admin.at(&second);
    let at_once = async |count: usize, body: Value| {
        let clients = [&admin, &there].into_iter().cycle();
        join_all(clients.take(count).map(|client| persistent(client, body.clone()))).await
    };
    // Nobody was shown a price: the others pay all of it.
    let id = promotion(&admin, json!({"all_max_use_qty": 1})).await;
    let made = at_once(100, pickup(&menu)).await;
    let totals: Vec<i64> =
        made.into_iter().map(|one| amount(&one.assert(201).json()["total_price"])).collect();
    assert_eq!(totals.iter().filter(|total| **total == 4720).count(), 1);
    assert_eq!(totals.iter().filter(|total| **total == 5900).count(), 99);
    assert_eq!(uses(&admin, &id).await, 1);
    admin.delete(&format!("/discounts/{id}")).send().await.assert(204);
    // A price that was shown is kept or refused.
    let id = promotion(&admin, json!({"all_max_use_qty": 1})).await;
    let made = at_once(20, with(pickup(&menu), "total_price", json!(4720))).await;
    assert_eq!(made.iter().filter(|one| one.status == 201).count(), 1);
    for one in made.into_iter().filter(|one| one.status != 201) {
        one.assert_problem(409, "ORDER_PRICE_CHANGED");
    }
    admin.delete(&format!("/discounts/{id}")).send().await.assert(204);
    // A code that is used up is a reason.
    coupon(&admin, "EGY", json!({"all_max_use_qty": 1})).await;
    let made = at_once(15, with(pickup(&menu), "coupon_code", json!("egy"))).await;
    assert_eq!(made.iter().filter(|one| one.status == 201).count(), 1);
    for one in made.into_iter().filter(|one| one.status != 201) {
        let refused = one.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
        assert_eq!(refused["reasons"][0]["detail"], "limit_reached");
    }
    assert_eq!(place.count("orders").await, 102);
}

#[testkit::test]
async fn a_gift_that_left_the_menu_is_not_told() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let gift = json!({"ranges": [{"discount_value": 5, "gifts": [{"subproduct_id": menu.soup}]}]});
    promotion(&admin, gift).await;
    let pizza = with(pickup(&menu), "items", json!([{"subproduct_id": menu.pizza, "quantity": 1}]));
    let gifts = async || quoted(&key, &pizza).await["promotions"][0]["gifts"].clone();
    assert_eq!(gifts().await[0]["state"], "given");
    admin.delete(&menu.soup_product).send().await.assert(204);
    assert!(gifts().await.as_array().is_none_or(Vec::is_empty));
}

/// Two gifts are left, and eight orders come at once: two have one, the others go on without.
#[testkit::test]
async fn the_last_gifts_go_to_as_many_orders() {
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    let left =
        json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 1800, "sellable_quantity": 2}]});
    admin.put(&menu.soup_product).json(left).send().await.assert(200);
    let gift = json!({"ranges": [{"discount_value": 0, "gifts": [{"subproduct_id": menu.soup}]}]});
    let id = promotion(&admin, gift).await;
    let pizzas = with(pickup(&menu), "items", json!([{"subproduct_id": menu.pizza, "quantity": 1}]));
    let second = kit().await.second_instance().await;
    let there = admin.at(&second);
    let clients = [&admin, &there].into_iter().cycle().take(8);
    let made = join_all(clients.map(|client| persistent(client, pizzas.clone()))).await;
    let gifts = |order: Answer| order.assert(201).json()["items"].as_array().unwrap().len() - 1;
    assert_eq!(made.into_iter().map(gifts).sum::<usize>(), 2);
    let sizes = admin.get(&menu.soup_product).send().await.assert(200).json();
    assert_eq!(amount(&sizes["subproducts"][0]["sellable_quantity"]), 0);
    assert_eq!(uses(&admin, &id).await, 2);
}

/// Somebody with these rights and this PIN, who may take off so many percent.
pub async fn with_pin<'k>(place: &Place<'k>, keys: &[&str], pin: &str, most: Value) -> Client<'k> {
    let client = place.with_keys(keys).await;
    let me = client.get("/api/v3/admin/me").send().await.assert(200).json();
    let owner = place.partner_admin().await;
    let list = owner.get(&format!("/admins?name={}", me["email"].as_str().unwrap())).send().await.assert(200);
    let row = list.json().as_array().unwrap().iter().find(|row| row["email"] == me["email"]).unwrap().clone();
    let change = json!({"pin": pin, "has_pin": true, "max_discount_percent": most});
    owner.put(&format!("/admins/{}", row["id"].as_str().unwrap())).json(change).send().await.assert(200);
    client
}

#[testkit::test]
async fn staff_take_something_off_with_a_pin_that_may() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let keys = ["admin_login", "pos_cart_discount"];
    with_pin(&place, &keys, "470021", json!(20)).await;
    with_pin(&place, &["admin_login", "order"], "470022", Value::Null).await;
    let at_till = with(pickup(&menu), "platform", json!("take_away"));
    let discounted = |discount: Value| with(at_till.clone(), "staff_discount", discount);
    let place_it = async |body: Value, pin: Option<&str>| {
        let call = admin.post("/public/orders").key(&Uuid::now_v7().to_string());
        let call = match pin {
            Some(pin) => call.header("x-pin", pin),
            None => call,
        };
        call.json(body).send().await
    };
    let tenth = || discounted(json!({"percent": 10}));
    place_it(tenth(), None).await.assert_problem(403, "PIN_REQUIRED");
    place_it(tenth(), Some("470022")).await.assert_problem(403, "PIN_INVALID");
    let made = place_it(tenth(), Some("470021")).await.assert(201).json();
    assert_eq!((amount(&made["staff_discount"]), amount(&made["total_price"])), (590, 5310));
    assert_ne!(made["approved_by"], Value::Null);
    assert_eq!(steps(&made).last(), Some(&("staff_discount".to_owned(), -590)));
    let fixed = place_it(discounted(json!({"amount": 1180})), Some("470021")).await.assert(201).json();
    assert_eq!(amount(&fixed["total_price"]), 4720);
    for above in [json!({"percent": 20.5}), json!({"amount": 1181})] {
        let refused = place_it(discounted(above), Some("470021")).await;
        let refused = refused.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
        assert_eq!(refused["reasons"][0]["reason"], "staff_discount_above_limit");
    }
    for wrong in [json!({}), json!({"percent": 1, "amount": 1}), json!({"amount": 0.5})] {
        place_it(discounted(wrong), Some("470021")).await.assert_keys(&["staff_discount"]);
    }
    for (wrong, at) in
        [(json!({"percent": -1}), "staff_discount.percent"), (json!({"amount": -1}), "staff_discount.amount")]
    {
        place_it(discounted(wrong), Some("470021")).await.assert_keys(&[at]);
    }
    // The quote prices it without a PIN; nobody else takes anything off.
    assert_eq!(amount(&quoted(&admin, &tenth()).await["total_price"]), 5310);
    order(&key, with(pickup(&menu), "staff_discount", json!({"percent": 10})))
        .await
        .assert_keys(&["staff_discount"]);
}
