//! The limits of a key, which only the platform's operator changes.

use access::prelude::*;
use kernel::ids::ApiKeys;
use sea_orm::FromQueryResult;
use tenants::ControlTx;
use uuid::Uuid;

/// A key whose limits may be changed. Its row is locked until the commit.
#[derive(Debug, FromQueryResult)]
pub struct LimitedKey {
    id: Id<ApiKeys>,
    pub partner_id: Id<Partner>,
    /// How many times the usual limits it has.
    pub limit_factor: i32,
    pub restaurant_ids: Vec<Uuid>,
}

impl LimitedKey {
    /// Locks a living key.
    /// Errors: `API_KEY_NOT_EXIST`; what the database says.
    pub async fn lock(tx: &ControlTx, id: Id<ApiKeys>) -> Result<Self> {
        let sql = "select id, partner_id, limit_factor, restaurant_ids from api_key where id = $1 and \
            archived_at is null for update";
        tx.one(sql, [id.into()]).await?.ok_or_else(Problem::not_exist::<ApiKeys>)
    }

    /// Sets how many times the usual limits it has.
    pub async fn set_factor(&self, tx: &ControlTx, factor: i32) -> Result<()> {
        tx.run("update api_key set limit_factor = $2 where id = $1", [self.id.into(), factor.into()]).await?;
        Ok(())
    }
}
