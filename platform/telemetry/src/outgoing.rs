//! A call to another server: measured, a span of its own, and `traceparent` for its request.

use std::{borrow::Cow, error::Error, time::Instant};

use http::{HeaderMap, HeaderName, HeaderValue};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use opentelemetry::{KeyValue, trace::SpanKind};

use crate::{
    measures,
    trace::{self, Work},
};

/// Why an answer was not read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// It broke off, or took too long.
    Broken,
    TooLong,
}

/// The body of an answer, of at most so many bytes.
pub async fn read_answer<B>(body: B, limit: usize) -> Result<Vec<u8>, Unread>
where
    B: BodyExt<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    let whole = Limited::new(body, limit).collect().await;
    let fault = |error: Box<dyn Error + Send + Sync>| {
        if error.is::<LengthLimitError>() { Unread::TooLong } else { Unread::Broken }
    };
    whole.map(|whole| whole.to_bytes().into()).map_err(fault)
}

/// A call under way. One that is dropped before its end counts as cancelled.
#[derive(Debug)]
pub struct Call {
    method: &'static str,
    server: Cow<'static, str>,
    begun: Instant,
    work: Option<Work>,
}

impl Call {
    /// Begins one. `server` is the host where the operator chose it, `other` where a partner did: a label has
    /// few values.
    #[must_use]
    pub fn begin(method: &str, server: impl Into<Cow<'static, str>>) -> Self {
        let method = measures::method(method);
        let parent = trace::header();
        let work = Work::begin(SpanKind::Client, method, parent.as_deref());
        Self { method, server: server.into(), begun: Instant::now(), work: Some(work) }
    }

    /// The headers of its request: `traceparent`, once tracing is set up.
    #[must_use]
    pub fn headers(&self) -> HeaderMap {
        let header = self.work.as_ref().and_then(Work::header);
        let value = header.and_then(|header| HeaderValue::from_str(&header).ok());
        value.map(|value| (HeaderName::from_static(trace::HEADER), value)).into_iter().collect()
    }

    /// Its answer was read to its end and is one, or not: then the status alone says nothing.
    pub fn end_read(mut self, status: u16, sound: bool) {
        if sound {
            return self.end(Some(status));
        }
        self.finish(KeyValue::new("error.type", "broken_answer"), Some("broken_answer"));
    }

    /// It was answered with this status, or not at all.
    pub fn end(mut self, status: Option<u16>) {
        match status {
            Some(status) => self.finish(
                KeyValue::new("http.response.status_code", i64::from(status)),
                (status >= 400).then_some("status"),
            ),
            None => self.finish(KeyValue::new("error.type", "unreachable"), Some("unreachable")),
        }
    }

    fn finish(&mut self, outcome: KeyValue, error: Option<&'static str>) {
        let Some(work) = self.work.take() else { return };
        let known = || {
            let facts = [
                ("server.address", self.server.clone().into_owned()),
                ("http.request.method", self.method.to_owned()),
                ("pult.outcome", outcome.value.to_string()),
            ];
            (None, facts)
        };
        work.end(known, error);
        measures::call(self.method, self.server.clone(), outcome, self.begun.elapsed());
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.finish(KeyValue::new("error.type", "cancelled"), Some("cancelled"));
    }
}
