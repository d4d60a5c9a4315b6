//! Partners whose schema is on another database server than `control`. See `docs/decisions/tenancy.md#servers`.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use kernel::{
    Id, Partner,
    request::{self, Turn},
};
use sea_orm::{
    ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbErr, FromQueryResult, QueryResult,
    RuntimeErr,
};
use telemetry::trace;
use uuid::Uuid;

use crate::{
    door::{Door, DoorSettings, PlatformProof, become_tenant},
    home_side::HomeSide,
    places::{Place, Places},
    pool::{self, begin, options},
    tx::statement,
    watch::{self, Asked},
};

/// How often a request looks whether its server is silent.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// The name of the server with `control`, in the rows of its partners.
pub const HOME: &str = "default";

/// What a partner's unit of work calls of `control` on the partner's own server. Everything else of `control` is at
/// home.
const BESIDE_THE_PARTNER: [&str; 6] =
    ["current_partner", "decide", "enqueue", "lock_patience", "partner_mode", "seal_audit"];

/// Whether a statement of a partner's unit of work asks `control` at home.
#[must_use]
pub fn asks_home(sql: &str) -> bool {
    sql.match_indices("control.").any(|(at, found)| {
        let name = &sql[at + found.len()..];
        let end = name.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(name.len());
        !BESIDE_THE_PARTNER.contains(&&name[..end])
    })
}

/// A database server beside the home server, as the login role reaches it.
#[derive(Debug, Clone)]
pub struct ServerAddress {
    /// As rows of partners name it.
    pub name: String,
    /// Its address with the login role (`PULT_DATABASE_SERVERS`).
    pub url: String,
}

pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) pool: DatabaseConnection,
    places: Arc<Places>,
    /// Of the question whether it answers, as at home.
    probe: DatabaseConnection,
    silent: AtomicBool,
    /// Whether it answered when it was asked last; none before the first answer.
    up: Mutex<Option<bool>>,
}

#[derive(Default)]
pub(crate) struct Servers {
    by_name: BTreeMap<String, Arc<Server>>,
    /// Those that partners are on and that are not among them.
    missing: Mutex<Vec<String>>,
    /// Where a partner was when it was last asked: a question at home is enough then. Never believed without one.
    seen: Mutex<HashMap<Uuid, Arc<Server>>>,
}

/// The servers beside the home server that partners are on.
pub(crate) const IN_USE: &str = "select distinct server from control.partner where server <> $1 order by 1";

impl Servers {
    fn seen(&self) -> MutexGuard<'_, HashMap<Uuid, Arc<Server>>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all partners are at home.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_name.is_empty() && self.missing().is_empty()
    }

    fn missing(&self) -> MutexGuard<'_, Vec<String>> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this partner was on one of these servers when it was asked for last.
    pub(crate) fn has_seen(&self, partner: Id<Partner>) -> bool {
        !self.is_empty() && self.seen().contains_key(&partner.uuid())
    }

    /// The server that a row names; none for the home server.
    pub(crate) fn find(&self, partner: Id<Partner>, name: &str) -> Result<Option<Arc<Server>>, DbErr> {
        if name == HOME {
            self.seen().remove(&partner.uuid());
            return Ok(None);
        }
        // For its callers the server is away.
        let unknown = || {
            let reason = format!("PULT_DATABASE_SERVERS has no {name}, where the partner {partner} is");
            DbErr::Conn(RuntimeErr::Internal(reason))
        };
        let server = self.by_name.get(name).ok_or_else(unknown)?;
        self.seen().insert(partner.uuid(), server.clone());
        Ok(Some(server.clone()))
    }

    /// The server that the row of a question names, for the partner that was asked for, else the one of the row.
    pub(crate) fn of_row(
        &self, partner: Option<Id<Partner>>, row: Option<&QueryResult>,
    ) -> Result<Option<Elsewhere>, DbErr> {
        let Some(row) = row.filter(|_| !self.is_empty()) else { return Ok(None) };
        let Answered { role: Some(role), server: Some(server), partner_mode: Some(mode) } =
            Answered::from_query_result(row, "")?
        else {
            return Ok(None);
        };
        let partner = match partner {
            Some(partner) => partner,
            None => row.try_get("", "partner_id")?,
        };
        Ok(self.find(partner, &server)?.map(|server| Elsewhere { role, mode, server, made: false }))
    }

    /// Where a partner is that has a schema, in whatever state; none for the home server.
    pub(crate) async fn of_made(
        &self, home: &DatabaseTransaction, partner: Id<Partner>,
    ) -> Result<Option<Elsewhere>, DbErr> {
        if self.is_empty() {
            return Ok(None);
        }
        let row = home.query_one_raw(statement(MADE, [partner.uuid().into()])).await?;
        let elsewhere = self.of_row(Some(partner), row.as_ref())?;
        Ok(elsewhere.map(|elsewhere| Elsewhere { made: true, ..elsewhere }))
    }
}

const MADE: &str = "select e.role, p.server, p.partner_mode from control.enter_made($1) e left join lateral \
    control.place_of(e.role) p on true";

/// What each question of the door says of the place.
#[derive(FromQueryResult)]
struct Answered {
    role: Option<String>,
    server: Option<String>,
    partner_mode: Option<String>,
}

/// A partner's role and the server that it is on.
pub(crate) struct Elsewhere {
    role: String,
    mode: String,
    server: Arc<Server>,
    /// It is entered in whatever state it is, not only at work.
    made: bool,
}

const ENTER_HERE: &str = "select set_config('role', e.role, true), set_config('search_path', e.role, true), \
    set_config('pult.trace', coalesce($2, ''), true), set_config('pult.mode', $3, true) from control.here($1, $4) e";
impl Elsewhere {
    /// Begins on the partner's server; none while the partner is being worked on there, or has left it.
    pub(crate) async fn begin(
        self, door: &Door, partner: Id<Partner>, turn: Turn,
    ) -> Result<Option<(DatabaseTransaction, HomeSide, Place)>, DbErr> {
        let values = [partner.uuid().into(), trace::header().into(), self.mode.into(), self.made.into()];
        let question = statement(ENTER_HERE, values);
        let (tx, place, row) = become_tenant(&self.server.pool, &self.server.places, turn, question).await?;
        self.server.places.wear().note(partner);
        let home = HomeSide::new(door.pool.clone(), self.server, self.role);
        Ok(row.map(|_| (tx, home, place)))
    }
}

impl Door {
    /// The same door with these servers beside the home server. Nothing is sent until it is needed.
    pub async fn with_servers(
        mut self, servers: &[ServerAddress], settings: &DoorSettings,
    ) -> Result<Self, DbErr> {
        let mut by_name = BTreeMap::new();
        for ServerAddress { name, url } in servers {
            let mut options = options(url, settings.lifetime, settings.connections, Duration::from_secs(2));
            let places = Places::new(settings.connections, settings.patience, settings.lifetime);
            pool::renew_connections(&mut options, places.wear());
            let pool = Database::connect(options).await?;
            let probe = Self::probe(url, settings.lifetime).await?;
            let (name, silent, up) = (name.clone(), AtomicBool::new(false), Mutex::default());
            by_name.insert(name.clone(), Arc::new(Server { name, pool, places, probe, silent, up }));
        }
        self.servers = Arc::new(Servers { by_name, ..Servers::default() });
        Ok(self)
    }

    /// The names of the servers beside the home server.
    #[must_use]
    pub fn servers(&self) -> Vec<String> {
        self.servers.by_name.keys().cloned().collect()
    }

    /// The servers beside the home server that have been asked, and whether each answered the last time. One that the
    /// settings do not name does not.
    pub fn answering(&self) -> Vec<(String, bool)> {
        let each = self.servers.by_name.values();
        let asked = each.filter_map(|server| {
            let up = *server.up.lock().unwrap_or_else(PoisonError::into_inner);
            Some((server.name.clone(), up?))
        });
        asked.chain(self.servers.missing().iter().map(|name| (name.clone(), false))).collect()
    }

    /// The servers that partners are on and the settings do not name. Once it was asked, these partners are told that
    /// their server is away.
    pub async fn unknown_servers(&self, proof: &PlatformProof) -> Result<Vec<String>, DbErr> {
        let mut names: Vec<String> = self.begin_platform(proof).await?.values(IN_USE, [HOME.into()]).await?;
        names.retain(|name| !self.servers.by_name.contains_key(name));
        self.servers.missing().clone_from(&names);
        Ok(names)
    }

    /// The pools of all servers, the home server's first.
    pub(crate) fn pools(&self) -> impl Iterator<Item = (&DatabaseConnection, &Places)> {
        let others = self.servers.by_name.values().map(|server| (&server.pool, &*server.places));
        std::iter::once((&self.pool, &*self.places)).chain(others)
    }

    /// Asks each of these servers whether it answers, until the process ends.
    pub(crate) async fn watch_servers(&self) {
        let watched = self.servers.by_name.values().map(|server| {
            watch::ask(&server.probe, &server.name, |asked| {
                *server.up.lock().unwrap_or_else(PoisonError::into_inner) = Some(asked == Asked::Answers);
                server.silent.swap(asked == Asked::Silent, Ordering::Relaxed)
            })
        });
        join_all(watched).await;
    }

    /// Ends when the request under way works with a partner on one of these servers that is silent.
    pub(crate) async fn silent_elsewhere(&self) {
        if self.servers.is_empty() {
            return std::future::pending().await;
        }
        loop {
            tokio::time::sleep(LOOK_AGAIN).await;
            let Turn::Partner(partner) = request::turn() else { continue };
            let seen = self.servers.seen().get(&partner.uuid()).cloned();
            if seen.is_some_and(|server| server.silent.load(Ordering::Relaxed)) {
                return;
            }
        }
    }

    pub(crate) fn server(&self, name: &str) -> Result<&Arc<Server>, DbErr> {
        self.servers.by_name.get(name).ok_or_else(|| DbErr::Custom(format!("there is no server {name}")))
    }

    pub(crate) async fn transaction_on(&self, name: &str) -> Result<(DatabaseTransaction, Place), DbErr> {
        let server = self.server(name)?;
        let place = server.places.take_as(Turn::Platform).await?;
        Ok((begin(&server.pool).await?, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_statements_go_home() {
        for (sql, home) in [
            ("select 1 from orders", false),
            ("select control.enqueue($1, $2, $3, $4)", false),
            ("with p as (select control.lock_patience(5000)) select 1 from p, control.partner_mode()", false),
            ("select * from control.admins($1, null, null, null, null, 1, 0)", true),
            ("select control.enqueue_seals($1)", true),
            ("select control.enqueue($1), control.audit($2)", true),
            ("select id from control.restaurant where id = $1", true),
        ] {
            assert_eq!(asks_home(sql), home, "{sql}");
        }
    }
}
