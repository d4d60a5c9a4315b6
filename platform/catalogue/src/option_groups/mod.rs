//! Groups of options that guests choose from with a sub-product.

mod api;
pub(crate) mod entity;
mod rules;
mod sizes;
pub(crate) mod store;
mod types;

use kernel::Resource;

pub use rules::{OptionGroupType, limits};

#[derive(Debug)]
pub struct OptionGroups;

impl Resource for OptionGroups {
    const NAME: &'static str = "option_groups";
    const ENTITY: &'static str = "OPTION_GROUP";
}
