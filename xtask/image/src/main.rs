//! Makes the image for containers and tries it. `cargo xtask image` runs it (README).

mod api;
mod arguments;
mod blobs;
mod check;
mod contents;
mod dns;
mod inside;
mod layer;
mod libraries;
mod make;
mod materials;
mod opened;
mod service;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

/// Errors of this program are sentences for the one who called it.
type Result<T> = std::result::Result<T, String>;

/// The user of the service, and its group.
const USER: u32 = 65532;
/// Where the image has the certificates of the authorities that are trusted.
const ROOTS: &str = "etc/ssl/certs/ca-certificates.crt";

fn about(path: &std::path::Path) -> impl Fn(std::io::Error) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}.")
}

fn run(words: &[String]) -> Result<()> {
    let (command, rest) = words.split_first().ok_or("oci-image make | check")?;
    match command.as_str() {
        "make" => make::run(&arguments::Arguments::read(rest)?),
        "check" => check::run(&arguments::Arguments::read(rest)?),
        inside::COMMAND => inside::run(&arguments::Arguments::read(rest)?),
        inside::PROBE => inside::probe(),
        other => Err(format!("oci-image does not know {other}; it makes and checks.")),
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}
