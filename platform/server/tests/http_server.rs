//! Tests of the server through HTTP, against a real Postgres. It keeps the system's allocator: what connections cost is
//! measured without what another one takes ahead.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

#[path = "http/mod.rs"]
mod server;
