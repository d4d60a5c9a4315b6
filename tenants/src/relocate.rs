//! Moves a partner's schema to another database server, by Postgres' logical replication: it is copied while the partner
//! works, and only the last changes make it wait. See `docs/decisions/tenancy.md#servers`.

use std::time::{Duration, Instant};

use kernel::{Id, Partner, error::is_lock_timeout};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};
use url::Url;

use crate::{
    migrate::RUNNER,
    objects,
    provision::{make_role, make_schema, migrate_schema},
    servers::HOME,
    setup::Setup,
    tx::{column, is_true, one, statement, value},
};

/// For so long the copy may have nothing new before the move is given up.
pub(crate) const STALLED: Duration = Duration::from_secs(600);
/// For so long the partner waits at most; then it goes on where it was.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// A database server as the owner reaches it.
#[derive(Clone, Copy)]
pub struct OwnedServer<'a> {
    /// As rows of partners name it; [`HOME`] is the one with `control`.
    pub name: &'a str,
    pub setup: &'a Setup,
    /// Its address with the owner, as the other servers reach it too.
    pub url: &'a Url,
}

#[derive(Debug, Clone, Copy)]
pub struct Moved {
    /// How long the copy took while the partner worked.
    pub copied_in: Duration,
    /// How long the partner had to wait.
    pub paused: Duration,
}

/// What it takes to move one partner.
pub struct Relocation<'a> {
    pub partner: Id<Partner>,
    /// The server with `control`.
    pub home: &'a Setup,
    pub from: OwnedServer<'a>,
    pub to: OwnedServer<'a>,
    /// The partner waits while everything is copied: what a server does that replicates nothing.
    pub at_rest: bool,
    /// What the target has of a partner that does not move there is removed.
    pub overwrite: bool,
}

#[derive(FromQueryResult)]
pub(crate) struct Row {
    name: String,
    mode: String,
    pub(crate) status: String,
    pub(crate) role: String,
    pub(crate) server: String,
    pub(crate) schema_version: Option<String>,
    /// The target of a move that was cut.
    pub(crate) moving: Option<String>,
}

/// Where a partner is by its row at home.
/// Errors: What the database says; `RecordNotFound` without such a partner.
pub async fn server_of(home: &Setup, partner: Id<Partner>) -> Result<String, DbErr> {
    let sql = "select server from control.partner where id = $1";
    let found = value(&home.db, sql, [partner.uuid().into()]).await?;
    found.ok_or_else(|| DbErr::RecordNotFound(partner.to_string()))
}

/// Brings the reference data that the platform writes at home to another server.
pub async fn copy_reference(home: &Setup, there: &Setup) -> Result<(), DbErr> {
    let all: Option<serde_json::Value> = value(&home.db, "select control.reference()", []).await?;
    there.db.query_all_raw(statement("select control.take_reference($1)::text", [all.into()])).await.map(drop)
}

/// Ends a move of this partner that was cut, whoever the target is: the partner goes on at `place`, where its row
/// says that it is.
pub async fn stay(home: &Setup, place: OwnedServer<'_>, partner: Id<Partner>) -> Result<(), DbErr> {
    let cut = Relocation { partner, home, from: place, to: place, at_rest: true, overwrite: false };
    let gate = cut.gate().await?;
    let row = cut.row().await?;
    if row.server != place.name || row.moving.is_none() {
        return Err(refused(&format!("no move of the partner was cut; it is on {}", row.server)));
    }
    cut.go_on_at_source(&row).await?;
    cut.clear_channel().await?;
    gate.commit().await
}

impl Relocation<'_> {
    /// Moves the partner. Cut short anywhere it can be run again: until the row at home names the other server,
    /// everything is where it was.
    /// Errors: What does not fit, in a sentence, or what a database says. Then the partner works where it
    /// was.
    pub async fn run(&self, progress: impl Fn(&str)) -> Result<Moved, DbErr> {
        self.check_apart().await?;
        let gate = self.gate().await?;
        let row = self.check().await?;
        self.check_target(&row).await?;
        self.claim().await?;
        self.clear_target(&row).await?;
        let copied = Instant::now();
        let outcome = async {
            self.prepare_target(&row).await?;
            if !self.at_rest {
                self.copy(&row, &progress).await?;
            }
            let copied_in = copied.elapsed();
            progress("the partner waits for the rest");
            let paused = Instant::now();
            let longest = if self.at_rest { STALLED } else { LONGEST_PAUSE };
            let held = tokio::time::timeout(longest, self.switch(&row)).await;
            held.map_err(|_| refused("the last changes took too long"))??;
            Ok(Moved { copied_in, paused: paused.elapsed() })
        };
        match outcome.await {
            Ok(moved) => {
                progress("the partner works on the other server; what is left behind is removed");
                self.clear_source(&row).await?;
                gate.commit().await?;
                Ok(moved)
            }
            Err(error) => {
                // The row at home says which of both holds, also when its change was cut.
                if server_of(self.home, self.partner).await? == self.from.name {
                    self.go_on_at_source(&row).await?;
                    // A change that was on its way is decided by now: both change the same row.
                    if server_of(self.home, self.partner).await? == self.from.name {
                        self.clear_target(&row).await?;
                    }
                }
                gate.rollback().await?;
                Err(error)
            }
        }
    }

    /// No migration and no other move until this ends.
    async fn gate(&self) -> Result<DatabaseTransaction, DbErr> {
        let gate = self.home.db.begin().await?;
        let alone = statement("select pg_try_advisory_xact_lock($1) alone", [RUNNER.into()]);
        if is_true(gate.query_one_raw(alone).await?.as_slice()) {
            return Ok(gate);
        }
        Err(refused("pult migrate or another move is under way"))
    }

    pub(crate) async fn row(&self) -> Result<Row, DbErr> {
        let sql = "select name, mode, status, role, server, schema_version, plan ->> 'move' as moving \
            from control.partner where id = $1";
        let row: Option<Row> = one(&self.home.db, sql, [self.id()]).await?;
        row.ok_or_else(|| refused("there is no such partner"))
    }

    /// Says in the row that the partner moves, and where to: no restore, removal or other move begins meanwhile.
    async fn claim(&self) -> Result<(), DbErr> {
        let sql = "update control.partner set plan = jsonb_build_object('move', $2::text) \
            where id = $1 and (plan is null or plan ->> 'move' = $2)";
        let claimed = self.home.db.execute_raw(statement(sql, [self.id(), self.to.name.into()])).await?;
        if claimed.rows_affected() == 1 {
            return Ok(());
        }
        Err(refused(
            "somebody else works on the partner, or a move to another server was cut: run that one again",
        ))
    }

    pub(crate) fn id(&self) -> sea_orm::Value {
        self.partner.uuid().into()
    }

    /// The name of publication, subscription and slot.
    pub(crate) fn channel(&self) -> String {
        format!("pult_move_{}", self.partner.uuid().simple())
    }

    /// Takes away what an earlier attempt has left at the target; there is nothing else of this partner.
    async fn clear_target(&self, row: &Row) -> Result<(), DbErr> {
        let (db, channel) = (&self.to.setup.db, self.channel());
        let known = "select 1 from pg_subscription where subname = $1";
        if db.query_one_raw(statement(known, [channel.clone().into()])).await?.is_some() {
            db.execute_unprepared(&format!("alter subscription {channel} disable")).await?;
            let drop = format!("drop subscription {channel}");
            // With its slots at the source; those may be gone.
            if db.execute_unprepared(&drop).await.is_err() {
                db.execute_unprepared(&format!("alter subscription {channel} set (slot_name = none)"))
                    .await?;
                db.execute_unprepared(&drop).await?;
            }
        }
        db.execute_unprepared(&format!("drop schema if exists {} cascade", row.role)).await?;
        let mirror = "delete from control.partner where id = $1 and $2";
        db.execute_raw(statement(mirror, [self.id(), (self.to.name != HOME).into()])).await?;
        self.clear_channel().await
    }

    /// The empty schema, without the rows that migrations write: those come with the others.
    async fn prepare_target(&self, row: &Row) -> Result<(), DbErr> {
        if self.to.name != HOME {
            copy_reference(self.home, self.to.setup).await?;
        }
        let tx = self.to.setup.db.begin().await?;
        make_role(&tx, &row.role).await?;
        make_schema(&tx, self.to.setup.shape, &row.role, &row.role).await?;
        let tables = tables(&tx, &row.role).await?;
        tx.execute_unprepared(&format!("truncate {}, control.move_mark", tables.join(", "))).await?;
        tx.commit().await
    }

    /// The partner waits: the last changes follow, and the row at home names the other server.
    async fn switch(&self, row: &Row) -> Result<(), DbErr> {
        // Others may have started since the copy began.
        self.check_instances().await?;
        self.pause().await?;
        let fence = self.fence(row).await?;
        if !self.at_rest && self.published().await? != tables(&fence, &row.role).await?.len() as i64 + 1 {
            return Err(refused("the partner's tables are others than when the copy began"));
        }
        if self.at_rest {
            self.copy_at_rest(row).await?;
        } else {
            self.wait_for_the_rest().await?;
        }
        self.sequences(row).await?;
        // As the fence sees it: sealing locks the head before it writes.
        let head =
            "select (to_jsonb(h) - 'partner_id')::text from control.audit_head h where partner_id = $1";
        let head: Option<String> = value(&fence, head, [self.id()]).await?;
        // Who waits at the fence may not write any more when it falls, and nothing of it would be copied.
        fence.commit().await?;
        self.arrive(row, head).await?;
        self.change_row().await
    }

    /// No unit of work begins any more.
    async fn pause(&self) -> Result<(), DbErr> {
        // Requests wait for the end of a pause that has just begun (`pause.rs`).
        let sql = "update control.partner set plan = jsonb_build_object('move', $2::text, 'paused_at', now()), \
            status_before = case when status = 'maintenance' then status_before else status end, \
            status = 'maintenance' where id = $1 and plan ->> 'move' = $2 and schema_version = $3 \
            and status in ('active', 'suspended', 'maintenance')";
        let values = [self.id(), self.to.name.into(), self.home.shape.newest.into()];
        let paused = self.home.db.execute_raw(statement(sql, values)).await?;
        if paused.rows_affected() == 0 {
            return Err(refused("somebody else has begun to work on the partner"));
        }
        if self.from.name != HOME {
            let sql = "update control.partner set status = 'maintenance' where id = $1";
            self.from.setup.db.execute_raw(statement(sql, [self.id()])).await?;
        }
        Ok(())
    }

    /// Waits for units of work that have begun: whoever has written comes to an end, whoever has not cannot any more.
    async fn fence(&self, row: &Row) -> Result<DatabaseTransaction, DbErr> {
        let mut tries = 0;
        loop {
            let tx = self.from.setup.db.begin().await?;
            let fenced = async {
                tx.execute_unprepared("set local lock_timeout = '3s'").await?;
                // Nor is an archive being written, which keeps objects by a lock of this server.
                tx.execute_raw(statement(objects::KEEP, [objects::lock(self.partner).into()])).await?;
                tx.execute_unprepared("set local role pult_owner").await?;
                let tables = tables(&tx, &row.role).await?.join(", ");
                tx.execute_unprepared(&format!(
                    "lock table {tables} in share mode; revoke insert, update, delete on {tables} from {}",
                    row.role
                ))
                .await
            };
            match fenced.await {
                Ok(_) => return Ok(tx),
                Err(error) if tries < 2 && (is_lock_timeout(&error) || is_deadlock(&error)) => tries += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// What `control` of the target knows of its partners.
    async fn arrive(&self, row: &Row, head: Option<String>) -> Result<(), DbErr> {
        let tx = self.to.setup.db.begin().await?;
        if self.to.name != HOME {
            let sql = "insert into control.partner (id, name, mode, status, role, schema_version) values ($1, $2, $3, \
                'active', $4, $5)";
            let values = [
                self.id(),
                row.name.clone().into(),
                row.mode.clone().into(),
                row.role.clone().into(),
                row.schema_version.clone().into(),
            ];
            tx.execute_raw(statement(sql, values)).await?;
        }
        if let Some(head) = head {
            tx.execute_raw(statement("delete from control.audit_head where partner_id = $1", [self.id()]))
                .await?;
            let sql = "insert into control.audit_head select (jsonb_populate_record(null::control.audit_head, \
                $2::jsonb || jsonb_build_object('partner_id', $1))).*";
            tx.execute_raw(statement(sql, [self.id(), head.into()])).await?;
        }
        tx.commit().await
    }

    async fn change_row(&self) -> Result<(), DbErr> {
        let sql = "update control.partner set server = $2, plan = null, status_before = null, \
            status = coalesce(status_before, 'active') \
            where id = $1 and server = $3 and status = 'maintenance' and plan ->> 'move' = $2";
        let values = [self.id(), self.to.name.into(), self.from.name.into()];
        let changed = self.home.db.execute_raw(statement(sql, values)).await?;
        if changed.rows_affected() == 1 {
            return Ok(());
        }
        Err(refused("somebody else has begun to work on the partner"))
    }

    /// Carries the jobs that nobody has carried yet, and ends the row that they hang on.
    async fn leave(&self, tx: &DatabaseTransaction) -> Result<(), DbErr> {
        // Waits for units of work that write one, and lets nobody write another.
        let sql = "select 1 from control.partner where id = $1 for update";
        tx.query_all_raw(statement(sql, [self.id()])).await?;
        let sql = "select coalesce(jsonb_agg(to_jsonb(j)), '[]') from control.job j where partner_id = $1";
        let jobs: Option<serde_json::Value> = value(tx, sql, [self.id()]).await?;
        let sql = "select control.take_jobs($1)::text";
        self.home.db.query_all_raw(statement(sql, [jobs.into()])).await?;
        let sql = "delete from control.partner where id = $1";
        tx.execute_raw(statement(sql, [self.id()])).await.map(drop)
    }

    /// The partner goes on where it was.
    async fn go_on_at_source(&self, row: &Row) -> Result<(), DbErr> {
        let tx = self.from.setup.db.begin().await?;
        tx.execute_unprepared(&format!(
            "set local role pult_owner; set local search_path = {}; grant insert, update, delete on {} to {}",
            row.role,
            tables(&tx, &row.role).await?.join(", "),
            row.role
        ))
        .await?;
        migrate_schema(&tx, self.from.setup.shape, &row.role, &row.role).await?;
        tx.commit().await?;
        if self.from.name != HOME {
            let sql = "update control.partner set status = 'active' where id = $1";
            self.from.setup.db.execute_raw(statement(sql, [self.id()])).await?;
        }
        let sql = "update control.partner set status = coalesce(status_before, 'active'), status_before = null, \
            plan = null where id = $1 and status = 'maintenance' and plan ? 'move'";
        self.home.db.execute_raw(statement(sql, [self.id()])).await?;
        // One that never came to its pause.
        let sql = "update control.partner set plan = null where id = $1 and plan ? 'move'";
        self.home.db.execute_raw(statement(sql, [self.id()])).await.map(drop)
    }

    /// Removes what an earlier move has left at `from` of a partner that is at `to` by now.
    pub async fn clear_left(&self) -> Result<(), DbErr> {
        self.check_apart().await?;
        let gate = self.gate().await?;
        let row = self.row().await?;
        if row.server != self.to.name || self.from.name == self.to.name {
            return Err(refused(&format!("the partner is on {}", row.server)));
        }
        let there = statement("select to_regnamespace($1) is not null", [row.role.clone().into()]);
        if !is_true(self.to.setup.db.query_one_raw(there).await?.as_slice()) {
            return Err(refused(&format!(
                "the row names {}, and there is no schema: nothing is removed",
                row.server
            )));
        }
        self.clear_source(&row).await?;
        gate.commit().await
    }

    /// Removes what the partner left behind.
    async fn clear_source(&self, row: &Row) -> Result<(), DbErr> {
        self.to
            .setup
            .db
            .execute_unprepared(&format!("drop subscription if exists {}", self.channel()))
            .await?;
        self.clear_channel().await?;
        let tx = self.from.setup.db.begin().await?;
        tx.execute_unprepared(&format!("drop schema if exists {} cascade", row.role)).await?;
        let sql = "delete from control.audit_head where partner_id = $1";
        tx.execute_raw(statement(sql, [self.id()])).await?;
        if self.from.name != HOME {
            self.leave(&tx).await?;
        }
        tx.commit().await
    }
}

pub(crate) fn refused(why: &str) -> DbErr {
    DbErr::Custom(why.to_owned())
}

/// The tables of a schema but the list of its migrations.
pub(crate) async fn tables(db: &impl ConnectionTrait, schema: &str) -> Result<Vec<String>, DbErr> {
    let sql = "select format('%I.%I', n.nspname, c.relname) from pg_catalog.pg_class c \
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace \
        where n.nspname = $1 and c.relkind = 'r' and c.relname <> 'seaql_migrations' order by 1";
    column(&db.query_all_raw(statement(sql, [schema.into()])).await?)
}

fn is_deadlock(error: &DbErr) -> bool {
    crate::door::code(error).as_deref() == Some("40P01")
}
