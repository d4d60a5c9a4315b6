//! The tax report's fields of a whole menu: proposals by name, and changes of many rows at once that can be undone.
//! See `docs/decisions/catalogue.md#categories-of-the-tax-report`.

mod api;
mod change;
mod guess;
mod measure;
mod propose;
mod store;
mod types;
mod words;

pub(crate) use api::{NtakChangesApi, NtakProposalsApi};

/// Changes of the tax report's fields of many rows at once.
#[derive(Debug)]
pub(crate) struct NtakChanges;

kernel::resource!(NtakChanges, "ntak_changes", "NTAK_CHANGE");

#[cfg(test)]
mod tests;
