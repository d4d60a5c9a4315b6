//! Settings of a restaurant that prices and acceptance depend on, and the circumstances of one order.

use std::collections::HashMap;

use kernel::{
    money::{Currency, Money, Percent},
    time::{Schedule, Timestamp},
};
use rust_decimal::Decimal;
use uuid::Uuid;

/// Settings of the restaurant, who orders, and when.
#[derive(Debug, Clone)]
pub struct Config {
    pub restaurant_id: Uuid,
    pub currency: Currency,
    /// Hours, holidays and SOS close, and the zone of time ranges and calendar days.
    pub schedule: Schedule,
    /// Delivers as soon as possible. The four switches bind own online channels only.
    pub normal_delivery: bool,
    /// Lets fetch as soon as possible.
    pub normal_pickup: bool,
    /// Delivers at a wanted time.
    pub preorder_delivery: bool,
    /// Lets fetch at a wanted time.
    pub preorder_pickup: bool,
    /// Fewest calendar days between today and the wanted day; 0 allows today.
    pub min_days_to_preorder: i32,
    /// Most calendar days between today and the wanted day.
    pub days_to_preorder: i32,
    /// Fewest minutes from now to the wanted time of a pickup.
    pub min_preorder_pickup_diff: i32,
    /// Fewest minutes from now to the wanted time of a delivery.
    pub min_preorder_delivery_diff: i32,
    /// Least list value of a delivery where its region has none; 0 is no minimum.
    pub min_order_price: Money,
    /// Where the guest is, for deliveries.
    pub place: Place,
    /// VAT of the delivery fee; see [`Config::DELIVERY_VAT`].
    pub delivery_vat: Percent,
    /// Fees beside the goods.
    pub fees: Fees,
    /// The deposit of bottles and cans.
    pub deposit: Deposit,
    /// `is_courier_tip_available`.
    pub courier_tip_available: bool,
    /// Points that a customer earns for a hundred units of goods; 0 where there are none.
    pub point_cash_ratio: Percent,
    /// Whether the chosen payment method may be used for this order; also when none is chosen yet.
    pub payable: bool,
    /// Taken by staff (phone, till): only payment, item and delivery rules bind.
    pub staff: bool,
    /// Staff gave a reason to deliver below the minimum, or where nobody delivers.
    pub delivery_override: bool,
    /// The most that this member of staff may take off, a share of the goods as promotions left them; `None`
    /// is no limit.
    pub max_discount_percent: Option<Percent>,
    /// Uses of promotions, by promotion; one that is missing has none.
    pub uses: HashMap<Uuid, PromotionUses>,
    /// The caller must not learn about customers: three reasons of promotions are told as one. See
    /// [`crate::PromotionReason`].
    pub conceal_customers: bool,
    /// The moment of ordering.
    pub now: Timestamp,
}

impl Config {
    /// 27 %, the VAT of the delivery fee where the restaurant has set none.
    pub const DELIVERY_VAT: Percent = Percent(Decimal::from_parts(27, 0, 0, false, 0));
    /// 27 %, the VAT of the system usage fee everywhere.
    pub const USAGE_FEE_VAT: Percent = Percent(Decimal::from_parts(27, 0, 0, false, 0));
}

/// Where the guest of a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// Nobody has asked, or the restaurant has no regions: nothing is checked and no fee is known.
    #[default]
    NotAsked,
    Region(Region),
    /// Where the restaurant does not deliver.
    Outside,
    /// The address could not be placed.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Region {
    pub fee: DeliveryFee,
    /// Least list value; `None`: the restaurant's.
    pub min_order_price: Option<Money>,
}

/// Uses of a promotion so far, as its limits count them: over all restaurants, and on this business day only
/// where its limits hold per day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PromotionUses {
    pub all: u32,
    pub customer: u32,
    /// The customer is among those to whom the promotion is locked.
    pub named: bool,
}

/// The deposit of bottles and cans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deposit {
    /// For one piece, on the day of the order; `None` when no amount is known for it. See
    /// [`crate::Priced::faults`].
    pub amount: Option<Money>,
    /// Not charged on *here* orders.
    pub not_here: bool,
}

/// Fees; the default charges none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fees {
    /// A percentage of the goods, for service.
    pub service: ServiceFee,
    /// Fixed, set by super admins, charged on own online channels.
    pub system_usage: Money,
}

/// The price of a delivery: of the street, else of the region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryFee {
    pub price: Money,
    /// Strictly below this list value the delivery costs more; `None` or 0 never.
    pub threshold_price: Option<Money>,
    /// The least price below the threshold.
    pub price_under_threshold: Money,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServiceFee {
    pub mode: ServiceFeeMode,
    /// Of what is paid for them.
    pub percent: Percent,
    /// Also on `take_away` and `kiosk_take_away` (`take_away_service_fee`), not only on *here* orders.
    pub take_away: bool,
}

/// Which items carry the service fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServiceFeeMode {
    #[default]
    Off,
    /// All but those flagged off: an item whose flag is unset carries it.
    AllItems,
    /// Only those flagged on.
    FlaggedItems,
}

impl ServiceFeeMode {
    /// Whether an item with this flag carries the fee.
    pub fn includes(self, flag: Option<bool>) -> bool {
        match self {
            Self::Off => false,
            Self::AllItems => flag != Some(false),
            Self::FlaggedItems => flag == Some(true),
        }
    }
}
