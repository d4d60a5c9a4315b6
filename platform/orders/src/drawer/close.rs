//! Closing a drawer: first payments that were not booked are assumed, then everything since the last close is
//! counted. See `docs/decisions/payments.md#drawer`.

use access::prelude::*;
use kernel::money::{Currency, Money};
use poem_openapi::types::ToJSON;

use super::{
    assume,
    store::{self, ClosedLine, MOST_UNPAID, Place},
    types::{CountedLine, Drawer, DrawerCloseId, DrawerLine, NewDrawerClose},
};
use crate::{events::Event, payments::Till, values::Amount};

/// A drawer since its last close.
pub(super) async fn drawer(till: Till<'_>, place: Place) -> Result<Drawer> {
    let tx = till.tx;
    let [waiting_payments, asked_refunds] = store::waiting(tx, place.restaurant).await?;
    Ok(Drawer {
        courier_id: place.courier,
        currency: till.facts.currency,
        since: store::last(tx, place).await?,
        lines: store::lines(tx, place).await?,
        persons: store::persons(tx, place).await?,
        movements: store::movements(tx, place).await?,
        unpaid: store::unpaid(tx, place, till.now, MOST_UNPAID).await?,
        assumed: store::assumed(tx, place).await?,
        couriers: if place.courier.is_none() { store::couriers(tx, place.restaurant).await? } else { vec![] },
        waiting_payments,
        asked_refunds,
    })
}

/// Closes a drawer.
/// Errors: `CONFLICT` with the drawer of now when it is not what the person saw; `VALIDATION_FAILED`.
pub(super) async fn close(
    till: Till<'_>, place: Place, sent: &NewDrawerClose,
) -> Result<(Id<DrawerCloseId>, Vec<Event>)> {
    let tx = till.tx;
    let facts = till.facts;
    check(&sent.lines, facts.currency)?;
    // Orders are locked before the drawer, as whoever takes money does.
    let unpaid = store::unpaid(tx, place, till.now, MOST_UNPAID).await?;
    let events = assume::book(till, &unpaid).await?;
    store::lock(tx, place).await?;
    let id = Id::new();
    let note = sent.note.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let lines = store::insert_close(tx, place, id, note, facts.business_day(till.now), till.actor).await?;
    let lines = counted(lines, &sent.lines);
    let differs = |sent: &CountedLine| {
        let line = lines.iter().find(|one| is(&one.line, sent));
        sent.expected.is_some_and(|seen| line.is_none_or(|one| one.line.expected.0 != seen))
    };
    if sent.lines.iter().any(differs) {
        let seen: Vec<_> = lines.into_iter().map(|one| one.line).collect();
        return Err(Problem::new(Code::CONFLICT).with("current", seen.to_json().unwrap_or_default()));
    }
    store::insert_lines(tx, id, &lines).await?;
    Ok((id, events))
}

fn is(line: &DrawerLine, sent: &CountedLine) -> bool {
    line.payment_key == sent.payment_key && line.currency == sent.currency
}

fn check(sent: &[CountedLine], currency: Currency) -> Result<()> {
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    for (at, line) in sent.iter().enumerate() {
        let twice = sent
            .iter()
            .take(at)
            .any(|other| other.payment_key == line.payment_key && other.currency == line.currency);
        let whole = |money: Money| money == money.round(line.currency);
        if twice {
            problem = problem.key(format!("lines.{at}.payment_key"), Fault::NotUnique);
        }
        if line.currency != currency && line.payment_key != "cash" {
            problem = problem.key(format!("lines.{at}.currency"), Fault::Invalid);
        }
        if !whole(line.counted) {
            problem = problem.key(format!("lines.{at}.counted"), Fault::Invalid);
        }
        let left = line.left_over;
        if left.is_some_and(|left| !whole(left) || left > line.counted || line.payment_key != "cash") {
            problem = problem.key(format!("lines.{at}.left_over"), Fault::Invalid);
        }
    }
    problem.if_any()
}

/// The sums with what was counted. Only cash is left for the next close: all that is there, unless somebody says
/// what stays.
fn counted(lines: Vec<DrawerLine>, sent: &[CountedLine]) -> Vec<ClosedLine> {
    let zero = Amount::from(Money::ZERO);
    let more = sent.iter().filter(|one| !lines.iter().any(|line| is(line, one))).map(|one| DrawerLine {
        payment_key: one.payment_key.clone(),
        currency: one.currency,
        left_before: zero,
        taken: zero,
        given_back: zero,
        change_given: zero,
        moved: zero,
        expected: zero,
    });
    let all: Vec<DrawerLine> = lines.iter().cloned().chain(more).collect();
    all.into_iter()
        .map(|line| {
            let found = sent.iter().find(|one| is(&line, one));
            let counted = found.map(|one| one.counted);
            let there = counted.unwrap_or(line.expected.0);
            let left_over = match line.payment_key.as_str() {
                "cash" => found.and_then(|one| one.left_over).unwrap_or(there),
                _ => Money::ZERO,
            };
            ClosedLine { line, counted, left_over }
        })
        .collect()
}
