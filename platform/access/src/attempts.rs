//! Attempts at passwords, PINs, links and coupon codes. The database counts them, so all instances count
//! together. See `docs/decisions/accounts.md#sign-in-attempts`.

use kernel::{Code, Problem, Result};
use sea_orm::QueryResult;

use crate::app::App;

/// Refuses when there were too many attempts; the column `pause` of the first row holds the seconds to wait.
///
/// # Errors
/// `TOO_MANY_REQUESTS`.
pub fn refuse_while_paused(rows: &[QueryResult]) -> Result<()> {
    match rows.first().map(|row| row.try_get::<i32>("", "pause")).transpose()? {
        Some(pause) if pause > 0 => {
            Err(Problem::new(Code::TOO_MANY_REQUESTS).retry_after(u64::try_from(pause).unwrap_or(60)))
        }
        _ => Ok(()),
    }
}

/// Takes one attempt of `limit` within this many minutes; refuses when there were too many.
///
/// # Errors
/// `TOO_MANY_REQUESTS`.
pub async fn take_attempt(app: &App, subject: String, limit: i32, minutes: i32) -> Result<()> {
    let values = [subject.into(), limit.into(), format!("{minutes} minutes").into()];
    refuse_while_paused(
        &app.door.call("select control.take_attempt($1, $2, $3::interval) pause", values).await?,
    )
}

/// Gives one attempt back: what was tried was right.
///
/// # Errors
/// When the database does not answer.
pub async fn return_attempt(app: &App, subject: String) -> Result<()> {
    app.door.call("select control.return_attempt($1)::text", [subject.into()]).await?;
    Ok(())
}
