//! What a process holds, as the system tells it.

use std::time::{Duration, Instant};

use rig::Result;

/// Memory and descriptors of a process.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    /// Resident memory in MB.
    pub memory: f64,
    /// Open descriptors.
    pub descriptors: usize,
}

impl Held {
    /// Of this process at this moment.
    pub fn by(pid: u32) -> Result<Self> {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
        let memory = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .and_then(|rest| rest.trim().trim_end_matches(" kB").trim().parse::<f64>().ok())
            .ok_or("no VmRSS")?;
        Ok(Self {
            memory: memory / 1024.0,
            descriptors: std::fs::read_dir(format!("/proc/{pid}/fd"))?.count(),
        })
    }
}

/// What this process alone uses of the memory, in bytes; none where it may not be seen.
pub fn own_memory(pid: i32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let of = |name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    };
    Some((of("Private_Clean:")? + of("Private_Dirty:")?) << 10)
}

/// The most memory that a process had until the time was over.
pub async fn most_memory(pid: u32, time: Duration) -> f64 {
    let begun = Instant::now();
    let mut most: f64 = 0.0;
    while begun.elapsed() < time {
        most = most.max(Held::by(pid).map_or(0.0, |held| held.memory));
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    most
}
