//! Messages that providers send: the one order in which all of them are received. See
//! `docs/decisions/payments.md#callbacks`.
//!
//! The token in the address finds the account; the plug-in reads the signature over the raw bytes; the message is kept in
//! the partner's schema, once for its bytes; it is answered; a job works it. A domain crate brings a [`Receiver`] and puts
//! [`route`] and [`job`] among its own.

mod address;
mod receive;
mod receiver;
mod store;
mod work;

use access::raw::RawRoute;
use poem::http::Method;

pub use address::{close, open, open_until};
pub use receiver::{Message, Receiver};
pub use work::job;

/// The most bytes of a message.
const LONGEST: usize = 64 * 1024;
/// One address of a provider calls for all of its merchants.
const PER_MINUTE: i32 = 6_000;

/// The route of a receiver's messages. Its path has `:provider` and `:token`.
pub fn route(path: &'static str, receiver: &'static dyn Receiver) -> RawRoute {
    RawRoute::new((Method::POST, path), LONGEST, PER_MINUTE, move |call| receive::receive(call, receiver))
}
