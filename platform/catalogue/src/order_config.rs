//! The settings of a restaurant as prices and reasons take them. Quotes, orders and the preview of the menu are
//! judged by the same.

use kernel::{money::Percent, time::Timestamp};
use pricing::{Config, ServiceFeeMode};
use restaurants::Facts;

/// The settings that prices and acceptance depend on, at a moment; without promotions.
pub fn order_config(facts: &Facts, staff: bool, conceal_customers: bool, now: Timestamp) -> Config {
    let mode = match facts.service_fee_mode {
        kernel::setting::ServiceFeeMode::Off => ServiceFeeMode::Off,
        kernel::setting::ServiceFeeMode::AllItems => ServiceFeeMode::AllItems,
        kernel::setting::ServiceFeeMode::FlaggedItems => ServiceFeeMode::FlaggedItems,
    };
    let service =
        pricing::ServiceFee { mode, percent: facts.service_fee, take_away: facts.take_away_service_fee };
    Config {
        restaurant_id: facts.id.uuid(),
        currency: facts.currency,
        schedule: facts.schedule.clone(),
        normal_delivery: facts.normal_delivery,
        normal_pickup: facts.normal_pickup,
        preorder_delivery: facts.preorder_delivery,
        preorder_pickup: facts.preorder_pickup,
        min_days_to_preorder: facts.min_days_to_preorder,
        days_to_preorder: facts.days_to_preorder,
        min_preorder_pickup_diff: facts.lead(facts.min_preorder_pickup_diff, now),
        min_preorder_delivery_diff: facts.lead(facts.min_preorder_delivery_diff, now),
        min_order_price: facts.min_order_price.round(facts.currency),
        // Who knows the guest's address says more.
        place: pricing::Place::NotAsked,
        delivery_vat: facts.delivery_vat,
        fees: pricing::Fees { service, system_usage: facts.system_usage_fee.round(facts.currency) },
        deposit: pricing::Deposit { amount: facts.deposit, not_here: !facts.deposit_here },
        courier_tip_available: facts.is_courier_tip_available,
        point_cash_ratio: if facts.loyalty { facts.point_cash_ratio } else { Percent::ZERO },
        payable: true,
        staff,
        delivery_override: false,
        max_discount_percent: None,
        uses: std::collections::HashMap::new(),
        conceal_customers,
        now,
    }
}
