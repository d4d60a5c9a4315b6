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
};
use telemetry::trace;
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{
    door::{Door, DoorSettings, become_tenant, code},
    places::{Place, Places},
    pool::{self, begin, options, retry_lost},
    tx::{all, is_true, statement, value},
    watch,
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

/// One of them.
pub(crate) struct Server {
    name: String,
    pub(crate) pool: DatabaseConnection,
    places: Arc<Places>,
    /// Of the question whether it answers, as at home.
    probe: DatabaseConnection,
    silent: AtomicBool,
}

/// All of them.
#[derive(Default)]
pub(crate) struct Servers {
    by_name: BTreeMap<String, Arc<Server>>,
    /// Where a partner was when it was last asked: a question at home is enough then. Never believed without one.
    seen: Mutex<HashMap<Uuid, Arc<Server>>>,
}

impl Servers {
    fn seen(&self) -> MutexGuard<'_, HashMap<Uuid, Arc<Server>>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
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
        let unknown =
            || DbErr::Custom(format!("PULT_DATABASE_SERVERS has no {name}, where the partner {partner} is"));
        let server = self.by_name.get(name).ok_or_else(unknown)?;
        self.seen().insert(partner.uuid(), server.clone());
        Ok(Some(server.clone()))
    }

    /// The server that the row of a question names, for the partner that was asked for, else the one of the row.
    pub(crate) fn of_row(
        &self,
        partner: Option<Id<Partner>>,
        row: Option<&QueryResult>,
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
        Ok(self.find(partner, &server)?.map(|server| Elsewhere { role, mode, server, enter: ENTER_HERE }))
    }
}

impl Servers {
    /// Where a partner is that has a schema, in whatever state; none for the home server.
    pub(crate) async fn of_made(
        &self,
        home: &DatabaseTransaction,
        partner: Id<Partner>,
    ) -> Result<Option<Elsewhere>, DbErr> {
        if self.is_empty() {
            return Ok(None);
        }
        let row = home.query_one_raw(statement(MADE, [partner.uuid().into()])).await?;
        let elsewhere = self.of_row(Some(partner), row.as_ref())?;
        Ok(elsewhere.map(|elsewhere| Elsewhere { enter: ENTER_HERE_MADE, ..elsewhere }))
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
    /// How the partner is entered there: at work, or in whatever state it is.
    enter: &'static str,
}

const ENTER_HERE: &str = "select set_config('role', e.role, true), set_config('search_path', e.role, true), \
    set_config('pult.trace', coalesce($2, ''), true), set_config('pult.mode', $3, true) from control.here($1) e";
const ENTER_HERE_MADE: &str = "select set_config('role', e.role, true), set_config('search_path', e.role, true), \
    set_config('pult.trace', coalesce($2, ''), true), set_config('pult.mode', $3, true) from control.here_made($1) e";
const ENTER_HOME: &str = "select set_config('role', $1, true), set_config('search_path', '', true), \
    set_config('pult.trace', coalesce($2, ''), true), set_config('pult.prepared', 'perhaps', true)";
const UNDECIDED: &str = "select gid from control.undecided()";

impl Elsewhere {
    /// Begins on the partner's server; none while the partner is being worked on there, or has left it.
    pub(crate) async fn begin(
        self,
        door: &Door,
        partner: Id<Partner>,
        turn: Turn,
    ) -> Result<Option<(DatabaseTransaction, HomeSide, Place)>, DbErr> {
        let values = [partner.uuid().into(), trace::header().into(), self.mode.into()];
        let question = statement(self.enter, values);
        let (tx, place, row) = become_tenant(&self.server.pool, &self.server.places, turn, question).await?;
        let home = HomeSide {
            pool: door.pool.clone(),
            server: self.server,
            role: self.role,
            tx: OnceCell::new(),
            _place: None,
        };
        Ok(row.map(|_| (tx, home, place)))
    }
}

/// What a unit of work of a partner elsewhere does at home: a transaction there, begun when it is first needed.
pub(crate) struct HomeSide {
    pool: DatabaseConnection,
    server: Arc<Server>,
    role: String,
    tx: OnceCell<DatabaseTransaction>,
    /// Of a transaction that began as one of the platform.
    _place: Option<Place>,
}

impl std::fmt::Debug for HomeSide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HomeSide").field("server", &self.server.name).finish_non_exhaustive()
    }
}

impl HomeSide {
    /// Goes on with a transaction that has begun at home.
    pub(crate) async fn begun(self, tx: DatabaseTransaction, place: Place) -> Result<Self, DbErr> {
        tx.query_one_raw(self.question()).await?;
        Ok(Self { tx: OnceCell::new_with(Some(tx)), _place: Some(place), ..self })
    }

    fn question(&self) -> sea_orm::Statement {
        statement(ENTER_HOME, [self.role.clone().into(), trace::header().into()])
    }

    pub(crate) async fn transaction(&self) -> Result<&DatabaseTransaction, DbErr> {
        // Not counted among the places: who has one on the partner's server would wait here with it in hand.
        let begun = self.tx.get_or_try_init(async || {
            let tx = begin(&self.pool).await?;
            tx.query_one_raw(self.question()).await?;
            Ok::<_, DbErr>(tx)
        });
        begun.await
    }

    /// Makes both last, or neither: what was written at home is prepared, the partner's server decides, and home
    /// follows. Nobody cuts it, and what is cut all the same is brought to an end by [`Door::settle`].
    pub(crate) async fn commit(self, there: DatabaseTransaction) -> Result<(), DbErr> {
        let Self { pool, server, tx, .. } = self;
        let Some(here) = tx.into_inner() else { return there.commit().await };
        let wrote = "select pg_current_xact_id_if_assigned() is not null";
        if !value(&here, wrote, []).await?.unwrap_or(false) {
            return there.commit().await;
        }
        let done = tokio::spawn(async move {
            let id = Uuid::new_v4();
            let name = prepared(&server.name, id);
            here.execute_unprepared("set local role none").await?;
            here.execute_unprepared(&format!("prepare transaction '{name}'")).await?;
            drop(here);
            let decided = async {
                let decision: Option<bool> =
                    value(&there, "select control.decide($1, true)", [id.into()]).await?;
                if decision != Some(true) {
                    return Err(DbErr::Custom("the unit of work was given up meanwhile".to_owned()));
                }
                there.commit().await
            };
            let decided = decided.await;
            // Whether it was committed, only the server knows now.
            match server.settle(&pool, &name, id).await {
                Ok(true) => {
                    // What is prepared cannot notify; without it runners look by themselves, seconds later.
                    if let Err(error) = pool.execute_unprepared("select pg_notify('pult_job', '')").await {
                        tracing::warn!(%error, "the runners of jobs were not woken");
                    }
                    Ok(())
                }
                Ok(false) => {
                    Err(decided.err().unwrap_or_else(|| DbErr::Custom("nothing was decided".to_owned())))
                }
                Err(error) => {
                    tracing::warn!(%error, name, "a prepared transaction waits to be settled");
                    decided
                }
            }
        });
        done.await.map_err(|error| DbErr::Custom(error.to_string()))?
    }
}

/// The name of a prepared transaction at home: who decides, and under which id.
fn prepared(server: &str, id: Uuid) -> String {
    format!("pult {server} {id}")
}

fn parse_prepared(name: &str) -> Option<(&str, Uuid)> {
    let (server, id) = name.strip_prefix("pult ")?.split_once(' ')?;
    Some((server, id.parse().ok()?))
}

impl Server {
    /// Ends a prepared transaction at home as this server has decided; one that it has not decided by now is given up.
    /// Whether it was committed.
    async fn settle(&self, home: &DatabaseConnection, name: &str, id: Uuid) -> Result<bool, DbErr> {
        let asked = statement("select control.decide($1, false)", [id.into()]);
        let committed = is_true(retry_lost(|| self.pool.query_one_raw(asked.clone())).await?.as_slice());
        let end = if committed { "commit" } else { "rollback" };
        // Made of a configured name and a UUID.
        match home.execute_unprepared(&format!("{end} prepared '{name}'")).await {
            // Somebody else has ended it so.
            Err(error) if code(&error).as_deref() == Some("42704") => Ok(committed),
            ended => ended.map(|_| committed),
        }
    }
}

impl Door {
    /// The same door with these servers beside the home server. Nothing is sent until it is needed.
    ///
    /// # Errors
    /// When an address is not one of Postgres.
    pub async fn with_servers(
        mut self,
        servers: &[ServerAddress],
        settings: &DoorSettings,
    ) -> Result<Self, DbErr> {
        let mut by_name = BTreeMap::new();
        for ServerAddress { name, url } in servers {
            let mut options = options(url, settings.lifetime, settings.connections, Duration::from_secs(2));
            pool::renew_connections(&mut options);
            let pool = Database::connect(options).await?;
            let places = Places::new(settings.connections, settings.patience);
            let probe = Self::probe(url, settings.lifetime).await?;
            let (name, silent) = (name.clone(), AtomicBool::new(false));
            by_name.insert(name.clone(), Arc::new(Server { name, pool, places, probe, silent }));
        }
        self.servers = Arc::new(Servers { by_name, seen: Mutex::default() });
        Ok(self)
    }

    /// The names of the servers beside the home server.
    #[must_use]
    pub fn servers(&self) -> Vec<String> {
        self.servers.by_name.keys().cloned().collect()
    }

    /// The pools of all servers, the home server's first.
    pub(crate) fn pools(&self) -> impl Iterator<Item = (&DatabaseConnection, &Places)> {
        let others = self.servers.by_name.values().map(|server| (&server.pool, &*server.places));
        std::iter::once((&self.pool, &*self.places)).chain(others)
    }

    /// Asks each of these servers whether it answers, until the process ends.
    pub(crate) async fn watch_servers(&self) {
        let watched = self.servers.by_name.values().map(|server| {
            watch::ask(&server.probe, &server.name, |silent| server.silent.swap(silent, Ordering::Relaxed))
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

    /// Ends prepared transactions that whoever made them has left behind, as their servers have decided. How many there
    /// were. Call it every few seconds.
    ///
    /// # Errors
    /// When the home server does not answer. One whose server does not answer waits for the next time.
    pub async fn settle(&self) -> Result<usize, DbErr> {
        #[derive(FromQueryResult)]
        struct Left {
            gid: String,
        }
        let left: Vec<Left> = all(&self.pool, UNDECIDED, []).await?;
        let mut settled = 0;
        for Left { gid } in left {
            let Some((server, id)) = parse_prepared(&gid) else { continue };
            let ended = match self.server(server) {
                Ok(server) => server.settle(&self.pool, &gid, id).await,
                Err(error) => Err(error),
            };
            match ended {
                Ok(committed) => {
                    tracing::info!(gid, committed, "a prepared transaction was settled");
                    settled += 1;
                }
                Err(error) => tracing::warn!(gid, %error, "a prepared transaction cannot be settled yet"),
            }
        }
        Ok(settled)
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

    #[test]
    fn the_name_of_a_prepared_transaction_says_who_decides() {
        let id = Uuid::new_v4();
        assert_eq!(parse_prepared(&prepared("east-2", id)), Some(("east-2", id)));
        for other in ["", "pult", "pult east", "pult east 1", "other east 0190"] {
            assert_eq!(parse_prepared(other), None, "{other}");
        }
    }
}
