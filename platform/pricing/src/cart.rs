//! The cart: items, place and time of an order.

use std::{fmt, str::FromStr};

use kernel::{
    Fault,
    money::{Currency, Money},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Most lines a cart may have.
pub const MAX_LINES: usize = 200;
/// Most pieces of one line, and most of one option per piece.
pub const MAX_QUANTITY: u16 = 999;
/// Most of one tip. More is a mistake.
pub const MAX_TIP: i64 = 10_000_000;
/// Most that an order may cost. More is a mistake, and could not be kept.
pub const MAX_TOTAL: i64 = 1_000_000_000;

/// An order before it is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cart {
    /// Where the order comes from.
    pub platform: Platform,
    /// The guest fetches it. Only read where the platform leaves it open.
    pub pickup: bool,
    /// Ordered at a table, whatever the platform.
    pub at_table: bool,
    /// When it is wanted; `None` is as soon as possible. A time makes it a preorder.
    pub expected_at: Option<Timestamp>,
    /// The lines, 1 to [`MAX_LINES`].
    pub items: Vec<CartItem>,
    /// Tips, as the guest sent them.
    pub tips: Tips,
}

/// A line of a cart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CartItem {
    /// What.
    pub subproduct_id: Uuid,
    /// How many pieces, 1 to [`MAX_QUANTITY`].
    pub quantity: u16,
    /// Options of each piece.
    pub options: Vec<CartOption>,
}

/// An option of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CartOption {
    /// Which.
    pub option_id: Uuid,
    /// How many on each piece, 1 to [`MAX_QUANTITY`].
    pub quantity: u16,
}

/// The three tips. Amounts, outside VAT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tips {
    /// For the house.
    pub tip: Money,
    /// For the waiter.
    pub employee_tip: Money,
    /// For the courier.
    pub courier_tip: Money,
}

impl Tips {
    /// All three.
    pub fn total(self) -> Money {
        self.tip + self.employee_tip + self.courier_tip
    }
}

impl Cart {
    /// Faults of its form, as dotted paths of the request's fields; empty when it can be priced. An order
    /// whose cart has faults is invalid, not merely unacceptable.
    pub fn faults(&self, currency: Currency) -> Vec<(String, Fault)> {
        let mut faults = Vec::new();
        if self.items.is_empty() {
            faults.push(("items".to_owned(), Fault::Required));
        }
        if self.items.len() > MAX_LINES {
            faults.push(("items".to_owned(), Fault::TooLong(MAX_LINES)));
        }
        for (index, item) in self.items.iter().enumerate() {
            quantity_fault(&mut faults, format!("items.{index}.quantity"), item.quantity);
            for (at, option) in item.options.iter().enumerate() {
                quantity_fault(
                    &mut faults,
                    format!("items.{index}.item_options.{at}.quantity"),
                    option.quantity,
                );
            }
        }
        let tips = [
            ("tip", self.tips.tip),
            ("employee_tip", self.tips.employee_tip),
            ("courier_tip", self.tips.courier_tip),
        ];
        for (key, amount) in tips {
            if amount.is_negative() {
                faults.push((key.to_owned(), Fault::Min));
            } else if amount > Money::from(MAX_TIP) {
                faults.push((key.to_owned(), Fault::Max));
            } else if amount != amount.round(currency) {
                faults.push((key.to_owned(), Fault::Invalid));
            }
        }
        faults
    }

    /// How the order reaches the guest. *Here* is sit-in VAT; a table makes any order *here*.
    pub fn fulfilment(&self) -> Fulfilment {
        match self.platform {
            _ if self.at_table => Fulfilment::Here,
            Platform::SitIn | Platform::KioskSitIn => Fulfilment::Here,
            Platform::TakeAway | Platform::KioskTakeAway => Fulfilment::Pickup,
            _ if self.pickup => Fulfilment::Pickup,
            _ => Fulfilment::Delivery,
        }
    }

    /// The visibility flag of the channel. Tables and the till use `visible_sit_in`, and `take_away` is an
    /// order of the till; the kiosk has flags of its own.
    pub fn menu_channel(&self) -> MenuChannel {
        match self.platform {
            Platform::KioskSitIn => MenuChannel::KioskSitIn,
            Platform::KioskTakeAway => MenuChannel::KioskTakeAway,
            _ if self.at_table => MenuChannel::SitIn,
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
}

fn quantity_fault(faults: &mut Vec<(String, Fault)>, key: String, quantity: u16) {
    if quantity == 0 {
        faults.push((key, Fault::Min));
    } else if quantity > MAX_QUANTITY {
        faults.push((key, Fault::Max));
    }
}

/// How an order reaches the guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fulfilment {
    /// Eaten in the restaurant.
    Here,
    /// Fetched by the guest.
    Pickup,
    /// Brought to the guest.
    Delivery,
}

/// A menu of its own visibility flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MenuChannel {
    /// `visible_online`.
    Online,
    /// `visible_sit_in`.
    SitIn,
    /// `visible_phone`.
    Phone,
    /// `visible_kiosk_sit_in`.
    KioskSitIn,
    /// `visible_kiosk_take_away`.
    KioskTakeAway,
}

/// Where an order comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Platform {
    /// The web shop.
    Browser,
    /// The Android app.
    Android,
    /// The iOS app.
    Ios,
    /// The messenger shop.
    Messenger,
    /// Any delivery platform of another company; which one is data that prices do not depend on.
    DeliveryPlatform,
    /// Taken by staff on the phone.
    Phone,
    /// Taken by staff at the till, to take away.
    TakeAway,
    /// Taken in the restaurant.
    SitIn,
    /// Kiosk, eaten here.
    KioskSitIn,
    /// Kiosk, taken away.
    KioskTakeAway,
}

impl Platform {
    /// The platforms of our own, which the API names.
    pub const OWN: [Self; 9] = [
        Self::Browser,
        Self::Android,
        Self::Ios,
        Self::Messenger,
        Self::Phone,
        Self::TakeAway,
        Self::SitIn,
        Self::KioskSitIn,
        Self::KioskTakeAway,
    ];

    /// The name on the wire. Delivery platforms are stored under their own names.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Android => "android",
            Self::Ios => "ios",
            Self::Messenger => "messenger",
            Self::DeliveryPlatform => "delivery_platform",
            Self::Phone => "phone",
            Self::TakeAway => "take_away",
            Self::SitIn => "sit_in",
            Self::KioskSitIn => "kiosk_sit_in",
            Self::KioskTakeAway => "kiosk_take_away",
        }
    }

    /// A shop of our own in the guest's hand: web, apps, messenger.
    pub const fn is_own_online(self) -> bool {
        matches!(self, Self::Browser | Self::Android | Self::Ios | Self::Messenger)
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that names no platform of our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownPlatform;

impl fmt::Display for UnknownPlatform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a platform of our own")
    }
}

impl std::error::Error for UnknownPlatform {}

impl FromStr for Platform {
    type Err = UnknownPlatform;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::OWN.into_iter().find(|platform| platform.as_str() == text).ok_or(UnknownPlatform)
    }
}
