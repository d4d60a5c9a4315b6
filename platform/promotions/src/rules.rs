//! Rules for the fields of a promotion, without the database.

use access::prelude::*;
use kernel::{
    money::{Currency, Money, Percent},
    text::is_blank,
};
use pricing::fold_code;
use rust_decimal::Decimal;

use crate::{
    entity::{GiftRow, Model, RangeRow, Ranges, TimeRanges},
    types::{DiscountFields, NewDiscountGift, NewDiscountRange},
    values::{DiscountPlatform, DiscountType, DiscountValueType, RangeFilterType},
};

/// The largest amount of a range, as of prices.
const MOST: Decimal = Decimal::from_parts(10_000_000, 0, 0, false, 0);
/// The most pieces of a gift, and those that a range can ask for.
const MOST_GIFTS: u16 = 100;
const MOST_PIECES: Decimal = Decimal::from_parts(10_000, 0, 0, false, 0);

/// What is wrong with a promotion: fields, and words for the editor.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    keys: Vec<(String, Fault)>,
    words: Vec<&'static str>,
}

impl Faults {
    pub(crate) fn add(&mut self, key: impl Into<String>, fault: Fault) {
        self.keys.push((key.into(), fault));
    }

    /// A field at fault, with the word that the editor shows for it.
    pub(crate) fn say(&mut self, key: impl Into<String>, fault: Fault, word: &'static str) {
        self.add(key, fault);
        if !self.words.contains(&word) {
            self.words.push(word);
        }
    }

    /// Refuses when anything is wrong.
    /// Errors: `VALIDATION_FAILED`.
    pub(crate) fn refuse(self) -> Result<()> {
        let problem = Problem::new(Code::VALIDATION_FAILED).keys(self.keys);
        if self.words.is_empty() { problem } else { problem.detail(self.words.join(", ")) }.if_any()
    }
}

/// A new promotion of this restaurant, as it is where nothing is said.
pub(crate) fn blank(restaurant: Id<Restaurant>, name: String, discount_type: DiscountType) -> Model {
    Model {
        id: Id::new(),
        name,
        discount_type,
        code: None,
        code_key: None,
        active: true,
        valid_from: None,
        valid_till: None,
        time_ranges: TimeRanges::default(),
        pickup_enabled: true,
        platforms: vec![],
        restaurant_ids: Some(vec![restaurant.uuid()]),
        login_needed: false,
        stackable: true,
        all_max_use_qty: None,
        customer_max_use_qty: None,
        is_daily_discount_limit: false,
        products_for: None,
        product_category_ids: vec![],
        subproduct_ids: vec![],
        locked_customers: false,
        range_filter_type: RangeFilterType::default(),
        apply_type: crate::values::ApplyType::default(),
        ranges: Ranges::default(),
        currency: None,
        version: 1,
        archived_at: None,
        created_at: Timestamp::now(),
    }
}

/// Sets what was sent. References stay as they were sent: `references` turns them into origins.
pub(crate) fn apply(
    model: &mut Model, fields: DiscountFields, restaurant: Id<Restaurant>, faults: &mut Faults,
) {
    fn set<T>(column: &mut T, sent: Option<T>) {
        if let Some(sent) = sent {
            *column = sent;
        }
    }
    fn clear<T>(column: &mut Option<T>, sent: Clearable<T>) {
        *column = sent.or(column.take());
    }
    let upsell = model.discount_type == DiscountType::Upsell;
    if !upsell {
        refuse_tables(&fields, faults);
    }
    clear(&mut model.code, fields.code.map(|code| code.trim().to_owned()));
    set(&mut model.active, fields.active);
    clear(&mut model.valid_from, fields.valid_from);
    clear(&mut model.valid_till, fields.valid_till);
    match fields.time_ranges {
        Clearable::Undefined => {}
        Clearable::Null => model.time_ranges = TimeRanges::default(),
        Clearable::Value(ranges) => model.time_ranges = TimeRanges(ranges),
    }
    set(&mut model.pickup_enabled, fields.pickup_enabled);
    let names = |platforms: Vec<DiscountPlatform>| platforms.into_iter().map(name_of).collect();
    set(&mut model.platforms, fields.platforms.map(names));
    match fields.restaurant_ids {
        Clearable::Undefined => {}
        Clearable::Null => model.restaurant_ids = None,
        Clearable::Value(ids) if ids.is_empty() => model.restaurant_ids = Some(vec![restaurant.uuid()]),
        Clearable::Value(ids) => model.restaurant_ids = Some(ids.into_iter().map(Id::uuid).collect()),
    }
    set(&mut model.login_needed, fields.login_needed);
    set(&mut model.stackable, fields.stackable);
    clear(&mut model.all_max_use_qty, fields.all_max_use_qty);
    clear(&mut model.customer_max_use_qty, fields.customer_max_use_qty);
    set(&mut model.is_daily_discount_limit, fields.is_daily_discount_limit);
    clear(&mut model.products_for, fields.products_for);
    let ids = fields.product_category_ids.map(|ids| ids.into_iter().map(Id::uuid).collect());
    model.product_category_ids =
        ids.or(Some(std::mem::take(&mut model.product_category_ids))).unwrap_or_default();
    let ids = fields.subproduct_ids.map(|ids| ids.into_iter().map(Id::uuid).collect());
    model.subproduct_ids = ids.or(Some(std::mem::take(&mut model.subproduct_ids))).unwrap_or_default();
    set(&mut model.locked_customers, fields.locked_customers);
    set(&mut model.range_filter_type, fields.range_filter_type);
    set(&mut model.apply_type, fields.apply_type);
    if let Some(ranges) = fields.ranges {
        let read = |(at, range)| read_range(at, range, faults);
        model.ranges = Ranges(ranges.into_iter().enumerate().map(read).collect());
    }
}

fn name_of(platform: DiscountPlatform) -> String {
    platform.platform().as_str().to_owned()
}

/// There are no tables yet, so none can be named.
fn refuse_tables(fields: &DiscountFields, faults: &mut Faults) {
    if fields.tables_for.value().is_some_and(|tables| !is_blank(tables)) {
        faults.add("tables_for", Fault::Invalid);
    }
    for (key, ids) in [("table_ids", &fields.table_ids), ("table_category_ids", &fields.table_category_ids)] {
        if ids.value().is_some_and(|ids| !ids.is_empty()) {
            faults.add(key, Fault::NotExist);
        }
    }
}

fn read_range(at: usize, range: NewDiscountRange, faults: &mut Faults) -> RangeRow {
    let mut number = |key: &str, sent: Clearable<Money>, otherwise: i64| match sent {
        Clearable::Undefined => Money::from(otherwise),
        Clearable::Value(value) => value,
        Clearable::Null => {
            faults.say(format!("ranges.{at}.{key}"), Fault::Required, "missing_ranges");
            Money::ZERO
        }
    };
    RangeRow {
        price_from: number("price_from", range.price_from, 0),
        // What is missing is said once: a 0 in its place would be refused again.
        discount_value: match range.discount_value {
            Clearable::Null => {
                number("discount_value", Clearable::Null, 10);
                Money::from(10)
            }
            sent => number("discount_value", sent, 10),
        },
        discount_type: range.discount_type.unwrap_or_default().plain(),
        apply_on_delivery: range.apply_on_delivery,
        free_delivery: range.free_delivery,
        apply_on_options: range.apply_on_options,
        gifts: range.gifts.into_iter().map(read_gift).collect(),
    }
}

fn read_gift(gift: NewDiscountGift) -> GiftRow {
    GiftRow {
        subproduct_id: gift.subproduct_id,
        quantity: gift.quantity.unwrap_or(1),
        quantity_type: gift.quantity_type.unwrap_or_default(),
        discount_percentage: gift.discount_percentage.unwrap_or(Percent(Decimal::ONE_HUNDRED)),
    }
}

/// Takes away what a promotion of its kind cannot have.
pub(crate) fn tidy(model: &mut Model) {
    if model.discount_type == DiscountType::Upsell {
        model.products_for = None;
        (model.valid_from, model.valid_till) = (None, None);
        (model.all_max_use_qty, model.customer_max_use_qty) = (None, None);
        model.is_daily_discount_limit = false;
        model.login_needed = false;
        model.time_ranges = TimeRanges::default();
        model.code = None;
        model.locked_customers = false;
        model.stackable = false;
        model.platforms = DiscountPlatform::OF_UPSELLS.map(name_of).to_vec();
    }
    if model.products_for.is_none() {
        model.product_category_ids.clear();
        model.subproduct_ids.clear();
    }
    model.code = model.code.take().filter(|code| !is_blank(code) && !fold_code(code).is_empty());
    model.code_key = model.code.as_deref().map(fold_code);
}

/// What contradicts itself. `has_series`: the coupon has codes of its own.
pub(crate) fn check(model: &Model, has_series: bool, faults: &mut Faults) {
    match model.discount_type {
        DiscountType::Coupon if model.code.is_none() && !has_series => faults.add("code", Fault::Required),
        DiscountType::Discount if model.code.is_some() => faults.add("code", Fault::Invalid),
        _ => {}
    }
    if is_blank(&model.name) {
        faults.add("name", Fault::Required);
    }
    if model.platforms.is_empty() {
        faults.say("platforms", Fault::Required, "missing_platforms");
    }
    if model.valid_from.zip(model.valid_till).is_some_and(|(from, till)| from > till) {
        faults.say("valid_till", Fault::Invalid, "datetime_error");
    }
    if model.products_for.is_some()
        && model.product_category_ids.is_empty()
        && model.subproduct_ids.is_empty()
    {
        faults.say("product_category_ids", Fault::Required, "missing_products");
        faults.say("subproduct_ids", Fault::Required, "missing_products");
    }
    if model.ranges.0.is_empty() {
        faults.say("ranges", Fault::Required, "missing_ranges");
    }
    for (at, range) in model.ranges.0.iter().enumerate() {
        check_range(model, at, range, faults);
    }
}

fn check_range(model: &Model, at: usize, range: &RangeRow, faults: &mut Faults) {
    let key = |name: &str| format!("ranges.{at}.{name}");
    let from = range.price_from.value();
    let most = match model.range_filter_type {
        RangeFilterType::ByPrice => MOST,
        RangeFilterType::ByQuantity => MOST_PIECES,
    };
    if from < Decimal::ZERO {
        faults.add(key("price_from"), Fault::Min);
    } else if from > most {
        faults.add(key("price_from"), Fault::Max);
    } else if model.range_filter_type == RangeFilterType::ByQuantity && !from.fract().is_zero() {
        faults.add(key("price_from"), Fault::Invalid);
    } else if model.ranges.0[..at].iter().any(|other| other.price_from.value() == from) {
        faults.add(key("price_from"), Fault::NotUnique);
    }
    let value = range.discount_value.value();
    let may_be_zero = range.free_delivery || !range.gifts.is_empty();
    let percent = range.discount_type == DiscountValueType::Percent;
    let most = if percent { Decimal::ONE_HUNDRED } else { MOST };
    if value < Decimal::ONE && !(value.is_zero() && may_be_zero) {
        faults.add(key("discount_value"), Fault::Min);
    } else if value > most {
        faults.add(key("discount_value"), Fault::Max);
    } else if percent && value.normalize().scale() > 2 {
        faults.add(key("discount_value"), Fault::Invalid);
    }
    for (place, gift) in range.gifts.iter().enumerate() {
        let key = |name: &str| format!("ranges.{at}.gifts.{place}.{name}");
        // A choice names promotion and size: it could not tell two of them apart.
        if range.gifts[..place].iter().any(|other| other.subproduct_id == gift.subproduct_id) {
            faults.add(key("subproduct_id"), Fault::NotUnique);
        }
        if gift.quantity == 0 {
            faults.say(key("quantity"), Fault::Min, "gift_quantity_error");
        } else if gift.quantity > MOST_GIFTS {
            faults.add(key("quantity"), Fault::Max);
        }
        if gift.discount_percentage.value().normalize().scale() > 2 {
            faults.add(key("discount_percentage"), Fault::Invalid);
        }
    }
}

/// The amounts of the ranges, each with its key. Amounts of 0 are the same in every currency.
fn amounts(model: &Model) -> impl Iterator<Item = (String, Money)> {
    let by_price = model.range_filter_type == RangeFilterType::ByPrice;
    let of_range = move |(at, range): (usize, &RangeRow)| {
        let from = by_price.then_some(("price_from", range.price_from));
        let value = (range.discount_type != DiscountValueType::Percent)
            .then_some(("discount_value", range.discount_value));
        let keyed = [from, value].map(|one| one.map(|(key, amount)| (format!("ranges.{at}.{key}"), amount)));
        keyed.into_iter().flatten()
    };
    model.ranges.0.iter().enumerate().flat_map(of_range).filter(|(_, amount)| !amount.is_zero())
}

/// Sets the currency of the promotion's amounts; `currencies` are those of its restaurants.
pub(crate) fn set_currency(model: &mut Model, currencies: &[Currency], faults: &mut Faults) {
    model.currency = None;
    let amounts: Vec<(String, Money)> = amounts(model).collect();
    if amounts.is_empty() {
        return;
    }
    let Some((first, others)) = currencies.split_first() else { return };
    if others.iter().any(|other| other != first) {
        return faults.say("restaurant_ids", Fault::Invalid, "currencies_differ");
    }
    for (key, _) in amounts.iter().filter(|(_, amount)| *amount != amount.round(*first)) {
        faults.add(key.clone(), Fault::Invalid);
    }
    model.currency = Some(*first);
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
