//! What 200 partners ask for by turns, beside one partner alone: menus, quotes, orders, boards, settings.

use std::time::Duration;

use rig::{Installation, Result, around_the_clock};
use serde_json::{Value, json};

use super::{Line, number, partners::MeasuredPartner};
use crate::{
    load::{GUEST, Request, load_any},
    report::median,
    rounds::{CORE, serve},
};

const CLIENTS: usize = 8;
/// The partners that are called by turns.
const MANY: usize = 200;

/// How often each kind of request is drawn, of twenty.
const MENUS: usize = 8;
const QUOTES: usize = 4;
const ORDERS: usize = 2;
const BOARDS: usize = 4;

/// Opens a restaurant around the clock and gives it a key; then its requests, each as often as it is drawn.
async fn requests(address: std::net::SocketAddr, made: &MeasuredPartner) -> Result<Vec<Request>> {
    let admin = format!("/api/v3/admin/partners/{}/restaurants/{}", made.partner, made.restaurant);
    let public = format!("/api/v3/partners/{}/restaurants/{}", made.partner, made.restaurant);
    let staff = |method: &'static str, path: &str, body: Option<&Value>, status| Request {
        method,
        path: format!("{admin}{path}"),
        bearer: made.bearer.clone(),
        headers: vec![],
        body: body.map(Value::to_string),
        status,
    };
    let hours = around_the_clock();
    staff("PUT", "/opening-hours", Some(&hours), 200).once(address).await?;
    let key = json!({"name": "bench", "scopes": ["orders:write", "menu:read"]});
    let key = staff("POST", "/api-keys", Some(&key), 201).once(address).await?;
    let key: Value = serde_json::from_slice(&key.body)?;
    let guest = |method: &'static str, path: &str, body: Option<&Value>, status| Request {
        bearer: format!("Bearer {}", key["api_key"].as_str().unwrap_or_default()),
        path: format!("{public}{path}"),
        ..staff(method, "", body, status)
    };
    let menu = guest("GET", "/menu", None, 200);
    let known: Value = serde_json::from_slice(&menu.once(address).await?.body)?;
    let item = &known["categories"][0]["products"][0]["subproducts"][0]["id"];
    let cart =
        json!({"platform": "browser", "pickup": true, "items": [{"subproduct_id": item, "quantity": 2}]});
    let mut order = cart.clone();
    order["last_name"] = "Vendég".into();
    order["phone_1"] = format!("+36 1 555 {GUEST}").into();
    order["payment_method"] = "cash".into();
    let mut all = vec![menu; MENUS];
    all.extend(vec![guest("POST", "/orders/quote", Some(&cart), 200); QUOTES]);
    all.extend(vec![guest("POST", "/orders", Some(&order), 201); ORDERS]);
    all.extend(vec![staff("GET", "/orders/fresh?limit=40", None, 200); BOARDS]);
    all.push(staff("GET", "/opening-hours", None, 200));
    all.push(staff("PUT", "/opening-hours", Some(&hours), 200));
    Ok(all)
}

/// Measures both in turns; the line for the summary.
pub(super) async fn measure(installation: &mut Installation, all: &[MeasuredPartner]) -> Result<Line> {
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 5.0));
    let rounds: usize = number("PULT_BENCH_ROUNDS", 3);
    installation.prefix(&CORE);
    let (program, service) = serve(installation).await?;
    let many = all.len().min(MANY);
    let mut asked = Vec::with_capacity(many);
    for made in all.iter().take(many) {
        asked.push(requests(program.address, made).await?);
    }
    installation.lift_limits().await?;
    let (one, mixed) = (asked[0].clone(), asked.concat());
    // Until the connections have met the partners.
    load_any(program.address, &mixed, CLIENTS, time * 3).await?;
    let (mut ratios, mut rows) = (vec![], vec![]);
    for _ in 0..rounds {
        let alone = load_any(program.address, &one, CLIENTS, time).await?;
        let beside = load_any(program.address, &mixed, CLIENTS, time).await?;
        ratios.push(beside.per_second() / alone.per_second());
        rows.push([alone, beside]);
    }
    service.kill().await?;
    println!(
        "\n| menus, quotes, orders, boards, settings | requests/s | p50 ms | p99 ms |\n|---|--:|--:|--:|"
    );
    for (at, name) in ["one partner".to_owned(), format!("{many} partners by turns")].iter().enumerate() {
        let of = |value: fn(&crate::load::Measured) -> f64| median(rows.iter().map(|row| value(&row[at])));
        println!(
            "| {name} | {:.0} | {:.2} | {:.2} |",
            of(crate::load::Measured::per_second),
            of(|one| one.percentile(0.5)),
            of(|one| one.percentile(0.99))
        );
    }
    let ratio = median(ratios);
    let what = format!("mixed requests a second, {many} partners beside one ({CLIENTS} clients)");
    Ok(Line::new(&what, format!("{ratio:.2}"), "0.8", ratio >= 0.8))
}
