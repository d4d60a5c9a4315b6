//! Reading one customer.

use access::prelude::*;
use chrono::Duration;
use serde_json::Value as Json;

use crate::{
    addresses,
    ids::ShadowCustomers,
    seen::Seen,
    store::{UNDO_DAYS, external_ids},
    types::{Customer, MergedCustomer},
};

const READ: &str = "select c.id, c.customer_id, c.name, c.first_name, c.last_name, c.phone_1, c.phone_2, \
    c.email, \
        c.note, c.comment, coalesce(f.order_number, 0)::int order_number, \
        trim_scale(coalesce(f.order_total_sum, 0)) order_total_sum, f.first_order_at, f.last_order_at, \
        trim_scale(coalesce(a.balance, 0)) balance, coalesce(a.points, 0) points, $4::text currency, \
        c.merged_into, c.merged_at, c.created_at, c.updated_at, c.version, c.archived_at \
    from shadow_customer c left join lateral (select sum(s.order_number) order_number, \
            sum(s.order_total_sum) order_total_sum, min(s.first_order_at) first_order_at, \
            max(s.last_order_at) last_order_at \
        from shadow_customer_restaurant s where s.shadow_customer_id = c.id and s.restaurant_id = any \
        ($2)) f on true \
    left join shadow_customer_account a on a.shadow_customer_id = c.id and a.restaurant_group_id = $3 \
    where c.id = $1 and c.archived_at is null";
const EXTERNAL: &str = "select external_ids from shadow_customer where id = $1";
const MERGED: &str = "select m.id, m.name, m.phone_1, m.phone_2, m.email, m.created_at, m.merged_at, \
        case when m.merged_at > $2 then m.merged_at + make_interval(days => $3) end undo_until \
    from shadow_customer m where m.root_id = $1 order by m.merged_at, m.id";

/// A customer with everything, as this caller sees it.
/// Errors: `SHADOW_CUSTOMER_NOT_EXIST`.
pub(crate) async fn read(tx: &TenantTx, seen: &Seen, id: Id<ShadowCustomers>) -> Result<Customer> {
    let values =
        [id.into(), seen.summed.clone().into(), seen.group.into(), seen.currency.as_str().to_owned().into()];
    let customer: Option<Customer> = tx.one(READ, values).await?;
    let mut customer = customer.ok_or_else(Problem::not_exist::<ShadowCustomers>)?;
    let external: Option<Json> = tx.value(EXTERNAL, [id.into()]).await?;
    customer.external_ids = external_ids(external.unwrap_or_default());
    customer.addresses = addresses::of(tx, id).await?;
    let since = kernel::clock::now() - Duration::days(UNDO_DAYS);
    let days = i32::try_from(UNDO_DAYS).unwrap_or_default();
    customer.merged = tx.all::<MergedCustomer>(MERGED, [id.into(), since.into(), days.into()]).await?;
    customer.undo_until =
        customer.merged_at.filter(|at| at.0 > since).map(|at| Timestamp(at.0 + Duration::days(UNDO_DAYS)));
    customer.balance = customer.balance.filter(|_| seen.balance);
    customer.points = customer.points.filter(|_| seen.loyalty);
    Ok(customer)
}
