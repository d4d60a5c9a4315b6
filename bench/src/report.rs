//! Tables in Markdown, to be put into README.md as they are.

use std::str::FromStr;

use crate::rounds::Run;

const PROGRAMS: [&str; 3] = ["service", "reference", "without the door"];

pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.get(middle) {
        None => f64::NAN,
        Some(upper) if values.len() % 2 == 1 => *upper,
        Some(upper) => f64::midpoint(values[middle - 1], *upper),
    }
}

pub(crate) fn heading() {
    println!(
        "\n| request | clients | program | requests/s | p50 ms | p99 ms | CPU of it, ms | CPU of Postgres, \
         ms | service / reference |"
    );
    println!("|---|--:|---|--:|--:|--:|--:|--:|--:|");
}

/// The lines of one request with one number of clients: medians over the rounds; the ratio is the median of
/// the rounds' ratios, so that a slow minute of the machine counts for both.
pub(crate) fn lines(request: &str, clients: usize, rounds: &[[Run; 3]]) {
    for (number, program) in PROGRAMS.iter().enumerate() {
        let of = |value: fn(&Run) -> f64| median(rounds.iter().map(|round| value(&round[number])));
        let ratio = median(
            rounds.iter().map(|round| round[0].measured.per_second() / round[1].measured.per_second()),
        );
        println!(
            "| {request} | {clients} | {program} | {:.0} | {:.2} | {:.2} | {:.2} | {:.2} | {} |",
            of(|run| run.measured.per_second()),
            of(|run| run.measured.percentile(0.5)),
            of(|run| run.measured.percentile(0.99)),
            of(|run| run.own_cpu),
            of(|run| run.postgres_cpu),
            if number == 0 { format!("**{ratio:.2}**") } else { String::new() },
        );
    }
}

pub(crate) fn number<T: FromStr>(name: &str, usual: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The target, the result, and whether the result meets the target.
pub(crate) struct Line {
    what: String,
    measured: String,
    target: String,
    met: bool,
}

impl Line {
    pub(crate) fn new(what: &str, measured: String, target: &str, met: bool) -> Self {
        Self { what: what.to_owned(), measured, target: target.to_owned(), met }
    }
}

/// The table of targets.
pub(crate) fn summary(lines: &[Line]) {
    println!("\n| what | measured | target | |\n|---|--:|--:|---|");
    for Line { what, measured, target, met } in lines {
        println!("| {what} | {measured} | {target} | {} |", if *met { "met" } else { "missed" });
    }
}
