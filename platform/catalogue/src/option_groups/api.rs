//! Operations on option groups.

use std::collections::HashMap;

use access::{Idempotency, Stored, prelude::*};
use sea_orm::{IntoActiveModel, TryIntoModel};
use serde_json::json;
use uuid::Uuid;

use super::{
    OptionGroups,
    entity::{ActiveModel, Column, Entity, Model},
    rules::{OptionGroupType, copy_name, limits},
    store,
};
use crate::{
    changes,
    flags::{Visible, VisibleChange, apply_visible, set_visible},
    house::{House, touched},
    options::{self, OptionRow},
    text,
};

/// A group of options that guests choose from with a sub-product.
#[derive(Debug, Object)]
struct OptionGroup {
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

/// One group with its options, as it lies there now.
async fn whole(tx: &TenantTx, row: Model) -> Result<OptionGroup> {
    let uses = store::uses(tx, row.restaurant_id).await?;
    let options =
        options::of_groups(tx, row.restaurant_id, vec![row.id.uuid()]).await?.remove(&row.id.uuid());
    Ok(answer(row, &uses, Some(options.unwrap_or_default())))
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
        let restaurant = scope.restaurant();
        let select = rows::named(store::in_order(restaurant)?, Column::Name, name.as_deref());
        let page = rows::whole(&tx, select, paging).await?;
        let uses = store::uses(&tx, restaurant).await?;
        let mut options = if all_options.0 == Some(true) {
            Some(
                options::of_groups(&tx, restaurant, page.rows.iter().map(|row| row.id.uuid()).collect())
                    .await?,
            )
        } else {
            None
        };
        Ok(page.map(|row| {
            let options = options.as_mut().map(|options| options.remove(&row.id.uuid()).unwrap_or_default());
            answer(row, &uses, options)
        }))
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
        let row = rows::find::<Entity, _>(&tx, scope.restaurant(), *id).await?;
        whole(&tx, row).await.map(Json)
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
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "option_groups_create", &raw).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(answer) => return Ok(answer),
        };
        let restaurant = scope.restaurant();
        let id = Id::new();
        let mut row = ActiveModel {
            id: Set(id),
            restaurant_id: Set(restaurant),
            origin_id: Set(id),
            name: Set(text::clean(name)),
            name_sec_lang: Set(text::optional(name_sec_lang)),
            r#type: Set(r#type),
            min_no_options: Set(min),
            max_no_options: Set(max),
            ranking: Set(store::next_ranking(&tx, restaurant).await?),
            active: Set(active.unwrap_or(true)),
            version: Set(1),
            ..Default::default()
        };
        set_visible!(row, visible);
        let group = answer(row.insert(&tx).await?, &HashMap::new(), Some(Vec::new()));
        scope.audit(&tx, Some(restaurant.uuid()), "option_groups_create", id, changes::facts(&group)).await?;
        touched(&tx, restaurant).await?;
        let answer = Stored::new(201, &group);
        first.keep(&tx, &answer).await?;
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
        let restaurant = scope.restaurant();
        let before = rows::lock::<Entity, _>(&tx, restaurant, *id).await?;
        let current = whole(&tx, before.clone()).await?;
        let facts = changes::facts(&current);

        let (problem, name) = text::name(Problem::new(Code::VALIDATION_FAILED), "name", name);
        let name_sec_lang = text::change(name_sec_lang);
        let kind = r#type.unwrap_or(before.r#type);
        // The limits of another type say nothing about this one.
        let present = (before.r#type == kind).then_some((before.min_no_options, before.max_no_options));
        let limits = limits(kind, (min_no_options, max_no_options), present);
        let problem = problem.keys(limits.clone().err().map(|(key, fault)| (key.to_owned(), fault)));
        let (min_no_options, max_no_options) =
            limits.map_or((None, None), |(min, max)| (Some(min), Some(max)));
        let mut row = before.clone().into_active_model();
        access::apply!(row: name, name_sec_lang, r#type, min_no_options, max_no_options, active);
        apply_visible!(row, visible);
        changes::check_right(
            &scope,
            &facts,
            &changes::facts(&answer(row.clone().try_into_model()?, &HashMap::new(), None)),
        )?;
        problem.if_any()?;
        rows::check_version(version, before.version, &current)?;

        row.version = Set(before.version + 1);
        let group = whole(&tx, row.update(&tx).await?).await?;
        let details = access::difference(&facts, &changes::facts(&group));
        scope.audit(&tx, Some(restaurant.uuid()), "option_groups_update", *id, details).await?;
        touched(&tx, restaurant).await?;
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
        let restaurant = scope.restaurant();
        let row = rows::lock::<Entity, _>(&tx, restaurant, *id).await?;
        let detached = store::detach(&tx, *id).await?;
        store::archive_options(&tx, *id).await?;
        rows::archive::<Entity, _>(&tx, restaurant, *id).await?;
        let details = json!({"name": row.name, "subproducts_detached": detached});
        scope.audit(&tx, Some(restaurant.uuid()), "option_groups_delete", *id, details).await?;
        touched(&tx, restaurant).await?;
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
        let original = rows::lock::<Entity, _>(&tx, restaurant, *id).await?;
        let names = store::names(&tx, restaurant).await?;
        let hungarian = House::load(&tx, restaurant).await?.hungarian;
        let options = options::of_groups(&tx, restaurant, vec![id.uuid()])
            .await?
            .remove(&id.uuid())
            .unwrap_or_default();
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
        let group = whole(&tx, row).await?;
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

    /// Puts option groups into the order in which they are sent.
    #[oai(path = "/ranking", method = "put", operation_id = "option_groups_rank")]
    async fn rank(
        &self,
        scope: In<Restaurant, perm::CatalogEdit>,
        body: Body<OptionGroupRanking>,
    ) -> Result<Done> {
        let ids: Vec<Uuid> = body.into_inner().option_group_ids.into_iter().map(Id::uuid).collect();
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        rows::rank(&tx, rows::live::<Entity>(restaurant)?, "option_group_ids", &ids).await?;
        scope
            .audit(
                &tx,
                Some(restaurant.uuid()),
                "option_groups_rank",
                restaurant,
                json!({"option_group_ids": ids}),
            )
            .await?;
        touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
