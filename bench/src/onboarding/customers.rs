//! The first page of the list of 100,000 customers, as the screen asks for it, with the count.

use std::time::Duration;

use rig::{Account, Api, Result};
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection};

use super::{PARTNER, RESTAURANT, RunningService, Stage};
use crate::{
    load::{Request, load},
    report::{Line, number},
};

const CUSTOMERS: u32 = 100_000;
const TARGET: f64 = 100.0;

/// What is asked of all of the partner's customers.
const LISTS: [(&str, &str); 12] = [
    ("by name, without the count: mostly the PIN", "page=0"),
    ("by name", "count=true&page=0"),
    ("a common word", "count=true&page=0&name=nagy"),
    ("a rare word", "count=true&page=0&name=ritkasz%C3%B3"),
    ("digits of a phone", "count=true&page=0&name=0630%20123"),
    ("by balance", "count=true&page=0&sort=balance_desc"),
    ("in debt, by orders", "count=true&page=0&balance=negative&sort=order_number_desc"),
    ("by number of orders", "count=true&page=0&sort=order_number_desc"),
    ("by sum", "count=true&page=0&sort=order_total_sum_desc"),
    ("by last order", "count=true&page=0&sort=last_order_at_desc"),
    ("at least 5 orders, by last order", "count=true&page=0&order_count_from=5&sort=last_order_at"),
    ("page 1,000 by name", "count=true&page=999"),
];
/// What is asked by somebody who sees two restaurants of the partner, and adds up their figures.
const SEVERAL: [(&str, &str); 4] = [
    ("by name", "count=true&page=0"),
    ("by number of orders", "count=true&page=0&sort=order_number_desc"),
    ("by sum", "count=true&page=0&sort=order_total_sum_desc"),
    ("by last order", "count=true&page=0&sort=last_order_at_desc"),
];

/// Customers with names as people have them: most with a phone, a third with an e-mail, three in a hundred
/// merged, half known at a second restaurant, two in five with a balance.
fn statement(schema: &str, customers: u32) -> String {
    // Made of a name of ours and numbers.
    format!(
        "begin; set local search_path = {schema}; select setseed(0.4); \
         insert into shadow_customer (id, last_name, first_name, phone_1, email, created_at) \
         select gen_random_uuid(), (array['Nagy', 'Kovács', 'Tóth', 'Szabó', 'Horváth', 'Varga', 'Kiss', \
            'Molnár', 'Németh', 'Farkas', 'Balogh', 'Papp', 'Takács', 'Juhász', 'Lakatos', \
            'Oláh'])[1 + n % 16] \
            || case when n % 5 = 0 then 'né' else '' end \
            || case when n % 5000 = 17 then ' Ritkaszó' else '' end, \
            (array['Éva', 'Anna', 'Béla', 'Gábor', 'István', 'Zsófia', 'Péter', 'János', 'Katalin', \
            'László', \
            'Mária', 'Tamás', 'Zoltán'])[1 + n / 7 % 13], \
            case when n % 7 > 0 then '+3630' || lpad((n * 37 % 10000000)::text, 7, '0') end, \
            case when n % 3 = 0 then 'vendeg' || n || '@lista.example' end, \
            now() - random() * interval '900 days' from generate_series(1, {customers}) n; \
         with pair as (select id, lag(id, 101) over (order by created_at) older, \
            row_number() over (order by created_at) at from shadow_customer \
            where email like '%@lista.example') \
         update shadow_customer c set merged_into = p.older, root_id = p.older, merged_at = now() \
         from pair p where p.id = c.id and p.older is not null and p.at % 10 = 0; \
         insert into shadow_customer_restaurant (shadow_customer_id, restaurant_id, created_at, \
            order_number, \
            order_total_sum, first_order_at, last_order_at) \
         select c.id, r.id, c.created_at, f.n, f.n * 3990, case when f.n > 0 then c.created_at end, \
            case when f.n > 0 then c.created_at + random() * (now() - c.created_at) end \
         from shadow_customer c, lateral (select id, row_number() over (order by id) at from restaurant) r, \
            lateral (select floor(random() * random() * 20 + length(c.name) * 0 * r.at)::int n, \
                random() + length(c.name) * 0 * r.at share) f \
         where f.share < case r.at when 1 then 0.8 when 2 then 0.5 else 0.2 end \
         on conflict do nothing; \
         insert into shadow_customer_account (shadow_customer_id, restaurant_group_id, balance, \
            transactions) \
         select c.id, r.restaurant_group_id, (random() * 40)::int * 500 - 5000, 1 \
         from shadow_customer c, restaurant r where r.id = '{RESTAURANT}' and random() < 0.4; \
         update shadow_customer c set (order_number, order_total_sum, last_order_at) = \
            (select coalesce(sum(s.order_number), 0), coalesce(sum(s.order_total_sum), 0), \
            max(s.last_order_at) \
            from shadow_customer_restaurant s where s.shadow_customer_id = c.id), \
            merged_search = coalesce((select string_agg(' ' || m.search, '' order by m.id) \
            from shadow_customer m where m.root_id = c.id), ''); \
         insert into restaurant_feature (restaurant_id, feature) values ('{RESTAURANT}', 'balance') \
         on conflict do nothing; \
         commit"
    )
}

/// So many customers, once.
pub(super) async fn fill(owner: &mut PgConnection, schema: &str) -> Result<u32> {
    let customers = number("PULT_BENCH_CUSTOMERS", CUSTOMERS);
    let kept = format!("select count(*) from {schema}.shadow_customer");
    let kept: i64 = sqlx::query_scalar(AssertSqlSafe(kept)).fetch_one(&mut *owner).await?;
    if kept < i64::from(customers) {
        owner.execute(AssertSqlSafe(statement(schema, customers))).await?;
        owner.execute("vacuum analyze").await?;
    }
    Ok(customers)
}

/// An admin signed in, with this PIN.
async fn with_pin(served: &RunningService, account: &Account, pin: &str) -> Result<Api> {
    let admin = Api::sign_in(served.address, account).await?;
    let own = json!({"pin": pin, "password": account.password});
    admin.call("PUT", &format!("/api/v3/admin/partners/{PARTNER}/pin"), Some(&own)).await?;
    Ok(admin)
}

pub(super) async fn measure(stage: &mut Stage) -> Result<Vec<Line>> {
    let customers = fill(&mut stage.owner, &stage.schema).await?;
    let served = stage.serve().await?;
    let (whole, some) =
        (stage.installation.account("partner admin")?, stage.installation.account("restaurant admin")?);
    let two = format!(
        "update control.admin set restaurant_ids = (select array_agg(id) from (select id from {}.restaurant \
         order by id limit 2) r) where account_id = (select id from control.account where email = $1)",
        stage.schema
    );
    sqlx::query(AssertSqlSafe(two)).bind(&some.email).execute(&mut stage.owner).await?;
    println!(
        "\n| list of {customers} customers, a page of 50 with the count | p50 ms | p99 ms |\n|---|--:|--:|"
    );
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 2.0));
    let reference = load(served.address, &served.get("/opening-hours"), 1, time).await?;
    println!(
        "| opening hours, for comparison | {:.1} | {:.1} |",
        reference.percentile(0.5),
        reference.percentile(0.99)
    );
    let mut lines = Vec::new();
    for (account, pin, who, lists) in [
        (whole, "470045", "all restaurants", &LISTS[..]),
        (some, "470046", "two of the restaurants", &SEVERAL[..]),
    ] {
        let admin = with_pin(&served, account, pin).await?;
        let (mut worst, mut slowest) = (0.0, "");
        for (name, query) in lists {
            let what = Request {
                bearer: admin.bearer().to_owned(),
                headers: vec![("x-pin", pin.to_owned())],
                ..served.get(&format!("/shadow-customers?limit=50&{query}"))
            };
            let measured = load(served.address, &what, 1, time).await?;
            let p50 = measured.percentile(0.5);
            println!("| {who}: {name} | {p50:.1} | {:.1} |", measured.percentile(0.99));
            if p50 > worst {
                (worst, slowest) = (p50, name);
            }
        }
        lines.push(Line::new(
            &format!("first page of {customers} customers, {who}, the slowest kind ({slowest}), p50"),
            format!("{worst:.0} ms"),
            "100 ms",
            worst <= TARGET,
        ));
    }
    served.service.kill().await?;
    Ok(lines)
}
