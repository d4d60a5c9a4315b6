//! Tests of these crates through HTTP, against a real Postgres. Each crate has its own in its folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

#[path = "../../customers/tests/http/mod.rs"]
mod customers;
#[path = "../../delivery/tests/http/mod.rs"]
mod delivery;
#[path = "../../online_payments/tests/http/mod.rs"]
mod online_payments;
#[path = "../../orders/tests/http/mod.rs"]
mod orders;
#[path = "../../payment_methods/tests/http/mod.rs"]
mod payment_methods;
#[path = "../../promotions/tests/http/mod.rs"]
mod promotions;

/// The allocator of the service, so measured memory is comparable.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
