//! Whether a size can be ordered by itself, for views of a menu without a cart. See
//! `docs/decisions/catalogue.md#preview`.

use std::collections::HashMap;

use kernel::Fault;
use uuid::Uuid;

use crate::{
    Cart, CartItem, CartOption, Catalogue, Config, Item, ItemOption, MAX_QUANTITY, MenuChannel, OptionGroup,
    Reason, ReasonKind, acceptable, lines::components, price,
};

/// One piece of a size as it would be ordered, and what keeps it from being sold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnSale {
    /// One piece, with as few options as its groups ask for; of these, those that can be had.
    pub item: CartItem,
    /// Every reason of [`acceptable`] against this item. Those against the order as a whole are not among
    /// them: see [`order_reasons`].
    pub reasons: Vec<Reason>,
    /// It has a deposit, and no amount is known for one: such an order is refused as invalid.
    pub deposit_unknown: bool,
}

/// Looks at one piece of a size, in an order like `cart`, whose own lines do not count.
pub fn on_sale(catalogue: &Catalogue, subproduct_id: Uuid, cart: &Cart, config: &Config) -> OnSale {
    let item = catalogue.items.get(&subproduct_id);
    let options = item.map(|item| fewest(catalogue, subproduct_id, item, cart.menu_channel()));
    let item = CartItem { subproduct_id, quantity: 1, options: options.unwrap_or_default() };
    let cart = Cart { items: vec![item.clone()], ..cart.clone() };
    let reasons = acceptable(catalogue, &[], &cart, config);
    let faults = price(catalogue, &[], &cart, config).faults();
    OnSale {
        item,
        reasons: reasons.into_iter().filter(|reason| reason.item_index.is_some()).collect(),
        deposit_unknown: faults.iter().any(|(key, fault)| key == "deposit" && *fault == Fault::NotExist),
    }
}

/// The reasons against any order like `cart`, whatever is in it and wherever it goes.
pub fn order_reasons(cart: &Cart, config: &Config) -> Vec<Reason> {
    let cart = Cart { items: Vec::new(), ..cart.clone() };
    let of_cart = [ReasonKind::MinimumNotReached, ReasonKind::NoDeliveryThere];
    let reasons = acceptable(&Catalogue::default(), &[], &cart, config);
    reasons.into_iter().filter(|reason| !of_cart.contains(&reason.reason)).collect()
}

/// The fewest options with which a size can be ordered, group by group. Groups that nothing can meet get none.
fn fewest(catalogue: &Catalogue, subproduct_id: Uuid, item: &Item, channel: MenuChannel) -> Vec<CartOption> {
    let mut left = Left { catalogue, taken: HashMap::from([(subproduct_id, 1)]) };
    for (id, _, pieces) in components(catalogue, item) {
        left.take(id, pieces.into());
    }
    let mut groups: Vec<_> = catalogue.groups_of(item).map(|(_, group)| group).collect();
    groups.retain(|group| group.is_offered(channel) && group.min_no_options > 0);
    // Whoever has the least to choose from chooses first: several groups may want pieces of the same size.
    groups.sort_by_key(|group| group.options.iter().filter(|option| left.most(option) > 0).count());
    groups.into_iter().flat_map(|group| of_group(&mut left, group, channel)).collect()
}

fn of_group(left: &mut Left<'_>, group: &OptionGroup, channel: MenuChannel) -> Vec<CartOption> {
    let mut offered: Vec<&ItemOption> =
        group.options.iter().filter(|option| option.is_offered(channel)).collect();
    let mut missing = u64::try_from(group.min_no_options).unwrap_or_default();
    if !OptionGroup::can_be_met(group.min_no_options, offered.len()) {
        return Vec::new();
    }
    // What nobody counts comes first, in the order of the group; then what there is most of.
    offered.sort_by_key(|option| std::cmp::Reverse(left.most(option)));
    let mut chosen: Vec<CartOption> = Vec::new();
    for only_what_is_there in [true, false] {
        for option in &offered {
            let had = chosen.iter().filter(|one| one.option_id == option.id).map(|one| one.quantity).sum();
            let room = u64::from(MAX_QUANTITY.saturating_sub(had));
            let most = if only_what_is_there { left.most(option).min(room) } else { room };
            let quantity = most.min(missing);
            if quantity > 0 {
                missing -= quantity;
                left.choose(option, quantity);
                let quantity = u16::try_from(quantity).unwrap_or(MAX_QUANTITY);
                match chosen.iter_mut().find(|one| one.option_id == option.id) {
                    Some(one) => one.quantity += quantity,
                    None => chosen.push(CartOption { option_id: option.id, quantity }),
                }
            }
        }
    }
    chosen
}

/// The pieces that are left beside what is taken already.
struct Left<'a> {
    catalogue: &'a Catalogue,
    taken: HashMap<Uuid, u64>,
}

impl Left<'_> {
    fn take(&mut self, subproduct_id: Uuid, pieces: u64) {
        let taken = self.taken.entry(subproduct_id).or_default();
        *taken = taken.saturating_add(pieces);
    }

    fn choose(&mut self, option: &ItemOption, quantity: u64) {
        if let Some(size) = option.size {
            self.take(size.subproduct_id, u64::from(size.pieces).saturating_mul(quantity));
        }
    }

    /// How many of an option the pieces of its size suffice for.
    fn most(&self, option: &ItemOption) -> u64 {
        let size = option.size.filter(|size| size.pieces > 0);
        let counted = size.and_then(|size| {
            let pieces = self.catalogue.items.get(&size.subproduct_id)?.sellable_quantity?;
            let taken = self.taken.get(&size.subproduct_id).copied().unwrap_or_default();
            Some(u64::try_from(pieces).unwrap_or_default().saturating_sub(taken) / u64::from(size.pieces))
        });
        counted.unwrap_or(u64::MAX)
    }
}
