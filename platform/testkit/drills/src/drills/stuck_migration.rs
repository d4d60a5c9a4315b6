//! `pult migrate` over many partners: killed in the middle, with a row that does not fit in the schema of one,
//! and with two runners. `docs/runbooks/stuck-migration.md` has the commands.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::{Installation, Result};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::{
    context::Context,
    drills::restore_in_time::told,
    neighbours::{self, Neighbour, Stall},
    people,
    stage::{SETTINGS, Stage},
};

/// The migration that partners go back by and forward again: it makes a table, and checks each row of another.
const MIGRATION: &str = "m0033_places_of_addresses";
/// Takes it away again in the schema `of`. The service does not miss the table: nobody's address is looked up.
const TAKEN: &str = "drop table of.delivery_place; \
    alter table of.orders drop constraint orders_delivery_found_by_check, \
        add constraint orders_delivery_found_by_check check (true) not valid; \
    delete from of.seaql_migrations where version = 'm0033_places_of_addresses'";
/// A row that the migration refuses.
const BAD: &str = "update of.orders set delivery_found_by = 'nobody knows' where id = (select id from of.orders \
    order by id limit 1)";
const MENDED: &str = "update of.orders set delivery_found_by = null where delivery_found_by = 'nobody knows'";
/// What partners who are not migrated yet say.
const OLD: &str = "select count(*) from control.partner where schema_version = 'before'";
/// Between two orders of a partner.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a request may wait: the runner gives up after 2 s and tries three times, and a request has its own
/// work to do on a busy machine.
const PATIENCE: Duration = Duration::from_secs(7);

/// The drill.
pub async fn run(context: &Context) -> Result<()> {
    let (count, trading) = context.size((29, 3), (999, 10));
    let stage = Stage::with(context, "stuck-migration", SETTINGS).await?;
    let instance = stage.serve().await?;
    let address = instance.service.address;
    let console = people::super_admin(&stage.installation, address).await?;
    let all = neighbours::make(&console, count).await?;
    let mut stalls = Vec::new();
    for one in &all[..=trading] {
        stalls.push(Stall::open(&console, address, one).await?);
    }
    stage.installation.lift_limits().await?;
    let mut random = StdRng::seed_from_u64(context.seed);
    // The last of them is the one whose row does not fit. It is no canary: those are the newest ones.
    let bad = stalls.pop().ok_or("no stall")?;
    bad.order().await?;
    let mut owner = stage.installation.owner().await?;
    neighbours::quiet(&mut owner).await?;
    let before = schemas(&mut owner).await?;
    go_back(&mut owner, &bad.partner).await?;

    let stop = AtomicBool::new(false);
    let trade = futures_util::future::join_all(stalls.iter().map(|stall| stall.trade(PAUSE, &stop)));
    let script = async {
        let outcome = migrate(context, &stage.installation, &mut owner, &mut random, &bad, &stalls[0]).await;
        stop.store(true, Ordering::Relaxed);
        outcome
    };
    let (_, outcome) = tokio::join!(trade, script);
    outcome?;

    let (mut faults, mut taken, mut lost, mut slowest) = (Vec::new(), 0, 0, Duration::ZERO);
    for stall in &stalls {
        let (found, count, longest) = stall.outcome();
        faults.extend(found);
        taken += count;
        slowest = slowest.max(longest);
        lost += stall.lost(&mut owner).await?;
    }
    told(context, &faults, format!("{} partners took {taken} orders meanwhile", stalls.len()));
    context.expect(lost == 0 && taken > 0, format!("of those {lost} are not there"));
    context.expect(
        slowest <= PATIENCE,
        format!(
            "no request waited longer than three tries of 2 s and its work: {:.2} s",
            slowest.as_secs_f64()
        ),
    );
    let after = schemas(&mut owner).await?;
    let shapes: std::collections::BTreeSet<&String> = after.values().collect();
    context.expect(shapes.len() == 1, format!("{} schemas have one and the same shape", after.len()));
    context.expect(after == before, "which is the one that they had before");
    negative(context, &mut owner, &bad.partner).await?;
    instance.service.kill().await?;
    drop(owner);
    stage.close(context, 0).await
}

/// Every partner goes back by the migration, and one has a row that does not fit.
async fn go_back(owner: &mut PgConnection, bad: &Neighbour) -> Result<()> {
    let roles: Vec<String> =
        sqlx::query_scalar("select role from control.partner").fetch_all(&mut *owner).await?;
    for role in roles {
        let sql = TAKEN.replace("of.", &format!("{role}."));
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *owner).await?;
    }
    let role = neighbours::schema(owner, &bad.id).await?;
    let sql = BAD.replace("of.", &format!("{role}."));
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *owner).await?;
    sqlx::raw_sql("update control.partner set schema_version = 'before'").execute(&mut *owner).await?;
    Ok(())
}

async fn left(owner: &mut PgConnection) -> Result<i64> {
    Ok(sqlx::query_scalar(OLD).fetch_one(owner).await?)
}

async fn migrate(
    context: &Context, installation: &Installation, owner: &mut PgConnection, random: &mut StdRng,
    bad: &Stall, busy: &Stall,
) -> Result<()> {
    let all = left(owner).await?;
    // Killed at a quarter, or where the seed says nearby.
    let quarter = all * random.random_range(65..85) / 100;
    let mut runner = installation.begin("migrate")?;
    while left(owner).await? > quarter {
        if runner.try_wait()?.is_some() {
            return Err("the migration ended before it was killed".into());
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    runner.kill().await?;
    let rest = left(owner).await?;
    context.expect(rest > 0 && rest < all, format!("killed with {} of {all} partners done", all - rest));

    // A long work on the table that the migration changes: the runner waits for it, and the partner for neither.
    let schema = neighbours::schema(owner, &busy.partner.id).await?;
    sqlx::raw_sql(AssertSqlSafe(format!(
        "update control.partner set schema_version = 'before' where id = '{}'; \
         drop table if exists {schema}.delivery_place; \
         delete from {schema}.seaql_migrations where version = '{MIGRATION}'",
        busy.partner.id
    )))
    .execute(&mut *owner)
    .await?;
    let mut long = installation.owner().await?;
    let mut work = long.begin().await?;
    let sql = format!("select count(*) from {schema}.orders");
    sqlx::query(AssertSqlSafe(sql)).execute(&mut *work).await?;
    let begun = Instant::now();
    let (first, second, ()) = tokio::join!(
        at_last(installation),
        async {
            tokio::time::sleep(Duration::from_millis(1_000)).await;
            installation.run("migrate").await
        },
        async {
            tokio::time::sleep(Duration::from_millis(2_500)).await;
            let _ = work.rollback().await;
        }
    );
    let took = begun.elapsed();
    let refused = |outcome: &Result<String>| {
        outcome.as_ref().is_err_and(|why| why.to_string().contains("another pult migrate is under way"))
    };
    context.expect(refused(&second) && !refused(&first), "of two runners one works and one is refused");
    let said = first.err().map(|why| why.to_string()).unwrap_or_default();
    let named = said.contains(&bad.partner.id) && said.contains("orders_delivery_found_by_check");
    context.expect(named, format!("the runner names the partner and why: {}", summary(&said)));
    let done = all - left(owner).await?;
    context.expect(
        done == all - 1,
        format!("{done} of {all} partners are done, the rest in {:.1} s", took.as_secs_f64()),
    );
    let aside: Vec<String> =
        sqlx::query_scalar("select id::text from control.partner where status = 'maintenance'")
            .fetch_all(&mut *owner)
            .await?;
    context.expect(aside == [bad.partner.id.clone()], "one partner is set aside, the one with the bad row");
    let reply = bad.order().await?;
    let problem: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    context.expect(
        reply.status == 503
            && problem["code"] == "PARTNER_IN_MAINTENANCE"
            && reply.header("retry-after").is_some(),
        format!("its guests are answered {} {}", reply.status, problem["code"]),
    );

    let schema = neighbours::schema(owner, &bad.partner.id).await?;
    // As the chart calls it: an upgrade does not wait for one partner.
    let (strict, upgrade) = (installation.run("migrate").await, installation.run("migrate --go-on").await);
    context.expect(
        strict.is_err() && upgrade.is_ok(),
        "as long as the row is there the migration fails, and that of an upgrade does not",
    );
    let sql = MENDED.replace("of.", &format!("{schema}."));
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *owner).await?;
    let again = installation.run("migrate").await;
    let reply = bad.order().await?;
    context.expect(
        again.is_ok() && reply.status == 201 && left(owner).await? == 0,
        "after the row is mended the next run brings it back, and it takes orders",
    );
    Ok(())
}

/// A run that waits for the end of what the killed one left on the server.
async fn at_last(installation: &Installation) -> Result<String> {
    for _ in 0..50 {
        let outcome = installation.run("migrate").await;
        match &outcome {
            Err(why) if why.to_string().contains("another pult migrate") => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            _ => return outcome,
        }
    }
    Err("the killed runner holds its lock".into())
}

/// The line about the partner.
fn summary(said: &str) -> String {
    let line = said.lines().find(|line| line.contains("orders_delivery_found_by_check"));
    line.unwrap_or(said).trim().chars().take(220).collect()
}

/// The shape of each partner's schema as one sum: columns, constraints, indexes, views and functions.
async fn schemas(owner: &mut PgConnection) -> Result<BTreeMap<String, String>> {
    let sql = "select p.id::text, md5(string_agg(replace(d.line, p.role, 'partner'), ' ' order by \
        replace(d.line, p.role, 'partner') collate \"C\")) from control.partner p cross join lateral ( \
            select format('%s %s %s %s %s', c.relname, a.attname, a.atttypid::regtype, a.attnotnull, \
                pg_get_expr(f.adbin, f.adrelid)) line \
            from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped \
                left join pg_attrdef f on f.adrelid = c.oid and f.adnum = a.attnum \
            where c.relnamespace = to_regnamespace(p.role) and c.relkind in ('r', 'v') \
            union all select format('%s %s', k.conrelid::regclass, pg_get_constraintdef(k.oid)) from pg_constraint k \
            where k.connamespace = to_regnamespace(p.role) \
            union all select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indexrelid \
            where c.relnamespace = to_regnamespace(p.role) \
            union all select pg_get_viewdef(c.oid) from pg_class c where c.relnamespace = to_regnamespace(p.role) \
                and c.relkind = 'v' \
            union all select pg_get_functiondef(f.oid) from pg_proc f where f.pronamespace = to_regnamespace(p.role) and f.proname <> 'lifted' \
            union all select format('%s %s', c.relname, c.relacl) from pg_class c \
            where c.relnamespace = to_regnamespace(p.role) and c.relkind in ('r', 'v')) d group by 1";
    let rows: Vec<(String, String)> = sqlx::query_as(sql).fetch_all(owner).await?;
    Ok(rows.into_iter().collect())
}

/// A schema that differs by one index is seen.
async fn negative(context: &Context, owner: &mut PgConnection, one: &Neighbour) -> Result<()> {
    let before = schemas(owner).await?;
    let schema = neighbours::schema(owner, &one.id).await?;
    let sql = format!("create index on {schema}.courier (note)");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *owner).await?;
    let after = schemas(owner).await?;
    context.expect(before != after, "the comparison sees an index that one schema has alone");
    Ok(())
}
