//! The job: each payment of the day is asked about, one after the other, and what is new is booked.

use std::time::SystemTime;

use access::prelude::*;
use contract::Snapshot;
use kernel::time::BusinessDay;
use orders::{
    PaymentId,
    online::{self, OnlineAttempt},
};
use restaurants::Facts;
use work::{Job, JobError};

use super::{
    rules::{Difference, difference},
    store::{self, NewLine, Progress, Reconciliations, State},
};
use crate::desk::Desk;

/// So many payments are compared between two words about how far it is.
const STEP: usize = 10;

/// Compares the day of a job: of a reconciliation that a person has begun (`id`), else `day` of `restaurant_id`.
pub(crate) async fn run(desk: &Desk<'_>, job: &Job) -> Result<(), JobError> {
    let tx = desk.way.begin().await?;
    let id: Id<Reconciliations> = if job.args.get("id").is_some() {
        job.arg("id")?
    } else {
        let (restaurant, day): (Id<Restaurant>, BusinessDay) = (job.arg("restaurant_id")?, job.arg("day")?);
        store::begin(&tx, restaurant, day, None).await?.0
    };
    let Some(work) = store::start(&tx, id).await? else { return Ok(()) };
    let facts = restaurants::facts_of_any(&tx, work.restaurant_id).await?;
    let attempts = online::of_day(&tx, &facts, work.day).await?;
    tx.commit().await?;
    let comparing = Comparing { desk, facts, id };
    for (done, attempt) in attempts.iter().enumerate() {
        if let Err(problem) = comparing.compare(*attempt).await {
            // One payment that cannot be worked is a line of its own, and not the end of the day.
            tracing::error!(attempt = %attempt, ?problem, "a payment cannot be compared");
            comparing.not_compared(*attempt).await?;
        }
        if done % STEP == 0 {
            comparing.progress(done, attempts.len(), State::Running).await?;
        }
    }
    comparing.foreign(work.day).await?;
    comparing.progress(attempts.len(), attempts.len(), State::Ready).await?;
    Ok(())
}

struct Comparing<'a> {
    desk: &'a Desk<'a>,
    facts: Facts,
    id: Id<Reconciliations>,
}

impl Comparing<'_> {
    async fn progress(&self, done: usize, all: usize, state: State) -> Result<()> {
        let tx = self.desk.way.begin().await?;
        Progress { done, all, state }.write(&tx, self.id).await?;
        Ok(tx.commit().await?)
    }

    /// Asks about one payment and books what is new. What differed before and does not any more is explained by that.
    async fn compare(&self, id: Id<PaymentId>) -> Result<()> {
        let tx = self.desk.way.begin().await?;
        let Some(before) = OnlineAttempt::find(&tx, id).await? else { return Ok(()) };
        let provider = self.desk.provider(&tx, before.account_id).await?;
        tx.commit().await?;
        let asked = match &provider {
            Some(provider) => self.desk.status(provider, &before).await.ok(),
            None => None,
        };
        let (mut found, mut explained, mut after) = (Some(Difference::NotAsked), None, before.clone());
        if let (Some(seen), Some(provider)) = (&asked, &provider) {
            let seen = seen.as_ref();
            found = difference(&before, seen);
            if seen.is_some() {
                self.desk.write(provider, &before, seen).await?;
                let tx = self.desk.way.begin().await?;
                after = OnlineAttempt::find(&tx, id).await?.unwrap_or(after);
                drop(tx);
                let left = difference(&after, seen);
                explained = (found.is_some() && left.is_none()).then_some("booked");
                found = found.or(left);
            }
        }
        self.add(Some(&after), asked.flatten().as_ref(), (&before.provider, found, explained)).await
    }

    async fn not_compared(&self, id: Id<PaymentId>) -> Result<()> {
        let tx = self.desk.way.begin().await?;
        let Some(ours) = OnlineAttempt::find(&tx, id).await? else { return Ok(()) };
        drop(tx);
        self.add(Some(&ours), None, (&ours.provider, Some(Difference::NotAsked), None)).await
    }

    /// What only the provider knows, where it tells all payments of a time.
    async fn foreign(&self, day: BusinessDay) -> Result<()> {
        let (zone, reset) = (self.facts.schedule.zone, self.facts.order_reset_time);
        let times = (day.start(zone, reset), day.end(zone, reset));
        let listed = listed(self.desk, &self.facts, times).await?;
        for (account, entries) in listed {
            for seen in entries.unwrap_or_default().iter().filter(|entry| !entry.is_known) {
                let line = (account.as_str(), Some(Difference::MissingHere), None);
                self.add(None, Some(&seen.seen), line).await?;
            }
        }
        Ok(())
    }

    async fn add(
        &self, ours: Option<&OnlineAttempt>, seen: Option<&Snapshot>,
        (provider, difference, explained): (&str, Option<Difference>, Option<&str>),
    ) -> Result<()> {
        let currency = ours.map(|ours| ours.currency.to_string());
        let currency = currency.or(seen.map(|seen| seen.currency.clone())).unwrap_or_default();
        let restaurant = self.facts.id;
        let tx = self.desk.way.begin().await?;
        let line = NewLine { restaurant, of: self.id, provider, currency, ours, seen, difference, explained };
        line.add(&tx).await?;
        Ok(tx.commit().await?)
    }
}

/// A payment in a provider's list.
pub(super) struct Listed {
    pub seen: Snapshot,
    /// Whether it is one of the partner's attempts.
    pub is_known: bool,
}

/// The payments that each account's provider has of a time; none for an account whose provider does not tell them, or
/// cannot be asked.
pub(super) async fn listed(
    desk: &Desk<'_>, facts: &Facts, (from, till): (Timestamp, Timestamp),
) -> Result<Vec<(String, Option<Vec<Listed>>)>> {
    let tx = desk.way.begin().await?;
    let accounts = payment_methods::accounts_of(&tx, facts.id).await?;
    let mut providers = Vec::new();
    for id in accounts {
        providers.extend(desk.provider(&tx, id).await?);
    }
    tx.commit().await?;
    let mut all = Vec::new();
    for provider in providers {
        let name = provider.account.provider.clone();
        let (from, till) = (SystemTime::from(from.0), SystemTime::from(till.0));
        let list = provider.plugin.list(&provider.account.merchant, from, till);
        let Ok(Some(entries)) = desk.call(&provider, list).await else {
            all.push((name, None));
            continue;
        };
        let tx = desk.way.begin().await?;
        let mut listed = Vec::new();
        for seen in entries {
            let ours = seen.attempt.parse::<Id<PaymentId>>().ok();
            let attempt = match ours {
                Some(ours) => OnlineAttempt::find(&tx, ours).await?,
                None => None,
            };
            // Two restaurants may have one merchant.
            let is_known = attempt.is_some();
            listed.push(Listed { seen, is_known });
        }
        drop(tx);
        all.push((name, Some(listed)));
    }
    Ok(all)
}
