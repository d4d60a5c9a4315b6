//! Attempts at passwords, PINs, links and coupon codes. The database counts them, so all instances count
//! together. See `docs/decisions/accounts.md#sign-in-attempts`.

use std::time::{Duration, Instant};

use kernel::{Code, Problem, Result};
use sea_orm::Value;

use crate::app::App;

/// Refuses when there were too many attempts; the statement answers the seconds to wait.
///
/// # Errors
/// `TOO_MANY_REQUESTS`.
pub async fn refuse_while_paused(
    app: &App,
    sql: &'static str,
    values: impl IntoIterator<Item = Value>,
) -> Result<()> {
    refuse(app.door.value(sql, values).await?.unwrap_or(0))
}

fn refuse(pause: i32) -> Result<()> {
    match u64::try_from(pause) {
        Ok(seconds) if seconds > 0 => Err(Problem::new(Code::TOO_MANY_REQUESTS).retry_after(seconds)),
        _ => Ok(()),
    }
}

/// Takes one attempt of `limit` within this many minutes; refuses when there were too many.
///
/// # Errors
/// `TOO_MANY_REQUESTS`.
pub async fn take_attempt(app: &App, subject: String, limit: i32, minutes: i32) -> Result<()> {
    let values = [subject.into(), limit.into(), format!("{minutes} minutes").into()];
    refuse_while_paused(app, "select control.take_attempt($1, $2, $3::interval)", values).await
}

/// How long an attempt waits for others that are under way.
const PATIENCE: Duration = Duration::from_secs(5);
const ASK_EVERY: Duration = Duration::from_millis(40);

/// Begins an attempt that [`end_attempt`] decides within a moment: at most `limit` wrong ones within this many
/// minutes. Those under way count, so it waits while they leave no room: right ones pause nobody.
///
/// # Errors
/// `TOO_MANY_REQUESTS`.
pub async fn begin_attempt(app: &App, subject: &str, limit: i32, minutes: i32) -> Result<()> {
    let sql = "select control.begin_attempt($1, $2, $3::interval) pause";
    begin(app, sql, &[subject.into(), limit.into(), format!("{minutes} minutes").into()]).await
}

/// The statement answers the pause in seconds, 0, or a number below 0 as long as there is no room.
pub(crate) async fn begin(app: &App, sql: &'static str, values: &[Value]) -> Result<()> {
    let begun = Instant::now();
    loop {
        let pause = app.door.value(sql, values.to_vec()).await?.unwrap_or(0);
        if pause >= 0 {
            return refuse(pause);
        }
        if begun.elapsed() > PATIENCE {
            return refuse(1);
        }
        tokio::time::sleep(ASK_EVERY).await;
    }
}

/// Says whether an attempt of `limit` was wrong that [`begin_attempt`] began; else it was none.
///
/// # Errors
/// When the database does not answer.
pub async fn end_attempt(app: &App, subject: String, limit: i32, wrong: bool) -> Result<()> {
    let sql = "select control.end_attempt($1, $2, $3)::text";
    app.door.call(sql, [subject.into(), limit.into(), wrong.into()]).await?;
    Ok(())
}
