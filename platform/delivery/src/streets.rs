//! The streets of a delivery region. See `docs/decisions/delivery.md#streets`.

use access::prelude::*;
use kernel::{
    money::{Currency, Money},
    text::is_blank,
};
use sea_orm::Select;
use serde_json::json;

use crate::{
    price::{self, tidy},
    regions::{self, DeliveryRegions},
    street,
};

#[derive(Debug)]
pub struct DeliveryStreets;

kernel::resource!(DeliveryStreets, "delivery_streets", "DELIVERY_STREET");

/// The most live streets of a restaurant.
const MOST_STREETS: usize = 50_000;
const MOST: i64 = 50_000;

#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "delivery_street")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<DeliveryStreets>,
    pub restaurant_id: Id<Restaurant>,
    pub delivery_region_id: Id<DeliveryRegions>,
    pub name: String,
    pub name_key: String,
    pub postcode_key: Option<String>,
    pub city_key: Option<String>,
    pub description: Option<String>,
    pub postcode: Option<String>,
    pub city: Option<String>,
    pub price: Option<Money>,
    pub active: bool,
    pub legacy_id: Option<String>,
    pub version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub archived_at: Option<Timestamp>,
}

entity!();

/// A street of a delivery region.
#[derive(Debug, Clone, Object)]
pub struct DeliveryStreet {
    pub(crate) id: Id<DeliveryStreets>,
    pub(crate) delivery_region_id: Id<DeliveryRegions>,
    /// `*`: the whole of the postcode or city.
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    /// Only addresses with this postcode.
    pub(crate) postcode: Option<String>,
    /// Only addresses in this city.
    pub(crate) city: Option<String>,
    /// What a delivery costs there; null: as in the region.
    pub(crate) price: Option<Money>,
    /// One that is not active is as good as not there.
    pub(crate) active: bool,
    /// Its id in an earlier system.
    pub(crate) legacy_id: Option<String>,
    pub(crate) version: i64,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) archived_at: Option<Timestamp>,
}

new! {
    pub(crate) struct NewDeliveryStreet of ActiveModel {
        /// `*`: the whole of the postcode or city, of which one is required then.
        #[oai(validator(min_length = 1, max_length = 120, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
        pub name: String,
        #[oai(validator(max_length = 500))]
        pub description: Option<String>,
        #[oai(validator(max_length = 20))]
        pub postcode: Option<String>,
        #[oai(validator(max_length = 100))]
        pub city: Option<String>,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        pub price: Option<Money>,
        #[oai(default = "rows::yes")]
        pub active: bool,
        #[oai(validator(max_length = 60))]
        pub legacy_id: Option<String>,
    }
}

change! {
    struct DeliveryStreetChange of ActiveModel {
        #[oai(validator(min_length = 1, max_length = 120, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
        name: Option<String>,
        #[oai(validator(max_length = 500))]
        description: Clearable<String>,
        #[oai(validator(max_length = 20))]
        postcode: Clearable<String>,
        #[oai(validator(max_length = 100))]
        city: Clearable<String>,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        price: Clearable<Money>,
        active: Option<bool>,
        #[oai(validator(max_length = 60))]
        legacy_id: Clearable<String>,
    }
}

impl rows::Table for Entity {
    type Of = DeliveryStreets;
    type Tx = TenantTx;
    type Answer = DeliveryStreet;
    const HOME: rows::Home = rows::Home::Below("delivery_region_id");
    const DERIVED: &'static [&'static str] = &["updated_at"];

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::alphabetic(found, Column::Name)
    }
}

impl rows::Answer<Entity> for DeliveryStreet {
    async fn of(_: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        Ok(found.into_iter().map(Self::from).collect())
    }
}

impl From<Model> for DeliveryStreet {
    fn from(row: Model) -> Self {
        Self {
            id: row.id,
            delivery_region_id: row.delivery_region_id,
            name: row.name,
            description: row.description,
            postcode: row.postcode,
            city: row.city,
            price: row.price.map(price::shown),
            active: row.active,
            legacy_id: row.legacy_id,
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

/// Tidies a row that is about to be written, makes its keys, and checks it.
pub(crate) fn check(row: &mut ActiveModel, currency: Currency) -> Result<()> {
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    for text in [&mut row.description, &mut row.postcode, &mut row.city, &mut row.legacy_id] {
        if let Set(value) = text {
            *value = tidy(value.take());
        }
    }
    if let Set(name) = &mut row.name {
        *name = name.trim().to_owned();
    }
    let name = row.name.try_as_ref().cloned().unwrap_or_default();
    let text = |value: &sea_orm::ActiveValue<Option<String>>| value.try_as_ref().cloned().flatten();
    let (postcode, city) = (text(&row.postcode), text(&row.city));
    let keys = street::Keys::of_row(&name, postcode.as_deref(), city.as_deref());
    if is_blank(&name) {
        problem = problem.key("name", Fault::Required);
    } else if keys.name.is_empty() {
        problem = problem.key("name", Fault::Invalid).detail("the name has neither letters nor digits");
    } else if keys.whole() && keys.postcode.is_none() && keys.city.is_none() {
        problem = problem
            .key("postcode", Fault::Required)
            .key("city", Fault::Required)
            .detail("`*` is the whole of a postcode or city: one of them is required");
    }
    let amount = row.price.try_as_ref().copied().flatten();
    problem.keys(price::faults([("price", amount)], currency)).if_any()?;
    row.name_key = Set(keys.name);
    row.postcode_key = Set(keys.postcode);
    row.city_key = Set(keys.city);
    Ok(())
}

/// Refuses a street that its region has already, however it is spelt. The region is locked.
async fn check_unique(
    rows: &rows::Rows<'_>, row: &ActiveModel, own: Option<Id<DeliveryStreets>>,
) -> Result<()> {
    let keys = (&row.name_key, &row.postcode_key, &row.city_key);
    let (Some(name), Some(postcode), Some(city)) =
        (keys.0.try_as_ref(), keys.1.try_as_ref(), keys.2.try_as_ref())
    else {
        return Ok(());
    };
    let optional = |column: Column, value: &Option<String>| match value {
        Some(value) => column.eq(value.as_str()),
        None => column.is_null(),
    };
    let mut same = rows
        .live::<Entity>()?
        .filter(Column::NameKey.eq(name.as_str()))
        .filter(optional(Column::PostcodeKey, postcode))
        .filter(optional(Column::CityKey, city));
    if let Some(own) = own {
        same = same.filter(Column::Id.ne(own.uuid()));
    }
    if same.count(rows.tx()).await? > 0 {
        return Err(Problem::new(Code::VALIDATION_FAILED)
            .key("name", Fault::NotUnique)
            .detail("the region has this street already"));
    }
    Ok(())
}

/// Refuses more streets than a restaurant may have.
pub(crate) async fn check_room(tx: &TenantTx, restaurant: Id<Restaurant>, more: usize) -> Result<()> {
    let sql = "select count(*) streets from delivery_street where restaurant_id = $1 and archived_at is null";
    let there: i64 = tx.value(sql, [restaurant.into()]).await?.unwrap_or(0);
    if there.saturating_add(i64::try_from(more).unwrap_or(i64::MAX)) > MOST {
        return Err(Problem::new(Code::VALIDATION_FAILED)
            .key("name", Fault::TooLong(MOST_STREETS))
            .detail("a restaurant has at most 50000 streets"));
    }
    Ok(())
}

type Here = In<Restaurant, perm::SystemDeliveryRegion>;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/delivery-regions",
    tag = "Tag::Restaurants"
)]
impl DeliveryStreets {
    /// The streets of a region, by name.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST
    #[oai(path = "/:id/streets", method = "get", operation_id = "delivery_streets_list")]
    async fn list(
        &self, scope: Here, id: Path<Id<DeliveryRegions>>, name: QueryParam<String>,
        active: QueryParam<bool>, paging: Paging,
    ) -> Result<Page<DeliveryStreet>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx).below_live::<regions::Entity>(*id).await?;
        let found = rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref());
        rows.list(rows::matching(found, Column::Active, active.0), paging).await
    }

    /// One street of a region.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST, DELIVERY_STREET_NOT_EXIST
    #[oai(path = "/:id/streets/:street_id", method = "get", operation_id = "delivery_streets_get")]
    async fn get(
        &self, scope: Here, id: Path<Id<DeliveryRegions>>, street_id: Path<Id<DeliveryStreets>>,
    ) -> Result<Json<DeliveryStreet>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx).below_live::<regions::Entity>(*id).await?;
        rows.get::<Entity>(*street_id).await.map(Json)
    }

    /// Adds a street to a region.
    ///
    /// The same street twice in one region is refused, however it is spelt.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST
    #[oai(path = "/:id/streets", method = "post", operation_id = "delivery_streets_create")]
    async fn create(
        &self, scope: Here, id: Path<Id<DeliveryRegions>>, key: IdempotencyKey, body: Body<NewDeliveryStreet>,
    ) -> Result<Stored<DeliveryStreet>> {
        let (new, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx).below(*id);
        let row = async {
            scope.rows(&tx).lock::<regions::Entity>(*id).await?;
            let mut row = new.fill();
            check(&mut row, regions::currency(&tx, scope.restaurant()).await?)?;
            check_unique(&rows, &row, None).await?;
            check_room(&tx, scope.restaurant(), 1).await?;
            Ok(row)
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a street.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST, DELIVERY_STREET_NOT_EXIST, CONFLICT
    #[oai(path = "/:id/streets/:street_id", method = "put", operation_id = "delivery_streets_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<DeliveryRegions>>, street_id: Path<Id<DeliveryStreets>>,
        body: Body<DeliveryStreetChange>,
    ) -> Result<Json<DeliveryStreet>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).lock::<regions::Entity>(*id).await?;
        let rows = scope.rows(&tx).below(*id);
        let mut edit = rows.edit_version::<Entity>(*street_id, body.version).await?;
        body.into_inner().apply(&mut edit.row);
        check(&mut edit.row, regions::currency(&tx, scope.restaurant()).await?)?;
        check_unique(&rows, &edit.row, Some(*street_id)).await?;
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives a street.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST, DELIVERY_STREET_NOT_EXIST
    #[oai(path = "/:id/streets/:street_id", method = "delete", operation_id = "delivery_streets_delete")]
    async fn delete(
        &self, scope: Here, id: Path<Id<DeliveryRegions>>, street_id: Path<Id<DeliveryStreets>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx).below_live::<regions::Entity>(*id).await?;
        let before = rows.get::<Entity>(*street_id).await?;
        rows.remove::<Entity>(*street_id, json!({"name": [before.name, null]})).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
