//! The health of a menu: its faults, each reported with the row that it is about, and corrected by one click where
//! that is safe. The checks are pure and look at the rows that the menu is computed from. See
//! `docs/decisions/catalogue.md#menu-health`.

mod api;
mod changes;
mod kinds;
mod look;
mod mends;
mod rules;
mod store;
#[cfg(test)]
mod tests;
mod types;
mod week;

pub(crate) use api::{MenuHealthApi, MenuMendsApi};
