//! A company that 30 % of the requests need fails in every way; the others do not notice.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use rig::{Connection, RESTAURANT, Result, Shop, request};
use serde_json::{Value, json};

use crate::{
    context::Context,
    faulty::{Company, FAULTS, Manner},
    load::{Kind, Load, Mix, Summary},
    people,
    stage::Stage,
};

/// 30 % are prices of deliveries to addresses that nobody has asked for yet.
const MIX: Mix = &[
    (Kind::Address, 6),
    (Kind::Order, 3),
    (Kind::Quote, 2),
    (Kind::Menu, 4),
    (Kind::Board, 3),
    (Kind::Settings, 2),
];
/// Where the geocoder finds every house.
const PLACE: (f64, f64) = (47.4938, 19.0524);
/// A geocoder that failed is left alone for so long, and has at most so many calls at once
/// (`docs/decisions/delivery.md#places-of-addresses`). Seconds.
const REST: u64 = 10;
const AT_ONCE: u64 = 8;

/// The restaurant delivers to a circle around [`PLACE`].
async fn deliver(stage: &Stage, address: SocketAddr) -> Result<()> {
    let console = people::super_admin(&stage.installation, address).await?;
    let switches = format!("/api/v3/super-admin/restaurants/{RESTAURANT}/switches");
    console.call("PUT", &switches, Some(&json!({"delivery_method": "gps_based"}))).await?;
    let admin = people::partner_admin(&stage.installation, address).await?;
    let regions = Shop::admin("/delivery-regions");
    let region = json!({"name": "Közel", "price": 500, "min_order_price": 0});
    let made = admin.call("POST", &regions, Some(&region)).await?;
    let circle = json!({"delivery_region_id": made["id"], "polygon_type": "circle",
        "polygon_data": {"center_lat": PLACE.0, "center_lng": PLACE.1, "radius": 2000}});
    admin.call("POST", &format!("{regions}/polygons"), Some(&circle)).await?;
    Ok(())
}

/// Whether the address of a new guest is found.
async fn finds(stage: &Stage, address: SocketAddr, number: usize) -> Result<bool> {
    let body = stage.shop.delivered(number).to_string();
    let guest = [("authorization", stage.shop.bearer.as_str())];
    let ask = request("POST", &format!("{}/quote", Shop::orders()), &guest, Some(&body));
    let reply = Connection::open(address).await?.call(&ask).await?;
    let quote: Value = serde_json::from_slice(&reply.body)?;
    Ok(quote["delivery_region"]["found_by"] == "geocoded")
}

/// See the registry.
pub async fn run(context: &Context) -> Result<()> {
    let found = json!([{"lat": PLACE.0.to_string(), "lon": PLACE.1.to_string(), "place_rank": 30,
        "address": {"country_code": "hu", "postcode": "1052", "city": "Budapest"}}]);
    let company = Company::open(found.to_string()).await?;
    let mut stage = Stage::open(context, "company-fails").await?;
    for name in ["PULT_GEOCODER_GUESTS", "PULT_STAND_IN_GEOCODER_URL"] {
        stage.installation.set(name, &format!("http://{}", company.address));
    }
    let instance = stage.serve().await?;
    let address = instance.service.address;
    deliver(&stage, address).await?;
    // Numbers of houses that the load does not come to.
    let mut probes = 1_000_000..;
    let mut probe = || probes.next().unwrap_or_default();
    context.expect(finds(&stage, address, probe()).await?, "the address of a guest is found");

    let load = Load::new(&stage.shop, address, &stage.journal);
    let pace = load.pace(20.0, 0.4, context.seed).await;
    // By turns, so that a machine that has other work slows both.
    let (mut well, mut faulty, mut waited) = (Summary(vec![]), Summary(vec![]), Summary(vec![]));
    let (mut asked, mut failing) = (0, Duration::ZERO);
    for (number, manner) in (1..).zip(FAULTS) {
        for (manner, seconds, sum) in
            [(Manner::Well, context.size(2, 20), &mut well), (manner, context.size(2, 50), &mut faulty)]
        {
            company.set(manner);
            let (begun, before) = (Instant::now(), company.calls());
            load.run(pace, MIX, Duration::from_secs(seconds), context.seed ^ (number * 100 + seconds)).await;
            let (those, others): (Vec<_>, Vec<_>) =
                load.between(begun, Instant::now()).0.into_iter().partition(|one| one.kind == Kind::Address);
            sum.0.extend(others);
            if manner != Manner::Well {
                waited.0.extend(those);
                asked += company.calls() - before;
                failing += begun.elapsed();
            }
        }
    }
    context.did(format!("{pace:.0} requests a second. The others, while it answers: {well}"));
    context.did(format!(
        "{:.0} s in which it fails in {} ways: {faulty}",
        failing.as_secs_f64(),
        FAULTS.len()
    ));
    let (p95, usual) = (faulty.percentile(0.95), well.percentile(0.95));
    // The short form has too few requests for more than a sign of life.
    let (times, least) = context.size((3.0, Duration::from_millis(200)), (1.2, Duration::from_millis(5)));
    context.expect(
        p95 <= usual.mul_f64(times).max(least),
        format!(
            "p95 of the others {:.1} ms, {:.1} ms while it answers ({times} times)",
            p95.as_secs_f64() * 1e3,
            usual.as_secs_f64() * 1e3
        ),
    );
    context.expect(
        waited.good() == waited.count() && waited.longest() < Duration::from_secs(4),
        format!("who needs it is answered without it: {waited}"),
    );
    let all = load.all();
    context.expect(
        all.good() == all.count(),
        format!("{} of {} requests failed", all.count() - all.good(), all.count()),
    );
    if all.good() < all.count() {
        context.did(load.strange());
    }
    // Of each way it hears once at least: what failed before is forgotten by then.
    let most = AT_ONCE * (failing.as_secs() / REST + FAULTS.len() as u64);
    context.expect(
        asked as u64 <= most,
        format!("it was asked {asked} times meanwhile ({most}): it is left alone"),
    );

    company.set(Manner::Well);
    let begun = Instant::now();
    let mut back = false;
    while !back && begun.elapsed() < Duration::from_secs(60) {
        tokio::time::sleep(Duration::from_millis(500)).await;
        back = finds(&stage, address, probe()).await?;
    }
    context.expect(
        back,
        format!("addresses are found again after {:.0} s (60 s)", begun.elapsed().as_secs_f64()),
    );
    let orders = load.finish().await?;
    drop(load);
    instance.service.terminate().await?;
    stage.close(context, orders).await
}
