//! The parts of a menu of one channel at one instant, from rows. Pure. See `docs/decisions/catalogue.md#computed-menu`.
//!
//! It contains items that are active on every level, visible on the channel, published, and within their
//! availability window. An item outside its time ranges is shown as not available, so guests see what is sold
//! at other hours.

use std::collections::{HashMap, HashSet};

use kernel::{
    Id,
    money::{Money, Percent},
    setting::ServiceFeeMode,
    time::{Timestamp, Tz, in_time_ranges, next_time_range_change},
};
use media::Picture;
use pricing::{Item, OptionGroup};
use restaurants::Facts;
use uuid::Uuid;

use super::{
    rows::{CategoryRow, OptionRow, ProductRow, SubproductRow},
    store::Rows,
    types::{
        MenuCategory, MenuChannel, MenuComponent, MenuOption, MenuOptionGroup, MenuProduct, MenuRestaurant,
        MenuSubproduct,
    },
};
use crate::{
    effective::visibility,
    option_groups::entity as group,
    ordered_name,
    price::SalePrice,
    resolve::{CategoryPart, ProductPart, SubproductPart, item},
};

/// What is computed: for which channel, and at which VAT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct View {
    pub channel: MenuChannel,
    /// Eaten here: the sit-in VAT holds.
    pub here: bool,
}

impl View {
    /// At the till an order may also be taken away; the kiosk has a channel for each; everything else is
    /// taken away.
    pub(crate) fn new(channel: MenuChannel, pickup: bool) -> Self {
        Self {
            channel,
            here: matches!((channel, pickup), (MenuChannel::KioskSitIn, _) | (MenuChannel::SitIn, false)),
        }
    }
}

pub(super) struct Builder<'a> {
    rows: &'a Rows,
    view: View,
    now: Timestamp,
    channel: pricing::MenuChannel,
    parts: HashMap<Uuid, CategoryPart>,
    pub children: HashMap<Uuid, Vec<&'a CategoryRow>>,
    pub products: HashMap<Uuid, Vec<&'a ProductRow>>,
    pub subproducts: HashMap<Uuid, Vec<&'a SubproductRow>>,
    offered: HashSet<Uuid>,
    /// Those of the offered groups that want more than can be chosen here: nobody can order what has one.
    unmet: HashSet<Uuid>,
    /// Every size, for what sizes consist of and options stand for: its row and its VAT here.
    sizes: HashMap<Uuid, (&'a SubproductRow, Percent)>,
    /// Groups that a shown sub-product has.
    pub used: HashSet<Uuid>,
    /// Instants after now at which something shown may change.
    pub changes: Vec<Timestamp>,
}

fn group_by<T>(rows: &[T], key: impl Fn(&T) -> Option<Uuid>) -> HashMap<Uuid, Vec<&T>> {
    let mut found: HashMap<Uuid, Vec<&T>> = HashMap::new();
    for row in rows {
        if let Some(key) = key(row) {
            found.entry(key).or_default().push(row);
        }
    }
    found
}

impl<'a> Builder<'a> {
    pub(super) fn new(rows: &'a Rows, view: View, now: Timestamp) -> Self {
        let channel = view.channel.into();
        let part = |row: &CategoryRow| CategoryPart {
            origin_id: row.origin_id,
            active: row.active,
            own: row.inheritable(),
            available_from: row.available_from,
            available_to: row.available_to,
            expected_at: row.expected_at,
            time_ranges: row.time_ranges.clone(),
        };
        let offered: HashSet<Uuid> = rows
            .groups
            .iter()
            .filter(|group| group.active && visibility(&[group.visible()]).on(channel))
            .map(|group| group.id.uuid())
            .collect();
        let unmet = rows.groups.iter().filter(|group| offered.contains(&group.id.uuid()));
        let unmet = unmet.filter(|group| {
            !OptionGroup::can_be_met(group.min_no_options, options(rows, group, channel).count())
        });
        Self {
            rows,
            view,
            now,
            channel,
            parts: rows.categories.iter().map(|row| (row.id.uuid(), part(row))).collect(),
            children: group_by(&rows.categories, |row| row.parent_id.map(Id::uuid)),
            products: group_by(&rows.products, |row| Some(row.product_category_id.uuid())),
            subproducts: group_by(&rows.subproducts, |row| Some(row.product_id.uuid())),
            unmet: unmet.map(|group| group.id.uuid()).collect(),
            offered,
            sizes: HashMap::new(),
            used: HashSet::new(),
            changes: Vec::new(),
        }
    }

    fn zone(&self) -> Tz {
        self.rows.facts.schedule.zone
    }

    pub fn category(
        &mut self, row: &'a CategoryRow, parent: Option<&'a CategoryRow>,
    ) -> Option<MenuCategory> {
        if !row.active {
            return None;
        }
        let children = self.children.remove(&row.id.uuid()).unwrap_or_default();
        let children: Vec<_> =
            children.into_iter().filter_map(|child| self.category(child, Some(row))).collect();
        let products = self.products.remove(&row.id.uuid()).unwrap_or_default();
        let before = self.changes.len();
        let products: Vec<_> =
            products.into_iter().filter_map(|product| self.product(product, row, parent)).collect();
        // Ranges matter only where something below them is or will be shown.
        if !products.is_empty() || self.changes.len() > before {
            let ranges = [Some(row), parent].into_iter().flatten().map(CategoryRow::ranges);
            let zone = self.zone();
            self.changes.extend(ranges.filter_map(|ranges| next_time_range_change(ranges, self.now, zone)));
        }
        (!children.is_empty() || !products.is_empty()).then(|| MenuCategory {
            id: row.id,
            name: row.name.clone(),
            name_sec_lang: row.name_sec_lang.clone(),
            description: row.description.clone(),
            description_sec_lang: row.description_sec_lang.clone(),
            time_ranges: row.ranges().to_vec(),
            image_web: self.picture(row.image_web_id),
            image_app: self.picture(row.image_app_id),
            image_desc: self.picture(row.image_desc_id),
            children,
            products,
        })
    }

    fn product(
        &mut self, row: &'a ProductRow, category: &CategoryRow, parent: Option<&CategoryRow>,
    ) -> Option<MenuProduct> {
        let part = product_part(row);
        let rows = self.subproducts.remove(&row.id.uuid()).unwrap_or_default();
        let mut subproducts = Vec::with_capacity(rows.len());
        for sub in rows {
            let item = self.item(sub, &part, [Some(category), parent]);
            if self.is_shown(&item) {
                subproducts.push(self.subproduct(sub, item));
            }
        }
        (!subproducts.is_empty()).then(|| MenuProduct {
            id: row.id,
            name: row.name.clone(),
            name_sec_lang: row.name_sec_lang.clone(),
            description: row.description.clone(),
            description_sec_lang: row.description_sec_lang.clone(),
            image: self.picture(row.image_id),
            subproducts,
        })
    }

    /// A size with all inherited values.
    pub(super) fn item(
        &self, row: &SubproductRow, product: &ProductPart, above: [Option<&CategoryRow>; 2],
    ) -> Item {
        let consisting = self.rows.components.get(&row.id.uuid()).cloned().unwrap_or_default();
        let (component_ids, component_pieces) = consisting.into_iter().unzip();
        let own = SubproductPart {
            origin_id: row.origin_id,
            active: row.active,
            own: row.inheritable(),
            price: row.price,
            sellable_quantity: row.sellable_quantity,
            option_group_ids: self.rows.links.get(&row.id.uuid()).cloned().unwrap_or_default(),
            deposit_pieces: row.deposit_pieces,
            component_ids,
            component_pieces,
        };
        let above = above.into_iter().flatten().filter_map(|row| self.parts.get(&row.id.uuid()));
        item(own, product, &above.collect::<Vec<_>>(), &self.rows.defaults)
    }

    /// Reads the sizes that others consist of or that options stand for, whether they are shown or not.
    pub(super) fn read_sizes(&mut self) {
        let of_options = self.rows.options.iter().filter_map(|option| option.subproduct_id);
        let components = self.rows.components.values().flatten().map(|(id, _)| *id);
        let wanted: HashSet<Uuid> = of_options.chain(components).collect();
        if wanted.is_empty() {
            return;
        }
        let products: HashMap<Uuid, &ProductRow> =
            self.rows.products.iter().map(|row| (row.id.uuid(), row)).collect();
        let categories: HashMap<Uuid, &CategoryRow> =
            self.rows.categories.iter().map(|row| (row.id.uuid(), row)).collect();
        for row in self.rows.subproducts.iter().filter(|row| wanted.contains(&row.id.uuid())) {
            let Some(product) = products.get(&row.product_id.uuid()) else { continue };
            let category = categories.get(&product.product_category_id.uuid()).copied();
            let parent = category.and_then(|row| categories.get(&row.parent_id?.uuid()).copied());
            let item = self.item(row, &product_part(product), [category, parent]);
            self.sizes.insert(row.id.uuid(), (row, item.vat(self.view.here)));
        }
    }

    /// What one piece of an item consists of.
    fn components(&self, item: &Item) -> Vec<MenuComponent> {
        let rows = item.components.iter().filter_map(|component| {
            let (size, _) = self.sizes.get(&component.subproduct_id)?;
            let product = self.rows.products.iter().find(|product| product.id == size.product_id)?;
            let alone = self.rows.subproducts.iter().filter(|row| row.product_id == product.id).count() == 1;
            let (name, name_sec_lang) = ordered_name(
                (&product.name, product.name_sec_lang.as_deref()),
                (&size.name, size.name_sec_lang.as_deref()),
                alone,
            );
            let pieces = component.pieces.into();
            Some(MenuComponent { subproduct_id: size.id, name, name_sec_lang, pieces })
        });
        rows.collect()
    }

    /// The one rate of an item on this channel; none where what it consists of has several.
    fn vat(&self, item: &Item) -> Option<Percent> {
        let of_components = item.components.iter().filter_map(|part| self.sizes.get(&part.subproduct_id));
        let mut rates: Vec<Percent> = of_components.map(|(_, percent)| *percent).collect();
        if rates.is_empty() {
            rates.push(item.vat(self.view.here));
        }
        rates.iter().all(|rate| *rate == rates[0]).then_some(rates[0])
    }

    /// Bottles and cans in so many pieces of a size.
    fn deposit_pieces(&self, size: Uuid, pieces: i32) -> i32 {
        self.sizes.get(&size).map_or(0, |(row, _)| row.deposit_pieces * pieces)
    }

    /// Whether guests see a size: active, visible on the channel, published and within its window.
    pub(super) fn is_shown(&mut self, item: &Item) -> bool {
        item.active && item.visible.on(self.channel) && self.shown_now(item)
    }

    /// Published and within its window; notes when that changes.
    fn shown_now(&mut self, item: &Item) -> bool {
        // The last instant of a window counts, so the change is right after it.
        let after = item.available_to.map(|to| Timestamp(to.0 + chrono::TimeDelta::milliseconds(1)));
        let changes = [item.published_at, item.available_from, after];
        self.changes.extend(changes.into_iter().flatten().filter(|at| *at > self.now));
        item.published_at.is_none_or(|at| at <= self.now)
            && item.available_from.is_none_or(|from| from <= self.now)
            && item.available_to.is_none_or(|to| self.now <= to)
    }

    pub(super) fn subproduct(&mut self, row: &SubproductRow, item: Item) -> MenuSubproduct {
        let groups: Vec<Uuid> =
            item.option_group_ids.iter().copied().filter(|id| self.offered.contains(id)).collect();
        self.used.extend(&groups);
        let in_time = item.time_ranges.iter().all(|ranges| in_time_ranges(ranges, self.now, self.zone()));
        let orderable = in_time && !groups.iter().any(|id| self.unmet.contains(id));
        let (vat_percent, components) = (self.vat(&item), self.components(&item));
        let of_components =
            components.iter().map(|part| self.deposit_pieces(part.subproduct_id.uuid(), part.pieces));
        let deposit_pieces = row.deposit_pieces + of_components.sum::<i32>();
        MenuSubproduct {
            id: row.id,
            name: row.name.clone(),
            name_sec_lang: row.name_sec_lang.clone(),
            description: row.description.clone(),
            description_sec_lang: row.description_sec_lang.clone(),
            price: SalePrice(item.price),
            vat_percent,
            service_fee: carries_fee(&self.rows.facts, self.view, item.service_fee),
            deposit_pieces,
            components,
            allergens: self.allergens(&row.allergenic_ids),
            option_group_ids: groups.into_iter().map(Id::from_uuid).collect(),
            sellable_quantity: item.sellable_quantity,
            available: orderable && item.sellable_quantity != Some(0),
            orderable,
        }
    }

    pub fn group(&self, row: &group::Model) -> MenuOptionGroup {
        let options = options(self.rows, row, self.channel).map(|option| MenuOption {
            id: option.id,
            name: option.name.clone(),
            name_sec_lang: option.name_sec_lang.clone(),
            price: SalePrice::shown(option.price, self.rows.defaults.currency),
            deposit_pieces: option
                .subproduct_id
                .map_or(0, |size| self.deposit_pieces(size, option.subproduct_pieces)),
            allergens: self.allergens(&option.allergenic_ids),
        });
        MenuOptionGroup {
            id: row.id,
            name: row.name.clone(),
            name_sec_lang: row.name_sec_lang.clone(),
            r#type: row.r#type,
            min_no_options: row.min_no_options,
            max_no_options: row.max_no_options,
            options: options.collect(),
        }
    }

    pub(super) fn picture(&self, id: Option<Uuid>) -> Option<Picture> {
        id.and_then(|id| self.rows.pictures.get(&id).cloned())
    }

    fn allergens(&self, ids: &[Uuid]) -> Vec<String> {
        self.rows.allergens.iter().filter(|(id, _)| ids.contains(id)).map(|(_, code)| code.clone()).collect()
    }
}

/// The options of an offered group that can be had on a channel.
fn options<'a>(
    rows: &'a Rows, group: &'a group::Model, channel: pricing::MenuChannel,
) -> impl Iterator<Item = &'a OptionRow> {
    let own = rows.options.iter().filter(|option| option.option_group_id == group.id && option.active);
    own.filter(move |option| visibility(&[option.visible(), group.visible()]).on(channel))
}

pub(super) fn product_part(row: &ProductRow) -> ProductPart {
    ProductPart {
        active: row.active,
        own: row.inheritable(),
        available_from: row.available_from,
        available_to: row.available_to,
        expected_at: row.expected_at,
    }
}

/// Percent of the service fee that is charged in a view; 0 where none is.
fn service_fee(facts: &Facts, view: View) -> Percent {
    let taken_away = matches!(view.channel, MenuChannel::SitIn | MenuChannel::KioskTakeAway);
    let charged = view.here || taken_away && facts.take_away_service_fee;
    if charged && facts.service_fee_mode != ServiceFeeMode::Off { facts.service_fee } else { Percent::ZERO }
}

/// Whether an item with this flag carries the service fee in a view.
fn carries_fee(facts: &Facts, view: View, flag: Option<bool>) -> bool {
    let flagged = match facts.service_fee_mode {
        ServiceFeeMode::Off => false,
        ServiceFeeMode::AllItems => flag != Some(false),
        ServiceFeeMode::FlaggedItems => flag == Some(true),
    };
    flagged && !service_fee(facts, view).is_zero()
}

pub(super) fn restaurant(facts: &Facts, view: View, now: Timestamp) -> MenuRestaurant {
    let (deposit, online) = (facts.deposit_here || !view.here, view.channel == MenuChannel::Online);
    let usage_fee = if online { facts.system_usage_fee } else { Money::ZERO };
    MenuRestaurant {
        service_fee: service_fee(facts, view),
        deposit: facts.deposit.filter(|_| deposit).map(|amount| SalePrice::shown(amount, facts.currency)),
        system_usage_fee: SalePrice::shown(usage_fee, facts.currency),
        default_tip: facts.default_tip,
        employee_tip: facts.employee_tip,
        id: facts.id,
        name: facts.name.clone(),
        currency: facts.currency,
        timezone: facts.schedule.zone.name().to_owned(),
        primary_language: facts.primary_language.to_owned(),
        secondary_language: facts.secondary_language.map(str::to_owned),
        phone_1: facts.phone_1.clone(),
        postcode: facts.postcode.clone(),
        city: facts.city.clone(),
        street: facts.street.clone(),
        premise_number: facts.premise_number.clone(),
        open_now: facts.schedule.opening(now).open_now,
        temp_no_orders: facts.schedule.sos.holds(now),
        estimated_delivery_time: facts.estimate(now),
        min_order_price: SalePrice::shown(facts.min_order_price, facts.currency),
        normal_delivery: facts.normal_delivery,
        preorder_delivery: facts.preorder_delivery,
        normal_pickup: facts.normal_pickup,
        preorder_pickup: facts.preorder_pickup,
    }
}
