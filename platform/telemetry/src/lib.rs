//! The measurements of the service, and the trace of a piece of work. No I/O: `server` sets up their collection.
//! Names and units are OpenTelemetry's (`docs/decisions/reliability.md#what-is-measured`).

pub mod measures;
pub mod outgoing;
pub mod trace;
