//! Removes a partner for good, after the days of grace: schema, role, people, sessions, jobs, directory rows.
//! See `docs/decisions/tenancy.md#removal`.

use kernel::{Id, Partner};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use crate::{
    provision::{Provisioner, role_of},
    setup::Setup,
    tx::{all, statement, value},
};

/// Every table of `control` that names a partner, but those of the platform's own audit log: that somebody
/// removed the partner must stay known. Their details are emptied instead.
const TABLES: &str = "select c.relname name, c.relname like '%audit%' log from pg_catalog.pg_class c \
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'partner_id' and not a.attisdropped \
    where c.relnamespace = 'control'::regnamespace and c.relkind = 'r' and c.relname <> 'job' order by 1";

#[derive(FromQueryResult)]
struct Table {
    name: String,
    log: bool,
}

impl Provisioner<'_> {
    /// Removes a partner whose days of grace are over, whole or not at all. Answers whether there was one.
    /// The caller removes its files first.
    /// Errors: What the database says; then nothing was removed.
    pub async fn remove(&self, partner: Id<Partner>) -> Result<bool, DbErr> {
        let id = || partner.uuid().into();
        let due =
            "select 1 from control.partner where id = $1 and status = 'deleting' and delete_at <= now()";
        if self.setup.db.query_one_raw(statement(due, [id()])).await?.is_none() {
            return Ok(false);
        }
        // On the other servers first, also where a move has left something: cut short, it comes here again.
        self.elsewhere(partner).await?;
        for there in self.servers() {
            remove_schema(there, partner).await?;
        }
        let tx = self.setup.db.begin().await?;
        let sql = "select role from control.partner where id = $1 and status = 'deleting' and delete_at <= \
            now() for update";
        let Some(role) = value::<String>(&tx, sql, [id()]).await? else { return Ok(false) };

        // People who are nobody elsewhere go with it; the counters of their attempts bear their address.
        let sql = "create temporary table gone on commit drop as select ac.id, ac.email from control.account \
            ac \
                   where not ac.super_admin and exists (select from control.admin a where a.account_id = \
                   ac.id and a.partner_id = $1) \
                     and not exists (select from control.admin a where a.account_id = ac.id and a.partner_id \
                     <> $1)";
        tx.execute_raw(statement(sql, [id()])).await?;
        tx.execute_unprepared(
            "delete from control.attempt t using gone where position(gone.email in t.subject) > 0 or \
             position(gone.id::text in t.subject) > 0",
        )
        .await?;
        // People at other partners whose password this partner holds: that password ends.
        let sql = "select control.clear_credentials(ac.id) from control.account ac \
                   where ac.held_by = $1 and not exists (select from gone where gone.id = ac.id) order by \
                   ac.id";
        tx.query_all_raw(statement(sql, [id()])).await?;
        tx.execute_raw(statement(
            "update control.account set last_partner_id = null, last_restaurant_id = \
            null where last_partner_id = $1",
            [id()],
        ))
        .await?;
        for Table { name, log } in all(&tx, TABLES, []).await? {
            if !log {
                // The name comes from the catalogue.
                tx.execute_raw(statement(
                    &format!("delete from control.\"{name}\" where partner_id = $1"),
                    [id()],
                ))
                .await?;
            }
        }
        let sql = "update control.platform_audit set details = null, salt = null where partner_id = $1";
        tx.execute_raw(statement(sql, [id()])).await?;
        tx.execute_unprepared("delete from control.account ac using gone where ac.id = gone.id").await?;
        let sql = "insert into control.platform_audit (id, actor_kind, actor_name, action, partner_id, \
            record_id) \
                   values (gen_random_uuid(), 'job', 'pult', 'partners_remove', $1, $1)";
        tx.execute_raw(statement(sql, [id()])).await?;
        // Jobs go with the row, the one that does this too.
        tx.execute_raw(statement("delete from control.partner where id = $1", [id()])).await?;
        drop_schema(&tx, &role).await?;
        tx.commit().await?;
        Ok(true)
    }
}

/// Removes what another server than the home server has of a partner.
async fn remove_schema(there: &Setup, partner: Id<Partner>) -> Result<(), DbErr> {
    let tx = there.db.begin().await?;
    let role = role_of(&tx, partner).await?;
    // With its jobs and the head of its log.
    tx.execute_raw(statement("delete from control.partner where id = $1", [partner.uuid().into()])).await?;
    drop_schema(&tx, &role).await?;
    tx.commit().await
}

/// Drops schema and role. A partner's role owns nothing and has no right outside of its schemas, so nothing else has to
/// be taken from it: `drop owned` would need the role's own rights, which an owner that is no superuser does not have.
/// The role of another database of the same server stays, and one that another owner has made (Postgres 16).
async fn drop_schema(tx: &DatabaseTransaction, role: &str) -> Result<(), DbErr> {
    tx.execute_unprepared(&format!(
        "drop schema if exists {role} cascade; drop schema if exists {role}_r cascade; \
         do $$ begin drop role if exists {role}; \
         exception when dependent_objects_still_exist or insufficient_privilege then null; end $$"
    ))
    .await?;
    let left =
        tx.query_one_raw(statement("select 1 from pg_roles where rolname = $1", [role.into()])).await?;
    if left.is_some() {
        tracing::warn!(
            role,
            "the role of a removed partner stays: it has no data, and may be dropped by hand"
        );
    }
    Ok(())
}
