//! Orders that are paid online: the order beside one in cash, the way from a message of the provider to the board, messages
//! beside the rows that they leave, and orders while the provider hangs.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use futures_util::{
    StreamExt,
    future::{join_all, try_join_all},
};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use rig::{Connection, Result, request};
use sandbox::simplepay::ACCOUNTS;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgPool, postgres::PgPoolOptions};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_tungstenite::{WebSocketStream, tungstenite::Message};
use url::Url;
use uuid::Uuid;

use super::{RunningService, Stage, place, sockets};
use crate::{
    load::{GUEST, Request, load},
    prepare::prepare,
    report::{Line, median, number},
};

/// Messages of the provider, and connections that they come by.
const MESSAGES: usize = 600;
const SENDERS: usize = 8;
/// Guests whose payments are begun while the provider hangs.
const HANGING: usize = 16;

/// The requests of one kind of order.
fn paid_by(order: &Request, method: &str) -> Result<Request> {
    let mut body: Value = serde_json::from_str(order.body.as_deref().unwrap_or_default())?;
    body["payment_method"] = method.into();
    body["email"] = format!("guest-{GUEST}@guest.example").into();
    Ok(Request { body: Some(body.to_string()), ..order.clone() })
}

/// A message as SimplePay sends it.
fn message(payment: &str) -> (Vec<u8>, String) {
    let said = json!({"salt": Uuid::now_v7().simple().to_string(), "orderRef": payment, "method": "CARD",
        "merchant": ACCOUNTS[0].merchant, "finishDate": "2026-11-20T20:00:00+01:00",
        "paymentDate": "2026-11-20T19:59:00+01:00", "transactionId": 900_000_001, "status": "FINISHED"});
    let body = said.to_string();
    let signature = ACCOUNTS[0].sign(body.as_bytes());
    let headers = [("signature", signature.as_str())];
    (request("POST", "PATH", &headers, Some(&body)), body)
}

/// The board of the restaurant, and the guests' side.
struct Guest<'a> {
    served: &'a RunningService,
    board: WebSocketStream<TcpStream>,
    simplepay: &'a Url,
    callback: String,
}

impl Guest<'_> {
    /// Waits until the board has heard that this order is there.
    async fn arrived(&mut self, order: &str) -> Result<()> {
        loop {
            let next = timeout(Duration::from_secs(20), self.board.next()).await;
            let next = next.map_err(|_| "the board does not hear of an order")?;
            let Message::Text(text) = next.ok_or("the board was closed")?? else { continue };
            if text.contains(order) && text.contains("\"created\"") {
                return Ok(());
            }
        }
    }

    /// Milliseconds of an order in cash until it is on the board.
    async fn cash(&mut self, order: &Request) -> Result<f64> {
        let begun = Instant::now();
        let made: Value = serde_json::from_slice(&order.once(self.served.address).await?.body)?;
        self.arrived(made["id"].as_str().unwrap_or_default()).await?;
        Ok(begun.elapsed().as_secs_f64() * 1e3)
    }

    /// Milliseconds from the message that an order is paid until it is on the board.
    async fn online(&mut self, order: &Request) -> Result<f64> {
        let made: Value = serde_json::from_slice(&order.once(self.served.address).await?.body)?;
        begin(self.served, &made).await?;
        let id = made["id"].as_str().unwrap_or_default();
        let payments =
            self.served.admin.call("GET", &place(&format!("/payments?order_id={id}")), None).await?;
        let payment = payments[0]["id"].as_str().ok_or("the payment was not begun")?;
        control(self.simplepay, &json!({"pay": payment})).await?;
        let (bytes, _) = message(payment);
        let mut connection = Connection::open(self.served.address).await?;
        let begun = Instant::now();
        let reply = connection.call(&to(&bytes, &self.callback)).await?;
        if reply.status != 200 {
            return Err(format!("a message was answered {}", reply.status).into());
        }
        self.arrived(id).await?;
        Ok(begun.elapsed().as_secs_f64() * 1e3)
    }
}

/// The request with its path.
fn to(bytes: &[u8], path: &str) -> Vec<u8> {
    String::from_utf8_lossy(bytes).replacen("PATH", path, 1).into_bytes()
}

/// A guest sends the form of the page, from an address of its own.
async fn begin(served: &RunningService, order: &Value) -> Result<()> {
    let page: Url = order["payment"]["url"].as_str().ok_or("the order is not paid online")?.parse()?;
    let from = format!("10.{}.{}.{}", rand::random::<u8>(), rand::random::<u8>(), rand::random::<u8>());
    let bytes = request("POST", page.path(), &[("x-forwarded-for", &from), ("content-length", "0")], None);
    let reply = Connection::open(served.address).await?.call(&bytes).await?;
    if reply.status == 303 { Ok(()) } else { Err(format!("the page was answered {}", reply.status).into()) }
}

/// Tells the stand-in what the guest does there. Its answers have no length, so the connection ends them.
async fn control(simplepay: &Url, what: &Value) -> Result<()> {
    let mut stream = TcpStream::connect(simplepay.socket_addrs(|| None)?[0]).await?;
    let body = what.to_string();
    stream.write_all(&request("POST", "/control", &[("connection", "close")], Some(&body))).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    if answer.starts_with("HTTP/1.1 200") {
        Ok(())
    } else {
        Err(format!("the stand-in answered {answer}").into())
    }
}

/// Milliseconds of orders until their answer, of two kinds by turns.
async fn until_answered(served: &RunningService, kinds: [&Request; 2]) -> Result<[f64; 2]> {
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 2.0));
    let mut medians = [vec![], vec![]];
    for round in 0..=number("PULT_BENCH_ROUNDS", 5) {
        for (kind, medians) in kinds.into_iter().zip(&mut medians) {
            let measured = load(served.address, kind, 1, time).await?;
            if round > 0 {
                medians.push(measured.percentile(0.5));
            }
        }
    }
    Ok(medians.map(median))
}

/// Sends these messages over some connections; how many a second were answered.
async fn send(guest: &Guest<'_>, all: &[Vec<u8>]) -> Result<f64> {
    let begun = Instant::now();
    let parts = all.chunks(all.len().div_ceil(SENDERS)).map(async |part| {
        let mut connection = Connection::open(guest.served.address).await?;
        for bytes in part {
            let reply = connection.call(&to(bytes, &guest.callback)).await?;
            if reply.status != 200 {
                return Err(format!("a message was answered {}", reply.status).into());
            }
        }
        Result::Ok(())
    });
    try_join_all(parts).await?;
    Ok(all.len() as f64 / begun.elapsed().as_secs_f64())
}

/// The rows of so many messages, inserted by hand over as many connections; how many a second.
async fn insert(pool: &PgPool, table: &str) -> Result<f64> {
    let sql = format!(
        "insert into {table} (id, restaurant_id, provider, account_id, digest, is_signed, query, body, received_at) \
         values ($1, $2, 'simplepay', $1, sha256($3), true, '', $3, now())"
    );
    let restaurant: Uuid = super::RESTAURANT.parse()?;
    let rows: Vec<_> = (0..MESSAGES).map(|_| message(&Uuid::now_v7().to_string()).1).collect();
    let begun = Instant::now();
    let parts = rows.chunks(rows.len().div_ceil(SENDERS)).map(async |part| {
        for body in part {
            let insert = sqlx::query(AssertSqlSafe(sql.as_str())).bind(Uuid::now_v7());
            insert.bind(restaurant).bind(body.as_bytes()).execute(pool).await?;
        }
        Result::Ok(())
    });
    try_join_all(parts).await?;
    Ok(MESSAGES as f64 / begun.elapsed().as_secs_f64())
}

/// Messages a second: answered by the service, and as rows that are inserted by hand; and how many are doubled when each
/// comes three times.
async fn messages(stage: &mut Stage, guest: &Guest<'_>) -> Result<(f64, f64, i64)> {
    let made = || (0..MESSAGES).map(|_| message(&Uuid::now_v7().to_string()).0);
    let table = format!("{}.callback", stage.schema);
    let pool = PgPoolOptions::new()
        .max_connections(u32::try_from(SENDERS)?)
        .connect(stage.installation.setting("PULT_DATABASE_OWNER_URL"))
        .await?;
    // By turns, so that a slow minute counts for both.
    let (mut answered, mut inserted) = (vec![], vec![]);
    for _ in 0..3 {
        answered.push(send(guest, &made().collect::<Vec<_>>()).await?);
        inserted.push(insert(&pool, &table).await?);
    }
    let sql = format!("select count(*) from {table}");
    let count = || sqlx::query_scalar::<_, i64>(AssertSqlSafe(sql.as_str()));
    let before = count().fetch_one(&mut stage.owner).await?;
    let mut thrice: Vec<_> = made().flat_map(|bytes| [bytes.clone(), bytes.clone(), bytes]).collect();
    thrice.shuffle(&mut StdRng::seed_from_u64(1));
    send(guest, &thrice).await?;
    let doubled = count().fetch_one(&mut stage.owner).await? - before - i64::try_from(MESSAGES)?;
    Ok((median(answered), median(inserted), doubled))
}

/// Orders in cash a second: before, and while guests begin payments at a provider that takes connections and does not
/// answer.
async fn while_it_hangs(stage: &mut Stage, cash: &Request, online: &Request) -> Result<(f64, f64)> {
    let silent = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", silent.local_addr()?);
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = silent.accept().await {
            held.push(stream);
        }
    });
    stage.installation.set("PULT_STAND_IN_SIMPLEPAY_URL", &url);
    let served = stage.serve().await?;
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 2.0) * 2.0);
    load(served.address, cash, SENDERS, Duration::from_secs(1)).await?;
    let before = load(served.address, cash, SENDERS, time).await?.per_second();
    let mut orders = Vec::new();
    for _ in 0..HANGING {
        orders.push(serde_json::from_slice::<Value>(&online.once(served.address).await?.body)?);
    }
    // One that is turned away under this load does not wait for the provider.
    let guests = join_all(orders.iter().map(|order| begin(&served, order)));
    let during = async {
        // Every one of them has been sent on to the provider.
        tokio::time::sleep(Duration::from_millis(500)).await;
        load(served.address, cash, SENDERS, time).await
    };
    let (during, guests) = tokio::join!(during, guests);
    let turned_away = guests.iter().filter(|guest| guest.is_err()).count();
    println!("\n{turned_away} of {HANGING} payments were turned away while the provider hung.");
    let during = during?.per_second();
    served.service.kill().await?;
    Ok((before, during))
}

pub(super) async fn measure(stage: &mut Stage, sandbox: &Path) -> Result<Vec<Line>> {
    let simplepay = stage.simplepay.clone();
    stage.installation.set("PULT_STAND_IN_SIMPLEPAY_URL", simplepay.as_str());
    // Guests have addresses of their own, of which the page counts the tries.
    stage.installation.set("PULT_TRUSTED_PROXIES", "127.0.0.1");
    let served = stage.serve().await?;
    let requests = prepare(&stage.installation, sandbox, served.address).await?;
    let (cash, online) = (paid_by(&requests.order, "cash")?, paid_by(&requests.order, "card_online")?);
    let accounts = served.admin.call("GET", &place("/payment-methods/provider-accounts"), None).await?;
    let card = accounts.as_array().into_iter().flatten();
    let card = card.clone().find(|one| one["provider"] == "simplepay" && one["purpose"] == "card");
    let callback: Url =
        card.and_then(|one| one["callback_url"].as_str()).ok_or("there is no account")?.parse()?;
    let [by_cash, by_card] = until_answered(&served, [&cash, &online]).await?;
    let mut guest = Guest {
        board: sockets::open(&served, served.admin.bearer().trim_start_matches("Bearer ")).await?,
        served: &served,
        simplepay: &simplepay,
        callback: callback.path().to_owned(),
    };
    let (mut placed, mut paid) = (vec![], vec![]);
    for round in 0..20 {
        let times = (guest.cash(&cash).await?, guest.online(&online).await?);
        if round > 2 {
            placed.push(times.0);
            paid.push(times.1);
        }
    }
    let (placed, paid) = (median(placed), median(paid));
    let (answered, inserted, doubled) = messages(stage, &guest).await?;
    served.service.kill().await?;
    let (before, during) = while_it_hangs(stage, &cash, &online).await?;
    stage.installation.unset("PULT_TRUSTED_PROXIES");
    println!(
        "\nAn order is answered after {by_cash:.2} ms in cash and {by_card:.2} ms paid online. It is on the board {placed:.1} ms \
         after it is placed, and {paid:.1} ms after the message that it is paid. Messages: {answered:.0} a second answered, \
         {inserted:.0} inserted by hand. Orders in cash: {before:.0} a second, {during:.0} while {HANGING} payments wait for a \
         provider that hangs."
    );
    let line =
        |what: &str, ratio: f64, target: &str, met: bool| Line::new(what, format!("{ratio:.2}"), target, met);
    let (answer, board, kept, hanging) =
        (by_card / by_cash, paid / placed, answered / inserted, during / before);
    Ok(vec![
        line(
            "an order paid online until its answer, time against one in cash",
            answer,
            "1.30",
            answer <= 1.3,
        ),
        line(
            "from the message until the board, time against placing until the board",
            board,
            "5.00",
            board <= 5.0,
        ),
        line("messages a second, ratio to their rows inserted by hand", kept, "0.20", kept >= 0.2),
        Line::new(
            "messages doubled when each comes three times, shuffled",
            doubled.to_string(),
            "0",
            doubled == 0,
        ),
        line("orders a second while the provider hangs, ratio", hanging, "0.80", hanging >= 0.8),
    ])
}
