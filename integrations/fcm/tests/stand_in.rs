//! The plug-in against a stand-in that checks what Google checks.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::Arc;

use contract::{Push, PushMessage, PushOutcome, Secret};
use fcm::Fcm;
use tokio::net::TcpListener;

async fn company() -> (Arc<sandbox::fcm::Fcm>, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let company = Arc::new(sandbox::fcm::Fcm::new(address.clone()).unwrap());
    tokio::spawn(sandbox::fcm::serve(listener, company.clone()));
    (company, address)
}

fn message() -> PushMessage {
    PushMessage { title: "𝟙".repeat(65), body: "🍕".repeat(240), id: "1".to_owned() }
}

#[tokio::test]
async fn each_answer_means_what_it_says() {
    let (company, address) = company().await;
    let push = Fcm::stand_in(address.parse().unwrap()).unwrap();
    let table = [
        ("phone-1", PushOutcome::Accepted),
        ("gone-1", PushOutcome::Unregistered),
        ("foreign-1", PushOutcome::Unregistered),
        ("bad-1", PushOutcome::Unregistered),
        ("apns-1", PushOutcome::Failed("THIRD_PARTY_AUTH_ERROR".to_owned())),
        ("busy-1", PushOutcome::Later(Some(1))),
        ("busy-1", PushOutcome::Accepted),
        ("down-1", PushOutcome::Later(Some(1))),
        ("down-1", PushOutcome::Accepted),
        ("never-1", PushOutcome::Later(Some(1))),
        ("lost-1", PushOutcome::Unknown),
    ];
    for (token, outcome) in table {
        assert_eq!(push.send(&message(), &Secret::new(token)).await, outcome, "{token}");
    }
    assert_eq!(company.accepted(), ["phone-1", "busy-1", "down-1", "lost-1"]);
}

#[tokio::test]
async fn a_token_that_ended_early_is_fetched_anew() {
    let (company, address) = company().await;
    let push = Fcm::stand_in(address.parse().unwrap()).unwrap();
    assert_eq!(push.send(&message(), &Secret::new("a")).await, PushOutcome::Accepted);
    company.end_tokens();
    assert_eq!(push.send(&message(), &Secret::new("b")).await, PushOutcome::Later(None));
    assert_eq!(push.send(&message(), &Secret::new("b")).await, PushOutcome::Accepted);
}

#[tokio::test]
async fn nobody_there_is_later_and_nonsense_is_no_key_file() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let push = Fcm::stand_in(address.parse().unwrap()).unwrap();
    assert_eq!(push.send(&message(), &Secret::new("a")).await, PushOutcome::Later(None));
    assert!(Fcm::new("{}").is_err());
    let faulty = r#"{"project_id":"p","client_email":"a@b.example","private_key":"no","token_uri":"https://oauth2.googleapis.com/token"}"#;
    assert!(Fcm::new(faulty).is_err());
}
