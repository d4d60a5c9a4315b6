//! Two instances: what is revoked at one is refused by the other from the next request on, but for menus from
//! memory, which end within a second, as open sockets do.

use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{Client, Kit, kit};

use super::socket::{Socket, closed, event, open, serve, signed_in, token};

/// A second instance with a port, sockets and the watch over sessions of its own.
async fn second(kit: &'static Kit) -> (String, &'static poem::endpoint::BoxEndpoint<'static>) {
    let (hub, sessions) = (work::Hub::default(), server::socket::Sessions::default());
    let app = access::App::new(kit.door(4).await, kit.app.settings.clone()).await.unwrap();
    let service: &'static _ = Box::leak(Box::new(server::routes::service(
        app.clone(),
        hub.clone(),
        sessions.clone(),
        contract::Plugins::default(),
    )));
    let address = testkit::listen(service, false).await.to_string();
    kit.listen(&hub);
    tokio::spawn(sessions.watch(app));
    while !hub.listening() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    (address, service)
}

/// Asks both instances for the menu, which both have in their caches, until both refuse; it must not take a
/// second.
async fn gone(clients: &[Client<'_>; 2], tag: &str, since: Instant, status: u16, code: &str) {
    for client in clients {
        client.get("/public/menu").header("if-none-match", tag).send().await.assert_problem(status, code);
        client.get("/public/menu").send().await.assert_problem(status, code);
    }
    assert!(since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());
}

#[testkit::test]
async fn a_revocation_holds_on_both_instances() {
    let kit = kit().await;
    let first = serve(kit).await;
    let (other, instance) = second(kit).await;
    let place = kit.partner().await;
    let owner = place.partner_admin().await;
    let both = |bearer: &str| {
        let client = place.nobody().bearer(bearer);
        [client.clone(), client.at(instance)]
    };
    let warm = async |clients: &[Client<'_>; 2]| {
        let mut tag = String::new();
        for client in clients {
            tag = client.get("/public/menu").send().await.assert(200).header("etag").unwrap().to_owned();
            client.get("/public/menu").header("if-none-match", &tag).send().await.assert(304);
        }
        tag
    };
    let listen = async |token: &str| {
        let mut sockets: [Socket; 2] =
            [open(&first, &place, token, "").await, open(&other, &place, token, "").await];
        for socket in &mut sockets {
            assert_eq!(event(socket).await["event"], "TASK_HELLO");
        }
        sockets
    };
    let hung_up = async |sockets: [Socket; 2], since: Instant, code: u16| {
        for mut socket in sockets {
            assert_eq!(closed(&mut socket).await, code);
        }
        // A second, and what a busy machine needs on top.
        assert!(since.elapsed() < Duration::from_millis(1500), "{:?}", since.elapsed());
    };

    // A session: signed out at the second instance.
    let session = token(&place).await;
    let (clients, sockets) = (both(&session), listen(&session).await);
    let tag = warm(&clients).await;
    clients[1].delete("/api/v3/admins/sign_out").send().await.assert(204);
    let since = Instant::now();
    gone(&clients, &tag, since, 401, "USER_LOGIN_REQUIRED").await;
    hung_up(sockets, since, 4401).await;

    // A key: revoked at the first.
    let made = owner
        .post("/api-keys")
        .json(json!({"name": "x", "scopes": ["menu:read"]}))
        .send()
        .await
        .assert(201)
        .json();
    let clients = both(made["api_key"].as_str().unwrap());
    let tag = warm(&clients).await;
    owner.delete(&format!("/api-keys/{}", made["id"].as_str().unwrap())).send().await.assert(204);
    let since = Instant::now();
    let refused = (401, "API_KEY_INVALID");
    clients[0].get("/public/menu").send().await.assert_problem(refused.0, refused.1);
    clients[1].get("/public/payment-methods").send().await.assert_problem(refused.0, refused.1);
    while clients[1].get("/public/menu").send().await.status == 200 {
        assert!(since.elapsed() < Duration::from_millis(1200), "what is remembered holds for a second");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    gone(&clients, &tag, Instant::now(), refused.0, refused.1).await;

    // A grant: the person is taken out of the restaurant, at the second.
    let session = token(&place).await;
    let (clients, sockets) = (both(&session), listen(&session).await);
    let tag = warm(&clients).await;
    let people = owner.get("/admins").send().await.assert(200).json();
    let rows = people.as_array().unwrap();
    let me = clients[0].get("/api/v3/admin/me").send().await.assert(200).json();
    let row = rows.iter().find(|row| row["email"] == me["email"]).unwrap();
    owner.at(instance).delete(&format!("/admins/{}", row["id"].as_str().unwrap())).send().await.assert(204);
    let since = Instant::now();
    gone(&clients, &tag, since, 404, "RESTAURANT_NOT_EXIST").await;
    hung_up(sockets, since, 4403).await;
}

#[testkit::test]
async fn a_socket_is_refused_alike_in_a_foreign_restaurant_and_in_none() {
    let kit = kit().await;
    let address = serve(kit).await;
    let (mine, sibling, stranger) = (kit.restaurant().await, kit.restaurant().await, kit.stranger().await);
    let token = token(&mine).await;
    let mut nowhere = mine.clone();
    nowhere.restaurant = kernel::Id::new();
    let mut answers = Vec::new();
    for place in [&sibling, &stranger, &nowhere] {
        // With and without a claim to have been there before.
        for query in ["", "&last_event_id=0"] {
            let mut socket = open(&address, place, &token, query).await;
            answers.push(format!("{:?}", super::socket::next(&mut socket).await));
        }
    }
    assert!(answers[0].contains("4403"), "{answers:?}");
    assert!(answers.windows(2).all(|two| two[0] == two[1]), "{answers:?}");
    assert_eq!(event(&mut open(&address, &mine, &token, "").await).await["event"], "TASK_HELLO");
}

#[testkit::test]
async fn an_open_socket_is_no_use_of_its_session() {
    let kit = kit().await;
    let place = kit.partner().await;
    let address = serve(kit).await;
    let (session, token) = signed_in(&place).await;
    let idle = async |minutes: i32| {
        let sql =
            "update control.session set last_active_at = now() - make_interval(mins => $2) where id = $1";
        kit.run(sql, vec![session.into(), minutes.into()]).await;
    };
    let rules = format!("/api/v3/admin/partners/{}/sign-in-rules", place.partner);
    place.partner_admin().await.put(&rules).json(json!({"idle_minutes": 30})).send().await.assert(200);
    idle(20).await;
    let mut socket = open(&address, &place, &token, "").await;
    assert_eq!(event(&mut socket).await["event"], "TASK_HELLO");
    place.admin().await.put("/close").json(json!({"temp_no_orders": true})).send().await.assert(200);
    assert_eq!(event(&mut socket).await["event"], "TASK_RESTAURANT_RELOAD");
    kit.app.write_usage().await.unwrap();
    let sql =
        "select last_active_at < now() - interval '19 minutes' unused from control.session where id = $1";
    assert!(kit.row(sql, vec![session.into()]).await.try_get::<bool>("", "unused").unwrap());
    idle(31).await;
    assert_eq!(closed(&mut socket).await, 4401);
}
