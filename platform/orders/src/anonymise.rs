//! Taking out of orders who their customer was. See `docs/decisions/customers.md#anonymising`.

use access::{audit, prelude::*};
use serde_json::json;
use uuid::Uuid;

/// Locked first, as everywhere: orders, then customers.
const LOCK: &str = "select id from orders where customer_id = any ($1) order by id for update";
const UNDER_WAY: &str = "select 1 from orders where customer_id = any ($1) and not is_test and archived_at \
    is null and status in ('received', 'succeeded', 'processed') limit 1";
/// Amounts, days and what was ordered stay. The client's own number goes too: a shop finds its guest by it.
const CLEAR: &str = "with o as (update orders set first_name = null, last_name = null, email = null, \
        phone_1 = null, message = null, delivery_data = null, coord_lat = null, coord_lng = null, \
        delivery_street = null, delivery_override_reason = null, external_id = null, \
        archive_reason_text = null, version = version + 1 where customer_id = any ($1) returning id), \
    i as (update order_item set message = null \
        where message is not null and order_id in (select id from o)), \
    s as (delete from order_sender where order_id in (select id from o)) \
    select id from o";

/// What staff wrote to payments and refunds.
const REMARKS: &str = "with a as (update payment_attempt set payment_info = null where order_id = any ($1) \
        returning id), \
    e as (update payment_event set body = '{}' where attempt_id in (select id from a)) \
    update payment_refund set reason = null where order_id = any ($1)";

/// Saved filters that look for one of the customers: by the beginnings of words of the name, by digits of a number
/// (at most seven, so that it does not matter how the number begins), or with either in their own name. The one
/// search of a list takes both, and numbers of orders, which have fewer digits.
const FILTERS: &str = r"with known as (
        select first_name, last_name, phone_1, phone_2 from customer_contact where id = any ($1)
        union select first_name, last_name, phone_1, null from orders where customer_id = any ($1)),
    names as (select distinct ref.fold(concat_ws(' ', last_name, first_name)) words from known),
    numbers as (select distinct regexp_replace(phone, '\D', '', 'g') digits
        from known, unnest(array[phone_1, phone_2]) phone where phone is not null),
    kept as (select id, ref.fold(words) looks_for, ref.fold(name) called, number.least,
        right(regexp_replace(number.digits, '\D', '', 'g'), 7) digits,
        right(regexp_replace(name, '\D', '', 'g'), 7) called_digits
        from order_filter, lateral (values (filter ->> 'name', filter ->> 'phone_1', 4),
            (filter ->> 'q', filter ->> 'q', 6)) number (words, digits, least))
    delete from order_filter f using kept k where k.id = f.id and (
        exists (select from names n where length(k.looks_for) >= 3 and not exists (
            select from regexp_split_to_table(k.looks_for, '\s+') word
            where position(' ' || word in ' ' || n.words) = 0))
        or exists (select from names n where position(' ' in n.words) > 0 and not exists (
            select from regexp_split_to_table(n.words, '\s+') word where position(word in k.called) = 0))
        or exists (select from numbers n where length(k.digits) >= k.least and position(k.digits in n.digits) > 0)
        or exists (select from numbers n where length(k.called_digits) >= 6
            and position(k.called_digits in n.digits) > 0))
    returning f.id";

/// What changes replaced; the names of the fields stay.
const CHANGES: &str = "update order_change set old_and_new = null where order_id = any ($1)";

const YOUNG: &str = "select id from orders o where id = any ($1) and (created_at > now() - interval '3 days' \
    or exists (select from order_history h where h.order_id = o.id and h.at > now() - interval '3 days'))";

/// Refuses while an order of these customers is under way, and locks their orders.
/// Errors: `IN_USE`.
pub(crate) async fn check(tx: &TenantTx, customers: &[Uuid]) -> Result<()> {
    tx.rows(LOCK, [customers.to_vec().into()]).await?;
    if tx.row(UNDER_WAY, [customers.to_vec().into()]).await?.is_some() {
        return Err(Problem::new(Code::IN_USE).detail("an order of the customer is under way"));
    }
    Ok(())
}

/// Empties what says whose their orders were, in the orders themselves, in the audit log, and in the answers
/// that are kept for repeated requests.
pub(crate) async fn clear(tx: &TenantTx, customers: &[Uuid]) -> Result<()> {
    let filters: Vec<Uuid> = tx.values(FILTERS, [customers.to_vec().into()]).await?;
    audit::forget(tx, filters.clone()).await?;
    audit::forget_answers(tx, filters, json!({"name": "", "filter": {}}), &[]).await?;
    let orders: Vec<Uuid> = tx.values(CLEAR, [customers.to_vec().into()]).await?;
    if orders.is_empty() {
        return Ok(());
    }
    tx.run("select write_order_entry(id, null) from unnest($1::uuid[]) id", [orders.clone().into()]).await?;
    tx.run(REMARKS, [orders.clone().into()]).await?;
    tx.run(CHANGES, [orders.clone().into()]).await?;
    let fields = json!({
        "first_name": null, "last_name": null, "email": null, "phone_1": null, "message": null,
        "delivery_data": null, "coord_lat": null, "coord_lng": null, "delivery_street": null,
        "delivery_override_reason": null, "external_id": null, "archive_reason_text": null, "shadow_customer": null, "items": [],
    });
    // Answers are kept for a day.
    let young: Vec<Uuid> = tx.values(YOUNG, [orders.clone().into()]).await?;
    if !young.is_empty() {
        audit::forget_answers(tx, young, fields, &["payment_info", "reason"]).await?;
    }
    audit::forget(tx, orders).await
}
