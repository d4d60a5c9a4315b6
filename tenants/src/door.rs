//! The door: a unit of work is a transaction that runs as the tenant's role with the tenant's path.

use std::{fmt, time::Duration};

use kernel::{Account, Admin, Id, Partner, Restaurant};
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr,
    Statement, TransactionTrait, Value,
};
use uuid::Uuid;

/// How the pool of the login role is set up.
#[derive(Debug, Clone)]
pub struct DoorSettings {
    /// Address of the database with the login role (`PULT_DATABASE_URL`).
    pub url: String,
    /// The most connections this instance holds (`PULT_DATABASE_POOL`).
    pub connections: u32,
    /// Whether the demo partner is open to super admins without a support access (`PULT_DEV`).
    pub development: bool,
}

/// Who wants to come in, and where.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A signed-in person.
    Session {
        /// The session of the token.
        session: Uuid,
        /// Its account.
        account: Id<Account>,
        /// The partner of the path.
        partner: Id<Partner>,
        /// The restaurant of the path, unless the scope is the partner.
        restaurant: Option<Id<Restaurant>>,
        /// Version of the grants this process already knows; they are not sent again.
        known: Option<i64>,
    },
    /// An API key.
    Key {
        /// SHA-256 of the key.
        hash: Vec<u8>,
        /// The partner of the path.
        partner: Id<Partner>,
        /// The restaurant of the path.
        restaurant: Id<Restaurant>,
    },
}

/// Why the door stays closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The session has ended, or its account is locked.
    Session,
    /// There is no such key, or it was revoked.
    Key,
    /// The partner or restaurant does not exist, or not for this caller.
    Unknown,
    /// A super admin has no support access to this partner.
    Support,
    /// The partner is suspended.
    Suspended,
    /// The partner's schema is being worked on.
    Maintenance,
}

impl Refusal {
    fn parse(status: &str) -> Option<Self> {
        match status {
            "ok" => None,
            "session" => Some(Self::Session),
            "key" => Some(Self::Key),
            "support" => Some(Self::Support),
            "suspended" => Some(Self::Suspended),
            "maintenance" => Some(Self::Maintenance),
            _ => Some(Self::Unknown),
        }
    }
}

/// What the door learnt about a person.
#[derive(Debug, Clone)]
pub struct SessionFacts {
    /// The account's row at this partner; none for a super admin.
    pub admin: Option<Id<Admin>>,
    /// Version of the grants.
    pub version: i64,
    /// What was granted; none when the caller already knows this version.
    pub permission_keys: Option<Vec<String>>,
    /// Holds all keys of the target.
    pub full_target_access: bool,
    /// Holds all keys everywhere.
    pub super_admin: bool,
    /// Where the session was opened: `admin`, `pos`, `lct`, `kiosk`.
    pub surface: String,
    /// The person's name, else the e-mail address.
    pub name: String,
    /// Whether the row is for the whole partner (else for some restaurants).
    pub whole_partner: bool,
}

/// What the door learnt about an API key.
#[derive(Debug, Clone)]
pub struct KeyFacts {
    /// Id of the key.
    pub id: Uuid,
    /// What the key may do (`menu:read`, …).
    pub scopes: Vec<String>,
    /// `secret`, `browser` or `test`.
    pub kind: String,
    /// The name its owner gave it.
    pub name: String,
}

/// An account without a partner.
#[derive(Debug, Clone)]
pub struct AccountFacts {
    /// E-mail address, in small letters.
    pub email: String,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// `hu` or `en`.
    pub language: String,
    /// Whether the account may everything.
    pub super_admin: bool,
    /// Where the session was opened.
    pub surface: String,
    /// What was chosen last.
    pub last_target: Option<(Id<Partner>, Id<Restaurant>)>,
}

/// What an account is at one partner.
#[derive(Debug, Clone)]
pub struct Target {
    /// The admin row; none for a super admin.
    pub admin: Option<Id<Admin>>,
    /// `Partner` or `Restaurant`.
    pub target_type: String,
    /// The partner.
    pub partner: Id<Partner>,
    /// Its name.
    pub partner_name: String,
    /// `live`, `sandbox` or `demo`.
    pub mode: String,
    /// The restaurants of a `Restaurant` target; none means all.
    pub restaurant_ids: Option<Vec<Id<Restaurant>>>,
    /// What was granted.
    pub permission_keys: Vec<String>,
    /// Holds all keys of the target.
    pub full_target_access: bool,
    /// Holds all keys.
    pub super_admin: bool,
}

/// Proof that the caller may act for the whole platform. Only the job runner and the start-up code make one;
/// a test looks for every place that does.
#[derive(Debug)]
pub struct PlatformProof(());

impl PlatformProof {
    /// The runner of background work.
    #[must_use]
    pub fn runner() -> Self {
        Self(())
    }
}

/// The only way to a connection.
#[derive(Clone)]
pub struct Door {
    pool: DatabaseConnection,
    development: bool,
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Door")
    }
}

/// A unit of work in one partner's schema, as the partner's role. Rolled back unless committed.
#[derive(Debug)]
pub struct TenantTx {
    tx: DatabaseTransaction,
    partner: Id<Partner>,
}

/// A unit of work in `control`: for one partner under row security, or for the platform.
#[derive(Debug)]
pub struct ControlTx {
    tx: DatabaseTransaction,
}

/// A statement with bound values.
pub(crate) fn statement(sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}

const ENTER: &str = "select e.*, set_config('role', coalesce(e.role, 'none'), true), set_config('search_path', coalesce(e.role, ''), true) \
                     from control.enter($1, $2, $3, $4, $5, $6) e";
const ENTER_KEY: &str = "select e.*, set_config('role', coalesce(e.role, 'none'), true), set_config('search_path', coalesce(e.role, ''), true) \
                         from control.enter_key($1, $2, $3) e";
const LOOK: &str = "select e.* from control.enter($1, $2, $3, $4, $5, $6) e";
const LOOK_KEY: &str = "select e.* from control.enter_key($1, $2, $3) e";

/// What the door found: facts about a person or a key.
#[derive(Debug, Clone)]
pub enum Facts {
    /// A person.
    Session(SessionFacts),
    /// A key.
    Key(KeyFacts),
}

impl Door {
    /// Opens the pool. No statement is sent until it is needed.
    ///
    /// # Errors
    /// When the address is not one of Postgres.
    pub async fn open(settings: &DoorSettings) -> Result<Self, DbErr> {
        let mut options = ConnectOptions::new(&settings.url);
        options
            .max_connections(settings.connections)
            .min_connections(0)
            .acquire_timeout(Duration::from_secs(2))
            .connect_timeout(Duration::from_secs(5))
            // A backend's catalogue cache only grows with the schemas it touched, so connections do not live for ever.
            .max_lifetime(Duration::from_secs(1800))
            .test_before_acquire_if_idle_for(Duration::from_secs(5))
            .set_application_name("pult")
            .sqlx_logging(false)
            .connect_lazy(true);
        Ok(Self { pool: Database::connect(options).await?, development: settings.development })
    }

    fn question(&self, entry: &Entry, enter: bool) -> Statement {
        match entry {
            Entry::Session { session, account, partner, restaurant, known } => statement(
                if enter { ENTER } else { LOOK },
                [
                    (*session).into(),
                    account.uuid().into(),
                    partner.uuid().into(),
                    restaurant.map(Id::uuid).into(),
                    (*known).into(),
                    self.development.into(),
                ],
            ),
            Entry::Key { hash, partner, restaurant } => statement(
                if enter { ENTER_KEY } else { LOOK_KEY },
                [hash.clone().into(), partner.uuid().into(), restaurant.uuid().into()],
            ),
        }
    }

    /// Whether this entry would be let in, in one statement of its own.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn look(&self, entry: &Entry) -> Result<Result<Facts, Refusal>, DbErr> {
        let row = retry_lost(|| self.pool.query_one_raw(self.question(entry, false))).await?;
        read_facts(entry, row)
    }

    /// Begins a unit of work: one round trip checks the caller and becomes the tenant's role.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn begin(&self, entry: &Entry) -> Result<Result<(TenantTx, Facts), Refusal>, DbErr> {
        let tx = retry_lost(|| self.pool.begin()).await?;
        let row = tx.query_one_raw(self.question(entry, true)).await?;
        let partner = match entry {
            Entry::Session { partner, .. } | Entry::Key { partner, .. } => *partner,
        };
        Ok(read_facts(entry, row)?.map(|facts| (TenantTx { tx, partner }, facts)))
    }

    /// Begins a unit of work for a job of this partner; none when the partner is gone or being worked on.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn begin_job(&self, _proof: &PlatformProof, partner: Id<Partner>) -> Result<Option<TenantTx>, DbErr> {
        let tx = retry_lost(|| self.pool.begin()).await?;
        tx.execute_unprepared("set local role pult_platform").await?;
        let row = tx
            .query_one_raw(statement(
                "select set_config('role', p.role, true), set_config('search_path', p.role, true) \
                 from control.partner p where p.id = $1 and p.status in ('active', 'suspended')",
                [partner.uuid().into()],
            ))
            .await?;
        Ok(row.map(|_| TenantTx { tx, partner }))
    }

    /// Begins a unit of work in `control` for the platform.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn begin_platform(&self, _proof: &PlatformProof) -> Result<ControlTx, DbErr> {
        let tx = retry_lost(|| self.pool.begin()).await?;
        tx.execute_unprepared("set local role pult_platform; set local search_path = control").await?;
        Ok(ControlTx { tx })
    }

    /// Calls one of the functions that the login role itself may call (sign-in, sessions, keys). All values are bound.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn call(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Vec<QueryResult>, DbErr> {
        let statement = statement(sql, values);
        retry_lost(|| self.pool.query_all_raw(statement.clone())).await
    }

    /// The account of a living session.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn account(&self, session: Uuid, account: Id<Account>) -> Result<Option<AccountFacts>, DbErr> {
        let rows = self.call("select * from control.enter_account($1, $2)", [session.into(), account.uuid().into()]).await?;
        rows.first()
            .map(|row| {
                let partner: Option<Uuid> = row.try_get("", "last_partner_id")?;
                let restaurant: Option<Uuid> = row.try_get("", "last_restaurant_id")?;
                Ok(AccountFacts {
                    email: row.try_get("", "email")?,
                    first_name: row.try_get("", "first_name")?,
                    last_name: row.try_get("", "last_name")?,
                    language: row.try_get("", "language")?,
                    super_admin: row.try_get("", "super_admin")?,
                    surface: row.try_get("", "surface")?,
                    last_target: partner.zip(restaurant).map(|(partner, restaurant)| (partner.into(), restaurant.into())),
                })
            })
            .transpose()
    }

    /// What the account of a living session is, at which partners.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn targets(&self, session: Uuid, account: Id<Account>) -> Result<Vec<Target>, DbErr> {
        let rows = self
            .call("select * from control.targets($1, $2, $3)", [session.into(), account.uuid().into(), self.development.into()])
            .await?;
        rows.iter()
            .map(|row| {
                let restaurants: Option<Vec<Uuid>> = row.try_get("", "restaurant_ids")?;
                Ok(Target {
                    admin: row.try_get::<Option<Uuid>>("", "admin_id")?.map(Id::from_uuid),
                    target_type: row.try_get("", "target_type")?,
                    partner: row.try_get("", "partner_id")?,
                    partner_name: row.try_get("", "partner_name")?,
                    mode: row.try_get("", "mode")?,
                    restaurant_ids: restaurants.map(|ids| ids.into_iter().map(Id::from_uuid).collect()),
                    permission_keys: row.try_get("", "permission_keys")?,
                    full_target_access: row.try_get("", "full_target_access")?,
                    super_admin: row.try_get("", "super_admin")?,
                })
            })
            .collect()
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), DbErr> {
        self.pool.ping().await
    }
}

fn read_facts(entry: &Entry, row: Option<QueryResult>) -> Result<Result<Facts, Refusal>, DbErr> {
    let Some(row) = row else {
        return Ok(Err(Refusal::Unknown));
    };
    if let Some(refusal) = Refusal::parse(&row.try_get::<String>("", "status")?) {
        return Ok(Err(refusal));
    }
    Ok(Ok(match entry {
        Entry::Session { .. } => Facts::Session(SessionFacts {
            admin: row.try_get::<Option<Uuid>>("", "admin_id")?.map(Id::from_uuid),
            version: row.try_get("", "version")?,
            permission_keys: row.try_get("", "permission_keys")?,
            full_target_access: row.try_get("", "full_target_access")?,
            super_admin: row.try_get("", "super_admin")?,
            surface: row.try_get("", "surface")?,
            name: row.try_get::<Option<String>>("", "name")?.unwrap_or_default(),
            whole_partner: row.try_get::<String>("", "target_type")? == "Partner",
        }),
        Entry::Key { .. } => Facts::Key(KeyFacts {
            id: row.try_get("", "key_id")?,
            scopes: row.try_get("", "scopes")?,
            kind: row.try_get("", "kind")?,
            name: row.try_get("", "name")?,
        }),
    }))
}

/// A pooled connection may have died with a restart of the database: the first statement of a unit of work
/// is tried again on another one, a few times. Nothing has been done before it, so nothing is done twice.
async fn retry_lost<T, F: Future<Output = Result<T, DbErr>>>(mut attempt: impl FnMut() -> F) -> Result<T, DbErr> {
    for _ in 0..3 {
        match attempt().await {
            Err(error) if is_lost(&error) => continue,
            done => return done,
        }
    }
    attempt().await
}

fn is_lost(error: &DbErr) -> bool {
    let (DbErr::Conn(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) | DbErr::Exec(RuntimeErr::SqlxError(error))) = error
    else {
        return false;
    };
    match &**error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| code.starts_with("57P0")),
        _ => false,
    }
}

impl TenantTx {
    /// The partner this unit of work belongs to.
    #[must_use]
    pub fn partner(&self) -> Id<Partner> {
        self.partner
    }

    /// Makes the work last.
    ///
    /// # Errors
    /// When the database does not confirm it.
    pub async fn commit(self) -> Result<(), DbErr> {
        self.tx.commit().await
    }

    /// Runs one statement; the values are bound.
    ///
    /// # Errors
    /// What the database says.
    pub async fn run(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<u64, DbErr> {
        Ok(self.tx.execute_raw(statement(sql, values)).await?.rows_affected())
    }

    /// The rows of one statement; the values are bound.
    ///
    /// # Errors
    /// What the database says.
    pub async fn rows(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Vec<QueryResult>, DbErr> {
        self.tx.query_all_raw(statement(sql, values)).await
    }

    /// The first row of one statement; the values are bound.
    ///
    /// # Errors
    /// What the database says.
    pub async fn row(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Option<QueryResult>, DbErr> {
        self.tx.query_one_raw(statement(sql, values)).await
    }
}

impl ControlTx {
    /// Makes the work last.
    ///
    /// # Errors
    /// When the database does not confirm it.
    pub async fn commit(self) -> Result<(), DbErr> {
        self.tx.commit().await
    }

    /// Runs one statement; the values are bound.
    ///
    /// # Errors
    /// What the database says.
    pub async fn run(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<u64, DbErr> {
        Ok(self.tx.execute_raw(statement(sql, values)).await?.rows_affected())
    }

    /// The rows of one statement; the values are bound.
    ///
    /// # Errors
    /// What the database says.
    pub async fn rows(&self, sql: &'static str, values: impl IntoIterator<Item = Value>) -> Result<Vec<QueryResult>, DbErr> {
        self.tx.query_all_raw(statement(sql, values)).await
    }
}

/// Entities are read and written through the unit of work itself.
#[async_trait::async_trait]
impl ConnectionTrait for TenantTx {
    fn get_database_backend(&self) -> DbBackend {
        DbBackend::Postgres
    }
    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.tx.execute_raw(statement).await
    }
    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.tx.execute_unprepared(sql).await
    }
    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.tx.query_one_raw(statement).await
    }
    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.tx.query_all_raw(statement).await
    }
}
