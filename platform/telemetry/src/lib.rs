//! What the service measures, and the trace that a piece of work belongs to. No I/O: `server` sets up who
//! collects it. Names and units are OpenTelemetry's (`docs/decisions/reliability.md#what-is-measured`).

pub mod measures;
pub mod outgoing;
pub mod trace;
