//! Reports of this instance to the operator: that it is alive, and the cost of its requests by operation
//! and by partner. Counted in memory, written every ten seconds.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::Duration,
};

use chrono::{DateTime, Utc};
use kernel::{Id, Partner};
use sea_orm::DbErr;
use serde::Serialize;
use serde_json::{Value, json};
use tenants::Door;
use uuid::Uuid;

/// Between two words of an instance. One that says nothing for three times as long counts as away.
pub const INTERVAL: Duration = Duration::from_secs(10);
/// So many of each are written at most: those that cost most.
const MOST: usize = 100;

#[derive(Debug, Clone)]
pub struct Instance {
    /// New with each start.
    pub id: Uuid,
    pub version: &'static str,
    /// `service`, `service_and_work` or `work`.
    pub part: &'static str,
    /// When it started (UTC).
    pub started_at: DateTime<Utc>,
}

/// What it is doing at the moment.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Figures {
    /// Resident memory in bytes.
    pub memory: u64,
    pub connections: usize,
    /// Units of work that wait for one.
    pub waiting: usize,
    /// Open windows and displays.
    pub windows: i64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    requests: u64,
    failed: u64,
    total_ms: f64,
    worst_ms: f64,
}

impl Sum {
    fn add(&mut self, took: Duration, failed: bool) {
        let ms = took.as_secs_f64() * 1e3;
        self.requests += 1;
        self.failed += u64::from(failed);
        self.total_ms += ms;
        self.worst_ms = self.worst_ms.max(ms);
    }
}

#[derive(Debug, Default)]
struct Load {
    operations: HashMap<(&'static str, Arc<str>), Sum>,
    partners: HashMap<Id<Partner>, Sum>,
}

static LOAD: LazyLock<Mutex<Load>> = LazyLock::new(Mutex::default);

/// A request was answered: `route` is the template of its path, `partner` whose data it worked with.
pub fn answered(
    method: &'static str, route: &Arc<str>, partner: Option<Id<Partner>>, took: Duration, failed: bool,
) {
    let mut load = LOAD.lock().unwrap_or_else(PoisonError::into_inner);
    load.operations.entry((method, route.clone())).or_default().add(took, failed);
    if let Some(partner) = partner {
        load.partners.entry(partner).or_default().add(took, failed);
    }
}

/// Those that cost most, as rows.
fn rows(subject: &str, sums: impl Iterator<Item = (String, Sum)>) -> Vec<Value> {
    let mut sums: Vec<_> = sums.collect();
    sums.sort_by(|a, b| b.1.total_ms.total_cmp(&a.1.total_ms));
    sums.truncate(MOST);
    let row = |(name, sum): (String, Sum)| {
        json!({"subject": subject, "name": name, "requests": sum.requests, "failed": sum.failed,
            "total_ms": sum.total_ms, "worst_ms": sum.worst_ms})
    };
    sums.into_iter().map(row).collect()
}

/// Writes what happened since the last time. What cannot be written is lost: it is for looking at, not a ledger.
pub async fn write(door: &Door, instance: &Instance, ready: bool, figures: Figures) -> Result<(), DbErr> {
    let load = std::mem::take(&mut *LOAD.lock().unwrap_or_else(PoisonError::into_inner));
    let operations =
        load.operations.into_iter().map(|((method, route), sum)| (format!("{method} {route}"), sum));
    let mut all = rows("operation", operations);
    all.extend(rows("partner", load.partners.into_iter().map(|(partner, sum)| (partner.to_string(), sum))));
    let mut figures = serde_json::to_value(figures).map_err(|error| DbErr::Json(error.to_string()))?;
    // No partner moves to a server that one of the instances does not reach.
    let answering: HashMap<String, bool> = door.answering().into_iter().collect();
    let mut reached = door.servers();
    reached.retain(|name| answering.get(name) != Some(&false));
    figures["servers"] = reached.into();
    let values = [
        instance.id.into(),
        instance.version.into(),
        instance.part.into(),
        instance.started_at.into(),
        ready.into(),
        figures.into(),
        Value::Array(all).into(),
    ];
    door.call("select control.note_load($1, $2, $3, $4, $5, $6, $7)::text", values).await?;
    Ok(())
}
