//! The unchanged part of an order whose items were changed, line by line.

use std::collections::HashMap;

use uuid::Uuid;

use crate::{
    events::LineChange,
    row::{ItemRow, Lines},
};

/// What makes two lines the same: the size, what stands with it, and what it was given for.
#[derive(PartialEq)]
struct Like<'a> {
    subproduct: Uuid,
    gift_of: Option<Uuid>,
    message: Option<&'a str>,
    options: Vec<(Uuid, i32)>,
}

fn like<'a>(item: &'a ItemRow, lines: &Lines) -> Like<'a> {
    let of = lines.options.iter().filter(|option| option.order_item_id == item.id);
    let mut options: Vec<(Uuid, i32)> = of.map(|option| (option.option_id, option.quantity)).collect();
    options.sort_unstable();
    Like { subproduct: item.subproduct_id, gift_of: item.gift_of, message: item.message.as_deref(), options }
}

/// Compares the lines of two orders: pieces of equal lines stayed, the others came or went. A line that stayed keeps
/// the moment at which it was added; one that did not is new.
pub(super) fn compare(old: &Lines, new: &mut Lines) -> Vec<LineChange> {
    let mut left: HashMap<Uuid, i32> = old.items.iter().map(|item| (item.id, item.quantity)).collect();
    let likes: Vec<Like<'_>> = old.items.iter().map(|item| like(item, old)).collect();
    let mut changes = Vec::new();
    for at in 0..new.items.len() {
        let Some(item) = new.items.get(at) else { break };
        let wanted = like(item, new);
        let (id, mut pieces, mut first) = (item.id, item.quantity, None);
        for (before, _) in old.items.iter().zip(&likes).filter(|(_, one)| **one == wanted) {
            let Some(there) = left.get_mut(&before.id).filter(|there| **there > 0 && pieces > 0) else {
                continue;
            };
            let quantity = (*there).min(pieces);
            *there -= quantity;
            pieces -= quantity;
            first = first.or(Some(before));
            changes.push(LineChange { old: Some(before.id), new: Some(id), quantity });
        }
        if pieces > 0 {
            changes.push(LineChange { old: None, new: Some(id), quantity: pieces });
        }
        let Some(item) = new.items.get_mut(at) else { break };
        item.is_new = first.is_none_or(|before| before.is_new);
        if let Some(before) = first {
            item.created_at = before.created_at.or(item.created_at);
        }
    }
    let went = old.items.iter().filter_map(|item| left.get(&item.id).map(|left| (item.id, *left)));
    let went = went.filter(|(_, left)| *left > 0);
    changes.extend(went.map(|(id, quantity)| LineChange { old: Some(id), new: None, quantity }));
    changes
}
