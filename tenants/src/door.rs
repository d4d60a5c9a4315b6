//! The door: a unit of work is a transaction with the tenant's role and path. See
//! `docs/decisions/tenancy.md#the-door`.

use std::{fmt, sync::Arc, time::Duration};

use kernel::{
    Account, Id, Partner,
    request::{self, Rank, Turn},
};
use sea_orm::{
    ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbErr, QueryResult, RuntimeErr,
    Statement, Value,
};
use tokio::sync::watch;
use uuid::Uuid;

use telemetry::trace;

use crate::{
    entry::{AccountFacts, Entry, Facts, Refusal, Target, read_facts},
    pause::{LastHeard, Pause},
    places::{Place, Places},
    pool::{self, begin, note_outdated, options, retry_call, retry_lost},
    servers::{Elsewhere, Servers},
    tx::{ControlTx, TenantTx, is_true, statement},
};

/// How the pool of the login role is set up.
#[derive(Debug, Clone)]
pub struct DoorSettings {
    /// Address of the database with the login role (`PULT_DATABASE_URL`).
    pub url: String,
    /// The most connections this instance holds (`PULT_DATABASE_POOL`).
    pub connections: u32,
    /// How long a unit of work waits for a connection before it is turned away.
    pub patience: Duration,
    /// How long a connection lives (`PULT_DATABASE_LIFETIME`). A backend's catalogue cache only grows with
    /// the schemas it has touched, so none lives for ever.
    pub lifetime: Duration,
    /// Whether the demo partner is open to super admins without a support access (`PULT_DEV`).
    pub development: bool,
}

impl DoorSettings {
    /// How long a connection lives when nothing else is said (bench/README.md, "A thousand partners").
    pub const LIFETIME: Duration = Duration::from_secs(1800);
    /// How long a unit of work waits: what is accepted is answered within two seconds.
    pub const PATIENCE: Duration = Duration::from_secs(1);
}

/// Proof that the caller may act for the whole platform. Only the job runner and the start-up code make one;
/// a test looks for every place that does.
#[derive(Debug)]
pub struct PlatformProof(());

impl PlatformProof {
    #[must_use]
    pub fn runner() -> Self {
        Self(())
    }
}

/// The only way to a connection.
#[derive(Clone)]
pub struct Door {
    pub(crate) pool: DatabaseConnection,
    /// Of the probes alone: while all others are taken the service is busy, not away.
    pub(crate) probe: DatabaseConnection,
    pub(crate) places: Arc<Places>,
    /// A standby that reads what may be a moment late.
    pub(crate) replica: Option<DatabaseConnection>,
    /// Where partners may be beside the home server.
    pub(crate) servers: Arc<Servers>,
    /// Whether Postgres has been silent for too long: see [`Door::watch`].
    pub(crate) silent: Arc<watch::Sender<bool>>,
    /// What requests that wait for the end of a partner's move have heard.
    pub(crate) pause: Arc<LastHeard>,
    development: bool,
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Door")
    }
}

/// Each entry also hands over the trace that the work belongs to: jobs that are written keep it.
const ENTER: &str = "select e.*, set_config('role', coalesce(e.role, 'none'), true), \
    set_config('search_path', coalesce(e.role, ''), true), set_config('pult.trace', coalesce($7, ''), true) \
                     from control.enter($1, $2, $3, $4, $5, $6) e";
const ENTER_KEY: &str = "select e.*, set_config('role', coalesce(e.role, 'none'), true), \
    set_config('search_path', coalesce(e.role, ''), true), set_config('pult.trace', coalesce($4, ''), true) \
                         from control.enter_key($1, $2, $3) e";
/// Statements on the queue of jobs go by its indexes, whatever the statistics say. It is nearly empty on most days; a
/// connection keeps the plan that was made then, which reads the whole table, and in a flood does so for each job.
const QUEUE_PLANS: &str = "; set local enable_seqscan = off; set local enable_bitmapscan = off; set local \
    enable_hashjoin = off; set local enable_mergejoin = off; set local plan_cache_mode = force_generic_plan";
const ENTER_PLATFORM: &str = "select set_config('role', 'pult_platform', true), set_config('search_path', \
    'control', true), set_config('pult.trace', coalesce($3, ''), true) \
                              from control.enter_account($1, $2) a where a.super_admin";
pub(crate) const ENTER_JOB: &str = "select set_config('role', e.role, true), set_config('search_path', e.role, true), \
    set_config('pult.trace', coalesce($2, ''), true) \
    from control.enter_job($1) e";
const LOOK: &str = "select e.* from control.enter($1, $2, $3, $4, $5, $6) e";
const ENTER_DEVICE: &str = "select e.*, set_config('role', coalesce(e.role, 'none'), true), \
    set_config('search_path', coalesce(e.role, ''), true), set_config('pult.trace', coalesce($2, ''), true) \
                            from control.enter_device($1) e";
const LOOK_DEVICE: &str = "select e.* from control.enter_device($1) e";
const ENTER_CALLBACK: &str = "select e.*, set_config('role', coalesce(e.role, 'none'), true), \
    set_config('search_path', coalesce(e.role, ''), true), set_config('pult.trace', coalesce($2, ''), true) \
                              from control.enter_callback($1) e";
const LOOK_CALLBACK: &str = "select e.* from control.enter_callback($1) e";
const LOOK_KEY: &str = "select e.* from control.enter_key($1, $2, $3) e";

/// The same where partners may be on other servers: the answer also says where. Without such servers nobody asks.
const ENTER_ANYWHERE: &str = "select e.*, p.server, p.partner_mode, \
    set_config('role', coalesce(e.role, 'none'), true), \
    set_config('search_path', coalesce(e.role, ''), true), set_config('pult.trace', coalesce($7, ''), true) \
    from control.enter($1, $2, $3, $4, $5, $6) e left join lateral control.place_of(e.role) p on true";
const ENTER_KEY_ANYWHERE: &str = "select e.*, p.server, p.partner_mode, \
    set_config('role', coalesce(e.role, 'none'), true), \
    set_config('search_path', coalesce(e.role, ''), true), set_config('pult.trace', coalesce($4, ''), true) \
    from control.enter_key($1, $2, $3) e left join lateral control.place_of(e.role) p on true";
const ENTER_DEVICE_ANYWHERE: &str = "select e.*, p.server, p.partner_mode, \
    set_config('role', coalesce(e.role, 'none'), true), \
    set_config('search_path', coalesce(e.role, ''), true), set_config('pult.trace', coalesce($2, ''), true) \
    from control.enter_device($1) e left join lateral control.place_of(e.role) p on true";
const ENTER_CALLBACK_ANYWHERE: &str = "select e.*, p.server, p.partner_mode, \
    set_config('role', coalesce(e.role, 'none'), true), \
    set_config('search_path', coalesce(e.role, ''), true), set_config('pult.trace', coalesce($2, ''), true) \
    from control.enter_callback($1) e left join lateral control.place_of(e.role) p on true";
pub(crate) const ENTER_JOB_ANYWHERE: &str = "select e.role, p.server, p.partner_mode, \
    set_config('role', e.role, true), set_config('search_path', e.role, true), \
    set_config('pult.trace', coalesce($2, ''), true) \
    from control.enter_job($1) e left join lateral control.place_of(e.role) p on true";
const LOOK_ANYWHERE: &str = "select e.*, p.server, p.partner_mode from control.enter($1, $2, $3, $4, $5, $6) e \
    left join lateral control.place_of(e.role) p on true";
const LOOK_KEY_ANYWHERE: &str = "select e.*, p.server, p.partner_mode from control.enter_key($1, $2, $3) e \
    left join lateral control.place_of(e.role) p on true";
const LOOK_DEVICE_ANYWHERE: &str = "select e.*, p.server, p.partner_mode from control.enter_device($1) e \
    left join lateral control.place_of(e.role) p on true";
const LOOK_CALLBACK_ANYWHERE: &str = "select e.*, p.server, p.partner_mode \
    from control.enter_callback($1) e left join lateral control.place_of(e.role) p on true";
const LOOK_JOB: &str = "select e.role, p.server, p.partner_mode from control.enter_job($1) e \
    left join lateral control.place_of(e.role) p on true";

/// Makes a backend forget which roles the login role has. A backend gathers them when it is asked first and
/// after each change (`roles_is_member_of` in PostgreSQL's acl.c). When a partner is made while it gathers
/// for another one, it may go on with a list without that, until roles change again anywhere. One list per
/// kind of question is kept, that of the role asked about last.
pub(crate) const REMEMBER_ANEW: &str = "select pg_has_role('pult_platform', 'pult_app', \
     case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)";

impl Door {
    /// Opens the pool. No statement is sent until it is needed.
    pub async fn open(settings: &DoorSettings) -> Result<Self, DbErr> {
        let probe = Self::probe(&settings.url, settings.lifetime).await?;
        let mut options =
            options(&settings.url, settings.lifetime, settings.connections, Duration::from_secs(2));
        let places = Places::new(settings.connections, settings.patience, settings.lifetime);
        pool::renew_connections(&mut options, places.wear());
        let silent = Arc::new(watch::Sender::new(false));
        let pool = Database::connect(options).await?;
        let (servers, pause) = (Arc::default(), Arc::default());
        let development = settings.development;
        Ok(Self { pool, probe, replica: None, servers, places, silent, pause, development })
    }

    /// The connection on which a server is asked whether it answers.
    pub(crate) async fn probe(url: &str, lifetime: Duration) -> Result<DatabaseConnection, DbErr> {
        Database::connect(options(url, lifetime, 1, Duration::from_secs(1))).await
    }

    /// A pool without wear of its own, for a standby.
    pub(crate) async fn connect(url: &str, connections: u32) -> Result<DatabaseConnection, DbErr> {
        Database::connect(options(url, DoorSettings::LIFETIME, connections, Duration::from_secs(2))).await
    }

    fn question(&self, entry: &Entry, enter: bool) -> Statement {
        let asked = |home, anywhere, values| {
            asked(if self.servers.is_empty() { home } else { anywhere }, enter, values)
        };
        match entry {
            Entry::Session { session, account, partner, restaurant, known } => asked(
                (ENTER, LOOK),
                (ENTER_ANYWHERE, LOOK_ANYWHERE),
                vec![
                    (*session).into(),
                    account.uuid().into(),
                    partner.uuid().into(),
                    restaurant.map(Id::uuid).into(),
                    (*known).into(),
                    self.development.into(),
                ],
            ),
            Entry::Key { hash, partner, restaurant } => asked(
                (ENTER_KEY, LOOK_KEY),
                (ENTER_KEY_ANYWHERE, LOOK_KEY_ANYWHERE),
                vec![hash.clone().into(), partner.uuid().into(), restaurant.uuid().into()],
            ),
            Entry::Device { hash } => asked(
                (ENTER_DEVICE, LOOK_DEVICE),
                (ENTER_DEVICE_ANYWHERE, LOOK_DEVICE_ANYWHERE),
                vec![hash.clone().into()],
            ),
            Entry::Callback { hash } => asked(
                (ENTER_CALLBACK, LOOK_CALLBACK),
                (ENTER_CALLBACK_ANYWHERE, LOOK_CALLBACK_ANYWHERE),
                vec![hash.clone().into()],
            ),
        }
    }

    /// Whether every unit of work has its place at this moment.
    #[must_use]
    pub fn nobody_waits(&self) -> bool {
        self.places.waiting() == 0
    }

    /// Whether a request of which nothing has begun yet would be turned away after waiting.
    #[must_use]
    pub fn is_in_vain(&self, rank: Rank, turn: Turn) -> bool {
        self.places.is_in_vain(rank, turn)
    }

    /// Whether another partner had a unit of work here within the last second.
    #[must_use]
    pub fn serves_beside(&self, partner: Id<Partner>) -> bool {
        self.places.serves_beside(partner)
    }

    /// Whether this entry would be let in, in one statement of its own.
    pub async fn look(&self, entry: &Entry) -> Result<Result<Facts, Refusal>, DbErr> {
        let mut pause = Pause::default();
        loop {
            let said = read_facts(entry, self.ask(self.question(entry, false)).await?)?;
            if !matches!(said, Err(Refusal::Maintenance)) || !pause.is_over(self, entry).await? {
                return Ok(said);
            }
        }
    }

    pub(crate) async fn ask(&self, question: Statement) -> Result<Option<QueryResult>, DbErr> {
        let _place = self.places.take().await?;
        trace::statement(&question.sql)
            .answer(retry_lost(|| self.pool.query_one_raw(question.clone())))
            .await
            .inspect_err(note_outdated)
    }

    /// Begins a unit of work: one round trip checks the caller and becomes the tenant's role.
    pub async fn begin(&self, entry: &Entry) -> Result<Result<(TenantTx, Facts), Refusal>, DbErr> {
        let mut pause = Pause::default();
        loop {
            let begun = self.begin_now(entry).await?;
            if !matches!(begun, Err(Refusal::Maintenance)) || !pause.is_over(self, entry).await? {
                return Ok(begun);
            }
        }
    }

    async fn begin_now(&self, entry: &Entry) -> Result<Result<(TenantTx, Facts), Refusal>, DbErr> {
        let known = match entry {
            Entry::Session { partner, .. } | Entry::Key { partner, .. } => Some(*partner),
            Entry::Device { .. } | Entry::Callback { .. } => None,
        };
        let look = || self.question(entry, false);
        let (row, place) =
            self.begin_where_it_is(request::turn(), known, self.question(entry, true), look).await?;
        let facts = match read_facts(entry, row)? {
            Ok(facts) => facts,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let partner = match (known, &facts) {
            (_, Facts::Device(device)) => device.partner,
            (_, Facts::Callback(callback)) => callback.partner,
            (Some(partner), _) => partner,
            // Its facts are always those of a device or a provider.
            (None, _) => Id::from_uuid(Uuid::nil()),
        };
        request::note_partner(partner);
        let begun = place.begin(self, partner, request::turn()).await?;
        Ok(begun.map(|tx| (tx, facts)).ok_or(Refusal::Maintenance))
    }

    /// Asks at home, in a transaction that goes on there when the partner is. `partner` is who is asked for, unless
    /// the answer says it. One that was last seen on another server is asked for without a transaction (`look`).
    async fn begin_where_it_is(
        &self, turn: Turn, partner: Option<Id<Partner>>, enter: Statement, look: impl FnOnce() -> Statement,
    ) -> Result<(Option<QueryResult>, Begun), DbErr> {
        if partner.is_some_and(|partner| self.servers.has_seen(partner)) {
            let row = self.ask(look()).await?;
            if let Some(elsewhere) = self.servers.of_row(partner, row.as_ref())? {
                return Ok((row, Begun::Elsewhere(elsewhere)));
            }
        }
        let (tx, place, row) = become_tenant(&self.pool, &self.places, turn, enter).await?;
        let begun = match self.servers.of_row(partner, row.as_ref())? {
            None => Begun::Home(tx, place),
            // What began here is rolled back.
            Some(elsewhere) => Begun::Elsewhere(elsewhere),
        };
        Ok((row, begun))
    }

    async fn transaction(&self, turn: Turn) -> Result<(DatabaseTransaction, Place), DbErr> {
        let place = self.places.take_as(turn).await?;
        Ok((trace::statement("begin").answer(begin(&self.pool)).await?, place))
    }

    /// Begins a unit of work for a job of this partner; none when the partner is gone or being worked on.
    pub async fn begin_job(
        &self, _proof: &PlatformProof, partner: Id<Partner>,
    ) -> Result<Option<TenantTx>, DbErr> {
        let enter = if self.servers.is_empty() { ENTER_JOB } else { ENTER_JOB_ANYWHERE };
        let enter = statement(enter, [partner.uuid().into(), trace::header().into()]);
        let look = || statement(LOOK_JOB, [partner.uuid().into()]);
        let turn = Turn::Partner(partner);
        let (row, begun) = self.begin_where_it_is(turn, Some(partner), enter, look).await?;
        if row.is_none() { Ok(None) } else { begun.begin(self, partner, turn).await }
    }

    /// Begins a unit of work in `control` for the platform.
    pub async fn begin_platform(&self, _proof: &PlatformProof) -> Result<ControlTx, DbErr> {
        let (tx, place) = self.transaction(request::turn()).await?;
        self.as_platform(tx, place, "").await
    }

    /// The same to take jobs and to write what became of them.
    pub async fn begin_queue(&self, _proof: &PlatformProof) -> Result<ControlTx, DbErr> {
        let (tx, place) = self.transaction(request::turn()).await?;
        self.as_platform(tx, place, QUEUE_PLANS).await
    }

    /// A unit of work for the platform in the `control` of this server beside the home server.
    pub async fn begin_platform_on(&self, _proof: &PlatformProof, server: &str) -> Result<ControlTx, DbErr> {
        let (tx, place) = self.transaction_on(server).await?;
        self.as_platform(tx, place, "").await
    }

    async fn as_platform(
        &self, tx: DatabaseTransaction, place: Place, plans: &str,
    ) -> Result<ControlTx, DbErr> {
        // The header has letters, digits and dashes alone.
        let trace = trace::header().filter(|header| !header.contains('\'')).unwrap_or_default();
        let sql = format!(
            "set local role pult_platform; set local search_path = control; set local pult.trace = '{trace}'{plans}"
        );
        trace::statement(&sql).answer(tx.execute_unprepared(&sql)).await?;
        Ok(ControlTx::new(self.clone(), tx, place))
    }

    /// Begins a unit of work in `control` for the platform, with the session of a super admin as the proof;
    /// none when the session has ended or is not one of a super admin.
    pub async fn begin_super_admin(
        &self, session: Uuid, account: Id<Account>,
    ) -> Result<Option<ControlTx>, DbErr> {
        let (tx, place) = self.transaction(request::turn()).await?;
        let values = [session.into(), account.uuid().into(), trace::header().into()];
        let row = trace::statement(ENTER_PLATFORM)
            .answer(tx.query_one_raw(statement(ENTER_PLATFORM, values)))
            .await
            .inspect_err(note_outdated)?;
        let Some(_) = row else { return Ok(None) };
        let anywhere = !self.servers.is_empty();
        if anywhere {
            // It may go on in a partner's schema elsewhere, and what is prepared cannot notify.
            tx.execute_unprepared("set local pult.prepared = 'perhaps'").await?;
        }
        let begun = ControlTx::new(self.clone(), tx, place);
        if anywhere {
            begun.wake_runners();
        }
        Ok(Some(begun))
    }

    /// Calls one of the functions that the login role itself may call (sign-in, sessions, keys). All values
    /// are bound.
    pub async fn call(
        &self, sql: &'static str, values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<QueryResult>, DbErr> {
        let statement = statement(sql, values);
        let _place = self.places.take().await?;
        trace::statement(sql)
            .answer(retry_call(|| self.pool.query_all_raw(statement.clone())))
            .await
            .inspect_err(note_outdated)
    }

    /// The first row of [`Self::call`].
    pub(crate) async fn call_one(
        &self, sql: &'static str, values: impl IntoIterator<Item = Value>,
    ) -> Result<Option<QueryResult>, DbErr> {
        Ok(self.call(sql, values).await?.into_iter().next())
    }

    /// Whether the first column of the first row is `true`. No row, null and another type mean no.
    pub async fn is_true(
        &self, sql: &'static str, values: impl IntoIterator<Item = Value>,
    ) -> Result<bool, DbErr> {
        Ok(is_true(&self.call(sql, values).await?))
    }

    /// Calls a function that tells in the first column whether it did something.
    pub async fn done(
        &self, sql: &'static str, values: impl IntoIterator<Item = Value>,
    ) -> Result<bool, DbErr> {
        Ok(self.value::<Option<bool>>(sql, values).await?.flatten().unwrap_or(false))
    }

    pub async fn account(&self, session: Uuid, account: Id<Account>) -> Result<Option<AccountFacts>, DbErr> {
        let sql = "select * from control.enter_account($1, $2)";
        Ok(self.all(sql, [session.into(), account.uuid().into()]).await?.pop())
    }

    /// The account of a living session, with its partners.
    pub async fn targets(&self, session: Uuid, account: Id<Account>) -> Result<Vec<Target>, DbErr> {
        let values = [session.into(), account.uuid().into(), self.development.into()];
        self.all("select * from control.targets($1, $2, $3)", values).await
    }
}

/// The question at the door: `enter` also becomes the tenant's role and hands over the trace.
fn asked((begin, look): (&'static str, &'static str), enter: bool, mut values: Vec<Value>) -> Statement {
    if enter {
        values.push(trace::header().into());
    }
    statement(if enter { begin } else { look }, values)
}

/// Where a unit of work goes on once its caller is let in.
enum Begun {
    /// In the transaction that asked.
    Home(DatabaseTransaction, Place),
    Elsewhere(Elsewhere),
}

impl Begun {
    /// None while the partner is being worked on elsewhere.
    async fn begin(self, door: &Door, partner: Id<Partner>, turn: Turn) -> Result<Option<TenantTx>, DbErr> {
        Ok(match self {
            Self::Home(tx, place) => {
                door.places.wear().note(partner);
                Some(TenantTx::new(tx, partner, None, !door.servers.is_empty(), place))
            }
            Self::Elsewhere(elsewhere) => {
                let begun = elsewhere.begin(door, partner, turn).await?;
                begun.map(|(tx, home, place)| TenantTx::new(tx, partner, Some(home), true, place))
            }
        })
    }
}

/// Begins a transaction with the question that makes it a tenant's. A backend that does not know of the
/// tenant's role yet gathers roles anew ([`REMEMBER_ANEW`]) and is asked again.
pub(crate) async fn become_tenant(
    pool: &DatabaseConnection, places: &Arc<Places>, turn: Turn, question: Statement,
) -> Result<(DatabaseTransaction, Place, Option<QueryResult>), DbErr> {
    let mut attempts = 0..3;
    let place = places.take_as(turn).await?;
    let tx = trace::statement("begin").answer(begin(pool)).await?;
    loop {
        match trace::statement(&question.sql).answer(tx.query_one_raw(question.clone())).await {
            // In one message, so that a pooler stays with this backend.
            Err(error) if is_refused(&error) && attempts.next().is_some() => {
                tx.execute_unprepared(&format!("rollback; begin; {REMEMBER_ANEW}")).await?;
            }
            row => return Ok((tx, place, row.inspect_err(note_outdated)?)),
        }
    }
}

/// Whether the login role may not become a tenant's, which it always may once the partner is there.
fn is_refused(error: &DbErr) -> bool {
    code(error).as_deref() == Some("42501")
}

/// Postgres's code of a statement's error.
pub(crate) fn code(error: &DbErr) -> Option<String> {
    let (DbErr::Query(RuntimeErr::SqlxError(error))
    | DbErr::Exec(RuntimeErr::SqlxError(error))
    | DbErr::Conn(RuntimeErr::SqlxError(error))) = error
    else {
        return None;
    };
    Some(error.as_database_error()?.code()?.into_owned())
}
