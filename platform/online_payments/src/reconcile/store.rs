//! Statements about reconciliations.

use access::{audit, prelude::*};
use kernel::{
    money::{Currency, Money},
    time::BusinessDay,
};
use orders::{
    OrderId,
    online::{self, OnlineAttempt},
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::rules::Difference;

/// Marker of ids of reconciliations.
#[derive(Debug)]
pub(crate) enum Reconciliations {}
kernel::resource!(Reconciliations, "payment_reconciliations", "PAYMENT_RECONCILIATION");

/// Marker of ids of lines of reconciliations.
#[derive(Debug)]
pub(crate) enum ReconciliationLines {}
kernel::resource!(ReconciliationLines, "payment_reconciliation_lines", "PAYMENT_RECONCILIATION_LINE");

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename = "PaymentReconciliationState", rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum State {
    Waiting,
    Running,
    Ready,
    Failed,
}

/// A business day's online payments beside the provider's word.
#[derive(Debug, Object, FromQueryResult)]
#[oai(rename = "PaymentReconciliation")]
pub(crate) struct Reconciliation {
    pub id: Id<Reconciliations>,
    pub day: BusinessDay,
    pub state: State,
    /// Percent.
    pub progress: i32,
    /// Who asked for it; null: it was made at night.
    pub actor_name: Option<String>,
    /// Whether the caller asked for it.
    pub mine: bool,
    /// How many payments were compared.
    pub payments: i32,
    /// Lines that differ, and those of them that nothing explains.
    pub differences: i64,
    pub unexplained: i64,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// A payment beside the provider's word.
#[derive(Debug, Object, FromQueryResult)]
#[oai(rename = "PaymentReconciliationLine")]
pub(crate) struct Line {
    pub id: Id<ReconciliationLines>,
    /// Null: only the provider knows it.
    pub attempt_id: Option<Uuid>,
    #[sea_orm(skip)]
    pub order_id: Option<Id<OrderId>>,
    #[sea_orm(skip)]
    pub order_counter: Option<String>,
    pub provider: String,
    /// The provider's id of the payment.
    pub reference: Option<String>,
    pub currency: Currency,
    /// Our books: the state, what came, what went back.
    pub state: Option<String>,
    pub captured: Money,
    pub refunded: Money,
    /// The provider's word; null where it does not know the payment or could not be asked.
    pub seen_state: Option<String>,
    pub seen_amount: Option<Money>,
    pub seen_refunded: Option<Money>,
    /// What the provider keeps for itself, where it tells.
    pub fee: Option<Money>,
    /// Null: nothing differs.
    pub difference: Option<Difference>,
    /// Why the difference is no fault: `booked` (by this comparison), or a person's words.
    pub explained: Option<String>,
    pub explained_by: Option<String>,
}

macro_rules! reconciliations {
    ($which:literal) => {
        concat!(
            "select r.id, r.day, r.state, r.progress, r.actor_name, coalesce(r.actor_id = $2, false) mine, r.payments, \
             r.created_at, r.finished_at, d.differences, d.unexplained from payment_reconciliation r, \
             lateral (select count(l.difference) differences, \
                count(*) filter (where l.difference is not null and l.explained is null) unexplained \
                from payment_reconciliation_line l where l.reconciliation_id = r.id) d \
             where r.restaurant_id = $1 and ",
            $which
        )
    };
}

pub(super) async fn one(
    tx: &TenantTx, restaurant: Id<Restaurant>, actor: Uuid, id: Id<Reconciliations>,
) -> Result<Reconciliation> {
    let values = [restaurant.into(), actor.into(), id.into()];
    let found: Option<Reconciliation> = tx.one(reconciliations!("r.id = $3"), values).await?;
    found.ok_or_else(Problem::not_exist::<Reconciliations>)
}

const COUNT: &str = "select count(*) from payment_reconciliation where restaurant_id = $1";

pub(super) async fn list(
    tx: &TenantTx, restaurant: Id<Restaurant>, actor: Uuid, paging: &Paging,
) -> Result<Page<Reconciliation>> {
    let total = if paging.count { audit::total(&tx.rows(COUNT, [restaurant.into()]).await?)? } else { None };
    let [limit, offset] = audit::limit_offset(paging);
    let values = [restaurant.into(), actor.into(), limit, offset];
    let sql = reconciliations!("true order by r.id desc limit $3 offset $4");
    Ok(Page { rows: tx.all(sql, values).await?, total })
}

/// One whose job is gone holds up no other.
const GIVE_UP: &str = "update payment_reconciliation set state = 'failed', finished_at = now() where restaurant_id = $1 \
    and state in ('waiting', 'running') and created_at < now() - interval '2 hours'";
const BEGIN: &str = "insert into payment_reconciliation (id, restaurant_id, day, actor_id, actor_name) \
    values ($1, $2, $3, $4, $5) on conflict (restaurant_id, day) where state in ('waiting', 'running') do nothing";
const UNDER_WAY: &str = "select id from payment_reconciliation where restaurant_id = $1 and day = $2 \
    and state in ('waiting', 'running')";

/// Begins a comparison of a day, or takes the one under way. True where it is a new one.
pub(super) async fn begin(
    tx: &TenantTx, restaurant: Id<Restaurant>, day: BusinessDay, actor: Option<(Uuid, &str)>,
) -> Result<(Id<Reconciliations>, bool)> {
    tx.run(GIVE_UP, [restaurant.into()]).await?;
    let new: Id<Reconciliations> = Id::new();
    let (id, name) = actor.unzip();
    let values = [new.into(), restaurant.into(), day.into(), id.into(), name.into()];
    if tx.run(BEGIN, values).await? > 0 {
        return Ok((new, true));
    }
    let id: Option<Uuid> = tx.value(UNDER_WAY, [restaurant.into(), day.into()]).await?;
    Ok((id.map(Id::from_uuid).ok_or(Code::CONFLICT)?, false))
}

/// What a job works.
#[derive(Debug, FromQueryResult)]
pub(super) struct Work {
    pub restaurant_id: Id<Restaurant>,
    pub day: BusinessDay,
}

const START: &str = "with l as (delete from payment_reconciliation_line where reconciliation_id = $1) \
    update payment_reconciliation set state = 'running', progress = 0, payments = 0 where id = $1 \
    and state in ('waiting', 'running') returning restaurant_id, day";

/// A job begins it, or begins it anew.
pub(super) async fn start(tx: &TenantTx, id: Id<Reconciliations>) -> Result<Option<Work>> {
    Ok(tx.one(START, [id.into()]).await?)
}

const PROGRESS: &str = "update payment_reconciliation set progress = $2, payments = $3, state = $4, \
    finished_at = $5 where id = $1 and state = 'running'";

/// How far it is.
pub(super) struct Progress {
    pub done: usize,
    pub all: usize,
    pub state: State,
}

impl Progress {
    pub async fn write(&self, tx: &TenantTx, id: Id<Reconciliations>) -> Result<()> {
        let percent = (self.done * 100).checked_div(self.all).unwrap_or(100);
        let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        let is_over = matches!(self.state, State::Ready | State::Failed);
        let values = [
            id.into(),
            count(percent).into(),
            count(self.done).into(),
            self.state.to_value().into(),
            is_over.then(Timestamp::now).into(),
        ];
        tx.run(PROGRESS, values).await?;
        Ok(())
    }
}

const ADD: &str = "insert into payment_reconciliation_line (id, restaurant_id, reconciliation_id, attempt_id, provider, \
    reference, currency, state, captured, refunded, seen_state, seen_amount, seen_refunded, fee, difference, explained) \
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";

/// A line that is written.
pub(super) struct NewLine<'a> {
    pub restaurant: Id<Restaurant>,
    pub of: Id<Reconciliations>,
    pub provider: &'a str,
    pub currency: String,
    pub ours: Option<&'a OnlineAttempt>,
    pub seen: Option<&'a contract::Snapshot>,
    pub difference: Option<Difference>,
    pub explained: Option<&'a str>,
}

impl NewLine<'_> {
    pub async fn add(&self, tx: &TenantTx) -> Result<()> {
        let (ours, seen) = (self.ours, self.seen);
        let id: Id<ReconciliationLines> = Id::new();
        let reference = seen.map(|seen| seen.reference.as_str());
        let reference = reference.or(ours.and_then(|ours| ours.provider_ref.as_deref()));
        let values = [
            id.into(),
            self.restaurant.into(),
            self.of.into(),
            ours.map(|ours| ours.id).into(),
            self.provider.into(),
            reference.into(),
            self.currency.to_lowercase().into(),
            ours.map(|ours| ours.state.to_value()).into(),
            ours.map_or(Money::ZERO, |ours| ours.captured).into(),
            ours.map_or(Money::ZERO, |ours| ours.refunded).into(),
            seen.map(|seen| seen.state.as_str()).into(),
            seen.map(|seen| Money(seen.amount)).into(),
            seen.map(|seen| Money(seen.refunded)).into(),
            seen.and_then(|seen| seen.fee).map(Money).into(),
            self.difference.map(|one| one.to_value()).into(),
            self.explained.into(),
        ];
        tx.run(ADD, values).await?;
        Ok(())
    }
}

const LINES: &str = "select l.id, l.attempt_id, l.provider, l.reference, l.currency, \
        l.state, l.captured, l.refunded, l.seen_state, l.seen_amount, l.seen_refunded, l.fee, l.difference, l.explained, \
        l.explained_by \
    from payment_reconciliation_line l \
    where l.restaurant_id = $1 and l.reconciliation_id = $2 and (not $3 or l.difference is not null) \
    order by l.difference is null, l.id limit $4 offset $5";
const COUNT_LINES: &str = "select count(*) from payment_reconciliation_line \
    where restaurant_id = $1 and reconciliation_id = $2 and (not $3 or difference is not null)";

pub(super) async fn lines(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<Reconciliations>, differences: bool, paging: &Paging,
) -> Result<Page<Line>> {
    let filter: [sea_orm::Value; 3] = [restaurant.into(), id.into(), differences.into()];
    let total = if paging.count { audit::total(&tx.rows(COUNT_LINES, filter.clone()).await?)? } else { None };
    let mut rows: Vec<Line> = tx.all(LINES, filter.into_iter().chain(audit::limit_offset(paging))).await?;
    let attempts = rows.iter().filter_map(|row| row.attempt_id).collect();
    for known in online::orders_of(tx, attempts).await? {
        for row in rows.iter_mut().filter(|row| row.attempt_id == Some(known.attempt_id)) {
            (row.order_id, row.order_counter) = (Some(known.order_id), known.counter.clone());
        }
    }
    Ok(Page { rows, total })
}

const EXPLAIN: &str = "update payment_reconciliation_line set explained = $3, explained_by = $4 \
    where restaurant_id = $1 and id = $2 and difference is not null returning id";

/// A person says why a difference is no fault.
pub(super) async fn explain(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<ReconciliationLines>, (why, by): (&str, &str),
) -> Result<()> {
    let values = [restaurant.into(), id.into(), why.into(), by.into()];
    let found: Option<Uuid> = tx.value(EXPLAIN, values).await?;
    found.map(drop).ok_or_else(Problem::not_exist::<ReconciliationLines>)
}

/// The latest word on what differs of each payment.
#[derive(Debug, FromQueryResult)]
pub(super) struct Remark {
    pub attempt_id: Uuid,
    pub difference: Difference,
    pub explained: Option<String>,
}

const REMARKS: &str = "select distinct on (l.attempt_id) l.attempt_id, l.difference, l.explained \
    from payment_reconciliation_line l join payment_reconciliation r on r.id = l.reconciliation_id \
    where l.restaurant_id = $1 and l.attempt_id = any ($2) and r.state = 'ready' \
    order by l.attempt_id, l.id desc";

pub(super) async fn remarks(
    tx: &TenantTx, restaurant: Id<Restaurant>, attempts: Vec<Uuid>,
) -> Result<Vec<Remark>> {
    #[derive(FromQueryResult)]
    struct Row {
        attempt_id: Uuid,
        difference: Option<Difference>,
        explained: Option<String>,
    }
    let rows: Vec<Row> = tx.all(REMARKS, [restaurant.into(), attempts.into()]).await?;
    let remark = |row: Row| {
        Some(Remark { attempt_id: row.attempt_id, difference: row.difference?, explained: row.explained })
    };
    Ok(rows.into_iter().filter_map(remark).collect())
}
