//! Connect, stores and terminals of a company with card terminals.

use async_trait::async_trait;
use contract::{Authorization, CallError, CallFault, CardTerminal, Client, Effect, Secret, SignIn};

use crate::Fault;

const REDIRECT: &str = "http://pult.test/card-terminal/back";
const VERIFIER: &str = "a-verifier-of-at-least-forty-three-characters-0123";

/// A plug-in and the company that it talks to. The company knows one person with at least one store and one
/// terminal in it.
#[async_trait]
pub trait Bench: Send + Sync {
    /// The plug-in.
    fn plug_in(&self) -> &dyn CardTerminal;
    /// Signs in on the company's page and agrees; gives the query of the address to which the page leads.
    async fn agree(&self, url: &str) -> Vec<(String, String)>;
    /// The next call has this fault.
    fn next(&self, fault: Fault);
    /// Time passes at the company.
    fn wait(&self, seconds: u64);
    /// All calls since the last time, as `METHOD path`.
    fn calls(&self) -> Vec<String>;
    /// A store that exists but belongs to somebody else.
    fn foreign_store(&self) -> String;
}

/// The whole suite.
pub async fn run(bench: &dyn Bench) {
    connects_once_and_only_with_its_verifier(bench).await;
    knows_stores_and_terminals(bench).await;
    ends_and_renews(bench).await;
    a_client_outlives_lost_answers(bench).await;
    an_error_states_the_possible_outcome(bench).await;
}

async fn code(bench: &dyn Bench) -> String {
    let url = bench.plug_in().authorization_url(Authorization {
        redirect: REDIRECT,
        state: "a state",
        verifier: VERIFIER,
    });
    assert!(!url.contains(VERIFIER), "the verifier never leaves before the exchange");
    let back = bench.agree(&url).await;
    let get = |name: &str| back.iter().find(|(one, _)| one == name).map(|(_, value)| value.clone());
    assert_eq!(get("state").as_deref(), Some("a state"), "the state comes back as it was");
    get("code").expect("a code")
}

async fn sign_in(bench: &dyn Bench) -> SignIn {
    let code = code(bench).await;
    bench.plug_in().connect(&code, VERIFIER, REDIRECT).await.expect("a sign-in")
}

#[track_caller]
fn refused<T>(outcome: Result<T, CallError>, fault: CallFault) {
    let error = outcome.err().expect("a refusal");
    assert_eq!((error.effect, error.fault), (Effect::None, fault), "{error}");
}

async fn connects_once_and_only_with_its_verifier(bench: &dyn Bench) {
    let plug_in = bench.plug_in();
    let one = code(bench).await;
    refused(
        plug_in.connect(&one, "another-verifier-of-at-least-forty-three-characters", REDIRECT).await,
        CallFault::Credentials,
    );
    let two = code(bench).await;
    refused(plug_in.connect(&two, VERIFIER, "http://pult.test/elsewhere").await, CallFault::Credentials);
    let three = code(bench).await;
    let signed_in = plug_in.connect(&three, VERIFIER, REDIRECT).await.expect("a sign-in");
    assert!(signed_in.access.seconds > 0);
    refused(plug_in.connect(&three, VERIFIER, REDIRECT).await, CallFault::Credentials);
    refused(plug_in.connect("no code", VERIFIER, REDIRECT).await, CallFault::Credentials);
}

async fn knows_stores_and_terminals(bench: &dyn Bench) {
    let plug_in = bench.plug_in();
    let access = sign_in(bench).await.access.token;
    let stores = plug_in.stores(&access).await.expect("stores");
    assert!(stores.iter().all(|store| !store.store_id.is_empty() && !store.name.is_empty()), "{stores:?}");
    let store = &stores.first().expect("a store").store_id;
    let terminals = plug_in.terminals(&access, store).await.expect("terminals");
    assert!(
        !terminals.is_empty()
            && terminals.iter().all(|one| !one.terminal_id.is_empty() && !one.terminal_name.is_empty()),
        "{terminals:?}"
    );
    for absent in [bench.foreign_store(), "../stores".to_owned(), "no such store".to_owned()] {
        refused(plug_in.terminals(&access, &absent).await, CallFault::NotFound);
        refused(plug_in.register(&access, &absent, "ours").await, CallFault::NotFound);
    }
    refused(plug_in.stores(&Secret::new("no token")).await, CallFault::Credentials);
}

async fn ends_and_renews(bench: &dyn Bench) {
    let plug_in = bench.plug_in();
    let first = sign_in(bench).await;
    bench.wait(u64::from(first.access.seconds) + 1);
    refused(plug_in.stores(&first.access.token).await, CallFault::Credentials);
    let second = plug_in.renew(&first.refresh).await.expect("renewed");
    assert_ne!(second.refresh, first.refresh, "each renewal brings another refresh token");
    plug_in.stores(&second.access.token).await.expect("the new token is good");
    refused(plug_in.renew(&first.refresh).await, CallFault::Credentials);
    refused(plug_in.renew(&Secret::new("made up")).await, CallFault::Credentials);
}

async fn a_client_outlives_lost_answers(bench: &dyn Bench) {
    let plug_in = bench.plug_in();
    let signed_in = sign_in(bench).await;
    let store = plug_in.stores(&signed_in.access.token).await.expect("stores").remove(0).store_id;
    bench.next(Fault::CloseAfterWork);
    let lost =
        plug_in.register(&signed_in.access.token, &store, "till").await.expect_err("the answer is lost");
    assert_eq!(lost.effect, Effect::Unknown);
    let client = plug_in.register(&signed_in.access.token, &store, "till").await.expect("the same again");
    let again = plug_in.register(&signed_in.access.token, &store, "till").await.expect("the same again");
    assert_eq!(
        (&client.id, &client.secret),
        (&again.id, &again.secret),
        "registering under the same name gives the same client"
    );
    // The sign-in is lost with the answer to its renewal; the client goes on.
    bench.next(Fault::CloseAfterWork);
    assert_eq!(
        plug_in.renew(&signed_in.refresh).await.expect_err("the answer is lost").effect,
        Effect::Unknown
    );
    refused(plug_in.renew(&signed_in.refresh).await, CallFault::Credentials);
    bench.next(Fault::CloseAfterWork);
    assert_eq!(plug_in.enter(&client).await.expect_err("the answer is lost").effect, Effect::Unknown);
    let one = plug_in.enter(&client).await.expect("access");
    let two = plug_in.enter(&client).await.expect("access");
    for access in [&one, &two] {
        assert!(!plug_in.terminals(&access.token, &store).await.expect("terminals").is_empty());
    }
    bench.wait(u64::from(one.seconds.max(two.seconds)) + 1);
    refused(plug_in.terminals(&one.token, &store).await, CallFault::Credentials);
    let unknown = Client { id: client.id, secret: Secret::new("another") };
    refused(plug_in.enter(&unknown).await, CallFault::Credentials);
}

async fn an_error_states_the_possible_outcome(bench: &dyn Bench) {
    let plug_in = bench.plug_in();
    let access = sign_in(bench).await.access.token;
    bench.calls();
    for (fault, effect, says) in [
        (Fault::Refuse, Effect::Unknown, CallFault::Unreachable),
        (Fault::CloseAfterWork, Effect::Unknown, CallFault::Unreachable),
        (Fault::Slow, Effect::Unknown, CallFault::Unreachable),
        (Fault::Status(500), Effect::Unknown, CallFault::Broken),
        (Fault::Status(503), Effect::Unknown, CallFault::Broken),
        (Fault::Status(429), Effect::None, CallFault::RateLimited),
        (Fault::Status(409), Effect::None, CallFault::Conflict),
        (Fault::Status(403), Effect::None, CallFault::Credentials),
        (Fault::Status(302), Effect::Unknown, CallFault::Protocol),
        (Fault::CutBody, Effect::Unknown, CallFault::Unreachable),
        (Fault::Garbage, Effect::Unknown, CallFault::Protocol),
        (Fault::Endless, Effect::Unknown, CallFault::Protocol),
    ] {
        bench.next(fault);
        let begun = std::time::Instant::now();
        let error = plug_in.stores(&access).await.expect_err("a failed call");
        assert_eq!((error.effect, error.fault), (effect, says), "{fault:?}");
        assert_eq!(error.retry_after.is_some(), fault == Fault::Status(429), "{fault:?}");
        assert!(begun.elapsed().as_secs() < 15, "{fault:?} took {:?}", begun.elapsed());
        assert_eq!(bench.calls().len(), 1, "{fault:?}: no call is repeated by the plug-in");
        plug_in.stores(&access).await.expect("the next one is answered");
        bench.calls();
    }
}
