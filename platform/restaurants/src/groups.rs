//! Restaurant groups: restaurants of one partner that share depots and one currency for stock; moving a
//! restaurant to another group. See `docs/decisions/restaurants.md#groups`.

use access::prelude::*;
use kernel::{Group, money::Currency};
use sea_orm::{FromQueryResult, QuerySelect, Select};
use serde_json::json;

pub(crate) struct Groups;
/// A type of its own because only the prefix of a path tells the scope which restaurant is meant.
pub(crate) struct RestaurantMove;

/// The row.
#[derive(Debug, Clone, DeriveEntityModel)]
#[sea_orm(table_name = "restaurant_group")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Group>,
    pub name: String,
    pub currency: Currency,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

entity!();

/// Restaurants that share depots.
#[derive(Debug, Object, FromQueryResult)]
pub struct RestaurantGroup {
    id: Id<Group>,
    name: String,
    /// Currency of its stock.
    currency: Currency,
    /// How many restaurants it has.
    restaurants: i64,
    version: i64,
}

#[derive(Debug, Object)]
struct NewRestaurantGroup {
    #[oai(validator(min_length = 1, max_length = 200))]
    name: String,
    /// Forints when absent.
    currency: Option<Currency>,
}

#[derive(Debug, Object)]
struct RestaurantGroupChange {
    #[oai(validator(min_length = 1, max_length = 200))]
    name: Option<String>,
    currency: Option<Currency>,
    version: Option<i64>,
}

#[derive(Debug, Object)]
struct RestaurantGroupChoice {
    restaurant_group_id: Id<Group>,
}

const SHOWN: &str = "select g.id, g.name, g.currency, g.version, coalesce(r.restaurants, 0) restaurants \
    from restaurant_group g left join (select restaurant_group_id, count(*) restaurants from restaurant \
    where archived_at is null group by 1) r on r.restaurant_group_id = g.id \
    where g.id = any($1) order by ref.fold(g.name), g.id";

impl rows::Table for Entity {
    type Of = Group;
    type Tx = TenantTx;
    type Answer = RestaurantGroup;
    const HOME: rows::Home = rows::Home::Partner;
    const DERIVED: &'static [&'static str] = &["restaurants"];

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::alphabetic(found, Column::Name)
    }
}

impl rows::Answer<Entity> for RestaurantGroup {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let ids: Vec<uuid::Uuid> = found.iter().map(|row| row.id.uuid()).collect();
        Ok(rows.tx().all(SHOWN, [ids.into()]).await?)
    }
}

fn sound_name(name: String) -> Result<String> {
    let name = name.trim().to_owned();
    if name.is_empty() {
        Err(Problem::new(Code::VALIDATION_FAILED).key("name", Fault::Required))
    } else {
        Ok(name)
    }
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/restaurant-groups", tag = "Tag::Restaurants")]
impl Groups {
    /// The partner's groups, by name.
    #[oai(path = "/", method = "get", operation_id = "restaurant_groups_list")]
    async fn list(
        &self,
        scope: In<Partner, perm::NoPermRequired>,
        name: QueryParam<String>,
    ) -> Result<Page<RestaurantGroup>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref()).all(&tx).await?;
        Ok(Page::unpaged(<RestaurantGroup as rows::Answer<Entity>>::of(&rows, found).await?))
    }

    /// Makes a group. Only admins of the whole partner may.
    #[oai(path = "/", method = "post", operation_id = "restaurant_groups_create")]
    async fn create(
        &self,
        scope: In<Partner, WholePartner<perm::RestaurantGeneral>>,
        body: Body<NewRestaurantGroup>,
    ) -> Result<Created<RestaurantGroup>> {
        let NewRestaurantGroup { name, currency } = body.into_inner();
        let mut row = ActiveModel::new();
        let (name, currency) = (sound_name(name)?, currency.unwrap_or_default());
        fill!(row: name, currency);
        let tx = scope.begin().await?;
        let group = scope.rows(&tx).insert::<Entity>(row).await?;
        tx.commit().await?;
        Ok(Created(group))
    }

    /// Renames a group or gives it another currency; the currency stays once it has restaurants.
    ///
    /// codes: RESTAURANT_GROUP_NOT_EXIST, CONFLICT, IN_USE
    #[oai(path = "/:restaurant_group_id", method = "put", operation_id = "restaurant_groups_update")]
    async fn update(
        &self,
        scope: In<Partner, WholePartner<perm::RestaurantGeneral>>,
        restaurant_group_id: Path<Id<Group>>,
        body: Body<RestaurantGroupChange>,
    ) -> Result<Json<RestaurantGroup>> {
        let RestaurantGroupChange { name, currency, version } = body.into_inner();
        let name = name.map(sound_name).transpose()?;
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        // Locked against restaurants that come and go, too.
        let mut edit = rows.edit_version::<Entity>(*restaurant_group_id, version).await?;
        let currency_changes = currency.is_some_and(|currency| currency != edit.before.currency);
        if currency_changes && edit.current.restaurants > 0 {
            return Err(Problem::new(Code::IN_USE).detail("the group has restaurants"));
        }
        apply!(edit.row: name, currency);
        let group = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(group))
    }

    /// Deletes a group that has no restaurants, and is not the last.
    ///
    /// codes: RESTAURANT_GROUP_NOT_EXIST, IN_USE
    #[oai(path = "/:restaurant_group_id", method = "delete", operation_id = "restaurant_groups_delete")]
    async fn delete(
        &self,
        scope: In<Partner, WholePartner<perm::RestaurantGeneral>>,
        restaurant_group_id: Path<Id<Group>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        // In one order, so that two who delete the last two groups do not both succeed.
        let all = rows.live::<Entity>()?.order_by_asc(Column::Id).lock_exclusive().all(&tx).await?;
        let group = rows.get::<Entity>(*restaurant_group_id).await?;
        if group.restaurants > 0 || all.len() < 2 {
            return Err(Code::IN_USE.into());
        }
        rows.remove::<Entity>(*restaurant_group_id, json!({"name": [group.name, null]})).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id",
    tag = "Tag::Restaurants"
)]
impl RestaurantMove {
    /// Moves the restaurant to another group of the partner. Only admins of the whole partner may.
    #[oai(path = "/group", method = "put", operation_id = "restaurants_move")]
    async fn update(
        &self,
        scope: In<Restaurant, WholePartner<perm::RestaurantGeneral>>,
        body: Body<RestaurantGroupChoice>,
    ) -> Result<Done> {
        let group = body.into_inner().restaurant_group_id;
        let tx = scope.begin().await?;
        let known = tx
            .row(
                "select id from restaurant_group where id = $1 and archived_at is null for share",
                [group.into()],
            )
            .await?;
        if known.is_none() {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("restaurant_group_id", Fault::NotExist));
        }
        let sql = "select restaurant_group_id from restaurant where id = $1 and archived_at is null for no \
            key update";
        let row =
            tx.row(sql, [scope.restaurant().into()]).await?.ok_or_else(Problem::not_exist::<Restaurant>)?;
        let before: Id<Group> = row.try_get("", "restaurant_group_id")?;
        if before != group {
            let sql = "update restaurant set restaurant_group_id = $2, version = version + 1 where id = $1";
            tx.run(sql, [scope.restaurant().into(), group.into()]).await?;
            tx.rows(
                "select control.move_restaurant($1, $2)::text",
                [scope.restaurant().into(), group.into()],
            )
            .await?;
            let details = json!({"restaurant_group_id": [before, group]});
            scope
                .audit(&tx, Some(scope.restaurant().uuid()), "restaurants_move", scope.restaurant(), details)
                .await?;
        }
        tx.commit().await?;
        Ok(Done)
    }
}
