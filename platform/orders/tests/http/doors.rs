//! Orders that other crates place and pay, without a call of ours.

use std::{fs, path::Path};

use access::Caller;
use checkout::{Attempt, NewOrder};
use kernel::{Code, Id, Problem, Result};
use orders::{OnlinePayment, OrderId, Placed, Placement, end_online_payment, place};
use poem_openapi::types::ParseFromJSON;
use serde_json::{Value, json};
use testkit::{Place, kit};
use uuid::Uuid;

use super::{pickup, prepared, promotion, text, with};

/// A key that keeps its secret, as a platform's connection is one.
fn client() -> Caller {
    Caller::Key { id: Uuid::now_v7(), name: "Platform".into(), test: false, browser: false }
}

fn person() -> Caller {
    Caller::Person {
        account: Id::new(),
        admin: None,
        name: "Pultos".into(),
        surface: "admin".into(),
        session: Uuid::now_v7(),
        whole_partner: true,
        support: None,
    }
}

fn new_order(body: Value) -> NewOrder {
    NewOrder::parse_from_json(Some(body)).unwrap()
}

/// Places an order as a crate above does: in a unit of work of its own.
async fn placed(at: &Place<'_>, caller: &Caller, sent: &NewOrder) -> Result<Placed> {
    let tx = at.kit.unit_of_work(at.partner).await;
    let placement = Placement {
        restaurant: at.restaurant,
        caller,
        accepts: true,
        sent,
        approver: None,
        geocoded: None,
        guest: None,
        attempt: &Attempt::default(),
        return_url: None,
        replaces: None,
    };
    let placed = place(&tx, placement).await?;
    tx.commit().await?;
    Ok(placed)
}

async fn end(at: &Place<'_>, id: Id<OrderId>, how: OnlinePayment) -> Result<bool> {
    let tx = at.kit.unit_of_work(at.partner).await;
    let done = end_online_payment(&tx, at.restaurant, id, how, "stand-in").await?;
    tx.commit().await?;
    Ok(done)
}

/// Makes an order one that waits to be paid online: no method can be paid so yet.
async fn unpaid(at: &Place<'_>, id: Id<OrderId>) {
    let sql = format!(
        "update {}.orders set status = 'received', counter = null, visible_at = null where id = $1",
        at.schema
    );
    at.kit.run(&sql, vec![id.into()]).await;
}

fn is(problem: &Problem, code: Code) -> bool {
    problem.code() == code
}

#[test]
fn place_has_no_http_in_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../orders/src");
    let mut files = vec![source.join("place.rs"), source.join("arrival.rs"), source.join("number.rs")];
    files.extend(fs::read_dir(source.join("../../checkout/src")).unwrap().map(|entry| entry.unwrap().path()));
    assert!(files.len() > 10);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for http in [
            "poem::", "In<", "Body<", "Json<", "Stored", "IdempotencyKey", ": Pin", "&Pin", "GuestAddress",
            "Plugins", "Caller::Key",
        ] {
            let known = file.ends_with("place.rs") && http == "Caller::Key";
            assert!(known || !text.contains(http), "{} has {http}", file.display());
        }
    }
}

#[testkit::test]
async fn placing_twice_by_one_foreign_id_is_one_order() {
    let at = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&at).await;
    let (wolt, foodora) = (client(), client());
    let sent = new_order(with(pickup(&menu), "external_id", json!("7-13")));
    let (one, other) = tokio::join!(placed(&at, &wolt, &sent), placed(&at, &wolt, &sent));
    let (mut first, mut second) = (one, other);
    if first.is_err() {
        std::mem::swap(&mut first, &mut second);
    }
    let first = first.unwrap();
    match second {
        Ok(second) => assert_eq!((second.id, first.is_new), (first.id, !second.is_new)),
        // The other one was there first: its next try finds it.
        Err(problem) => assert!(is(&problem, Code::UNAVAILABLE_SERVER), "{:?}", problem.code()),
    }
    let again = placed(&at, &wolt, &sent).await.unwrap();
    assert_eq!((again.id, again.is_new, again.counter.as_deref()), (first.id, false, Some("1")));
    // The same words of another source are another order.
    let another = placed(&at, &foodora, &sent).await.unwrap();
    assert!(another.is_new && another.id != first.id);
    let fresh = admin.get("/orders/fresh").send().await.assert(200).json();
    let mut numbers: Vec<String> =
        fresh.as_array().unwrap().iter().map(|order| text(&order["counter"])).collect();
    numbers.sort();
    assert_eq!(numbers, ["1", "2"]);
}

#[testkit::test]
async fn a_source_gets_no_more_than_it_may() {
    let at = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&at).await;
    admin.put("/pos/configs").json(json!({"accept_at_once": true})).send().await.assert(200);
    let discount = with(pickup(&menu), "staff_discount", json!({"percent": 50}));
    // Whose PIN allowed it is not said: neither a platform nor a person takes anything off.
    for (caller, platform) in [(client(), "browser"), (person(), "browser"), (person(), "phone")] {
        let sent = new_order(with(discount.clone(), "platform", json!(platform)));
        let refused = placed(&at, &caller, &sent).await.err().unwrap();
        assert!(is(&refused, Code::VALIDATION_FAILED), "{platform}");
    }
    // A platform accepts nothing, whatever it is said to be allowed; staff by hand do.
    for (caller, platform, status) in [
        (client(), "browser", "succeeded"),
        (client(), "phone", "succeeded"),
        (person(), "phone", "processed"),
    ] {
        let sent = new_order(with(pickup(&menu), "platform", json!(platform)));
        let placed = placed(&at, &caller, &sent).await.unwrap();
        let order = admin.get(&format!("/orders/{}", placed.id)).send().await.assert(200).json();
        assert_eq!(order["status"], status, "{platform}");
    }
}

#[testkit::test]
async fn paying_and_expiring_at_once_is_one_end() {
    let at = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&at).await;
    let discount = format!("/discounts/{}", promotion(&admin, json!({})).await);
    let caller = client();
    for round in 0..6 {
        let order = placed(&at, &caller, &new_order(pickup(&menu))).await.unwrap();
        unpaid(&at, order.id).await;
        let sql = "insert into control.job (partner_id, kind, args) values ($1, 'order_expire', \
            jsonb_build_object('order_id', $2::text))";
        at.kit.run(sql, vec![at.partner.into(), order.id.to_string().into()]).await;
        let ends = async {
            if round % 2 == 1 {
                tokio::time::sleep(std::time::Duration::from_millis(15)).await;
            }
            end(&at, order.id, OnlinePayment::Paid).await
        };
        let (came, ()) = tokio::join!(ends, at.kit.run_jobs());
        let path = format!("/orders/{}", order.id);
        let read = admin.get(&path).send().await.assert(200).json();
        let history: Vec<String> =
            read["history"].as_array().unwrap().iter().map(|line| text(&line["status"])).collect();
        match came {
            Ok(true) => {
                assert_eq!(
                    (&read["status"], history.last().unwrap().as_str()),
                    (&json!("succeeded"), "succeeded")
                );
                assert!(read["counter"].is_string());
                // What comes twice has come; what comes after it is told so.
                assert!(!end(&at, order.id, OnlinePayment::Paid).await.unwrap());
                for late in [OnlinePayment::Failed, OnlinePayment::Canceled] {
                    let refused = end(&at, order.id, late).await.unwrap_err();
                    assert!(is(&refused, Code::ORDER_STATE_CHANGED));
                }
                let refused = json!({"reason": "too_busy"});
                admin.put(&format!("{path}/archive")).json(refused).send().await.assert(200);
                assert!(!end(&at, order.id, OnlinePayment::Paid).await.unwrap(), "also of a refused one");
            }
            Ok(false) => panic!("nobody else pays"),
            Err(problem) => {
                assert!(is(&problem, Code::ORDER_STATE_CHANGED), "{:?}", problem.code());
                assert_eq!(
                    (&read["status"], history.last().unwrap().as_str()),
                    (&json!("expired"), "expired")
                );
                assert!(read["counter"].is_null());
            }
        }
        // The first line is of when it was placed.
        assert_eq!(history.len(), 2, "one end: {history:?}");
    }
    let uses = async || admin.get(&discount).send().await.assert(200).json()["use_qty"].clone();
    assert_eq!(uses().await, 0, "what expired and what was refused gave its use back");
    // Its guest gave it up, or its payment failed.
    for (how, status) in [(OnlinePayment::Failed, "failed"), (OnlinePayment::Canceled, "canceled")] {
        let order = placed(&at, &caller, &new_order(pickup(&menu))).await.unwrap();
        unpaid(&at, order.id).await;
        assert!(end(&at, order.id, how).await.unwrap());
        assert!(!end(&at, order.id, how).await.unwrap(), "twice is once");
        assert!(is(&end(&at, order.id, OnlinePayment::Paid).await.unwrap_err(), Code::ORDER_STATE_CHANGED));
        let read = admin.get(&format!("/orders/{}", order.id)).send().await.assert(200).json();
        assert_eq!(read["status"], status);
    }
    assert_eq!(uses().await, 0);
}

#[testkit::test]
async fn an_existing_order_arrives_like_a_new_one() {
    let at = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&at).await;
    admin.put("/system").json(json!({"escalate_after_minutes": 5})).send().await.assert(200);
    admin.put("/general").json(json!({"contact_email": "konyha@guest.test"})).send().await.assert(200);
    // Staff may note an order for later at any time.
    let caller = person();
    let tomorrow = (chrono::Utc::now() + chrono::Duration::days(1)).format("%Y-%m-%dT%H:%M:%SZ").to_string();
    for expected_at in [Value::Null, json!(tomorrow)] {
        let body = with(with(pickup(&menu), "expected_at", expected_at), "platform", json!("phone"));
        let new = placed(&at, &caller, &new_order(body.clone())).await.unwrap();
        let existing = placed(&at, &caller, &new_order(body)).await.unwrap();
        unpaid(&at, existing.id).await;
        let schema = &at.schema;
        at.kit
            .run(
                &format!("delete from {schema}.event where data->>'order_id' = $1"),
                vec![existing.id.to_string().into()],
            )
            .await;
        at.kit
            .run(
                &format!("update {schema}.order_entry set words = '' where order_id = $1"),
                vec![existing.id.into()],
            )
            .await;
        assert!(end(&at, existing.id, OnlinePayment::Paid).await.unwrap());
        // Entry, event, row and the job that waits, but for what tells the two apart.
        let seen = async |id: Id<OrderId>, counter: &str| {
            let all = at
                .kit
                .texts(&format!(
                    "select jsonb_build_array(\
                        (select to_jsonb(e) - '{{order_id,created_at,show_at}}'::text[] from {schema}.order_entry e where order_id = '{id}'), \
                        (select jsonb_agg(data - 'order_id') from {schema}.event where data->>'order_id' = '{id}'), \
                        (select to_jsonb(o) - '{{id,api_key_id,created_at,show_at,visible_at,version,customer_id}}'::text[] from {schema}.orders o where id = '{id}'), \
                        (select jsonb_agg(distinct kind order by kind) from control.job where args::text like '%{id}%'))::text"
                ))
                .await
                .remove(0);
            let (number, word) = (format!("\"{counter}\""), format!("'k:{counter}'"));
            all.replace(&number, "\"n\"").replace(&word, "'k:n'")
        };
        let read = admin.get(&format!("/orders/{}", existing.id)).send().await.assert(200).json();
        let number = text(&read["counter"]);
        let (one, other) =
            (seen(new.id, new.counter.as_deref().unwrap()).await, seen(existing.id, &number).await);
        assert_eq!(one, other);
        assert!(
            one.contains("created") && !one.ends_with(", null]"),
            "with the job of its subscribers: {one}"
        );
    }
}
