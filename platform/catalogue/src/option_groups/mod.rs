//! Groups of options that guests choose from with a sub-product.

mod api;
pub(crate) mod entity;
mod rules;
mod sizes;
pub(crate) mod store;
mod types;

pub use rules::{OptionGroupType, limits};

#[derive(Debug)]
pub struct OptionGroups;

kernel::resource!(OptionGroups, "option_groups", "OPTION_GROUP");
