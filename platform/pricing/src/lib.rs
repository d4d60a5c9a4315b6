//! What an order costs and whether it may be taken: two pure functions over a catalogue, a cart and the
//! restaurant's configuration. No clock, no database, no randomness: the same input gives the same result, so
//! quote, order and tests share the code. See `docs/decisions/pricing.md`.
//!
//! - [`price`] prices any cart, acceptable or not, and explains the total line by line.
//! - [`acceptable`] returns every reason against the order; none means that it may be taken.

mod acceptable;
mod cart;
mod catalogue;
mod config;
mod price;
mod priced;
mod vat;

#[cfg(test)]
mod tests;

pub use acceptable::{Reason, ReasonKind, acceptable};
pub use cart::{
    Cart, CartItem, CartOption, Fulfilment, MAX_LINES, MAX_QUANTITY, MAX_TIP, MAX_TOTAL, MenuChannel,
    Platform, Tips, UnknownPlatform,
};
pub use catalogue::{Catalogue, Item, ItemOption, OptionGroup, Visibility};
pub use config::{Config, DeliveryFee, Fees, ServiceFee, ServiceFeeMode};
pub use price::price;
pub use priced::{Explanation, Priced, PricedLine, PricedOption, Step, VatSum};
