//! The answer of a promotion: its row with the rows below it, as one restaurant sees it.

use std::collections::{HashMap, HashSet};

use access::prelude::*;
use catalogue::{ProductCategories, Subproducts};
use kernel::time::BusinessDay;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    entity::{Discounts, Entity, GiftRow, Model, RangeRow},
    store::Places,
    types::{
        Discount, DiscountCategory, DiscountGift, DiscountRange, DiscountRestaurant, DiscountSubproduct,
    },
    values::DiscountPlatform,
};

#[derive(Debug, Clone, Copy, Default, FromQueryResult)]
pub(crate) struct Counts {
    pub use_qty: i64,
    /// Today where the limits are daily.
    pub limited_qty: i64,
    pub usage_qty: i64,
    pub series_qty: i64,
}

#[derive(FromQueryResult)]
struct CountRow {
    id: Id<Discounts>,
    #[sea_orm(nested)]
    counts: Counts,
}

const COUNTS: &str = "select d.id, u.use_qty, \
        case when d.is_daily_discount_limit then u.day_qty else u.use_qty end limited_qty, \
        (select count(*) from discount_usage n where n.discount_id = d.id) usage_qty, \
        (select count(*) from discount_code c where c.discount_id = d.id) series_qty \
    from discount d, lateral (select count(*) use_qty, count(*) filter (where u.business_day = $2) day_qty \
        from promotion_use u where u.discount_id = d.id and u.given_back_at is null) u \
    where d.id = any ($1)";

/// The numbers of these promotions; `day` is the business day of the restaurant.
pub(crate) async fn counts(
    tx: &TenantTx, ids: Vec<Uuid>, day: BusinessDay,
) -> Result<HashMap<Id<Discounts>, Counts>> {
    let rows: Vec<CountRow> = tx.all(COUNTS, [ids.into(), day.into()]).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.counts)).collect())
}

/// The present business day of a restaurant.
/// Errors: `RESTAURANT_NOT_EXIST`; what the database says.
pub(crate) async fn today(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<BusinessDay> {
    let facts = restaurants::facts(tx, restaurant).await?;
    Ok(BusinessDay::of(Timestamp::now(), facts.schedule.zone, facts.order_reset_time))
}

/// Whether a promotion is switched on, and its dates and its limit for everybody hold.
pub(crate) fn is_valid(model: &Model, limited_qty: i64, now: Timestamp) -> bool {
    model.active
        && model.valid_from.is_none_or(|from| from <= now)
        && model.valid_till.is_none_or(|till| now <= till)
        && model.all_max_use_qty.is_none_or(|most| limited_qty < most.into())
}

#[derive(FromQueryResult)]
struct SizeRow {
    origin_id: Id<Subproducts>,
    id: Id<Subproducts>,
    name: String,
    product_name: String,
    archived: bool,
}

#[derive(FromQueryResult)]
struct CategoryRow {
    origin_id: Id<ProductCategories>,
    id: Id<ProductCategories>,
    name: String,
    archived: bool,
}

/// Of each origin the row of this restaurant, else any other, living ones first.
const SIZES: &str = "select distinct on (s.origin_id) s.origin_id, \
        case when s.restaurant_id = $2 then s.id else s.origin_id end id, s.name, s.product_name, s.archived \
    from subproduct_name s where s.origin_id = any ($1) \
    order by s.origin_id, s.restaurant_id = $2 desc, s.archived, s.id";
const CATEGORIES: &str = "select distinct on (s.origin_id) s.origin_id, \
        case when s.restaurant_id = $2 then s.id else s.origin_id end id, s.name, s.archived \
    from product_category_name s where s.origin_id = any ($1) \
    order by s.origin_id, s.restaurant_id = $2 desc, s.archived, s.id";

/// What promotions name, as a restaurant knows it.
#[derive(Default)]
struct Names {
    sizes: HashMap<Uuid, DiscountSubproduct>,
    categories: HashMap<Uuid, DiscountCategory>,
}

impl Names {
    async fn of(tx: &TenantTx, restaurant: Id<Restaurant>, models: &[Model]) -> Result<Self> {
        let sizes: HashSet<Uuid> = models
            .iter()
            .flat_map(|model| model.subproduct_ids.iter().copied().chain(model.gift_ids()))
            .collect();
        let categories: HashSet<Uuid> =
            models.iter().flat_map(|model| model.product_category_ids.iter().copied()).collect();
        let mut names = Self::default();
        if !sizes.is_empty() {
            let ids: Vec<Uuid> = sizes.into_iter().collect();
            for row in tx.all::<SizeRow>(SIZES, [ids.into(), restaurant.into()]).await? {
                let SizeRow { origin_id, id, name, product_name, archived } = row;
                names.sizes.insert(origin_id.uuid(), DiscountSubproduct { id, name, product_name, archived });
            }
        }
        if !categories.is_empty() {
            let ids: Vec<Uuid> = categories.into_iter().collect();
            for row in tx.all::<CategoryRow>(CATEGORIES, [ids.into(), restaurant.into()]).await? {
                let CategoryRow { origin_id, id, name, archived } = row;
                names.categories.insert(origin_id.uuid(), DiscountCategory { id, name, archived });
            }
        }
        Ok(names)
    }

    fn range(&self, range: RangeRow) -> DiscountRange {
        let RangeRow {
            price_from,
            discount_value,
            discount_type,
            apply_on_delivery,
            free_delivery,
            apply_on_options,
            gifts,
        } = range;
        DiscountRange {
            price_from,
            discount_value,
            discount_type,
            apply_on_delivery,
            free_delivery,
            apply_on_options,
            gifts: gifts.into_iter().map(|gift| self.gift(gift)).collect(),
        }
    }

    fn gift(&self, gift: GiftRow) -> DiscountGift {
        let GiftRow { subproduct_id, quantity, quantity_type, discount_percentage } = gift;
        let subproduct = self.sizes.get(&subproduct_id.uuid()).cloned();
        let subproduct_id = subproduct.as_ref().map_or(subproduct_id, |known| known.id);
        DiscountGift { subproduct_id, subproduct, quantity, quantity_type, discount_percentage }
    }

    fn discount(&self, model: Model, counts: Counts, places: &Places, editable: bool) -> Discount {
        let named = |ids: &[Uuid]| -> Vec<DiscountRestaurant> {
            let found = ids.iter().filter_map(|id| places.find(*id));
            found.map(|place| DiscountRestaurant { id: place.id.into(), name: place.name.clone() }).collect()
        };
        let category = |id: &Uuid| self.categories.get(id).map_or(Id::from_uuid(*id), |known| known.id);
        let size = |id: &Uuid| self.sizes.get(id).map_or(Id::from_uuid(*id), |known| known.id);
        let of = |ids: &[Uuid]| ids.iter().filter_map(|id| self.categories.get(id).cloned()).collect();
        let sizes_of = |ids: &[Uuid]| ids.iter().filter_map(|id| self.sizes.get(id).cloned()).collect();
        Discount {
            is_valid: is_valid(&model, counts.limited_qty, Timestamp::now()),
            restaurants: named(model.restaurant_ids.as_deref().unwrap_or_default()),
            product_category_ids: model.product_category_ids.iter().map(category).collect(),
            product_categories: of(&model.product_category_ids),
            subproduct_ids: model.subproduct_ids.iter().map(size).collect(),
            subproducts: sizes_of(&model.subproduct_ids),
            platforms: model.platforms.iter().filter_map(|name| DiscountPlatform::named(name)).collect(),
            restaurant_ids: model.restaurant_ids.map(|ids| ids.into_iter().map(Id::from_uuid).collect()),
            ranges: model.ranges.0.into_iter().map(|range| self.range(range)).collect(),
            id: model.id,
            name: model.name,
            discount_type: model.discount_type,
            code: model.code,
            active: model.active,
            use_qty: counts.use_qty,
            valid_from: model.valid_from,
            valid_till: model.valid_till,
            time_ranges: model.time_ranges.0,
            pickup_enabled: model.pickup_enabled,
            login_needed: model.login_needed,
            stackable: model.stackable,
            all_max_use_qty: model.all_max_use_qty,
            customer_max_use_qty: model.customer_max_use_qty,
            is_daily_discount_limit: model.is_daily_discount_limit,
            products_for: model.products_for,
            tables_for: None,
            table_ids: vec![],
            table_category_ids: vec![],
            locked_customers: model.locked_customers,
            usage_qty: counts.usage_qty,
            series_qty: counts.series_qty,
            range_filter_type: model.range_filter_type,
            apply_type: model.apply_type,
            currency: model.currency,
            editable,
            created_at: model.created_at,
            version: model.version,
        }
    }
}

impl rows::Answer<Entity> for Discount {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        if found.is_empty() {
            return Ok(vec![]);
        }
        let (tx, restaurant) = (rows.tx(), rows.restaurant()?);
        let places = Places::of(tx, rows.caller()).await?;
        let names = Names::of(tx, restaurant, &found).await?;
        let ids = found.iter().map(|model| model.id.uuid()).collect();
        let counts = counts(tx, ids, today(tx, restaurant).await?).await?;
        let answer = |model: Model| {
            let counts = counts.get(&model.id).copied().unwrap_or_default();
            let editable = places.may_edit(model.restaurant_ids.as_deref(), rows.caller());
            names.discount(model, counts, &places, editable)
        };
        Ok(found.into_iter().map(answer).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{rules::blank, values::DiscountType};

    #[test]
    fn it_is_valid_from_its_first_to_its_last_moment_and_below_its_limit() {
        let now = Timestamp::now();
        // Switched on, minutes to the first and to the last moment, the limit, the uses.
        for (active, from, till, most, used, valid) in [
            (true, None, None, None, 1_000, true),
            (false, None, None, None, 0, false),
            (true, Some(0), Some(0), Some(2), 1, true),
            (true, Some(-1), Some(1), Some(2), 0, true),
            (true, Some(1), Some(2), Some(2), 1, false),
            (true, Some(-2), Some(-1), Some(2), 1, false),
            (true, Some(0), Some(0), Some(2), 2, false),
            (true, None, None, Some(2), 3, false),
        ] {
            let mut model = blank(Id::new(), "Ebéd".to_owned(), DiscountType::Discount);
            model.active = active;
            model.valid_from = from.map(|minutes| now.plus_minutes(minutes));
            model.valid_till = till.map(|minutes| now.plus_minutes(minutes));
            model.all_max_use_qty = most;
            assert_eq!(is_valid(&model, used, now), valid, "{active} {from:?} {till:?} {most:?} {used}");
        }
    }
}
