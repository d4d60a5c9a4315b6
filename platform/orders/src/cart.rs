//! Conversion between bodies of clients and the types of pricing.

use std::collections::HashMap;

use access::prelude::*;
use catalogue::{ItemNames, Snapshot};
use kernel::money::{Money, Percent};
use pricing::{Config, Priced, PricedLine, ReasonKind};
use restaurants::Facts;
use uuid::Uuid;

use crate::{
    input::{Cart, CartItem, NewOrder},
    types::{Quote, QuoteItem, Reason},
    values::{Explanation, OrderPlatform, VatSum},
};

/// The fields of a cart in a body, alone or in an order.
pub(crate) struct CartInput<'a> {
    pub platform: OrderPlatform,
    pub pickup: bool,
    pub expected_at: Option<Timestamp>,
    pub items: &'a [CartItem],
    pub tip: Option<Money>,
    pub courier_tip: Option<Money>,
    pub payment_method_id: Option<Uuid>,
    pub payment_method: Option<&'a str>,
}

/// A cart from the fields that both bodies have.
macro_rules! cart_input {
    ($($body:ident)*) => { $(impl<'a> From<&'a $body> for CartInput<'a> {
        fn from(body: &'a $body) -> Self {
            Self {
                platform: body.platform,
                pickup: body.pickup,
                expected_at: body.expected_at,
                items: &body.items,
                tip: body.tip,
                courier_tip: body.courier_tip,
                payment_method_id: body.payment_method_id,
                payment_method: body.payment_method.as_deref(),
            }
        }
    })* };
}
cart_input!(Cart NewOrder);

impl CartInput<'_> {
    /// The sub-products it names.
    pub fn subproducts(&self) -> Vec<Uuid> {
        let mut ids: Vec<Uuid> = self.items.iter().map(|item| item.subproduct_id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The cart that pricing works on.
    ///
    /// # Errors
    /// `VALIDATION_FAILED` for a platform that is none of our own.
    pub fn cart(&self) -> Result<pricing::Cart> {
        let quantity = |number: i32| u16::try_from(number).unwrap_or(0);
        let items = self.items.iter().map(|item| pricing::CartItem {
            subproduct_id: item.subproduct_id,
            quantity: quantity(item.quantity),
            options: item
                .item_options
                .iter()
                .flatten()
                .map(|option| pricing::CartOption {
                    option_id: option.option_id,
                    quantity: quantity(option.quantity),
                })
                .collect(),
        });
        Ok(pricing::Cart {
            platform: self
                .platform
                .name()
                .parse()
                .map_err(|_| Problem::new(Code::VALIDATION_FAILED).key("platform", Fault::Enum))?,
            pickup: self.pickup,
            table: None,
            expected_at: self.expected_at,
            items: items.collect(),
            tips: pricing::Tips {
                tip: self.tip.unwrap_or_default(),
                courier_tip: self.courier_tip.unwrap_or_default(),
                ..Default::default()
            },
            coupon_code: None,
            gift_choices: Vec::new(),
            staff_discount: None,
            customer: None,
            by_points: Money::ZERO,
        })
    }
}

/// The settings that prices and acceptance depend on, at this moment.
pub(crate) fn config(facts: &Facts, staff: bool) -> Config {
    Config {
        restaurant_id: facts.id.uuid(),
        currency: facts.currency,
        schedule: facts.schedule.clone(),
        normal_delivery: facts.normal_delivery,
        normal_pickup: facts.normal_pickup,
        preorder_delivery: facts.preorder_delivery,
        preorder_pickup: facts.preorder_pickup,
        min_days_to_preorder: facts.min_days_to_preorder,
        days_to_preorder: facts.days_to_preorder,
        min_preorder_pickup_diff: facts.min_preorder_pickup_diff,
        min_preorder_delivery_diff: facts.min_preorder_delivery_diff,
        min_order_price: facts.min_order_price.round(facts.currency),
        delivery_vat: facts.delivery_vat,
        courier_tip_available: facts.is_courier_tip_available,
        // Regions, fees, deposits, promotions and customers have no settings yet: nothing is charged or taken off.
        place: pricing::Place::NotAsked,
        fees: pricing::Fees::default(),
        deposit: pricing::Deposit::default(),
        point_cash_ratio: Percent::ZERO,
        max_discount_percent: None,
        uses: HashMap::new(),
        conceal_customers: true,
        delivery_override: false,
        payable: true,
        staff,
        now: Timestamp::now(),
    }
}

/// The priced cart.
///
/// # Errors
/// `VALIDATION_FAILED` at `items` when it is more than any order costs.
pub(crate) fn price(snapshot: &Snapshot, cart: &pricing::Cart, config: &Config) -> Result<Priced> {
    let priced = pricing::price(&snapshot.catalogue, &[], cart, config);
    Problem::new(Code::VALIDATION_FAILED).keys(priced.faults()).if_any()?;
    Ok(priced)
}

/// A reason on the wire.
pub(crate) fn reason(reason: &pricing::Reason) -> Reason {
    Reason {
        reason: reason.reason.as_str().to_owned(),
        item_index: reason.item_index.and_then(|index| i32::try_from(index).ok()),
        option_id: reason.option_id,
        option_group_id: reason.option_group_id,
        detail: reason.detail.clone(),
    }
}

/// Pieces were taken by another order between reading and taking.
pub(crate) fn sold_out(item_index: usize) -> pricing::Reason {
    pricing::Reason {
        reason: ReasonKind::ItemSoldOut,
        item_index: Some(item_index),
        option_id: None,
        option_group_id: None,
        detail: None,
    }
}

/// The sums by rate on the wire.
pub(crate) fn vats(priced: &Priced) -> Vec<VatSum> {
    priced
        .vats
        .iter()
        .map(|sum| VatSum { percent: sum.percent, net: sum.net, vat: sum.vat, gross: sum.gross })
        .collect()
}

/// The explanation on the wire.
pub(crate) fn explanation(priced: &Priced) -> Vec<Explanation> {
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
pub(crate) fn pieces(quantity: u32) -> i32 {
    i32::try_from(quantity).unwrap_or(i32::MAX)
}

/// The rate of a line: all of its parts have the same while sizes consist of nothing else.
pub(crate) fn rate(line: &PricedLine) -> Percent {
    line.vat_percent.unwrap_or(Percent::ZERO)
}

/// The quote of a priced cart.
pub(crate) fn quote(
    facts: &Facts,
    snapshot: &Snapshot,
    priced: &Priced,
    reasons: &[pricing::Reason],
) -> Quote {
    let items = priced.lines.iter().map(|line| {
        let names = snapshot.item_names.get(&line.subproduct_id);
        let (name, name_sec_lang) = names.map(ItemNames::ordered).unwrap_or_default();
        QuoteItem {
            subproduct_id: line.subproduct_id,
            name,
            name_sec_lang,
            quantity: pieces(line.quantity),
            unit_price: line.unit_price,
            total_price: line.total_price,
            vat_percent: rate(line),
        }
    });
    Quote {
        currency: facts.currency,
        items: items.collect(),
        products_price: priced.products_price,
        delivery_price: priced.delivery_price,
        discount_price: priced.discount_price,
        original_price: priced.original_price,
        service_fee: priced.service_fee,
        tip: priced.tips.tip,
        courier_tip: priced.tips.courier_tip,
        system_usage_fee: priced.system_usage_fee,
        total_price: priced.total_price,
        vats: vats(priced),
        lines: explanation(priced),
        acceptable: reasons.is_empty(),
        reasons: reasons.iter().map(reason).collect(),
    }
}
