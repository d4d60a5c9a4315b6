//! Restaurants through HTTP, against a real Postgres.

mod archive;
mod copies;
mod facts;
mod groups;
mod history;
mod holidays;
mod legal;
mod lists;
mod opening;
mod opening_hours;
mod pos_configs;
mod public;
mod settings;
mod switches;
