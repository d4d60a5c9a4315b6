//! People: who may act for a partner or in its restaurants (document 1 §3 Admin, document 3 System user;
//! decisions §4).

mod api;
mod edit;
pub(crate) mod mail;
mod parts;
mod picker;
pub(crate) mod rules;
pub(crate) mod store;
pub(crate) mod types;

pub(crate) use api::{PartnerAdmins, RestaurantAdmins};
pub(crate) use picker::AdminPicker;
