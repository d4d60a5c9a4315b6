//! What the platform needs of other companies: one small trait per capability, with neutral models. A plug-in
//! crate implements a trait, `server` registers it, and domain crates know only this crate.
#![warn(missing_docs)]

mod amount;
mod call;
mod callback;
mod card_terminal;
mod geocoder;
mod help;
mod online_payment;
mod push;
mod registry;

pub use amount::{exact_amount, masked_card, read_amount};
pub use call::{CallError, CallFault, Effect, Secret};
pub use callback::{Callback, NotSigned, Proof, RawAnswer, RawMessage};
pub use card_terminal::{Access, Authorization, CardTerminal, Client, SignIn, Store, Terminal};
pub use geocoder::{Geocoder, GuestGeocoder, HouseAddress, HousePlace, Place, Precision};
pub use help::{HelpContacts, HelpDesk, HelpPerson, HelpTokens};
pub use online_payment::{
    Buyer, Decline, Merchant, Notice, OnlineAbilities, OnlinePayment, PageLanguage, PaymentRef, RefundOrder,
    ReturnHint, SeenRefund, SeenState, Snapshot, StartPayment, StartedPayment,
};
pub use push::{Push, PushMessage, PushOutcome};
pub use registry::{Capability, Environment, Plugins};
// Each call of a plug-in is measured and carries the trace.
pub use telemetry::outgoing::{Call, Unread, read_answer};
