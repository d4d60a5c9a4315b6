//! A base backup and the archived log bring the database back: to a moment in the past, and to its end after
//! the server is lost. `docs/runbooks/restore.md` and `docs/runbooks/database-loss.md` have the commands.

use std::{
    collections::HashMap,
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, Utc};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::{Acknowledged, Clients, Installation, Journal, PARTNER, Result, Shop, free_port, reconcile};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::{
    backup::{Backup, Then, Until},
    context::Context,
    load::{Kind, Load, Mix},
    neighbours, people,
    stage::{Instance, SETTINGS, Stage},
};

/// What may be lost with the server.
const RPO: Duration = Duration::from_secs(60);
/// How long it may take until the service is ready again.
const RTO: Duration = Duration::from_secs(1800);
/// Orders and what is asked beside them.
const MIX: Mix = &[(Kind::Order, 4), (Kind::Menu, 1), (Kind::Board, 1)];
/// Requests a second.
const PACE: f64 = 40.0;
const HOUR: Duration = Duration::from_secs(3600);

/// What happened before something was lost.
pub struct Past {
    /// What was acknowledged, oldest first.
    pub journal: Vec<Acknowledged>,
    /// How many of them were before the moment.
    pub before: usize,
    /// How many orders clients have tried.
    pub intents: usize,
    /// The moment to come back to.
    pub moment: DateTime<Utc>,
}

impl Past {
    /// Of these answers so many were before the moment.
    pub fn new(journal: Journal, before: usize, intents: usize, moment: DateTime<Utc>) -> Self {
        Self { journal: journal.entries(), before, intents, moment }
    }
}

/// How the server was lost.
struct Loss {
    /// The segment of the log that was written at the moment to come back to.
    segment: String,
    at: DateTime<Utc>,
}

/// Sizes of the drill.
struct Size {
    /// Before the base backup, and after it before the moment, in seconds.
    calm: u64,
    /// A segment of the log is archived at the latest after so many seconds.
    archive_timeout: u32,
}

/// The drill.
pub async fn run(context: &Context) -> Result<()> {
    let size = context.size(Size { calm: 2, archive_timeout: 2 }, Size { calm: 40, archive_timeout: 30 });
    let backup = Backup::new(&context.programs)?;
    let settings = backup.settings(size.archive_timeout);
    let settings: Vec<&str> = settings.iter().map(String::as_str).chain(SETTINGS.iter().copied()).collect();
    let stage = Stage::with(context, "restore-in-time", &settings).await?;
    let instance = stage.serve().await?;
    let installation = stage.installation.clone();
    let shop = stage.shop.seeded(context.seed);
    let (past, loss) = lose(context, &size, &backup, stage, instance).await?;
    to_the_moment(context, &backup, &installation, &past).await?;
    damaged(context, &backup, past.moment, &loss.segment).await?;
    to_the_end(context, &backup, &installation, &shop, (&past, loss.at)).await?;
    backup.remove()
}

/// Orders arrive, a base backup is taken meanwhile, and at a random moment the server is gone with its files.
async fn lose(
    context: &Context, size: &Size, backup: &Backup, stage: Stage, instance: Instance,
) -> Result<(Past, Loss)> {
    let Stage { database, shop, journal, .. } = stage;
    let mut random = StdRng::seed_from_u64(context.seed);
    let mut rest =
        |seconds: u64| Duration::from_millis(seconds * 500 + random.random_range(0..seconds * 1000));
    let load = Load::new(&shop, instance.service.address, &journal);
    let script = async {
        tokio::time::sleep(rest(size.calm)).await;
        backup.take(&database).await?;
        tokio::time::sleep(rest(size.calm)).await;
        let before = journal.count();
        let moment = SystemTime::now();
        let mut owner = PgConnection::connect(&database.url()).await?;
        let segment: String = sqlx::query_scalar("select pg_walfile_name(pg_current_wal_insert_lsn())")
            .fetch_one(&mut owner)
            .await?;
        drop(owner);
        backup.archived(&segment).await?;
        // To a moment that no segment ends at, so that something is lost.
        tokio::time::sleep(rest(u64::from(size.archive_timeout))).await;
        let lost = SystemTime::now();
        database.remove().await?;
        instance.service.kill().await?;
        load.stop();
        Result::Ok((before, moment, segment, lost))
    };
    let ((), script) = tokio::join!(load.run(PACE, MIX, HOUR, context.seed), script);
    let (before, moment, segment, lost) = script?;
    let intents = load.all().only(|sample| sample.kind == Kind::Order).count();
    drop(load);
    context.did(format!(
        "{} orders were acknowledged when server and files were lost, {before} of them before the moment to \
         come back to",
        journal.count()
    ));
    Ok((Past::new(journal, before, intents, moment.into()), Loss { segment, at: lost.into() }))
}

/// An order as it lies in the database.
pub struct Kept {
    /// The answer that is kept under its key.
    answer: String,
    at: DateTime<Utc>,
}

/// The orders that are there, by intent.
pub async fn orders(installation: &Installation) -> Result<HashMap<usize, Kept>> {
    let mut owner = installation.owner().await?;
    let schema = neighbours::schema(&mut owner, PARTNER).await?;
    let sql = format!(
        "select o.message, coalesce(k.answer, ''), o.created_at from {schema}.orders o left join \
         {schema}.idempotency_key k on k.operation = 'orders_create' and k.answer::jsonb ->> 'id' = o.id::text"
    );
    let rows: Vec<(String, String, DateTime<Utc>)> =
        sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&mut owner).await?;
    rows.into_iter().map(|(intent, answer, at)| Ok((intent.parse()?, Kept { answer, at }))).collect()
}

/// Everything that was acknowledged before the moment is there as it was answered, and nothing that was begun
/// after it.
pub fn compare(there: &HashMap<usize, Kept>, past: &Past) -> Vec<String> {
    let mut found = Vec::new();
    for (place, entry) in past.journal.iter().enumerate() {
        match there.get(&entry.intent) {
            None if place < past.before => found.push(format!("order {} is missing", entry.intent)),
            Some(kept) if kept.answer != entry.body => {
                found.push(format!("order {} is not what was answered", entry.intent));
            }
            _ => {}
        }
    }
    let later = there.iter().filter(|(_, kept)| kept.at > past.moment);
    found.extend(later.map(|(intent, _)| format!("order {intent} is of after the moment")));
    found
}

/// Tells of faults, or what is good without any.
pub fn told(context: &Context, found: &[String], good: String) {
    found.iter().take(5).for_each(|what| context.did(format!("damage: {what}")));
    context.expect(found.is_empty(), format!("{good}: {} faults", found.len()));
}

async fn to_the_moment(
    context: &Context, backup: &Backup, installation: &Installation, past: &Past,
) -> Result<()> {
    let begun = Instant::now();
    let database = backup.recover(Until::Moment(past.moment), Then::Work).await?;
    let mut restored = installation.on(&database.url())?;
    renumber(context, &restored).await;
    let service = restored.serve(free_port()?, free_port()?).await?;
    let took = begun.elapsed();
    let there = orders(&restored).await?;
    told(
        context,
        &compare(&there, past),
        format!(
            "back at the moment: all {} orders acknowledged before it are there, and none that was begun after it",
            past.before,
        ),
    );
    let earlier = past.moment - chrono::Duration::seconds(1);
    let shifted = Past { moment: earlier, journal: vec![], ..*past };
    context.expect(!compare(&there, &shifted).is_empty(), "the comparison tells a second's difference");
    context.expect(took <= RTO, format!("ready after {:.1} s (RTO {} s)", took.as_secs_f64(), RTO.as_secs()));
    let signed_in = people::super_admin(&restored, service.address).await;
    context.expect(signed_in.is_ok(), "a super admin signs in with a sealed second factor");
    let signed_in = people::partner_admin(&restored, service.address).await;
    context.expect(signed_in.is_ok(), "a partner's admin signs in");
    let sealed = restored.run("secrets reseal").await;
    context.expect(sealed.is_ok(), format!("sealed secrets open: {}", word(&sealed)));
    let logs = restored.run("audit verify").await;
    context.expect(logs.is_ok(), format!("audit logs are what was written: {}", word(&logs)));
    restored.set("PULT_SECRET_KEY", "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
    let wrong = restored.run("secrets reseal").await;
    let noticed = wrong.is_err_and(|reason| reason.to_string().contains("keep the older keys"));
    context.expect(noticed, "a secret key that is not the backup's is noticed");
    service.kill().await?;
    database.remove().await
}

/// `pult restored`, before anybody reads a menu.
async fn renumber(context: &Context, restored: &Installation) {
    let renumbered = restored.run("restored").await;
    context.expect(renumbered.is_ok(), format!("menus have new numbers: {}", word(&renumbered)));
}

/// What a command printed, or why it failed, in one line.
pub fn word(outcome: &Result<String>) -> String {
    match outcome {
        Ok(text) => text.trim().to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Backups that cannot be restored are found out.
async fn damaged(context: &Context, backup: &Backup, moment: DateTime<Utc>, segment: &str) -> Result<()> {
    for missing in [true, false] {
        let damage = backup.damage_wal(segment, missing)?;
        let outcome = backup.recover(Until::Moment(moment), Then::Work).await;
        damage.mend()?;
        let what = if missing { "missing" } else { "damaged" };
        let (noticed, said) = match outcome {
            Ok(database) => {
                database.remove().await?;
                (false, "it recovered".to_owned())
            }
            Err(reason) => {
                let reason = reason.to_string();
                (reason.contains("before configured recovery target was reached"), reason)
            }
        };
        context.expect(noticed, format!("a {what} segment of the log is noticed: {said}"));
    }
    let damage = backup.damage_base()?;
    let outcome = backup.check();
    damage.mend()?;
    context.expect(outcome.is_err(), "a damaged base backup is noticed");
    backup.check()
}

async fn to_the_end(
    context: &Context, backup: &Backup, installation: &Installation, shop: &Shop,
    (past, lost): (&Past, DateTime<Utc>),
) -> Result<()> {
    let begun = Instant::now();
    let database = backup.recover(Until::End, Then::Work).await?;
    let restored = installation.on(&database.url())?;
    renumber(context, &restored).await;
    let service = restored.serve(free_port()?, free_port()?).await?;
    let took = begun.elapsed();
    let there = orders(&restored).await?;
    let gone: Vec<&Acknowledged> =
        past.journal.iter().filter(|entry| !there.contains_key(&entry.intent)).collect();
    let begun_at =
        |entry: &&Acknowledged| entry.order()["created_at"].as_str()?.parse::<DateTime<Utc>>().ok();
    let oldest = gone.iter().filter_map(begun_at).min().unwrap_or(lost);
    let lost = (lost - oldest).to_std().unwrap_or_default();
    context.expect(
        lost <= RPO && !there.is_empty(),
        format!(
            "back at the end: {} of {} acknowledged orders went with the server, of the last {:.1} s (RPO {} s)",
            gone.len(),
            past.journal.len(),
            lost.as_secs_f64(),
            RPO.as_secs()
        ),
    );
    context.expect(took <= RTO, format!("ready after {:.1} s (RTO {} s)", took.as_secs_f64(), RTO.as_secs()));
    // Clients repeat all orders under their keys: what is there is not made again, what is gone is.
    let journal = Journal::default();
    let clients = Clients {
        shop,
        address: service.address,
        journal: &journal,
        orders: past.intents,
        clients: 8,
        same_key: true,
    };
    clients.run().await;
    let found = reconcile(&mut restored.owner().await?, shop, past.intents, &journal.entries()).await;
    told(
        context,
        &found,
        format!("reconciler: {} orders once each after clients repeated them", past.intents),
    );
    let logs = restored.run("audit verify").await;
    context.expect(logs.is_ok(), format!("audit logs are what was written: {}", word(&logs)));
    service.kill().await?;
    database.remove().await
}
