//! Another wanted time.

use access::prelude::*;
use checkout::refuse_far;
use restaurants::Facts;

use super::input::OrderEdit;
use crate::{row::OrderRow, values::OrderStatus, wait::FIRST};

/// What the kitchen is to hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Announcement {
    /// Nothing: it sees the order before and after, or neither.
    Same,
    /// It should not see the order yet: it is announced when its time comes.
    Later,
    /// It should see the order now.
    Now,
}

/// Writes the wanted time. Answers what the kitchen is to hear; none where the time stays.
///
/// An accepted order that is wanted as soon as possible is promised anew, from now on.
/// Errors: `VALIDATION_FAILED` for a time that nobody means.
pub(super) fn write(
    after: &mut OrderRow, sent: &OrderEdit, facts: &Facts, now: Timestamp,
) -> Result<Option<Announcement>> {
    let before = after.expected_at.filter(|_| after.is_preorder);
    let wanted = sent.expected_at.or(before);
    if wanted == before {
        return Ok(None);
    }
    refuse_far(wanted, now)?;
    let (seen, shown) = (after.show_at <= now, after.show_at);
    let notice = i64::from(facts.preorder_notification_mins_before_expected);
    let show_at = wanted.map_or(now, |at| now.max(at.plus_minutes(-notice)));
    after.is_preorder = wanted.is_some();
    after.expected_at = wanted.or_else(|| {
        let minutes = after.delivery_time_minute.unwrap_or_else(|| facts.estimate(now));
        (after.status == OrderStatus::Processed).then(|| now.plus_minutes(minutes.into()))
    });
    // Who waits goes on waiting since then.
    if !(seen && show_at <= now) {
        after.show_at = show_at;
    }
    let announcement = match (seen, show_at > now) {
        (_, true) => Announcement::Later,
        (false, false) => Announcement::Now,
        (true, false) => return Ok(Some(Announcement::Same)),
    };
    if after.status == OrderStatus::Succeeded {
        // What it has waited in sight counts on from the new time; while nobody sees it, it does not wait.
        let out_of_sight = if seen { now } else { shown };
        let since = |visible: Timestamp| after.taken_back_at.map_or(visible, |at| at.max(visible));
        let waited = |visible| (out_of_sight.0 - since(visible).0).max(chrono::Duration::zero());
        after.visible_at = after.visible_at.map(|visible| Timestamp(after.show_at.0 - waited(visible)));
        (after.escalation_level, after.escalated_at) = (FIRST, None);
    } else {
        after.visible_at = after.visible_at.map(|_| after.show_at);
    }
    Ok(Some(announcement))
}
