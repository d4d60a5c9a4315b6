//! Prices of the catalogue.

use std::borrow::Cow;

use kernel::{
    Fault,
    money::{Currency, Money},
};
use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use rust_decimal::Decimal;
use serde::Serialize;

/// The most one piece or one option may cost.
const MAX: i64 = 10_000_000;

/// A gross list price, 0 to 10,000,000, in the restaurant's currency. A type of its own so that its limits
/// stand in the published schema, where the form and the check of bodies read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub(crate) struct SalePrice(pub Money);

impl SalePrice {
    /// What is wrong with it in this currency: an amount smaller than its smallest coin (Ft have no
    /// decimals).
    pub(crate) fn fault(self, currency: Currency) -> Option<Fault> {
        (self.0 != self.0.round(currency)).then_some(Fault::Invalid)
    }

    /// With exactly the currency's decimals, as prices are shown and stored.
    pub(crate) fn shown(amount: Money, currency: Currency) -> Self {
        let mut value = amount.value();
        value.rescale(currency.decimals());
        Self(Money(value))
    }
}

impl Type for SalePrice {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "sale_price".into()
    }
    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema {
            minimum: Some(0.0),
            maximum: Some(MAX as f64),
            ..MetaSchema::new_with_format("number", "decimal")
        }))
    }
    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ParseFromJSON for SalePrice {
    fn parse_from_json(value: Option<serde_json::Value>) -> ParseResult<Self> {
        let money = Money::parse_from_json(value).map_err(ParseError::propagate)?;
        if money.is_negative() || money.value() > Decimal::from(MAX) {
            return Err(ParseError::custom("the price is out of range"));
        }
        Ok(Self(money))
    }
}

impl ToJSON for SalePrice {
    fn to_json(&self) -> Option<serde_json::Value> {
        self.0.to_json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_has_the_decimals_of_its_currency() {
        let cases = [
            ("1990", true, true),
            ("1990.00", true, true),
            ("12.5", false, true),
            ("12.555", false, false),
            ("0", true, true),
        ];
        for (text, huf, eur) in cases {
            let price = SalePrice(text.parse().unwrap());
            assert_eq!(price.fault(Currency::Huf).is_none(), huf, "{text} Ft");
            assert_eq!(price.fault(Currency::Eur).is_none(), eur, "{text} €");
        }
    }

    #[test]
    fn limits_hold_when_read() {
        let read = |text: &str| SalePrice::parse_from_json(Some(serde_json::from_str(text).unwrap())).is_ok();
        assert!(read("10000000") && read("\"1990\"") && read("0"));
        assert!(!read("10000000.01") && !read("-1") && !read("null"));
    }

    #[test]
    fn stored_decimals_are_not_shown() {
        let shown = |text: &str, currency| SalePrice::shown(text.parse().unwrap(), currency).0.to_string();
        assert_eq!(shown("1990.00", Currency::Huf), "1990");
        assert_eq!(shown("12.5", Currency::Eur), "12.50");
    }
}
