//! Staff discounts and points.

use super::*;

fn with_discount(discount: StaffDiscount) -> Cart {
    Cart {
        platform: Platform::Phone,
        staff_discount: Some(discount),
        ..cart(&[line(PIZZA, 1, &[(CHEESE, 1)]), line(BEER, 1, &[])])
    }
}

fn staff(most: Option<i64>) -> Config {
    Config { staff: true, max_discount_percent: most.map(percent), ..delivered(500) }
}

#[test]
fn it_is_taken_from_the_goods_as_promotions_left_them() {
    let run = |discount| {
        // 2990 and 890 less 50 %, 300 for the cheese.
        let half = taking(1, ApplyType::ApplyPerCart, range(ValueKind::Percent, 50));
        let beer = Gift {
            subproduct_id: BEER,
            quantity: 1,
            quantity_type: GiftQuantityType::PerCart,
            discount_percentage: percent(100),
        };
        let gift = Range { gifts: vec![beer], ..range(ValueKind::Percent, 0) };
        let promotions = [half, taking(2, ApplyType::ApplyPerCart, gift)];
        let priced = price(&catalogue(), &promotions, &with_discount(discount), &staff(None));
        assert_eq!(whole(priced.delivery_price), 500, "not from the delivery");
        assert_eq!(whole(priced.lines[2].discount), 890, "not from gifts");
        (whole(priced.staff_discount), paid(&priced))
    };
    // 10 % of 1495, 300 and 445.
    assert_eq!(run(StaffDiscount::Percent(percent(10))), (224, vec![1795 - 150 - 30, 445 - 44, 0]));
    assert_eq!(run(StaffDiscount::Amount(Money::from(224))), (224, vec![1795 - 150 - 30, 445 - 44, 0]));
    assert_eq!(run(StaffDiscount::Amount(Money::from(9999))), (2240, vec![0, 0, 0]), "no more than there is");
    assert_eq!(run(StaffDiscount::Percent(percent(0))), (0, vec![1795, 445, 0]));
}

#[test]
fn its_limit_is_a_share_of_that_sum() {
    let refused = |discount, most| {
        let half = taking(1, ApplyType::ApplyPerCart, range(ValueKind::Percent, 50));
        let reasons = acceptable(&catalogue(), &[half], &with_discount(discount), &staff(most));
        reasons.into_iter().map(|r| (r.reason.as_str(), r.detail)).collect::<Vec<_>>()
    };
    let above = vec![("staff_discount_above_limit", Some("10".to_owned()))];
    let amount = |amount: i64| StaffDiscount::Amount(Money::from(amount));
    assert_eq!(refused(StaffDiscount::Percent(percent(10)), Some(10)), []);
    assert_eq!(refused(StaffDiscount::Percent(Percent(Decimal::new(101, 1))), Some(10)), above);
    assert_eq!(refused(amount(224), Some(10)), [], "10 % of 2240");
    assert_eq!(refused(amount(225), Some(10)), above);
    assert_eq!(refused(amount(9999), Some(100)), []);
    assert_eq!(refused(amount(9999), None), []);
    assert_eq!(refused(amount(1), Some(0)), [("staff_discount_above_limit", Some("0".to_owned()))]);
    assert_eq!(refused(amount(0), Some(0)), []);
}

#[test]
fn points_are_earned_for_goods_that_points_did_not_pay() {
    let run = |vouched, by_points: i64, ratio: &str| {
        let customer = Some(Customer { id: Some(ELSEWHERE), vouched });
        let tips = Tips { tip: Money::from(1000), ..Tips::default() };
        let by_points = Money::from(by_points);
        let cart = Cart { customer, by_points, tips, ..cart(&[line(BEER, 2, &[])]) };
        let half = taking(1, ApplyType::ApplyPerCart, range(ValueKind::Percent, 50));
        let ratio = Percent(ratio.parse().unwrap());
        let config = Config { point_cash_ratio: ratio, ..delivered(500) };
        price(&catalogue(), &[half], &cart, &config).points_earned
    };
    assert_eq!(run(true, 0, "5"), 44, "5 % of 890, rounded down");
    assert_eq!(run(true, 0, "2.5"), 22);
    assert_eq!(run(true, 400, "5"), 24);
    assert_eq!(run(true, 891, "5"), 0);
    assert_eq!(run(false, 0, "5"), 0, "nobody vouches");
    assert_eq!(run(true, 0, "0"), 0);
    let nobody = price(
        &catalogue(),
        &[],
        &cart(&[line(BEER, 2, &[])]),
        &Config { point_cash_ratio: percent(5), ..config() },
    );
    assert_eq!(nobody.points_earned, 0);
    let mut catalogue = catalogue();
    catalogue.items.get_mut(&BEER).unwrap().price = money("8.99");
    let customer = Some(Customer { id: None, vouched: true });
    let config = Config { currency: Currency::Eur, point_cash_ratio: percent(10), ..config() };
    let euros = price(&catalogue, &[], &Cart { customer, ..cart(&[line(BEER, 1, &[])]) }, &config);
    assert_eq!(euros.points_earned, 89, "a point is a cent");
}
