//! Writing imported streets and towns, in statements for all rows together.

use std::collections::HashMap;

use access::prelude::*;
use kernel::money::{Currency, Money};
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use crate::{
    import::{RowFaults, StreetRow, TownRow},
    import_answers::{DeliveryRegionImport, DeliveryRegionImportRow, DeliveryStreetImport, Imported},
    place::city_key,
    price,
    regions::{self, DeliveryRegions},
    street::{Keys, WHOLE},
    streets,
};

/// A street as the statements take it.
#[derive(Serialize)]
struct StreetJson {
    id: Uuid,
    region: Uuid,
    name: String,
    name_key: String,
    postcode_key: Option<String>,
    city_key: Option<String>,
    postcode: Option<String>,
    city: Option<String>,
    price: Option<Money>,
    active: bool,
}

const ADD_STREETS: &str = "insert into delivery_street (id, restaurant_id, delivery_region_id, name, name_key, \
        postcode_key, city_key, postcode, city, price, active) \
    select t.id, $1, t.region, t.name, t.name_key, t.postcode_key, t.city_key, t.postcode, t.city, t.price, \
        t.active \
    from jsonb_to_recordset($2::text::jsonb) as t (id uuid, region uuid, name text, name_key text, \
        postcode_key text, city_key text, postcode text, city text, price numeric, active boolean)";
const CHANGE_STREETS: &str = "update delivery_street s set price = t.price, active = t.active, \
        version = s.version + 1, updated_at = now() \
    from jsonb_to_recordset($2::text::jsonb) as t (id uuid, price numeric, active boolean) \
    where s.id = t.id and s.restaurant_id = $1";

/// A region as the statements take it.
#[derive(Serialize)]
struct RegionJson {
    id: Uuid,
    name: String,
    price: Money,
    min_order_price: Money,
}

const ADD_REGIONS: &str = "insert into delivery_region (id, restaurant_id, name, price, min_order_price) \
    select t.id, $1, t.name, t.price, t.min_order_price \
    from jsonb_to_recordset($2::text::jsonb) as t (id uuid, name text, price numeric, min_order_price numeric)";
const CHANGE_REGIONS: &str = "update delivery_region r set price = t.price, \
        min_order_price = t.min_order_price, version = r.version + 1, updated_at = now() \
    from jsonb_to_recordset($2::text::jsonb) as t (id uuid, price numeric, min_order_price numeric) \
    where r.id = t.id and r.restaurant_id = $1";

/// Runs a statement for these rows, if there are any.
async fn run(rows: &rows::Rows<'_>, sql: &'static str, sent: &[impl Serialize]) -> Result<()> {
    if sent.is_empty() {
        return Ok(());
    }
    let sent = serde_json::to_string(sent).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
    rows.tx().run(sql, [rows.restaurant()?.into(), sent.into()]).await?;
    Ok(())
}

fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

async fn audit(
    rows: &rows::Rows<'_>, action: &str, record: Uuid, added: usize, changed: usize,
) -> Result<()> {
    let details = json!({"added": [null, added], "changed": [null, changed]});
    let restaurant = rows.restaurant()?.uuid();
    access::write_audit(rows.tx(), Some(restaurant), &rows.caller().into(), action, Some(record), details)
        .await
}

/// Adds and changes streets of a region, which is locked.
/// Errors: `VALIDATION_FAILED` with `rows` for amounts that the currency does not have.
pub(crate) async fn streets(
    rows: &rows::Rows<'_>, region: Id<DeliveryRegions>, wanted: Vec<StreetRow>,
) -> Result<DeliveryStreetImport> {
    let restaurant = rows.restaurant()?;
    let currency = regions::currency(rows.tx(), restaurant).await?;
    let mut faults = RowFaults::default();
    for one in &wanted {
        if let Some(fault) = one.price.flatten().and_then(|amount| price::fault(amount, currency)) {
            faults.name(one.row, &one.name);
            faults.add(one.row, "price", fault);
        }
    }
    faults.refuse()?;
    let there = rows.below(region).live::<streets::Entity>()?.all(rows.tx()).await?;
    let there: HashMap<_, _> = there
        .into_iter()
        .map(|row| ((row.name_key.clone(), row.postcode_key.clone(), row.city_key.clone()), row))
        .collect();
    let (mut added, mut changed) = (Vec::new(), Vec::new());
    for StreetRow { row: _, name, postcode, city, price, active } in wanted {
        let keys = Keys::of_row(&name, postcode.as_deref(), city.as_deref());
        let key = (keys.name, keys.postcode, keys.city);
        let before = there.get(&key);
        let (name_key, postcode_key, city_key) = key;
        let street = StreetJson {
            id: before.map_or_else(Uuid::now_v7, |row| row.id.uuid()),
            region: region.uuid(),
            name: name.trim().to_owned(),
            name_key,
            postcode_key,
            city_key,
            postcode: price::tidy(postcode),
            city: price::tidy(city),
            price: price.unwrap_or_else(|| before.and_then(|row| row.price)),
            active: active.unwrap_or_else(|| before.is_none_or(|row| row.active)),
        };
        match before {
            None => added.push(street),
            Some(row) if (row.price, row.active) != (street.price, street.active) => changed.push(street),
            Some(_) => {}
        }
    }
    streets::check_room(rows.tx(), restaurant, added.len()).await?;
    run(rows, ADD_STREETS, &added).await?;
    run(rows, CHANGE_STREETS, &changed).await?;
    if !added.is_empty() || !changed.is_empty() {
        audit(rows, "delivery_streets_import", region.uuid(), added.len(), changed.len()).await?;
    }
    Ok(DeliveryStreetImport { added: number(added.len()), changed: number(changed.len()) })
}

/// The live regions by the names of towns.
struct ExistingTowns {
    regions: HashMap<Option<String>, Vec<regions::Model>>,
    /// Whole towns: region, postcode and city.
    whole: std::collections::HashSet<(Uuid, Option<String>, Option<String>)>,
}

impl ExistingTowns {
    async fn read(rows: &rows::Rows<'_>) -> Result<Self> {
        let mut regions: HashMap<_, Vec<_>> = HashMap::new();
        for region in rows.live::<regions::Entity>()?.all(rows.tx()).await? {
            regions.entry(city_key(&region.name)).or_default().push(region);
        }
        let whole = streets::Entity::find()
            .filter(streets::Column::RestaurantId.eq(rows.restaurant()?.uuid()))
            .filter(streets::Column::ArchivedAt.is_null())
            .filter(streets::Column::NameKey.eq(WHOLE));
        let whole = whole.all(rows.tx()).await?.into_iter();
        let whole = whole.map(|row| (row.delivery_region_id.uuid(), row.postcode_key, row.city_key));
        Ok(Self { regions, whole: whole.collect() })
    }
}

fn faults(wanted: &[TownRow], known: &ExistingTowns, currency: Currency) -> RowFaults {
    let mut faults = RowFaults::default();
    for one in wanted {
        faults.name(one.row, &one.city);
        let amounts = [("price", one.price), ("min_order_price", one.min_order_price)];
        for (key, amount) in amounts {
            if let Some(fault) = price::fault(amount, currency) {
                faults.add(one.row, key, fault);
            }
        }
        // Nobody knows which of several regions of one name is meant.
        if known.regions.get(&city_key(&one.city)).is_some_and(|regions| regions.len() > 1) {
            faults.add(one.row, "city", Fault::NotUnique);
        }
    }
    faults
}

/// Makes and changes regions of towns. The restaurant is locked.
/// Errors: `VALIDATION_FAILED`, with `rows` where rows are at fault.
pub(crate) async fn towns(
    rows: &rows::Rows<'_>, wanted: Vec<TownRow>, dry_run: bool,
) -> Result<DeliveryRegionImport> {
    let restaurant = rows.restaurant()?;
    let currency = regions::currency(rows.tx(), restaurant).await?;
    let mut known = ExistingTowns::read(rows).await?;
    faults(&wanted, &known, currency).refuse()?;
    let (mut added, mut changed, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    let mut made: HashMap<Option<String>, (Uuid, Imported)> = HashMap::new();
    let mut told = Vec::with_capacity(wanted.len());
    for TownRow { row, city, postcode, price, min_order_price } in wanted {
        let key = city_key(&city);
        let (region, what) = *made.entry(key.clone()).or_insert_with(|| {
            let there = known.regions.get(&key).and_then(|regions| regions.first());
            let id = there.map_or_else(Uuid::now_v7, |region| region.id.uuid());
            let written = RegionJson { id, name: city.trim().to_owned(), price, min_order_price };
            match there {
                None => {
                    added.push(written);
                    (id, Imported::Added)
                }
                Some(region) if (region.price, region.min_order_price) != (price, min_order_price) => {
                    changed.push(written);
                    (id, Imported::Changed)
                }
                Some(_) => (id, Imported::Same),
            }
        });
        let keys = Keys::of_row(WHOLE, postcode.as_deref(), Some(&city));
        let new = known.whole.insert((region, keys.postcode.clone(), keys.city.clone()));
        if new {
            whole.push(StreetJson {
                id: Uuid::now_v7(),
                region,
                name: keys.name,
                name_key: WHOLE.to_owned(),
                postcode_key: keys.postcode,
                city_key: keys.city,
                postcode: price::tidy(postcode.clone()),
                city: price::tidy(Some(city.clone())),
                price: None,
                active: true,
            });
        }
        let what = if new && what == Imported::Same { Imported::Added } else { what };
        let row = i32::try_from(row).unwrap_or(i32::MAX);
        told.push(DeliveryRegionImportRow { row, name: city, postcode, price, min_order_price, what });
    }
    let more = u64::try_from(added.len()).unwrap_or(u64::MAX);
    regions::check_room(rows, more, "file").await?;
    streets::check_room(rows.tx(), restaurant, whole.len()).await?;
    if !dry_run {
        run(rows, ADD_REGIONS, &added).await?;
        run(rows, CHANGE_REGIONS, &changed).await?;
        run(rows, ADD_STREETS, &whole).await?;
        if !added.is_empty() || !changed.is_empty() || !whole.is_empty() {
            audit(rows, "delivery_regions_import", restaurant.uuid(), added.len(), changed.len()).await?;
        }
    }
    Ok(DeliveryRegionImport { added: number(added.len()), changed: number(changed.len()), rows: told })
}
