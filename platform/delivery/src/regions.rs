//! Delivery regions: where a restaurant delivers, and for how much. See `docs/decisions/delivery.md#regions`.

use std::collections::HashMap;

use access::prelude::*;
use kernel::{
    money::{Currency, Money},
    setting::NoRegion,
    text::is_blank,
};
use sea_orm::{FromQueryResult, QuerySelect, Select};
use serde_json::json;

use crate::price::{self, tidy};

#[derive(Debug)]
pub struct DeliveryRegions;

kernel::resource!(DeliveryRegions, "delivery_regions", "DELIVERY_REGION");

/// The most live regions of a restaurant.
const MOST: u64 = 2_000;

#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "delivery_region")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<DeliveryRegions>,
    pub restaurant_id: Id<Restaurant>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub active: bool,
    pub price: Money,
    pub min_order_price: Money,
    pub threshold_price: Option<Money>,
    pub price_under_threshold: Option<Money>,
    pub courier_price: Option<Money>,
    pub version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub archived_at: Option<Timestamp>,
}

entity!();

/// Where a restaurant delivers, and for how much. Amounts are in the restaurant's currency.
#[derive(Debug, Clone, Object)]
pub struct DeliveryRegion {
    pub(crate) id: Id<DeliveryRegions>,
    pub(crate) restaurant_id: Id<Restaurant>,
    pub(crate) name: String,
    pub(crate) name_sec_lang: Option<String>,
    /// Only active regions are delivered to.
    pub(crate) active: bool,
    /// What a delivery costs, where its street has no price of its own.
    pub(crate) price: Money,
    /// Least list value of an order.
    pub(crate) min_order_price: Money,
    /// Strictly below this list value the delivery costs at least `price_under_threshold`.
    pub(crate) threshold_price: Option<Money>,
    pub(crate) price_under_threshold: Option<Money>,
    /// What a courier gets for a delivery.
    pub(crate) courier_price: Option<Money>,
    /// How many streets it has.
    pub(crate) streets: i64,
    /// How many shapes it has on the map.
    pub(crate) polygons: i64,
    pub(crate) version: i64,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) archived_at: Option<Timestamp>,
}

new! {
    pub(crate) struct NewDeliveryRegion of ActiveModel {
        #[oai(validator(min_length = 1, max_length = 80, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
        pub name: String,
        #[oai(validator(max_length = 80))]
        pub name_sec_lang: Option<String>,
        #[oai(default = "rows::yes")]
        pub active: bool,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        pub price: Money,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        pub min_order_price: Money,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        pub threshold_price: Option<Money>,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        pub price_under_threshold: Option<Money>,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        pub courier_price: Option<Money>,
    }
}

change! {
    struct DeliveryRegionChange of ActiveModel {
        #[oai(validator(min_length = 1, max_length = 80, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
        name: Option<String>,
        #[oai(validator(max_length = 80))]
        name_sec_lang: Clearable<String>,
        active: Option<bool>,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        price: Option<Money>,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        min_order_price: Option<Money>,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        threshold_price: Clearable<Money>,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        price_under_threshold: Clearable<Money>,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        courier_price: Clearable<Money>,
        ;
        /// What holds where the last active region is switched off.
        no_region: Option<NoRegion>,
    }
}

/// A region for pickers.
#[derive(Debug, Object, FromQueryResult)]
struct DeliveryRegionName {
    id: Id<DeliveryRegions>,
    name: String,
    active: bool,
}

impl rows::Table for Entity {
    type Of = DeliveryRegions;
    type Tx = TenantTx;
    type Answer = DeliveryRegion;
    const HOME: rows::Home = rows::Home::Restaurant;
    const DERIVED: &'static [&'static str] = &["streets", "polygons", "updated_at"];

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::alphabetic(found, Column::Name)
    }
}

#[derive(FromQueryResult)]
struct CountRow {
    id: Id<DeliveryRegions>,
    streets: i64,
    polygons: i64,
}

const COUNTS: &str = "select i.id, \
        (select count(*) from delivery_street s where s.delivery_region_id = i.id and s.archived_at is null) \
        streets, \
        (select count(*) from delivery_polygon p where p.delivery_region_id = i.id) polygons \
    from unnest($1::uuid[]) i (id)";

impl rows::Answer<Entity> for DeliveryRegion {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let ids: Vec<uuid::Uuid> = found.iter().map(|row| row.id.uuid()).collect();
        let counts: Vec<CountRow> = rows.tx().all(COUNTS, [ids.into()]).await?;
        let counts: HashMap<_, _> =
            counts.into_iter().map(|row| (row.id.uuid(), (row.streets, row.polygons))).collect();
        let answer = |row: Model| {
            let (streets, polygons) = counts.get(&row.id.uuid()).copied().unwrap_or_default();
            Self::new(row, streets, polygons)
        };
        Ok(found.into_iter().map(answer).collect())
    }
}

impl DeliveryRegion {
    fn new(row: Model, streets: i64, polygons: i64) -> Self {
        Self {
            id: row.id,
            restaurant_id: row.restaurant_id,
            name: row.name,
            name_sec_lang: row.name_sec_lang,
            active: row.active,
            price: price::shown(row.price),
            min_order_price: price::shown(row.min_order_price),
            threshold_price: row.threshold_price.map(price::shown),
            price_under_threshold: row.price_under_threshold.map(price::shown),
            courier_price: row.courier_price.map(price::shown),
            streets,
            polygons,
            version: row.version,
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

type Here = In<Restaurant, perm::SystemDeliveryRegion>;
/// Whose screens let choose a region.
type Pickers = AnyOf<(
    perm::SystemDeliveryRegion,
    perm::StatDetailedIncome,
    perm::Placing,
    perm::AllOrder,
    perm::PosFreshOrders,
    perm::PosSettings,
)>;

/// Tidies the names of a row that is about to be written, and checks them and its amounts.
pub(crate) fn check(row: &mut ActiveModel, currency: Currency) -> Result<()> {
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    if let Set(name) = &mut row.name {
        *name = name.trim().to_owned();
        if is_blank(name) {
            problem = problem.key("name", Fault::Required);
        }
    }
    if let Set(name) = &mut row.name_sec_lang {
        *name = tidy(name.take());
    }
    let one = |value: &sea_orm::ActiveValue<Money>| value.try_as_ref().copied();
    let maybe = |value: &sea_orm::ActiveValue<Option<Money>>| value.try_as_ref().copied().flatten();
    let amounts = [
        ("price", one(&row.price)),
        ("min_order_price", one(&row.min_order_price)),
        ("threshold_price", maybe(&row.threshold_price)),
        ("price_under_threshold", maybe(&row.price_under_threshold)),
        ("courier_price", maybe(&row.courier_price)),
    ];
    problem.keys(price::faults(amounts, currency)).if_any()
}

/// The currency of a restaurant. It is fixed while there are regions.
pub(crate) async fn currency(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Currency> {
    let sql = "select currency from restaurant_facts where id = $1";
    let name: Option<String> = tx.value(sql, [restaurant.into()]).await?;
    let currency = name.and_then(|name| name.parse().ok());
    currency.ok_or_else(Problem::not_exist::<Restaurant>)
}

/// Refuses one region more than a restaurant may have.
pub(crate) async fn check_room(rows: &rows::Rows<'_>, more: u64, key: &'static str) -> Result<()> {
    let there = rows.live::<Entity>()?.count(rows.tx()).await?;
    if there + more > MOST {
        return Err(Problem::new(Code::VALIDATION_FAILED)
            .key(key, Fault::TooLong(2_000))
            .detail("a restaurant has at most 2000 regions"));
    }
    Ok(())
}

/// Keeps what holds from now on, where no active region is left. The restaurant is locked.
async fn settle_no_region(
    tx: &TenantTx, scope: &Here, sent: Option<NoRegion>, was_active: bool,
) -> Result<()> {
    let active = scope.rows(tx).live::<Entity>()?.filter(Column::Active.eq(true)).count(tx).await?;
    if active > 0 {
        return Ok(());
    }
    restaurants::no_region(tx, scope, sent, was_active).await
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/delivery-regions",
    tag = "Tag::Restaurants"
)]
impl DeliveryRegions {
    /// The restaurant's delivery regions, by name.
    #[oai(path = "/", method = "get", operation_id = "delivery_regions_list")]
    async fn list(
        &self, scope: Here, name: QueryParam<String>, active: QueryParam<bool>, paging: Unpaged,
    ) -> Result<Page<DeliveryRegion>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref());
        rows.list(rows::matching(found, Column::Active, active.0), paging).await
    }

    /// The names of the restaurant's delivery regions, for pickers.
    #[oai(path = "/names", method = "get", operation_id = "delivery_regions_names")]
    async fn names(&self, scope: In<Restaurant, Pickers>) -> Result<Page<DeliveryRegionName>> {
        let tx = scope.begin().await?;
        let found = rows::alphabetic(scope.rows(&tx).live::<Entity>()?, Column::Name)?;
        let found = found.select_only().columns([Column::Id, Column::Name, Column::Active]);
        let names = found.limit(MOST).into_model::<DeliveryRegionName>().all(&tx).await?;
        Ok(Page::unpaged(names))
    }

    /// One delivery region.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "delivery_regions_get")]
    async fn get(&self, scope: Here, id: Path<Id<DeliveryRegions>>) -> Result<Json<DeliveryRegion>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds a delivery region.
    #[oai(path = "/", method = "post", operation_id = "delivery_regions_create")]
    async fn create(
        &self, scope: Here, key: IdempotencyKey, body: Body<NewDeliveryRegion>,
    ) -> Result<Stored<DeliveryRegion>> {
        let (new, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = async {
            // The first region fixes the currency.
            restaurants::lock(&tx, scope.restaurant()).await?;
            let currency = currency(&tx, scope.restaurant()).await?;
            check_room(&rows, 1, "name").await?;
            let mut row = new.fill();
            check(&mut row, currency)?;
            Ok(row)
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a delivery region.
    ///
    /// `no_region` says what holds once the last active one is switched off: `nowhere`, where it is not sent.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "delivery_regions_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<DeliveryRegions>>, body: Body<DeliveryRegionChange>,
    ) -> Result<Json<DeliveryRegion>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        // Of two who switch off the last two, one switches off the last.
        restaurants::lock(&tx, scope.restaurant()).await?;
        let currency = currency(&tx, scope.restaurant()).await?;
        let mut edit = rows.edit_version::<Entity>(*id, body.version).await?;
        let (was_active, no_region) = (edit.before.active, body.no_region);
        body.into_inner().apply(&mut edit.row);
        check(&mut edit.row, currency)?;
        let after = rows.save(edit).await?;
        if was_active && !after.active {
            settle_no_region(&tx, &scope, no_region, true).await?;
        }
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives a delivery region with its streets, and takes its shapes off the map; orders keep its name.
    ///
    /// `no_region` says what holds once the last active one is gone: `nowhere`, where it is not sent.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "delivery_regions_delete")]
    async fn delete(
        &self, scope: Here, id: Path<Id<DeliveryRegions>>, no_region: QueryParam<NoRegion>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        restaurants::lock(&tx, scope.restaurant()).await?;
        let before = rows.get::<Entity>(*id).await?;
        let details = json!({"name": [before.name, null], "streets": [before.streets, null],
            "polygons": [before.polygons, null]});
        rows.remove::<Entity>(*id, details).await?;
        let streets = "update delivery_street set archived_at = $2, updated_at = $2 \
            where delivery_region_id = $1 and archived_at is null";
        tx.run(streets, [(*id).into(), Timestamp::now().into()]).await?;
        tx.run("delete from delivery_polygon where delivery_region_id = $1", [(*id).into()]).await?;
        settle_no_region(&tx, &scope, no_region.0, before.active).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
