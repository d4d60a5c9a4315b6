//! Archiving a restaurant, and bringing it back within 30 days. Nothing of it is deleted. See
//! `docs/decisions/restaurants.md#archiving`.

use access::{domain::Domains, prelude::*};
use sea_orm::FromQueryResult;
use serde_json::json;

use crate::settings;

pub(crate) struct ArchivedRestaurants;

#[derive(Debug, Object)]
pub(crate) struct RestaurantArchiving {
    /// The restaurant's name, typed.
    #[oai(validator(max_length = 100))]
    pub(crate) confirm: String,
}

/// A restaurant that is archived.
#[derive(Debug, Object, FromQueryResult)]
struct ArchivedRestaurant {
    id: Id<Restaurant>,
    name: String,
    city: String,
    restaurant_group_id: Id<kernel::Group>,
    archived_at: Timestamp,
    /// Name of who archived it.
    archived_by: String,
    /// Until then it can be brought back.
    restorable_until: Timestamp,
    /// Whether that lies ahead.
    restorable: bool,
}

const LIST: &str = "select * from control.archived_restaurants($1)";
const ARCHIVE: &str = "select control.archive_restaurant($1, $2) done";
const RESTORE: &str = "select control.restore_restaurant($1) done";

/// Archives the restaurant of the path.
/// Errors: `VALIDATION_FAILED` when `confirm` is not its name; `RESTAURANT_HAS_ORDERS`, `LAST_RESTAURANT`.
pub(crate) async fn archive<P>(scope: &In<Restaurant, P>, domains: Domains, confirm: &str) -> Result<Done> {
    let id = scope.restaurant();
    let tx = scope.begin().await?;
    let before = settings::lock_whole(&tx, id).await?;
    if confirm.trim() != before.name.trim() {
        return Err(Problem::new(Code::VALIDATION_FAILED).key("confirm", Fault::Invalid));
    }
    for domain in domains {
        domain.check_archive(&tx, id).await?;
    }
    if tx.value(ARCHIVE, [id.into(), scope.caller().name().into()]).await? != Some(true) {
        return Err(Code::LAST_RESTAURANT.into());
    }
    let sql = "update restaurant set archived_at = now(), version = version + 1 where id = $1";
    tx.run(sql, [id.into()]).await?;
    let details = json!({"archived": [false, true]});
    scope.audit(&tx, Some(id.uuid()), "restaurants_delete", id, details).await?;
    tx.commit().await?;
    Ok(Done)
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/archived-restaurants", tag = "Tag::Restaurants")]
impl ArchivedRestaurants {
    /// The partner's archived restaurants, newest first.
    #[oai(path = "/", method = "get", operation_id = "archived_restaurants_list")]
    async fn list(
        &self, scope: In<Partner, WholePartner<perm::RestaurantGeneral>>,
    ) -> Result<Page<ArchivedRestaurant>> {
        let tx = scope.begin().await?;
        Ok(Page::unpaged(tx.all(LIST, [None::<uuid::Uuid>.into()]).await?))
    }

    /// Brings an archived restaurant back as it was, within 30 days.
    ///
    /// People, API keys and devices that had it have it again.
    ///
    /// codes: RESTAURANT_NOT_EXIST, RESTORE_PERIOD_OVER
    #[oai(path = "/:id/restore", method = "post", operation_id = "archived_restaurants_restore")]
    async fn restore(
        &self, scope: In<Partner, WholePartner<perm::RestaurantGeneral>>, id: Path<Id<Restaurant>>,
    ) -> Result<Done> {
        let id = *id;
        let tx = scope.begin().await?;
        if tx.value(RESTORE, [id.into()]).await? != Some(true) {
            let archived = tx.row(LIST, [id.into()]).await?.is_some();
            return Err(if archived {
                Code::RESTORE_PERIOD_OVER.into()
            } else {
                Problem::not_exist::<Restaurant>()
            });
        }
        let sql = "update restaurant set archived_at = null, version = version + 1, \
            catalogue_version = catalogue_version + 1 where id = $1";
        tx.run(sql, [id.into()]).await?;
        let details = json!({"archived": [true, false]});
        scope.audit(&tx, Some(id.uuid()), "archived_restaurants_restore", id, details).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

const RESTORABLE: &str = "select 1 from restaurant where restaurant_group_id = $1 and archived_at is not null \
    and now() < archived_at + interval '30 days' limit 1";

/// Whether an archived restaurant of the group can still be brought back: until then the group stays as it
/// is.
pub(crate) async fn restorable_in(tx: &TenantTx, group: Id<kernel::Group>) -> Result<bool> {
    Ok(tx.row(RESTORABLE, [group.into()]).await?.is_some())
}
