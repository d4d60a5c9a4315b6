//! The plug-in against a stand-in that checks what Google checks.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::Arc;

use contract::{Push, PushMessage, PushOutcome, Secret};
use fcm::Fcm;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

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
async fn each_answer_maps_to_its_outcome() {
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
async fn an_access_token_that_ended_early_is_fetched_again() {
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
    // Who comes next is told so without a call.
    let next = push.send(&message(), &Secret::new("b")).await;
    assert!(matches!(next, PushOutcome::Later(Some(1..=30))), "{next:?}");
    assert!(Fcm::new("{}").is_err());
    let faulty = r#"{"project_id":"p","client_email":"a@b.example","private_key":"no","token_uri":"https://oauth2.googleapis.com/token"}"#;
    assert!(Fcm::new(faulty).is_err());
}

/// Where somebody hostile stands: at the account that a stand-in shows, where tokens are fetched, where
/// messages are sent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Account,
    Token,
    Send,
}

/// A server that answers correctly up to this stage, and there with these bytes, optionally repeated without
/// end.
async fn hostile(stage: Stage, head: &'static str, body: String, endless: bool) -> Fcm {
    let (_, address) = company().await;
    let account =
        reqwest::get(format!("{address}service-account.json")).await.unwrap().bytes().await.unwrap();
    let mut account: serde_json::Value = serde_json::from_slice(&account).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let own = format!("http://{}/", listener.local_addr().unwrap());
    account["token_uri"] = format!("{own}token").into();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 16_384];
            let read = stream.read(&mut request).await.unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..read]).into_owned();
            let (at, good) = match request.split(' ').nth(1) {
                Some("/service-account.json") => (Stage::Account, account.to_string()),
                Some("/token") => (Stage::Token, r#"{"access_token": "t", "expires_in": 3599}"#.to_owned()),
                _ => (Stage::Send, r#"{"name": "projects/p/messages/1"}"#.to_owned()),
            };
            if at == stage {
                let _ = stream.write_all(head.as_bytes()).await;
                while stream.write_all(body.as_bytes()).await.is_ok() && endless {}
            } else {
                let _ = stream.write_all(format!("{OK}{good}").as_bytes()).await;
            }
        }
    });
    Fcm::stand_in(own.parse().unwrap()).unwrap()
}

const OK: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";

#[tokio::test]
async fn hostile_answers_of_a_server_are_refused() {
    let ways: [(&'static str, String, bool); 8] = [
        (OK, "[".repeat(90_000), false),
        (OK, "<html>".to_owned(), false),
        (OK, r#"{"name": 1, "access_token": [], "private_key": {}}"#.to_owned(), false),
        (OK, " ".repeat(65_536), true),
        (
            "HTTP/1.1 200 OK\r\ncontent-length: 9000000000\r\nconnection: close\r\n\r\n",
            "{}".to_owned(),
            false,
        ),
        (
            "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\nconnection: close\r\n\r\n",
            String::new(),
            false,
        ),
        ("SSH-2.0-OpenSSH\r\n", String::new(), false),
        ("", String::new(), false),
    ];
    for stage in [Stage::Account, Stage::Token, Stage::Send] {
        for (head, body, endless) in ways.clone() {
            let what = format!("{stage:?} {head:?} {:?} {endless}", &body[..body.len().min(40)]);
            let outcome = hostile(stage, head, body, endless).await.send(&message(), &Secret::new("a")).await;
            assert!(
                !matches!(outcome, PushOutcome::Accepted | PushOutcome::Unregistered),
                "{what}: {outcome:?}"
            );
        }
    }
    // A life that no clock can hold.
    let long = format!(r#"{{"access_token": "t", "expires_in": {}}}"#, u64::MAX);
    assert_eq!(
        hostile(Stage::Token, OK, long, false).await.send(&message(), &Secret::new("a")).await,
        PushOutcome::Accepted
    );
}
