//! Factors and shares beyond what orders reach, and limits of the catalogue.

use super::*;
use crate::units::Factor;

/// A third of a hundred, with as many digits as a decimal has.
const LONG: &str = "33.333333333333333333333333";

#[test]
fn factors_with_many_digits_lose_their_last_ones() {
    let third = Factor::percent(LONG.parse().unwrap());
    for number in [0, 3, 1_000_000, 10_i128.pow(14), 10_i128.pow(20), 10_i128.pow(30)] {
        let near = |found: i128| {
            let missing = number / 3 - found;
            assert!((-1..=1 + number / 1_000_000).contains(&missing), "{found} of {number}");
        };
        near(third.floor_of(number));
        near(third.of(number));
        near(number / 3 - third.above(number / 3, number));
    }
    assert_eq!((third.floor_of(5), third.of(5)), (1, 2), "rounded down, and to the nearest");
}

#[test]
fn the_fewest_options_can_be_had() {
    for (fewest, offered, can) in [
        (-1, 0, true),
        (0, 0, true),
        (1, 0, false),
        (1, 1, true),
        (999, 1, true),
        (1000, 1, false),
        (1000, 2, true),
    ] {
        assert_eq!(OptionGroup::can_be_met(fewest, offered), can, "{fewest} of {offered}");
    }
}
