//! Reasons against an order. See `docs/decisions/pricing.md#reasons`.

use serde::Serialize;
use uuid::Uuid;

/// A reason why an order is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    pub reason: ReasonKind,
    /// The line of the cart it is about, from 0.
    pub item_index: Option<usize>,
    pub option_id: Option<Uuid>,
    pub option_group_id: Option<Uuid>,
    /// A value that helps to put it right, for programs and people of any language; each kind says which.
    pub detail: Option<String>,
}

/// The kinds of reasons, in their order.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[serde(rename_all = "snake_case")]
pub enum ReasonKind {
    /// SOS close. Detail: when it ends by itself, as an instant.
    TempNoOrders,
    /// Closed at the wanted time. Detail: the next opening from then on, as an instant.
    Closed,
    /// Does not deliver as soon as possible.
    NoDeliveryNow,
    /// Cannot be fetched as soon as possible.
    NoPickupNow,
    /// Does not deliver at a wanted time.
    NoDeliveryPreorder,
    /// Cannot be fetched at a wanted time.
    NoPickupPreorder,
    /// The wanted time is past, too near, or on a day too near or too far.
    PreorderTime,
    /// Does not deliver to the guest. Detail: `place_unknown` when the address could not be placed.
    NoDeliveryThere,
    /// The list value is below the minimum. Detail: the minimum.
    MinimumNotReached,
    /// The item does not exist (any more) or is switched off.
    ItemInactive,
    /// The item is not shown on this channel.
    ItemNotVisible,
    /// The item is not published yet, or not sold at the wanted time.
    ItemNotAvailable,
    /// More pieces, over all lines, than may be sold, of the item, a component or an option's size. Detail:
    /// how many of the item or option may.
    ItemSoldOut,
    /// The item has no such option, or it is switched off or not offered on this channel.
    OptionNotAvailable,
    /// Too few or too many options of a group. Detail: the limits, `1-3` or, without a most, `1-`.
    OptionCount,
    /// The coupon does not apply. Detail: why, a [`crate::PromotionReason`]; none when the restaurant knows
    /// no such code.
    CouponNotApplicable,
    /// Staff may not take off so much. Detail: the most, in percent of the goods.
    StaffDiscountAboveLimit,
    /// The restaurant does not take this payment method, or not on this channel.
    PaymentMethodNotAvailable,
}

impl ReasonKind {
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        self.into_str()
    }
}

impl Reason {
    pub(crate) fn new(reason: ReasonKind) -> Self {
        Self { reason, item_index: None, option_id: None, option_group_id: None, detail: None }
    }

    pub(crate) fn item(self, index: usize) -> Self {
        Self { item_index: Some(index), ..self }
    }

    pub(crate) fn detail(self, detail: impl ToString) -> Self {
        Self { detail: Some(detail.to_string()), ..self }
    }
}
