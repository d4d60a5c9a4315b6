//! The numbers on a board for guests: orders in preparation and ready ones. It contains no names and no
//! items. See `docs/decisions/devices.md#guest-tvs`.

use access::prelude::*;
use chrono::Duration;
use kernel::clock;
use sea_orm::FromQueryResult;

/// From where orders are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channels {
    pub sit_in: bool,
    pub take_away: bool,
    pub online: bool,
    pub phone: bool,
}

impl Channels {
    fn platforms(self) -> Vec<String> {
        let chosen = [
            (self.sit_in, &["sit_in", "kiosk_sit_in"][..]),
            (self.take_away, &["take_away", "kiosk_take_away"]),
            (self.online, &["browser", "android", "ios", "messenger"]),
            (self.phone, &["phone"]),
        ];
        chosen
            .into_iter()
            .filter(|(on, _)| *on)
            .flat_map(|(_, names)| names.iter().map(|name| (*name).to_owned()))
            .collect()
    }
}

/// The numbers, as printed on the receipts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Object)]
pub struct BoardNumbers {
    /// Being made, oldest first.
    pub preparing: Vec<String>,
    /// Ready, latest first.
    pub ready: Vec<String>,
}

/// An order that nobody has called ready disappears after this many hours: it was handed out without being
/// called.
const FORGOTTEN: i64 = 4;
/// For so many minutes a ready order is called.
const CALLED: i64 = 15;
/// The most numbers of a kind: more cannot be read from two metres.
const MOST: usize = 40;

const BOARD: &str = "select counter, status from orders \
    where restaurant_id = $1 and archived_at is null and not is_test and status in ('processed', 'prepared') \
    and counter is not null \
      and platform = any ($2) and (pickup or platform in ('sit_in', 'kiosk_sit_in')) and show_at <= $3 and \
      accepted_at > $4 \
      and (status = 'prepared' and prepared_at > $5 or status = 'processed' and greatest(accepted_at, \
      show_at) > $6) \
    order by case when status = 'prepared' then -extract(epoch from prepared_at) else extract(epoch from \
    greatest(accepted_at, show_at)) end, id";

#[derive(FromQueryResult)]
struct BoardRow {
    counter: String,
    status: String,
}

/// The present board of a restaurant. Orders that are brought to the guests' homes are on none.
pub async fn board(tx: &TenantTx, restaurant: Id<Restaurant>, channels: Channels) -> Result<BoardNumbers> {
    let now = clock::now();
    let values = [
        restaurant.into(),
        channels.platforms().into(),
        now.into(),
        // Preorders are accepted days ahead; older ones than these the index need not look at.
        (now - Duration::days(60)).into(),
        (now - Duration::minutes(CALLED)).into(),
        (now - Duration::hours(FORGOTTEN)).into(),
    ];
    let mut numbers = BoardNumbers::default();
    for row in tx.all::<BoardRow>(BOARD, values).await? {
        let list = if row.status == "prepared" { &mut numbers.ready } else { &mut numbers.preparing };
        if list.len() < MOST {
            list.push(row.counter);
        }
    }
    Ok(numbers)
}
