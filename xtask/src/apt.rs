//! Debian packages, installed where xtask runs as root.

use std::path::Path;

use crate::{
    Result,
    process::{self, Output},
    progress::Step,
    sys,
};

/// Whether packages can be installed here.
pub fn usable() -> bool {
    sys::is_root() && Path::new("/usr/bin/apt-get").exists()
}

/// Installs the first of these packages that there is, with the newest lists when the present ones do not do.
///
/// # Errors
/// When apt-get fails for all of them.
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
