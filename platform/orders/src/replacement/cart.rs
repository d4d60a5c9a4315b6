//! The cart of an order that takes the place of another: its items are sent, all else is the old order's.

use access::prelude::*;
use checkout::{Cart, CartItem, GiftChoice, NewOrder, OrderPlatform, Quoted, StaffDiscount, given};
use kernel::{
    Message,
    money::{Money, Percent},
};
use rust_decimal::{Decimal, RoundingStrategy};

use crate::row::{Lines, OrderRow};

/// The items that an order is to have. Customer, contact, place, courier, notes, tips, coupon, wanted time and state
/// stay.
#[derive(Debug, Object)]
#[oai(rename = "OrderItemsChange")]
pub(crate) struct Replacement {
    /// All of them, those that stay as well.
    #[oai(validator(min_items = 1, max_items = 200))]
    pub items: Vec<CartItem>,
    /// What the guest says about gifts; those that the order has are taken when absent.
    #[oai(validator(max_items = 100))]
    pub gift_choices: Option<Vec<GiftChoice>>,
    /// Another coupon, or `null` for none; the order's own when absent.
    #[oai(validator(max_length = 100))]
    pub coupon_code: Clearable<String>,
    /// Why it is delivered below the minimum, or where nothing is delivered.
    #[oai(validator(max_length = 200, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub override_reason: Option<String>,
    /// The new total that was shown; a difference refuses the change with the new quote.
    pub total_price: Option<Money>,
    /// The `version` of the order that was seen.
    pub version: Option<i64>,
}

impl Replacement {
    pub fn code(&self, old: &OrderRow) -> Option<String> {
        match &self.coupon_code {
            Clearable::Undefined => old.coupon_code.clone(),
            Clearable::Null => None,
            Clearable::Value(code) => Some(code.clone()),
        }
    }

    /// The order as a client would send it.
    pub fn order(
        &self, old: &OrderRow, lines: &Lines, platform: OrderPlatform, courier_tip: bool,
    ) -> NewOrder {
        let tip = old.tip.0 + old.employee_tip.0;
        let filled = |money: Money| Some(money).filter(|money| !money.is_zero());
        let by_staff = old.delivery_found_by.as_deref() == Some("staff");
        let point = own_point(old);
        let cart = Cart {
            platform,
            pickup: old.pickup,
            table_name: old.table_name.clone(),
            expected_at: old.expected_at.filter(|_| old.is_preorder),
            items: self.items.clone(),
            tip: filled(tip),
            courier_tip: filled(old.courier_tip.0).filter(|_| courier_tip && old.delivery_data.is_some()),
            // It stays, whether it would be taken of a new order or not.
            payment_method_id: None,
            payment_method: None,
            coupon_code: self.code(old),
            gift_choices: Some(self.gift_choices.clone().unwrap_or_else(|| gifts(lines))),
            staff_discount: staff_discount(old, lines),
            customer_id: None,
            phone_1: None,
            email: None,
            delivery_data: old.delivery_data.clone(),
            coord_lat: point.map(|(lat, _)| lat),
            coord_lng: point.map(|(_, lng)| lng),
            delivery_region_id: old.delivery_region_id.filter(|_| by_staff).map(Id::from_uuid),
            override_reason: given(self.override_reason.as_deref())
                .map(str::to_owned)
                .or_else(|| old.delivery_override_reason.clone()),
        };
        NewOrder {
            cart,
            is_test: Some(old.is_test),
            external_id: None,
            first_name: None,
            last_name: None,
            message: old.message.as_deref().map(Message::from),
            locale: Some(old.locale.clone()),
            return_url: None,
            total_price: self.total_price,
            // What the guest announced stays, as the method does.
            pays_with: None,
            // Gifts that the order had are taken as far as there are any by now; those that are sent are compared.
            quoted: self.gift_choices.is_none().then_some(Quoted { lines: None, items: None }),
        }
    }
}

/// Where the guest said that it is; not where a geocoder found the address.
fn own_point(old: &OrderRow) -> Option<(f64, f64)> {
    let found = matches!(old.delivery_found_by.as_deref(), Some("geocoded" | "outside"));
    old.coord_lat.zip(old.coord_lng).filter(|_| !found)
}

/// Where a geocoder had found the address.
pub(super) fn geocoded(old: &OrderRow) -> Option<(f64, f64)> {
    old.coord_lat.zip(old.coord_lng).filter(|_| own_point(old).is_none())
}

fn gifts(lines: &Lines) -> Vec<GiftChoice> {
    let gifts = lines.items.iter().filter_map(|item| Some((item.gift_of?, item.subproduct_id)));
    gifts
        .map(|(promotion_id, subproduct_id)| GiftChoice { promotion_id, subproduct_id, accepted: true })
        .collect()
}

/// What staff had taken off, as a share of the goods: with other goods it is the same share, so nobody takes off more
/// than was allowed.
fn staff_discount(old: &OrderRow, lines: &Lines) -> Option<StaffDiscount> {
    let off = old.staff_discount.0;
    if off.is_zero() {
        return None;
    }
    let goods = lines.items.iter().filter(|item| item.gift_of.is_none());
    let paid: Money = goods.map(|item| item.paid_price.unwrap_or(item.total_price).0).sum();
    let share = off.value() * Decimal::ONE_HUNDRED / (paid + off).value();
    let share = share.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    Some(StaffDiscount { percent: Some(Percent(share)), amount: None })
}
