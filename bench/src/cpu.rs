//! Processor time and memory of processes, from `/proc`.

use std::{collections::HashMap, fs};

use rig::Result;

/// Ticks of `/proc/<pid>/stat` per second: 100 on every Linux that matters.
const TICKS: f64 = 100.0;

struct Stat {
    parent: u32,
    /// Own time, user and system.
    own: f64,
    ended: f64,
}

fn stat(pid: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in parentheses and may have any letters.
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let number = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok());
    Some(Stat {
        parent: fields.get(1)?.parse().ok()?,
        own: (number(11)? + number(12)?) / TICKS,
        ended: (number(13)? + number(14)?) / TICKS,
    })
}

/// Seconds of processor time of one process.
pub(crate) fn of_process(pid: u32) -> f64 {
    stat(pid).map_or(0.0, |stat| stat.own)
}

/// Seconds of processor time of a process and its children, those that have ended too.
pub(crate) fn of_family(pid: u32) -> f64 {
    let all: HashMap<u32, Stat> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .filter_map(|pid| Some((pid, stat(pid)?)))
        .collect();
    let children: f64 = all.values().filter(|stat| stat.parent == pid).map(|stat| stat.own).sum();
    all.get(&pid).map_or(0.0, |stat| stat.own + stat.ended) + children
}

pub(crate) fn parent(pid: u32) -> Option<u32> {
    stat(pid).map(|stat| stat.parent)
}

/// Resident memory in megabytes (10^6 bytes).
pub(crate) fn resident(pid: u32) -> Result<f64> {
    memory(pid, "VmRSS:")
}

/// The most memory that was resident, in megabytes, since the start or [`forget_peak`].
pub(crate) fn peak(pid: u32) -> Result<f64> {
    memory(pid, "VmHWM:")
}

/// Resets [`peak`].
pub(crate) fn forget_peak(pid: u32) -> Result<()> {
    Ok(fs::write(format!("/proc/{pid}/clear_refs"), "5")?)
}

/// Resident memory that is the process's alone (`RssAnon`: without files and shared buffers), in megabytes.
pub(crate) fn private(pid: u32) -> Result<f64> {
    memory(pid, "RssAnon:")
}

fn memory(pid: u32, kind: &str) -> Result<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(kind)).ok_or_else(|| format!("no {kind}"))?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib * 1024.0 / 1e6)
}
