//! Tests of these crates through HTTP, against a real Postgres. Each crate has its own in its folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

#[path = "../../access/tests/http/mod.rs"]
mod access;
#[path = "../../catalogue/tests/http/mod.rs"]
mod catalogue;
#[path = "../../content/tests/http/mod.rs"]
mod content;
#[path = "../../devices/tests/http/mod.rs"]
mod devices;
#[path = "../../media/tests/http/mod.rs"]
mod media;
#[path = "../../menu_import/tests/http/mod.rs"]
mod menu_import;
#[path = "../../restaurants/tests/http/mod.rs"]
mod restaurants;
#[path = "../../statistics/tests/http/mod.rs"]
mod statistics;

/// The allocator of the service, so measured memory is comparable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
