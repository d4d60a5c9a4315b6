//! The console through HTTP, against a real Postgres.

mod archives;
mod elsewhere;
mod exports;
mod jobs;
mod life;
mod memory;
mod migrate;
mod objects;
mod operating;
mod partners;
mod restored_alike;
mod sample_partner;
mod store;
mod support;

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Client, Kit, kit};
use tokio::task::AbortHandle;
use uuid::Uuid;

const PARTNERS: &str = "/api/v3/super-admin/partners";

/// Runs the owner's jobs as a service does, until it is dropped.
struct Running(AbortHandle);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn running() -> Running {
    let task = tokio::spawn(async {
        loop {
            kit().await.run_owner_jobs().await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    Running(task.abort_handle())
}

/// A name that nobody else has.
fn unique(what: &str) -> String {
    format!("{what} {}", Uuid::now_v7().simple())
}

fn new_partner(name: &str, email: &str) -> Value {
    json!({"name": name, "group_name": "Belváros", "restaurant_name": "Első étterem", "currency": "eur",
           "admin": {"email": email, "first_name": "Anna", "last_name": "Kovács"}})
}

/// Runs this partner's jobs until none is due: another test's process may have taken one, and may end in the
/// middle of it.
async fn work_off(id: impl std::fmt::Display) {
    work_off_at(kit().await, id).await;
}

/// The same on this installation.
async fn work_off_at(kit: &Kit, id: impl std::fmt::Display) {
    let sql = "select count(*) n from control.job where partner_id = $1 and kind like 'partner\\_%' \
               and (state = 'running' or state = 'waiting' and run_at <= now())";
    let partner: Uuid = id.to_string().parse().unwrap();
    for _ in 0..1_200 {
        kit.run_owner_jobs().await;
        if kit.row(sql, vec![partner.into()]).await.try_get::<i64>("", "n").unwrap() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the jobs of {id} do not end");
}

/// Waits until the partner is in this status.
async fn becomes(client: &Client<'_>, id: &str, status: &str) -> Value {
    for _ in 0..1_200 {
        let partner = client.get(&format!("{PARTNERS}/{id}")).send().await.assert(200).json();
        if partner["status"] == status {
            return partner;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{id} does not become {status}");
}

/// How often a text stands in a table of `control`.
async fn standing_in(kit: &Kit, table: &str, text: &str) -> i64 {
    let sql = format!("select count(*) n from control.{table} t where t::text like $1");
    kit.row(&sql, vec![format!("%{text}%").into()]).await.try_get("", "n").unwrap()
}
