//! The socket of fresh orders (decisions §11): what happens in a restaurant, in order, nothing missed.
//!
//! Browsers are known by their cookie and a checked `Origin`; other clients send the token as their first message.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use access::{App, Credential};
use futures_util::{SinkExt, StreamExt};
use kernel::{Code, Id, Partner, Problem, Restaurant, Result};
use poem::{
    IntoResponse, Request, Response, handler,
    web::{
        Data, Query,
        websocket::{CloseCode, Message, WebSocket, WebSocketStream},
    },
};
use serde::Deserialize;
use serde_json::{Value, json};
use tenants::{Entry, TenantTx};
use tokio::sync::watch;
use uuid::Uuid;
use work::{
    Hub,
    events::{self, Missed},
};

const SESSION_ENDED: u16 = 4401;
const NO_RIGHT: u16 = 4403;
/// A reader that does not take its messages within this time is dropped, without harm to others.
const SLOWEST: Duration = Duration::from_secs(10);

#[derive(Debug, Deserialize)]
pub(crate) struct Address {
    restaurant_id: Uuid,
    last_event_id: Option<i64>,
}

/// Which sessions have open sockets here. Once a second one statement asks which of them are still alive.
#[derive(Debug, Clone, Default)]
pub struct Sessions(Arc<Mutex<HashMap<Uuid, watch::Sender<bool>>>>);

impl Sessions {
    fn open(&self) -> MutexGuard<'_, HashMap<Uuid, watch::Sender<bool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn subscribe(&self, session: Uuid) -> watch::Receiver<bool> {
        self.open().entry(session).or_insert_with(|| watch::channel(true).0).subscribe()
    }

    /// Ends the sockets of dead sessions, for ever.
    pub async fn watch(self, app: App) {
        loop {
            tokio::time::sleep(Duration::from_millis(800)).await;
            let asked: Vec<Uuid> = {
                let mut open = self.open();
                open.retain(|_, sender| sender.receiver_count() > 0);
                open.keys().copied().collect()
            };
            if asked.is_empty() {
                continue;
            }
            let sql = "select s::uuid id from control.sessions_alive($1) s";
            let Ok(rows) = app.door.call(sql, [asked.clone().into()]).await else { continue };
            let alive: Vec<Uuid> = rows.iter().filter_map(|row| row.try_get("", "id").ok()).collect();
            let open = self.open();
            for dead in asked.iter().filter(|session| !alive.contains(session)) {
                if let Some(sender) = open.get(dead) {
                    let _ = sender.send(false);
                }
            }
        }
    }
}

#[handler]
pub(crate) async fn fresh_orders(
    request: &Request,
    socket: WebSocket,
    Query(address): Query<Address>,
    Data(app): Data<&App>,
    Data(hub): Data<&Hub>,
    Data(sessions): Data<&Sessions>,
) -> Result<Response> {
    let cookie = request.cookie().get(app.cookie_name()).map(|cookie| cookie.value_str().to_owned());
    let known = match cookie {
        Some(token) => {
            access::check_origin(request, &app.settings)?;
            Some(Credential::parse(&token, app)?)
        }
        None => request.header("authorization").map(|value| Credential::parse(value.trim_start_matches("Bearer "), app)).transpose()?,
    };
    let (app, hub, sessions) = (app.clone(), hub.clone(), sessions.clone());
    Ok(socket
        .on_upgrade(move |stream| async move {
            let mut connection = Connection { stream, app, last: address.last_event_id };
            let (code, reason) = connection.serve(known, address.restaurant_id.into(), &hub, &sessions).await;
            let _ = connection.stream.send(Message::Close(Some((CloseCode::from(code), reason.to_owned())))).await;
        })
        .into_response())
}

struct Connection {
    stream: WebSocketStream,
    app: App,
    last: Option<i64>,
}

impl Connection {
    /// Serves until the client leaves or may no longer listen; how the socket is closed.
    async fn serve(&mut self, known: Option<Credential>, restaurant: Id<Restaurant>, hub: &Hub, sessions: &Sessions) -> (u16, &'static str) {
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
            return (NO_RIGHT, "no such restaurant");
        };
        let entry = Entry::Session { session, account, partner, restaurant: Some(restaurant), known: None };
        let mut alive = sessions.subscribe(session);
        let mut news = hub.subscribe(restaurant);
        let mut ping = tokio::time::interval(Duration::from_secs(20));
        let mut greeted = false;
        loop {
            match self.catch_up(&entry, restaurant, &mut greeted).await {
                Ok(()) => {}
                Err(problem) if problem.code() == Code::USER_LOGIN_REQUIRED => return (SESSION_ENDED, "the session has ended"),
                Err(problem) if problem.code().status() < 500 => return (NO_RIGHT, "not for you"),
                // The database is away for a moment: the hub wakes us every second until it is back.
                Err(_) => {}
            }
            loop {
                tokio::select! {
                    changed = news.changed() => match changed { Ok(()) => break, Err(_) => return (1012, "restart") },
                    _ = alive.changed() => if !*alive.borrow() { return (SESSION_ENDED, "the session has ended") },
                    message = self.stream.next() => match message {
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return (1000, ""),
                        Some(Ok(_)) => {}
                    },
                    _ = ping.tick() => if self.write(Message::Ping(Vec::new())).await.is_err() { return (1001, "") },
                }
            }
        }
    }

    async fn first_message(&mut self) -> Option<Credential> {
        let message = tokio::time::timeout(Duration::from_secs(5), self.stream.next()).await.ok()??.ok()?;
        let Message::Text(token) = message else { return None };
        Credential::parse(token.trim().trim_start_matches("Bearer "), &self.app).ok()
    }

    /// Sends what the client has missed; after the first time, on every connection, says that from now on it is live.
    async fn catch_up(&mut self, entry: &Entry, restaurant: Id<Restaurant>, greeted: &mut bool) -> Result<()> {
        self.fetch(entry, restaurant).await?;
        if !*greeted {
            self.send("TASK_HELLO", self.last.unwrap_or_default(), json!({})).await?;
            *greeted = true;
        }
        Ok(())
    }

    /// Sends everything after the last event that this client has.
    async fn fetch(&mut self, entry: &Entry, restaurant: Id<Restaurant>) -> Result<()> {
        loop {
            let tx = begin(&self.app, entry).await?;
            let Some(last) = self.last else {
                let newest = events::newest(&tx, restaurant).await?;
                self.last = Some(newest);
                return Ok(());
            };
            match events::since(&tx, restaurant, last).await? {
                Missed::TooOld => {
                    let newest = events::newest(&tx, restaurant).await?;
                    self.last = Some(newest);
                    return self.send("TASK_RELOAD", newest, json!({})).await;
                }
                Missed::Events(missed) if missed.is_empty() => return Ok(()),
                Missed::Events(missed) => {
                    drop(tx);
                    for event in missed {
                        self.send(&event.kind, event.number, event.data).await?;
                        self.last = Some(event.number);
                    }
                }
            }
        }
    }

    async fn send(&mut self, event: &str, id: i64, data: Value) -> Result<()> {
        self.write(Message::Text(json!({"event": event, "id": id, "data": data}).to_string())).await
    }

    async fn write(&mut self, message: Message) -> Result<()> {
        match tokio::time::timeout(SLOWEST, self.stream.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Problem::new(Code::USER_PERMISSION_REQUIRED)),
        }
    }
}

async fn begin(app: &App, entry: &Entry) -> Result<TenantTx> {
    match app.door.begin(entry).await? {
        Ok((tx, _)) => Ok(tx),
        Err(tenants::Refusal::Session) => Err(Code::USER_LOGIN_REQUIRED.into()),
        Err(_) => Err(Code::USER_PERMISSION_REQUIRED.into()),
    }
}

async fn partner_of(app: &App, restaurant: Id<Restaurant>) -> Result<Option<Id<Partner>>> {
    let rows = app.door.call("select control.partner_of_restaurant($1) id", [restaurant.into()]).await?;
    let partner: Option<Uuid> = rows.first().map(|row| row.try_get("", "id")).transpose()?.flatten();
    Ok(partner.map(Id::from_uuid))
}
