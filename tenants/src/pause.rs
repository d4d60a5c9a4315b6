//! Requests of a partner that is being moved to another database server wait for the end of its pause, a second or
//! two, instead of being turned away. See `docs/decisions/tenancy.md#servers`.

use std::time::{Duration, Instant};

use sea_orm::DbErr;

use crate::{
    door::Door,
    entry::Entry,
    tx::{first, statement},
};

/// For so long a request waits; then its caller is told to come again.
const LONGEST: Duration = Duration::from_secs(8);
/// Between two questions of an instance, however many requests wait.
const AGAIN: Duration = Duration::from_millis(100);

/// What an instance heard last: of whom, when, and what. One partner is moved at a time.
#[derive(Default)]
pub(crate) struct LastHeard(tokio::sync::Mutex<Option<(Vec<u8>, Instant, String)>>);

/// The wait of one request.
#[derive(Default)]
pub(crate) struct Pause {
    begun: Option<Instant>,
    over: bool,
}

impl Pause {
    /// After a refusal because of work on the partner: whether to ask the door again, after a wait. No connection is
    /// held meanwhile.
    pub(crate) async fn is_over(&mut self, door: &Door, entry: &Entry) -> Result<bool, DbErr> {
        let begun = *self.begun.get_or_insert_with(Instant::now);
        while !self.over && begun.elapsed() < LONGEST {
            match door.pause_of(entry).await?.as_str() {
                "moving" => tokio::time::sleep(AGAIN).await,
                "at_work" => {
                    self.over = true;
                    return Ok(true);
                }
                _ => break,
            }
        }
        Ok(false)
    }
}

impl Door {
    async fn pause_of(&self, entry: &Entry) -> Result<String, DbErr> {
        let (partner, device) = match entry {
            Entry::Session { partner, .. } | Entry::Key { partner, .. } => (Some(partner.uuid()), None),
            Entry::Device { hash } | Entry::Callback { hash } => (None, Some(hash.clone())),
        };
        let of = device.clone().or(partner.map(|id| id.as_bytes().to_vec())).unwrap_or_default();
        let mut last = self.pause.0.lock().await;
        if let Some((heard, at, said)) = &*last
            && *heard == of
            && at.elapsed() < AGAIN
        {
            return Ok(said.clone());
        }
        let question = statement("select control.pause_of($1, $2)", [partner.into(), device.into()]);
        let row = self.ask(question).await?;
        let said: String = first(row.as_slice())?.unwrap_or_default();
        *last = Some((of, Instant::now(), said.clone()));
        Ok(said)
    }
}
