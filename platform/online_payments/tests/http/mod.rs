//! Payments on a provider's page, from the order to the refund, with stand-ins of the providers.

mod ledger;
mod line_faults;
mod messages;

use contract::Environment;
use poem::{
    Endpoint, Request,
    endpoint::BoxEndpoint,
    http::{Method, StatusCode, header},
};
use serde_json::{Value, json};
use testkit::{Client, Kit, Place, kit};
use url::Url;

use crate::{
    orders::{Menu, amount, order, pickup, prepared, with},
    payment_methods::accounts::{Bench, add, at, good},
};

/// A restaurant whose guests pay by card through a provider.
struct Shop {
    bench: Bench,
    service: &'static BoxEndpoint<'static>,
    place: Place<'static>,
    admin: Client<'static>,
    key: Client<'static>,
    menu: Menu,
    method: Value,
}

/// An answer that a browser gets.
struct Shown {
    status: StatusCode,
    leads_to: String,
    text: String,
}

impl Shop {
    async fn open(provider: &str) -> Self {
        let bench = at(&[Environment::Live]).await;
        // An installation of its own: others work jobs without these stand-ins.
        let own: &'static Kit = Box::leak(Box::new(kit().await.beside("online").await));
        let service: &'static _ = Box::leak(Box::new(own.with_plugins(bench.plugins.clone())));
        let place = own.partner().await;
        let (admin, menu, key) = prepared(&place).await;
        let (admin, key) = (admin.at(service), key.at(service));
        add(&admin, good(provider)).await;
        let methods = admin.get("/payment-methods").send().await.assert(200).json();
        let method =
            methods.as_array().unwrap().iter().find(|one| one["payment_type"] == "card_online").unwrap();
        let body = json!({"payment_method_ids": [method["id"]], "view": "web"});
        admin.put("/payment-methods").json(body).send().await.assert(200);
        Self { bench, service, place, method: method["id"].clone(), admin, key, menu }
    }

    fn body(&self) -> Value {
        let body = pickup(&self.menu);
        let body = with(body, "payment_method_id", self.method.clone());
        let body = with(body, "email", json!("vendeg@guest.test"));
        let mut body = with(body, "locale", json!("en"));
        body.as_object_mut().unwrap().remove("payment_method");
        body
    }

    /// An order that waits, and the path of its page.
    async fn ordered(&self) -> (String, String) {
        // Tries with one address are limited.
        self.ordered_by(&format!("{}@guest.test", uuid::Uuid::now_v7().simple())).await
    }

    async fn ordered_by(&self, email: &str) -> (String, String) {
        let order = order(&self.key, with(self.body(), "email", json!(email))).await.assert(201).json();
        assert_eq!((&order["status"], &order["payment"]["state"]), (&json!("received"), &json!("unpaid")));
        let url: Url = order["payment"]["url"].as_str().unwrap().parse().unwrap();
        (order["id"].as_str().unwrap().to_owned(), url.path().to_owned())
    }

    async fn open_page(&self, method: Method, path: &str) -> Shown {
        self.shown(Request::builder().method(method).uri(path.parse().unwrap()).finish()).await
    }

    async fn send_form(&self, path: &str, form: &str) -> Shown {
        let request = Request::builder().method(Method::POST).uri(path.parse().unwrap());
        let request = request.content_type("application/x-www-form-urlencoded").body(form.to_owned());
        self.shown(request).await
    }

    async fn shown(&self, request: Request) -> Shown {
        let mut answer = self.service.get_response(request).await;
        let leads_to = answer.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned());
        let text = answer.take_body().into_string().await.unwrap();
        Shown { status: answer.status(), leads_to: leads_to.unwrap_or_default(), text }
    }

    async fn look(&self, path: &str) -> String {
        let shown = self.open_page(Method::GET, path).await;
        assert_eq!(shown.status, 200, "{}", shown.text);
        shown.text
    }

    /// Sends the form; answers the provider's id of the payment.
    async fn begin(&self, path: &str) -> String {
        let shown = self.open_page(Method::POST, path).await;
        assert_eq!(shown.status, 303, "{}", shown.text);
        let page: Url = shown.leads_to.parse().unwrap_or_else(|_| panic!("{}", shown.leads_to));
        let id = page
            .query_pairs()
            .find(|(name, _)| name.eq_ignore_ascii_case("id"))
            .map(|(_, id)| id.to_string());
        id.unwrap_or_else(|| page.path_segments().unwrap().next_back().unwrap().to_owned())
    }

    /// The guest begins the payment of an order and pays on the provider's page. Answers our payment.
    async fn pay(&self, order: &str, path: &str) -> String {
        self.begin(path).await;
        let payment = self.payments(order).await[0].clone();
        let text = |name: &str| payment[name].as_str().unwrap().to_owned();
        let paid = match payment["provider"].as_str() {
            Some("barion") => self.bench.barion.pay(&text("provider_ref")),
            _ => self.bench.simplepay.pay(&text("id")),
        };
        assert!(paid, "{payment}");
        self.ask(path).await;
        text("id")
    }

    /// The guest comes back, and the provider is asked.
    async fn ask(&self, path: &str) {
        let asked = format!("update {}.payment_attempt set asked_at = null", self.place.schema);
        self.place.kit.run(&asked, vec![]).await;
        self.open_page(Method::GET, &format!("{path}/back")).await;
    }

    async fn payments(&self, order: &str) -> Value {
        self.admin.get(&format!("/payments?order_id={order}")).send().await.assert(200).json()
    }

    async fn read(&self, id: &str) -> Value {
        self.admin.get(&format!("/orders/{id}")).send().await.assert(200).json()
    }

    async fn run_jobs(&self) {
        self.place.kit.run_jobs_with(&self.bench.plugins).await;
    }
}

#[testkit::test]
async fn an_order_is_paid_at_barion_and_its_money_goes_back() {
    let shop = Shop::open("barion").await;
    let (id, path) = shop.ordered().await;
    for _ in 0..2 {
        assert!(shop.look(&path).await.contains("once it is paid"), "looking changes nothing");
    }
    let payment = shop.begin(&path).await;
    assert_eq!(shop.begin(&path).await, payment, "a second form leads to the same payment");
    assert!(shop.look(&path).await.contains("under way"));
    let state = shop.key.get(&format!("/public/orders/{id}/payment")).send().await.assert(200).json();
    assert_eq!((&state["state"], state.get("url")), (&json!("pending"), None));
    // A browser that claims success is believed in nothing.
    let back = format!("{path}/back?paymentId={payment}");
    assert_eq!(shop.open_page(Method::GET, &back).await.leads_to, path);
    assert_eq!(shop.read(&id).await["status"], "received");
    assert!(shop.bench.barion.pay(&payment));
    // Within five seconds the provider is not asked again: the page asks by its job.
    let asked = format!("update {}.payment_attempt set asked_at = null", shop.place.schema);
    shop.place.kit.run(&asked, vec![]).await;
    shop.open_page(Method::GET, &back).await;
    let order = shop.read(&id).await;
    assert_eq!((&order["status"], amount(&order["paid"])), (&json!("succeeded"), 5900));
    assert!(shop.look(&path).await.contains("Payment successful"));
    assert_eq!(shop.open_page(Method::POST, &path).await.leads_to, path, "it is paid once");
    let archive = json!({"reason": "guest_request"});
    shop.admin.put(&format!("/orders/{id}/archive")).json(archive).send().await.assert(200);
    shop.run_jobs().await;
    let order = shop.read(&id).await;
    assert_eq!((amount(&order["paid"]), &order["refunds"][0]["state"]), (0, &json!("succeeded")));
    let calls = shop.bench.barion.calls();
    assert_eq!(calls.iter().filter(|call| call.to_lowercase().contains("refund")).count(), 1, "{calls:?}");
}

#[testkit::test]
async fn item_15_a_message_makes_us_ask_and_a_stranger_is_told_nothing() {
    let shop = Shop::open("barion").await;
    let (id, path) = shop.ordered().await;
    let payment = shop.begin(&path).await;
    shop.bench.barion.pay(&payment);
    let bodies = shop.bench.barion.bodies();
    let started: Value = bodies
        .iter()
        .filter_map(|body| serde_json::from_str(body).ok())
        .find(|body: &Value| body["CallbackUrl"].is_string())
        .unwrap();
    let address: Url = started["CallbackUrl"].as_str().unwrap().parse().unwrap();
    let call = format!("{}?paymentId={payment}", address.path());
    for _ in 0..3 {
        assert_eq!(shop.open_page(Method::POST, &call).await.status, 200);
    }
    for foreign in ["/pay/pc_x", "/pay/x", "/api/v3/payments/callbacks/barion/pc_x"] {
        let method = if foreign.starts_with("/api") { Method::POST } else { Method::GET };
        assert_eq!(shop.open_page(method, foreign).await.status, 404, "{foreign}");
    }
    // The page's secret is no address of messages, and the other way round.
    let token = path.rsplit('/').next().unwrap();
    let mixed = format!("/api/v3/payments/callbacks/barion/{token}");
    assert_eq!(shop.open_page(Method::POST, &mixed).await.status, 404);
    shop.run_jobs().await;
    let order = shop.read(&id).await;
    assert_eq!((&order["status"], amount(&order["paid"])), (&json!("succeeded"), 5900));
    assert_eq!(order["payable_transactions"].as_array().unwrap().len(), 1);
}

#[testkit::test]
async fn a_refused_payment_is_tried_again_at_simplepay() {
    let shop = Shop::open("simplepay").await;
    let without = with(shop.body(), "email", Value::Null);
    order(&shop.key, without).await.assert_keys(&["email"]);
    for foreign in ["https://evil.test/", "http://pult.test@evil.test/"] {
        order(&shop.key, with(shop.body(), "return_url", json!(foreign))).await.assert_keys(&["return_url"]);
    }
    let (id, path) = shop.ordered().await;
    shop.bench.simplepay.next(sandbox::Fault::Status(429));
    let away = shop.open_page(Method::POST, &path).await;
    assert_eq!((away.status.as_u16(), away.leads_to.as_str()), (303, path.as_str()));
    assert!(shop.look(&path).await.contains("cannot be reached"));
    let first = shop.begin(&path).await;
    assert!(!first.is_empty() && shop.look(&path).await.contains("under way"));
    assert_eq!(shop.read(&id).await["status"], "received");
    // A lost answer: nothing is begun a second time, and the question finds the payment.
    let (lost, path) = shop.ordered().await;
    shop.bench.simplepay.next(sandbox::Fault::CloseAfterWork);
    for _ in 0..2 {
        assert_eq!(shop.open_page(Method::POST, &path).await.leads_to, path);
        assert!(shop.look(&path).await.contains("Do not pay again"));
    }
    shop.place
        .kit
        .run("update control.job set run_at = now() where kind = 'online_payment_ask'", vec![])
        .await;
    shop.run_jobs().await;
    let payments = shop.admin.get(&format!("/payments?order_id={lost}")).send().await.assert(200).json();
    assert_eq!((payments.as_array().unwrap().len(), &payments[0]["state"]), (1, &json!("cancelled")));
    assert!(!shop.begin(&path).await.is_empty(), "the page of the first one was shown to no guest");
    // The order is the key's: another one hears nothing of it.
    let other = shop.place.api_key(&["orders:read"]).await;
    let path = format!("/public/orders/{id}/payment");
    other.get(&path).send().await.assert_problem(404, "ORDER_NOT_EXIST");
}

#[testkit::test]
async fn item_42_held_money_is_taken_with_the_acceptance_and_released_with_a_refusal() {
    for provider in ["simplepay", "barion"] {
        let shop = Shop::open(provider).await;
        let change = json!({"charge_when_accepted": true});
        shop.admin.put("/payment-methods").json(change).send().await.assert(200);
        for accepted in [true, false] {
            let (id, path) = shop.ordered().await;
            shop.pay(&id, &path).await;
            let order = shop.read(&id).await;
            assert_eq!((&order["status"], amount(&order["paid"])), (&json!("succeeded"), 0), "{provider}");
            assert!(shop.look(&path).await.contains("Payment successful"));
            let state = &order["payable_transactions"][0]["status"];
            assert_eq!(state, "authorised");
            shop.run_jobs().await;
            assert_eq!(amount(&shop.read(&id).await["paid"]), 0, "it waits to be accepted");
            if accepted {
                shop.admin.put(&format!("/orders/{id}/accept")).json(json!({})).send().await.assert(200);
            } else {
                let archive = json!({"reason": "too_busy"});
                shop.admin.put(&format!("/orders/{id}/archive")).json(archive).send().await.assert(200);
            }
            shop.run_jobs().await;
            let order = shop.read(&id).await;
            let rows = order["payable_transactions"].as_array().unwrap();
            let payments = shop.payments(&id).await;
            let expected = if accepted { (5900, 1, "captured") } else { (0, 0, "cancelled") };
            let seen = (amount(&order["paid"]), rows.len(), payments[0]["state"].as_str().unwrap());
            assert_eq!(seen, expected, "{provider} {rows:?}");
            assert_eq!(order["refunds"], json!([]), "{provider}: what was only held is not given back");
        }
    }
}

#[testkit::test]
async fn held_money_that_is_gone_wants_attention() {
    let shop = Shop::open("simplepay").await;
    shop.admin.put("/payment-methods").json(json!({"charge_when_accepted": true})).send().await.assert(200);
    let (id, path) = shop.ordered().await;
    let attempt = shop.pay(&id, &path).await;
    assert!(shop.bench.simplepay.end_hold(&attempt));
    shop.admin.put(&format!("/orders/{id}/accept")).json(json!({})).send().await.assert(200);
    shop.run_jobs().await;
    let found = shop.admin.get("/payments?attention=true").send().await.assert(200).json();
    assert_eq!((found.as_array().unwrap().len(), &found[0]["not_taken"]), (1, &json!(true)), "{found}");
    let order = shop.read(&id).await;
    assert_eq!((amount(&order["due"]), &order["status"]), (5900, &json!("processed")));
    let looked = shop.admin.post(&format!("/payments/{attempt}/look")).send().await.assert(200).json();
    assert_eq!(looked["attention"], false);
    let said = looked["conversation"].as_array().unwrap();
    assert!(said.iter().any(|line| line["source"] == "call" && line["call"] == "start"), "{said:?}");
}

#[testkit::test]
async fn a_storno_asks_before_money_goes_back_where_the_restaurant_wants_so() {
    let shop = Shop::open("barion").await;
    let texts = json!([{"provider": "barion", "outcome": "paid", "hu": "Köszönjük!", "en": "Thanks <b>"}]);
    let change = json!({"ask_before_refunds": true, "page_texts": texts});
    shop.admin.put("/payment-methods").json(change).send().await.assert(200);
    let twice = json!({"page_texts": [texts[0], texts[0]]});
    shop.admin.put("/payment-methods").json(twice).send().await.assert_keys(&["page_texts.1"]);
    let (id, path) = shop.ordered_by("asked@guest.test").await;
    shop.pay(&id, &path).await;
    assert!(shop.look(&path).await.contains("Thanks &lt;b"));
    let archive = json!({"reason": "guest_request"});
    shop.admin.put(&format!("/orders/{id}/archive")).json(archive).send().await.assert(200);
    shop.run_jobs().await;
    let refund = shop.read(&id).await["refunds"][0].clone();
    assert_eq!((&refund["state"], &refund["waits"]), (&json!("created"), &json!(true)));
    let refund = format!("/refunds/{}", refund["id"].as_str().unwrap());
    let by_hand = json!({"done": true});
    shop.admin
        .post(&format!("{refund}/confirm"))
        .json(by_hand)
        .send()
        .await
        .assert_problem(409, "REFUND_STATE_CHANGED");
    shop.admin.post(&format!("{refund}/send")).send().await.assert(200);
    shop.admin.post(&format!("{refund}/send")).send().await.assert_problem(409, "REFUND_STATE_CHANGED");
    for _ in 0..2 {
        shop.run_jobs().await;
    }
    assert_eq!(shop.read(&id).await["refunds"][0]["state"], "succeeded");
    let mails = shop.place.kit.mails_to("asked@guest.test");
    let mail = mails.iter().find(|mail| mail.contains("your money goes back")).unwrap();
    assert!(mail.contains("5,900") && mail.contains("banking days"), "{mail}");
}

#[testkit::test]
async fn a_day_is_compared_with_the_providers_books() {
    let shop = Shop::open("simplepay").await;
    let (id, path) = shop.ordered().await;
    let paid = shop.pay(&id, &path).await;
    let (other, path) = shop.ordered().await;
    let given_back = shop.pay(&other, &path).await;
    // Given back on the provider's page: the comparison finds and books it.
    assert!(shop.bench.simplepay.refund_by_hand(&given_back, 100_000));
    let (third, path) = shop.ordered().await;
    let wrong = shop.pay(&third, &path).await;
    let spoil = format!(
        "update {}.payment_attempt set captured = captured - 1 where id = $1::uuid",
        shop.place.schema
    );
    shop.place.kit.run(&spoil, vec![wrong.clone().into()]).await;
    let day = shop.read(&id).await["payable_transactions"][0]["business_day"].as_str().unwrap().to_owned();
    let late = json!({"day": "2199-01-01"});
    shop.admin.post("/payment-reconciliations").json(late).send().await.assert_keys(&["day"]);
    let mut begun = Vec::new();
    for _ in 0..2 {
        let body = json!({"day": day});
        begun.push(shop.admin.post("/payment-reconciliations").json(body).send().await.assert(200).json());
    }
    assert_eq!(begun[0]["id"], begun[1]["id"], "the one under way is taken");
    shop.run_jobs().await;
    let path = format!("/payment-reconciliations/{}", begun[0]["id"].as_str().unwrap());
    let done = shop.admin.get(&path).send().await.assert(200).json();
    let figures =
        ["state", "progress", "payments", "differences", "unexplained"].map(|name| done[name].clone());
    assert_eq!(figures, [json!("ready"), json!(100), json!(3), json!(2), json!(1)], "{done}");
    let lines = shop.admin.get(&format!("{path}/lines?differences=true")).send().await.assert(200).json();
    let of =
        |id: &str| lines.as_array().unwrap().iter().find(|line| line["attempt_id"] == id).unwrap().clone();
    let (back, amount_line) = (of(&given_back), of(&wrong));
    assert_eq!((&back["difference"], &back["explained"]), (&json!("refunded"), &json!("booked")));
    assert_eq!((&amount_line["difference"], &amount_line["explained"]), (&json!("amount"), &Value::Null));
    assert!(!lines.to_string().contains(&paid));
    assert_eq!(amount(&shop.read(&other).await["paid"]), 4900, "what went back there is booked here");
    let explain = format!("/payment-reconciliations/lines/{}/explain", amount_line["id"].as_str().unwrap());
    shop.admin.post(&explain).json(json!({"reason": "Elírás"})).send().await.assert(204);
    assert_eq!(shop.admin.get(&path).send().await.json()["unexplained"], 0);
    let book = format!("/payment-reconciliations/workbook?from={day}&till={day}");
    let bytes = shop.admin.get(&book).send().await.assert(200).body;
    assert_eq!(&bytes[..2], b"PK");
    let long = "/payment-reconciliations/workbook?from=2026-01-01&till=2026-03-01";
    shop.admin.get(long).send().await.assert_keys(&["till"]);
}

#[testkit::test]
async fn nothing_moves_while_payments_wait_after_a_restore() {
    let shop = Shop::open("simplepay").await;
    add(&shop.admin, good("szep")).await;
    let (id, path) = shop.ordered().await;
    shop.pay(&id, &path).await;
    let pause = format!(
        "insert into {}.payment_pause (kind, since) values ('restored', now() - interval '1 hour')",
        shop.place.schema
    );
    shop.place.kit.run(&pause, vec![]).await;
    order(&shop.key, shop.body()).await.assert_problem(409, "ORDER_NOT_ACCEPTABLE");
    let archive = json!({"reason": "guest_request"});
    shop.admin.put(&format!("/orders/{id}/archive")).json(archive).send().await.assert(200);
    shop.run_jobs().await;
    assert_eq!(shop.read(&id).await["refunds"][0]["state"], "created");
    let booked = shop.admin.get("/payment-pause/booked").send().await.assert(200).json();
    assert_eq!(booked.as_array().unwrap().len(), 1, "cards and SZÉP cards are one provider: {booked}");
    assert_eq!(
        (&booked[0]["can_tell"], &booked[0]["payments"][0]["known"]),
        (&json!(true), &json!(true)),
        "{booked}"
    );
    let partner = shop.place.partner_admin().await.at(shop.service);
    let pause = format!("/api/v3/admin/partners/{}/payment-pause", shop.place.partner);
    shop.admin.delete(&pause).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let state = partner.get(&pause).send().await.assert(200).json();
    assert_eq!(
        (&state["paused"], &state["kind"], &state["may_end"]),
        (&json!(true), &json!("restored"), &json!(true))
    );
    partner.delete(&pause).send().await.assert(204);
    partner.delete(&pause).send().await.assert_problem(409, "PARTNER_STATE_CHANGED");
    shop.place
        .kit
        .run("update control.job set run_at = now() where kind = 'online_payment_refund'", vec![])
        .await;
    shop.run_jobs().await;
    assert_eq!(shop.read(&id).await["refunds"][0]["state"], "succeeded");
}
