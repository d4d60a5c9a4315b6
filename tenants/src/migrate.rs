//! Bringing every partner's schema up to date: a canary, then several at a time. Each partner is a
//! transaction with its version row, so a run that is cut short goes on where it was. See
//! `docs/decisions/tenancy.md#migrations`.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use kernel::{Id, Partner, error::is_lock_timeout};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, TransactionTrait};

use crate::{
    provision::{Provisioner, migrate_schema, of_another_release},
    servers::{HOME, IN_USE},
    setup::Setup,
    tx::{all, column, is_true, one, statement, value},
};

/// Partners tried one by one before the others: when all of them fail the fault is the migration's, not a
/// partner's.
const CANARIES: usize = 3;
/// Tries for tables that are busy: the work of partners goes first, for two seconds each time.
const TRIES: u64 = 3;
/// Advisory lock of the one runner.
pub(crate) const RUNNER: i64 = 7307;

/// Tries a migration again whose tables are busy.
pub(crate) async fn patiently<F: Future<Output = Result<(), DbErr>>>(
    migrate: impl Fn() -> F,
) -> Result<(), DbErr> {
    let mut tries = 1;
    loop {
        match migrate().await {
            Err(error) if is_lock_timeout(&error) && tries < TRIES => {
                tokio::time::sleep(Duration::from_millis(200 * tries)).await;
                tries += 1;
            }
            outcome => return outcome,
        }
    }
}

/// How the migration of one partner's schema went.
#[derive(Debug)]
pub struct TenantMigration {
    pub partner: Id<Partner>,
    pub name: String,
    pub took: Duration,
    /// Why the partner was set aside.
    pub error: Option<String>,
}

#[derive(Debug)]
pub struct MigrationRun {
    /// Partners that were tried, in the order in which they were done.
    pub done: Vec<TenantMigration>,
    /// Partners that were not tried because every canary failed. They go on working on the old version.
    pub left: usize,
    /// Every canary failed: the fault is the migration's, and nobody was set aside.
    pub gave_up: bool,
}

impl MigrationRun {
    pub fn failed(&self) -> impl Iterator<Item = &TenantMigration> {
        self.done.iter().filter(|one| one.error.is_some())
    }
}

#[derive(FromQueryResult)]
struct Candidate {
    #[sea_orm(from_alias = "id")]
    partner: Id<Partner>,
    name: String,
    role: String,
    /// An earlier run failed for it: one that is suspended has no other state to be set aside in.
    aside: bool,
}

const PLAN: &str = "select id, name, role, status = 'maintenance' or status = 'suspended' and error is not null aside \
    from control.partner \
    where server = 'default' and schema_version is not null and (schema_version <> $1 or (status = 'maintenance' and plan is null)) \
    order by aside, mode = 'live', created_at desc, id";
/// Whether somebody here has taken the newest migration.
const TAKEN: &str =
    "select exists (select from control.partner where server = 'default' and schema_version = $1)";

impl Provisioner<'_> {
    /// Whether a partner of this server has taken the newest migration.
    pub async fn taken(&self) -> Result<bool, DbErr> {
        let taken = value(&self.setup.db, TAKEN, [self.setup.shape.newest.into()]).await?;
        Ok(taken.unwrap_or_default())
    }

    /// How many partners a run would touch.
    pub async fn migration_plan(&self) -> Result<usize, DbErr> {
        Ok(self.candidates().await?.len())
    }

    /// Brings every partner's schema up to date, `parallel` at a time; partners that are not live are tried
    /// first. A partner whose migration fails is set aside (`maintenance`) and the others go on; one that was
    /// set aside and now succeeds comes back. `progress` is told of each partner that is done, and how many
    /// there are.
    pub async fn migrate_all(
        &self, parallel: usize, progress: impl Fn(&TenantMigration, usize),
    ) -> Result<MigrationRun, DbErr> {
        let gate = self.setup.db.begin().await?;
        let alone = gate
            .query_one_raw(statement("select pg_try_advisory_xact_lock($1) alone", [RUNNER.into()]))
            .await?;
        if !is_true(alone.as_slice()) {
            gate.rollback().await?;
            return Err(DbErr::Custom("another pult migrate is under way".to_owned()));
        }
        let plan = self.candidates().await?;
        let total = plan.len();
        let mut plan = plan.into_iter().peekable();
        let mut done: Vec<TenantMigration> = Vec::with_capacity(total);
        while done.iter().all(|one| one.error.is_some()) && done.len() < CANARIES {
            // Who was set aside before says nothing of the migration.
            let Some(canary) = plan.next_if(|one| !one.aside) else { break };
            let outcome = self.migrate_patiently(canary).await;
            progress(&outcome, total);
            done.push(outcome);
        }
        let mut gave_up = !self.proved && !done.is_empty() && done.iter().all(|one| one.error.is_some());
        if gave_up && done.len() < CANARIES {
            // Few partners: it fits whoever has it already, if anybody.
            gave_up = !self.taken().await?;
        }
        if gave_up {
            // The fault is the migration's: nobody is set aside for it. The next run may begin when this has
            // returned.
            gate.rollback().await?;
            return Ok(MigrationRun { done, left: plan.len(), gave_up });
        }
        for failed in done.iter().filter(|one| one.error.is_some()) {
            self.set_aside(failed.partner).await?;
        }
        let mut rest =
            stream::iter(plan).map(|one| self.migrate_patiently(one)).buffer_unordered(parallel.max(1));
        while let Some(outcome) = rest.next().await {
            if outcome.error.is_some() {
                self.set_aside(outcome.partner).await?;
            }
            progress(&outcome, total);
            done.push(outcome);
        }
        drop(rest);
        gate.commit().await?;
        Ok(MigrationRun { done, left: 0, gave_up: false })
    }

    /// Tries again for one partner; what it says is kept in the partner's row.
    pub async fn migrate_partner(&self, partner: Id<Partner>) -> Result<Option<TenantMigration>, DbErr> {
        if let Some((name, there)) = self.elsewhere(partner).await? {
            let outcome = Box::pin(Provisioner::new(there).migrate_partner(partner)).await?;
            self.hear_of(&name, there).await?;
            return Ok(outcome);
        }
        let sql = "select id, name, role, status = 'maintenance' aside from control.partner where id = $1 and \
            schema_version is not null";
        let Some(candidate) = one(&self.setup.db, sql, [partner.uuid().into()]).await? else {
            return Ok(None);
        };
        Ok(Some(self.migrate_patiently(candidate).await))
    }

    /// The servers beside the home server that partners are on.
    pub async fn servers_in_use(&self) -> Result<Vec<String>, DbErr> {
        column(&self.setup.db.query_all_raw(statement(IN_USE, [HOME.into()])).await?)
    }

    /// Writes into the rows at home what a migration on another server came to for the partners there.
    pub async fn hear_of(&self, name: &str, there: &Setup) -> Result<(), DbErr> {
        let sql = "select coalesce(jsonb_agg(jsonb_build_object('id', id, 'schema_version', schema_version, 'error', \
            error, 'apart', status = 'maintenance')), '[]')::text from control.partner";
        let rows: Option<String> = value(&there.db, sql, []).await?;
        let sql = "update control.partner p set schema_version = t.schema_version, error = t.error, \
            status = case when t.apart and p.status = 'active' then 'maintenance' \
                when not t.apart and p.status = 'maintenance' and p.plan is null then 'active' else p.status end \
            from jsonb_to_recordset($2::jsonb) t (id uuid, schema_version text, error text, apart boolean) \
            where p.id = t.id and p.server = $1";
        self.setup.db.execute_raw(statement(sql, [name.into(), rows.into()])).await.map(drop)
    }

    async fn candidates(&self) -> Result<Vec<Candidate>, DbErr> {
        all(&self.setup.db, PLAN, [self.setup.shape.newest.into()]).await
    }

    async fn migrate_patiently(&self, one: Candidate) -> TenantMigration {
        let begun = Instant::now();
        let error = patiently(|| self.migrate_one(&one)).await.err().map(|error| error.to_string());
        if let Some(error) = &error {
            let sql = "update control.partner set error = left($2, 2000) where id = $1";
            let kept = self
                .setup
                .db
                .execute_raw(statement(sql, [one.partner.uuid().into(), error.clone().into()]))
                .await;
            if let Err(error) = kept {
                tracing::warn!(%error, partner = %one.partner, "why a migration failed cannot be kept");
            }
        }
        TenantMigration { partner: one.partner, name: one.name, took: begun.elapsed(), error }
    }

    async fn set_aside(&self, partner: Id<Partner>) -> Result<(), DbErr> {
        let sql = "update control.partner set status = 'maintenance' where id = $1 and status = 'active'";
        self.setup.db.execute_raw(statement(sql, [partner.uuid().into()])).await.map(drop)
    }

    async fn migrate_one(&self, one: &Candidate) -> Result<(), DbErr> {
        let tx = self.setup.db.begin().await?;
        tx.execute_raw(statement(
            "select set_config('role', 'pult_owner', true), set_config('search_path', $1, true), \
             set_config('lock_timeout', '2s', true)",
            [one.role.clone().into()],
        ))
        .await?;
        // A run and a second try of one partner can meet: the later one finds nothing left to do.
        tx.execute_raw(statement(
            "select pg_advisory_xact_lock(hashtextextended($1, 0))",
            [one.partner.to_string().into()],
        ))
        .await?;
        let newer = "select schema_version from control.installation where schema_version > $1";
        if let Some(newer) = value::<String>(&tx, newer, [self.setup.shape.newest.into()]).await? {
            return Err(of_another_release(self.setup.shape, &newer));
        }
        migrate_schema(&tx, self.setup.shape, &one.role, &one.role).await?;
        tx.execute_raw(statement(
            "update control.partner set schema_version = $2, error = null, \
                 status = case when status = 'maintenance' and plan is null then 'active' else status end \
                 where id = $1",
            [one.partner.uuid().into(), self.setup.shape.newest.into()],
        ))
        .await?;
        tx.commit().await
    }
}
