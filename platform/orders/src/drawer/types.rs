//! Bodies and answers about drawers.

use access::prelude::*;
use kernel::{
    Message,
    money::{Currency, Money},
    time::BusinessDay,
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::values::{Amount, OrderId};

#[derive(Debug)]
pub enum DrawerCloseId {}
kernel::resource!(DrawerCloseId, "drawer_closes", "DRAWER_CLOSE");

/// Which way cash goes beside orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum MovementKind {
    /// Put into the drawer.
    In,
    /// Taken out of it.
    Out,
    /// From a courier to the restaurant.
    HandIn,
}

/// Cash that goes in or out beside orders.
#[derive(Debug, Object)]
pub(crate) struct NewDrawerMovement {
    pub kind: MovementKind,
    #[oai(validator(minimum(value = "0", exclusive = "true"), maximum(value = "1000000000")))]
    pub value: Money,
    /// The restaurant's when absent.
    pub currency: Option<Currency>,
    /// Why.
    #[oai(validator(min_length = 1, max_length = 200))]
    pub reason: Message,
    /// Whose drawer; the restaurant's when absent. Needed when a courier hands in.
    pub courier_id: Option<Uuid>,
    /// A courier hands in more than he holds, and somebody has looked at it.
    #[oai(default)]
    pub confirmed: bool,
}

/// Cash that went in or out beside orders.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct DrawerMovement {
    pub id: Uuid,
    pub kind: MovementKind,
    pub value: Amount,
    pub currency: Currency,
    pub reason: String,
    pub courier_id: Option<Uuid>,
    pub actor_name: String,
    pub created_at: Timestamp,
}

/// The sum of one method and currency.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub(crate) struct DrawerLine {
    /// The method's key: `cash`, `card`.
    pub payment_key: String,
    pub currency: Currency,
    /// What the close before left.
    pub left_before: Amount,
    /// Payments, with tips and rounding.
    pub taken: Amount,
    /// Refunds, below zero.
    pub given_back: Amount,
    /// Change for cash in another currency, below zero.
    pub change_given: Amount,
    /// In and out beside orders, and what customers paid into balances.
    pub moved: Amount,
    /// What should be there: the sum of the five.
    pub expected: Amount,
}

/// What a person took by a method.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct DrawerPerson {
    pub actor_name: String,
    pub payment_key: String,
    pub currency: Currency,
    pub total: Amount,
}

/// An order of which something is due though its time has passed: closing books it as assumed.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct UnpaidOrder {
    pub order_id: Id<OrderId>,
    pub counter: Option<String>,
    pub due: Amount,
    /// The method that the order names; `cash` where it names none.
    pub payment_key: String,
    pub courier_id: Option<Uuid>,
    /// When it was promised.
    pub promised_at: Timestamp,
}

/// A row of the ledger that nobody has confirmed.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct AssumedPayment {
    pub payment_id: Uuid,
    pub order_id: Id<OrderId>,
    pub counter: Option<String>,
    pub payment_key: String,
    pub value: Amount,
    pub paid_at: Timestamp,
}

/// Cash that a courier still holds.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct CourierCash {
    pub courier_id: Uuid,
    pub name: String,
    pub currency: Currency,
    pub holds: Amount,
}

/// What waits: payments that are not confirmed, or money that is to be given back.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct Waiting {
    pub count: i64,
    pub total: Amount,
}

/// A drawer since its last close.
#[derive(Debug, Object)]
pub(crate) struct Drawer {
    pub courier_id: Option<Uuid>,
    pub currency: Currency,
    /// The last close; null when there was none.
    pub since: Option<Timestamp>,
    pub lines: Vec<DrawerLine>,
    pub persons: Vec<DrawerPerson>,
    pub movements: Vec<DrawerMovement>,
    /// Closing books these as assumed.
    pub unpaid: Vec<UnpaidOrder>,
    /// Booked as assumed since the last close; each can be given back and booked as it was.
    pub assumed: Vec<AssumedPayment>,
    /// What couriers still hold; in the restaurant's drawer only.
    pub couriers: Vec<CourierCash>,
    /// Payments that wait for a terminal.
    pub waiting_payments: Waiting,
    /// Money that is to be given back.
    pub asked_refunds: Waiting,
}

/// What was counted of a method.
#[derive(Debug, Clone, Object)]
pub(crate) struct CountedLine {
    #[oai(validator(max_length = 40))]
    pub payment_key: String,
    pub currency: Currency,
    #[oai(validator(minimum(value = "0"), maximum(value = "1000000000")))]
    pub counted: Money,
    /// What stays in the drawer; all of it when absent. Cash only.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000000000")))]
    pub left_over: Option<Money>,
    /// What the person saw as expected; a difference is refused with the drawer of now.
    pub expected: Option<Money>,
}

/// Closing a drawer.
#[derive(Debug, Object)]
pub(crate) struct NewDrawerClose {
    /// Whose drawer; the restaurant's when absent.
    pub courier_id: Option<Uuid>,
    #[oai(validator(max_items = 50))]
    pub lines: Vec<CountedLine>,
    #[oai(validator(max_length = 500))]
    pub note: Option<Message>,
}

/// A line of a close.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct DrawerCloseLine {
    #[oai(flatten)]
    #[sea_orm(nested)]
    pub line: DrawerLine,
    /// Null where nobody counted.
    pub counted: Option<Amount>,
    /// What was counted less what was expected.
    pub difference: Option<Amount>,
    pub left_over: Amount,
}

/// A close of a drawer. It never changes.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct DrawerClose {
    pub id: Id<DrawerCloseId>,
    pub courier_id: Option<Uuid>,
    pub courier_name: Option<String>,
    pub business_day: BusinessDay,
    pub note: Option<String>,
    pub actor_name: String,
    pub created_at: Timestamp,
    #[sea_orm(skip)]
    pub lines: Vec<DrawerCloseLine>,
    /// By person; only where one close is asked for.
    #[sea_orm(skip)]
    pub persons: Option<Vec<DrawerPerson>>,
    /// What it booked or had as assumed; only where one close is asked for.
    #[sea_orm(skip)]
    pub assumed: Option<Vec<AssumedPayment>>,
}
