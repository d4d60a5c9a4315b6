//! `pult`: the service and its commands.

use std::process::ExitCode;

use tokio_rustls::rustls;

/// Rows become many short texts: the system's allocator was a fifth of what a menu costs (`bench`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let filter = match server::log::filter(std::env::var("PULT_LOG").ok().as_deref()) {
        Ok(filter) => filter,
        Err(error) => {
            eprintln!("pult: {error}");
            return ExitCode::FAILURE;
        }
    };
    tracing_subscriber::fmt()
        .event_format(server::log::JsonLine)
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    // Only aws-lc is compiled in. A library that brought ring along would have TLS that names neither panic.
    if rustls::crypto::aws_lc_rs::default_provider().install_default().is_err() {
        tracing::warn!("another TLS provider was there first");
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("pult: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(server::cli::run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pult: {error}");
            ExitCode::FAILURE
        }
    }
}
