//! Properties of every price: sums, VAT, limits.

use proptest::{prelude::*, sample::select};

use super::*;

/// 12 items over four rates, six options in two groups, prices up to 100,000 units.
fn catalogues(decimals: u32) -> impl Strategy<Value = Catalogue> {
    let amount = move || (0i64..10_000_000).prop_map(move |units| Money(Decimal::new(units, decimals)));
    let rate = || select(vec![27i64, 18, 5, 0]).prop_map(percent);
    let item = (
        amount(),
        rate(),
        prop::option::of(rate()),
        any::<Option<bool>>(),
        any::<bool>(),
        prop::option::of(0i32..50),
        0usize..4,
    );
    let items = prop::collection::vec(item, 12);
    let options = prop::collection::vec((amount(), any::<bool>()), 6);
    (items, options, 0i32..3, 0i32..5).prop_map(|(items, options, min, max)| {
        let group = |from: usize| OptionGroup {
            active: true,
            visible: Visibility::ALL,
            min_no_options: min,
            max_no_options: max,
            options: (from..from + 3)
                .map(|at| ItemOption {
                    id: option_id(at),
                    price: options[at].0,
                    active: options[at].1,
                    visible: Visibility::ALL,
                })
                .collect(),
        };
        let groups = [Uuid::from_u128(200), Uuid::from_u128(201)];
        let item = |(at, (price, vat, sit_in_vat, service_fee, active, sellable_quantity, of)): (
            usize,
            (_, _, _, _, _, _, usize),
        )| {
            let option_group_ids: Vec<Uuid> =
                [vec![], vec![groups[0]], vec![groups[1]], groups.to_vec()][of].clone();
            (
                item_id(at),
                Item {
                    price,
                    vat,
                    sit_in_vat,
                    service_fee,
                    active,
                    sellable_quantity,
                    option_group_ids,
                    ..super::item(0, 0, None)
                },
            )
        };
        Catalogue {
            items: items.into_iter().enumerate().map(item).collect(),
            option_groups: [(groups[0], group(0)), (groups[1], group(3))].into(),
        }
    })
}

fn item_id(at: usize) -> Uuid {
    Uuid::from_u128(1000 + at as u128)
}

fn option_id(at: usize) -> Uuid {
    Uuid::from_u128(2000 + at as u128)
}

fn carts(decimals: u32) -> impl Strategy<Value = Cart> {
    // One item and one option more than the catalogue knows.
    let option = (0usize..7, 1u16..5).prop_map(|(at, quantity)| (option_id(at), quantity));
    let item = (0usize..13, 1u16..=MAX_QUANTITY, prop::collection::vec(option, 0..4));
    let items = prop::collection::vec(
        item.prop_map(|(at, quantity, options)| line(item_id(at), quantity, &options)),
        1..20,
    );
    let tip = || (0i64..100_000).prop_map(move |units| Money(Decimal::new(units, decimals)));
    let tips = (tip(), tip(), tip()).prop_map(|(tip, employee_tip, courier_tip)| Tips {
        tip,
        employee_tip,
        courier_tip,
    });
    let platforms: Vec<Platform> = Platform::OWN.into_iter().chain([Platform::DeliveryPlatform]).collect();
    (select(platforms), any::<bool>(), any::<bool>(), items, tips).prop_map(
        |(platform, pickup, at_table, items, tips)| Cart {
            platform,
            pickup,
            at_table,
            expected_at: None,
            items,
            tips,
        },
    )
}

fn configs(currency: Currency) -> impl Strategy<Value = Config> {
    let amount =
        move || (0i64..1_000_000).prop_map(move |units| Money(Decimal::new(units, currency.decimals())));
    let delivery = (amount(), prop::option::of(amount()), amount()).prop_map(
        |(price, threshold_price, price_under_threshold)| DeliveryFee {
            price,
            threshold_price,
            price_under_threshold,
        },
    );
    let modes = select(vec![ServiceFeeMode::Off, ServiceFeeMode::AllItems, ServiceFeeMode::FlaggedItems]);
    let service = (modes, 0i64..=1000, any::<bool>()).prop_map(|(mode, tenths, take_away)| ServiceFee {
        mode,
        percent: Percent(Decimal::new(tenths, 1)),
        take_away,
    });
    (delivery, service, amount(), select(vec![27i64, 5, 0]), amount(), any::<bool>()).prop_map(
        move |(delivery, service, system_usage, vat, min_order_price, staff)| Config {
            currency,
            delivery_vat: percent(vat),
            min_order_price,
            staff,
            fees: Fees { delivery, service, system_usage },
            ..config()
        },
    )
}

fn worlds() -> impl Strategy<Value = (Catalogue, Cart, Config)> {
    select(vec![Currency::Huf, Currency::Eur]).prop_flat_map(|currency| {
        (catalogues(currency.decimals()), carts(currency.decimals()), configs(currency))
    })
}

fn sum<'a, T: 'a>(items: &'a [T], amount: impl Fn(&'a T) -> Money) -> Money {
    items.iter().map(amount).sum()
}

proptest! {
    #[test]
    fn everything_adds_up((catalogue, cart, config) in worlds()) {
        let p = price(&catalogue, &cart, &config);
        prop_assert_eq!(p.lines.len(), cart.items.len());
        for line in &p.lines {
            prop_assert_eq!(line.unit_price * Decimal::from(line.quantity), line.total_price);
            prop_assert!(sum(&line.options, |o| o.total_price) <= line.total_price);
            prop_assert_eq!(line.net + line.vat, line.paid_price + line.service_fee);
        }
        prop_assert_eq!(sum(&p.lines, |l| l.paid_price), p.products_price);
        prop_assert_eq!(sum(&p.lines, |l| l.service_fee), p.service_fee);
        prop_assert_eq!(p.original_price - p.discount_price, p.products_price + p.delivery_price);
        prop_assert_eq!(p.products_price + p.delivery_price + p.service_fee + p.tips.total() + p.system_usage_fee, p.total_price);
        prop_assert_eq!(sum(&p.explanation, |e| e.amount), p.total_price);
    }

    #[test]
    fn net_and_vat_over_the_rates_are_the_gross((catalogue, cart, config) in worlds()) {
        let p = price(&catalogue, &cart, &config);
        prop_assert_eq!(sum(&p.vats, |v| v.gross), p.total_price - p.tips.total());
        prop_assert!(p.vats.windows(2).all(|pair| pair[0].percent > pair[1].percent));
        for rate in &p.vats {
            prop_assert_eq!(rate.net + rate.vat, rate.gross);
            prop_assert_eq!(rate.net, rate.net.round(config.currency));
            let exact = rate.percent.net_of(rate.gross);
            prop_assert!((rate.net - exact).abs().0 * Decimal::TWO <= config.currency.unit(), "rounded once");
            let nets: Money = p.lines.iter().filter(|l| l.vat_percent == rate.percent).map(|l| l.net).sum();
            prop_assert!(nets <= rate.net, "the rest is the fees'");
            if p.delivery_price.is_zero() && p.system_usage_fee.is_zero() {
                prop_assert_eq!(nets, rate.net);
            }
        }
    }

    #[test]
    fn nothing_is_negative_and_all_is_in_whole_units((catalogue, cart, config) in worlds()) {
        let p = price(&catalogue, &cart, &config);
        let lines = p.lines.iter().flat_map(|l| [l.unit_price, l.total_price, l.paid_price, l.service_fee, l.net, l.vat]);
        let rates = p.vats.iter().flat_map(|v| [v.net, v.vat, v.gross]);
        let sums = [p.products_price, p.delivery_price, p.discount_price, p.original_price, p.service_fee, p.system_usage_fee, p.total_price];
        for amount in lines.chain(rates).chain(sums) {
            prop_assert!(!amount.is_negative());
            prop_assert_eq!(amount, amount.round(config.currency));
        }
    }

    #[test]
    fn the_order_of_lines_changes_no_total(
        (catalogue, cart, config) in worlds(), seed in prop::collection::vec(any::<u32>(), 20),
    ) {
        let mut order: Vec<usize> = (0..cart.items.len()).collect();
        order.sort_by_key(|at| seed[*at]);
        let shuffled = Cart { items: order.iter().map(|at| cart.items[*at].clone()).collect(), ..cart.clone() };
        let (a, b) = (price(&catalogue, &cart, &config), price(&catalogue, &shuffled, &config));
        // A tie in the spread of the service fee goes to the earlier line, which may have another rate.
        if a.service_fee.is_zero() {
            prop_assert_eq!(&a.vats, &b.vats);
        }
        prop_assert_eq!(
            (a.total_price, a.products_price, a.delivery_price, a.service_fee, a.original_price),
            (b.total_price, b.products_price, b.delivery_price, b.service_fee, b.original_price)
        );
        for (at, from) in order.iter().enumerate() {
            prop_assert_eq!(a.lines[*from].total_price, b.lines[at].total_price);
        }
        let kinds = |cart: &Cart| acceptable(&catalogue, cart, &config).into_iter().map(|r| r.reason).collect::<Vec<_>>();
        prop_assert_eq!(kinds(&cart), kinds(&shuffled));
    }

    #[test]
    fn splitting_a_line_changes_no_total((catalogue, cart, config) in worlds()) {
        let mut split = cart.clone();
        if split.items[0].quantity > 1 {
            split.items[0].quantity -= 1;
            split.items.push(CartItem { quantity: 1, ..split.items[0].clone() });
        }
        let (a, b) = (price(&catalogue, &cart, &config), price(&catalogue, &split, &config));
        prop_assert_eq!((a.total_price, a.service_fee), (b.total_price, b.service_fee));
        if a.service_fee.is_zero() {
            prop_assert_eq!(a.vats, b.vats);
        }
    }

    #[test]
    fn quote_and_order_are_the_same((catalogue, cart, config) in worlds()) {
        // The order is priced from a snapshot read anew: other maps, other iteration order.
        let again = Catalogue {
            items: catalogue.items.clone().into_iter().collect(),
            option_groups: catalogue.option_groups.clone().into_iter().collect(),
        };
        prop_assert_eq!(price(&catalogue, &cart, &config), price(&again, &cart.clone(), &config.clone()));
        prop_assert_eq!(acceptable(&catalogue, &cart, &config), acceptable(&again, &cart, &config));
    }
}
