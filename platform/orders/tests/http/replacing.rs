//! Changing the items of an order: a new one takes its place.

use futures_util::future::join;
use serde_json::{Value, json};
use testkit::Answer;
use uuid::Uuid;

use super::{amount, coupon, order, payments::Till, pickup, promotion, text, with};

impl Till<'static> {
    pub async fn replace(&self, pin: &str, body: Value) -> Answer {
        self.admin
            .post(&format!("/orders/{}/replacement", self.id))
            .header("x-pin", pin)
            .json(body)
            .send()
            .await
    }

    async fn rehearse_items(&self, body: Value) -> Answer {
        self.admin.post(&format!("/orders/{}/replacement?dry_run=true", self.id)).json(body).send().await
    }

    async fn read_one(&self, id: &str) -> Value {
        self.admin.get(&format!("/orders/{id}")).send().await.assert(200).json()
    }

    /// Two soups, as the order has them, and these.
    fn soups_and(&self, more: &[Value]) -> Value {
        let soups = json!({"subproduct_id": self.menu.soup, "quantity": 2, "message": "csípősen"});
        json!({"items": std::iter::once(soups).chain(more.iter().cloned()).collect::<Vec<_>>()})
    }

    fn line(&self, id: &str, quantity: i64) -> Value {
        json!({"subproduct_id": id, "quantity": quantity})
    }
}

const PIN: &str = "470071";

#[testkit::test]
async fn another_order_takes_its_place() {
    let till = Till::changeable(PIN).await;
    till.admin
        .put(&format!("/orders/{}", till.id))
        .header("x-pin", PIN)
        .json(json!({"message": "csengess", "email": "v@guest.test"}))
        .send()
        .await
        .assert(200);
    till.accept().await;
    let before = till.read().await;
    assert!(before["allowed"].as_array().unwrap().contains(&json!("replace")));
    let body = till.soups_and(&[till.line(&till.menu.large_pizza, 1)]);
    let events = till.place.count("event").await;
    let rehearsed = till.rehearse_items(body.clone()).await.assert(200).json();
    assert_eq!((amount(&rehearsed["total_price"]), &rehearsed["quote"]["acceptable"]), (6600, &json!(true)));
    assert_eq!((till.read().await, till.place.count("event").await), (before.clone(), events));
    till.admin
        .post(&format!("/orders/{}/replacement", till.id))
        .json(body.clone())
        .send()
        .await
        .assert_problem(403, "PIN_REQUIRED");
    till.replace("99999999", body.clone()).await.assert_problem(403, "PIN_INVALID");
    let told = with(body.clone(), "total_price", json!(6000));
    let changed = till.replace(PIN, told).await.assert_problem(409, "ORDER_PRICE_CHANGED").json();
    assert_eq!(amount(&changed["quote"]["total_price"]), 6600);
    let now = till.replace(PIN, with(body.clone(), "total_price", json!(6600))).await.assert(201).json();
    let old = till.read().await;
    assert_eq!((&now["replaces_id"], &now["replaces_counter"]), (&old["id"], &old["counter"]));
    assert_eq!((&old["replaced_by_id"], &old["replaced_by_counter"]), (&now["id"], &now["counter"]));
    assert_ne!(now["counter"], old["counter"]);
    assert!(now["counter"].is_string() && old["archived_at"].is_string() && now["archived_at"].is_null());
    assert_eq!((&old["allowed"], old["items"][0]["archived_at"].is_string()), (&json!([]), true));
    for same in [
        "status", "first_name", "last_name", "phone_1", "email", "customer_id", "message", "pickup",
        "platform", "locale", "payment_method", "expected_at", "show_at", "delivery_time_minute",
        "accepted_at", "accept_seconds", "courier_id", "business_day", "is_test",
    ] {
        assert_eq!(now[same], before[same], "{same}");
    }
    // The soups stayed; one pizza went, another came.
    let [soups, pizza] = [0, 1].map(|at| &now["items"][at]);
    assert_eq!((&soups["is_new"], &soups["new_quantity"]), (&json!(false), &json!(0)));
    assert_eq!((&pizza["is_new"], &pizza["new_quantity"]), (&json!(true), &json!(1)));
    assert_eq!(soups["created_at"], before["items"][0]["created_at"]);
    let [gone] = &now["removed_items"].as_array().unwrap()[..] else { panic!("{now}") };
    assert_eq!((&gone["order_item_id"], &gone["quantity"]), (&before["items"][1]["id"], &json!(1)));
    assert_eq!(gone["options"], json!(["Sajt"]));
    // Both say so, and who allowed it.
    let now = till.read_one(&text(&now["id"])).await;
    let line = |order: &Value, status: &str| {
        let history = order["history"].as_array().unwrap();
        history.iter().find(|line| line["status"] == status).unwrap()["details"].clone()
    };
    assert!(line(&old, "replaced")["approved_by"].is_string());
    assert_eq!(line(&now, "replaces")["counter"], old["counter"]);
    // The key that sent it reads the new one.
    till.key.get(&format!("/public/orders/{}", text(&now["id"]))).send().await.assert(200);
    till.replace(PIN, body.clone()).await.assert_problem(409, "ORDER_STATE_CHANGED");
    // Once more, on the new one: what came first is new still.
    let next = Till { id: text(&now["id"]), ..till };
    let more = next.soups_and(&[next.line(&next.menu.large_pizza, 3)]);
    let last = next.replace(PIN, more).await.assert(201).json();
    assert_eq!((&last["items"][1]["is_new"], &last["items"][1]["new_quantity"]), (&json!(true), &json!(2)));
    assert_eq!((&last["removed_items"], amount(&last["total_price"])), (&json!([]), 12_600));
    let shown = next.admin.get("/orders/fresh").send().await.assert(200).json();
    assert_eq!(shown.as_array().unwrap().len(), 1, "{shown}");
}

#[testkit::test]
async fn money_goes_along() {
    let till = Till::changeable(PIN).await;
    till.accept().await;
    let card =
        till.pay(json!({"payment_method": "card", "amount": 2000, "tip": 300})).await.assert(201).json();
    till.cash(1003).await;
    till.pay(json!({"payment_method": "balance"})).await.assert(201);
    let drawer = till.admin.get("/drawer").send().await.assert(200).json();
    let before = till.read().await;
    assert!(before["closed_at"].is_string());
    let body = json!({"items": [till.line(&till.menu.soup, 2)]});
    let now = till.replace(PIN, body).await.assert(201).json();
    let old = till.read().await;
    assert_eq!((amount(&old["paid"]), amount(&old["due"])), (0, 0));
    assert_eq!(old["refunds"].as_array().unwrap().iter().filter(|one| one["state"] == "created").count(), 0);
    // 2,000 + 1,003 + 2,897 Ft had been paid; 3,600 are owed, and balance goes back last.
    assert_eq!((amount(&now["total_price"]), amount(&now["paid"]), amount(&now["due"])), (3600, 5900, -2300));
    let asked: i64 = now["refunds"].as_array().unwrap().iter().map(|one| amount(&one["amount"])).sum();
    assert_eq!(asked, 2300);
    let rows = |order: &Value| {
        let rows = order["payable_transactions"].as_array().unwrap().iter();
        let mut rows: Vec<Value> = rows.filter(|row| row["moved"] == json!(true)).cloned().collect();
        rows.sort_by_key(|row| text(&row["attempt_id"]));
        rows
    };
    let (gone, come) = (rows(&old), rows(&now));
    assert_eq!((gone.len(), come.len()), (2, 2));
    for (gone, come) in gone.iter().zip(&come) {
        assert_eq!((&gone["attempt_id"], &gone["paid_at"]), (&come["attempt_id"], &come["paid_at"]));
    }
    let sum = |rows: &[Value], field: &str| rows.iter().map(|row| amount(&row[field])).sum::<i64>();
    for field in ["value", "tip", "rounding"] {
        assert_eq!(sum(&gone, field), -sum(&come, field), "{field}");
    }
    assert_eq!((sum(&come, "value"), sum(&come, "tip"), sum(&come, "rounding")), (3003, 300, 2));
    // Nobody has taken or given anything.
    let sums = |drawer: &Value| {
        let lines = drawer["lines"].as_array().unwrap();
        lines.iter().filter(|line| line["payment_key"] != "balance").cloned().collect::<Vec<_>>()
    };
    assert_eq!(sums(&till.admin.get("/drawer").send().await.assert(200).json()), sums(&drawer));
    // The way back is the way it came.
    let asked = now["refunds"].as_array().unwrap().iter().find(|one| one["attempt_id"] == card["id"]);
    if let Some(asked) = asked {
        let path = format!("/refunds/{}/confirm", text(&asked["id"]));
        till.admin.post(&path).json(json!({"done": true})).send().await;
    }
    let payment = till.admin.get(&format!("/payments/{}", text(&card["id"]))).send().await.assert(200).json();
    assert_eq!(payment["order_id"], now["id"]);
    // Lists find it by every method by which it was paid.
    for key in ["cash", "card", "balance"] {
        let methods = till.admin.get("/payment-methods").send().await.assert(200).json();
        let method = methods.as_array().unwrap().iter().find(|one| one["payment_key"] == key).unwrap();
        let path = format!("/orders?payment_methods[]={}", text(&method["id"]));
        let found = till.admin.get(&path).send().await.assert(200).json();
        assert!(found.as_array().unwrap().iter().any(|order| order["id"] == now["id"]), "{key}");
    }
}

/// A guest has paid the own soups: they are not offered again, and what was taken out frees its payment for the rest.
#[testkit::test]
async fn pieces_that_were_paid_and_stay_are_paid() {
    let till = Till::changeable(PIN).await;
    let soups = till.read().await["items"][0]["id"].clone();
    let of = |item: &Value, pieces: i32| json!({"payment_method": "card", "items": [{"order_item_id": item, "quantity": pieces}]});
    till.pay(of(&soups, 1)).await.assert(201);
    till.pay(of(&soups, 1)).await.assert(201);
    // One soup stays, another comes with other words.
    let one = json!({"subproduct_id": till.menu.soup, "quantity": 1, "message": "csípősen"});
    let other = json!({"subproduct_id": till.menu.soup, "quantity": 2, "message": "sótlanul"});
    let now = till.replace(PIN, json!({"items": [one, other]})).await.assert(201).json();
    let pay = async |item: &Value, pieces: i32| {
        let path = format!("/orders/{}/payments", text(&now["id"]));
        till.admin.post(&path).json(of(item, pieces)).send().await
    };
    let [kept, new] = [0, 1].map(|at| now["items"][at]["id"].clone());
    pay(&kept, 1).await.assert_keys(&["items.0.quantity"]);
    assert_eq!((amount(&now["paid"]), amount(&now["due"])), (3600, 1800));
    pay(&new, 1).await.assert(201);
}

#[testkit::test]
async fn it_is_refused_with_its_reason() {
    let till = Till::changeable(PIN).await;
    let body = json!({"items": [till.line(&till.menu.soup, 1)]});
    let refused = async |till: &Till<'_>, reason: &str| {
        let answer = till
            .admin
            .post(&format!("/orders/{}/replacement", till.id))
            .header("x-pin", PIN)
            .json(json!({"items": [{"subproduct_id": till.menu.soup, "quantity": 1}]}))
            .send()
            .await;
        let problem = answer.assert_problem(409, "ORDER_STATE_CHANGED").json();
        assert_eq!((&problem["reason"], &problem["current"]["id"]), (&json!(reason), &json!(till.id)));
    };
    let stale = with(body.clone(), "version", json!(99));
    assert_eq!(
        till.replace(PIN, stale).await.assert_problem(409, "ORDER_STATE_CHANGED").json()["reason"],
        "version"
    );
    let waits = till.pay(json!({"payment_method": "card", "confirmed": false})).await.assert(201).json();
    refused(&till, "payment_under_way").await;
    let cancel = format!("/payments/{}/cancel", text(&waits["id"]));
    till.admin.post(&cancel).json(json!({})).send().await.assert(200);
    let paid = till.cash(1000).await;
    till.refund(&paid, json!({"amount": 500, "done": false})).await.assert(201);
    refused(&till, "refund_under_way").await;
    let item = till.read().await["items"][0]["id"].clone();
    let other = Till { id: till.another(pickup(&till.menu)).await, ..till };
    let item_of = other.read().await["items"][0]["id"].clone();
    assert_ne!(item, item_of);
    let storno = json!({"items": [{"order_item_id": item_of, "quantity": 1}]});
    other.admin.post(&format!("/orders/{}/stornos", other.id)).json(storno).send().await.assert(201);
    assert!(!other.read().await["allowed"].as_array().unwrap().contains(&json!("replace")));
    refused(&other, "partial_storno").await;
    let other = Till { id: other.another(pickup(&other.menu)).await, ..other };
    let sql = format!("update {}.orders set platform = 'wolt' where id = $1", other.place.schema);
    other.place.kit.run(&sql, vec![other.id.parse::<Uuid>().unwrap().into()]).await;
    refused(&other, "platform").await;
    let other = Till { id: other.another(pickup(&other.menu)).await, ..other };
    other.accept().await;
    other.admin.put(&format!("/orders/{}/prepared", other.id)).json(json!({})).send().await.assert(200);
    refused(&other, "state").await;
    for (wrong, keys) in [
        (json!({"items": []}), &["items"][..]),
        (json!({"items": [{"subproduct_id": Uuid::now_v7(), "quantity": 0}]}), &["items.0.quantity"]),
        (json!({}), &["items"]),
    ] {
        other.replace(PIN, wrong).await.assert_keys(keys);
    }
    let nowhere = format!("/orders/{}/replacement", Uuid::now_v7());
    other
        .admin
        .post(&nowhere)
        .header("x-pin", PIN)
        .json(body)
        .send()
        .await
        .assert_problem(404, "ORDER_NOT_EXIST");
}

#[testkit::test]
async fn the_own_last_portion_and_coupon_are_not_lost() {
    let till = Till::changeable(PIN).await;
    coupon(&till.admin, "EGYSZER", json!({"all_max_use_qty": 1})).await;
    let limit = json!({"subproducts": [{"id": till.menu.soup, "name": "Adag", "price": 1800, "sellable_quantity": 2}]});
    till.admin.put(&till.menu.soup_product).json(limit).send().await.assert(200);
    let id = till.another(with(pickup(&till.menu), "coupon_code", json!("egyszer"))).await;
    let till = Till { id, ..till };
    let total = amount(&till.read().await["total_price"]);
    assert_eq!(total, 4720);
    let with_ham = json!({"subproduct_id": till.menu.pizza, "quantity": 1,
        "item_options": [{"option_id": till.menu.ham}]});
    let body = till.soups_and(&[with_ham]);
    let rehearsed = till.rehearse_items(body.clone()).await.assert(200).json();
    assert_eq!((amount(&rehearsed["total_price"]), &rehearsed["quote"]["reasons"]), (4800, &json!([])));
    let now = till.replace(PIN, body).await.assert(201).json();
    assert_eq!((amount(&now["total_price"]), &now["coupon_code"]), (4800, &json!("egyszer")));
    let product = till.admin.get(&till.menu.soup_product).send().await.assert(200).json();
    assert_eq!(product["subproducts"][0]["sellable_quantity"], json!(0));
    // A third soup is not there; one less goes back.
    let till = Till { id: text(&now["id"]), ..till };
    let three = json!({"items": [till.line(&till.menu.soup, 3)]});
    let refused = till.replace(PIN, three).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
    assert_eq!(refused["reasons"][0]["reason"], "item_sold_out");
    let without = json!({"items": [till.line(&till.menu.soup, 1)], "coupon_code": null});
    let last = till.replace(PIN, without).await.assert(201).json();
    assert_eq!((amount(&last["total_price"]), &last["coupon_code"]), (1800, &Value::Null));
    let again = with(pickup(&till.menu), "items", json!([till.line(&till.menu.soup, 1)]));
    order(&till.key, with(again, "coupon_code", json!("EGYSZER"))).await.assert(201);
}

#[testkit::test]
async fn the_guest_hears_of_one_changed_order() {
    let till = Till::changeable(PIN).await;
    let guest = format!("{}@guest.test", Uuid::now_v7().simple());
    let id = till.another(with(pickup(&till.menu), "email", json!(guest))).await;
    let till = Till { id, ..till };
    assert!(till.place.kit.mail_to(&guest).await.contains("megkaptuk"));
    till.accept().await;
    let cola = till.line(&till.menu.large_pizza, 2);
    let now = till.replace(PIN, till.soups_and(&[cola])).await.assert(201).json();
    let [old, new] = [&till.read().await, &now].map(|order| text(&order["counter"]));
    let mail = loop {
        let mail = till.place.kit.mail_to(&guest).await;
        if mail.contains("módosítottuk") {
            break mail;
        }
    };
    assert!(mail.contains(&format!("Új száma {new}, eddig {old} volt.")), "{mail}");
    assert!(mail.contains("Ez változott:\n+ 2 × Pizza, 45 cm\n− 1 × Pizza, 32 cm (Sajt)\n"), "{mail}");
    // Neither a refusal nor a new order nor a second acceptance.
    let all = till.place.kit.mails_to(&guest);
    assert!(all.iter().all(|mail| !mail.contains("nem tudtuk elvállalni")), "{all:?}");
    assert_eq!(all.iter().filter(|mail| mail.contains("megkaptuk")).count(), 1, "{all:?}");
    let events: Vec<String> = {
        let sql = format!(
            "select data ->> 'change' from {}.event where kind = 'TASK_ORDERS_RELOAD' and restaurant_id = '{}' \
                order by number",
            till.place.schema, till.place.restaurant
        );
        till.place.kit.texts(&sql).await
    };
    assert_eq!(events.iter().filter(|change| *change == "replaced").count(), 1, "{events:?}");
    assert_eq!(events.iter().filter(|change| *change == "archived").count(), 0, "{events:?}");
    let report = till.admin.get("/orders/storno-report").send().await.assert(200).json();
    let [row] = &report["rows"].as_array().unwrap()[..] else { panic!("{report}") };
    assert_eq!(
        (&row["kind"], &row["number"], amount(&row["total_price"])),
        (&json!("changed"), &json!(1), 2300)
    );
    let fresh = till.admin.get("/orders/fresh").send().await.assert(200).json();
    assert!(fresh.as_array().unwrap().iter().any(|one| one["id"] == now["id"]));
    let sample = till.admin.get("/order-emails").send().await.assert(200).json();
    assert!(sample.as_array().unwrap().iter().any(|mail| mail["kind"] == "replaced"), "{sample}");
}

#[testkit::test]
async fn two_people_at_once_change_it_once() {
    let till = Till::changeable(PIN).await;
    promotion(&till.admin, json!({"all_max_use_qty": 5})).await;
    let (one, two) = (till.soups_and(&[]), till.soups_and(&[till.line(&till.menu.pizza, 1)]));
    let (one, two) = join(till.replace(PIN, one), till.replace(PIN, two)).await;
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    // The same key brings the same order again.
    let made = if one.status == 201 { one.json() } else { two.json() };
    let till = Till { id: text(&made["id"]), ..till };
    let send = async || {
        let path = format!("/orders/{}/replacement", till.id);
        let body = json!({"items": [till.line(&till.menu.soup, 1)]});
        till.admin.post(&path).header("x-pin", PIN).key("once").json(body).send().await.assert(201).json()
    };
    assert_eq!(send().await["id"], send().await["id"]);
}
