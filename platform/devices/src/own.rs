//! Calls of a device itself: pairing, its identity, renewing its secret, reading its board. See
//! `docs/decisions/devices.md#identity`.

use access::{
    Actor, App, client_address, digest,
    paired::{Paired, begin_device, kind},
    prelude::*,
    take_attempt, write_audit,
};
use kernel::DeviceKind;
use poem::{Request, http::header};
use sea_orm::FromQueryResult;
use serde_json::json;
use uuid::Uuid;

use crate::{
    board::{self, TvBoard},
    code::ShortCode,
    store,
    types::{DeviceSecret, OwnDevice, PairedDevice, PairingCode, page_of},
};

pub(crate) struct OwnDevices;

/// Guesses from one address in a quarter of an hour. There is no limit over all addresses: with it a stranger
/// could keep everybody from pairing; without it a thousand addresses would still need thousands of years for
/// one code.
const GUESSES: i32 = 10;

/// What a code or a link is for; without an id when it is not for this page.
#[derive(FromQueryResult)]
struct Pairing {
    id: Option<Uuid>,
    kind: String,
}

const PAIR: &str = "select id, kind from control.take_pairing($1, $2, $3, $4, $5)";

async fn pair(
    app: &App, PairingCode { code, kind }: &PairingCode, address: &str, agent: &str,
) -> Result<PairedDevice> {
    take_attempt(app, format!("pairing address {address}"), GUESSES, 15).await?;
    let code = code.trim().trim_start_matches("#pair=");
    let pairing = ShortCode::parse(code).map_or_else(|| digest(code), |code| code.digest(app));
    let secret = store::secret();
    let hash = digest(&secret);
    let values = [
        pairing.into(),
        hash.clone().into(),
        address.into(),
        agent.into(),
        kind.map(DeviceKind::name).into(),
    ];
    let found: Option<Pairing> = app.door.all(PAIR, values).await?.pop();
    let found = found.ok_or_else(|| Problem::new(Code::PAIRING_INVALID))?;
    let Some(kind) = DeviceKind::of(&found.kind) else {
        let detail = format!("this release knows no devices of the kind {}", found.kind);
        return Err(Problem::new(Code::PAIRING_OTHER_KIND).detail(detail));
    };
    if found.id.is_none() {
        let detail = format!("the code is for the page /{}", page_of(kind));
        return Err(Problem::new(Code::PAIRING_OTHER_KIND).detail(detail));
    }
    app.door
        .call("select control.forget_attempts($1)::text", [format!("pairing address {address}").into()])
        .await?;
    let (tx, facts) = begin_device(app, &hash).await?;
    let actor = Actor { kind: "device", id: Some(facts.id), name: &facts.name };
    write_audit(&tx, Some(facts.restaurant.uuid()), &actor, "devices_pair", Some(facts.id), json!({}))
        .await?;
    store::notify(&tx, facts.restaurant).await?;
    tx.commit().await?;
    Ok(PairedDevice { secret, kind, name: facts.name })
}

#[OpenApi(prefix_path = "/api/v3", tag = "Tag::Devices")]
impl OwnDevices {
    /// Exchanges a code or a link for the device's own secret, once.
    ///
    /// codes: PAIRING_INVALID, PAIRING_OTHER_KIND, RESTAURANT_NOT_EXIST, TOO_MANY_REQUESTS
    #[oai(path = "/devices/pair", method = "post", operation_id = "device_pair")]
    async fn pair(&self, anyone: access::Anyone, body: Body<PairingCode>) -> Result<Json<PairedDevice>> {
        pair(&anyone.app, &body, &anyone.address, &anyone.agent).await.map(Json)
    }

    /// The calling device about itself.
    #[oai(path = "/device", method = "get", operation_id = "device_self")]
    async fn own(&self, device: Paired<kind::Every>) -> Result<Json<OwnDevice>> {
        let tx = device.begin().await?;
        let facts = restaurants::facts(&tx, device.facts.restaurant).await?;
        Ok(Json(OwnDevice {
            id: Id::from_uuid(device.facts.id),
            kind: device.kind,
            name: device.facts.name,
            restaurant_id: device.facts.restaurant,
            restaurant_name: facts.name,
            timezone: facts.schedule.zone.name().to_owned(),
            now: Timestamp::now(),
        }))
    }

    /// Gives the calling device another secret. A guest TV that is opened by its address keeps what stands
    /// there.
    ///
    /// codes: IN_USE
    #[oai(path = "/device/secret", method = "put", operation_id = "device_renew")]
    async fn renew(&self, device: Paired<kind::Every>) -> Result<Json<DeviceSecret>> {
        let secret = store::secret();
        let values = [device.hash.clone().into(), digest(&secret).into()];
        if device.app.door.is_true("select control.renew_device($1, $2)", values).await? {
            Ok(Json(DeviceSecret { secret }))
        } else {
            Err(Problem::new(Code::IN_USE).detail(
                "only the newest secret of a device that was paired by a code or a link can be renewed",
            ))
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
    let agent =
        request.headers().get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    (client_address(request, &app.settings), agent.to_owned())
}
