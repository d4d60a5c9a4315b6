//! Taking money for orders and giving it back.

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use testkit::{Answer, Client, Place, kit};
use uuid::Uuid;

use super::{Menu, amount, order, pickup, prepared, promotions::with_pin, takes, text, with};

const ALL: [&str; 6] = ["card", "szep_kartya", "voucher", "balance", "points", "transfer"];

/// A restaurant that takes everything, with an order of 5,900 Ft: two soups and a pizza with cheese.
pub struct Till<'k> {
    pub place: Place<'k>,
    pub admin: Client<'k>,
    pub menu: Menu,
    pub key: Client<'k>,
    pub id: String,
}

impl Till<'static> {
    pub async fn open() -> Self {
        let place = kit().await.restaurant().await;
        let (admin, menu, key) = prepared(&place).await;
        takes(&admin, &ALL).await;
        let id = text(&order(&key, pickup(&menu)).await.assert(201).json()["id"]);
        Self { place, admin, menu, key, id }
    }

    /// Another order of the same.
    pub async fn another(&self, body: Value) -> String {
        text(&order(&self.key, body).await.assert(201).json()["id"])
    }

    pub async fn read(&self) -> Value {
        self.admin.get(&format!("/orders/{}", self.id)).send().await.assert(200).json()
    }

    /// Paid, due, and the ledger's rows as (value, rounding, tip).
    pub async fn sums(&self) -> (i64, i64, Vec<(i64, i64, i64)>) {
        let order = self.read().await;
        let rows = order["payable_transactions"].as_array().unwrap().iter();
        let rows = rows.filter(|row| row["status"] == "succeeded");
        let rows =
            rows.map(|row| (amount(&row["value"]), amount(&row["rounding"]), amount(&row["tip"]))).collect();
        (amount(&order["paid"]), amount(&order["due"]), rows)
    }

    pub async fn pay(&self, body: Value) -> Answer {
        self.admin.post(&format!("/orders/{}/payments", self.id)).json(body).send().await
    }

    pub async fn cash(&self, sum: i64) -> Value {
        self.pay(json!({"payment_method": "cash", "amount": sum})).await.assert(201).json()
    }

    pub async fn refund(&self, payment: &Value, body: Value) -> Answer {
        self.admin.post(&format!("/payments/{}/refunds", text(&payment["id"]))).json(body).send().await
    }

    pub async fn accept(&self) -> Value {
        self.admin.put(&format!("/orders/{}/accept", self.id)).json(json!({})).send().await.assert(200).json()
    }

    pub async fn archive(&self) -> Value {
        let path = format!("/orders/{}/archive", self.id);
        self.admin.put(&path).json(json!({"reason": "guest_request"})).send().await.assert(200).json()
    }

    pub async fn history(&self) -> Vec<String> {
        self.read().await["history"].as_array().unwrap().iter().map(|step| text(&step["status"])).collect()
    }
}

#[testkit::test]
async fn an_order_is_paid_in_parts_and_closed_when_nothing_is_left() {
    let till = Till::open().await;
    assert_eq!(till.sums().await, (0, 5900, vec![]));
    let first = till.cash(1233).await;
    assert_eq!(
        (amount(&first["amount"]), amount(&first["rounding"]), amount(&first["due"])),
        (1233, 2, 4667)
    );
    assert_eq!((&first["state"], &first["kind"]), (&json!("captured"), &json!("by_hand")));
    // A card with a tip, evenly with another, and the rest in cash.
    let half = till.pay(json!({"payment_method": "card", "parts": 2, "tip": 300})).await.assert(201).json();
    assert_eq!((amount(&half["amount"]), amount(&half["tip"])), (2334, 300));
    till.accept().await;
    assert_eq!(till.read().await["closed_at"], Value::Null);
    till.pay(json!({"payment_method": "cash", "handed_over": 5000})).await.assert(201);
    let order = till.read().await;
    let last = &order["payable_transactions"][2];
    assert_eq!(
        (amount(&last["value"]), amount(&last["rounding"]), amount(&last["change_given"])),
        (2333, 2, 2665)
    );
    assert_eq!((&order["due"], &order["paid"]), (&json!(0), &json!(5900)));
    assert_ne!(order["closed_at"], Value::Null);
    assert_eq!(last["business_day"], order["payable_transactions"][0]["business_day"]);
    let steps = till.history().await;
    assert_eq!(steps, ["succeeded", "paid", "paid", "processed", "paid", "closed"]);
    let refused = till.pay(json!({"payment_method": "cash"})).await.assert_problem(409, "PAYMENT_ABOVE_DUE");
    assert_eq!(refused.json()["due"], json!(0));
    // Accepting is taken back; what is closed stays closed.
    let back = format!("/orders/{}/take-back", till.id);
    let back = till.admin.put(&back).json(json!({})).send().await.assert(200).json();
    assert_eq!(back["closed_at"], order["closed_at"]);
    let payments =
        till.admin.get(&format!("/payments?order_id={}&count=true", till.id)).send().await.assert(200);
    assert_eq!(payments.header("x-total-count").unwrap(), "3");
}

#[testkit::test]
async fn two_tills_take_the_same_money_once() {
    let till = Till::open().await;
    let second = till.place.kit.second_instance().await;
    let path = format!("/orders/{}/payments", till.id);
    let other = till.admin.at(&second);
    let body = json!({"payment_method": "cash"});
    let (one, two) =
        join(till.admin.post(&path).json(body.clone()).send(), other.post(&path).json(body).send()).await;
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    assert_eq!(till.sums().await.1, 0);
    // The same call again under its key is one payment.
    let id = till.another(pickup(&till.menu)).await;
    let again = format!("/orders/{id}/payments");
    let key = Uuid::now_v7().to_string();
    let send =
        || till.admin.post(&again).key(&key).json(json!({"payment_method": "cash", "amount": 1000})).send();
    let answers = join_all([send(), send(), send()]).await;
    let ids: Vec<String> = answers.into_iter().map(|answer| text(&answer.assert(201).json()["id"])).collect();
    assert!(ids.iter().all(|one| *one == ids[0]), "{ids:?}");
    // Ten times a tenth and more: never above what is due.
    let tenths = (0..14)
        .map(|_| till.admin.post(&again).json(json!({"payment_method": "card", "amount": 490})).send());
    let taken = join_all(tenths).await.into_iter().filter(|answer| answer.status == 201).count();
    assert_eq!(taken, 10, "4,900 Ft were left");
}

#[testkit::test]
async fn lines_are_paid_by_pieces_and_euros_give_forints_back() {
    let till = Till::open().await;
    let order = till.read().await;
    let (soups, pizza) = (&order["items"][0]["id"], &order["items"][1]["id"]);
    let of = |item: &Value, pieces: i32| json!({"order_item_id": item, "quantity": pieces});
    let items = |items: Value| json!({"payment_method": "card", "items": items});
    till.pay(items(json!([of(soups, 3)]))).await.assert_keys(&["items.0.quantity"]);
    till.pay(items(json!([of(soups, 1), of(soups, 1)]))).await.assert_keys(&["items.1.order_item_id"]);
    till.pay(items(json!([of(&json!(Uuid::now_v7()), 1)]))).await.assert_keys(&["items.0.order_item_id"]);
    till.pay(json!({"payment_method": "card", "items": [of(soups, 1)], "amount": 5}))
        .await
        .assert_keys(&["amount"]);
    let one = till.pay(items(json!([of(soups, 1)]))).await.assert(201).json();
    assert_eq!(amount(&one["amount"]), 1800);
    till.pay(items(json!([of(soups, 2)]))).await.assert_keys(&["items.0.quantity"]);
    till.pay(json!({"payment_method": "cash", "currency": "eur"})).await.assert_keys(&["handed_over"]);
    till.pay(json!({"payment_method": "cash", "currency": "usd", "handed_over": 5}))
        .await
        .assert_keys(&["currency"]);
    till.pay(json!({"payment_method": "card", "currency": "eur"})).await.assert_keys(&["currency"]);
    till.pay(json!({"payment_method": "cash", "handed_over": 4101})).await.assert_keys(&["handed_over"]);
    till.pay(json!({"payment_method": "cash", "handed_over": 4095})).await.assert_keys(&["handed_over"]);
    // 4,100 Ft are due; the euro is 350 Ft: 5 € are 1,750, and 10 € leave 1,150 of change.
    let part = till
        .pay(json!({"payment_method": "cash", "currency": "eur", "handed_over": 5}))
        .await
        .assert(201)
        .json();
    assert_eq!((amount(&part["amount"]), &part["rate"]), (1750, &json!(350)));
    let rest = till
        .pay(json!({"payment_method": "cash", "currency": "eur", "handed_over": "10"}))
        .await
        .assert(201)
        .json();
    assert_eq!(
        (amount(&rest["amount"]), amount(&rest["change_given"]), amount(&rest["due"])),
        (2350, 1150, 0)
    );
    let refund = till.refund(&rest, json!({})).await.assert(201).json();
    assert_eq!(amount(&refund["amount"]), 2350);
    let back = &till.read().await["payable_transactions"][3];
    assert_eq!((&back["currency"], amount(&back["handed_over"])), (&json!("huf"), -2350));
    // The piece is free again once its payment is back.
    till.refund(&one, json!({})).await.assert(201);
    till.pay(items(json!([of(soups, 2), of(pizza, 1)]))).await.assert(201);
}

#[testkit::test]
async fn cards_wait_for_their_terminal_and_szep_cards_need_a_number() {
    let till = Till::open().await;
    let waits = json!({"payment_method": "card", "confirmed": false});
    till.pay(with(waits.clone(), "payment_method", json!("cash"))).await.assert_keys(&["confirmed"]);
    let card = till.pay(waits.clone()).await.assert(201).json();
    assert_eq!((&card["state"], amount(&card["due"])), (&json!("pending"), 5900));
    let refused = till.pay(json!({"payment_method": "cash", "amount": 5})).await;
    assert_eq!(refused.assert_problem(409, "PAYMENT_ABOVE_DUE").json()["waiting"], json!(5900));
    let path = |what: &str| format!("/payments/{}/{what}", text(&card["id"]));
    let post = |what: &str, body: Value| till.admin.post(&path(what)).json(body).send();
    post("confirm", json!({"paid": false})).await.assert_keys(&["reason"]);
    let failed = post("confirm", json!({"paid": false, "reason": "elutasítva"})).await.assert(200).json();
    assert_eq!(failed["state"], "failed");
    post("cancel", json!({})).await.assert_problem(409, "PAYMENT_STATE_CHANGED");
    let szep = json!({"payment_method": "szep_kartya", "amount": 900});
    till.pay(szep.clone()).await.assert_keys(&["authorisation_number", "issuer"]);
    let number = with(with(szep.clone(), "authorisation_number", json!("A-77")), "issuer", json!("otp"));
    till.pay(number).await.assert(201);
    let later = till.pay(with(szep, "confirmed", json!(false))).await.assert(201).json();
    let confirm = format!("/payments/{}/confirm", text(&later["id"]));
    let paid = |body: Value| till.admin.post(&confirm).json(body).send();
    paid(json!({"paid": true})).await.assert_keys(&["authorisation_number"]);
    let both = json!({"paid": true, "authorisation_number": "B-1", "issuer": "mbh"});
    assert_eq!(paid(both).await.assert(200).json()["state"], "captured");
    let waiting = till.pay(waits).await.assert(201).json();
    let open = till.admin.get("/payments?state=pending").send().await.assert(200).json();
    assert_eq!(open[0]["id"], waiting["id"]);
    // Cancelled while the terminal was at work: the money comes all the same, and is to go back.
    till.archive().await;
    let late = format!("/payments/{}/confirm", text(&waiting["id"]));
    let late = till.admin.post(&late).json(json!({"paid": true})).send().await.assert(200).json();
    assert_eq!((&late["late"], amount(&late["refunds"][0]["amount"])), (&json!(true), 4100));
    let asked = till.admin.get("/refunds?state=created").send().await.assert(200).json();
    assert_eq!(asked.as_array().unwrap().len(), 3, "two SZÉP payments and the card");
}

#[testkit::test]
async fn what_nobody_pays_is_refused() {
    let till = Till::open().await;
    let cash = |field: &str, value: Value| with(json!({"payment_method": "cash"}), field, value);
    for (body, keys) in [
        (json!({}), vec!["payment_method"]),
        (json!({"payment_method": "gold"}), vec!["payment_method"]),
        (json!({"payment_method": "split"}), vec!["payment_method"]),
        (json!({"payment_method": "card_online"}), vec!["payment_method"]),
        (json!({"payment_method": "room_loan"}), vec!["payment_method"]),
        (json!({"payment_method": "balance"}), vec!["payment_method"]),
        (cash("amount", json!(0)), vec!["amount"]),
        (cash("amount", json!(-5)), vec!["amount"]),
        (cash("amount", json!(0.5)), vec!["amount"]),
        (cash("tip", json!(-1)), vec!["tip"]),
        (cash("tip", json!(0.5)), vec!["tip"]),
        (cash("parts", json!(0)), vec!["parts"]),
        (cash("items", json!([])), vec!["items"]),
        (cash("courier_id", json!(Uuid::now_v7())), vec!["courier_id"]),
        (cash("handed_over", json!(-10)), vec!["handed_over"]),
        (cash("payment_info", json!("x".repeat(201))), vec!["payment_info"]),
    ] {
        // An order without a customer's voucher has one by its phone, and his balance is taken with staff's word.
        if body["payment_method"] == "balance" {
            continue;
        }
        till.pay(body.clone()).await.assert_keys(&keys);
    }
    till.pay(cash("amount", json!(5901))).await.assert_problem(409, "PAYMENT_ABOVE_DUE");
    let stranger = Till::open().await;
    let courier = json!({"first_name": "Béla", "last_name": "Futó"});
    let courier = stranger.admin.post("/couriers").json(courier).send().await.assert(201).json();
    till.pay(cash("courier_id", courier["id"].clone())).await.assert_keys(&["courier_id"]);
    let path = format!("/orders/{}/payments", till.id);
    let body = json!({"payment_method": "cash"});
    stranger.admin.post(&path).json(body.clone()).send().await.assert_problem(404, "ORDER_NOT_EXIST");
    let paid = till.cash(1000).await;
    let id = text(&paid["id"]);
    stranger.refund(&paid, json!({})).await.assert_problem(404, "PAYMENT_NOT_EXIST");
    stranger.admin.get(&format!("/payments/{id}")).send().await.assert_problem(404, "PAYMENT_NOT_EXIST");
    let reader = till.place.with_keys(&["all_order"]).await;
    reader.post(&path).json(body.clone()).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    reader.get(&format!("/payments/{id}")).send().await.assert(200);
    till.archive().await;
    till.pay(body).await.assert_problem(409, "ORDER_STATE_CHANGED");
}

#[testkit::test]
async fn refunds_are_at_most_what_was_paid_and_go_the_way_it_came() {
    let till = Till::open().await;
    let cash =
        till.pay(json!({"payment_method": "cash", "amount": 1233, "tip": 100})).await.assert(201).json();
    // 1,233 and 100 of tip are 1,335 in coins.
    assert_eq!(amount(&cash["rounding"]), 2);
    till.refund(&cash, json!({"amount": 1234})).await.assert_problem(409, "REFUND_ABOVE_PAID");
    till.refund(&cash, json!({"tip": 101})).await.assert_problem(409, "REFUND_ABOVE_PAID");
    till.refund(&cash, json!({"amount": -1})).await.assert_keys(&["amount"]);
    till.refund(&cash, json!({"amount": 0})).await.assert_problem(409, "REFUND_ABOVE_PAID");
    let asked = till
        .refund(&cash, json!({"amount": 400, "done": false, "reason": "hideg volt"}))
        .await
        .assert(201)
        .json();
    assert_eq!((&asked["state"], amount(&till.read().await["paid"])), (&json!("created"), 1233));
    till.refund(&cash, json!({"amount": 834})).await.assert_problem(409, "REFUND_ABOVE_PAID");
    let confirm = format!("/refunds/{}/confirm", text(&asked["id"]));
    let say = |body: Value| till.admin.post(&confirm).json(body).send();
    say(json!({"done": false})).await.assert_keys(&["reason"]);
    assert_eq!(say(json!({"done": true})).await.assert(200).json()["state"], "succeeded");
    say(json!({"done": true})).await.assert_problem(409, "REFUND_STATE_CHANGED");
    till.refund(&cash, json!({"amount": 433})).await.assert(201);
    till.refund(&cash, json!({})).await.assert(201);
    till.refund(&cash, json!({"tip": 100})).await.assert(201);
    let order = till.read().await;
    let out: i64 = order["payable_transactions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| amount(&row["value"]) + amount(&row["rounding"]) + amount(&row["tip"]))
        .sum();
    assert_eq!((out, amount(&order["paid"])), (0, 0), "in all exactly what came in");
    let payment = till.admin.get(&format!("/payments/{}", text(&cash["id"]))).send().await.assert(200).json();
    assert_eq!((&payment["state"], payment["refunds"].as_array().unwrap().len()), (&json!("refunded"), 4));
    // A waiter needs the PIN of whoever may.
    let waiter =
        with_pin(&till.place, &["admin_login", "fresh_order", "order_accept"], "470031", Value::Null).await;
    with_pin(&till.place, &["admin_login", "pos_storno"], "470032", Value::Null).await;
    let card = till.pay(json!({"payment_method": "card", "amount": 500})).await.assert(201).json();
    let path = format!("/payments/{}/refunds", text(&card["id"]));
    let body = json!({"amount": 200});
    waiter.post(&path).json(body.clone()).send().await.assert_problem(403, "PIN_REQUIRED");
    waiter
        .post(&path)
        .header("x-pin", "470031")
        .json(body.clone())
        .send()
        .await
        .assert_problem(403, "PIN_INVALID");
    let done = waiter.post(&path).header("x-pin", "470032").json(body).send().await.assert(201).json();
    assert_ne!(done["approved_by_name"], Value::Null);
    // Two at once that are too much together: one is done.
    let both =
        join(till.refund(&card, json!({"amount": 200})), till.refund(&card, json!({"amount": 200}))).await;
    let mut statuses = [both.0.status, both.1.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
}

#[testkit::test]
async fn a_storno_asks_for_what_was_paid_and_gives_points_and_balance_back_at_once() {
    let till = Till::open().await;
    let id = till.another(with(pickup(&till.menu), "phone_1", json!("+36 30 555 7402"))).await;
    let till = Till { id, ..till };
    let customer = text(&till.read().await["customer_id"]);
    let boss = with_pin(&till.place, &["admin_login", "customer"], "470033", Value::Null).await;
    let of = async |what: &str, body: Option<Value>| {
        let path = format!("/shadow-customers/{customer}/{what}");
        let call = if body.is_some() { boss.post(&path) } else { boss.get(&path) };
        let call = call.header("x-pin", "470033");
        match body {
            Some(body) => call.json(body).send().await.assert(201).json(),
            None => call.send().await.assert(200).json(),
        }
    };
    till.pay(json!({"payment_method": "points", "amount": 500}))
        .await
        .assert_problem(409, "POINTS_NOT_ENOUGH");
    of("points", Some(json!({"value": 700, "comment": "ajándék"}))).await;
    till.pay(json!({"payment_method": "points", "amount": 500})).await.assert(201);
    till.pay(json!({"payment_method": "points", "tip": 1})).await.assert_keys(&["tip"]);
    till.pay(json!({"payment_method": "balance", "amount": 400})).await.assert(201);
    let sum = async |what: &str| amount(&of(&format!("{what}/sum"), None).await["sum"]);
    assert_eq!((sum("points").await, sum("balance").await), (200, -400), "staff may lend a balance");
    till.cash(1000).await;
    till.pay(json!({"payment_method": "card"})).await.assert(201);
    till.accept().await;
    let order = till.archive().await;
    assert_eq!((&order["due"], order["refunds"].as_array().unwrap().len()), (&json!(-5000), 4));
    assert_eq!((sum("points").await, sum("balance").await), (700, 0));
    let asked = till.admin.get("/refunds?state=created").send().await.assert(200).json();
    let keys: Vec<&str> =
        asked.as_array().unwrap().iter().map(|row| row["payment_key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["cash", "card"], "the newest asked last");
    for refund in asked.as_array().unwrap() {
        let confirm = format!("/refunds/{}/confirm", text(&refund["id"]));
        till.admin.post(&confirm).json(json!({"done": true})).send().await.assert(200);
    }
    assert_eq!((till.sums().await.0, till.sums().await.1), (0, 0));
}

#[testkit::test]
async fn an_order_earns_points_when_it_is_closed() {
    let till = Till::open().await;
    let ratio = format!("update {}.restaurant set point_cash_ratio = 10 where id = $1", till.place.schema);
    till.place.kit.run(&ratio, vec![till.place.restaurant.into()]).await;
    let boss = with_pin(&till.place, &["admin_login", "customer"], "470034", Value::Null).await;
    // Nobody else's in the tests of this partner.
    let phone = with(pickup(&till.menu), "phone_1", json!("+36 30 555 7401"));
    let customer = text(&order(&till.key, phone.clone()).await.assert(201).json()["customer_id"]);
    let id =
        text(&order(&till.key, with(phone, "customer_id", json!(customer))).await.assert(201).json()["id"]);
    let till = Till { id, ..till };
    let points = async || {
        let path = format!("/shadow-customers/{customer}/points/sum");
        amount(&boss.get(&path).header("x-pin", "470034").send().await.assert(200).json()["sum"])
    };
    till.pay(json!({"payment_method": "card"})).await.assert(201);
    assert_eq!(points().await, 0);
    till.accept().await;
    assert_eq!(points().await, 590);
    let order = till.read().await;
    let soup = &order["items"][0]["id"];
    let storno = json!({"items": [{"order_item_id": soup, "quantity": 1}], "reason": "out_of_stock"});
    let path = format!("/orders/{}/stornos", till.id);
    till.admin.post(&path).json(storno).send().await.assert(201);
    assert_eq!(points().await, 410, "10 % of 4,100 Ft");
    // Goods that points pay earn none, also when that is said later.
    let order = till.read().await;
    for refund in order["refunds"].as_array().unwrap() {
        let confirm = format!("/refunds/{}/confirm", text(&refund["id"]));
        till.admin.post(&confirm).json(json!({"done": true})).send().await.assert(200);
    }
    let card = json!({"id": order["payable_transactions"][0]["attempt_id"]});
    till.refund(&card, json!({"amount": 200})).await.assert(201);
    let paid = till.pay(json!({"payment_method": "points", "amount": 200})).await.assert(201).json();
    assert_eq!(points().await, 410 - 200 - 20, "10 % of 3,900 Ft, and 200 are spent");
    till.refund(&paid, json!({})).await.assert(201);
    assert_eq!(points().await, 410);
    till.archive().await;
    assert_eq!(points().await, 0);
}
