//! The delivery of an order that goes elsewhere.

use proptest::prelude::*;

use super::{world::worlds, *};

/// The delivery of a priced cart, and which promotion makes it free.
fn delivery(priced: &Priced) -> (Delivery, Option<usize>) {
    let applied: Vec<_> = priced.promotions.iter().filter(|outcome| outcome.reason.is_none()).collect();
    let delivery = Delivery {
        list: priced.delivery.total_price,
        taken: applied.iter().map(|outcome| outcome.of_delivery).collect(),
        vat_percent: priced.delivery.vat_percent,
        net: priced.delivery.net,
    };
    (delivery, applied.iter().position(|outcome| outcome.free_delivery))
}

fn region(price: i64, under: i64, threshold: Option<i64>) -> Place {
    let fee = DeliveryFee {
        price: Money::from(price),
        threshold_price: threshold.map(Money::from),
        price_under_threshold: Money::from(under),
    };
    Place::Region(Region { fee, min_order_price: None })
}

fn places() -> impl Strategy<Value = Option<Place>> {
    prop_oneof![
        1 => Just(None),
        1 => Just(Some(Place::Outside)),
        8 => (0i64..3000, 0i64..3000, proptest::option::of(0i64..20_000))
            .prop_map(|(price, under, threshold)| Some(region(price, under, threshold))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn wherever_it_goes_the_sums_by_rate_are_those_of_the_parts(
        (world, _) in worlds(),
        way in proptest::collection::vec((places(), 0usize..3), 1..6),
    ) {
        let p = world.price();
        let (mut before, free) = delivery(&p);
        prop_assert_eq!(before.paid(), p.delivery_price);
        let list_value = p.lines.iter().filter(|line| line.gift_of.is_none()).map(|line| line.total_price).sum();
        let (start, mut vats) = (before.clone(), p.vats.clone());
        for (place, rate) in way {
            let rate = percent([5, 18, 27][rate]);
            let redelivery =
                Redelivery { before: &before, free, list_value, vats: &vats, currency: world.config.currency };
            let after = redelivery.to(place, rate);
            let sums = redelivery.vats(&after);
            // Nothing below zero, nothing above what it costs.
            prop_assert!(after.taken.iter().all(|taken| !taken.is_negative()));
            prop_assert!(!after.paid().is_negative() && after.net <= after.paid() && !after.net.is_negative());
            // A free delivery stays free.
            if free.is_some() || (before.paid().is_zero() && !before.list.is_zero()) {
                prop_assert!(after.paid().is_zero());
            } else {
                for (is, was) in after.taken.iter().zip(&before.taken) {
                    prop_assert!(is <= was);
                }
            }
            // The sums have what they had, with the delivery of now.
            let parts = |amount: fn(&PricedLine) -> Money| p.lines.iter().map(amount).sum::<Money>();
            let lines = parts(|line| line.paid_price + line.service_fee);
            let nets = parts(|line| line.net + line.service_fee_net);
            let gross: Money = sums.iter().map(|sum| sum.gross).sum();
            let net: Money = sums.iter().map(|sum| sum.net).sum();
            prop_assert_eq!(gross, lines + after.paid() + p.usage.paid_price);
            prop_assert_eq!(net, nets + after.net + p.usage.net);
            prop_assert!(sums.iter().all(|sum| sum.net + sum.vat == sum.gross && !sum.gross.is_zero()));
            prop_assert!(sums.windows(2).all(|two| two[0].percent > two[1].percent));
            (before, vats) = (after, sums);
        }
        // And back again: as it was, but for what promotions took of a fee that was gone meanwhile.
        let redelivery =
            Redelivery { before: &before, free, list_value, vats: &vats, currency: world.config.currency };
        let back = redelivery.to(Some(region_of(&start)), start.vat_percent);
        prop_assert_eq!(back.list, start.list);
        if before.taken == start.taken {
            prop_assert_eq!(&back, &start);
            prop_assert_eq!(redelivery.vats(&back), p.vats);
        }
    }
}

fn region_of(delivery: &Delivery) -> Place {
    let fee = DeliveryFee { price: delivery.list, ..DeliveryFee::default() };
    Place::Region(Region { fee, min_order_price: None })
}

/// What a delivery of 1,000 Ft costs elsewhere: `taken` before, then by now.
fn taken(before: &[i64], free: Option<usize>, price: i64) -> (Vec<Money>, Money) {
    let before = Delivery {
        list: Money::from(1000),
        taken: before.iter().map(|taken| Money::from(*taken)).collect(),
        vat_percent: percent(27),
        net: Money::ZERO,
    };
    let redelivery =
        Redelivery { before: &before, free, list_value: Money::ZERO, vats: &[], currency: Currency::Huf };
    let after = redelivery.to(Some(region(price, 0, None)), percent(27));
    (after.taken.clone(), after.paid())
}

#[test]
fn what_was_free_stays_free_and_an_amount_stays_as_far_as_there_is_a_fee() {
    for (name, before, free, price, expected, paid) in [
        ("dearer", &[200, 100][..], None, 1500, &[200, 100][..], 1200),
        ("cheaper", &[200, 100], None, 250, &[200, 50], 0),
        ("for nothing", &[200, 100], None, 0, &[0, 0], 0),
        ("free, dearer", &[0, 1000], None, 1500, &[0, 1500], 0),
        ("free, cheaper", &[0, 1000], None, 400, &[0, 400], 0),
        ("said to be free", &[0, 0], Some(1), 700, &[0, 700], 0),
        ("no promotion", &[], None, 700, &[], 700),
    ] {
        let (is, costs) = taken(before, free, price);
        let expected: Vec<Money> = expected.iter().map(|amount| Money::from(*amount)).collect();
        assert_eq!((is, costs), (expected, Money::from(paid)), "{name}");
    }
}
