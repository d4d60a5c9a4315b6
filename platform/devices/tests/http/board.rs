//! The content of a guest TV, and its socket.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use testkit::{Client, Kit, kit};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

use super::tvs::{display, secret_of};

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

async fn serve(kit: &'static Kit) -> String {
    let address = testkit::listen(&kit.service, false).await.to_string();
    kit.wake().await;
    address
}

async fn open(address: &str, secret: &str) -> Socket {
    let mut socket = connect_async(format!("ws://{address}/tv-board")).await.unwrap().0;
    socket.send(Message::Text(secret.to_owned().into())).await.unwrap();
    socket
}

async fn message(socket: &mut Socket) -> Message {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(3), socket.next())
            .await
            .expect("a message within 3 s")
            .unwrap()
            .unwrap();
        if !message.is_ping() && !message.to_text().is_ok_and(|text| text.contains("TV_HEARTBEAT")) {
            return message;
        }
    }
}

/// The next board.
async fn shown(socket: &mut Socket) -> (Value, Value) {
    let board: Value = serde_json::from_str(message(socket).await.to_text().unwrap()).unwrap();
    assert_eq!(board["event"], "TV_BOARD");
    (board["data"]["preparing"].clone(), board["data"]["ready"].clone())
}

async fn closed(socket: &mut Socket) -> u16 {
    loop {
        if let Message::Close(frame) = message(socket).await {
            return frame.map_or(0, |frame| frame.code.into());
        }
    }
}

struct Orders<'k> {
    admin: Client<'k>,
    subproduct: Value,
}

impl<'k> Orders<'k> {
    async fn of(admin: Client<'k>) -> Self {
        let category = admin
            .post("/product-categories")
            .json(json!({"name": "Levesek"}))
            .send()
            .await
            .assert(201)
            .json();
        let product = admin
            .post(&format!("/product-categories/{}/products", category["id"].as_str().unwrap()))
            .json(json!({"name": "Gulyás", "subproducts": [{"name": "Adag", "price": 1800}]}))
            .send()
            .await
            .assert(201)
            .json();
        Self { admin, subproduct: product["subproducts"][0]["id"].clone() }
    }

    async fn place(&self, platform: &str, pickup: bool) -> Value {
        self.send(platform, pickup, false).await
    }

    async fn send(&self, platform: &str, pickup: bool, is_test: bool) -> Value {
        let order = json!({
            "is_test": is_test,
            "platform": platform, "pickup": pickup, "last_name": "Titkos", "first_name": "Vendég",
            "phone_1": "+36 1 555 0100",
            "delivery_data": if pickup { Value::Null } else { json!({"postcode": "1011", "city": "Budapest",
                "street": "Fő utca", "premise_number": "1"}) },
            "items": [{"subproduct_id": self.subproduct, "quantity": 1}],
        });
        self.admin.post("/public/orders").json(order).send().await.assert(201).json()
    }

    async fn accept(&self, order: &Value) {
        self.admin
            .put(&format!("/orders/{}/accept", order["id"].as_str().unwrap()))
            .json(json!({}))
            .send()
            .await
            .assert(200);
    }

    async fn prepared(&self, order: &Value, prepared: bool) -> Value {
        let path = format!("/orders/{}/prepared", order["id"].as_str().unwrap());
        self.admin.put(&path).json(json!({"prepared": prepared})).send().await.assert(200).json()
    }
}

#[testkit::test]
async fn a_board_shows_the_numbers_of_its_channels_and_nobody() {
    let place = kit().await.restaurant().await;
    let orders = Orders::of(place.admin().await).await;
    let tv = place
        .admin()
        .await
        .post("/restaurant-tvs")
        .json(json!({"name": "Pult felett", "phone_order": false}))
        .send()
        .await
        .assert(201)
        .json();
    let board = display(&place, &secret_of(&tv));
    let read = async || board.get("/api/v3/device/board").send().await.assert(200).json();
    let (test, online, phone, delivered, waiting) = (
        orders.send("browser", true, true).await,
        orders.place("browser", true).await,
        orders.place("phone", true).await,
        orders.place("browser", false).await,
        orders.place("take_away", true).await,
    );
    for order in [&test, &online, &phone, &delivered] {
        orders.accept(order).await;
    }
    let shown = read().await;
    assert_eq!(
        (&shown["preparing"], &shown["ready"]),
        (&json!([online["counter"]]), &json!([])),
        "not a test, not the phone's, not what is brought, not what waits"
    );
    let text = shown.to_string();
    assert!(!text.contains("Titkos") && !text.contains("5550100"), "{text}");
    place
        .admin()
        .await
        .put(&format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap()))
        .json(json!({"phone_order": true}))
        .send()
        .await
        .assert(200);
    assert_eq!(read().await["preparing"], json!([online["counter"], phone["counter"]]));

    // Ready, latest first; a storno leaves the board.
    orders.accept(&waiting).await;
    orders.prepared(&online, true).await;
    orders.prepared(&waiting, true).await;
    let shown = read().await;
    assert_eq!(
        (&shown["preparing"], &shown["ready"]),
        (&json!([phone["counter"]]), &json!([waiting["counter"], online["counter"]]))
    );
    place
        .admin()
        .await
        .put(&format!("/orders/{}/archive", waiting["id"].as_str().unwrap()))
        .json(json!({}))
        .send()
        .await
        .assert(200);
    assert_eq!(read().await["ready"], json!([online["counter"]]));

    // A called number disappears after a while, and so does one that was never called.
    let age = format!(
        "update {}.orders set prepared_at = prepared_at - interval '16 minutes', accepted_at = accepted_at - \
         interval '5 hours', show_at = show_at - interval '5 hours' where restaurant_id = $1",
        place.schema
    );
    kit().await.run(&age, vec![place.restaurant.into()]).await;
    let shown = read().await;
    assert_eq!((&shown["preparing"], &shown["ready"]), (&json!([]), &json!([])));
}

#[testkit::test]
async fn an_order_is_called_ready_once_and_can_be_recalled() {
    let place = kit().await.restaurant().await;
    let orders = Orders::of(place.admin().await).await;
    let order = orders.place("take_away", true).await;
    let path = format!("/orders/{}/prepared", order["id"].as_str().unwrap());
    let early = orders
        .admin
        .put(&path)
        .json(json!({}))
        .send()
        .await
        .assert_problem(409, "ORDER_STATE_CHANGED")
        .json();
    assert_eq!(early["current"]["status"], "succeeded");
    orders.accept(&order).await;
    let ready = orders.prepared(&order, true).await;
    assert_eq!((&ready["status"], &ready["allowed"]), (&json!("prepared"), &json!(["recall", "archive"])));
    assert_eq!(orders.prepared(&order, true).await["version"], ready["version"], "a double tap acts once");
    let fresh = orders.admin.get("/orders/fresh").send().await.assert(200).json();
    assert_eq!(fresh, json!([]), "it leaves the fresh orders");
    let back = orders.prepared(&order, false).await;
    assert_eq!(
        (&back["status"], &back["allowed"]),
        (&json!("processed"), &json!(["prepare", "take_back", "archive", "change", "replace"]))
    );
    let history = orders
        .admin
        .get(&format!("/orders/{}", order["id"].as_str().unwrap()))
        .send()
        .await
        .assert(200)
        .json();
    let states: Vec<&Value> =
        history["history"].as_array().unwrap().iter().map(|line| &line["status"]).collect();
    assert_eq!(states, ["succeeded", "processed", "prepared", "processed"]);
    place
        .with_keys(&["admin_login", "fresh_order"])
        .await
        .put(&path)
        .json(json!({}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn a_display_is_live_and_goes_dark_within_a_second() {
    let kit = kit().await;
    let address = serve(kit).await;
    let place = kit.restaurant().await;
    let orders = Orders::of(place.admin().await).await;
    let tv = orders
        .admin
        .post("/restaurant-tvs")
        .json(json!({"name": "Pult felett"}))
        .send()
        .await
        .assert(201)
        .json();
    let secret = secret_of(&tv);
    let mut socket = open(&address, &secret).await;
    assert_eq!(shown(&mut socket).await, (json!([]), json!([])));
    let order = orders.place("take_away", true).await;
    orders.accept(&order).await;
    assert_eq!(shown(&mut socket).await, (json!([order["counter"]]), json!([])));
    orders.prepared(&order, true).await;
    assert_eq!(shown(&mut socket).await, (json!([]), json!([order["counter"]])));
    // A setting of the display arrives too.
    orders
        .admin
        .put(&format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap()))
        .json(json!({"take_away_order": false}))
        .send()
        .await
        .assert(200);
    assert_eq!(shown(&mut socket).await, (json!([]), json!([])));
    // Two screens with one address show the same; replacing the address closes both.
    let mut second = open(&address, &secret).await;
    assert_eq!(shown(&mut second).await, (json!([]), json!([])));
    orders
        .admin
        .post(&format!("/restaurant-tvs/{}/address", tv["id"].as_str().unwrap()))
        .send()
        .await
        .assert(200);
    let begun = Instant::now();
    assert_eq!((closed(&mut socket).await, closed(&mut second).await), (4401, 4401));
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    // A dead secret, none, and a device of another kind are let in nowhere.
    let mut dead = open(&address, &secret).await;
    assert_eq!(closed(&mut dead).await, 4401);
    let mut nobody = open(&address, "pd_nonsense").await;
    assert_eq!(closed(&mut nobody).await, 4401);
}
