//! Routes beside the document, and the order in which messages of providers are received. See
//! `docs/decisions/payments.md#callbacks`.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use access::{App, raw::RawRoute};
use callbacks::{Message, Receiver};
use contract::{Callback, Capability, Environment, NotSigned, Plugins, Proof, RawAnswer, RawMessage, Secret};
use futures_util::future::join_all;
use kernel::{Result, clock};
use poem::{
    Body, Endpoint, Request, Response,
    endpoint::BoxEndpoint,
    http::{Method, StatusCode},
};
use sandbox::callback::signature;
use serde_json::Value;
use tenants::TenantTx;
use testkit::{Place, kit};
use uuid::Uuid;
use work::{JobError, Mailer, Runner};

const PATH: &str = "/api/v3/test-callbacks/:provider/:token";
const SECRET: &str = "the account's secret";

/// The plug-ins of two stand-ins: `signing` signs, `hinting` does not.
struct StandIn {
    signs: bool,
}

impl Callback for StandIn {
    fn proof(&self, secret: &Secret, message: &RawMessage, now: SystemTime) -> Result<Proof, NotSigned> {
        if !self.signs {
            return Ok(Proof::Hint);
        }
        let given = message.header("signature").ok_or(NotSigned)?;
        let seconds = given.strip_prefix("t=").and_then(|rest| rest.split(',').next()?.parse().ok());
        let since = Duration::from_secs(seconds.ok_or(NotSigned)?);
        let sent = UNIX_EPOCH.checked_add(since).ok_or(NotSigned)?;
        let apart = now.duration_since(sent).unwrap_or_else(|ahead| ahead.duration());
        let fits = given == signature(secret.reveal(), sent, &message.body);
        if fits && apart <= Duration::from_secs(300) { Ok(Proof::Signed) } else { Err(NotSigned) }
    }

    fn answer(&self, secret: &Secret, message: &RawMessage, now: SystemTime) -> RawAnswer {
        let body = [b"received ", &message.body[..]].concat();
        RawAnswer { headers: vec![("signature".into(), signature(secret.reveal(), now, &body))], body }
    }
}

/// A domain crate with accounts. What a message does is a row of its restaurant, in the transaction of the job.
struct Desk {
    kind: &'static str,
    /// The worker is killed in the middle.
    hangs: AtomicBool,
    begun: AtomicUsize,
    /// The connection that works.
    backend: AtomicI32,
}

#[async_trait::async_trait]
impl Receiver for Desk {
    fn job_kind(&self) -> &'static str {
        self.kind
    }

    async fn secret(&self, _: &App, _: &TenantTx, account: Uuid) -> Result<Option<Secret>> {
        Ok((!account.is_nil()).then(|| Secret::new(SECRET)))
    }

    async fn work(&self, _: (&App, &Plugins), tx: &TenantTx, message: &Message) -> Result<(), JobError> {
        let sql = "insert into courier (id, restaurant_id, first_name, last_name) values ($1, $2, 'x', 'x')";
        tx.run(sql, [Uuid::now_v7().into(), message.restaurant.into()]).await.unwrap();
        let backend = tx.value("select pg_backend_pid()", []).await.unwrap();
        self.backend.store(backend.unwrap(), Ordering::SeqCst);
        self.begun.fetch_add(1, Ordering::SeqCst);
        if self.hangs.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}

/// A place with the service that has the desk's route, and the desk's jobs.
struct Bench {
    place: Place<'static>,
    service: BoxEndpoint<'static>,
    desk: &'static Desk,
}

impl Bench {
    async fn new() -> Self {
        Self::of(kit().await.restaurant().await)
    }

    fn of(place: Place<'static>) -> Self {
        // A kind of its own: no other process takes the jobs.
        let kind: &'static str = Box::leak(format!("desk_{}", Uuid::now_v7().simple()).into_boxed_str());
        let desk = Box::leak(Box::new(Desk {
            kind,
            hangs: AtomicBool::new(false),
            begun: AtomicUsize::new(0),
            backend: AtomicI32::new(0),
        }));
        let mut plugins = Plugins::default();
        for (name, signs) in [("signing", true), ("hinting", false)] {
            let plugin = Capability::Callback(Arc::new(StandIn { signs }));
            plugins.register(name, Environment::Live, plugin).unwrap();
        }
        let service = mounted(place.kit.app.clone(), plugins, vec![callbacks::route(PATH, desk)]);
        Self { place, service, desk }
    }

    /// The address of a new account.
    async fn address(&self, provider: &str) -> (Uuid, String) {
        let account = Uuid::now_v7();
        (account, self.address_of(provider, account).await)
    }

    async fn address_of(&self, provider: &str, account: Uuid) -> String {
        let tx = self.place.kit.unit_of_work(self.place.partner).await;
        let token = callbacks::open(&tx, self.place.restaurant, provider, account).await.unwrap();
        tx.commit().await.unwrap();
        PATH.replace(":provider", provider).replace(":token", &token)
    }

    async fn send(&self, address: &str, body: &str, signed: &[&str]) -> (StatusCode, Value) {
        let mut request = Request::builder().method(Method::POST).uri(address.parse().unwrap());
        for header in signed {
            request = request.header("signature", *header);
        }
        let answer = call(&self.service, request.body(body.to_owned())).await;
        (answer.0, serde_json::from_slice(&answer.1).unwrap_or_default())
    }

    /// A message as the provider signs it now.
    async fn signed(&self, address: &str, body: &str) -> StatusCode {
        self.send(address, body, &[&signature(SECRET, clock::now().into(), body.as_bytes())]).await.0
    }

    fn runner(&self) -> Arc<Runner> {
        let kit = self.place.kit;
        let mailer = Mailer::keeping(std::env::temp_dir().join("pult-test-desk")).unwrap();
        Arc::new(Runner::new(
            kit.app.door.clone(),
            mailer,
            kit.hub.clone(),
            vec![callbacks::job(self.desk, &kit.app, &Plugins::default())],
        ))
    }

    async fn run_jobs(&self) {
        while self.runner().round().await.unwrap() > 0 {}
    }

    /// Messages that are kept, and what they did.
    async fn kept_and_done(&self) -> (i64, i64) {
        (self.place.count("callback").await, self.place.count("courier").await)
    }
}

fn mounted(app: App, plugins: Plugins, routes: Vec<RawRoute>) -> BoxEndpoint<'static> {
    let kit_of = (Default::default(), Default::default());
    server::routes::with_routes(app, kit_of.0, kit_of.1, plugins, routes).0
}

async fn call(service: &BoxEndpoint<'static>, request: Request) -> (StatusCode, Vec<u8>) {
    let answer: Response = service.call(request).await.unwrap();
    let status = answer.status();
    (status, answer.into_body().into_vec().await.unwrap())
}

fn code(body: &[u8]) -> String {
    let problem: Value = serde_json::from_slice(body).unwrap_or_default();
    problem["code"].as_str().unwrap_or_default().to_owned()
}

/// Each route says how much it reads and how often it is called; the frame keeps it for all of them.
#[testkit::test]
async fn a_raw_route_has_a_limit() {
    let place = kit().await.restaurant().await;
    // Calls are counted by address, and the database lives longer than this test.
    let network = format!("2001:db8:{:x}", rand::random::<u16>());
    let own = || {
        RawRoute::new((Method::POST, "/test-raw/:name"), 10, 3, |call| async move {
            assert!(call.body.len() <= 10);
            Ok(Response::builder().body(format!("{} {}", call.variables["name"], call.body.len())))
        })
    };
    let mut routes = server::raw_routes();
    let product = routes.len();
    assert!(product > 0);
    routes.push(own());
    let mut paths = BTreeSet::new();
    for route in &routes {
        assert!(
            route.longest_body <= 1_000_000 && (1..=10_000).contains(&route.per_minute),
            "{}",
            route.path
        );
        assert!(paths.insert((route.method.as_str(), route.path)), "{} twice", route.path);
        let in_document = route.path.replace(':', "{");
        assert!(
            testkit::operation(&route.method, &in_document).is_none(),
            "{} is in the document",
            route.path
        );
    }
    let all = routes.clone();
    let service = mounted(place.kit.app.clone(), Plugins::default(), all);
    for route in routes {
        let path = route.path.replace(':', "");
        let request = || {
            Request::builder()
                .method(route.method.clone())
                .uri(path.parse().unwrap())
                .header("x-forwarded-for", format!("{network}:9::1"))
        };
        let long = vec![b'x'; route.longest_body + 1];
        let endless = || {
            let piece = || Ok::<_, std::io::Error>(vec![b'x'; 1_000]);
            Body::from_bytes_stream(futures_util::stream::repeat_with(piece))
        };
        // With its length, without it, with a false one, and without an end: no more is read than may be.
        let length = long.len().to_string();
        let stream =
            || Body::from_bytes_stream(futures_util::stream::iter([Ok::<_, std::io::Error>(long.clone())]));
        for request in [
            request().header("content-length", &length).body(long.clone()),
            request().body(stream()),
            request().header("content-length", "1").header("content-type", "a/b; c").body(stream()),
            request().body(endless()),
        ] {
            let (status, body) = call(&service, request).await;
            assert_eq!((status, &*code(&body)), (StatusCode::PAYLOAD_TOO_LARGE, "TOO_LARGE"), "{path}");
        }
    }
    // Any bytes of any type, and no more calls than it says. The refused ones above that were begun count.
    let call_from = |subnet: u8| {
        let request = Request::builder()
            .method(Method::POST)
            .uri("/test-raw/a".parse().unwrap())
            .header("x-forwarded-for", format!("{network}:{subnet}::1"))
            .header("content-type", "\u{ff}")
            .body(vec![0xff_u8, 0, 1]);
        call(&service, request)
    };
    for _ in 0..3 {
        assert_eq!(call_from(10).await, (StatusCode::OK, b"a 3".to_vec()));
    }
    let (status, body) = call_from(10).await;
    assert_eq!((status, &*code(&body)), (StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_REQUESTS"));
    assert_eq!(call_from(11).await.0, StatusCode::OK);
    // However many came, the minute ends with the minute.
    for _ in 0..5 {
        assert_eq!(call_from(10).await.0, StatusCode::TOO_MANY_REQUESTS);
    }
    let over = format!(
        "update control.attempt set window_start = window_start - interval '1 minute' \
         where subject like 'raw /test-raw/:name {network}:%'"
    );
    assert!(place.kit.run(&over, vec![]).await > 0);
    for _ in 0..3 {
        assert_eq!(call_from(10).await.0, StatusCode::OK);
    }
    assert_eq!(call_from(10).await.0, StatusCode::TOO_MANY_REQUESTS);
}

/// Ten at once, again later, and with the worker killed in between.
#[testkit::test]
async fn one_message_is_worked_once() {
    let bench = Bench::new().await;
    let (_, address) = bench.address("signing").await;
    let at_once = (0..10).map(|_| bench.signed(&address, "paid 1"));
    assert!(join_all(at_once).await.iter().all(|status| *status == StatusCode::OK));
    assert_eq!(bench.kept_and_done().await, (1, 0));

    bench.desk.hangs.store(true, Ordering::SeqCst);
    let worker = tokio::spawn(bench.runner().round());
    while bench.desk.begun.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    worker.abort();
    assert!(worker.await.is_err_and(|ended| ended.is_cancelled()));
    // What a process holds is free once it is gone; here its connection would keep the row for a while.
    let gone = "select pg_terminate_backend($1)";
    let backend = bench.desk.backend.load(Ordering::SeqCst);
    assert_eq!(bench.place.kit.run(gone, vec![backend.into()]).await, 1);
    let dead = "update control.job set leased_until = now() - interval '1 second' where kind = $1";
    assert_eq!(bench.place.kit.run(dead, vec![bench.desk.kind.into()]).await, 1);
    bench.desk.hangs.store(false, Ordering::SeqCst);
    bench.run_jobs().await;
    assert_eq!(bench.kept_and_done().await, (1, 1), "once, in spite of the killed worker");
    assert_eq!(bench.desk.begun.load(Ordering::SeqCst), 2);

    for again in [&address, &format!("{address}?a=2")] {
        assert_eq!(bench.signed(again, "paid 1").await, StatusCode::OK);
        bench.run_jobs().await;
        assert_eq!(bench.kept_and_done().await, (1, 1), "a signed message that comes again says nothing new");
    }
    assert_eq!(bench.signed(&address, "paid 2").await, StatusCode::OK);
    bench.run_jobs().await;
    assert_eq!(bench.kept_and_done().await, (2, 2));
}

/// The job has failed for good, or somebody has discarded it: the provider sends again, and that is not in vain.
#[testkit::test]
async fn a_message_without_its_job_is_worked_when_it_comes_again() {
    let bench = Bench::new().await;
    for (done, provider) in (0..).zip(["signing", "hinting"]) {
        let (_, address) = bench.address(provider).await;
        assert_eq!(bench.signed(&address, "paid").await, StatusCode::OK);
        let lost = "update control.job set state = 'failed' where kind = $1";
        assert_eq!(bench.place.kit.run(lost, vec![bench.desk.kind.into()]).await, 1);
        bench.run_jobs().await;
        assert_eq!(bench.kept_and_done().await, (done + 1, done));
        assert_eq!(bench.signed(&address, "paid").await, StatusCode::OK);
        bench.run_jobs().await;
        assert_eq!(bench.kept_and_done().await, (done + 1, done + 1), "{provider}");
    }
}

#[testkit::test]
async fn a_hint_makes_us_ask_each_time() {
    let bench = Bench::new().await;
    let (_, address) = bench.address("hinting").await;
    for _ in 0..3 {
        assert_eq!(bench.send(&address, "id=1", &[]).await.0, StatusCode::OK);
    }
    bench.run_jobs().await;
    assert_eq!(bench.kept_and_done().await, (1, 1), "three before we asked are one question");
    assert_eq!(bench.send(&address, "id=1", &[]).await.0, StatusCode::OK);
    bench.run_jobs().await;
    assert_eq!(bench.kept_and_done().await, (1, 2), "the same words after it are news");
    // What stands in the query is a part of the message.
    assert_eq!(bench.send(&format!("{address}?id=2"), "id=1", &[]).await.0, StatusCode::OK);
    assert_eq!(bench.kept_and_done().await.0, 2);
}

/// What is not signed as it should be is refused and not kept; an address that is not this account's is none.
#[testkit::test]
async fn a_message_is_proved_before_it_is_kept() {
    let bench = Bench::of(kit().await.partner().await);
    let (account, address) = bench.address("signing").await;
    let now: SystemTime = clock::now().into();
    let good = signature(SECRET, now, b"paid");
    let late = signature(SECRET, now - Duration::from_secs(302), b"paid");
    let early = signature(SECRET, now + Duration::from_secs(302), b"paid");
    let foreign = signature("another secret", now, b"paid");
    let unsigned: [(&str, &[&str]); 9] = [
        ("paid", &[]),
        ("paid", &[""]),
        ("paid", &["t=,v1="]),
        ("paid", &["t=18446744073709551615,v1=00"]),
        ("paid!", &[&good]),
        ("paid", &[&late]),
        ("paid", &[&early]),
        ("paid", &[&foreign]),
        ("paid", &[&good, &good]),
    ];
    for (body, headers) in unsigned {
        let (status, problem) = bench.send(&address, body, headers).await;
        assert_eq!(
            (status, &problem["code"]),
            (StatusCode::BAD_REQUEST, &"BAD_REQUEST".into()),
            "{headers:?}"
        );
    }
    let nil = bench.address_of("signing", Uuid::nil()).await;
    let unknown = bench.address_of("nobody's plug-in", account).await;
    // The last one took the address of the account.
    let elsewhere = address.replace("/signing/", "/hinting/");
    let guesses = ["", "pc_", "pc_x", "%00", &"pc_".repeat(2_000)]
        .map(|token| PATH.replace(":provider/:token", "signing/") + token);
    for address in guesses.into_iter().chain([nil, unknown.replace(' ', "%20"), elsewhere, address]) {
        let (status, problem) = bench.send(&address, "paid", &[&good]).await;
        assert!(
            [StatusCode::NOT_FOUND, StatusCode::UNPROCESSABLE_ENTITY, StatusCode::METHOD_NOT_ALLOWED]
                .contains(&status)
                && problem["code"] != "UNKNOWN_ERROR",
            "{address}: {status} {problem}"
        );
    }
    assert_eq!(bench.kept_and_done().await.0, 0);

    // A suspended partner's guests have paid; one that is being worked on is asked to wait.
    let (account, address) = bench.address("signing").await;
    for (status, expected) in [
        ("suspended", StatusCode::OK),
        ("maintenance", StatusCode::SERVICE_UNAVAILABLE),
        ("creating", StatusCode::SERVICE_UNAVAILABLE),
        ("deleting", StatusCode::SERVICE_UNAVAILABLE),
        ("active", StatusCode::OK),
    ] {
        let sql = "update control.partner set status = $2 where id = $1";
        bench.place.kit.run(sql, vec![bench.place.partner.into(), status.into()]).await;
        assert_eq!(bench.signed(&address, status).await, expected, "{status}");
    }
    let tx = bench.place.kit.unit_of_work(bench.place.partner).await;
    callbacks::close(&tx, bench.place.restaurant, account).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(bench.signed(&address, "late").await, StatusCode::NOT_FOUND);
    assert_eq!(bench.kept_and_done().await.0, 2);
    // Another partner's restaurant gets no address here.
    let stranger = kit().await.stranger().await;
    let tx = bench.place.kit.unit_of_work(bench.place.partner).await;
    assert!(callbacks::open(&tx, stranger.restaurant, "signing", account).await.is_err());
}
