//! Categories of the menu, on two levels.

mod api;
mod change;
pub(crate) mod entity;
mod rules;
pub(crate) mod store;
mod types;

use kernel::Resource;

pub(crate) use rules::window_fault;

#[derive(Debug)]
pub struct ProductCategories;

impl Resource for ProductCategories {
    const NAME: &'static str = "product_categories";
    const ENTITY: &'static str = "PRODUCT_CATEGORY";
}
