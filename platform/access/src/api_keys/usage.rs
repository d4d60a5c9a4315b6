//! Usage of keys: outcomes are added up in memory and written every ten seconds.

use std::{
    collections::{HashMap, VecDeque},
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use kernel::time::Timestamp;
use sea_orm::DbErr;
use serde_json::{Value, json};
use tenants::Door;
use uuid::Uuid;

/// How many refusals of a key are kept.
const REFUSALS_STORED: usize = 100;

#[derive(Debug)]
pub(crate) struct Refused {
    pub at: Timestamp,
    pub method: String,
    pub path: String,
    pub status: u16,
    pub code: String,
    pub detail: String,
    pub request_id: String,
}

/// Usage that is not written yet. Bounded by the number of keys there are.
#[derive(Debug, Default)]
pub(crate) struct Usage(Mutex<HashMap<Uuid, Calls>>);

#[derive(Debug, Default)]
struct Calls {
    calls: u64,
    errors: u64,
    refused: VecDeque<Refused>,
}

impl Usage {
    fn locked(&self) -> MutexGuard<'_, HashMap<Uuid, Calls>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn note(&self, key: Uuid, refused: Option<Refused>) {
        let mut keys = self.locked();
        let calls = keys.entry(key).or_default();
        calls.calls += 1;
        if let Some(refused) = refused {
            calls.errors += 1;
            calls.refused.push_back(refused);
            if calls.refused.len() > REFUSALS_STORED {
                calls.refused.pop_front();
            }
        }
    }

    /// Writes the usage since the last run; keeps it for the next run on failure.
    pub async fn write(&self, door: &Door) -> Result<(), DbErr> {
        let noted = mem::take(&mut *self.locked());
        if noted.is_empty() {
            return Ok(());
        }
        let written = door.call("select control.write_usage($1)::text", [document(&noted).into()]).await;
        if written.is_err() {
            let mut keys = self.locked();
            for (key, before) in noted {
                let calls = keys.entry(key).or_default();
                calls.calls += before.calls;
                calls.errors += before.errors;
                let room = REFUSALS_STORED.saturating_sub(calls.refused.len());
                before
                    .refused
                    .into_iter()
                    .rev()
                    .take(room)
                    .for_each(|refused| calls.refused.push_front(refused));
            }
        }
        written.map(drop)
    }
}

fn document(noted: &HashMap<Uuid, Calls>) -> Value {
    // The detail may name a field as the caller did. Postgres keeps no NUL, and one would keep everybody's
    // use from being written.
    let storable = |text: &str| text.replace('\0', "\u{fffd}");
    let refusals =
        noted.iter().flat_map(|(key, calls)| calls.refused.iter().map(move |refused| (key, refused)));
    let refusals: Vec<Value> = refusals
        .map(|(key, refused)| {
            json!({
                "key_id": key, "at": refused.at.to_string(), "method": refused.method,
                "path": storable(&refused.path), "status": refused.status,
                "code": refused.code, "detail": storable(&refused.detail), "request_id": refused.request_id,
            })
        })
        .collect();
    json!({"keys": noted.iter().map(|(key, calls)| json!([key, calls.calls,
        calls.errors])).collect::<Vec<_>>(), "refusals": refusals})
}
