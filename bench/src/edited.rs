//! The time from an edited handler to its answer: how long a developer waits.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Instant,
};

use rig::{Installation, Result};
use tokio::process::Command;

use crate::{report::median, rounds::serve};

const HANDLER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../platform/orders/src/public.rs");
/// What every order is answered through begins so; orders stand near the bottom of the tree, so much is built again.
const SIGNATURE: &str = "fn told(mut order";
const MARK: &str = "written by the bench";
const EDITS: usize = 3;

/// Removes its line from the source again, also on failure.
struct Edited(PathBuf);

impl Edited {
    fn write(file: &Path, number: usize) -> Result<Self> {
        let text = std::fs::read_to_string(file)?;
        let line = text
            .lines()
            .find(|line| line.contains(SIGNATURE) && line.ends_with('{'))
            .ok_or("the handler to be edited is not there")?;
        let edited =
            text.replacen(line, &format!("{line}\n        tracing::trace!(\"{MARK} {number}\");"), 1);
        let guard = Self(file.to_owned());
        std::fs::write(file, edited)?;
        Ok(guard)
    }
}

impl Drop for Edited {
    fn drop(&mut self) {
        let Ok(text) = std::fs::read_to_string(&self.0) else { return };
        let kept: String = text.split_inclusive('\n').filter(|line| !line.contains(MARK)).collect();
        let _ = std::fs::write(&self.0, kept);
    }
}

/// Edits, builds, starts, asks; some times.
pub(crate) async fn print(pult: &Path, folder: &Path) -> Result<()> {
    let server = std::env::var("PULT_BENCH_DATABASE_URL")?;
    let installation = Installation::make(pult, &server, folder).await?;
    let (mut builds, mut all) = (Vec::new(), Vec::new());
    for number in 0..EDITS {
        let _guard = Edited::write(HANDLER.as_ref(), number)?;
        let begun = Instant::now();
        let cargo = Command::new("cargo")
            .args(["build", "--quiet", "--package", "server"])
            .stdin(Stdio::null())
            .status()
            .await?;
        if !cargo.success() {
            return Err("the edited handler does not build".into());
        }
        builds.push(begun.elapsed().as_secs_f64());
        let (_, service) = serve(&installation).await?;
        all.push(begun.elapsed().as_secs_f64());
        service.kill().await?;
    }
    println!(
        "Edited handler, rebuilt, answering: median {:.1} s, of that {:.1} s in cargo (target 8 s).",
        median(all),
        median(builds)
    );
    installation.remove().await
}
