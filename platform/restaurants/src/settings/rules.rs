//! What must hold between a restaurant's settings (document 1 §5).

use kernel::{
    Code, Fault, Problem,
    money::{Currency, Money},
    time::Tz,
};
use poem_openapi::types::MaybeUndefined;

use super::types::MenuLanguage;

/// Collects what is wrong with a body.
pub(super) struct Checks(Problem);

impl Checks {
    pub(super) fn new() -> Self {
        Self(Problem::new(Code::VALIDATION_FAILED))
    }

    pub(super) fn fault(&mut self, key: &str, fault: Fault) {
        self.0 = self.0.clone().key(key, fault);
    }

    /// A zone of the time zone database, by region and city: abbreviations such as `CET` do not say where.
    pub(super) fn timezone(&mut self, name: Option<&str>) {
        if name.is_some_and(|name| !name.contains('/') || name.parse::<Tz>().is_err()) {
            self.fault("timezone", Fault::NotExist);
        }
    }

    /// Two languages of one menu differ.
    pub(super) fn languages(&mut self, primary: MenuLanguage, secondary: Option<MenuLanguage>) {
        if secondary == Some(primary) {
            self.fault("secondary_language", Fault::Invalid);
        }
    }

    /// Not negative, and no finer than the currency's smallest coin (decisions §3).
    pub(super) fn minimum_price(&mut self, price: Money, currency: Currency) {
        if price.is_negative() {
            self.fault("min_order_price", Fault::Min);
        } else if price.round(currency) != price {
            self.fault("min_order_price", Fault::Pattern);
        }
    }

    pub(super) fn done(self) -> kernel::Result<()> {
        self.0.if_any()
    }
}

/// Null is no minimum.
pub(super) fn price_or_zero(price: MaybeUndefined<Money>) -> Option<Money> {
    match price {
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some(Money::ZERO),
        MaybeUndefined::Value(price) => Some(price),
    }
}

/// A prefix as it is kept: a capital, none when empty.
pub(super) fn counter_prefix(prefix: MaybeUndefined<String>) -> MaybeUndefined<String> {
    match prefix {
        MaybeUndefined::Value(text) if text.is_empty() => MaybeUndefined::Null,
        MaybeUndefined::Value(text) => MaybeUndefined::Value(text.to_ascii_uppercase()),
        other => other,
    }
}

/// The shortest time before a preorder: at least a minute.
pub(super) fn at_least_one(minutes: Option<i32>) -> Option<i32> {
    minutes.map(|minutes| minutes.max(1))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn faults(check: impl FnOnce(&mut Checks)) -> String {
        let mut checks = Checks::new();
        check(&mut checks);
        checks.done().err().map(|problem| problem.to_string()).unwrap_or_default()
    }

    #[test]
    fn zones_have_a_region_and_a_city() {
        for (name, good) in [
            ("Europe/Budapest", true),
            ("America/Argentina/Buenos_Aires", true),
            ("CET", false),
            ("UTC", false),
            ("Europe/Atlantis", false),
            ("", false),
            ("+01:00", false),
        ] {
            assert_eq!(faults(|checks| checks.timezone(Some(name))).is_empty(), good, "{name}");
        }
        assert_eq!(faults(|checks| checks.timezone(None)), "");
    }

    #[test]
    fn a_minimum_is_of_the_currency() {
        for (price, currency, fault) in [
            ("0", Currency::Huf, ""),
            ("2000", Currency::Huf, ""),
            ("2000.00", Currency::Huf, ""),
            ("2000.5", Currency::Huf, "VALIDATION_FAILED min_order_price:pattern"),
            ("12.50", Currency::Eur, ""),
            ("-1", Currency::Eur, "VALIDATION_FAILED min_order_price:min"),
        ] {
            assert_eq!(faults(|checks| checks.minimum_price(price.parse().unwrap(), currency)), fault, "{price}");
        }
    }

    #[test]
    fn a_prefix_is_kept_as_a_capital() {
        let kept = |text: &str| counter_prefix(MaybeUndefined::Value(text.to_owned()));
        assert_eq!(kept("b"), MaybeUndefined::Value("B".to_owned()));
        assert_eq!(kept("7"), MaybeUndefined::Value("7".to_owned()));
        assert_eq!(kept(""), MaybeUndefined::Null);
        assert_eq!(counter_prefix(MaybeUndefined::Undefined), MaybeUndefined::Undefined);
    }

    #[test]
    fn a_second_language_is_another() {
        assert_eq!(faults(|checks| checks.languages(MenuLanguage::Hu, None)), "");
        assert_eq!(faults(|checks| checks.languages(MenuLanguage::Hu, Some(MenuLanguage::En))), "");
        assert_eq!(faults(|checks| checks.languages(MenuLanguage::Hu, Some(MenuLanguage::Hu))), "VALIDATION_FAILED secondary_language:invalid");
    }
}
