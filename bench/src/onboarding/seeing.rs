//! What it costs to see the service: its log and its traces, and how many series it measures.

use std::{convert::Infallible, net::SocketAddr, time::Duration};

use hyper::{Response, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use rig::{Connection, Result, request};
use serde_json::Value;
use tokio::net::TcpListener;

use super::{PARTNER, RESTAURANT, RunningService, Stage};
use crate::{
    load::load,
    report::{Line, median, number},
    rounds::{CORE, Program, WARM_UP, measure as run},
};

const PAIRS: usize = 10;
const CLIENTS: usize = 8;
/// The most series that an instance may have (`docs/decisions/reliability.md#what-is-measured`).
const SERIES: usize = 10_000;

async fn collector() -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let taken = service_fn(|_| async { Ok::<_, Infallible>(Response::new(String::new())) });
                let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), taken).await;
            });
        }
    });
    Ok(address)
}

/// Measurements cannot be switched off, so both have them: the pair differs in log and traces.
pub(super) async fn measure(stage: &mut Stage) -> Result<Vec<Line>> {
    stage.installation.prefix(&CORE);
    stage.installation.set("PULT_LOG", "off");
    let blind = stage.serve().await?;
    stage.installation.unset("PULT_LOG");
    let collector = format!("http://{}", collector().await?);
    stage.installation.set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector);
    let seen = stage.serve().await?;
    stage.installation.unset("OTEL_EXPORTER_OTLP_ENDPOINT");
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 2.0));
    let mut ratios = Vec::new();
    for pair in 0..=PAIRS {
        let mut costs = Vec::new();
        for served in [&blind, &seen] {
            let program = Program { address: served.address, pid: served.pid };
            let what = served.get("/opening-hours");
            if pair == 0 {
                load(program.address, &what, CLIENTS, WARM_UP).await?;
            }
            costs.push(run(&program, stage.postgres, &what, CLIENTS, time).await?.own_cpu);
        }
        // The first pair prepares statements and opens connections.
        if let (&[blind, seen], true) = (&costs[..], pair > 0) {
            ratios.push(seen / blind);
        }
    }
    let series = ask_for_everything(&seen).await?;
    for served in [blind, seen] {
        served.service.kill().await?;
    }
    stage.installation.prefix(&super::BOTH);
    let ratio = median(ratios);
    Ok(vec![
        Line::new(
            &format!("processor time of a small read with log and traces, beside none, {PAIRS} pairs"),
            format!("{ratio:.3}"),
            "1.05",
            ratio <= 1.05,
        ),
        Line::new(
            "series of one instance after three kinds of answers of every call",
            series.to_string(),
            "10,000",
            series <= SERIES,
        ),
    ])
}

/// Calls every operation as nobody, as an admin for what is not there, and as an admin with nothing in the body.
/// Answers how many series the instance has afterwards.
async fn ask_for_everything(served: &RunningService) -> Result<usize> {
    let asked = request("GET", "/api/openapi.json", &[], None);
    let document = Connection::open(served.address).await?.call(&asked).await?;
    let document: Value = serde_json::from_slice(&document.body)?;
    let bearer = served.admin.bearer();
    for (template, operations) in document["paths"].as_object().into_iter().flatten() {
        let mut path = template.replace("{partner_id}", PARTNER).replace("{restaurant_id}", RESTAURANT);
        while let (Some(from), Some(till)) = (path.find('{'), path.find('}')) {
            path.replace_range(from..=till, "01900000-0000-7000-8000-0000000000ff");
        }
        for method in operations.as_object().into_iter().flatten().map(|(method, _)| method.to_uppercase()) {
            let body = (method != "GET").then_some("{}");
            let elsewhere = path.replace(RESTAURANT, "01900000-0000-7000-8000-0000000000ff");
            for (path, headers) in [
                (&path, vec![]),
                (&path, vec![("authorization", bearer)]),
                (&elsewhere, vec![("authorization", bearer)]),
            ] {
                // A connection of its own, because some answers end theirs.
                let mut connection = Connection::open(served.address).await?;
                let _ = connection.call(&request(&method, path, &headers, body)).await;
            }
        }
    }
    let reply =
        Connection::open(served.service.metrics).await?.call(&request("GET", "/metrics", &[], None)).await?;
    Ok(reply.text().lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count())
}
