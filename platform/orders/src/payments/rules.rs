//! Figures of payments and refunds, without I/O. See `docs/decisions/payments.md#cash`.

use kernel::money::{Currency, Money};
use rust_decimal::{Decimal, RoundingStrategy};

/// The smallest coin of a currency: there is none below 5 Ft.
fn coin(currency: Currency) -> Decimal {
    match currency {
        Currency::Huf => Decimal::from(5),
        other => other.unit(),
    }
}

/// An amount as it can be paid with coins, half away from zero.
pub(crate) fn in_coins(amount: Money, currency: Currency) -> Money {
    let coin = coin(currency);
    let coins = (amount.value() / coin).round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    Money(coins * coin)
}

/// What a guest hands over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handed {
    pub currency: Currency,
    /// None: exactly what is to be paid.
    pub amount: Option<Money>,
    /// Units of the order's currency for one of `currency`; 1 in the order's own.
    pub rate: Money,
}

/// What comes of a cash payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cash {
    /// What it covers of the order.
    pub value: Money,
    pub tip: Money,
    /// What coins add to both, or take off.
    pub rounding: Money,
    pub handed_over: Money,
    /// Goes back, in the order's currency.
    pub change: Money,
}

/// Why cash cannot be taken so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooLittle {
    /// In the order's own currency less was handed over than was to be covered.
    Money,
    /// Foreign cash covers part of what is due, and nothing is left of it for a tip.
    Tip,
}

/// Cash for an amount of an order. In the order's currency what is handed over must be enough. Other cash that
/// is not enough covers what it is worth, in whole units.
pub(crate) fn cash(wanted: Money, tip: Money, order: Currency, handed: Handed) -> Result<Cash, TooLittle> {
    let to_pay = in_coins(wanted + tip, order);
    let rounding = to_pay - wanted - tip;
    let Some(given) = handed.amount else {
        return Ok(Cash { value: wanted, tip, rounding, handed_over: to_pay, change: Money::ZERO });
    };
    let worth = (given * handed.rate.value()).round(order);
    if worth >= to_pay {
        // Own money is a whole number of coins or was never handed over so; what a rate makes of foreign money is
        // not, and change is.
        let change = in_coins(worth - to_pay, order);
        return Ok(Cash { value: wanted, tip, rounding, handed_over: given, change });
    }
    if handed.currency == order {
        return Err(TooLittle::Money);
    }
    if !tip.is_zero() {
        return Err(TooLittle::Tip);
    }
    // Between what is due and what coins make of it, foreign money is enough to cover what is due.
    let value = worth.min(wanted);
    Ok(Cash { value, tip, rounding: Money::ZERO, handed_over: given, change: Money::ZERO })
}

/// A cash payment of which parts go back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Received {
    pub covered: Money,
    /// What coins added to that.
    pub rounding: Money,
}

impl Received {
    /// What has been handed out in all once so much of what it covered is back: in coins, never more than came
    /// in, and at the end exactly what came in.
    pub(crate) fn handed_out(self, back: Money, currency: Currency) -> Money {
        let came_in = self.covered + self.rounding;
        if back == self.covered { in_coins(came_in, currency) } else { in_coins(back, currency).min(came_in) }
    }
}

/// The first of so many even parts of what is due: the parts add up to it, and none differs from another by
/// more than the smallest unit.
pub(crate) fn even_part(due: Money, parts: u32, currency: Currency) -> Money {
    let parts = usize::try_from(parts.max(1)).unwrap_or(1);
    let weights = vec![Decimal::ONE; parts];
    kernel::money::spread(due, &weights, currency.unit()).first().copied().unwrap_or(due)
}

/// What `pieces` of a line cost beyond the first `before`, when all `n` of it cost `amount`: amount × pieces ÷ n,
/// rounded for all pieces so far, less what the first cost. So the steps add up whatever their sizes.
pub(crate) fn share(amount: Money, n: i32, before: i32, pieces: i32, currency: Currency) -> Money {
    let so_far = |pieces: i32| {
        if n == 0 {
            Money::ZERO
        } else {
            Money(amount.value() * Decimal::from(pieces) / Decimal::from(n)).round(currency)
        }
    };
    so_far(before + pieces) - so_far(before)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HUF: Currency = Currency::Huf;
    const EUR: Currency = Currency::Eur;

    fn money(text: &str) -> Money {
        text.parse().unwrap()
    }

    fn own(amount: Option<i64>) -> Handed {
        Handed { currency: HUF, amount: amount.map(Money::from), rate: Money::from(1) }
    }

    fn euro(amount: &str, rate: &str) -> Handed {
        Handed { currency: EUR, amount: Some(money(amount)), rate: money(rate) }
    }

    #[test]
    fn cash_is_paid_in_coins() {
        for (wanted, tip, handed, value, rounding, change) in [
            (5893, 0, own(None), 5893, 2, 0),
            (5892, 0, own(None), 5892, -2, 0),
            (5893, 107, own(Some(6000)), 5893, 0, 0),
            (5893, 0, own(Some(10_000)), 5893, 2, 4105),
            (2, 0, own(None), 2, -2, 0),
            // 20 € at 393.70 are 7,874 Ft; 1,979 Ft of change are 1,980 in coins.
            (5893, 0, euro("20", "393.70"), 5893, 2, 1980),
            // 10 € are 3,937 Ft and cover just that.
            (5893, 0, euro("10", "393.70"), 3937, 0, 0),
            // 5,894 Ft cover 5,893 though coins would ask for 5,895.
            (5893, 0, euro("14.97", "393.70"), 5893, 0, 0),
        ] {
            let cash = cash(Money::from(wanted), Money::from(tip), HUF, handed).unwrap();
            let expected = (Money::from(value), Money::from(rounding), Money::from(change));
            assert_eq!((cash.value, cash.rounding, cash.change), expected, "{wanted} {tip} {handed:?}");
        }
        assert_eq!(cash(Money::from(5893), Money::ZERO, HUF, own(Some(5890))), Err(TooLittle::Money));
        assert_eq!(cash(Money::from(5893), Money::from(100), HUF, euro("10", "393.70")), Err(TooLittle::Tip));
        let exact =
            cash(money("12.34"), Money::ZERO, EUR, Handed { currency: EUR, amount: None, rate: 1.into() });
        assert_eq!(exact.unwrap().rounding, Money::ZERO);
    }

    #[test]
    fn parts_are_even() {
        assert_eq!(even_part(1000.into(), 3, HUF), 334.into());
        assert_eq!(even_part(money("10.00"), 3, EUR), money("3.34"));
        assert_eq!(even_part(1000.into(), 1, HUF), 1000.into());
    }

    proptest! {
        /// Refunds in any steps hand out what came in, and on the way never more than that.
        #[test]
        fn refunds_hand_out_what_came_in(covered in 1i64..100_000, cuts in prop::collection::vec(0.0f64..1.0, 0..6)) {
            let rounding = in_coins(covered.into(), HUF) - covered.into();
            let received = Received { covered: covered.into(), rounding };
            let mut steps: Vec<i64> = cuts.iter().map(|cut| (cut * covered as f64) as i64).collect();
            steps.sort_unstable();
            steps.push(covered);
            let (mut out, mut before) = (Money::ZERO, Money::ZERO);
            for step in steps {
                let now = received.handed_out(step.into(), HUF);
                prop_assert!(now >= before, "{now} {before}");
                prop_assert!(now <= received.covered + rounding);
                prop_assert!(in_coins(now - before, HUF) == now - before);
                out += now - before;
                before = now;
            }
            prop_assert_eq!(out, received.covered + rounding);
        }

        /// Shares of pieces add up to the line in whatever steps they are taken.
        #[test]
        fn shares_add_up(amount in 0i64..1_000_000, n in 1i32..50, cuts in prop::collection::vec(1i32..9, 0..60)) {
            let (mut before, mut sum) = (0, Money::ZERO);
            for pieces in cuts {
                let pieces = pieces.min(n - before);
                sum += share(amount.into(), n, before, pieces, HUF);
                before += pieces;
            }
            sum += share(amount.into(), n, before, n - before, HUF);
            prop_assert_eq!(sum, Money::from(amount));
        }

        /// Cash that is enough: what came in and did not go back is what is covered, tip and rounding.
        #[test]
        fn cash_adds_up(wanted in 1i64..1_000_000, tip in 0i64..10_000, more in 0i64..4000) {
            let to_pay = in_coins((wanted + tip).into(), HUF);
            let given = to_pay + Money::from(more * 5);
            let handed = Handed { currency: HUF, amount: Some(given), rate: 1.into() };
            let cash = cash(wanted.into(), tip.into(), HUF, handed).unwrap();
            prop_assert_eq!(cash.value + cash.tip + cash.rounding, given - cash.change);
            prop_assert!(cash.rounding.abs() <= 2.into());
        }

        /// Even parts, taken one after the other, leave nothing.
        #[test]
        fn even_parts_leave_nothing(due in 1i64..100_000, parts in 1u32..20) {
            let mut left = Money::from(due);
            for remaining in (1..=parts).rev() {
                left -= even_part(left, remaining, HUF);
            }
            prop_assert!(left.is_zero());
        }
    }
}
