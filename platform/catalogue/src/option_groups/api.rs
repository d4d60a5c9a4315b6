//! Operations on option groups.

use std::collections::HashMap;

use access::prelude::*;
use sea_orm::{Select, TryIntoModel};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    OptionGroups,
    entity::{ActiveModel, Column, Entity, Model},
    rules::limits,
    sizes, store,
    types::{NewOptionGroup, OptionGroup, OptionGroupChange, OptionGroupRanking, OptionGroupSizes, answer},
};
use crate::{
    Subproducts, changes,
    copy_name::copy_name,
    external_ids::{self, ExternalIds, Loaded, OptionGroupIds, RowIds},
    options,
    products::components,
    restaurant_defaults::{RestaurantDefaults, touched},
    text,
};

/// Fields of the answer that other rows say.
const DERIVED: [&str; 4] = ["options", "subproduct_count", "subproducts", "product_categories"];

fn facts(group: &OptionGroup) -> Value {
    let mut facts = changes::facts(group);
    if let Some(fields) = facts.as_object_mut() {
        fields.retain(|name, _| !DERIVED.contains(&name.as_str()));
    }
    facts
}

fn wanted(id: Id<OptionGroups>, ids: OptionGroupIds) -> Vec<RowIds<OptionGroupIds>> {
    vec![RowIds { prefix: String::new(), row: id.uuid(), ids }]
}

impl rows::Table for Entity {
    type Of = OptionGroups;
    type Tx = TenantTx;
    type Answer = OptionGroup;
    const HOME: rows::Home = rows::Home::Restaurant;
    const DERIVED: &'static [&'static str] = &DERIVED;

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
        let ids: Vec<Uuid> = found.iter().map(|row| row.id.uuid()).collect();
        let own = Loaded::load(tx, ids.clone()).await?;
        let mut options = options::of_groups(rows, ids.clone()).await?;
        let mut sizes = store::sizes(tx, ids.clone()).await?;
        let mut categories = store::categories(tx, ids).await?;
        let of = |row: Model| {
            let id = row.id.uuid();
            let options = options.remove(&id).unwrap_or_default();
            OptionGroup {
                ids: own.of(id),
                subproducts: Some(sizes.remove(&id).unwrap_or_default()),
                product_categories: Some(categories.remove(&id).unwrap_or_default()),
                ..answer(row, &uses, Some(options))
            }
        };
        Ok(found.into_iter().map(of).collect())
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
        &self, scope: In<Restaurant, perm::Order>, paging: Unpaged,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
        /// Each group with its options.
        all_options: QueryParam<bool>,
    ) -> Result<Page<OptionGroup>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref());
        let uses = store::uses(&tx, scope.restaurant()).await?;
        let page = rows::whole(&tx, rows::ranked(found)?, paging).await?;
        let groups: Vec<Uuid> = page.rows.iter().map(|row| row.id.uuid()).collect();
        let ids = Loaded::load(&tx, groups.clone()).await?;
        let mut options = match all_options.0 {
            Some(true) => Some(options::of_groups(&rows, groups).await?),
            _ => None,
        };
        Ok(page.map(|row| {
            let id = row.id.uuid();
            let options = options.as_mut().map(|all| all.remove(&id).unwrap_or_default());
            OptionGroup { ids: ids.of(id), ..answer(row, &uses, options) }
        }))
    }

    /// One option group with its options.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "option_groups_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::Order>, id: Path<Id<OptionGroups>>,
    ) -> Result<Json<OptionGroup>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Creates an option group without options, as the last.
    #[oai(path = "/", method = "post", operation_id = "option_groups_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::CatalogEdit>, key: IdempotencyKey, body: Body<NewOptionGroup>,
    ) -> Result<Stored<OptionGroup>> {
        let (
            NewOptionGroup {
                name,
                name_sec_lang,
                r#type,
                min_no_options,
                max_no_options,
                active,
                visible,
                ids,
            },
            raw,
        ) = body.into_parts();
        let (problem, name) = text::name(Problem::new(Code::VALIDATION_FAILED), "name", Some(name));
        let (problem, (min, max)) = match limits(r#type, (min_no_options, max_no_options), None) {
            Ok(limits) => (problem, limits),
            Err((key, fault)) => (problem.key(key, fault), (0, 0)),
        };
        let tx = scope.begin().await?;
        components::lock(&tx, scope.restaurant()).await?;
        let row = async {
            let id = Id::new();
            let ids = wanted(id, OptionGroupIds::default().changed(ids));
            external_ids::faults(&tx, scope.restaurant(), problem, &ids, &[]).await?.if_any()?;
            external_ids::set(&tx, scope.restaurant(), &ids).await?;
            let mut row = ActiveModel {
                id: Set(id),
                origin_id: Set(id),
                name: Set(name.unwrap_or_default()),
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
        let answer = scope.rows(&tx).create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes an option group. The types `exclusive` and `inclusive` fix minimum and maximum.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "option_groups_update")]
    async fn update(
        &self, scope: In<Restaurant, AnyOf<(perm::CatalogEdit, perm::CatalogActivate)>>,
        id: Path<Id<OptionGroups>>, body: Body<OptionGroupChange>,
    ) -> Result<Json<OptionGroup>> {
        let OptionGroupChange {
            name,
            name_sec_lang,
            r#type,
            min_no_options,
            max_no_options,
            active,
            visible,
            ids,
            version,
        } = body.into_inner();
        let tx = scope.begin().await?;
        components::lock(&tx, scope.restaurant()).await?;
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
        let ids = edit.current.ids.clone().changed(ids);
        let model = row.clone().try_into_model()?;
        let after = OptionGroup { ids: ids.clone(), ..answer(model, &HashMap::new(), None) };
        changes::check_right(&scope, &facts(&edit.current), &facts(&after))?;
        let changed = ids != edit.current.ids;
        let ids = wanted(*id, ids);
        external_ids::faults(&tx, scope.restaurant(), problem, &ids, &[]).await?.if_any()?;
        edit.check(&tx, version).await?;
        if changed {
            external_ids::set(&tx, scope.restaurant(), &ids).await?;
        }

        let group = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(group))
    }

    /// Archives an option group with its options and takes it from every sub-product that uses it.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "option_groups_delete")]
    async fn delete(
        &self, scope: In<Restaurant, perm::CatalogDelete>, id: Path<Id<OptionGroups>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = rows.lock::<Entity>(*id).await?;
        let detached = store::detach(&tx, *id).await?;
        let options = store::archive_options(&tx, *id).await?;
        external_ids::forget(&tx, [options, vec![id.uuid()]].concat()).await?;
        rows.remove::<Entity>(*id, json!({"name": row.name, "subproducts_detached": detached})).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Copies an option group with its options, as the last group. No sub-product uses the copy yet.
    ///
    /// codes: OPTION_GROUP_NOT_EXIST
    #[oai(path = "/:id/copy", method = "post", operation_id = "option_groups_copy")]
    async fn copy(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<OptionGroups>>,
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
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<OptionGroups>>,
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
        &self, scope: In<Restaurant, perm::CatalogEdit>, body: Body<OptionGroupRanking>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).rank::<Entity>("option_group_ids", &body.option_group_ids).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
