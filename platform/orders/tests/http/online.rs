//! Payments on a provider's page, by the provider's words alone: no provider is called here.

use contract::{CallError, CallFault, SeenRefund, SeenState, Snapshot, StartedPayment};
use futures_util::StreamExt;
use kernel::{Id, money::Money, time::Timestamp};
use orders::{
    OrderId, PaymentId,
    online::{self, Begun, Heard, OnlineMethod},
};
use serde_json::{Value, json};
use testkit::kit;
use uuid::Uuid;

use super::{amount, payments::Till, pickup, text};

/// A till with an order of 5,900 Ft that waits to be paid online.
struct Online {
    till: Till<'static>,
    method: Uuid,
    account: Uuid,
}

impl Online {
    async fn open() -> Self {
        let till = Till::open().await;
        let method =
            kit().await.texts("select id::text from ref.payment_method where payment_key = 'card'").await;
        let this = Self { till, method: method[0].parse().unwrap(), account: Uuid::now_v7() };
        this.wait_for_payment(&this.till.id).await;
        this
    }

    /// Makes an order one that waits to be paid online.
    async fn wait_for_payment(&self, id: &str) {
        let (kit, schema) = (kit().await, &self.till.place.schema);
        let id: Uuid = id.parse().unwrap();
        for sql in [
            "update {}.orders set status = 'received', counter = null, visible_at = null where id = $1",
            "insert into {}.order_payment_page (order_id, restaurant_id, pay_until, created_at) \
                select id, restaurant_id, now() + interval '30 minutes', now() from {}.orders where id = $1",
        ] {
            kit.run(&sql.replace("{}", schema), vec![id.into()]).await;
        }
    }

    fn order(&self) -> Id<OrderId> {
        self.till.id.parse().unwrap()
    }

    /// Runs something in a unit of work of its own.
    async fn begin(&self) -> Begun {
        let tx = kit().await.unit_of_work(self.till.place.partner).await;
        let facts = restaurants::facts(&tx, self.till.place.restaurant).await.unwrap();
        let method = OnlineMethod {
            id: self.method,
            key: "card",
            provider: "bank",
            account: self.account,
            environment: "stand_in",
            hold: false,
        };
        let begun = online::begin(&tx, &facts, self.order(), &method, Timestamp::now()).await.unwrap();
        tx.commit().await.unwrap();
        begun
    }

    /// An attempt that the provider has taken.
    async fn started(&self) -> Id<PaymentId> {
        let Begun::Start(attempt) = self.begin().await else { panic!("it does not start") };
        let tx = kit().await.unit_of_work(self.till.place.partner).await;
        let started = StartedPayment {
            reference: format!("ref-{}", attempt.id),
            page: "https://bank.test/pay".parse().unwrap(),
        };
        online::started(&tx, attempt.id, &started, Timestamp::now()).await.unwrap();
        tx.commit().await.unwrap();
        attempt.id
    }

    async fn not_started(&self, id: Id<PaymentId>, error: &CallError) -> bool {
        let tx = kit().await.unit_of_work(self.till.place.partner).await;
        let again = online::not_started(&tx, id, error, Timestamp::now()).await.unwrap();
        tx.commit().await.unwrap();
        again
    }

    async fn seen(&self, snapshot: &Snapshot) -> Heard {
        let tx = kit().await.unit_of_work(self.till.place.partner).await;
        let facts = restaurants::facts(&tx, self.till.place.restaurant).await.unwrap();
        let id = snapshot.attempt.parse().unwrap();
        let heard = online::seen(&tx, &facts, id, snapshot, Timestamp::now()).await.unwrap();
        tx.commit().await.unwrap();
        heard
    }

    async fn payment(&self, id: Id<PaymentId>) -> Value {
        self.till.admin.get(&format!("/payments/{id}")).send().await.assert(200).json()
    }

    async fn status(&self) -> Value {
        self.till.read().await["status"].clone()
    }

    /// The time of the order is over, and the job that ends it runs.
    async fn time_is_over(&self) {
        let (kit, schema) = (kit().await, &self.till.place.schema);
        let sql = format!("update {schema}.order_payment_page set pay_until = now() - interval '1 second'");
        kit.run(&sql, vec![]).await;
        let sql = "insert into control.job (partner_id, kind, args) values ($1, 'order_expire', \
            jsonb_build_object('order_id', $2::text))";
        kit.run(sql, vec![self.till.place.partner.into(), self.till.id.clone().into()]).await;
        kit.run_jobs().await;
    }
}

fn said(id: Id<PaymentId>, state: SeenState, sum: i64) -> Snapshot {
    Snapshot {
        attempt: id.to_string(),
        reference: format!("ref-{id}"),
        state,
        provider_state: format!("{state:?}").to_uppercase(),
        amount: Money::from(sum).0,
        currency: "HUF".into(),
        refunded: Money::ZERO.0,
        refunds: vec![],
        decline: (state == SeenState::Failed).then_some(contract::Decline::NotEnoughMoney),
        decline_code: (state == SeenState::Failed).then(|| "2013".to_owned()),
        masked_card: Some("516123******1234".into()),
        fee: None,
        part: None,
    }
}

#[testkit::test]
async fn item_01_an_order_is_paid_online_once() {
    let at = Online::open().await;
    let id = at.started().await;
    // Another window finds the same one.
    assert!(matches!(at.begin().await, Begun::Open(open) if open.id == id && open.page_url.is_some()));
    assert_eq!(at.status().await, "received");
    for state in [SeenState::Pending, SeenState::Captured, SeenState::Captured, SeenState::Pending] {
        assert_eq!(at.seen(&said(id, state, 5900)).await, Heard::Written);
    }
    assert_eq!(at.status().await, "succeeded");
    assert_eq!(at.till.sums().await, (5900, 0, vec![(5900, 0, 0)]));
    let payment = at.payment(id).await;
    assert_eq!((&payment["state"], &payment["kind"]), (&json!("captured"), &json!("online")));
    assert_eq!(at.till.read().await["payable_transactions"][0]["provider_ref"], json!(format!("ref-{id}")));
    assert!(matches!(at.begin().await, Begun::Over));
    assert_eq!(at.seen(&said(id, SeenState::Failed, 5900)).await, Heard::Conflict);
    assert_eq!(at.payment(id).await["state"], "captured");
}

#[testkit::test]
async fn item_22_parallel_words_are_one_transition() {
    let at = Online::open().await;
    let id = at.started().await;
    let word = said(id, SeenState::Captured, 5900);
    // At most six at once: more wait for a connection of the test's own.
    let all = futures_util::stream::iter((0..50).map(|_| at.seen(&word)));
    all.buffer_unordered(6).collect::<Vec<_>>().await;
    assert_eq!(at.till.sums().await, (5900, 0, vec![(5900, 0, 0)]));
    let steps = at.till.history().await;
    assert_eq!(steps.iter().filter(|step| *step == "succeeded").count(), 2, "placed, and paid: {steps:?}");
}

#[testkit::test]
async fn item_02_a_refused_try_leaves_the_order_and_its_end_is_that_of_the_last_one() {
    for (state, end) in
        [(SeenState::Failed, "failed"), (SeenState::Cancelled, "canceled"), (SeenState::Expired, "expired")]
    {
        let at = Online::open().await;
        let id = at.started().await;
        at.seen(&said(id, state, 5900)).await;
        assert_eq!(at.status().await, "received");
        assert_eq!(at.till.sums().await.2, vec![]);
        at.time_is_over().await;
        assert_eq!(at.status().await, end);
    }
    // No try was made.
    let at = Online::open().await;
    at.time_is_over().await;
    assert_eq!(at.status().await, "expired");
}

#[testkit::test]
async fn an_open_try_holds_its_order_and_five_are_enough() {
    let at = Online::open().await;
    let id = at.started().await;
    at.time_is_over().await;
    assert_eq!(at.status().await, "received", "the provider is to be asked first");
    at.seen(&said(id, SeenState::Cancelled, 5900)).await;
    let sql = format!(
        "update {}.order_payment_page set pay_until = now() + interval '9 minutes'",
        at.till.place.schema
    );
    kit().await.run(&sql, vec![]).await;
    for _ in 0..4 {
        let id = at.started().await;
        at.seen(&said(id, SeenState::Failed, 5900)).await;
    }
    assert!(matches!(at.begin().await, Begun::NoMore));
}

#[testkit::test]
async fn item_07_and_08_a_start_that_is_refused_lost_or_never_arrived() {
    let at = Online::open().await;
    let Begun::Start(first) = at.begin().await else { panic!() };
    assert!(matches!(at.begin().await, Begun::Open(_)), "one caller starts it");
    assert!(at.not_started(first.id, &CallError::harmless(CallFault::Unreachable)).await);
    let Begun::Start(again) = at.begin().await else { panic!() };
    assert_eq!(again.id, first.id, "no provider has heard of it");
    assert!(!at.not_started(first.id, &CallError::unknown(CallFault::Unreachable)).await);
    assert_eq!(at.payment(first.id).await["state"], "unknown");
    assert!(matches!(at.begin().await, Begun::Open(_)), "nothing is begun while its end is unknown");
    at.time_is_over().await;
    assert_eq!(at.status().await, "received");
    let tx = kit().await.unit_of_work(at.till.place.partner).await;
    online::not_found(&tx, first.id, false, Timestamp::now()).await.unwrap();
    online::not_found(&tx, first.id, true, Timestamp::now()).await.unwrap();
    tx.commit().await.unwrap();
    let payment = at.payment(first.id).await;
    assert_eq!((&payment["state"], &payment["decline_code"]), (&json!("failed"), &json!("never_arrived")));
    // A refusal in words that are documented.
    let Begun::Start(second) = at.begin().await else { panic!() };
    let refused = CallError::harmless(CallFault::Credentials).with_code("5321");
    assert!(!at.not_started(second.id, &refused).await);
    assert_eq!(at.payment(second.id).await["decline_code"], "5321");
}

#[testkit::test]
async fn item_12_another_amount_or_currency_releases_no_order() {
    let at = Online::open().await;
    let id = at.started().await;
    let euros = Snapshot { currency: "EUR".into(), ..said(id, SeenState::Captured, 5900) };
    assert_eq!(at.seen(&euros).await, Heard::Conflict);
    let other = Snapshot { attempt: Uuid::now_v7().to_string(), ..said(id, SeenState::Captured, 5900) };
    assert_eq!(at.seen(&other).await, Heard::NotOurs);
    assert_eq!(at.till.sums().await.2, vec![]);
    at.seen(&said(id, SeenState::Captured, 5000)).await;
    assert_eq!((at.status().await, at.till.sums().await.2), (json!("received"), vec![(5000, 0, 0)]));
    assert_eq!(at.payment(id).await["amount_mismatch"], true);
    // At its end the money is asked to go back.
    at.time_is_over().await;
    assert_eq!(at.status().await, "expired");
    let refunds = &at.payment(id).await["refunds"];
    assert_eq!((amount(&refunds[0]["amount"]), &refunds[0]["by_storno"]), (5000, &json!(true)));
}

#[testkit::test]
async fn item_43_money_for_a_closed_try_is_never_lost() {
    // The order is over: it is made all the same while the restaurant is open, else the money goes back.
    for (closed, status) in [(false, "succeeded"), (true, "expired")] {
        let at = Online::open().await;
        let id = at.started().await;
        at.seen(&said(id, SeenState::Expired, 5900)).await;
        at.time_is_over().await;
        if closed {
            let place = &at.till.place;
            let sql = format!("update {}.restaurant set temp_no_orders = true where id = $1", place.schema);
            place.kit.run(&sql, vec![place.restaurant.into()]).await;
        }
        at.seen(&said(id, SeenState::Captured, 5900)).await;
        let payment = at.payment(id).await;
        let seen = (&payment["state"], &payment["late"], &payment["attention"]);
        assert_eq!(seen, (&json!("captured"), &json!(true), &json!(closed)));
        assert_eq!(at.status().await, status);
        let back =
            payment["refunds"].as_array().unwrap().iter().map(|one| amount(&one["amount"])).sum::<i64>();
        assert_eq!(back, if closed { 5900 } else { 0 });
    }
    // The order was paid by a second try: the late money goes back, not the other.
    let at = Online::open().await;
    let first = at.started().await;
    at.seen(&said(first, SeenState::Cancelled, 5900)).await;
    let second = at.started().await;
    at.seen(&said(second, SeenState::Captured, 5900)).await;
    at.seen(&said(first, SeenState::Captured, 5900)).await;
    assert_eq!(amount(&at.payment(first).await["refunds"][0]["amount"]), 5900);
    assert_eq!(at.payment(second).await["refunds"], json!([]));
    assert_eq!(at.status().await, "succeeded");
}

#[testkit::test]
async fn item_35_to_41_refunds_follow_the_providers_word() {
    let at = Online::open().await;
    let id = at.started().await;
    at.seen(&said(id, SeenState::Captured, 5900)).await;
    let payment = at.payment(id).await;
    // No person says that a provider has given money back.
    let asked = at.till.refund(&payment, json!({"amount": 900, "reason": "kihűlt"})).await.assert(201).json();
    assert_eq!(asked["state"], "created");
    let confirm = format!("/refunds/{}/confirm", text(&asked["id"]));
    let done = json!({"done": true});
    at.till.admin.post(&confirm).json(done).send().await.assert_problem(409, "REFUND_STATE_CHANGED");
    at.till.refund(&payment, json!({"amount": 5001})).await.assert_problem(409, "REFUND_ABOVE_PAID");
    let partner = at.till.place.partner;
    let tx = kit().await.unit_of_work(partner).await;
    let facts = restaurants::facts(&tx, at.till.place.restaurant).await.unwrap();
    let now = Timestamp::now();
    let refund = online::refunds_to_send(&tx, at.order()).await.unwrap().remove(0);
    assert!(online::claim_refund(&tx, &refund, Money::ZERO, now).await.unwrap());
    assert!(!online::claim_refund(&tx, &refund, Money::ZERO, now).await.unwrap(), "sent once");
    online::refund_lost(&tx, &refund, now).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(at.payment(id).await["refunds"][0]["state"], "unknown");
    // The totals tell that it has arrived, and that 1,000 Ft more went back on the provider's page.
    at.seen(&Snapshot { refunded: 900.into(), ..said(id, SeenState::Captured, 5900) }).await;
    at.seen(&Snapshot { refunded: 900.into(), ..said(id, SeenState::Captured, 5900) }).await;
    assert_eq!(at.till.sums().await.2, vec![(5900, 0, 0), (-900, 0, 0)]);
    at.seen(&Snapshot { refunded: 1900.into(), ..said(id, SeenState::Captured, 5900) }).await;
    assert_eq!(at.till.sums().await.2, vec![(5900, 0, 0), (-900, 0, 0), (-1000, 0, 0)]);
    // One that had succeeded comes back.
    let bounced = SeenRefund {
        reference: "r1".into(),
        ours: Some(text(&asked["id"])),
        amount: 900.into(),
        succeeded: false,
    };
    let word =
        Snapshot { refunded: 1000.into(), refunds: vec![bounced], ..said(id, SeenState::Captured, 5900) };
    for _ in 0..2 {
        at.seen(&word).await;
    }
    assert_eq!(at.till.sums().await.0, 4900);
    drop(facts);
    // A refusal is a task for a person.
    let asked = at.till.refund(&payment, json!({"amount": 100})).await.assert(201).json();
    let tx = kit().await.unit_of_work(partner).await;
    let facts = restaurants::facts(&tx, at.till.place.restaurant).await.unwrap();
    let refund = online::refunds_to_send(&tx, at.order()).await.unwrap().remove(0);
    assert_eq!(refund.id.to_string(), text(&asked["id"]));
    assert!(online::claim_refund(&tx, &refund, 1000.into(), now).await.unwrap());
    online::refund_refused(&tx, &facts, &refund, "5044", now).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(at.till.sums().await.0, 4900);
}

#[testkit::test]
async fn item_29_a_person_says_what_no_provider_can() {
    let at = Online::open().await;
    let id = at.started().await;
    let confirm = format!("/payments/{id}/confirm");
    let say = |body: Value| at.till.admin.post(&confirm).json(body).send();
    let paid = json!({"paid": true, "reason": "a bank levele", "authorisation_number": "A1"});
    say(paid.clone()).await.assert_problem(409, "PAYMENT_STATE_CHANGED");
    at.seen(&Snapshot { provider_state: "?".into(), ..said(id, SeenState::Unknown, 5900) }).await;
    assert_eq!(at.payment(id).await["state"], "unknown");
    say(json!({"paid": true, "reason": "a bank levele"})).await.assert_keys(&["authorisation_number"]);
    say(json!({"paid": true, "authorisation_number": "A1"})).await.assert_keys(&["reason"]);
    let few = at.till.place.with_keys(&["fresh_order", "order_accept"]).await;
    few.post(&confirm).json(paid.clone()).send().await.assert(403);
    say(paid).await.assert(200);
    assert_eq!((at.status().await, at.till.sums().await.0), (json!("succeeded"), 5900));
    assert_eq!(at.seen(&said(id, SeenState::Failed, 5900)).await, Heard::Conflict);
}

#[testkit::test]
async fn cash_pays_an_order_while_a_try_ends() {
    let at = Online::open().await;
    let other = at.till.another(pickup(&at.till.menu)).await;
    at.wait_for_payment(&other).await;
    // Staff take no money for an order that waits to be paid online.
    let path = format!("/orders/{other}/payments");
    let refused = at.till.admin.post(&path).json(json!({"payment_method": "cash"})).send().await;
    refused.assert_problem(409, "ORDER_STATE_CHANGED");
}
