//! Two thousand sockets at one instance: their memory, and the time until all have received an event.

use std::time::{Duration, Instant};

use access::{Secrets, Tokens};
use futures_util::{StreamExt, TryStreamExt, stream};
use kernel::{Account, Id};
use rig::Result;
use serde_json::{Value, json};
use tokio::{
    net::TcpStream,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};
use uuid::Uuid;

use super::{RESTAURANT, RunningService, Stage, place};
use crate::{
    cpu,
    load::load,
    report::{Line, median, number},
};

const SOCKETS: usize = 2_000;
const AT_ONCE: usize = 16;
/// How long an event may take until it counts as lost.
const PATIENCE: Duration = Duration::from_secs(20);

/// When which event arrived.
type Arrival = (Instant, i64);

/// Sessions of their own for all windows: the service asks about each of them.
async fn tokens(stage: &mut Stage, many: usize) -> Result<Vec<String>> {
    let account: Uuid =
        sqlx::query_scalar("select id from control.account where email = 'partner@pult.example'")
            .fetch_one(&mut stage.owner)
            .await?;
    let sessions: Vec<Uuid> = (0..many).map(|_| Uuid::now_v7()).collect();
    let sql = "insert into control.session (id, account_id, surface, second_factor, expires_at) \
               select s, $2, 'admin', true, now() + interval '1 day' from unnest($1::uuid[]) s";
    sqlx::query(sql).bind(&sessions).bind(account).execute(&mut stage.owner).await?;
    let secrets =
        Secrets::parse(stage.installation.setting("PULT_SECRET_KEY")).ok_or("PULT_SECRET_KEY is faulty")?;
    let (tokens, account): (_, Id<Account>) = (Tokens::new(&secrets), Id::from_uuid(account));
    sessions
        .into_iter()
        .map(|session| tokens.issue(account, session).map_err(|problem| problem.to_string().into()))
        .collect()
}

/// Opens one and waits until it is live.
pub(super) async fn open(served: &RunningService, token: &str) -> Result<WebSocketStream<TcpStream>> {
    let mut request =
        format!("ws://{}/fresh-orders?restaurant_id={RESTAURANT}", served.address).into_client_request()?;
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse()?);
    let (mut socket, _) = client_async(request, TcpStream::connect(served.address).await?).await?;
    loop {
        match socket.next().await.ok_or("a socket was closed before it was live")?? {
            Message::Text(text) if text.contains("TASK_HELLO") => return Ok(socket),
            Message::Close(frame) => return Err(format!("a socket was closed: {frame:?}").into()),
            _ => {}
        }
    }
}

async fn listen(mut socket: WebSocketStream<TcpStream>, heard: UnboundedSender<Arrival>) {
    while let Some(Ok(message)) = socket.next().await {
        let at = Instant::now();
        let Message::Text(text) = message else { continue };
        let event = serde_json::from_str::<Value>(&text).unwrap_or_default();
        if event["event"] == "TASK_HEARTBEAT" {
            continue;
        }
        let number = event["id"].as_i64().unwrap_or_default();
        if heard.send((at, number)).is_err() {
            return;
        }
    }
}

/// Milliseconds from the call to the first arrival, and from that to the last.
async fn event(
    served: &RunningService, heard: &mut UnboundedReceiver<Arrival>, many: usize, round: usize,
) -> Result<(f64, f64)> {
    let begun = Instant::now();
    served
        .admin
        .call("PUT", &place("/close"), Some(&json!({"temp_no_orders": round.is_multiple_of(2)})))
        .await?;
    let mut times: Vec<Arrival> = Vec::with_capacity(many);
    while times.len() < many {
        let arrival = timeout(PATIENCE, heard.recv())
            .await
            .map_err(|_| format!("only {} of {many} windows heard of an event", times.len()))?;
        times.push(arrival.ok_or("nobody listens any more")?);
    }
    if times.iter().any(|(_, number)| *number != times[0].1) {
        return Err("windows heard of different events".into());
    }
    let first = times.iter().map(|(at, _)| *at).min().unwrap_or(begun);
    let last = times.iter().map(|(at, _)| *at).max().unwrap_or(begun);
    let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
    Ok((ms(first - begun), ms(last - first)))
}

pub(super) async fn measure(stage: &mut Stage) -> Result<Vec<Line>> {
    let many = number("PULT_BENCH_SOCKETS", SOCKETS);
    let tokens = tokens(stage, many).await?;
    let served = stage.serve().await?;
    // Its connections to the database are open and know their statements before anything is weighed.
    load(served.address, &served.get("/opening-hours"), 32, Duration::from_secs(1)).await?;
    let before = cpu::resident(served.pid)?;
    let begun = Instant::now();
    let sockets: Vec<_> = stream::iter(&tokens)
        .map(|token| open(&served, token))
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await?;
    let opened = begun.elapsed().as_secs_f64();
    let (sender, mut heard) = unbounded_channel();
    for socket in sockets {
        tokio::spawn(listen(socket, sender.clone()));
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    let open = cpu::resident(served.pid)?;
    let mut rounds = Vec::new();
    for round in 0..number("PULT_BENCH_ROUNDS", 9) {
        rounds.push(event(&served, &mut heard, many, round).await?);
        // All windows have the previous event before the next one is sent.
        tokio::time::sleep(Duration::from_millis(1500)).await;
    }
    let after = cpu::resident(served.pid)?;
    served.service.kill().await?;
    let (first, spread) =
        (median(rounds.iter().map(|round| round.0)), median(rounds.iter().map(|round| round.1)));
    let slowest = rounds.iter().map(|round| round.1).fold(0.0, f64::max);
    let grown = open.max(after) - before;
    println!(
        "\n{many} sockets of as many sessions, opened in {opened:.1} s: {before:.0} MB resident before, \
         {open:.0} MB with them, {after:.0} MB after {} events; \
         {:.0} kB each.",
        rounds.len(),
        grown * 1e3 / many as f64
    );
    println!(
        "An event reaches the first {first:.0} ms after the call for it was begun, the last {spread:.0} ms \
         later (median; slowest {slowest:.0} ms)."
    );
    Ok(vec![
        Line::new(
            &format!("memory of {many} open sockets"),
            format!("{grown:.0} MB"),
            "150 MB",
            grown <= 150.0,
        ),
        Line::new(
            "an event to all of them, first to last arrival",
            format!("{spread:.0} ms (slowest {slowest:.0} ms)"),
            "100 ms",
            spread <= 100.0,
        ),
    ])
}
