//! Taking an acceptance back: at once without a mail to the guest, later with one.

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Client, Place, kit};
use uuid::Uuid;

use super::{pickup, prepared, with};

struct AcceptableOrder<'k> {
    place: Place<'k>,
    admin: Client<'k>,
    id: String,
    guest: String,
}

/// A restaurant with an order of a guest who has an address.
async fn acceptable_order() -> AcceptableOrder<'static> {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let guest = format!("{}@guest.test", Uuid::now_v7().simple());
    let order = key
        .post("/public/orders")
        .key("1")
        .json(with(pickup(&menu), "email", json!(guest)))
        .send()
        .await
        .assert(201)
        .json();
    let id = order["id"].as_str().unwrap().to_owned();
    place.kit.mail_to(&guest).await;
    AcceptableOrder { place, admin, id, guest }
}

impl AcceptableOrder<'_> {
    async fn put(&self, what: &str, body: Value) -> testkit::Answer {
        self.admin.put(&format!("/orders/{}/{what}", self.id)).json(body).send().await
    }

    async fn accept(&self, minutes: i64) -> Value {
        self.put("accept", json!({ "delivery_time_minute": minutes })).await.assert(200).json()
    }

    async fn back(&self) -> Value {
        self.put("take-back", json!({})).await.assert(200).json()
    }

    /// The eight seconds have passed, and all mails have been sent.
    async fn patience_ends(&self) {
        let due = "update control.job set run_at = now() where kind = 'order_email_accepted' and args ->> \
            'order_id' = $1";
        self.place.kit.run(due, vec![self.id.clone().into()]).await;
        let waiting =
            "select count(*) n from control.job where kind like 'order_email%' and args ->> 'order_id' = $1";
        for _ in 0..600 {
            self.place.kit.run_jobs().await;
            if self
                .place
                .kit
                .row(waiting, vec![self.id.clone().into()])
                .await
                .try_get::<i64>("", "n")
                .unwrap()
                == 0
            {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("mails still wait");
    }

    /// Subjects of the mails to the guest after the one that the order was received, oldest first.
    fn mails(&self) -> Vec<String> {
        let mut subjects: Vec<_> = self
            .place
            .kit
            .mails_to(&self.guest)
            .iter()
            .map(|mail| mail.lines().next().unwrap().to_owned())
            .collect();
        subjects.retain(|subject| !subject.contains("megkaptuk"));
        subjects.reverse();
        subjects
    }

    async fn history(&self) -> Vec<(String, String)> {
        let order = self.admin.get(&format!("/orders/{}", self.id)).send().await.assert(200).json();
        let steps = order["history"].as_array().unwrap().iter();
        steps
            .map(|step| {
                (step["status"].as_str().unwrap().to_owned(), step["surface"].as_str().unwrap().to_owned())
            })
            .collect()
    }
}

#[testkit::test]
async fn taken_back_at_once_the_guest_hears_of_the_last_time_only() {
    let order = acceptable_order().await;
    let accepted = order.accept(20).await;
    assert_eq!(accepted["allowed"], json!(["prepare", "take_back", "archive", "change", "replace"]));
    let wait = "select extract(epoch from run_at - now())::float8 s from control.job where kind = \
        'order_email_accepted' and args ->> 'order_id' = $1";
    let seconds: f64 =
        order.place.kit.row(wait, vec![order.id.clone().into()]).await.try_get("", "s").unwrap();
    assert!((4.0..=8.0).contains(&seconds), "the mail waits 8 s, {seconds} s are left");

    let back = order.back().await;
    assert_eq!(
        (&back["status"], &back["allowed"]),
        (&json!("succeeded"), &json!(["accept", "archive", "change", "replace"]))
    );
    assert_eq!(
        (&back["accepted_at"], &back["expected_at"], &back["delivery_time_minute"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(order.admin.get("/orders/fresh").send().await.json()[0]["status"], "succeeded");
    order.accept(45).await;
    order.patience_ends().await;
    assert_eq!(order.mails().len(), 1, "{:?}", order.mails());
    let mail =
        order.place.kit.mails_to(&order.guest).into_iter().find(|mail| mail.contains("készül")).unwrap();
    let promised = order.admin.get(&format!("/orders/{}", order.id)).send().await.json()["expected_at"]
        .as_str()
        .unwrap()
        .to_owned();
    let promised: kernel::time::Timestamp = promised.parse().unwrap();
    let promised =
        promised.0.with_timezone(&chrono_tz::Europe::Budapest).format("%Y/%m/%d %H:%M").to_string();
    assert!(mail.contains(&promised), "{promised}: {mail}");

    let steps: Vec<_> = order.history().await.into_iter().map(|(step, _)| step).collect();
    assert_eq!(steps, ["succeeded", "processed", "taken_back", "processed"]);
    let events = format!(
        "select data ->> 'change' from {}.event where restaurant_id = '{}' and kind = 'TASK_ORDERS_RELOAD' order by number",
        order.place.schema, order.place.restaurant
    );
    assert_eq!(order.place.kit.texts(&events).await, ["created", "accepted", "taken_back", "accepted"]);
}

#[testkit::test]
async fn a_told_guest_gets_one_mail_about_a_new_time() {
    let order = acceptable_order().await;
    order.accept(20).await;
    order.patience_ends().await;
    assert_eq!(order.mails().len(), 1);
    order.back().await;
    order.patience_ends().await;
    assert!(order.mails()[1].contains("időpontja változik"), "{:?}", order.mails());
    // Accepted and taken back again within the eight seconds: nothing more to be said.
    order.accept(30).await;
    order.back().await;
    order.patience_ends().await;
    assert_eq!(order.mails().len(), 2, "{:?}", order.mails());
    order.accept(40).await;
    order.patience_ends().await;
    assert_eq!(order.mails().len(), 3);
    assert_eq!(
        order
            .history()
            .await
            .iter()
            .filter(|(step, surface)| step == "taken_back" && surface == "admin")
            .count(),
        2
    );
}

#[testkit::test]
async fn a_ready_or_cancelled_order_is_not_taken_back() {
    let order = acceptable_order().await;
    order.accept(20).await;
    order.put("prepared", json!({})).await.assert(200);
    order.put("take-back", json!({})).await.assert_problem(409, "ORDER_STATE_CHANGED");
    // Recalled, it is being made again: then it can.
    order.put("prepared", json!({"prepared": false})).await.assert(200);
    order.back().await;
    order.put("archive", json!({"reason": "too_busy"})).await.assert(200);
    order.put("take-back", json!({})).await.assert_problem(409, "ORDER_STATE_CHANGED");
    order.patience_ends().await;
    assert!(order.mails().iter().all(|subject| !subject.contains("készül")), "{:?}", order.mails());
}

#[testkit::test]
async fn cancelled_before_the_guest_hears_of_the_acceptance_it_is_a_refusal() {
    let order = acceptable_order().await;
    order.accept(20).await;
    order.put("archive", json!({"reason": "closing", "reason_text": "megint késik"})).await.assert(200);
    order.patience_ends().await;
    let mails = order.place.kit.mails_to(&order.guest);
    let refusal = mails.iter().find(|mail| mail.contains("nem tudtuk elvállalni"));
    assert!(refusal.is_some_and(|mail| mail.contains("Mára zárunk.")), "{mails:?}");
    assert!(!mails.iter().any(|mail| mail.contains("megint")), "a note of the house");
    assert_eq!(order.mails().len(), 1, "{:?}", order.mails());

    let told = acceptable_order().await;
    told.accept(20).await;
    told.patience_ends().await;
    told.put("archive", json!({"reason": "closing"})).await.assert(200);
    told.patience_ends().await;
    assert_eq!(told.mails().len(), 1, "{:?}", told.mails());
}

#[testkit::test]
async fn two_tills_at_once() {
    let order = acceptable_order().await;
    let there = kit().await.second_instance().await;
    let other = order.admin.at(&there);
    let accepted = order.accept(20).await;
    let path = format!("/orders/{}/take-back", order.id);
    let version = accepted["version"].clone();
    let both = join_all((0..6).map(|till| {
        (if till % 2 == 0 { &order.admin } else { &other })
            .put(&path)
            .json(json!({ "version": version }))
            .send()
    }))
    .await;
    assert!(both.iter().all(|answer| answer.status == 200), "{both:?}");
    let steps = order.history().await;
    assert_eq!(steps.iter().filter(|(step, _)| step == "taken_back").count(), 1, "{steps:?}");
    // An acceptance of another till that the caller has not seen is not taken back.
    let again = order.accept(30).await;
    order.put("take-back", json!({ "version": version })).await.assert_problem(409, "ORDER_STATE_CHANGED");
    order.put("take-back", json!({ "version": again["version"] })).await.assert(200);
    // Taking back needs the right to accept.
    order
        .place
        .with_keys(&["fresh_order", "order_storno"])
        .await
        .put(&path)
        .json(json!({}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}
