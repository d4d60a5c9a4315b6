//! Writing an import: some statements for any number of rows.

use std::collections::HashMap;

use access::prelude::*;
use kernel::error::is_unique_violation;
use sea_orm::FromQueryResult;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::rows::Line;
use crate::store::{Fields, Taken};

/// Somebody who has a phone or an e-mail of the table.
#[derive(Debug, FromQueryResult)]
struct ExistingCustomer {
    id: Uuid,
    root: Uuid,
    phone_1: Option<String>,
    phone_2: Option<String>,
    email: Option<String>,
}

/// A customer who may be filled.
#[derive(Debug, FromQueryResult)]
struct Person {
    id: Uuid,
    #[sea_orm(nested)]
    fields: Fields,
    /// Known at this restaurant.
    here: bool,
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum ShadowCustomerImportWhat {
    /// A new customer.
    Added,
    /// A known one, with more than before.
    Filled,
    /// A known one of whom the table says nothing new.
    Same,
}

/// A row with what became of it.
#[derive(Debug, Clone, Object)]
pub(crate) struct ShadowCustomerImportRow {
    /// Its number in the spreadsheet.
    row: u32,
    /// Last name first.
    name: String,
    pub what: ShadowCustomerImportWhat,
    /// The customer; null in a rehearsal for a new one.
    id: Option<Uuid>,
}

const KNOWN: &str = "select c.id, coalesce(c.root_id, c.id) root, c.phone_1, c.phone_2, c.email \
    from shadow_customer c where c.archived_at is null \
    and (c.phone_1 = any ($1) or c.phone_2 = any ($1) or c.email = any ($2)) order by c.id";
const NAMED: &str = "select distinct on (ref.fold(c.name)) c.id, ref.fold(c.name) name, n.at \
    from unnest($1::text[]) with ordinality n (name, at) join shadow_customer c \
        on ref.fold(c.name) = ref.fold(n.name) and c.archived_at is null and c.merged_into is null \
        and c.phone_1 is null and c.phone_2 is null and c.email is null \
    join shadow_customer_restaurant r on r.shadow_customer_id = c.id and r.restaurant_id = $2 \
    order by ref.fold(c.name), c.created_at, c.id";
const PEOPLE: &str = "select c.id, c.first_name, c.last_name, c.phone_1, c.phone_2, c.email, c.note, \
    c.comment, \
        c.external_ids, c.version, c.merged_into, \
        exists (select from shadow_customer_restaurant r where r.shadow_customer_id = c.id \
            and r.restaurant_id = $2) here \
    from shadow_customer c where c.id = any ($1) and c.archived_at is null and c.root_id is null \
    order by c.id for no key update of c";
const INSERT: &str = "insert into shadow_customer (id, first_name, last_name, phone_1, phone_2, email, \
    note, comment, \
        created_at, updated_at) \
    select s.id, s.first_name, s.last_name, s.phone_1, s.phone_2, s.email, s.note, s.comment, $2, $2 \
    from jsonb_populate_recordset(null::shadow_customer, $1) s";
const FILL: &str = "update shadow_customer c set first_name = s.first_name, last_name = s.last_name, \
        phone_1 = s.phone_1, phone_2 = s.phone_2, email = s.email, note = s.note, comment = s.comment, \
        updated_at = $2, version = c.version + 1 \
    from jsonb_populate_recordset(null::shadow_customer, $1) s where c.id = s.id";
const HERE: &str = "insert into shadow_customer_restaurant (shadow_customer_id, restaurant_id) \
    select id, $2 from unnest($1::uuid[]) id \
    on conflict (shadow_customer_id, restaurant_id) do update set by_merge = false";
/// An address that the customer has already is left out.
const ADDRESSES: &str = "with sent as (select s.*, regexp_replace(ref.fold(coalesce(s.postcode, '') || '|' \
    || s.city \
        || '|' || s.street || '|' || s.premise_number || '|' || coalesce(s.building, '') || '|' \
        || coalesce(s.floor, '') || '|' || coalesce(s.door_number, '')), '[\\s.,/-]+', '', 'g') sent_key \
        from jsonb_populate_recordset(null::shadow_customer_address, $1) s) \
    insert into shadow_customer_address (id, shadow_customer_id, country, postcode, city, street, \
    premise_number, \
        building, floor, door_number, doorbell, address_notes, created_at, updated_at) \
    select s.id, s.shadow_customer_id, s.country, s.postcode, s.city, s.street, s.premise_number, \
    s.building, s.floor, \
        s.door_number, s.doorbell, s.address_notes, $2, $2 from sent s \
    where not exists (select from shadow_customer_address a where a.shadow_customer_id = \
    s.shadow_customer_id \
        and a.address_key = s.sent_key) \
    and (select count(*) from shadow_customer_address a \
        where a.shadow_customer_id = s.shadow_customer_id) < 30";

fn record(id: Uuid, fields: &Fields) -> Json {
    json!({
        "id": id, "first_name": fields.first_name, "last_name": fields.last_name, "phone_1": fields.phone_1,
        "phone_2": fields.phone_2, "email": fields.email, "note": fields.note, "comment": fields.comment,
    })
}

/// Who the rows are, as the database knows them.
struct Matches {
    known: Vec<ExistingCustomer>,
    by_value: HashMap<String, Vec<usize>>,
    /// By the place of the row: somebody of this name without phone and e-mail.
    by_name: HashMap<usize, Uuid>,
}

impl Matches {
    async fn of(tx: &TenantTx, restaurant: Uuid, lines: &[Line]) -> Result<Self> {
        let phones = lines.iter().flat_map(|line| line.fields.phone_1.iter().chain(&line.fields.phone_2));
        let phones: Vec<String> = phones.cloned().collect();
        let emails: Vec<String> = lines.iter().filter_map(|line| line.fields.email.clone()).collect();
        let known: Vec<ExistingCustomer> = tx.all(KNOWN, [phones.into(), emails.into()]).await?;
        let mut by_value: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, one) in known.iter().enumerate() {
            for value in [&one.phone_1, &one.phone_2, &one.email].into_iter().flatten() {
                by_value.entry(value.clone()).or_default().push(at);
            }
        }
        let nameless = |line: &Line| {
            line.fields.phone_1.is_some() || line.fields.phone_2.is_some() || line.fields.email.is_some()
        };
        let alone: Vec<usize> =
            lines.iter().enumerate().filter(|(_, line)| !nameless(line)).map(|(at, _)| at).collect();
        let names: Vec<String> = alone
            .iter()
            .map(|at| {
                format!("{} {}", lines[*at].fields.last_name, lines[*at].fields.first_name).trim().to_owned()
            })
            .collect();
        let mut by_name = HashMap::new();
        for row in tx.rows(NAMED, [names.into(), restaurant.into()]).await? {
            let (id, at): (Uuid, i64) = (row.try_get("", "id")?, row.try_get("", "at")?);
            if let Some(place) = usize::try_from(at - 1).ok().and_then(|at| alone.get(at)) {
                by_name.insert(*place, id);
            }
        }
        Ok(Self { known, by_value, by_name })
    }

    /// Those who have a phone or the e-mail of a row; a first number goes before a second one, phones
    /// before the
    /// e-mail.
    fn taken(&self, fields: &Fields) -> Vec<&ExistingCustomer> {
        let mut found: Vec<&ExistingCustomer> = Vec::new();
        let at = |value: &Option<String>| {
            value.as_ref().and_then(|value| self.by_value.get(value)).into_iter().flatten()
        };
        let mut push = |one: &'_ usize| {
            let known = &self.known[*one];
            if !found.iter().any(|other| other.id == known.id) {
                found.push(known);
            }
        };
        at(&fields.phone_1).for_each(&mut push);
        at(&fields.phone_2).for_each(&mut push);
        at(&fields.email).for_each(&mut push);
        found
    }
}

/// Writes the rows, unless it is a rehearsal, and says what becomes of each.
pub(crate) async fn write(
    tx: &TenantTx, restaurant: Uuid, lines: Vec<Line>, dry_run: bool,
) -> Result<Vec<ShadowCustomerImportRow>> {
    let matches = Matches::of(tx, restaurant, &lines).await?;
    let target = |at: usize, line: &Line| {
        matches.taken(&line.fields).first().map(|one| one.root).or_else(|| matches.by_name.get(&at).copied())
    };
    let mut ids: Vec<Uuid> = lines.iter().enumerate().filter_map(|(at, line)| target(at, line)).collect();
    ids.sort_unstable();
    ids.dedup();
    let people: Vec<Person> = tx.all(PEOPLE, [ids.into(), restaurant.into()]).await?;
    let mut people: HashMap<Uuid, Person> = people.into_iter().map(|one| (one.id, one)).collect();
    let (mut new, mut filled, mut here, mut addresses) = (vec![], vec![], vec![], vec![]);
    let mut rows = Vec::with_capacity(lines.len());
    for (at, line) in lines.into_iter().enumerate() {
        let known = target(at, &line).and_then(|id| people.get_mut(&id));
        let (id, what) = match known {
            None => {
                let id = Uuid::now_v7();
                new.push(record(id, &line.fields));
                (id, ShadowCustomerImportWhat::Added)
            }
            Some(person) => {
                let taken: Vec<Taken> = matches.taken(&line.fields).into_iter().map(Taken::from).collect();
                let before = person.fields.clone();
                person.fields.fill(&line.fields, &taken, person.id);
                let changed = person.fields != before;
                if changed {
                    filled.push(record(person.id, &person.fields));
                }
                let same = !changed && person.here;
                (
                    person.id,
                    if same { ShadowCustomerImportWhat::Same } else { ShadowCustomerImportWhat::Filled },
                )
            }
        };
        here.push(id);
        let name = format!("{} {}", line.fields.last_name, line.fields.first_name).trim().to_owned();
        if let Some(address) = line.address {
            addresses.push(json!({
                "id": Uuid::now_v7(), "shadow_customer_id": id, "country": address.country,
                "postcode": address.postcode, "city": address.city, "street": address.street,
                "premise_number": address.premise_number, "building": address.building,
                "floor": address.floor,
                "door_number": address.door_number, "doorbell": address.doorbell,
                "address_notes": address.address_notes,
            }));
        }
        let id = (!dry_run || what != ShadowCustomerImportWhat::Added).then_some(id);
        rows.push(ShadowCustomerImportRow { row: line.row, name, what, id });
    }
    if !dry_run {
        let now = Timestamp::now();
        for (sql, records) in [(INSERT, new), (FILL, filled)] {
            match tx.run(sql, [json!(records).into(), now.into()]).await {
                // An order of one of them was faster.
                Err(error) if is_unique_violation(&error) => return Err(Problem::overtaken()),
                done => done?,
            };
        }
        tx.run(HERE, [here.into(), restaurant.into()]).await?;
        tx.run(ADDRESSES, [json!(addresses).into(), now.into()]).await?;
    }
    Ok(rows)
}

impl From<&ExistingCustomer> for Taken {
    fn from(known: &ExistingCustomer) -> Self {
        Self {
            id: known.id,
            phone_1: known.phone_1.clone(),
            phone_2: known.phone_2.clone(),
            email: known.email.clone(),
        }
    }
}
