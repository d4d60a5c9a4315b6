//! Restaurant groups: restaurants of one partner that share depots and one currency for stock; moving a
//! restaurant to another group. See `docs/decisions/restaurants.md#groups`.

use access::{domain::Domains, prelude::*};
use kernel::{Group, money::Currency};
use poem::web::Data;
use sea_orm::{FromQueryResult, QuerySelect, Select, sea_query::LockType};
use serde_json::json;

use crate::{archive::restorable_in, depots, settings};

pub(crate) struct Groups;
/// A type of its own because only the prefix of a path tells the scope which restaurant is meant.
pub(crate) struct RestaurantMove;

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
        &self, scope: In<Partner, perm::NoPermRequired>, name: QueryParam<String>,
    ) -> Result<Page<RestaurantGroup>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref()).all(&tx).await?;
        Ok(Page::unpaged(<RestaurantGroup as rows::Answer<Entity>>::of(&rows, found).await?))
    }

    /// Makes a group with its first depot. Only admins of the whole partner may.
    #[oai(path = "/", method = "post", operation_id = "restaurant_groups_create")]
    async fn create(
        &self, scope: In<Partner, WholePartner<perm::RestaurantGeneral>>, body: Body<NewRestaurantGroup>,
    ) -> Result<Created<RestaurantGroup>> {
        let NewRestaurantGroup { name, currency } = body.into_inner();
        let mut row = ActiveModel::new();
        let (name, currency) = (sound_name(name)?, currency.unwrap_or_default());
        fill!(row: name, currency);
        let tx = scope.begin().await?;
        let group = scope.rows(&tx).insert::<Entity>(row).await?;
        depots::begin(&tx, group.id).await?;
        tx.commit().await?;
        Ok(Created(group))
    }

    /// Renames a group or gives it another currency; the currency stays once it has restaurants, those that
    /// can be brought back included.
    ///
    /// codes: RESTAURANT_GROUP_NOT_EXIST, CONFLICT, IN_USE
    #[oai(path = "/:restaurant_group_id", method = "put", operation_id = "restaurant_groups_update")]
    async fn update(
        &self, scope: In<Partner, WholePartner<perm::RestaurantGeneral>>,
        restaurant_group_id: Path<Id<Group>>, body: Body<RestaurantGroupChange>,
    ) -> Result<Json<RestaurantGroup>> {
        let RestaurantGroupChange { name, currency, version } = body.into_inner();
        let name = name.map(sound_name).transpose()?;
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        // Locked against restaurants that come and go, too.
        let mut edit = rows.edit_version::<Entity>(*restaurant_group_id, version).await?;
        let currency_changes = currency.is_some_and(|currency| currency != edit.before.currency);
        if currency_changes
            && (edit.current.restaurants > 0 || restorable_in(&tx, *restaurant_group_id).await?)
        {
            return Err(Problem::new(Code::IN_USE).detail("the group has restaurants"));
        }
        apply!(edit.row: name, currency);
        let group = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(group))
    }

    /// Deletes a group that has no restaurants, none that can be brought back either, and is not the last.
    ///
    /// codes: RESTAURANT_GROUP_NOT_EXIST, IN_USE
    #[oai(path = "/:restaurant_group_id", method = "delete", operation_id = "restaurant_groups_delete")]
    async fn delete(
        &self, scope: In<Partner, WholePartner<perm::RestaurantGeneral>>,
        restaurant_group_id: Path<Id<Group>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        // In one order, so that two who delete the last two groups do not both succeed.
        let all = rows.live::<Entity>()?.order_by_asc(Column::Id).lock_exclusive().all(&tx).await?;
        let group = rows.get::<Entity>(*restaurant_group_id).await?;
        if group.restaurants > 0 || all.len() < 2 || restorable_in(&tx, *restaurant_group_id).await? {
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
    /// Moves the restaurant to another group of the partner that has its currency. Only admins of the whole
    /// partner may.
    #[oai(path = "/group", method = "put", operation_id = "restaurants_move")]
    async fn update(
        &self, scope: In<Restaurant, WholePartner<perm::RestaurantGeneral>>, domains: Data<&Domains>,
        body: Body<RestaurantGroupChoice>,
    ) -> Result<Done> {
        let group = body.into_inner().restaurant_group_id;
        let tx = scope.begin().await?;
        let before = settings::lock(&tx, scope.restaurant()).await?;
        check_membership(&tx, &scope, domains.0, &before, (Some(group), None)).await?;
        let before = before.restaurant_group_id;
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
            work::events::publish(&tx, &crate::Event::Changed(scope.restaurant())).await?;
        }
        tx.commit().await?;
        Ok(Done)
    }
}

/// The field of a change that breaks the rule: the restaurants of a group have its currency. None when the
/// rule holds, when a restaurant that is alone in its group takes the group along, and when neither is
/// changed: restaurants from before the rule stay as they are.
fn currency_fault(
    before: (Id<Group>, Currency), after: (Id<Group>, Currency), of_group: Currency, alone: bool,
) -> Option<&'static str> {
    let stays = after.0 == before.0;
    if after == before || after.1 == of_group || stays && alone {
        None
    } else {
        Some(if after.1 == before.1 { "restaurant_group_id" } else { "currency" })
    }
}

const SHARED: &str = "select 1 from restaurant where restaurant_group_id = $1 and id <> $2 \
    and (archived_at is null or now() < archived_at + interval '30 days') limit 1";

/// Checks another group or currency of a restaurant, whose row is locked; a group of which it is the only
/// restaurant takes over its currency. Restaurants that can be brought back count.
/// Errors: `VALIDATION_FAILED` at `restaurant_group_id` or `currency`; `USER_PERMISSION_REQUIRED` for another
/// group without a right for the whole partner; `CURRENCY_FIXED`.
pub(crate) async fn check_membership<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, domains: Domains, restaurant: &settings::Model,
    (group, currency): (Option<Id<Group>>, Option<Currency>),
) -> Result<()> {
    let before = (restaurant.restaurant_group_id, restaurant.currency);
    let after = (group.unwrap_or(before.0), currency.unwrap_or(before.1));
    if after == before {
        return Ok(());
    }
    if after.0 != before.0 && !scope.caller().whole_partner() {
        return Err(Problem::new(Code::USER_PERMISSION_REQUIRED)
            .detail("another group is for admins of the whole partner"));
    }
    let fault = |key, fault| Problem::new(Code::VALIDATION_FAILED).key(key, fault);
    let group = Entity::find_by_id(after.0)
        .filter(Column::ArchivedAt.is_null())
        .lock(LockType::NoKeyUpdate)
        .one(tx)
        .await?
        .ok_or_else(|| fault("restaurant_group_id", Fault::NotExist))?;
    // In a statement of its own, which sees who came while the lock was waited for.
    let alone = tx.row(SHARED, [after.0.into(), restaurant.id.into()]).await?.is_none();
    if let Some(key) = currency_fault(before, after, group.currency, alone) {
        return Err(fault(key, Fault::Invalid));
    }
    if after.1 != before.1 {
        for domain in domains {
            domain.check_currency(tx, restaurant.id).await?;
        }
    }
    if after.1 != group.currency {
        let sql = "update restaurant_group set currency = $2, version = version + 1 where id = $1";
        tx.run(sql, [after.0.into(), after.1.into()]).await?;
        let details = json!({"currency": [group.currency, after.1]});
        scope.audit(tx, None, "restaurant_groups_update", after.0, details).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_one_currency() {
        use Currency::{Eur, Huf};
        let (here, there) = (Id::new(), Id::new());
        for (before, after, of_group, alone, fault) in [
            ((here, Huf), (here, Huf), Huf, false, None),
            ((here, Huf), (here, Eur), Huf, false, Some("currency")),
            ((here, Huf), (here, Eur), Huf, true, None),
            ((here, Huf), (there, Huf), Huf, false, None),
            ((here, Huf), (there, Huf), Eur, false, Some("restaurant_group_id")),
            ((here, Huf), (there, Huf), Eur, true, Some("restaurant_group_id")),
            ((here, Huf), (there, Eur), Eur, false, None),
            ((here, Huf), (there, Eur), Huf, false, Some("currency")),
            // From before the rule: it stays, and it may be put right.
            ((here, Eur), (here, Eur), Huf, false, None),
            ((here, Eur), (here, Huf), Huf, false, None),
        ] {
            assert_eq!(
                currency_fault(before, after, of_group, alone),
                fault,
                "{before:?} {after:?} {of_group:?}"
            );
        }
    }
}
