//! Products and their sub-products (sizes, variants). Prices and orders always refer to a sub-product.

mod answer;
mod api;
mod change;
pub(crate) mod components;
mod composition;
mod copy;
mod drafts;
mod ids;
mod picker;
pub(crate) mod product;
mod rules;
mod search;
pub(crate) mod store;
pub(crate) mod subproduct;
mod types;

pub(crate) use answer::{by_category, pictured};
pub(crate) use composition::Compositions;
pub(crate) use picker::{ProductPicker, cut, wanted};
pub(crate) use rules::ntak_quantity_fault;
pub(crate) use search::ProductSearch;
pub(crate) use types::Product;

#[derive(Debug)]
pub struct Products;

kernel::resource!(Products, "products", "PRODUCT");

#[derive(Debug)]
pub struct Subproducts;

kernel::resource!(Subproducts, "subproducts", "SUBPRODUCT");
