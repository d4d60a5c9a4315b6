//! Exports through HTTP, against a real Postgres.

mod exports;
mod figures;
mod filtered;
