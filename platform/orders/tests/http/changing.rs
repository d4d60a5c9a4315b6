//! Changing orders: who may, in which states, what is told of it, and everybody at once.

use futures_util::future::join;
use serde_json::{Value, json};
use testkit::{Answer, Client};
use uuid::Uuid;

use super::{amount, order, payments::Till, pickup, promotions::with_pin, text, with};

impl Till<'static> {
    /// A restaurant with an order of 5,900 Ft, and somebody with this PIN who may change orders.
    pub async fn changeable(pin: &str) -> Self {
        let till = Self::open().await;
        with_pin(&till.place, &["admin_login", "pos_modify_order"], pin, Value::Null).await;
        till
    }

    pub async fn change(&self, pin: &str, body: Value) -> Answer {
        change(&self.admin, &self.id, pin, body).await
    }

    pub async fn rehearse(&self, body: Value) -> Answer {
        self.admin.put(&format!("/orders/{}?dry_run=true", self.id)).json(body).send().await
    }
}

pub async fn change(client: &Client<'_>, id: &str, pin: &str, body: Value) -> Answer {
    client.put(&format!("/orders/{id}")).header("x-pin", pin).json(body).send().await
}

/// The last line of an order's history.
pub fn last(order: &Value) -> &Value {
    order["history"].as_array().unwrap().last().unwrap()
}

async fn courier(till: &Till<'_>, name: &str, active: bool) -> Value {
    let body = json!({"first_name": name, "last_name": "Futár", "active": active});
    till.admin.post("/couriers").json(body).send().await.assert(201).json()["id"].clone()
}

#[testkit::test]
async fn each_field_is_changed_and_told() {
    let till = Till::changeable("470061").await;
    let id = text(&till.read().await["payment_method"]["id"]);
    for (body, field, old, new) in [
        (json!({"first_name": " Anna "}), "first_name", json!("Vendég"), json!("Anna")),
        (json!({"first_name": null}), "first_name", json!("Anna"), Value::Null),
        (json!({"last_name": "Kis"}), "last_name", json!("Próba"), json!("Kis")),
        (json!({"phone_1": "+36 20 555 0123"}), "phone_1", json!("+36 1 555 0100"), json!("+36 20 555 0123")),
        (json!({"email": "a@guest.test"}), "email", Value::Null, json!("a@guest.test")),
        (json!({"message": "csengess"}), "message", Value::Null, json!("csengess")),
        (json!({"message": ""}), "message", json!("csengess"), Value::Null),
        (json!({"payment_method": "card"}), "payment_method_id", json!("cash"), json!("card")),
        (json!({ "payment_method_id": id }), "payment_method_id", json!("card"), json!("cash")),
        (json!({"payment_method_id": null}), "payment_method_id", json!("cash"), Value::Null),
    ] {
        let before = till.read().await;
        let rehearsed = till.rehearse(body.clone()).await.assert(200).json();
        assert_eq!(till.read().await, before, "a rehearsal writes nothing");
        let answer = till.change("470061", body.clone()).await.assert(200).json();
        if field != "payment_method_id" {
            assert_eq!((&answer[field], &rehearsed[field]), (&new, &new), "{body}");
        }
        assert_eq!(answer["version"].as_i64(), before["version"].as_i64().map(|version| version + 1));
        assert!(answer["changed_at"].is_string() && answer["changed_fields"].to_string().contains(field));
        let after = till.read().await;
        let told = last(&after);
        assert_eq!(
            (&told["status"], &told["changes"][field]),
            (&json!("changed"), &json!([old, new])),
            "{told}"
        );
        assert_eq!(told["details"]["fields"], json!([field]));
        assert!(told["details"]["approved_by"].is_string());
        // The same once more is no change.
        let events = till.place.count("event").await;
        let same = till.change("470061", body).await.assert(200).json();
        assert_eq!((&same["version"], till.place.count("event").await), (&answer["version"], events));
        assert_eq!(till.read().await, after);
    }
    // What nobody may say of it.
    for (body, keys) in [
        (json!({"first_name": null, "last_name": " "}), &["last_name"][..]),
        (json!({"phone_1": null}), &["phone_1"]),
        (json!({"email": "nobody"}), &["email"]),
        (json!({"coord_lat": 47.5}), &["coord_lng"]),
        (json!({"coord_lat": 47.5, "coord_lng": 19}), &["coord_lat"]),
        (json!({"courier_id": Uuid::now_v7()}), &["courier_id"]),
        (json!({"payment_method": "none"}), &["payment_method"]),
        (json!({"expected_at": "2001-01-01T00:00:00Z"}), &["expected_at"]),
        (json!({"pickup": false}), &["delivery_data"]),
        (json!({"message": "x".repeat(1001)}), &["message"]),
    ] {
        till.rehearse(body.clone()).await.assert_keys(keys);
        till.change("470061", body).await.assert_keys(keys);
    }
    let actions = till.admin.get("/audit?action=orders_change").send().await.assert(200).json();
    let log = actions.to_string();
    assert!(log.contains("orders_change") && !log.contains("Anna") && !log.contains("555 0123"), "{log}");
}

#[testkit::test]
async fn the_customer_stays_and_its_figures_follow() {
    let till = Till::changeable("470062").await;
    let other = with(pickup(&till.menu), "phone_1", json!("+36 20 555 0199"));
    let other = order(&till.key, other).await.assert(201).json();
    let before = till.read().await;
    let answer = till.change("470062", json!({"phone_1": "+36 20 555 0199"})).await.assert(200).json();
    assert_eq!(answer["customer_id"], before["customer_id"]);
    let of = till.admin.get(&format!("/orders/{}", text(&other["id"]))).send().await.assert(200).json();
    assert_ne!(answer["customer_id"], of["customer_id"]);
    // Lists find it by what it says now.
    let found =
        till.admin.post("/orders/search").json(json!({"text": "5550199"})).send().await.assert(200).json();
    assert_eq!(found.as_array().unwrap().len(), 2, "{found}");
}

#[testkit::test]
async fn only_orders_that_are_not_prepared_are_changed() {
    let till = Till::changeable("470063").await;
    let set = async |status: &str, archived: bool| {
        let sql = format!(
            "update {}.orders set status = $2, archived_at = case when $3 then now() end where id = $1",
            till.place.schema
        );
        let id: Uuid = till.id.parse().unwrap();
        till.place.kit.run(&sql, vec![id.into(), status.into(), archived.into()]).await;
    };
    for (number, (status, archived, allowed)) in [
        ("succeeded", false, true),
        ("processed", false, true),
        ("received", false, false),
        ("prepared", false, false),
        ("canceled", false, false),
        ("expired", false, false),
        ("failed", false, false),
        ("succeeded", true, false),
        ("processed", true, false),
    ]
    .into_iter()
    .enumerate()
    {
        set(status, archived).await;
        let offered = till.read().await["allowed"].as_array().unwrap().contains(&json!("change"));
        assert_eq!(offered, allowed, "{status}");
        let answer = till.change("470063", json!({"message": format!("{number}")})).await;
        if allowed {
            answer.assert(200);
        } else {
            let refused = answer.assert_problem(409, "ORDER_STATE_CHANGED").json();
            assert_eq!(refused["current"]["status"], status);
        }
    }
    set("succeeded", false).await;
    // A version that is not the newest, and a partial storno.
    let seen = till.read().await;
    till.change("470063", json!({"message": "a"})).await.assert(200);
    let stale = with(json!({"message": "b"}), "version", seen["version"].clone());
    till.change("470063", stale).await.assert_problem(409, "ORDER_STATE_CHANGED");
    let piece = json!({"items": [{"order_item_id": seen["items"][0]["id"], "quantity": 1}]});
    till.admin.post(&format!("/orders/{}/stornos", till.id)).json(piece).send().await.assert(201);
    let child = text(&till.read().await["stornos"][0]["id"]);
    change(&till.admin, &child, "470063", json!({"message": "c"}))
        .await
        .assert_problem(409, "ORDER_STATE_CHANGED");
}

#[testkit::test]
async fn it_needs_the_pin_of_somebody_who_may() {
    let till = Till::changeable("470064").await;
    let waiter = with_pin(&till.place, &["admin_login", "fresh_order"], "470065", Value::Null).await;
    let body = json!({"last_name": "Csípős"});
    let path = format!("/orders/{}", till.id);
    // Nobody changes without a PIN, whatever right they have.
    for client in [&waiter, &till.admin] {
        client.put(&path).json(body.clone()).send().await.assert_problem(403, "PIN_REQUIRED");
    }
    change(&waiter, &till.id, "470065", body.clone()).await.assert_problem(403, "PIN_INVALID");
    change(&waiter, &till.id, "999999", body.clone()).await.assert_problem(403, "PIN_INVALID");
    assert_ne!(till.read().await["last_name"], "Csípős");
    change(&waiter, &till.id, "470064", body.clone()).await.assert(200);
    // A rehearsal asks for none, from who may read orders.
    waiter.put(&format!("{path}?dry_run=true")).json(json!({"message": null})).send().await.assert(200);
    let stranger = with_pin(&till.place, &["admin_login", "pos_modify_order"], "470066", Value::Null).await;
    change(&stranger, &till.id, "470066", body.clone()).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let elsewhere = Till::open().await;
    with_pin(&elsewhere.place, &["admin_login", "pos_modify_order"], "470067", Value::Null).await;
    change(&elsewhere.admin, &till.id, "470067", body.clone()).await.assert_problem(404, "ORDER_NOT_EXIST");
    change(&elsewhere.admin, &Uuid::now_v7().to_string(), "470067", body)
        .await
        .assert_problem(404, "ORDER_NOT_EXIST");
    // Ten wrong ones, and nobody tries on.
    for _ in 0..10 {
        change(&waiter, &till.id, "888888", json!({"last_name": "x"})).await;
    }
    change(&waiter, &till.id, "888888", json!({"last_name": "x"}))
        .await
        .assert_problem(429, "TOO_MANY_REQUESTS");
}

/// Whoever works with orders corrects the number to call and the note; whatever comes along needs the PIN.
#[testkit::test]
async fn the_number_and_the_note_need_no_pin() {
    let till = Till::changeable("470164").await;
    let waiter = till.place.with_keys(&["admin_login", "order", "fresh_order"]).await;
    let path = format!("/orders/{}", till.id);
    let send = |body: Value| waiter.put(&path).json(body).send();
    send(json!({"message": "csípős"})).await.assert(200);
    send(json!({"phone_1": "+36 30 555 0199"})).await.assert(200);
    let version = till.read().await["version"].clone();
    let both = json!({"message": null, "phone_1": "+36 30 555 0198", "version": version});
    let after = send(both).await.assert(200).json();
    assert_eq!((&after["message"], &after["phone_1"]), (&Value::Null, &json!("+36 30 555 0198")));
    let line = last(&till.read().await).clone();
    assert!(line["details"]["approved_by"].is_null(), "{line}");
    // A PIN that is sent all the same is looked at.
    change(&waiter, &till.id, "999999", json!({"message": "x"})).await.assert_problem(403, "PIN_INVALID");
    send(json!({})).await.assert(200);
    for more in [
        json!({"phone_1": "+36 30 555 0197", "first_name": "Más"}),
        json!({"message": "x", "email": "mas@guest.test"}),
        json!({"message": "x", "expected_at": null}),
        json!({"message": "x", "payment_method": "cash"}),
        json!({"phone_1": "+36 30 555 0197", "pickup": true}),
        json!({"message": "x", "override_reason": "y"}),
        json!({"courier_id": null}),
    ] {
        send(more).await.assert_problem(403, "PIN_REQUIRED");
    }
    assert_eq!(till.read().await["message"], Value::Null);
    // Reading orders is still needed, and the restaurant's own one.
    let other = till.place.with_keys(&["admin_login", "courier"]).await;
    let refused = other.put(&path).json(json!({"message": "x"})).send().await;
    refused.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn a_payment_under_way_holds_the_method_and_what_is_booked_stays() {
    let till = Till::changeable("470068").await;
    let waiting = till.pay(json!({"payment_method": "card", "confirmed": false, "amount": 900})).await;
    let waiting = text(&waiting.assert(201).json()["id"]);
    let method = json!({"payment_method": "card"});
    till.change("470068", method.clone()).await.assert_problem(409, "PAYMENT_UNDER_WAY");
    // Everything else goes on.
    till.change("470068", json!({"message": "siess"})).await.assert(200);
    let cancel = format!("/payments/{waiting}/cancel");
    till.admin.post(&cancel).json(json!({"reason": "mégsem"})).send().await.assert(200);
    till.cash(1000).await;
    till.accept().await;
    let paid = till.read().await["payable_transactions"].clone();
    let after = till.change("470068", method).await.assert(200).json();
    assert_eq!(after["payment_method"]["payment_key"], json!("card"));
    assert_eq!((&after["payable_transactions"], amount(&after["due"])), (&paid, 4900));
    // An order that is closed says that it was corrected.
    till.cash(4900).await;
    assert!(till.read().await["closed_at"].is_string());
    let before = till.read().await["closed_at"].clone();
    let after = till.change("470068", json!({"payment_method": "cash"})).await.assert(200).json();
    assert_eq!(after["closed_at"], before);
    // Online is no way to pay what has arrived.
    till.change("470068", json!({"payment_method": "card_online"}))
        .await
        .assert_problem(409, "ORDER_NOT_ACCEPTABLE");
}

#[testkit::test]
async fn a_courier_of_the_restaurant_brings_it() {
    let till = Till::changeable("470069").await;
    let (courier_id, idle) = (courier(&till, "Béla", true).await, courier(&till, "Géza", false).await);
    let elsewhere = Till::open().await;
    let foreign = courier(&elsewhere, "Más", true).await;
    till.change("470069", json!({"courier_id": courier_id})).await.assert_keys(&["courier_id"]);
    let id = till.another(super::destinations::delivered(&till.menu, "Fő utca")).await;
    let till = Till { id, ..till };
    for no in [idle, foreign, json!(Uuid::now_v7())] {
        till.change("470069", json!({"courier_id": no})).await.assert_keys(&["courier_id"]);
    }
    let after = till.change("470069", json!({"courier_id": courier_id})).await.assert(200).json();
    assert_eq!((&after["courier_id"], &after["courier_name"]), (&courier_id, &json!("Futár Béla")));
    // That is no news for the kitchen.
    assert_eq!((&after["changed_at"], &after["changed_fields"]), (&Value::Null, &json!([])));
    assert_eq!(last(&till.read().await)["changes"]["courier_id"], json!([null, "Futár Béla"]));
    assert_eq!(after["courier_price"], Value::Null, "what is fetched has no courier's fee");
    let after = till.change("470069", json!({"courier_id": null})).await.assert(200).json();
    assert_eq!((&after["courier_id"], &after["courier_name"]), (&Value::Null, &Value::Null));
}

#[testkit::test]
async fn a_repeated_call_changes_once() {
    let till = Till::changeable("470070").await;
    let path = format!("/orders/{}", till.id);
    let send = |body: Value| till.admin.put(&path).header("x-pin", "470070").key("egyszer").json(body).send();
    let first = send(json!({"message": "egy"})).await.assert(200).json();
    assert_eq!(send(json!({"message": "egy"})).await.assert(200).json(), first);
    send(json!({"message": "kettő"})).await.assert_problem(409, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(till.history().await, ["succeeded", "changed"]);
}

#[testkit::test]
async fn whoever_is_slower_hears_of_it_and_nothing_is_lost() {
    let till = Till::changeable("470071").await;
    let second = till.place.kit.second_instance().await;
    let there = till.admin.at(&second);
    let path = |id: &str, what: &str| format!("/orders/{id}{what}");
    for round in 0..3 {
        let id = till.another(super::destinations::delivered(&till.menu, "Fő utca")).await;
        let seen = till.admin.get(&path(&id, "")).send().await.assert(200).json();
        let put = |text: &str| json!({"message": format!("{text} {round}"), "version": seen["version"]});
        let (one, two) =
            join(change(&till.admin, &id, "470071", put("egy")), change(&there, &id, "470071", put("kettő")))
                .await;
        let mut statuses = [one.status, two.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        // Without a version the later one wins, and both are told.
        let (one, two) = join(
            change(&till.admin, &id, "470071", json!({"message": "egy"})),
            change(&there, &id, "470071", json!({"first_name": "Kettő"})),
        )
        .await;
        assert_eq!((one.status, two.status), (200, 200));
        let order = till.admin.get(&path(&id, "")).send().await.assert(200).json();
        assert_eq!((&order["message"], &order["first_name"]), (&json!("egy"), &json!("Kettő")));
        // Against everything else that is done with an order.
        let accept = there.put(&path(&id, "/accept")).json(json!({})).send();
        let (one, two) = join(change(&till.admin, &id, "470071", json!({"pickup": true})), accept).await;
        assert_eq!((one.status, two.status), (200, 200));
        let pay = there.post(&path(&id, "/payments")).json(json!({"payment_method": "cash"})).send();
        let (one, two) = join(change(&till.admin, &id, "470071", json!({"last_name": "Fizet"})), pay).await;
        assert_eq!((one.status, two.status), (200, 201));
        let piece = json!({"items": [{"order_item_id": order["items"][0]["id"], "quantity": 1}]});
        let storno = there.post(&path(&id, "/stornos")).json(piece).send();
        let (one, two) = join(change(&till.admin, &id, "470071", json!({"message": null})), storno).await;
        assert_eq!((one.status, two.status), (200, 201));
        let ready = there.put(&path(&id, "/prepared")).json(json!({"prepared": true})).send();
        let (one, two) = join(change(&till.admin, &id, "470071", json!({"message": "x"})), ready).await;
        assert_eq!(two.status, 200);
        assert!(matches!(one.status, 200 | 409), "{}", one.text());
        let order = till.admin.get(&path(&id, "")).send().await.assert(200).json();
        assert_eq!(order["status"], json!("prepared"));
        let told = order["history"].as_array().unwrap().iter().filter(|line| line["status"] == "changed");
        assert_eq!(told.count(), if one.status == 200 { 7 } else { 6 });
    }
}
