//! The socket of fresh orders: live, in order, complete, closed with the session.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use testkit::{Kit, Place, kit};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{self, Message, client::IntoClientRequest},
};

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

/// Serves on a port of its own, with the listener and the watch over sessions; its address.
pub(crate) async fn serve(kit: &'static Kit) -> String {
    let address = testkit::listen(&kit.service, false).await.to_string();
    kit.wake().await;
    address
}

pub(crate) async fn open(address: &str, place: &Place<'_>, token: &str, query: &str) -> Socket {
    try_open(address, place, token, query).await.unwrap()
}

async fn try_open(address: &str, place: &Place<'_>, token: &str, query: &str) -> tungstenite::Result<Socket> {
    let url = format!("ws://{address}/fresh-orders?restaurant_id={}{query}", place.restaurant);
    let mut request = url.into_client_request()?;
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    Ok(connect_async(request).await?.0)
}

pub(crate) async fn next(socket: &mut Socket) -> Message {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(3), socket.next())
            .await
            .expect("a message within 3 s")
            .unwrap()
            .unwrap();
        if !message.is_ping() {
            return message;
        }
    }
}

pub(crate) async fn event(socket: &mut Socket) -> Value {
    loop {
        let message: Value = serde_json::from_str(next(socket).await.to_text().unwrap()).unwrap();
        let kind = message["event"].as_str().unwrap();
        // What comes now and then is for tests of its own.
        if !["TASK_HEARTBEAT", "TASK_CATALOGUE_RELOAD", "TASK_QUANTITIES_RELOAD"].contains(&kind) {
            return message;
        }
    }
}

pub(crate) async fn closed(socket: &mut Socket) -> u16 {
    loop {
        if let Message::Close(frame) = next(socket).await {
            return frame.map_or(0, |frame| frame.code.into());
        }
    }
}

pub(crate) async fn token(place: &Place<'_>) -> String {
    signed_in(place).await.1
}

/// A session of somebody of the restaurant, and its token.
pub(crate) async fn signed_in(place: &Place<'_>) -> (uuid::Uuid, String) {
    let admin = tenants::AdminSpec {
        email: format!("{}@pult.test", uuid::Uuid::now_v7().simple()),
        first_name: String::new(),
        last_name: "Pult".into(),
        password_hash: None,
        super_admin: false,
        target: Some((place.partner, Some(vec![place.restaurant]))),
        permission_keys: vec![],
        full_target_access: true,
        surfaces: vec![],
    };
    let (_, session, token) = place.kit.sign_in(admin).await;
    (session, token)
}

/// Something that every window of the restaurant hears of.
async fn switch_sos_close(place: &Place<'_>, close: bool) {
    place.admin().await.put("/close").json(json!({"temp_no_orders": close})).send().await.assert(200);
}

#[testkit::test]
async fn news_arrive_within_a_second_and_nothing_is_missed() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let address = serve(kit).await;
    let token = token(&place).await;
    let (mut first, mut second) =
        (open(&address, &place, &token, "").await, open(&address, &place, &token, "").await);
    let hello = event(&mut first).await;
    assert_eq!((hello["event"].as_str(), event(&mut second).await), (Some("TASK_HELLO"), hello.clone()));

    let begun = std::time::Instant::now();
    switch_sos_close(&place, true).await;
    let received = event(&mut first).await;
    assert_eq!(received["event"], "TASK_RESTAURANT_RELOAD");
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert_eq!(event(&mut second).await, received);

    // One is cut; what happens meanwhile is there when it comes back, once and in order.
    drop(first);
    switch_sos_close(&place, false).await;
    switch_sos_close(&place, true).await;
    let last = received["id"].as_i64().unwrap();
    let mut again = open(&address, &place, &token, &format!("&last_event_id={last}")).await;
    assert_eq!(
        (event(&mut again).await["id"].as_i64(), event(&mut again).await["id"].as_i64()),
        (Some(last + 1), Some(last + 2))
    );
    assert_eq!(
        event(&mut again).await,
        json!({"event": "TASK_HELLO", "id": last + 2, "data": {}}),
        "then it is live, as on every connection"
    );
    // One that has been away for longer than events are kept is told to load everything.
    let mut old = open(&address, &place, &token, "&last_event_id=-7").await;
    assert_eq!(event(&mut old).await["event"], "TASK_RELOAD");
}

#[testkit::test]
async fn a_socket_sends_heartbeats_and_answers_pings() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let address = serve(kit).await;
    let token = token(&place).await;
    switch_sos_close(&place, true).await;
    let mut socket = open(&address, &place, &token, "").await;
    let newest = event(&mut socket).await["id"].as_i64().unwrap();
    let beat = json!({"event": "TASK_HEARTBEAT", "id": newest, "data": {}});
    let text = |message: Message| serde_json::from_str::<Value>(message.to_text().unwrap()).unwrap();

    // A page in doubt asks and hears at once.
    socket.send(Message::text("?")).await.unwrap();
    assert_eq!(text(next(&mut socket).await), beat);
    // By itself it beats every ten seconds.
    let begun = std::time::Instant::now();
    for nth in 1..=2 {
        let received = tokio::time::timeout(Duration::from_secs(12), async {
            loop {
                let message = socket.next().await.unwrap().unwrap();
                if message.is_text() {
                    return message;
                }
            }
        });
        assert_eq!(text(received.await.expect("a heartbeat every 10 s")), beat);
        assert!(begun.elapsed() > Duration::from_secs(nth * 9), "{:?}", begun.elapsed());
    }
    // And nothing of it is an event that somebody who comes back would be told.
    let mut again = open(&address, &place, &token, &format!("&last_event_id={newest}")).await;
    assert_eq!(event(&mut again).await, json!({"event": "TASK_HELLO", "id": newest, "data": {}}));
}

#[testkit::test]
async fn who_may_listen() {
    let kit = kit().await;
    let (place, stranger) = (kit.restaurant().await, kit.stranger().await);
    let address = serve(kit).await;
    let token = token(&place).await;
    assert_eq!(closed(&mut open(&address, &stranger, &token, "").await).await, 4403);

    // Without a header the first message is the token.
    let url = format!("ws://{address}/fresh-orders?restaurant_id={}", place.restaurant);
    let mut later = connect_async(url.clone()).await.unwrap().0;
    later.send(Message::text(token.clone())).await.unwrap();
    assert_eq!(event(&mut later).await["event"], "TASK_HELLO");
    let mut nonsense = connect_async(url.clone()).await.unwrap().0;
    nonsense.send(Message::text("nonsense")).await.unwrap();
    assert_eq!(closed(&mut nonsense).await, 4401);

    // A cookie needs a known page.
    let with_origin = |origin: Option<&str>| {
        let mut request = url.clone().into_client_request().unwrap();
        request.headers_mut().insert("cookie", format!("pult_dev={token}").parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        request
    };
    assert!(connect_async(with_origin(None)).await.is_err());
    assert!(connect_async(with_origin(Some("https://evil.example"))).await.is_err());
    let mut own = connect_async(with_origin(Some("http://pult.test"))).await.unwrap().0;
    assert_eq!(event(&mut own).await["event"], "TASK_HELLO");

    // Signing out ends every open socket of the session within a second.
    place.nobody().bearer(&token).delete("/api/v3/admins/sign_out").send().await.assert(204);
    let begun = std::time::Instant::now();
    assert_eq!((closed(&mut own).await, closed(&mut later).await), (4401, 4401));
    assert!(begun.elapsed() < Duration::from_millis(1500));
}

#[testkit::test]
async fn only_windows_that_may_read_orders_get_their_events() {
    let kit = kit().await;
    let place = kit.partner().await;
    let address = serve(kit).await;
    let owner = place.partner_admin().await;
    let hire = async |keys: &[&str]| {
        let admin = tenants::AdminSpec {
            email: format!("{}@pult.test", uuid::Uuid::now_v7().simple()),
            first_name: String::new(),
            last_name: keys.join(" "),
            password_hash: None,
            super_admin: false,
            target: Some((place.partner, Some(vec![place.restaurant]))),
            permission_keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            full_target_access: false,
            surfaces: vec![],
        };
        kit.sign_in(admin).await.2
    };
    let (cook, menu) = (hire(&["fresh_order"]).await, hire(&["catalog_edit", "order_accept"]).await);
    let (mut sees, mut blind) =
        (open(&address, &place, &cook, "").await, open(&address, &place, &menu, "").await);
    assert_eq!(
        (event(&mut sees).await["event"].as_str(), event(&mut blind).await["event"].as_str()),
        (Some("TASK_HELLO"), Some("TASK_HELLO"))
    );
    // Both are in the same feed once the watch has seen them.
    tokio::time::sleep(Duration::from_millis(1200)).await;

    let category =
        owner.post("/product-categories").json(json!({"name": "Étlap"})).send().await.assert(201).json();
    let products = format!("/product-categories/{}/products", category["id"].as_str().unwrap());
    let soup = owner
        .post(&products)
        .json(json!({"name": "Leves", "subproducts": [{"name": "", "price": 900}]}))
        .send()
        .await
        .assert(201)
        .json();
    let order = json!({"platform": "take_away", "items": [{"subproduct_id": soup["subproducts"][0]["id"],
        "quantity": 1}]});
    let made = owner.post("/public/orders").json(order.clone()).send().await.assert(201).json();
    switch_sos_close(&place, true).await;
    let received = event(&mut sees).await;
    assert_eq!(
        (&received["event"], &received["data"]["order_id"]),
        (&json!("TASK_ORDERS_RELOAD"), &made["id"])
    );
    assert_eq!(event(&mut sees).await["event"], "TASK_RESTAURANT_RELOAD");
    assert_eq!(event(&mut blind).await["event"], "TASK_RESTAURANT_RELOAD", "nothing of an order");
    // Nor when it asks for what it has missed.
    let mut again =
        open(&address, &place, &menu, &format!("&last_event_id={}", received["id"].as_i64().unwrap() - 1))
            .await;
    assert_eq!(
        (event(&mut again).await["event"].as_str(), event(&mut again).await["event"].as_str()),
        (Some("TASK_RESTAURANT_RELOAD"), Some("TASK_HELLO"))
    );

    // Who gets the right hears from then on, in the window that is open; who loses it does not.
    let rows = owner.get("/admins").send().await.assert(200).json();
    let row = |name: &str| {
        rows.as_array().unwrap().iter().find(|row| row["last_name"] == name).unwrap()["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let keys = owner.get("/api/v3/admin/permissions").send().await.assert(200).json();
    let id = |key: &str| find(&keys, key);
    let change = async |name: &str, keys: &[&str]| {
        let ids: Vec<Value> = keys.iter().map(|key| id(key)).collect();
        owner
            .put(&format!("/admins/{}", row(name)))
            .json(json!({ "permission_ids": ids }))
            .send()
            .await
            .assert(200);
    };
    change("catalog_edit order_accept", &["fresh_order"]).await;
    change("fresh_order", &["catalog_edit"]).await;
    assert_eq!(
        (event(&mut sees).await["event"].as_str(), event(&mut blind).await["event"].as_str()),
        (Some("TASK_ADMIN_RELOAD"), Some("TASK_ADMIN_RELOAD"))
    );
    tokio::time::sleep(Duration::from_millis(300)).await;
    owner.post("/public/orders").json(order).send().await.assert(201);
    switch_sos_close(&place, false).await;
    assert_eq!(event(&mut blind).await["event"], "TASK_ORDERS_RELOAD");
    assert_eq!(event(&mut sees).await["event"], "TASK_RESTAURANT_RELOAD");
}

#[testkit::test]
async fn every_change_of_settings_reaches_the_other_window() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let address = serve(kit).await;
    let mut other = open(&address, &place, &token(&place).await, "").await;
    assert_eq!(event(&mut other).await["event"], "TASK_HELLO");
    let admin = place.admin().await;
    let legal = json!({"company_name": "Kékfrankos Kft.", "tax_num": "12345678",
        "address": "9021 Győr, Fő utca 1."});
    for (path, body) in [
        ("/general", json!({"city": "Győr"})),
        ("/delivery", json!({"normal_pickup": false})),
        ("/points", json!({"point_cash_ratio": 5})),
        ("/system", json!({"estimated_delivery_time": 20})),
        ("/close", json!({"temp_no_orders": true})),
        ("/opening-hours", json!({"opening_hours": []})),
        ("/legal-file", legal),
        ("/socials", json!({"blog": "https://barmi.example"})),
        ("/payment-methods", json!({"eur_huf_rate": 400})),
        ("/order-emails/received", json!({"enabled": false})),
    ] {
        admin.put(path).json(body).send().await.assert(200);
        assert_eq!(event(&mut other).await["event"], "TASK_RESTAURANT_RELOAD", "{path}");
    }
    let day =
        json!({"valid_from": "2031-12-25", "valid_till": "2031-12-25", "holiday_type": "holiday_close"});
    let holiday = admin.post("/restaurant-holidays").json(day).send().await.assert(201).json();
    assert_eq!(event(&mut other).await["event"], "TASK_RESTAURANT_RELOAD");
    let at = format!("/restaurant-holidays/{}", holiday["id"].as_str().unwrap());
    admin.delete(&at).send().await.assert(204);
    assert_eq!(event(&mut other).await["event"], "TASK_RESTAURANT_RELOAD");
    let at = format!("/api/v3/super-admin/restaurants/{}", place.restaurant);
    let operator = place.super_admin().await;
    operator.put(&format!("{at}/switches")).json(json!({"floor_map": true})).send().await.assert(200);
    assert_eq!(event(&mut other).await["event"], "TASK_RESTAURANT_RELOAD");
    operator.put(&format!("{at}/features")).json(json!({"features": []})).send().await.assert(200);
    assert_eq!(event(&mut other).await["event"], "TASK_RESTAURANT_RELOAD");
    // A return to an earlier state is a change too.
    let lines = admin.get("/settings-history?group=socials").send().await.assert(200).json();
    let line = format!("/settings-history/{}/restore", lines[0]["id"].as_str().unwrap());
    admin.post(&line).json(json!({})).send().await.assert(204);
    assert_eq!(event(&mut other).await["event"], "TASK_RESTAURANT_RELOAD");
}

/// The id of a permission anywhere in the tree.
fn find(tree: &Value, key: &str) -> Value {
    match tree {
        Value::Array(items) => {
            items.iter().map(|item| find(item, key)).find(|found| !found.is_null()).unwrap_or_default()
        }
        Value::Object(fields) if fields.get("key").is_some_and(|own| own == key) => fields["id"].clone(),
        Value::Object(fields) => {
            fields.values().map(|value| find(value, key)).find(|found| !found.is_null()).unwrap_or_default()
        }
        _ => Value::Null,
    }
}

#[testkit::test]
async fn to_open_a_socket_is_a_call_of_its_session() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let address = testkit::listen(kit.instance_of_few_calls().await, false).await.to_string();
    let token = token(&place).await;
    let mut refusal = None;
    for _ in 0..6 {
        refusal = refusal.or(try_open(&address, &place, &token, "").await.err());
    }
    let Some(tungstenite::Error::Http(answer)) = refusal else { panic!("{refusal:?}") };
    assert_eq!((answer.status().as_u16(), &answer.headers()["retry-after"]), (429, &"1".parse().unwrap()));
}

#[testkit::test]
async fn a_socket_without_its_right_closes_within_a_second() {
    let kit = kit().await;
    let place = kit.partner().await;
    let address = serve(kit).await;
    let token = token(&place).await;
    let owner = place.partner_admin().await;
    let rows = owner.get("/admins").send().await.assert(200).json();
    let row = rows.as_array().unwrap().iter().find(|row| row["last_name"] == "Pult").unwrap().clone();
    let path = format!("/admins/{}", row["id"].as_str().unwrap());
    let mut socket = open(&address, &place, &token, "").await;
    assert_eq!(event(&mut socket).await["event"], "TASK_HELLO");
    // The watch has to have seen the socket before it can tell a difference.
    tokio::time::sleep(Duration::from_millis(1200)).await;
    owner.put(&path).json(json!({"full_target_access": false})).send().await.assert(200);
    let begun = std::time::Instant::now();
    assert_eq!(event(&mut socket).await["event"], "TASK_ADMIN_RELOAD");
    owner.delete(&path).send().await.assert(204);
    assert_eq!(closed(&mut socket).await, 4403);
    assert!(begun.elapsed() < Duration::from_millis(2500));
}

#[testkit::test]
async fn the_sockets_of_an_archived_restaurant_close_within_a_second() {
    let kit = kit().await;
    let place = kit.partner().await;
    kit.restaurant_of(place.partner).await;
    let address = serve(kit).await;
    let (token, owner) = (token(&place).await, place.partner_admin().await);
    let name = owner.get("").send().await.assert(200).json()["name"].clone();
    let mut socket = open(&address, &place, &token, "").await;
    assert_eq!(event(&mut socket).await["event"], "TASK_HELLO");
    // The watch has to have seen the socket before it can tell a difference.
    tokio::time::sleep(Duration::from_millis(1200)).await;
    owner.delete("").json(json!({"confirm": name})).send().await.assert(204);
    let begun = std::time::Instant::now();
    assert_eq!(closed(&mut socket).await, 4403);
    assert!(begun.elapsed() < Duration::from_millis(2500));
    let back =
        format!("/api/v3/admin/partners/{}/archived-restaurants/{}/restore", place.partner, place.restaurant);
    owner.post(&back).send().await.assert(204);
    let mut again = open(&address, &place, &token, "").await;
    assert_eq!(event(&mut again).await["event"], "TASK_HELLO");
}

#[testkit::test]
async fn a_socket_under_a_support_access_is_two_lines_of_the_log_and_ends_with_it() {
    let kit = kit().await;
    let place = kit.partner().await;
    let address = serve(kit).await;
    let admin = tenants::AdminSpec {
        email: format!("{}@pult.test", uuid::Uuid::now_v7().simple()),
        first_name: "Anna".into(),
        last_name: "Ügyelet".into(),
        password_hash: None,
        super_admin: true,
        target: None,
        permission_keys: vec![],
        full_target_access: false,
        surfaces: vec![],
    };
    let (account, _, token) = kit.sign_in(admin).await;
    assert_eq!(closed(&mut open(&address, &place, &token, "").await).await, 4403, "there is no access yet");
    let begin = async || {
        let sql = "insert into control.support_access (id, account_id, partner_id, reason, expires_at) \
            values ($1, $2, $3, 'Elakadt jegy', now() + interval '1 hour')";
        kit.run(sql, vec![uuid::Uuid::now_v7().into(), account.into(), place.partner.into()]).await;
    };
    let steps = async || {
        let sql = format!(
            "select a.actor_name || ' ' || (d.details->'step'->>1) from {0}.audit a join {0}.audit_detail d \
             on d.audit_id = a.id \
             where a.action = 'support_step' and a.restaurant_id = '{1}' and d.details->'path'->>1 = \
             '/fresh-orders' order by a.at",
            place.schema, place.restaurant
        );
        kit.texts(&sql).await
    };
    // Ended, run out, or replaced by another of the same person.
    for (nth, end) in
        ["set ended_at = now()", "set expires_at = now()", "set ended_at = now()"].iter().enumerate()
    {
        begin().await;
        let mut socket = open(&address, &place, &token, "").await;
        assert_eq!(event(&mut socket).await["event"], "TASK_HELLO");
        assert_eq!(steps().await.len(), 2 * nth + 1, "it stands there before anything is sent");
        if nth == 2 {
            tokio::time::sleep(Duration::from_millis(900)).await;
            kit.run(
                "update control.support_access set ended_at = now() where account_id = $1 and ended_at \
                is null",
                vec![account.into()],
            )
            .await;
            begin().await;
        } else {
            kit.run(
                &format!("update control.support_access {end} where account_id = $1 and ended_at is null"),
                vec![account.into()],
            )
            .await;
        }
        let begun = std::time::Instant::now();
        assert_eq!(closed(&mut socket).await, 4403);
        assert!(begun.elapsed() < Duration::from_millis(1_500), "{:?}", begun.elapsed());
        for _ in 0..100 {
            if steps().await.len() == 2 * nth + 2 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        kit.run(
            "update control.support_access set ended_at = now() where account_id = $1 and ended_at is null",
            vec![account.into()],
        )
        .await;
    }
    assert_eq!(steps().await, ["Ügyelet Anna opened", "Ügyelet Anna closed"].repeat(3));
}
