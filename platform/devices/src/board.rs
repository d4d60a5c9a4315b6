//! The content of a guest TV, and its socket: numbers and settings of the display, nothing about guests. See
//! `docs/decisions/devices.md#guest-tvs`.

use std::time::Duration;

use access::{
    App, digest,
    paired::{begin_device, kind_of, touch},
    prelude::*,
};
use futures_util::{SinkExt, StreamExt};
use kernel::DeviceKind;
use media::{Picture, pictures};
use orders::board::{BoardNumbers, Channels, board};
use poem::{
    IntoResponse, Request, Response, handler,
    web::{
        Data,
        websocket::{CloseCode, Message, WebSocket, WebSocketStream},
    },
};
use poem_openapi::types::ToJSON;
use serde_json::json;
use tenants::DeviceFacts;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use url::Url;
use work::Hub;

use crate::{own::seen, tvs};

/// What a guest TV shows.
#[derive(Debug, Clone, PartialEq, Object)]
pub(crate) struct TvBoard {
    /// Name of the restaurant.
    restaurant: String,
    /// Zone of its clock.
    timezone: String,
    /// Its first language: `hu` or `en`.
    language: String,
    background_color: String,
    /// Lies behind a veil of that colour.
    background: Option<Picture>,
    enable_sound: bool,
    #[oai(flatten)]
    numbers: BoardNumbers,
    /// The service's clock, by which the display's own is put right.
    now: Timestamp,
}

impl TvBoard {
    /// The same but for the time.
    fn shows(&self, other: &Self) -> bool {
        Self { now: other.now, ..self.clone() } == *other
    }
}

/// What this guest TV shows now; pictures have their addresses below `base`.
/// Errors: `DEVICE_INVALID` when the TV is not there any more, `FEATURE_NOT_AVAILABLE`.
pub(crate) async fn read(tx: &TenantTx, device: &DeviceFacts, base: &Url) -> Result<TvBoard> {
    let restaurant = device.restaurant;
    let on = "select 1 from restaurant_facts where id = $1 and $2 = any (features)";
    if tx.row(on, [restaurant.into(), <feature::Tv as perm::FeatureGate>::NAME.into()]).await?.is_none() {
        return Err(Code::FEATURE_NOT_AVAILABLE.into());
    }
    let id: Id<tvs::RestaurantTvs> = Id::from_uuid(device.subject.unwrap_or_default());
    let tv =
        rows::find::<tvs::Entity, _>(tx, restaurant, id).await.map_err(|problem| match problem.code() {
            Code::ENTITY_NOT_EXIST => Problem::new(Code::DEVICE_INVALID),
            _ => problem,
        })?;
    let background = pictures(tx, base, tv.background_id.map(Id::uuid)).await?.into_values().next();
    let facts = restaurants::facts(tx, restaurant).await?;
    let channels = Channels {
        sit_in: tv.sit_in_order,
        take_away: tv.take_away_order,
        online: tv.online_order,
        phone: tv.phone_order,
    };
    Ok(TvBoard {
        restaurant: facts.name,
        timezone: facts.schedule.zone.name().to_owned(),
        language: facts.primary_language.to_owned(),
        background_color: tv.background_color,
        background,
        enable_sound: tv.enable_sound,
        numbers: board(tx, restaurant, channels).await?,
        now: Timestamp::now(),
    })
}

/// The topic that wakes the sockets of guest TVs: they read their board again.
pub const GUEST_TV: &str = "guest_tv";

/// The secret is invalid: the display says that it is disconnected, and does not try again.
const REVOKED: u16 = 4401;
/// Not for this kind of device, or guest TVs are switched off for the restaurant.
const NOT_ALLOWED: u16 = 4403;
/// Interval of reading the board without an event: ready numbers expire, and clocks drift.
const BEAT: Duration = Duration::from_secs(20);
/// Interval of heartbeats to a display with the newest board. Without one the display says that it is
/// offline.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// A display that does not take its messages within this time is dropped.
const SLOWEST: Duration = Duration::from_secs(10);
/// How long its last message may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// The socket of guest TVs: the secret as the first message, then a `TV_BOARD` whenever it changes and every
/// 20 seconds, with a heartbeat between them.
#[handler]
pub async fn tv_board(
    request: &Request, socket: WebSocket, Data(app): Data<&App>, Data(hub): Data<&Hub>,
) -> Result<Response> {
    let (address, agent) = seen(request, app);
    let (app, hub) = (app.clone(), hub.clone());
    let serve = move |mut stream: WebSocketStream| async move {
        let (code, reason) = serve(&mut stream, &app, &hub, &address, &agent).await;
        let close = Message::Close(Some((CloseCode::from(code), reason.to_owned())));
        let _ = timeout(FAREWELL, stream.send(close)).await;
    };
    // Displays send only a secret. Without this limit each socket reserves 128 kB.
    let small = WebSocketConfig::default()
        .read_buffer_size(4096)
        .max_message_size(Some(16_384))
        .max_frame_size(Some(16_384));
    Ok(socket.config(small).on_upgrade(serve).into_response())
}

async fn serve(
    stream: &mut WebSocketStream, app: &App, hub: &Hub, address: &str, agent: &str,
) -> (u16, &'static str) {
    let _counted = telemetry::measures::Window::open();
    let first = timeout(Duration::from_secs(5), stream.next()).await;
    let Ok(Some(Ok(Message::Text(secret)))) = first else { return (REVOKED, "send the secret first") };
    let hash = digest(secret.trim().trim_start_matches("Bearer ").trim());
    let restaurant = match begin_device(app, &hash).await {
        Ok((_, facts)) if kind_of(&facts).is_ok_and(|kind| kind == DeviceKind::GuestTv) => facts.restaurant,
        Ok(_) => return (NOT_ALLOWED, "not for devices of this kind"),
        Err(problem) => return refusal(&problem).unwrap_or((1013, "try again")),
    };
    let mut changes = hub.subscribe_topic(restaurant, GUEST_TV);
    let mut beat = tokio::time::interval_at(tokio::time::Instant::now() + BEAT, BEAT);
    let mut heartbeat = tokio::time::interval_at(tokio::time::Instant::now() + HEARTBEAT, HEARTBEAT);
    let mut shown: Option<TvBoard> = None;
    let mut due = true;
    loop {
        let looked = look(app, &hash).await;
        let current = looked.is_ok();
        match looked {
            Ok((board, facts)) => {
                if due {
                    // Whether it could be written down does not matter to the guests.
                    let _ = touch(app, &facts, address, agent).await;
                }
                if due || !shown.as_ref().is_some_and(|shown| shown.shows(&board)) {
                    let text = json!({"event": "TV_BOARD", "data": board.to_json()}).to_string();
                    if !matches!(timeout(SLOWEST, stream.send(Message::Text(text))).await, Ok(Ok(()))) {
                        return (1001, "");
                    }
                    shown = Some(board);
                }
            }
            // The database is away for a moment: what is shown stays, and the next beat or the hub asks
            // again.
            Err(problem) => {
                if let Some(closing) = refusal(&problem) {
                    return closing;
                }
            }
        }
        due = false;
        loop {
            tokio::select! {
                changed = changes.changed() => match changed { Ok(()) => break, Err(_) => return (1012, "restart") },
                _ = beat.tick() => { due = true; break },
                _ = heartbeat.tick() => if current {
                    let text = json!({"event": "TV_HEARTBEAT", "data": {}}).to_string();
                    if !matches!(timeout(SLOWEST, stream.send(Message::Text(text))).await, Ok(Ok(()))) {
                        return (1001, "");
                    }
                },
                message = stream.next() => match message {
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return (1000, ""),
                    Some(Ok(_)) => {}
                },
            }
        }
    }
}

async fn look(app: &App, hash: &[u8]) -> Result<(TvBoard, DeviceFacts)> {
    let (tx, facts) = begin_device(app, hash).await?;
    Ok((read(&tx, &facts, &app.settings.objects.public_url).await?, facts))
}

/// How the socket is closed, when the refusal is for good.
fn refusal(problem: &Problem) -> Option<(u16, &'static str)> {
    match problem.code().status() {
        401 => Some((REVOKED, "not connected any more")),
        400..500 => Some((NOT_ALLOWED, "not for this display")),
        _ => None,
    }
}
