//! By whom something is done to an order.

use access::Caller;
use uuid::Uuid;

/// The callers who may do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AllowedActor {
    Staff(&'static str),
    /// The service itself, by a job.
    Service,
    /// A payment provider, by what it says of an online payment, and the guest on the page on which it is paid.
    Provider,
}

#[derive(Clone, Copy)]
pub(crate) enum Actor<'a> {
    /// A caller, and whether it holds a permission.
    Caller(&'a Caller, &'a (dyn Fn(&str) -> bool + Sync)),
    Service,
    /// The guest, on the page on which an order is paid.
    Guest,
    Provider(&'a str),
}

impl<'a> Actor<'a> {
    pub fn may(self, allowed: AllowedActor) -> bool {
        match (self, allowed) {
            (Self::Caller(Caller::Person { .. }, may), AllowedActor::Staff(key)) => may(key),
            (Self::Service, AllowedActor::Service)
            | (Self::Provider(_) | Self::Guest, AllowedActor::Provider) => true,
            _ => false,
        }
    }

    /// Kind, id, name and surface for the history.
    pub fn columns(&self) -> (&'static str, Option<Uuid>, &'a str, &'a str) {
        match self {
            Self::Caller(caller, _) => (caller.kind(), caller.id(), caller.name(), caller.surface()),
            Self::Service => ("job", None, "", "job"),
            Self::Guest => ("guest", None, "", "pay"),
            Self::Provider(name) => ("provider", None, name, "provider"),
        }
    }
}
