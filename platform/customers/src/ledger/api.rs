//! Operations on balances.

use access::{Idempotency, Pin, audit, prelude::*};
use kernel::{AnyBody, time::CalendarDay};
use sea_orm::Value as Bound;
use serde_json::json;
use uuid::Uuid;

use super::{
    store::{BalanceRow, Ledger, add_balance},
    types::{
        BalanceSum, BalanceTransaction, BalanceTransactionType, NewBalanceTransaction, ShadowCustomerBalance,
    },
};
use crate::{
    ShadowCustomers,
    list::patterns,
    seen::{Seen, open},
    store::{filled, masked},
    types::BalanceFilter,
};

/// Who may see and move balances.
type Here = In<Restaurant, OfFeature<feature::Balance, perm::Customer>>;

pub(crate) struct Balances;

/// Keys of payment methods with which nobody pays into a balance.
const NO_METHODS: [&str; 2] = ["balance", "split"];

macro_rules! balances {
    ($what:literal) => {
        concat!(
            "select ",
            $what,
            " from shadow_customer_account a join shadow_customer c on c.id = a.shadow_customer_id \
             where a.restaurant_group_id = $1 and a.transactions > 0 \
             and c.archived_at is null and c.merged_into is null \
             and ($2 or exists (select from shadow_customer_restaurant r where r.shadow_customer_id = c.id \
                and r.restaurant_id = $3)) \
             and ($4 = '' or c.search like all (string_to_array(ref.fold($4), ' '))) \
             and ($5::int is null or sign(a.balance) = $5)"
        )
    };
}
const LIST: &str = concat!(
    balances!(
        "c.id, c.name, c.first_name, c.last_name, c.phone_1, c.email, trim_scale(a.balance) balance, \
         a.last_transaction_at, $6::text currency"
    ),
    " order by ref.fold(c.name), c.id limit $7 offset $8"
);
const COUNT: &str = balances!("count(*) total");

const COLUMNS: &str = concat!(
    rows_of!(
        "shadow_customer_balance",
        "b.id, trim_scale(b.value) value, b.type, b.payment_method, b.transaction_at, b.order_id, n.comment, \
         b.restaurant_id, b.actor_name, b.created_at"
    ),
    " order by b.transaction_at desc, b.id desc limit $5 offset $6"
);
const COUNT_ROWS: &str = rows_of!("shadow_customer_balance", "count(*) total");
const SUM: &str = rows_of!(
    "shadow_customer_balance",
    "trim_scale(coalesce(sum(b.value), 0)) sum, \
     trim_scale(coalesce(sum(b.value) filter (where b.value > 0), 0)) incoming, \
     trim_scale(coalesce(sum(b.value) filter (where b.value < 0), 0)) outgoing, $5::text currency"
);
const ROW: &str = "select b.id, trim_scale(b.value) value, b.type, b.payment_method, b.transaction_at, \
    b.order_id, \
    n.comment, b.restaurant_id, b.actor_name, b.created_at from shadow_customer_balance b \
    left join shadow_customer_comment n on n.row_id = b.id where b.id = $1";

async fn row(tx: &TenantTx, id: Uuid) -> Result<BalanceTransaction> {
    tx.one(ROW, [id.into()]).await?.ok_or_else(|| Code::UNKNOWN_ERROR.into())
}

/// From the first instant of the one day to the end of the other.
pub(super) fn span(
    seen: &Seen, from: Option<CalendarDay>, till: Option<CalendarDay>,
) -> [Option<Timestamp>; 2] {
    [from.map(|day| seen.begin(day)), till.map(|day| seen.end(day))]
}

/// Checks what can be seen without the customer: the moment and the method.
async fn check(tx: &TenantTx, new: &NewBalanceTransaction, at: Timestamp) -> Result<()> {
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    if at > Timestamp::now() {
        problem = problem.key("transaction_at", Fault::Max);
    }
    // Whole days later than any zone's beginning: a history that begins there has all rows.
    if super::store::beginning().and_then(|day| day.0.succ_opt()).is_some_and(|day| at.0.date_naive() < day) {
        problem = problem.key("transaction_at", Fault::Min);
    }
    if let Some(method) = &new.payment_method {
        let known = "select 1 from ref.payment_method where payment_key = $1";
        let known = tx.row(known, [method.clone().into()]).await?.is_some();
        if !known || NO_METHODS.contains(&method.as_str()) {
            problem = problem.key("payment_method", Fault::NotExist);
        }
    }
    problem.if_any()
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/shadow-customers",
    tag = "Tag::People"
)]
impl Balances {
    /// The customers whose balance has ever moved in the restaurant's group.
    ///
    /// Needs the own PIN.
    #[oai(path = "/balances", method = "get", operation_id = "shadow_customer_balances_list")]
    async fn list(
        &self, scope: Here, pin: Pin,
        /// Words of name, e-mail or phone, in any order; accents and case ignored.
        name: QueryParam<String>,
        balance: QueryParam<BalanceFilter>, paging: Paging,
    ) -> Result<Page<ShadowCustomerBalance>> {
        pin.own(&scope).await?;
        let tx = scope.begin().await?;
        let seen = Seen::of(&tx, &scope).await?;
        let filter: [Bound; 5] = [
            seen.group.into(),
            seen.whole.into(),
            seen.restaurant.into(),
            patterns(name.as_deref().unwrap_or_default()).into(),
            balance.0.unwrap_or_default().sign().into(),
        ];
        tx.plan_with_values().await?;
        let total = if paging.count { audit::total(&tx.rows(COUNT, filter.clone()).await?)? } else { None };
        let currency: Bound = seen.currency.as_str().to_owned().into();
        let values = filter.into_iter().chain([currency]).chain(audit::limit_offset(&paging));
        Ok(Page { rows: tx.all(LIST, values).await?, total })
    }

    /// The rows of a customer's balance in the restaurant's group, newest first.
    ///
    /// Needs the own PIN. Without `from` it begins on 2010-10-10; both days count.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST
    #[oai(path = "/:id/balance", method = "get", operation_id = "shadow_customer_balance_list")]
    async fn history(
        &self, scope: Here, id: Path<Id<ShadowCustomers>>, pin: Pin, from: QueryParam<CalendarDay>,
        till: QueryParam<CalendarDay>, paging: Paging,
    ) -> Result<Page<BalanceTransaction>> {
        let tx = open(&scope, &pin, *id).await?;
        let seen = Seen::of(&tx, &scope).await?;
        let [from, till] = span(&seen, from.0.or_else(super::store::beginning), till.0);
        let filter: [Bound; 4] = [(*id).into(), seen.group.into(), from.into(), till.into()];
        let total =
            if paging.count { audit::total(&tx.rows(COUNT_ROWS, filter.clone()).await?)? } else { None };
        let rows = tx.all(COLUMNS, filter.into_iter().chain(audit::limit_offset(&paging))).await?;
        Ok(Page { rows, total })
    }

    /// What came in and went out of a customer's balance, by default since 2010-10-10.
    ///
    /// Needs the own PIN.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST
    #[oai(path = "/:id/balance/sum", method = "get", operation_id = "shadow_customer_balance_sum")]
    async fn sum(
        &self, scope: Here, id: Path<Id<ShadowCustomers>>, pin: Pin, from: QueryParam<CalendarDay>,
        till: QueryParam<CalendarDay>,
    ) -> Result<Json<BalanceSum>> {
        let tx = open(&scope, &pin, *id).await?;
        let seen = Seen::of(&tx, &scope).await?;
        let [from, till] = span(&seen, from.0.or_else(super::store::beginning), till.0);
        let currency = seen.currency.as_str().to_owned();
        let values = [(*id).into(), seen.group.into(), from.into(), till.into(), currency.into()];
        let sum: Option<BalanceSum> = tx.one(SUM, values).await?;
        sum.map(Json).ok_or_else(|| Code::UNKNOWN_ERROR.into())
    }

    /// Adds a row to a customer's balance: what was paid in, or below zero what is taken off. A mistake is
    /// corrected by another row.
    ///
    /// Needs the own PIN. Also taken as a form.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST
    #[oai(path = "/:id/balance", method = "post", operation_id = "shadow_customer_balance_create")]
    async fn create(
        &self, scope: Here, id: Path<Id<ShadowCustomers>>, pin: Pin, key: IdempotencyKey,
        body: AnyBody<NewBalanceTransaction>,
    ) -> Result<Stored<BalanceTransaction>> {
        let (new, raw) = body.0.into_parts();
        let tx = open(&scope, &pin, *id).await?;
        let first =
            match key.begin::<BalanceTransaction>(&scope, &tx, "shadow_customer_balance", &raw).await? {
                Idempotency::First(first) => first,
                Idempotency::Replay(kept) => {
                    let id = kept.id().unwrap_or_default();
                    return Ok(Stored::new(201, &row(&tx, id).await?));
                }
            };
        let at = new.transaction_at.unwrap_or_else(Timestamp::now);
        check(&tx, &new, at).await?;
        let NewBalanceTransaction { value, payment_method, transaction_at: _, comment } = new;
        let ledger = Ledger {
            customer: *id,
            restaurant: scope.restaurant(),
            actor_id: scope.caller().id(),
            actor_name: scope.caller().name(),
            order: None,
            at,
        };
        let comment = filled(comment);
        let details = masked(json!({"comment": [null, comment]}));
        let entered = BalanceRow {
            value,
            kind: BalanceTransactionType::Payment,
            payment_method: payment_method.clone(),
            comment,
        };
        let added = add_balance(&tx, ledger, entered).await?;
        let details = json!({
            "value": [null, value], "payment_method": [null, payment_method], "transaction_at": [null, at],
            "comment": details["comment"], "transaction_id": [null, added],
        });
        let place = Some(scope.restaurant().uuid());
        scope.audit(&tx, place, "shadow_customer_balance_create", *id, details).await?;
        let answer = row(&tx, added).await?;
        first.keep(&tx, &Stored::new(201, &json!({"id": added}))).await?;
        tx.commit().await?;
        Ok(Stored::new(201, &answer))
    }
}
