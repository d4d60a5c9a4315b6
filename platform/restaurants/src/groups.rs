//! Restaurant groups: restaurants of one partner that share depots and one currency for stock, and moving a
//! restaurant from one to another.

use access::prelude::*;
use kernel::{Group, money::Currency};
use sea_orm::QueryResult;
use serde_json::json;

pub(crate) struct Groups;
/// A type of its own because only the prefix of a path tells the scope which restaurant is meant.
pub(crate) struct RestaurantMove;

/// Restaurants that share depots.
#[derive(Debug, Object)]
struct RestaurantGroup {
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

const LIST: &str = "select g.id, g.name, g.currency, g.version, coalesce(r.restaurants, 0) restaurants \
    from restaurant_group g left join (select restaurant_group_id, count(*) restaurants from restaurant \
    where archived_at is null group by 1) r \
        on r.restaurant_group_id = g.id where g.archived_at is null and ($1::uuid is null or g.id = $1) \
        and (coalesce($2, '') = '' or position(ref.fold($2) in ref.fold(g.name)) > 0) order by \
        ref.fold(g.name), g.id";

impl RestaurantGroup {
    fn read(row: &QueryResult) -> Result<Self> {
        Ok(Self {
            id: row.try_get("", "id")?,
            name: row.try_get("", "name")?,
            currency: row.try_get("", "currency")?,
            restaurants: row.try_get("", "restaurants")?,
            version: row.try_get("", "version")?,
        })
    }

    async fn find(tx: &TenantTx, id: Id<Group>) -> Result<Self> {
        let row = tx.row(LIST, [id.into(), None::<String>.into()]).await?;
        Self::read(&row.ok_or_else(Problem::not_exist::<Group>)?)
    }

    /// The group, locked until the end of the transaction against changes and against restaurants that come
    /// and go.
    async fn lock(tx: &TenantTx, id: Id<Group>) -> Result<Self> {
        let row = tx
            .row(
                "select id from restaurant_group where id = $1 and archived_at is null for update",
                [id.into()],
            )
            .await?;
        row.ok_or_else(Problem::not_exist::<Group>)?;
        Self::find(tx, id).await
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
        let rows = tx.rows(LIST, [None::<uuid::Uuid>.into(), name.0.into()]).await?;
        Ok(Page::whole(rows.iter().map(RestaurantGroup::read).collect::<Result<_>>()?))
    }

    /// Makes a group. Only admins of the whole partner may.
    #[oai(path = "/", method = "post", operation_id = "restaurant_groups_create")]
    async fn create(
        &self,
        scope: In<Partner, WholePartner<perm::RestaurantGeneral>>,
        body: Body<NewRestaurantGroup>,
    ) -> Result<Created<RestaurantGroup>> {
        let NewRestaurantGroup { name, currency } = body.into_inner();
        let (id, name, currency) = (Id::<Group>::new(), sound_name(name)?, currency.unwrap_or_default());
        let tx = scope.begin().await?;
        let sql = "insert into restaurant_group (id, name, currency) values ($1, $2, $3)";
        tx.run(sql, [id.into(), name.clone().into(), currency.into()]).await?;
        let details = json!({"name": [null, name], "currency": [null, currency.as_str()]});
        scope.audit(&tx, None, "restaurant_groups_create", id, details).await?;
        let group = RestaurantGroup::find(&tx, id).await?;
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
        let id = restaurant_group_id.0;
        let RestaurantGroupChange { name, currency, version } = body.into_inner();
        let name = name.map(sound_name).transpose()?;
        let tx = scope.begin().await?;
        let before = RestaurantGroup::lock(&tx, id).await?;
        rows::check_version(version, before.version, &before)?;
        let name = name.unwrap_or_else(|| before.name.clone());
        let currency = currency.unwrap_or(before.currency);
        if currency != before.currency && before.restaurants > 0 {
            return Err(Problem::new(Code::IN_USE).detail("the group has restaurants"));
        }
        let sql = "update restaurant_group set name = $2, currency = $3, version = version + 1 where id = $1";
        tx.run(sql, [id.into(), name.clone().into(), currency.into()]).await?;
        let changed = access::difference(
            &json!({"name": before.name, "currency": before.currency.as_str()}),
            &json!({"name": name, "currency": currency.as_str()}),
        );
        scope.audit(&tx, None, "restaurant_groups_update", id, changed).await?;
        let group = RestaurantGroup::find(&tx, id).await?;
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
        let id = restaurant_group_id.0;
        let tx = scope.begin().await?;
        // In one order, so that two who delete the last two groups do not both succeed.
        let all = tx
            .rows("select id from restaurant_group where archived_at is null order by id for update", [])
            .await?;
        let group = RestaurantGroup::find(&tx, id).await?;
        if group.restaurants > 0 || all.len() < 2 {
            return Err(Code::IN_USE.into());
        }
        tx.run(
            "update restaurant_group set archived_at = now(), version = version + 1 where id = $1",
            [id.into()],
        )
        .await?;
        scope.audit(&tx, None, "restaurant_groups_delete", id, json!({"name": [group.name, null]})).await?;
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
