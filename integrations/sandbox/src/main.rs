//! Stand-ins for the systems around the service: S3 on a folder, a mail server that stores mails, an OpenID
//! Connect provider without passwords, and the loader of the demo menus.

mod demo;
mod mail_page;
mod oidc;
mod smtp;

use std::{collections::HashMap, path::PathBuf, process::ExitCode, sync::Arc};

use sandbox::{Result, barion, fcm, nominatim, s3, simplepay, teya};
use tokio::net::TcpListener;

const HELP: &str = "\
sandbox serve --data DIR --s3-port N --smtp-port N [--mail-http-port N] [--oidc-port N] [--geocoder-port N]
              [--push-port N] [--teya-port N] [--barion-port N] [--simplepay-port N]
    S3 on DIR/s3 (keys and bucket from PULT_S3_ACCESS_KEY, PULT_S3_SECRET_KEY, PULT_S3_BUCKET), mails into DIR/mail,
    and a page that shows them; a sign-in provider; a geocoder; a sender of push
    notifications; a company with card terminals; pages to pay on. All on 127.0.0.1.
sandbox demo --url URL --email E --password P --data DIR [--simplepay URL] [--resume]
    Loads the menus of DIR/*.json into the restaurants of the same names. A restaurant that has categories already is
    left alone; with --resume, what is missing in it is added. It gets accounts at the stand-ins of online payment, and
    SimplePay's, at the address --simplepay, learns where its messages go.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.split_first() {
        Some((command, rest)) if command == "serve" => Words::read(rest).and_then(|words| serve(&words)),
        Some((command, rest)) if command == "demo" => Words::read(rest).and_then(|words| load(&words)),
        _ => Err(HELP.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}

/// `--name value` pairs and `--name` flags of the command line.
struct Words(HashMap<String, String>);

impl Words {
    fn read(words: &[String]) -> Result<Self> {
        let mut found = HashMap::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let name = word.strip_prefix("--").ok_or_else(|| format!("{word} is not understood.\n{HELP}"))?;
            let value = if name == "resume" {
                String::new()
            } else {
                words.next().ok_or_else(|| format!("{word} needs a value."))?.clone()
            };
            found.insert(name.to_owned(), value);
        }
        Ok(Self(found))
    }

    fn text(&self, name: &str) -> Result<&str> {
        self.0.get(name).map(String::as_str).ok_or_else(|| format!("--{name} is missing.\n{HELP}"))
    }

    fn port(&self, name: &str) -> Result<u16> {
        self.text(name)?.parse().map_err(|_| format!("--{name} needs a port number."))
    }
}

fn load(words: &Words) -> Result<()> {
    let account = demo::SignIn {
        url: words.text("url")?,
        email: words.text("email")?,
        password: words.text("password")?,
    };
    let simplepay = words.0.get("simplepay").map(String::as_str);
    demo::load(&account, words.text("data")?.as_ref(), simplepay, words.0.contains_key("resume"))
}

#[tokio::main]
async fn serve(words: &Words) -> Result<()> {
    let data = PathBuf::from(words.text("data")?);
    let mail_folder = data.join("mail");
    std::fs::create_dir_all(&mail_folder)
        .map_err(|error| format!("{} cannot be made: {error}.", mail_folder.display()))?;
    let s3 = s3::service(&data.join("s3"), &s3::Access::from_environment()?)?;

    let s3_listener = listen(words.port("s3-port")?).await?;
    let smtp_listener = listen(words.port("smtp-port")?).await?;
    tokio::spawn(s3::serve(s3_listener, s3));
    tokio::spawn(smtp::serve(smtp_listener, mail_folder.clone()));
    if words.0.contains_key("mail-http-port") {
        tokio::spawn(mail_page::serve(listen(words.port("mail-http-port")?).await?, mail_folder));
    }
    if words.0.contains_key("oidc-port") {
        let port = words.port("oidc-port")?;
        tokio::spawn(oidc::serve(
            listen(port).await?,
            oidc::Provider::new(format!("http://127.0.0.1:{port}"))?.into(),
        ));
    }
    if words.0.contains_key("geocoder-port") {
        tokio::spawn(nominatim::serve(listen(words.port("geocoder-port")?).await?, Arc::default()));
    }
    if words.0.contains_key("teya-port") {
        tokio::spawn(teya::serve(
            listen(words.port("teya-port")?).await?,
            Arc::new(teya::Teya::new(teya::SECRET)),
        ));
    }
    if words.0.contains_key("barion-port") {
        tokio::spawn(barion::serve(listen(words.port("barion-port")?).await?, Arc::default()));
    }
    if words.0.contains_key("simplepay-port") {
        let port = words.port("simplepay-port")?;
        let company = simplepay::SimplePay::new(format!("http://127.0.0.1:{port}"));
        let company = company.remembering(data.join("simplepay.json"));
        tokio::spawn(simplepay::serve(listen(port).await?, Arc::new(company)));
    }
    if words.0.contains_key("push-port") {
        let port = words.port("push-port")?;
        let company = fcm::Fcm::new(format!("http://127.0.0.1:{port}/"))?;
        tokio::spawn(fcm::serve(listen(port).await?, Arc::new(company)));
    }
    let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
        .map_err(|error| error.to_string())?;
    tokio::select! {
        _ = terminated.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    Ok(())
}

async fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind(("127.0.0.1", port))
        .await
        .map_err(|error| format!("Port {port} cannot be used: {error}."))
}
