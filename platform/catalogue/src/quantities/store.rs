//! Queries of quantities.

use std::sync::LazyLock;

use access::prelude::*;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Stock;
use crate::{ProductCategories, Products, Subproducts};

/// Which sizes are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[oai(rename_all = "snake_case")]
pub(crate) enum Only {
    /// Those whose pieces are counted.
    Counted,
    /// Those of which nothing is left.
    SoldOut,
    /// Those that are off, for today or for good.
    Off,
}

impl Only {
    pub(super) fn name(self) -> &'static str {
        self.into_str()
    }
}

/// A size with its names and what is left of it.
#[derive(Debug, FromQueryResult)]
pub(super) struct Row {
    pub id: Id<Subproducts>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub ean_code: Option<String>,
    pub active: bool,
    pub sellable_quantity: Option<i32>,
    pub daily_quantity: Option<i32>,
    pub refill_at: Option<Timestamp>,
    pub off_until: Option<Timestamp>,
    pub quantity_version: i64,
    pub product_id: Id<Products>,
    pub product_name: String,
    pub product_name_sec_lang: Option<String>,
    pub product_ean_code: Option<String>,
    pub product_active: bool,
    pub alone: bool,
    pub product_category_id: Id<ProductCategories>,
    pub category_name: String,
    pub parent_category_name: Option<String>,
}

impl Row {
    pub(super) fn stock(&self) -> Stock {
        Stock {
            quantity: self.sellable_quantity,
            daily: self.daily_quantity,
            refill_at: self.refill_at,
            off_until: self.off_until,
        }
    }
}

const COLUMNS: &str = "s.id, s.name, s.name_sec_lang, s.ean_code, s.active, s.sellable_quantity, s.daily_quantity, \
    s.refill_at, s.off_until, s.quantity_version, p.id product_id, p.name product_name, \
    p.name_sec_lang product_name_sec_lang, p.ean_code product_ean_code, \
    p.active and c.active and coalesce(k.active, true) product_active, \
    not exists (select from subproduct o where o.product_id = p.id and o.id <> s.id and o.archived_at is null) alone, \
    c.id product_category_id, c.name category_name, k.name parent_category_name";

const SIZES: &str = "from subproduct s join product p on p.id = s.product_id \
    join product_category c on c.id = p.product_category_id left join product_category k on k.id = c.parent_id \
    where s.restaurant_id = $1 and s.archived_at is null and p.archived_at is null and c.archived_at is null";

/// Those that are asked for: $2 words, $3 an EAN code, $4 which of them at $5.
const WANTED: &str = "not exists (select from unnest($2::text[]) word where strpos(ref.fold(\
        concat_ws(' ', p.name, p.name_sec_lang, s.name, s.name_sec_lang)), ref.fold(word)) = 0) \
    and ($3::text is null or s.ean_code = $3 or p.ean_code = $3) \
    and case $4::text when 'counted' then s.sellable_quantity is not null \
        when 'sold_out' then pieces_left(s.sellable_quantity, s.daily_quantity, s.refill_at, null, $5) = 0 \
        when 'off' then not s.active or coalesce(s.off_until > $5, false) else true end";

static COUNT: LazyLock<String> = LazyLock::new(|| format!("select count(*) n {SIZES} and {WANTED}"));

static PAGE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select {COLUMNS} {SIZES} and {WANTED} order by coalesce(k.ranking, c.ranking), coalesce(k.id, c.id), \
        c.ranking, c.id, p.ranking, p.id, s.ranking, s.id limit $6 offset $7"
    )
});

static ONE: LazyLock<String> = LazyLock::new(|| format!("select {COLUMNS} {SIZES} and s.id = $2"));

/// What of the sizes is asked for.
pub(super) struct QuantityFilter {
    pub words: Vec<String>,
    pub ean_code: Option<String>,
    pub only: Option<Only>,
}

/// A page of the sizes, in the order of the menu.
pub(super) async fn page(
    tx: &TenantTx, restaurant: Id<Restaurant>, wanted: QuantityFilter, now: Timestamp, paging: Paging,
) -> Result<Page<Row>> {
    let QuantityFilter { words, ean_code, only } = wanted;
    let values = || -> [sea_orm::Value; 5] {
        let only = only.map(|only| only.name().to_owned());
        [restaurant.into(), words.clone().into(), ean_code.clone().into(), only.into(), now.into()]
    };
    let total = if paging.count {
        let total: Option<i64> = tx.value(COUNT.as_str(), values()).await?;
        Some(u64::try_from(total.unwrap_or_default()).unwrap_or_default())
    } else {
        None
    };
    let limit = paging.limit();
    let cut = |number: u64| sea_orm::Value::from(i64::try_from(number).unwrap_or(i64::MAX));
    let values = values().into_iter().chain([cut(limit), cut(paging.offset(limit))]);
    Ok(Page { rows: tx.all(PAGE.as_str(), values).await?, total })
}

/// One living size.
pub(super) async fn find(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<Subproducts>) -> Result<Row> {
    let row = tx.one(ONE.as_str(), [restaurant.into(), id.into()]).await?;
    row.ok_or_else(Problem::not_exist::<Subproducts>)
}

const LOCK_PRODUCT: &str = "select p.id from product p join subproduct s on s.product_id = p.id \
    where s.restaurant_id = $1 and s.id = $2 for no key update of p";
const LOCK: &str =
    "select id from subproduct where restaurant_id = $1 and id = $2 and archived_at is null for update";

/// The same, locked until the end of the transaction: its product before it, when its switch may be moved.
pub(super) async fn lock(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<Subproducts>, with_product: bool,
) -> Result<Row> {
    if with_product {
        tx.row(LOCK_PRODUCT, [restaurant.into(), id.into()]).await?;
    }
    let locked: Option<Uuid> = tx.value(LOCK, [restaurant.into(), id.into()]).await?;
    locked.ok_or_else(Problem::not_exist::<Subproducts>)?;
    // In a statement of its own, which sees what others wrote while the lock was waited for.
    find(tx, restaurant, id).await
}

const SAVE: &str = "update subproduct set active = $2, sellable_quantity = $3, daily_quantity = $4, refill_at = $5, \
    off_until = $6, quantity_version = quantity_version + 1 where id = $1";
const RAISE_PRODUCT: &str = "update product set version = version + 1 where id = $1";

/// Writes what is left, under the next version. Editors of the product that were opened before learn of another
/// switch.
pub(super) async fn save(tx: &TenantTx, before: &Row, active: bool, stock: Stock) -> Result<()> {
    let Stock { quantity, daily, refill_at, off_until } = stock;
    let values =
        [before.id.into(), active.into(), quantity.into(), daily.into(), refill_at.into(), off_until.into()];
    tx.run(SAVE, values).await?;
    if active != before.active {
        tx.run(RAISE_PRODUCT, [before.product_id.into()]).await?;
    }
    Ok(())
}
