//! The plug-in against the stand-in for SimplePay.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use conformance::{
    Fault,
    online_payment::{Act, Bench, run},
};
use contract::{
    Buyer, CallFault, Callback, Effect, Merchant, OnlinePayment, PageLanguage, PaymentRef, RawAnswer,
    RawMessage, Secret, SeenState, StartPayment, StartedPayment,
};
use sandbox::simplepay as stand_in;
use simplepay::SimplePay;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use url::Url;

struct Company {
    plug_in: SimplePay,
    nowhere: SimplePay,
    company: Arc<stand_in::SimplePay>,
    at: Url,
}

async fn company() -> Company {
    let patience = Duration::from_millis(700);
    let address =
        |listener: &TcpListener| format!("http://{}", listener.local_addr().unwrap()).parse::<Url>().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = address(&listener);
    let company = Arc::new(stand_in::SimplePay::new(at.as_str()));
    tokio::spawn(stand_in::serve(listener, company.clone()));
    let nowhere = address(&TcpListener::bind("127.0.0.1:0").await.unwrap());
    Company {
        plug_in: SimplePay::with_patience(&at, patience).unwrap(),
        nowhere: SimplePay::with_patience(&nowhere, patience).unwrap(),
        company,
        at,
    }
}

fn merchant(account: &stand_in::Account) -> Merchant {
    Merchant {
        name: account.merchant.to_owned(),
        secret: Secret::new(account.secret),
        currency: account.currency.to_owned(),
    }
}

fn forints() -> Merchant {
    merchant(&stand_in::ACCOUNTS[0])
}

fn payment(attempt: &str) -> StartPayment {
    StartPayment {
        attempt: attempt.to_owned(),
        amount: 2500.into(),
        description: "Minta Étterem".to_owned(),
        buyer: Buyer { email: "eva@example.com".to_owned(), ..Buyer::default() },
        language: PageLanguage::English,
        expires_at: SystemTime::now() + Duration::from_mins(30),
        return_url: "https://pult.test/back".parse().unwrap(),
        callback_url: "https://pult.test/callback".parse().unwrap(),
        szep: false,
        hold: false,
    }
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
        stand_in::ACCOUNTS.iter().find(|one| one.currency == currency && !one.szep).map(merchant)
    }
    fn szep(&self) -> Option<Merchant> {
        stand_in::ACCOUNTS.iter().find(|one| one.szep).map(merchant)
    }
    fn unknown_merchant(&self) -> Merchant {
        Merchant { name: "S0123456".to_owned(), ..forints() }
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
        self.company.last_body()["total"].as_str().expect("a text").to_owned()
    }
    async fn act(&self, payment: &StartedPayment, act: Act) {
        let done = match act {
            Act::Pay => self.company.pay(&payment.reference),
            Act::Decline => self.company.decline(&payment.reference, 2013),
            Act::GoBack => self.company.go_back(&payment.reference),
            Act::LetExpire => self.company.expire(&payment.reference),
        };
        assert!(done, "{act:?}");
    }
    fn odd_state(&self, reference: &str) {
        self.company.set_status(reference, "MARTIAN");
    }
    fn change_amount(&self, reference: &str, amount: rust_decimal::Decimal) {
        self.company.set_total(reference, (amount * rust_decimal::Decimal::ONE_HUNDRED).try_into().unwrap());
    }
    fn bounce(&self, refund: &str) -> bool {
        self.company.bounce(refund)
    }
    fn end_hold(&self, reference: &str) -> bool {
        self.company.end_hold(reference)
    }
    fn message(&self, reference: &str) -> RawMessage {
        let (body, signature) = self.company.message(reference, None).unwrap();
        let headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("signature".to_owned(), signature),
        ];
        RawMessage { headers, query: String::new(), body }
    }
    fn is_content(&self, message: &RawMessage, answer: &RawAnswer) -> bool {
        let header = |name: &str| &answer.headers.iter().find(|(one, _)| one == name).expect("a header").1;
        let (kind, signature) = (header("content-type"), header("signature"));
        self.company.judge("PULTHUF", &message.body, kind, signature, &answer.body) == Ok(())
    }
    fn return_query(&self, reference: &str) -> String {
        self.company.return_query(reference).unwrap()
    }
}

#[tokio::test]
async fn it_takes_online_payments() {
    run(&company().await).await;
}

#[tokio::test]
async fn a_name_is_started_once() {
    let bench = company().await;
    bench.plug_in.start(&forints(), &payment("once")).await.unwrap();
    let error = bench.plug_in.start(&forints(), &payment("once")).await.unwrap_err();
    assert_eq!(
        (error.effect, error.fault, error.code.as_deref()),
        (Effect::Unknown, CallFault::Conflict, Some("5013")),
        "a payment of this name is there"
    );
}

#[tokio::test]
async fn a_time_out_inside_leaves_a_refund_open() {
    let bench = company().await;
    let started = bench.plug_in.start(&forints(), &payment("inside")).await.unwrap();
    bench.company.pay(&started.reference);
    let asked = PaymentRef { attempt: "inside", reference: None };
    let before = bench.plug_in.status(&forints(), asked).await.unwrap().unwrap();
    bench.company.next_code(5304);
    let order = contract::RefundOrder { refund: "r", amount: 500.into(), before: &before };
    let error = bench.plug_in.refund(&forints(), order).await.unwrap_err();
    assert_eq!((error.effect, error.code.as_deref()), (Effect::Unknown, Some("5304")));
    assert_eq!(bench.plug_in.status(&forints(), asked).await.unwrap().unwrap().refunded, 500.into());
    // A refund on SimplePay's own page is in the sum too.
    assert!(bench.company.refund_by_hand("inside", 100_000));
    let seen = bench.plug_in.status(&forints(), asked).await.unwrap().unwrap();
    assert_eq!((seen.refunded, seen.refunds.len()), (1500.into(), 2));
}

#[tokio::test]
async fn fields_that_the_account_forbids_are_refused_without_effect() {
    let bench = company().await;
    let szep = bench.szep().unwrap();
    let euros = bench.merchant("EUR").unwrap();
    let held = StartPayment { hold: true, ..payment("held") };
    let late = StartPayment { expires_at: SystemTime::UNIX_EPOCH, ..payment("late") };
    let unnamed = StartPayment { buyer: Buyer::default(), ..payment("unnamed") };
    let wrong = Merchant { currency: "EUR".to_owned(), ..forints() };
    for (merchant, wanted, fault, code) in [
        (&szep, &held, CallFault::Conflict, "5308"),
        (&euros, &late, CallFault::Invalid, "5224"),
        (&euros, &unnamed, CallFault::Invalid, "5219"),
        (&wrong, &payment("wrong"), CallFault::Invalid, "5307"),
    ] {
        let error = bench.plug_in.start(merchant, wanted).await.unwrap_err();
        assert_eq!((error.effect, error.fault, error.code.as_deref()), (Effect::None, fault, Some(code)));
    }
}

/// One request of a browser: the status, the address to which it leads, and the text.
async fn browse(at: &Url, method: &str, path: &str, form: &str) -> (u16, Option<String>, String) {
    let address = (at.host_str().unwrap(), at.port().unwrap());
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{form}",
        form.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let status = text.split(' ').nth(1).unwrap().parse().unwrap();
    let place = text.lines().find_map(|line| line.strip_prefix("location: ")).map(str::to_owned);
    (status, place, text)
}

#[tokio::test]
async fn a_guest_pays_on_the_page() {
    let bench = company().await;
    for (attempt, outcome, state, code) in [
        ("page-1", "paid", SeenState::Captured, None),
        ("page-2", "2013", SeenState::Failed, Some("2013")),
        ("page-3", "back", SeenState::Cancelled, None),
        ("page-4", "fraud", SeenState::Pending, None),
    ] {
        let started = bench.plug_in.start(&forints(), &payment(attempt)).await.unwrap();
        let path = started.page.path();
        let (status, _, text) = browse(&bench.at, "GET", path, "").await;
        assert!(status == 200 && text.contains("HUF 2,500") && text.contains(attempt), "{text}");
        // A slow bank keeps the guest on the page.
        let (status, place, _) = browse(&bench.at, "POST", path, "outcome=slow").await;
        assert_eq!((status, place.as_deref()), (303, Some(path)));
        let (status, place, _) = browse(&bench.at, "POST", path, &format!("outcome={outcome}")).await;
        let back: Url = place.unwrap().parse().unwrap();
        assert!(status == 303 && back.as_str().starts_with("https://pult.test/back?"), "{back}");
        let hint = bench.plug_in.read_return(&forints(), back.query().unwrap()).unwrap();
        assert_eq!(
            (hint.attempt.as_deref(), hint.reference.as_deref()),
            (Some(attempt), Some(&*started.reference))
        );
        let asked = PaymentRef { attempt, reference: Some(&started.reference) };
        let seen = bench.plug_in.status(&forints(), asked).await.unwrap().unwrap();
        assert_eq!((seen.state, seen.decline_code.as_deref()), (state, code), "{outcome}");
        assert!(browse(&bench.at, "GET", path, "").await.0 == 200, "the page stays");
    }
}

/// A merchant's server that answers one message after another as the test wants it; gives how often it was called.
async fn messages(bench: &Company, spoil: fn(usize, &mut RawAnswer)) -> usize {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    bench.company.set_ipn("PULTHUF", &format!("http://{}/ipn", listener.local_addr().unwrap()));
    let started = bench.plug_in.start(&forints(), &payment("told")).await.unwrap();
    bench.company.pay(&started.reference);
    let mut count = 0;
    while !bench.company.deliveries().iter().any(|one| one.is_answered) {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut raw = Vec::new();
        let (head, body) = loop {
            let mut part = [0; 4096];
            let read = stream.read(&mut part).await.unwrap();
            raw.extend_from_slice(&part[..read]);
            let text = String::from_utf8(raw.clone()).unwrap();
            if let Some((head, body)) = text.split_once("\r\n\r\n")
                && body.ends_with('}')
            {
                break (head.to_lowercase(), body.to_owned());
            }
        };
        let signature = String::from_utf8(raw.clone()).unwrap();
        let at = head.find("\r\nsignature: ").unwrap() + "\r\nsignature: ".len();
        let signature = signature[at..].lines().next().unwrap().to_owned();
        let message = RawMessage {
            headers: vec![("signature".to_owned(), signature)],
            query: String::new(),
            body: body.into_bytes(),
        };
        let now = SystemTime::now();
        bench.plug_in.proof(&forints().secret, &message, now).unwrap();
        assert_eq!(bench.plug_in.read_message(&message).unwrap().attempt.as_deref(), Some("told"));
        let mut answer = bench.plug_in.answer(&forints().secret, &message, now);
        spoil(count, &mut answer);
        let headers = answer.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let length = answer.body.len();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n{}\r\n", headers.collect::<String>());
        stream.write_all(&[head.as_bytes(), &answer.body].concat()).await.unwrap();
        drop(stream);
        count += 1;
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    count
}

#[tokio::test]
async fn a_message_comes_until_it_is_answered_as_it_should_be() {
    assert_eq!(messages(&company().await, |_, _| {}).await, 1);
    let altered = |count: usize, answer: &mut RawAnswer| {
        if count == 0 {
            answer.body.insert(1, b' ');
        }
    };
    assert_eq!(messages(&company().await, altered).await, 2);
}
