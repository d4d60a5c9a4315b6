//! Subscriptions to events: one table for the whole service, handed in at start. See
//! `docs/decisions/events-and-jobs.md#publishing`.
//!
//! A subscriber is a kind of job with a function that looks at an event and returns the job it wants, if any.
//! An event writes at most one job in its transaction: the wanted one, or, when several are wanted, one that
//! runs them all ([`FAN_OUT`]).

use std::{
    any::{Any, TypeId, type_name},
    collections::HashMap,
    sync::OnceLock,
};

use chrono::{DateTime, Utc};
use kernel::{Code, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::events::Event;

/// The kind of the one job of an event that several subscribers want something of.
pub const FAN_OUT: &str = "event";

/// The job that a subscriber wants.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Work {
    /// With a key, a second one of the same kind that still waits is not written.
    pub key: Option<String>,
    /// Ids, never personal data.
    pub args: Value,
    /// Not before then (UTC); at once when absent.
    pub run_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct NewJob {
    pub kind: String,
    pub key: Option<String>,
    pub args: Value,
    pub run_at: Option<DateTime<Utc>>,
}

/// The effects of an event besides its message.
pub(crate) struct EventEffects {
    pub job: Option<NewJob>,
    pub topics: Vec<&'static str>,
}

type Wants = Box<dyn Fn(&dyn Any) -> Option<Work> + Send + Sync>;
type Wakes = Box<dyn Fn(&dyn Any) -> bool + Send + Sync>;

/// The subscribers of one type of events.
#[derive(Default)]
struct Subscribers {
    jobs: Vec<(&'static str, Wants)>,
    topics: Vec<(&'static str, Wakes)>,
}

#[derive(Default)]
pub struct Subscriptions(HashMap<TypeId, Subscribers>);

impl Subscriptions {
    /// A kind of job and what of it an event causes. It may run twice, and it runs whether or not the jobs of
    /// other subscribers fail.
    #[must_use]
    pub fn job<E: Event>(mut self, kind: &'static str, wants: fn(&E) -> Option<Work>) -> Self {
        let wants = move |event: &dyn Any| event.downcast_ref().and_then(wants);
        self.0.entry(TypeId::of::<E>()).or_default().jobs.push((kind, Box::new(wants)));
        self
    }

    /// Readers of [`crate::Hub::subscribe_topic`] that are woken by the events of which this is true. It
    /// costs the database nothing: the notification of the message names them.
    #[must_use]
    pub fn wake<E: Event>(mut self, topic: &'static str, wakes: fn(&E) -> bool) -> Self {
        let wakes = move |event: &dyn Any| event.downcast_ref().is_some_and(wakes);
        self.0.entry(TypeId::of::<E>()).or_default().topics.push((topic, Box::new(wakes)));
        self
    }

    /// The kinds of jobs that are subscribed, for a test that each has a handler.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.0.values().flat_map(|subscribers| subscribers.jobs.iter().map(|(kind, _)| *kind))
    }

    fn effects<E: Event>(&self, event: &E) -> EventEffects {
        let Some(subscribers) = self.0.get(&TypeId::of::<E>()) else {
            return EventEffects { job: None, topics: vec![] };
        };
        let jobs = subscribers.jobs.iter().filter_map(|(kind, wants)| {
            let Work { key, args, run_at } = wants(event)?;
            Some(NewJob { kind: (*kind).to_owned(), key, args, run_at })
        });
        let topics = subscribers.topics.iter().filter(|(_, wakes)| wakes(event)).map(|(topic, _)| *topic);
        EventEffects { job: one_job(jobs.collect()), topics: topics.collect() }
    }
}

fn one_job(mut jobs: Vec<NewJob>) -> Option<NewJob> {
    if jobs.len() < 2 {
        return jobs.pop();
    }
    // When the first of them is due; none is at once.
    let run_at = jobs.iter().map(|job| job.run_at).min().flatten();
    Some(NewJob { kind: FAN_OUT.to_owned(), key: None, args: json!({ "jobs": jobs }), run_at })
}

/// One table for the process, as one code is: what is published does not depend on which handler or job
/// publishes it.
static TABLE: OnceLock<Subscriptions> = OnceLock::new();

/// Hands in the table, before the first request and the first job. A second one is not taken: instances in
/// one process, as tests have them, share the first.
pub fn install(table: Subscriptions) {
    let _ = TABLE.set(table);
}

/// Whether any kind that is subscribed is one of these: who handles one of them takes the jobs of events.
pub(crate) fn any_of(handled: impl Fn(&str) -> bool) -> bool {
    TABLE.get().is_some_and(|table| table.kinds().any(handled))
}

/// The kinds of jobs that events write; none before the table was handed in.
pub(crate) fn installed_kinds() -> impl Iterator<Item = &'static str> {
    TABLE.get().into_iter().flat_map(Subscriptions::kinds)
}

/// The effects of this event.
/// Errors: When no table was handed in: the work of subscribers would be lost without a word.
pub(crate) fn effects<E: Event>(event: &E) -> Result<EventEffects> {
    match TABLE.get() {
        Some(table) => Ok(table.effects(event)),
        None => {
            tracing::error!(event = type_name::<E>(), "published before subscriptions were handed in");
            Err(Code::UNKNOWN_ERROR.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Id, Restaurant};

    use super::*;
    use crate::events::Message;

    struct Cooked(bool);

    impl Event for Cooked {
        fn restaurant(&self) -> Id<Restaurant> {
            Id::new()
        }

        fn message(&self) -> Option<Message> {
            None
        }
    }

    fn table() -> Subscriptions {
        Subscriptions::default()
            .job("smell", |cooked: &Cooked| Some(Work { args: json!({"well": cooked.0}), ..Work::default() }))
            .job("eat", |cooked: &Cooked| {
                cooked.0.then(|| Work { run_at: Some(kernel::clock::now()), ..Work::default() })
            })
            .wake("door", |cooked: &Cooked| !cooked.0)
    }

    #[test]
    fn an_event_writes_one_job_at_most() {
        let burnt = table().effects(&Cooked(false));
        let smell = NewJob { kind: "smell".into(), key: None, args: json!({"well": false}), run_at: None };
        assert_eq!((burnt.job, burnt.topics), (Some(smell), vec!["door"]), "what one wants is its own job");
        let Some(both) = table().effects(&Cooked(true)).job else { unreachable!() };
        assert_eq!((both.kind.as_str(), both.run_at), (FAN_OUT, None), "due when the first of them is");
        assert_eq!(both.args["jobs"].as_array().map(Vec::len), Some(2));
        let nobody = Subscriptions::default().effects(&Cooked(true));
        assert!(nobody.job.is_none() && nobody.topics.is_empty());
    }
}
