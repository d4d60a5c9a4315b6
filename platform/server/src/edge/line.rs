//! How far one connection is, and since when.

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

use super::{Limits, gate::Place};

/// How long a connection that was asked to end may take for it.
const FINISHING: Duration = Duration::from_secs(5);

/// What a connection is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
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
    order: Option<(Order, Instant)>,
}

/// One connection.
pub(super) struct Line {
    limits: Limits,
    state: Mutex<State>,
    word: Notify,
    place: Place,
}

impl Line {
    pub(super) fn new(limits: Limits, place: Place) -> Self {
        let now = Instant::now();
        let state = State {
            phase: Phase::Handshake,
            since: now,
            http2: false,
            answers: 0,
            taken: now,
            blocked: None,
            order: None,
        };
        Self { limits, state: Mutex::new(state), word: Notify::new(), place }
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
    pub(super) fn ordered(self: Arc<Self>) -> BoxFuture<'static, Order> {
        Box::pin(async move {
            loop {
                self.word.notified().await;
                if let Some((order, _)) = self.state().order {
                    return order;
                }
            }
        })
    }

    /// Gives an order when its time is over.
    pub(super) fn look(&self, now: Instant) {
        let mut state = self.state();
        let due = state.due(now, &self.limits, self.place.proxy());
        if due.is_some() && due != state.order.map(|(order, _)| order) {
            state.order = due.map(|order| (order, now));
            self.word.notify_one();
        }
    }
}

impl State {
    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = Instant::now();
    }

    fn due(&self, now: Instant, limits: &Limits, proxy: bool) -> Option<Order> {
        let over = |since: Instant, limit: Duration| now.saturating_duration_since(since) >= limit;
        let cut = |over: bool| over.then_some(Order::Cut);
        if self.phase == Phase::Upgraded {
            return None;
        }
        if self.blocked.is_some_and(|since| over(since, limits.stalled)) {
            return Some(Order::Cut);
        }
        match (self.phase, self.order) {
            (Phase::First | Phase::Idle | Phase::Handshake, Some((Order::Finish, since))) => {
                cut(over(since, FINISHING))
            }
            (Phase::Handshake | Phase::First, _) => cut(over(self.since, limits.first)),
            (Phase::Head, _) => cut(over(self.since, limits.head)),
            // The windows of HTTP/2 hold an answer back without the system's noticing.
            (Phase::Busy(_), _) => cut(self.http2 && self.answers > 0 && over(self.taken, limits.stalled)),
            (Phase::Idle, _) => {
                over(self.since, if proxy { limits.idle_proxy } else { limits.idle }).then_some(Order::Finish)
            }
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
pub(super) struct Serving {
    line: Arc<Line>,
    answering: bool,
}

impl Serving {
    pub(super) fn new(line: Arc<Line>) -> Self {
        let mut state = line.state();
        match state.phase {
            Phase::Upgraded => {}
            Phase::Busy(requests) => state.phase = Phase::Busy(requests + 1),
            _ => state.enter(Phase::Busy(1)),
        }
        drop(state);
        Self { line, answering: false }
    }

    /// A part of the answer is taken.
    pub(super) fn taken(&mut self) {
        let mut state = self.line.state();
        state.taken = Instant::now();
        if !self.answering {
            self.answering = true;
            state.answers += 1;
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let mut state = self.line.state();
        state.answers -= usize::from(self.answering);
        match state.phase {
            Phase::Busy(1) => state.enter(Phase::Idle),
            Phase::Busy(requests) => state.phase = Phase::Busy(requests - 1),
            _ => {}
        }
    }
}

/// A connection's bytes, which say how far it is.
pub(super) struct Paced {
    stream: TcpStream,
    line: Arc<Line>,
}

impl Paced {
    pub(super) fn new(stream: TcpStream, line: Arc<Line>) -> Self {
        Self { stream, line }
    }

    fn written(&self, done: &Poll<io::Result<usize>>) {
        let mut state = self.line.state();
        match done {
            Poll::Ready(Ok(_)) => state.wrote(),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                state.blocked.get_or_insert_with(Instant::now);
            }
        }
    }
}

impl AsyncRead for Paced {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.line.state().read();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Paced {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(&done);
        done
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
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
