//! Decimals: parsing, rounding, spreading.
// Clippy takes no module for a test whose condition has more than `test`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use poem_openapi::{
    registry::MetaSchemaRef,
    types::{ParseError, ParseFromJSON, ParseFromParameter, ToJSON, Type},
};
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn from_json(text: &str) -> Result<Money, String> {
    let value: Value = serde_json::from_str(text).unwrap();
    Money::parse_from_json(Some(value)).map_err(ParseError::into_message)
}

fn to_json(value: impl ToJSON) -> String {
    value.to_json().unwrap().to_string()
}

#[test]
fn takes_numbers_and_numeric_strings_with_their_exact_digits() {
    for (input, output) in [
        ("0.10", "0.10"),
        ("1490", "1490"),
        ("-12.5", "-12.5"),
        ("\"12,50\"", "12.50"),
        ("\" 12.50 \"", "12.50"),
        ("\"+3\"", "3"),
        ("\"007\"", "7"),
        ("1e3", "1000"),
        ("1.25E-2", "0.0125"),
        ("-0", "0"),
        ("-0.00", "0.00"),
        ("0e5", "0"),
        ("123456789012.1234567890123456", "123456789012.1234567890123456"),
        ("0.1234567890123456789012345678", "0.1234567890123456789012345678"),
        ("1000000000000", "1000000000000"),
    ] {
        let money = from_json(input).unwrap_or_else(|e| panic!("{input}: {e}"));
        assert_eq!(to_json(money), output, "{input}");
        assert_eq!(serde_json::to_string(&money).unwrap(), output, "{input}");
        assert_eq!(serde_json::from_str::<Money>(input).unwrap(), money, "{input}");
    }
}

#[test]
fn refuses_what_is_no_amount() {
    for input in [
        "null",
        "true",
        "[]",
        "{}",
        "\"\"",
        "\"-\"",
        "\"NaN\"",
        "\"inf\"",
        "\"1.2.3\"",
        "\"1,234.5\"",
        "\"1 000\"",
        "\"1_000\"",
        "\"0x10\"",
        "\"5.\"",
        "\".5\"",
        "\"1e\"",
        "\"1e1.5\"",
        "\"--1\"",
        "\"١\"",
        "1e400",
        "1e-400",
        "1e29",
        "0.1e-28",
        "123456789012.12345678901234567",
        "1000000000000.01",
        "-1000000000001",
        "1e99999999999999999999",
    ] {
        assert!(from_json(input).is_err(), "{input}");
        assert!(serde_json::from_str::<Money>(input).is_err(), "{input}");
    }
    assert!(Money::parse_from_json(None).is_err());
}

#[test]
fn a_percent_is_a_share_of_a_hundred() {
    let percent = |value: Value| Percent::parse_from_json(Some(value)).ok();
    assert_eq!(percent(json!(27)), Some(Percent(dec("27"))));
    assert_eq!(percent(json!("4,5")), Some(Percent(dec("4.5"))));
    assert_eq!(percent(json!(100.01)), None);
    assert_eq!(percent(json!(-1)), None);
    assert_eq!(Percent(dec("27")).of(Money::from(1000)), Money::from(270));
    assert_eq!(Percent(dec("27")).net_of(Money::from(1270)), Money::from(1000));
}

#[test]
fn a_parameter_is_read_like_a_string() {
    assert_eq!(Quantity::parse_from_parameter("1,5").ok(), Some(Quantity(dec("1.5"))));
    assert!(Quantity::parse_from_parameter("one").is_err());
}

#[test]
fn the_schema_says_number_and_decimal_with_limits() {
    let MetaSchemaRef::Inline(schema) = Percent::schema_ref() else { panic!("inline") };
    assert_eq!((schema.ty, schema.format), ("number", Some("decimal")));
    assert_eq!((schema.minimum, schema.maximum), (Some(0.0), Some(100.0)));
}

#[test]
fn rounds_half_away_from_zero_to_the_currency() {
    for (value, huf, eur) in [
        ("0.5", "1", "0.5"),
        ("-0.5", "-1", "-0.5"),
        ("1.005", "1", "1.01"),
        ("-1.005", "-1", "-1.01"),
        ("2.4949", "2", "2.49"),
    ] {
        assert_eq!(Money(dec(value)).round(Currency::Huf).0, dec(huf), "{value}");
        assert_eq!(Money(dec(value)).round(Currency::Eur).0, dec(eur), "{value}");
    }
}

#[test]
fn the_opposite_of_zero_is_zero() {
    assert_eq!(to_json(-Money::ZERO), "0");
    assert_eq!(to_json(-Money::from(5)), "-5");
}

#[test]
fn currencies_have_one_name_everywhere() {
    for currency in Currency::ALL {
        let name = currency.as_str();
        assert_eq!(name.parse(), Ok(currency));
        assert_eq!(serde_json::to_value(currency).unwrap(), json!(name));
        assert_eq!(currency.to_json(), Some(json!(name)));
        assert_eq!(sea_orm::Value::from(currency), sea_orm::Value::from(name.to_owned()));
    }
    assert!("HUF".parse::<Currency>().is_err());
    assert_eq!((Currency::Huf.unit(), Currency::Gbp.unit()), (dec("1"), dec("0.01")));
}

#[test]
fn sea_orm_stores_them_as_decimals() {
    use sea_orm::sea_query::ValueType;
    let value = sea_orm::Value::from(Money(dec("12.50")));
    assert_eq!(value, sea_orm::Value::from(dec("12.50")));
    assert_eq!(<Money as ValueType>::try_from(value).unwrap(), Money(dec("12.50")));
}

#[test]
fn spread_by_largest_remainder() {
    let spread = |amount: i64, weights: &[i64]| -> Vec<i64> {
        let weights: Vec<Decimal> = weights.iter().map(|w| Decimal::from(*w)).collect();
        let parts = spread(Money::from(amount), &weights, Decimal::ONE);
        parts.iter().map(|part| part.0.try_into().unwrap()).collect()
    };
    assert_eq!(spread(100, &[1, 1, 1]), [34, 33, 33], "ties go to the earlier");
    assert_eq!(spread(2, &[1, 3]), [0, 2], "a tie of remainders goes to the larger part");
    assert_eq!(spread(10, &[3, 0, 3, 4]), [3, 0, 3, 4]);
    assert_eq!(spread(-100, &[1, 1, 1]), [-34, -33, -33]);
    assert_eq!(spread(7, &[0, 0]), [7, 0]);
    assert_eq!(spread(0, &[1, 2]), [0, 0]);
    assert_eq!(spread(5, &[]), [0; 0]);
    assert_eq!(spread(5, &[-3, 1]), [0, 5], "weights below zero count as zero");
}

#[test]
fn an_odd_rest_goes_to_the_largest_part() {
    let parts = spread(Money(dec("10.4")), &[dec("1"), dec("3"), dec("3")], Decimal::ONE);
    assert_eq!(parts, [Money(dec("2")), Money(dec("4.4")), Money(dec("4"))]);
}

#[test]
fn even_absurd_amounts_are_spread_without_loss() {
    let amount = Money(dec("9999999999999999999999999999"));
    let weights = [dec("7777777777777777777777777777"), dec("3333333333333333333333333333"), Decimal::ONE];
    assert_eq!(spread(amount, &weights, Decimal::ONE).into_iter().sum::<Money>(), amount);
}

proptest! {
    #[test]
    fn spread_parts_add_up_and_stay_within_a_unit(
        units in -1_000_000_000i64..1_000_000_000, decimals in 0u32..=2, weights in prop::collection::vec(0i64..1_000_000, 1..40),
    ) {
        let unit = Decimal::new(1, decimals);
        let amount = Money(Decimal::new(units, decimals));
        let weights: Vec<Decimal> = weights.into_iter().map(Decimal::from).collect();
        let total: Decimal = weights.iter().sum();
        let parts = spread(amount, &weights, unit);
        prop_assert_eq!(parts.len(), weights.len());
        prop_assert_eq!(parts.iter().copied().sum::<Money>(), amount);
        for (part, weight) in parts.iter().zip(&weights) {
            prop_assert!(part.is_zero() || part.is_negative() == amount.is_negative());
            prop_assert!((part.0 / unit).fract().is_zero());
            if !total.is_zero() {
                prop_assert!((part.0 * total - amount.0 * weight).abs() < unit * total);
                prop_assert!(!weight.is_zero() || part.is_zero());
            }
        }
        for (a, b) in parts.iter().zip(&parts[1..]).zip(weights.iter().zip(&weights[1..])).filter(|(_, (v, w))| v > w).map(|(p, _)| p) {
            prop_assert!(a.abs() >= b.abs(), "a larger part never gets less");
        }
    }

    #[test]
    fn digits_survive_the_wire(mantissa in -9_999_999_999_999_999i64..=9_999_999_999_999_999, scale in 4u32..=20) {
        let money = Money(Decimal::new(mantissa, scale));
        let sent = to_json(money);
        let read = from_json(&sent).unwrap();
        prop_assert_eq!(read, money);
        prop_assert_eq!(to_json(read), sent);
    }

    #[test]
    fn any_text_is_read_or_refused_without_panic(text in "\\PC{0,40}", number in "[-+]?[0-9]{0,40}[.,]?[0-9]{0,40}([eE][-+]?[0-9]{1,4})?") {
        let _ = text.parse::<Money>();
        if let Ok(money) = number.parse::<Money>() {
            prop_assert!(money.abs().0 <= LIMIT);
        }
    }
}
