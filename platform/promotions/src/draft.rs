//! A promotion as it would be once saved, for trying it out. See `docs/decisions/promotions.md#trying-out`.

use access::prelude::*;

use crate::{
    api::{Here, Saving, find, written},
    entity::{Discounts, Entity},
    rules::{self, Faults},
    store::{self, Places},
    types::NewDiscount,
};

/// Writes a draft as saving it would: a new promotion, or instead of `saved`. The caller throws the
/// transaction away.
/// Errors: What saving it would answer: `VALIDATION_FAILED` with its keys, `DISCOUNT_NOT_EXIST`.
pub async fn write_draft(
    tx: &TenantTx, scope: &Here, saved: Option<Id<Discounts>>, draft: NewDiscount,
) -> Result<Id<Discounts>> {
    let NewDiscount { name, discount_type, fields } = draft;
    let rows = scope.rows(tx);
    store::lock(tx).await?;
    let before = match saved {
        Some(id) => {
            find(&rows, id).await?;
            // Before its counters go, as orders lock them.
            Some(rows.lock::<Entity>(id).await?)
        }
        None => None,
    };
    let mut faults = Faults::default();
    let mut model = rules::blank(scope.restaurant(), name, discount_type);
    let mut has_series = false;
    if let Some(before) = &before {
        if before.discount_type != discount_type {
            faults.say("discount_type", Fault::Invalid, "discount_type_fixed");
        }
        model = crate::entity::Model {
            id: before.id,
            created_at: before.created_at,
            version: before.version,
            restaurant_ids: before.restaurant_ids.clone(),
            ..model
        };
        has_series = store::has_series(tx, before.id).await?;
    }
    rules::apply(&mut model, fields, scope.restaurant(), &mut faults);
    // What is switched off is tried as well.
    model.active = true;
    let places = Places::of(tx, scope.caller()).await?;
    Saving { rows: &rows, places: &places, before: before.as_ref(), has_series }
        .check(&mut model, faults)
        .await?;
    let id = model.id;
    match &before {
        Some(before) => {
            store::saved(tx, before.id, model.locked_customers).await?;
            written(model).update(tx).await?;
        }
        None => Entity::insert(written(model)).exec_without_returning(tx).await.map(drop)?,
    }
    Ok(id)
}
