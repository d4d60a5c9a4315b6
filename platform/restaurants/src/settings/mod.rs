//! A restaurant's settings: general, delivery, SOS close, system. See
//! `docs/decisions/restaurants.md#settings`.

mod api;
pub(crate) mod changes;
mod create;
mod entity;
mod language;
mod moved_day;
mod opening;
mod rules;
mod store;
mod types;

pub(crate) use api::{PartnerRestaurants, Restaurants};
pub use changes::no_region;
pub(crate) use entity::{ActiveModel, Model};
pub(crate) use language::MenuLanguage;
pub(crate) use opening::handlers;
pub(crate) use rules::none_if_empty;
pub(crate) use store::{has_ntak_category, lock, lock_whole, save, touch};
pub(crate) use types::{RestaurantDetails, RestaurantShort};
