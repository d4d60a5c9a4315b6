//! Random catalogues, promotions, carts and configurations.

use std::collections::HashSet;

use proptest::{collection::vec, option::of, prelude::*, sample::select};

use super::*;

/// Everything that pricing takes.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub catalogue: Catalogue,
    pub promotions: Vec<Promotion>,
    pub cart: Cart,
    pub config: Config,
}

impl World {
    pub fn price(&self) -> Priced {
        price(&self.catalogue, &self.promotions, &self.cart, &self.config)
    }

    pub fn price_with(&self, promotions: &[Promotion]) -> Priced {
        price(&self.catalogue, promotions, &self.cart, &self.config)
    }

    pub fn acceptable(&self) -> Vec<Reason> {
        acceptable(&self.catalogue, &self.promotions, &self.cart, &self.config)
    }
}

pub(super) fn item_id(at: usize) -> Uuid {
    Uuid::from_u128(1000 + at as u128)
}

fn option_id(at: usize) -> Uuid {
    Uuid::from_u128(2000 + at as u128)
}

fn category_id(at: usize) -> Uuid {
    Uuid::from_u128(3000 + at as u128)
}

/// Amounts of a few units, where everything is rounding, and of usual size.
fn amounts(decimals: u32) -> impl Strategy<Value = Money> {
    let units = prop_oneof![Just(0i64), 0i64..20, 0i64..1000, 0i64..1_000_000];
    units.prop_map(move |units| Money(Decimal::new(units, decimals)))
}

fn rates() -> impl Strategy<Value = Percent> {
    select(vec![27i64, 18, 5, 0]).prop_map(percent)
}

fn components() -> impl Strategy<Value = Component> {
    // One size more than the catalogue knows; sometimes no pieces.
    (0usize..13, 0u16..4).prop_map(|(at, pieces)| Component { subproduct_id: item_id(at), pieces })
}

type ItemValues = (Money, Percent, Option<Percent>, Option<bool>, bool, Option<i32>);

/// Values, which groups of options, which category, components, deposit.
type RandomItem = (ItemValues, usize, usize, Vec<Component>, u16);

fn items(decimals: u32) -> impl Strategy<Value = RandomItem> {
    let sellable = of(0i32..200);
    let active = prop::bool::weighted(0.9);
    (
        (amounts(decimals), rates(), of(rates()), any::<Option<bool>>(), active, sellable),
        0usize..4,
        0usize..3,
        prop_oneof![2 => Just(Vec::new()), 1 => vec(components(), 1..4)],
        prop_oneof![2 => Just(0u16), 1 => 1u16..3],
    )
}

/// 12 items over four rates and three categories, some with components or a deposit; six options in two
/// groups, some of which stand for a size.
fn catalogues(decimals: u32) -> impl Strategy<Value = Catalogue> {
    let options = vec((amounts(decimals), any::<bool>(), of(components())), 6);
    (vec(items(decimals), 12), options, 0i32..3, 0i32..5).prop_map(|(items, options, min, max)| {
        let group = |from: usize| OptionGroup {
            active: true,
            visible: Visibility::ALL,
            min_no_options: min,
            max_no_options: max,
            options: (from..from + 3)
                .map(|at| ItemOption {
                    price: options[at].0,
                    active: options[at].1,
                    size: options[at].2,
                    ..option(option_id(at), 0)
                })
                .collect(),
        };
        let groups = [Uuid::from_u128(200), Uuid::from_u128(201)];
        let item = |(at, values): (usize, RandomItem)| {
            let (values, groups_of, category, components, deposit_pieces) = values;
            let (price, vat, sit_in_vat, service_fee, active, sellable_quantity) = values;
            let option_group_ids = [vec![], vec![groups[0]], vec![groups[1]], groups.to_vec()];
            let item = Item {
                price,
                vat,
                sit_in_vat,
                service_fee,
                active,
                sellable_quantity,
                option_group_ids: option_group_ids[groups_of].clone(),
                origin_id: origin(item_id(at)),
                category_ids: vec![category_id(category), category_id(9)],
                components,
                deposit_pieces,
                ..super::item(0, 0, None)
            };
            (item_id(at), item)
        };
        Catalogue {
            items: items.into_iter().enumerate().map(item).collect(),
            option_groups: [(groups[0], group(0)), (groups[1], group(3))].into(),
        }
    })
}

fn gifts() -> impl Strategy<Value = Gift> {
    let quantity_type = select(vec![GiftQuantityType::PerCart, GiftQuantityType::PerItem]);
    let percentage = prop_oneof![2 => Just(100i64), 1 => 0i64..=100];
    (0usize..13, 1u16..4, quantity_type, percentage).prop_map(|(at, quantity, quantity_type, percentage)| {
        Gift { subproduct_id: item_id(at), quantity, quantity_type, discount_percentage: percent(percentage) }
    })
}

fn ranges(decimals: u32) -> impl Strategy<Value = Range> {
    let values = prop_oneof![
        3 => (1i64..=1100).prop_map(|tenths| (ValueKind::Percent, Decimal::new(tenths, 1))),
        3 => amounts(decimals).prop_map(|amount| (ValueKind::FixedValue, amount.0)),
        2 => amounts(decimals).prop_map(|amount| (ValueKind::OverwrittenValue, amount.0)),
        1 => (0i64..1000).prop_map(|tenths| (ValueKind::FixedValue, Decimal::new(tenths, 1))),
    ];
    let from = prop_oneof![3 => Just(0i64), 1 => 0i64..20, 1 => 0i64..100_000];
    let flags = (prop::bool::weighted(0.2), prop::bool::weighted(0.1), any::<bool>());
    let gifts = prop_oneof![3 => Just(Vec::new()), 1 => vec(gifts(), 1..3)];
    (from, values, flags, gifts).prop_map(|(from, (discount_type, discount_value), flags, gifts)| Range {
        price_from: from.into(),
        discount_type,
        discount_value,
        apply_on_delivery: flags.0,
        free_delivery: flags.1,
        apply_on_options: flags.2,
        gifts,
    })
}

fn product_sets() -> impl Strategy<Value = ProductSet> {
    (vec(0usize..13, 0..5), vec(0usize..3, 0..2)).prop_map(|(sizes, categories)| ProductSet {
        subproduct_ids: sizes.into_iter().map(|at| origin(item_id(at))).collect(),
        product_category_ids: categories.into_iter().map(category_id).collect(),
    })
}

/// Promotions of any kind; half of the coupons have the code that carts send.
pub(super) fn promotions(decimals: u32) -> impl Strategy<Value = Promotion> {
    let kinds = prop_oneof![
        6 => Just((PromotionKind::Discount, None)),
        1 => Just((PromotionKind::Coupon, Some("Code"))),
        1 => Just((PromotionKind::Coupon, Some("other"))),
        1 => Just((PromotionKind::Upsell, None)),
    ];
    let products = prop_oneof![
        2 => Just(Restriction::None),
        2 => product_sets().prop_map(Restriction::Inclusion),
        1 => product_sets().prop_map(Restriction::Exclusion),
    ];
    let apply = select(vec![ApplyType::ApplyPerCart, ApplyType::ApplyPerItem]);
    let filter = select(vec![RangeFilterType::ByPrice, RangeFilterType::ByQuantity]);
    let limits = (of(0u32..3), of(0u32..3), prop::bool::weighted(0.1), prop::bool::weighted(0.1));
    let other = (prop::bool::weighted(0.7), prop::bool::weighted(0.9), 0i64..5, any::<u64>());
    (kinds, products, apply, filter, vec(ranges(decimals), 1..3), limits, other).prop_map(
        |((kind, code), products, apply_type, range_filter_type, ranges, limits, other)| Promotion {
            id: Uuid::from_u128(other.3.into()),
            created_at: at("2025-01-01T00:00:00Z").plus_minutes(other.2),
            kind,
            code: code.map(str::to_owned),
            stackable: other.0,
            pickup_enabled: other.1,
            all_max_use_qty: limits.0.filter(|_| other.3 % 4 == 0),
            customer_max_use_qty: limits.1.filter(|_| other.3 % 5 == 0),
            login_needed: limits.2,
            locked_customers: limits.3,
            products,
            range_filter_type,
            apply_type,
            ranges,
            ..super::promotion(1)
        },
    )
}

fn cart_items() -> impl Strategy<Value = Vec<CartItem>> {
    // One item and one option more than the catalogue knows.
    let option = (0usize..7, 1u16..4).prop_map(|(at, quantity)| (option_id(at), quantity));
    let quantity = prop_oneof![4 => 1u16..4, 1 => 1u16..=MAX_QUANTITY];
    let item = (0usize..13, quantity, vec(option, 0..4));
    vec(item.prop_map(|(at, quantity, options)| line(item_id(at), quantity, &options)), 1..8)
}

fn carts(decimals: u32) -> impl Strategy<Value = Cart> {
    let tip = || (0i64..1000).prop_map(move |units| Money(Decimal::new(units, decimals)));
    let tips = (tip(), tip(), tip()).prop_map(|(tip, employee_tip, courier_tip)| Tips {
        tip,
        employee_tip,
        courier_tip,
    });
    let platforms: Vec<Platform> = Platform::OWN.into_iter().chain([Platform::DeliveryPlatform]).collect();
    let staff_discounts = prop_oneof![
        3 => Just(None),
        1 => (0i64..=1000).prop_map(|tenths| Some(StaffDiscount::Percent(Percent(Decimal::new(tenths, 1))))),
        1 => amounts(decimals).prop_map(|amount| Some(StaffDiscount::Amount(amount))),
    ];
    let customer = of(any::<bool>().prop_map(|vouched| Customer { id: Some(ELSEWHERE), vouched }));
    let place = (select(platforms), any::<bool>(), prop::bool::weighted(0.2));
    let sent = (prop::bool::weighted(0.7), staff_discounts, customer, amounts(decimals));
    (place, cart_items(), tips, sent).prop_map(|((platform, pickup, at_table), items, tips, sent)| Cart {
        platform,
        pickup,
        table: at_table.then(Table::default),
        tips,
        coupon_code: sent.0.then(|| " cODE".to_owned()),
        staff_discount: sent.1,
        customer: sent.2,
        by_points: sent.3,
        ..cart(&items)
    })
}

fn configs(currency: Currency) -> impl Strategy<Value = Config> {
    let amount = move || amounts(currency.decimals());
    let region = (amount(), of(amount()), amount(), of(amount())).prop_map(
        |(price, threshold_price, price_under_threshold, min_order_price)| {
            let fee = DeliveryFee { price, threshold_price, price_under_threshold };
            Place::Region(Region { fee, min_order_price })
        },
    );
    let place = prop_oneof![4 => region, 1 => select(vec![Place::NotAsked, Place::Outside, Place::Unknown])];
    let modes = select(vec![ServiceFeeMode::Off, ServiceFeeMode::AllItems, ServiceFeeMode::FlaggedItems]);
    let service = (modes, 0i64..=1000, any::<bool>()).prop_map(|(mode, tenths, take_away)| ServiceFee {
        mode,
        percent: Percent(Decimal::new(tenths, 1)),
        take_away,
    });
    let deposit = (of(amount()), any::<bool>()).prop_map(|(amount, not_here)| Deposit { amount, not_here });
    let staff = (any::<bool>(), of((0i64..=100).prop_map(percent)));
    (place, service, amount(), select(vec![27i64, 5, 0]), amount(), staff, (deposit, 0i64..=100)).prop_map(
        move |(place, service, system_usage, vat, min_order_price, staff, (deposit, ratio))| Config {
            currency,
            place,
            delivery_vat: percent(vat),
            min_order_price,
            staff: staff.0,
            max_discount_percent: staff.1,
            fees: Fees { service, system_usage },
            deposit,
            point_cash_ratio: percent(ratio),
            ..config()
        },
    )
}

/// A choice for each of some gifts of the promotions.
fn with_choices(world: World, chosen: &[Option<bool>]) -> World {
    let gifts = world.promotions.iter().flat_map(|promotion| {
        let gifts = promotion.ranges.iter().flat_map(|range| &range.gifts);
        gifts.map(|gift| (promotion.id, gift.subproduct_id))
    });
    let mut seen = HashSet::new();
    let gift_choices = gifts
        .filter(|gift| seen.insert(*gift))
        .zip(chosen)
        .filter_map(|((promotion_id, subproduct_id), accepted)| {
            Some(GiftChoice { promotion_id, subproduct_id, accepted: (*accepted)? })
        })
        .collect();
    World { cart: Cart { gift_choices, ..world.cart }, ..world }
}

/// A world, and a promotion that is younger than all of its own.
pub(super) fn worlds() -> impl Strategy<Value = (World, Promotion)> {
    select(vec![Currency::Huf, Currency::Eur]).prop_flat_map(|currency| {
        let decimals = currency.decimals();
        let world =
            (catalogues(decimals), vec(promotions(decimals), 0..6), carts(decimals), configs(currency));
        (world, promotions(decimals), vec(any::<Option<bool>>(), 12)).prop_map(
            |((catalogue, promotions, cart, config), newest, chosen)| {
                let created_at = newest.created_at.plus_minutes(100);
                let newest = Promotion { created_at, ..newest };
                (with_choices(World { catalogue, promotions, cart, config }, &chosen), newest)
            },
        )
    })
}
