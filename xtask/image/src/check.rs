//! `oci-image check`: starts the image as a cluster would, and signs in.

use std::{
    fs::{self, File},
    io::Read,
    os::unix::fs::chown,
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use rustix::process::geteuid;
use serde_json::{Value, json};

use crate::{
    ROOTS, Result, USER, about,
    api::{Api, Geocoder, free_port},
    arguments::Arguments,
    dns::{self, Names},
    inside::Findings,
    opened::{self, Opened},
    service::{Place, Service},
};

/// Known to the name server alone.
const DATABASE: &str = "database.pult.example";
/// The password that the tests give the login role: their server may be the same.
const APP_PASSWORD: &str = "app-password-of-the-tests";
/// Ids of the demo partner.
const RESTAURANT: &str =
    "partners/01900000-0000-7000-8000-000000000001/restaurants/01900000-0000-7000-8000-00000000000b";

/// Starts it and looks.
pub fn run(arguments: &Arguments) -> Result<()> {
    let folder = arguments.path("image")?;
    let work = folder.join("try");
    let _ = fs::remove_dir_all(&work);
    let result = tried(arguments, &folder, &work);
    if result.is_ok() {
        let _ = fs::remove_dir_all(&work);
    }
    result
}

fn tried(arguments: &Arguments, folder: &Path, work: &Path) -> Result<()> {
    let image = Opened::read(&opened::archive_in(folder)?)?;
    let start = &image.start;
    expect("the user", &start.user, &format!("{USER}:{USER}"))?;
    expect("the program", &[&start.entrypoint[..], &start.cmd].concat(), &["/pult", "serve"])?;
    expect("what can be written to", &start.volumes.keys().collect::<Vec<_>>(), &["/files", "/tmp"])?;
    let label = |name: &str| image.labels.get(name).cloned().unwrap_or_default();
    let (version, chart) = (label("org.opencontainers.image.version"), label("example.pult.chart"));
    let root = work.join("root");
    image.unpack(&root, geteuid().is_root())?;
    said("each part is what its digest says; no file has rights that it does not need");

    let names = Names::start(&[DATABASE])?;
    let mut place = Place::new(work, root, start);
    let owner = prepare(&mut place, arguments.need("database")?, names.is_some())?;
    let (port, metrics) = (free_port()?, free_port()?);
    place.set("PULT_LISTEN", format!("127.0.0.1:{port}"));
    place.set("PULT_METRICS_LISTEN", format!("127.0.0.1:{metrics}"));

    rights(&mut place)?;
    agreed(&mut place, &version, &chart)?;

    let mut with_owner = place.clone();
    with_owner.set("PULT_DATABASE_OWNER_URL", owner);
    with_owner.run(&["/pult", "migrate"])?;
    if with_owner.run(&["/pult", "demo"]).is_ok() {
        return Err("Accounts whose passwords are published were made in production.".into());
    }
    let mut trying = with_owner.clone();
    trying.set("PULT_DEV", "1".to_owned());
    let accounts = trying.run(&["/pult", "demo"])?;
    match &names {
        Some(names) if names.answered() == 0 => return Err("No name was looked up.".into()),
        Some(_) => said("migrated; the database was found through the name server"),
        None => said("migrated; the name server: not run (port 53 is root's)"),
    }

    let geocoder = Geocoder::start(arguments)?;
    place.set("PULT_STAND_IN_GEOCODER_URL", format!("https://localhost:{}", geocoder.port));
    let authority = arguments.path("authority")?;
    let roots = work.join("roots");
    let both = [place.root.join(ROOTS), authority]
        .map(|path| fs::read_to_string(&path).map_err(about(&path)))
        .into_iter()
        .collect::<Result<String>>()?;
    fs::write(&roots, both).map_err(about(&roots))?;
    place.roots = Some(roots);
    let words: Vec<&str> = start.entrypoint.iter().chain(&start.cmd).map(String::as_str).collect();
    let mut service = place.serve(&words, "service.log")?;
    service.ready(&format!("http://127.0.0.1:{metrics}/readyz"))?;
    process(&service)?;
    let account = accounts.lines().find(|line| line.starts_with("partner admin\t"));
    let mut account = account.unwrap_or_default().split('\t').skip(1);
    let (email, password) = (account.next().unwrap_or_default(), account.next().unwrap_or_default());
    let api = Api::sign_in(port, email, password).map_err(|why| service.with_log(&why))?;
    said("signed in");
    zones(&api).map_err(|why| service.with_log(&why))?;

    let words_of_address = "/geocode?q=Minta%20utca%201";
    let (status, body) = api.get(&format!("admin/{RESTAURANT}{words_of_address}"))?;
    if status != 200 || !geocoder.asked().contains("GET /search") {
        return Err(service.with_log(&format!("A server whose authority is trusted: {status} {body}.")));
    }
    distrust(&place, &words, &geocoder, (email, password), words_of_address)?;
    said("TLS: a server of a trusted authority is called, the same one is not without its authority");

    let (status, time) = service.stop()?;
    if !status.success() {
        return Err(format!("The service ended with {status} after SIGTERM."));
    }
    said(&format!("ended {:.1} s after SIGTERM with 0", time.as_secs_f32()));
    Ok(())
}

fn said(what: &str) {
    println!("  ✓ {what}");
}

fn expect<T: std::fmt::Debug, W: std::fmt::Debug>(what: &str, is: &T, wanted: &W) -> Result<()> {
    let (is, wanted) = (format!("{is:?}"), format!("{wanted:?}"));
    if is == wanted { Ok(()) } else { Err(format!("The image, {what}: {is}, not {wanted}.")) }
}

/// What a runtime adds to an image, and the settings; the address of the database's owner.
fn prepare(place: &mut Place, database: &str, with_names: bool) -> Result<String> {
    let write = |path: PathBuf, text: &str| fs::write(&path, text).map_err(about(&path));
    for path in ["etc/hosts", "etc/resolv.conf"] {
        write(place.root.join(path), "")?;
    }
    let more = if with_names { "" } else { DATABASE };
    write(place.work.join("hosts"), &format!("127.0.0.1 localhost {more}\n"))?;
    let servers = format!("nameserver {}\noptions timeout:2 attempts:2\n", dns::ADDRESS);
    write(place.work.join("resolv"), &servers)?;
    let files = place.work.join("files");
    fs::create_dir(&files).map_err(about(&files))?;
    if geteuid().is_root() {
        chown(&files, Some(USER), Some(USER)).map_err(about(&files))?;
    }
    let sentence = "--database is an address like postgres://user:password@host:port/name.";
    let (user, server) = database.split_once('@').ok_or(sentence)?;
    let (server, _) = server.split_once('/').ok_or(sentence)?;
    let server = server.replace("127.0.0.1", DATABASE).replace("localhost", DATABASE);
    place.set("PULT_DATABASE_URL", format!("postgres://pult_app:{APP_PASSWORD}@{server}/pult_image"));
    place.set("PULT_INSTALLATION", "image");
    place.set("PULT_PUBLIC_URL", "https://pult.example");
    place.set("PULT_SECRET_KEY", random()?);
    // Nobody listens there; nothing here needs it.
    place.set("PULT_SMTP_URL", "smtp://127.0.0.1:1");
    place.set("PULT_MAIL_FROM", "Pult <pult@pult.example>");
    place.set("PULT_S3_ENDPOINT", "http://127.0.0.1:1");
    for name in ["BUCKET", "REGION", "ACCESS_KEY", "SECRET_KEY"] {
        place.set(&format!("PULT_S3_{name}"), "pult");
    }
    Ok(format!("{user}@{server}/pult_image"))
}

fn random() -> Result<String> {
    let mut bytes = [0; 48];
    let source = Path::new("/dev/urandom");
    File::open(source).and_then(|mut file| file.read_exact(&mut bytes)).map_err(about(source))?;
    Ok(STANDARD.encode(bytes))
}

/// What a program in the place of the service can do; and that one who could do more is found.
fn rights(place: &mut Place) -> Result<()> {
    let found = place.probe()?;
    let wanted = Findings { writable: vec!["/files".into(), "/tmp".into()], privileged: false };
    expect("what a program in it can do", &found, &wanted)?;
    // The control: in a root that can be written to, which one of these folders belongs to the user, it is found.
    place.writable = true;
    let folder = place.root.join("control");
    fs::create_dir(&folder).map_err(about(&folder))?;
    if geteuid().is_root() {
        chown(&folder, Some(USER), Some(USER)).map_err(about(&folder))?;
    }
    let found = place.probe()?;
    place.writable = false;
    let seen = found.writable.iter().any(|path| path == "/" || path == "/control");
    expect("a folder that can be written to is found", &seen, &true)?;
    let found = place.probe()?;
    expect("the same folder when the root is read-only", &found, &wanted)?;
    said("a program in it writes to /files and /tmp alone and has no rights");
    Ok(())
}

/// The labels say what the program is, and a chart of another number is refused.
fn agreed(place: &mut Place, version: &str, chart: &str) -> Result<()> {
    let says = place.run(&["/pult", "--version"])?;
    if !says.contains(version) {
        return Err(format!("The label says version {version}, the program {says}"));
    }
    let mut other = place.clone();
    other.set("PULT_CHART", "0");
    // Any command that reads the settings and would end soon.
    let why = other.run(&["/pult", "create-super-admin", "nobody@pult.example"]).err().unwrap_or_default();
    if !why.contains("PULT_CHART is 0") || !why.contains(&format!("needs {chart}")) {
        return Err(format!("The label says chart {chart}, and with a chart of number 0: {why}."));
    }
    // As the chart does.
    place.set("PULT_CHART", chart);
    said(&format!("version {version}; takes a chart of number {chart} and refuses another"));
    Ok(())
}

/// What the kernel says of the running service.
fn process(service: &Service) -> Result<()> {
    let status = service.status()?;
    const NONE: &str = "0000000000000000";
    for (name, wanted) in [
        ("CapPrm", NONE),
        ("CapEff", NONE),
        ("CapInh", NONE),
        ("CapBnd", NONE),
        ("CapAmb", NONE),
        ("NoNewPrivs", "1"),
    ] {
        expect(name, &status(name), &wanted)?;
    }
    if geteuid().is_root() {
        let user = [USER.to_string(), USER.to_string(), USER.to_string(), USER.to_string()].join(" ");
        expect("its user", &status("Uid"), &user)?;
        expect("its group", &status("Gid"), &user)?;
        expect("further groups", &status("Groups"), &"")?;
    }
    let number = status("NSpid");
    expect("the first process of its namespace", &number.split(' ').next_back(), &Some("1"))?;
    said("the service runs without any rights, as the first process of its namespace");
    Ok(())
}

/// The image has no files of time zones: the service must know by itself when it is eleven in Budapest.
fn zones(api: &Api) -> Result<()> {
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let week: Vec<Value> =
        days.iter().map(|day| json!({"day": day, "open_at": "11:00", "close_at": "19:59"})).collect();
    let (_, now) = api.get(&format!("admin/{RESTAURANT}/opening-hours"))?;
    let change = json!({"opening_hours": week, "version": now["version"]});
    let (status, body) = api.put(&format!("admin/{RESTAURANT}/opening-hours"), &change)?;
    expect("opening hours are saved", &status, &200_u16).map_err(|why| format!("{why} {body}"))?;
    let (status, hours) = api.get(&format!("{RESTAURANT}/opening-hours"))?;
    expect("opening hours are read", &status, &200_u16).map_err(|why| format!("{why} {hours}"))?;
    expect("the zone", &hours["timezone"].as_str(), &Some("Europe/Budapest"))?;
    // UTC is one hour behind, or two in summer.
    let (field, right) = if hours["open_now"] == true {
        ("open_until", ["T18:", "T17:"])
    } else {
        ("next_opening", ["T10:00", "T09:00"])
    };
    let time = hours[field].as_str().unwrap_or_default();
    if !right.iter().any(|part| time.contains(part)) {
        return Err(format!("Open from 11:00 to 20:00 in Budapest: {hours}."));
    }
    said(&format!("time zones: {field} is {time} for 11:00 to 20:00 in Budapest"));
    Ok(())
}

/// The control of TLS: with the image's own list the same server is not trusted, and nothing is sent to it.
fn distrust(
    place: &Place, words: &[&str], geocoder: &Geocoder, (email, password): (&str, &str), query: &str,
) -> Result<()> {
    let (port, metrics) = (free_port()?, free_port()?);
    let mut own = Place { roots: None, ..place.clone() };
    own.set("PULT_LISTEN", format!("127.0.0.1:{port}"));
    own.set("PULT_METRICS_LISTEN", format!("127.0.0.1:{metrics}"));
    let mut service = own.serve(words, "service-2.log")?;
    service.ready(&format!("http://127.0.0.1:{metrics}/readyz"))?;
    let before = geocoder.asked().len();
    let api = Api::sign_in(port, email, password)?;
    let (status, body) = api.get(&format!("admin/{RESTAURANT}{query}"))?;
    if status == 200 || geocoder.asked().len() != before {
        return Err(format!("A server whose authority is not trusted was called: {status} {body}."));
    }
    Ok(())
}
