//! Decisions without I/O.

use access::prelude::*;
use kernel::money::Money;
use uuid::Uuid;

use super::types::{PaymentNeed, PaymentType, PaymentView, RestaurantPaymentMethod};

/// What a method waits for at a restaurant with these features; nothing when it works. `served`: a checked account
/// serves it where the order is paid.
pub(super) fn needs(
    payment_type: PaymentType, payment_key: &str, features: &[String], served: bool,
) -> &'static [PaymentNeed] {
    let lacks = |feature: &str| !features.iter().any(|one| one == feature);
    match payment_type {
        PaymentType::CardOnline if !served => &[PaymentNeed::Simplepay, PaymentNeed::Barion],
        PaymentType::SzepKartyaOnline if !served => &[PaymentNeed::Simplepay],
        _ if payment_key == "balance" && lacks("balance") => &[PaymentNeed::Balance],
        _ if payment_key == "points" && lacks("loyalty") => &[PaymentNeed::Loyalty],
        _ => &[],
    }
}

/// A method that the restaurant takes in one view or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EnabledMethod {
    pub id: Uuid,
    pub web: bool,
    pub pos: bool,
}

/// The methods that are enabled afterwards: what was sent, in both views or in the one that was named; the
/// other one stays as it is. Methods that are always available need no row.
/// Errors: `VALIDATION_FAILED` with the places of ids that are no payment method, or of one that still waits
/// for something.
pub(super) fn enabled(
    known: &[RestaurantPaymentMethod], sent: &[Uuid], view: Option<PaymentView>,
) -> Result<Vec<EnabledMethod>> {
    let faults = sent.iter().enumerate().filter_map(|(at, id)| {
        let fault = match known.iter().find(|one| one.id.uuid() == *id) {
            None => Fault::NotExist,
            Some(one) if !one.needs.is_empty() => Fault::Invalid,
            Some(_) => return None,
        };
        Some((format!("payment_method_ids.{at}"), fault))
    });
    Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
    let after = |one: &RestaurantPaymentMethod, place: PaymentView, before: bool| match view {
        Some(view) if view != place => before,
        _ => one.is_of(place) && sent.contains(&one.id.uuid()),
    };
    let methods = known.iter().filter(|one| !one.always_available).map(|one| EnabledMethod {
        id: one.id.uuid(),
        web: after(one, PaymentView::Web, one.enabled_web),
        pos: after(one, PaymentView::Pos, one.enabled_pos),
    });
    Ok(methods.filter(|one| one.web || one.pos).collect())
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
    use super::*;
    use crate::methods::types::PaymentType;

    /// Enabled wherever it can be. 3 is of the web, 4 of the point of sale, the others of both.
    fn method(number: u128, enabled: bool) -> RestaurantPaymentMethod {
        let (web, pos) = (number != 4, number != 3);
        RestaurantPaymentMethod {
            id: Uuid::from_u128(number).into(),
            name: String::new(),
            name_en: String::new(),
            short_name: String::new(),
            payment_key: String::new(),
            payment_type: PaymentType::Other,
            always_available: number == 1,
            has_callback: false,
            paid_online: number == 3,
            enabled,
            enabled_web: enabled && web,
            enabled_pos: enabled && pos,
            needs: vec![],
            type_web: web,
            type_app: false,
            type_phone: false,
            type_in_place: pos,
            type_delivery: false,
            ntak_payment_method: String::new(),
            account_id: None,
            provider: None,
            candidates: None,
        }
    }

    #[test]
    fn a_view_changes_only_what_it_shows() {
        let known: Vec<_> = [(1, true), (2, true), (3, false), (4, true), (5, false)]
            .map(|(number, on)| method(number, on))
            .into();
        let after = |sent: &[u128], view| {
            let sent: Vec<_> = sent.iter().map(|number| Uuid::from_u128(*number)).collect();
            let methods = enabled(&known, &sent, view).unwrap();
            methods.iter().map(|one| (one.id.as_u128(), one.web, one.pos)).collect::<Vec<_>>()
        };
        let (both, web, pos) = ((true, true), (true, false), (false, true));
        let expected = |rows: &[(u128, (bool, bool))]| {
            rows.iter().map(|(number, (web, pos))| (*number, *web, *pos)).collect::<Vec<_>>()
        };
        assert_eq!(after(&[3, 5], None), expected(&[(3, web), (5, both)]));
        assert_eq!(after(&[1], None), expected(&[]), "cash needs no row");
        assert_eq!(
            after(&[3, 5], Some(PaymentView::Web)),
            expected(&[(2, pos), (3, web), (4, pos), (5, web)]),
            "what is enabled at the point of sale stays so"
        );
        assert_eq!(
            after(&[3, 2], Some(PaymentView::Pos)),
            expected(&[(2, both)]),
            "3 is none of the point of sale's, so it stays off"
        );
        assert_eq!(after(&[], Some(PaymentView::Pos)), expected(&[(2, web)]));
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
