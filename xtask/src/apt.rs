//! Debian packages: installed where xtask runs as root, or only fetched, by their checksums.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::{
    Result,
    process::{self, Output},
    progress::Step,
    project::{self, Project},
    sys,
};

/// Whether packages can be installed here.
pub fn usable() -> bool {
    sys::is_root() && Path::new("/usr/bin/apt-get").exists()
}

/// Installs the first of these packages that there is, with the newest lists when the present ones do not do.
pub fn install(name: &str, packages: &[&str]) -> Result<()> {
    let apt = |words: &[&str]| {
        let what = format!("apt-get {}", words.join(" "));
        let mut step = Step::begin_loud(name, &what);
        let mut apt = process::command("apt-get");
        apt.args(words).env("DEBIAN_FRONTEND", "noninteractive");
        process::run(&mut apt, &Output::Terminal, &mut step)?;
        step.done(&what);
        Ok(())
    };
    let one = |package: &str| apt(&["install", "-y", "--no-install-recommends", package]);
    if packages.first().is_some_and(|package| one(package).is_ok()) {
        return Ok(());
    }
    apt(&["update"])?;
    let mut result = Err(format!("{name} cannot be installed."));
    for package in packages {
        result = one(package);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// The packages that `xtask/tools/NAME/packages` lists, each fetched when it is not there yet. apt checks the sums;
/// it also knows mirrors and proxies. `what` is what the step waits for.
pub fn fetch(project: &Project, name: &str, what: &str, step: &mut Step) -> Result<Vec<PathBuf>> {
    const HELPER: &str = "/usr/lib/apt/apt-helper";
    let folder = project.tools().join(name);
    project::make_folder(&folder)?;
    let list = project.root.join("xtask/tools").join(name).join("packages");
    let text =
        fs::read_to_string(&list).map_err(|error| format!("{} cannot be read: {error}", list.display()))?;
    let mut packages = Vec::new();
    let mut known = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (sum, place) = line
            .split_once("  ")
            .ok_or_else(|| format!("{} has a line without two columns", list.display()))?;
        // The sum is part of the name, so a file of another sum is another file.
        let file = folder.join(format!("{}.deb", &sum[..16]));
        if !file.exists() {
            step.wait_for(what);
            if !Path::new(HELPER).exists() {
                return Err("there is no apt to fetch it with".into());
            }
            let archives = known.get_or_insert_with(archives);
            let unfinished = file.with_extension("part");
            let got = archives.iter().any(|archive| {
                let mut helper = process::command(HELPER);
                helper
                    .args(["download-file", &format!("{archive}{place}")])
                    .arg(&unfinished)
                    .arg(format!("SHA256:{sum}"));
                process::run(&mut helper, &Output::Log(&folder.join("fetch.log")), step).is_ok()
                    && unfinished.exists()
            });
            if sys::interrupts() > 0 {
                return Err(process::STOPPED.into());
            }
            if !got {
                return Err(format!("{place} cannot be fetched from this machine's Debian archive"));
            }
            fs::rename(&unfinished, &file)
                .map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        }
        packages.push(file);
    }
    Ok(packages)
}

fn archives() -> Vec<String> {
    let mut apt = process::command("apt-get");
    let output = apt
        .args(["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"])
        .stderr(Stdio::null())
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let mut archives: Vec<String> =
        text.lines().map(|line| format!("{}/", line.trim_end_matches('/'))).collect();
    archives.sort();
    archives.dedup();
    archives
}
