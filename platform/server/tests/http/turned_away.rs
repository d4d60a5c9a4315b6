//! Who would wait in vain for the database is answered before anything is done for the request.
//! See `docs/decisions/reliability.md#overload`.

use std::{sync::Arc, time::Duration};

use access::App;
use contract::Plugins;
use rig::{Connection, request};
use serde_json::Value;
use server::{
    edge::{Edge, Limits},
    routes,
    socket::Sessions,
};
use tenants::{Door, DoorSettings, PlatformProof};
use testkit::kit;
use tokio::time::{Instant, sleep};
use work::Hub;

const PATIENCE: Duration = Duration::from_secs(1);
/// Of all places other requests than orders may take three quarters.
const CONNECTIONS: usize = 4;

const PATH: &str = "/api/v3/partners/01900000-0000-7000-8000-000000000001/restaurants/01900000-0000-7000-8000-000000000002/orders/quote";

fn ask(headers: &[(&str, &str)]) -> Vec<u8> {
    request("POST", PATH, headers, Some("{}"))
}

#[testkit::test]
async fn who_would_wait_in_vain_is_answered_at_once_as_everybody_is() {
    let kit = kit().await;
    let settings = DoorSettings {
        url: kit.pool_url.to_string(),
        connections: u32::try_from(CONNECTIONS).unwrap(),
        patience: PATIENCE,
        lifetime: DoorSettings::LIFETIME,
        development: true,
    };
    let door = Door::open(&settings).await.unwrap();
    let app = App::new(door.clone(), kit.app.settings.clone()).await.unwrap();
    let (service, shortcut) =
        routes::with_shortcut(app, Hub::default(), Sessions::default(), Plugins::default());
    let edge = Edge::bind(([127, 0, 0, 1], 0).into(), None, Limits::default(), &[]).await.unwrap();
    let address = edge.address().unwrap();
    let service = Arc::new(service);
    tokio::spawn(edge.with_shortcut(shortcut).run(service, std::future::pending(), Duration::ZERO));

    let hungarian = [("accept-language", "hu"), ("x-api-key", "pk_nobody")];
    let mut usual = Connection::open(address).await.unwrap();
    let usual = usual.call(&ask(&hungarian)).await.unwrap();
    assert_eq!(usual.status, 401, "{}", usual.text());

    let mut held = vec![];
    for _ in 0..CONNECTIONS * 3 / 4 {
        held.push(door.begin_platform(&PlatformProof::runner()).await.unwrap());
    }
    let first = tokio::spawn(async move {
        let asked = ask(&[("x-api-key", "pk_nobody")]);
        Connection::open(address).await.unwrap().call(&asked).await.unwrap()
    });
    sleep(PATIENCE * 6 / 10).await;
    let mut connection = Connection::open(address).await.unwrap();
    let begun = Instant::now();
    for (languages, text) in [("hu", "szolgáltatás"), ("en", "service")] {
        // The body is not read, and the connection goes on.
        let headers = [("accept-language", languages), ("x-api-key", "pk_nobody")];
        let refused = connection.call(&ask(&headers)).await.unwrap();
        assert_eq!(refused.status, 503, "{}", refused.text());
        let problem: Value = serde_json::from_str(&refused.text()).unwrap();
        assert_eq!(problem["code"], "UNAVAILABLE_SERVER", "{problem}");
        assert_eq!(problem["request_id"].as_str(), refused.header("x-request-id"), "{problem}");
        assert!(problem["title"].as_str().unwrap().contains(text), "{problem}");
        assert_eq!(refused.header("retry-after"), Some("2"));
        for header in ["content-type", "content-security-policy", "cache-control", "x-content-type-options"] {
            assert_eq!(refused.header(header), usual.header(header), "{header}");
        }
    }
    assert!(begun.elapsed() < PATIENCE / 4, "{:?}", begun.elapsed());
    // What needs no database is answered.
    let api = request("GET", "/api/rest", &[], None);
    assert_eq!(connection.call(&api).await.unwrap().status, 200);
    drop(held);
    assert_eq!(first.await.unwrap().status, 401, "who waited has his turn");
    assert_eq!(connection.call(&ask(&hungarian)).await.unwrap().status, 401);
}
