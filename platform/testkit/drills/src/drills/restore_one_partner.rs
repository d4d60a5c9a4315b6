//! One partner is brought back to a moment in the past while the others take orders and stay as they are.
//! `docs/runbooks/restore-one-partner.md` has the commands.

use std::{
    net::SocketAddr,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant, SystemTime},
};

use rig::{Api, Clients, Connection, Installation, Journal, PARTNER, Result, Shop};
use serde_json::Value;
use sqlx::PgConnection;

use crate::{
    backup::{Backup, Then, Until},
    context::Context,
    drills::restore_in_time::{Past, compare, orders, told, word},
    load::{Kind, Load, Mix},
    neighbours::{self, Neighbour, PARTNERS, Stall},
    people,
    stage::{SETTINGS, Stage},
    store,
};

const MIX: Mix = &[(Kind::Order, 1)];
/// Requests a second to the partner that is brought back.
const PACE: f64 = 20.0;
const HOUR: Duration = Duration::from_secs(3600);
/// Between two orders of a neighbour.
const PAUSE: Duration = Duration::from_millis(100);
/// A boundary that no archive holds.
const BOUNDARY: &str = "pult-drill-5f0c2a91e4";

/// The drill.
pub async fn run(context: &Context) -> Result<()> {
    let (beside, trading) = context.size((4, 1), (99, 8));
    let backup = Backup::new(&context.programs)?;
    let settings = backup.settings(2);
    let settings: Vec<&str> = settings.iter().map(String::as_str).chain(SETTINGS.iter().copied()).collect();
    let mut stage = Stage::with(context, "restore-one-partner", &settings).await?;
    let folder = context.folder("files")?;
    let _store = store::open(context, &mut stage.installation, &folder.join("objects")).await?;
    stage.installation.set("PULT_FILES_DIR", &folder.join("files").to_string_lossy());
    let instance = stage.serve().await?;
    let address = instance.service.address;
    let console = people::super_admin(&stage.installation, address).await?;
    let all = neighbours::make(&console, beside).await?;
    let mut stalls = Vec::new();
    for one in &all[..trading] {
        stalls.push(Stall::open(&console, address, one).await?);
    }
    stage.installation.lift_limits().await?;
    let mut owner = stage.installation.owner().await?;
    neighbours::quiet(&mut owner).await?;
    backup.take(&stage.database).await?;

    let load = Load::new(&stage.shop, address, &stage.journal);
    let accident = accident(context, &backup, &mut owner, (&stage.shop, &stage.journal), &load, address);
    let ((), accident) = tokio::join!(load.run(PACE, MIX, HOUR, context.seed), accident);
    let Accident { before, moment, dishes } = accident?;
    let intents = load.finish().await?;
    drop(load);
    let journal = std::mem::take(&mut stage.journal);
    let past = Past::new(journal, before, intents, moment.into());
    context.did(format!(
        "{} orders, then the dishes of the menu were removed; {before} orders were before",
        past.journal.len()
    ));

    let stop = AtomicBool::new(false);
    let trade = futures_util::future::join_all(stalls.iter().map(|stall| stall.trade(PAUSE, &stop)));
    let quiet = &all[trading..];
    let back = async {
        let outcome =
            bring_back(context, &backup, &stage.installation, &console, address, &past, quiet).await;
        stop.store(true, Ordering::Relaxed);
        outcome
    };
    let (_, outcome) = tokio::join!(trade, back);
    outcome?;
    others(context, &stalls, &mut owner).await?;

    let there = orders(&stage.installation).await?;
    let good = format!("back at the moment: all {before} orders acknowledged before it, and no later ones");
    told(context, &compare(&there, &past), good);
    let now = menu(&stage.shop, address).await?;
    context.expect(now == dishes, format!("the menu has its {} dishes again", dishes.len()));
    let signed_in = people::partner_admin(&stage.installation, address).await;
    context.expect(signed_in.is_ok(), "the partner's admin signs in as before");
    // The limits went back too.
    stage.installation.lift_limits().await?;
    let clients = Clients {
        shop: &stage.shop,
        address,
        journal: &stage.journal,
        orders: past.intents,
        clients: 8,
        same_key: true,
    };
    clients.run().await;
    let logs = stage.installation.run("audit verify").await;
    context.expect(logs.is_ok(), format!("all audit logs are what was written: {}", word(&logs)));
    instance.service.kill().await?;
    backup.remove()?;
    stage.close(context, past.intents).await
}

/// What was before somebody made a mistake.
struct Accident {
    before: usize,
    moment: SystemTime,
    dishes: Vec<String>,
}

/// Orders, a moment that is noted, orders again, and a mistake: the dishes are gone.
async fn accident(
    context: &Context, backup: &Backup, owner: &mut PgConnection, (shop, journal): (&Shop, &Journal),
    load: &Load<'_>, address: SocketAddr,
) -> Result<Accident> {
    tokio::time::sleep(context.size(Duration::from_secs(2), Duration::from_secs(30))).await;
    let dishes = menu(shop, address).await?;
    let before = journal.count();
    let moment = SystemTime::now();
    tokio::time::sleep(context.size(Duration::from_secs(1), Duration::from_secs(10))).await;
    load.settle().await;
    let staff = Api::with(address, &shop.staff);
    let categories = staff.call("GET", &Shop::admin("/product-categories"), None).await?;
    for category in categories.as_array().into_iter().flatten() {
        let path = Shop::admin(&format!("/product-categories/{}", neighbours::text(&category["id"])));
        let products = staff.call("GET", &format!("{path}/products"), None).await?;
        for product in products.as_array().into_iter().flatten() {
            let id = neighbours::text(&product["id"]);
            staff.call("DELETE", &format!("{path}/products/{id}"), None).await?;
        }
        staff.call("DELETE", &path, None).await?;
    }
    let gone = menu(shop, address).await?;
    context.expect(gone.is_empty() && !dishes.is_empty(), "the mistake is made: guests see no dish");
    let segment: String =
        sqlx::query_scalar("select pg_walfile_name(pg_switch_wal())").fetch_one(owner).await?;
    backup.archived(&segment).await?;
    Ok(Accident { before, moment, dishes })
}

/// The sizes that guests see.
async fn menu(shop: &Shop, address: SocketAddr) -> Result<Vec<String>> {
    let api = Api::with(address, &shop.bearer);
    let menu = api.call("GET", &Shop::orders().replace("/orders", "/menu"), None).await?;
    let mut sizes = Vec::new();
    for category in menu["categories"].as_array().into_iter().flatten() {
        for product in category["products"].as_array().into_iter().flatten() {
            for size in product["subproducts"].as_array().into_iter().flatten() {
                sizes.push(format!("{} {}", size["id"], size["price"]));
            }
        }
    }
    sizes.sort();
    Ok(sizes)
}

/// A server of its own goes back to the moment and waits there; the partner's archive is made of it, and
/// restored by the console.
async fn bring_back(
    context: &Context, backup: &Backup, installation: &Installation, console: &Api, address: SocketAddr,
    past: &Past, quiet: &[Neighbour],
) -> Result<()> {
    let mut owner = installation.owner().await?;
    let mut contents = Vec::new();
    for one in quiet {
        contents.push(neighbours::content(&mut owner, &one.id).await?);
    }
    let begun = Instant::now();
    let side = backup.recover(Until::Moment(past.moment), Then::Pause).await?;
    let recovered = begun.elapsed();
    let archive = context.folder("archive")?.join("partner.zip");
    let export = format!("partner export {PARTNER} {}", archive.display());
    let refused = installation.run(&export).await;
    let why = refused.err().map(|error| error.to_string()).unwrap_or_default();
    context.expect(why.contains("takes writes"), "the command leaves the database of the service alone");
    let on_side = installation.on(&side.url())?;
    on_side.run(&export).await?;
    let exported = begun.elapsed();
    side.remove().await?;
    let row = console.call("GET", &format!("{PARTNERS}/{PARTNER}"), None).await?;
    restore(console, address, &archive, &neighbours::text(&row["name"])).await?;
    neighbours::settled(console, PARTNER).await?;
    let took = begun.elapsed();
    context.did(format!(
        "the server was at the moment after {:.1} s, the archive there after {:.1} s, the partner back after {:.1} s",
        recovered.as_secs_f64(),
        exported.as_secs_f64(),
        took.as_secs_f64()
    ));
    let mut changed = Vec::new();
    for (one, before) in quiet.iter().zip(contents) {
        if neighbours::content(&mut owner, &one.id).await? != before {
            changed.push(one.name.clone());
        }
    }
    let good =
        format!("{} partners who did nothing meanwhile have the same content to the last row", quiet.len());
    told(context, &changed, good);
    // The sum sees what it is there for.
    if let Some(one) = quiet.first() {
        let before = neighbours::content(&mut owner, &one.id).await?;
        let schema = neighbours::schema(&mut owner, &one.id).await?;
        let sql = format!("update {schema}.restaurant set name = name || '!'");
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut owner).await?;
        let differs = neighbours::content(&mut owner, &one.id).await? != before;
        context.expect(differs, "the comparison sees one letter's difference");
    }
    Ok(())
}

/// Uploads the archive as the console's dialog does.
async fn restore(console: &Api, address: SocketAddr, archive: &Path, name: &str) -> Result<()> {
    let part = |name: &str, value: &str| {
        format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let head = part("into", "same")
        + &part("confirm", name)
        + &format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"archive\"; filename=\"archive.zip\"\r\n\
             content-type: application/zip\r\n\r\n"
        );
    let rest = format!("\r\n--{BOUNDARY}--\r\n");
    let archive = std::fs::read(archive)?;
    let lines = format!(
        "POST {PARTNERS}/restore HTTP/1.1\r\nhost: localhost\r\nauthorization: {}\r\ncontent-type: \
         multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {}\r\n\r\n",
        console.bearer(),
        head.len() + archive.len() + rest.len()
    );
    let bytes = [lines.as_bytes(), head.as_bytes(), &archive, rest.as_bytes()].concat();
    let reply = Connection::open(address).await?.call(&bytes).await?;
    if reply.status != 201 {
        return Err(format!("the archive was answered {}: {}", reply.status, reply.text()).into());
    }
    let row: Value = serde_json::from_slice(&reply.body)?;
    if row["id"] != PARTNER {
        return Err("the archive went to another partner".into());
    }
    Ok(())
}

/// What became of the orders of those that took some meanwhile.
async fn others(context: &Context, stalls: &[Stall], owner: &mut PgConnection) -> Result<()> {
    let (mut faults, mut taken, mut lost) = (Vec::new(), 0, 0);
    let mut slowest = Duration::ZERO;
    for stall in stalls {
        let (found, count, longest) = stall.outcome();
        faults.extend(found);
        taken += count;
        slowest = slowest.max(longest);
        lost += stall.lost(owner).await?;
    }
    let good = format!(
        "{} others took {taken} orders meanwhile, the slowest in {:.0} ms",
        stalls.len(),
        slowest.as_secs_f64() * 1e3
    );
    told(context, &faults, good);
    context.expect(lost == 0 && taken > 0, format!("of those {lost} are not there"));
    Ok(())
}
