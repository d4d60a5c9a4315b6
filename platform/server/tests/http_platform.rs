//! Tests of these crates through HTTP, against a real Postgres. Each crate has its own in its folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

#[path = "../../accounts/tests/http/mod.rs"]
mod accounts;
#[path = "../../console/tests/http/mod.rs"]
mod console;

/// The allocator of the service, so measured memory is comparable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
