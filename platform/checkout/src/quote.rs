//! A priced cart as it is answered.

use catalogue::{ItemNames, Snapshot};
use kernel::money::Money;
use pricing::{
    GiftOffer, GiftState, Priced, PricedLine, Promotion, PromotionKind, PromotionOutcome, PromotionReason,
    RangeFilterType, Reason as PricingReason,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::{
    checkout::PricedCart,
    sent_by::SentBy,
    types::{Quote, QuoteGift, QuoteItem, QuotePromotion, QuoteRangeFilterType, QuoteUpsell, Reason},
    values::{Explanation, VatSum},
};

impl Quote {
    /// What its sender is told. Guests hear of promotions what they may know, staff hear everything.
    pub fn new(checkout: &PricedCart, sent_by: SentBy) -> Self {
        let PricedCart { facts, snapshot, priced, reasons, .. } = checkout;
        // Who wants it at another time is not told how long it would take now.
        let for_now = checkout.cart.expected_at.is_none();
        let busy = facts.busy(checkout.now).filter(|_| for_now);
        let everything = sent_by.is_staff();
        let told = priced.promotions.iter().filter(|outcome| everything || outcome.public);
        Self {
            currency: facts.currency,
            items: priced.lines.iter().map(|line| item(snapshot, line)).collect(),
            products_price: priced.products_price,
            delivery_price: priced.delivery_price,
            delivery_original_price: priced.delivery.total_price,
            discount_price: priced.discount_price,
            staff_discount: priced.staff_discount,
            original_price: priced.original_price,
            service_fee: priced.service_fee,
            tip: priced.tips.tip,
            employee_tip: priced.tips.employee_tip,
            courier_tip: priced.tips.courier_tip,
            deposit: priced.deposit,
            deposit_pieces: pieces(priced.deposit_pieces),
            system_usage_fee: priced.system_usage_fee,
            total_price: priced.total_price,
            points_earned: priced.points_earned,
            vats: vats(priced),
            lines: explanation(priced),
            promotions: told.map(|outcome| promotion(checkout, outcome)).collect(),
            upsells: priced.promotions.iter().flat_map(|outcome| upsells(checkout, outcome)).collect(),
            delivery_region: checkout.destination.quoted(),
            estimated_delivery_time: for_now.then(|| facts.estimate(checkout.now)),
            busy_minutes: busy.map(|busy| busy.minutes),
            busy_until: busy.map(|busy| busy.until),
            acceptable: reasons.is_empty(),
            reasons: reasons.iter().map(reason).collect(),
        }
    }
}

fn names(snapshot: &Snapshot, subproduct_id: Uuid) -> (String, Option<String>) {
    snapshot.item_names.get(&subproduct_id).map(ItemNames::ordered).unwrap_or_default()
}

fn item(snapshot: &Snapshot, line: &PricedLine) -> QuoteItem {
    let (name, name_sec_lang) = names(snapshot, line.subproduct_id);
    QuoteItem {
        subproduct_id: line.subproduct_id,
        name,
        name_sec_lang,
        gift_of: line.gift_of,
        quantity: pieces(line.quantity),
        unit_price: line.unit_price,
        total_price: line.total_price,
        discount: line.discount,
        paid_price: line.paid_price,
        vat_percent: line.vat_percent,
        net_price: line.net,
        vat_price: line.vat,
        service_fee: line.service_fee,
        deposit: line.deposit,
    }
}

fn promotion(checkout: &PricedCart, outcome: &PromotionOutcome) -> QuotePromotion {
    // What is not on this restaurant's menu has no name: it is left out.
    let known = |offer: &&GiftOffer| checkout.snapshot.item_names.contains_key(&offer.subproduct_id);
    let gifts = outcome.gifts.iter().filter(known);
    QuotePromotion {
        promotion_id: outcome.promotion_id,
        name: checkout.promotion_name(outcome.promotion_id),
        discount_type: kind(outcome.kind).to_owned(),
        amount: outcome.amount,
        reason: outcome.reason.map(|reason| reason.as_str().to_owned()),
        to_next_range: outcome.to_next_range.map(Money),
        range_filter_type: counts(checkout, outcome.promotion_id),
        gifts: gifts.map(|offer| gift(&checkout.snapshot, offer)).collect(),
    }
}

fn counts(checkout: &PricedCart, promotion: Uuid) -> QuoteRangeFilterType {
    let found = checkout.promotions.iter().find(|known| known.id == promotion);
    found.map(|found| found.range_filter_type).unwrap_or_default().into()
}

fn gift(snapshot: &Snapshot, offer: &GiftOffer) -> QuoteGift {
    let (name, name_sec_lang) = names(snapshot, offer.subproduct_id);
    let state = match offer.state {
        GiftState::Given => "given",
        GiftState::Declined => "declined",
        GiftState::Offered => "offered",
        GiftState::Unavailable => "unavailable",
    };
    QuoteGift {
        subproduct_id: offer.subproduct_id,
        name,
        name_sec_lang,
        quantity: pieces(offer.quantity),
        unit_price: list_price(snapshot, offer.subproduct_id),
        discount_percentage: offer.discount_percentage,
        state: state.to_owned(),
    }
}

fn list_price(snapshot: &Snapshot, subproduct_id: Uuid) -> Money {
    snapshot.catalogue.items.get(&subproduct_id).map(|item| item.price).unwrap_or_default()
}

/// What an upsell offers: what can be had now, and what its next range would give. It is for everybody, so
/// everybody is told; none where it does not hold for the order.
fn upsells(checkout: &PricedCart, outcome: &PromotionOutcome) -> Vec<QuoteUpsell> {
    let open = matches!(
        outcome.reason,
        None | Some(
            PromotionReason::NoEffect | PromotionReason::RangeNotReached | PromotionReason::BetterWithout
        )
    );
    if outcome.kind != PromotionKind::Upsell || !open {
        return Vec::new();
    }
    let offer = |subproduct_id: Uuid, quantity: u32, discount_percentage, missing: Option<Decimal>| {
        let (name, name_sec_lang) = names(&checkout.snapshot, subproduct_id);
        QuoteUpsell {
            promotion_id: outcome.promotion_id,
            subproduct_id,
            name,
            name_sec_lang,
            quantity: pieces(quantity),
            unit_price: list_price(&checkout.snapshot, subproduct_id),
            discount_percentage,
            missing: missing.map(Money),
            range_filter_type: counts(checkout, outcome.promotion_id),
        }
    };
    let now = outcome.gifts.iter().filter(|gift| gift.state == GiftState::Offered);
    let now = now.map(|gift| offer(gift.subproduct_id, gift.quantity, gift.discount_percentage, None));
    let upsell = checkout.promotions.iter().find(|promotion| promotion.id == outcome.promotion_id);
    let next = upsell.zip(outcome.to_next_range).and_then(|(upsell, missing)| {
        let reached = reached(&checkout.priced, upsell);
        let above = upsell.ranges.iter().filter(|range| range.price_from > reached);
        Some((above.min_by_key(|range| range.price_from)?, missing))
    });
    let can_be_had = |id: &Uuid| checkout.snapshot.catalogue.items.get(id).is_some_and(|item| item.active);
    let then = next.into_iter().flat_map(|(range, missing)| {
        let gifts = range.gifts.iter().filter(|gift| can_be_had(&gift.subproduct_id));
        gifts.map(move |gift| (gift, missing))
    });
    let then = then.map(|(gift, missing)| {
        offer(gift.subproduct_id, gift.quantity.into(), gift.discount_percentage, Some(missing))
    });
    now.chain(then).collect()
}

/// What the ranges of an upsell look at: the whole cart, for an upsell is for all products.
fn reached(priced: &Priced, upsell: &Promotion) -> Decimal {
    let lines = priced.lines.iter().filter(|line| line.gift_of.is_none());
    match upsell.range_filter_type {
        RangeFilterType::ByPrice => lines.map(|line| line.total_price.value()).sum(),
        RangeFilterType::ByQuantity => lines.map(|line| Decimal::from(line.quantity)).sum(),
    }
}

/// The name of a kind of promotion on the wire.
pub const fn kind(kind: PromotionKind) -> &'static str {
    match kind {
        PromotionKind::Discount => "discount",
        PromotionKind::Coupon => "coupon",
        PromotionKind::Upsell => "upsell",
    }
}

/// A reason on the wire.
pub fn reason(reason: &PricingReason) -> Reason {
    Reason {
        reason: reason.reason.as_str().to_owned(),
        item_index: reason.item_index.and_then(|index| i32::try_from(index).ok()),
        option_id: reason.option_id,
        option_group_id: reason.option_group_id,
        detail: reason.detail.clone(),
    }
}

pub fn vats(priced: &Priced) -> Vec<VatSum> {
    let sums = priced.vats.iter();
    sums.map(|sum| VatSum { percent: sum.percent, net: sum.net, vat: sum.vat, gross: sum.gross }).collect()
}

/// The explanation on the wire.
pub fn explanation(priced: &Priced) -> Vec<Explanation> {
    let lines = priced.explanation.iter();
    lines
        .map(|line| Explanation {
            step: line.step.as_str().to_owned(),
            reference: line.reference,
            amount: line.amount,
        })
        .collect()
}

/// So many pieces in a column.
pub fn pieces(quantity: u32) -> i32 {
    i32::try_from(quantity).unwrap_or(i32::MAX)
}
