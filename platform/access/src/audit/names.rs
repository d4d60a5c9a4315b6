//! What the records are called whose ids stand in lines of the log.

use std::collections::{BTreeSet, HashMap};

use kernel::Result;
use poem_openapi::Object;
use sea_orm::FromQueryResult;
use serde_json::Value as Json;
use tenants::TenantTx;
use uuid::Uuid;

/// The name of a record today.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub struct RecordName {
    id: Uuid,
    /// In the restaurant's language; of VAT rates, allergens and colours in Hungarian.
    name: String,
    /// Of VAT rates, allergens and colours in English; else the same.
    name_en: String,
}

const NAMES: &str =
    "select distinct on (id) id, name, name_en from record_name where id = any ($1) and name <> ''";

/// Adds the ids in this value, at any depth.
fn ids(value: &Json, found: &mut BTreeSet<Uuid>) {
    match value {
        Json::String(text) if text.len() == 36 => found.extend(Uuid::parse_str(text)),
        Json::Array(values) => values.iter().for_each(|value| ids(value, found)),
        Json::Object(fields) => fields.values().for_each(|value| ids(value, found)),
        _ => {}
    }
}

/// The names of what each of these details names by id. What has been deleted is left out.
///
/// # Errors
/// What the database says.
pub async fn record_names(
    tx: &TenantTx,
    details: impl IntoIterator<Item = &Json>,
) -> Result<Vec<Vec<RecordName>>> {
    let of_each: Vec<BTreeSet<Uuid>> = details
        .into_iter()
        .map(|details| {
            let mut found = BTreeSet::new();
            ids(details, &mut found);
            found
        })
        .collect();
    let all: Vec<Uuid> = of_each.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
    if all.is_empty() {
        return Ok(vec![vec![]; of_each.len()]);
    }
    let rows: Vec<RecordName> = tx.all(NAMES, [all.into()]).await?;
    let known: HashMap<Uuid, RecordName> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(of_each.iter().map(|ids| ids.iter().filter_map(|id| known.get(id).cloned()).collect()).collect())
}
