//! The promotions of a restaurant as prices take them.

use std::{
    collections::HashMap,
    num::NonZeroUsize,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use access::prelude::*;
use kernel::{Partner, time::BusinessDay};
use lru::LruCache;
use pricing::{Gift, ProductSet, Promotion, PromotionKind, PromotionUses, Range, Restriction, fold_code};
use sea_orm::{FromQueryResult, Value};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{
    Discounts,
    entity::{RangeRow, Ranges, TimeRanges},
    values::{ApplyType, DiscountPlatform, DiscountType, ProductsFor, RangeFilterType},
};

/// The longest code that can be one; a longer text is looked up nowhere. Letters may grow when they are
/// compared.
const LONGEST_CODE: usize = 200;

/// For what an order or a quote asks.
#[derive(Debug, Clone, Copy)]
pub struct PromotionQuery<'a> {
    pub restaurant: Id<Restaurant>,
    /// The moment of ordering.
    pub now: Timestamp,
    pub day: BusinessDay,
    /// The guest, as far as known: the id of a shadow customer.
    pub customer: Option<Uuid>,
    /// The code that the cart names, as it was typed.
    pub code: Option<&'a str>,
    /// A promotion that is tried out: it is told also when it is over.
    pub tried: Option<Id<Discounts>>,
}

/// The promotions that an order may meet.
#[derive(Debug, Default)]
pub struct Loaded {
    /// For [`pricing::price`], in no order.
    pub promotions: Vec<Promotion>,
    /// For [`pricing::Config::uses`].
    pub uses: HashMap<Uuid, PromotionUses>,
    pub names: HashMap<Uuid, PromotionName>,
}

impl Loaded {
    /// Whether a coupon here has this code, applicable or not.
    #[must_use]
    pub fn has_code(&self, code: &str) -> bool {
        let code = compared(Some(code));
        code.is_some() && self.names.values().any(|one| compared(one.code.as_deref()) == code)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromotionName {
    pub name: String,
    pub kind: PromotionKind,
    /// The coupon's own code, or the one of its series that the cart names.
    pub code: Option<String>,
}

/// What may have changed without the promotion: its uses. `stamp` and `version` say which state of it is meant.
macro_rules! uses {
    () => {
        "d.id, d.version, d.xmin::text stamp, r.catalogue_version, c.code series_code, \
            c.order_id is not null code_used, \
        case when d.all_max_use_qty is not null then coalesce( \
            (select n.qty from discount_counter n where n.discount_id = d.id and n.business_day = p.day \
                and n.customer_id = '00000000-0000-0000-0000-000000000000'), \
            (select count(*)::int from promotion_use u where u.discount_id = d.id \
                and u.given_back_at is null and (p.day = '-infinity' or u.business_day = p.day))) \
        else 0 end all_qty, \
        case when d.customer_max_use_qty is not null and $4::uuid is not null then \
            (select sum(coalesce((select n.qty from discount_counter n where n.discount_id = d.id \
                and n.business_day = p.day and n.customer_id = m.id), \
                (select count(*) from promotion_use u where u.discount_id = d.id and u.customer_id = m.id \
                and u.given_back_at is null and (p.day = '-infinity' or u.business_day = p.day))))::int \
            from (select $4::uuid id union all select r.id from customer_root r where r.root_id = $4) m) \
        else 0 end customer_qty, \
        d.locked_customers and exists (select from discount_usage n where n.discount_id = d.id \
            and (n.shadow_customer_id = $4 or n.shadow_customer_id in \
                (select m.id from customer_root m where m.root_id = $4))) named"
    };
}

/// What is over is left out, unless the cart names its code; so is what has amounts in another currency. Uses are
/// counted only where a limit asks for them.
macro_rules! met {
    () => {
        " from discount d join restaurant_facts r on r.id = $1 \
        left join discount_code c on c.code_key = $5 and c.discount_id = d.id, \
        lateral (select case when d.is_daily_discount_limit then $3::date else '-infinity' end as day) p \
        where d.archived_at is null and d.active and (d.restaurant_ids is null or $1 = any (d.restaurant_ids)) \
        and (d.valid_till is null or d.valid_till >= $2 or d.code_key = $5 or c.id is not null or d.id = $6) \
        and (d.currency is null or d.currency = r.currency)"
    };
}

const USES: &str = concat!("select ", uses!(), met!());
const LOAD: &str = concat!(
    "select ",
    uses!(),
    ", d.created_at, d.name, d.discount_type, d.code, d.valid_from, d.valid_till, d.time_ranges, \
        d.pickup_enabled, d.platforms, d.login_needed, d.stackable, d.all_max_use_qty, d.customer_max_use_qty, \
        d.products_for, d.product_category_ids, d.subproduct_ids, d.locked_customers, d.range_filter_type, \
        d.apply_type, d.ranges, \
        case when d.ranges @? '$[*].gifts[0]' then (select jsonb_object_agg(s.origin_id, s.id) \
            from subproduct_name s where s.restaurant_id = $1 and s.origin_id in \
                (select (g ->> 'subproduct_id')::uuid from jsonb_path_query(d.ranges, '$[*].gifts[*]') g)) \
        end gifts",
    met!()
);

/// A promotion's uses, and the state of it that is meant.
#[derive(FromQueryResult)]
struct UseRow {
    id: Uuid,
    version: i64,
    stamp: String,
    /// Decides which size of the restaurant a gift is.
    catalogue_version: i64,
    series_code: Option<String>,
    code_used: bool,
    all_qty: i32,
    customer_qty: i32,
    named: bool,
}

impl UseRow {
    fn state(&self, tx: &TenantTx, restaurant: Id<Restaurant>) -> State {
        State {
            partner: tx.partner(),
            restaurant,
            catalogue_version: self.catalogue_version,
            promotion: self.id,
            version: self.version,
            stamp: self.stamp.clone(),
        }
    }
}

#[derive(FromQueryResult)]
struct LoadRow {
    #[sea_orm(nested)]
    uses: UseRow,
    created_at: Timestamp,
    name: String,
    discount_type: DiscountType,
    code: Option<String>,
    valid_from: Option<Timestamp>,
    valid_till: Option<Timestamp>,
    time_ranges: TimeRanges,
    pickup_enabled: bool,
    platforms: Vec<String>,
    login_needed: bool,
    stackable: bool,
    all_max_use_qty: Option<i32>,
    customer_max_use_qty: Option<i32>,
    products_for: Option<ProductsFor>,
    product_category_ids: Vec<Uuid>,
    subproduct_ids: Vec<Uuid>,
    locked_customers: bool,
    range_filter_type: RangeFilterType,
    apply_type: ApplyType,
    ranges: Ranges,
    gifts: Option<Json>,
}

/// One state of a promotion at a restaurant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    partner: Id<Partner>,
    restaurant: Id<Restaurant>,
    catalogue_version: i64,
    promotion: Uuid,
    version: i64,
    /// The transaction that wrote the row: a version that comes again, restored, is another state.
    stamp: String,
}

/// A promotion as it stands, without its uses.
#[derive(Debug)]
struct CachedPromotion {
    promotion: Promotion,
    name: String,
}

/// The most states that are kept; a thousand of them take about a megabyte.
const CAPACITY: NonZeroUsize = NonZeroUsize::new(8192).unwrap();

/// What was read in this process. A state never changes; an old one goes when others need its room. See
/// `docs/decisions/reliability.md#memories`.
static KEPT: LazyLock<Mutex<LruCache<State, Arc<CachedPromotion>>>> =
    LazyLock::new(|| Mutex::new(LruCache::new(CAPACITY)));

fn number(number: i32) -> u32 {
    u32::try_from(number).unwrap_or(0)
}

/// This restaurant's size of an origin; the origin itself where the restaurant has none, which no menu knows.
fn own_size(gifts: Option<&Json>, origin: Uuid) -> Uuid {
    let own = gifts.and_then(|gifts| gifts[origin.to_string()].as_str()?.parse().ok());
    own.unwrap_or(origin)
}

fn range(row: RangeRow, gifts: Option<&Json>) -> Range {
    Range {
        price_from: row.price_from.value(),
        discount_type: row.discount_type.into(),
        discount_value: row.discount_value.value(),
        apply_on_delivery: row.apply_on_delivery,
        free_delivery: row.free_delivery,
        apply_on_options: row.apply_on_options,
        gifts: row
            .gifts
            .into_iter()
            .map(|gift| Gift {
                subproduct_id: own_size(gifts, gift.subproduct_id.uuid()),
                quantity: gift.quantity,
                quantity_type: gift.quantity_type.into(),
                discount_percentage: gift.discount_percentage,
            })
            .collect(),
    }
}

impl LoadRow {
    fn read(self) -> (UseRow, Arc<CachedPromotion>) {
        let set = || ProductSet {
            subproduct_ids: self.subproduct_ids.iter().copied().collect(),
            product_category_ids: self.product_category_ids.iter().copied().collect(),
        };
        let platform = |name: &String| Some(DiscountPlatform::named(name)?.platform());
        let promotion = Promotion {
            id: self.uses.id,
            created_at: self.created_at,
            kind: self.discount_type.into(),
            stackable: self.stackable,
            // Only those of this restaurant are read.
            restaurant_ids: None,
            valid_from: self.valid_from,
            valid_till: self.valid_till,
            pickup_enabled: self.pickup_enabled,
            platforms: self.platforms.iter().filter_map(platform).collect(),
            tables: Restriction::None,
            login_needed: self.login_needed,
            locked_customers: self.locked_customers,
            all_max_use_qty: self.all_max_use_qty.map(number),
            customer_max_use_qty: self.customer_max_use_qty.map(number),
            products: match self.products_for {
                None => Restriction::None,
                Some(ProductsFor::Inclusion) => Restriction::Inclusion(set()),
                Some(ProductsFor::Exclusion) => Restriction::Exclusion(set()),
            },
            range_filter_type: self.range_filter_type.into(),
            apply_type: self.apply_type.into(),
            ranges: self.ranges.0.into_iter().map(|row| range(row, self.gifts.as_ref())).collect(),
            code: self.code,
            time_ranges: self.time_ranges.0,
        };
        (self.uses, Arc::new(CachedPromotion { promotion, name: self.name }))
    }
}

/// A code as it is compared; none for what can be no code.
pub(crate) fn compared(code: Option<&str>) -> Option<String> {
    let code = code.map(str::trim).filter(|code| !code.is_empty() && code.len() <= LONGEST_CODE)?;
    // Postgres keeps no such sign, so no code has it.
    Some(fold_code(code)).filter(|folded| !code.contains('\0') && !folded.is_empty())
}

impl Loaded {
    fn add(&mut self, uses: UseRow, kept: &CachedPromotion) {
        let mut promotion = kept.promotion.clone();
        promotion.code = uses.series_code.or(promotion.code);
        if uses.code_used {
            // A code of a series that is used is as good as a limit that is reached.
            promotion.all_max_use_qty = Some(0);
        }
        let code = promotion.code.clone();
        self.names.insert(uses.id, PromotionName { name: kept.name.clone(), kind: promotion.kind, code });
        let (all, customer) = (number(uses.all_qty), number(uses.customer_qty));
        self.uses.insert(uses.id, PromotionUses { all, customer, named: uses.named });
        self.promotions.push(promotion);
    }
}

/// The promotions that this restaurant has switched on, with their uses so far. Those that this process has read
/// before in the same state are not read again.
pub async fn load(tx: &TenantTx, asking: PromotionQuery<'_>) -> Result<Loaded> {
    let PromotionQuery { restaurant, now, day, customer, code, tried } = asking;
    let code = compared(code).into();
    let values: [Value; 6] =
        [restaurant.into(), now.into(), day.into(), customer.into(), code, tried.map(Id::uuid).into()];
    let mut loaded = Loaded::default();
    let uses: Vec<UseRow> = tx.all(USES, values.clone()).await?;
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let known: Option<Vec<Arc<CachedPromotion>>> = {
        let mut kept = kept();
        uses.iter().map(|row| kept.get(&row.state(tx, restaurant)).cloned()).collect()
    };
    if let Some(known) = known {
        uses.into_iter().zip(known).for_each(|(row, kept)| loaded.add(row, &kept));
        return Ok(loaded);
    }
    for row in tx.all::<LoadRow>(LOAD, values).await? {
        let (row, read) = row.read();
        kept().put(row.state(tx, restaurant), read.clone());
        loaded.add(row, &read);
    }
    Ok(loaded)
}

const UNKNOWN: &str = "select t.id from unnest($1::uuid[]) t (id) where not exists (select from discount d \
    where d.id = t.id and (d.restaurant_ids is null or $2 = any (d.restaurant_ids)))";

/// Those of these ids that are of no promotion of the restaurant: neither of one that holds, nor of one that is over,
/// switched off or archived.
pub async fn unknown(tx: &TenantTx, restaurant: Id<Restaurant>, ids: Vec<Uuid>) -> Result<Vec<Uuid>> {
    if ids.is_empty() {
        return Ok(ids);
    }
    Ok(tx.values(UNKNOWN, [ids.into(), restaurant.into()]).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_they_were_and_none_is_below_zero() {
        for (kept, expected) in [(-1, 0), (0, 0), (1, 1), (7, 7), (i32::MAX, 2_147_483_647)] {
            assert_eq!(number(kept), expected);
        }
    }

    #[test]
    fn only_what_can_be_a_code_is_compared() {
        let (longest, longer) = ("a".repeat(LONGEST_CODE), "a".repeat(LONGEST_CODE + 1));
        for (code, expected) in [
            (None, None),
            (Some(""), None),
            (Some(" \u{a0}"), None),
            (Some("\u{200b}"), None),
            (Some("a\0b"), None),
            (Some(" NYÁR\u{ad}"), Some("nyár")),
            (Some(longest.as_str()), Some(longest.as_str())),
            (Some(longer.as_str()), None),
        ] {
            assert_eq!(compared(code).as_deref(), expected, "{code:?}");
        }
    }

    #[test]
    fn a_code_is_one_of_those_that_were_loaded() {
        let name = |code: Option<&str>| PromotionName {
            name: "Ebéd".to_owned(),
            kind: PromotionKind::Coupon,
            code: code.map(str::to_owned),
        };
        let names = [None, Some("Nyár"), Some("Ősz")].map(|code| (Uuid::now_v7(), name(code)));
        let loaded = Loaded { names: names.into(), ..Loaded::default() };
        for (code, known) in [("nyár ", true), ("ŐSZ", true), ("tél", false), ("", false), ("\0", false)] {
            assert_eq!(loaded.has_code(code), known, "{code:?}");
        }
        assert!(!Loaded::default().has_code("nyár"));
    }
}
