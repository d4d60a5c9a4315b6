//! Which traces are recorded.

use opentelemetry::{
    Context, KeyValue,
    trace::{Link, SpanKind, TraceContextExt, TraceId},
};
use opentelemetry_sdk::trace::{Sampler, SamplingResult, ShouldSample};

/// Of requests so many, 0 to 1; what follows from a request as the request was. A request is drawn by a number of
/// ours: its caller chooses the trace's id and flag, and a stranger would have all of its requests recorded.
#[derive(Debug, Clone)]
pub(super) struct Drawn(pub f64);

impl ShouldSample for Drawn {
    fn should_sample(
        &self, parent: Option<&Context>, _: TraceId, name: &str, kind: &SpanKind, attributes: &[KeyValue],
        links: &[Link],
    ) -> SamplingResult {
        let follows = *kind != SpanKind::Server && parent.is_some_and(TraceContextExt::has_active_span);
        let sampler = if follows {
            Sampler::ParentBased(Box::new(Sampler::AlwaysOff))
        } else {
            Sampler::TraceIdRatioBased(self.0)
        };
        let drawn = TraceId::from_bytes(rand::random());
        sampler.should_sample(parent, drawn, name, kind, attributes, links)
    }
}

#[cfg(test)]
mod tests {
    use opentelemetry::trace::{SpanContext, SpanId, TraceFlags, TraceState};
    use opentelemetry_sdk::trace::SamplingDecision;

    use super::*;

    fn recorded(ratio: f64, kind: &SpanKind, flags: TraceFlags) -> usize {
        // The smallest id, which every rule by ids records.
        let id = TraceId::from_bytes([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        let parent = SpanContext::new(id, SpanId::from_bytes([1; 8]), flags, true, TraceState::default());
        let parent = Context::new().with_remote_span_context(parent);
        let one = |_: &u32| {
            let result = Drawn(ratio).should_sample(Some(&parent), id, "x", kind, &[], &[]);
            result.decision == SamplingDecision::RecordAndSample
        };
        (0..2000).filter(one).count()
    }

    #[test]
    fn a_caller_cannot_choose_what_is_recorded() {
        for flags in [TraceFlags::SAMPLED, TraceFlags::NOT_SAMPLED] {
            assert!((1..200).contains(&recorded(0.02, &SpanKind::Server, flags)), "{flags:?}");
            assert_eq!(recorded(0.0, &SpanKind::Server, flags), 0);
            assert_eq!(recorded(1.0, &SpanKind::Server, flags), 2000);
        }
        for kind in [SpanKind::Consumer, SpanKind::Client] {
            assert_eq!(recorded(0.02, &kind, TraceFlags::SAMPLED), 2000, "{kind:?}");
            assert_eq!(recorded(1.0, &kind, TraceFlags::NOT_SAMPLED), 0, "{kind:?}");
        }
    }
}
