//! The changes that a mend writes: one field of one row each.

use std::collections::HashMap;

use kernel::{Id, ids::Vats};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::look::{Look, Size};

/// In which table a row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Table {
    ProductCategory,
    Product,
    Subproduct,
    OptionGroup,
    Option,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Field {
    NameSecLang,
    VatId,
    SitInVatId,
    AllergenFree,
}

/// A field of a row, before and after; an id is written as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Change {
    pub table: Table,
    pub id: Uuid,
    pub field: Field,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Gives these sizes of one product a rate: the product gets it where that reaches just them, else each size.
/// What has the rate already is not written.
pub(super) fn set_rate(look: &Look<'_>, sizes: &[&Size<'_>], field: Field, rate: Id<Vats>) -> Vec<Change> {
    let own = |row: &crate::menu::rows::SubproductRow| match field {
        Field::SitInVatId => row.sit_in_vat_id,
        _ => row.vat_id,
    };
    let text = |id: Option<Id<Vats>>| id.map(|id| id.to_string());
    let Some(first) = sizes.first() else { return Vec::new() };
    let product = first.product;
    let all = look.index.sizes_of.get(&product.id.uuid()).map_or(&[][..], Vec::as_slice);
    let reached = |row: &&crate::menu::rows::SubproductRow| {
        own(row).is_none()
            && (sizes.iter().any(|size| size.row.id == row.id)
                || look.size(row.id.uuid()).is_some_and(|size| !size.row.active))
    };
    let changes = if all.iter().all(reached) {
        let before = match field {
            Field::SitInVatId => product.sit_in_vat_id,
            _ => product.vat_id,
        };
        vec![Change {
            table: Table::Product,
            id: product.id.uuid(),
            field,
            before: text(before),
            after: Some(rate.to_string()),
        }]
    } else {
        let of_size = |size: &&Size<'_>| Change {
            table: Table::Subproduct,
            id: size.id(),
            field,
            before: text(own(size.row)),
            after: Some(rate.to_string()),
        };
        sizes.iter().map(of_size).collect()
    };
    changes.into_iter().filter(|change| change.before != change.after).collect()
}

/// Those with which a menu is undone: each field once, from what it is to what it was.
pub(super) fn back(changes: &[Change]) -> Vec<Change> {
    changes
        .iter()
        .map(|change| Change { before: change.after.clone(), after: change.before.clone(), ..change.clone() })
        .collect()
}

/// The changes by what one statement writes.
pub(super) fn by_column(changes: &[Change]) -> Vec<((Table, Field), Vec<&Change>)> {
    let mut columns: HashMap<(Table, Field), Vec<&Change>> = HashMap::new();
    for change in changes {
        columns.entry((change.table, change.field)).or_default().push(change);
    }
    let mut columns: Vec<_> = columns.into_iter().collect();
    columns.sort_by_key(|(column, _)| *column);
    columns
}
