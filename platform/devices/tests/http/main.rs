//! Kiosks, devices and guest TVs through HTTP, against a real Postgres.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::too_many_lines, missing_docs)]

mod board;
mod devices;
mod kiosks;
mod tvs;
