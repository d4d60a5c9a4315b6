//! Properties of every price: sums, VAT, limits, promotions. `PULT_CASES` sets how many random carts each of
//! them sees.

use std::collections::HashMap;

use proptest::{prelude::*, test_runner::TestCaseError};

use super::{
    world::{World, worlds},
    *,
};

pub(super) fn cases() -> ProptestConfig {
    let asked = std::env::var("PULT_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(asked.unwrap_or(256)) }
}

fn sum<'a, T: 'a>(items: &'a [T], amount: impl Fn(&'a T) -> Money) -> Money {
    items.iter().map(amount).sum()
}

/// The same without choices of gifts: none that costs anything is taken.
fn without_choices(world: &World) -> World {
    World { cart: Cart { gift_choices: Vec::new(), ..world.cart.clone() }, ..world.clone() }
}

fn line_is_the_sum_of_its_parts(line: &PricedLine) -> Result<(), TestCaseError> {
    prop_assert_eq!(line.unit_price * Decimal::from(line.quantity), line.total_price);
    prop_assert!(sum(&line.options, |o| o.total_price) <= line.total_price);
    prop_assert!(!line.parts.is_empty());
    prop_assert_eq!(sum(&line.parts, |p| p.total_price), line.total_price);
    prop_assert_eq!(sum(&line.parts, |p| p.discount), line.discount);
    prop_assert_eq!(sum(&line.parts, |p| p.paid_price), line.paid_price);
    prop_assert_eq!(sum(&line.parts, |p| p.net), line.net);
    prop_assert_eq!(sum(&line.parts, |p| p.vat), line.vat);
    prop_assert_eq!(sum(&line.parts, |p| p.service_fee), line.service_fee);
    prop_assert_eq!(sum(&line.parts, |p| p.service_fee_net), line.service_fee_net);
    prop_assert_eq!(sum(&line.parts, |p| p.service_fee_vat), line.service_fee_vat);
    for part in &line.parts {
        prop_assert_eq!(part.total_price - part.discount, part.paid_price);
        prop_assert_eq!(part.net + part.vat, part.paid_price);
        prop_assert_eq!(part.service_fee_net + part.service_fee_vat, part.service_fee);
    }
    Ok(())
}

/// A priced cart without its order: of lines, promotions and explanation.
fn unordered(priced: &Priced, of_cart: &[usize]) -> Priced {
    let mut lines: Vec<PricedLine> = of_cart.iter().map(|at| priced.lines[*at].clone()).collect();
    lines.extend(priced.lines[of_cart.len()..].iter().cloned());
    let mut promotions = priced.promotions.clone();
    promotions.sort_by_key(|outcome| outcome.promotion_id);
    let mut explanation = priced.explanation.clone();
    explanation.sort_by_key(|line| (line.step, line.reference, line.amount));
    for line in &mut lines {
        line.options.sort_by_key(|option| (option.option_id, option.quantity));
    }
    Priced { lines, promotions, explanation, ..priced.clone() }
}

/// A permutation of so many.
fn shuffled(len: usize, seed: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by_key(|at| seed[*at]);
    order
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn everything_adds_up((world, _) in worlds()) {
        let p = world.price();
        let of_cart = world.cart.items.len();
        prop_assert!(p.lines[..of_cart].iter().all(|line| line.gift_of.is_none()));
        prop_assert!(p.lines[of_cart..].iter().all(|line| line.gift_of.is_some() && line.options.is_empty()));
        for line in &p.lines {
            line_is_the_sum_of_its_parts(line)?;
        }
        prop_assert_eq!(sum(&p.lines, |l| l.paid_price), p.products_price);
        prop_assert_eq!(sum(&p.lines, |l| l.service_fee), p.service_fee);
        prop_assert_eq!(sum(&p.lines, |l| l.deposit), p.deposit);
        prop_assert_eq!(sum(&p.lines, |l| l.total_price) + p.delivery.total_price, p.original_price);
        prop_assert_eq!(sum(&p.lines, |l| l.discount) + p.delivery.discount, p.discount_price);
        prop_assert_eq!(sum(&p.promotions, |o| o.amount) + p.staff_discount, p.discount_price);
        prop_assert_eq!(p.original_price - p.discount_price, p.products_price + p.delivery_price);
        prop_assert_eq!(p.products_price + p.delivery_price + p.service_fee + p.tips.total() + p.deposit + p.system_usage_fee, p.total_price);
        prop_assert_eq!(sum(&p.explanation, |e| e.amount), p.total_price);
        prop_assert!(p.explanation.is_sorted_by_key(|line| line.step));
        let pieces: HashMap<Uuid, u64> = p.pieces().into_iter().collect();
        for line in &p.lines {
            prop_assert!(pieces[&line.subproduct_id] >= line.quantity.into());
        }
    }

    #[test]
    fn net_and_vat_over_the_rates_are_those_of_the_parts((world, _) in worlds()) {
        let p = world.price();
        prop_assert_eq!(sum(&p.vats, |v| v.gross), p.total_price - p.tips.total() - p.deposit);
        prop_assert!(p.vats.windows(2).all(|pair| pair[0].percent > pair[1].percent));
        for rate in &p.vats {
            prop_assert_eq!(rate.net + rate.vat, rate.gross);
            let exact = rate.percent.net_of(rate.gross);
            prop_assert!((rate.net - exact).abs().0 * Decimal::TWO <= world.config.currency.unit(), "rounded once");
            let parts = p.lines.iter().flat_map(|l| &l.parts).filter(|part| part.vat_percent == rate.percent);
            let fees = [p.delivery, p.usage].into_iter().filter(|fee| fee.vat_percent == rate.percent);
            let (mut net, mut gross) = (Money::ZERO, Money::ZERO);
            for part in parts {
                net += part.net + part.service_fee_net;
                gross += part.paid_price + part.service_fee;
            }
            for fee in fees {
                net += fee.net;
                gross += fee.paid_price;
            }
            prop_assert_eq!((net, gross), (rate.net, rate.gross));
        }
    }

    #[test]
    fn nothing_is_negative_no_price_is_raised_and_all_is_in_whole_units((world, _) in worlds()) {
        let p = world.price();
        let parts = p.lines.iter().flat_map(|line| &line.parts);
        let parts = parts.flat_map(|l| [l.total_price, l.discount, l.paid_price, l.net, l.vat, l.service_fee, l.service_fee_net, l.service_fee_vat]);
        let fees = [p.delivery, p.usage].into_iter().flat_map(|f| [f.total_price, f.discount, f.paid_price, f.net, f.vat]);
        let rates = p.vats.iter().flat_map(|v| [v.net, v.vat, v.gross]);
        let sums = [p.products_price, p.delivery_price, p.discount_price, p.original_price, p.service_fee, p.deposit, p.staff_discount, p.system_usage_fee, p.total_price];
        for amount in parts.chain(fees).chain(rates).chain(sums) {
            prop_assert!(!amount.is_negative());
            prop_assert_eq!(amount, amount.round(world.config.currency));
        }
        prop_assert!(p.points_earned >= 0);
        prop_assert!(Money::from(p.points_earned) * world.config.currency.unit() <= p.products_price);
    }

    #[test]
    fn the_order_of_lines_and_options_changes_nothing((world, _) in worlds(), seed in prop::collection::vec(any::<u32>(), 20)) {
        let order = shuffled(world.cart.items.len(), &seed);
        let items = order.iter().map(|at| {
            let line = &world.cart.items[*at];
            let options = shuffled(line.options.len(), &seed).into_iter().map(|at| line.options[at]);
            CartItem { options: options.collect(), ..line.clone() }
        });
        let other = World { cart: Cart { items: items.collect(), ..world.cart.clone() }, ..world.clone() };
        let in_place: Vec<usize> = (0..order.len()).collect();
        let (a, b) = (unordered(&world.price(), &order), unordered(&other.price(), &in_place));
        // Equal lines give a tie to the earlier one: they are told apart by nothing else.
        let same_lines = |p: &Priced| {
            let mut lines: Vec<String> = p.lines.iter().map(|line| format!("{line:?}")).collect();
            lines.sort();
            lines
        };
        prop_assert_eq!(same_lines(&a), same_lines(&b));
        prop_assert_eq!(Priced { lines: Vec::new(), ..a }, Priced { lines: Vec::new(), ..b });
        let kinds = |world: &World| world.acceptable().into_iter().map(|r| (r.reason, r.detail)).collect::<Vec<_>>();
        let (mut a, mut b) = (kinds(&world), kinds(&other));
        a.sort();
        b.sort();
        prop_assert_eq!(a, b);
    }

    #[test]
    fn the_order_of_promotions_changes_nothing((world, newest) in worlds(), seed in prop::collection::vec(any::<u32>(), 20)) {
        let promotions: Vec<Promotion> = world.promotions.iter().cloned().chain([newest]).collect();
        let order = shuffled(promotions.len(), &seed);
        let other: Vec<Promotion> = order.iter().map(|at| promotions[*at].clone()).collect();
        let in_place: Vec<usize> = (0..world.cart.items.len()).collect();
        let (a, b) = (world.price_with(&promotions), world.price_with(&other));
        prop_assert_eq!(unordered(&a, &in_place), unordered(&b, &in_place));
        prop_assert_eq!(a.lines, b.lines);
    }

    #[test]
    fn a_new_promotion_never_makes_an_order_dearer((world, newest) in worlds()) {
        let world = without_choices(&world);
        let before = world.price();
        let mut promotions = world.promotions.clone();
        promotions.push(newest);
        let after = world.price_with(&promotions);
        prop_assert!(after.total_price <= before.total_price, "{} before, {} after", before.total_price, after.total_price);
    }

    #[test]
    fn nothing_else_would_have_been_cheaper((world, _) in worlds()) {
        let world = without_choices(&world);
        let best = world.price().total_price;
        let alone = world.promotions.iter().map(|promotion| vec![promotion.clone()]);
        let alone = alone.filter(|one| !one[0].stackable || one[0].kind == PromotionKind::Upsell);
        let stack = world.promotions.iter().filter(|p| p.stackable && p.kind != PromotionKind::Upsell);
        for promotions in alone.chain([Vec::new(), stack.cloned().collect()]) {
            prop_assert!(best <= world.price_with(&promotions).total_price);
        }
    }

    #[test]
    fn what_applies_is_what_was_told((world, _) in worlds()) {
        let p = world.price();
        prop_assert_eq!(p.promotions.len(), world.promotions.len());
        let applied: Vec<&PromotionOutcome> = p.promotions.iter().filter(|o| o.reason.is_none()).collect();
        let alone = |o: &&PromotionOutcome| {
            let promotion = world.promotions.iter().find(|p| p.id == o.promotion_id);
            promotion.is_some_and(|p| !p.stackable || p.kind == PromotionKind::Upsell)
        };
        prop_assert!(applied.len() <= 1 || !applied.iter().any(alone), "what does not stack applies alone");
        for outcome in &p.promotions {
            let of_explanation = p.explanation.iter().filter(|e| e.reference == Some(outcome.promotion_id));
            let lines = p.lines.iter().filter(|line| line.gift_of == Some(outcome.promotion_id));
            prop_assert_eq!(of_explanation.clone().map(|e| e.amount).sum::<Money>(), -outcome.amount);
            let gives = lines.clone().count();
            let given = outcome.gifts.iter().filter(|gift| gift.state == GiftState::Given).count();
            prop_assert_eq!(gives, given);
            if outcome.reason.is_some() {
                prop_assert!(outcome.amount.is_zero() && gives == 0 && of_explanation.count() == 0);
            } else {
                prop_assert!(!outcome.amount.is_zero() || gives > 0, "without effect it does not apply");
            }
            prop_assert!(outcome.amount >= lines.map(|line| line.discount).sum());
        }
        // The pieces of gifts are there.
        let sold_out = world.acceptable().iter().any(|reason| reason.reason == ReasonKind::ItemSoldOut);
        for (size, pieces) in p.pieces() {
            let left = world.catalogue.items.get(&size).and_then(|item| item.sellable_quantity);
            prop_assert!(sold_out || left.is_none_or(|left| pieces <= u64::try_from(left).unwrap_or(0)));
        }
    }

    #[test]
    fn a_coupon_refuses_exactly_when_it_cannot_apply((world, _) in worlds()) {
        let sent = world.cart.coupon_code.is_some();
        let applies = |outcome: &PromotionOutcome| {
            let own = world.promotions.iter().find(|p| p.id == outcome.promotion_id);
            own.is_some_and(|p| p.kind == PromotionKind::Coupon && p.code.as_deref() == Some("Code"))
                && outcome.reason.is_none_or(|reason| reason >= PromotionReason::BetterWithout)
        };
        let can = world.price().promotions.iter().any(applies);
        let refused = world.acceptable().iter().any(|reason| reason.reason == ReasonKind::CouponNotApplicable);
        prop_assert_eq!(refused, sent && !can);
    }

    #[test]
    fn splitting_a_line_changes_no_total((world, _) in worlds()) {
        let mut split = World { promotions: Vec::new(), ..world };
        split.cart.staff_discount = None;
        let whole = split.clone();
        if split.cart.items[0].quantity > 1 {
            split.cart.items[0].quantity -= 1;
            let one = CartItem { quantity: 1, ..split.cart.items[0].clone() };
            split.cart.items.push(one);
        }
        let (a, b) = (whole.price(), split.price());
        prop_assert_eq!((a.total_price, a.service_fee, a.deposit), (b.total_price, b.service_fee, b.deposit));
        if a.service_fee.is_zero() {
            prop_assert_eq!(a.vats, b.vats);
        }
    }

    #[test]
    fn quote_and_order_are_the_same((world, _) in worlds()) {
        // The order is priced from a snapshot read anew: other maps, other iteration order.
        let mut again = world.clone();
        again.catalogue = Catalogue {
            items: world.catalogue.items.clone().into_iter().collect(),
            option_groups: world.catalogue.option_groups.clone().into_iter().collect(),
        };
        prop_assert_eq!(world.price(), again.price());
        prop_assert_eq!(world.acceptable(), again.acceptable());
    }
}
