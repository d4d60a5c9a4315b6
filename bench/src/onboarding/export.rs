//! The orders of a year as a spreadsheet, ordered behind the PIN.

use std::time::{Duration, Instant};

use rig::{Api, Connection, Result};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _};
use uuid::Uuid;

use super::{RunningService, Stage, place, previous::ENTRIES};
use crate::{
    cpu,
    report::{Line, number},
    scale::large::fill,
};

const ORDERS: u32 = 100_000;
const PIN: &str = "470044";
const FORM: &str = "application/x-www-form-urlencoded";
/// The memory by which a streaming service may grow: its limit while it writes a partner's archive.
const MEMORY: f64 = 64.0;

pub(super) async fn measure(stage: &mut Stage) -> Result<Vec<Line>> {
    let orders = number("PULT_BENCH_ORDERS", ORDERS);
    // Made of a name of ours and a number.
    stage.owner.execute(AssertSqlSafe(fill(&stage.schema, orders))).await?;
    let entries = format!("set search_path = {}; {ENTRIES}; reset search_path", stage.schema);
    stage.owner.execute(AssertSqlSafe(entries)).await?;
    let served = stage.serve().await?;
    let account = stage.installation.account("restaurant admin")?;
    let admins = served.admin.call("GET", &place("/admins?limit=200"), None).await?;
    let id = admins
        .as_array()
        .into_iter()
        .flatten()
        .find(|row| row["email"] == *account.email)
        .and_then(|row| row["id"].as_str());
    let path = place(&format!("/admins/{}", id.ok_or("the restaurant's admin is not in the list")?));
    served.admin.call("PUT", &path, Some(&json!({"pin": PIN, "has_pin": true}))).await?;
    let admin = Api::sign_in(served.address, account).await?;

    let mut lines = Vec::new();
    for kind in ["order_export", "order_item_export"] {
        let form = format!(
            "export_email=export%40pult.example&export_type={kind}&filter_type=created_at&from={}&till={}",
            stamp(-300),
            stamp(1)
        );
        lines.push(one(&served, &admin, kind, ("/export-requests", FORM, form), orders).await?);
    }
    // Those of a filter of previous orders.
    for (format, kind) in [("xlsx", "previous orders as xlsx"), ("csv", "previous orders as csv")] {
        let body = json!({"export_email": "export@pult.example", "format": format, "filter": {}}).to_string();
        lines.push(one(&served, &admin, kind, ("/orders/exports", "application/json", body), orders).await?);
    }
    served.service.kill().await?;
    Ok(lines)
}

/// Orders one kind of export and waits for its file.
async fn one(
    served: &RunningService, admin: &Api, kind: &str, (path, content, form): (&str, &str, String),
    orders: u32,
) -> Result<Line> {
    let request = format!(
        "POST {} HTTP/1.1\r\nhost: localhost\r\nauthorization: {}\r\nx-pin: {PIN}\r\nidempotency-key: {}\r\n\
         content-type: {content}\r\ncontent-length: {}\r\n\r\n{form}",
        place(path),
        admin.bearer(),
        Uuid::now_v7(),
        form.len()
    );
    let before = cpu::resident(served.pid)?;
    cpu::forget_peak(served.pid)?;
    let begun = Instant::now();
    let reply = Connection::open(served.address).await?.call(request.as_bytes()).await?;
    let ordered: Value = serde_json::from_slice(&reply.body)?;
    let id = ordered["id"]
        .as_str()
        .ok_or_else(|| format!("the export was answered {}: {}", reply.status, reply.text()))?;
    let done = finished(admin, id, begun).await?;
    let (seconds, peak) = (begun.elapsed().as_secs_f64(), cpu::peak(served.pid)?);
    let size = done["size_bytes"].as_f64().unwrap_or_default() / 1e6;
    let rows = done["row_count"].as_u64().unwrap_or_default();
    if rows < u64::from(orders) {
        return Err(format!("{rows} rows were exported").into());
    }
    println!(
        "\n{kind} of {orders} orders: {rows} rows, {size:.1} MB, {seconds:.1} s; {before:.0} MB resident \
         before, {peak:.0} MB at its most."
    );
    let grown = peak - before;
    let filtered = path == "/orders/exports";
    Ok(Line::new(
        &format!("{kind} of {orders} orders ({rows} rows, {size:.1} MB): memory grows by"),
        format!("{grown:.0} MB, in {seconds:.1} s"),
        if filtered { "64 MB, as a partner's archive; 10 s" } else { "64 MB, as a partner's archive" },
        grown <= MEMORY && (seconds <= 10.0 || !filtered),
    ))
}

/// The row of this export once its file is ready.
async fn finished(admin: &Api, id: &str, begun: Instant) -> Result<Value> {
    loop {
        let list = admin.call("GET", &place("/export-requests"), None).await?;
        let mut rows = list.as_array().into_iter().flatten();
        let row = rows.find(|row| row["id"] == *id).ok_or("the export is not in the list")?;
        match row["status"].as_str() {
            Some("ready") => return Ok(row.clone()),
            Some("failed") => return Err(format!("the export failed: {row}").into()),
            _ if begun.elapsed() > Duration::from_secs(120) => {
                return Err(format!("the export does not end: {row}").into());
            }
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// So many days from now.
fn stamp(days: i64) -> String {
    (chrono::Utc::now() + chrono::Duration::days(days)).format("%Y-%m-%dT%H%%3A%M%%3A%SZ").to_string()
}
