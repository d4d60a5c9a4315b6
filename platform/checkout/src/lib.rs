//! From a cart to a price: its customer, its destination, its cost, and the reasons against it. Orders, carts and
//! platforms place orders with it; it knows no caller, no key and no call. See `docs/decisions/pricing.md#one-function`.

mod cart;
mod checkout;
mod coupons;
mod customer;
mod destination;
mod input;
pub mod price_change;
pub mod quote;
mod sent_by;
mod taking;
mod try_out;
mod types;
mod values;

pub use checkout::{Checkout, PricedCart, refuse_far, settings};
pub use coupons::{Attempt, Guesser};
pub use customer::{Identity, known_by};
pub use destination::{Destination, Going, address, given};
pub use input::{Cart, CartItem, CartOption, GiftChoice, NewOrder, Quoted, QuotedItem, StaffDiscount};
pub use sent_by::SentBy;
pub use taking::{refuse, take_quantities};
pub use try_out::Trial;
pub use types::{Quote, Reason};
pub use values::{DeliveryData, DeliveryPrices, Explanation, OrderPlatform, VatSum};
