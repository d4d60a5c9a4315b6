//! Creating partners and their people: plain functions over the owner's connection.

use std::collections::BTreeMap;

use kernel::{Account, Admin, Group, Id, Partner, Restaurant};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, Statement, TransactionTrait};
use sea_orm_migration::MigratorTraitSelf;
use uuid::Uuid;

use crate::{
    relocate::server_of,
    servers::HOME,
    setup::Setup,
    shape::Shape,
    tx::{all, one, statement, value},
};

#[derive(Debug, Clone)]
pub struct PartnerSpec {
    /// Its id, so that a repeated creation meets the first.
    pub id: Id<Partner>,
    pub name: String,
    /// `live`, `sandbox` or `demo`.
    pub mode: &'static str,
    pub group: Id<Group>,
    /// Restaurants to begin with: id and name.
    pub restaurants: Vec<(Id<Restaurant>, String)>,
}

/// A partner and, for a restaurant's admin, the restaurants.
pub type AdminTarget = (Id<Partner>, Option<Vec<Id<Restaurant>>>);

/// A person to be made an admin of a partner; the account is made when there is none with this address.
#[derive(Debug, Clone)]
pub struct AdminSpec {
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    /// Argon2id hash of the password; none leaves the account without one.
    pub password_hash: Option<String>,
    /// Whether the account may everything.
    pub super_admin: bool,
    /// The partner and, for a restaurant's admin, the restaurants. None for a super admin without a partner.
    pub target: Option<AdminTarget>,
    pub permission_keys: Vec<String>,
    /// Grants all keys of the target.
    pub full_target_access: bool,
    pub surfaces: Vec<String>,
}

#[derive(FromQueryResult)]
struct SavedAdmin {
    id: Uuid,
    role: String,
}

/// Creates and migrates partners. Exists only where the owner's address is configured.
pub struct Provisioner<'a> {
    pub(crate) setup: &'a Setup,
    /// The servers beside the home server, by name.
    servers: Option<&'a BTreeMap<String, Setup>>,
    /// A partner on another server has taken the newest migration.
    pub(crate) proved: bool,
}

impl<'a> Provisioner<'a> {
    /// Works over this owner's connection.
    #[must_use]
    pub fn new(setup: &'a Setup) -> Self {
        Self { setup, servers: None, proved: false }
    }

    /// The same, which also reaches partners on these servers.
    #[must_use]
    pub fn with_servers(self, servers: &'a BTreeMap<String, Setup>) -> Self {
        Self { servers: Some(servers), ..self }
    }

    /// The same; `proved` says that a partner on another server has taken the newest migration. Then those who fail
    /// are at fault, and not the migration.
    #[must_use]
    pub fn proved(self, proved: bool) -> Self {
        Self { proved, ..self }
    }

    pub(crate) fn servers(&self) -> impl Iterator<Item = &'a Setup> {
        self.servers.into_iter().flat_map(BTreeMap::values)
    }

    /// The connection of the server that a partner is on; none for the home server.
    pub(crate) async fn elsewhere(&self, partner: Id<Partner>) -> Result<Option<(String, &'a Setup)>, DbErr> {
        let name = server_of(self.setup, partner).await?;
        if name == HOME {
            return Ok(None);
        }
        let server = self.servers.and_then(|servers| servers.get(&name));
        let unknown = || DbErr::Custom(format!("PULT_DATABASE_SERVERS_OWNER has no {name}"));
        Ok(Some((name.clone(), server.ok_or_else(unknown)?)))
    }

    /// Creates a partner whole or not at all: role, schema, tables, first rows, directory. Repeating it
    /// changes nothing.
    /// Errors: What the database says; then nothing was made.
    pub async fn create(&self, partner: &PartnerSpec) -> Result<(), DbErr> {
        let tx = self.setup.db.begin().await?;
        tx.execute_raw(statement(
            "select pg_advisory_xact_lock(hashtextextended($1, 0))",
            [partner.id.to_string().into()],
        ))
        .await?;
        let known = tx
            .query_one_raw(statement(
                "select 1 from control.partner where id = $1",
                [partner.id.uuid().into()],
            ))
            .await?;
        if known.is_some() {
            return Ok(());
        }
        let role = role_of(&tx, partner.id).await?;
        make_role(&tx, &role).await?;
        make_schema(&tx, self.setup.shape, &role, &role).await?;
        tx.execute_raw(statement(
            "insert into control.partner (id, name, mode, role, schema_version) values ($1, $2, $3, $4, $5)",
            [
                partner.id.uuid().into(),
                partner.name.clone().into(),
                partner.mode.into(),
                role.clone().into(),
                self.setup.shape.newest.into(),
            ],
        ))
        .await?;
        first_rows(&tx, partner.id, (partner.group, &partner.name), &partner.restaurants, "huf").await?;
        tx.commit().await
    }

    /// Makes an account and, when it has a target, its admin row and the tenant's staff copy. Repeating it
    /// renews the grants. The credentials count as the account's own: it is for demo data and tests, never
    /// for somebody whose password another one chose.
    pub async fn save_admin(&self, admin: &AdminSpec) -> Result<Id<Account>, DbErr> {
        let tx = self.setup.db.begin().await?;
        let account: Uuid = value(
            &tx,
            "insert into control.account (id, email, first_name, last_name, password_hash, super_admin, \
                 own) \
                 values ($1, lower($2), $3, $4, $5, $6, true) on conflict (email) do update \
                 set password_hash = coalesce(case when control.account.own then \
                 control.account.password_hash end, excluded.password_hash), \
                     own = true, held_by = null, credentials = control.account.credentials + 1, \
                     super_admin = control.account.super_admin or excluded.super_admin returning id",
            [
                Uuid::new_v4().into(),
                admin.email.clone().into(),
                admin.first_name.clone().into(),
                admin.last_name.clone().into(),
                admin.password_hash.clone().into(),
                admin.super_admin.into(),
            ],
        )
        .await?
        .ok_or(DbErr::RecordNotInserted)?;
        if let Some((partner, restaurants)) = &admin.target {
            let SavedAdmin { id, role } = one(
                &tx,
                "insert into control.admin (id, account_id, partner_id, target_type, restaurant_ids, \
                     permission_keys, full_target_access, surfaces) \
                     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (account_id, partner_id) do update \
                     set permission_keys = excluded.permission_keys, restaurant_ids = \
                     excluded.restaurant_ids, target_type = excluded.target_type, \
                         full_target_access = excluded.full_target_access, surfaces = excluded.surfaces, \
                         version = control.admin.version + 1 \
                     returning id, (select role from control.partner where id = $3) role",
                [
                    Id::<Admin>::new().uuid().into(),
                    account.into(),
                    partner.uuid().into(),
                    if restaurants.is_some() { "Restaurant" } else { "Partner" }.into(),
                    restaurants.as_ref().map(|ids| ids.iter().map(|id| id.uuid()).collect::<Vec<_>>()).into(),
                    admin.permission_keys.clone().into(),
                    admin.full_target_access.into(),
                    admin.surfaces.clone().into(),
                ],
            )
            .await?
            .ok_or(DbErr::RecordNotInserted)?;
            let name = format!("{} {}", admin.last_name, admin.first_name).trim().to_owned();
            let copy = statement(
                "insert into staff (admin_id, name, email) values ($1, $2, lower($3)) on conflict (admin_id) \
                 do update set name = excluded.name, email = excluded.email",
                [id.into(), name.into(), admin.email.clone().into()],
            );
            match self.elsewhere(*partner).await? {
                None => run_in(&tx, &role, copy).await?,
                Some((_, there)) => {
                    let there = there.db.begin().await?;
                    run_in(&there, &role, copy).await?;
                    there.commit().await?;
                }
            }
        }
        tx.commit().await?;
        Ok(account.into())
    }

    /// Runs one statement in a partner's schema, as the owner: for demo data.
    /// Errors: What the database says; `RecordNotFound` without such a partner.
    pub async fn run(
        &self, partner: Id<Partner>, sql: &'static str, values: impl IntoIterator<Item = sea_orm::Value>,
    ) -> Result<(), DbErr> {
        let role = role_of(&self.setup.db, partner).await?;
        let there = self.elsewhere(partner).await?.map_or(self.setup, |(_, there)| there);
        let tx = there.db.begin().await?;
        run_in(&tx, &role, statement(sql, values)).await?;
        tx.commit().await
    }

    /// Switches on a second factor that was set up beforehand, unless the account has one. `secret` comes
    /// sealed.
    pub async fn save_second_factor(&self, account: Id<Account>, secret: Vec<u8>) -> Result<(), DbErr> {
        self.setup
            .db
            .execute_raw(statement(
                "insert into control.second_factor (account_id, secret, confirmed_at) values ($1, $2, now()) \
                 on conflict (account_id) do update \
                 set secret = excluded.secret, confirmed_at = now() where second_factor.secret is null",
                [account.uuid().into(), secret.into()],
            ))
            .await
            .map(drop)
    }

    /// Makes the account of this address a super admin. All earlier ways to sign in to it end at once. It
    /// gets the second factor that `seal` answers, if any, and a one-time link with this hash, valid for one
    /// hour, that sets its password.
    /// Errors: What the database says, and what `seal` says; then nothing has changed.
    pub async fn make_super_admin<E: From<DbErr>>(
        &self, email: &str, seal: impl FnOnce(Id<Account>) -> Result<Option<Vec<u8>>, E>, link: Vec<u8>,
    ) -> Result<Id<Account>, E> {
        let tx = self.setup.db.begin().await?;
        let sql = "insert into control.account (id, email, super_admin) values ($1, lower($2), true) \
                   on conflict (email) do update set super_admin = true returning id";
        let account: Uuid =
            value(&tx, sql, [Uuid::new_v4().into(), email.into()]).await?.ok_or(DbErr::RecordNotInserted)?;
        tx.execute_raw(statement("select control.clear_credentials($1)", [account.into()])).await?;
        if let Some(secret) = seal(account.into())? {
            let sql =
                "insert into control.second_factor (account_id, secret, confirmed_at) values ($1, $2, now())";
            tx.execute_raw(statement(sql, [account.into(), secret.into()])).await?;
        }
        let sql = "insert into control.ticket (hash, account_id, purpose, expires_at) values ($1, $2, \
            'password', now() + interval '1 hour')";
        tx.execute_raw(statement(sql, [link.into(), account.into()])).await?;
        tx.commit().await?;
        Ok(account.into())
    }
}

/// The name of a partner's role and schema: of the installation and the id, never of a name (architecture).
pub(crate) async fn role_of(db: &impl ConnectionTrait, partner: Id<Partner>) -> Result<String, DbErr> {
    let name: Option<String> = value(db, "select name from control.installation", []).await?;
    let installation = name.ok_or_else(|| DbErr::Custom("run pult migrate first".to_owned()))?;
    // [a-z0-9_] only: the installation is checked by its table, the id is a UUID.
    Ok(format!("pult_{installation}_{}", partner.uuid().simple()))
}

/// Runs a statement with this schema as the path.
async fn run_in(tx: &DatabaseTransaction, schema: &str, sql: Statement) -> Result<(), DbErr> {
    tx.execute_raw(statement("select set_config('search_path', $1, true)", [schema.into()])).await?;
    tx.execute_raw(sql).await.map(drop)
}

/// The partner's role, which the login role may become; nothing when it is there already.
pub(crate) async fn make_role(tx: &DatabaseTransaction, role: &str) -> Result<(), DbErr> {
    let known =
        tx.query_one_raw(statement("select 1 from pg_roles where rolname = $1", [role.into()])).await?;
    if known.is_none() {
        tx.execute_unprepared(&format!(
            "create role {role} nologin in role pult_tenant; grant {role} to pult_app"
        ))
        .await?;
    }
    Ok(())
}

/// This instance is not of the installation's release: it makes and migrates no schema. One of the right release does.
pub(crate) fn of_another_release(shape: Shape, installed: &str) -> DbErr {
    DbErr::Migration(format!("this instance is of {}, the installation of {installed}", shape.newest))
}

/// A schema for this role with all tables of this shape. The transaction goes on as `pult_owner` in that
/// schema.
/// Errors: Also when the installation is at another version ([`DbErr::Migration`]): an instance that a newer
/// release is about to replace would make a schema that nobody migrates until the next run.
pub(crate) async fn make_schema(
    tx: &DatabaseTransaction, shape: Shape, schema: &str, role: &str,
) -> Result<(), DbErr> {
    let installed: Option<String> = value(tx, "select schema_version from control.installation", []).await?;
    if installed.as_deref() != Some(shape.newest) {
        return Err(of_another_release(shape, &installed.unwrap_or_default()));
    }
    tx.execute_unprepared(&format!(
        "create schema {schema} authorization pult_owner; grant usage on schema {schema} to {role}; \
         set local role pult_owner; \
         alter default privileges in schema {schema} grant select, insert, update, delete on tables to \
         {role}; \
         alter default privileges in schema {schema} grant usage on sequences to {role}; \
         set local search_path = {schema}; set local lock_timeout = '2s'"
    ))
    .await?;
    migrate_schema(tx, shape, schema, role).await
}

/// The features that a new restaurant begins with. Balance and loyalty wait for customers.
pub const FIRST_FEATURES: [&str; 3] = ["kiosk", "push", "tv"];

/// The first group with its depot and its restaurants, in the current schema and the directory.
pub(crate) async fn first_rows(
    tx: &DatabaseTransaction, partner: Id<Partner>, (group, group_name): (Id<Group>, &str),
    restaurants: &[(Id<Restaurant>, String)], currency: &str,
) -> Result<(), DbErr> {
    let sql = "insert into restaurant_group (id, name, currency) values ($1, $2, $3)";
    tx.execute_raw(statement(sql, [group.uuid().into(), group_name.into(), currency.into()])).await?;
    let sql = "insert into depot (id, restaurant_group_id) values (gen_random_uuid(), $1)";
    tx.execute_raw(statement(sql, [group.uuid().into()])).await?;
    for (id, name) in restaurants {
        let sql = "insert into restaurant (id, restaurant_group_id, name, currency) values ($1, $2, $3, $4)";
        tx.execute_raw(statement(
            sql,
            [id.uuid().into(), group.uuid().into(), name.clone().into(), currency.into()],
        ))
        .await?;
        tx.execute_raw(statement(
            "insert into restaurant_counter (restaurant_id) values ($1)",
            [id.uuid().into()],
        ))
        .await?;
        let sql = "insert into restaurant_feature (restaurant_id, feature) select $1, unnest($2::text[])";
        let features: Vec<String> = FIRST_FEATURES.map(str::to_owned).into();
        tx.execute_raw(statement(sql, [id.uuid().into(), features.into()])).await?;
        let sql = "insert into control.restaurant (id, partner_id, group_id, name, zone, currency) values \
            ($1, $2, $3, $4, 'Europe/Budapest', $5)";
        let values = [
            id.uuid().into(),
            partner.uuid().into(),
            group.uuid().into(),
            name.clone().into(),
            currency.into(),
        ];
        tx.execute_raw(statement(sql, values)).await?;
    }
    Ok(())
}

#[derive(FromQueryResult)]
struct Relation {
    relname: String,
    is_view: bool,
}

/// Runs tenant migrations in the current schema, then takes from the tenant's role what it may not do to
/// ledgers, and writing through the views for readers.
pub(crate) async fn migrate_schema(
    tx: &DatabaseTransaction, shape: Shape, schema: &str, role: &str,
) -> Result<(), DbErr> {
    shape.tenant.up(tx, None).await?;
    let found = all(
        tx,
        "select c.relname, c.relkind = 'v' is_view from pg_catalog.pg_class c where c.relnamespace = \
             to_regnamespace($1) and (c.relkind = 'v' or c.relkind = 'r' and c.relname = any ($2))",
        [schema.into(), shape.ledgers.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>().into()],
    )
    .await?;
    let mut revokes = String::new();
    for Relation { relname: name, is_view } in found {
        let rights = if is_view { "insert, update, delete" } else { "update, delete" };
        revokes += &format!("revoke {rights} on {schema}.{name} from {role}; ");
    }
    // The list of migrations is the owner's, not the tenant's.
    revokes += &format!("revoke insert, update, delete on {schema}.seaql_migrations from {role}");
    tx.execute_unprepared(&revokes).await.map(drop)
}
