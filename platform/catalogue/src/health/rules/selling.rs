//! Settings that prevent a sale, or sell something by mistake.

use std::collections::HashMap;

use kernel::time::TimeRange;
use pricing::{MenuChannel as Channel, OptionGroup, on_sale};
use uuid::Uuid;

use super::CheckResult;
use crate::{
    effective::visibility,
    health::{
        look::{Look, Size},
        types::{MenuFinding, MenuFindingDetail as Detail},
        week::Week,
    },
    menu::{
        Asked, MenuPreviewCause, Place, Trace, index::MenuSubject, rows::CategoryRow, types::MenuChannel,
    },
    option_groups::entity as group,
};

/// The channels with their flags, in their order.
const CHANNELS: [MenuChannel; 5] = [
    MenuChannel::Online,
    MenuChannel::SitIn,
    MenuChannel::Phone,
    MenuChannel::KioskSitIn,
    MenuChannel::KioskTakeAway,
];

fn sizes_of_groups<'l, 'a>(look: &'l Look<'a>) -> HashMap<Uuid, Vec<&'l Size<'a>>> {
    let mut found: HashMap<Uuid, Vec<&Size<'_>>> = HashMap::new();
    for size in look.active() {
        for id in look.groups(size) {
            found.entry(*id).or_default().push(size);
        }
    }
    found
}

/// Groups that ask for more than can be chosen, on channels on which a size that has them is shown.
pub(super) fn groups_unmet(look: &Look<'_>) -> Vec<CheckResult> {
    let sizes = sizes_of_groups(look);
    let unmet = |group: &OptionGroup, channel: Channel| {
        let offered = group.options.iter().filter(|option| option.is_offered(channel)).count();
        group.is_offered(channel) && !OptionGroup::can_be_met(group.min_no_options, offered)
    };
    let found = look.input.rows.groups.iter().filter_map(|row| {
        let (priced, sizes) = (look.catalogue.option_groups.get(&row.id.uuid())?, sizes.get(&row.id.uuid())?);
        let channels: Vec<MenuChannel> =
            CHANNELS.into_iter().filter(|channel| unmet(priced, (*channel).into())).collect();
        let on = |size: &&&Size<'_>| channels.iter().any(|channel| size.visible().on((*channel).into()));
        let count = sizes.iter().filter(on).count();
        (count > 0).then(|| {
            let shown = |channel: &MenuChannel| sizes.iter().any(|size| size.visible().on((*channel).into()));
            MenuFinding {
                channels: channels.iter().copied().filter(shown).collect(),
                count: i32::try_from(count).ok(),
                ..MenuFinding::of(look.index.group(row))
            }
        })
    });
    found.map(CheckResult::from).collect()
}

/// Sizes that cannot be had because a part of them, or everything that must be chosen, is sold out. An order is
/// asked, on the first channel that shows the size.
pub(super) fn parts_sold_out(look: &Look<'_>) -> Vec<CheckResult> {
    let rows = look.input.rows;
    let counted =
        |id: &Uuid| look.catalogue.items.get(id).is_some_and(|item| item.sellable_quantity.is_some());
    let mut found = Vec::new();
    for size in look.active() {
        let stands_for = |id: &Uuid| {
            let options = look.index.options_of.get(id).into_iter().flatten();
            options.filter_map(|option| option.subproduct_id).any(|id| counted(&id))
        };
        let consists = look.components(size).iter().any(|(id, _)| counted(id));
        if !consists && !look.groups(size).iter().any(stands_for) {
            continue;
        }
        let channel = CHANNELS.into_iter().find(|channel| size.visible().on((*channel).into()));
        let Some(channel) = channel else { continue };
        let asked = Asked { channel, pickup: true, at: look.input.at };
        let config = pricing::Config {
            delivery_override: true,
            ..crate::order_config(&rows.facts, true, false, look.input.at)
        };
        let tried = on_sale(&look.catalogue, size.id(), &asked.cart(), &config);
        let trace = Trace {
            index: &look.index,
            catalogue: &look.catalogue,
            channel: channel.into(),
            at: look.input.at,
            zone: rows.facts.schedule.zone,
        };
        let place =
            Place { size: size.row, product: size.product, category: size.category, parent: size.parent };
        let of_parts = [MenuPreviewCause::ComponentSoldOut, MenuPreviewCause::OptionsSoldOut];
        for reason in trace.of_size(place, &tried) {
            if of_parts.contains(&reason.cause) {
                let finding = MenuFinding::of(look.index.size(size.row));
                found.push(MenuFinding { other: Some(reason.subject), ..finding }.into());
            }
        }
    }
    found
}

/// Whether a part of something is gone, or switched off on any level.
fn off(look: &Look<'_>, id: Uuid) -> Option<Detail> {
    match look.size(id) {
        Some(size) => (!size.active).then_some(Detail::Inactive),
        None => look.index.gone.contains_key(&id).then_some(Detail::Archived),
    }
}

/// Components, and sizes that options stand for, which are archived or switched off since. They are sold as parts
/// all the same, so somebody should know.
pub(super) fn parts_off(look: &Look<'_>) -> Vec<CheckResult> {
    let mut found = Vec::new();
    let mut push = |subject: MenuSubject, id: Uuid| {
        if let Some((detail, other)) = off(look, id).zip(look.index.size_by_id(id)) {
            let finding =
                MenuFinding { other: Some(other), detail: Some(detail), ..MenuFinding::of(subject) };
            found.push(finding.into());
        }
    };
    for size in look.active() {
        for (id, _) in look.components(size) {
            push(look.index.size(size.row), *id);
        }
    }
    let offered = offered_groups(look);
    for option in look.input.rows.options.iter().filter(|option| option.active) {
        if let Some(id) = option.subproduct_id.filter(|_| offered(option.option_group_id.uuid())) {
            push(look.index.option(option), id);
        }
    }
    found
}

/// Whether a group is active, and an active size has it.
fn offered_groups<'l>(look: &'l Look<'_>) -> impl Fn(Uuid) -> bool + 'l {
    let used = sizes_of_groups(look);
    move |id| used.contains_key(&id) && look.index.groups.get(&id).is_some_and(|group| group.active)
}

/// Sizes that are shown somewhere and cost nothing, unless what must be chosen with them costs something.
pub(super) fn prices_of_zero(look: &Look<'_>) -> Vec<CheckResult> {
    let paid = |id: &Uuid| {
        look.catalogue.option_groups.get(id).is_some_and(|group| {
            let mut options = group.options.iter().filter(|option| option.active).peekable();
            group.active
                && group.min_no_options > 0
                && options.peek().is_some()
                && options.all(|option| !option.price.is_zero())
        })
    };
    let free = look
        .active()
        .filter(|size| size.is_visible() && size.row.price.is_zero() && !look.groups(size).iter().any(paid));
    free.map(|size| MenuFinding::of(look.index.size(size.row)).into()).collect()
}

/// Time ranges of a category that never hold together with those above it, or with the opening hours; and times
/// of sale that are over.
pub(super) fn never_open(look: &Look<'_>) -> Vec<CheckResult> {
    let facts = &look.input.rows.facts;
    let hours = Week::of_hours(&facts.schedule.hours);
    let mut found = Vec::new();
    let mut used: Vec<Uuid> = look.active().map(|size| size.category.id.uuid()).collect();
    used.extend(look.active().filter_map(|size| size.parent).map(|parent| parent.id.uuid()));
    used.sort_unstable();
    used.dedup();
    let over = |to: Option<kernel::time::Timestamp>| to.filter(|to| *to < look.input.at);
    for row in look.categories.iter().filter(|row| used.binary_search(&row.id.uuid()).is_ok()) {
        if let Some(at) = over(row.available_to) {
            let finding = MenuFinding::of(look.index.category(row));
            found.push(MenuFinding { detail: Some(Detail::Over), at: Some(at), ..finding }.into());
        }
        found.extend(never_opens(look, row, &hours).map(CheckResult::from));
    }
    for (_, sizes) in look.by_product(look.active()) {
        let product = sizes[0].product;
        if let Some(at) = over(product.available_to) {
            let finding = MenuFinding::of(look.index.product(product));
            found.push(MenuFinding { detail: Some(Detail::Over), at: Some(at), ..finding }.into());
        }
    }
    found
}

fn never_opens(look: &Look<'_>, row: &CategoryRow, hours: &Week) -> Option<MenuFinding> {
    let own: &[TimeRange] = row.ranges();
    let parent = look.index.parent(row).filter(|parent| !parent.ranges().is_empty());
    if own.is_empty() {
        // What only the category above says is told there.
        return None;
    }
    let own = Week::of_ranges(own);
    let both = parent.map_or_else(|| own.clone(), |parent| own.and(&Week::of_ranges(parent.ranges())));
    let finding = MenuFinding::of(look.index.category(row));
    if both.is_empty() {
        let other = parent.map(|parent| look.index.category(parent));
        return Some(MenuFinding { detail: Some(Detail::Contradict), other, ..finding });
    }
    // A restaurant without hours takes no orders at all, which other screens say.
    let outside = !hours.is_empty() && both.and(hours).is_empty();
    outside.then_some(MenuFinding { detail: Some(Detail::OutsideHours), ..finding })
}

/// Sizes, groups and options that are active and shown on no channel. A size that is a part of something is
/// hidden on purpose.
pub(super) fn hidden_everywhere(look: &Look<'_>) -> Vec<CheckResult> {
    let hidden = look.active().filter(|size| !size.is_visible() && !look.parts.contains(&size.id()));
    let mut found: Vec<CheckResult> = look
        .by_product(hidden)
        .into_iter()
        .map(|(subject, sizes)| {
            MenuFinding { count: i32::try_from(sizes.len()).ok(), ..MenuFinding::of(subject) }.into()
        })
        .collect();
    let offered = offered_groups(look);
    let nowhere = |levels: &[crate::flags::Visible]| visibility(levels) == pricing::Visibility::NONE;
    let groups: Vec<&group::Model> =
        look.input.rows.groups.iter().filter(|group| offered(group.id.uuid())).collect();
    for group in groups {
        if nowhere(&[group.visible()]) {
            found.push(MenuFinding::of(look.index.group(group)).into());
            continue;
        }
        let options = look.index.options_of.get(&group.id.uuid()).into_iter().flatten();
        let hidden = options.filter(|one| one.active && nowhere(&[one.visible(), group.visible()]));
        found.extend(hidden.map(|option| MenuFinding::of(look.index.option(option)).into()));
    }
    found
}

/// Deposits without an amount, and menus with a deposit of their own besides those of their parts.
pub(super) fn deposits(look: &Look<'_>) -> Vec<CheckResult> {
    let pieces = |id: Uuid| look.size(id).map_or(0, |size| size.row.deposit_pieces);
    let amount_known = look.input.rows.facts.deposit.is_some();
    let found = look.active().filter_map(|size| {
        let own = size.row.deposit_pieces;
        let of_parts: i32 = look.components(size).iter().map(|(id, count)| pieces(*id) * count).sum();
        let detail = match (own > 0, of_parts > 0) {
            (true, true) => Detail::Twice,
            (true, false) | (false, true) if !amount_known => Detail::NoAmount,
            _ => return None,
        };
        Some(MenuFinding { detail: Some(detail), ..MenuFinding::of(look.index.size(size.row)) }.into())
    });
    found.collect()
}
