//! Another wanted time: when the kitchen sees an order, and what its guest hears.

use kernel::time::Timestamp;
use serde_json::{Value, json};

use super::{changing::last, order, payments::Till, pickup, text, with};

fn later(minutes: i64) -> Value {
    json!(Timestamp::now().plus_minutes(minutes).to_string())
}

impl Till<'static> {
    async fn ids(&self, list: &str) -> Vec<String> {
        let rows = self.admin.get(&format!("/orders/{list}")).send().await.assert(200).json();
        rows.as_array().unwrap().iter().map(|order| text(&order["id"])).collect()
    }

    /// What windows were told of the order since then.
    async fn told(&self, since: i64) -> Vec<String> {
        let sql = format!(
            "select data ->> 'change' from {}.event where restaurant_id = '{}' and number > {since} \
             and data ->> 'order_id' = '{}' order by number",
            self.place.schema,
            self.place.restaurant.uuid(),
            self.id
        );
        self.place.kit.texts(&sql).await
    }
}

#[testkit::test]
async fn the_kitchen_sees_an_order_when_it_is_wanted() {
    let till = Till::changeable("470081").await;
    let notice = json!({"preorder_notification_mins_before_expected": 60});
    till.admin.put("/delivery").json(notice).send().await.assert(200);
    let seen = till.read().await["show_at"].clone();
    // Soon: it stays where it is, and waits since it came.
    let wanted = later(45);
    let after = till.change("470081", json!({"expected_at": wanted})).await.assert(200).json();
    assert_eq!(
        (&after["is_preorder"], &after["expected_at"], &after["show_at"]),
        (&json!(true), &wanted, &seen)
    );
    assert_eq!(till.ids("fresh").await, std::slice::from_ref(&till.id));
    assert_eq!(last(&till.read().await)["changes"]["expected_at"], json!([null, wanted]));
    // Much later: it leaves the fresh ones, and comes again.
    till.change("470081", json!({"expected_at": later(180)})).await.assert(200);
    assert_eq!((till.ids("fresh").await, till.ids("later").await), (vec![], vec![till.id.clone()]));
    till.change("470081", json!({"expected_at": later(240)})).await.assert(200);
    assert_eq!(till.ids("later").await, std::slice::from_ref(&till.id));
    // As soon as possible: the kitchen is called.
    let after = till.change("470081", json!({"expected_at": null})).await.assert(200).json();
    assert_eq!((&after["is_preorder"], &after["expected_at"]), (&json!(false), &Value::Null));
    assert_eq!(till.ids("fresh").await, std::slice::from_ref(&till.id));
    assert_eq!(till.told(0).await, ["created", "changed", "changed", "changed", "changed", "due"]);
    // What was to announce it finds that it was.
    let sql = format!("update {}.orders set show_at = now() where id = $1", till.place.schema);
    let id: uuid::Uuid = till.id.parse().unwrap();
    till.place.kit.run(&sql, vec![id.into()]).await;
    till.place.kit.run("update control.job set run_at = now() where kind = 'order_due'", vec![]).await;
    till.place.kit.run_jobs().await;
    assert_eq!(till.told(0).await.len(), 6);
}

#[testkit::test]
async fn an_announcement_holds_for_the_time_that_is_wanted_now() {
    let till = Till::changeable("470082").await;
    till.change("470082", json!({"expected_at": later(600)})).await.assert(200);
    till.change("470082", json!({"expected_at": later(900)})).await.assert(200);
    let due = |sql: &str| format!("{sql} where kind = 'order_due' and args ->> 'order_id' = '{}'", till.id);
    let jobs = till.place.kit.texts(&due("select run_at::text from control.job")).await;
    assert_eq!(jobs.len(), 2, "{jobs:?}");
    // The first time comes: nothing is to be seen yet.
    till.place.kit.run(&due("update control.job set run_at = now()"), vec![]).await;
    till.place.kit.run_jobs().await;
    assert_eq!(till.told(0).await, ["created", "changed", "changed"]);
    till.change("470082", json!({"expected_at": later(700)})).await.assert(200);
    let sql = format!("update {}.orders set show_at = now() where id = $1", till.place.schema);
    let id: uuid::Uuid = till.id.parse().unwrap();
    till.place.kit.run(&sql, vec![id.into()]).await;
    till.place.kit.run(&due("update control.job set run_at = now()"), vec![]).await;
    till.place.kit.run_jobs().await;
    assert_eq!(till.told(0).await, ["created", "changed", "changed", "changed", "due"]);
}

#[testkit::test]
async fn a_promise_stays_until_the_time_is_another_and_then_the_guest_hears_of_it() {
    let till = Till::changeable("470083").await;
    let guest = format!("{}@guest.test", till.place.restaurant.uuid());
    let id = text(
        &order(&till.key, with(pickup(&till.menu), "email", json!(guest))).await.assert(201).json()["id"],
    );
    let till = Till { id, ..till };
    let accepted = till.accept().await;
    let mails = async || {
        let sql = format!(
            "select coalesce(args ->> 'acceptance', '') from control.job where kind in ('order_email_accepted', 'event') \
             and args::text like '%{}%' and args::text like '%accepted%' order by id",
            till.id
        );
        till.place.kit.texts(&sql).await.len()
    };
    let first = mails().await;
    let after = till.change("470083", json!({"message": "lassan"})).await.assert(200).json();
    assert_eq!((&after["expected_at"], mails().await), (&accepted["expected_at"], first));
    let wanted = later(120);
    let after = till.change("470083", json!({"expected_at": wanted})).await.assert(200).json();
    assert_eq!((&after["expected_at"], &after["status"]), (&wanted, &json!("processed")));
    assert!(mails().await > first);
    // As soon as possible again: promised anew, from now on.
    let after = till.change("470083", json!({"expected_at": null})).await.assert(200).json();
    assert_eq!(after["is_preorder"], json!(false));
    let expected: Timestamp = text(&after["expected_at"]).parse().unwrap();
    let minutes = (expected.0 - kernel::clock::now()).num_minutes();
    assert!((28..=30).contains(&minutes), "{minutes}");
}
