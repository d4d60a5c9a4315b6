//! Operations on the tax report's fields of a whole menu.

use access::{Idempotency, Stored, prelude::*};
use kernel::body::LARGE;
use serde_json::json;

use super::{
    NtakChanges, change,
    propose::propose,
    store,
    types::{NewNtakChange, NtakChangeDone, NtakProposal, NtakProposals},
};
use crate::bulk::{self, Menu, Undo};

/// Proposals for the tax report's fields.
pub(crate) struct NtakProposalsApi;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/ntak-proposals",
    tag = "Tag::Catalogue"
)]
impl NtakProposalsApi {
    /// Categories, units and quantities of the tax report that the names of the menu speak for.
    ///
    /// Rows where a category or unit holds already, their own or inherited, get none of that, unless `all` asks for it.
    /// Nothing is written: `ntak_changes_create` takes the rows that somebody has chosen.
    #[oai(path = "/", method = "get", operation_id = "ntak_proposals_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::CatalogEdit>,
        /// Also where another value holds.
        all: QueryParam<bool>,
    ) -> Result<Json<NtakProposals>> {
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let menu = Menu::load(&tx, restaurant).await?;
        let menus = store::menus(&tx, restaurant).await?;
        let found = propose(&menu, &menus, all.0.unwrap_or_default());
        Ok(Json(NtakProposals {
            catalogue_version: menu.catalogue_version,
            proposals: found.iter().filter_map(|proposal| NtakProposal::of(&menu, proposal)).collect(),
        }))
    }
}

/// Changes of the tax report's fields of many rows at once.
pub(crate) struct NtakChangesApi;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/ntak-changes",
    tag = "Tag::Catalogue"
)]
impl NtakChangesApi {
    /// The newest changes of many rows.
    #[oai(path = "/", method = "get", operation_id = "ntak_changes_list")]
    async fn list(&self, scope: In<Restaurant, perm::CatalogEdit>) -> Result<Page<NtakChangeDone>> {
        let tx = scope.begin().await?;
        Ok(Page::unpaged(store::list(&tx, scope.restaurant()).await?))
    }

    /// Sets categories, units and quantities of many rows at once, all of them or none. It can be undone for 24 hours.
    ///
    /// codes: NTAK_CHANGE_OUTDATED
    #[oai(path = "/", method = "post", operation_id = "ntak_changes_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::CatalogEdit>, key: IdempotencyKey,
        body: Body<NewNtakChange, LARGE>,
    ) -> Result<Stored<NtakChangeDone>> {
        let (NewNtakChange { catalogue_version, rows }, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "ntak_changes_create", &raw).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(answer) => return Ok(answer),
        };
        let restaurant = scope.restaurant();
        let menu = Menu::load(&tx, restaurant).await?;
        if catalogue_version.is_some_and(|version| version != menu.catalogue_version) {
            return Err(Code::NTAK_CHANGE_OUTDATED.into());
        }
        let (plan, counts) = change::plan(&menu, rows)?;
        // What changes nothing has no way back.
        let undo = (!plan.is_empty()).then(|| serde_json::to_value(menu.undo(&plan)));
        let undo = undo.transpose().map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
        let id: Id<NtakChanges> = Id::new();
        store::insert(&tx, restaurant, id, counts, undo, scope.caller().name()).await?;
        let details = json!({
            "categories": [null, counts.categories], "products": [null, counts.products],
            "subproducts": [null, counts.subproducts],
        });
        scope.audit(&tx, Some(restaurant.uuid()), "ntak_changes_create", id, details).await?;
        let answer = Stored::new(201, &store::lock(&tx, restaurant, id).await?);
        first.keep(&tx, &answer).await?;
        if !plan.is_empty() {
            let outdated = Code::NTAK_CHANGE_OUTDATED;
            bulk::write(&tx, restaurant, &plan, menu.catalogue_version, outdated).await?;
        }
        tx.commit().await?;
        Ok(answer)
    }

    /// Brings back what was there before the change, within 24 hours.
    ///
    /// Refused when somebody has changed one of its rows since; `changed` names them.
    ///
    /// codes: NTAK_CHANGE_NOT_EXIST, NTAK_CHANGE_NOT_READY, NTAK_CHANGE_CHANGED
    #[oai(path = "/:id/undo", method = "post", operation_id = "ntak_changes_undo")]
    async fn undo(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<NtakChanges>>,
    ) -> Result<Json<NtakChangeDone>> {
        let restaurant = scope.restaurant();
        let tx = scope.begin().await?;
        let row = store::lock(&tx, restaurant, *id).await?;
        let undo = if row.undo_until.is_some() { store::undo(&tx, *id).await? } else { None };
        let undo = undo.ok_or_else(|| Problem::new(Code::NTAK_CHANGE_NOT_READY))?;
        let undo: Undo = serde_json::from_value(undo).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
        store::undone(&tx, *id).await?;
        let details = json!({
            "categories": [row.categories, null], "products": [row.products, null],
            "subproducts": [row.subproducts, null],
        });
        scope.audit(&tx, Some(restaurant.uuid()), "ntak_changes_undo", *id, details).await?;
        let after = store::lock(&tx, restaurant, *id).await?;
        undo.write(&tx, restaurant, Code::NTAK_CHANGE_CHANGED).await?;
        tx.commit().await?;
        Ok(Json(after))
    }
}
