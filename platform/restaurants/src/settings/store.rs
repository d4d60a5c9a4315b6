//! Queries about a restaurant's own row.

use access::prelude::*;
use kernel::{
    Group,
    ids::{NtakCategories, Vats},
    money::Currency,
};
use sea_orm::{FromQueryResult, QuerySelect, sea_query::LockType};
use uuid::Uuid;

use crate::features;

use super::{
    entity::{ActiveModel, Column, Entity, Model},
    language::MenuLanguage,
};

/// Live restaurants of the partner by name; only those with these ids when some are given.
pub(super) async fn page(
    tx: &TenantTx, only: Option<Vec<Uuid>>, name: Option<&str>, paging: Unpaged,
) -> Result<Page<Model>> {
    let mut select = rows::named(Entity::find().filter(Column::ArchivedAt.is_null()), Column::Name, name);
    if let Some(ids) = only {
        select = select.filter(Column::Id.is_in(ids));
    }
    rows::whole(tx, rows::alphabetic(select, Column::Name)?, paging).await
}

fn live(id: Id<Restaurant>) -> sea_orm::Select<Entity> {
    Entity::find().filter(Column::Id.eq(id.uuid())).filter(Column::ArchivedAt.is_null())
}

pub(super) async fn find(tx: &TenantTx, id: Id<Restaurant>) -> Result<Model> {
    live(id).one(tx).await?.ok_or_else(Problem::not_exist::<Restaurant>)
}

/// Locked until the end of the transaction, yet not against rows that refer to it: orders go on being taken
/// meanwhile.
pub(crate) async fn lock(tx: &TenantTx, id: Id<Restaurant>) -> Result<Model> {
    live(id).lock(LockType::NoKeyUpdate).one(tx).await?.ok_or_else(Problem::not_exist::<Restaurant>)
}

/// Locked also against new rows that refer to it, such as orders.
pub(crate) async fn lock_whole(tx: &TenantTx, id: Id<Restaurant>) -> Result<Model> {
    live(id).lock(LockType::Update).one(tx).await?.ok_or_else(Problem::not_exist::<Restaurant>)
}

/// Writes the restaurant under its next version. Every setting may show on a menu, so the catalogue's version
/// rises too.
pub(crate) async fn save(tx: &TenantTx, before: &Model, mut row: ActiveModel) -> Result<Model> {
    row.version = Set(before.version + 1);
    row.catalogue_version = Set(before.catalogue_version + 1);
    Ok(row.update(tx).await?)
}

const TOUCH: &str = "update restaurant set version = version + 1, catalogue_version = catalogue_version + 1 \
    where id = $1 and archived_at is null";

/// Raises both versions of a restaurant, which stays locked until the end of the transaction:
/// something that belongs to it, or that guests see of it, has changed.
pub(crate) async fn touch(tx: &TenantTx, id: Id<Restaurant>) -> Result<()> {
    let raised = tx.run(TOUCH, [id.into()]).await?;
    if raised == 0 { Err(Problem::not_exist::<Restaurant>()) } else { Ok(()) }
}

/// A new restaurant with the row that numbers its orders and events.
pub(super) async fn create(tx: &TenantTx, row: ActiveModel) -> Result<Model> {
    let row = row.insert(tx).await?;
    work::events::start(tx, row.id).await?;
    features::begin(tx, row.id).await?;
    Ok(row)
}

/// The settings of a new restaurant that begins as a copy: without the address, which is another, without SOS
/// close and busy, and without what super admins switch, unless it says how guests are delivered to.
pub(super) fn copied(original: Model) -> ActiveModel {
    let unset = ActiveModel::new();
    ActiveModel {
        postcode: unset.postcode,
        state_province_county: unset.state_province_county,
        city: unset.city,
        street: unset.street,
        premise_number: unset.premise_number,
        coord_lat: unset.coord_lat,
        coord_lng: unset.coord_lng,
        temp_no_orders: unset.temp_no_orders,
        temp_no_orders_until: unset.temp_no_orders_until,
        busy_minutes: unset.busy_minutes,
        busy_until: unset.busy_until,
        enable_kitchen_queue: unset.enable_kitchen_queue,
        autoqueue: unset.autoqueue,
        floor_map: unset.floor_map,
        save_to_aws: unset.save_to_aws,
        offline_backend_enabled: unset.offline_backend_enabled,
        lct_enabled: unset.lct_enabled,
        sandbox_payment: unset.sandbox_payment,
        system_usage_fee: unset.system_usage_fee,
        is_loyalty_card_available: unset.is_loyalty_card_available,
        ntak_category_id: unset.ntak_category_id,
        ntak_quantity_unit: unset.ntak_quantity_unit,
        catalogue_version: unset.catalogue_version,
        version: unset.version,
        ..original.into_active_model().reset_all()
    }
}

const SAVE_DIRECTORY: &str = "select control.save_restaurant($1, $2, $3, $4, $5, $6, $7, $8)::text";

/// Copies into the directory of all partners what selectors show and the door checks.
pub(super) async fn save_directory(tx: &TenantTx, row: &Model) -> Result<()> {
    let values = [
        row.id.into(),
        row.restaurant_group_id.into(),
        row.name.clone().into(),
        row.timezone.clone().into(),
        row.currency.into(),
        row.primary_language.into(),
        row.secondary_language.into(),
        row.city.clone().into(),
    ];
    tx.run(SAVE_DIRECTORY, values).await?;
    Ok(())
}

const GROUP: &str = "select id, currency from restaurant_group where archived_at is null and ($1::uuid is \
    null or id = $1) order by created_at, id limit 1 for share";

#[derive(FromQueryResult)]
pub(super) struct GroupOfNew {
    pub id: Id<Group>,
    pub currency: Currency,
}

/// The group with this id; the partner's first when none is named. It stays until the transaction ends.
pub(super) async fn group(tx: &TenantTx, wanted: Option<Id<Group>>) -> Result<Option<GroupOfNew>> {
    Ok(tx.one(GROUP, [wanted.map(Id::uuid).into()]).await?)
}

const FIRST: &str = "select timezone, primary_language, secondary_language from restaurant where archived_at \
    is null order by created_at, id limit 1";

/// Settings that the restaurants of a partner usually have in common.
#[derive(FromQueryResult)]
pub(super) struct Usual {
    pub timezone: String,
    pub primary_language: MenuLanguage,
    pub secondary_language: Option<MenuLanguage>,
}

impl From<&Model> for Usual {
    fn from(row: &Model) -> Self {
        Self {
            timezone: row.timezone.clone(),
            primary_language: row.primary_language,
            secondary_language: row.secondary_language,
        }
    }
}

/// Those of the partner's first restaurant.
pub(super) async fn first(tx: &TenantTx) -> Result<Option<Usual>> {
    Ok(tx.one(FIRST, []).await?)
}

/// Which of these VAT rates can be chosen.
pub(super) async fn vats(tx: &TenantTx, ids: Vec<Uuid>) -> Result<Vec<Id<Vats>>> {
    Ok(tx.values("select id from ref.vat where id = any($1) and archived_at is null", [ids.into()]).await?)
}

/// Whether this category of the tax report can be chosen.
pub(crate) async fn has_ntak_category(tx: &TenantTx, id: Id<NtakCategories>) -> Result<bool> {
    let sql = "select 1 from ref.ntak_category where id = $1 and ref.ntak_valid(valid_from, valid_until, $2)";
    Ok(tx.row(sql, [id.into(), kernel::clock::now().into()]).await?.is_some())
}
