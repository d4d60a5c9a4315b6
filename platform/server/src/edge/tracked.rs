//! The progress of one connection, with its time.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    sync::Notify,
};

use super::{Limits, limiter::ConnectionPermit};

/// How long a connection that was asked to end may take for it.
const FINISHING: Duration = Duration::from_secs(5);

/// The next action of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeoutAction {
    /// End in good form: nothing is under way.
    Finish,
    /// End at once.
    Cut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Handshake,
    /// Nothing of a request has come yet.
    First,
    /// A request has begun.
    Head,
    /// Requests are being answered.
    Busy(usize),
    /// All requests are answered.
    Idle,
    /// It is a socket now, which has limits of its own.
    Upgraded,
}

struct State {
    phase: Phase,
    since: Instant,
    /// HTTP/2 has frames between requests, so bytes say nothing of where it is.
    http2: bool,
    /// Answers whose bodies wait to be taken.
    answers: usize,
    /// When the last part of an answer was taken.
    taken: Instant,
    /// Since when the peer takes nothing of what is written.
    blocked: Option<Instant>,
    action: Option<(TimeoutAction, Instant)>,
}

pub(super) struct TrackedConnection {
    limits: Limits,
    state: Mutex<State>,
    wake: Notify,
    permit: ConnectionPermit,
}

impl TrackedConnection {
    pub(super) fn new(limits: Limits, permit: ConnectionPermit) -> Self {
        let now = Instant::now();
        let state = State {
            phase: Phase::Handshake,
            since: now,
            http2: false,
            answers: 0,
            taken: now,
            blocked: None,
            action: None,
        };
        Self { limits, state: Mutex::new(state), wake: Notify::new(), permit }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The handshake is over, or there is none.
    pub(super) fn begin(&self, http2: bool) {
        let mut state = self.state();
        state.http2 = http2;
        state.enter(Phase::First);
    }

    /// It is a socket from now on.
    pub(super) fn upgrade(&self) {
        self.state().enter(Phase::Upgraded);
    }

    /// Waits for what it is to do. In a box: the compiler does not see else that it may go to another thread.
    pub(super) fn next_action(self: Arc<Self>) -> BoxFuture<'static, TimeoutAction> {
        Box::pin(async move {
            loop {
                self.wake.notified().await;
                if let Some((action, _)) = self.state().action {
                    return action;
                }
            }
        })
    }

    /// Gives an order when its time is over.
    pub(super) fn look(&self, now: Instant) {
        let mut state = self.state();
        let due = state.due(now, &self.limits, self.permit.proxy());
        if due.is_some() && due != state.action.map(|(action, _)| action) {
            state.action = due.map(|action| (action, now));
            self.wake.notify_one();
        }
    }
}

impl State {
    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = Instant::now();
    }

    fn due(&self, now: Instant, limits: &Limits, proxy: bool) -> Option<TimeoutAction> {
        let over = |since: Instant, limit: Duration| now.saturating_duration_since(since) >= limit;
        let cut = |over: bool| over.then_some(TimeoutAction::Cut);
        if self.phase == Phase::Upgraded {
            return None;
        }
        if self.blocked.is_some_and(|since| over(since, limits.stalled)) {
            return Some(TimeoutAction::Cut);
        }
        match (self.phase, self.action) {
            (Phase::First | Phase::Idle | Phase::Handshake, Some((TimeoutAction::Finish, since))) => {
                cut(over(since, FINISHING))
            }
            (Phase::Handshake | Phase::First, _) => cut(over(self.since, limits.first)),
            (Phase::Head, _) => cut(over(self.since, limits.head)),
            // The windows of HTTP/2 hold an answer back without the system's noticing.
            (Phase::Busy(_), _) => cut(self.http2 && self.answers > 0 && over(self.taken, limits.stalled)),
            (Phase::Idle, _) => over(self.since, if proxy { limits.idle_proxy } else { limits.idle })
                .then_some(TimeoutAction::Finish),
            (Phase::Upgraded, _) => None,
        }
    }

    fn read(&mut self) {
        if !self.http2 && matches!(self.phase, Phase::First | Phase::Idle) {
            self.enter(Phase::Head);
        }
    }

    fn wrote(&mut self) {
        self.blocked = None;
        // The end of an answer can still be on its way when its body is done.
        if !self.http2 && self.phase == Phase::Idle {
            self.since = Instant::now();
        }
    }
}

/// A request that is being answered, until the last part of its answer is taken.
pub(super) struct ActiveRequest {
    tracked: Arc<TrackedConnection>,
    answering: bool,
}

impl ActiveRequest {
    pub(super) fn new(tracked: Arc<TrackedConnection>) -> Self {
        let mut state = tracked.state();
        match state.phase {
            Phase::Upgraded => {}
            Phase::Busy(requests) => state.phase = Phase::Busy(requests + 1),
            _ => state.enter(Phase::Busy(1)),
        }
        drop(state);
        Self { tracked, answering: false }
    }

    /// A part of the answer is taken.
    pub(super) fn taken(&mut self) {
        let mut state = self.tracked.state();
        state.taken = Instant::now();
        if !self.answering {
            self.answering = true;
            state.answers += 1;
        }
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        let mut state = self.tracked.state();
        state.answers -= usize::from(self.answering);
        match state.phase {
            Phase::Busy(1) => state.enter(Phase::Idle),
            Phase::Busy(requests) => state.phase = Phase::Busy(requests - 1),
            _ => {}
        }
    }
}

/// A connection's bytes, which say how far it is.
pub(super) struct TimedStream {
    stream: TcpStream,
    tracked: Arc<TrackedConnection>,
}

impl TimedStream {
    pub(super) fn new(stream: TcpStream, tracked: Arc<TrackedConnection>) -> Self {
        Self { stream, tracked }
    }

    fn written(&self, done: &Poll<io::Result<usize>>) {
        let mut state = self.tracked.state();
        match done {
            Poll::Ready(Ok(_)) => state.wrote(),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                state.blocked.get_or_insert_with(Instant::now);
            }
        }
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.tracked.state().read();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(&done);
        done
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>, context: &mut Context<'_>, parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.written(&done);
        done
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
