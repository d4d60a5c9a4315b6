//! What an order costs and whether it may be taken: two pure functions over a loaded catalogue, a cart and
//! the restaurant's configuration. No clock, no database, no randomness: the same input gives the same
//! answer, so the quote, the order and the tests use the very same code.
//!
//! - [`price`] prices any cart, acceptable or not, and explains the total line by line.
//! - [`acceptable`] names every reason why the order must be refused; none means it may be taken.
//!
//! The rules are those of the chapters "Orders" and "Prices in detail" of the project's decisions; what they
//! leave open is settled in the README of this crate.

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
