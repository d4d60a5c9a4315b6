//! Bodies and answers of balance and points.

use access::prelude::*;
use kernel::money::{Currency, Money};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::ShadowCustomers;

/// A customer whose balance has ever moved in the restaurant's group.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct ShadowCustomerBalance {
    id: Id<ShadowCustomers>,
    /// Last name first.
    name: String,
    first_name: String,
    last_name: String,
    phone_1: Option<String>,
    email: Option<String>,
    /// Below zero is debt.
    balance: Money,
    /// Of the transactions; the moment it was dated at.
    last_transaction_at: Option<Timestamp>,
    currency: Currency,
}

/// Why a balance moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum BalanceTransactionType {
    /// Somebody entered it.
    Payment,
    /// An order was paid with it.
    Order,
    /// An order that was paid with it was cancelled.
    Storno,
}

/// A row of a balance. It never changes; a mistake is corrected by another row.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct BalanceTransaction {
    id: Uuid,
    /// Above zero what was paid in, below zero what was spent.
    value: Money,
    #[oai(rename = "type")]
    #[sea_orm(from_alias = "type")]
    kind: BalanceTransactionType,
    /// The key of a payment method.
    payment_method: Option<String>,
    transaction_at: Timestamp,
    order_id: Option<Uuid>,
    comment: Option<String>,
    restaurant_id: Id<Restaurant>,
    /// Who entered it.
    actor_name: String,
    created_at: Timestamp,
}

/// A payment into a balance, or what is taken from it.
#[derive(Debug, Object)]
pub(crate) struct NewBalanceTransaction {
    /// Not zero; whole forints, cents in other currencies; at most 10,000,000 either way. Below zero it is taken
    /// off.
    pub value: Money,
    /// The key of a payment method (`cash`, `card`, `transfer`, …); not `balance` or `split`.
    #[oai(validator(max_length = 40))]
    pub payment_method: Option<String>,
    /// When it was paid; not in the future. Absent: now.
    pub transaction_at: Option<Timestamp>,
    #[oai(validator(max_length = 500, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub comment: Option<String>,
}

/// The sum of a balance's rows in a span of days.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct BalanceSum {
    pub sum: Money,
    /// What came in.
    #[oai(rename = "in")]
    pub incoming: Money,
    /// What went out; zero or below.
    #[oai(rename = "out")]
    pub outgoing: Money,
    pub currency: Currency,
}

/// Why points moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum PointTransactionType {
    /// Somebody entered it.
    Entered,
    /// Earned with an order.
    Earned,
    /// An order was paid with them.
    Order,
    /// The order was cancelled.
    Storno,
}

/// A row of a customer's points. It never changes.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct PointTransaction {
    id: Uuid,
    value: i64,
    #[oai(rename = "type")]
    #[sea_orm(from_alias = "type")]
    kind: PointTransactionType,
    transaction_at: Timestamp,
    order_id: Option<Uuid>,
    comment: Option<String>,
    restaurant_id: Id<Restaurant>,
    /// Who entered it.
    actor_name: String,
    created_at: Timestamp,
}

/// Points that somebody gives or takes.
#[derive(Debug, Object)]
pub(crate) struct NewPointTransaction {
    /// Not zero; at most 10,000,000 either way.
    #[oai(validator(minimum(value = "-10000000"), maximum(value = "10000000")))]
    pub value: i64,
    /// Why.
    #[oai(validator(max_length = 500, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub comment: String,
}

/// The sum of a customer's points in a span of days.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct PointSum {
    pub sum: i64,
    /// What came in.
    #[oai(rename = "in")]
    pub incoming: i64,
    /// What went out; zero or below.
    #[oai(rename = "out")]
    pub outgoing: i64,
}
