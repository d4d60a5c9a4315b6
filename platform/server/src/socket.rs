//! The socket of fresh orders: what happens in a restaurant, in order and complete. See
//! `docs/decisions/events-and-jobs.md#sockets`.
//!
//! An event is read once for all windows of a restaurant whose sessions were just found alive (`feed`); other
//! windows ask the door. Browsers are identified by their cookie and a checked `Origin`; other clients send
//! the token as their first message.

mod feed;
mod spaced;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::{Duration, Instant},
};

use access::{App, Credential};
use catalogue::QuantitiesEvent;
use futures_util::{SinkExt, StreamExt};
use kernel::{Code, Id, Partner, Problem, Restaurant, Result};
use poem::{
    IntoResponse, Request, Response, handler,
    web::{
        Data, Query,
        websocket::{CloseCode, Message, WebSocket, WebSocketStream},
    },
};
use sea_orm::FromQueryResult;
use serde::Deserialize;
use serde_json::{Value, json};
use telemetry::measures;
use tenants::{Entry, Facts, TenantTx};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use uuid::Uuid;

use self::{
    feed::{CAPACITY, Feed},
    spaced::{SpacedMessages, is_spaced},
};
use crate::live;
use work::{
    Hub,
    events::{self, LiveMessage, Missed},
};

const SESSION_ENDED: u16 = 4401;
const NO_RIGHT: u16 = 4403;
/// A reader that does not take its messages within this time is dropped, without harm to others.
const SLOWEST: Duration = Duration::from_secs(10);
/// How long its last message may take. Who does not read would never take it.
const FAREWELL: Duration = Duration::from_secs(1);
/// How old the result of the session watch may be for a window to rely on it. So a window that lost its right
/// gets nothing after this time, even if the watch stalls. The watch runs more often.
const FRESH_FOR: Duration = Duration::from_secs(1);
/// After this a window that could not be served tries again, if nothing wakes it before.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// Interval of heartbeats to windows that are up to date. A page without one shows that it is not live.
const BEAT: Duration = Duration::from_secs(10);
/// A client that is silent for this time counts as gone. Every heartbeat asks it for an answer.
const SILENCE_LIMIT: Duration = Duration::from_secs(35);

#[derive(Debug, Deserialize)]
pub(crate) struct Address {
    restaurant_id: Uuid,
    last_event_id: Option<i64>,
}

/// A session in a restaurant.
type ListenerKey = (Uuid, Uuid);

/// Who listens where, and under which version of the grants. Once a second one statement asks who still may.
#[derive(Debug, Clone, Default)]
pub struct Sessions(Arc<Listeners>);

#[derive(Debug, Default)]
struct Listeners {
    listeners: Mutex<HashMap<ListenerKey, watch::Sender<ListenerState>>>,
    /// When the last question was put that has been answered.
    checked_at: Mutex<Option<Instant>>,
    feeds: Mutex<HashMap<Id<Restaurant>, Weak<Feed>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListenerState {
    /// Let in, not asked about yet.
    New,
    /// May listen, with this version of the grants and under this support access.
    May(i64, Option<Uuid>),
    /// Has lost access.
    Out,
}

#[derive(FromQueryResult)]
struct PlaceAlive {
    session_id: Uuid,
    restaurant_id: Uuid,
    version: i64,
    support_id: Option<Uuid>,
}

impl Sessions {
    fn open(&self) -> MutexGuard<'_, HashMap<ListenerKey, watch::Sender<ListenerState>>> {
        self.0.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the windows of a restaurant share.
    fn feed(&self, restaurant: Id<Restaurant>) -> Arc<Feed> {
        let mut feeds = self.0.feeds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(feed) = feeds.get(&restaurant).and_then(Weak::upgrade) {
            return feed;
        }
        feeds.retain(|_, feed| feed.strong_count() > 0);
        let feed = Arc::new(Feed::default());
        feeds.insert(restaurant, Arc::downgrade(&feed));
        feed
    }

    /// Whether what the watch has found is new enough.
    fn is_fresh(&self) -> bool {
        self.0
            .checked_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some_and(|checked_at| checked_at.elapsed() < FRESH_FOR)
    }

    fn subscribe(&self, key: ListenerKey) -> watch::Receiver<ListenerState> {
        self.open().entry(key).or_insert_with(|| watch::channel(ListenerState::New).0).subscribe()
    }

    /// Runs until the process ends: notifies sockets whose session lost access or whose grants have changed.
    pub async fn watch(self, app: App) {
        loop {
            tokio::time::sleep(Duration::from_millis(800)).await;
            let keys: Vec<ListenerKey> = {
                let mut open = self.open();
                open.retain(|_, sender| sender.receiver_count() > 0);
                open.keys().copied().collect()
            };
            if keys.is_empty() {
                continue;
            }
            let (sessions, restaurants): (Vec<Uuid>, Vec<Uuid>) = keys.iter().copied().unzip();
            let begun = Instant::now();
            let sql =
                "select session_id, restaurant_id, version, support_id from control.places_alive($1, $2, $3)";
            let Ok(rows) = app
                .door
                .call(sql, [sessions.into(), restaurants.into(), app.settings.development.into()])
                .await
            else {
                continue;
            };
            // A row that cannot be read lets nobody listen.
            let alive = rows.iter().filter_map(|row| PlaceAlive::from_query_result(row, "").ok());
            let alive: HashMap<ListenerKey, ListenerState> = alive
                .map(|row| {
                    ((row.session_id, row.restaurant_id), ListenerState::May(row.version, row.support_id))
                })
                .collect();
            *self.0.checked_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(begun);
            let open = self.open();
            for (key, sender) in keys.iter().filter_map(|key| Some((key, open.get(key)?))) {
                let now = alive.get(key).copied().unwrap_or(ListenerState::Out);
                sender.send_if_modified(|known| {
                    let changes = *known != now || now == ListenerState::Out;
                    *known = now;
                    changes
                });
            }
        }
    }
}

#[handler]
pub(crate) async fn fresh_orders(
    request: &Request, socket: WebSocket, Query(address): Query<Address>, Data(app): Data<&App>,
    Data(hub): Data<&Hub>, Data(sessions): Data<&Sessions>,
) -> Result<Response> {
    let cookie = request.cookie().get(app.cookie_name()).map(|cookie| cookie.value_str().to_owned());
    let known = match cookie {
        Some(token) => {
            access::check_origin(request, &app.settings)?;
            Some(Credential::parse(&token, app)?.counted(app)?)
        }
        None => request
            .header("authorization")
            .map(|value| Credential::parse(value.trim_start_matches("Bearer "), app)?.counted(app))
            .transpose()?,
    };
    let (app, hub, sessions, request_id) =
        (app.clone(), hub.clone(), sessions.clone(), kernel::request::id());
    // Clients send only a token. Without this limit each socket reserves 128 kB.
    let small = WebSocketConfig::default()
        .read_buffer_size(4096)
        .max_message_size(Some(16_384))
        .max_frame_size(Some(16_384));
    Ok(socket
        .config(small)
        .on_upgrade(move |stream| async move {
            let _counted = measures::Window::open();
            let mut connection = Connection {
                stream,
                app,
                last: address.last_event_id,
                support: None,
                answer: ListenerAnswer::default(),
                spaced: SpacedMessages::new(),
                request_id,
            };
            let (code, reason) = connection.serve(known, address.restaurant_id.into(), &hub, &sessions).await;
            connection.closed(address.restaurant_id.into()).await;
            let close = Message::Close(Some((CloseCode::from(code), reason.to_owned())));
            let _ = tokio::time::timeout(FAREWELL, connection.stream.send(close)).await;
        })
        .into_response())
}

struct Connection {
    stream: WebSocketStream,
    app: App,
    last: Option<i64>,
    /// The support access under which it was opened, once that is written in the partner's log.
    support: Option<Uuid>,
    /// What the door said last of who listens.
    answer: ListenerAnswer,
    spaced: SpacedMessages,
    request_id: String,
}

/// What the door says of who listens.
#[derive(Debug, Clone, Copy, Default)]
struct ListenerAnswer {
    support: Option<Uuid>,
    version: i64,
    /// Whether it may read orders: nobody else hears of one.
    orders: bool,
}

/// Code and reason with which a socket is closed.
type Close = (u16, &'static str);

/// The client does not take its messages, or gives no sign of life.
const LOST: Close = (1001, "");

/// Why a window was not served.
enum Unserved {
    /// It does not take its messages.
    Lost,
    /// What the door or the database says.
    Refused(Problem),
}

impl From<Problem> for Unserved {
    fn from(problem: Problem) -> Self {
        Self::Refused(problem)
    }
}

/// What an open window is woken by, and what is known of it between two wakes.
struct Window {
    entry: Entry,
    restaurant: Id<Restaurant>,
    feed: Arc<Feed>,
    changes: watch::Receiver<u64>,
    /// Changes with what is left of the sizes.
    quantities: watch::Receiver<u64>,
    alive: watch::Receiver<ListenerState>,
    beat: tokio::time::Interval,
    /// When the client last gave a sign of life.
    seen: Instant,
    /// Whether it was told that it is live.
    greeted: bool,
    /// Version of the grants that it knows of.
    version: Option<i64>,
    /// Whether to ask the door regardless of the watch.
    by_door: bool,
    /// Whether it may lack events, because the database could not be asked.
    retry: bool,
}

impl Window {
    fn new(entry: Entry, restaurant: Id<Restaurant>, session: Uuid, hub: &Hub, sessions: &Sessions) -> Self {
        let alive = sessions.subscribe((session, restaurant.uuid()));
        let changes = hub.subscribe(restaurant);
        let mut beat = tokio::time::interval_at(tokio::time::Instant::now() + BEAT, BEAT);
        // After a pause of this instance one beat is enough.
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let version = match *alive.borrow() {
            ListenerState::May(version, _) => Some(version),
            _ => None,
        };
        Self {
            entry,
            restaurant,
            feed: sessions.feed(restaurant),
            changes,
            quantities: hub.subscribe_topic(restaurant, catalogue::QUANTITIES),
            alive,
            beat,
            seen: Instant::now(),
            greeted: false,
            version,
            by_door: true,
            retry: false,
        }
    }
}

impl Connection {
    /// Serves until the client leaves or loses access. Answers the code and reason of closing.
    async fn serve(
        &mut self, known: Option<Credential>, restaurant: Id<Restaurant>, hub: &Hub, sessions: &Sessions,
    ) -> Close {
        let credential = match known {
            Some(credential) => credential,
            None => match self.first_message().await {
                Some(credential) => credential,
                None => return (SESSION_ENDED, "sign in first"),
            },
        };
        let Credential::Session { account, session } = credential else {
            return (NO_RIGHT, "API keys have no socket");
        };
        let Ok(Some(partner)) = partner_of(&self.app, restaurant).await else {
            return (NO_RIGHT, "not for you");
        };
        let entry = Entry::Session { session, account, partner, restaurant: Some(restaurant), known: None };
        let mut window = Window::new(entry, restaurant, session, hub, sessions);
        loop {
            if let Err(close) = self.send_missed(&mut window, sessions).await {
                return close;
            }
            if let Err(close) = self.wait(&mut window).await {
                return close;
            }
        }
    }

    /// Sends what the client has missed; notes when the database could not be asked.
    async fn send_missed(&mut self, window: &mut Window, sessions: &Sessions) -> Result<(), Close> {
        let state = *window.alive.borrow();
        let done = if !window.by_door
            && self.support.is_none()
            && matches!(state, ListenerState::May(_, None))
            && sessions.is_fresh()
        {
            self.share(&window.feed, &mut window.changes, &window.entry, window.restaurant).await
        } else {
            self.catch_up(&window.entry, window.restaurant, &mut window.greeted).await
        };
        window.retry = false;
        match done {
            Ok(()) => {}
            Err(Unserved::Lost) => return Err(LOST),
            Err(Unserved::Refused(problem)) if problem.code() == Code::USER_LOGIN_REQUIRED => {
                return Err((SESSION_ENDED, "the session has ended"));
            }
            Err(Unserved::Refused(problem)) if problem.code().status() < 500 => {
                return Err((NO_RIGHT, "not for you"));
            }
            // The database is away or busy for a moment.
            Err(_) => window.retry = true,
        }
        Ok(())
    }

    /// Waits until there may be something to send. Answers and sends signs of life meanwhile.
    async fn wait(&mut self, window: &mut Window) -> Result<(), Close> {
        window.by_door = true;
        loop {
            if !window.retry {
                self.send_spaced().await.map_err(|_| LOST)?;
            }
            let due = self.spaced.due();
            tokio::select! {
                changed = window.changes.changed() => {
                    changed.map_err(|_| (1012, "restart"))?;
                    window.by_door = window.retry;
                    return Ok(());
                },
                () = tokio::time::sleep(RETRY_AFTER), if window.retry => return Ok(()),
                changed = window.quantities.changed() => {
                    changed.map_err(|_| (1012, "restart"))?;
                    self.spaced.hold(QuantitiesEvent::KIND);
                },
                () = tokio::time::sleep_until(due.unwrap_or_else(tokio::time::Instant::now)),
                    if due.is_some() && !window.retry => {}
                _ = window.alive.changed() => if self.must_look_again(window).await? {
                    return Ok(());
                },
                message = self.stream.next() => match message {
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Err((1000, "")),
                    Some(Ok(message)) => {
                        window.seen = Instant::now();
                        // A page in doubt asks for a word at once.
                        if message.is_text() && !window.retry {
                            self.heartbeat().await.map_err(|_| LOST)?;
                        }
                    }
                },
                _ = window.beat.tick() => {
                    if window.seen.elapsed() > SILENCE_LIMIT {
                        return Err(LOST);
                    }
                    // A window that cannot receive orders must not get a heartbeat.
                    if !window.retry {
                        self.heartbeat().await.map_err(|_| LOST)?;
                    }
                    self.write(Message::Ping(Vec::new())).await.map_err(|_| LOST)?;
                },
            }
        }
    }

    /// After a change of the session's state: tells the client that its grants have changed. Whether the door
    /// must be asked what holds now.
    async fn must_look_again(&mut self, window: &mut Window) -> Result<bool, Close> {
        let state = *window.alive.borrow_and_update();
        // The door then gives the reason: a refusal, or another support access.
        let ListenerState::May(version, support) = state else { return Ok(true) };
        if support != self.support {
            return Ok(true);
        }
        if window.version.replace(version).is_some_and(|known| known != version) {
            self.send(live::GRANTS, self.last.unwrap_or_default(), json!({})).await.map_err(|_| LOST)?;
        }
        // The door says what these grants allow.
        Ok(version != self.answer.version)
    }

    async fn first_message(&mut self) -> Option<Credential> {
        let message = tokio::time::timeout(Duration::from_secs(5), self.stream.next()).await.ok()??.ok()?;
        let Message::Text(token) = message else { return None };
        let credential = Credential::parse(token.trim().trim_start_matches("Bearer "), &self.app).ok()?;
        credential.counted(&self.app).ok()
    }

    /// Sends what the client has missed; after the first time, on every connection, says that from now on it
    /// is live.
    async fn catch_up(
        &mut self, entry: &Entry, restaurant: Id<Restaurant>, greeted: &mut bool,
    ) -> Result<(), Unserved> {
        self.fetch(entry, restaurant, *greeted).await?;
        if !*greeted {
            self.send(live::HELLO, self.last.unwrap_or_default(), json!({})).await?;
            *greeted = true;
        }
        Ok(())
    }

    /// Sends what the client has missed, read by whichever window comes first. The caller knows that it may
    /// listen.
    async fn share(
        &mut self, feed: &Feed, changes: &mut watch::Receiver<u64>, entry: &Entry, restaurant: Id<Restaurant>,
    ) -> Result<(), Unserved> {
        let Some(last) = self.last else { return self.fetch(entry, restaurant, true).await };
        let call = *changes.borrow_and_update();
        if feed.since(last, call).is_none() {
            let _reading = feed.reading.lock().await;
            if feed.since(last, call).is_none() {
                // Also in the name of those who were woken while this one waited.
                let call = *changes.borrow();
                let (tx, answer) = begin(&self.app, entry).await?;
                // Under a support access that has just begun nothing is read before that is written down:
                // `fetch` does.
                if answer.support.is_none()
                    && let Missed::Events(missed) = events::since(&tx, restaurant, last).await?
                    && missed.len() < CAPACITY
                {
                    feed.keep(call, last, &missed);
                }
            }
        }
        // What is not there was too much or too old for all.
        let Some(lines) = feed.since(last, call) else { return self.fetch(entry, restaurant, true).await };
        for line in lines {
            if line.spaced {
                self.spaced.hold(&line.kind);
            } else if self.answer.orders || !line.of_order {
                self.write(Message::Text(line.text.to_string())).await?;
                if line.of_order {
                    measures::window_told(line.begun.elapsed());
                }
            }
            self.last = Some(line.number);
        }
        Ok(())
    }

    /// Sends everything after the last event that this client has. Measured is how late, unless the client was
    /// away meanwhile.
    async fn fetch(&mut self, entry: &Entry, restaurant: Id<Restaurant>, live: bool) -> Result<(), Unserved> {
        loop {
            let (tx, answer) = begin(&self.app, entry).await?;
            self.answer = answer;
            let tx = self.under(answer.support, tx, entry, restaurant).await?;
            let Some(last) = self.last else {
                let newest = events::newest(&tx, restaurant).await?;
                self.last = Some(newest);
                return Ok(());
            };
            match events::since(&tx, restaurant, last).await? {
                Missed::TooOld => {
                    let newest = events::newest(&tx, restaurant).await?;
                    self.last = Some(newest);
                    return self.send(live::RELOAD, newest, json!({})).await;
                }
                Missed::Events(missed) if missed.is_empty() => return Ok(()),
                Missed::Events(missed) => {
                    drop(tx);
                    let begun: Vec<Instant> = missed.iter().map(|event| feed::begun(event.age)).collect();
                    for (event, begun) in missed.into_iter().zip(begun) {
                        let of_order = feed::names_order(&event.data);
                        if is_spaced(&event.kind) {
                            self.spaced.hold(&event.kind);
                        } else if self.answer.orders || !of_order {
                            self.send(&event.kind, event.number, event.data).await?;
                            if live && of_order {
                                measures::window_told(begun.elapsed());
                            }
                        }
                        self.last = Some(event.number);
                    }
                }
            }
        }
    }

    /// A socket belongs to the support access that opened it, and that it was opened stands in the partner's
    /// log before anything is sent.
    async fn under(
        &mut self, support: Option<Uuid>, tx: TenantTx, entry: &Entry, restaurant: Id<Restaurant>,
    ) -> Result<TenantTx> {
        match (self.support, support) {
            (None, Some(support)) => {
                // The unit of work returns its connection first: a task with two connections could starve the
                // pool.
                drop(tx);
                access::socket_step(&self.app, support, restaurant, "opened", &self.request_id).await?;
                self.support = Some(support);
                Ok(begin(&self.app, entry).await?.0)
            }
            (known, now) if known == now => Ok(tx),
            _ => Err(Code::USER_PERMISSION_REQUIRED.into()),
        }
    }

    /// That it is closed stands there too.
    async fn closed(&mut self, restaurant: Id<Restaurant>) {
        let Some(support) = self.support else { return };
        if let Err(error) =
            access::socket_step(&self.app, support, restaurant, "closed", &self.request_id).await
        {
            tracing::warn!(%error, "the end of a socket cannot be written to the audit log");
        }
    }

    /// Sends what was held and may go by now. It says only that something is to be read again, so it has the number
    /// of the last event.
    async fn send_spaced(&mut self) -> Result<(), Unserved> {
        while let Some(kind) = self.spaced.take(tokio::time::Instant::now()) {
            self.send(kind, self.last.unwrap_or_default(), json!({})).await?;
        }
        Ok(())
    }

    /// Says that the client has everything. No event: it has no number of its own and is written nowhere.
    async fn heartbeat(&mut self) -> Result<(), Unserved> {
        self.send(live::HEARTBEAT, self.last.unwrap_or_default(), json!({})).await
    }

    async fn send(&mut self, event: &str, id: i64, data: Value) -> Result<(), Unserved> {
        self.write(Message::Text(feed::text(event, id, &data))).await
    }

    async fn write(&mut self, message: Message) -> Result<(), Unserved> {
        match tokio::time::timeout(SLOWEST, self.stream.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Unserved::Lost),
        }
    }
}

/// A unit of work, and what the door says of who begins it.
async fn begin(app: &App, entry: &Entry) -> Result<(TenantTx, ListenerAnswer)> {
    match (app.door.begin(entry).await?, entry) {
        (Ok((tx, Facts::Session(facts))), Entry::Session { account, partner, .. }) => {
            let grants = access::grants_at(app, *account, *partner, &facts);
            let orders = grants.has("fresh_order") || grants.has("all_order");
            Ok((tx, ListenerAnswer { support: facts.support, version: facts.version, orders }))
        }
        (Ok((tx, _)), _) => Ok((tx, ListenerAnswer::default())),
        (Err(tenants::Refusal::Session), _) => Err(Code::USER_LOGIN_REQUIRED.into()),
        (Err(_), _) => Err(Code::USER_PERMISSION_REQUIRED.into()),
    }
}

async fn partner_of(app: &App, restaurant: Id<Restaurant>) -> Result<Option<Id<Partner>>> {
    let sql = "select control.partner_of_restaurant($1)";
    Ok(app.door.value(sql, [restaurant.into()]).await?.flatten())
}
