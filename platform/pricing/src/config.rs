//! Settings of a restaurant that prices and acceptance depend on, and the circumstances of one order.

use kernel::{
    money::{Currency, Money, Percent},
    time::{Schedule, Timestamp},
};
use rust_decimal::Decimal;

/// Settings of the restaurant, who orders, and when.
#[derive(Debug, Clone)]
pub struct Config {
    /// The currency of all amounts.
    pub currency: Currency,
    /// Hours, holidays and SOS close, and the zone of time ranges and calendar days.
    pub schedule: Schedule,
    /// Delivers as soon as possible.
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
    /// Least list value of a delivery; 0 is no minimum.
    pub min_order_price: Money,
    /// VAT of the delivery fee; see [`Config::DELIVERY_VAT`].
    pub delivery_vat: Percent,
    /// Fees beside the goods.
    pub fees: Fees,
    /// Whether the chosen payment method may be used for this order; also when none is chosen yet.
    pub payable: bool,
    /// Taken by staff (phone, till): only payment, item and delivery rules bind.
    pub staff: bool,
    /// The moment of ordering.
    pub now: Timestamp,
}

impl Config {
    /// 27 %, the VAT of the delivery fee where the restaurant has set none.
    pub const DELIVERY_VAT: Percent = Percent(Decimal::from_parts(27, 0, 0, false, 0));
    /// 27 %, the VAT of the system usage fee everywhere.
    pub const USAGE_FEE_VAT: Percent = Percent(Decimal::from_parts(27, 0, 0, false, 0));
}

/// Fees; the default charges none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fees {
    /// The delivery fee for this guest.
    pub delivery: DeliveryFee,
    /// A percentage of the goods, for service.
    pub service: ServiceFee,
    /// Fixed, set by super admins, charged on own online channels.
    pub system_usage: Money,
}

/// The price of a delivery: of the street, else of the region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeliveryFee {
    /// The price.
    pub price: Money,
    /// Strictly below this list value the delivery costs more; `None` or 0 never.
    pub threshold_price: Option<Money>,
    /// The least price below the threshold.
    pub price_under_threshold: Money,
}

/// The restaurant's service fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServiceFee {
    /// On which items.
    pub mode: ServiceFeeMode,
    /// Of what is paid for them.
    pub percent: Percent,
    /// Also on `take_away` and `kiosk_take_away` (`take_away_service_fee`), not only on *here* orders.
    pub take_away: bool,
}

/// Which items carry the service fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServiceFeeMode {
    /// None.
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
