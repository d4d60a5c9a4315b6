//! Drawers: what should be there, what was counted, what nobody has booked.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{amount, order, payments::Till, pickup, text, with};

impl Till<'static> {
    async fn drawer(&self, courier: Option<&str>) -> Value {
        let query = courier.map(|id| format!("?courier_id={id}")).unwrap_or_default();
        self.admin.get(&format!("/drawer{query}")).send().await.assert(200).json()
    }

    async fn close(&self, body: Value) -> testkit::Answer {
        self.admin.post("/drawer/closes").json(body).send().await
    }

    async fn moved(&self, body: Value) -> testkit::Answer {
        self.admin.post("/drawer/movements").json(body).send().await
    }

    /// Runs the jobs of this restaurant's day as if it had ended.
    async fn day_ends(&self) {
        let past = format!(
            "update {}.orders set expected_at = expected_at - interval '2 days', created_at = created_at - interval \
             '2 days' where restaurant_id = $1",
            self.place.schema
        );
        self.place.kit.run(&past, vec![self.place.restaurant.into()]).await;
        let due = "update control.job set run_at = now() where kind = 'orders_assume' and key = $1 and state = \
            'waiting'";
        self.place.kit.run(due, vec![self.place.restaurant.to_string().into()]).await;
        self.place.kit.run_jobs().await;
    }
}

/// A line as (left before, taken, given back, moved, expected), without change.
fn line(drawer: &Value, key: &str, currency: &str) -> Option<[i64; 5]> {
    let [left_before, taken, given_back, change, moved, expected] = whole_line(drawer, key, currency)?;
    assert_eq!(change, 0, "no change was given");
    Some([left_before, taken, given_back, moved, expected])
}

/// A line as (left before, taken, given back, change given, moved, expected).
fn whole_line(drawer: &Value, key: &str, currency: &str) -> Option<[i64; 6]> {
    let lines = drawer["lines"].as_array().unwrap();
    let line = lines.iter().find(|line| line["payment_key"] == key && line["currency"] == currency)?;
    let names = ["left_before", "taken", "given_back", "change_given", "moved", "expected"];
    Some(names.map(|name| amount(&line[name])))
}

fn cash(counted: i64) -> Value {
    json!({"payment_key": "cash", "currency": "huf", "counted": counted})
}

#[testkit::test]
async fn a_drawer_has_what_came_in_and_a_close_counts_each_row_once() {
    let till = Till::open().await;
    assert_eq!(till.drawer(None).await["lines"], json!([]));
    till.moved(json!({"kind": "in", "value": 20000, "reason": "váltópénz"})).await.assert(201);
    let paid = till.cash(1233).await;
    till.pay(json!({"payment_method": "card", "amount": 1000, "tip": 100})).await.assert(201);
    till.pay(json!({"payment_method": "cash", "currency": "eur", "handed_over": 20})).await.assert(201);
    till.refund(&paid, json!({"amount": 500})).await.assert(201);
    till.moved(json!({"kind": "out", "value": 3000, "reason": "zöldséges"})).await.assert(201);
    let drawer = till.drawer(None).await;
    // 20 € are 7,000 Ft; 3,667 Ft were due, so 3,335 Ft of change.
    assert_eq!(whole_line(&drawer, "cash", "huf"), Some([0, 1235, -500, -3335, 17000, 14400]));
    assert_eq!(line(&drawer, "cash", "eur"), Some([0, 20, 0, 0, 20]));
    assert_eq!(line(&drawer, "card", "huf"), Some([0, 1100, 0, 0, 1100]));
    assert_eq!(drawer["persons"].as_array().unwrap().len(), 3, "one person, three sums");
    assert_eq!(drawer["movements"].as_array().unwrap().len(), 2);
    for (body, keys) in [
        (json!({"lines": [cash(1), cash(2)]}), vec!["lines.1.payment_key"]),
        (json!({"lines": [with(cash(1), "counted", json!(-1))]}), vec!["lines.0.counted"]),
        (json!({"lines": [with(cash(1), "counted", json!(0.5))]}), vec!["lines.0.counted"]),
        (json!({"lines": [with(cash(1), "left_over", json!(2))]}), vec!["lines.0.left_over"]),
        (json!({"lines": [], "courier_id": Uuid::now_v7()}), vec!["courier_id"]),
    ] {
        till.close(body).await.assert_keys(&keys);
    }
    let stale = with(cash(14400), "expected", json!(14000));
    till.close(json!({"lines": [stale]})).await.assert_problem(409, "CONFLICT");
    let counted = with(with(cash(14395), "expected", json!(14400)), "left_over", json!(5000));
    let closed =
        till.close(json!({"lines": [counted], "note": "öt forint hiányzik"})).await.assert(201).json();
    let first = &closed["lines"][1];
    assert_eq!(first["currency"], "huf");
    assert_eq!((amount(&first["difference"]), amount(&first["left_over"])), (-5, 5000));
    assert_eq!(whole_line(&closed, "cash", "huf"), Some([0, 1235, -500, -3335, 17000, 14400]));
    // The next begins with what was left; what is entered later is in it.
    assert_eq!(line(&till.drawer(None).await, "cash", "huf"), Some([5000, 0, 0, 0, 5000]));
    assert_eq!(line(&till.drawer(None).await, "cash", "eur"), Some([20, 0, 0, 0, 20]));
    till.refund(&paid, json!({"amount": 300})).await.assert(201);
    assert_eq!(line(&till.drawer(None).await, "cash", "huf"), Some([5000, 0, -300, 0, 4700]));
    let id = text(&closed["id"]);
    let read = till.admin.get(&format!("/drawer/closes/{id}")).send().await.assert(200).json();
    assert_eq!((&read["lines"], read["persons"].as_array().unwrap().len()), (&closed["lines"], 3));
    let list = till.admin.get("/drawer/closes?count=true").send().await.assert(200);
    assert_eq!(list.header("x-total-count").unwrap(), "1");
    let stranger = Till::open().await;
    let foreign = stranger.admin.get(&format!("/drawer/closes/{id}")).send().await;
    foreign.assert_problem(404, "DRAWER_CLOSE_NOT_EXIST");
    let reader = till.place.with_keys(&["all_order"]).await;
    reader.get("/drawer").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn two_closes_at_once_count_each_row_once() {
    let till = Till::open().await;
    till.cash(1000).await;
    let second = till.place.kit.second_instance().await;
    let other = till.admin.at(&second);
    let body = json!({"lines": [cash(1000)]});
    let (one, two) =
        futures_util::future::join(till.close(body.clone()), other.post("/drawer/closes").json(body).send())
            .await;
    let taken = [one, two].map(|answer| amount(&answer.assert(201).json()["lines"][0]["taken"]));
    assert_eq!(taken.iter().sum::<i64>(), 1000, "{taken:?}");
}

#[testkit::test]
async fn couriers_hold_what_they_took_until_they_hand_it_in() {
    let till = Till::open().await;
    let courier =
        till.admin.post("/couriers").json(json!({"first_name": "Béla", "last_name": "Futó"})).send().await;
    let courier = text(&courier.assert(201).json()["id"]);
    till.pay(json!({"payment_method": "cash", "amount": 2000, "courier_id": courier})).await.assert(201);
    let drawer = till.drawer(None).await;
    assert_eq!(line(&drawer, "cash", "huf"), None);
    assert_eq!(
        (&drawer["couriers"][0]["name"], amount(&drawer["couriers"][0]["holds"])),
        (&json!("Futó Béla"), 2000)
    );
    till.moved(json!({"kind": "hand_in", "value": 5, "reason": "x"})).await.assert_keys(&["courier_id"]);
    till.moved(json!({"kind": "in", "value": 0, "reason": "x"})).await.assert_keys(&["value"]);
    till.moved(json!({"kind": "in", "value": 5, "reason": " "})).await.assert_keys(&["reason"]);
    till.moved(json!({"kind": "hand_in", "value": 1500, "reason": "leadta", "courier_id": courier}))
        .await
        .assert(201);
    // More than he still holds: refused with what it is, for another hand and on another till too.
    let more = json!({"kind": "hand_in", "value": 505, "reason": "leadta", "courier_id": courier});
    let refused = till.moved(more.clone()).await.assert_problem(422, "COURIER_HOLDS_LESS").json();
    assert_eq!((&refused["keys"], amount(&refused["holds"])), (&json!(["value"]), 500));
    let euros = with(more, "currency", json!("eur"));
    let refused = till.moved(euros).await.assert_problem(422, "COURIER_HOLDS_LESS").json();
    assert_eq!(amount(&refused["holds"]), 0);
    assert_eq!(line(&till.drawer(None).await, "cash", "huf"), Some([0, 0, 0, 1500, 1500]));
    assert_eq!(line(&till.drawer(Some(&courier)).await, "cash", "huf"), Some([0, 2000, 0, -1500, 500]));
    till.close(json!({"lines": [cash(1500)]})).await.assert(201);
    assert_eq!(
        amount(&till.drawer(None).await["couriers"][0]["holds"]),
        500,
        "the courier's is another drawer"
    );
    let settled = json!({"courier_id": courier, "lines": [with(cash(500), "left_over", json!(0))]});
    let settled = till.close(settled).await.assert(201).json();
    assert_eq!(
        (amount(&settled["lines"][0]["difference"]), &settled["courier_name"]),
        (0, &json!("Futó Béla"))
    );
}

#[testkit::test]
async fn what_was_paid_at_the_desk_is_not_handed_in_by_the_courier_too() {
    let till = Till::open().await;
    let courier =
        till.admin.post("/couriers").json(json!({"first_name": "Béla", "last_name": "Futó"})).send().await;
    let courier = text(&courier.assert(201).json()["id"]);
    till.accept().await;
    let hand_in =
        |value: i64| json!({"kind": "hand_in", "value": value, "reason": "leadta", "courier_id": courier});
    // Nobody has booked what he is to be paid; he may hand it in.
    let his = format!("update {}.orders set courier_id = $2 where restaurant_id = $1", till.place.schema);
    let courier_id: Uuid = courier.parse().unwrap();
    till.place.kit.run(&his, vec![till.place.restaurant.into(), courier_id.into()]).await;
    let refused = till.moved(hand_in(5905)).await.assert_problem(422, "COURIER_HOLDS_LESS").json();
    assert_eq!(amount(&refused["holds"]), 5900);
    till.moved(hand_in(900)).await.assert(201);
    let refused = till.moved(hand_in(5005)).await.assert_problem(422, "COURIER_HOLDS_LESS").json();
    assert_eq!(amount(&refused["holds"]), 5000);
    // The guest pays at the desk: it lies in the restaurant's drawer.
    till.pay(json!({"payment_method": "cash"})).await.assert(201);
    let refused = till.moved(hand_in(5000)).await.assert_problem(422, "COURIER_HOLDS_LESS").json();
    assert_eq!(amount(&refused["holds"]), -900);
    assert_eq!(line(&till.drawer(None).await, "cash", "huf"), Some([0, 5900, 0, 900, 6800]));
    // Somebody has looked at it.
    till.moved(with(hand_in(5000), "confirmed", json!(true))).await.assert(201);
    let log = till.admin.get("/audit?action=drawer_movements_create").send().await.assert(200).json();
    assert_eq!(
        (&log[0]["details"]["above_held"], &log[1]["details"]["above_held"]),
        (&json!([null, true]), &Value::Null)
    );
    assert_eq!(line(&till.drawer(Some(&courier)).await, "cash", "huf"), Some([0, 0, 0, -5900, -5900]));
}

#[testkit::test]
async fn closing_books_what_nobody_has_booked_and_it_can_be_corrected() {
    let till = Till::open().await;
    let card = with(pickup(&till.menu), "payment_method", json!("card"));
    let card = text(&order(&till.key, card).await.assert(201).json()["id"]);
    let waits = till.another(pickup(&till.menu)).await;
    for id in [&till.id, &card] {
        let path = format!("/orders/{id}/accept");
        till.admin.put(&path).json(json!({"delivery_time_minute": 1})).send().await.assert(200);
    }
    assert_eq!(till.drawer(None).await["unpaid"], json!([]), "their time has not passed");
    let past = format!(
        "update {}.orders set expected_at = now() - interval '5 minutes' where restaurant_id = $1",
        till.place.schema
    );
    till.place.kit.run(&past, vec![till.place.restaurant.into()]).await;
    let drawer = till.drawer(None).await;
    assert_eq!(drawer["unpaid"].as_array().unwrap().len(), 2);
    let closed = till.close(json!({"lines": []})).await.assert(201).json();
    let id = text(&closed["id"]);
    let read = till.admin.get(&format!("/drawer/closes/{id}")).send().await.assert(200).json();
    assert_eq!(read["assumed"].as_array().unwrap().len(), 2);
    assert_eq!(line(&read, "cash", "huf"), Some([0, 5900, 0, 0, 5900]));
    assert_eq!(line(&read, "card", "huf"), Some([0, 5900, 0, 0, 5900]));
    let order = till.read().await;
    let row = &order["payable_transactions"][0];
    assert_eq!((&row["assumed"], &row["paid_at"]), (&json!(true), &order["expected_at"]));
    assert_ne!(order["closed_at"], Value::Null);
    // It was a card: the assumed row is taken back, nobody's money, and the true one booked.
    let payment = json!({"id": row["attempt_id"]});
    till.refund(&payment, json!({"done": false})).await.assert(201);
    till.pay(json!({"payment_method": "card"})).await.assert(201);
    let order = till.read().await;
    assert_eq!((amount(&order["due"]), &order["payable_transactions"][1]["assumed"]), (0, &json!(true)));
    assert_eq!(line(&till.drawer(None).await, "cash", "huf"), Some([5900, 0, -5900, 0, 0]));
    let other = till.admin.get(&format!("/orders/{waits}")).send().await.assert(200).json();
    assert_eq!(amount(&other["due"]), 5900, "what was never accepted is nobody's");
}

#[testkit::test]
async fn a_day_that_ends_books_what_nobody_has_booked() {
    let till = Till::open().await;
    till.accept().await;
    let test = with(pickup(&till.menu), "is_test", json!(true));
    let test = text(&order(&till.admin, test).await.assert(201).json()["id"]);
    till.admin.put(&format!("/orders/{test}/accept")).json(json!({})).send().await.assert(200);
    till.day_ends().await;
    let paid = till.read().await;
    assert_eq!((amount(&paid["due"]), &paid["payable_transactions"][0]["assumed"]), (0, &json!(true)));
    assert_eq!(till.history().await, ["succeeded", "processed", "paid_assumed", "closed"]);
    let test = till.admin.get(&format!("/orders/{test}")).send().await.assert(200).json();
    assert_eq!(amount(&test["paid"]), 0);
    // Once: another run finds nothing.
    till.day_ends().await;
    assert_eq!(till.read().await["payable_transactions"].as_array().unwrap().len(), 1);
}
