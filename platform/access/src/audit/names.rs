//! What the records are called whose ids stand in lines of the log.

use std::collections::{BTreeSet, HashMap};

use kernel::{Id, Restaurant, Result};
use poem_openapi::Object;
use sea_orm::FromQueryResult;
use serde_json::Value as Json;
use tenants::TenantTx;
use uuid::Uuid;

use crate::{caller::Caller, people::SignedIn};

/// The name of a record today.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub struct RecordName {
    id: Uuid,
    /// In the restaurant's language; of VAT rates, payment methods, allergens and colours in Hungarian.
    name: String,
    /// Of VAT rates, payment methods, allergens and colours in English; else the same.
    name_en: String,
}

/// What the directory knows of them; people without their names.
const KNOWN: &str = "select coalesce(jsonb_agg(to_jsonb(k)), '[]') known from control.record_names($1, $2) k";
/// `$2`: only what belongs to this restaurant, or to no one.
const NAMES: &str = "with known as (select id, name from jsonb_to_recordset($3) k (id uuid, name text)) \
    select distinct on (id) id, name, name_en from ( \
        select n.id, n.name, n.name_en from record_name n \
        where n.id = any ($1) and ($2::uuid is null or n.restaurant_id is null or n.restaurant_id = $2) \
        union all select s.admin_id, s.name, s.name from staff_contact s join known k on k.id = s.admin_id \
        union all select k.id, k.name, k.name from known k) n \
    where name <> ''";
const PLATFORM_NAMES: &str =
    "select distinct on (id) id, name, name_en from control.platform_names($1, $2, $3)";

/// Adds the ids in this value, at any depth.
fn ids(value: &Json, found: &mut BTreeSet<Uuid>) {
    match value {
        Json::String(text) if text.len() == 36 => found.extend(Uuid::parse_str(text)),
        Json::Array(values) => values.iter().for_each(|value| ids(value, found)),
        Json::Object(fields) => fields.values().for_each(|value| ids(value, found)),
        _ => {}
    }
}

/// The ids in each of several values, and all of them together.
fn ids_of_each<'a>(details: impl IntoIterator<Item = &'a Json>) -> (Vec<BTreeSet<Uuid>>, Vec<Uuid>) {
    let of_each: Vec<BTreeSet<Uuid>> = details
        .into_iter()
        .map(|details| {
            let mut found = BTreeSet::new();
            ids(details, &mut found);
            found
        })
        .collect();
    let all: BTreeSet<Uuid> = of_each.iter().flatten().copied().collect();
    (of_each, all.into_iter().collect())
}

/// The names of each set of ids, as far as they are known.
fn named(of_each: &[BTreeSet<Uuid>], known: Vec<RecordName>) -> Vec<Vec<RecordName>> {
    let known: HashMap<Uuid, RecordName> = known.into_iter().map(|row| (row.id, row)).collect();
    of_each.iter().map(|ids| ids.iter().filter_map(|id| known.get(id).cloned()).collect()).collect()
}

/// The restaurant to which the names are limited that this caller reads there; none for who acts for the
/// whole partner.
#[must_use]
pub fn names_within(caller: &Caller, restaurant: Option<Id<Restaurant>>) -> Option<Id<Restaurant>> {
    restaurant.filter(|_| !caller.whole_partner())
}

/// The names of what each of these details names by id. With `within` only of records and people of this
/// restaurant. What has been deleted is left out.
pub async fn record_names(
    tx: &TenantTx, within: Option<Id<Restaurant>>, details: impl IntoIterator<Item = &Json>,
) -> Result<Vec<Vec<RecordName>>> {
    let (of_each, all) = ids_of_each(details);
    let known = if all.is_empty() {
        vec![]
    } else {
        let within = within.map(Id::uuid);
        let known: Option<Json> = tx.value(KNOWN, [all.clone().into(), within.into()]).await?;
        tx.all(NAMES, [all.into(), within.into(), known.into()]).await?
    };
    Ok(named(&of_each, known))
}

/// The same for lines of the platform's log: partners, restaurants, API keys, people and VAT rates.
pub async fn platform_names(
    caller: &SignedIn, details: impl IntoIterator<Item = &Json>,
) -> Result<Vec<Vec<RecordName>>> {
    let (of_each, all) = ids_of_each(details);
    let values = [caller.session.into(), caller.account.into(), all.clone().into()];
    let known = if all.is_empty() { vec![] } else { caller.app.door.all(PLATFORM_NAMES, values).await? };
    Ok(named(&of_each, known))
}
