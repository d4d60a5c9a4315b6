//! Taking out who a customer was. See `docs/decisions/customers.md#anonymising`.

use access::{domain::Domains, prelude::*};
use uuid::Uuid;

use crate::{ShadowCustomers, merge::refuse_merged, store};

const TREE: &str = "select id from shadow_customer where id = $1 or root_id = $1 order by id";
const LOCK: &str = "select id from lock_customers($1) id";
const UNDER_WAY: &str = "select 1 from customer_order where customer_id = any ($1) and under_way limit 1";
const BALANCE: &str =
    "select 1 from shadow_customer_account where shadow_customer_id = $1 and balance <> 0 limit 1";
const CLEAR: &str = "update shadow_customer set first_name = '', last_name = '', phone_1 = null, \
    phone_2 = null, email = null, note = null, comment = null, external_ids = '[]', customer_id = null, \
    merged_search = '', \
    archived_at = $2, updated_at = $2, version = version + 1 where id = any ($1)";
const ADDRESSES: &str = "delete from shadow_customer_address where shadow_customer_id = any ($1)";
const COMMENTS: &str = "delete from shadow_customer_comment where shadow_customer_id = any ($1)";
const ELSEWHERE: &str = "select 1 from shadow_customer_restaurant where shadow_customer_id = any ($1) \
    and not restaurant_id = any ($2) limit 1";
const MERGED: &str = "select merged_into from shadow_customer where id = $1 and merged_into is not null";

fn in_use(detail: &'static str) -> Problem {
    Problem::new(Code::IN_USE).detail(detail)
}

/// Anonymises a customer with everybody who was merged into this one. Orders are locked before customers, as
/// everywhere. `mine`: where the caller may act; `None` is everywhere.
/// Errors: `SHADOW_CUSTOMER_MERGED`, `SHADOW_CUSTOMER_ELSEWHERE`, `IN_USE`.
pub(crate) async fn anonymise(
    tx: &TenantTx, domains: Domains, id: Id<ShadowCustomers>, mine: Option<&[Uuid]>,
) -> Result<()> {
    refuse_merged(tx.value(MERGED, [id.into()]).await?)?;
    let tree: Vec<Uuid> = tx.values(TREE, [id.into()]).await?;
    for domain in domains {
        domain.check_anonymise(tx, &tree).await?;
    }
    tx.rows(LOCK, [tree.clone().into()]).await?;
    refuse_merged(store::lock(tx, id).await?.merged_into)?;
    let now: Vec<Uuid> = tx.values(TREE, [id.into()]).await?;
    if now != tree {
        return Err(Problem::overtaken());
    }
    if let Some(mine) = mine
        && tx.row(ELSEWHERE, [tree.clone().into(), mine.to_vec().into()]).await?.is_some()
    {
        return Err(Code::SHADOW_CUSTOMER_ELSEWHERE.into());
    }
    // Looked at again: an order may have come before the customer was locked.
    if tx.row(UNDER_WAY, [tree.clone().into()]).await?.is_some() {
        return Err(in_use("an order of the customer is under way"));
    }
    if tx.row(BALANCE, [id.into()]).await?.is_some() {
        return Err(in_use("the balance is not zero"));
    }
    // The log has no personal data of customers: it keeps what it says, amounts among it.
    // The others find by the name and the numbers what they have to take out.
    for domain in domains {
        domain.anonymise(tx, &tree).await?;
    }
    tx.run(ADDRESSES, [tree.clone().into()]).await?;
    tx.run(COMMENTS, [tree.clone().into()]).await?;
    tx.run(CLEAR, [tree.into(), Timestamp::now().into()]).await?;
    Ok(())
}
