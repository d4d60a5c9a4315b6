//! The trace that a piece of work belongs to: W3C's `traceparent` from the request through the job to calls of
//! other servers.

use std::{borrow::Cow, sync::LazyLock, time::Instant};

use opentelemetry::{
    Context, KeyValue,
    global::{self, BoxedTracer},
    propagation::Extractor,
    trace::{FutureExt as _, SpanKind, Status, TraceContextExt as _, TraceId, Tracer as _},
};

use crate::measures;

pub(crate) const HEADER: &str = "traceparent";

/// Of whoever was set up to collect before the first piece of work.
static TRACER: LazyLock<BoxedTracer> = LazyLock::new(|| global::tracer("pult"));

struct Parent<'a>(&'a str);

impl Extractor for Parent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == HEADER).then_some(self.0)
    }
    fn keys(&self) -> Vec<&str> {
        vec![HEADER]
    }
}

/// What each line of the log says of a piece of work.
struct Facts(Box<[KeyValue]>);

/// A piece of work with a span of its own.
#[derive(Debug, Clone)]
pub struct Work(Context);

impl Work {
    /// Begins one; `parent` is the `traceparent` that came with it. One that is none of W3C's counts as absent.
    #[must_use]
    pub fn begin(kind: SpanKind, name: impl Into<Cow<'static, str>>, parent: Option<&str>) -> Self {
        let parent = parent
            .map(|parent| global::get_text_map_propagator(|propagator| propagator.extract(&Parent(parent))));
        let parent = parent.unwrap_or_default();
        let span = TRACER.span_builder(name).with_kind(kind).start_with_context(&*TRACER, &parent);
        Self(parent.with_span(span))
    }

    /// The same, with what each line of the log says while it is under way.
    #[must_use]
    pub fn logged_with(self, facts: impl Into<Box<[KeyValue]>>) -> Self {
        Self(self.0.with_value(Facts(facts.into())))
    }

    /// Does something short as this work.
    pub fn within<T>(&self, what: impl FnOnce() -> T) -> T {
        let _guard = self.0.clone().attach();
        what()
    }

    /// Runs `future` as this work: what it begins belongs to it.
    pub fn scope<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        future.with_context(self.0.clone())
    }

    /// Ends it; what is only known now is asked only where it is recorded. An error has a short word, never a
    /// message with data.
    pub fn end<const N: usize>(
        self, known: impl FnOnce() -> (Option<String>, [(&'static str, String); N]),
        error: Option<&'static str>,
    ) {
        let span = self.0.span();
        if span.is_recording() {
            let (name, facts) = known();
            if let Some(name) = name {
                span.update_name(name);
            }
            span.set_attributes(facts.into_iter().map(|(key, value)| KeyValue::new(key, value)));
            if let Some(error) = error {
                span.set_status(Status::error(error));
            }
        }
        span.end();
    }

    pub(crate) fn header(&self) -> Option<String> {
        header_of(&self.0)
    }
}

fn header_of(context: &Context) -> Option<String> {
    let span = context.span();
    let of = span.span_context();
    of.is_valid().then(|| format!("00-{}-{}-{:02x}", of.trace_id(), of.span_id(), of.trace_flags().to_u8()))
}

/// The `traceparent` of the work under way, for what goes on elsewhere; none outside of one.
#[must_use]
pub fn header() -> Option<String> {
    Context::map_current(header_of)
}

/// Reads the trace of the work under way and what each line of the log says of it. Both are empty outside of one.
pub fn under_way<T>(read: impl FnOnce(Option<TraceId>, &[KeyValue]) -> T) -> T {
    Context::map_current(|context| {
        let trace = context.has_active_span().then(|| context.span().span_context().trace_id());
        let facts = context.get::<Facts>().map(|facts| &*facts.0).unwrap_or_default();
        read(trace, facts)
    })
}

/// The first word of a statement, as a label.
fn operation(sql: &str) -> &'static str {
    const KNOWN: [&str; 8] = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "SET", "BEGIN", "COMMIT"];
    let word =
        sql.trim_start().split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
    KNOWN.into_iter().find(|known| word.eq_ignore_ascii_case(known)).unwrap_or("OTHER")
}

/// A statement under way. In a trace that is recorded it is a span with its text; values are bound and never part
/// of it.
#[derive(Debug)]
pub struct Statement {
    operation: &'static str,
    begun: Instant,
    span: Option<Context>,
}

/// Begins to measure a statement with this text.
#[must_use]
pub fn statement(sql: &str) -> Statement {
    let operation = operation(sql);
    let recorded = |context: &Context| context.has_active_span() && context.span().is_recording();
    let context = Context::map_current(|context| recorded(context).then(|| context.clone()));
    let span = context.map(|context| {
        let span = TRACER
            .span_builder(operation)
            .with_kind(SpanKind::Client)
            .with_attributes([
                KeyValue::new("db.system.name", "postgresql"),
                KeyValue::new("db.operation.name", operation),
                KeyValue::new("db.query.text", sql.to_owned()),
            ])
            .start_with_context(&*TRACER, &context);
        context.with_span(span)
    });
    Statement { operation, begun: Instant::now(), span }
}

impl Statement {
    pub async fn answer<T, E>(self, answer: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let answer = answer.await;
        measures::statement(self.operation, self.begun.elapsed());
        if let Some(context) = self.span {
            if answer.is_err() {
                context.span().set_status(Status::error("database"));
            }
            context.span().end();
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use opentelemetry_sdk::{
        propagation::TraceContextPropagator,
        trace::{InMemorySpanExporter, SdkTracerProvider},
    };

    use super::*;

    #[tokio::test]
    async fn a_trace_goes_from_its_caller_to_whoever_is_called() {
        let spans = InMemorySpanExporter::default();
        let provider = SdkTracerProvider::builder().with_simple_exporter(spans.clone()).build();
        global::set_text_map_propagator(TraceContextPropagator::new());
        global::set_tracer_provider(provider);
        assert_eq!(header(), None, "outside of any work");
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        let request =
            Work::begin(SpanKind::Server, "GET".to_owned(), Some(&format!("00-{trace}-00f067aa0ba902b7-01")));
        let job = request
            .scope(async {
                statement("select 1").answer(async { Ok::<_, ()>(()) }).await.unwrap();
                header()
            })
            .await;
        assert!(job.as_ref().unwrap().contains(trace), "{job:?}");
        request.end(|| (Some("GET /x".to_owned()), [("http.route", "/x".to_owned())]), None);
        let work = Work::begin(SpanKind::Consumer, "mail".to_owned(), job.as_deref());
        let kind = KeyValue::new("kind", "mail");
        let work = work.logged_with([kind.clone()]);
        let logged = work.within(|| {
            under_way(|trace, facts| (trace.map(|trace| trace.to_string()), facts.first().cloned()))
        });
        assert_eq!(logged, (Some(trace.to_owned()), Some(kind)));
        work.end(|| (None, []), Some("failed"));
        assert!(under_way(|trace, facts| trace.is_none() && facts.is_empty()));
        let done = spans.get_finished_spans().unwrap();
        let names: Vec<_> = done.iter().map(|span| span.name.as_ref()).collect();
        assert_eq!(names, ["SELECT", "GET /x", "mail"]);
        assert_eq!(done[0].parent_span_id, done[1].span_context.span_id());
        assert_eq!(done[2].parent_span_id, done[1].span_context.span_id());
        for broken in ["", "00-zz-zz-01", "x".repeat(5000).as_str()] {
            let work = Work::begin(SpanKind::Server, "GET".to_owned(), Some(broken));
            work.within(|| under_way(|other, _| assert_ne!(other.unwrap().to_string(), trace)));
        }
    }

    #[test]
    fn a_statement_is_known_by_its_first_word() {
        for (sql, known) in [
            ("select a from x", "SELECT"),
            ("  with a as (select 1) delete from b", "WITH"),
            ("insert into a values (1)", "INSERT"),
            ("SET role none; begin", "SET"),
            ("vacuum", "OTHER"),
            ("", "OTHER"),
        ] {
            assert_eq!(operation(sql), known, "{sql}");
        }
    }
}
