//! The mails that tell the restaurant of an order: the values of their placeholders.

use access::prelude::*;
use work::template::Values;

use super::{
    kind::Lang,
    words::{self, MailRestaurant},
};
use crate::types::Order;

/// The address of a page of the restaurant. It is found under its name in either language.
pub(super) fn link(base: &str, restaurant: Id<Restaurant>, page: &str) -> String {
    format!("{base}/r/{restaurant}/{page}")
}

/// The notes of the lines and of the whole order, one per line.
fn note(order: &Order) -> String {
    let of_items = order.items.iter().filter_map(|item| {
        let message = item.message.as_deref()?;
        Some(format!("{}: {message}", item.name))
    });
    order.row.message.iter().cloned().chain(of_items).collect::<Vec<_>>().join("\n")
}

/// How long nobody has accepted it.
pub(super) fn minutes(order: &Order) -> i64 {
    let row = &order.row;
    let visible = row.visible_at.unwrap_or(row.show_at);
    let since = row.taken_back_at.map_or(visible, |at| at.max(visible));
    (kernel::clock::now() - since.0).num_minutes().max(0)
}

/// The values of the placeholders for this order; links begin with `base`, without a slash at its end.
pub(super) fn values(restaurant: &MailRestaurant, order: &Order, lang: Lang, base: &str) -> Values {
    let row = &order.row;
    let mut values = words::values(restaurant, order, lang, false);
    // A mail to the guest has a word for somebody without a name; here it would say nothing.
    if row.first_name.is_none() && row.last_name.is_none() {
        values.insert("guest", String::new());
    }
    if let Some(table) = &row.table_name {
        let word = if lang == Lang::Hu { "Asztal" } else { "Table" };
        values.insert("address", format!("{word}: {table}"));
    }
    // What the guest of an order for now was promised meanwhile is no wish.
    if !row.is_preorder {
        values.insert("expected_at", String::new());
    }
    if row.is_test {
        let word = if lang == Lang::Hu { "próbarendelés" } else { "test order" };
        for name in ["order", "order_number"] {
            values.entry(name).and_modify(|number| *number = format!("{number}, {word}"));
        }
    }
    values.insert("guest_phone", row.phone_1.clone().unwrap_or_default());
    values.insert("note", note(order));
    values.insert("minutes", minutes(order).to_string());
    values.insert("link", link(base, restaurant.id, &format!("order/{}", row.id)));
    values
}

/// The values for an order that nobody made.
pub(super) fn sample(restaurant: &MailRestaurant, lang: Lang, base: &str) -> Values {
    let mut values = words::sample(restaurant, lang);
    let note = if lang == Lang::Hu { "Kérlek, ne csengess!" } else { "Please do not ring the bell." };
    values.insert("guest_phone", "+36 1 555 0100".to_owned());
    values.insert("note", note.to_owned());
    values.insert("minutes", "5".to_owned());
    values.insert("link", link(base, restaurant.id, "fresh-orders"));
    values
}
