//! The table of transitions between states: who may make each, and what it causes.

use crate::{
    actor::{Actor, AllowedActor},
    values::OrderStatus::{self, Canceled, Expired, Failed, Prepared, Processed, Received, Succeeded},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub(crate) enum Action {
    Accept,
    Prepare,
    TakeBack,
    Recall,
    Archive,
    Expire,
    /// Its online payment has come: it reaches the restaurant.
    Pay,
    /// Its online payment has come after its end: it reaches the restaurant all the same.
    PayLate,
    /// Its online payment failed.
    Fail,
    /// Its guest gave the online payment up.
    Cancel,
}

impl Action {
    #[cfg(test)]
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Its name in the answer's `allowed`.
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Its name in the audit log.
    pub const fn operation(self) -> &'static str {
        match self {
            Self::Accept => "orders_accept",
            Self::Prepare | Self::Recall => "orders_prepared",
            Self::TakeBack => "orders_take_back",
            Self::Archive => "orders_archive",
            Self::Expire => "orders_expire",
            Self::Pay | Self::PayLate => "orders_pay",
            Self::Fail => "orders_fail",
            Self::Cancel => "orders_cancel",
        }
    }
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
    action: Action, from: OrderStatus, to: OrderStatus, allowed_actor: AllowedActor, gives_back: bool,
    history: &'static str,
) -> Rule {
    Rule { action, from, to, allowed_actor, gives_back, history }
}

/// Every change of state. An order is placed as `received` (it is paid online first) or `succeeded`. Nothing
/// happens to one that is archived; archiving keeps the state in which it was done.
static RULES: [Rule; 14] = [
    rule(Action::Accept, Succeeded, Processed, ACCEPT, false, "processed"),
    rule(Action::Prepare, Processed, Prepared, ACCEPT, false, "prepared"),
    rule(Action::TakeBack, Processed, Succeeded, ACCEPT, false, "taken_back"),
    rule(Action::Recall, Prepared, Processed, ACCEPT, false, "processed"),
    rule(Action::Archive, Succeeded, Succeeded, STORNO, true, "archived"),
    rule(Action::Archive, Processed, Processed, STORNO, true, "archived"),
    rule(Action::Archive, Prepared, Prepared, STORNO, true, "archived"),
    rule(Action::Expire, Received, Expired, AllowedActor::Service, true, "expired"),
    rule(Action::Pay, Received, Succeeded, AllowedActor::Provider, false, "succeeded"),
    rule(Action::PayLate, Expired, Succeeded, AllowedActor::Provider, false, "succeeded"),
    rule(Action::PayLate, Failed, Succeeded, AllowedActor::Provider, false, "succeeded"),
    rule(Action::PayLate, Canceled, Succeeded, AllowedActor::Provider, false, "succeeded"),
    rule(Action::Fail, Received, Failed, AllowedActor::Provider, true, "failed"),
    rule(Action::Cancel, Received, Canceled, AllowedActor::Provider, true, "canceled"),
];

/// The first state of an order.
pub(crate) const fn placed(paid_online: bool) -> OrderStatus {
    if paid_online { Received } else { Succeeded }
}

/// The actions of staff in this state.
pub(crate) fn allowed(status: OrderStatus, archived: bool) -> impl Iterator<Item = Action> {
    let rules = RULES.iter().filter(move |rule| {
        !archived && rule.from == status && matches!(rule.allowed_actor, AllowedActor::Staff(_))
    });
    rules.map(|rule| rule.action)
}

/// Whether an order in this state may be changed; `over`: it is archived, or a partial storno.
pub(crate) fn may_change(status: OrderStatus, over: bool) -> bool {
    !over && matches!(status, OrderStatus::Succeeded | OrderStatus::Processed)
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Do(&'static Rule),
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
    // What is paid stays so, whatever has happened since.
    if action == Action::Pay && matches!(status, Succeeded | Processed | Prepared) {
        return Decision::Already;
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
