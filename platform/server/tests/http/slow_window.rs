//! A window that takes nothing from the network. See `docs/decisions/events-and-jobs.md#sockets`.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use testkit::{Place, kit};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::{
    MaybeTlsStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};

use super::socket::{Socket, event, open, serve, token};

/// More than a connection of the operating system takes in: 8 MB.
const EVENTS: i64 = 1000;

/// Publishes events of 8 kB each in one transaction.
async fn publish(place: &Place<'_>) {
    let sql = format!(
        "with c as (update {schema}.restaurant_counter set event_number = event_number + {EVENTS} \
            where restaurant_id = $1 returning event_number - {EVENTS} as before), \
        e as (insert into {schema}.event (restaurant_id, number, kind, data) \
            select $1, c.before + n, 'TASK_RESTAURANT_RELOAD', jsonb_build_object('pad', repeat('x', 8000)) \
            from c, generate_series(1, {EVENTS}) n) \
        select pg_notify('pult_event', $1::text) from c",
        schema = place.schema
    );
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
}

/// A window behind a network that takes a few kilobytes.
async fn open_narrow(address: &str, place: &Place<'_>, token: &str) -> Socket {
    let narrow = TcpSocket::new_v4().unwrap();
    narrow.set_recv_buffer_size(4096).unwrap();
    let stream: TcpStream = narrow.connect(address.parse().unwrap()).await.unwrap();
    let url = format!("ws://{address}/fresh-orders?restaurant_id={}", place.restaurant);
    let mut request = url.into_client_request().unwrap();
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    client_async(request, MaybeTlsStream::Plain(stream)).await.unwrap().0
}

async fn number(socket: &mut Socket) -> i64 {
    event(socket).await["id"].as_i64().unwrap()
}

#[testkit::test]
async fn a_window_that_takes_nothing_is_dropped_and_the_others_go_on() {
    let place = kit().await.restaurant().await;
    let address = serve(place.kit).await;
    let token = token(&place).await;
    let mut quick = open(&address, &place, &token, "").await;
    let mut stuck = open_narrow(&address, &place, &token).await;
    let before = number(&mut quick).await;
    assert_eq!(number(&mut stuck).await, before, "both are live");
    // The watch has seen both: they share what is read.
    tokio::time::sleep(Duration::from_millis(1200)).await;

    // Each of these is awaited for three seconds: the quick one never waits for the other.
    let begun = Instant::now();
    for burst in 0..2 {
        publish(&place).await;
        for nth in 1..=EVENTS {
            assert_eq!(number(&mut quick).await, before + burst * EVENTS + nth);
        }
    }
    let newest = before + 2 * EVENTS;

    // Ten seconds for a message, one for the farewell. What is left on the way arrives, then the line is cut: nobody
    // has told it that it may not listen.
    tokio::time::sleep(Duration::from_secs(13).saturating_sub(begun.elapsed())).await;
    let mut last = before;
    while let Some(Ok(message)) = stuck.next().await {
        match message {
            Message::Text(text) => {
                let message: serde_json::Value = serde_json::from_str(&text).unwrap();
                last = message["id"].as_i64().unwrap();
            }
            Message::Close(close) => panic!("it was told {close:?}"),
            _ => {}
        }
    }
    assert!(before < last && last < newest, "{before} {last} {newest}");
    // It comes back, and misses nothing.
    let mut again = open(&address, &place, &token, &format!("&last_event_id={last}")).await;
    for missed in last + 1..=newest {
        assert_eq!(number(&mut again).await, missed);
    }
    assert_eq!(event(&mut again).await["event"], "TASK_HELLO");
}
