//! Measures the service against hand-written references. `bench/run.sh` calls it; README.md says how and why.

mod breakdown;
mod cpu;
mod edited;
mod load;
mod prepare;
mod record;
mod reference;
mod replay;
mod report;
mod rounds;
mod start;

use std::process::ExitCode;

const HELP: &str = "bench run PULT SANDBOX FOLDER                measures and prints everything
bench edited PULT FOLDER                     how long an edited handler takes to its answer
bench reference RECORDS URL PORT [plain]     serves what was recorded; plain: without the door";

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["run", pult, sandbox, folder] => rounds::run(pult.as_ref(), sandbox.as_ref(), folder.as_ref()).await,
        ["edited", pult, folder] => edited::print(pult.as_ref(), folder.as_ref()).await,
        ["reference", records, url, port] => reference::serve(records.as_ref(), url, port, true).await,
        ["reference", records, url, port, "plain"] => reference::serve(records.as_ref(), url, port, false).await,
        _ => Err(HELP.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}
