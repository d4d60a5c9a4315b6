//! Lists against slow statements that say what they mean, on random customers.

use serde_json::Value;
use tenants::PlatformProof;
use testkit::{Place, kit};
use uuid::Uuid;

use super::{Person, person, text};

/// Ninety customers at some of `$1`, fifteen of them merged into others and five anonymised.
const CUSTOMERS: &[&str] = &[
    "select setseed(0.7)::text",
    "insert into shadow_customer (id, last_name, first_name, phone_1, phone_2, email, created_at) \
     select gen_random_uuid(), (array['Kis', 'Nagy', 'Ágoston', 'Őri'])[1 + n % 4], \
        (array['Anna', 'Éva', 'Béla', 'Anna Éva', ''])[1 + n * 7 % 5], \
        case when n % 3 > 0 then '+3630555' || lpad(n::text, 4, '0') end, \
        case when n % 10 = 0 then '+3620777' || lpad(n::text, 4, '0') end, \
        case when n % 2 = 0 then 'vendeg' || n || '@pult.test' end, \
        timestamptz '2026-01-01 12:00Z' + n * 37 % 11 * interval '1 day' from generate_series(1, 90) n",
    "insert into shadow_customer_restaurant (shadow_customer_id, restaurant_id) \
     select c.id, r.id from shadow_customer c, unnest($1::uuid[]) with ordinality r (id, at) \
     where random() < 0.4 or r.at = 1 + abs(hashtext(c.phone_1 || c.name)) % 3 or c.phone_1 is null",
    "with pair as (select id, lag(id, 30) over (order by created_at, id) older, \
        row_number() over (order by created_at, id) at from shadow_customer) \
     update shadow_customer c set merged_into = p.older, root_id = p.older, merged_at = now() \
     from pair p where p.id = c.id and p.at > 75",
    "update shadow_customer set archived_at = now() where id in (select id from shadow_customer \
        where root_id is null order by created_at, id limit 5)",
    "select refresh_customer(id)::text from shadow_customer where root_id is null",
    "update shadow_customer_restaurant set order_number = (random() * 4)::int, \
        order_total_sum = (random() * 5)::int * 1000.5, last_order_at = case when random() < 0.6 \
        then timestamptz '2026-02-01 12:00Z' + (random() * 9)::int * interval '1 day' end",
    "select sum_customer_orders(id)::text from shadow_customer where root_id is null",
    "insert into shadow_customer_account (shadow_customer_id, restaurant_group_id, balance, transactions) \
     select c.id, r.restaurant_group_id, (random() * 4)::int * 500 - 1000, 1 \
     from shadow_customer c, restaurant r where r.id = ($1::uuid[])[1] and random() < 0.5",
];

const SORTS: [(&str, &str); 12] = [
    ("name", "name, id"),
    ("name_desc", "name desc, id desc"),
    ("created_at", "created_at, id desc"),
    ("created_at_desc", "created_at desc, id"),
    ("order_number", "number, id desc"),
    ("order_number_desc", "number desc, id"),
    ("order_total_sum", "total, id desc"),
    ("order_total_sum_desc", "total desc, id"),
    ("last_order_at", "last nulls last, id"),
    ("last_order_at_desc", "last desc nulls last, id"),
    ("balance", "balance, id"),
    ("balance_desc", "balance desc, id"),
];
/// A filter and what it means.
const FILTERS: [(&str, &str); 10] = [
    ("", "true"),
    ("order_count_from=2", "number >= 2"),
    ("order_count_till=1", "number <= 1"),
    ("order_sum_from=1000.5&order_sum_till=4002", "total between 1000.5 and 4002"),
    ("last_order_from=2026-02-05", "last >= timestamptz '2026-02-05 Europe/Budapest'"),
    ("last_order_till=2026-02-04", "last < timestamptz '2026-02-05 Europe/Budapest'"),
    ("balance=negative", "balance < 0"),
    ("balance=positive&order_count_from=1", "balance > 0 and number >= 1"),
    ("balance=equal", "balance = 0"),
    ("balance=all", "true"),
];
/// A search and its words as they are kept.
const SEARCHES: [(&str, &[&str]); 6] = [
    ("", &[]),
    ("KIS", &["kis"]),
    ("eva%20%C3%81gos", &["eva", "agos"]),
    ("0630%20555", &["630", "555"]),
    ("vendeg1", &["vendeg1"]),
    ("nincs", &["nincs"]),
];

/// The customers of a list as the slow statement finds them.
async fn meant(
    place: &Place<'_>, whole: bool, summed: &[Uuid], words: &[&str], filter: &str, order: &str,
) -> Vec<String> {
    let summed = summed.iter().map(|id| format!("'{id}'")).collect::<Vec<_>>().join(", ");
    let figures = |what: &str| {
        format!(
            "(select {what} from {}.shadow_customer_restaurant s where s.shadow_customer_id = c.id \
             and s.restaurant_id in ({summed}))",
            place.schema
        )
    };
    let found: String = words.iter().map(|word| format!(" and position('{word}' in words) > 0")).collect();
    let sql = format!(
        "with found as (select c.id, ref.fold(c.name) as name, c.created_at, {number} number, {total} total, \
            {last} as last, coalesce((select a.balance from {schema}.shadow_customer_account a \
                where a.shadow_customer_id = c.id), 0) balance, \
            (select string_agg(ref.fold(m.name) || ' ' || \
                concat_ws(' ', m.email, m.phone_1, m.phone_2), ' ') \
                from {schema}.shadow_customer m where m.id = c.id or m.root_id = c.id) words \
         from {schema}.shadow_customer c where c.archived_at is null and c.merged_into is null \
            and ({whole} or exists (select from {schema}.shadow_customer_restaurant r \
                where r.shadow_customer_id = c.id and r.restaurant_id = '{restaurant}'))) \
         select id::text from found where {filter}{found} order by {order}",
        number = figures("coalesce(sum(s.order_number), 0)"),
        total = figures("coalesce(sum(s.order_total_sum), 0)"),
        last = figures("max(s.last_order_at)"),
        schema = place.schema,
        restaurant = place.restaurant,
    );
    place.kit.texts(&sql).await
}

/// Compares some lists of all that can be asked; `first` says which.
async fn compare(place: &Place<'_>, who: &Person<'_>, whole: bool, summed: &[Uuid], first: usize) {
    const PAGE: usize = 10;
    let every = SORTS.len() * FILTERS.len() * SEARCHES.len();
    for at in (first..every).step_by(139) {
        let (sort, order) = SORTS[at % SORTS.len()];
        let (filter, condition) = FILTERS[at / SORTS.len() % FILTERS.len()];
        let (search, words) = SEARCHES[at / SORTS.len() / FILTERS.len()];
        let page = at % 2;
        let all = meant(place, whole, summed, words, condition, order).await;
        let query = format!(
            "/shadow-customers?sort={sort}&{filter}&name={search}&limit={PAGE}&page={page}&count=true"
        );
        let answer = who.get(&query).send().await.assert(200);
        assert_eq!(answer.header("x-total-count"), Some(all.len().to_string().as_str()), "{query}");
        let rows = answer.json();
        let found: Vec<String> =
            rows.as_array().unwrap().iter().map(|row: &Value| text(&row["id"])).collect();
        let expected: Vec<String> = all.into_iter().skip(PAGE * page).take(PAGE).collect();
        assert_eq!(found, expected, "{query}");
    }
}

#[testkit::test]
async fn lists_are_those_of_a_slow_statement() {
    let kit = kit().await;
    let here = kit.partner().await;
    let (there, third) = (kit.restaurant_of(here.partner).await, kit.restaurant_of(here.partner).await);
    let ids = [&here, &there, &third].map(|place| place.restaurant.uuid());
    let tx = kit.app.door.begin_job(&PlatformProof::runner(), here.partner).await.unwrap().unwrap();
    for sql in CUSTOMERS {
        let values = if sql.contains("$1") { vec![ids.to_vec().into()] } else { vec![] };
        tx.row(sql, values).await.unwrap();
    }
    tx.commit().await.unwrap();
    let whole = person(&[&here], &[], true).await;
    compare(&here, &whole, true, &ids, 0).await;
    let one = person(&[&here], &[], false).await;
    compare(&here, &one, false, &ids[..1], 1).await;
    let some = person(&[&here, &there], &[], false).await;
    compare(&here, &some, false, &ids[..2], 2).await;
    // Figures in another currency are not added up.
    let euros = format!("update {}.restaurant set currency = 'eur' where id = $1", here.schema);
    kit.run(&euros, vec![third.restaurant.into()]).await;
    compare(&here, &whole, true, &ids[..2], 3).await;
}

/// 1,400 customers with few different figures; those who ordered least here ordered most elsewhere.
const CROWD: &[&str] = &[
    "select setseed(0.3)::text",
    "insert into shadow_customer (id, last_name, first_name, created_at) select gen_random_uuid(), \
        (array['Kis', 'Nagy', 'Ritka'])[case when n % 100 = 0 then 3 else 1 + n % 2 end], 'Anna', now() \
     from generate_series(1, 1400) n",
    "insert into shadow_customer_restaurant (shadow_customer_id, restaurant_id, order_number, order_total_sum, \
        last_order_at) \
     select c.id, r.id, f.n, f.n * 990.5, case when f.n > 0 then timestamptz '2026-02-01 12:00Z' \
        + (random() * 40)::int * interval '1 hour' end \
     from (select id, (random() * random() * 9)::int n from shadow_customer) c, \
        unnest($1::uuid[]) with ordinality r (id, at), \
        lateral (select case when r.at = 1 then c.n else 9 - c.n + (random() * 2)::int end n) f \
     where r.at = 1 or random() + c.n * 0 < 0.5",
    "update shadow_customer set archived_at = now() where random() < 0.05",
    "select sum_customer_orders(id)::text from shadow_customer",
];

/// A query, its words as they are kept, and what it means.
const QUERIES: [(&str, &[&str], &str); 4] = [
    ("", &[], "true"),
    ("&name=kis", &["kis"], "true"),
    ("&name=ritka", &["ritka"], "true"),
    ("&order_count_from=8", &[], "number >= 8"),
];

#[testkit::test]
async fn pages_end_at_a_last_that_is_told_beforehand() {
    let kit = kit().await;
    let here = kit.partner().await;
    let (there, third) = (kit.restaurant_of(here.partner).await, kit.restaurant_of(here.partner).await);
    let ids = [&here, &there, &third].map(|place| place.restaurant.uuid());
    let tx = kit.app.door.begin_job(&PlatformProof::runner(), here.partner).await.unwrap().unwrap();
    for sql in CROWD {
        let values = if sql.contains("$1") { vec![ids.to_vec().into()] } else { vec![] };
        tx.row(sql, values).await.unwrap();
    }
    tx.commit().await.unwrap();
    let some = person(&[&here, &there], &[], false).await;
    // The second round has a sum below zero: no last can be told of any list.
    for below in [false, true] {
        if below {
            let sql = format!(
                "update {}.shadow_customer_restaurant set order_total_sum = -500 where ctid in (select ctid \
                 from {0}.shadow_customer_restaurant where restaurant_id = $1 limit 20)",
                here.schema
            );
            kit.run(&sql, vec![there.restaurant.into()]).await;
        }
        for (at, (sort, order)) in SORTS.into_iter().filter(|(sort, _)| sort.contains("order")).enumerate() {
            // Half of them with each order, the other half with its reverse.
            for (query, words, condition) in
                QUERIES.into_iter().skip(at % 2).step_by(if below { 4 } else { 2 })
            {
                let all = meant(&here, false, &ids[..2], words, condition, order).await;
                for page in [0, 12, 30] {
                    let asked =
                        format!("/shadow-customers?sort={sort}{query}&limit=40&page={page}&count=true");
                    let answer = some.get(&asked).send().await.assert(200);
                    assert_eq!(
                        answer.header("x-total-count"),
                        Some(all.len().to_string().as_str()),
                        "{asked}"
                    );
                    let rows = answer.json();
                    let found: Vec<String> =
                        rows.as_array().unwrap().iter().map(|row: &Value| text(&row["id"])).collect();
                    let expected: Vec<String> = all.iter().skip(40 * page).take(40).cloned().collect();
                    assert_eq!(found, expected, "{asked}");
                }
            }
        }
    }
}
