//! Kiosks, devices and guest TVs through HTTP, against a real Postgres.

mod board;
mod devices;
mod kiosks;
mod tvs;
