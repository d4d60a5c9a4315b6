//! Customers from a spreadsheet: all rows or none. Who is known by phone, else by e-mail, is filled where empty,
//! nothing is replaced. See `docs/decisions/customers.md#import`.

mod api;
mod form;
mod rows;
mod store;

pub(crate) use api::Imports;
pub(crate) use rows::COLUMNS;
