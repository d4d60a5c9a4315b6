//! The costs of requests: each statement in Postgres, and of each step of a request.

use std::{collections::BTreeMap, time::Duration};

use rig::Result;

use crate::{
    load::{GUEST, Request},
    prepare::Requests,
    record::Record,
    rounds::{Program, measure},
};

/// The recorded statements with their time in Postgres.
pub(crate) fn statements(records: &BTreeMap<String, Record>) {
    println!("\n| request | statement | ms in Postgres |\n|---|---|--:|");
    for (name, record) in records {
        let name = name.trim_start_matches('/').replace('-', ", ");
        for statement in &record.statements {
            let mut words: String = statement
                .sql
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .replace('|', "\\|")
                .chars()
                .take(70)
                .collect();
            if let Some(table) = table(&statement.sql) {
                words = format!("{words} … {table}");
            }
            println!("| {name} | `{words}` | {:.2} |", statement.ms);
        }
        println!(
            "| {name} | all {} | {:.2} |",
            record.statements.len(),
            record.statements.iter().map(|statement| statement.ms).sum::<f64>()
        );
    }
}

/// The first table a long statement reads from.
fn table(sql: &str) -> Option<String> {
    let (_, rest) = sql.get(70..)?.split_once(" from ").or_else(|| sql.get(70..)?.split_once(" FROM "))?;
    Some(format!("from {}", rest.split_whitespace().next()?.replace('"', "")))
}

/// Requests that go further and further; what each one costs more than the one before is the price of its
/// step.
pub(crate) async fn steps(
    cached: &Program, computing: &Program, postgres: u32, requests: &Requests, time: Duration,
) -> Result<()> {
    let menu = &requests.menu;
    let etag = menu.once(cached.address).await?.header("etag").unwrap_or_default().to_owned();
    let start = Request { path: "/api/rest".to_owned(), ..menu.clone() };
    let known = Request { headers: vec![("if-none-match", etag)], status: 304, ..menu.clone() };
    let refused = Request { body: Some("{}".to_owned()), status: 422, ..requests.order.clone() };
    let repeated = Request {
        headers: vec![("idempotency-key", "the same again".to_owned())],
        body: requests.order.body.as_ref().map(|body| body.replace(GUEST, "0000")),
        ..requests.order.clone()
    };
    let all: [(&str, &Program, &Request); 8] = [
        ("start-up call: HTTP, middleware, log line; no database", cached, &start),
        ("menu, 304: + key, memory", cached, &known),
        ("menu, kept: + body", cached, menu),
        ("menu, computed: + rows, inheritance, JSON", computing, menu),
        ("order refused by its schema: HTTP, key, body; door looked at", cached, &refused),
        ("order repeated: + door, idempotency key", cached, &repeated),
        ("quote: door, facts, catalogue, pricing; no writing", cached, &requests.quote),
        ("order: all", cached, &requests.order),
    ];
    println!(
        "\n| one client, request | p50 ms | CPU of the service, ms | CPU of Postgres, ms |\n|---|--:|--:|--:|"
    );
    for (name, program, what) in all {
        let run = measure(program, postgres, what, 1, time).await?;
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} |",
            run.measured.percentile(0.5),
            run.own_cpu,
            run.postgres_cpu
        );
    }
    Ok(())
}
