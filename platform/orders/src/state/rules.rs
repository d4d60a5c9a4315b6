//! The table of what may follow what, who may do it and what it causes.

use access::Caller;
use uuid::Uuid;

use crate::values::OrderStatus::{self, Expired, Prepared, Processed, Received, Succeeded};

/// Actions on an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Accept,
    Prepare,
    TakeBack,
    Recall,
    Archive,
    Expire,
}

impl Action {
    #[cfg(test)]
    pub const ALL: [Self; 6] =
        [Self::Accept, Self::Prepare, Self::TakeBack, Self::Recall, Self::Archive, Self::Expire];

    /// Its name in the answer's `allowed`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Prepare => "prepare",
            Self::TakeBack => "take_back",
            Self::Recall => "recall",
            Self::Archive => "archive",
            Self::Expire => "expire",
        }
    }

    /// Its name in the audit log.
    pub const fn operation(self) -> &'static str {
        match self {
            Self::Accept => "orders_accept",
            Self::Prepare | Self::Recall => "orders_prepared",
            Self::TakeBack => "orders_take_back",
            Self::Archive => "orders_archive",
            Self::Expire => "orders_expire",
        }
    }
}

/// The callers who may do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AllowedActor {
    /// Staff with this permission.
    Staff(&'static str),
    /// The service itself, by a job.
    Service,
}

/// A line of the table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rule {
    action: Action,
    pub from: OrderStatus,
    pub to: OrderStatus,
    allowed_actor: AllowedActor,
    /// Uses of promotions and what could be sold are given back.
    pub gives_back: bool,
    /// The name in the order's history.
    pub history: &'static str,
}

const ACCEPT: AllowedActor = AllowedActor::Staff("order_accept");
const STORNO: AllowedActor = AllowedActor::Staff("order_storno");

const fn rule(
    action: Action,
    from: OrderStatus,
    to: OrderStatus,
    allowed_actor: AllowedActor,
    gives_back: bool,
    history: &'static str,
) -> Rule {
    Rule { action, from, to, allowed_actor, gives_back, history }
}

/// Every change of state. An order is placed as `received` (it is paid online first) or `succeeded`. Nothing
/// happens to one that is archived; archiving keeps the state in which it was done.
static RULES: [Rule; 8] = [
    rule(Action::Accept, Succeeded, Processed, ACCEPT, false, "processed"),
    rule(Action::Prepare, Processed, Prepared, ACCEPT, false, "prepared"),
    rule(Action::TakeBack, Processed, Succeeded, ACCEPT, false, "taken_back"),
    rule(Action::Recall, Prepared, Processed, ACCEPT, false, "processed"),
    rule(Action::Archive, Succeeded, Succeeded, STORNO, true, "archived"),
    rule(Action::Archive, Processed, Processed, STORNO, true, "archived"),
    rule(Action::Archive, Prepared, Prepared, STORNO, true, "archived"),
    rule(Action::Expire, Received, Expired, AllowedActor::Service, true, "expired"),
];

/// The first state of an order.
pub(crate) const fn placed(paid_online: bool) -> OrderStatus {
    if paid_online { Received } else { Succeeded }
}

/// The actions of staff in this state.
pub(crate) fn allowed(status: OrderStatus, archived: bool) -> impl Iterator<Item = Action> {
    let rules = RULES
        .iter()
        .filter(move |rule| !archived && rule.from == status && rule.allowed_actor != AllowedActor::Service);
    rules.map(|rule| rule.action)
}

/// The actor of a change.
#[derive(Clone, Copy)]
pub(crate) enum Actor<'a> {
    /// A caller, and whether it holds a permission.
    Caller(&'a Caller, &'a (dyn Fn(&str) -> bool + Sync)),
    /// A job of the service.
    Service,
}

impl<'a> Actor<'a> {
    fn may(self, allowed: AllowedActor) -> bool {
        match (self, allowed) {
            (Self::Caller(Caller::Person { .. }, may), AllowedActor::Staff(key)) => may(key),
            (Self::Service, AllowedActor::Service) => true,
            _ => false,
        }
    }

    /// Kind, id, name and surface for the history.
    pub fn columns(&self) -> (&'static str, Option<Uuid>, &'a str, &'a str) {
        match self {
            Self::Caller(caller, _) => (caller.kind(), caller.id(), caller.name(), caller.surface()),
            Self::Service => ("job", None, "", "job"),
        }
    }
}

/// The decision of the table.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Do(&'static Rule),
    /// It is so already.
    Already,
    /// Not in this state.
    WrongState,
    /// Not for this caller, in any state.
    NotPermitted,
}

pub(super) fn decide(action: Action, status: OrderStatus, archived: bool, actor: Actor<'_>) -> Decision {
    let rules = || RULES.iter().filter(|rule| rule.action == action);
    if !rules().any(|rule| actor.may(rule.allowed_actor)) {
        return Decision::NotPermitted;
    }
    if archived {
        return Decision::WrongState;
    }
    match rules().find(|rule| rule.from == status) {
        Some(rule) => Decision::Do(rule),
        // Accepting again would promise another time.
        None if action != Action::Accept && rules().any(|rule| rule.to == status) => Decision::Already,
        None => Decision::WrongState,
    }
}

#[cfg(test)]
mod tests;
