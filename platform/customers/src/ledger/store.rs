//! Adding rows to the ledgers and reading them.

use access::prelude::*;
use kernel::{
    money::{Currency, Money},
    time::CalendarDay,
};
use rust_decimal::Decimal;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    rules,
    types::{BalanceTransactionType, PointTransactionType},
};
use crate::ShadowCustomers;

/// An order whose payment moves a balance or points.
#[derive(Debug, Clone, Copy)]
pub struct Order(pub Uuid);

/// Where a row is written, and for whom.
#[derive(Debug, Clone, Copy)]
pub struct Ledger<'a> {
    /// The customer; who was merged keeps the own rows.
    pub customer: Id<ShadowCustomers>,
    pub restaurant: Id<Restaurant>,
    /// Who does it; none for a job of the service.
    pub actor_id: Option<Uuid>,
    pub actor_name: &'a str,
    pub order: Option<Order>,
    /// When it counts; the row itself has its own moment.
    pub at: Timestamp,
}

#[derive(Debug, Clone)]
pub struct BalanceRow {
    /// Above zero comes in, below zero goes out.
    pub value: Money,
    pub kind: BalanceTransactionType,
    pub payment_method: Option<String>,
    /// What somebody wrote.
    pub comment: Option<String>,
}

#[derive(Debug, Clone)]
pub struct PointRow {
    /// Above zero comes in, below zero goes out.
    pub value: i64,
    pub kind: PointTransactionType,
    /// What somebody wrote.
    pub comment: Option<String>,
    /// What must be left; none where they may go below zero.
    pub least: Option<i64>,
}

/// Histories begin here unless somebody asks otherwise.
pub(crate) fn beginning() -> Option<CalendarDay> {
    chrono::NaiveDate::from_ymd_opt(2010, 10, 10).map(CalendarDay)
}

/// The group of a restaurant, and what a customer has there.
#[derive(FromQueryResult)]
struct Account {
    restaurant_group_id: Uuid,
    currency: Currency,
    balance: Decimal,
    points: i64,
    /// The currency of the rows there are.
    kept_currency: Option<Currency>,
}

const LOCK: &str = "select lock_customer_ledger($1) root";
const ACCOUNT: &str = "select r.restaurant_group_id, r.currency, coalesce(a.balance, 0) balance, \
        coalesce(a.points, 0) points, \
        (select b.currency from shadow_customer_balance b \
            where b.restaurant_group_id = r.restaurant_group_id limit 1) kept_currency \
    from restaurant_facts r left join shadow_customer_account a on a.shadow_customer_id = $2 \
        and a.restaurant_group_id = r.restaurant_group_id where r.id = $1";
const ADD_BALANCE: &str = "with row as (insert into shadow_customer_balance (id, shadow_customer_id, \
        restaurant_group_id, restaurant_id, type, value, currency, payment_method, transaction_at, order_id, \
        actor_id, actor_name, created_at) \
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)), \
    comment as (insert into shadow_customer_comment (row_id, shadow_customer_id, comment) \
        select $1, $2, $15 where $15::text is not null) \
    insert into shadow_customer_account as a (shadow_customer_id, restaurant_group_id, balance, \
        transactions, last_transaction_at) values ($14, $3, $6, 1, $9) \
    on conflict (shadow_customer_id, restaurant_group_id) do update set \
        balance = a.balance + excluded.balance, transactions = a.transactions + 1, \
        last_transaction_at = greatest(a.last_transaction_at, excluded.last_transaction_at)";
const ADD_POINTS: &str = "with row as (insert into shadow_customer_point (id, shadow_customer_id, \
        restaurant_group_id, restaurant_id, type, value, transaction_at, order_id, actor_id, actor_name, \
        created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)), \
    comment as (insert into shadow_customer_comment (row_id, shadow_customer_id, comment) \
        select $1, $2, $13 where $13::text is not null) \
    insert into shadow_customer_account as a (shadow_customer_id, restaurant_group_id, points) \
        values ($12, $3, $6) \
    on conflict (shadow_customer_id, restaurant_group_id) do update set points = a.points + excluded.points";

impl Ledger<'_> {
    /// Locks the person's ledgers until the end of the transaction; answers who stands for the person and
    /// what is there.
    async fn lock(&self, tx: &TenantTx) -> Result<(Id<ShadowCustomers>, Account)> {
        let root: Option<Option<Uuid>> = tx.value(LOCK, [self.customer.into()]).await?;
        let root = root.flatten().ok_or_else(Problem::not_exist::<ShadowCustomers>)?;
        let account: Option<Account> = tx.one(ACCOUNT, [self.restaurant.into(), root.into()]).await?;
        Ok((Id::from_uuid(root), account.ok_or_else(Problem::not_exist::<Restaurant>)?))
    }
}

/// Locks a customer's ledgers and figures until the end of the transaction, for whoever takes them back for one order
/// and writes them anew for another.
pub async fn lock_ledgers(tx: &TenantTx, customer: Id<ShadowCustomers>) -> Result<()> {
    tx.run(LOCK, [customer.into()]).await?;
    Ok(())
}

/// Adds a row to a customer's balance and answers its id. Two at once are both counted: the customer is
/// locked.
/// Errors: `VALIDATION_FAILED` at `value`; `SHADOW_CUSTOMER_NOT_EXIST`.
pub async fn add_balance(tx: &TenantTx, ledger: Ledger<'_>, row: BalanceRow) -> Result<Uuid> {
    let (root, account) = ledger.lock(tx).await?;
    let refused =
        |fault, detail| Err(Problem::new(Code::VALIDATION_FAILED).key("value", fault).detail(detail));
    if let Some(fault) = rules::value_fault(row.value, account.currency) {
        return refused(fault, "a value is not zero, whole in the currency's unit, and at most 10,000,000");
    }
    if account.kept_currency.is_some_and(|kept| kept != account.currency) {
        return refused(Fault::Invalid, "the balances of this group are kept in another currency");
    }
    if let Err(fault) = rules::balance_after(Money(account.balance), row.value) {
        return refused(fault, "a balance is at most 1,000,000,000 either way");
    }
    let id = Uuid::now_v7();
    let values = [
        id.into(),
        ledger.customer.into(),
        account.restaurant_group_id.into(),
        ledger.restaurant.into(),
        row.kind.to_value().into(),
        row.value.value().into(),
        account.currency.as_str().to_owned().into(),
        row.payment_method.into(),
        ledger.at.into(),
        ledger.order.map(|order| order.0).into(),
        ledger.actor_id.into(),
        ledger.actor_name.into(),
        Timestamp::now().into(),
        root.into(),
        row.comment.into(),
    ];
    tx.run(ADD_BALANCE, values).await?;
    Ok(id)
}

/// Adds a row to a customer's points and answers its id.
/// Errors: As [`add_balance`]; `POINTS_NOT_ENOUGH` with the `points` there are.
pub async fn add_points(tx: &TenantTx, ledger: Ledger<'_>, row: PointRow) -> Result<Uuid> {
    let (root, account) = ledger.lock(tx).await?;
    let refused =
        |fault, detail| Err(Problem::new(Code::VALIDATION_FAILED).key("value", fault).detail(detail));
    if row.value == 0 {
        return refused(Fault::Invalid, "a value is not zero");
    }
    match rules::points_after(account.points, row.value) {
        Err(fault) => return refused(fault, "points are at most 1,000,000,000,000 either way"),
        Ok(after) if row.least.is_some_and(|least| after < least) => {
            return Err(Problem::new(Code::POINTS_NOT_ENOUGH).with("points", account.points.into()));
        }
        Ok(_) => {}
    }
    let id = Uuid::now_v7();
    let values = [
        id.into(),
        ledger.customer.into(),
        account.restaurant_group_id.into(),
        ledger.restaurant.into(),
        row.kind.to_value().into(),
        row.value.into(),
        ledger.at.into(),
        ledger.order.map(|order| order.0).into(),
        ledger.actor_id.into(),
        ledger.actor_name.into(),
        Timestamp::now().into(),
        root.into(),
        row.comment.into(),
    ];
    tx.run(ADD_POINTS, values).await?;
    Ok(id)
}

/// Of what an order earned: what it gave less what was taken back.
const EARNED: &str = "select coalesce(sum(value) filter (where type = 'earned' or type = 'storno' and value < 0), \
    0)::bigint earned from shadow_customer_point where order_id = $1";

pub async fn earned_points(tx: &TenantTx, order: Uuid) -> Result<i64> {
    Ok(tx.value(EARNED, [order.into()]).await?.unwrap_or_default())
}
