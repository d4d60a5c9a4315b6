//! `kill -9` of the service among payments on a provider's page: each order is paid once, what is cancelled goes back
//! once, nothing stays unknown, and our books are the provider's. See `docs/decisions/reliability.md#crash-and-retry`.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::{Api, Connection, Installation, Reply, Result, Shop, free_port, request};
use sandbox::simplepay::{self, SimplePay};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection as _, Executor, Row};
use tokio::net::TcpListener;

use crate::kill::{number, seed};

const PATIENCE: Duration = Duration::from_secs(150);

/// Guests who pay, and staff who cancel.
struct Guests<'a> {
    shop: &'a Shop,
    service: SocketAddr,
    company: &'a SimplePay,
    /// Calls that were answered, and that were not.
    answered: AtomicUsize,
    lost: AtomicUsize,
}

impl Guests<'_> {
    /// Sends it once; none where no answer came.
    async fn once(
        &self, to: SocketAddr, headers: &[(&str, &str)], (method, path, body): (&str, &str, Option<&str>),
    ) -> Option<Reply> {
        let call = async {
            let bytes = request(method, path, headers, body);
            Connection::open(to).await?.call(&bytes).await
        };
        let reply: std::io::Result<Reply> = call.await;
        let reply = reply.ok().filter(|reply| reply.header("retry-after").is_none());
        let counter = if reply.is_some() { &self.answered } else { &self.lost };
        counter.fetch_add(1, Ordering::Relaxed);
        reply
    }

    /// Sends it until it is answered.
    async fn send(
        &self, to: SocketAddr, headers: &[(&str, &str)], call: (&str, &str, Option<&str>),
    ) -> Reply {
        let begun = Instant::now();
        loop {
            if let Some(reply) = self.once(to, headers, call).await {
                return reply;
            }
            assert!(begun.elapsed() < PATIENCE, "{} was not answered", call.1);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// An order that its guest pays, at the second try if the card is refused first; staff may cancel it then.
    async fn life(&self, intent: usize) {
        let mut body = self.shop.order(intent);
        (body["payment_method"], body["email"]) =
            ("card_online".into(), format!("guest{intent}@pult.example").into());
        let (key, body) = (format!("order {intent}"), body.to_string());
        let headers = [("authorization", self.shop.bearer.as_str()), ("idempotency-key", &key)];
        let placed = self.send(self.service, &headers, ("POST", &Shop::orders(), Some(&body))).await;
        assert_eq!(placed.status, 201, "{}", placed.text());
        let order: serde_json::Value = serde_json::from_slice(&placed.body).unwrap();
        let address = order["payment"]["url"].as_str().unwrap();
        let page = &address[address.find("/pay/").unwrap()..];
        // Each guest has an address: tries from one are limited.
        let from = format!("10.0.{}.{}", intent / 250, intent % 250);
        let guest = [("x-forwarded-for", from.as_str())];
        let mut outcome = if intent % 3 == 1 { "outcome=2013" } else { "outcome=paid" };
        let back = format!("{page}/back");
        // A guest who comes back before the provider is asked is led to the same page once more.
        while let Some(pay) = self.led_to_the_provider(&guest, page).await {
            self.company.send_form(pay.trim_start_matches("/pay/"), outcome);
            outcome = "outcome=paid";
            self.send(self.service, &guest, ("GET", &back, None)).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        if intent % 3 == 2 {
            let path = Shop::admin(&format!("/orders/{}/archive", order["id"].as_str().unwrap()));
            let staff = [("authorization", self.shop.staff.as_str())];
            let begun = Instant::now();
            let reason = Some(r#"{"reason": "guest_request"}"#);
            while self.send(self.service, &staff, ("PUT", &path, reason)).await.status != 200 {
                assert!(begun.elapsed() < PATIENCE, "the order of {intent} did not arrive");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }

    /// Sends the form of the page until it leads on; none where the order is paid meanwhile.
    async fn led_to_the_provider(&self, guest: &[(&str, &str)], page: &str) -> Option<String> {
        let begun = Instant::now();
        loop {
            let reply = self.send(self.service, guest, ("POST", page, Some("x="))).await;
            assert_eq!(reply.status, 303, "{}", reply.text());
            let to = reply.header("location").unwrap_or_default();
            if let Some(at) = to.strip_prefix("http://").and_then(|rest| rest.find('/').map(|at| &rest[at..]))
            {
                return Some(at.to_owned());
            }
            let shown = self.send(self.service, guest, ("GET", page, None)).await;
            if shown.text().contains("Sikeres fizetés") {
                return None;
            }
            assert!(begun.elapsed() < PATIENCE, "{page} leads nowhere: {}", shown.text());
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }
}

/// What must not be.
const FAULTS: &[(&str, &str)] = &[
    (
        "money that has come has one row of the ledger",
        "select a.id::text from payment_attempt a where (select count(*) from payable_transaction t \
            where t.attempt_id = a.id and t.refunds_id is null) <> case when a.captured > 0 then 1 else 0 end",
    ),
    (
        "a refund that is done has one row of the ledger",
        "select f.id::text from payment_refund f where (select count(*) from payable_transaction t \
            where t.refund_id = f.id) <> case when f.state = 'succeeded' then 1 else 0 end",
    ),
    (
        "an order has its price, and a cancelled one nothing",
        "select o.id::text from orders o where (select coalesce(sum(t.value), 0) from payable_transaction t \
            where t.order_id = o.id) <> case when o.archived_at is null then o.total_price else 0 end",
    ),
];

const OPEN: &str = "select (select count(*) from payment_attempt \
        where state in ('created', 'pending', 'authorised', 'unknown')) \
    + (select count(*) from payment_refund where state in ('created', 'pending', 'unknown'))";

async fn prepare(
    installation: &Installation, address: SocketAddr, shop: &Shop, company: &SimplePay,
) -> Result<()> {
    let admin = Api::with(address, &shop.staff);
    let account = simplepay::ACCOUNTS[0];
    let body = json!({"provider": "simplepay", "account": account.merchant, "secret": account.secret});
    let base = Shop::admin("/payment-methods");
    let made = admin.call("POST", &format!("{base}/provider-accounts"), Some(&body)).await?;
    company.set_ipn(account.merchant, made["callback_url"].as_str().unwrap_or_default());
    let methods = admin.call("GET", &base, None).await?;
    let online = methods.as_array().into_iter().flatten().find(|one| one["payment_key"] == "card_online");
    let id = online.ok_or("there is no online method")?["id"].clone();
    admin.call("PUT", &base, Some(&json!({"view": "web", "payment_method_ids": [id]}))).await?;
    installation.lift_limits().await
}

async fn run(orders: usize, kills: usize, seed: u64) -> Result<Vec<String>> {
    eprintln!("{orders} orders paid online, {kills} kills, PULT_FAULT_SEED={seed}");
    let server = std::env::var("PULT_TEST_DATABASE_URL")
        .map_err(|_| "PULT_TEST_DATABASE_URL: the address of a throw-away Postgres")?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fault-online");
    let mut installation =
        Installation::make(Path::new(env!("CARGO_BIN_EXE_pult")), &server, &folder).await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let provider = listener.local_addr()?;
    let company = Arc::new(SimplePay::new(format!("http://{provider}")));
    tokio::spawn(simplepay::serve(listener, company.clone()));
    let (port, metrics) = (free_port()?, free_port()?);
    installation.set("PULT_LOG", "error");
    installation.set("PULT_STAND_IN_SIMPLEPAY_URL", &format!("http://{provider}"));
    installation.set("PULT_PUBLIC_URL", &format!("http://127.0.0.1:{port}"));
    installation.set("PULT_TRUSTED_PROXIES", "127.0.0.1");
    let mut service = installation.serve(port, metrics).await?;
    let address = service.address;
    let shop = Shop::open(&installation, address, seed).await?;
    prepare(&installation, address, &shop, &company).await?;
    let (answered, lost) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let guests = Guests { shop: &shop, service: address, company: &company, answered, lost };
    let next = AtomicUsize::new(0);
    let paying = join_all((0..6).map(|_| async {
        loop {
            let intent = next.fetch_add(1, Ordering::Relaxed);
            if intent >= orders {
                return;
            }
            guests.life(intent).await;
        }
    }));
    let killing = async {
        let mut random = StdRng::seed_from_u64(seed);
        let mut moments: Vec<usize> = (0..kills).map(|_| random.random_range(1..orders * 3)).collect();
        moments.sort_unstable();
        for moment in moments {
            while guests.answered.load(Ordering::Relaxed) < moment && next.load(Ordering::Relaxed) < orders {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            tokio::time::sleep(Duration::from_micros(random.random_range(0..20_000))).await;
            service.kill().await?;
            service = installation.serve(port, metrics).await?;
        }
        Result::Ok(service)
    };
    let (_, killed) = tokio::join!(paying, killing);
    let service = killed?;
    let mut db = installation.owner().await?;
    let schema: String = sqlx::query_scalar("select role from control.partner").fetch_one(&mut db).await?;
    db.execute(AssertSqlSafe(format!("set search_path = {schema}"))).await?;
    let begun = Instant::now();
    while sqlx::query_scalar::<_, i64>(OPEN).fetch_one(&mut db).await? > 0 {
        assert!(begun.elapsed() < PATIENCE, "something stays open");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    service.kill().await?;
    let mut found = Vec::new();
    for (rule, sql) in FAULTS {
        let rows = sqlx::query(*sql).fetch_all(&mut db).await?;
        found.extend(rows.iter().take(5).map(|row| format!("not so: {rule}: {}", row.get::<String, _>(0))));
    }
    for book in company.books() {
        let ours = "select coalesce(sum(captured), 0)::bigint, coalesce(sum(refunded), 0)::bigint \
            from payment_attempt where id::text = $1";
        let row = sqlx::query(ours).bind(&book.order_ref).fetch_one(&mut db).await?;
        let ours: (i64, i64) = (row.get(0), row.get(1));
        if ours != (book.taken, book.back) {
            found.push(format!("we have {ours:?}, the provider has {book:?}"));
        }
    }
    assert!(guests.lost.load(Ordering::Relaxed) > 0, "the kills met nothing");
    db.close().await?;
    installation.remove().await?;
    Ok(found)
}

#[tokio::test]
#[ignore = "for the night: a start whose process died is asked about after 40 seconds"]
async fn kills_among_payments() {
    let seed = seed();
    let rounds = number("PULT_FAULT_ROUNDS");
    let (orders, kills) = if rounds.is_some() { (240, 50) } else { (24, 5) };
    for round in 0..rounds.unwrap_or(1) {
        assert_eq!(run(orders, kills, seed.wrapping_add(round)).await.unwrap(), Vec::<String>::new());
    }
}
