//! What the platform needs of other companies: one small trait per capability, with neutral models. A plug-in
//! crate implements a trait, `server` registers it, and domain crates know only this crate.

mod call;
mod card_terminal;
mod geocoder;
mod help;
mod push;

use std::sync::Arc;

pub use call::{CallError, CallFault, Effect, Secret};
pub use card_terminal::{Access, Authorization, CardTerminal, Client, SignIn, Store, Terminal};
pub use geocoder::{Geocoder, GuestGeocoder, HouseAddress, HousePlace, Place, Precision};
pub use help::{HelpContacts, HelpDesk, HelpPerson, HelpTokens};
pub use push::{Push, PushMessage, PushOutcome};
// Each call of a plug-in is measured and carries the trace.
pub use telemetry::outgoing::{Call, Unread, read_answer};

/// The plug-ins of one kind of partner.
#[derive(Clone, Default)]
pub struct Adapters {
    /// Card terminals: Teya.
    pub card_terminal: Option<Arc<dyn CardTerminal>>,
    /// Push notifications: Firebase Cloud Messaging.
    pub push: Option<Arc<dyn Push>>,
    /// The help page and its live chat: Zendesk. Only among those of live partners.
    pub help_desk: Option<Arc<dyn HelpDesk>>,
    /// Places of addresses: a server that speaks as Nominatim does.
    pub geocoder: Option<Arc<dyn Geocoder>>,
    /// Places of guests' addresses, as far as the operator has set a server for them.
    pub guest_geocoder: Option<Arc<dyn GuestGeocoder>>,
}

/// All plug-ins of the installation. Outside the mode `live` a partner is bound to the stand-ins.
#[derive(Clone, Default)]
pub struct Plugins {
    /// For partners in the mode `live`.
    pub live: Adapters,
    /// For all others.
    pub stand_in: Adapters,
}

impl Plugins {
    /// Those of a partner in this mode (`live`, `sandbox`, `demo`).
    #[must_use]
    pub fn of(&self, mode: &str) -> &Adapters {
        if mode == "live" { &self.live } else { &self.stand_in }
    }
}
