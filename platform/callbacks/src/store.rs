//! The table `callback`.

use chrono::{DateTime, Utc};
use contract::RawMessage;
use kernel::{Id, Restaurant, Result};
use sea_orm::FromQueryResult;
use sha2::{Digest, Sha256};
use tenants::{CallbackFacts, TenantTx};
use uuid::Uuid;

use crate::receiver::Message;

/// The same bytes are the same message. A signed one is worked once. One that only makes us ask has the same bytes each
/// time something changes: once it is worked, it makes us ask again. One that is not worked yet may have lost its job.
const KEEP: &str = "insert into callback as c (id, restaurant_id, provider, account_id, digest, is_signed, query, body, \
    received_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
    on conflict (account_id, digest) do update set worked_at = null, received_at = excluded.received_at \
     where not c.is_signed or c.worked_at is null \
    returning c.id";

/// Keeps a message as it came; answers its id if there is something to do.
pub(crate) async fn keep(
    tx: &TenantTx, facts: &CallbackFacts, message: &RawMessage, is_signed: bool, now: DateTime<Utc>,
) -> Result<Option<Uuid>> {
    // No signature covers the query: with another one it is the same message. A query has no NUL: query and body cannot
    // be parted in two ways.
    let query = if is_signed { "" } else { &*message.query };
    let digest = Sha256::digest([query.as_bytes(), b"\0", &message.body].concat()).to_vec();
    let values = [
        Uuid::now_v7().into(),
        facts.restaurant.into(),
        facts.provider.clone().into(),
        facts.account.into(),
        digest.into(),
        is_signed.into(),
        query.into(),
        message.body.clone().into(),
        now.into(),
    ];
    Ok(tx.value(KEEP, values).await?)
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    restaurant_id: Id<Restaurant>,
    provider: String,
    account_id: Uuid,
    is_signed: bool,
    query: String,
    body: Vec<u8>,
    received_at: DateTime<Utc>,
}

const TAKE: &str = "select id, restaurant_id, provider, account_id, is_signed, query, body, received_at from callback \
    where id = $1 and worked_at is null for update";

/// A message that is to be worked, held by this transaction.
pub(crate) async fn take(tx: &TenantTx, id: Uuid) -> Result<Option<Message>> {
    let row: Option<Row> = tx.one(TAKE, [id.into()]).await?;
    Ok(row.map(|row| Message {
        id: row.id,
        restaurant: row.restaurant_id,
        provider: row.provider,
        account: row.account_id,
        is_signed: row.is_signed,
        query: row.query,
        body: row.body,
        received_at: row.received_at,
    }))
}

pub(crate) async fn worked(tx: &TenantTx, id: Uuid, now: DateTime<Utc>) -> Result<()> {
    tx.run("update callback set worked_at = $2 where id = $1", [id.into(), now.into()]).await?;
    Ok(())
}
