//! The last checks between a priced cart and an order: reasons against it, and the pieces that it takes.

use std::collections::BTreeMap;

use access::prelude::*;
use catalogue::Today;
use poem_openapi::types::ToJSON;
use pricing::ReasonKind;
use uuid::Uuid;

use crate::{checkout::PricedCart, quote};

/// Refuses a cart that would not be taken.
/// Errors: `ORDER_NOT_ACCEPTABLE` with every reason.
pub fn refuse(reasons: &[pricing::Reason]) -> Result<()> {
    if reasons.is_empty() {
        return Ok(());
    }
    let reasons = reasons.iter().map(|reason| quote::reason(reason).to_json().unwrap_or_default());
    Err(Problem::new(Code::ORDER_NOT_ACCEPTABLE).with("reasons", reasons.collect::<Vec<_>>().into()))
}

/// Takes the pieces of what is sold in limited numbers, those of components, options and gifts with them. Of what
/// another order gives back (`returned`) only the difference is moved.
/// Errors: `ORDER_NOT_ACCEPTABLE` with the lines that came too late. Where a gift is among what is short, the
/// order is done again: it goes on without the gift when that is enough.
pub async fn take_quantities(tx: &TenantTx, checkout: &PricedCart, returned: &[(Uuid, i32)]) -> Result<()> {
    let PricedCart { facts, snapshot, priced, now, .. } = checkout;
    let counted =
        |id: &Uuid| snapshot.catalogue.items.get(id).is_some_and(|item| item.sellable_quantity.is_some());
    let pieces = priced.pieces().into_iter().filter(|(id, _)| counted(id));
    let mut wanted: BTreeMap<Uuid, i32> =
        pieces.map(|(id, pieces)| (id, i32::try_from(pieces).unwrap_or(i32::MAX))).collect();
    for (id, pieces) in returned {
        *wanted.entry(*id).or_default() -= pieces;
    }
    let today = Today::of(facts, *now);
    if !returned.is_empty() {
        catalogue::lock_pieces(tx, facts.id, wanted.keys().copied().collect()).await?;
        let back = wanted.iter().filter(|(_, pieces)| **pieces < 0).map(|(id, pieces)| (*id, -pieces));
        catalogue::give_back(tx, facts.id, &back.collect::<Vec<_>>(), today).await?;
    }
    let pieces: Vec<(Uuid, i32)> = wanted.into_iter().filter(|(_, pieces)| *pieces > 0).collect();
    if pieces.is_empty() {
        return Ok(());
    }
    let missing = catalogue::take_quantities(tx, facts.id, &pieces, today).await?;
    let short = |line: &pricing::PricedLine| {
        let parts = line.parts.iter().map(|part| part.subproduct_id);
        parts.chain([line.subproduct_id]).any(|id| missing.contains(&id))
    };
    let late: Vec<_> = priced.lines.iter().enumerate().filter(|(_, line)| short(line)).collect();
    if late.iter().any(|(_, line)| line.gift_of.is_some()) {
        return Err(Problem::overtaken());
    }
    let sold_out = |index| pricing::Reason {
        reason: ReasonKind::ItemSoldOut,
        item_index: Some(index),
        option_id: None,
        option_group_id: None,
        detail: None,
    };
    refuse(&late.into_iter().map(|(index, _)| sold_out(index)).collect::<Vec<_>>())
}
