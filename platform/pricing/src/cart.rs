//! The cart: items, place, time and guest of an order.

use kernel::{
    Fault,
    money::{Money, Percent},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Config, Fulfilment, MenuChannel, Platform};

/// Most lines a cart may have.
pub const MAX_LINES: usize = 200;
/// Most pieces of one line, and most of one option per piece.
pub const MAX_QUANTITY: u16 = 999;
/// Most of one tip. More is a mistake.
pub const MAX_TIP: i64 = 10_000_000;
/// Most that an order may cost. More is a mistake, and could not be kept.
pub const MAX_TOTAL: i64 = 1_000_000_000;
/// Most characters of a coupon code, blanks around it not counted.
pub const MAX_COUPON_CODE: usize = 100;
/// Most choices of gifts.
pub const MAX_GIFT_CHOICES: usize = 100;

/// An order before it is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cart {
    pub platform: Platform,
    /// The guest fetches it. Only read where the platform leaves it open.
    pub pickup: bool,
    /// The table it is ordered at; it makes an order of any platform *here*.
    pub table: Option<Table>,
    /// When it is wanted; `None` is as soon as possible. A time makes it a preorder.
    pub expected_at: Option<Timestamp>,
    /// The lines, 1 to [`MAX_LINES`].
    pub items: Vec<CartItem>,
    /// Tips, as the guest sent them.
    pub tips: Tips,
    /// The coupon, as the guest wrote it; see [`crate::fold_code`]. Nothing but blanks is none.
    pub coupon_code: Option<String>,
    /// What the guest said about gifts.
    pub gift_choices: Vec<GiftChoice>,
    /// What staff take off the goods.
    pub staff_discount: Option<StaffDiscount>,
    /// The customer; `None` when nothing says who it is.
    pub customer: Option<Customer>,
    pub by_points: Money,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CartItem {
    pub subproduct_id: Uuid,
    /// How many pieces, 1 to [`MAX_QUANTITY`].
    pub quantity: u16,
    pub options: Vec<CartOption>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CartOption {
    pub option_id: Uuid,
    /// How many on each piece, 1 to [`MAX_QUANTITY`].
    pub quantity: u16,
}

/// A table. One that is only known by its name has no ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Table {
    pub table_id: Option<Uuid>,
    pub location_id: Option<Uuid>,
}

/// Whether a guest wants a gift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GiftChoice {
    pub promotion_id: Uuid,
    /// The size that is given.
    pub subproduct_id: Uuid,
    /// Taken or declined. Without a choice a free gift is taken, any other is not.
    pub accepted: bool,
}

/// What staff take off the goods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaffDiscount {
    /// A share of what promotions left of the goods.
    Percent(Percent),
    /// An amount, as far as promotions left so much.
    Amount(Money),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Customer {
    /// The guest's own account, else the shadow customer; `None` for a phone or e-mail that nobody has yet.
    pub id: Option<Uuid>,
    /// Somebody vouches for it: a secret key that sent the id, or staff.
    pub vouched: bool,
}

/// The three tips. Amounts, outside VAT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tips {
    pub tip: Money,
    pub employee_tip: Money,
    pub courier_tip: Money,
}

impl Tips {
    pub fn total(self) -> Money {
        self.tip + self.employee_tip + self.courier_tip
    }
}

impl Cart {
    pub fn fulfilment(&self) -> Fulfilment {
        Fulfilment::of(self.platform, self.table.is_some(), self.pickup)
    }

    /// The visibility flag of the channel. Tables and the till use `visible_sit_in`, and `take_away` is an
    /// order of the till; the kiosk has flags of its own.
    pub fn menu_channel(&self) -> MenuChannel {
        match self.platform {
            Platform::KioskSitIn => MenuChannel::KioskSitIn,
            Platform::KioskTakeAway => MenuChannel::KioskTakeAway,
            _ if self.table.is_some() => MenuChannel::SitIn,
            Platform::SitIn | Platform::TakeAway => MenuChannel::SitIn,
            Platform::Phone => MenuChannel::Phone,
            Platform::Browser
            | Platform::Android
            | Platform::Ios
            | Platform::Messenger
            | Platform::DeliveryPlatform => MenuChannel::Online,
        }
    }

    /// Whether the guest named a time.
    pub fn is_preorder(&self) -> bool {
        self.expected_at.is_some()
    }

    /// The coupon code for comparison; `None` when there is none.
    pub(crate) fn code(&self) -> Option<String> {
        self.coupon_code.as_deref().map(crate::fold_code).filter(|code| !code.is_empty())
    }

    /// Faults of its form, as dotted paths of the request's fields; empty when it can be priced. An order
    /// whose cart has faults is invalid, not merely unacceptable.
    pub fn faults(&self, config: &Config) -> Vec<(String, Fault)> {
        let mut faults = Vec::new();
        self.line_faults(&mut faults);
        self.promotion_faults(config, &mut faults);
        self.amount_faults(config, &mut faults);
        faults
    }

    fn line_faults(&self, faults: &mut Vec<(String, Fault)>) {
        if self.items.is_empty() {
            faults.push(("items".to_owned(), Fault::Required));
        }
        if self.items.len() > MAX_LINES {
            faults.push(("items".to_owned(), Fault::TooLong(MAX_LINES)));
        }
        for (index, item) in self.items.iter().enumerate() {
            quantity_fault(faults, format!("items.{index}.quantity"), item.quantity);
            for (at, option) in item.options.iter().enumerate() {
                quantity_fault(faults, format!("items.{index}.item_options.{at}.quantity"), option.quantity);
            }
        }
    }

    fn promotion_faults(&self, config: &Config, faults: &mut Vec<(String, Fault)>) {
        if self.coupon_code.as_deref().is_some_and(|code| code.trim().chars().count() > MAX_COUPON_CODE) {
            faults.push(("coupon_code".to_owned(), Fault::TooLong(MAX_COUPON_CODE)));
        }
        if self.gift_choices.len() > MAX_GIFT_CHOICES {
            faults.push(("gift_choices".to_owned(), Fault::TooLong(MAX_GIFT_CHOICES)));
            return;
        }
        for (index, choice) in self.gift_choices.iter().enumerate() {
            let earlier = &self.gift_choices[..index];
            if earlier.iter().any(|other| other.is_about(choice.promotion_id, choice.subproduct_id)) {
                faults.push((format!("gift_choices.{index}"), Fault::NotUnique));
            }
        }
        if self.staff_discount.is_some() && !config.staff {
            faults.push(("staff_discount".to_owned(), Fault::Invalid));
        }
    }

    fn amount_faults(&self, config: &Config, faults: &mut Vec<(String, Fault)>) {
        let staff_discount = match self.staff_discount {
            Some(StaffDiscount::Amount(amount)) => amount,
            Some(StaffDiscount::Percent(_)) | None => Money::ZERO,
        };
        let amounts = [
            ("tip", self.tips.tip, MAX_TIP),
            ("employee_tip", self.tips.employee_tip, MAX_TIP),
            ("courier_tip", self.tips.courier_tip, MAX_TIP),
            ("staff_discount", staff_discount, MAX_TOTAL),
            ("by_points", self.by_points, MAX_TOTAL),
        ];
        for (key, amount, most) in amounts {
            if amount.is_negative() {
                faults.push((key.to_owned(), Fault::Min));
            } else if amount > Money::from(most) {
                faults.push((key.to_owned(), Fault::Max));
            } else if amount != amount.round(config.currency) {
                faults.push((key.to_owned(), Fault::Invalid));
            }
        }
        // A courier gets nothing where none comes, or where the restaurant does not take tips for one.
        let courier = config.courier_tip_available && self.fulfilment() == Fulfilment::Delivery;
        if self.tips.courier_tip > Money::ZERO && !courier {
            faults.push(("courier_tip".to_owned(), Fault::Invalid));
        }
    }
}

impl GiftChoice {
    pub(crate) fn is_about(&self, promotion_id: Uuid, subproduct_id: Uuid) -> bool {
        self.promotion_id == promotion_id && self.subproduct_id == subproduct_id
    }
}

fn quantity_fault(faults: &mut Vec<(String, Fault)>, key: String, quantity: u16) {
    if quantity == 0 {
        faults.push((key, Fault::Min));
    } else if quantity > MAX_QUANTITY {
        faults.push((key, Fault::Max));
    }
}
