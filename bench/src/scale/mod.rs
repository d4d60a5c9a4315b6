//! Measures an installation with a thousand partners: requests, and creating, moving and migrating partners.
//! README.md describes the method.

pub(crate) mod large;
pub(crate) mod migrate;
mod mixed;
mod partners;
mod reads;

use std::path::Path;

use rig::{Installation, Result};

use crate::{
    report::{self, Line, median, number},
    start,
};

/// Present partners, besides the demo's, at the first measurements.
const FEW: usize = 10;

/// Measures everything and prints the tables of README.md. The database is left behind: its server is thrown
/// away, and dropping a thousand schemas takes minutes.
pub(crate) async fn run(pult: &Path, folder: &Path) -> Result<()> {
    let server = std::env::var("PULT_BENCH_DATABASE_URL")
        .map_err(|_| "PULT_BENCH_DATABASE_URL is not set; `cargo xtask bench --scale` does it")?;
    let mut installation = Installation::make(pult, &server, folder).await?;
    let files = folder.join("files");
    installation.set("PULT_FILES_DIR", &files.to_string_lossy());
    let many = number("PULT_BENCH_PARTNERS", 1000);

    let few = partners::make(&installation, 0..FEW).await?;
    let few_start = median(start::times(&installation).await?);
    let mut all = few;
    all.extend(partners::make(&installation, FEW..many).await?);
    partners::settle(&installation).await?;
    let many_start = median(start::times(&installation).await?);
    let mut lines = vec![Line::new(
        &format!("start to first answer, {FEW} and {many} partners"),
        format!("{few_start:.3} s, {many_start:.3} s"),
        "as quick, 1 s",
        many_start <= few_start * 1.2 + 0.02 && many_start <= 1.0,
    )];
    lines.extend(reads::measure(&mut installation, &all).await?);
    lines.push(mixed::measure(&mut installation, &all).await?);
    lines.push(large::create(&installation, many).await?);
    lines.extend(large::moved(&installation, &files).await?);
    lines.push(migrate::measure(&installation).await?);

    report::summary(&lines);
    Ok(())
}
