//! The restaurant's own reasons, and the report of what was cancelled.

use serde_json::{Value, json};
use testkit::{kit, plain_resource};
use uuid::Uuid;

use super::{amount, payments::Till, pickup, prepared, promotions::with_pin, text};

#[testkit::test]
async fn storno_reasons_are_a_plain_resource() {
    plain_resource("storno_reasons").await;
}

impl Till<'static> {
    async fn reason(&self, name: &str, used_for: &str, text_required: bool) -> String {
        let body = json!({"name": name, "name_sec_lang": format!("{name} EN"), "used_for": used_for,
            "text_required": text_required});
        text(&self.admin.post("/storno-reasons").json(body).send().await.assert(201).json()["id"])
    }

    async fn archive_as(&self, id: &str, body: Value) -> testkit::Answer {
        self.admin.put(&format!("/orders/{id}/archive")).json(body).send().await
    }

    async fn report(&self, query: &str) -> Value {
        self.admin.get(&format!("/orders/storno-report{query}")).send().await.assert(200).json()
    }
}

#[testkit::test]
async fn an_order_keeps_the_reason_with_the_name_that_it_had() {
    let till = Till::open().await;
    let refusal = till.reason("Elromlott a kemence", "refusal", false).await;
    let storno = till.reason("Visszahozta a futár", "storno", true).await;
    let there = kit().await.restaurant().await;
    let (neighbour, ..) = prepared(&there).await;
    let body = json!({"name": "Másé", "used_for": "both"});
    let other = text(&neighbour.post("/storno-reasons").json(body).send().await.assert(201).json()["id"]);
    let bad = [
        (json!({"reason_id": storno, "reason_text": "x"}), "reason_id"),
        (json!({"reason_id": other}), "reason_id"),
        (json!({"reason_id": Uuid::now_v7()}), "reason_id"),
        (json!({"reason_id": refusal, "reason": "too_busy"}), "reason"),
    ];
    for (body, field) in bad {
        till.archive_as(&till.id, body).await.assert_keys(&[field]);
    }
    let done = till.archive_as(&till.id, json!({"reason_id": refusal})).await.assert(200).json();
    let kept = |order: &Value| {
        ["archive_reason", "archive_reason_id", "archive_reason_name", "archive_reason_name_sec_lang"]
            .map(|field| order[field].clone())
    };
    let expected =
        [Value::Null, json!(refusal), json!("Elromlott a kemence"), json!("Elromlott a kemence EN")];
    assert_eq!(kept(&done), expected);
    let path = format!("/storno-reasons/{refusal}");
    till.admin.put(&path).json(json!({"name": "Más néven"})).send().await.assert(200);
    till.admin.delete(&path).send().await.assert(204);
    assert_eq!(kept(&till.read().await), expected);
    // A reason that is gone is not offered any more; one of accepted orders asks for words.
    let id = till.another(pickup(&till.menu)).await;
    till.archive_as(&id, json!({"reason_id": refusal})).await.assert_keys(&["reason_id"]);
    till.admin.put(&format!("/orders/{id}/accept")).json(json!({})).send().await.assert(200);
    till.archive_as(&id, json!({"reason_id": storno, "reason_text": " "}))
        .await
        .assert_keys(&["reason_text"]);
    let body = json!({"reason_id": storno, "reason_text": "Nem nyitott ajtót."});
    let done = till.archive_as(&id, body).await.assert(200).json();
    assert_eq!(done["archive_reason_name"], "Visszahozta a futár");
    // Whoever works with orders reads the list, and does not change it.
    let waiter = till.place.with_keys(&["admin_login", "order", "fresh_order"]).await;
    waiter.get("/storno-reasons").send().await.assert(200);
    waiter.post("/storno-reasons").json(json!({"name": "Enyém"})).send().await.assert(403);
}

#[testkit::test]
async fn goods_that_go_back_have_reasons_of_their_own() {
    let till = Till::open().await;
    let mut others = vec![];
    for used_for in ["refusal", "storno", "both"] {
        others.push(till.reason(used_for, used_for, false).await);
    }
    let cold = till.reason("Kihűlt", "pieces", false).await;
    let order = till.read().await;
    let path = format!("/orders/{}/stornos", till.id);
    let pieces = |at: usize, reason: Value| {
        let quantity = &order["items"][at]["quantity"];
        let mut body = json!({"items": [{"order_item_id": order["items"][at]["id"], "quantity": quantity}]});
        body.as_object_mut().unwrap().extend(reason.as_object().unwrap().clone());
        body
    };
    let send = async |body: Value| till.admin.post(&path).json(body).send().await;
    for other in &others {
        send(pieces(0, json!({"reason_id": other}))).await.assert_keys(&["reason_id"]);
    }
    send(pieces(0, json!({"reason_id": cold}))).await.assert(201);
    // With the last piece the order goes whole, for the same reason.
    let gone = send(pieces(1, json!({"reason_id": cold}))).await.assert(201).json();
    assert_eq!(
        (&gone["archive_reason_name"], &gone["archived_at"].is_string(), &gone["status"]),
        (&json!("Kihűlt"), &true, &json!("succeeded"))
    );
    // A whole order is neither refused nor cancelled for one of these.
    let id = till.another(pickup(&till.menu)).await;
    till.archive_as(&id, json!({"reason_id": cold})).await.assert_keys(&["reason_id"]);
    for standard in ["wrong", "cold", "missing", "complaint"] {
        till.archive_as(&id, json!({"reason": standard})).await.assert_keys(&["reason"]);
    }
    till.admin.put(&format!("/orders/{id}/accept")).json(json!({})).send().await.assert(200);
    till.archive_as(&id, json!({"reason_id": cold})).await.assert_keys(&["reason_id"]);
    till.archive_as(&id, json!({"reason_id": others[0]})).await.assert_keys(&["reason_id"]);
    till.archive_as(&id, json!({"reason_id": others[1]})).await.assert(200);
    // The standard ones for goods, each kept and counted.
    for standard in ["wrong", "cold", "missing", "complaint"] {
        let id = till.another(pickup(&till.menu)).await;
        let order = till.admin.get(&format!("/orders/{id}")).send().await.json();
        let body = json!({"items": [{"order_item_id": order["items"][0]["id"], "quantity": 1}],
            "reason": standard});
        till.admin.post(&format!("/orders/{id}/stornos")).json(body).send().await.assert(201);
        let after = till.admin.get(&format!("/orders/{id}")).send().await.assert(200).json();
        assert_eq!(after["stornos"][0]["reason"], standard, "{after}");
    }
    // A copied list says what each is for.
    let list = till.admin.get("/storno-reasons?used_for=pieces").send().await.assert(200).json();
    assert_eq!((list.as_array().unwrap().len(), &list[0]["name"]), (1, &json!("Kihűlt")));
}

#[testkit::test]
async fn a_restaurant_has_so_many_reasons_and_their_names_can_be_read() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let send = |name: &str| admin.post("/storno-reasons").json(json!({"name": name})).send();
    for unseen in ["\u{200b}", " \u{2060}\u{ad}", "\u{feff}\u{200d}", "\u{3164}"] {
        send(unseen).await.assert_keys(&["name"]);
    }
    let id = text(&send("Kifogyott").await.assert(201).json()["id"]);
    let path = format!("/storno-reasons/{id}");
    admin.put(&path).json(json!({"name": "\u{200b}"})).send().await.assert_keys(&["name"]);
    let many = format!(
        "insert into {}.storno_reason (id, restaurant_id, name, used_for, text_required, active, ranking) \
         select gen_random_uuid(), $1, 'Ok ' || n, 'both', false, true, n from generate_series(2, 199) n",
        place.schema
    );
    place.kit.run(&many, vec![place.restaurant.into()]).await;
    // Two who add the last one at once, one after the other.
    let (one, two) = futures_util::future::join(send("Utolsó"), send("Utolsó")).await;
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    let refused = send("Még egy").await.assert_problem(409, "LIST_FULL").json();
    assert_eq!(refused["limit"], 200);
    admin.delete(&path).send().await.assert(204);
    send("Még egy").await.assert(201);
}

#[testkit::test]
async fn a_waiter_cancels_with_the_pin_of_somebody_who_may() {
    let till = Till::open().await;
    let manager = with_pin(&till.place, &["admin_login", "pos_storno"], "480041", Value::Null).await;
    let name = json!({"first_name": "Fanni", "last_name": "Főnök"});
    manager.put("/api/v3/admin/me").json(name).send().await.assert(200);
    with_pin(&till.place, &["admin_login", "pos_partial_storno"], "480042", Value::Null).await;
    let waiter = till.place.with_keys(&["admin_login", "order", "fresh_order"]).await;
    let path = format!("/orders/{}/archive", till.id);
    let send = async |pin: Option<&str>| {
        let call = waiter.put(&path);
        let call = match pin {
            Some(pin) => call.header("x-pin", pin),
            None => call,
        };
        call.json(json!({"reason": "guest_request"})).send().await
    };
    send(None).await.assert_problem(403, "PIN_REQUIRED");
    // Nobody's, and the one of somebody who may not: neither tells which PINs there are.
    for pin in ["480099", "480042"] {
        send(Some(pin)).await.assert_problem(403, "PIN_INVALID");
    }
    let done = send(Some("480041")).await.assert(200).json();
    assert!(done["archived_at"].is_string());
    // The history names who allowed it, for whoever did it.
    let done = till.read().await;
    let line =
        done["history"].as_array().unwrap().iter().find(|line| line["details"]["approved_by"].is_string());
    let line = line.unwrap_or_else(|| panic!("{done}"));
    assert_eq!(line["details"]["approved_by"], "Főnök Fanni");
    assert_ne!(line["actor_name"], "Főnök Fanni");
    // With the right of one's own nobody else stands there.
    let id = till.another(pickup(&till.menu)).await;
    till.archive_as(&id, json!({"reason": "too_busy"})).await.assert(200);
    let own = till.admin.get(&format!("/orders/{id}")).send().await.assert(200).json();
    assert!(own["history"].as_array().unwrap().iter().all(|line| line["details"]["approved_by"].is_null()));
    // The log names both.
    let owner = till.place.partner_admin().await;
    let row = async |client: &testkit::Client<'_>| {
        let me = client.get("/api/v3/admin/me").send().await.assert(200).json();
        let rows = owner.get(&format!("/admins?name={}", text(&me["email"]))).send().await.assert(200).json();
        rows.as_array().unwrap().iter().find(|row| row["email"] == me["email"]).unwrap().clone()
    };
    let log = till.admin.get("/audit?action=orders_archive").send().await.assert(200).json();
    let line = log.as_array().unwrap().iter().find(|line| line["record_id"] == till.id).unwrap();
    assert_eq!(
        (&line["actor_id"], &line["details"]["approved_by"]),
        (&row(&waiter).await["id"], &json!("Főnök Fanni")),
        "{line}"
    );
    assert_ne!(line["actor_name"], "Főnök Fanni");
    // Three more wrong ones make five: then the right one waits too.
    let id = till.another(pickup(&till.menu)).await;
    let path = format!("/orders/{id}/archive");
    let again = async |pin: &str| waiter.put(&path).header("x-pin", pin).json(json!({})).send().await;
    for _ in 0..3 {
        again("480099").await.assert_problem(403, "PIN_INVALID");
    }
    let paused = again("480041").await.assert_problem(429, "TOO_MANY_REQUESTS");
    assert!(paused.header("retry-after").is_some());
    let order = till.admin.get(&format!("/orders/{id}")).send().await.assert(200).json();
    assert_eq!(order["archived_at"], Value::Null);
}

#[testkit::test]
async fn the_report_counts_each_storno_once_by_person_and_reason() {
    let till = Till::open().await;
    let own = till.reason("Kifogyott a liszt", "both", false).await;
    // Refused by the admin.
    till.archive_as(&till.id, json!({"reason_id": own})).await.assert(200);
    // Pieces of another, then the rest: 1,800 and 4,100 of 5,900 Ft.
    let second = till.another(pickup(&till.menu)).await;
    let order = till.admin.get(&format!("/orders/{second}")).send().await.assert(200).json();
    till.admin.put(&format!("/orders/{second}/accept")).json(json!({})).send().await.assert(200);
    let soups = &order["items"][0]["id"];
    let stornos = format!("/orders/{second}/stornos");
    let pieces = |item: &Value, quantity: i32, reason: Value| {
        let mut body = json!({"items": [{"order_item_id": item, "quantity": quantity}]});
        body.as_object_mut().unwrap().extend(reason.as_object().unwrap().clone());
        body
    };
    let of_goods = till.reason("Kifogyott a liszt", "pieces", false).await;
    let body = pieces(soups, 1, json!({"reason_id": of_goods}));
    till.admin.post(&stornos).json(body).send().await.assert(201);
    till.archive_as(&second, json!({"reason": "guest_request"})).await.assert(200);
    // A third goes back piece by piece, by a waiter with the PIN of somebody who may.
    let third = till.another(pickup(&till.menu)).await;
    let order = till.admin.get(&format!("/orders/{third}")).send().await.assert(200).json();
    till.admin.put(&format!("/orders/{third}/accept")).json(json!({})).send().await.assert(200);
    with_pin(&till.place, &["admin_login", "pos_partial_storno"], "480031", Value::Null).await;
    let waiter = till.place.with_keys(&["admin_login", "order", "fresh_order"]).await;
    for (item, quantity) in [(&order["items"][0]["id"], 2), (&order["items"][1]["id"], 1)] {
        let call = waiter.post(&format!("/orders/{third}/stornos")).header("x-pin", "480031");
        call.json(pieces(item, quantity, json!({}))).send().await.assert(201);
    }
    let report = till.report("").await;
    let rows: Vec<(String, Value, Value, i64, i64)> = report["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let number = row["number"].as_i64().unwrap();
            let reason = row["reason"].clone();
            (text(&row["kind"]), reason, row["reason_name"].clone(), number, amount(&row["total_price"]))
        })
        .collect();
    let named = json!("Kifogyott a liszt");
    assert_eq!(
        rows,
        [
            ("partial_storno".to_owned(), Value::Null, Value::Null, 2, 5900),
            ("refused".to_owned(), Value::Null, named.clone(), 1, 5900),
            ("storno".to_owned(), json!("guest_request"), Value::Null, 1, 4100),
            ("partial_storno".to_owned(), Value::Null, named, 1, 1800),
        ]
    );
    let people: Vec<&Value> = report["rows"].as_array().unwrap().iter().map(|row| &row["by_id"]).collect();
    assert!(people[0] != people[1] && people[1] == people[2] && people[2] == people[3], "{people:?}");
    // Days that are crossed, too many, and before it all; a neighbour sees nothing of it.
    let bad = ["?from=2026-02-02&till=2026-02-01", "?from=2024-01-01&till=2026-01-01"];
    for query in bad {
        let answer = till.admin.get(&format!("/orders/storno-report{query}")).send().await;
        answer.assert_keys(&["till"]);
    }
    assert_eq!(till.report("?from=2020-01-01&till=2020-01-31").await["rows"], json!([]));
    let there = kit().await.restaurant().await;
    let (neighbour, ..) = prepared(&there).await;
    let report = neighbour.get("/orders/storno-report").send().await.assert(200).json();
    assert_eq!(report["rows"], json!([]));
    waiter.get("/orders/storno-report").send().await.assert(403);
}
