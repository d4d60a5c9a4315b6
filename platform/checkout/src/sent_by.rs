//! The sender of a cart, as the rules see it; its name and id belong to the order.

use crate::values::OrderPlatform;

/// On whose word a cart stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentBy {
    /// People of the restaurant. They vouch for guests, may send what staff alone may (a region, a reason), and hear
    /// everything of promotions.
    Staff {
        /// They name customers of all restaurants of the partner, not only of this one.
        whole_partner: bool,
    },
    /// A client that keeps its secret: it vouches for the customers that it names.
    Client,
    /// A page, or whatever else every guest can read and imitate: online platforms alone, and no word of it counts
    /// as somebody's.
    Page,
}

impl SentBy {
    /// Whether people of the restaurant sent it.
    pub const fn is_staff(self) -> bool {
        matches!(self, Self::Staff { .. })
    }

    /// Whether it may name customers whom this restaurant has not seen.
    pub(crate) const fn sees_all_customers(self) -> bool {
        matches!(self, Self::Staff { whole_partner: true })
    }

    /// Whether staff take the order on the phone or at the till: it obeys only the rules of items and delivery.
    pub const fn takes(self, platform: OrderPlatform) -> bool {
        let by_hand =
            matches!(platform, OrderPlatform::Phone | OrderPlatform::TakeAway | OrderPlatform::SitIn);
        self.is_staff() && by_hand
    }
}
