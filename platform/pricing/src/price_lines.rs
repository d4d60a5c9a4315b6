//! Lines and parts of the priced cart: goods as promotions and staff left them, then gifts.

use kernel::money::{Money, Percent};

use crate::{
    CartItem, Catalogue, PricedLine, PricedOption, PricedPart,
    basket::Basket,
    candidates::Chosen,
    fees,
    gifts::is_free,
    lines::{Cell, Line, Lines},
    units::{Coin, split},
};

/// A cell with all its amounts, in units.
struct PaidCell<'b> {
    cell: &'b Cell,
    paid: i128,
    carries_fee: bool,
    fee: i128,
    net: i128,
    fee_net: i128,
}

/// All cells of goods and gifts, those of the basket first.
pub(crate) struct Sheet<'b> {
    cells: Vec<PaidCell<'b>>,
    /// How many of them are the basket's.
    of_basket: usize,
}

impl<'b> Sheet<'b> {
    pub fn new(basket: &'b Basket<'_>, chosen: &'b Chosen<'_>) -> Self {
        let mode = basket.config.fees.service.mode;
        let paid_cells = |goods: &'b Lines<'_>, left: &'b [i128]| {
            goods.lines.iter().flat_map(move |line| {
                let carries_fee = mode.includes(line.item.and_then(|item| item.service_fee));
                line.cells.clone().map(move |at| PaidCell {
                    cell: &goods.cells[at],
                    paid: left[at],
                    carries_fee,
                    fee: 0,
                    net: 0,
                    fee_net: 0,
                })
            })
        };
        let gifts = &chosen.best.gifts;
        let goods = paid_cells(&basket.goods, &chosen.best.left.cells);
        let cells = goods.chain(paid_cells(&gifts.goods, &gifts.left)).collect();
        Self { cells, of_basket: basket.goods.cells.len() }
    }

    /// Rounds the service fee once and spreads it over the cells that carry it. Answers the fee.
    pub fn spread_service_fee(&mut self, basket: &Basket<'_>) -> i128 {
        let weight = |cell: &PaidCell<'_>| if cell.carries_fee { cell.paid } else { 0 };
        let weights: Vec<i128> = self.cells.iter().map(weight).collect();
        let fee = fees::service(basket.cart, basket.config).of(weights.iter().sum());
        for (cell, share) in self.cells.iter_mut().zip(split(fee, &weights)) {
            cell.fee = share;
        }
        fee
    }

    /// What is taxed: the paid price of each cell, then the service fee of each.
    pub fn grosses(&self) -> impl Iterator<Item = (Percent, i128)> {
        let paid = self.cells.iter().map(|cell| (cell.cell.vat, cell.paid));
        paid.chain(self.cells.iter().map(|cell| (cell.cell.vat, cell.fee)))
    }

    /// Takes the nets of what [`Self::grosses`] gave.
    pub fn set_nets(&mut self, nets: &[i128]) {
        let (paid, fees) = nets.split_at(self.cells.len());
        for ((cell, net), fee_net) in self.cells.iter_mut().zip(paid).zip(fees) {
            cell.net = *net;
            cell.fee_net = *fee_net;
        }
    }

    pub fn paid(&self) -> i128 {
        self.cells.iter().map(|cell| cell.paid).sum()
    }

    pub fn gifts_at_list_price(&self) -> i128 {
        self.cells[self.of_basket..].iter().map(|cell| cell.cell.list).sum()
    }

    /// The lines: the cart's in its order, then the gifts.
    pub fn lines(&self, basket: &Basket<'_>, chosen: &Chosen<'_>, deposits: &Deposits) -> Vec<PricedLine> {
        let coin = basket.coin();
        let (goods, gifts) = self.cells.split_at(self.of_basket);
        let of_cart = basket.cart.items.iter().zip(&basket.position).map(|(sent, place)| {
            let line = &basket.goods.lines[*place];
            let priced = priced_line(coin, line, &goods[line.cells.clone()]);
            let deposit_pieces = deposits.of_goods[*place];
            PricedLine {
                options: options(basket.catalogue, coin, sent, line),
                deposit_pieces,
                deposit: deposits.amount_of(coin, deposit_pieces),
                ..priced
            }
        });
        let given = &chosen.best.gifts;
        let of_gifts = given.goods.lines.iter().enumerate().map(|(at, line)| {
            let deposit_pieces = deposits.of_gifts[at];
            PricedLine {
                gift_of: Some(chosen.member(given.given_by[at]).id),
                deposit_pieces,
                deposit: deposits.amount_of(coin, deposit_pieces),
                ..priced_line(coin, line, &gifts[line.cells.clone()])
            }
        });
        of_cart.chain(of_gifts).collect()
    }
}

/// A line as the sum of its cells; without options and deposit.
fn priced_line(coin: Coin, line: &Line<'_>, cells: &[PaidCell<'_>]) -> PricedLine {
    let parts: Vec<PricedPart> = cells.iter().map(|cell| priced_part(coin, cell)).collect();
    let sum = |amount: fn(&PricedPart) -> Money| parts.iter().map(amount).sum();
    let rate = parts.first().map(|part| part.vat_percent);
    PricedLine {
        subproduct_id: line.subproduct_id,
        gift_of: None,
        quantity: line.quantity,
        unit_price: coin.money(line.unit_price),
        total_price: coin.money(line.list()),
        discount: sum(|part| part.discount),
        paid_price: sum(|part| part.paid_price),
        net: sum(|part| part.net),
        vat: sum(|part| part.vat),
        service_fee: sum(|part| part.service_fee),
        service_fee_net: sum(|part| part.service_fee_net),
        service_fee_vat: sum(|part| part.service_fee_vat),
        vat_percent: rate.filter(|rate| parts.iter().all(|part| part.vat_percent == *rate)),
        deposit_pieces: 0,
        deposit: Money::ZERO,
        parts,
        options: Vec::new(),
    }
}

fn priced_part(coin: Coin, paid: &PaidCell<'_>) -> PricedPart {
    let Cell { kind, subproduct_id, option_id, pieces, vat, list } = *paid.cell;
    PricedPart {
        kind,
        subproduct_id,
        option_id,
        quantity: pieces,
        total_price: coin.money(list),
        discount: coin.money(list - paid.paid),
        paid_price: coin.money(paid.paid),
        vat_percent: vat,
        net: coin.money(paid.net),
        vat: coin.money(paid.paid - paid.net),
        service_fee: coin.money(paid.fee),
        service_fee_net: coin.money(paid.fee_net),
        service_fee_vat: coin.money(paid.fee - paid.fee_net),
    }
}

fn options(catalogue: &Catalogue, coin: Coin, sent: &CartItem, line: &Line<'_>) -> Vec<PricedOption> {
    let options = sent.options.iter().map(|chosen| {
        let known = line.item.and_then(|item| catalogue.option(item, chosen.option_id));
        let unit_price = known.map_or(0, |(_, _, option)| coin.units(option.price));
        PricedOption {
            option_id: chosen.option_id,
            option_group_id: known.map(|(group_id, _, _)| group_id),
            quantity: chosen.quantity,
            unit_price: coin.money(unit_price),
            total_price: coin.money(unit_price * i128::from(chosen.quantity) * i128::from(sent.quantity)),
        }
    });
    options.collect()
}

/// The deposit of bottles and cans: outside VAT and percentages, a line of its own.
pub(crate) struct Deposits {
    /// Pieces of each line of the basket.
    of_goods: Vec<u32>,
    /// Pieces of each gift.
    of_gifts: Vec<u32>,
    /// Of one piece, in units; 0 when it is not known.
    of_one: i128,
    pub pieces: u32,
    /// Of all, in units.
    pub amount: i128,
}

impl Deposits {
    /// A gift that is free carries none: nobody pays for what was not chosen.
    pub fn new(basket: &Basket<'_>, chosen: &Chosen<'_>) -> Self {
        let charged = fees::charges_deposit(basket.cart, basket.config);
        let pieces = |line: &Line<'_>| if charged { line.deposit_pieces } else { 0 };
        let gifts = &chosen.best.gifts;
        let of_goods: Vec<u32> = basket.goods.lines.iter().map(pieces).collect();
        let of_gifts: Vec<u32> = gifts
            .goods
            .lines
            .iter()
            .zip(&gifts.discounts)
            .map(|(line, discount)| if is_free(*discount) { 0 } else { pieces(line) })
            .collect();
        let pieces = of_goods.iter().chain(&of_gifts).copied().fold(0, u32::saturating_add);
        let of_one = basket.config.deposit.amount.map_or(0, |amount| basket.coin().units(amount));
        let each = of_goods.iter().chain(&of_gifts);
        let amount = each.map(|pieces| i128::from(*pieces) * of_one).sum();
        Self { of_goods, of_gifts, of_one, pieces, amount }
    }

    fn amount_of(&self, coin: Coin, pieces: u32) -> Money {
        coin.money(i128::from(pieces) * self.of_one)
    }
}
