//! Admins: the people who may act for a partner or in its restaurants. See
//! `docs/decisions/accounts.md#accounts-and-admins`.

mod api;
mod create;
mod edit;
pub(crate) mod mail;
mod parts;
mod picker;
pub(crate) mod pin;
pub(crate) mod rules;
pub(crate) mod store;
pub(crate) mod types;
mod update;

pub(crate) use api::{PartnerAdmins, RestaurantAdmins};
pub(crate) use picker::AdminPicker;
