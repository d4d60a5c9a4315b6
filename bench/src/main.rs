//! Measures the service against hand-written references. `bench/run.sh` calls it; README.md says how and why.

mod breakdown;
mod cpu;
mod door;
mod edited;
mod load;
mod minimal;
mod onboarding;
mod prepare;
mod record;
mod reference;
mod replay;
mod report;
mod rounds;
mod scale;
mod start;

use std::process::ExitCode;

const HELP: &str = "bench run PULT SANDBOX FOLDER                measures and prints everything
bench edited PULT FOLDER                     how long an edited handler takes to its answer
bench door PULT FOLDER                      what checking session and grants adds (PULT_TEST_DATABASE_URL)
bench scale PULT FOLDER                      a thousand partners: reading, creating, moving, migrating
bench onboarding PULT SANDBOX FOLDER [PART]  settings, import, audit, picture, sockets, export, customers,
                                             finding: one of them or all
bench migrate URL                            brings all partners of this database to one more column and table
bench reference RECORDS URL PORT [plain]     serves what was recorded; plain: without the door";

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["run", pult, sandbox, folder] => rounds::run(pult.as_ref(), sandbox.as_ref(), folder.as_ref()).await,
        ["edited", pult, folder] => edited::print(pult.as_ref(), folder.as_ref()).await,
        ["door", pult, folder] => door::print(pult.as_ref(), folder.as_ref()).await,
        ["scale", pult, folder] => scale::run(pult.as_ref(), folder.as_ref()).await,
        ["onboarding", pult, sandbox, folder] => {
            onboarding::run(pult.as_ref(), sandbox.as_ref(), folder.as_ref(), None).await
        }
        ["onboarding", pult, sandbox, folder, part] => {
            onboarding::run(pult.as_ref(), sandbox.as_ref(), folder.as_ref(), Some(part)).await
        }
        ["migrate", url] => scale::migrate::print(url).await,
        ["reference", records, url, port] => reference::serve(records.as_ref(), url, port, true).await,
        ["reference", records, url, port, "plain"] => {
            reference::serve(records.as_ref(), url, port, false).await
        }
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
