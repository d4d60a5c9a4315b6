//! The source of an order, its way to the guest, and the menu it is chosen from.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

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

impl Fulfilment {
    /// Of an order of this platform. *Here* is sit-in VAT; a table makes any order *here*.
    #[must_use]
    pub const fn of(platform: Platform, at_table: bool, pickup: bool) -> Self {
        match platform {
            _ if at_table => Self::Here,
            Platform::SitIn | Platform::KioskSitIn => Self::Here,
            Platform::TakeAway | Platform::KioskTakeAway => Self::Pickup,
            _ if pickup => Self::Pickup,
            _ => Self::Delivery,
        }
    }
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Platform {
    /// The web shop.
    Browser,
    Android,
    Ios,
    Messenger,
    /// Any delivery platform of another company; which one is data that prices do not depend on.
    DeliveryPlatform,
    Phone,
    /// Taken by staff at the till, to take away.
    TakeAway,
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
        self.into_str()
    }

    /// A shop of our own in the guest's hand: web, apps, messenger.
    pub const fn is_own_online(self) -> bool {
        matches!(self, Self::Browser | Self::Android | Self::Ios | Self::Messenger)
    }
}

/// A text that names no platform of our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownPlatform;

impl FromStr for Platform {
    type Err = UnknownPlatform;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::OWN.into_iter().find(|platform| platform.as_str() == text).ok_or(UnknownPlatform)
    }
}
