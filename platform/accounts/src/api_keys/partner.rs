//! Keys for several restaurants, made by an admin of the whole partner.

use super::{
    api::{self, KeyDraft},
    types::{ApiKey, ApiKeyChange, ApiKeyRotation, ApiKeyUsage, NewPartnerApiKey},
};
use access::prelude::*;
use kernel::ids::ApiKeys;

pub(crate) struct PartnerApiKeys;

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/api-keys", tag = "Tag::Access")]
impl PartnerApiKeys {
    /// All API keys of the partner, masked. For admins of the whole partner.
    #[oai(path = "/", method = "get", operation_id = "partner_api_keys_list")]
    async fn list(
        &self, scope: In<Partner, WholePartner<perm::SystemGeneral>>,
        /// Also the keys that were revoked; only live ones when absent.
        with_revoked: QueryParam<bool>,
    ) -> Result<Page<ApiKey>> {
        api::list(&scope, with_revoked.0).await
    }

    /// Creates a key for several restaurants. The answer is the only place where the whole key stands.
    #[oai(path = "/", method = "post", operation_id = "partner_api_keys_create")]
    async fn create(
        &self, scope: In<Partner, WholePartner<perm::SystemGeneral>>, body: Body<NewPartnerApiKey>,
    ) -> Result<Created<ApiKey>> {
        let NewPartnerApiKey { name, kind, scopes, restaurant_ids: restaurants, origins, expires_at } =
            body.into_inner();
        api::create(
            &scope,
            KeyDraft { name, kind, scopes, restaurants, origins: origins.unwrap_or_default(), expires_at },
        )
        .await
    }

    /// Changes a key's name, origins or expiry.
    ///
    /// codes: API_KEY_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "partner_api_keys_update")]
    async fn update(
        &self, scope: In<Partner, WholePartner<perm::SystemGeneral>>, id: Path<Id<ApiKeys>>,
        body: Body<ApiKeyChange>,
    ) -> Result<Json<ApiKey>> {
        api::update(&scope, *id, body.into_inner()).await
    }

    /// Revokes a key: it is dead from the next request on every instance.
    ///
    /// codes: API_KEY_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "partner_api_keys_delete")]
    async fn delete(
        &self, scope: In<Partner, WholePartner<perm::SystemGeneral>>, id: Path<Id<ApiKeys>>,
    ) -> Result<Done> {
        api::delete(&scope, *id).await
    }

    /// Gives a key another secret; the one so far stays good for `overlap_hours`.
    ///
    /// codes: API_KEY_NOT_EXIST
    #[oai(path = "/:id/rotate", method = "post", operation_id = "partner_api_keys_rotate")]
    async fn rotate(
        &self, scope: In<Partner, WholePartner<perm::SystemGeneral>>, id: Path<Id<ApiKeys>>,
        body: Body<ApiKeyRotation>,
    ) -> Result<Json<ApiKey>> {
        api::rotate(&scope, *id, body.overlap_hours).await
    }

    /// What became of a key's calls, at most ten seconds late. Revoked keys have it too.
    ///
    /// codes: API_KEY_NOT_EXIST
    #[oai(path = "/:id/usage", method = "get", operation_id = "partner_api_keys_usage")]
    async fn usage(
        &self, scope: In<Partner, WholePartner<perm::SystemGeneral>>, id: Path<Id<ApiKeys>>,
    ) -> Result<Json<ApiKeyUsage>> {
        api::usage(&scope, *id).await
    }
}
