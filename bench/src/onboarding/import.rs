//! A menu of 2,000 rows from a spreadsheet: sent, rehearsed, applied, undone, through the API.

use std::time::{Duration, Instant};

use rig::Result;
use rust_xlsxwriter::Workbook;

use super::{Stage, place};
use crate::report::{Line, median, number};

const ROWS: u32 = 2_000;
const CATEGORY: u32 = 50;

/// Seconds of each step, and the progress that was seen while waiting.
#[derive(Default)]
struct Steps {
    upload: f64,
    rehearsal: f64,
    apply: f64,
    undo: f64,
    progress: Vec<i64>,
}

/// Seconds of a part of a round.
type Part = fn(&Steps) -> f64;

fn sheet() -> Result<Vec<u8>> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_row(0, 0, ["Kategória", "Név", "Leírás", "Ár", "Áfa"])?;
    for row in 0..ROWS {
        let texts =
            [format!("Fejezet {}", row / CATEGORY), format!("Étel {row}"), "só, bors, sok minden".to_owned()];
        sheet.write_row(row + 1, 0, texts)?;
        sheet.write_row(row + 1, 3, [1000 + row, 27])?;
    }
    Ok(book.save_to_buffer()?)
}

pub(super) async fn measure(stage: &Stage) -> Result<Vec<Line>> {
    let file = sheet()?;
    let served = stage.serve().await?;
    let mut rounds = Vec::new();
    for _ in 0..number("PULT_BENCH_ROUNDS", 5) {
        let mut steps = Steps::default();
        let begun = Instant::now();
        let sent = served.send("/menu-imports", "file", "etlap.xlsx", &file).await?;
        steps.upload = begun.elapsed().as_secs_f64();
        let id = sent["id"].as_str().ok_or("the import has no id")?;
        let path = place(&format!("/menu-imports/{id}"));
        loop {
            let import = served.admin.call("GET", &path, None).await?;
            let progress = import["progress"].as_i64().unwrap_or_default();
            if steps.progress.last() != Some(&progress) {
                steps.progress.push(progress);
            }
            match import["status"].as_str() {
                Some("waiting" | "reading") => tokio::time::sleep(Duration::from_millis(10)).await,
                Some("ready") if import["counts"]["new"] == ROWS => break,
                _ => return Err(format!("the rehearsal ended so: {import}").into()),
            }
        }
        steps.rehearsal = begun.elapsed().as_secs_f64() - steps.upload;
        served.admin.call("POST", &format!("{path}/apply"), None).await?;
        steps.apply = begun.elapsed().as_secs_f64() - steps.upload - steps.rehearsal;
        let begun = Instant::now();
        served.admin.call("POST", &format!("{path}/undo"), None).await?;
        steps.undo = begun.elapsed().as_secs_f64();
        rounds.push(steps);
    }
    served.service.kill().await?;
    println!(
        "\n| import of {ROWS} rows (xlsx, {} kB) | s, median | s, slowest |\n|---|--:|--:|",
        file.len() / 1000
    );
    let kinds: [(&str, Part); 5] = [
        ("sent", |steps| steps.upload),
        ("rehearsed", |steps| steps.rehearsal),
        ("applied", |steps| steps.apply),
        ("all of it", |steps| steps.upload + steps.rehearsal + steps.apply),
        ("undone", |steps| steps.undo),
    ];
    let mut found = (0.0, 0.0);
    for (name, of) in kinds {
        let (middle, slowest) = (median(rounds.iter().map(of)), rounds.iter().map(of).fold(0.0, f64::max));
        println!("| {name} | {middle:.2} | {slowest:.2} |");
        if name == "all of it" {
            found = (middle, slowest);
        }
    }
    let seen: Vec<String> = rounds
        .iter()
        .max_by_key(|steps| steps.progress.len())
        .map(|steps| &steps.progress)
        .into_iter()
        .flatten()
        .map(|percent| format!("{percent} %"))
        .collect();
    println!("\nProgress that was seen: {}.", seen.join(", "));
    let (middle, slowest) = found;
    Ok(vec![Line::new(
        &format!("import of a menu of {ROWS} rows, upload to applied"),
        format!("{middle:.2} s (slowest {slowest:.2} s), {} steps of progress", seen.len()),
        "3 s, with progress",
        slowest <= 3.0 && seen.len() > 2,
    )])
}
