//! The plug-in against the stand-in for Teya.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use conformance::{
    Fault,
    card_terminal::{Bench, run},
};
use contract::{CallFault, CardTerminal, Effect, Secret};
use sandbox::teya as stand_in;
use teya::{Settings, Teya};
use tokio::net::TcpListener;
use url::Url;

struct Company {
    plug_in: Teya,
    company: Arc<stand_in::Teya>,
}

fn settings(at: &Url) -> Settings {
    Settings {
        api: at.clone(),
        identity: at.clone(),
        client_id: "pult".to_owned(),
        client_secret: Secret::new("secret"),
    }
}

async fn company() -> Company {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at: Url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let company = Arc::new(stand_in::Teya::new("secret"));
    tokio::spawn(stand_in::serve(listener, company.clone()));
    Company { plug_in: Teya::with_patience(settings(&at), Duration::from_millis(700)).unwrap(), company }
}

#[async_trait]
impl Bench for Company {
    fn plug_in(&self) -> &dyn CardTerminal {
        &self.plug_in
    }
    async fn agree(&self, url: &str) -> Vec<(String, String)> {
        let back: Url = self.company.agree(url).expect("a sound request").parse().unwrap();
        back.query_pairs().into_owned().collect()
    }
    fn next(&self, fault: Fault) {
        self.company.next(fault);
    }
    fn wait(&self, seconds: u64) {
        self.company.wait(seconds);
    }
    fn calls(&self) -> Vec<String> {
        self.company.calls()
    }
    fn foreign_store(&self) -> String {
        stand_in::FOREIGN.to_owned()
    }
}

#[tokio::test]
async fn it_is_a_card_terminal() {
    run(&company().await).await;
}

#[tokio::test]
async fn where_nobody_listens_nothing_has_happened() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at: Url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    drop(listener);
    let error = Teya::new(settings(&at)).unwrap().stores(&Secret::new("token")).await.unwrap_err();
    assert_eq!((error.effect, error.fault), (Effect::None, CallFault::Unreachable));
}
