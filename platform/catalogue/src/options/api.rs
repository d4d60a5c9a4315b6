//! Operations on the options of a group.

use std::collections::HashMap;

use access::prelude::*;
use kernel::money::Money;
use sea_orm::{Select, TryIntoModel};
use serde_json::json;
use uuid::Uuid;

use super::{
    Options,
    entity::{ActiveModel, Column, Entity, Model},
    store,
    types::{NewOption, OptionChange, OptionMove, OptionRanking, OptionRow, answer},
};
use crate::{
    OptionGroups, changes,
    external_ids::{self, ExternalIds, Loaded, OptionIds, RowIds},
    option_groups::entity as group,
    price::SalePrice,
    products::components,
    reference::{Allergens, ReferenceData},
    restaurant_defaults::{RestaurantDefaults, touched},
    text,
};

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
        let ids = Loaded::load(rows.tx(), found.iter().map(|row| row.id.uuid()).collect()).await?;
        let of = |row: Model| {
            let ids = ids.of(row.id.uuid());
            answer(row, currency, ids)
        };
        Ok(found.into_iter().map(of).collect())
    }
}

/// The options of these groups in their order.
pub(crate) async fn of_groups(
    rows: &rows::Rows<'_>, groups: Vec<Uuid>,
) -> Result<HashMap<Uuid, Vec<OptionRow>>> {
    let options = store::of_groups(rows.tx(), rows.restaurant()?, groups).await?;
    let mut found: HashMap<Uuid, Vec<OptionRow>> = HashMap::new();
    for option in <OptionRow as rows::Answer<Entity>>::of(rows, options).await? {
        found.entry(option.option_group_id.uuid()).or_default().push(option);
    }
    Ok(found)
}

fn wanted(id: Id<Options>, ids: OptionIds) -> Vec<RowIds<OptionIds>> {
    vec![RowIds { prefix: String::new(), row: id.uuid(), ids }]
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
        &self, scope: In<Restaurant, perm::Order>, option_group_id: Path<Id<OptionGroups>>, paging: Unpaged,
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
        &self, scope: In<Restaurant, perm::Order>, option_group_id: Path<Id<OptionGroups>>,
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
        &self, scope: In<Restaurant, perm::CatalogEdit>, option_group_id: Path<Id<OptionGroups>>,
        key: IdempotencyKey, body: Body<NewOption>,
    ) -> Result<Stored<OptionRow>> {
        let (sent, raw) = body.into_parts();
        let NewOption { name, name_sec_lang, price, active, visible, allergenic_ids, ids, .. } = sent;
        let (subproduct_id, subproduct_pieces) = (sent.subproduct_id, sent.subproduct_pieces);
        let tx = scope.begin().await?;
        components::lock(&tx, scope.restaurant()).await?;
        let rows = scope.rows(&tx);
        let row = async {
            rows.lock::<group::Entity>(*option_group_id).await?;
            let currency = RestaurantDefaults::load(&tx, scope.restaurant()).await?.currency;
            let allergenic_ids = uuids(allergenic_ids).unwrap_or_default();
            let price = price.unwrap_or_default();
            let (problem, _) = text::name(Problem::new(Code::VALIDATION_FAILED), "name", Some(name.clone()));
            let problem =
                ReferenceData::load(&tx, scope.restaurant()).await?.allergens(problem, "", &allergenic_ids);
            let size = components::option_fault(&tx, scope.restaurant(), subproduct_id).await?;
            let problem = problem
                .keys(price.fault(currency).map(|fault| ("price".to_owned(), fault)))
                .keys(size.map(|fault| ("subproduct_id".to_owned(), fault)));
            let id = Id::new();
            let ids = wanted(id, OptionIds::default().changed(ids));
            external_ids::faults(&tx, scope.restaurant(), problem, &ids, &[]).await?.if_any()?;
            external_ids::set(&tx, scope.restaurant(), &ids).await?;
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
        &self, scope: In<Restaurant, AnyOf<(perm::CatalogEdit, perm::CatalogActivate)>>,
        option_group_id: Path<Id<OptionGroups>>, id: Path<Id<Options>>, body: Body<OptionChange>,
    ) -> Result<Json<OptionRow>> {
        let sent = body.into_inner();
        let OptionChange {
            name, name_sec_lang, price, active, visible, allergenic_ids, ids, version, ..
        } = sent;
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
        let known = ReferenceData::load(&tx, restaurant).await?;
        let problem = known.allergens(problem, "", allergenic_ids.as_deref().unwrap_or_default());
        let size = components::option_fault(&tx, restaurant, subproduct_id.value().copied()).await?;
        let problem = problem.keys(size.map(|fault| ("subproduct_id".to_owned(), fault)));
        apply!(edit.row: name, name_sec_lang, price, active, allergenic_ids, subproduct_id, subproduct_pieces);
        let row = &mut edit.row;
        row.apply_visible(visible);
        let ids = edit.current.ids.clone().changed(ids);
        let after = answer(row.clone().try_into_model()?, currency, ids.clone());
        changes::check_right(&scope, &changes::facts(&edit.current), &changes::facts(&after))?;
        let changed = ids != edit.current.ids;
        let ids = wanted(*id, ids);
        external_ids::faults(&tx, restaurant, problem, &ids, &[]).await?.if_any()?;
        edit.check(&tx, version).await?;

        if changed {
            external_ids::set(&tx, restaurant, &ids).await?;
        }
        let option = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(option))
    }

    /// Archives an option.
    ///
    /// codes: OPTION_NOT_EXIST
    #[oai(path = "/:option_group_id/options/:id", method = "delete", operation_id = "options_delete")]
    async fn delete(
        &self, scope: In<Restaurant, perm::CatalogDelete>, option_group_id: Path<Id<OptionGroups>>,
        id: Path<Id<Options>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx).below(*option_group_id);
        let row = rows.find::<Entity>(*id).await?;
        external_ids::forget(&tx, vec![id.uuid()]).await?;
        rows.remove::<Entity>(*id, json!({"name": row.name})).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Moves an option into another group, as the last there.
    ///
    /// codes: OPTION_NOT_EXIST
    #[oai(path = "/:option_group_id/options/:id/move", method = "put", operation_id = "options_move")]
    async fn relocate(
        &self, scope: In<Restaurant, perm::CatalogEdit>, option_group_id: Path<Id<OptionGroups>>,
        id: Path<Id<Options>>, body: Body<OptionMove>,
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
        let option = rows.answer::<Entity>(row).await?;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Json(option))
    }

    /// Puts the options of a group into the order in which they are sent.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:option_group_id/options/ranking", method = "put", operation_id = "options_rank")]
    async fn rank(
        &self, scope: In<Restaurant, perm::CatalogEdit>, option_group_id: Path<Id<OptionGroups>>,
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
