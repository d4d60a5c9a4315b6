//! What a device does itself: it is paired, says who it is, renews its secret, reads its board.

use access::{
    Actor, App, client_address, digest,
    paired::{Paired, begin_device, kind},
    prelude::*,
    take_attempt, write_audit,
};
use poem::{Request, http::header};
use serde_json::json;
use uuid::Uuid;

use crate::{
    board::{self, TvBoard},
    devices::code_digest,
    store,
    types::{DeviceKind, DeviceSecret, OwnDevice, PairedDevice, PairingCode},
};

pub(crate) struct OwnDevices;

/// Guesses at a six-digit code: so many from one address in a quarter of an hour, and from everywhere in ten minutes.
/// With a hundred codes waiting, those hit one in 50 times; links are too long to be guessed.
const FROM_ONE: i32 = 10;
const FROM_ALL: i32 = 200;

const PAIR: &str = "select control.pair_device($1, $2, $3, $4) id";

async fn pair(app: &App, code: &str, address: &str, agent: &str) -> Result<PairedDevice> {
    let code = code.trim().trim_start_matches("#pair=").replace([' ', '-'], if code.len() < 12 { "" } else { "-" });
    let short = code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit());
    take_attempt(app, format!("pairing address {address}"), FROM_ONE, 15).await?;
    if short {
        take_attempt(app, "pairing everywhere".to_owned(), FROM_ALL, 10).await?;
    }
    let pairing = if short { code_digest(app, &code) } else { digest(&code) };
    let secret = store::secret();
    let hash = digest(&secret);
    let rows = app.door.call(PAIR, [pairing.into(), hash.clone().into(), address.into(), agent.into()]).await?;
    let paired: Option<Uuid> = rows.first().map(|row| row.try_get("", "id")).transpose()?.flatten();
    if paired.is_none() {
        return Err(Problem::new(Code::PAIRING_INVALID));
    }
    app.door.call("select control.forget_attempts($1)::text", [format!("pairing address {address}").into()]).await?;
    let (tx, facts) = begin_device(app, &hash).await?;
    let actor = Actor { kind: "device", id: Some(facts.id), name: &facts.name };
    write_audit(&tx, Some(facts.restaurant.uuid()), &actor, "devices_pair", Some(facts.id), json!({})).await?;
    store::tell(&tx, facts.restaurant).await?;
    tx.commit().await?;
    Ok(PairedDevice { secret, kind: DeviceKind::parse(&facts.kind), name: facts.name })
}

#[OpenApi(prefix_path = "/api/v3", tag = "Tag::Devices")]
impl OwnDevices {
    /// Exchanges a six-digit code or a link for the device's own secret, once.
    ///
    /// codes: PAIRING_INVALID, TOO_MANY_REQUESTS
    #[oai(path = "/devices/pair", method = "post", operation_id = "device_pair")]
    async fn pair(&self, anyone: access::Anyone, body: Body<PairingCode>) -> Result<Json<PairedDevice>> {
        pair(&anyone.app, &body.code, &anyone.address, &anyone.agent).await.map(Json)
    }

    /// The calling device about itself.
    #[oai(path = "/device", method = "get", operation_id = "device_self")]
    async fn own(&self, device: Paired<kind::Every>) -> Result<Json<OwnDevice>> {
        let tx = device.begin().await?;
        let facts = restaurants::facts(&tx, device.facts.restaurant).await?;
        Ok(Json(OwnDevice {
            id: Id::from_uuid(device.facts.id),
            kind: DeviceKind::parse(&device.facts.kind),
            name: device.facts.name,
            restaurant_id: device.facts.restaurant,
            restaurant_name: facts.name,
            timezone: facts.schedule.zone.name().to_owned(),
            now: Timestamp::now(),
        }))
    }

    /// Gives the calling device another secret. A guest TV that is opened by its address keeps what stands there.
    ///
    /// codes: IN_USE
    #[oai(path = "/device/secret", method = "put", operation_id = "device_renew")]
    async fn renew(&self, device: Paired<kind::Every>) -> Result<Json<DeviceSecret>> {
        let secret = store::secret();
        let rows = device.app.door.call("select control.renew_device($1, $2) done", [device.hash.clone().into(), digest(&secret).into()]).await?;
        if rows.first().is_some_and(|row| row.try_get("", "done").unwrap_or(false)) {
            Ok(Json(DeviceSecret { secret }))
        } else {
            Err(Problem::new(Code::IN_USE).detail("only the newest secret of a device that was paired by a code or a link can be renewed"))
        }
    }

    /// What the calling guest TV shows now.
    ///
    /// codes: FEATURE_NOT_AVAILABLE
    #[oai(path = "/device/board", method = "get", operation_id = "device_board")]
    async fn board(&self, device: Paired<kind::GuestTv>) -> Result<Json<TvBoard>> {
        let tx = device.begin().await?;
        board::read(&tx, &device.facts, &device.app.settings.objects.public_url).await.map(Json)
    }
}

/// Address and agent of a request, as they are written down.
pub(crate) fn seen(request: &Request, app: &App) -> (String, String) {
    let agent = request.headers().get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    (client_address(request, &app.settings), agent.to_owned())
}
