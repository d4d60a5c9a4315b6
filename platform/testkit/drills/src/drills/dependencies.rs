//! The object store and the mail server are away; orders go on.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use rig::{Connection, Installation, Result, Shop, free_port, request};
use serde_json::json;
use sqlx::{Connection as _, PgConnection};
use tokio::process::Child;

use crate::{
    context::{CannotRun, Context},
    load::Load,
    relay::{Relay, Way},
    stage::Stage,
};

/// How long an upload may take until it says that the store is away.
const UPLOAD: Duration = Duration::from_secs(15);

/// The stand-ins of store and mail, each behind a relay.
struct Others {
    store: Relay,
    mail: Relay,
    _process: Child,
}

impl Others {
    async fn start(context: &Context, installation: &mut Installation, data: &Path) -> Result<Self> {
        let Some(program) = &context.sandbox else {
            return Err(
                CannotRun("--sandbox is not given: the stand-ins of store and mail".to_owned()).into()
            );
        };
        let ports = [free_port()?, free_port()?];
        let mut command = tokio::process::Command::new(program);
        command.args(["serve", "--data"]).arg(data);
        command.args(["--s3-port", &ports[0].to_string(), "--smtp-port", &ports[1].to_string()]);
        for name in ["PULT_S3_ACCESS_KEY", "PULT_S3_SECRET_KEY", "PULT_S3_BUCKET"] {
            command.env(name, installation.setting(name));
        }
        let process = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let at = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let (store, mail) = (Relay::to(at(ports[0])).await?, Relay::to(at(ports[1])).await?);
        installation.set("PULT_S3_ENDPOINT", &format!("http://{}", store.address));
        for name in ["PULT_SMTP_URL", "PULT_STAND_IN_SMTP_URL"] {
            installation.set(name, &format!("smtp://{}", mail.address));
        }
        Ok(Self { store, mail, _process: process })
    }

    fn set(&self, way: Way) {
        self.store.set(way);
        self.mail.set(way);
    }
}

/// A picture of one pixel as a form.
fn upload(bearer: &str) -> Vec<u8> {
    const PIXEL: &[u8] = &[
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0,
        0, 0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c,
        0x63, 0x60, 0x60, 0x60, 0xf8, 0x0f, 0, 1, 4, 1, 0, 0x5f, 0xe5, 0xc3, 0x4b, 0, 0, 0, 0, 0x49, 0x45,
        0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
    ];
    let field = |name: &str, more: &str| {
        format!("--pult\r\ncontent-disposition: form-data; name=\"{name}\"{more}\r\n")
    };
    let mut body = format!("{}\r\nKép\r\n", field("name", "")).into_bytes();
    body.extend(
        format!("{}content-type: image/png\r\n\r\n", field("image", "; filename=\"kep.png\"")).into_bytes(),
    );
    body.extend_from_slice(PIXEL);
    body.extend_from_slice(b"\r\n--pult--\r\n");
    let length = body.len().to_string();
    let headers = [
        ("authorization", bearer),
        ("content-type", "multipart/form-data; boundary=pult"),
        ("content-length", length.as_str()),
    ];
    let mut bytes = request("POST", &Shop::admin("/images"), &headers, None);
    bytes.extend(body);
    bytes
}

async fn try_upload(address: SocketAddr, bearer: &str) -> Result<(u16, String, Duration)> {
    let begun = Instant::now();
    let call = async { Connection::open(address).await?.call(&upload(bearer)).await };
    let reply = tokio::time::timeout(Duration::from_secs(40), call).await??;
    Ok((reply.status, reply.text(), begun.elapsed()))
}

async fn count(owner: &mut PgConnection, sql: &'static str) -> Result<i64> {
    Ok(sqlx::query_scalar(sql).fetch_one(owner).await?)
}

const WAITING: &str = "select count(*) from control.job where kind = 'mail' or kind like '%mail%'";
const SET_ASIDE: &str = "select count(*) from control.job where state = 'failed'";

fn mails(folder: &Path) -> usize {
    std::fs::read_dir(folder).into_iter().flatten().count()
}

/// See the registry.
pub async fn away(context: &Context) -> Result<()> {
    let mut stage = Stage::open(context, "dependencies").await?;
    let data = context.folder("others")?;
    let others = Others::start(context, &mut stage.installation, &data).await?;
    let instance = stage.serve().await?;
    let address = instance.service.address;
    let load = Load::new(&stage.shop, address, &stage.journal);
    let pace = load.pace(20.0, 0.4, context.seed).await;
    let outage = Duration::from_secs(context.size(10, 600));
    let mut owner = stage.installation.owner().await?;
    let happening = async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let before = try_upload(address, &stage.shop.staff).await?;
        let arrived = mails(&data.join("mail"));
        others.set(Way::Refused);
        let begun = Instant::now();
        for role in ["partner admin", "restaurant admin"] {
            let body = json!({"email": stage.installation.account(role)?.email}).to_string();
            let ask = request("POST", "/api/v3/admins/password-reset", &[], Some(&body));
            let reply = Connection::open(address).await?.call(&ask).await?;
            if reply.status >= 300 {
                return Err(format!("a password's reset was answered {}", reply.text()).into());
            }
        }
        let refused = try_upload(address, &stage.shop.staff).await?;
        tokio::time::sleep(outage.saturating_sub(begun.elapsed()).max(Duration::from_secs(1))).await;
        let waiting = count(&mut owner, WAITING).await?;
        let meanwhile = mails(&data.join("mail"));
        others.set(Way::Held);
        let held = try_upload(address, &stage.shop.staff).await?;
        others.set(Way::Open);
        Result::Ok((before, refused, held, waiting, (arrived, meanwhile)))
    };
    let (before, refused, held, waiting, (arrived, meanwhile)) =
        load.beside(pace, context.seed, happening).await?;
    let all = load.all();
    context.did(format!("store and mail were away for {} s: {all}", outage.as_secs()));
    context.expect(
        all.good() == all.count(),
        format!("{} requests failed or were turned away", all.count() - all.good()),
    );
    if all.good() < all.count() {
        context.did(load.strange());
    }
    context.expect(
        before.0 == 201,
        format!(
            "an upload before was answered {} {}",
            before.0,
            if before.0 == 201 { "" } else { &before.1 }
        ),
    );
    for (what, (status, text, took)) in [("refuses", &refused), ("is silent", &held)] {
        context.expect(
            *status == 503 && text.contains("STORAGE_UNAVAILABLE") && *took <= UPLOAD,
            format!(
                "an upload while the store {what} was answered {status} in {:.1} s {}",
                took.as_secs_f64(),
                if *status == 503 { "" } else { text }
            ),
        );
    }
    context.expect(
        waiting > 0 && meanwhile == arrived,
        format!("{waiting} mails waited, none was sent meanwhile"),
    );
    let begun = Instant::now();
    let patience = Duration::from_secs(context.size(60, 1200));
    while count(&mut owner, WAITING).await? > 0 && begun.elapsed() < patience {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let (left, aside) = (count(&mut owner, WAITING).await?, count(&mut owner, SET_ASIDE).await?);
    let came = mails(&data.join("mail")) - meanwhile;
    context.expect(
        left == 0 && aside == 0 && came > 0,
        format!(
            "{:.0} s later {came} mails have come, {left} wait, {aside} jobs were set aside",
            begun.elapsed().as_secs_f64()
        ),
    );
    let after = try_upload(address, &stage.shop.staff).await?;
    context.expect(after.0 == 201, format!("an upload afterwards was answered {}", after.0));
    owner.close().await?;
    let orders = load.finish().await?;
    drop(load);
    instance.service.terminate().await?;
    stage.close(context, orders).await
}
