//! Addresses of customers. An order that is delivered adds its own; see
//! `docs/decisions/customers.md#addresses`.

use access::{Idempotency, Pin, prelude::*};
use sea_orm::FromQueryResult;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    ids::{Addresses, ShadowCustomers},
    seen::{Here, open},
    store::{filled, lock},
    types::{Address, AddressChange, KeptAddress, NewAddress},
};

/// The most addresses of a customer. Orders add none beyond it; the one that was used longest ago goes.
const MOST: i64 = 30;

macro_rules! select {
    ($which:literal) => {
        concat!(
            "select a.id, a.shadow_customer_id, a.name, a.country, a.state_province_county, a.postcode, \
            a.city, \
                a.street, a.premise_number, a.building, a.floor, a.door_number, a.doorbell, a.address_notes, \
                a.coord_lat, a.coord_lng, a.last_used_at, a.version, a.created_at, a.updated_at \
             from shadow_customer_address a ",
            $which
        )
    };
}
const OF: &str = select!(
    "join shadow_customer c on c.id = a.shadow_customer_id where c.id = $1 or c.root_id = $1 \
     order by a.last_used_at desc nulls last, a.created_at, a.id"
);
const ONE: &str = select!(
    "join shadow_customer c on c.id = a.shadow_customer_id \
     where a.id = $2 and (c.id = $1 or c.root_id = $1) for no key update of a"
);

/// The addresses of a customer and of those who were merged into this one.
pub(crate) async fn of(tx: &TenantTx, id: Id<ShadowCustomers>) -> Result<Vec<Address>> {
    Ok(tx.all(OF, [id.into()]).await?)
}

/// An address as it is kept.
#[derive(Debug, Clone, Default, FromQueryResult)]
pub(crate) struct Fields {
    pub name: Option<String>,
    pub country: Option<String>,
    pub state_province_county: Option<String>,
    pub postcode: Option<String>,
    pub city: String,
    pub street: String,
    pub premise_number: String,
    pub building: Option<String>,
    pub floor: Option<String>,
    pub door_number: Option<String>,
    pub doorbell: Option<String>,
    pub address_notes: Option<String>,
    pub coord_lat: Option<f64>,
    pub coord_lng: Option<f64>,
    pub version: i64,
}

impl From<NewAddress> for Fields {
    fn from(new: NewAddress) -> Self {
        Self {
            name: filled(new.name),
            country: filled(new.country),
            state_province_county: filled(new.state_province_county),
            postcode: filled(new.postcode),
            city: new.city.trim().to_owned(),
            street: new.street.trim().to_owned(),
            premise_number: new.premise_number.trim().to_owned(),
            building: filled(new.building),
            floor: filled(new.floor),
            door_number: filled(new.door_number),
            doorbell: filled(new.doorbell),
            address_notes: filled(new.address_notes),
            coord_lat: new.coord_lat,
            coord_lng: new.coord_lng,
            version: 0,
        }
    }
}

const FIELDS: &str = "select a.name, a.country, a.state_province_county, a.postcode, a.city, a.street, \
    a.premise_number, a.building, a.floor, a.door_number, a.doorbell, a.address_notes, a.coord_lat, \
    a.coord_lng, \
    a.version from shadow_customer_address a where a.id = $1";
const INSERT: &str = "insert into shadow_customer_address (id, shadow_customer_id, name, country, \
        state_province_county, postcode, city, street, premise_number, building, floor, door_number, \
        doorbell, \
        address_notes, coord_lat, coord_lng, created_at, updated_at) \
    values ($1, $17, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)";
const UPDATE: &str = "update shadow_customer_address set name = $2, country = $3, state_province_county = \
    $4, \
        postcode = $5, city = $6, street = $7, premise_number = $8, building = $9, floor = $10, \
        door_number = $11, \
        doorbell = $12, address_notes = $13, coord_lat = $14, coord_lng = $15, updated_at = $16, \
        version = version + 1 where id = $1 and shadow_customer_id = $17";
const DELETE: &str = "delete from shadow_customer_address where id = $1";

impl Fields {
    /// Rules between fields; `below` is what stands before their names.
    fn check(&self, below: &str, mut problem: Problem) -> Problem {
        if self.coord_lat.is_some() != self.coord_lng.is_some() {
            let key = if self.coord_lat.is_none() { "coord_lat" } else { "coord_lng" };
            problem = problem.key(format!("{below}{key}"), Fault::Required);
        }
        problem
    }

    async fn write(&self, tx: &TenantTx, sql: &'static str, id: Id<Addresses>, customer: Uuid) -> Result<()> {
        let values = [
            id.into(),
            self.name.clone().into(),
            self.country.clone().into(),
            self.state_province_county.clone().into(),
            self.postcode.clone().into(),
            self.city.clone().into(),
            self.street.clone().into(),
            self.premise_number.clone().into(),
            self.building.clone().into(),
            self.floor.clone().into(),
            self.door_number.clone().into(),
            self.doorbell.clone().into(),
            self.address_notes.clone().into(),
            self.coord_lat.into(),
            self.coord_lng.into(),
            Timestamp::now().into(),
            customer.into(),
        ];
        tx.run(sql, values).await?;
        Ok(())
    }

    fn change(self, change: AddressChange) -> Self {
        Self {
            name: filled(change.name.or(self.name)),
            country: filled(change.country.or(self.country)),
            state_province_county: filled(change.state_province_county.or(self.state_province_county)),
            postcode: filled(change.postcode.or(self.postcode)),
            city: change.city.map_or(self.city, |text| text.trim().to_owned()),
            street: change.street.map_or(self.street, |text| text.trim().to_owned()),
            premise_number: change.premise_number.map_or(self.premise_number, |text| text.trim().to_owned()),
            building: filled(change.building.or(self.building)),
            floor: filled(change.floor.or(self.floor)),
            door_number: filled(change.door_number.or(self.door_number)),
            doorbell: filled(change.doorbell.or(self.doorbell)),
            address_notes: filled(change.address_notes.or(self.address_notes)),
            coord_lat: change.coord_lat.or(self.coord_lat),
            coord_lng: change.coord_lng.or(self.coord_lng),
            version: self.version,
        }
    }
}

/// Adds an address to a customer who is locked; `key` stands before the names of fields at fault.
/// Errors: `VALIDATION_FAILED`.
pub(crate) async fn add(
    tx: &TenantTx, customer: Id<ShadowCustomers>, new: NewAddress, key: &str,
) -> Result<Id<Addresses>> {
    let fields = Fields::from(new);
    fields.check(key, Problem::new(Code::VALIDATION_FAILED)).if_any()?;
    let count = "select count(*) from shadow_customer_address where shadow_customer_id = $1";
    if tx.value::<i64>(count, [customer.into()]).await?.unwrap_or_default() >= MOST {
        let problem = Problem::new(Code::VALIDATION_FAILED).detail("a customer has at most 30 addresses");
        return Err(problem.key(key.trim_end_matches('.'), Fault::TooLong(30)));
    }
    let id = Id::new();
    fields.write(tx, INSERT, id, customer.uuid()).await?;
    Ok(id)
}

/// Makes these the addresses of a customer who is locked. Those of merged customers may be among them and
/// are changed; they do not go when they are missing. Answers whether anything was sent.
/// Errors: `VALIDATION_FAILED`.
pub(crate) async fn replace(
    tx: &TenantTx, customer: Id<ShadowCustomers>, kept: Vec<KeptAddress>,
) -> Result<()> {
    let known = of(tx, customer).await?;
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    for (at, one) in kept.iter().enumerate() {
        let Some(id) = one.id else { continue };
        if !known.iter().any(|address| address.id == id) {
            problem = problem.key(format!("addresses.{at}.id"), Fault::NotExist);
        } else if kept[..at].iter().any(|other| other.id == Some(id)) {
            problem = problem.key(format!("addresses.{at}.id"), Fault::NotUnique);
        }
        problem = Fields::from(NewAddress::from(one.clone())).check(&format!("addresses.{at}."), problem);
    }
    problem.if_any()?;
    for address in known.iter().filter(|address| address.shadow_customer_id == customer) {
        if !kept.iter().any(|one| one.id == Some(address.id)) {
            tx.run(DELETE, [address.id.into()]).await?;
        }
    }
    for (at, one) in kept.into_iter().enumerate() {
        match one.id.and_then(|id| known.iter().find(|address| address.id == id)) {
            Some(address) => {
                let fields = Fields::from(NewAddress::from(one));
                fields.write(tx, UPDATE, address.id, address.shadow_customer_id.uuid()).await?;
            }
            None => {
                add(tx, customer, NewAddress::from(one), &format!("addresses.{at}.")).await?;
            }
        }
    }
    Ok(())
}

/// The address that an order of this customer goes to, as JSON with the names of the columns: noted as
/// used, and
/// added when the customer has none like it.
const USED: &str = "with sent as (select s.* from jsonb_populate_record(null::shadow_customer_address, $2) \
    s), \
    own as (select a.id, a.address_key from shadow_customer_address a \
        join shadow_customer c on c.id = a.shadow_customer_id where c.id = $1 or c.root_id = $1), \
    key as (select regexp_replace(ref.fold(coalesce(s.postcode, '') || '|' || s.city || '|' || s.street || \
    '|' \
        || s.premise_number || '|' || coalesce(s.building, '') || '|' || coalesce(s.floor, '') || '|' \
        || coalesce(s.door_number, '')), '[\\s.,/-]+', '', 'g') address_key from sent s), \
    used as (update shadow_customer_address a set last_used_at = $4 from own, key \
        where a.id = own.id and own.address_key = key.address_key returning a.id), \
    gone as (delete from shadow_customer_address a where $6 and not exists (select from key join own \
            on own.address_key = key.address_key) \
        and a.id in (select o.id from shadow_customer_address o where o.shadow_customer_id = $1 \
            order by o.last_used_at desc nulls last, o.created_at desc, o.id offset $5)) \
    insert into shadow_customer_address (id, shadow_customer_id, country, state_province_county, postcode, \
    city, \
        street, premise_number, building, floor, door_number, doorbell, address_notes, coord_lat, coord_lng, \
        last_used_at, created_at, updated_at) \
    select $3, $1, s.country, s.state_province_county, s.postcode, s.city, s.street, s.premise_number, \
    s.building, \
        s.floor, s.door_number, s.doorbell, s.address_notes, s.coord_lat, s.coord_lng, $4, $4, $4 from \
        sent s, key \
    where $6 and not exists (select from own where own.address_key = key.address_key)";

/// Notes that an order of this customer goes to that address (the fields of `delivery_data`). An address that
/// the customer does not have yet is added if the order may fill the customer (`fills`); of too many the one that was
/// used longest ago goes.
pub async fn note_address(
    tx: &TenantTx, customer: Id<ShadowCustomers>, address: Json, now: Timestamp, fills: bool,
) -> Result<()> {
    let new = Uuid::now_v7();
    let most = MOST - 1;
    let values = [customer.into(), address.into(), new.into(), now.into(), most.into(), fills.into()];
    tx.run(USED, values).await?;
    Ok(())
}

async fn one(tx: &TenantTx, customer: Id<ShadowCustomers>, id: Id<Addresses>) -> Result<Address> {
    tx.one(ONE, [customer.into(), id.into()]).await?.ok_or_else(Problem::not_exist::<Addresses>)
}

/// Refuses an address that is not there before the PIN is asked for.
async fn find(scope: &Here, customer: Id<ShadowCustomers>, id: Id<Addresses>) -> Result<()> {
    let tx = scope.begin().await?;
    crate::seen::find(&tx, scope, customer).await?;
    one(&tx, customer, id).await?;
    Ok(tx.commit().await?)
}

/// Which fields differ, without what they say.
fn details(changed: &[&str]) -> Json {
    changed
        .iter()
        .map(|field| ((*field).to_owned(), json!(["…", "…"])))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/shadow-customers",
    tag = "Tag::People"
)]
impl Addresses {
    /// Adds an address to a customer.
    ///
    /// Needs the own PIN. A customer has at most 30.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST
    #[oai(path = "/:id/addresses", method = "post", operation_id = "shadow_customer_addresses_create")]
    async fn create(
        &self, scope: Here, id: Path<Id<ShadowCustomers>>, pin: Pin, key: IdempotencyKey,
        body: Body<NewAddress>,
    ) -> Result<Stored<Address>> {
        let (new, raw) = body.into_parts();
        let tx = open(&scope, &pin, *id).await?;
        let first = match key.begin::<Address>(&scope, &tx, Self::NAME, &raw).await? {
            Idempotency::First(first) => first,
            // Only the id was kept: an address lies nowhere but in its row.
            Idempotency::Replay(kept) => {
                let address = kept.id().map(Id::from_uuid);
                let address = address.ok_or_else(Problem::not_exist::<Self>)?;
                return Ok(Stored::new(201, &one(&tx, *id, address).await?));
            }
        };
        lock(&tx, *id).await?;
        let address = add(&tx, *id, new, "").await?;
        let place = Some(scope.restaurant().uuid());
        let details = json!({"shadow_customer_id": [null, *id]});
        scope.audit(&tx, place, "shadow_customer_addresses_create", address, details).await?;
        let answer = one(&tx, *id, address).await?;
        first.keep(&tx, &Stored::new(201, &json!({"id": address}))).await?;
        tx.commit().await?;
        Ok(Stored::new(201, &answer))
    }

    /// Changes an address.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST, SHADOW_CUSTOMER_ADDRESS_NOT_EXIST, CONFLICT
    #[oai(
        path = "/:id/addresses/:address_id",
        method = "put",
        operation_id = "shadow_customer_addresses_update"
    )]
    async fn update(
        &self, scope: Here, id: Path<Id<ShadowCustomers>>, address_id: Path<Id<Addresses>>, pin: Pin,
        body: Body<AddressChange>,
    ) -> Result<poem_openapi::payload::Json<Address>> {
        find(&scope, *id, *address_id).await?;
        let change = body.into_inner();
        let tx = open(&scope, &pin, *id).await?;
        let current = one(&tx, *id, *address_id).await?;
        rows::check_version(&tx, change.version, current.version, &current, rows::Logged::of(*address_id))
            .await?;
        let before: Option<Fields> = tx.one(FIELDS, [(*address_id).into()]).await?;
        let fields = before.ok_or_else(Problem::not_exist::<Self>)?.change(change);
        fields.check("", Problem::new(Code::VALIDATION_FAILED)).if_any()?;
        fields.write(&tx, UPDATE, *address_id, current.shadow_customer_id.uuid()).await?;
        let place = Some(scope.restaurant().uuid());
        scope
            .audit(&tx, place, "shadow_customer_addresses_update", *address_id, details(&["address"]))
            .await?;
        let answer = one(&tx, *id, *address_id).await?;
        tx.commit().await?;
        Ok(poem_openapi::payload::Json(answer))
    }

    /// Deletes an address; orders keep where they went.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST, SHADOW_CUSTOMER_ADDRESS_NOT_EXIST
    #[oai(
        path = "/:id/addresses/:address_id",
        method = "delete",
        operation_id = "shadow_customer_addresses_delete"
    )]
    async fn delete(
        &self, scope: Here, id: Path<Id<ShadowCustomers>>, address_id: Path<Id<Addresses>>, pin: Pin,
    ) -> Result<Done> {
        find(&scope, *id, *address_id).await?;
        let tx = open(&scope, &pin, *id).await?;
        one(&tx, *id, *address_id).await?;
        tx.run(DELETE, [(*address_id).into()]).await?;
        let place = Some(scope.restaurant().uuid());
        scope.audit(&tx, place, "shadow_customer_addresses_delete", *address_id, json!({})).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
