//! Copies the rows of a partner that moves to the other server: by Postgres' logical replication while it works, or
//! all at once while it waits.

use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, TransactionTrait};
use sqlx::{AssertSqlSafe, Connection, Executor};
use uuid::Uuid;

use crate::{
    relocate::{Relocation, Row, STALLED, refused, tables},
    restore::{self, db_error, references, run},
    tx::{all, statement, value},
};

/// For so long the copy waits for transactions at the source.
const SLOT: Duration = Duration::from_secs(120);
/// So far may the copy be behind when the partner has to wait for the rest, in bytes of the log.
const BEHIND: i64 = 256 * 1024;

impl Relocation<'_> {
    /// Ends the publication, and the slot unless the subscription has taken it along.
    pub(crate) async fn clear_channel(&self) -> Result<(), DbErr> {
        let (db, channel) = (&self.from.setup.db, self.channel());
        let sql = "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1 and active";
        db.query_all_raw(statement(sql, [channel.clone().into()])).await?;
        let sql = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not \
            active";
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            db.query_all_raw(statement(sql, [channel.clone().into()])).await?;
            let left = statement(
                "select 1 from pg_replication_slots where slot_name = $1",
                [channel.clone().into()],
            );
            if db.query_one_raw(left).await?.is_none() || Instant::now() > until {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        db.execute_unprepared(&format!("drop publication if exists {channel}")).await.map(drop)
    }

    /// Copies while the partner works, until little is missing.
    pub(crate) async fn copy(&self, row: &Row, progress: &impl Fn(&str)) -> Result<(), DbErr> {
        let (from, to, channel) = (&self.from.setup.db, &self.to.setup.db, self.channel());
        let tx = from.begin().await?;
        tx.execute_unprepared("set local role pult_owner; truncate control.move_mark").await?;
        let tables = tables(&tx, &row.role).await?;
        let sql = format!("create publication {channel} for table {}, control.move_mark", tables.join(", "));
        tx.execute_unprepared(&sql).await?;
        tx.commit().await?;
        let address = self.from.url.as_str().replace('\'', "''");
        let sql = format!(
            "create subscription {channel} connection '{address}' publication {channel} with (slot_name = '{channel}')"
        );
        let mut own = to.get_postgres_connection_pool().acquire().await.map_err(db_error)?.detach();
        // A statement that fails is logged, and this one has a password. Only a superuser may say that it is not.
        for quiet in ["set log_min_error_statement = panic", "set log_statement = none"] {
            let _ = own.execute(quiet).await;
        }
        // Its slot waits for all transactions that run at the source, prepared ones too.
        let made = tokio::time::timeout(SLOT, own.execute(AssertSqlSafe(sql))).await;
        made.map_err(|_| {
            refused("the source has a long transaction, or one that is prepared: the copy cannot begin")
        })?
        .map_err(db_error)?;
        own.close().await.map_err(db_error)?;
        let sql = "select count(*) filter (where r.srsubstate not in ('r', 's')) from pg_subscription s \
            join pg_subscription_rel r on r.srsubid = s.oid where s.subname = $1";
        let mut open = (i64::MAX, Instant::now());
        loop {
            let left: i64 = value(to, sql, [channel.clone().into()]).await?.unwrap_or_default();
            if left == 0 {
                break;
            }
            if left != open.0 {
                progress(&format!("{left} of {} tables are to be copied", tables.len() + 1));
                open = (left, Instant::now());
            }
            if open.1.elapsed() > STALLED || self.failed(&channel).await? {
                return Err(refused("the copy fails; the log of the target server says why"));
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        // Nobody has looked at the new tables yet.
        to.execute_unprepared(&format!("analyze {}", tables.join(", "))).await?;
        let sql = "select pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::bigint from \
            pg_replication_slots where slot_name = $1";
        let begun = Instant::now();
        while value(from, sql, [channel.clone().into()]).await?.unwrap_or(i64::MAX) > BEHIND {
            if begun.elapsed() > STALLED || self.failed(&channel).await? {
                return Err(refused("the copy does not catch up"));
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }

    pub(crate) async fn published(&self) -> Result<i64, DbErr> {
        let sql = "select count(*) from pg_publication_rel r join pg_publication p on p.oid = r.prpubid where p.pubname = $1";
        Ok(value(&self.from.setup.db, sql, [self.channel().into()]).await?.unwrap_or_default())
    }

    /// Whether Postgres could not write something at the target.
    async fn failed(&self, channel: &str) -> Result<bool, DbErr> {
        let sql = "select apply_error_count + sync_error_count > 3 from pg_stat_subscription_stats where subname = $1";
        Ok(value(&self.to.setup.db, sql, [channel.into()]).await?.unwrap_or(false))
    }

    /// Until everything is there that was written before nobody could write any more.
    pub(crate) async fn wait_for_the_rest(&self) -> Result<(), DbErr> {
        let mark = Uuid::new_v4();
        let sql = "insert into control.move_mark (id) values ($1)";
        self.from.setup.db.execute_raw(statement(sql, [mark.into()])).await?;
        let sql = "select exists (select from control.move_mark where id = $1)";
        while value(&self.to.setup.db, sql, [mark.into()]).await? != Some(true) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let sql = format!("alter subscription {} disable", self.channel());
        self.to.setup.db.execute_unprepared(&sql).await.map(drop)
    }

    /// Copies table by table, of one instant. What refers to what is looked at once all are there.
    pub(crate) async fn copy_at_rest(&self, row: &Row) -> Result<(), DbErr> {
        let mut from = self.from.setup.db.get_postgres_connection_pool().acquire().await.map_err(db_error)?;
        let mut to = self.to.setup.db.get_postgres_connection_pool().acquire().await.map_err(db_error)?;
        let mut there = to.begin().await.map_err(db_error)?;
        let references = references(&mut there, &row.role).await?;
        run(&mut there, references.iter().map(|(drop, _)| drop.as_str()).collect()).await?;
        for (name, (_, columns)) in restore::tables(&mut there, &row.role).await? {
            let table = format!("{}.\"{name}\" ({columns})", row.role);
            let mut rows = from
                .copy_out_raw(&format!("copy {table} to stdout (format binary)"))
                .await
                .map_err(db_error)?;
            let mut sink = there
                .copy_in_raw(&format!("copy {table} from stdin (format binary)"))
                .await
                .map_err(db_error)?;
            while let Some(piece) = rows.try_next().await.map_err(db_error)? {
                sink.send(piece).await.map_err(db_error)?;
            }
            sink.finish().await.map_err(db_error)?;
        }
        run(&mut there, references.iter().map(|(_, add)| add.as_str()).collect()).await?;
        there.commit().await.map_err(db_error)
    }

    pub(crate) async fn sequences(&self, row: &Row) -> Result<(), DbErr> {
        #[derive(FromQueryResult)]
        struct Sequence {
            name: String,
            last: i64,
        }
        let sql = "select format('%I.%I', schemaname, sequencename) as name, last_value as last from pg_sequences \
            where schemaname = $1 and last_value is not null";
        let found: Vec<Sequence> = all(&self.from.setup.db, sql, [row.role.clone().into()]).await?;
        for Sequence { name, last } in found {
            let sql = "select setval($1::regclass, $2)";
            self.to.setup.db.query_all_raw(statement(sql, [name.into(), last.into()])).await?;
        }
        Ok(())
    }
}
