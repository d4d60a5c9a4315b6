//! What it costs to check session and grants: a unit of work that reads little, entered by `control.enter`, beside the same
//! with role and path set outright, as a service without sessions would. One connection, in turns.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rig::{Installation, Result};
use sqlx::{Connection, PgConnection, Row};
use uuid::Uuid;

use crate::report::median;

/// As `tenants::Door` begins a unit of work.
const ENTER: &str = "select e.*, set_config('role', coalesce(e.role, 'none'), true), set_config('search_path', coalesce(e.role, ''), true) \
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

/// Measures and prints.
pub(crate) async fn print(pult: &Path, folder: &Path) -> Result<()> {
    let server = std::env::var("PULT_TEST_DATABASE_URL").map_err(|_| "PULT_TEST_DATABASE_URL: the address of a throw-away Postgres")?;
    let installation = Installation::make(pult, &server, folder).await?;
    let place = prepare(&installation).await?;
    let mut db = installation.login().await?;
    // Plans are made and kept first.
    turn(&mut db, &place, true).await?;
    turn(&mut db, &place, false).await?;
    let (mut checked, mut outright, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let with = turn(&mut db, &place, true).await?.as_secs_f64() / f64::from(UNITS);
        let without = turn(&mut db, &place, false).await?.as_secs_f64() / f64::from(UNITS);
        ratios.push(with / without);
        checked.push(with);
        outright.push(without);
    }
    println!("\n| unit of work that reads opening hours | ms |\n|---|--:|");
    println!("| role and path set outright | {:.3} |", median(outright) * 1e3);
    println!("| session, restaurant and grants checked | {:.3} |", median(checked) * 1e3);
    println!("| adds (median of {TURNS} turns) | {:.0} % |", (median(ratios) - 1.0) * 100.0);
    drop(db);
    installation.remove().await
}

async fn prepare(installation: &Installation) -> Result<Place> {
    let mut owner = installation.owner().await?;
    let sql = "select a.account_id, a.version, p.id partner, p.role, (select r.id from control.restaurant r where r.partner_id = p.id order by r.id limit 1) restaurant \
               from control.admin a join control.partner p on p.id = a.partner_id where a.target_type = 'Partner' limit 1";
    let row = sqlx::query(sql).fetch_one(&mut owner).await?;
    let session = Uuid::now_v7();
    let account: Uuid = row.try_get("account_id")?;
    let sql =
        "insert into control.session (id, account_id, surface, second_factor, expires_at) values ($1, $2, 'admin', true, now() + interval '1 day')";
    sqlx::query(sql).bind(session).bind(account).execute(&mut owner).await?;
    Ok(Place {
        session,
        account,
        partner: row.try_get("partner")?,
        restaurant: row.try_get("restaurant")?,
        role: row.try_get("role")?,
        version: row.try_get("version")?,
    })
}

async fn turn(db: &mut PgConnection, place: &Place, checked: bool) -> Result<Duration> {
    let begun = Instant::now();
    for _ in 0..UNITS {
        let mut tx = db.begin().await?;
        if checked {
            let enter = sqlx::query(ENTER).bind(place.session).bind(place.account).bind(place.partner).bind(place.restaurant).bind(place.version);
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
    }
    Ok(begun.elapsed())
}
