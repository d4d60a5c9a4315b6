//! Operations on the options of a group.

use std::collections::HashMap;

use access::prelude::*;
use kernel::money::{Currency, Money};
use sea_orm::{Select, TryIntoModel};
use serde_json::json;
use uuid::Uuid;

use super::{
    Options,
    entity::{ActiveModel, Column, Entity, Model},
    store,
};
use crate::{
    OptionGroups, Subproducts, changes,
    flags::{Visible, VisibleChange},
    option_groups::entity as group,
    price::SalePrice,
    products::components,
    reference::{Allergens, Known},
    restaurant_defaults::{RestaurantDefaults, touched},
    text,
};

/// An option of a group.
#[derive(Debug, Object)]
#[oai(rename = "Option")]
pub(crate) struct OptionRow {
    pub id: Id<Options>,
    pub option_group_id: Id<OptionGroups>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    /// Gross, of one, in the restaurant's currency; taxed as its item, or as the size it stands for.
    pub price: SalePrice,
    /// Guests see it only while it is active.
    pub active: bool,
    /// Place within the group.
    pub ranking: i32,
    pub archived_at: Option<Timestamp>,
    #[oai(flatten)]
    pub visible: Visible,
    pub allergenic_ids: Vec<Id<Allergens>>,
    /// The size that it stands for, such as the drink of a menu; null: none.
    pub subproduct_id: Option<Id<Subproducts>>,
    /// How many pieces of that size one option is.
    pub subproduct_pieces: i32,
    pub version: i64,
}

#[derive(Debug, Object)]
struct NewOption {
    #[oai(validator(max_length = 100))]
    name: String,
    #[oai(validator(max_length = 100))]
    name_sec_lang: Option<String>,
    /// Default: 0.
    price: Option<SalePrice>,
    /// Default: true.
    active: Option<bool>,
    #[oai(flatten)]
    visible: Visible,
    #[oai(validator(max_items = 50, unique_items))]
    allergenic_ids: Option<Vec<Id<Allergens>>>,
    /// The size that it stands for: one without components.
    subproduct_id: Option<Id<Subproducts>>,
    /// How many pieces of that size one option is; default: 1.
    #[oai(validator(minimum(value = "1"), maximum(value = "999")))]
    subproduct_pieces: Option<i32>,
}

#[derive(Debug, Object)]
struct OptionChange {
    #[oai(validator(min_length = 1, max_length = 100))]
    name: Option<String>,
    #[oai(validator(max_length = 100))]
    name_sec_lang: Clearable<String>,
    /// `null` is 0.
    price: Clearable<SalePrice>,
    active: Option<bool>,
    #[oai(flatten)]
    visible: VisibleChange,
    #[oai(validator(max_items = 50, unique_items))]
    allergenic_ids: Option<Vec<Id<Allergens>>>,
    /// The size that it stands for: one without components; `null`: none.
    subproduct_id: Clearable<Id<Subproducts>>,
    #[oai(validator(minimum(value = "1"), maximum(value = "999")))]
    subproduct_pieces: Option<i32>,
    version: Option<i64>,
}

#[derive(Debug, Object)]
struct OptionMove {
    option_group_id: Id<OptionGroups>,
}

#[derive(Debug, Object)]
struct OptionRanking {
    /// The group's options in their new order.
    #[oai(validator(max_items = 2000))]
    option_ids: Vec<Id<Options>>,
}

fn answer(row: Model, currency: Currency) -> OptionRow {
    OptionRow {
        visible: row.visible(),
        id: row.id,
        option_group_id: row.option_group_id,
        name: row.name,
        name_sec_lang: row.name_sec_lang,
        price: SalePrice::shown(row.price, currency),
        active: row.active,
        ranking: row.ranking,
        archived_at: row.archived_at,
        allergenic_ids: row.allergenic_ids.into_iter().map(Id::from_uuid).collect(),
        subproduct_id: row.subproduct_id,
        subproduct_pieces: row.subproduct_pieces,
        version: row.version,
    }
}

impl rows::Table for Entity {
    type Of = Options;
    type Tx = TenantTx;
    type Answer = OptionRow;
    const HOME: rows::Home = rows::Home::Below("option_group_id");

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::ranked(found)
    }

    async fn after(rows: &rows::Rows<'_>, _: rows::Change<'_, Model>) -> Result<()> {
        touched(rows.tx(), rows.restaurant()?).await
    }
}

impl rows::Answer<Entity> for OptionRow {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let currency = RestaurantDefaults::load(rows.tx(), rows.restaurant()?).await?.currency;
        Ok(found.into_iter().map(|row| answer(row, currency)).collect())
    }
}

/// The options of these groups in their order.
pub(crate) async fn of_groups(
    rows: &rows::Rows<'_>,
    groups: Vec<Uuid>,
) -> Result<HashMap<Uuid, Vec<OptionRow>>> {
    let options = store::of_groups(rows.tx(), rows.restaurant()?, groups).await?;
    let mut found: HashMap<Uuid, Vec<OptionRow>> = HashMap::new();
    for option in <OptionRow as rows::Answer<Entity>>::of(rows, options).await? {
        found.entry(option.option_group_id.uuid()).or_default().push(option);
    }
    Ok(found)
}

fn uuids(ids: Option<Vec<Id<Allergens>>>) -> Option<Vec<Uuid>> {
    ids.map(|ids| ids.into_iter().map(Id::uuid).collect())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/option-groups",
    tag = "Tag::Catalogue"
)]
impl Options {
    /// The options of a group in their order.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:option_group_id/options", method = "get", operation_id = "options_list")]
    async fn list(
        &self,
        scope: In<Restaurant, perm::Order>,
        option_group_id: Path<Id<OptionGroups>>,
        paging: Unpaged,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
    ) -> Result<Page<OptionRow>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        rows.find::<group::Entity>(*option_group_id).await?;
        let rows = rows.below(*option_group_id);
        rows.list(rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref()), paging).await
    }

    /// One option.
    ///
    /// codes: OPTION_NOT_EXIST
    #[oai(path = "/:option_group_id/options/:id", method = "get", operation_id = "options_get")]
    async fn get(
        &self,
        scope: In<Restaurant, perm::Order>,
        option_group_id: Path<Id<OptionGroups>>,
        id: Path<Id<Options>>,
    ) -> Result<Json<OptionRow>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).below(*option_group_id).get::<Entity>(*id).await.map(Json)
    }

    /// Creates an option, as the last of its group.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:option_group_id/options", method = "post", operation_id = "options_create")]
    async fn create(
        &self,
        scope: In<Restaurant, perm::CatalogEdit>,
        option_group_id: Path<Id<OptionGroups>>,
        key: IdempotencyKey,
        body: Body<NewOption>,
    ) -> Result<Stored<OptionRow>> {
        let (sent, raw) = body.into_parts();
        let NewOption { name, name_sec_lang, price, active, visible, allergenic_ids, .. } = sent;
        let (subproduct_id, subproduct_pieces) = (sent.subproduct_id, sent.subproduct_pieces);
        let tx = scope.begin().await?;
        components::lock(&tx, scope.restaurant()).await?;
        let rows = scope.rows(&tx);
        let row = async {
            rows.lock::<group::Entity>(*option_group_id).await?;
            let currency = RestaurantDefaults::load(&tx, scope.restaurant()).await?.currency;
            let allergenic_ids = uuids(allergenic_ids).unwrap_or_default();
            let price = price.unwrap_or_default();
            let problem = Known::load(&tx, scope.restaurant()).await?.allergens(
                Problem::new(Code::VALIDATION_FAILED),
                "",
                &allergenic_ids,
            );
            let size = components::option_fault(&tx, scope.restaurant(), subproduct_id).await?;
            problem
                .keys(price.fault(currency).map(|fault| ("price".to_owned(), fault)))
                .keys(size.map(|fault| ("subproduct_id".to_owned(), fault)))
                .if_any()?;
            let id = Id::new();
            let mut row = ActiveModel {
                id: Set(id),
                origin_id: Set(id),
                name: Set(text::clean(name)),
                name_sec_lang: Set(text::optional(name_sec_lang)),
                price: Set(price.0),
                active: Set(active.unwrap_or(true)),
                allergenic_ids: Set(allergenic_ids),
                subproduct_id: Set(subproduct_id),
                subproduct_pieces: Set(subproduct_pieces.unwrap_or(1)),
                ..Default::default()
            };
            row.set_visible(visible);
            Ok(row)
        };
        let answer = rows.below(*option_group_id).create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes an option.
    ///
    /// codes: OPTION_NOT_EXIST, CONFLICT
    #[oai(path = "/:option_group_id/options/:id", method = "put", operation_id = "options_update")]
    async fn update(
        &self,
        scope: In<Restaurant, AnyOf<(perm::CatalogEdit, perm::CatalogActivate)>>,
        option_group_id: Path<Id<OptionGroups>>,
        id: Path<Id<Options>>,
        body: Body<OptionChange>,
    ) -> Result<Json<OptionRow>> {
        let sent = body.into_inner();
        let OptionChange { name, name_sec_lang, price, active, visible, allergenic_ids, version, .. } = sent;
        let (subproduct_id, subproduct_pieces) = (sent.subproduct_id, sent.subproduct_pieces);
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        components::lock(&tx, restaurant).await?;
        let rows = scope.rows(&tx).below(*option_group_id);
        let mut edit = rows.edit::<Entity>(*id).await?;
        let currency = RestaurantDefaults::load(&tx, restaurant).await?.currency;

        let (problem, name) = text::name(Problem::new(Code::VALIDATION_FAILED), "name", name);
        let name_sec_lang = text::change(name_sec_lang);
        let price: Option<Money> = match price {
            Clearable::Undefined => None,
            Clearable::Null => Some(Money::ZERO),
            Clearable::Value(price) => Some(price.0),
        };
        let fault = price.and_then(|price| SalePrice(price).fault(currency));
        let problem = problem.keys(fault.map(|fault| ("price".to_owned(), fault)));
        let allergenic_ids = uuids(allergenic_ids);
        let known = Known::load(&tx, restaurant).await?;
        let problem = known.allergens(problem, "", allergenic_ids.as_deref().unwrap_or_default());
        let size = components::option_fault(&tx, restaurant, subproduct_id.value().copied()).await?;
        let problem = problem.keys(size.map(|fault| ("subproduct_id".to_owned(), fault)));
        apply!(edit.row: name, name_sec_lang, price, active, allergenic_ids, subproduct_id, subproduct_pieces);
        let row = &mut edit.row;
        row.apply_visible(visible);
        let after = answer(row.clone().try_into_model()?, currency);
        changes::check_right(&scope, &changes::facts(&edit.current), &changes::facts(&after))?;
        problem.if_any()?;
        edit.check(&tx, version).await?;

        let option = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(option))
    }

    /// Archives an option.
    ///
    /// codes: OPTION_NOT_EXIST
    #[oai(path = "/:option_group_id/options/:id", method = "delete", operation_id = "options_delete")]
    async fn delete(
        &self,
        scope: In<Restaurant, perm::CatalogDelete>,
        option_group_id: Path<Id<OptionGroups>>,
        id: Path<Id<Options>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx).below(*option_group_id);
        let row = rows.find::<Entity>(*id).await?;
        rows.remove::<Entity>(*id, json!({"name": row.name})).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Moves an option into another group, as the last there.
    ///
    /// codes: OPTION_NOT_EXIST
    #[oai(path = "/:option_group_id/options/:id/move", method = "put", operation_id = "options_move")]
    async fn relocate(
        &self,
        scope: In<Restaurant, perm::CatalogEdit>,
        option_group_id: Path<Id<OptionGroups>>,
        id: Path<Id<Options>>,
        body: Body<OptionMove>,
    ) -> Result<Json<OptionRow>> {
        let target = body.into_inner().option_group_id;
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let foreign = || Problem::new(Code::VALIDATION_FAILED).key("option_group_id", Fault::NotExist);
        let rows = scope.rows(&tx);
        let row = rows.below(*option_group_id).lock::<Entity>(*id).await?;
        rows.lock::<group::Entity>(target).await.map_err(|_| foreign())?;
        let version = row.version + 1;
        let mut row = row.into_active_model();
        if target != *option_group_id {
            row.option_group_id = Set(target);
            row.ranking = Set(store::next_ranking(&tx, target).await?);
        }
        row.version = Set(version);
        let row = row.update(&tx).await?;
        let details = json!({"option_group_id": [*option_group_id, target]});
        scope.audit(&tx, Some(restaurant.uuid()), "options_move", *id, details).await?;
        let currency = RestaurantDefaults::load(&tx, restaurant).await?.currency;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Json(answer(row, currency)))
    }

    /// Puts the options of a group into the order in which they are sent.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:option_group_id/options/ranking", method = "put", operation_id = "options_rank")]
    async fn rank(
        &self,
        scope: In<Restaurant, perm::CatalogEdit>,
        option_group_id: Path<Id<OptionGroups>>,
        body: Body<OptionRanking>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        rows.find::<group::Entity>(*option_group_id).await?;
        rows.below(*option_group_id).rank::<Entity>("option_ids", &body.option_ids).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
