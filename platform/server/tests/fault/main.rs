//! Fault tests: the real binary and a real Postgres, driven from outside, while something breaks. A journal
//! holds what was acknowledged; at the end the reconciler compares it with everything that the service wrote.
//! Each test prints its seed (`PULT_FAULT_SEED` repeats it) and has a negative control: without the handling
//! the reconciler must find damage. See `docs/decisions/reliability.md`.
//!
//! A new fault is a module beside `kill`: it describes what breaks while [`rig::Clients`] run, and ends
//! with [`rig::reconcile`]. `money` kills it and its Postgres among payments, refunds and stornos, and
//! asks the database by rules. `online` kills it among payments on a provider's page and compares the books. `copies` breaks nothing but connections. `partners` kills the service in the middle of its jobs instead, and looks
//! for damage in the directory, the schemas and the roles. Short here; `cargo xtask fault --long` runs many
//! rounds on optimised code and a Postgres that writes durably.
#![allow(
    clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, clippy::print_stderr, missing_docs
)]

mod copies;
mod kill;
mod money;
mod online;
mod partners;
