//! Start time of the service, and its memory without load.

use std::time::{Duration, Instant};

use rig::{Installation, Result, free_port};

use crate::{cpu, report::median};

const STARTS: usize = 7;
/// Seconds of idling before the memory is read.
const IDLE: u64 = 60;

/// Seconds of some starts to the first answer, on the cores that the installation was given.
pub(crate) async fn times(installation: &Installation) -> Result<Vec<f64>> {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let (port, metrics) = (free_port()?, free_port()?);
        let begun = Instant::now();
        let service = installation.start(port, metrics)?;
        service.ready().await?;
        times.push(begun.elapsed().as_secs_f64());
        service.kill().await?;
    }
    Ok(times)
}

/// Measures on both cores, as it would run.
pub(crate) async fn print(installation: &Installation) -> Result<()> {
    let times = times(installation).await?;
    let slowest = times.iter().copied().fold(0.0, f64::max);
    println!(
        "Start to first answer, migrated database: median {:.2} s, slowest {slowest:.2} s of {STARTS} \
         (target 1 s).",
        median(times)
    );
    let service = installation.serve(free_port()?, free_port()?).await?;
    let idle = std::env::var("PULT_BENCH_IDLE").ok().and_then(|text| text.parse().ok()).unwrap_or(IDLE);
    tokio::time::sleep(Duration::from_secs(idle)).await;
    let memory = cpu::resident(service.pid().ok_or("the service has ended")?)?;
    println!("Memory after {idle} s of idling: {memory:.0} MB resident (target 80 MB).");
    service.kill().await
}
