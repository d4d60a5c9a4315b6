//! Disks fill up: that of the database's tables, that of its log, the service's temporary folder and folder of
//! files, and the object store. Each has room again in the end, and nobody has to do anything else.
//! `docs/runbooks/disk-full.md` says what to do.

use std::{
    fs,
    net::SocketAddr,
    os::unix::fs::symlink,
    process::Command,
    time::{Duration, Instant},
};

use rig::{Api, Connection, Database, Installation, PARTNER, Reply, Result, Shop};
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};

use crate::{
    context::Context,
    drills::restore_in_time::told,
    load::{Kind, Load, Mix, Sample},
    neighbours::{PARTNERS, text},
    people,
    small_disk::SmallDisk,
    stage::{SETTINGS, Stage},
    store,
};

const MIX: Mix = &[(Kind::Order, 2), (Kind::Menu, 1)];
const PACE: f64 = 30.0;
const HOUR: Duration = Duration::from_secs(3600);
/// How long after there is room again everything is back.
const BACK: Duration = Duration::from_secs(10);
/// A boundary that no picture holds.
const BOUNDARY: &str = "pult-drill-5f0c2a91e4";

/// The drill.
pub async fn run(context: &Context) -> Result<()> {
    database(context, false).await?;
    database(context, true).await?;
    service(context).await
}

/// The disk of the database, or that of its log, is full while orders arrive.
async fn database(context: &Context, log: bool) -> Result<()> {
    let what = if log { "log" } else { "tables" };
    let stage = Stage::with(context, "disk-full", SETTINGS).await?;
    let Stage { mut database, installation, shop, journal } = stage;
    database.stop().await?;
    let disk = moved(context, &database, log)?;
    database.begin().await?;
    let service = installation.serve(rig::free_port()?, rig::free_port()?).await?;
    let load = Load::new(&shop, service.address, &journal);
    let script = async {
        tokio::time::sleep(context.size(Duration::from_secs(1), Duration::from_secs(10))).await;
        disk.fill()?;
        let full = Instant::now();
        if log {
            write_log(&database).await;
        }
        tokio::time::sleep(context.size(Duration::from_secs(4), Duration::from_secs(60))).await;
        disk.free()?;
        let room = Instant::now();
        if log && !database.runs()? {
            // As the cluster does with what has ended.
            database.begin().await?;
        }
        tokio::time::sleep(context.size(Duration::from_secs(6), Duration::from_secs(20))).await;
        load.stop();
        Result::Ok((full, room))
    };
    let ((), script) = tokio::join!(load.run(PACE, MIX, HOUR, context.seed), script);
    let (full, room) = script?;
    let meanwhile = load.between(full, room);
    let refused = meanwhile.only(|sample| !sample.good());
    let in_order = |sample: &Sample| matches!(sample.status, Some(503 | 507));
    let stranger = refused.only(|sample| !in_order(sample));
    context.did(format!("the disk of the {what} is full: {meanwhile}"));
    context.expect(
        refused.count() > 0 && stranger.count() == 0,
        format!("{} refusals, all 507 or 503: {} others", refused.count(), stranger.count()),
    );
    if stranger.count() > 0 {
        context.did(load.strange());
    }
    if !log {
        let menus = meanwhile.only(|sample| sample.kind == Kind::Menu && !sample.good());
        let example = menus.0.first().map(|sample| format!(", as {sample:?}")).unwrap_or_default();
        context.expect(
            menus.count() == 0,
            format!("menus are read all the while: {} failed{example}", menus.count()),
        );
    }
    let late = load.all().only(|sample| sample.at > room + BACK && !sample.good());
    let last = load.all().only(|sample| sample.at > room && !sample.good());
    let back = last.0.iter().map(|sample| sample.at - room).max().unwrap_or_default();
    context
        .expect(late.count() == 0, format!("all is well {:.1} s after there was room", back.as_secs_f64()));
    let intents = load.finish().await?;
    drop(load);
    service.kill().await?;
    let stage = Stage { database, installation, shop, journal };
    stage.close(context, intents).await?;
    drop(disk);
    Ok(())
}

/// Writes into the log as a large import does, until there is no room for more.
async fn write_log(database: &Database) {
    let Ok(mut owner) = PgConnection::connect(&database.url()).await else { return };
    let sql = "select pg_logical_emit_message(false, 'drill', repeat('x', 4000000))";
    for _ in 0..100 {
        if sqlx::query(sql).execute(&mut owner).await.is_err() {
            return;
        }
    }
}

/// The database's tables, or its log, go to a small disk of their own.
fn moved(context: &Context, database: &Database, log: bool) -> Result<SmallDisk> {
    let data = database.files.folder.join("db");
    let from = data.join(if log { "pg_wal" } else { "base" });
    let size = Command::new("du").args(["-sm"]).arg(&from).output()?;
    let size: u64 = String::from_utf8(size.stdout)?.split_whitespace().next().unwrap_or("0").parse()?;
    let disk = SmallDisk::mount(&context.folder("small")?, size + 24)?;
    let to = disk.folder.join("data");
    for command in [Command::new("cp").arg("-a").arg(&from).arg(&to), Command::new("rm").arg("-r").arg(&from)]
    {
        if !command.status()?.success() {
            return Err(format!("{} cannot be moved", from.display()).into());
        }
    }
    symlink(&to, &from)?;
    Ok(disk)
}

/// The service's temporary folder and folder of files, and the object store, are full.
async fn service(context: &Context) -> Result<()> {
    let mut stage = Stage::open(context, "disk-full").await?;
    let folder = context.folder("small")?;
    let own = SmallDisk::mount(&folder.join("service"), 24)?;
    let objects = SmallDisk::mount(&folder.join("objects"), 24)?;
    let _store = store::open(context, &mut stage.installation, &objects.folder).await?;
    for (name, place) in [("PULT_FILES_DIR", "files"), ("TMPDIR", "tmp")] {
        let place = own.folder.join(place);
        fs::create_dir_all(&place)?;
        stage.installation.set(name, &place.to_string_lossy());
    }
    let instance = stage.serve().await?;
    let address = instance.service.address;
    let load = Load::new(&stage.shop, address, &stage.journal);
    let script = async {
        let outcome = uploads(context, &stage.installation, &stage.shop, address, &own, &objects).await;
        load.stop();
        outcome
    };
    let ((), outcome) = tokio::join!(load.run(PACE / 3.0, MIX, HOUR, context.seed), script);
    outcome?;
    let all = load.all();
    context
        .expect(all.good() == all.count() && all.count() > 0, format!("orders and menus meanwhile: {all}"));
    let intents = load.finish().await?;
    drop(load);
    instance.service.kill().await?;
    stage.close(context, intents).await
}

async fn uploads(
    context: &Context, installation: &Installation, shop: &Shop, address: SocketAddr, own: &SmallDisk,
    objects: &SmallDisk,
) -> Result<()> {
    let staff = Api::with(address, &shop.staff);
    let images = Shop::admin("/images");
    let rows = async || Result::Ok(staff.call("GET", &images, None).await?.as_array().map_or(0, Vec::len));
    let (before, there) = (rows().await?, objects.files());
    for (what, disk, codes) in [
        ("the object store", objects, &["STORAGE_UNAVAILABLE", "STORAGE_FULL"][..]),
        ("the service's temporary folder", own, &["STORAGE_FULL", "UNAVAILABLE_SERVER"]),
    ] {
        disk.fill()?;
        let reply = upload(address, &shop.staff, &images).await?;
        let code = code(&reply);
        context.expect(
            matches!(reply.status, 503 | 507) && codes.contains(&code.as_str()),
            format!("{what} is full: a picture is answered {} {code}", reply.status),
        );
        disk.free()?;
        let left: Vec<String> = objects.files().into_iter().filter(|file| !there.contains(file)).collect();
        let whole =
            left.iter().all(|file| fs::metadata(objects.folder.join(file)).is_ok_and(|data| data.len() > 0));
        context.expect(rows().await? == before, "no picture is listed");
        context.expect(whole, format!("and no half of one is in the store: {left:?}"));
    }
    let reply = upload(address, &shop.staff, &images).await?;
    context.expect(reply.status == 201, format!("with room again it is taken: {}", reply.status));

    // An export is ordered while the folder of files is full: it waits with a reason, and is made by itself.
    let console = people::super_admin(installation, address).await?;
    own.fill()?;
    let order = json!({"reason": "drill of a full disk"});
    console.call("POST", &format!("{PARTNERS}/{PARTNER}/export"), Some(&order)).await?;
    let exports = format!("{PARTNERS}/{PARTNER}/exports");
    let why = status(&console, &exports, |export| !export["error"].is_null()).await?;
    context.expect(
        why["status"] == "waiting",
        format!("an export waits and says why: {} {}", text(&why["status"]), text(&why["error"])),
    );
    let parts: Vec<String> = own.files().into_iter().filter(|file| file.contains("exports/")).collect();
    told(context, &parts, "no part of a file is left".to_owned());
    own.free()?;
    let done = status(&console, &exports, |export| export["status"] == "ready").await?;
    context.expect(done["status"] == "ready", "with room again it is made without anybody's doing");
    Ok(())
}

/// Asks for the newest export until it is as wanted.
async fn status(console: &Api, path: &str, wanted: fn(&Value) -> bool) -> Result<Value> {
    let mut last = Value::Null;
    for _ in 0..900 {
        // On a busy machine the service may ask to come again.
        if let Ok(list) = console.call("GET", path, None).await {
            last = list[0].clone();
        }
        if wanted(&last) || last["status"] == "failed" {
            return Ok(last);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(last)
}

fn code(reply: &Reply) -> String {
    serde_json::from_slice::<Value>(&reply.body).map(|body| text(&body["code"])).unwrap_or_default()
}

/// Sends a picture of 600 × 600 random dots: some hundred kB in each size.
async fn upload(address: SocketAddr, staff: &str, path: &str) -> Result<Reply> {
    let mut picture = Vec::new();
    // A picture without a library: PPM is not taken, so it is a bitmap in a PNG without compression.
    png(600, &mut picture);
    let head = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"name\"\r\n\r\nKép\r\n--{BOUNDARY}\r\n\
         content-disposition: form-data; name=\"image\"; filename=\"kep.png\"\r\ncontent-type: image/png\r\n\r\n"
    );
    let rest = format!("\r\n--{BOUNDARY}--\r\n");
    let lines = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: {staff}\r\nidempotency-key: {}\r\n\
         content-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {}\r\n\r\n",
        uuid::Uuid::new_v4(),
        head.len() + picture.len() + rest.len()
    );
    let bytes = [lines.as_bytes(), head.as_bytes(), &picture, rest.as_bytes()].concat();
    Ok(Connection::open(address).await?.call(&bytes).await?)
}

/// A grey picture of random dots as PNG, stored without compression.
fn png(side: u32, to: &mut Vec<u8>) {
    let mut rows = Vec::new();
    for _ in 0..side {
        rows.push(0);
        rows.extend((0..side).map(|_| rand::random::<u8>()));
    }
    // zlib: a header, stored blocks, and the sum.
    let mut data = vec![0x78, 0x01];
    let mut blocks = rows.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        data.push(u8::from(blocks.peek().is_none()));
        data.extend(length.to_le_bytes());
        data.extend((!length).to_le_bytes());
        data.extend(block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in &rows {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    data.extend((b << 16 | a).to_be_bytes());
    to.extend(b"\x89PNG\r\n\x1a\n");
    let size = side.to_be_bytes();
    chunk(to, b"IHDR", &[&size[..], &size, &[8, 0, 0, 0, 0]].concat());
    chunk(to, b"IDAT", &data);
    chunk(to, b"IEND", &[]);
}

fn chunk(to: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    to.extend((data.len() as u32).to_be_bytes());
    let begin = to.len();
    to.extend(kind);
    to.extend(data);
    let sum = to[begin..].iter().fold(u32::MAX, |mut sum, byte| {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
        sum
    });
    to.extend((!sum).to_be_bytes());
}
