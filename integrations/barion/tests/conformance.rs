//! The plug-in against the stand-in for Barion.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use barion::Barion;
use conformance::{
    Fault,
    online_payment::{Act, Bench, run},
};
use contract::{
    Buyer, CallFault, Callback, Effect, Merchant, OnlinePayment, PageLanguage, PaymentRef, RawAnswer,
    RawMessage, RefundOrder, Secret, SeenState, Snapshot, StartPayment, StartedPayment,
};
use rust_decimal::Decimal;
use sandbox::barion::{self as stand_in, ACCOUNTS, OTHER_ENVIRONMENT, PAYEE, POS_KEY, Spelling};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use url::Url;

struct Company {
    at: Url,
    plug_in: Barion,
    nowhere: Barion,
    company: Arc<stand_in::Barion>,
}

fn plug_in(at: &Url) -> Barion {
    let patience = Duration::from_millis(700);
    Barion::stand_in(at.clone()).unwrap().with_patience(patience, patience).unwrap()
}

async fn listen() -> (TcpListener, Url) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    (listener, at)
}

async fn company() -> Company {
    let (listener, at) = listen().await;
    let (closed, nowhere) = listen().await;
    drop(closed);
    let company = Arc::new(stand_in::Barion::default());
    // No callback leaves for an address that the test does not serve.
    company.silence(true);
    tokio::spawn(stand_in::serve(listener, company.clone()));
    Company { plug_in: plug_in(&at), nowhere: plug_in(&nowhere), company, at }
}

fn forints() -> Merchant {
    Merchant { name: PAYEE.to_owned(), secret: Secret::new(POS_KEY), currency: "HUF".to_owned() }
}

#[async_trait]
impl Bench for Company {
    fn plug_in(&self) -> &dyn OnlinePayment {
        &self.plug_in
    }
    fn callback(&self) -> &dyn Callback {
        &self.plug_in
    }
    fn nowhere(&self) -> &dyn OnlinePayment {
        &self.nowhere
    }
    fn merchant(&self, currency: &str) -> Option<Merchant> {
        let account = ACCOUNTS.iter().find(|one| one.currency == currency)?;
        Some(Merchant {
            name: account.payee.to_owned(),
            secret: Secret::new(account.pos_key),
            currency: currency.to_owned(),
        })
    }
    fn szep(&self) -> Option<Merchant> {
        None
    }
    fn unknown_merchant(&self) -> Merchant {
        Merchant { secret: Secret::new(OTHER_ENVIRONMENT), ..forints() }
    }
    fn next(&self, fault: Fault) {
        self.company.next(fault);
    }
    fn refuse_next_refund(&self) {
        self.company.refuse_next_refund();
    }
    fn calls(&self) -> Vec<String> {
        self.company.calls()
    }
    fn sent_amount(&self) -> String {
        let bodies = self.company.bodies();
        let body: Value = serde_json::from_str(bodies.last().unwrap()).unwrap();
        body["Transactions"][0]["Total"].to_string()
    }
    async fn act(&self, payment: &StartedPayment, act: Act) {
        let id = &payment.reference;
        let done = match act {
            Act::Pay => self.company.pay(id),
            Act::Decline => self.company.decline(id),
            Act::GoBack => self.company.cancel(id),
            Act::LetExpire => {
                self.company.wait(1801);
                !self.company.pay(id)
            }
        };
        assert!(done, "{act:?}");
    }
    fn odd_state(&self, reference: &str) {
        assert!(self.company.claim(reference, Some("Frozen"), None, None));
    }
    fn change_amount(&self, reference: &str, amount: Decimal) {
        assert!(self.company.claim(reference, None, Some(amount), None));
    }
    fn bounce(&self, refund: &str) -> bool {
        self.company.bounce(refund)
    }
    fn end_hold(&self, _: &str) -> bool {
        self.company.wait(8 * 86_400);
        true
    }
    fn message(&self, reference: &str) -> RawMessage {
        let (query, kind, body) = self.company.message(reference).unwrap();
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        RawMessage { headers, query, body: body.into_bytes() }
    }
    fn is_content(&self, _: &RawMessage, answer: &RawAnswer) -> bool {
        answer.body.is_empty()
    }
    fn return_query(&self, reference: &str) -> String {
        let back: Url = self.company.back(reference).unwrap().parse().unwrap();
        back.query().unwrap().to_owned()
    }
}

#[tokio::test]
async fn it_takes_payments() {
    run(&company().await).await;
}

fn payment(attempt: &str, callback: &Url) -> StartPayment {
    StartPayment {
        attempt: attempt.to_owned(),
        amount: 2500.into(),
        description: "Minta Étterem".to_owned(),
        buyer: Buyer { email: "eva@example.com".to_owned(), ..Buyer::default() },
        language: PageLanguage::English,
        expires_at: SystemTime::now() + Duration::from_secs(30 * 60 + 5),
        return_url: "https://pult.test/back?order=1".parse().unwrap(),
        callback_url: callback.clone(),
        szep: false,
        hold: false,
    }
}

fn shop() -> Url {
    "https://pult.test/callback".parse().unwrap()
}

async fn seen(company: &Company, attempt: &str, reference: &str) -> Snapshot {
    let asked = PaymentRef { attempt, reference: Some(reference) };
    company.plug_in.status(&forints(), asked).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_start_says_all_that_barion_wants_to_know() {
    let company = company().await;
    company.plug_in.start(&forints(), &payment("attempt-1", &shop())).await.unwrap();
    let held = StartPayment { hold: true, ..payment("attempt-2", &shop()) };
    let held = StartPayment { language: PageLanguage::Hungarian, ..held };
    company.plug_in.start(&forints(), &held).await.unwrap();
    assert_eq!(company.company.calls(), ["POST /v2/Payment/Start"; 2]);
    let bodies = company.company.bodies();
    assert!(!bodies.concat().contains(POS_KEY), "the key is in the header alone");
    let bodies: Vec<Value> = bodies.iter().map(|body| serde_json::from_str(body).unwrap()).collect();
    let [now, later] = bodies.as_slice() else { panic!("{bodies:?}") };
    assert_eq!((&now["PaymentType"], &now["Locale"]), (&"Immediate".into(), &"en-US".into()));
    assert_eq!(now["DelayedCapturePeriod"], Value::Null);
    assert!(now["PaymentWindow"].as_str().unwrap().starts_with("0.00:30:0"), "{now}");
    assert_eq!((&now["PayerHint"], &now["Currency"]), (&"eva@example.com".into(), &"HUF".into()));
    assert_eq!(now["Transactions"][0]["POSTransactionId"], now["PaymentRequestId"]);
    assert_eq!((&later["PaymentType"], &later["Locale"]), (&"DelayedCapture".into(), &"hu-HU".into()));
    assert_eq!(later["DelayedCapturePeriod"], "7.00:00:00");
    // What Barion would refuse is not sent.
    let long = "x".repeat(101);
    for wrong in [
        StartPayment { szep: true, ..payment("attempt-3", &shop()) },
        payment(&long, &shop()),
        payment("attempt-3", &format!("https://pult.test/{}", "x".repeat(2000)).parse().unwrap()),
    ] {
        let error = company.plug_in.start(&forints(), &wrong).await.unwrap_err();
        assert_eq!((error.effect, error.fault), (Effect::None, CallFault::Invalid));
    }
    assert!(company.company.calls().is_empty());
    let late = StartPayment { expires_at: SystemTime::UNIX_EPOCH, ..payment("attempt-4", &shop()) };
    company.plug_in.start(&forints(), &late).await.unwrap();
    assert!(company.company.bodies()[0].contains("\"0.00:01:00\""), "the shortest window");
}

#[tokio::test]
async fn a_payee_of_another_shop_is_refused() {
    let company = company().await;
    let mixed = Merchant { name: stand_in::PAYEE_EUR.to_owned(), ..forints() };
    let error = company.plug_in.start(&mixed, &payment("attempt", &shop())).await.unwrap_err();
    assert_eq!((error.effect, error.fault), (Effect::None, CallFault::Credentials));
    assert_eq!(error.code.as_deref(), Some("InvalidUser"));
    let broken = Merchant { secret: Secret::new("line\nbreak"), ..forints() };
    company.company.calls();
    let error = company.plug_in.check(&broken).await.unwrap_err();
    assert_eq!((error.effect, error.fault), (Effect::None, CallFault::Credentials));
    assert!(company.company.calls().is_empty());
}

#[tokio::test]
async fn fees_card_and_reason_are_read() {
    let company = company().await;
    let paid = company.plug_in.start(&forints(), &payment("paid", &shop())).await.unwrap();
    assert!(company.company.act(&paid.reference, stand_in::Outcome::Wait));
    let waits = seen(&company, "paid", &paid.reference).await;
    assert_eq!((waits.state, waits.fee), (SeenState::Pending, None));
    assert!(company.company.pay(&paid.reference));
    let paid = seen(&company, "paid", &paid.reference).await;
    assert_eq!((paid.amount, paid.fee), (2500.into(), Some(37.into())));
    assert_eq!(paid.masked_card.as_deref(), Some("516123******1234"));
    let refused = company.plug_in.start(&forints(), &payment("refused", &shop())).await.unwrap();
    assert!(company.company.decline(&refused.reference));
    assert_eq!(seen(&company, "refused", &refused.reference).await.decline_code.as_deref(), Some("LowFunds"));
}

#[tokio::test]
async fn refunds_of_ours_and_of_the_page_are_told_apart() {
    let company = company().await;
    let started = company.plug_in.start(&forints(), &payment("attempt", &shop())).await.unwrap();
    assert!(company.company.pay(&started.reference));
    let before = seen(&company, "attempt", &started.reference).await;
    let order = RefundOrder { refund: "refund-1", amount: 1000.into(), before: &before };
    company.plug_in.refund(&forints(), order).await.unwrap();
    assert!(company.company.refund_on_page(&started.reference, 500.into()));
    let after = seen(&company, "attempt", &started.reference).await;
    assert_eq!((after.amount, after.refunded), (2500.into(), 1500.into()));
    let ours: Vec<_> = after.refunds.iter().map(|one| one.ours.as_deref()).collect();
    assert_eq!(ours[0], Some("refund-1"));
    assert!(ours.iter().filter(|name| **name == Some("refund-1")).count() == 1, "{ours:?}");
    // More than what is left, asked with an old snapshot: Barion refuses.
    let order = RefundOrder { refund: "refund-2", amount: 1001.into(), before: &before };
    let error = company.plug_in.refund(&forints(), order).await.unwrap_err();
    assert_eq!((error.effect, error.fault), (Effect::None, CallFault::Invalid));
}

/// A shop's address of callbacks that answers the first ones with 503 and then with 200; gives what came.
async fn receiver(refuses: usize) -> (Url, tokio::sync::mpsc::UnboundedReceiver<RawMessage>) {
    let (listener, at) = listen().await;
    let (send, receive) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        for count in 0.. {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut bytes = Vec::new();
            let (head, body) = loop {
                let mut part = [0; 4096];
                let read = stream.read(&mut part).await.unwrap();
                bytes.extend_from_slice(&part[..read]);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                let length = head.lines().find_map(|line| {
                    let (name, value) = line.split_once(": ")?;
                    name.eq_ignore_ascii_case("content-length").then(|| value.parse::<usize>().unwrap())
                });
                if body.len() >= length.unwrap_or_default() {
                    break (head.to_owned(), body.to_owned());
                }
            };
            let target = head.split(' ').nth(1).unwrap();
            let query = target.split_once('?').map_or("", |(_, query)| query).to_owned();
            let status = if count < refuses { "503 Busy" } else { "200 OK" };
            let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).await.unwrap();
            let _ = send.send(RawMessage { query, body: body.into(), ..RawMessage::default() });
        }
    });
    (at.join("callback").unwrap(), receive)
}

#[tokio::test]
async fn callbacks_come_in_every_spelling_until_they_are_answered() {
    let company = company().await;
    company.company.silence(false);
    company.company.second(Duration::from_millis(2));
    let (callback, mut came) = receiver(2).await;
    let started = company.plug_in.start(&forints(), &payment("attempt", &callback)).await.unwrap();
    assert!(company.company.pay(&started.reference));
    for _ in 0..3 {
        let notice = company.plug_in.read_message(&came.recv().await.unwrap()).unwrap();
        assert_eq!(notice.reference.as_deref(), Some(started.reference.as_str()));
    }
    for spelling in [Spelling::BodyPascal, Spelling::BodyCamel, Spelling::Query, Spelling::Json] {
        company.company.spell(spelling);
        company.company.call_back(&started.reference);
        let notice = company.plug_in.read_message(&came.recv().await.unwrap()).unwrap();
        assert_eq!(notice.reference.as_deref(), Some(started.reference.as_str()), "{spelling:?}");
    }
    // One that is never answered is tried six times.
    company.company.deliveries();
    let (never, mut tries) = receiver(usize::MAX).await;
    let started = company.plug_in.start(&forints(), &payment("never", &never)).await.unwrap();
    assert!(company.company.cancel(&started.reference));
    for _ in 0..6 {
        tries.recv().await.unwrap();
    }
    let more = tokio::time::timeout(Duration::from_millis(600), tries.recv()).await;
    assert!(more.is_err(), "then Barion is silent");
    assert!(!company.company.deliveries().is_empty());
}

/// What a browser gets: the status with the headers, and the page.
async fn browse(at: &Url, method: &str, target: &str, form: &str) -> (String, String) {
    let address = at.socket_addrs(|| None).unwrap()[0];
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!(
        "{method} {target} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{form}",
        form.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

#[tokio::test]
async fn a_person_pays_on_the_page_and_comes_back() {
    let company = company().await;
    let wanted = StartPayment { language: PageLanguage::Hungarian, ..payment("attempt", &shop()) };
    let started = company.plug_in.start(&forints(), &wanted).await.unwrap();
    let target = format!("/Pay?{}", started.page.query().unwrap());
    let (_, page) = browse(&company.at, "GET", &target, "").await;
    assert!(page.contains("lang=hu") && page.contains("Fizetek") && page.contains("2500 HUF"), "{page}");
    let form = format!("id={}&act=pay", started.reference);
    let (head, _) = browse(&company.at, "POST", "/Pay", &form).await;
    let place = head.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
    let back: Url = place.parse().unwrap();
    assert_eq!(back.path(), "/back");
    let hint = company.plug_in.read_return(&forints(), back.query().unwrap()).unwrap();
    assert_eq!(hint.reference.as_deref(), Some(started.reference.as_str()));
    assert_eq!(seen(&company, "attempt", &started.reference).await.state, SeenState::Captured);
    let (_, page) = browse(&company.at, "GET", &target, "").await;
    assert!(page.contains("lezárult") && !page.contains("<button"), "{page}");
}
