//! The lines of the log: one object of JSON each, with the trace of the work under way and what is known of it
//! (`request_id`, or a job's number and kind). See `docs/decisions/reliability.md#what-is-measured`.
//!
//! Spans of `tracing` would carry the same, but each costs more than all the rest of the line: it is kept in a
//! registry, its fields are written as JSON, read again and written again for each line.

use std::fmt;

use opentelemetry::Value;
use serde::ser::{SerializeMap, Serializer};
use telemetry::trace;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_log::NormalizeEvent;
use tracing_subscriber::{
    EnvFilter,
    fmt::{
        FmtContext, FormatEvent, FormatFields,
        format::Writer,
        time::{FormatTime, SystemTime},
    },
    registry::LookupSpan,
};

/// What is logged: `PULT_LOG`, a level and levels of parts (`warn,server=debug`).
pub fn filter(setting: Option<&str>) -> Result<EnvFilter, String> {
    let text = setting.filter(|text| !text.is_empty()).unwrap_or("warn,server=info,work=info");
    EnvFilter::try_new(text).map_err(|error| format!("PULT_LOG is {text:?}: {error}"))
}

/// Writes an event as a line.
#[derive(Debug)]
pub struct JsonLine;

impl<S, N> FormatEvent<S, N> for JsonLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut to: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut line = Vec::with_capacity(512);
        write(&mut line, event).map_err(|_| fmt::Error)?;
        to.write_str(str::from_utf8(&line).map_err(|_| fmt::Error)?)?;
        to.write_char('\n')
    }
}

fn write(line: &mut Vec<u8>, event: &Event<'_>) -> serde_json::Result<()> {
    // Of a line that came through the crate `log`, where it really was written.
    let normalized = event.normalized_metadata();
    let metadata = normalized.as_ref().unwrap_or_else(|| event.metadata());
    let mut now = String::with_capacity(32);
    let _ = SystemTime.format_time(&mut Writer::new(&mut now));
    let mut serializer = serde_json::Serializer::new(line);
    let mut object = serializer.serialize_map(None)?;
    object.serialize_entry("timestamp", &now)?;
    object.serialize_entry("level", metadata.level().as_str())?;
    let mut fields = Fields { object, outcome: Ok(()) };
    event.record(&mut fields);
    let Fields { mut object, outcome } = fields;
    outcome?;
    object.serialize_entry("target", metadata.target())?;
    let own = event.metadata().fields();
    trace::under_way(|trace, facts| {
        for fact in facts.iter().filter(|fact| own.field(fact.key.as_str()).is_none()) {
            let key = fact.key.as_str();
            match &fact.value {
                Value::I64(value) => object.serialize_entry(key, value)?,
                value => object.serialize_entry(key, &*value.as_str())?,
            }
        }
        trace.map_or(Ok(()), |trace| object.serialize_entry("trace_id", &format_args!("{trace}")))
    })?;
    object.end()
}

struct Fields<O: SerializeMap> {
    object: O,
    outcome: Result<(), O::Error>,
}

impl<O: SerializeMap> Fields<O> {
    fn entry(&mut self, field: &Field, value: &(impl serde::Serialize + ?Sized)) {
        // What the crate `log` adds stands at the top of the line already.
        if self.outcome.is_ok() && !field.name().starts_with("log.") {
            self.outcome = self.object.serialize_entry(field.name(), value);
        }
    }
}

impl<O: SerializeMap> Visit for Fields<O> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.entry(field, &value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.entry(field, &value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.entry(field, &value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.entry(field, &value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.entry(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.entry(field, &format_args!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use opentelemetry::{KeyValue, global, trace::SpanKind};
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use serde_json::{Value, json};
    use trace::Work;

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_is_one_object_with_what_is_known_of_the_work_under_way() {
        global::set_tracer_provider(SdkTracerProvider::default());
        let lines = Lines::default();
        let to = lines.clone();
        let subscriber =
            tracing_subscriber::fmt().event_format(JsonLine).with_writer(move || to.clone()).finish();
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!(error = %"a \"quote\"\nand a line", many = 3, ms = 0.5, yes = true, "outside");
            let request = Work::begin(SpanKind::Server, "GET", None)
                .logged_with([KeyValue::new("request_id", "r-1"), KeyValue::new("job", 7)]);
            request.within(|| tracing::info!(job = 8, "inside: {}", "é\u{0}"));
        });
        let bytes = lines.0.lock().unwrap().clone();
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let [outside, inside] = lines.as_slice() else { panic!("{text}") };
        assert!(outside["timestamp"].as_str().unwrap().ends_with('Z'), "{text}");
        for (key, value) in [
            ("level", json!("WARN")),
            ("message", json!("outside")),
            ("error", json!("a \"quote\"\nand a line")),
            ("many", json!(3)),
            ("ms", json!(0.5)),
            ("yes", json!(true)),
            ("target", json!("server::log::tests")),
        ] {
            assert_eq!(outside[key], value, "{text}");
        }
        assert!(outside.get("trace_id").is_none(), "{text}");
        assert_eq!((&inside["message"], &inside["request_id"]), (&json!("inside: é\u{0}"), &json!("r-1")));
        assert_eq!(inside["trace_id"].as_str().map(str::len), Some(32), "{text}");
        // What the event says itself goes before.
        assert_eq!(inside["job"], 8);
        assert_eq!(text.matches("\"job\"").count(), 1, "{text}");
    }
}
