//! From a reason of an order to the rows that it comes from. Pure. It decides nothing: whether something is on
//! sale, `pricing` has said already.

use std::collections::HashMap;

use kernel::time::{TimeRange, Timestamp, Tz, in_time_ranges};
use pricing::{OnSale, Reason, ReasonKind};
use uuid::Uuid;

use super::types::{MenuPreviewCause as Cause, MenuPreviewReason};
use crate::{
    flags::Visible,
    menu::{
        index::{Index, MenuSubject},
        rows::{CategoryRow, OptionRow, ProductRow, SubproductRow},
    },
    option_groups::entity as group,
};

pub(crate) struct Trace<'a> {
    pub index: &'a Index<'a>,
    pub catalogue: &'a pricing::Catalogue,
    pub channel: pricing::MenuChannel,
    pub at: Timestamp,
    pub zone: Tz,
}

/// A size with the rows above it.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub size: &'a SubproductRow,
    pub product: &'a ProductRow,
    pub category: &'a CategoryRow,
    pub parent: Option<&'a CategoryRow>,
}

/// The times of a row above a size: published, first and last instant.
struct Times {
    subject: MenuSubject,
    published: Option<Timestamp>,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    ranges: Vec<TimeRange>,
}

fn told(kind: &str, cause: Cause, subject: MenuSubject) -> MenuPreviewReason {
    MenuPreviewReason { reason: kind.to_owned(), cause, subject, at: None, time_ranges: None, left: None }
}

/// The reasons against every order at the moment.
pub(super) fn of_order(reasons: &[Reason]) -> Vec<MenuPreviewReason> {
    let cause = |kind| match kind {
        ReasonKind::TempNoOrders => Some(Cause::TempNoOrders),
        ReasonKind::Closed => Some(Cause::Closed),
        ReasonKind::NoDeliveryNow => Some(Cause::NoDeliveryNow),
        ReasonKind::NoPickupNow => Some(Cause::NoPickupNow),
        // Preorders, guests and payments: the preview has none of them.
        _ => None,
    };
    let traced = reasons.iter().filter_map(|reason| {
        Some(MenuPreviewReason {
            at: reason.detail.as_deref().and_then(|detail| detail.parse().ok()),
            ..told(reason.reason.as_str(), cause(reason.reason)?, MenuSubject::RESTAURANT)
        })
    });
    traced.collect()
}

impl Trace<'_> {
    /// Where the reasons against one piece of a size come from; at least one cause for each.
    pub(crate) fn of_size(&self, place: Place<'_>, found: &OnSale) -> Vec<MenuPreviewReason> {
        let mut traced = Vec::new();
        let mut sold_out = false;
        for reason in &found.reasons {
            let kind = reason.reason.as_str();
            match reason.reason {
                ReasonKind::ItemInactive => traced.extend(self.inactive(place)),
                ReasonKind::ItemNotVisible => traced.extend(self.hidden(place)),
                ReasonKind::ItemNotAvailable => traced.extend(self.not_available(place)),
                // Those of the size and of its options have one cause each, whatever the number of reasons.
                ReasonKind::ItemSoldOut if !sold_out => {
                    traced.extend(self.sold_out(place, found));
                    sold_out = true;
                }
                ReasonKind::OptionCount => {
                    let group = reason.option_group_id.and_then(|id| self.index.groups.get(&id));
                    traced
                        .extend(group.map(|group| told(kind, Cause::TooFewOptions, self.index.group(group))));
                }
                _ => {}
            }
        }
        if found.deposit_unknown {
            traced.push(told("deposit", Cause::DepositUnknown, MenuSubject::RESTAURANT));
        }
        traced
    }

    fn inactive(&self, place: Place<'_>) -> Vec<MenuPreviewReason> {
        let Place { size, product, category, parent } = place;
        let above = [Some(category), parent].into_iter().flatten();
        let levels = [(size.active, self.index.size(size)), (product.active, self.index.product(product))]
            .into_iter()
            .chain(above.map(|row| (row.active, self.index.category(row))));
        let off = levels.filter(|(active, _)| !active);
        off.map(|(_, subject)| told(ReasonKind::ItemInactive.as_str(), Cause::Inactive, subject)).collect()
    }

    /// The nearest level that says anything hides it.
    fn hidden(&self, place: Place<'_>) -> Option<MenuPreviewReason> {
        let Place { size, product, category, parent } = place;
        let own = |visible: Visible| visible.on(self.channel).is_some();
        let subject = if own(size.visible()) {
            self.index.size(size)
        } else if own(product.visible()) {
            self.index.product(product)
        } else if own(category.visible()) {
            self.index.category(category)
        } else {
            self.index.category(parent?)
        };
        Some(told(ReasonKind::ItemNotVisible.as_str(), Cause::Hidden, subject))
    }

    fn not_available(&self, place: Place<'_>) -> Vec<MenuPreviewReason> {
        let Place { product, category, parent, .. } = place;
        let of_product = Times {
            subject: self.index.product(product),
            published: product.expected_at,
            from: product.available_from,
            to: product.available_to,
            ranges: Vec::new(),
        };
        let above = [Some(category), parent].into_iter().flatten().map(|row| Times {
            subject: self.index.category(row),
            published: row.expected_at,
            from: row.available_from,
            to: row.available_to,
            ranges: row.ranges().to_vec(),
        });
        std::iter::once(of_product).chain(above).flat_map(|times| self.outside(times)).collect()
    }

    fn outside(&self, times: Times) -> Vec<MenuPreviewReason> {
        let Times { subject, published, from, to, ranges } = times;
        let kind = ReasonKind::ItemNotAvailable.as_str();
        let dated = [
            (Cause::NotPublished, published.filter(|at| *at > self.at)),
            (Cause::NotYet, from.filter(|at| *at > self.at)),
            (Cause::Over, to.filter(|at| *at < self.at)),
        ];
        let mut traced: Vec<_> = dated
            .into_iter()
            .filter_map(|(cause, at)| {
                Some(MenuPreviewReason { at: Some(at?), ..told(kind, cause, subject.clone()) })
            })
            .collect();
        if !in_time_ranges(&ranges, self.at, self.zone) {
            let reason = told(kind, Cause::OutOfHours, subject);
            traced.push(MenuPreviewReason { time_ranges: Some(ranges), ..reason });
        }
        traced
    }

    /// The sizes of which too little is left: itself, what it consists of, and groups whose options are short.
    fn sold_out(&self, place: Place<'_>, found: &OnSale) -> Vec<MenuPreviewReason> {
        let Some(item) = self.catalogue.items.get(&place.size.id.uuid()) else { return Vec::new() };
        let kind = ReasonKind::ItemSoldOut.as_str();
        let wanted = self.wanted(place.size.id.uuid(), item, found);
        let short = |id: Uuid| {
            let left = self.catalogue.items.get(&id)?.sellable_quantity?;
            (wanted.get(&id).is_some_and(|wanted| i64::from(left) < *wanted)).then_some(left)
        };
        let mut traced = Vec::new();
        let mut push = |cause, subject, left| {
            traced.push(MenuPreviewReason { left: Some(left), ..told(kind, cause, subject) });
        };
        let of_options = found.reasons.iter().filter_map(|reason| reason.option_id);
        let mut groups: Vec<Uuid> = of_options
            .filter_map(|id| self.index.options.get(&id))
            .map(|option| option.option_group_id.uuid())
            .collect();
        groups.dedup();
        // A piece that is left is enough for the size itself: then its options are what is short.
        if let Some(left) = short(place.size.id.uuid()).filter(|left| *left <= 0 || groups.is_empty()) {
            push(Cause::SoldOut, self.index.size(place.size), left);
        }
        for part in item.components.iter().filter(|part| part.pieces > 0) {
            let subject = self.index.size_by_id(part.subproduct_id);
            if let Some((left, subject)) = short(part.subproduct_id).zip(subject) {
                push(Cause::ComponentSoldOut, subject, left);
            }
        }
        for group in groups.into_iter().filter_map(|id| self.index.groups.get(&id)) {
            let subject = self.index.group(group);
            traced.push(told(kind, Cause::OptionsSoldOut, subject));
        }
        traced
    }

    /// Pieces of each size that the order takes.
    fn wanted(&self, size: Uuid, item: &pricing::Item, found: &OnSale) -> HashMap<Uuid, i64> {
        let mut wanted = HashMap::from([(size, 1_i64)]);
        for part in &item.components {
            *wanted.entry(part.subproduct_id).or_default() += i64::from(part.pieces);
        }
        for chosen in &found.item.options {
            let option = self.index.options.get(&chosen.option_id);
            if let Some((option, id)) = option.and_then(|option| Some((option, option.subproduct_id?))) {
                *wanted.entry(id).or_default() +=
                    i64::from(option.subproduct_pieces) * i64::from(chosen.quantity);
            }
        }
        wanted
    }

    /// Why an option cannot be chosen; `size` is what it stands for.
    pub(super) fn of_option(
        &self, row: &OptionRow, group: &group::Model, option: &pricing::ItemOption,
    ) -> Vec<MenuPreviewReason> {
        let kind = ReasonKind::OptionNotAvailable.as_str();
        let mut traced = Vec::new();
        for (active, subject) in
            [(row.active, self.index.option(row)), (group.active, self.index.group(group))]
        {
            if !active {
                traced.push(told(kind, Cause::Inactive, subject));
            }
        }
        let (own, of_group) = (row.visible().on(self.channel), group.visible().on(self.channel));
        if of_group == Some(false) {
            traced.push(told(kind, Cause::Hidden, self.index.group(group)));
        }
        if own == Some(false) {
            traced.push(told(kind, Cause::Hidden, self.index.option(row)));
        }
        let size = option.size.filter(|size| size.pieces > 0);
        let left = size.and_then(|size| {
            let left = self.catalogue.items.get(&size.subproduct_id)?.sellable_quantity?;
            let subject = self.index.size_by_id(size.subproduct_id)?;
            (left < i32::from(size.pieces)).then_some((left, subject))
        });
        if let Some((left, subject)) = left {
            let reason = told(ReasonKind::ItemSoldOut.as_str(), Cause::SoldOut, subject);
            traced.push(MenuPreviewReason { left: Some(left), ..reason });
        }
        traced
    }
}
