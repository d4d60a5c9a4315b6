//! An order with its acceptance and its payment, beside the order alone.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rig::{Api, Connection, Result};
use serde_json::Value;

use super::{Stage, place};
use crate::{
    load::Request,
    prepare::prepare,
    report::{Line, median, number},
    rounds::{CORE, serve},
};

/// One client, on a connection that stays open.
struct Client {
    connection: Connection,
    order: Request,
    staff: String,
}

impl Client {
    async fn send(&mut self, what: &Request) -> Result<Value> {
        let reply = what.check(self.connection.call(&what.bytes()).await?)?;
        Ok(serde_json::from_slice(&reply.body)?)
    }

    /// Milliseconds of an order, or of a whole life.
    async fn time(&mut self, whole: bool) -> Result<f64> {
        let begun = Instant::now();
        let order = self.order.clone();
        let order = self.send(&order).await?;
        if whole {
            let id = order["id"].as_str().ok_or("the order has no id")?;
            let staff = |method, path: &str, body: &str, status| Request {
                method,
                path: place(&format!("/orders/{id}/{path}")),
                bearer: self.staff.clone(),
                headers: vec![],
                body: Some(body.to_owned()),
                status,
            };
            let accept = staff("PUT", "accept", "{}", 200);
            let pay = staff("POST", "payments", "{\"payment_method\": \"cash\"}", 201);
            self.send(&accept).await?;
            self.send(&pay).await?;
        }
        Ok(begun.elapsed().as_secs_f64() * 1e3)
    }
}

pub(super) async fn measure(stage: &mut Stage, sandbox: &Path) -> Result<Vec<Line>> {
    stage.installation.prefix(&CORE);
    let (program, service) = serve(&stage.installation).await?;
    let requests = prepare(&stage.installation, sandbox, program.address).await?;
    let admin = Api::sign_in(program.address, stage.installation.account("partner admin")?).await?;
    let mut client = Client {
        connection: Connection::open(program.address).await?,
        order: requests.order,
        staff: admin.bearer().to_owned(),
    };
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 2.0));
    let (mut alone, mut whole) = (vec![], vec![]);
    // The first round opens connections and plans statements.
    for round in 0..=number("PULT_BENCH_ROUNDS", 5) {
        for kind in [false, true] {
            let (begun, mut times) = (Instant::now(), vec![]);
            while begun.elapsed() < time {
                times.push(client.time(kind).await?);
            }
            if round > 0 {
                (if kind { &mut whole } else { &mut alone }).push(median(times));
            }
        }
    }
    service.kill().await?;
    stage.installation.prefix(&super::BOTH);
    let ratio = median(whole.iter().zip(&alone).map(|(whole, alone)| whole / alone));
    let (whole, alone) = (median(whole), median(alone));
    println!("\nAn order takes {alone:.2} ms, one that is accepted and paid as well {whole:.2} ms (p50).");
    let what = "an order with acceptance and payment, time against the order alone";
    Ok(vec![Line::new(what, format!("{ratio:.2}"), "2.20", ratio <= 2.2)])
}
