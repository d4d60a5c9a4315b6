//! Limits for waiting orders of a guest: those of the last hour that are neither paid nor accepted. This
//! stops fake orders. Orders of staff, at tables and tests do not count. See
//! `docs/decisions/orders.md#limits-for-guests`.

use access::{Caller, prelude::*};
use checkout::{NewOrder, known_by};
use chrono::{DateTime, Duration, Utc};
use pricing::Fulfilment;
use restaurants::Facts;
use sea_orm::FromQueryResult;

/// By what the orders of a guest are counted together.
pub(crate) struct Sender {
    /// In E.164.
    pub phone: Option<String>,
    /// Where the phone is no number.
    pub email: Option<String>,
    /// The network address.
    pub guest: Option<String>,
}

/// So long an order counts, in minutes.
pub(crate) const HOUR: i64 = 60;

/// An order that waits, and by what it is the same guest's.
#[derive(FromQueryResult)]
struct WaitingRow {
    created_at: DateTime<Utc>,
    by_phone: bool,
    by_guest: bool,
}

/// Locks the guest's phone or e-mail, and address, always in this order, then reads: a statement of its own sees what was
/// committed while it waited. The locks come before those of what is sold: two orders of one guest would
/// otherwise wait for each other.
const WAITING: &str = "select created_at, by_phone, by_guest from waiting_orders($1, $2, $3, $4, $5, $6)";

impl Sender {
    /// The guest whose waiting orders are counted; none for staff, test keys, and table orders of a secret
    /// key. A browser key's claim to be at a table is not trusted, because every guest can read that key.
    pub fn of(
        caller: &Caller, guest: Option<String>, order: &NewOrder, fulfilment: Fulfilment, facts: &Facts,
    ) -> Option<Self> {
        let counted = match caller {
            Caller::Person { .. } | Caller::Key { test: true, .. } => false,
            Caller::Key { browser, .. } => *browser || fulfilment != Fulfilment::Here,
        };
        let (phone, email) = known_by(&order.cart, facts);
        let email = email.filter(|_| phone.is_none());
        let known = phone.is_some() || email.is_some() || guest.is_some();
        (counted && known).then_some(Self { phone, email, guest })
    }

    /// Refuses one order more than may wait. Until the end of the transaction nobody else counts the same
    /// guest's orders.
    /// Errors: `TOO_MANY_WAITING_ORDERS`.
    pub async fn check(&self, tx: &TenantTx, facts: &Facts, now: Timestamp) -> Result<()> {
        let keys = [("phone", &self.phone), ("email", &self.email), ("guest", &self.guest)];
        let keys = keys
            .into_iter()
            .filter_map(|(what, who)| who.as_ref().map(|who| format!("{} {what} {who}", facts.id)));
        let keys = keys.collect::<Vec<_>>();
        let since = now.0 - Duration::minutes(HOUR);
        let values = [
            keys.into(),
            facts.id.into(),
            self.phone.clone().into(),
            self.email.clone().into(),
            self.guest.clone().into(),
            since.into(),
        ];
        let rows: Vec<WaitingRow> = tx.all(WAITING, values).await?;
        let times = |counts: fn(&WaitingRow) -> bool| -> Vec<DateTime<Utc>> {
            rows.iter().filter(|row| counts(row)).map(|row| row.created_at).collect()
        };
        let (by_phone, by_guest) = (times(|row| row.by_phone), times(|row| row.by_guest));
        let free = [(by_phone, facts.max_waiting_per_phone), (by_guest, facts.max_waiting_per_guest)]
            .into_iter()
            .filter_map(|(times, most)| {
                // The order whose expiry makes room again.
                let most = usize::try_from(most).unwrap_or(usize::MAX);
                times
                    .len()
                    .checked_sub(most)
                    .and_then(|at| times.get(at))
                    .map(|at| *at + Duration::minutes(HOUR))
            });
        match free.max() {
            None => Ok(()),
            Some(free) => {
                let seconds = u64::try_from((free - now.0).num_seconds() + 1).unwrap_or(1);
                Err(Problem::new(Code::TOO_MANY_WAITING_ORDERS)
                    .retry_after(seconds.max(1))
                    .with("phone", facts.phone_1.clone().into()))
            }
        }
    }
}
