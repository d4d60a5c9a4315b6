//! Operations on admins, for the whole partner and for one restaurant.

use super::{
    create::create,
    edit::{self, AdminAction},
    pin::{self, GivenPin},
    store::{self, Catalogue, Filter},
    types::{Admin, AdminChange, AdminStatus, NewAdmin},
    update::update,
};
use crate::api_keys::ApiKey;
use access::prelude::*;
use kernel::ids::ApiKeys;

/// All people of a partner, for those who act for the whole of it.
pub(crate) struct PartnerAdmins;

/// The admins who may act in a restaurant.
pub(crate) struct RestaurantAdmins;

async fn list<S: Scope, P>(scope: &In<S, P>, filter: Filter, paging: Paging) -> Result<Page<Admin>> {
    let tx = scope.begin().await?;
    let (rows, total) = store::list(&tx, filter, &paging).await?;
    Ok(Page { rows, total })
}

async fn get<S: Scope, P>(
    scope: &In<S, P>, from: Option<Id<Restaurant>>, id: Id<kernel::Admin>,
) -> Result<Json<Admin>> {
    let tx = scope.begin().await?;
    let catalogue = Catalogue::load(&tx).await?;
    Ok(Json(store::find(&tx, &catalogue, from, id.uuid()).await?.admin))
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/admins", tag = "Tag::Access")]
impl PartnerAdmins {
    /// The partner's people, by name.
    ///
    /// Only for who acts for the whole partner. Archived ones only when asked for.
    #[oai(path = "/", method = "get", operation_id = "partner_admins_list")]
    async fn list(
        &self, scope: In<Partner, WholePartner<perm::User>>, name: QueryParam<String>,
        status: QueryParam<AdminStatus>, archived: QueryParam<bool>, paging: Paging,
    ) -> Result<Page<Admin>> {
        list(
            &scope,
            Filter {
                restaurant: None,
                name: name.0,
                status: status.0,
                archived: archived.0.unwrap_or(false),
            },
            paging,
        )
        .await
    }

    /// Adds a person.
    ///
    /// With a password and an address that is new here the account is usable at once. Otherwise the person is
    /// invited by mail and may act after accepting; whether the address has an account already is not told.
    ///
    /// codes: USER_EMAIL_TAKEN, USER_INVALID_EMAIL, USER_TIMEZONE_NOT_EXIST, USER_PASSWORD_NOT_MATCH,
    /// USER_PASSWORD_CANNOT_BE_EMPTY, USER_PASSWORD_WEAK, USER_TYPE_NOT_EDITABLE, PIN_TAKEN,
    /// TOO_MANY_REQUESTS
    #[oai(path = "/", method = "post", operation_id = "partner_admins_create")]
    async fn create(
        &self, scope: In<Partner, WholePartner<perm::User>>, body: Body<NewAdmin>,
    ) -> Result<Created<Admin>> {
        create(&scope, None, body.into_inner()).await.map(Created)
    }

    /// One person.
    ///
    /// codes: USER_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "partner_admins_get")]
    async fn get(
        &self, scope: In<Partner, WholePartner<perm::User>>, id: Path<Id<kernel::Admin>>,
    ) -> Result<Json<Admin>> {
        get(&scope, None, *id).await
    }

    /// Changes a person.
    ///
    /// Nobody changes the own rights. A child brings its parent; a parent that is taken takes its children.
    ///
    /// codes: USER_NOT_EXIST, USER_EMAIL_TAKEN, USER_INVALID_EMAIL, USER_TIMEZONE_NOT_EXIST,
    /// USER_PASSWORD_NOT_MATCH, USER_PASSWORD_CANNOT_BE_EMPTY, USER_PASSWORD_WEAK, USER_TYPE_NOT_EDITABLE,
    /// USER_DELETE_NOT_ALLOWED, PIN_TAKEN, CONFLICT, TOO_MANY_REQUESTS
    #[oai(path = "/:id", method = "put", operation_id = "partner_admins_update")]
    async fn update(
        &self, scope: In<Partner, WholePartner<perm::User>>, id: Path<Id<kernel::Admin>>,
        body: Body<AdminChange>,
    ) -> Result<Json<Admin>> {
        update(&scope, None, *id, body.into_inner()).await.map(Json)
    }

    /// The live API keys that a person has made or rotated, and so knows.
    ///
    /// They belong to the partner and stay when the person is archived, unless they are revoked.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE
    #[oai(path = "/:id/api-keys", method = "get", operation_id = "partner_admins_api_keys")]
    async fn api_keys(
        &self, scope: In<Partner, WholePartner<perm::User>>, id: Path<Id<kernel::Admin>>,
    ) -> Result<Page<ApiKey>> {
        edit::keys(&scope, None, *id).await.map(Page::unpaged)
    }

    /// Archives a person, who is out from the next request on. Links of exports that the person ordered end.
    ///
    /// Not oneself, and not the last one with full access to the partner.
    ///
    /// codes: USER_NOT_EXIST, USER_DELETE_NOT_ALLOWED, USER_TYPE_NOT_EDITABLE
    #[oai(path = "/:id", method = "delete", operation_id = "partner_admins_delete")]
    async fn delete(
        &self, scope: In<Partner, WholePartner<perm::User>>, id: Path<Id<kernel::Admin>>,
        /// Those of the API keys that the person has made which end too.
        #[oai(name = "revoke_keys[]", validator(max_items = 100))]
        revoke_keys: QueryParam<Vec<Id<ApiKeys>>>,
    ) -> Result<Done> {
        let revoke = revoke_keys.0.unwrap_or_default();
        edit::act(&scope, None, *id, AdminAction::Archive, &revoke).await.map(|()| Done)
    }

    /// Sends the invitation again; the link sent before is dead then.
    ///
    /// Nothing is sent to who has accepted already.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE
    #[oai(path = "/:id/invitation", method = "post", operation_id = "partner_admins_invite")]
    async fn invite(
        &self, scope: In<Partner, WholePartner<perm::User>>, id: Path<Id<kernel::Admin>>,
    ) -> Result<Done> {
        edit::act(&scope, None, *id, AdminAction::Invite, &[]).await.map(|()| Done)
    }

    /// Gives a person a PIN of six digits that nobody else there has. It is shown this once.
    ///
    /// Only who holds all rights of the person. The person is asked to change it.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE, TOO_MANY_REQUESTS
    #[oai(path = "/:id/pin", method = "put", operation_id = "partner_admins_give_pin")]
    async fn give_pin(
        &self, scope: In<Partner, WholePartner<perm::User>>, id: Path<Id<kernel::Admin>>,
    ) -> Result<Json<GivenPin>> {
        pin::give(&scope, None, *id).await.map(Json)
    }

    /// Forgets wrong PINs and passwords of a person, who need not wait any longer.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE
    #[oai(path = "/:id/unlock", method = "post", operation_id = "partner_admins_unlock")]
    async fn unlock(
        &self, scope: In<Partner, WholePartner<perm::User>>, id: Path<Id<kernel::Admin>>,
    ) -> Result<Done> {
        edit::act(&scope, None, *id, AdminAction::Unlock, &[]).await.map(|()| Done)
    }

    /// Ends all sessions of a person, who has to sign in again everywhere.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE
    #[oai(path = "/:id/sessions", method = "delete", operation_id = "partner_admins_sign_out")]
    async fn end_sessions(
        &self, scope: In<Partner, WholePartner<perm::User>>, id: Path<Id<kernel::Admin>>,
    ) -> Result<Done> {
        edit::act(&scope, None, *id, AdminAction::EndSessions, &[]).await.map(|()| Done)
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/admins",
    tag = "Tag::Access"
)]
impl RestaurantAdmins {
    /// The people who may act in the restaurant, by name.
    ///
    /// Archived ones only when asked for.
    #[oai(path = "/", method = "get", operation_id = "admins_list")]
    async fn list(
        &self, scope: In<Restaurant, perm::User>, name: QueryParam<String>, status: QueryParam<AdminStatus>,
        archived: QueryParam<bool>, paging: Paging,
    ) -> Result<Page<Admin>> {
        let restaurant = Some(scope.restaurant());
        list(
            &scope,
            Filter { restaurant, name: name.0, status: status.0, archived: archived.0.unwrap_or(false) },
            paging,
        )
        .await
    }

    /// Adds a person, who may act in this restaurant in any case.
    ///
    /// With a password and an address that is new here the account is usable at once. Otherwise the person is
    /// invited by mail and may act after accepting; whether the address has an account already is not told.
    ///
    /// codes: USER_EMAIL_TAKEN, USER_INVALID_EMAIL, USER_TIMEZONE_NOT_EXIST, USER_PASSWORD_NOT_MATCH,
    /// USER_PASSWORD_CANNOT_BE_EMPTY, USER_PASSWORD_WEAK, USER_TYPE_NOT_EDITABLE, PIN_TAKEN,
    /// TOO_MANY_REQUESTS
    #[oai(path = "/", method = "post", operation_id = "admins_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::User>, body: Body<NewAdmin>,
    ) -> Result<Created<Admin>> {
        create(&scope, Some(scope.restaurant()), body.into_inner()).await.map(Created)
    }

    /// One person.
    ///
    /// codes: USER_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "admins_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::User>, id: Path<Id<kernel::Admin>>,
    ) -> Result<Json<Admin>> {
        get(&scope, Some(scope.restaurant()), *id).await
    }

    /// Changes a person, who may act in this restaurant afterwards too.
    ///
    /// Nobody changes the own rights, or gives what the own ones lack. A child brings its parent; a parent
    /// that is taken takes its children.
    ///
    /// codes: USER_NOT_EXIST, USER_EMAIL_TAKEN, USER_INVALID_EMAIL, USER_TIMEZONE_NOT_EXIST,
    /// USER_PASSWORD_NOT_MATCH, USER_PASSWORD_CANNOT_BE_EMPTY, USER_PASSWORD_WEAK, USER_TYPE_NOT_EDITABLE,
    /// USER_DELETE_NOT_ALLOWED, PIN_TAKEN, CONFLICT, TOO_MANY_REQUESTS
    #[oai(path = "/:id", method = "put", operation_id = "admins_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::User>, id: Path<Id<kernel::Admin>>, body: Body<AdminChange>,
    ) -> Result<Json<Admin>> {
        update(&scope, Some(scope.restaurant()), *id, body.into_inner()).await.map(Json)
    }

    /// The live API keys that a person has made or rotated, and so knows.
    ///
    /// They belong to the partner and stay when the person is archived, unless they are revoked.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE
    #[oai(path = "/:id/api-keys", method = "get", operation_id = "admins_api_keys")]
    async fn api_keys(
        &self, scope: In<Restaurant, perm::User>, id: Path<Id<kernel::Admin>>,
    ) -> Result<Page<ApiKey>> {
        edit::keys(&scope, Some(scope.restaurant()), *id).await.map(Page::unpaged)
    }

    /// Archives a person, who is out from the next request on. Links of exports that the person ordered end.
    ///
    /// Not oneself, and not the last one with full access to the partner.
    ///
    /// codes: USER_NOT_EXIST, USER_DELETE_NOT_ALLOWED, USER_TYPE_NOT_EDITABLE
    #[oai(path = "/:id", method = "delete", operation_id = "admins_delete")]
    async fn delete(
        &self, scope: In<Restaurant, perm::User>, id: Path<Id<kernel::Admin>>,
        /// Those of the API keys that the person has made which end too.
        #[oai(name = "revoke_keys[]", validator(max_items = 100))]
        revoke_keys: QueryParam<Vec<Id<ApiKeys>>>,
    ) -> Result<Done> {
        let revoke = revoke_keys.0.unwrap_or_default();
        edit::act(&scope, Some(scope.restaurant()), *id, AdminAction::Archive, &revoke).await.map(|()| Done)
    }

    /// Sends the invitation again; the link sent before is dead then.
    ///
    /// Nothing is sent to who has accepted already.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE
    #[oai(path = "/:id/invitation", method = "post", operation_id = "admins_invite")]
    async fn invite(&self, scope: In<Restaurant, perm::User>, id: Path<Id<kernel::Admin>>) -> Result<Done> {
        edit::act(&scope, Some(scope.restaurant()), *id, AdminAction::Invite, &[]).await.map(|()| Done)
    }

    /// Gives a person a PIN of six digits that nobody else there has. It is shown this once.
    ///
    /// Only who holds all rights of the person. The person is asked to change it.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE, TOO_MANY_REQUESTS
    #[oai(path = "/:id/pin", method = "put", operation_id = "admins_give_pin")]
    async fn give_pin(
        &self, scope: In<Restaurant, perm::User>, id: Path<Id<kernel::Admin>>,
    ) -> Result<Json<GivenPin>> {
        pin::give(&scope, Some(scope.restaurant()), *id).await.map(Json)
    }

    /// Forgets wrong PINs and passwords of a person, who need not wait any longer.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE
    #[oai(path = "/:id/unlock", method = "post", operation_id = "admins_unlock")]
    async fn unlock(&self, scope: In<Restaurant, perm::User>, id: Path<Id<kernel::Admin>>) -> Result<Done> {
        edit::act(&scope, Some(scope.restaurant()), *id, AdminAction::Unlock, &[]).await.map(|()| Done)
    }

    /// Ends all sessions of a person, who has to sign in again everywhere.
    ///
    /// codes: USER_NOT_EXIST, USER_TYPE_NOT_EDITABLE
    #[oai(path = "/:id/sessions", method = "delete", operation_id = "admins_sign_out")]
    async fn end_sessions(
        &self, scope: In<Restaurant, perm::User>, id: Path<Id<kernel::Admin>>,
    ) -> Result<Done> {
        edit::act(&scope, Some(scope.restaurant()), *id, AdminAction::EndSessions, &[]).await.map(|()| Done)
    }
}
