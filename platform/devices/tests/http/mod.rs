//! Kiosks, devices and guest TVs through HTTP, against a real Postgres.

mod board;
mod kiosks;
mod pairing;
mod tvs;
