//! Rules between a restaurant's settings.

use kernel::Clearable;
use kernel::{
    Code, Fault, Problem,
    money::{Currency, Money, Percent, Quantity},
    time::{Timestamp, Tz},
};
use rust_decimal::RoundingStrategy;

use super::language::MenuLanguage;

/// The largest least value of an order: what the most dear item costs.
const MAX_MINIMUM: i64 = 10_000_000;

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

    /// Not negative, no more than any item costs, and no finer than the currency's smallest coin.
    pub(super) fn minimum_price(&mut self, price: Money, currency: Currency) {
        if price.is_negative() {
            self.fault("min_order_price", Fault::Min);
        } else if price > Money::from(MAX_MINIMUM) {
            self.fault("min_order_price", Fault::Max);
        } else if price.round(currency) != price {
            self.fault("min_order_price", Fault::Pattern);
        }
    }

    /// The minimum price that is there can be said in another currency.
    pub(super) fn currency_of(&mut self, minimum: Money, currency: Option<Currency>) {
        if currency.is_some_and(|currency| minimum.round(currency) != minimum) {
            self.fault("currency", Fault::Invalid);
        }
    }

    /// The end of an SOS close lies ahead, and there is one to end.
    pub(super) fn sos_end(&mut self, temp_no_orders: Option<bool>, until: Option<Timestamp>, now: Timestamp) {
        match until {
            Some(_) if temp_no_orders != Some(true) => self.fault("temp_no_orders_until", Fault::Invalid),
            Some(end) if end <= now => self.fault("temp_no_orders_until", Fault::Min),
            _ => {}
        }
    }

    /// The last day of preorders is not before the first. Each is what was sent and what holds so far; the
    /// fault is at what was sent.
    pub(super) fn preorder_days(&mut self, first: (Option<i32>, i32), last: (Option<i32>, i32)) {
        if last.0.unwrap_or(last.1) >= first.0.unwrap_or(first.1) {
            return;
        }
        match (first.0, last.0) {
            (_, Some(_)) => self.fault("days_to_preorder", Fault::Min),
            (Some(_), None) => self.fault("min_days_to_preorder", Fault::Max),
            (None, None) => {}
        }
    }

    /// A place on the map has both coordinates or none.
    pub(super) fn place(&mut self, lat: Option<f64>, lng: Option<f64>) {
        if lat.is_some() != lng.is_some() {
            self.fault(if lat.is_some() { "coord_lng" } else { "coord_lat" }, Fault::Required);
        }
    }

    pub(super) fn done(self) -> kernel::Result<()> {
        self.0.if_any()
    }
}

/// Null is no minimum.
pub(super) fn price_or_zero(price: Clearable<Money>) -> Option<Money> {
    match price {
        Clearable::Undefined => None,
        Clearable::Null => Some(Money::ZERO),
        Clearable::Value(price) => Some(price),
    }
}

/// A share as it is kept: between nothing and all, with two decimals.
pub(super) fn share(sent: Quantity) -> Percent {
    Percent(
        sent.0
            .clamp(Percent::ZERO.0, 100.into())
            .round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero),
    )
}

/// An empty text is none.
pub(crate) fn none_if_empty(sent: Clearable<String>) -> Clearable<String> {
    match sent {
        Clearable::Value(text) if text.trim().is_empty() => Clearable::Null,
        Clearable::Value(text) => Clearable::Value(text.trim().to_owned()),
        other => other,
    }
}

/// A prefix as it is kept: a capital, none when empty.
pub(super) fn counter_prefix(prefix: Clearable<String>) -> Clearable<String> {
    match prefix {
        Clearable::Value(text) if text.is_empty() => Clearable::Null,
        Clearable::Value(text) => Clearable::Value(text.to_ascii_uppercase()),
        other => other,
    }
}

/// So many minutes; 0 is never, as null is.
pub(super) fn minutes_or_never(minutes: Clearable<i32>) -> Clearable<i32> {
    match minutes {
        Clearable::Value(0) => Clearable::Null,
        other => other,
    }
}

/// The shortest time before a preorder: at least a minute.
pub(super) fn at_least_one(minutes: Option<i32>) -> Option<i32> {
    minutes.map(|minutes| minutes.max(1))
}

#[cfg(test)]
mod tests {
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
            ("50000000000", Currency::Huf, "VALIDATION_FAILED min_order_price:max"),
        ] {
            assert_eq!(
                faults(|checks| checks.minimum_price(price.parse().unwrap(), currency)),
                fault,
                "{price}"
            );
        }
    }

    #[test]
    fn a_prefix_is_stored_as_a_capital() {
        let prefix = |text: &str| counter_prefix(Clearable::Value(text.to_owned()));
        assert_eq!(prefix("b"), Clearable::Value("B".to_owned()));
        assert_eq!(prefix("7"), Clearable::Value("7".to_owned()));
        assert_eq!(prefix(""), Clearable::Null);
        assert_eq!(counter_prefix(Clearable::Undefined), Clearable::Undefined);
    }

    #[test]
    fn the_last_day_of_preorders_is_not_before_the_first() {
        for (first, last, fault) in [
            (Some(0), Some(1), ""),
            (Some(3), Some(3), ""),
            (Some(4), Some(3), "VALIDATION_FAILED days_to_preorder:min"),
            // Three days hold so far for the last, two for the first.
            (Some(3), None, ""),
            (Some(4), None, "VALIDATION_FAILED min_days_to_preorder:max"),
            (None, Some(2), ""),
            (None, Some(1), "VALIDATION_FAILED days_to_preorder:min"),
            (None, None, ""),
        ] {
            assert_eq!(
                faults(|checks| checks.preorder_days((first, 2), (last, 3))),
                fault,
                "{first:?} {last:?}"
            );
        }
        // What was not sent is not at fault.
        assert_eq!(faults(|checks| checks.preorder_days((None, 5), (None, 3))), "");
    }

    #[test]
    fn a_second_language_is_another() {
        assert_eq!(faults(|checks| checks.languages(MenuLanguage::Hu, None)), "");
        assert_eq!(faults(|checks| checks.languages(MenuLanguage::Hu, Some(MenuLanguage::En))), "");
        assert_eq!(
            faults(|checks| checks.languages(MenuLanguage::Hu, Some(MenuLanguage::Hu))),
            "VALIDATION_FAILED secondary_language:invalid"
        );
    }

    #[test]
    fn points_are_a_share() {
        for (sent, expected) in [
            ("-3", "0"),
            ("0", "0"),
            ("2.505", "2.51"),
            ("2.495", "2.5"),
            ("7.25", "7.25"),
            ("100", "100"),
            ("250", "100"),
        ] {
            assert_eq!(share(sent.parse().unwrap()).0.normalize().to_string(), expected, "{sent}");
        }
    }

    #[test]
    fn an_sos_close_ends_later() {
        let now: Timestamp = "2025-06-10T10:00:00Z".parse().unwrap();
        let fault = |on, end: i64| faults(|checks| checks.sos_end(on, Some(now.plus_minutes(end)), now));
        assert_eq!(fault(Some(true), 1), "");
        assert_eq!(fault(Some(true), 0), "VALIDATION_FAILED temp_no_orders_until:min");
        assert_eq!(fault(Some(false), 1), "VALIDATION_FAILED temp_no_orders_until:invalid");
        assert_eq!(fault(None, 1), "VALIDATION_FAILED temp_no_orders_until:invalid");
        assert_eq!(faults(|checks| checks.sos_end(Some(true), None, now)), "");
    }
}
