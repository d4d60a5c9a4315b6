//! From rows to the menu of one channel at one instant. Pure. See `docs/decisions/catalogue.md#computed-menu`.

use kernel::time::Timestamp;

use super::{
    builder::{Builder, View, restaurant},
    rows::CategoryRow,
    store::Rows,
    suggested::{offered, suggested},
    types::Menu,
};

/// The menu at `now`; its `valid_until` is the next instant at which it may be another one by itself.
pub(crate) fn menu(rows: &Rows, view: View, now: Timestamp) -> Menu {
    let facts = &rows.facts;
    let mut builder = Builder::new(rows, view, now);
    builder.read_sizes();
    let top: Vec<&CategoryRow> =
        rows.categories.iter().filter(|category| category.parent_id.is_none()).collect();
    let categories: Vec<_> =
        top.into_iter().filter_map(|category| builder.category(category, None)).collect();
    let (featured_product_ids, category_upsells) = suggested(rows, &categories);
    let option_groups = rows
        .groups
        .iter()
        .filter(|group| builder.used.contains(&group.id.uuid()))
        .map(|group| builder.group(group))
        .collect();
    let upsells = offered(rows, &builder, view.channel);
    let busy_until = facts.busy(now).map(|busy| busy.until);
    let of_restaurant = [facts.schedule.next_change(now), facts.deposit_until, busy_until];
    let valid_until = builder.changes.into_iter().chain(of_restaurant.into_iter().flatten()).min();
    Menu {
        restaurant: restaurant(facts, view, now),
        channel: view.channel,
        version: facts.catalogue_version,
        valid_until,
        categories,
        option_groups,
        featured_product_ids,
        category_upsells,
        upsells,
    }
}
