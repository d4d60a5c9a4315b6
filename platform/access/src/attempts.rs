//! Attempts at passwords, PINs, links and coupon codes. The database counts them, so all instances count
//! together. See `docs/decisions/accounts.md#sign-in-attempts`.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use kernel::{Code, Problem, Result, request};
use sea_orm::Value;
use tokio::task::JoinHandle;

use crate::app::App;

/// Refuses when there were too many attempts; the statement answers the seconds to wait.
/// Errors: `TOO_MANY_REQUESTS`.
pub async fn refuse_while_paused(
    app: &App, sql: &'static str, values: impl IntoIterator<Item = Value>,
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
/// Errors: `TOO_MANY_REQUESTS`.
pub async fn take_attempt(app: &App, subject: String, limit: i32, minutes: i32) -> Result<()> {
    let values = [subject.into(), limit.into(), format!("{minutes} minutes").into()];
    refuse_while_paused(app, "select control.take_attempt($1, $2, $3::interval)", values).await
}

/// Takes one call of `limit` within a minute. More calls are refused until the minute is over, and no
/// longer: it is no guess.
/// Errors: `TOO_MANY_REQUESTS`.
pub async fn take_call(app: &App, subject: String, limit: i32) -> Result<()> {
    let values = [subject.into(), limit.into()];
    refuse_while_paused(app, "select control.take_call($1, $2, interval '1 minute')", values).await
}

/// How long an attempt waits for others that are under way.
const PATIENCE: Duration = Duration::from_secs(5);
const ASK_EVERY: Duration = Duration::from_millis(40);

/// An attempt that is decided within a moment. Those under way count, so that many at once get no more guesses than
/// one after the other; the next one waits while they leave no room. What was not wrong was none. Who leaves before
/// it is decided, or whom the database does not answer, has learned nothing: that was none either.
pub struct Attempt {
    app: App,
    end: &'static str,
    /// Whose it is; none once its outcome is reported.
    whose: Option<Vec<Value>>,
    wrong: AtomicBool,
}

impl Attempt {
    /// Begins one of `limit` wrong ones within this many minutes.
    /// Errors: `TOO_MANY_REQUESTS`.
    pub async fn begin(app: &App, subject: &str, limit: i32, minutes: i32) -> Result<Self> {
        let values = vec![subject.into(), limit.into(), format!("{minutes} minutes").into()];
        let whose = vec![subject.into(), limit.into()];
        let begin = "select control.begin_attempt($1, $2, $3::interval) pause";
        Self::begin_by(app, (begin, values), ("select control.end_attempt($1, $2, $3)::text", whose)).await
    }

    /// Begins one by this statement; that of its end has its outcome as the last value. It begins whole or not at
    /// all, also when the caller leaves meanwhile: one that nobody knows of would count as wrong.
    /// Errors: `TOO_MANY_REQUESTS`.
    pub(crate) async fn begin_by(
        app: &App, (begin, values): (&'static str, Vec<Value>), (end, whose): (&'static str, Vec<Value>),
    ) -> Result<Self> {
        let app = app.clone();
        let begun = request::spawn(async move {
            wait_for_room(&app, begin, &values).await?;
            Ok(Self { app, end, whose: Some(whose), wrong: AtomicBool::new(false) })
        });
        begun.await.map_err(|_| Code::UNKNOWN_ERROR)?
    }

    pub fn was_wrong(&self) {
        self.wrong.store(true, Ordering::Relaxed);
    }

    /// Reports that it was wrong, or that it was none.
    pub async fn end_as(self, wrong: bool) -> Result<()> {
        if wrong {
            self.was_wrong();
        }
        self.end().await
    }

    /// Reports the outcome.
    pub async fn end(mut self) -> Result<()> {
        match self.report() {
            Some(reported) => reported.await.map_err(|_| Code::UNKNOWN_ERROR)?,
            None => Ok(()),
        }
    }

    fn report(&mut self) -> Option<JoinHandle<Result<()>>> {
        let (app, end, wrong) = (self.app.clone(), self.end, self.wrong.load(Ordering::Relaxed));
        let whose = self.whose.take()?;
        Some(request::spawn(async move {
            app.door.call(end, whose.into_iter().chain([wrong.into()])).await?;
            Ok(())
        }))
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        // Nobody waits for it.
        drop(self.report());
    }
}

/// The statement answers the pause in seconds, 0, or a number below 0 as long as there is no room.
async fn wait_for_room(app: &App, sql: &'static str, values: &[Value]) -> Result<()> {
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
