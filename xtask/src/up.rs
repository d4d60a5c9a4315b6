//! `cargo xtask up`: from a fresh checkout to a service in the browser.

use std::{fs, net::TcpListener, path::Path, time::Duration};

use crate::{
    Result,
    node::{self, Node},
    postgres::Durability,
    progress::Step,
    project::{Lock, Project, make_folder},
    stack::{self, Plan, Stack},
    sys, tls,
};

/// The words after `up`.
pub struct Options {
    reset: bool,
    no_ui: bool,
    https: bool,
    lan: bool,
    release: bool,
    port: u16,
}

impl Options {
    pub fn read(words: &[String]) -> Result<Self> {
        let mut options =
            Self { reset: false, no_ui: false, https: false, lan: false, release: false, port: 8080 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--reset" => options.reset = true,
                "--no-ui" => options.no_ui = true,
                "--https" => options.https = true,
                "--lan" => options.lan = true,
                "--release" => options.release = true,
                "--port" => {
                    let port = words.next().and_then(|text| text.parse().ok()).filter(|port| *port != 0);
                    options.port = port.ok_or("--port needs a number from 1 to 65535.")?;
                }
                other => {
                    return Err(format!("`cargo xtask up` does not know {other}; see `cargo xtask help`."));
                }
            }
        }
        Ok(options)
    }
}

/// Builds, starts, prints where to go, and waits for Ctrl+C.
pub fn run(options: &Options) -> Result<()> {
    let project = Project::find();
    let started = std::time::Instant::now();
    check_port(options)?;
    let (data, why_there) = project.data()?;
    if let Some(why) = why_there {
        println!("  {why}.");
    }
    let lock = Lock::take(&data)?;
    if options.reset {
        reset(&data)?;
    }
    let node = Node::find(&project)?;
    if options.no_ui {
        make_folder(&project.ui().join("dist"))?; // where the service looks for the interface
    } else {
        node::install(&project, &node)?;
        node::build(&project, &node)?;
    }
    stack::build(&project, options.release)?;
    let certificate = if options.https { Some(tls::ensure(&data.join("https"))?) } else { None };
    let authority = certificate.as_ref().map(|certificate| certificate.authority.clone());
    let plan = Plan {
        data: data.clone(),
        port: options.port,
        certificate,
        lan: options.lan,
        release: options.release,
        durability: Durability::Durable,
    };
    let mut stack = Stack::start(&project, &node, plan)?;

    println!("\nPult is ready after {:.1} s:  {}\n", started.elapsed().as_secs_f32(), stack.url);
    for account in &stack.accounts {
        let code = match &account.second_factor {
            Some(secret) => format!("  code now {} (another: cargo xtask code)", stack.code(secret)?),
            None => String::new(),
        };
        println!("  {:<18} {:<32} {}{code}", account.role, account.email, account.password);
    }
    println!("\n  mails  {}  (files in {})", stack.mail_url, data.join("mail").display());
    println!(
        "  logins {}  (issuer of the stand-in sign-in provider; any client id and secret)",
        stack.provider_url
    );
    println!("  logs   {}", data.join("logs").display());
    if let Some(authority) = authority.filter(|_| options.lan) {
        println!("\n  A tablet trusts this machine once it has {}", authority.display());
        println!(
            "  (send it the file. Android: Settings, Security, Install a certificate, CA certificate. iPad: \
             open the file,"
        );
        println!("  install the profile, then Settings, General, About, Certificate Trust Settings).");
    }
    if let Some(reason) = &stack.without_menus {
        println!(
            "\n  The demo menus are missing; the next start tries again, or begin anew with `cargo xtask up \
             --reset`.\n  {}",
            reason.trim_end()
        );
    }
    println!("\nCtrl+C stops everything.");

    let result = loop {
        if sys::interrupts() > 0 {
            println!();
            break Ok(());
        }
        if let Some(reason) = stack.ended() {
            break Err(reason);
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    stack.stop();
    drop(lock);
    result
}

/// `cargo xtask code`: prints the code with which the demo's super admin signs in at this moment.
pub fn code() -> Result<()> {
    let project = Project::find();
    let accounts = stack::read_accounts(&project.data()?.0.join("accounts.tsv"))?;
    let secret = accounts
        .into_iter()
        .find_map(|account| account.second_factor)
        .ok_or("The demo has no second factor; run `cargo xtask up` first.")?;
    let built = [false, true]
        .map(|release| project.binary("pult", release))
        .into_iter()
        .find(|binary| binary.exists());
    println!(
        "{}",
        stack::current_code(&built.ok_or("Nothing is built yet; run `cargo xtask up` first.")?, &secret)?
    );
    Ok(())
}

fn check_port(options: &Options) -> Result<()> {
    let host = stack::host(options.lan);
    let Err(error) = TcpListener::bind((host, options.port)) else {
        return Ok(());
    };
    let port = options.port;
    Err(match error.kind() {
        std::io::ErrorKind::AddrInUse => format!(
            "Port {port} is in use; stop what uses it or choose another: cargo xtask up --port {}",
            if port == u16::MAX { 8081 } else { port + 1 }
        ),
        std::io::ErrorKind::PermissionDenied => {
            format!("Port {port} is reserved for root; choose one from 1024: cargo xtask up --port 8080")
        }
        _ => format!("Port {port} cannot be used: {error}."),
    })
}

/// Removes everything in the data folder but the lock that we hold and the certificate that tablets already
/// trust.
fn reset(data: &Path) -> Result<()> {
    let step = Step::begin("Reset", "removing the local data");
    let failed = |error: std::io::Error| format!("{} cannot be removed: {error}.", data.display());
    for entry in fs::read_dir(data).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.ends_with("lock") || path.ends_with("https") {
            continue;
        }
        if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }.map_err(failed)?;
    }
    step.done(&format!("{} is empty", data.display()));
    Ok(())
}
