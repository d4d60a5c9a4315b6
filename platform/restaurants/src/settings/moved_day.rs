//! The effect of a new start of business days, or of a new zone, on the running day. See
//! `docs/decisions/catalogue.md#quantities`.

use access::{domain::Domains, prelude::*};
use kernel::time::{BusinessDay, TimeOfDay, Tz};

use super::entity::Model;

/// When days begin by the settings of a row.
fn settings(row: &Model) -> Option<(Tz, TimeOfDay)> {
    Some((row.timezone.parse().ok()?, row.order_reset_time))
}

/// When the day that is running ends now: where the next one begins by the new settings, unless it would have begun
/// before. None where days begin as before.
fn ends(before: &Model, after: &Model, now: Timestamp) -> Option<Timestamp> {
    let ((zone, reset), (new_zone, new_reset)) = (settings(before)?, settings(after)?);
    if (zone, reset) == (new_zone, new_reset) {
        return None;
    }
    let day = BusinessDay::of(now, zone, reset);
    let moved = day.end(new_zone, new_reset);
    Some(if moved > now { moved } else { day.end(zone, reset) })
}

/// Tells the domain crates, when the day that is running ends at another time than before.
pub(super) async fn tell(tx: &TenantTx, domains: Domains, before: &Model, after: &Model) -> Result<()> {
    if let Some(ends) = ends(before, after, Timestamp::now()) {
        for domain in domains {
            domain.day_moved(tx, after.id, ends).await?;
        }
    }
    Ok(())
}
