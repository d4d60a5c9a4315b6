//! Previous orders: pages and filters of a million, as the screen asks for them, beside hand-written statements
//! for the same rows.

use std::time::{Duration, Instant};

use rig::Result;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, Row as _};
use uuid::Uuid;

use super::{RESTAURANT, Stage};
use crate::{
    load::load,
    report::{Line, median, number},
};

const ORDERS: u32 = 1_000_000;
const LIST: &str = "/orders?limit=40&page=";
/// Each alone, with its value.
const FILTERS: [(&str, &str); 12] = [
    ("a common name", "name=kov"),
    ("a rare name", "name=ritka"),
    ("two words", "name=kov%20ann"),
    ("four digits of a phone", "phone_1=1234"),
    ("a whole phone", "phone_1=%2B36301234567"),
    ("a number", "counter=B500"),
    ("a city", "city=debr"),
    ("a street", "street=piac"),
    ("with a discount", "has_discount=true"),
    ("cancelled ones", "storno=only"),
    ("one channel of many", "platforms%5B%5D=kiosk_sit_in"),
    ("a month two years ago", "from=-730&till=-700"),
];

/// A thousand orders a day with one line each, the newest ten thousand with three.
fn fill(schema: &str, orders: u32) -> String {
    format!(
        "begin; set local search_path = {schema}; \
         insert into orders (id, restaurant_id, counter, business_day, timezone, status, platform, pickup, \
            first_name, last_name, phone_1, delivery_data, currency, products_price, original_price, \
            discount_price, total_price, vats, explanation, created_at, show_at, archived_at) \
         select gen_random_uuid(), '{RESTAURANT}', 'B' || g % 1000, current_date - g / 1000, \
            'Europe/Budapest', 'prepared', (array['browser', 'ios', 'phone', 'pickup', 'kiosk_sit_in']) \
                [case when g % 200 = 0 then 5 else 1 + g % 4 end], g % 2 = 0, \
            (array['Anna', 'Béla', 'Éva', 'Gábor', 'Ildikó', 'Péter', 'Zsófia'])[1 + g % 7], \
            case when g % 50000 = 0 then 'Ritkaszó' else (array['Nagy', 'Kovács', 'Tóth', 'Szabó', 'Horváth', \
                'Varga', 'Kiss', 'Molnár', 'Németh', 'Farkas', 'Balogh'])[1 + g % 11] end, \
            '+3630' || lpad((g::bigint * 7919 % 10000000)::text, 7, '0'), \
            case when g % 2 = 1 then jsonb_build_object('postcode', '4024', 'city', \
                (array['Budapest', 'Debrecen', 'Hajdúszoboszló'])[1 + g / 2 % 3], 'street', \
                (array['Piac utca', 'Fő utca', 'Kossuth Lajos utca', 'Petőfi tér'])[1 + g / 6 % 4], \
                'premise_number', (g % 90)::text) end, \
            'huf', 3600, 3600, case when g % 10 = 0 then 360 else 0 end, 3600, \
            '[{{\"percent\": 27, \"net\": 2835, \"vat\": 765, \"gross\": 3600}}]', \
            '[{{\"step\": \"items\", \"amount\": 3600}}]', t.at, t.at, \
            case when g % 40 = 0 then t.at end \
         from generate_series(1, {orders}) g, lateral (select (current_date - g / 1000) + time '11:00' \
            + g % 1000 * interval '30 seconds' as at) t; \
         insert into order_item (id, order_id, ranking, subproduct_id, product_name, subproduct_name, \
            quantity, unit_price, total_price, vat_percent, net_price, vat_price) \
         select gen_random_uuid(), o.id, n, gen_random_uuid(), 'Gulyásleves csipetkével', 'Nagy adag', 1, \
            1200, 1200, 27, 945, 255 \
         from orders o, generate_series(1, case when o.business_day > current_date - 10 then 3 else 1 end) n; \
         insert into payable_transaction (id, order_id, value) select gen_random_uuid(), id, 3600 from orders \
            where business_day > current_date - 10; \
         {ENTRIES}; commit"
    )
}

pub(super) const ENTRIES: &str = "insert into order_entry (order_id, restaurant_id, business_day, created_at, \
        show_at, archived, is_test, has_discount, platform, total_price, words) \
    select id, restaurant_id, business_day, created_at, show_at, archived_at is not null, is_test, \
        discount_price <> 0, platform, total_price, \
        order_words(first_name, last_name, phone_1, delivery_data, counter) \
    from orders where business_day is not null on conflict do nothing";

/// The least that reads the forty newest orders: their ids by the list's index, then their rows.
const ROWS: [&str; 5] = [
    "select * from orders where id = any ($1)",
    "select * from order_item where order_id = any ($1)",
    "select p.* from order_item_option p join order_item i on i.id = p.order_item_id where i.order_id = any ($1)",
    "select p.* from order_item_part p join order_item i on i.id = p.order_item_id where i.order_id = any ($1)",
    "select * from payable_transaction where order_id = any ($1)",
];

async fn reference(owner: &mut PgConnection) -> Result<f64> {
    let begun = Instant::now();
    let mut tx = owner.begin().await?;
    let ids = "select order_id from order_entry where restaurant_id = $1 and not is_child \
        order by business_day desc, created_at desc, order_id desc limit 40";
    let rows = sqlx::query(ids).bind(RESTAURANT.parse::<Uuid>()?).fetch_all(&mut *tx).await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.try_get(0)).collect::<std::result::Result<_, _>>()?;
    for sql in ROWS {
        sqlx::query(sql).bind(&ids).fetch_all(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}

/// A filter's days are told from today.
fn dated(query: &str) -> String {
    let day = |back: i64| (chrono::Utc::now() + chrono::Duration::days(back)).format("%Y-%m-%d").to_string();
    query.replace("-730", &day(-730)).replace("-700", &day(-700))
}

pub(super) async fn measure(stage: &mut Stage) -> Result<Vec<Line>> {
    let orders = number("PULT_BENCH_ORDERS", ORDERS);
    let begun = Instant::now();
    // Made of a name of ours and a number.
    stage.owner.execute(AssertSqlSafe(fill(&stage.schema, orders))).await?;
    stage.owner.execute("vacuum analyze").await?;
    println!("\n{orders} orders were written in {:.0} s.", begun.elapsed().as_secs_f64());
    let served = stage.serve().await?;
    let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 2.0));
    let path = format!("set search_path = {}", stage.schema);
    stage.owner.execute(AssertSqlSafe(path)).await?;
    let (mut firsts, mut ratios, mut pages) = (vec![], vec![], vec![]);
    for round in 0..=number("PULT_BENCH_ROUNDS", 3) {
        let first = load(served.address, &served.get(&format!("{LIST}0")), 1, time).await?.percentile(0.5);
        let mut plain = Vec::new();
        for _ in 0..200 {
            plain.push(reference(&mut stage.owner).await?);
        }
        let later = load(served.address, &served.get(&format!("{LIST}49")), 1, time).await?.percentile(0.5);
        // The first round opens connections and plans statements.
        if round > 0 {
            firsts.push(first);
            ratios.push(median(plain) / first);
            pages.push(later / first);
        }
    }
    println!("\n| 40 of {orders} previous orders | p50 ms | p99 ms |\n|---|--:|--:|");
    println!("| the first page | {:.1} | |", median(firsts));
    let (mut worst, mut slowest) = (0.0, "");
    for (name, query) in FILTERS {
        let what = served.get(&format!("{LIST}0&{}", dated(query)));
        let measured = load(served.address, &what, 1, time).await?;
        println!("| {name} | {:.1} | {:.1} |", measured.percentile(0.5), measured.percentile(0.99));
        if measured.percentile(0.5) > worst {
            (worst, slowest) = (measured.percentile(0.5), name);
        }
    }
    served.service.kill().await?;
    let (ratio, page) = (median(ratios), median(pages));
    Ok(vec![
        Line::new(
            &format!("40 of {orders} previous orders, ratio to hand-written statements"),
            format!("{ratio:.2}"),
            "0.35",
            ratio >= 0.35,
        ),
        Line::new("page 50 of them, time against page 1", format!("{page:.2}"), "1.20", page <= 1.2),
        Line::new(
            &format!("the slowest filter alone ({slowest}), p50"),
            format!("{worst:.0} ms"),
            "200 ms",
            worst <= 200.0,
        ),
    ])
}
