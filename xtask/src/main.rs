//! The project's commands: `cargo xtask help` lists them. It has few dependencies, so it builds in seconds.

mod apt;
mod bench;
mod chart;
mod contract;
mod drill;
mod fault;
mod guard;
mod image;
mod new_resource;
mod nightly;
mod node;
mod openapi;
mod pooler;
mod postgres;
mod postgres_find;
mod process;
mod progress;
mod project;
mod python;
mod release;
mod report;
mod stack;
mod supply;
mod sys;
mod test;
mod test_steps;
mod tls;
mod up;

use std::process::ExitCode;

/// Errors of this program are sentences for the one who called it.
type Result<T> = std::result::Result<T, String>;

const HELP: &str = "\
cargo xtask up [--reset] [--no-ui] [--https] [--lan] [--release] [--port N]
    Builds and starts everything on this machine, with the demo partner, at http://localhost:8080. Ctrl+C stops it.
    --reset    begin anew: removes the local data first
    --no-ui    leave the interface as it was built last
    --https    serve with a certificate of this machine
    --lan      open it to the local network, to try a tablet (with --https); else only this machine reaches it
    --release  with the optimised build
    --port N   another port than 8080
cargo xtask code
    Prints the code that the demo's super admin signs in with at this moment.
cargo xtask test [--quick] [-p CRATE ...] [--contract] [--chart] [--interface] [--image] [--pooler] [--browser] [-- ARGUMENTS]
    Everything that must hold: format, lints, Rust tests on a real Postgres, document, contract, interface, browser tests.
    --quick    without the contract, the image, the interface's build and the browser tests
    --contract only the service against its document: a minute of requests made by Schemathesis from a fixed seed
    --chart    only the chart, in full when it is not as it was when it last passed
    --image    only the image: made around the unoptimised binary (--quick: as it is built), started as a cluster would
    --interface only the interface's checks and, without --quick, its build
    -p CRATE   only the Rust tests of this crate (may be repeated), those through HTTP too
    With ARGUMENTS only Rust tests run, each in a process of its own: nextest takes them. `-- busy` runs those with this
    in their path, `-- -E 'test(/^orders::/)'` those of a crate through HTTP.
    --pooler   only the tests through HTTP and of the queue, with PgBouncer in transaction mode before the database; ARGUMENTS go to nextest
    --browser  only the browser tests, against a new installation, those of the night too; ARGUMENTS go to Playwright
    --postgres only a throw-away Postgres for tests, until Ctrl+C; prints its address
cargo xtask openapi
    Writes openapi/ from the code, and the interface's generated client (not committed) from that.
cargo xtask new-resource NAME --crate CRATE [--plural NAMES] [--permission KEY] [--group GROUP] [--title HU/EN] [--icon ICON]
                       [--scope restaurant|partner|group|platform] [--parent NAMES] [--ref NAMES] [--files-only]
    Writes a resource: migration, code, test and screen (docs/adding-a-resource.md).
    --scope       where its rows live, when not in a restaurant
    --parent      the resource of the same crate that it lies below, in the plural
    --files-only  without the document, the client and the matrix of rights, which follow from the code
cargo xtask nightly [NAME ...] [--seed N]
    Every long run, one after the other: contract (15 minutes from a new seed), supply, chart, connections, image (built
    twice), fault, drill, pooler, elsewhere (every partner on a second database server), browser (each screen in all
    looks). Says of each whether it passed, failed or could not run here.
    NAME       only these
    --seed N   with the seed that a night has printed
cargo xtask fault [--long] [--seed N]
    The fault tests, with a Postgres that writes durably.
    --long     200 rounds
    --seed N   the run that has printed this seed
cargo xtask drill [NAME ...|all] [--small] [--release] [--seed N] [--previous COMMIT]
    The service under load while something breaks or is changed: what it proves, in numbers. Without a name, their list.
    --small    the short forms, as `cargo xtask test` runs them
    --release  with the optimised build
    --seed N   the same choices as in the run that has printed this seed
    --previous the release to upgrade from: a commit, or auto for the one before the newest migration
cargo xtask bench [--clean] [--scale] [--onboarding [PART]]
    Measures the optimised service against hand-written references (bench/README.md). Leave the machine alone meanwhile.
    --clean    also how long a fresh clone takes to the first page
    --scale    instead: a thousand partners, read, created, moved and migrated
    --onboarding  instead: settings, import, audit, picture, sockets and export, or one of these parts
cargo xtask chart
    The chart in helm/ without a cluster: rendering, refusals, Kubernetes' schemas, policy, alerts against recorded series.
cargo xtask image [--check] [--twice]
    Makes the image of this commit for containers: target/image/pult-VERSION.tar (xtask/image/README.md). Pulls nothing.
    --check    also starts it as a cluster would, and signs in
    --twice    also builds everything once more in another folder and compares: a commit is one image
cargo xtask release VERSION
    Makes a release of what is committed: one version in crates, chart, image, interface and documents, CHANGELOG.md from
    the commits since the release before, a commit and a tag.
cargo xtask supply [--nightly]
    What others made and we deliver, against the policy (xtask/supply/README.md).
    --nightly  also with cargo-deny and npm's list of faults; writes target/sbom
cargo xtask help
    This text.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) =
        words.split_first().map_or(("help", &[][..]), |(first, rest)| (first.as_str(), rest));
    if command == guard::COMMAND {
        guard::run();
        return ExitCode::SUCCESS;
    }
    if command == "help"
        || words.iter().take_while(|word| *word != "--").any(|word| matches!(word.as_str(), "--help" | "-h"))
    {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    sys::count_interrupts();
    guard::start();
    let result = match command {
        "up" => up::Options::read(rest).and_then(|options| up::run(&options)),
        "code" => up::code(),
        "test" => test::Options::read(rest).and_then(|options| test::run(&options)),
        "openapi" => openapi::run(),
        "new-resource" => new_resource::Options::read(rest).and_then(|options| new_resource::run(&options)),
        "nightly" => nightly::Options::read(rest).and_then(|options| nightly::run(&options)),
        "fault" => fault::Options::read(rest).and_then(|options| fault::run(&options)),
        "drill" => drill::Options::read(rest).and_then(|options| drill::run(&options)),
        "bench" => bench::run(rest),
        "chart" => chart::command(rest),
        "release" => release::run(rest),
        "image" => image::Options::read(rest).and_then(|options| image::run(&options)),
        "supply" => supply::command(rest),
        other => Err(format!("There is no command `{other}`; `cargo xtask help` lists them.")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("\n{sentence}");
            ExitCode::FAILURE
        }
    }
}
