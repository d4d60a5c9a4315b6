//! A restaurant's settings (document 1 §2, §3, §5): general, delivery, SOS close, system.

mod api;
mod entity;
mod rules;
mod store;
mod types;

pub(crate) use api::{PartnerRestaurants, Restaurants};
pub(crate) use store::touch;
pub use types::Vat;
pub(crate) use types::{MenuLanguage, RestaurantShort};
