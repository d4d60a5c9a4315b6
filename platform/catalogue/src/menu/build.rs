//! From rows to the menu of one channel at one instant. Pure. See
//! `docs/decisions/catalogue.md#computed-menu`.
//!
//! It contains items that are active on every level, visible on the channel, published, and within their
//! availability window. An item outside its time ranges is shown as not available, so guests see what is sold
//! at other hours.

use std::collections::{HashMap, HashSet};

use kernel::{
    Id,
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
        Menu, MenuCategory, MenuChannel, MenuOption, MenuOptionGroup, MenuProduct, MenuRestaurant,
        MenuSubproduct,
    },
};
use crate::{
    effective::visibility,
    option_groups::entity as group,
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

/// The menu at `now`; its `valid_until` is the next instant at which it may be another one by itself.
pub(crate) fn menu(rows: &Rows, view: View, now: Timestamp) -> Menu {
    let facts = &rows.facts;
    let mut builder = Builder::new(rows, view, now);
    let top: Vec<&CategoryRow> =
        rows.categories.iter().filter(|category| category.parent_id.is_none()).collect();
    let categories = top.into_iter().filter_map(|category| builder.category(category, None)).collect();
    let option_groups = rows
        .groups
        .iter()
        .filter(|group| builder.used.contains(&group.id.uuid()))
        .map(|group| builder.group(group))
        .collect();
    let valid_until = builder.changes.into_iter().chain(facts.schedule.next_change(now)).min();
    Menu {
        restaurant: restaurant(facts, now),
        channel: view.channel,
        version: facts.catalogue_version,
        valid_until,
        categories,
        option_groups,
    }
}

struct Builder<'a> {
    rows: &'a Rows,
    view: View,
    now: Timestamp,
    channel: pricing::MenuChannel,
    parts: HashMap<Uuid, CategoryPart>,
    children: HashMap<Uuid, Vec<&'a CategoryRow>>,
    products: HashMap<Uuid, Vec<&'a ProductRow>>,
    subproducts: HashMap<Uuid, Vec<&'a SubproductRow>>,
    offered: HashSet<Uuid>,
    /// Those of the offered groups that want more than can be chosen here: nobody can order what has one.
    unmet: HashSet<Uuid>,
    /// Groups that a shown sub-product has.
    used: HashSet<Uuid>,
    /// Instants after now at which something shown may change.
    changes: Vec<Timestamp>,
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
    fn new(rows: &'a Rows, view: View, now: Timestamp) -> Self {
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
            used: HashSet::new(),
            changes: Vec::new(),
        }
    }

    fn zone(&self) -> Tz {
        self.rows.facts.schedule.zone
    }

    fn category(&mut self, row: &'a CategoryRow, parent: Option<&'a CategoryRow>) -> Option<MenuCategory> {
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
        &mut self,
        row: &'a ProductRow,
        category: &CategoryRow,
        parent: Option<&CategoryRow>,
    ) -> Option<MenuProduct> {
        let part = ProductPart {
            active: row.active,
            own: row.inheritable(),
            available_from: row.available_from,
            available_to: row.available_to,
            expected_at: row.expected_at,
        };
        let rows = self.subproducts.remove(&row.id.uuid()).unwrap_or_default();
        let mut subproducts = Vec::with_capacity(rows.len());
        for sub in rows {
            let own = SubproductPart {
                origin_id: sub.origin_id,
                active: sub.active,
                own: sub.inheritable(),
                price: sub.price,
                sellable_quantity: sub.sellable_quantity,
                option_group_ids: self.rows.links.get(&sub.id.uuid()).cloned().unwrap_or_default(),
            };
            let above: Vec<&CategoryPart> = [Some(category), parent]
                .into_iter()
                .flatten()
                .filter_map(|row| self.parts.get(&row.id.uuid()))
                .collect();
            let item = item(own, &part, &above, &self.rows.defaults);
            if item.active && item.visible.on(self.channel) && self.shown_now(&item) {
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

    fn subproduct(&mut self, row: &SubproductRow, item: Item) -> MenuSubproduct {
        let groups: Vec<Uuid> =
            item.option_group_ids.into_iter().filter(|id| self.offered.contains(id)).collect();
        self.used.extend(&groups);
        let in_time = item.time_ranges.iter().all(|ranges| in_time_ranges(ranges, self.now, self.zone()));
        let orderable = in_time && !groups.iter().any(|id| self.unmet.contains(id));
        let vat = if self.view.here { item.sit_in_vat.unwrap_or(item.vat) } else { item.vat };
        MenuSubproduct {
            id: row.id,
            name: row.name.clone(),
            name_sec_lang: row.name_sec_lang.clone(),
            description: row.description.clone(),
            description_sec_lang: row.description_sec_lang.clone(),
            price: SalePrice(item.price),
            vat_percent: vat,
            allergens: self.allergens(&row.allergenic_ids),
            option_group_ids: groups.into_iter().map(Id::from_uuid).collect(),
            sellable_quantity: item.sellable_quantity,
            available: orderable && item.sellable_quantity != Some(0),
            orderable,
        }
    }

    fn group(&self, row: &group::Model) -> MenuOptionGroup {
        let options = options(self.rows, row, self.channel).map(|option| MenuOption {
            id: option.id,
            name: option.name.clone(),
            name_sec_lang: option.name_sec_lang.clone(),
            price: SalePrice::shown(option.price, self.rows.defaults.currency),
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

    fn picture(&self, id: Option<Uuid>) -> Option<Picture> {
        id.and_then(|id| self.rows.pictures.get(&id).cloned())
    }

    fn allergens(&self, ids: &[Uuid]) -> Vec<String> {
        self.rows.allergens.iter().filter(|(id, _)| ids.contains(id)).map(|(_, code)| code.clone()).collect()
    }
}

/// The options of an offered group that can be had on a channel.
fn options<'a>(
    rows: &'a Rows,
    group: &'a group::Model,
    channel: pricing::MenuChannel,
) -> impl Iterator<Item = &'a OptionRow> {
    let own = rows.options.iter().filter(|option| option.option_group_id == group.id && option.active);
    own.filter(move |option| visibility(&[option.visible(), group.visible()]).on(channel))
}

fn restaurant(facts: &Facts, now: Timestamp) -> MenuRestaurant {
    MenuRestaurant {
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
        estimated_delivery_time: facts.estimated_delivery_time,
        min_order_price: SalePrice::shown(facts.min_order_price, facts.currency),
        normal_delivery: facts.normal_delivery,
        preorder_delivery: facts.preorder_delivery,
        normal_pickup: facts.normal_pickup,
        preorder_pickup: facts.preorder_pickup,
    }
}
