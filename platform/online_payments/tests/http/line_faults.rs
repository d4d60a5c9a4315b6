//! Money that moves in more than one place, or whose answer is lost: our books equal the provider's all the same.

use poem::http::Method;
use sandbox::Fault;
use serde_json::{Value, json};

use super::{Shop, amount};
use crate::{
    orders::{order, promotions::with_pin, with},
    payment_methods::accounts::{add, good},
};

const PIN: &str = "470072";

impl Shop {
    /// All questions, refunds and settlements come now.
    async fn work(&self) {
        let now = "update control.job set run_at = now(), attempts = 0 where kind like 'online_payment%'";
        let schema = &self.place.schema;
        for _ in 0..3 {
            self.place.kit.run(now, vec![]).await;
            self.place.kit.run(&format!("update {schema}.payment_attempt set asked_at = null"), vec![]).await;
            self.run_jobs().await;
        }
    }

    /// Asks the provider now.
    async fn inquire(&self, payment: &str) {
        let sql = "update {}.payment_attempt set asked_at = null";
        self.place.kit.run(&sql.replace("{}", &self.place.schema), vec![]).await;
        self.admin.post(&format!("/payments/{payment}/inquire")).send().await.assert(204);
    }

    async fn time_of_refunds_passes(&self) {
        let sql = "update {}.payment_refund set sent_at = sent_at - interval '5 minutes'";
        self.place.kit.run(&sql.replace("{}", &self.place.schema), vec![]).await;
    }

    async fn archive(&self, id: &str) {
        let archive = json!({"reason": "guest_request"});
        self.admin.put(&format!("/orders/{id}/archive")).json(archive).send().await.assert(200);
    }

    async fn refund(&self, payment: &str, sum: i64) {
        let body = json!({ "amount": sum });
        self.admin.post(&format!("/payments/{payment}/refunds")).json(body).send().await.assert(201);
    }

    /// The refunds of an order: state and amount.
    async fn refunds(&self, id: &str) -> Vec<(String, i64)> {
        let order = self.read(id).await;
        let rows = order["refunds"].as_array().unwrap().iter();
        rows.map(|one| (one["state"].as_str().unwrap().to_owned(), amount(&one["amount"]))).collect()
    }

    /// The order with the same items again, in its place.
    async fn replace(&self, id: &str) -> String {
        with_pin(&self.place, &["admin_login", "pos_modify_order"], PIN, Value::Null).await;
        let items = json!({"items": self.body()["items"]});
        let path = format!("/orders/{id}/replacement");
        let new = self.admin.post(&path).header("x-pin", PIN).json(items).send().await.assert(201).json();
        new["id"].as_str().unwrap().to_owned()
    }
}

#[testkit::test]
async fn another_method_than_that_of_the_order_pays_it() {
    let shop = Shop::open("simplepay").await;
    add(&shop.admin, good("szep")).await;
    let methods = shop.admin.get("/payment-methods").send().await.assert(200).json();
    let of = |kind: &str| {
        let found = methods.as_array().unwrap().iter().find(|one| one["payment_type"] == kind);
        found.unwrap_or_else(|| panic!("{methods}"))["id"].clone()
    };
    let szep = of("szep_kartya_online");
    let body = json!({"payment_method_ids": [shop.method, szep], "view": "web"});
    shop.admin.put("/payment-methods").json(body).send().await.assert(200);
    let (id, path) = shop.ordered().await;
    let form = format!("method={}", szep.as_str().unwrap());
    let shown = shop.send_form(&path, &form).await;
    assert!(shown.leads_to.starts_with("http"), "{}", shown.leads_to);
    let payment = shop.payments(&id).await[0].clone();
    assert!(shop.bench.simplepay.pay(payment["id"].as_str().unwrap()));
    shop.ask(&path).await;
    let order = shop.read(&id).await;
    assert_eq!((&order["status"], amount(&order["paid"])), (&json!("succeeded"), 5900));
    assert_eq!(order["payment_method_id"], szep, "mails and lists name the method that paid");
    shop.assert_books("another method").await;
}

#[testkit::test]
async fn a_refund_is_booked_once_when_the_money_has_moved_to_another_order() {
    let shop = Shop::open("simplepay").await;
    let (id, path) = shop.ordered().await;
    let payment = shop.pay(&id, &path).await;
    shop.refund(&payment, 500).await;
    shop.work().await;
    assert_eq!(shop.refunds(&id).await, [("succeeded".to_owned(), 500)]);
    let new = shop.replace(&id).await;
    shop.work().await;
    assert_eq!(shop.refunds(&new).await, []);
    shop.assert_books("changed items").await;
    assert!(shop.look(&path).await.contains("The restaurant has the order"), "another order took its place");
    // More goes back on the provider's page, and comes back.
    assert!(shop.bench.simplepay.refund_by_hand(&payment, 70_000));
    shop.inquire(&payment).await;
    assert_eq!(shop.refunds(&new).await, [("succeeded".to_owned(), 700)]);
    shop.assert_books("on the page").await;
    shop.archive(&new).await;
    shop.work().await;
    assert_eq!(amount(&shop.read(&new).await["paid"]), 0);
    shop.assert_books("storno").await;
}

#[testkit::test]
async fn item_41_a_refund_that_comes_back_is_with_the_order_that_has_the_payment() {
    let shop = Shop::open("barion").await;
    let (id, path) = shop.ordered().await;
    let payment = shop.pay(&id, &path).await;
    shop.refund(&payment, 1000).await;
    shop.work().await;
    let refund = shop.read(&id).await["refunds"][0]["id"].as_str().unwrap().to_owned();
    let new = shop.replace(&id).await;
    assert!(shop.bench.barion.bounce(&refund) || shop.bench.barion.bounce(&shop.reference(&refund).await));
    shop.inquire(&payment).await;
    assert_eq!(amount(&shop.read(&new).await["paid"]), 5900, "the whole money is with the new order");
    let found = shop.admin.get("/payments?attention=true").send().await.assert(200).json();
    assert_eq!(found.as_array().unwrap().len(), 1, "a refund that came back is a task");
    shop.archive(&new).await;
    shop.work().await;
    assert_eq!(amount(&shop.read(&new).await["paid"]), 0);
}

impl Shop {
    /// The provider's id of a refund.
    async fn reference(&self, refund: &str) -> String {
        let sql =
            format!("select provider_ref from {}.payment_refund where id = '{refund}'", self.place.schema);
        self.place.kit.texts(&sql).await.remove(0)
    }
}

#[testkit::test]
async fn item_41_simplepay_tells_a_refund_that_came_back_by_its_own_number() {
    let shop = Shop::open("simplepay").await;
    let (id, path) = shop.ordered().await;
    let payment = shop.pay(&id, &path).await;
    shop.archive(&id).await;
    shop.work().await;
    let refund = shop.read(&id).await["refunds"][0]["id"].as_str().unwrap().to_owned();
    assert!(shop.bench.simplepay.bounce(&shop.reference(&refund).await));
    shop.time_of_refunds_passes().await;
    shop.inquire(&payment).await;
    assert_eq!(shop.refunds(&id).await[0].0, "failed");
    let found = shop.admin.get("/payments?attention=true").send().await.assert(200).json();
    assert_eq!(found.as_array().unwrap().len(), 1);
    shop.refund(&payment, 5900).await;
    shop.work().await;
    shop.assert_books("asked again").await;
    assert_eq!(amount(&shop.read(&id).await["paid"]), 0);
}

#[testkit::test]
async fn item_38_a_refund_whose_answer_was_lost_is_one() {
    let shop = Shop::open("simplepay").await;
    let (id, path) = shop.ordered().await;
    shop.pay(&id, &path).await;
    shop.bench.simplepay.next_at("refund", Fault::CloseAfterWork);
    shop.archive(&id).await;
    shop.run_jobs().await;
    shop.time_of_refunds_passes().await;
    shop.work().await;
    assert_eq!(shop.refunds(&id).await, [("succeeded".to_owned(), 5900)]);
    shop.assert_books("lost").await;
    // A provider that wants no call now is asked again, and nothing has failed.
    let (id, path) = shop.ordered().await;
    shop.pay(&id, &path).await;
    shop.bench.simplepay.next_at("refund", Fault::Status(429));
    shop.archive(&id).await;
    shop.work().await;
    assert_eq!(shop.refunds(&id).await, [("succeeded".to_owned(), 5900)]);
    shop.assert_books("limited").await;
}

#[testkit::test]
async fn what_went_back_on_the_page_before_a_storno_is_not_given_twice() {
    let shop = Shop::open("simplepay").await;
    let (id, path) = shop.ordered().await;
    let payment = shop.pay(&id, &path).await;
    assert!(shop.bench.simplepay.refund_by_hand(&payment, 300_000));
    shop.archive(&id).await;
    shop.work().await;
    assert_eq!(amount(&shop.read(&id).await["paid"]), 0);
    shop.assert_books("storno").await;
    // A person's refund that did not know of the one on the page is not sent.
    let (id, path) = shop.ordered().await;
    let payment = shop.pay(&id, &path).await;
    assert!(shop.bench.simplepay.refund_by_hand(&payment, 50_000));
    shop.refund(&payment, 500).await;
    shop.work().await;
    let mut refunds = shop.refunds(&id).await;
    refunds.sort();
    assert_eq!(refunds, [("failed".to_owned(), 500), ("succeeded".to_owned(), 500)]);
    shop.assert_books("by hand").await;
}

#[testkit::test]
async fn cash_is_chosen_while_the_provider_is_away() {
    let shop = Shop::open("simplepay").await;
    let (id, path) = shop.ordered().await;
    shop.bench.simplepay.next(Fault::Status(429));
    assert_eq!(shop.open_page(Method::POST, &path).await.leads_to, path);
    let methods = shop.admin.get("/payment-methods").send().await.assert(200).json();
    let cash = methods.as_array().unwrap().iter().find(|one| one["payment_key"] == "cash").unwrap();
    shop.send_form(&path, &format!("method={}", cash["id"].as_str().unwrap())).await;
    let text = shop.look(&path).await;
    assert!(text.contains("Order sent") && !text.contains("transaction id"), "{text}");
    let paid = json!({"payment_method": "cash", "amount": 5900, "confirmed": true});
    shop.admin.post(&format!("/orders/{id}/payments")).json(paid).send().await.assert(201);
}

#[testkit::test]
async fn held_money_is_released_by_a_provider_that_was_away() {
    let shop = Shop::open("simplepay").await;
    shop.admin.put("/payment-methods").json(json!({"charge_when_accepted": true})).send().await.assert(200);
    let (id, path) = shop.ordered().await;
    shop.pay(&id, &path).await;
    shop.bench.simplepay.next_at("finish", Fault::Status(429));
    shop.archive(&id).await;
    shop.run_jobs().await;
    assert_eq!(shop.payments(&id).await[0]["state"], "authorised");
    shop.work().await;
    assert_eq!(shop.payments(&id).await[0]["state"], "cancelled");
    assert!(shop.look(&path).await.contains("Nothing was charged"));
    // The answer to the capture is lost: the question finds it soon.
    let (id, path) = shop.ordered().await;
    shop.pay(&id, &path).await;
    shop.bench.simplepay.next_at("finish", Fault::CloseAfterWork);
    shop.admin.put(&format!("/orders/{id}/accept")).json(json!({})).send().await.assert(200);
    shop.run_jobs().await;
    shop.work().await;
    assert_eq!(amount(&shop.read(&id).await["paid"]), 5900);
    shop.assert_books("held").await;
}

#[testkit::test]
async fn the_page_tells_the_truth_of_an_order_that_is_over() {
    let shop = Shop::open("simplepay").await;
    let (id, path) = shop.ordered().await;
    shop.pay(&id, &path).await;
    shop.archive(&id).await;
    assert!(shop.look(&path).await.contains("goes back by itself"));
    shop.work().await;
    let text = shop.look(&path).await;
    assert!(text.contains("The order was cancelled") && text.contains("5,900"), "{text}");
    let state = shop.key.get(&format!("/public/orders/{id}/payment")).send().await.assert(200).json();
    assert_eq!(state["state"], "ended");
    // The language that was chosen on the page stays, and five tries are all.
    let body = with(with(shop.body(), "email", json!("sprache@guest.test")), "locale", json!("hu"));
    let made = order(&shop.key, body).await.assert(201).json();
    let id = made["id"].as_str().unwrap().to_owned();
    let page: url::Url = made["payment"]["url"].as_str().unwrap().parse().unwrap();
    let path = page.path();
    assert!(shop.look(path).await.contains("kifizette"));
    for _ in 0..5 {
        shop.open_page(Method::POST, &format!("{path}?lang=en")).await;
        let payment = shop.payments(&id).await[0]["id"].as_str().unwrap().to_owned();
        assert!(shop.bench.simplepay.decline(&payment, 2013));
        shop.ask(path).await;
    }
    let text = shop.look(path).await;
    assert!(text.contains("cannot be paid online any more"), "{text}");
    assert!(!text.contains("Pay: "), "{text}");
}
