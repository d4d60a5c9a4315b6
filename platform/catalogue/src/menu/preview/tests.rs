//! What a preview tells agrees with the menu, and every reason comes from somewhere. That the reasons are those
//! of quotes is tested through HTTP, in `orders`.

use std::collections::{HashMap, HashSet};

use chrono::{NaiveDate, TimeDelta};
use kernel::{
    money::Money,
    time::{RangeDay, TimeOfDay, TimeRange, Timestamp, Tz, first_instant},
};
use proptest::prelude::*;
use uuid::Uuid;

use super::{
    build::{Asked, preview},
    types::{MenuPreview, MenuPreviewCategory, MenuPreviewCause, MenuPreviewSubproduct},
};
use crate::{
    flags::inherited,
    menu::{
        build::menu,
        builder::View,
        rows::OptionRow,
        store::Rows,
        tests::{category, facts, id, minutes, product, rows, subproduct, world},
        types::{Menu, MenuCategory, MenuChannel},
    },
    option_groups::{OptionGroupType, entity::Model as GroupModel},
};

const CHANNELS: [MenuChannel; 5] = [
    MenuChannel::Online,
    MenuChannel::SitIn,
    MenuChannel::Phone,
    MenuChannel::KioskSitIn,
    MenuChannel::KioskTakeAway,
];

/// A generator whose numbers a seed repeats.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    pub(crate) fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Seldom set; then as often on as off.
    fn flag(&mut self) -> Option<bool> {
        self.once_in(5).then(|| self.once_in(2))
    }
}

macro_rules! visible_model {
    (
        { $($(#[$_visible_doc:meta])* $visible:ident: $visible_type:ty,)* }
        $_own:tt
        $row:ident { $($fields:tt)* }
    ) => {
        $row { $($fields)* $($visible: None,)* }
    };
}
macro_rules! hide {
    ($random:expr, $row:expr) => {
        $row.visible_online = $random.flag();
        $row.visible_sit_in = $random.flag();
        $row.visible_phone = $random.flag();
        $row.visible_kiosk_sit_in = $random.flag();
        $row.visible_kiosk_take_away = $random.flag();
    };
}

pub(crate) fn option_group(number: u128, min: i32, max: i32) -> GroupModel {
    inherited! { [visible_model] GroupModel {
        id: id(number), restaurant_id: id(1), origin_id: id(number), name: format!("Csoport {number}"),
        name_sec_lang: None, r#type: OptionGroupType::MinMax, min_no_options: min, max_no_options: max,
        ranking: 0, active: true, version: 1, archived_at: None,
    } }
}

pub(crate) fn option(number: u128, group: u128) -> OptionRow {
    inherited! { [visible_model] OptionRow {
        id: id(number), option_group_id: id(group), name: format!("Opció {number}"), price: Money::ZERO,
        active: true, allergenic_ids: vec![], subproduct_pieces: 1, name_sec_lang: None, subproduct_id: None,
    } }
}

/// Switches, hides, sells out and puts together what there is.
pub(crate) fn shaken(mut rows: Rows, seed: u64) -> Rows {
    let mut random = Random(seed);
    for at in 0..rows.products.len() {
        for size in 0..random.below(3) {
            let product = rows.products[at].id.uuid().as_u128();
            rows.subproducts.push(subproduct(product + 2000 + u128::from(size), product, None));
        }
    }
    let sizes: Vec<Uuid> = rows.subproducts.iter().map(|row| row.id.uuid()).collect();
    for number in 0..3_u128 {
        let min = i32::try_from(random.below(3)).unwrap();
        let mut group = option_group(5000 + number, min, 0);
        group.active = !random.once_in(6);
        hide!(random, group);
        for at in 0..random.below(4) {
            let mut option = option(6000 + 10 * number + u128::from(at), 5000 + number);
            option.active = !random.once_in(5);
            hide!(random, option);
            if random.once_in(3) {
                option.subproduct_id =
                    Some(sizes[usize::try_from(random.below(sizes.len() as u64)).unwrap()]);
                option.subproduct_pieces = 1 + i32::try_from(random.below(2)).unwrap();
            }
            rows.options.push(option);
        }
        rows.groups.push(group);
    }
    for row in &mut rows.categories {
        row.active = !random.once_in(8);
        hide!(random, row);
    }
    for row in &mut rows.products {
        row.active = !random.once_in(8);
        hide!(random, row);
    }
    for row in &mut rows.subproducts {
        row.active = !random.once_in(8);
        hide!(random, row);
        row.sellable_quantity = random.once_in(3).then(|| i32::try_from(random.below(3)).unwrap());
        row.deposit_pieces = i32::from(random.once_in(9));
        let groups: Vec<Uuid> =
            (0..3).filter(|_| random.once_in(3)).map(|number| Uuid::from_u128(5000 + number)).collect();
        if !groups.is_empty() {
            rows.links.insert(row.id.uuid(), groups);
        }
    }
    // One size consists of others that have no components.
    if let Some((first, others)) = sizes.split_first().filter(|(_, others)| !others.is_empty())
        && random.once_in(2)
    {
        let of = others.iter().take(2).map(|id| (*id, 1)).collect();
        rows.components = HashMap::from([(*first, of)]);
    }
    rows.facts.deposit = random.once_in(2).then(|| Money::from(50));
    rows
}

fn sizes(preview: &MenuPreview) -> Vec<&MenuPreviewSubproduct> {
    fn walk<'p>(category: &'p MenuPreviewCategory, found: &mut Vec<&'p MenuPreviewSubproduct>) {
        found.extend(category.products.iter().flat_map(|product| &product.subproducts));
        category.children.iter().for_each(|child| walk(child, found));
    }
    let mut found = Vec::new();
    preview.categories.iter().for_each(|category| walk(category, &mut found));
    found
}

/// What guests see of a menu: sizes, and whether they can be had.
fn seen(menu: &mut Menu) -> HashMap<Uuid, bool> {
    menu.subproducts_mut().map(|size| (size.id.uuid(), size.available)).collect()
}

fn shown_categories(categories: &[MenuCategory]) -> HashSet<Uuid> {
    categories
        .iter()
        .flat_map(|one| std::iter::once(one.id.uuid()).chain(shown_categories(&one.children)))
        .collect()
}

fn previewed_categories(categories: &[MenuPreviewCategory]) -> HashSet<Uuid> {
    categories
        .iter()
        .flat_map(|one| {
            one.shown.then(|| one.id.uuid()).into_iter().chain(previewed_categories(&one.children))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn a_preview_shows_what_the_menu_shows_and_says_why_the_rest_is_not_on_sale(
        rows in world(), seed in any::<u64>(), at in -2000_i64..6000, channel in 0_usize..5, pickup in any::<bool>()
    ) {
        let rows = shaken(rows, seed);
        let (channel, at) = (CHANNELS[channel], minutes(at));
        let found = preview(&rows, &[], Asked { channel, pickup, at });
        let mut menu = menu(&rows, View::new(channel, pickup), at);
        let seen = seen(&mut menu);
        let all = sizes(&found);
        prop_assert_eq!(all.len(), rows.subproducts.len());
        prop_assert_eq!(previewed_categories(&found.categories), shown_categories(&menu.categories));
        for size in all {
            let id = size.size.id.uuid();
            prop_assert_eq!(size.shown, seen.contains_key(&id), "{:?}", size);
            // What the order refuses has a cause, and nothing else has one.
            prop_assert_eq!(size.on_sale, size.reasons.is_empty(), "{:?}", size);
            // The menu knows nothing of pieces of components and options; else it offers what can be ordered.
            let of_parts = [
                MenuPreviewCause::ComponentSoldOut,
                MenuPreviewCause::OptionsSoldOut,
                MenuPreviewCause::DepositUnknown,
            ];
            let by_itself = size.reasons.iter().all(|reason| of_parts.contains(&reason.cause));
            prop_assert_eq!(seen.get(&id).copied().unwrap_or(false), by_itself, "{:?}", size);
        }
    }
}

fn nights() -> impl Strategy<Value = NaiveDate> {
    // The clocks go forward and back in the second of each two; and two nights of the year after.
    let days = [(2025, 3, 29), (2025, 3, 30), (2025, 10, 25), (2025, 10, 26), (2026, 3, 29), (2026, 10, 25)];
    let days = days.map(|(year, month, day)| NaiveDate::from_ymd_opt(year, month, day).unwrap());
    prop::sample::select(days.to_vec())
}

/// A time outside of the hour that is skipped or comes twice, in which an entry has no plain beginning or end.
fn time() -> impl Strategy<Value = TimeOfDay> {
    let hour = prop_oneof![0_u16..2, 3_u16..24];
    (hour, 0_u16..60).prop_map(|(hour, minute)| TimeOfDay::new(hour, minute).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    // An entry begins and ends by the clock on the wall, whatever the clocks do in between: a night's menu from 22:00
    // to 4:00 lasts an hour less in spring and an hour more in autumn.
    #[test]
    fn on_the_nights_when_clocks_change_ranges_hold_by_the_clock_on_the_wall(
        day in nights(), from in time(), till in time(), every in any::<bool>(), after in -180_i64..(30 * 60)
    ) {
        let zone = Tz::Europe__Budapest;
        let range_day = if every { RangeDay::EveryDay } else { RangeDay::Sun };
        let ranges = vec![TimeRange { day: range_day, from, till }];
        let rows = rows(
            facts(vec![], vec![]),
            vec![category(100, None, ranges, [None; 3])],
            vec![product(200, 100, [None; 3])],
            None,
        );
        let at = Timestamp(first_instant(zone, day, TimeOfDay::MIDNIGHT).0 + TimeDelta::minutes(after));
        let found = preview(&rows, &[], Asked { channel: MenuChannel::Online, pickup: true, at });
        let local = at.0.with_timezone(&zone).naive_local();
        // By the clock on the wall: an entry of that day, or one of the day before that runs past midnight.
        let (from, till) = (from.minutes(), till.minutes());
        let clock = u16::try_from(local.signed_duration_since(local.date().into()).num_minutes()).unwrap();
        let (today, before) = (local.date(), local.date().pred_opt().unwrap());
        let of_today = match from.cmp(&till) {
            std::cmp::Ordering::Less => (from..=till).contains(&clock),
            _ => clock >= from,
        };
        let of_before = match from.cmp(&till) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => clock < from,
            std::cmp::Ordering::Greater => clock <= till,
        };
        let open = range_day.includes(today) && of_today || range_day.includes(before) && of_before;
        let size = sizes(&found)[0];
        prop_assert_eq!(size.on_sale, open, "at {} ({})", local, at);
        prop_assert!(size.shown);
        let cause = size.reasons.first().map(|reason| reason.cause);
        prop_assert_eq!(cause, (!open).then_some(MenuPreviewCause::OutOfHours));
    }
}

#[test]
fn a_group_of_ten_thousand_options_is_previewed() {
    let mut rows = rows(
        facts(vec![], vec![]),
        vec![category(100, None, vec![], [None; 3])],
        (200..260).map(|number| product(number, 100, [None; 3])).collect(),
        Some(5),
    );
    rows.groups.push(option_group(5000, 3, 0));
    rows.options = (0..10_000).map(|number| option(100_000 + number, 5000)).collect();
    rows.options.iter_mut().for_each(|option| option.active = option.id.uuid().as_u128() % 2 == 0);
    rows.links = rows.subproducts.iter().map(|row| (row.id.uuid(), vec![Uuid::from_u128(5000)])).collect();
    let at = minutes(0);
    let found = preview(&rows, &[], Asked { channel: MenuChannel::SitIn, pickup: false, at });
    assert_eq!(found.option_groups[0].options.len(), 10_000);
    let sizes = sizes(&found);
    assert!(sizes.iter().all(|size| size.on_sale && size.item_options[0].quantity == 3));
}
