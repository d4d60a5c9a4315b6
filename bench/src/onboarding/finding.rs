//! Finding whose an order is and where it goes: an order with a phone and coordinates beside the same one
//! that names its customer and needs no region, and the search for a region alone.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use delivery::{Placed, RegionQuery};
use kernel::{Id, setting::DeliveryMethod};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::Result;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _};
use tenants::{Door, DoorSettings, PlatformProof};

use super::{PARTNER, RESTAURANT, Stage, customers};
use crate::{
    load::{GUEST, Request, load},
    prepare::prepare,
    report::{Line, median, number},
    rounds::{CORE, Program, Run, WARM_UP, measure as run, serve},
};

/// Regions with one shape each, and points of a shape: 20,000 points together.
const REGIONS: u32 = 200;
const POINTS: u32 = 100;
/// Where the first region lies, and how far each is from the next; shapes reach over their neighbours' edges.
const PLACE: (f64, f64) = (47.4, 19.0);
const STEP: f64 = 0.01;
const ROW: u32 = 20;
const PLACES: usize = 2_000;
const ROUNDS: usize = 5;

fn regions(schema: &str) -> String {
    let (lat, lng) = PLACE;
    // Made of a name of ours and numbers.
    format!(
        "begin; set local search_path = {schema}; \
         update restaurant set contact_email = null, escalate_after_minutes = null, delivery_method = 'gps_based' \
            where id = '{RESTAURANT}'; \
         delete from delivery_street; delete from delivery_polygon; delete from delivery_region; \
         with region as (insert into delivery_region (id, restaurant_id, name, price, min_order_price) \
            select gen_random_uuid(), '{RESTAURANT}', n::text, 500, 0 \
            from generate_series(0, {REGIONS} - 1) n \
            returning id, name::int n), \
         middle as (select id, {lat} + n / {ROW} * {STEP} lat, {lng} + n % {ROW} * {STEP} lng from region), \
         ring as (select id, array_agg(v order by i, axis) points from (select m.id, i, axis, \
            case axis when 0 then lat + {STEP} * (0.6 + 0.1 * (i % 2)) * sin(i * 2 * pi() / {POINTS}) \
                else lng + {STEP} * (0.6 + 0.1 * (i % 2)) * cos(i * 2 * pi() / {POINTS}) end v \
            from middle m, generate_series(0, {POINTS} - 1) i, generate_series(0, 1) axis) p group by id) \
         insert into delivery_polygon (id, restaurant_id, delivery_region_id, polygon_type, points, min_lat, \
            max_lat, min_lng, max_lng, area) \
         select gen_random_uuid(), '{RESTAURANT}', m.id, 'polygon', r.points, lat - {STEP} * 0.7, \
            lat + {STEP} * 0.7, lng - {STEP} * 0.7, lng + {STEP} * 0.7, 1000000 \
         from middle m join ring r on r.id = m.id; \
         with guest as (insert into shadow_customer (id, last_name, first_name, phone_1) \
            select ('01900000-0000-7000-8000-00000000' || lpad(n::text, 4, '0'))::uuid, 'Vendég', 'Ismert', \
            '+3670444' || lpad(n::text, 4, '0') from generate_series(0, 999) n returning id) \
         insert into shadow_customer_restaurant (shadow_customer_id, restaurant_id) \
         select id, '{RESTAURANT}' from guest; \
         commit; analyze"
    )
}

/// The order with a place, and the same with its customer's id alone.
fn orders(pickup: &Request) -> Result<[Request; 2]> {
    let mut named: Value = serde_json::from_str(pickup.body.as_deref().unwrap_or_default())?;
    named["pickup"] = false.into();
    named["phone_1"] = format!("+36 70 444 {GUEST}").into();
    named["delivery_data"] =
        json!({"postcode": "1111", "city": "Budapest", "street": "Fő utca", "premise_number": "1"});
    let mut found = named.clone();
    (found["coord_lat"], found["coord_lng"]) = (json!(PLACE.0 + 5.1 * STEP), json!(PLACE.1 + 7.1 * STEP));
    named["customer_id"] = format!("01900000-0000-7000-8000-00000000{GUEST}").into();
    Ok([found, named].map(|body| Request { body: Some(body.to_string()), ..pickup.clone() }))
}

/// Archives the regions, or takes them back: without any, nobody asks for one.
async fn switch(stage: &mut Stage, on: bool) -> Result<()> {
    let at = if on { "null" } else { "now()" };
    let sql = format!("update {}.delivery_region set archived_at = {at}", stage.schema);
    stage.owner.execute(AssertSqlSafe(sql)).await?;
    Ok(())
}

async fn ordered(stage: &mut Stage, program: &Program, both: &[Request; 2]) -> Result<Line> {
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 2.0));
    println!(
        "\n| order | clients | orders/s | p50 ms | CPU of the service, ms | CPU of Postgres, ms |\n\
         |---|--:|--:|--:|--:|--:|"
    );
    let mut ratios = Vec::new();
    for clients in [1, 8] {
        let mut rounds: [Vec<Run>; 2] = [Vec::new(), Vec::new()];
        // The first round opens connections and plans statements.
        for round in 0..=number("PULT_BENCH_ROUNDS", ROUNDS) {
            for (kind, what) in both.iter().enumerate() {
                switch(stage, kind == 0).await?;
                let time = if round == 0 { WARM_UP } else { time };
                let one = run(program, stage.postgres, what, clients, time).await?;
                if round > 0 {
                    rounds[kind].push(one);
                }
            }
        }
        for (kind, runs) in
            ["found by phone and coordinates", "customer named, no region"].iter().zip(&rounds)
        {
            let of = |value: fn(&Run) -> f64| median(runs.iter().map(value));
            println!(
                "| {kind} | {clients} | {:.0} | {:.2} | {:.2} | {:.2} |",
                of(|run| run.measured.per_second()),
                of(|run| run.measured.percentile(0.5)),
                of(|run| run.own_cpu),
                of(|run| run.postgres_cpu)
            );
        }
        let [found, named] = &rounds;
        let ratio = found
            .iter()
            .zip(named)
            .map(|(found, named)| named.measured.per_second() / found.measured.per_second());
        ratios.push(median(ratio));
    }
    Ok(Line::new(
        "an order that finds customer and region, time against one that is told (1 client, 8 clients)",
        ratios.iter().map(|ratio| format!("{ratio:.2}")).collect::<Vec<_>>().join(", "),
        "1.10",
        ratios.iter().all(|ratio| *ratio <= 1.10),
    ))
}

/// Looks for the region of places drawn at random, as an order and a check do: the statement and the
/// geometry.
async fn located(stage: &Stage) -> Result<Line> {
    let url = stage.installation.setting("PULT_DATABASE_URL").to_owned();
    let settings = DoorSettings {
        url,
        connections: 1,
        lifetime: Duration::from_secs(600),
        patience: DoorSettings::PATIENCE,
        development: false,
    };
    let door = Door::open(&settings).await?;
    let tx = door.begin_job(&PlatformProof::runner(), Id::from_uuid(PARTNER.parse()?)).await?;
    let tx = tx.ok_or("the demo partner is not there")?;
    let mut random = StdRng::seed_from_u64(1);
    let (mut times, mut inside) = (Vec::new(), 0);
    for _ in 0..PLACES {
        let lat = PLACE.0 + random.random_range(0.0..f64::from(REGIONS / ROW - 1)) * STEP;
        let lng = PLACE.1 + random.random_range(0.0..f64::from(ROW - 1)) * STEP;
        let asking = RegionQuery {
            restaurant: Id::from_uuid(RESTAURANT.parse()?),
            method: DeliveryMethod::GpsBased,
            point: Some((lat, lng)),
            address: None,
            chosen: None,
            geocoded: None,
            own_city: "",
            no_region: None,
        };
        let begun = Instant::now();
        let found = delivery::locate(&tx, asking).await.map_err(|problem| problem.to_string())?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        inside += usize::from(matches!(found.placed, Placed::Region(_)));
    }
    times.sort_by(f64::total_cmp);
    let [p50, p99] = [PLACES / 2, PLACES * 99 / 100].map(|at| times[at]);
    println!(
        "\nThe region of a place: p50 {p50:.2} ms, p99 {p99:.2} ms; {inside} of {PLACES} places are in one."
    );
    Ok(Line::new(
        &format!("the region of a place among {REGIONS} with {} points, p50", REGIONS * POINTS),
        format!("{p50:.2} ms"),
        "1 ms",
        p50 <= 1.0 && inside > PLACES / 2,
    ))
}

pub(super) async fn measure(stage: &mut Stage, sandbox: &Path) -> Result<Vec<Line>> {
    stage.installation.prefix(&CORE);
    let (program, service) = serve(&stage.installation).await?;
    let requests = prepare(&stage.installation, sandbox, program.address).await?;
    customers::fill(&mut stage.owner, &stage.schema).await?;
    stage.owner.execute(AssertSqlSafe(regions(&stage.schema))).await?;
    let both = orders(&requests.order)?;
    let ordered = ordered(stage, &program, &both).await?;
    switch(stage, true).await?;
    let located = located(stage).await?;
    let check = format!("/delivery/check?lat={}&lng={}", PLACE.0 + 5.1 * STEP, PLACE.1 + 7.1 * STEP);
    let path = requests.menu.path.replace("/menu", &check);
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 2.0));
    let checked = load(program.address, &Request { path, ..requests.menu.clone() }, 1, time).await?;
    println!("\nA check through HTTP: p50 {:.2} ms.", checked.percentile(0.5));
    service.kill().await?;
    stage.installation.prefix(&super::BOTH);
    Ok(vec![ordered, located])
}
