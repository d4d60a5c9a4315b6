//! The context of the running request: its id, the caller's language, ignored fields.

use std::sync::{
    Arc, Mutex, OnceLock,
    atomic::{AtomicBool, Ordering},
};

use bytes::Bytes;

use crate::{Id, Partner};

tokio::task_local! {
    static CURRENT: Arc<Current>;
}

/// Who goes first when the service has more to do than it can (`docs/decisions/reliability.md#overload`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rank {
    /// Orders and payments.
    First,
    /// All other requests, and jobs.
    #[default]
    Usual,
    /// What can wait: statistics, exports, logs.
    Last,
}

/// Whose turn a unit of work takes: partners take turns, so one with many requests keeps no other waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A partner's: the door has let the caller in, now or lately.
    Partner(Id<Partner>),
    /// Of all who have not proved anything yet.
    Unknown,
    Platform,
}

/// The request that this task answers.
#[derive(Debug, Default)]
pub struct Current {
    /// Random id, shown to the caller in `X-Request-Id` and in every problem, and written to each log line.
    pub id: String,
    /// Whether the caller reads Hungarian (`Accept-Language`).
    pub hungarian: bool,
    /// Who goes first.
    pub rank: Rank,
    /// Whose credential it carries, as far as that is known from earlier requests.
    known: Option<Id<Partner>>,
    /// Whether a unit of its work has begun.
    under_way: AtomicBool,
    /// Whether it was counted as a call of its session.
    counted: AtomicBool,
    /// Whether other requests wait for its end.
    awaited: AtomicBool,
    partner: OnceLock<Id<Partner>>,
    ignored: Mutex<Vec<String>>,
    body: Mutex<Option<Bytes>>,
    collided: AtomicBool,
    strict: AtomicBool,
}

impl Current {
    /// A request with this id, language and rank; `known` is the partner that its credential belongs to, if an
    /// earlier request has shown that.
    #[must_use]
    pub fn new(id: String, hungarian: bool, rank: Rank, known: Option<Id<Partner>>) -> Arc<Self> {
        Arc::new(Self { id, hungarian, rank, known, ..Self::default() })
    }

    /// Runs `future` as part of this request.
    pub fn scope<F: Future>(self: Arc<Self>, future: F) -> impl Future<Output = F::Output> {
        CURRENT.scope(self, future)
    }

    /// Dotted paths of the fields of the body that were not known or not writable.
    pub fn ignored(&self) -> Vec<String> {
        self.ignored.lock().map(|fields| fields.clone()).unwrap_or_default()
    }

    /// Whose data it works with, once the door has said so.
    pub fn partner(&self) -> Option<Id<Partner>> {
        self.partner.get().copied()
    }

    /// Whether the database gave this request up in favour of another since this was asked last
    /// (serialisation failure or deadlock): nothing of it has happened, and it may be done again.
    pub fn collided(&self) -> bool {
        self.collided.swap(false, Ordering::Relaxed)
    }

    /// The JSON body, once it has been read.
    pub fn body(&self) -> Option<Bytes> {
        self.body.lock().ok().and_then(|body| body.clone())
    }
}

/// The id of the request under way; empty outside a request.
#[must_use]
pub fn id() -> String {
    CURRENT.try_with(|current| current.id.clone()).unwrap_or_default()
}

/// The door has let the request under way to this partner's data.
pub fn note_partner(partner: Id<Partner>) {
    let _ = CURRENT.try_with(|current| current.partner.set(partner));
}

/// The rank of the request under way; that of jobs outside of one.
#[must_use]
pub fn rank() -> Rank {
    let of = |current: &Arc<Current>| {
        if current.awaited.load(Ordering::Relaxed) { Rank::First } else { current.rank }
    };
    CURRENT.try_with(of).unwrap_or_default()
}

/// Whose turn the work of this task takes.
#[must_use]
pub fn turn() -> Turn {
    let of =
        |current: &Arc<Current>| current.partner().or(current.known).map_or(Turn::Unknown, Turn::Partner);
    CURRENT.try_with(of).unwrap_or(Turn::Platform)
}

/// The request under way is counted as a call of its session. False when it was before: what answers it may read its
/// credential more than once. Work outside of requests is counted each time.
#[must_use]
pub fn note_counted() -> bool {
    CURRENT.try_with(|current| !current.counted.swap(true, Ordering::Relaxed)).unwrap_or(true)
}

/// Whether a unit of work of the request under way has begun before. Work outside of requests always begins.
#[must_use]
pub fn under_way() -> bool {
    let of = |current: &Arc<Current>| {
        current.under_way.load(Ordering::Relaxed) || current.awaited.load(Ordering::Relaxed)
    };
    CURRENT.try_with(of).unwrap_or(false)
}

/// A unit of work of the request under way begins.
pub fn note_under_way() {
    let _ = CURRENT.try_with(|current| current.under_way.store(true, Ordering::Relaxed));
}

/// Others wait for the end of the request under way: from now on it goes before everything else.
pub fn note_awaited() {
    let _ = CURRENT.try_with(|current| current.awaited.store(true, Ordering::Relaxed));
}

/// Runs `future` as work of the request under way that others wait for too: it goes before everything else.
pub async fn ahead<F: Future>(future: F) -> F::Output {
    let Ok(current) = CURRENT.try_with(Arc::clone) else { return future.await };
    let known = current.partner().or(current.known);
    let ahead = Current::new(current.id.clone(), current.hungarian, Rank::First, known);
    ahead.under_way.store(true, Ordering::Relaxed);
    ahead.scope(future).await
}

/// Runs `future` to its end as work of the request under way, also when nobody waits for it any more: a request is
/// dropped in the middle when its caller leaves.
pub fn spawn<F>(future: F) -> tokio::task::JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    match CURRENT.try_with(Arc::clone) {
        Ok(current) => tokio::spawn(current.scope(future)),
        Err(_) => tokio::spawn(future),
    }
}

/// Whether texts for the caller should be Hungarian.
#[must_use]
pub fn hungarian() -> bool {
    CURRENT.try_with(|current| current.hungarian).unwrap_or(false)
}

/// Makes unknown fields of the body an error instead of ignoring them, because the sender would lose their
/// content.
pub fn refuse_unknown_fields() {
    let _ = CURRENT.try_with(|current| current.strict.store(true, Ordering::Relaxed));
}

pub(crate) fn refuses_unknown_fields() -> bool {
    CURRENT.try_with(|current| current.strict.load(Ordering::Relaxed)).unwrap_or(false)
}

pub(crate) fn note_collision() {
    let _ = CURRENT.try_with(|current| current.collided.store(true, Ordering::Relaxed));
}

pub(crate) fn note_body(bytes: &Bytes) {
    let _ = CURRENT.try_with(|current| {
        if let Ok(mut body) = current.body.lock() {
            *body = Some(bytes.clone());
        }
    });
}

pub(crate) fn note_ignored(fields: Vec<String>) {
    let _ = CURRENT.try_with(|current| {
        if let Ok(mut ignored) = current.ignored.lock() {
            *ignored = fields;
        }
    });
}
