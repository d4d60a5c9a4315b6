//! Money, quantities and percents: exact decimals, never floating point.
//!
//! On the wire they are JSON numbers with exactly the digits they have (`12.50` stays `12.50`). Input may
//! also be a numeric string, with a decimal comma or point. In the database they are `numeric`.
//!
//! Amounts are gross and in the restaurant's currency unless a name says otherwise. Rounding is half away
//! from zero, once, at the end of a calculation: arithmetic here never rounds, [`Money::round`] does.

use std::{fmt, iter::Sum, ops, str::FromStr};

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Number, Value};

mod currency;
mod spread;
#[cfg(all(test, feature = "service"))]
mod tests;

pub use currency::{Currency, UnknownCurrency};
pub use spread::spread;

/// Most digits a number may have, before and after the point together. `Decimal` holds any number of 28
/// digits.
const MAX_DIGITS: usize = 28;
/// The largest amount or quantity, 10^12. More is a mistake; it also keeps every product of a cart within
/// `Decimal`.
const LIMIT: Decimal = Decimal::from_parts(0xD4A5_1000, 0xE8, 0, false, 0);
const LIMIT_BELOW: Decimal = Decimal::from_parts(0xD4A5_1000, 0xE8, 0, true, 0);
const HUNDRED: Decimal = Decimal::ONE_HUNDRED;

/// Why a text or JSON value is not a number we take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDecimal {
    /// Not of the form `-12.5`, `12,5` or `1.2e3`.
    #[error("not a decimal number")]
    NotANumber,
    /// More than 28 digits, or an exponent that would need more.
    #[error("a number may have at most 28 digits")]
    TooManyDigits,
    /// Outside what the type allows: 10^12 for money and quantities, 0 to 100 for percents.
    #[error("the number is out of range")]
    OutOfRange,
}

/// Reads a decimal exactly: nothing is rounded away, what cannot be held is refused.
fn parse_text(text: &str) -> Result<Decimal, InvalidDecimal> {
    use InvalidDecimal::{NotANumber, TooManyDigits};
    let text = text.trim();
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, read_exponent(exponent)?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    // "5." and ".5" are refused as JSON refuses them, so that a half-typed number is not taken.
    let half_written = whole.is_empty() || (fraction.is_empty() && mantissa.len() != whole.len());
    if half_written || !all_digits(whole) || !all_digits(fraction) {
        return Err(NotANumber);
    }
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let fraction_len = i64::try_from(fraction.len()).map_err(|_| TooManyDigits)?;
    // The value is `digits` × 10^-scale; a negative scale appends zeros.
    let scale =
        if digits.is_empty() { fraction_len.clamp(0, MAX_DIGITS as i64) } else { fraction_len - exponent };
    let zeros = usize::try_from(-scale).unwrap_or(0);
    let scale = u32::try_from(scale).unwrap_or(0);
    if digits.len() + zeros > MAX_DIGITS || scale as usize > MAX_DIGITS {
        return Err(TooManyDigits);
    }
    let padded = format!("0{digits}{}", "0".repeat(zeros));
    let mut value = Decimal::from_i128_with_scale(padded.parse().map_err(|_| NotANumber)?, scale);
    value.set_sign_negative(negative && !value.is_zero());
    Ok(value)
}

fn read_exponent(text: &str) -> Result<i64, InvalidDecimal> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(InvalidDecimal::NotANumber);
    }
    // Anything longer than three digits is far outside; its zeros would only cost time.
    let value: i64 = text.parse().map_err(|_| InvalidDecimal::TooManyDigits)?;
    if value.unsigned_abs() > MAX_DIGITS as u64 { Err(InvalidDecimal::TooManyDigits) } else { Ok(value) }
}

/// The decimal that a JSON number or numeric string stands for, of any range.
pub(crate) fn parse_json(value: &Value) -> Result<Decimal, InvalidDecimal> {
    match value {
        Value::Number(number) => parse_text(&number.to_string()),
        Value::String(text) => parse_text(text),
        _ => Err(InvalidDecimal::NotANumber),
    }
}

/// The exact digits as a JSON number. `Decimal` always prints as one; zero stands for the impossible rest.
pub(crate) fn number(value: Decimal) -> Number {
    Number::from_str(&value.to_string()).unwrap_or_else(|_| Number::from(0))
}

macro_rules! decimal_type {
    ($(#[$doc:meta])* $name:ident, $min:expr, $max:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[cfg_attr(feature = "service", derive(sea_orm::DeriveValueType))]
        pub struct $name(pub Decimal);

        impl $name {
            /// Zero.
            pub const ZERO: Self = Self(Decimal::ZERO);
            pub(crate) const MIN: Decimal = $min;
            pub(crate) const MAX: Decimal = $max;

            /// The value when it is within the range of the type, as every value from outside must be.
            pub fn checked(value: Decimal) -> Result<Self, InvalidDecimal> {
                if Self::MIN <= value && value <= Self::MAX {
                    Ok(Self(value))
                } else {
                    Err(InvalidDecimal::OutOfRange)
                }
            }

            /// The plain decimal.
            pub fn value(self) -> Decimal {
                self.0
            }

            /// Whether it is zero.
            pub fn is_zero(self) -> bool {
                self.0.is_zero()
            }

            /// Whether it is below zero.
            pub fn is_negative(self) -> bool {
                self.0 < Decimal::ZERO
            }
        }

        impl FromStr for $name {
            type Err = InvalidDecimal;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                parse_text(text).and_then(Self::checked)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                // Whole numbers, as most are, need no text of their own.
                match (self.0.scale(), i64::try_from(self.0.mantissa())) {
                    (0, Ok(whole)) => serializer.serialize_i64(whole),
                    _ => number(self.0).serialize(serializer),
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = Value::deserialize(deserializer)?;
                parse_json(&value).and_then(Self::checked).map_err(de::Error::custom)
            }
        }
    };
}

macro_rules! additive {
    ($name:ident) => {
        impl $name {
            /// Without its sign.
            pub fn abs(self) -> Self {
                Self(self.0.abs())
            }
        }
        impl ops::Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }
        impl ops::Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }
        impl ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }
        impl ops::SubAssign for $name {
            fn sub_assign(&mut self, other: Self) {
                self.0 -= other.0;
            }
        }
        impl ops::Neg for $name {
            type Output = Self;
            fn neg(self) -> Self {
                // Zero stays plain zero: "-0" must never reach the wire.
                if self.is_zero() { self } else { Self(-self.0) }
            }
        }
        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
                items.fold(Self::ZERO, |sum, item| sum + item)
            }
        }
        impl ops::Mul<Decimal> for $name {
            type Output = Self;
            fn mul(self, factor: Decimal) -> Self {
                Self(self.0 * factor)
            }
        }
        impl From<i64> for $name {
            fn from(value: i64) -> Self {
                Self(value.into())
            }
        }
    };
}

decimal_type!(
    /// An amount in the currency of its restaurant, at most 10^12. Not tied to a number of decimals: sale
    /// prices have the currency's, stock values up to 4.
    Money, LIMIT_BELOW, LIMIT
);
decimal_type!(
    /// How much of something, in its unit, at most 10^12; stock keeps up to 4 decimals.
    Quantity, LIMIT_BELOW, LIMIT
);
decimal_type!(
    /// A share of a hundred, from 0 to 100: `27` is 27 %.
    Percent, Decimal::ZERO, HUNDRED
);
additive!(Money);
additive!(Quantity);

impl ops::Mul<Quantity> for Money {
    type Output = Self;
    fn mul(self, quantity: Quantity) -> Self {
        Self(self.0 * quantity.0)
    }
}

impl Money {
    /// Rounded to the smallest unit of the currency, half away from zero.
    pub fn round(self, currency: Currency) -> Self {
        self.round_to(currency.decimals())
    }

    /// Rounded to so many decimals, half away from zero.
    pub fn round_to(self, decimals: u32) -> Self {
        Self(self.0.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero))
    }
}

impl Percent {
    /// This share of an amount, not rounded.
    pub fn of(self, amount: Money) -> Money {
        Money(amount.0 * self.0 / HUNDRED)
    }

    /// The net of a gross amount that contains this much VAT, not rounded: gross ÷ (1 + VAT %).
    pub fn net_of(self, gross: Money) -> Money {
        Money(gross.0 * HUNDRED / (HUNDRED + self.0))
    }
}
