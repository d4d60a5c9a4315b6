//! New numbers for the menus that shops hold, and payments that wait for a person, after a database was brought back to an earlier moment. See
//! `docs/runbooks/restore.md`.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, TransactionTrait};

use crate::{setup::Setup, tx::all};

#[derive(FromQueryResult)]
struct Here {
    role: String,
}

/// Gives the menu of each restaurant on this server a number that nobody has seen: under those that would come next
/// shops may hold menus of the time that is lost. How many restaurants. What instances remember ends with them.
/// Errors: What the database says. Those who have new numbers keep them; it can be repeated.
pub async fn renumber(setup: &Setup) -> Result<u64, DbErr> {
    let sql = "select role from control.partner where exists (select from pg_namespace where nspname = role) \
        order by id";
    let mut restaurants = 0;
    for Here { role } in all(&setup.db, sql, []).await? {
        let tx = setup.db.begin().await?;
        tx.execute_unprepared("set local row_security = off").await?;
        let sql = format!(
            "update {role}.restaurant set catalogue_version = greatest(catalogue_version + 1, extract(epoch from \
             clock_timestamp())::bigint)"
        );
        restaurants += tx.execute_unprepared(&sql).await?.rows_affected();
        // What providers have booked since the moment of the backup is not in it: a person looks before money moves again.
        let sql = format!(
            "insert into {role}.payment_pause (kind, since) select 'restored', coalesce(max(e.at), now() - interval '1 day') \
             from {role}.payment_event e having exists (select from {role}.provider_account) on conflict do nothing"
        );
        tx.execute_unprepared(&sql).await?;
        tx.commit().await?;
    }
    Ok(restaurants)
}
