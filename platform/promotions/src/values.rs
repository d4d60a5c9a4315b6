//! Enums of promotions: as they are sent and stored, and their counterparts in pricing.

use access::prelude::*;
use pricing::Platform;

/// What a promotion is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum DiscountType {
    /// Applies by itself.
    Discount,
    /// Applies to whoever knows its code.
    Coupon,
    /// Offered with the cart.
    Upsell,
}

impl From<DiscountType> for pricing::PromotionKind {
    fn from(kind: DiscountType) -> Self {
        match kind {
            DiscountType::Discount => Self::Discount,
            DiscountType::Coupon => Self::Coupon,
            DiscountType::Upsell => Self::Upsell,
        }
    }
}

/// Whether products and categories are those that count, or those that do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum ProductsFor {
    /// Only these.
    Inclusion,
    /// All others.
    Exclusion,
}

/// What `price_from` of a range is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum RangeFilterType {
    /// The list value of the eligible items.
    #[default]
    ByPrice,
    /// Their pieces.
    ByQuantity,
}

impl From<RangeFilterType> for pricing::RangeFilterType {
    fn from(by: RangeFilterType) -> Self {
        match by {
            RangeFilterType::ByPrice => Self::ByPrice,
            RangeFilterType::ByQuantity => Self::ByQuantity,
        }
    }
}

/// From what a promotion takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum ApplyType {
    /// Once from the sum of the eligible items.
    #[default]
    ApplyPerCart,
    /// From each eligible item; amounts are per piece.
    ApplyPerItem,
}

impl From<ApplyType> for pricing::ApplyType {
    fn from(apply: ApplyType) -> Self {
        match apply {
            ApplyType::ApplyPerCart => Self::ApplyPerCart,
            ApplyType::ApplyPerItem => Self::ApplyPerItem,
        }
    }
}

/// What the value of a range means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum, serde::Serialize, serde::Deserialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum DiscountValueType {
    /// A percentage is taken.
    #[default]
    Percent,
    /// An amount is taken.
    Amount,
    /// Read as `amount`, and never answered.
    FixedValue,
    /// The price becomes this amount; no price is raised.
    OverwrittenValue,
}

impl DiscountValueType {
    /// The one word of those that mean the same.
    pub(crate) fn plain(self) -> Self {
        if self == Self::FixedValue { Self::Amount } else { self }
    }
}

impl From<DiscountValueType> for pricing::ValueKind {
    fn from(value: DiscountValueType) -> Self {
        match value {
            DiscountValueType::Percent => Self::Percent,
            DiscountValueType::Amount | DiscountValueType::FixedValue => Self::FixedValue,
            DiscountValueType::OverwrittenValue => Self::OverwrittenValue,
        }
    }
}

/// How often a gift is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum, serde::Serialize, serde::Deserialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum GiftQuantityType {
    /// Once.
    #[default]
    PerCart,
    /// For each eligible piece; where ranges look at pieces, for each full multiple of `price_from`.
    PerItem,
}

impl From<GiftQuantityType> for pricing::GiftQuantityType {
    fn from(gift: GiftQuantityType) -> Self {
        match gift {
            GiftQuantityType::PerCart => Self::PerCart,
            GiftQuantityType::PerItem => Self::PerItem,
        }
    }
}

/// A channel of our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum DiscountPlatform {
    /// The Android app.
    Android,
    /// The iOS app.
    Ios,
    /// The web shop.
    Browser,
    /// The messenger shop.
    Messenger,
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

impl DiscountPlatform {
    pub(crate) const OF_UPSELLS: [Self; 3] = [Self::Android, Self::Ios, Self::Browser];

    /// The same for prices.
    pub(crate) fn platform(self) -> Platform {
        match self {
            Self::Android => Platform::Android,
            Self::Ios => Platform::Ios,
            Self::Browser => Platform::Browser,
            Self::Messenger => Platform::Messenger,
            Self::Phone => Platform::Phone,
            Self::TakeAway => Platform::TakeAway,
            Self::SitIn => Platform::SitIn,
            Self::KioskSitIn => Platform::KioskSitIn,
            Self::KioskTakeAway => Platform::KioskTakeAway,
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Android,
            Self::Ios,
            Self::Browser,
            Self::Messenger,
            Self::Phone,
            Self::TakeAway,
            Self::SitIn,
            Self::KioskSitIn,
            Self::KioskTakeAway,
        ];
        all.into_iter().find(|one| one.platform().as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use poem_openapi::types::ToJSON;

    use super::*;

    #[test]
    fn prices_get_what_was_said() {
        assert_eq!(
            [RangeFilterType::ByPrice, RangeFilterType::ByQuantity].map(pricing::RangeFilterType::from),
            [pricing::RangeFilterType::ByPrice, pricing::RangeFilterType::ByQuantity]
        );
        assert_eq!(
            [ApplyType::ApplyPerCart, ApplyType::ApplyPerItem].map(pricing::ApplyType::from),
            [pricing::ApplyType::ApplyPerCart, pricing::ApplyType::ApplyPerItem]
        );
        assert_eq!(
            [GiftQuantityType::PerCart, GiftQuantityType::PerItem].map(pricing::GiftQuantityType::from),
            [pricing::GiftQuantityType::PerCart, pricing::GiftQuantityType::PerItem]
        );
    }

    #[test]
    fn a_platform_is_stored_under_the_word_it_is_sent_with() {
        let words = [
            "android", "ios", "browser", "messenger", "phone", "take_away", "sit_in", "kiosk_sit_in",
            "kiosk_take_away",
        ];
        for word in words {
            let found = DiscountPlatform::named(word).map(|one| (one.platform().as_str(), one.to_json()));
            assert_eq!(found, Some((word, Some(word.into()))));
        }
        for other in ["", "Android", "wolt"] {
            assert_eq!(DiscountPlatform::named(other), None, "{other}");
        }
    }
}
