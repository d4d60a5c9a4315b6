//! Whatever way an order takes, its figures add up.

use access::prelude::*;
use kernel::money::Currency;
use pricing::{DeliveryFee, Region};
use proptest::{prelude::*, test_runner::TestCaseError};
use uuid::Uuid;

use super::*;
use crate::values::OrderStatus;

/// A line: its list price, what is taken from it, and its rate.
type Line = (i64, i64, usize);

const RATES: [i64; 3] = [5, 18, 27];

fn percent(at: usize) -> Percent {
    Percent(RATES[at].into())
}

fn net(gross: Money, percent: Percent) -> Money {
    Money(gross.0 / (rust_decimal::Decimal::ONE + percent.0 / rust_decimal::Decimal::from(100))).round_to(0)
}

fn amount(value: i64) -> Amount {
    Money::from(value).into()
}

/// An order of these lines, with a fee of which two promotions take something, as a release wrote it that says what
/// (`told`) or not.
fn order(lines: &[Line], list: i64, taken: [i64; 2], free: bool, told: bool) -> OrderRow {
    let goods: i64 = lines.iter().map(|(list, off, _)| list - off).sum();
    let off: i64 = lines.iter().map(|(_, off, _)| off).sum();
    let fee = list - taken[0] - taken[1];
    let promotion = |at: usize, of_goods: i64| OrderPromotion {
        promotion_id: Uuid::from_u128(at as u128),
        name: String::new(),
        discount_type: ["discount", "coupon"][at].to_owned(),
        code: None,
        amount: Money::from(of_goods + taken[at]),
        of_delivery: told.then(|| Money::from(taken[at])),
        free_delivery: told.then_some(free && at == 1),
    };
    let promotions = vec![promotion(0, off), promotion(1, 0)];
    let mut row = blank();
    let mut sums: Vec<VatSum> = Vec::new();
    let others = lines.iter().map(|(list, off, rate)| (percent(*rate), Money::from(list - off)));
    let mut fee_net = Money::ZERO;
    for rate in (0..RATES.len()).rev().map(percent) {
        let of_lines: Vec<Money> =
            others.clone().filter(|(percent, _)| *percent == rate).map(|(_, gross)| gross).collect();
        let nets: Money = of_lines.iter().map(|gross| net(*gross, rate)).sum();
        let mut sum =
            VatSum { percent: rate, net: nets, vat: Money::ZERO, gross: of_lines.into_iter().sum() };
        if rate == percent(2) {
            fee_net = net(Money::from(fee), rate);
            sum.net += fee_net;
            sum.gross += Money::from(fee);
        }
        sum.vat = sum.gross - sum.net;
        if !sum.gross.is_zero() {
            sums.push(sum);
        }
    }
    let line = |step: &str, reference: Option<Uuid>, amount: Money| Explanation {
        step: step.to_owned(),
        reference,
        amount,
    };
    let mut explanation: Vec<Explanation> =
        lines.iter().map(|(list, _, _)| line("item", Some(Uuid::nil()), Money::from(*list))).collect();
    explanation
        .extend(promotions.iter().map(|one| line(&one.discount_type, Some(one.promotion_id), -one.amount)));
    if list > 0 {
        explanation.push(line("delivery_fee", None, Money::from(list)));
    }
    explanation.push(line("courier_tip", None, Money::from(70)));
    explanation.push(line("deposit", None, Money::from(50)));
    row.products_price = amount(goods);
    row.delivery_price = amount(fee);
    row.delivery_original_price = Some(amount(list));
    row.delivery_vat_percent = Some(percent(2));
    row.delivery_net_price = fee_net.into();
    row.delivery_vat_price = (Money::from(fee) - fee_net).into();
    row.discount_price = amount(off + taken[0] + taken[1]);
    row.original_price = amount(goods + off + list);
    row.courier_tip = amount(70);
    row.deposit = amount(50);
    row.total_price = amount(goods + fee + 70 + 50);
    (row.promotions, row.vats, row.explanation) = (promotions, sums, explanation);
    row
}

fn adds_up(row: &OrderRow, lines: &[Line], before: &OrderRow) -> Result<(), TestCaseError> {
    let sum = |amounts: &mut dyn Iterator<Item = Money>| amounts.sum::<Money>();
    prop_assert_eq!(sum(&mut row.explanation.iter().map(|line| line.amount)), row.total_price.0);
    let parts = row.products_price.0 + row.delivery_price.0 + row.courier_tip.0 + row.deposit.0;
    prop_assert_eq!(parts, row.total_price.0);
    prop_assert_eq!(row.original_price.0 - row.discount_price.0, row.products_price.0 + row.delivery_price.0);
    prop_assert_eq!(sum(&mut row.promotions.iter().map(|one| one.amount)), row.discount_price.0);
    prop_assert_eq!(row.products_price, before.products_price);
    prop_assert_eq!(row.delivery_net_price.0 + row.delivery_vat_price.0, row.delivery_price.0);
    let nets = lines.iter().map(|(list, off, rate)| net(Money::from(list - off), percent(*rate)));
    prop_assert_eq!(
        sum(&mut row.vats.iter().map(|vat| vat.net)),
        nets.sum::<Money>() + row.delivery_net_price.0
    );
    let gross = row.products_price.0 + row.delivery_price.0;
    prop_assert_eq!(sum(&mut row.vats.iter().map(|vat| vat.gross)), gross);
    prop_assert!(row.vats.iter().all(|vat| vat.net + vat.vat == vat.gross));
    prop_assert!(row.promotions.iter().all(|one| !one.amount.is_negative()));
    Ok(())
}

fn region(price: i64) -> Place {
    let fee = DeliveryFee { price: Money::from(price), ..DeliveryFee::default() };
    Place::Region(Region { fee, min_order_price: None })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn an_order_adds_up_wherever_it_is_brought(
        lines in proptest::collection::vec((100i64..9000, 0i64..100, 0usize..3), 1..6),
        list in 0i64..2000,
        shares in (0i64..=100, 0i64..=100),
        free in any::<bool>(),
        told in any::<bool>(),
        way in proptest::collection::vec(proptest::option::of(0i64..2500), 1..6),
    ) {
        let first = list * shares.0 / 100;
        let second = if free { list - first } else { (list - first) * shares.1 / 100 };
        let before = order(&lines, list, [first, second], free, told);
        adds_up(&before, &lines, &before)?;
        let list_value = Money::from(lines.iter().map(|(list, _, _)| *list).sum::<i64>());
        let mut row = before.clone();
        for price in way {
            let fee = Fee { place: price.map(region), vat: percent(2), list_value };
            if price.is_none() {
                drop_courier_tip(&mut row);
            }
            redeliver(&mut row, fee);
            adds_up(&row, &lines, &before)?;
            prop_assert_eq!(row.delivery_original_price, Some(amount(price.unwrap_or_default())));
            if free && told {
                prop_assert!(row.delivery_price.0.is_zero());
            }
        }
    }
}

/// An order without figures.
#[allow(clippy::too_many_lines, reason = "one line a column")]
fn blank() -> OrderRow {
    let none = Amount::from(Money::ZERO);
    OrderRow {
        id: Id::new(),
        restaurant_id: Id::new(),
        counter: None,
        timezone: String::new(),
        status: OrderStatus::Succeeded,
        platform: "browser".to_owned(),
        locale: "hu".to_owned(),
        pickup: false,
        is_preorder: false,
        is_test: false,
        message: None,
        first_name: None,
        last_name: None,
        email: None,
        phone_1: None,
        customer_id: None,
        coupon_code: None,
        payment_method_id: None,
        pays_with: None,
        currency: Currency::Huf,
        products_price: none,
        delivery_price: none,
        delivery_original_price: None,
        delivery_vat_percent: None,
        delivery_net_price: none,
        delivery_vat_price: none,
        discount_price: none,
        staff_discount: none,
        approved_by: None,
        approved_by_name: None,
        original_price: none,
        service_fee: none,
        tip: none,
        employee_tip: none,
        courier_tip: none,
        deposit: none,
        deposit_pieces: 0,
        system_usage_fee: none,
        system_usage_fee_vat_percent: None,
        system_usage_fee_net_price: none,
        system_usage_fee_vat_price: none,
        total_price: none,
        points_earned: 0,
        promotions: vec![],
        vats: vec![],
        explanation: vec![],
        expected_at: None,
        show_at: Timestamp::now(),
        delivery_time_minute: None,
        table_id: None,
        table_name: None,
        admin_id: None,
        admin_name: None,
        courier_id: None,
        delivery_data: None,
        coord_lat: None,
        coord_lng: None,
        delivery_region_id: None,
        delivery_region_name: None,
        delivery_street: None,
        delivery_found_by: None,
        delivery_prices: None,
        delivery_chosen_by: None,
        delivery_chosen_by_name: None,
        delivery_override_reason: None,
        delivery_address_region_id: None,
        delivery_address_region_name: None,
        order_parent_id: None,
        replaces_id: None,
        replaced_by_id: None,
        vouched: None,
        point_cash_ratio: Percent::ZERO,
        api_key_id: None,
        external_id: None,
        created_at: Timestamp::now(),
        accepted_at: None,
        acceptance: 0,
        prepared_at: None,
        closed_at: None,
        archived_at: None,
        archive_reason: None,
        visible_at: None,
        accept_seconds: None,
        taken_back_at: None,
        escalation_level: 1,
        escalated_at: None,
        archive_reason_id: None,
        archive_reason_name: None,
        archive_reason_name_sec_lang: None,
        archive_reason_text: None,
        version: 1,
    }
}
