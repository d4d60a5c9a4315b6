//! The cost of checking session and grants. Compares a small unit of work that is entered by `control.enter`
//! with the same one that sets role and path directly. One connection, alternating.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rig::{Installation, Result};
use sqlx::{Connection, PgConnection, Row};
use uuid::Uuid;

use crate::report::median;

/// As `tenants::Door` begins a unit of work.
const ENTER: &str = "select e.*, set_config('role', coalesce(e.role, 'none'), true), \
    set_config('search_path', coalesce(e.role, ''), true) \
                     from control.enter($1, $2, $3, $4, $5, false) e";
const OUTRIGHT: &str = "select set_config('role', $1, true), set_config('search_path', $1, true)";
const READ: &str = "select day, open_at, close_at from opening_hours where restaurant_id = $1 order by day";
/// Units of work of each kind in a turn, and turns.
const UNITS: u32 = 200;
const TURNS: usize = 41;

struct Place {
    session: Uuid,
    account: Uuid,
    partner: Uuid,
    restaurant: Uuid,
    role: String,
    version: i64,
}

pub(crate) async fn print(pult: &Path, folder: &Path) -> Result<()> {
    let server = std::env::var("PULT_TEST_DATABASE_URL")
        .map_err(|_| "PULT_TEST_DATABASE_URL: the address of a throw-away Postgres")?;
    let installation = Installation::make(pult, &server, folder).await?;
    let place = prepare(&installation).await?;
    let mut db = installation.login().await?;
    let ways = [None, Some(place.session)];
    let mut times = ways.map(|_| Vec::new());
    // Plans are made and kept in the first turn, which is not counted.
    for number in 0..=TURNS {
        let mut turn = [Duration::ZERO; 2];
        for _ in 0..UNITS {
            for (way, time) in ways.into_iter().zip(&mut turn) {
                let begun = Instant::now();
                unit(&mut db, &place, way).await?;
                *time += begun.elapsed();
            }
        }
        if number > 0 {
            for (times, time) in times.iter_mut().zip(turn) {
                times.push(time.as_secs_f64() * 1e3 / f64::from(UNITS));
            }
        }
    }
    let [outright, entered] = times;
    let adds = |with: &[f64]| {
        (median(with.iter().zip(&outright).map(|(with, without)| with / without)) - 1.0) * 100.0
    };
    println!(
        "\n| unit of work that reads opening hours | ms | adds (median of {TURNS} turns) |\n|---|--:|--:|"
    );
    println!("| role and path set outright | {:.3} | |", median(outright.iter().copied()));
    println!(
        "| session, restaurant and grants checked | {:.3} | {:.0} % |",
        median(entered.iter().copied()),
        adds(&entered)
    );
    drop(db);
    installation.remove().await
}

async fn prepare(installation: &Installation) -> Result<Place> {
    let mut owner = installation.owner().await?;
    let sql = "select a.account_id, a.version, p.id partner, p.role, (select r.id from control.restaurant r \
        where r.partner_id = p.id order by r.id limit 1) restaurant \
               from control.admin a join control.partner p on p.id = a.partner_id where a.target_type = \
               'Partner' limit 1";
    let row = sqlx::query(sql).fetch_one(&mut owner).await?;
    let session = Uuid::now_v7();
    let (account, restaurant): (Uuid, Uuid) = (row.try_get("account_id")?, row.try_get("restaurant")?);
    let sql = "insert into control.session (id, account_id, surface, second_factor, expires_at) values ($1, \
        $2, 'admin', true, now() + interval '1 day')";
    sqlx::query(sql).bind(session).bind(account).execute(&mut owner).await?;
    Ok(Place {
        session,
        account,
        partner: row.try_get("partner")?,
        restaurant,
        role: row.try_get("role")?,
        version: row.try_get("version")?,
    })
}

async fn unit(db: &mut PgConnection, place: &Place, session: Option<Uuid>) -> Result<()> {
    let mut tx = db.begin().await?;
    if let Some(session) = session {
        let enter = sqlx::query(ENTER)
            .bind(session)
            .bind(place.account)
            .bind(place.partner)
            .bind(place.restaurant)
            .bind(place.version);
        let row = enter.fetch_one(&mut *tx).await?;
        if row.try_get::<String, _>("status")? != "ok" {
            return Err("the session was not let in".into());
        }
    } else {
        sqlx::query(OUTRIGHT).bind(&place.role).fetch_one(&mut *tx).await?;
    }
    sqlx::query(READ).bind(place.restaurant).fetch_all(&mut *tx).await?;
    // Nothing was written: ended as the service ends a unit that only reads.
    tx.rollback().await?;
    Ok(())
}
