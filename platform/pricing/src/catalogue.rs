//! The part of a restaurant's catalogue that a cart refers to, with all inherited values.

use std::collections::HashMap;

use kernel::{
    money::{Money, Percent},
    time::{TimeRange, Timestamp, Tz, in_time_ranges},
};
use uuid::Uuid;

use crate::{MenuChannel, cart::MAX_QUANTITY};

/// A snapshot: at least the sub-products of the cart with their option groups, and the sub-products that are
/// components of these, that options stand for, and that promotions give as gifts. A size of the cart that is
/// not in it counts as inactive. Components belong in it whether they are sold by themselves or not: one that
/// is missing has no part in the price.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    pub items: HashMap<Uuid, Item>,
    pub option_groups: HashMap<Uuid, OptionGroup>,
}

impl Catalogue {
    /// An option among the groups of an item, with its group.
    pub(crate) fn option<'a>(
        &'a self, item: &'a Item, option_id: Uuid,
    ) -> Option<(Uuid, &'a OptionGroup, &'a ItemOption)> {
        self.groups_of(item).find_map(|(id, group)| {
            group.options.iter().find(|option| option.id == option_id).map(|option| (id, group, option))
        })
    }

    /// The groups of an item, in its order.
    pub(crate) fn groups_of<'a>(&'a self, item: &'a Item) -> impl Iterator<Item = (Uuid, &'a OptionGroup)> {
        item.option_group_ids.iter().filter_map(|id| self.option_groups.get(id).map(|group| (*id, group)))
    }
}

/// A sub-product: what a line of a cart orders. Values are effective ones, inherited from product, category,
/// parent category and restaurant where the sub-product has none.
#[derive(Debug, Clone)]
pub struct Item {
    /// Gross list price of one piece without options, in whole units of the currency, not negative.
    pub price: Money,
    /// VAT of everything but *here* orders.
    pub vat: Percent,
    /// VAT of *here* orders; `None` where none is set on any level: then `vat` holds for them too.
    pub sit_in_vat: Option<Percent>,
    /// On which channels it is shown.
    pub visible: Visibility,
    /// Sub-product, product, category and parent category are all active and not archived.
    pub active: bool,
    /// First instant of the availability window (the latest of product and categories); `None` is open.
    pub available_from: Option<Timestamp>,
    /// Last instant of the availability window (the earliest of product and categories); `None` is open.
    pub available_to: Option<Timestamp>,
    /// Publication date (`expected_at` of product and categories, the latest); `None` is published.
    pub published_at: Option<Timestamp>,
    /// The `time_ranges` of the category and of its parent, one list each: every list must hold. An empty
    /// list is no restriction.
    pub time_ranges: Vec<Vec<TimeRange>>,
    /// Pieces that may still be sold; `None` means that nobody counts.
    pub sellable_quantity: Option<i32>,
    /// The effective service-fee flag (`has_tip`); `None` where no level has set it.
    pub service_fee: Option<bool>,
    pub option_group_ids: Vec<Uuid>,
    /// The id by which promotions name it: of the first of its kind in the partner's restaurants.
    pub origin_id: Uuid,
    /// The ids by which promotions name its category and every category above.
    pub category_ids: Vec<Uuid>,
    /// What one piece consists of, in order; empty for anything but a menu. Only one level is read: a
    /// component's own components are not.
    pub components: Vec<Component>,
    /// Bottles or cans with a deposit in one piece, those of its components not counted.
    pub deposit_pieces: u16,
}

/// A size within another, or one that an option stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Component {
    pub subproduct_id: Uuid,
    /// How many pieces of it; 0 is none.
    pub pieces: u16,
}

impl Item {
    /// Its VAT, eaten here or not.
    pub fn vat(&self, here: bool) -> Percent {
        self.sit_in_vat.filter(|_| here).unwrap_or(self.vat)
    }

    /// Whether it can be sold for a wanted instant when ordered at `now`. The publication date looks at the
    /// moment of ordering; window and time ranges look at the wanted time, because that is when it is made.
    /// Both ends count.
    pub fn is_available(&self, now: Timestamp, wanted: Timestamp, zone: Tz) -> bool {
        self.published_at.is_none_or(|at| at <= now)
            && self.available_from.is_none_or(|from| from <= wanted)
            && self.available_to.is_none_or(|to| wanted <= to)
            && self.time_ranges.iter().all(|ranges| in_time_ranges(ranges, wanted, zone))
    }
}

/// Options to choose from. The number chosen is the sum of the quantities, in one piece, of options that can
/// be had.
#[derive(Debug, Clone)]
pub struct OptionGroup {
    /// Active and not archived.
    pub active: bool,
    /// On which channels it is offered. Where it is not, its limits do not bind and its options cannot be
    /// had.
    pub visible: Visibility,
    /// Fewest options of one piece.
    pub min_no_options: i32,
    /// Most options of one piece; 0 is no limit.
    pub max_no_options: i32,
    pub options: Vec<ItemOption>,
}

impl OptionGroup {
    pub fn is_offered(&self, channel: MenuChannel) -> bool {
        self.active && self.visible.on(channel)
    }

    /// Whether the fewest that a group wants can be chosen at all, from so many options that can be had: one
    /// may be taken several times.
    pub const fn can_be_met(min_no_options: i32, offered: usize) -> bool {
        min_no_options <= 0 || min_no_options as usize <= offered * MAX_QUANTITY as usize
    }

    /// Whether so many options of one piece are within the limits.
    pub fn allows(&self, count: u32) -> bool {
        let count = i64::from(count);
        count >= self.min_no_options.into()
            && (self.max_no_options <= 0 || count <= self.max_no_options.into())
    }
}

#[derive(Debug, Clone)]
pub struct ItemOption {
    pub id: Uuid,
    /// Gross list price of one, in whole units of the currency, not negative.
    pub price: Money,
    /// The size it stands for: it is taxed as that size. Any other option is taxed as its item.
    pub size: Option<Component>,
    /// Active and not archived.
    pub active: bool,
    /// On which channels it is offered.
    pub visible: Visibility,
}

impl ItemOption {
    /// Whether it can be had on a channel on which its group is offered.
    pub fn is_offered(&self, channel: MenuChannel) -> bool {
        self.active && self.visible.on(channel)
    }
}

/// The five effective visibility flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visibility {
    /// Web shop, apps, messenger, delivery platforms.
    pub online: bool,
    /// Tables and till.
    pub sit_in: bool,
    pub phone: bool,
    /// Kiosk, eaten here.
    pub kiosk_sit_in: bool,
    /// Kiosk, taken away.
    pub kiosk_take_away: bool,
}

impl Visibility {
    /// Shown everywhere.
    pub const ALL: Self =
        Self { online: true, sit_in: true, phone: true, kiosk_sit_in: true, kiosk_take_away: true };
    /// Shown nowhere.
    pub const NONE: Self =
        Self { online: false, sit_in: false, phone: false, kiosk_sit_in: false, kiosk_take_away: false };

    pub const fn on(self, channel: MenuChannel) -> bool {
        match channel {
            MenuChannel::Online => self.online,
            MenuChannel::SitIn => self.sit_in,
            MenuChannel::Phone => self.phone,
            MenuChannel::KioskSitIn => self.kiosk_sit_in,
            MenuChannel::KioskTakeAway => self.kiosk_take_away,
        }
    }
}
