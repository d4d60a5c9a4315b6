//! What super admins do, through the API: creating partners beside many others, and moving a large one.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use kernel::Id;
use rig::{Connection, Installation, Result, free_port};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _, PgConnection};
use uuid::Uuid;

use super::partners;
use crate::{
    cpu,
    load::Request,
    report::{Line, median, number},
    rounds::serve,
};

const PARTNERS: &str = "/api/v3/super-admin/partners";
const DEMO: &str = "01900000-0000-7000-8000-000000000001";
const RESTAURANT: &str = "01900000-0000-7000-8000-00000000000b";
const CREATED: usize = 30;
/// A boundary that no archive holds.
const BOUNDARY: &str = "pult-bench-0f2b6c1e7d";

async fn super_admin(installation: &Installation, db: &mut PgConnection) -> Result<String> {
    let account: Uuid =
        sqlx::query_scalar("select id from control.account where super_admin").fetch_one(&mut *db).await?;
    partners::bearer(installation, db, Id::from_uuid(account)).await
}

/// Creates partners one after another beside `many`.
pub(super) async fn create(installation: &Installation, many: usize) -> Result<Line> {
    let mut db = installation.owner().await?;
    let bearer = super_admin(installation, &mut db).await?;
    let (program, service) = serve(installation).await?;
    let mut times = Vec::new();
    for number in 0..CREATED {
        let admin =
            json!({"email": format!("new{number}@pult.example"), "first_name": "Új", "last_name": "Partner"});
        let body = json!({"name": format!("Új partner {number}"), "restaurant_name": "Első étterem",
            "admin": admin})
        .to_string();
        let new = Request {
            method: "POST",
            path: PARTNERS.to_owned(),
            bearer: bearer.clone(),
            headers: vec![],
            body: Some(body),
            status: 201,
        };
        let begun = Instant::now();
        let reply = new.once(program.address).await?;
        times.push(begun.elapsed().as_secs_f64());
        let row: Value = serde_json::from_slice(&reply.body)?;
        if row["status"] != "active" {
            return Err(format!("a new partner was answered as {}", row["status"]).into());
        }
    }
    service.kill().await?;
    times.sort_by(f64::total_cmp);
    let p95 = times[CREATED * 95 / 100];
    let text = format!("p50 {:.2} s, p95 {p95:.2} s of {CREATED}", median(times));
    Ok(Line::new(&format!("create a partner through the API, {many} present"), text, "p95 1 s", p95 <= 1.0))
}

/// Exports the demo partner with many orders and restores the archive into a new partner, through the API.
pub(super) async fn moved(installation: &Installation, files: &Path) -> Result<Vec<Line>> {
    let orders: u32 = number("PULT_BENCH_ORDERS", 100_000);
    let mut db = installation.owner().await?;
    let demo: Uuid = DEMO.parse()?;
    let schema = partners::schema(&mut db, demo).await?;
    // Made of a name of ours and a number.
    db.execute(AssertSqlSafe(fill(&schema, orders))).await?;
    let bearer = super_admin(installation, &mut db).await?;
    // One instance for each, so that neither's memory is the other's.
    let (id, exported, idle) = export(installation, &mut db, &bearer).await?;
    let archive =
        std::fs::read(files.join("exports").join(demo.simple().to_string()).join(format!("{id}.zip")))?;
    let size = archive.len() as f64 / 1e6;
    let (partner, restored) = restore(installation, &bearer, &archive).await?;
    let copy = partners::schema(&mut db, partner).await?;
    let sql = format!(
        "select count(*) from {copy}.orders o where exists (select from {schema}.orders p where p.counter = \
         o.counter)"
    );
    let found: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut db).await?;
    if found != i64::from(orders) {
        return Err(format!("{found} of {orders} orders were restored").into());
    }
    Ok(vec![
        Line::new(
            &format!("export of {orders} orders ({size:.0} MB packed), order to ready"),
            format!("{:.1} s", exported.seconds),
            "10 s",
            exported.seconds <= 10.0,
        ),
        Line::new(
            "the service's memory meanwhile, at its most",
            format!("{:.0} MB ({idle:.0} MB before)", exported.peak),
            "64 MB",
            exported.peak <= 64.0,
        ),
        Line::new(
            "restore into a new partner, upload to ready",
            format!("{:.1} s; memory {:.0} MB", restored.seconds, restored.peak),
            "20 s",
            restored.seconds <= 20.0,
        ),
    ])
}

/// What something took.
struct Cost {
    seconds: f64,
    /// Most memory of the service meanwhile, in MB.
    peak: f64,
}

fn request(bearer: &str, method: &'static str, path: String, status: u16) -> Request {
    Request { method, path, bearer: bearer.to_owned(), headers: vec![], body: None, status }
}

/// Exports the demo partner; the id of the export, what it took, and the memory of the service before, in MB.
async fn export(
    installation: &Installation, db: &mut PgConnection, bearer: &str,
) -> Result<(String, Cost, f64)> {
    let service = installation.serve(free_port()?, free_port()?).await?;
    let (address, pid) = (service.address, service.pid().ok_or("the service has ended")?);
    // Caches are warm and start-up work is done, as in an instance that has run for a while.
    settled(db).await?;
    for document in ["/api/openapi.json", "/api/public.json"] {
        request(bearer, "GET", document.to_owned(), 200).once(address).await?;
    }
    let idle = cpu::resident(pid)?;
    cpu::forget_peak(pid)?;
    let begun = Instant::now();
    let mut order = request(bearer, "POST", format!("{PARTNERS}/{DEMO}/export"), 202);
    order.body = Some(json!({"reason": "measuring"}).to_string());
    let ordered = order.once(address).await?;
    let id = serde_json::from_slice::<Value>(&ordered.body)?["id"]
        .as_str()
        .ok_or("the export has no id")?
        .replace('-', "");
    let exports = || request(bearer, "GET", format!("{PARTNERS}/{DEMO}/exports"), 200);
    wait(exports, address, |list| &list[0]["status"], "ready").await?;
    let cost = Cost { seconds: begun.elapsed().as_secs_f64(), peak: cpu::peak(pid)? };
    service.kill().await?;
    Ok((id, cost, idle))
}

/// Restores an archive into a new partner; its id, and what it took.
async fn restore(installation: &Installation, bearer: &str, archive: &[u8]) -> Result<(Uuid, Cost)> {
    let service = installation.serve(free_port()?, free_port()?).await?;
    let (address, pid) = (service.address, service.pid().ok_or("the service has ended")?);
    let bytes = multipart(bearer, archive);
    cpu::forget_peak(pid)?;
    let begun = Instant::now();
    let reply = Connection::open(address).await?.call(&bytes).await?;
    let row: Value = serde_json::from_slice(&reply.body)?;
    let id = row["id"]
        .as_str()
        .ok_or_else(|| format!("the archive was answered {}: {}", reply.status, reply.text()))?;
    let partner = || request(bearer, "GET", format!("{PARTNERS}/{id}"), 200);
    wait(partner, address, |one| &one["status"], "active").await?;
    let cost = Cost { seconds: begun.elapsed().as_secs_f64(), peak: cpu::peak(pid)? };
    service.kill().await?;
    Ok((id.parse()?, cost))
}

/// Waits until no job is due or under way: a new instance has the logs of all partners sealed, and sends what
/// waited.
async fn settled(db: &mut PgConnection) -> Result<()> {
    for _ in 0..1200 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let sql = "select not exists (select from control.job where state = 'running' or state = 'waiting' \
            and run_at <= now())";
        if sqlx::query_scalar(sql).fetch_one(&mut *db).await? {
            return Ok(());
        }
    }
    Err("its jobs do not come to an end".into())
}

/// Asks until what is looked for says `wanted`.
async fn wait(
    ask: impl Fn() -> Request, address: std::net::SocketAddr, status: fn(&Value) -> &Value, wanted: &str,
) -> Result<()> {
    for _ in 0..6000 {
        let body: Value = serde_json::from_slice(&ask().once(address).await?.body)?;
        match status(&body).as_str() {
            Some(found) if found == wanted => return Ok(()),
            Some("failed") => return Err(format!("it failed: {body}").into()),
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    Err("it does not come to an end".into())
}

/// Takes no reference to where it is sent: `rig` sends bytes.
fn multipart(bearer: &str, archive: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"archive\"; \
         filename=\"archive.zip\"\r\ncontent-type: application/zip\r\n\r\n"
    );
    let rest = format!(
        "\r\n--{BOUNDARY}\r\ncontent-disposition: form-data; \
         name=\"name\"\r\n\r\nVisszaállított\r\n--{BOUNDARY}--\r\n"
    );
    let length = head.len() + archive.len() + rest.len();
    let lines = format!(
        "POST {PARTNERS}/restore HTTP/1.1\r\nhost: localhost\r\nauthorization: {bearer}\r\n\
         content-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {length}\r\n\r\n"
    );
    [lines.as_bytes(), head.as_bytes(), archive, rest.as_bytes()].concat()
}

/// Orders as a year brings them: three items, three lines of history and a payment each.
pub(crate) fn fill(schema: &str, orders: u32) -> String {
    format!(
        "begin; set local search_path = {schema}; \
         insert into orders (id, restaurant_id, counter, business_day, timezone, status, platform, pickup, \
         first_name, last_name, email, phone_1, \
             currency, products_price, original_price, total_price, vats, explanation, show_at) \
         select gen_random_uuid(), '{RESTAURANT}', g::text, current_date - g / 300, 'Europe/Budapest', \
         'processed', 'browser', false, 'Anna', 'Vendég', \
             'vendeg' || g || '@pult.example', '+36 1 555 0100', 'huf', 3600, 3600, 3600, \
             '[{{\"percent\": 27, \"net\": 2835, \"vat\": 765, \"gross\": 3600}}]', '[{{\"step\": \"items\", \
             \"amount\": 3600}}]', now() \
         from generate_series(1, {orders}) g; \
         insert into order_item (id, order_id, ranking, subproduct_id, product_name, subproduct_name, \
         quantity, unit_price, total_price, vat_percent, \
             net_price, vat_price) \
         select gen_random_uuid(), o.id, n, gen_random_uuid(), 'Gulyásleves csipetkével', 'Nagy adag', 1, \
         1200, 1200, 27, 945, 255 \
         from orders o, generate_series(1, 3) n; \
         insert into order_history (order_id, status, actor_kind, actor_name, surface) \
         select o.id, s, 'admin', 'Minta Anna', 'admin' from orders o, unnest(array['received', 'succeeded', \
         'processed']) s; \
         insert into payable_transaction (id, order_id, value) select gen_random_uuid(), o.id, 3600 from \
         orders o; \
         commit; analyze {schema}.orders, {schema}.order_item, {schema}.order_history, \
         {schema}.payable_transaction"
    )
}
