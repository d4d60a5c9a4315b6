//! Which promotions apply together. See `docs/decisions/pricing.md#which-promotions-apply`.

use std::cmp::Ordering;

use kernel::time::Timestamp;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::{
    GiftOffer, Promotion, PromotionKind, PromotionOutcome, PromotionReason,
    applicable::{self, Ready, Refused},
    apply::{Left, apply, sort_in_acting_order},
    basket::Basket,
    gifts::{Gifts, gifts},
};

/// A set of promotions and what it does to the cart.
pub(crate) struct Candidate<'a> {
    /// Places among those that are ready, in acting order.
    pub set: Vec<usize>,
    pub left: Left,
    pub gifts: Gifts<'a>,
}

/// The promotions of a cart, weighed.
pub(crate) struct Chosen<'a> {
    /// Those that apply as far as it can be told without the others, in acting order.
    pub ready: Vec<Ready<'a>>,
    /// Those that do not, by their place among the promotions given.
    refused: Vec<(usize, Refused)>,
    /// The set that applies.
    pub best: Candidate<'a>,
    /// For each of `ready`, what it does in the set in which it would apply.
    wanted: Vec<SetResult>,
}

/// What a promotion does in the set in which it would apply.
#[derive(Debug, Clone, Default)]
struct SetResult {
    has_effect: bool,
    total: i128,
    offers: Vec<GiftOffer>,
}

/// Weighs all promotions.
pub(crate) fn choose<'a>(basket: &Basket<'a>, promotions: &'a [Promotion]) -> Chosen<'a> {
    let code = basket.cart.code();
    let mut ready = Vec::new();
    let mut refused = Vec::new();
    for (index, promotion) in promotions.iter().enumerate() {
        match applicable::check(basket, index, promotion, code.as_deref()) {
            Ok(applies) => ready.push(applies),
            Err(why_not) => refused.push((index, why_not)),
        }
    }
    sort_in_acting_order(&mut ready);

    let mut wanted = vec![SetResult::default(); ready.len()];
    let mut best = Candidate::new(basket, &ready, Vec::new());
    let weigh = |candidate: Candidate<'a>, best: &mut Candidate<'a>| {
        if candidate.compare(best, &ready) == Ordering::Less {
            *best = candidate;
        }
    };
    for place in (0..ready.len()).filter(|place| !is_stackable(ready[*place].promotion)) {
        let alone = Candidate::new(basket, &ready, vec![place]);
        wanted[place] = alone.wanted(0);
        weigh(alone, &mut best);
    }
    let stack: Vec<usize> = (0..ready.len()).filter(|place| is_stackable(ready[*place].promotion)).collect();
    if !stack.is_empty() {
        let together = Candidate::new(basket, &ready, stack.clone());
        for (at, place) in stack.iter().enumerate() {
            wanted[*place] = together.wanted(at);
        }
        weigh(without_costly(basket, &ready, together), &mut best);
    }
    Chosen { ready, refused, best, wanted }
}

/// An upsell never stacks.
fn is_stackable(promotion: &Promotion) -> bool {
    promotion.stackable && promotion.kind != PromotionKind::Upsell
}

/// All stackable promotions; without the youngest of those that take something as long as the order costs
/// less without them, so that a new promotion never makes an order dearer. An overwritten price and rounding
/// can bring that about.
fn without_costly<'a>(basket: &Basket<'a>, ready: &[Ready<'a>], together: Candidate<'a>) -> Candidate<'a> {
    let takes = |place: &usize| !ready[*place].value.is_zero() || ready[*place].range.free_delivery;
    let mut by_age: Vec<usize> = together.set.iter().copied().filter(takes).collect();
    by_age.sort_by_key(|place| age(&ready[*place]));
    let mut lowest = together.left.total;
    let mut cheapest = None;
    for youngest in (1..by_age.len()).rev() {
        let oldest = &by_age[..youngest];
        let stays = |place: &usize| !takes(place) || oldest.contains(place);
        let set: Vec<usize> = together.set.iter().copied().filter(stays).collect();
        let total = apply(basket, set.iter().map(|place| &ready[*place])).total;
        if total < lowest {
            lowest = total;
            cheapest = Some(set);
        }
    }
    match cheapest {
        Some(set) => Candidate::new(basket, ready, set),
        None => together,
    }
}

fn age(ready: &Ready<'_>) -> (Timestamp, Uuid) {
    (ready.promotion.created_at, ready.promotion.id)
}

impl<'a> Candidate<'a> {
    fn new(basket: &Basket<'a>, ready: &[Ready<'a>], set: Vec<usize>) -> Self {
        let members = set.iter().map(|place| &ready[*place]);
        let left = apply(basket, members.clone());
        let gifts = gifts(basket, members);
        Self { set, left, gifts }
    }

    /// Whether a member of the set takes or gives anything.
    fn has_effect(&self, at: usize) -> bool {
        self.left.taken[at] > 0 || self.gifts.given_by.contains(&at)
    }

    fn wanted(&self, at: usize) -> SetResult {
        SetResult { has_effect: self.has_effect(at), total: self.left.total, offers: self.offers(at) }
    }

    fn offers(&self, at: usize) -> Vec<GiftOffer> {
        let offers = self.gifts.offers.iter().filter(|(by, _)| *by == at);
        offers.map(|(_, offer)| *offer).collect()
    }

    /// The better one is less: the lower total without gifts, then the higher value of gifts, then the one
    /// with the oldest promotion that has an effect.
    fn compare(&self, other: &Self, ready: &[Ready<'_>]) -> Ordering {
        let oldest = |candidate: &Self| {
            let effective = (0..candidate.set.len()).filter(|at| candidate.has_effect(*at));
            effective.map(|at| age(&ready[candidate.set[at]])).min()
        };
        let by_total = self.left.total.cmp(&other.left.total);
        by_total.then(other.gifts.value.cmp(&self.gifts.value)).then_with(|| {
            match (oldest(self), oldest(other)) {
                (Some(own), Some(others)) => own.cmp(&others),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => Ordering::Equal,
            }
        })
    }
}

impl Chosen<'_> {
    /// A member of the set that applies.
    pub fn member(&self, at: usize) -> &Promotion {
        self.ready[self.best.set[at]].promotion
    }

    /// The gifts that are given: promotion and size.
    pub fn gifts(&self) -> impl Iterator<Item = (Uuid, Uuid)> {
        let gifts = &self.best.gifts;
        let lines = gifts.goods.lines.iter().zip(&gifts.given_by);
        lines.map(|(line, at)| (self.member(*at).id, line.subproduct_id))
    }

    /// Those that apply and have an effect, in acting order: promotion and what it takes, gifts included.
    pub fn applied(&self) -> impl Iterator<Item = (&Promotion, i128)> {
        let members = (0..self.best.set.len()).filter(|at| self.best.has_effect(*at));
        members.map(|at| (self.member(at), self.amount(at)))
    }

    /// What a member of the best set takes from goods, delivery and its gifts.
    fn amount(&self, at: usize) -> i128 {
        let gifts = &self.best.gifts;
        let of_gift = |(line, _): (usize, &usize)| {
            let cells = gifts.goods.lines[line].cells.clone();
            gifts.goods.lines[line].list() - gifts.left[cells].iter().sum::<i128>()
        };
        let given = gifts.given_by.iter().enumerate().filter(|(_, by)| **by == at).map(of_gift);
        self.best.left.taken[at] + given.sum::<i128>()
    }

    /// What became of each promotion, in the order given.
    pub fn outcomes(&self, basket: &Basket<'_>, promotions: &[Promotion]) -> Vec<PromotionOutcome> {
        let code = basket.cart.code();
        let mut found: Vec<Option<Finding>> = promotions.iter().map(|_| None).collect();
        for (index, refused) in &self.refused {
            found[*index] = Some(Finding {
                reason: Some(refused.reason),
                to_next_range: refused.to_next_range,
                ..Finding::default()
            });
        }
        for (place, ready) in self.ready.iter().enumerate() {
            found[ready.index] = Some(self.finding(place));
        }
        let outcomes = promotions.iter().zip(found).map(|(promotion, found)| {
            let found = found.unwrap_or_default();
            let named = applicable::is_named(promotion, code.as_deref());
            PromotionOutcome {
                promotion_id: promotion.id,
                kind: promotion.kind,
                amount: basket.coin().money(found.amount),
                of_delivery: basket.coin().money(found.of_delivery),
                free_delivery: found.free_delivery,
                public: is_public(promotion, found.reason, named),
                reason: found
                    .reason
                    .map(|reason| if basket.config.conceal_customers { reason.concealed() } else { reason }),
                to_next_range: found.to_next_range,
                gifts: found.gifts,
            }
        });
        outcomes.collect()
    }

    fn finding(&self, place: usize) -> Finding {
        let to_next_range = self.ready[place].to_next_range;
        if let Some(at) = self.best.set.iter().position(|member| *member == place) {
            let reason = if self.best.has_effect(at) { None } else { Some(PromotionReason::NoEffect) };
            return Finding {
                amount: self.amount(at),
                of_delivery: self.best.left.taken_of_fee[at],
                free_delivery: reason.is_none() && self.ready[place].range.free_delivery,
                reason,
                to_next_range,
                gifts: self.best.offers(at),
            };
        }
        let wanted = &self.wanted[place];
        if wanted.has_effect {
            return Finding {
                reason: Some(PromotionReason::BetterWithout),
                to_next_range,
                ..Finding::default()
            };
        }
        // Its gifts are told where taking one would let it win.
        let could_win = wanted.total == self.best.left.total && self.best.gifts.value == 0;
        let gifts = if could_win { wanted.offers.clone() } else { Vec::new() };
        Finding { reason: Some(PromotionReason::NoEffect), to_next_range, gifts, ..Finding::default() }
    }
}

/// What became of one promotion.
#[derive(Default)]
struct Finding {
    amount: i128,
    of_delivery: i128,
    free_delivery: bool,
    reason: Option<PromotionReason>,
    to_next_range: Option<Decimal>,
    gifts: Vec<GiftOffer>,
}

/// What anybody may be told: what applies, the coupon that was sent, and what everybody can still reach.
fn is_public(promotion: &Promotion, reason: Option<PromotionReason>, named: bool) -> bool {
    let Some(reason) = reason else {
        return true;
    };
    if reason == PromotionReason::OtherRestaurant {
        return false;
    }
    let reachable = matches!(
        reason,
        PromotionReason::RangeNotReached
            | PromotionReason::OutsideTimeRange
            | PromotionReason::Pickup
            | PromotionReason::Platform
            | PromotionReason::BetterWithout
    );
    let open = promotion.kind != PromotionKind::Coupon && !promotion.locked_customers;
    named || (open && reachable)
}
