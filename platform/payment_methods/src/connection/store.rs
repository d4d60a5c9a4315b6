//! Queries about connections.

use access::{
    App, digest,
    prelude::*,
    sealed::{DataKey, Place},
};
use chrono::{DateTime, Utc};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::held::ConnectionSecret;

/// A connection without what is sealed.
#[derive(Debug, Clone, FromQueryResult)]
pub(super) struct Row {
    pub id: Uuid,
    pub live: bool,
    /// Raised whenever what is sealed changes.
    pub generation: i64,
    pub being_renewed: bool,
    pub broken_at: Option<DateTime<Utc>>,
    pub store_id: Option<String>,
    pub store_name: Option<String>,
    pub connected_at: Timestamp,
}

/// The same with its sealed secret.
#[derive(FromQueryResult)]
struct SealedRow {
    #[sea_orm(nested)]
    row: Row,
    secret: Vec<u8>,
}

const FIND: &str = "select id, live, secret, generation, coalesce(renewing_until > clock_timestamp(), false) \
    being_renewed, broken_at, store_id, store_name, \
    connected_at from card_terminal_connection where restaurant_id = $1";
const LOCK: &str = "select id, live, secret, generation, coalesce(renewing_until > clock_timestamp(), false) \
    being_renewed, broken_at, store_id, store_name, \
    connected_at from card_terminal_connection where restaurant_id = $1 for update";

/// The connection of a restaurant, if there is one to the company that this partner's mode allows.
pub(super) async fn find(
    tx: &TenantTx, app: &App, restaurant: Id<Restaurant>, live: bool, lock: bool,
) -> Result<Option<(Row, ConnectionSecret)>> {
    let row: Option<SealedRow> = tx.one(if lock { LOCK } else { FIND }, [restaurant.into()]).await?;
    let Some(SealedRow { row: found, secret }) = row else { return Ok(None) };
    if found.live != live {
        return Ok(None);
    }
    // A connection that another installation sealed (a restored archive) does not open and counts as missing.
    let Ok(plain) = DataKey::of(app, tx).await?.open(place(&found.id.to_string()), &secret) else {
        return Ok(None);
    };
    let held = serde_json::from_slice(&plain)
        .map_err(|_| Problem::new(Code::UNKNOWN_ERROR).detail("a sealed connection cannot be read"))?;
    Ok(Some((found, held)))
}

fn place(row: &str) -> Place<'_> {
    Place { table: "card_terminal_connection", column: "secret", row }
}

async fn seal(tx: &TenantTx, app: &App, id: Uuid, held: &ConnectionSecret) -> Result<Vec<u8>> {
    let plain = serde_json::to_vec(held).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
    DataKey::of(app, tx).await?.seal(place(&id.to_string()), &plain)
}

const REPLACE: &str = "delete from card_terminal_connection where restaurant_id = $1";
const CONNECT: &str = "insert into card_terminal_connection (id, restaurant_id, live, secret, connected_by, \
    connected_at) values ($1, $2, $3, $4, $5, $6)";

/// A new connection in the place of the old one.
pub(super) async fn connect(
    tx: &TenantTx, app: &App, restaurant: Id<Restaurant>, live: bool, held: &ConnectionSecret,
    by: Option<Uuid>,
) -> Result<Uuid> {
    let id = Uuid::now_v7();
    tx.run(REPLACE, [restaurant.into()]).await?;
    let values = [
        id.into(),
        restaurant.into(),
        live.into(),
        seal(tx, app, id, held).await?.into(),
        by.into(),
        kernel::clock::now().into(),
    ];
    tx.run(CONNECT, values).await?;
    Ok(id)
}

/// Ends the connection; whether there was one.
pub(super) async fn leave(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Option<Uuid>> {
    Ok(tx
        .value(
            "delete from card_terminal_connection where restaurant_id = $1 returning id",
            [restaurant.into()],
        )
        .await?)
}

/// Longer than a renewal may take. After a crash the other instances wait for this time at most.
const RENEWING: &str = "update card_terminal_connection set renewing_until = clock_timestamp() + interval \
    '15 seconds' where id = $1";

/// Takes the renewal upon oneself.
pub(super) async fn begin_renewing(tx: &TenantTx, id: Uuid) -> Result<()> {
    tx.run(RENEWING, [id.into()]).await?;
    Ok(())
}

const SAVE: &str = "update card_terminal_connection set secret = $2, generation = generation + 1, \
    renewing_until = null, broken_at = $3 where id = $1";

/// Keeps what a renewal brought.
pub(super) async fn save(tx: &TenantTx, app: &App, row: &Row, held: &ConnectionSecret) -> Result<()> {
    let now = kernel::clock::now();
    let broken_at = held.is_over(now).then(|| row.broken_at.unwrap_or(now));
    tx.run(SAVE, [row.id.into(), seal(tx, app, row.id, held).await?.into(), broken_at.into()]).await?;
    Ok(())
}

const CHOOSE: &str = "update card_terminal_connection set store_id = $2, store_name = $3 where id = $1";

/// Notes the chosen store.
pub(super) async fn choose(tx: &TenantTx, id: Uuid, store: &contract::Store) -> Result<()> {
    tx.run(CHOOSE, [id.into(), store.store_id.clone().into(), store.name.clone().into()]).await?;
    Ok(())
}

/// Whether this partner works with the real company.
pub(super) async fn live(tx: &TenantTx) -> Result<bool> {
    let mode: Option<String> = tx.value("select control.partner_mode() mode", []).await?;
    Ok(mode.ok_or(Code::UNKNOWN_ERROR)? == "live")
}

/// Notes that somebody leaves for the company's page.
pub(super) async fn begin(
    tx: &TenantTx, restaurant: Id<Restaurant>, state: &str, session: Uuid, return_to: &str,
) -> Result<()> {
    let values = [digest(state).into(), restaurant.into(), session.into(), return_to.to_owned().into()];
    tx.run("select control.begin_terminal_connect($1, $2, $3, $4)::text", values).await?;
    Ok(())
}

/// Takes a state; whether it was this session's, for this restaurant, and in time.
pub(super) async fn take(
    tx: &TenantTx, restaurant: Id<Restaurant>, state: &str, session: Uuid,
) -> Result<bool> {
    let values = [digest(state).into(), restaurant.into(), session.into()];
    let sql = "select control.take_terminal_connect($1, $2, $3) good";
    tx.value(sql, values).await?.ok_or_else(|| Code::UNKNOWN_ERROR.into())
}
