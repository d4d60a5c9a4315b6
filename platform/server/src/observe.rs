//! Who collects what `telemetry` measures: `/metrics` for Prometheus, and traces for a collector that
//! `OTEL_EXPORTER_OTLP_ENDPOINT` names. See `docs/decisions/reliability.md#what-is-measured`.

mod sampler;

use std::{
    fs,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use chrono::Utc;
use console::load::{self, Instance};
use opentelemetry::{KeyValue, global};
use opentelemetry_sdk::{
    Resource,
    metrics::{Instrument, SdkMeterProvider, Stream},
    propagation::TraceContextPropagator,
    trace::{Sampler, SdkTracerProvider},
};
use prometheus::{Registry, TextEncoder};
use telemetry::measures;
use tenants::Door;
use uuid::Uuid;
use work::platform_jobs::{self, Backlog};

use self::sampler::Drawn;
use crate::{config, probes::Readiness};

/// Combinations of method, route and status that are counted apart.
const COMBINATIONS: usize = 6_000;
/// So many requests are recorded when nothing is set.
const RATIO: f64 = 0.01;

static REGISTRY: OnceLock<Registry> = OnceLock::new();
static TRACES: OnceLock<SdkTracerProvider> = OnceLock::new();
static ACTIVE: AtomicI64 = AtomicI64::new(0);
static BACKLOG: Mutex<Option<Backlog>> = Mutex::new(None);

/// A request under way.
#[derive(Debug)]
pub(crate) struct Active;

impl Active {
    pub(crate) fn begin() -> Self {
        ACTIVE.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        ACTIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Sets up who collects, before anything is measured.
pub fn begin() -> Result<(), String> {
    let resource = Resource::builder()
        .with_service_name("pult")
        .with_attribute(KeyValue::new("service.version", config::VERSION))
        .build();
    let registry = Registry::new();
    let exporter = opentelemetry_prometheus::exporter()
        .with_registry(registry.clone())
        .scope_info_enabled(false)
        .without_target_info()
        .build()
        .map_err(|error| error.to_string())?;
    let meters = SdkMeterProvider::builder().with_reader(exporter).with_resource(resource.clone());
    global::set_meter_provider(meters.with_view(of_requests).build());
    let _ = REGISTRY.set(registry);
    global::set_text_map_propagator(TraceContextPropagator::new());
    let traces = SdkTracerProvider::builder().with_resource(resource);
    // Without a collector identities of traces go on, and nothing is recorded.
    let traces = match config::trace_endpoint()? {
        None => traces.with_sampler(Sampler::AlwaysOff).build(),
        Some(_) => {
            let exporter = opentelemetry_otlp::SpanExporter::builder().with_http().build();
            traces
                .with_sampler(Drawn(config::trace_ratio()?.unwrap_or(RATIO)))
                .with_batch_exporter(
                    exporter.map_err(|error| format!("OTEL_EXPORTER_OTLP_ENDPOINT: {error}"))?,
                )
                .build()
        }
    };
    global::set_tracer_provider(traces.clone());
    let _ = TRACES.set(traces);
    gauges();
    Ok(())
}

/// Room for the requests' combinations of labels: beyond it all are one series without labels, in which no alert
/// finds its errors. The usual room is less than callers can fill with every operation and refusal.
fn of_requests(instrument: &Instrument) -> Option<Stream> {
    let ours = instrument.name() == measures::REQUEST;
    ours.then(|| Stream::builder().with_cardinality_limit(COMBINATIONS).build().ok()).flatten()
}

/// Sends what is left.
pub(crate) fn end() {
    if let Some(traces) = TRACES.get()
        && let Err(error) = traces.shutdown()
    {
        tracing::warn!(%error, "the last traces were not sent");
    }
}

/// What `/metrics` answers.
pub(crate) fn text() -> String {
    let families = REGISTRY.get().map(Registry::gather).unwrap_or_default();
    TextEncoder::new().encode_to_string(&families).unwrap_or_default()
}

fn one(value: f64) -> Vec<(f64, Option<KeyValue>)> {
    vec![(value, None)]
}

#[allow(clippy::cast_precision_loss)]
fn gauges() {
    measures::gauge("http.server.active_requests", "{request}", "Requests under way.", || {
        one(ACTIVE.load(Ordering::Relaxed) as f64)
    });
    measures::gauge("pult.ws.clients", "{client}", "Open windows and displays.", || {
        one(measures::Window::open_ones() as f64)
    });
    type Read = fn(&Backlog) -> f64;
    let counts: [(&'static str, &'static str, &'static str, Read); 5] = [
        ("pult.job.waiting", "{job}", "Jobs that are due and have not begun.", |backlog| {
            backlog.waiting as f64
        }),
        ("pult.job.dead", "{job}", "Jobs set aside for a person.", |backlog| backlog.dead as f64),
        ("pult.job.lag", "s", "Age of the oldest job that is due.", |backlog| backlog.lag),
        ("pult.outbox.lag", "s", "Age of the oldest due job of an event.", |backlog| backlog.outbox_lag),
        ("pult.partner.maintenance", "{partner}", "Partners kept from work.", |backlog| {
            backlog.maintenance as f64
        }),
    ];
    for (name, unit, what, read) in counts {
        measures::gauge(name, unit, what, move || {
            let backlog = *BACKLOG.lock().unwrap_or_else(PoisonError::into_inner);
            backlog.map(|backlog| (read(&backlog), None)).into_iter().collect()
        });
    }
    measures::gauge("process.resident_memory", "By", "Resident memory.", || {
        process().map(|process| (process.memory, None)).into_iter().collect()
    });
    measures::gauge("process.open_fds", "", "Open descriptors.", || {
        fs::read_dir("/proc/self/fd").map(|open| (open.count() as f64, None)).into_iter().collect()
    });
    let begun = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
    measures::gauge("process.start_time", "s", "When the process began, since 1970.", move || one(begun));
    measures::meter()
        .f64_observable_counter("process.cpu")
        .with_unit("s")
        .with_description("Time of the processors.")
        .with_callback(|observer| {
            if let Some(process) = process() {
                observer.observe(process.cpu, &[]);
            }
        })
        .build();
    measures::meter()
        .u64_observable_gauge("pult.build_info")
        .with_description("Which release this is.")
        .with_callback(|observer| {
            let labels = [KeyValue::new("version", config::VERSION), KeyValue::new("chart", config::CHART)];
            observer.observe(1, &labels);
        })
        .build();
}

/// Tells whether requests are welcome, also while the database has not been reached yet: an instance that waits for it
/// must not look like one that is not there.
pub(crate) fn readiness(of: Readiness) {
    measures::gauge("pult.ready", "", "Whether requests are welcome.", move || {
        one(if of.last() { 1.0 } else { 0.0 })
    });
}

struct Process {
    /// Bytes.
    memory: f64,
    /// Seconds.
    cpu: f64,
}

/// Of this process, as Linux tells; none elsewhere.
#[allow(clippy::cast_precision_loss)]
fn process() -> Option<Process> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name, in parentheses, may contain spaces.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    let ticks = rustix::param::clock_ticks_per_second();
    let cpu = (number(11)? + number(12)?) as f64 / ticks as f64;
    Some(Process { memory: number(21)? as f64 * rustix::param::page_size() as f64, cpu })
}

/// Counts what waits and tells the operator of this instance, for as long as it runs; connections are asked when
/// somebody looks.
pub(crate) async fn sample(door: Door, readiness: Readiness, part: &'static str) {
    let instance = Instance { id: Uuid::now_v7(), version: config::VERSION, part, started_at: Utc::now() };
    #[allow(clippy::cast_precision_loss)]
    {
        let at = door.clone();
        measures::gauge(
            "db.client.connection.count",
            "{connection}",
            "Connections to the database.",
            move || {
                let [used, idle, _] = at.load();
                let state = |state| Some(KeyValue::new("db.client.connection.state", state));
                vec![(used as f64, state("used")), (idle as f64, state("idle"))]
            },
        );
        let at = door.clone();
        measures::gauge(
            "pult.http.waiting_requests",
            "{request}",
            "Units of work that wait for a connection.",
            move || one(at.load()[2] as f64),
        );
        let at = door.clone();
        measures::gauge(
            "pult.db.server.up",
            "",
            "Whether a server beside the home server answers.",
            move || {
                let each = at.answering().into_iter().map(|(name, answers)| {
                    (f64::from(u8::from(answers)), Some(KeyValue::new("pult.db.server", name)))
                });
                each.collect()
            },
        );
    }
    loop {
        // Where no balancer and no kubelet asks, somebody has to.
        readiness.ready().await;
        let backlog = platform_jobs::backlog(&door).await;
        if let Err(error) = &backlog {
            tracing::warn!(%error, "what waits cannot be counted");
        }
        *BACKLOG.lock().unwrap_or_else(PoisonError::into_inner) = backlog.ok();
        let [connections, _, waiting] = door.load();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let memory = process().map_or(0, |process| process.memory as u64);
        let figures = load::Figures { memory, connections, waiting, windows: measures::Window::open_ones() };
        // A partner may have come to a server that this process does not know: its users are told so.
        if readiness.has_begun()
            && let Err(error) = platform_jobs::unknown_servers(&door).await
        {
            tracing::warn!(%error, "the servers of partners cannot be looked at");
        }
        if readiness.has_begun()
            && let Err(error) = load::write(&door, &instance, readiness.last(), figures).await
        {
            tracing::warn!(%error, "the load of this instance cannot be written");
        }
        let pause = if readiness.has_begun() { load::INTERVAL } else { Duration::from_secs(1) };
        tokio::time::sleep(pause).await;
    }
}
