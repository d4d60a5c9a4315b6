//! The instruments. A label has few values: never an id, never a partner.

use std::{
    borrow::Cow,
    sync::{
        LazyLock,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use opentelemetry::{
    KeyValue, Value, global,
    metrics::{Counter, Histogram, Meter},
};

/// Bounds of the durations of requests and calls, in seconds. Few, because each is a series of each route and
/// status: a thousand partners stay below 10,000 series. The goals (`docs/decisions/reliability.md#goals`)
/// are among them.
pub const REQUESTS: [f64; 7] = [0.01, 0.05, 0.15, 0.5, 1.0, 2.0, 10.0];
/// Bounds of the durations of statements and of waiting for a connection, in seconds.
pub const STATEMENTS: [f64; 9] = [0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];
/// Bounds of the time between a job's being due and its beginning, in seconds.
pub const JOBS: [f64; 8] = [0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0, 900.0];
/// Bounds of the time from an order's change to the windows that show it, in seconds; the goal is 2.
pub const WINDOWS_TOLD: [f64; 8] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 30.0];

/// Where all instruments belong.
#[must_use]
pub fn meter() -> Meter {
    global::meter("pult")
}

pub const REQUEST: &str = "http.server.request.duration";

struct Instruments {
    request: Histogram<f64>,
    call: Histogram<f64>,
    statement: Histogram<f64>,
    connection_wait: Histogram<f64>,
    job_wait: Histogram<f64>,
    window_delay: Histogram<f64>,
    job_failures: Counter<u64>,
    throttled: Counter<u64>,
    callbacks_refused: Counter<u64>,
    left_standby: Counter<u64>,
}

/// Made with the first measurement: who collects must be set up before.
static INSTRUMENTS: LazyLock<Instruments> = LazyLock::new(|| {
    let meter = meter();
    let seconds = |name: &'static str, what: &'static str, bounds: &[f64]| {
        meter
            .f64_histogram(name)
            .with_unit("s")
            .with_description(what)
            .with_boundaries(bounds.to_vec())
            .build()
    };
    Instruments {
        request: seconds(REQUEST, "Duration of requests.", &REQUESTS),
        call: seconds("http.client.request.duration", "Duration of calls to other servers.", &REQUESTS),
        statement: seconds("db.client.operation.duration", "Duration of statements.", &STATEMENTS),
        connection_wait: seconds(
            "db.client.connection.wait_time",
            "Time that a unit of work waits for a connection.",
            &STATEMENTS,
        ),
        job_wait: seconds("pult.job.wait", "Time between a job's being due and its beginning.", &JOBS),
        window_delay: seconds(
            "pult.ws.delay",
            "Time from the beginning of an order's change to its message at an open window.",
            &WINDOWS_TOLD,
        ),
        job_failures: meter
            .u64_counter("pult.job.failures")
            .with_description("Attempts of jobs that failed.")
            .build(),
        left_standby: meter
            .u64_counter("pult.db.replica.fallbacks")
            .with_description("Reads that the primary did because the standby failed or was behind.")
            .build(),
        callbacks_refused: meter
            .u64_counter("pult.callback.refused")
            .with_unit("{message}")
            .with_description("Messages of providers that are not signed as they should be.")
            .build(),
        throttled: meter
            .u64_counter("pult.tenant.throttled")
            .with_description(
                "Requests that a limit refused: of the caller (key, session, partner), or of an address.",
            )
            .build(),
    }
});

/// A label with a text that is shared, not copied.
fn label(key: &'static str, value: impl Into<Value>) -> KeyValue {
    KeyValue::new(key, value)
}

/// The label of a method that HTTP does not name.
pub const OTHER: &str = "_OTHER";

/// The methods of HTTP that are labels; any other is [`OTHER`].
#[must_use]
pub fn method(name: &str) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    KNOWN.into_iter().find(|known| *known == name).unwrap_or(OTHER)
}

/// A request was answered. `route` is the template of its path.
pub fn request(method_name: &str, route: &std::sync::Arc<str>, status: u16, took: Duration) {
    let labels = [
        label("http.request.method", method(method_name)),
        label("http.route", route.clone()),
        label("http.response.status_code", i64::from(status)),
    ];
    INSTRUMENTS.request.record(took.as_secs_f64(), &labels);
}

/// Another server was called; `server` is its host where the service knows it, `outcome` the status or what
/// went wrong.
pub(crate) fn call(method: &'static str, server: Cow<'static, str>, outcome: KeyValue, took: Duration) {
    let labels =
        [label("http.request.method", method), label("server.address", server.into_owned()), outcome];
    INSTRUMENTS.call.record(took.as_secs_f64(), &labels);
}

/// A statement was answered; `operation` is its first word.
pub(crate) fn statement(operation: &'static str, took: Duration) {
    INSTRUMENTS.statement.record(took.as_secs_f64(), &[label("db.operation.name", operation)]);
}

/// A unit of work has its connection.
pub fn connection_wait(took: Duration) {
    INSTRUMENTS.connection_wait.record(took.as_secs_f64(), &[]);
}

/// A job began so long after it was due.
pub fn job_begun(kind: &str, waited: Duration) {
    INSTRUMENTS.job_wait.record(waited.as_secs_f64(), &[label("pult.job.kind", kind.to_owned())]);
}

/// An open window was told of an order, so long after the order's change began.
pub fn window_told(after: Duration) {
    INSTRUMENTS.window_delay.record(after.as_secs_f64(), &[]);
}

pub fn job_failed(kind: &str) {
    INSTRUMENTS.job_failures.add(1, &[label("pult.job.kind", kind.to_owned())]);
}

/// The primary read what the standby should have.
pub fn left_standby() {
    INSTRUMENTS.left_standby.add(1, &[]);
}

/// A limit refused a request: of a key, a session or a partner when it is known who calls, else of an address.
pub fn throttled(known: bool) {
    INSTRUMENTS.throttled.add(1, &[label("limit", if known { "caller" } else { "address" })]);
}

/// A provider's message is not signed as it should be; it is not kept.
pub fn callback_refused(provider: &str) {
    INSTRUMENTS.callbacks_refused.add(1, &[label("pult.provider", provider.to_owned())]);
}

/// A number that is read when somebody asks for it. `read` must not wait.
pub fn gauge(
    name: &'static str, unit: &'static str, what: &'static str,
    read: impl Fn() -> Vec<(f64, Option<KeyValue>)> + Send + Sync + 'static,
) {
    meter()
        .f64_observable_gauge(name)
        .with_unit(unit)
        .with_description(what)
        .with_callback(move |observer| {
            for (value, label) in read() {
                observer.observe(value, label.as_slice());
            }
        })
        .build();
}

static WINDOWS: AtomicI64 = AtomicI64::new(0);

/// An open window or display; it is counted until this is dropped.
#[derive(Debug)]
pub struct Window(());

impl Window {
    #[must_use]
    pub fn open() -> Self {
        WINDOWS.fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    #[must_use]
    pub fn open_ones() -> i64 {
        WINDOWS.load(Ordering::Relaxed)
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        WINDOWS.fetch_sub(1, Ordering::Relaxed);
    }
}
