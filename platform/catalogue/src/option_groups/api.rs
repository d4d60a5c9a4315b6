//! Operations on option groups.

use std::collections::HashMap;

use access::prelude::*;
use sea_orm::{Select, TryIntoModel};
use serde_json::json;
use uuid::Uuid;

use super::{
    OptionGroups,
    entity::{ActiveModel, Column, Entity, Model},
    rules::{OptionGroupType, limits},
    sizes, store,
};
use crate::{
    Subproducts, changes,
    copy_name::copy_name,
    flags::{Visible, VisibleChange},
    options::{self, OptionRow},
    restaurant_defaults::{RestaurantDefaults, touched},
    text,
};

/// A group of options that guests choose from with a sub-product.
#[derive(Debug, Object)]
pub(crate) struct OptionGroup {
    id: Id<OptionGroups>,
    name: String,
    name_sec_lang: Option<String>,
    r#type: OptionGroupType,
    /// Fewest options of one piece.
    min_no_options: i32,
    /// Most options of one piece; 0: no limit.
    max_no_options: i32,
    /// Place among the groups.
    ranking: i32,
    /// Guests see it only while it is active.
    active: bool,
    archived_at: Option<Timestamp>,
    #[oai(flatten)]
    visible: Visible,
    /// Its options in their order; only with `all_options`, and in answers about one group.
    #[oai(skip_serializing_if_is_none)]
    options: Option<Vec<OptionRow>>,
    /// Sub-products that use it.
    subproduct_count: i64,
    version: i64,
}

#[derive(Debug, Object)]
struct NewOptionGroup {
    #[oai(validator(max_length = 100))]
    name: String,
    #[oai(validator(max_length = 100))]
    name_sec_lang: Option<String>,
    r#type: OptionGroupType,
    /// Only in `min_max`; default 1.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    min_no_options: Option<i32>,
    /// Only in `min_max`; default 3; 0: no limit.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    max_no_options: Option<i32>,
    /// Default: true.
    active: Option<bool>,
    #[oai(flatten)]
    visible: Visible,
}

#[derive(Debug, Object)]
struct OptionGroupChange {
    #[oai(validator(min_length = 1, max_length = 100))]
    name: Option<String>,
    #[oai(validator(max_length = 100))]
    name_sec_lang: Clearable<String>,
    r#type: Option<OptionGroupType>,
    /// Only in `min_max`.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    min_no_options: Option<i32>,
    /// Only in `min_max`; 0: no limit.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    max_no_options: Option<i32>,
    active: Option<bool>,
    #[oai(flatten)]
    visible: VisibleChange,
    version: Option<i64>,
}

#[derive(Debug, Object)]
struct OptionGroupRanking {
    /// The groups in their new order.
    #[oai(validator(max_items = 2000))]
    option_group_ids: Vec<Id<OptionGroups>>,
}

#[derive(Debug, Object)]
struct OptionGroupSizes {
    /// Sub-products that get the group, as their last one. One that has it keeps it where it is.
    #[oai(validator(max_items = 5000, unique_items))]
    add: Option<Vec<Id<Subproducts>>>,
    /// Sub-products that lose the group.
    #[oai(validator(max_items = 5000, unique_items))]
    remove: Option<Vec<Id<Subproducts>>>,
}

fn answer(row: Model, uses: &HashMap<Uuid, i64>, options: Option<Vec<OptionRow>>) -> OptionGroup {
    OptionGroup {
        visible: row.visible(),
        id: row.id,
        name: row.name,
        name_sec_lang: row.name_sec_lang,
        r#type: row.r#type,
        min_no_options: row.min_no_options,
        max_no_options: row.max_no_options,
        ranking: row.ranking,
        active: row.active,
        archived_at: row.archived_at,
        options,
        subproduct_count: uses.get(&row.id.uuid()).copied().unwrap_or_default(),
        version: row.version,
    }
}

impl rows::Table for Entity {
    type Of = OptionGroups;
    type Tx = TenantTx;
    type Answer = OptionGroup;
    const HOME: rows::Home = rows::Home::Restaurant;
    const DERIVED: &'static [&'static str] = &changes::DERIVED;

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::ranked(found)
    }

    async fn after(rows: &rows::Rows<'_>, _: rows::Change<'_, Model>) -> Result<()> {
        touched(rows.tx(), rows.restaurant()?).await
    }
}

impl rows::Answer<Entity> for OptionGroup {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let (tx, restaurant) = (rows.tx(), rows.restaurant()?);
        let uses = store::uses(tx, restaurant).await?;
        let ids = found.iter().map(|row| row.id.uuid()).collect();
        let mut options = options::of_groups(rows, ids).await?;
        Ok(found
            .into_iter()
            .map(|row| {
                let options = options.remove(&row.id.uuid()).unwrap_or_default();
                answer(row, &uses, Some(options))
            })
            .collect())
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/option-groups",
    tag = "Tag::Catalogue"
)]
impl OptionGroups {
    /// The option groups in their order.
    #[oai(path = "/", method = "get", operation_id = "option_groups_list")]
    async fn list(
        &self,
        scope: In<Restaurant, perm::Order>,
        paging: Unpaged,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
        /// Each group with its options.
        all_options: QueryParam<bool>,
    ) -> Result<Page<OptionGroup>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref());
        if all_options.0 == Some(true) {
            return rows.list(found, paging).await;
        }
        let uses = store::uses(&tx, scope.restaurant()).await?;
        Ok(rows::whole(&tx, rows::ranked(found)?, paging).await?.map(|row| answer(row, &uses, None)))
    }

    /// One option group with its options.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "option_groups_get")]
    async fn get(
        &self,
        scope: In<Restaurant, perm::Order>,
        id: Path<Id<OptionGroups>>,
    ) -> Result<Json<OptionGroup>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Creates an option group without options, as the last.
    #[oai(path = "/", method = "post", operation_id = "option_groups_create")]
    async fn create(
        &self,
        scope: In<Restaurant, perm::CatalogEdit>,
        key: IdempotencyKey,
        body: Body<NewOptionGroup>,
    ) -> Result<Stored<OptionGroup>> {
        let (
            NewOptionGroup { name, name_sec_lang, r#type, min_no_options, max_no_options, active, visible },
            raw,
        ) = body.into_parts();
        let limits = limits(r#type, (min_no_options, max_no_options), None);
        let (min, max) =
            limits.map_err(|(key, fault)| Problem::new(Code::VALIDATION_FAILED).key(key, fault))?;
        let row = async {
            let id = Id::new();
            let mut row = ActiveModel {
                id: Set(id),
                origin_id: Set(id),
                name: Set(text::clean(name)),
                name_sec_lang: Set(text::optional(name_sec_lang)),
                r#type: Set(r#type),
                min_no_options: Set(min),
                max_no_options: Set(max),
                active: Set(active.unwrap_or(true)),
                ..Default::default()
            };
            row.set_visible(visible);
            Ok(row)
        };
        let tx = scope.begin().await?;
        let answer = scope.rows(&tx).create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes an option group. The types `exclusive` and `inclusive` fix minimum and maximum.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "option_groups_update")]
    async fn update(
        &self,
        scope: In<Restaurant, AnyOf<(perm::CatalogEdit, perm::CatalogActivate)>>,
        id: Path<Id<OptionGroups>>,
        body: Body<OptionGroupChange>,
    ) -> Result<Json<OptionGroup>> {
        let OptionGroupChange {
            name,
            name_sec_lang,
            r#type,
            min_no_options,
            max_no_options,
            active,
            visible,
            version,
        } = body.into_inner();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let mut edit = rows.edit::<Entity>(*id).await?;
        let before = &edit.before;

        let (problem, name) = text::name(Problem::new(Code::VALIDATION_FAILED), "name", name);
        let name_sec_lang = text::change(name_sec_lang);
        let kind = r#type.unwrap_or(before.r#type);
        // The limits of another type say nothing about this one.
        let present = (before.r#type == kind).then_some((before.min_no_options, before.max_no_options));
        let limits = limits(kind, (min_no_options, max_no_options), present);
        let problem = problem.keys(limits.clone().err().map(|(key, fault)| (key.to_owned(), fault)));
        let (min_no_options, max_no_options) =
            limits.map_or((None, None), |(min, max)| (Some(min), Some(max)));
        apply!(edit.row: name, name_sec_lang, r#type, min_no_options, max_no_options, active);
        let row = &mut edit.row;
        row.apply_visible(visible);
        let after = answer(row.clone().try_into_model()?, &HashMap::new(), None);
        changes::check_right(&scope, &changes::facts(&edit.current), &changes::facts(&after))?;
        problem.if_any()?;
        edit.check(&tx, version).await?;

        let group = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(group))
    }

    /// Archives an option group with its options and takes it from every sub-product that uses it.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "option_groups_delete")]
    async fn delete(
        &self,
        scope: In<Restaurant, perm::CatalogDelete>,
        id: Path<Id<OptionGroups>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = rows.lock::<Entity>(*id).await?;
        let detached = store::detach(&tx, *id).await?;
        store::archive_options(&tx, *id).await?;
        rows.remove::<Entity>(*id, json!({"name": row.name, "subproducts_detached": detached})).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Copies an option group with its options, as the last group. No sub-product uses the copy yet.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:id/copy", method = "post", operation_id = "option_groups_copy")]
    async fn copy(
        &self,
        scope: In<Restaurant, perm::CatalogEdit>,
        id: Path<Id<OptionGroups>>,
    ) -> Result<Created<OptionGroup>> {
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let rows = scope.rows(&tx);
        let original = rows.lock::<Entity>(*id).await?;
        let names = store::names(&tx, restaurant).await?;
        let hungarian = RestaurantDefaults::load(&tx, restaurant).await?.hungarian;
        let options =
            options::of_groups(&rows, vec![id.uuid()]).await?.remove(&id.uuid()).unwrap_or_default();
        let new = Id::new();
        let row = Model {
            id: new,
            origin_id: new,
            name: copy_name(&original.name, hungarian.0, |name| names.iter().any(|taken| taken == name)),
            name_sec_lang: original
                .name_sec_lang
                .as_deref()
                .map(|name| copy_name(name, hungarian.1, |_| false)),
            ranking: store::next_ranking(&tx, restaurant).await?,
            version: 1,
            ..original
        };
        let row = row.into_active_model().reset_all().insert(&tx).await?;
        let originals: Vec<Uuid> = options.iter().map(|option| option.id.uuid()).collect();
        store::copy_options(&tx, new, originals.iter().map(|_| Uuid::now_v7()).collect(), originals).await?;
        let group = rows.answer::<Entity>(row).await?;
        scope
            .audit(
                &tx,
                Some(restaurant.uuid()),
                "option_groups_copy",
                new,
                json!({"original": *id, "name": group.name}),
            )
            .await?;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Created(group))
    }

    /// Gives the group to sub-products and takes it from others, all of them or none.
    ///
    /// A sub-product has at most 50 groups.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:id/sizes", method = "put", operation_id = "option_groups_sizes")]
    async fn sizes(
        &self,
        scope: In<Restaurant, perm::CatalogEdit>,
        id: Path<Id<OptionGroups>>,
        body: Body<OptionGroupSizes>,
    ) -> Result<Json<OptionGroup>> {
        let OptionGroupSizes { add, remove } = body.into_inner();
        let uuids = |ids: Option<Vec<Id<Subproducts>>>| -> Vec<Uuid> {
            ids.unwrap_or_default().into_iter().map(Id::uuid).collect()
        };
        let (add, remove) = (uuids(add), uuids(remove));
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let rows = scope.rows(&tx);
        rows.find::<Entity>(*id).await?;
        let sizes = sizes::lock(&tx, restaurant, *id, &add, &remove).await?;
        sizes::faults(Problem::new(Code::VALIDATION_FAILED), &sizes, &add, &remove).if_any()?;
        let changed = sizes::write(&tx, restaurant, *id, &sizes, (add, remove)).await?;
        // A group that was deleted meanwhile is found no more.
        let group = rows.get::<Entity>(*id).await?;
        if let Some(details) = changed {
            scope.audit(&tx, Some(restaurant.uuid()), "option_groups_sizes", *id, details).await?;
            touched(&tx, restaurant).await?;
        }
        tx.commit().await?;
        Ok(Json(group))
    }

    /// Puts option groups into the order in which they are sent.
    #[oai(path = "/ranking", method = "put", operation_id = "option_groups_rank")]
    async fn rank(
        &self,
        scope: In<Restaurant, perm::CatalogEdit>,
        body: Body<OptionGroupRanking>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).rank::<Entity>("option_group_ids", &body.option_group_ids).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
