//! Starts and messages that come twice, late, early, wrongly signed or about payments of others: items of the facts on
//! payment providers by their numbers.

use base64::{Engine, engine::general_purpose::STANDARD};
use poem::{
    Endpoint, Request,
    http::{Method, StatusCode},
};
use sandbox::{Fault, simplepay::ACCOUNTS};
use serde_json::{Value, json};
use url::Url;

use super::Shop;
use crate::payment_methods::accounts::{add, good};

/// SimplePay's message: bytes and signature.
type Signed = (Vec<u8>, String);

impl Shop {
    /// The path at which the account's messages come.
    async fn address(&self) -> String {
        let accounts = self.admin.get("/payment-methods/provider-accounts").send().await.assert(200).json();
        let url: Url = accounts[0]["callback_url"].as_str().unwrap().parse().unwrap();
        url.path().to_owned()
    }

    /// SimplePay sends a message. A good one is answered as SimplePay wants it.
    async fn tell(&self, path: &str, (body, signature): &Signed) -> StatusCode {
        let request = Request::builder().method(Method::POST).uri(path.parse().unwrap());
        // A firewall has changed the type of the content.
        let request = request.header("signature", signature).content_type("text/plain").body(body.clone());
        let mut answer = self.service.get_response(request).await;
        let status = answer.status();
        if status == StatusCode::OK {
            let header = |name: &str| answer.headers().get(name).unwrap().to_str().unwrap().to_owned();
            let (kind, sign) = (header("content-type"), header("signature"));
            let bytes = answer.take_body().into_bytes().await.unwrap();
            let merchant = ACCOUNTS[0].merchant;
            self.bench.simplepay.judge(merchant, body, &kind, &sign, &bytes).unwrap();
        }
        status
    }

    /// A payment that has been begun: order, page and our id.
    async fn begun(&self) -> (String, String, String) {
        let (order, path) = self.ordered().await;
        self.begin(&path).await;
        let payment = self.payments(&order).await[0]["id"].as_str().unwrap().to_owned();
        (order, path, payment)
    }

    fn message(&self, payment: &str, status: Option<&str>) -> Signed {
        self.bench.simplepay.message(payment, status).unwrap()
    }

    async fn kept_messages(&self) -> i64 {
        self.place.count("callback").await
    }

    /// State of the order, what is paid of it, and how many payments that is.
    async fn end(&self, order: &str) -> (String, i64, usize) {
        let order = self.read(order).await;
        let rows = order["payable_transactions"].as_array().unwrap();
        let rows = rows.iter().filter(|row| row["status"] == "succeeded").count();
        (order["status"].as_str().unwrap().to_owned(), super::amount(&order["paid"]), rows)
    }
}

fn succeeded() -> (String, i64, usize) {
    ("succeeded".to_owned(), 5900, 1)
}

#[testkit::test]
async fn item_05_and_06_a_start_is_written_first_and_sent_once() {
    let shop = Shop::open("simplepay").await;
    shop.bench.simplepay.calls();
    let (_, path) = shop.ordered().await;
    let pages = futures_util::future::join_all((0..8).map(|_| shop.open_page(Method::POST, &path))).await;
    assert_eq!(
        starts(&shop.bench.simplepay.calls()),
        1,
        "all led to {:?}",
        pages.iter().map(|page| &page.leads_to).collect::<Vec<_>>()
    );
    // While SimplePay has the call and does not answer, the attempt is there for all to read.
    let (order, path) = shop.ordered().await;
    shop.bench.simplepay.next(Fault::Slow);
    let seen = async {
        let mut calls = Vec::new();
        while starts(&calls) == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            calls.extend(shop.bench.simplepay.calls());
        }
        shop.payments(&order).await[0]["state"].clone()
    };
    let state = tokio::select! {
        state = seen => state,
        shown = shop.open_page(Method::POST, &path) => panic!("answered {}", shown.status),
    };
    assert_eq!(state, "created");
}

fn starts(calls: &[String]) -> usize {
    calls.iter().filter(|call| call.ends_with("/start")).count()
}

#[testkit::test]
async fn item_16_17_22_and_23_a_message_again_or_an_older_one_changes_nothing() {
    let shop = Shop::open("simplepay").await;
    let address = shop.address().await;
    let (order, _, payment) = shop.begun().await;
    assert!(shop.bench.simplepay.pay(&payment));
    let good = shop.message(&payment, None);
    let before = shop.kept_messages().await;
    let all = futures_util::future::join_all((0..50).map(|_| shop.tell(&address, &good))).await;
    assert!(all.iter().all(|status| *status == StatusCode::OK), "{all:?}");
    assert_eq!(shop.kept_messages().await, before + 1, "one message, however often it comes");
    shop.run_jobs().await;
    assert_eq!(shop.end(&order).await, succeeded());
    for status in ["INPAYMENT", "NOTAUTHORIZED", "CANCELLED", "TIMEOUT", "A_STATE_OF_TOMORROW"] {
        assert_eq!(shop.tell(&address, &shop.message(&payment, Some(status))).await, StatusCode::OK);
        shop.run_jobs().await;
        assert_eq!(shop.end(&order).await, succeeded(), "{status}");
    }
    assert_eq!(shop.read(&order).await["counter"], json!("1"), "it has arrived once");
}

#[testkit::test]
async fn item_18_and_25_a_wrong_signature_is_not_kept_and_no_address_serves_another() {
    let shop = Shop::open("simplepay").await;
    let address = shop.address().await;
    let (order, _, payment) = shop.begun().await;
    assert!(shop.bench.simplepay.pay(&payment));
    let (body, signature) = shop.message(&payment, None);
    let changed = [&body[..], b" "].concat();
    let foreign = ACCOUNTS[1].sign(&body);
    let before = shop.kept_messages().await;
    for wrong in [(changed, signature.clone()), (body.clone(), foreign), (body.clone(), String::new())] {
        assert_eq!(shop.tell(&address, &wrong).await, StatusCode::BAD_REQUEST);
    }
    assert_eq!(shop.kept_messages().await, before);
    // Another partner has the same merchant: its address hears of our payment and touches nothing.
    let other = shop.place.kit.partner().await;
    let neighbour = other.admin().await.at(shop.service);
    let account = add(&neighbour, good("simplepay")).await;
    let theirs: Url = account["callback_url"].as_str().unwrap().parse().unwrap();
    shop.bench.simplepay.calls();
    assert_eq!(shop.tell(theirs.path(), &(body.clone(), signature.clone())).await, StatusCode::OK);
    shop.run_jobs().await;
    assert_eq!(shop.end(&order).await, ("received".to_owned(), 0, 0));
    assert_eq!(shop.bench.simplepay.calls(), Vec::<String>::new(), "there is nothing to ask about");
    assert_eq!(shop.tell(&address, &(body, signature)).await, StatusCode::OK);
    shop.run_jobs().await;
    assert_eq!(shop.end(&order).await, succeeded());
}

#[testkit::test]
async fn item_19_a_message_comes_before_the_answer_to_the_start() {
    let shop = Shop::open("simplepay").await;
    let address = shop.address().await;
    let (order, path) = shop.ordered().await;
    shop.bench.simplepay.next(Fault::CloseAfterWork);
    assert_eq!(shop.open_page(Method::POST, &path).await.leads_to, path);
    let payment = shop.payments(&order).await[0].clone();
    assert_eq!((&payment["state"], &payment["provider_ref"]), (&json!("unknown"), &Value::Null));
    let payment = payment["id"].as_str().unwrap();
    assert!(shop.bench.simplepay.pay(payment));
    assert_eq!(shop.tell(&address, &shop.message(payment, None)).await, StatusCode::OK);
    shop.run_jobs().await;
    assert_eq!(shop.end(&order).await, succeeded());
    assert!(shop.payments(&order).await[0]["provider_ref"].is_string());
}

#[testkit::test]
async fn item_20_messages_about_unknown_payments_are_answered_and_ask_nothing() {
    let shop = Shop::open("simplepay").await;
    let address = shop.address().await;
    let (order, _, payment) = shop.begun().await;
    shop.bench.simplepay.calls();
    for number in 0..20 {
        let body = json!({"salt": "a", "orderRef": uuid::Uuid::now_v7(), "method": "CARD",
            "merchant": ACCOUNTS[0].merchant, "finishDate": "2026-11-20T20:00:00+01:00",
            "paymentDate": "2026-11-20T19:59:00+01:00", "transactionId": 900_000_000 + number,
            "status": "FINISHED"})
        .to_string()
        .into_bytes();
        let signature = ACCOUNTS[0].sign(&body);
        assert_eq!(shop.tell(&address, &(body, signature)).await, StatusCode::OK);
    }
    shop.run_jobs().await;
    assert_eq!(shop.bench.simplepay.calls(), Vec::<String>::new());
    // One of ours is asked about once within five seconds, however many messages name it.
    for status in ["FINISHED", "INPAYMENT", "CANCELLED", "TIMEOUT"] {
        assert_eq!(shop.tell(&address, &shop.message(&payment, Some(status))).await, StatusCode::OK);
        shop.run_jobs().await;
    }
    let asked = shop.bench.simplepay.calls();
    assert_eq!(asked.iter().filter(|call| call.ends_with("/query")).count(), 1, "{asked:?}");
    assert_eq!(shop.end(&order).await, ("received".to_owned(), 0, 0), "what a message says is not believed");
}

#[testkit::test]
async fn item_21_the_question_finds_what_no_message_told() {
    let shop = Shop::open("simplepay").await;
    let (order, _, payment) = shop.begun().await;
    assert!(shop.bench.simplepay.pay(&payment));
    let due = "select extract(epoch from run_at - now())::bigint due from control.job where kind = \
        'online_payment_ask' and args ->> 'attempt_id' = $1";
    let due: i64 = shop.place.kit.row(due, vec![payment.into()]).await.try_get("", "due").unwrap();
    assert!(due <= 120, "the first question comes by itself: in {due} s");
    let now = "update control.job set run_at = now() where kind = 'online_payment_ask'";
    shop.place.kit.run(now, vec![]).await;
    shop.run_jobs().await;
    assert_eq!(shop.end(&order).await, succeeded());
}

#[testkit::test]
async fn item_24_a_browser_that_claims_success_is_not_believed() {
    let shop = Shop::open("simplepay").await;
    let (paid, page, payment) = shop.begun().await;
    assert!(shop.bench.simplepay.pay(&payment));
    let of_another = shop.bench.simplepay.return_query(&payment).unwrap();
    let (order, path, _) = shop.begun().await;
    let forged = json!({"r": 0, "t": 1, "e": "SUCCESS", "m": ACCOUNTS[0].merchant, "o": order}).to_string();
    let forged = format!("r={}&s={}", STANDARD.encode(&forged), ACCOUNTS[1].sign(forged.as_bytes()));
    for query in [of_another.as_str(), forged.as_str(), "paymentId=1&status=SUCCESS"] {
        let back = shop.open_page(Method::GET, &format!("{path}/back?{query}")).await;
        assert_eq!(back.leads_to, path);
        assert_eq!(shop.end(&order).await, ("received".to_owned(), 0, 0), "{query}");
    }
    shop.ask(&page).await;
    assert_eq!(shop.end(&paid).await, succeeded());
}
