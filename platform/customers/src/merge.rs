//! Two customers who turned out to be one. See `docs/decisions/customers.md#merging`.

use access::prelude::*;
use chrono::Duration;
use sea_orm::FromQueryResult;
use serde_json::json;
use uuid::Uuid;

use crate::{
    exists,
    ids::ShadowCustomers,
    seen::{Here, seen_from},
    store::UNDO_DAYS,
};

/// Refuses a change of a customer who was merged into another one.
/// Errors: `SHADOW_CUSTOMER_MERGED` with `merged_into`.
pub(crate) fn refuse_merged(merged_into: Option<Uuid>) -> Result<()> {
    match merged_into {
        Some(into) => {
            Err(Problem::new(Code::SHADOW_CUSTOMER_MERGED).with("merged_into", into.to_string().into()))
        }
        None => Ok(()),
    }
}

/// How a customer stands to others.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
struct Link {
    id: Uuid,
    merged_into: Option<Uuid>,
    merged_at: Option<Timestamp>,
    root_id: Option<Uuid>,
    created_at: Timestamp,
}

impl Link {
    fn root(&self) -> Uuid {
        self.root_id.unwrap_or(self.id)
    }
}

const LINK: &str = "select id, merged_into, merged_at, root_id, created_at from shadow_customer \
    where id = $1 and archived_at is null";
const LOCK: &str = "select id from lock_customers($1) id";
const POINT: &str = "with root as (update shadow_customer set merged_into = $2, merged_at = $3, \
        root_id = $2, version = version + 1, updated_at = $3 where id = $1) \
    update shadow_customer set root_id = $2 where root_id = $1";
/// The customer stands for the own person again, and whoever was merged into this one stays so.
const RELEASE: &str = "with recursive below as (select id from shadow_customer where merged_into = $1 \
        union select c.id from shadow_customer c join below b on c.merged_into = b.id), \
    own as (update shadow_customer set merged_into = null, merged_at = null, root_id = null, \
        version = version + 1, updated_at = $2 where id = $1) \
    update shadow_customer set root_id = $1 where id in (select id from below)";
const REFRESH: &str = "select refresh_customer($1)::text";

async fn link(tx: &TenantTx, id: Id<ShadowCustomers>) -> Result<Link> {
    tx.one(LINK, [id.into()]).await?.ok_or_else(Problem::not_exist::<ShadowCustomers>)
}

/// Which of two points to the other: the younger; of two made at the same moment the one with the later id.
fn younger_first(one: Link, other: Link) -> (Link, Link) {
    if (one.created_at, one.id) > (other.created_at, other.id) { (one, other) } else { (other, one) }
}

/// Merges two customers and answers the one who stands for both from then on.
/// Errors: `SHADOW_CUSTOMER_MERGED` when the first was merged already; `VALIDATION_FAILED` at `into`.
pub(crate) async fn merge(
    tx: &TenantTx, scope: &Here, id: Id<ShadowCustomers>, into: Id<ShadowCustomers>,
) -> Result<Id<ShadowCustomers>> {
    let refused =
        |fault, detail| Err(Problem::new(Code::VALIDATION_FAILED).key("into", fault).detail(detail));
    if id == into {
        return refused(Fault::Invalid, "a customer cannot be merged with itself");
    }
    if !exists(tx, seen_from(scope), into).await? {
        return refused(Fault::NotExist, "there is no such customer here");
    }
    refuse_merged(link(tx, id).await?.merged_into)?;
    let root = Id::from_uuid(link(tx, into).await?.root());
    if root == id {
        return refused(Fault::Invalid, "they are one customer already");
    }
    let live: Vec<Uuid> = tx.values(LOCK, [vec![id.uuid(), root.uuid()].into()]).await?;
    if !live.contains(&id.uuid()) {
        // Merged, or anonymised, by somebody who was faster.
        refuse_merged(link(tx, id).await?.merged_into)?;
    }
    if live.len() < 2 {
        return Err(Problem::overtaken());
    }
    let (younger, older) = younger_first(link(tx, id).await?, link(tx, root).await?);
    let now = Timestamp::now();
    tx.run(POINT, [younger.id.into(), older.id.into(), now.into()]).await?;
    tx.row(REFRESH, [older.id.into()]).await?;
    let place = Some(scope.restaurant().uuid());
    let details = json!({"merged_into": [null, older.id]});
    scope.audit(tx, place, "shadow_customers_merge", younger.id, details).await?;
    let details = json!({"merged": [null, younger.id]});
    scope.audit(tx, place, "shadow_customers_merge", older.id, details).await?;
    Ok(Id::from_uuid(older.id))
}

/// Undoes the merge of this customer into another one.
/// Errors: `SHADOW_CUSTOMER_NOT_MERGED`, `SHADOW_CUSTOMER_MERGE_OLD`.
pub(crate) async fn undo(tx: &TenantTx, scope: &Here, id: Id<ShadowCustomers>) -> Result<()> {
    let before = link(tx, id).await?;
    tx.rows(LOCK, [vec![id.uuid(), before.root()].into()]).await?;
    let now = link(tx, id).await?;
    if now.root_id != before.root_id {
        return Err(Problem::overtaken());
    }
    let (Some(into), Some(at)) = (now.merged_into, now.merged_at) else {
        return Err(Code::SHADOW_CUSTOMER_NOT_MERGED.into());
    };
    if kernel::clock::now() - at.0 > Duration::days(UNDO_DAYS) {
        return Err(Code::SHADOW_CUSTOMER_MERGE_OLD.into());
    }
    tx.run(RELEASE, [id.into(), Timestamp::now().into()]).await?;
    for person in [id.uuid(), now.root()] {
        tx.row(REFRESH, [person.into()]).await?;
    }
    let place = Some(scope.restaurant().uuid());
    let details = json!({"merged_into": [into, null]});
    scope.audit(tx, place, "shadow_customers_unmerge", id, details).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_younger_points_to_the_older_whichever_is_named_first() {
        let one = |id: u128, at: &str| Link {
            id: Uuid::from_u128(id),
            merged_into: None,
            merged_at: None,
            root_id: None,
            created_at: at.parse().unwrap(),
        };
        let old = one(2, "2026-01-01T00:00:00Z");
        for young in [one(1, "2026-01-01T00:00:01Z"), one(3, "2026-01-01T00:00:00Z")] {
            for (first, second) in [(&old, &young), (&young, &old)] {
                assert_eq!(younger_first(first.clone(), second.clone()), (young.clone(), old.clone()));
            }
        }
    }
}
