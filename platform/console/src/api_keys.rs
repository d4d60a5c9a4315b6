//! The limits of a partner's API key, which only the platform's operator changes. See
//! `docs/decisions/permissions.md#limits`.

use access::{Actor, Platform, answers::Tag, prelude::*};
use accounts::LimitedKey;
use kernel::ids::ApiKeys;
use serde_json::json;

use crate::platform;

pub(crate) struct LimitsApi;

/// The limits of a key.
#[derive(Debug, Object)]
struct ApiKeyLimits {
    /// How many times the usual limits the key has.
    #[oai(validator(minimum(value = "1"), maximum(value = "10000")))]
    limit_factor: i32,
}

#[OpenApi(prefix_path = "/api/v3/super-admin/api-keys", tag = "Tag::Platform")]
impl LimitsApi {
    /// Sets how many times the usual limits a partner's key has.
    ///
    /// It holds from the next window on, of a minute at most. The partner sees it in its audit log.
    ///
    /// codes: API_KEY_NOT_EXIST
    #[oai(path = "/:id/limits", method = "put", operation_id = "api_key_limits_update")]
    async fn update(
        &self, caller: Platform, id: Path<Id<ApiKeys>>, body: Body<ApiKeyLimits>,
    ) -> Result<Json<ApiKeyLimits>> {
        let id = id.0;
        let ApiKeyLimits { limit_factor } = body.into_inner();
        let tx = caller.begin().await?;
        let key = LimitedKey::lock(&tx, id).await?;
        let (partner, before) = (key.partner_id, key.limit_factor);
        if before == limit_factor {
            return Ok(Json(ApiKeyLimits { limit_factor }));
        }
        key.set_factor(&tx, limit_factor).await?;
        let details = json!({"limit_factor": [before, limit_factor]});
        platform::audit(
            &tx,
            &caller,
            "api_key_limits_update",
            Some(partner.uuid()),
            Some(id.uuid()),
            details.clone(),
        )
        .await?;
        let tx = tx.enter(partner).await?.ok_or_else(Problem::not_exist::<Partner>)?;
        let name = caller.name();
        let actor = Actor { kind: "support", id: Some(caller.0.account.uuid()), name: &name };
        // A key of one restaurant stands in its log.
        let place = if let [one] = key.restaurant_ids.as_slice() { Some(*one) } else { None };
        access::write_audit(&tx, place, &actor, "api_key_limits_update", Some(id.uuid()), details).await?;
        tx.commit().await?;
        Ok(Json(ApiKeyLimits { limit_factor }))
    }
}
