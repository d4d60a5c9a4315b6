//! What is wrong with a menu of 3,000 products, and its preview, as their screens read them.

use std::time::Duration;

use rig::Result;
use sqlx::{AssertSqlSafe, Executor as _};

use super::{RESTAURANT, Stage};
use crate::{
    load::load,
    report::{Line, number},
};

const PRODUCTS: u32 = 3_000;
/// Products of a category.
const CATEGORY: u32 = 60;
const TARGET: f64 = 300.0;

pub(super) async fn measure(stage: &mut Stage) -> Result<Vec<Line>> {
    let schema = &stage.schema;
    // Made of a name of ours and numbers.
    let sql = format!(
        "begin; set local search_path = {schema}; \
         with c as (insert into product_category (id, restaurant_id, origin_id, name, ranking) \
             select i, '{RESTAURANT}', i, 'Fejezet ' || n, 1000 + n \
             from (select gen_random_uuid() i, n from generate_series(0, {PRODUCTS} / {CATEGORY} - 1) n) g \
             returning id, ranking), \
         p as (insert into product (id, restaurant_id, origin_id, product_category_id, name, ranking) \
             select g.i, '{RESTAURANT}', g.i, c.id, 'Étel ' || g.n, g.n \
             from (select gen_random_uuid() i, n from generate_series(0, {PRODUCTS} - 1) n) g \
             join c on c.ranking = 1000 + g.n / {CATEGORY} returning id, ranking) \
         insert into subproduct (id, restaurant_id, origin_id, product_id, name, price, ranking) \
             select g.i, '{RESTAURANT}', g.i, g.id, 'Adag', 1000 + g.ranking, 0 \
             from (select gen_random_uuid() i, id, ranking from p) g; \
         update restaurant set catalogue_version = catalogue_version + 1 where id = '{RESTAURANT}'; \
         commit; analyze {schema}.product_category, {schema}.product, {schema}.subproduct"
    );
    stage.owner.execute(AssertSqlSafe(sql)).await?;
    let served = stage.serve().await?;
    println!("\n| menu of {PRODUCTS} products more | p50 ms | p99 ms |\n|---|--:|--:|");
    let mut found = Vec::new();
    for (name, path) in [("health", "/menu/health"), ("preview", "/menu/preview")] {
        let time = Duration::from_secs_f64(number("PULT_BENCH_SECONDS", 2.0));
        let measured = load(served.address, &served.get(path), 1, time).await?;
        let (p50, p99) = (measured.percentile(0.5), measured.percentile(0.99));
        println!("| {name} | {p50:.1} | {p99:.1} |");
        found.push(p50);
    }
    served.service.kill().await?;
    let p50 = found.first().copied().unwrap_or_default();
    Ok(vec![Line::new(
        &format!("health of a menu of {PRODUCTS} products, p50"),
        format!("{p50:.0} ms"),
        "300 ms",
        p50 <= TARGET,
    )])
}
