//! The figures of an order whose delivery goes elsewhere: the fee, the share of promotions in it, and the sums.
//! Lines, discounts of goods, service fee, deposit and other tips stay.

use checkout::{Explanation, VatSum};
use kernel::money::{Money, Percent};
use pricing::{Delivery, Place, Redelivery};

use crate::{
    row::OrderRow,
    values::{Amount, OrderPromotion},
};

/// What becomes of an order's fee.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fee {
    /// Where it goes; none: it is fetched.
    pub place: Option<Place>,
    /// The restaurant's VAT of deliveries.
    pub vat: Percent,
    /// Goods without gifts at list price, as they were ordered.
    pub list_value: Money,
}

/// Steps of the explanation behind the delivery fee.
const BEHIND: [&str; 6] =
    ["service_fee", "tip", "employee_tip", "courier_tip", "deposit", "system_usage_fee"];

/// Prices the delivery anew.
pub(super) fn redeliver(row: &mut OrderRow, fee: Fee) {
    let before = delivery(row);
    let vats: Vec<pricing::VatSum> = row.vats.iter().map(priced).collect();
    let free = row.promotions.iter().position(|promotion| promotion.free_delivery == Some(true));
    let redelivery =
        Redelivery { before: &before, free, list_value: fee.list_value, vats: &vats, currency: row.currency };
    // One that is fetched keeps the rate, so that nothing but the fee is another.
    let vat = if fee.place.is_some() { fee.vat } else { before.vat_percent };
    let after = redelivery.to(fee.place, vat);
    row.vats = redelivery.vats(&after).iter().map(sum).collect();
    for (at, (was, is)) in before.taken.iter().zip(&after.taken).enumerate() {
        let Some(promotion) = row.promotions.get_mut(at) else { continue };
        promotion.amount = bare(promotion.amount + *is - *was);
        promotion.of_delivery = Some(bare(*is));
        if is != was {
            let promotion = promotion.clone();
            explain_promotion(&mut row.explanation, &promotion);
        }
    }
    explain_fee(&mut row.explanation, after.list);
    let (was, is) = (before.paid(), after.paid());
    let discount = (after.list - is) - (before.list - was);
    row.discount_price = (row.discount_price.0 + discount).into();
    row.original_price = (row.original_price.0 + after.list - before.list).into();
    row.total_price = (row.total_price.0 + is - was).into();
    row.delivery_price = is.into();
    row.delivery_original_price = Some(after.list.into());
    row.delivery_vat_percent = Some(after.vat_percent);
    row.delivery_net_price = after.net.into();
    row.delivery_vat_price = (is - after.net).into();
}

/// Takes out the courier's tip: nobody brings the order.
pub(super) fn drop_courier_tip(row: &mut OrderRow) {
    row.total_price = (row.total_price.0 - row.courier_tip.0).into();
    row.courier_tip = Money::ZERO.into();
    row.explanation.retain(|line| line.step != "courier_tip");
}

/// The delivery of an order, and what each of its promotions takes from it.
fn delivery(row: &OrderRow) -> Delivery {
    let list = row.delivery_original_price.unwrap_or(row.delivery_price).0;
    let off = list - row.delivery_price.0;
    let mut taken: Vec<Money> =
        row.promotions.iter().map(|promotion| promotion.of_delivery.unwrap_or_default()).collect();
    if taken.iter().copied().sum::<Money>() != off {
        // An order of an earlier release does not say it: those that act last take from the fee.
        let mut left = off;
        for (taken, promotion) in taken.iter_mut().zip(&row.promotions).rev() {
            *taken = promotion.amount.min(left).max(Money::ZERO);
            left -= *taken;
        }
        // What no promotion has taken stays taken.
        taken.push(left);
    }
    Delivery {
        list,
        taken,
        vat_percent: row.delivery_vat_percent.unwrap_or(pricing::Config::DELIVERY_VAT),
        net: row.delivery_net_price.0,
    }
}

/// Says what a promotion takes by now.
fn explain_promotion(lines: &mut Vec<Explanation>, promotion: &OrderPromotion) {
    let amount = bare(-promotion.amount);
    let at = lines.iter().position(|line| {
        line.reference == Some(promotion.promotion_id) && line.step == promotion.discount_type
    });
    match at {
        Some(at) if amount.is_zero() => {
            lines.remove(at);
        }
        Some(at) => {
            if let Some(line) = lines.get_mut(at) {
                line.amount = amount;
            }
        }
        None if amount.is_zero() => {}
        None => {
            let others = |line: &Explanation| {
                BEHIND.contains(&line.step.as_str())
                    || matches!(line.step.as_str(), "delivery_fee" | "staff_discount")
            };
            let at = lines.iter().position(others).unwrap_or(lines.len());
            let step = promotion.discount_type.clone();
            lines.insert(at, Explanation { step, reference: Some(promotion.promotion_id), amount });
        }
    }
}

/// Says what the delivery costs at list price.
fn explain_fee(lines: &mut Vec<Explanation>, list: Money) {
    lines.retain(|line| line.step != "delivery_fee");
    if !list.is_zero() {
        let behind = |line: &Explanation| BEHIND.contains(&line.step.as_str());
        let at = lines.iter().position(behind).unwrap_or(lines.len());
        let step = "delivery_fee".to_owned();
        lines.insert(at, Explanation { step, reference: None, amount: bare(list) });
    }
}

/// Without zeros behind.
fn bare(amount: Money) -> Money {
    Amount::from(amount).0
}

fn priced(sum: &VatSum) -> pricing::VatSum {
    pricing::VatSum { percent: sum.percent, net: sum.net, vat: sum.vat, gross: sum.gross }
}

fn sum(sum: &pricing::VatSum) -> VatSum {
    VatSum {
        percent: Percent(sum.percent.0.normalize()),
        net: bare(sum.net),
        vat: bare(sum.vat),
        gross: bare(sum.gross),
    }
}

#[cfg(test)]
mod tests;
