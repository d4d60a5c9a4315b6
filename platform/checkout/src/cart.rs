//! From the cart of a body to the types of pricing.

use access::prelude::*;
use kernel::money::Money;
use pricing::Fulfilment;
use restaurants::Facts;
use uuid::Uuid;

use crate::{
    input::{Cart, CartItem, StaffDiscount},
    values::OrderPlatform,
};

impl Cart {
    /// The sub-products it names.
    pub fn subproducts(&self) -> Vec<Uuid> {
        ids(self.items.iter().map(|item| item.subproduct_id))
    }

    pub fn options(&self) -> Vec<Uuid> {
        ids(self.items.iter().flat_map(|item| item.item_options.iter().flatten()).map(|one| one.option_id))
    }

    /// The table, as it was written.
    pub fn table(&self) -> Option<&str> {
        self.table_name.as_deref().map(str::trim).filter(|name| !name.is_empty())
    }

    /// The code of a coupon, as it was written; none for nothing but blanks.
    pub fn code(&self) -> Option<&str> {
        self.coupon_code.as_deref().map(str::trim).filter(|code| !code.is_empty())
    }

    /// Whether it is brought to the guest.
    pub fn is_delivered(&self) -> bool {
        let fulfilment = |platform| Fulfilment::of(platform, self.table().is_some(), self.pickup);
        self.platform.name().parse().is_ok_and(|platform| fulfilment(platform) == Fulfilment::Delivery)
    }

    /// The cart that pricing works on; nobody has asked yet whose it is.
    /// Errors: `VALIDATION_FAILED` for a platform that is none of our own, and for a staff discount that is
    /// not one of share and amount.
    pub fn priced_by(&self, facts: &Facts) -> Result<pricing::Cart> {
        let platform = self.platform.name().parse();
        let choices = self.gift_choices.iter().flatten().map(|choice| pricing::GiftChoice {
            promotion_id: choice.promotion_id,
            subproduct_id: choice.subproduct_id,
            accepted: choice.accepted,
        });
        Ok(pricing::Cart {
            platform: platform
                .map_err(|_| Problem::new(Code::VALIDATION_FAILED).key("platform", Fault::Enum))?,
            pickup: self.pickup,
            // There are no tables yet that a name could be of.
            table: self.table().map(|_| pricing::Table::default()),
            expected_at: self.expected_at,
            items: self.items.iter().map(item).collect(),
            tips: self.tips(facts),
            coupon_code: self.coupon_code.clone(),
            gift_choices: choices.collect(),
            staff_discount: self.staff_discount.as_ref().map(StaffDiscount::read).transpose()?,
            customer: None,
            by_points: Money::ZERO,
        })
    }

    /// At tables and at the till the tip is the waiter's, where the restaurant says so.
    fn tips(&self, facts: &Facts) -> pricing::Tips {
        let tip = self.tip.unwrap_or_default();
        let till = matches!(self.platform, OrderPlatform::SitIn | OrderPlatform::TakeAway);
        let waiter = facts.employee_tip && (till || self.table().is_some());
        let (tip, employee_tip) = if waiter { (Money::ZERO, tip) } else { (tip, Money::ZERO) };
        pricing::Tips { tip, employee_tip, courier_tip: self.courier_tip.unwrap_or_default() }
    }
}

impl StaffDiscount {
    fn read(&self) -> Result<pricing::StaffDiscount> {
        match (self.percent, self.amount) {
            (Some(percent), None) => Ok(pricing::StaffDiscount::Percent(percent)),
            (None, Some(amount)) => Ok(pricing::StaffDiscount::Amount(amount)),
            _ => Err(Problem::new(Code::VALIDATION_FAILED)
                .key("staff_discount", Fault::Invalid)
                .detail("either a percent or an amount")),
        }
    }
}

fn ids(ids: impl Iterator<Item = Uuid>) -> Vec<Uuid> {
    let mut ids: Vec<Uuid> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn item(item: &CartItem) -> pricing::CartItem {
    let quantity = |number: i32| u16::try_from(number).unwrap_or(0);
    let options = item.item_options.iter().flatten().map(|option| pricing::CartOption {
        option_id: option.option_id,
        quantity: quantity(option.quantity),
    });
    pricing::CartItem {
        subproduct_id: item.subproduct_id,
        quantity: quantity(item.quantity),
        options: options.collect(),
    }
}
