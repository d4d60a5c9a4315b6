//! Creating and migrating partners: plain functions over the owner's connection.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use kernel::{Account, Admin, Group, Id, Partner, Restaurant};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, TransactionTrait};
use sea_orm_migration::MigratorTrait;
use uuid::Uuid;

use crate::{setup::Setup, tx::statement};

/// A partner to be made.
#[derive(Debug, Clone)]
pub struct NewPartner {
    /// Its id, so that a repeated creation meets the first.
    pub id: Id<Partner>,
    /// Its name.
    pub name: String,
    /// `live`, `sandbox` or `demo`.
    pub mode: &'static str,
    /// The first restaurant group.
    pub group: Id<Group>,
    /// Restaurants to begin with: id and name.
    pub restaurants: Vec<(Id<Restaurant>, String)>,
}

/// A partner and, for a restaurant's admin, the restaurants.
pub type AdminTarget = (Id<Partner>, Option<Vec<Id<Restaurant>>>);

/// A person to be made an admin of a partner; the account is made when there is none with this address.
#[derive(Debug, Clone)]
pub struct NewAdmin {
    /// E-mail address.
    pub email: String,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Argon2id hash of the password; none leaves the account without one.
    pub password_hash: Option<String>,
    /// Whether the account may everything.
    pub super_admin: bool,
    /// The partner and, for a restaurant's admin, the restaurants. None for a super admin without a partner.
    pub target: Option<AdminTarget>,
    /// What is granted.
    pub permission_keys: Vec<String>,
    /// Grants all keys of the target.
    pub full_target_access: bool,
    /// Where the person may sign in.
    pub surfaces: Vec<String>,
}

/// How the migration of one partner's schema went.
#[derive(Debug)]
pub struct TenantMigration {
    /// The partner.
    pub partner: Id<Partner>,
    /// How long it took.
    pub took: Duration,
    /// Why the partner was set aside.
    pub error: Option<String>,
}

/// Creates and migrates partners. Exists only where the owner's address is configured.
pub struct Provisioner<'a> {
    setup: &'a Setup,
}

impl<'a> Provisioner<'a> {
    /// Works over this owner's connection.
    #[must_use]
    pub fn new(setup: &'a Setup) -> Self {
        Self { setup }
    }

    /// Creates a partner whole or not at all: role, schema, tables, first rows, directory. Repeating it changes nothing.
    ///
    /// # Errors
    /// What the database says; then nothing was made.
    pub async fn create(&self, partner: &NewPartner) -> Result<(), DbErr> {
        let tx = self.setup.db.begin().await?;
        tx.execute_raw(statement("select pg_advisory_xact_lock(hashtextextended($1, 0))", [partner.id.to_string().into()])).await?;
        let known = tx.query_one_raw(statement("select 1 from control.partner where id = $1", [partner.id.uuid().into()])).await?;
        if known.is_some() {
            return Ok(());
        }
        let installation: String = tx
            .query_one_raw(statement("select name from control.installation", []))
            .await?
            .ok_or_else(|| DbErr::Custom("run pult migrate first".to_owned()))?
            .try_get("", "name")?;
        let role = format!("pult_{installation}_{}", partner.id.uuid().simple());
        // The name is made of [a-z0-9_] only: the installation is checked by its table, the id is a UUID.
        tx.execute_unprepared(&format!(
            "create role {role} nologin in role pult_tenant; grant {role} to pult_app; \
             create schema {role} authorization pult_owner; grant usage on schema {role} to {role}; \
             set local role pult_owner; \
             alter default privileges in schema {role} grant select, insert, update, delete on tables to {role}; \
             alter default privileges in schema {role} grant usage on sequences to {role}; \
             set local search_path = {role}; set local lock_timeout = '2s'"
        ))
        .await?;
        tx.execute_raw(statement(
            "insert into control.partner (id, name, mode, role, schema_version) values ($1, $2, $3, $4, $5)",
            [partner.id.uuid().into(), partner.name.clone().into(), partner.mode.into(), role.clone().into(), migrations::newest().into()],
        ))
        .await?;
        migrate_schema(&tx, &role).await?;
        tx.execute_raw(statement(
            "insert into restaurant_group (id, name) values ($1, $2)",
            [partner.group.uuid().into(), partner.name.clone().into()],
        ))
        .await?;
        for (id, name) in &partner.restaurants {
            tx.execute_raw(statement(
                "insert into restaurant (id, restaurant_group_id, name) values ($1, $2, $3)",
                [id.uuid().into(), partner.group.uuid().into(), name.clone().into()],
            ))
            .await?;
            tx.execute_raw(statement("insert into restaurant_counter (restaurant_id) values ($1)", [id.uuid().into()])).await?;
            tx.execute_raw(statement(
                "insert into control.restaurant (id, partner_id, group_id, name, zone) values ($1, $2, $3, $4, 'Europe/Budapest')",
                [id.uuid().into(), partner.id.uuid().into(), partner.group.uuid().into(), name.clone().into()],
            ))
            .await?;
        }
        tx.commit().await
    }

    /// Makes an account and, when it has a target, its admin row and the tenant's staff copy. Repeating it renews the grants.
    ///
    /// # Errors
    /// What the database says.
    pub async fn save_admin(&self, admin: &NewAdmin) -> Result<Id<Account>, DbErr> {
        let tx = self.setup.db.begin().await?;
        let account: Uuid = tx
            .query_one_raw(statement(
                "insert into control.account (id, email, first_name, last_name, password_hash, super_admin) \
                 values ($1, lower($2), $3, $4, $5, $6) on conflict (email) do update \
                 set password_hash = coalesce(control.account.password_hash, excluded.password_hash), \
                     super_admin = control.account.super_admin or excluded.super_admin returning id",
                [
                    Id::<Account>::new().uuid().into(),
                    admin.email.clone().into(),
                    admin.first_name.clone().into(),
                    admin.last_name.clone().into(),
                    admin.password_hash.clone().into(),
                    admin.super_admin.into(),
                ],
            ))
            .await?
            .ok_or_else(|| DbErr::RecordNotInserted)?
            .try_get("", "id")?;
        if let Some((partner, restaurants)) = &admin.target {
            let row = tx
                .query_one_raw(statement(
                    "insert into control.admin (id, account_id, partner_id, target_type, restaurant_ids, permission_keys, full_target_access, surfaces) \
                     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (account_id, partner_id) do update \
                     set permission_keys = excluded.permission_keys, restaurant_ids = excluded.restaurant_ids, target_type = excluded.target_type, \
                         full_target_access = excluded.full_target_access, surfaces = excluded.surfaces, version = control.admin.version + 1 \
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
                ))
                .await?
                .ok_or_else(|| DbErr::RecordNotInserted)?;
            let role: String = row.try_get("", "role")?;
            tx.execute_raw(statement("select set_config('search_path', $1, true)", [role.into()])).await?;
            tx.execute_raw(statement(
                "insert into staff (admin_id, name, email) values ($1, $2, lower($3)) on conflict (admin_id) do update set name = excluded.name, email = excluded.email",
                [
                    row.try_get::<Uuid>("", "id")?.into(),
                    format!("{} {}", admin.last_name, admin.first_name).trim().to_owned().into(),
                    admin.email.clone().into(),
                ],
            ))
            .await?;
        }
        tx.commit().await?;
        Ok(account.into())
    }

    /// Keeps the hash of a one-time link for this account, valid for one hour.
    ///
    /// # Errors
    /// What the database says.
    pub async fn save_password_ticket(&self, account: Id<Account>, hash: Vec<u8>) -> Result<(), DbErr> {
        self.setup
            .db
            .execute_raw(statement(
                "insert into control.ticket (hash, account_id, purpose, expires_at) values ($1, $2, 'password', now() + interval '1 hour')",
                [hash.into(), account.uuid().into()],
            ))
            .await
            .map(drop)
    }

    /// Brings every partner's schema up to date, four at a time. A partner whose migration fails is set aside
    /// (`maintenance`) and the others go on; one that was set aside and now succeeds comes back.
    ///
    /// # Errors
    /// When the list of partners cannot be read.
    pub async fn migrate_all(&self) -> Result<Vec<TenantMigration>, DbErr> {
        let rows = self
            .setup
            .db
            .query_all_raw(statement(
                "select id, role from control.partner where schema_version is distinct from $1 or status = 'maintenance' order by created_at desc",
                [migrations::newest().into()],
            ))
            .await?;
        let partners = rows
            .iter()
            .map(|row| Ok((Id::from_uuid(row.try_get("", "id")?), row.try_get("", "role")?)))
            .collect::<Result<Vec<(Id<Partner>, String)>, DbErr>>()?;
        Ok(stream::iter(partners)
            .map(|(partner, role)| async move {
                let begun = Instant::now();
                let error = self.migrate_one(partner, &role).await.err().map(|error| error.to_string());
                if error.is_some() {
                    let aside =
                        statement("update control.partner set status = 'maintenance' where id = $1 and status = 'active'", [partner.uuid().into()]);
                    let _ = self.setup.db.execute_raw(aside).await;
                }
                TenantMigration { partner, took: begun.elapsed(), error }
            })
            .buffer_unordered(4)
            .collect()
            .await)
    }

    async fn migrate_one(&self, partner: Id<Partner>, role: &str) -> Result<(), DbErr> {
        let tx = self.setup.db.begin().await?;
        tx.execute_raw(statement(
            "select set_config('role', 'pult_owner', true), set_config('search_path', $1, true), set_config('lock_timeout', '2s', true)",
            [role.into()],
        ))
        .await?;
        migrate_schema(&tx, role).await?;
        tx.execute_raw(statement(
            "update control.partner set schema_version = $2, status = case status when 'maintenance' then 'active' else status end where id = $1",
            [partner.uuid().into(), migrations::newest().into()],
        ))
        .await?;
        tx.commit().await
    }
}

/// Runs the tenant migrations in the current schema, then takes from the tenant's role what it may not do to ledgers.
async fn migrate_schema(tx: &DatabaseTransaction, role: &str) -> Result<(), DbErr> {
    migrations::Tenant::up(tx, None).await?;
    for ledger in migrations::LEDGERS {
        let exists = tx.query_one_raw(statement("select to_regclass($1) is not null found", [format!("{role}.{ledger}").into()])).await?;
        if exists.is_some_and(|row| row.try_get("", "found").unwrap_or(false)) {
            tx.execute_unprepared(&format!("revoke update, delete on {role}.{ledger} from {role}")).await?;
        }
    }
    // The list of migrations is the owner's, not the tenant's.
    tx.execute_unprepared(&format!("revoke insert, update, delete on {role}.seaql_migrations from {role}")).await.map(drop)
}
