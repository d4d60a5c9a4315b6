//! Making a picture of 8 MB into three sizes, and its effect on other requests.

use std::{
    thread,
    time::{Duration, Instant},
};

use image::{Rgb, RgbImage, codecs::jpeg::JpegEncoder};
use rig::Result;
use rustix::{
    process::setpriority_process,
    thread::{CpuSet, gettid, sched_getaffinity, sched_setaffinity},
};
use tokio::{
    runtime::{Builder, Handle},
    task::block_in_place,
};

use super::{RunningService, Stage};
use crate::{
    load::{Measured, load, steady},
    report::{Line, median, number},
};

/// Measured uploads, one after another.
const UPLOADS: usize = 5;
/// Bytes of the photo.
const SIZE: usize = 8_000_000;
/// The share of what the service can do that others ask of it meanwhile.
const SHARE: f64 = 0.2;

/// A photo with as much grain as makes 8 MB.
fn photo() -> Result<Vec<u8>> {
    let noise = RgbImage::from_fn(5000, 3750, |x, y| {
        let grain =
            (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(2_246_822_519)).wrapping_mul(3_266_489_917) >> 26;
        let level = |of: u32| u8::try_from((of / 20 % 190 + grain).min(255)).unwrap_or(u8::MAX);
        Rgb([level(x), level(y), level(x + y)])
    });
    for quality in 80..100 {
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(&noise)?;
        if bytes.len() >= SIZE {
            return Ok(bytes);
        }
    }
    Err("the photo is too small".into())
}

async fn upload(served: &RunningService, photo: &[u8]) -> Result<f64> {
    let begun = Instant::now();
    let image = served.send("/images", "image", "nagy.jpg", photo).await?;
    if image["image"].as_object().is_none_or(|sizes| sizes.len() < 3) {
        return Err(format!("the picture was answered so: {image}").into());
    }
    Ok(begun.elapsed().as_secs_f64())
}

/// The steady load while one picture after another is made. A thread behind the others sends the uploads:
/// writing 8 MB takes milliseconds, in which the load's own clock would stand still.
fn during(served: &RunningService, photo: &[u8], rate: f64, time: Duration) -> Result<(Measured, Vec<f64>)> {
    let uploads = || {
        setpriority_process(Some(gettid()), 5)?;
        Builder::new_current_thread().enable_all().build()?.block_on(async {
            let (begun, mut times) = (Instant::now(), Vec::new());
            while begun.elapsed() < time {
                times.push(upload(served, photo).await?);
            }
            Result::Ok(times)
        })
    };
    let read = served.get("/opening-hours");
    thread::scope(|scope| {
        let uploads = scope.spawn(uploads);
        let measured = Handle::current().block_on(steady(served.address, &read, rate, time))?;
        Ok((measured, uploads.join().map_err(|_| "the uploads ended with a panic")??))
    })
}

pub(super) async fn measure(stage: &Stage) -> Result<Vec<Line>> {
    let photo = photo()?;
    // What keeps one core busy leaves the other to everybody else, the load too.
    let (own, mut both) = (sched_getaffinity(None)?, CpuSet::new());
    [0, 1].into_iter().for_each(|core| both.set(core));
    sched_setaffinity(None, &both)?;
    let lines = measured(stage, &photo).await;
    sched_setaffinity(None, &own)?;
    lines
}

async fn measured(stage: &Stage, photo: &[u8]) -> Result<Vec<Line>> {
    let served = stage.serve().await?;
    let read = served.get("/opening-hours");
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 5.0));
    upload(&served, photo).await?;
    let mut alone = Vec::new();
    for _ in 0..UPLOADS {
        alone.push(upload(&served, photo).await?);
    }
    load(served.address, &read, 8, time / 5).await?;
    let capacity = load(served.address, &read, 8, time).await?.per_second();
    let rate = capacity * SHARE;
    let (mut quiet, mut busy, mut beside) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..number("PULT_BENCH_ROUNDS", 5) {
        quiet.push(steady(served.address, &read, rate, time).await?);
        let (measured, times) = block_in_place(|| during(&served, photo, rate, time))?;
        busy.push(measured);
        beside.extend(times);
    }
    served.service.kill().await?;
    println!(
        "\n| opening hours, {rate:.0} a second ({:.0} % of {capacity:.0}) | p50 ms | p99 ms |\n|---|--:|--:|",
        SHARE * 100.0
    );
    for (name, rounds) in [("nothing else", &quiet), ("one picture after another", &busy)] {
        let of = |share: f64| median(rounds.iter().map(|round| round.percentile(share)));
        println!("| {name} | {:.2} | {:.2} |", of(0.5), of(0.99));
    }
    let (alone, beside) = (median(alone), median(beside));
    println!(
        "\nA picture of {:.1} MB, 5000 × 3750, upload to answer: {alone:.2} s alone, {beside:.2} s beside \
         that load.",
        photo.len() as f64 / 1e6
    );
    let ratios: Vec<f64> =
        quiet.iter().zip(&busy).map(|(quiet, busy)| busy.percentile(0.99) / quiet.percentile(0.99)).collect();
    println!(
        "Their p99, round by round: {}.",
        ratios.iter().map(|ratio| format!("{ratio:.1}")).collect::<Vec<_>>().join(", ")
    );
    let ratio = median(ratios);
    Ok(vec![
        Line::new(
            &format!("a JPEG of {:.0} MB to three sizes, upload to answer", photo.len() as f64 / 1e6),
            format!("{alone:.2} s"),
            "2 s",
            alone <= 2.0,
        ),
        Line::new(
            "p99 of others at 20 % load meanwhile, against without",
            format!("{ratio:.1}"),
            "3",
            ratio <= 3.0,
        ),
    ])
}
