//! What open windows hear of the catalogue: soon, now and then, and the last time always.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use serde_json::{Value, json};
use testkit::kit;

use super::socket::{Socket, open, serve, token};

/// The messages of a while, without heartbeats: after how many milliseconds, and which.
async fn heard(socket: &mut Socket, millis: u64) -> Vec<(u128, String)> {
    let begun = Instant::now();
    let mut heard = Vec::new();
    let read = async {
        while let Some(Ok(message)) = socket.next().await {
            if !message.is_text() {
                continue;
            }
            let message: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
            let kind = message["event"].as_str().unwrap().to_owned();
            if kind != "TASK_HEARTBEAT" {
                heard.push((begun.elapsed().as_millis(), kind));
            }
        }
    };
    let _ = tokio::time::timeout(Duration::from_millis(millis), read).await;
    heard
}

fn kinds(heard: &[(u128, String)]) -> Vec<&str> {
    heard.iter().map(|(_, kind)| kind.as_str()).collect()
}

#[testkit::test]
async fn windows_hear_of_the_catalogue_now_and_then_and_of_quantities() {
    const CATALOGUE: &str = "TASK_CATALOGUE_RELOAD";
    const QUANTITIES: &str = "TASK_QUANTITIES_RELOAD";
    let kit = kit().await;
    let place = kit.restaurant().await;
    let admin = place.admin().await;
    let address = serve(kit).await;
    let token = token(&place).await;
    let mut socket = open(&address, &place, &token, "").await;
    heard(&mut socket, 1300).await;

    let make = async |path: &str, body: Value| admin.post(path).json(body).send().await.assert(201).json();
    let events = async || -> i64 {
        let sql = format!(
            "select event_number n from {}.restaurant_counter where restaurant_id = $1",
            place.schema
        );
        kit.row(&sql, vec![place.restaurant.into()]).await.try_get("", "n").unwrap()
    };
    let before = events().await;
    let soups = make("/product-categories", json!({"name": "Levesek"})).await;
    let products = format!("/product-categories/{}/products", soups["id"].as_str().unwrap());
    let size = json!([{"name": "", "price": 900, "sellable_quantity": 5}]);
    let soup = make(&products, json!({"name": "Leves", "subproducts": size})).await;
    make("/option-groups", json!({"name": "Feltét", "type": "inclusive"})).await;
    assert_eq!(events().await - before, 3, "each transaction says so, once");
    let burst = heard(&mut socket, 4500).await;
    assert_eq!(kinds(&burst), [CATALOGUE, CATALOGUE], "{burst:?}");
    assert!(burst[0].0 < 1000 && burst[1].0 > 2000, "{burst:?}");

    // Pieces that are taken or set are told without an event; also to who may not see orders.
    let size = soup["subproducts"][0]["id"].as_str().unwrap();
    let step = format!("/sellable-quantities/{size}/step");
    let before = events().await;
    for _ in 0..3 {
        admin.post(&step).json(json!({"by": 1})).send().await.assert(200);
    }
    assert_eq!(events().await, before);
    let steps = heard(&mut socket, 2500).await;
    assert!(
        !steps.is_empty() && steps.len() <= 2 && kinds(&steps).iter().all(|kind| *kind == QUANTITIES),
        "{steps:?}"
    );
    assert!(steps[0].0 < 1000, "{steps:?}");
    let order = json!({"platform": "take_away", "items": [{"subproduct_id": size, "quantity": 2}]});
    admin.post("/public/orders").json(order).send().await.assert(201);
    let sold = heard(&mut socket, 2500).await;
    assert_eq!(
        (sold.len(), kinds(&sold).contains(&QUANTITIES), kinds(&sold).contains(&"TASK_ORDERS_RELOAD")),
        (2, true, true),
        "{sold:?}"
    );
    // A change that is refused tells nobody.
    admin.post(&step).json(json!({"by": 0.5})).send().await.assert_keys(&["by"]);
    assert_eq!(kinds(&heard(&mut socket, 1200).await), Vec::<&str>::new());
}
