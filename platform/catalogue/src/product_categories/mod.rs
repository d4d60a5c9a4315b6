//! Categories of the menu, on two levels.

mod api;
mod change;
pub(crate) mod entity;
mod rules;
pub(crate) mod store;
mod types;

pub(crate) use rules::window_fault;

#[derive(Debug)]
pub struct ProductCategories;

kernel::resource!(ProductCategories, "product_categories", "PRODUCT_CATEGORY");
