//! The trace that a piece of work belongs to: W3C's `traceparent` from the request through the job to calls of
//! other servers.

use std::{collections::HashMap, time::Instant};

use opentelemetry::{
    Context, KeyValue, global,
    propagation::{Extractor, Injector},
    trace::{FutureExt as _, SpanKind, Status, TraceContextExt as _, Tracer as _},
};

use crate::measures;

pub(crate) const HEADER: &str = "traceparent";

#[derive(Default)]
struct Carrier(HashMap<String, String>);

impl Injector for Carrier {
    fn set(&mut self, key: &str, value: String) {
        self.0.insert(key.to_owned(), value);
    }
}

impl Extractor for Carrier {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }
    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }
}

/// A piece of work with a span of its own.
#[derive(Debug, Clone)]
pub struct Work(Context);

impl Work {
    /// Begins one; `parent` is the `traceparent` that came with it. One that is none of W3C's counts as absent.
    #[must_use]
    pub fn begin(kind: SpanKind, name: String, parent: Option<&str>) -> Self {
        let mut carrier = Carrier::default();
        if let Some(parent) = parent {
            carrier.set(HEADER, parent.to_owned());
        }
        let parent = global::get_text_map_propagator(|propagator| propagator.extract(&carrier));
        let tracer = global::tracer("pult");
        let span = tracer.span_builder(name).with_kind(kind).start_with_context(&tracer, &parent);
        Self(parent.with_span(span))
    }

    /// Its trace, as 32 hexadecimal digits; zeros while nobody has set tracing up.
    #[must_use]
    pub fn trace_id(&self) -> String {
        self.0.span().span_context().trace_id().to_string()
    }

    /// Runs `future` as this work: what it begins belongs to it.
    pub async fn scope<F: Future>(&self, future: F) -> F::Output {
        future.with_context(self.0.clone()).await
    }

    /// Ends it, with what is only known now. An error has a short word, never a message with data.
    pub fn end(
        self,
        name: Option<String>,
        facts: impl IntoIterator<Item = (&'static str, String)>,
        error: Option<&'static str>,
    ) {
        let span = self.0.span();
        if span.is_recording() {
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
    if !context.has_active_span() {
        return None;
    }
    let mut carrier = Carrier::default();
    global::get_text_map_propagator(|propagator| propagator.inject_context(context, &mut carrier));
    carrier.0.remove(HEADER)
}

/// The `traceparent` of the work under way, for what goes on elsewhere; none outside of one.
#[must_use]
pub fn header() -> Option<String> {
    header_of(&Context::current())
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
    let context = Context::current();
    let span =
        context.has_active_span().then(|| context.span()).filter(|span| span.is_recording()).map(|_| {
            let tracer = global::tracer("pult");
            let span = tracer
                .span_builder(operation)
                .with_kind(SpanKind::Client)
                .with_attributes([
                    KeyValue::new("db.system.name", "postgresql"),
                    KeyValue::new("db.operation.name", operation),
                    KeyValue::new("db.query.text", sql.to_owned()),
                ])
                .start_with_context(&tracer, &context);
            context.with_span(span)
        });
    Statement { operation, begun: Instant::now(), span }
}

impl Statement {
    /// Waits for the answer.
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
        request.end(Some("GET /x".to_owned()), [("http.route", "/x".to_owned())], None);
        let work = Work::begin(SpanKind::Consumer, "mail".to_owned(), job.as_deref());
        assert_eq!(work.trace_id(), trace);
        work.end(None, [], Some("failed"));
        let done = spans.get_finished_spans().unwrap();
        let names: Vec<_> = done.iter().map(|span| span.name.as_ref()).collect();
        assert_eq!(names, ["SELECT", "GET /x", "mail"]);
        assert_eq!(done[0].parent_span_id, done[1].span_context.span_id());
        assert_eq!(done[2].parent_span_id, done[1].span_context.span_id());
        for broken in ["", "00-zz-zz-01", "x".repeat(5000).as_str()] {
            let work = Work::begin(SpanKind::Server, "GET".to_owned(), Some(broken));
            assert_ne!(work.trace_id(), trace);
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
