//! Decisions without I/O.

use std::collections::BTreeSet;

use access::prelude::*;
use kernel::money::Money;
use uuid::Uuid;

use super::types::{PaymentNeed, PaymentType, PaymentView, RestaurantPaymentMethod};

/// What a method waits for; nothing when it works. No online provider is connected yet and there are no
/// customers: whoever brings one takes it out here, where its account has been checked.
pub(super) fn needs(payment_type: PaymentType, payment_key: &str) -> &'static [PaymentNeed] {
    match payment_type {
        PaymentType::CardOnline => &[PaymentNeed::Simplepay, PaymentNeed::Barion],
        PaymentType::SzepKartyaOnline => &[PaymentNeed::Simplepay],
        _ if payment_key == "balance" => &[PaymentNeed::Customers],
        _ => &[],
    }
}

/// The methods that are enabled afterwards: the whole set that was sent, or within a view that view's part of
/// it. Methods that are always available are enabled.
///
/// # Errors
/// `VALIDATION_FAILED` with the places of ids that are no payment method, or of one that still waits for
/// something.
pub(super) fn enabled(
    known: &[RestaurantPaymentMethod],
    sent: &[Uuid],
    view: Option<PaymentView>,
) -> Result<BTreeSet<Uuid>> {
    let faults = sent.iter().enumerate().filter_map(|(at, id)| {
        let fault = match known.iter().find(|one| one.id.uuid() == *id) {
            None => Fault::NotExist,
            Some(one) if !one.needs.is_empty() => Fault::Invalid,
            Some(_) => return None,
        };
        Some((format!("payment_method_ids.{at}"), fault))
    });
    Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
    let chosen = |one: &&RestaurantPaymentMethod| match view {
        Some(view) if !one.is_of(view) => one.enabled,
        _ => sent.contains(&one.id.uuid()),
    };
    Ok(known.iter().filter(|one| !one.always_available).filter(chosen).map(|one| one.id.uuid()).collect())
}

/// What is wrong with a rate: it is above zero, below a million, with at most two decimals.
pub(super) fn rate_fault(rate: Money) -> Option<Fault> {
    match rate {
        rate if rate <= Money::ZERO => Some(Fault::Min),
        rate if rate >= Money::from(1_000_000) => Some(Fault::Max),
        rate if rate.round_to(2) != rate => Some(Fault::Pattern),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::methods::types::PaymentType;

    fn method(number: u128, enabled: bool) -> RestaurantPaymentMethod {
        RestaurantPaymentMethod {
            id: Uuid::from_u128(number).into(),
            name: String::new(),
            name_en: String::new(),
            short_name: String::new(),
            payment_key: String::new(),
            payment_type: PaymentType::Other,
            always_available: number == 1,
            has_callback: false,
            // 3 is of the web, 4 of the point of sale, 1, 2 and 5 of both.
            paid_online: number == 3,
            enabled,
            needs: vec![],
            type_web: true,
            type_app: true,
            type_phone: false,
            type_in_place: number != 3,
            type_delivery: [1, 2, 5].contains(&number),
            ntak_payment_method: String::new(),
        }
    }

    #[test]
    fn a_view_changes_only_what_it_shows() {
        let known: Vec<_> = [(1, true), (2, true), (3, false), (4, true), (5, false)]
            .map(|(number, on)| method(number, on))
            .into();
        let after = |sent: &[u128], view| {
            let sent: Vec<_> = sent.iter().map(|number| Uuid::from_u128(*number)).collect();
            enabled(&known, &sent, view).unwrap().iter().map(Uuid::as_u128).collect::<Vec<_>>()
        };
        assert_eq!(after(&[3, 5], None), [3, 5]);
        assert_eq!(after(&[1], None), [0_u128; 0], "cash needs no row");
        assert_eq!(after(&[3, 5], Some(PaymentView::Web)), [3, 4, 5], "4 is none of the web's");
        assert_eq!(
            after(&[3, 2], Some(PaymentView::Pos)),
            [2],
            "3 is none of the point of sale's, so it stays off"
        );
        assert_eq!(after(&[], Some(PaymentView::Pos)), [0_u128; 0]);
        assert_eq!(
            enabled(&known, &[Uuid::from_u128(3), Uuid::from_u128(9)], None).unwrap_err().reason(),
            "payment_method_ids.1: not_exist"
        );
    }

    #[test]
    fn methods_with_a_missing_requirement_cannot_be_enabled() {
        let waiting = RestaurantPaymentMethod { needs: vec![PaymentNeed::Barion], ..method(3, false) };
        for view in [None, Some(PaymentView::Web), Some(PaymentView::Pos)] {
            let refused =
                enabled(&[method(2, true), waiting.clone()], &[Uuid::from_u128(2), Uuid::from_u128(3)], view)
                    .unwrap_err();
            assert_eq!(refused.reason(), "payment_method_ids.1: invalid");
        }
    }

    #[test]
    fn a_rate_is_a_price_of_money() {
        for (rate, good) in [
            ("350", true),
            ("397.25", true),
            ("0.01", true),
            ("0", false),
            ("-1", false),
            ("350.123", false),
            ("1000000", false),
        ] {
            assert_eq!(rate_fault(rate.parse().unwrap()).is_none(), good, "{rate}");
        }
    }
}
