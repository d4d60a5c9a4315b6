//! A menu of 3,000 products: its health and its preview as their screens read them, computing it for guests, and
//! saving one of its products.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use rig::Result;
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor as _};

use super::{PARTNER, RESTAURANT, RunningService, Stage, place};
use crate::{
    load::{Request, load},
    report::{Line, median, number},
};

const PRODUCTS: u32 = 3_000;
const CATEGORY: u32 = 60;
const TARGET: f64 = 300.0;
/// Milliseconds to compute it, at most.
const COMPUTED: f64 = 80.0;
/// What saving a product may cost beside 3,000 others, compared with 60.
const SAVING: f64 = 1.5;
/// Products that are saved one after another.
const SAVES: u32 = 100;

pub(super) async fn measure(stage: &mut Stage) -> Result<Vec<Line>> {
    let served = stage.serve().await?;
    add_products(stage, 0..CATEGORY).await?;
    let few = saving(&served).await?;
    add_products(stage, CATEGORY..PRODUCTS).await?;
    let many = saving(&served).await?;
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
    stage.installation.set("PULT_MENU_CACHE", "off");
    let computing = stage.serve().await?;
    stage.installation.unset("PULT_MENU_CACHE");
    let guests = format!("/api/v3/partners/{PARTNER}/restaurants/{RESTAURANT}/menu");
    let menu = Request { path: guests, ..computing.get("") };
    let computed = load(computing.address, &menu, 1, Duration::from_secs(3)).await?.percentile(0.5);
    computing.service.kill().await?;
    let health = found.first().copied().unwrap_or_default();
    let ratio = many / few;
    Ok(vec![
        Line::new(
            &format!("health of a menu of {PRODUCTS} products, p50"),
            format!("{health:.0} ms"),
            "300 ms",
            health <= TARGET,
        ),
        Line::new(
            &format!("menu of {PRODUCTS} products computed, p50"),
            format!("{computed:.0} ms"),
            "80 ms",
            computed <= COMPUTED,
        ),
        Line::new(
            &format!("saving a product of {PRODUCTS}, ratio to one of {CATEGORY}"),
            format!("{ratio:.2} ({many:.1} ms, {few:.1} ms)"),
            "1.5",
            ratio <= SAVING,
        ),
    ])
}

/// Products with these numbers, so many of each category.
async fn add_products(stage: &mut Stage, numbers: Range<u32>) -> Result<()> {
    let (schema, Range { start, end }) = (&stage.schema, numbers);
    // Made of a name of ours and numbers.
    let sql = format!(
        "begin; set local search_path = {schema}; \
         with c as (insert into product_category (id, restaurant_id, origin_id, name, ranking) \
             select i, '{RESTAURANT}', i, 'Fejezet ' || n, 1000 + n \
             from (select gen_random_uuid() i, n \
                 from generate_series({start} / {CATEGORY}, ({end} - 1) / {CATEGORY}) n) g \
             returning id, ranking), \
         p as (insert into product (id, restaurant_id, origin_id, product_category_id, name, ranking) \
             select g.i, '{RESTAURANT}', g.i, c.id, 'Étel ' || g.n, g.n \
             from (select gen_random_uuid() i, n from generate_series({start}, {end} - 1) n) g \
             join c on c.ranking = 1000 + g.n / {CATEGORY} returning id, ranking) \
         insert into subproduct (id, restaurant_id, origin_id, product_id, name, price, ranking) \
             select g.i, '{RESTAURANT}', g.i, g.id, 'Adag', 1000 + g.ranking, 0 \
             from (select gen_random_uuid() i, id, ranking from p) g; \
         update restaurant set catalogue_version = catalogue_version + 1 where id = '{RESTAURANT}'; \
         commit; analyze {schema}.product_category, {schema}.product, {schema}.subproduct"
    );
    stage.owner.execute(AssertSqlSafe(sql)).await?;
    Ok(())
}

/// Milliseconds that saving a product takes, the middle one of some.
async fn saving(served: &RunningService) -> Result<f64> {
    let found = served.admin.call("GET", &place("/product-categories/all/products"), None).await?;
    let id = |field: &str| found[0][field].as_str().ok_or("there is no product").map(str::to_owned);
    let (category, product) = (id("product_category_id")?, id("id")?);
    let path = place(&format!("/product-categories/{category}/products/{product}"));
    let mut times = Vec::new();
    for number in 0..SAVES {
        let begun = Instant::now();
        served.admin.call("PUT", &path, Some(&json!({"description": format!("{number}")}))).await?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    Ok(median(times))
}
