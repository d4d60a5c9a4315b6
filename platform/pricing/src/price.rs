//! From cart to priced cart. See `docs/decisions/pricing.md#order-of-the-steps`.

use kernel::money::{Money, Percent};
use uuid::Uuid;

use crate::{
    Cart, Catalogue, Config, Explanation, Priced, PricedFee, Promotion, PromotionKind, Step, Tips,
    basket::Basket,
    candidates::{Chosen, choose},
    fees, price_lines,
    units::Coin,
    vat,
};

/// Prices a cart. It also prices what [`crate::acceptable`] refuses, so that a quote can show both; an item
/// or option that the catalogue does not know costs nothing.
///
/// `promotions` are all that are not archived; which of them apply is decided here.
pub fn price(catalogue: &Catalogue, promotions: &[Promotion], cart: &Cart, config: &Config) -> Priced {
    let basket = Basket::new(catalogue, cart, config);
    let chosen = choose(&basket, promotions);
    let coin = basket.coin();

    let mut sheet = price_lines::Sheet::new(&basket, &chosen);
    let service_fee = sheet.spread_service_fee(&basket);
    let tips = fees::tips(cart, coin);
    let (delivery_price, usage_fee) = (chosen.best.left.fee, fees::system_usage(cart, config, coin));

    let fees = [(config.delivery_vat, delivery_price), (Config::USAGE_FEE_VAT, usage_fee)];
    let grosses: Vec<(Percent, i128)> = sheet.grosses().chain(fees).collect();
    let (vats, nets) = vat::by_rate(&grosses, coin);
    let of_fees = nets.len() - fees.len();
    sheet.set_nets(&nets[..of_fees]);

    let deposits = price_lines::Deposits::new(&basket, &chosen);
    let goods = sheet.paid();
    let all_tips: i128 =
        [tips.tip, tips.employee_tip, tips.courier_tip].map(|tip| coin.units(tip)).iter().sum();
    let total = goods + delivery_price + service_fee + all_tips + deposits.amount + usage_fee;
    let original = basket.list_value + sheet.gifts_at_list_price() + basket.delivery_fee;
    let (missed_gifts, wrong_gifts) = choices(cart, promotions, &chosen);
    let sums = Sums { service_fee, tips, deposit: deposits.amount, usage_fee };
    Priced {
        vats,
        products_price: coin.money(goods),
        delivery_price: coin.money(delivery_price),
        delivery: fee(coin, basket.delivery_fee, fees[0], nets[of_fees]),
        discount_price: coin.money(original - goods - delivery_price),
        staff_discount: coin.money(chosen.best.left.staff),
        original_price: coin.money(original),
        service_fee: coin.money(service_fee),
        tips,
        deposit: coin.money(deposits.amount),
        deposit_pieces: deposits.pieces,
        deposit_unknown: deposits.pieces > 0 && config.deposit.amount.is_none(),
        system_usage_fee: coin.money(usage_fee),
        usage: fee(coin, usage_fee, fees[1], nets[of_fees + 1]),
        total_price: coin.money(total),
        points_earned: fees::points_earned(cart, config, coin, goods),
        promotions: chosen.outcomes(&basket, promotions),
        missed_gifts,
        wrong_gifts,
        explanation: explanation(&basket, &chosen, &sums),
        lines: sheet.lines(&basket, &chosen, &deposits),
    }
}

fn fee(coin: Coin, list: i128, (vat_percent, paid): (Percent, i128), net: i128) -> PricedFee {
    let [total_price, discount, paid_price, net, vat] =
        [list, list - paid, paid, net, paid - net].map(|amount| coin.money(amount));
    PricedFee { total_price, discount, paid_price, vat_percent, net, vat }
}

/// Choices of gifts that brought none, and those that name no gift of their promotion.
fn choices(cart: &Cart, promotions: &[Promotion], chosen: &Chosen<'_>) -> (Vec<usize>, Vec<usize>) {
    let given: Vec<(Uuid, Uuid)> = chosen.gifts().collect();
    let (mut missed, mut wrong) = (Vec::new(), Vec::new());
    for (index, choice) in cart.gift_choices.iter().enumerate() {
        if choice.accepted && !given.contains(&(choice.promotion_id, choice.subproduct_id)) {
            missed.push(index);
        }
        let promotion = promotions.iter().find(|promotion| promotion.id == choice.promotion_id);
        let gives = |promotion: &Promotion| {
            let mut gifts = promotion.ranges.iter().flat_map(|range| &range.gifts);
            gifts.any(|gift| gift.subproduct_id == choice.subproduct_id)
        };
        if promotion.is_some_and(|promotion| !gives(promotion)) {
            wrong.push(index);
        }
    }
    (missed, wrong)
}

/// What stands beside the goods.
struct Sums {
    service_fee: i128,
    tips: Tips,
    deposit: i128,
    usage_fee: i128,
}

fn explanation(basket: &Basket<'_>, chosen: &Chosen<'_>, sums: &Sums) -> Vec<Explanation> {
    let coin = basket.coin();
    let line = |step, reference, amount: i128| Explanation { step, reference, amount: coin.money(amount) };
    let items = basket.position.iter().map(|place| &basket.goods.lines[*place]);
    let items = items.map(|item| line(Step::Item, Some(item.subproduct_id), item.list()));
    let gifts = chosen.best.gifts.goods.lines.iter();
    let gifts = gifts.map(|gift| line(Step::Gift, Some(gift.subproduct_id), gift.list()));
    let promotions = chosen.applied().map(|(promotion, taken)| {
        let step = match promotion.kind {
            PromotionKind::Discount => Step::Discount,
            PromotionKind::Coupon => Step::Coupon,
            PromotionKind::Upsell => Step::Upsell,
        };
        line(step, Some(promotion.id), -taken)
    });
    let tip = |tip: Money| coin.units(tip);
    let others = [
        (Step::StaffDiscount, -chosen.best.left.staff),
        (Step::DeliveryFee, basket.delivery_fee),
        (Step::ServiceFee, sums.service_fee),
        (Step::Tip, tip(sums.tips.tip)),
        (Step::EmployeeTip, tip(sums.tips.employee_tip)),
        (Step::CourierTip, tip(sums.tips.courier_tip)),
        (Step::Deposit, sums.deposit),
        (Step::SystemUsageFee, sums.usage_fee),
    ];
    let others = others.into_iter().filter(|(_, amount)| *amount != 0);
    let others = others.map(|(step, amount)| line(step, None, amount));
    items.chain(gifts).chain(promotions).chain(others).collect()
}
