//! Queries about imports.

use access::prelude::*;
use sea_orm::FromQueryResult;
use serde_json::{Value as Json, json};

use super::rehearsal::{Choice, Rehearsal, Summary};

#[derive(Debug)]
pub(crate) struct MenuImports;

kernel::resource!(MenuImports, "menu_imports", "MENU_IMPORT");

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum MenuImportStatus {
    /// It is about to be read.
    Waiting,
    Reading,
    /// The rehearsal is done: what would happen is known, nothing has been written.
    Ready,
    /// The file cannot be read (`error`).
    Failed,
    Applied,
    Undone,
}

/// A row without its long columns.
#[derive(Debug, Clone)]
pub(crate) struct Import {
    pub id: Id<MenuImports>,
    pub file_name: String,
    pub file_size: i32,
    pub has_file: bool,
    pub choice: Choice,
    pub skip_faulty: bool,
    pub status: MenuImportStatus,
    pub progress: i32,
    pub error: Option<String>,
    pub summary: Option<Summary>,
    pub catalogue_version: Option<i64>,
    pub has_undo: bool,
    pub actor_name: String,
    pub version: i64,
    pub applied_at: Option<Timestamp>,
    pub undone_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

#[derive(FromQueryResult)]
struct ImportRow {
    id: Id<MenuImports>,
    file_name: String,
    file_size: i32,
    has_file: bool,
    sheet: Option<String>,
    header_row: Option<i32>,
    mapping: Option<Json>,
    options: Option<Json>,
    skip_faulty: bool,
    status: MenuImportStatus,
    progress: i32,
    error: Option<String>,
    summary: Option<Json>,
    catalogue_version: Option<i64>,
    has_undo: bool,
    actor_name: String,
    version: i64,
    applied_at: Option<Timestamp>,
    undone_at: Option<Timestamp>,
    created_at: Timestamp,
}

impl From<ImportRow> for Import {
    fn from(row: ImportRow) -> Self {
        // What an earlier version of the service has written in another shape counts as absent.
        let columns = row.mapping.and_then(|value| serde_json::from_value(value).ok());
        let options = row.options.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
        Self {
            id: row.id,
            file_name: row.file_name,
            file_size: row.file_size,
            has_file: row.has_file,
            choice: Choice { sheet: row.sheet, header_row: row.header_row, columns, options },
            skip_faulty: row.skip_faulty,
            status: row.status,
            progress: row.progress,
            error: row.error,
            summary: row.summary.and_then(|value| serde_json::from_value(value).ok()),
            catalogue_version: row.catalogue_version,
            has_undo: row.has_undo,
            actor_name: row.actor_name,
            version: row.version,
            applied_at: row.applied_at,
            undone_at: row.undone_at,
            created_at: row.created_at,
        }
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select id, file_name, file_size, file is not null has_file, sheet, header_row, mapping, \
             options, skip_faulty, status, progress, error, summary, \
             catalogue_version, undo is not null has_undo, actor_name, version, applied_at, undone_at, \
             created_at from menu_import where ",
            $rest
        )
    };
}

/// The newest ones.
pub(crate) async fn list(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<Import>> {
    let sql = select!("restaurant_id = $1 order by created_at desc, id desc limit 20");
    let rows: Vec<ImportRow> = tx.all(sql, [restaurant.into()]).await?;
    Ok(rows.into_iter().map(Import::from).collect())
}

pub(crate) async fn find(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<MenuImports>) -> Result<Import> {
    let sql = select!("restaurant_id = $1 and id = $2");
    let row: Option<ImportRow> = tx.one(sql, [restaurant.into(), id.into()]).await?;
    row.map(Import::from).ok_or_else(Problem::not_exist::<MenuImports>)
}

/// The same, locked.
pub(crate) async fn lock(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<MenuImports>) -> Result<Import> {
    let sql = select!("restaurant_id = $1 and id = $2 for update");
    let row: Option<ImportRow> = tx.one(sql, [restaurant.into(), id.into()]).await?;
    row.map(Import::from).ok_or_else(Problem::not_exist::<MenuImports>)
}

pub(crate) async fn of_job(tx: &TenantTx, id: Id<MenuImports>) -> Result<Option<(Id<Restaurant>, Import)>> {
    let sql = "select restaurant_id from menu_import where id = $1";
    let Some(restaurant) = tx.value(sql, [id.into()]).await? else { return Ok(None) };
    Ok(Some((restaurant, find(tx, restaurant, id).await?)))
}

pub(crate) async fn file(tx: &TenantTx, id: Id<MenuImports>) -> Result<Option<Vec<u8>>> {
    Ok(tx.value("select file from menu_import where id = $1", [id.into()]).await?.flatten())
}

pub(crate) async fn insert(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<MenuImports>, name: String, file: Vec<u8>, actor: &str,
) -> Result<()> {
    let size = i32::try_from(file.len()).unwrap_or(i32::MAX);
    let sql = "insert into menu_import (id, restaurant_id, file_name, file_size, file, actor_name, \
        created_at) values ($1, $2, $3, $4, $5, $6, $7)";
    let now = kernel::clock::now();
    tx.run(
        sql,
        [id.into(), restaurant.into(), name.into(), size.into(), file.into(), actor.into(), now.into()],
    )
    .await?;
    Ok(())
}

/// Keeps what was chosen; a new rehearsal begins.
pub(crate) async fn choose(
    tx: &TenantTx, id: Id<MenuImports>, choice: &Choice, skip_faulty: bool,
) -> Result<()> {
    let columns = choice.columns.as_ref().map(|columns| json!(columns));
    let sql = "update menu_import set sheet = $2, header_row = $3, mapping = $4, skip_faulty = $5, options \
        = $6, status = 'waiting', progress = 0, error = null, \
               version = version + 1 where id = $1";
    tx.run(
        sql,
        [
            id.into(),
            choice.sheet.clone().into(),
            choice.header_row.into(),
            columns.into(),
            skip_faulty.into(),
            json!(choice.options).into(),
        ],
    )
    .await?;
    Ok(())
}

pub(crate) async fn skip(tx: &TenantTx, id: Id<MenuImports>, skip_faulty: bool) -> Result<()> {
    tx.run(
        "update menu_import set skip_faulty = $2, version = version + 1 where id = $1",
        [id.into(), skip_faulty.into()],
    )
    .await?;
    Ok(())
}

/// How far a rehearsal of this version is. False when another one has begun meanwhile.
pub(crate) async fn progress(
    tx: &TenantTx, id: Id<MenuImports>, version: i64, progress: i32,
) -> Result<bool> {
    let sql = "update menu_import set status = 'reading', progress = $3 where id = $1 and version = $2 and \
        status in ('waiting', 'reading')";
    Ok(tx.run(sql, [id.into(), version.into(), progress.into()]).await? > 0)
}

pub(crate) async fn rehearsed(
    tx: &TenantTx, id: Id<MenuImports>, version: i64, done: &Rehearsal, catalogue_version: i64,
) -> Result<()> {
    let sql = "update menu_import set status = 'ready', progress = 100, error = null, summary = $3, faults = \
        $4, lines = $5, catalogue_version = $6 \
               where id = $1 and version = $2 and status = 'reading'";
    let values = [
        id.into(),
        version.into(),
        json!(done.summary).into(),
        json!(done.faults).into(),
        json!(done.lines).into(),
        catalogue_version.into(),
    ];
    tx.run(sql, values).await?;
    Ok(())
}

/// A rehearsal of this version that came to nothing.
pub(crate) async fn failed(tx: &TenantTx, id: Id<MenuImports>, version: i64, error: &str) -> Result<()> {
    let sql = "update menu_import set status = 'failed', error = $3, summary = null, faults = null, lines = \
        null \
               where id = $1 and version = $2 and status in ('waiting', 'reading')";
    tx.run(sql, [id.into(), version.into(), error.into()]).await?;
    Ok(())
}

/// The import is written; its file is of no more use.
pub(crate) async fn applied(tx: &TenantTx, id: Id<MenuImports>, done: &Rehearsal, undo: Json) -> Result<()> {
    let sql = "update menu_import set status = 'applied', applied_at = $2, undo = $3, file = null, summary = \
        $4, faults = $5, lines = $6, \
               version = version + 1 where id = $1";
    let now = kernel::clock::now();
    let values = [
        id.into(),
        now.into(),
        undo.into(),
        json!(done.summary).into(),
        json!(done.faults).into(),
        json!(done.lines).into(),
    ];
    tx.run(sql, values).await?;
    Ok(())
}

pub(crate) async fn undo(tx: &TenantTx, id: Id<MenuImports>) -> Result<Option<Json>> {
    Ok(tx.value("select undo from menu_import where id = $1", [id.into()]).await?.flatten())
}

pub(crate) async fn undone(tx: &TenantTx, id: Id<MenuImports>) -> Result<()> {
    let sql = "update menu_import set status = 'undone', undone_at = $2, undo = null, version = version + 1 \
        where id = $1";
    tx.run(sql, [id.into(), kernel::clock::now().into()]).await?;
    Ok(())
}

const PART: &str = "select e.one from menu_import i, jsonb_array_elements(i.faults) with ordinality e (one, \
    place) \
     where i.id = $1 order by e.place limit $2 offset $3";
const LINES: &str = "select e.one from menu_import i, jsonb_array_elements(i.lines) with ordinality e (one, \
    place) \
     where i.id = $1 and ($4::text is null or e.one ->> 'kind' = $4) order by e.place limit $2 offset $3";
const COUNT_LINES: &str = "select count(*) total from menu_import i, jsonb_array_elements(i.lines) e (one) \
     where i.id = $1 and ($2::text is null or e.one ->> 'kind' = $2)";

fn parsed<T: serde::de::DeserializeOwned>(values: Vec<Json>) -> Result<Vec<T>> {
    let one = |value| serde_json::from_value(value).map_err(|_| Problem::new(Code::UNKNOWN_ERROR));
    values.into_iter().map(one).collect()
}

fn window(paging: &Paging) -> (i64, i64) {
    let limit = paging.limit();
    (i64::try_from(limit).unwrap_or(i64::MAX), i64::try_from(paging.offset(limit)).unwrap_or(i64::MAX))
}

pub(crate) async fn faults<T: serde::de::DeserializeOwned>(
    tx: &TenantTx, id: Id<MenuImports>, paging: &Paging,
) -> Result<Vec<T>> {
    let (limit, offset) = window(paging);
    parsed(tx.values(PART, [id.into(), limit.into(), offset.into()]).await?)
}

pub(crate) async fn all_faults<T: serde::de::DeserializeOwned>(
    tx: &TenantTx, id: Id<MenuImports>,
) -> Result<Vec<T>> {
    parsed(tx.values(PART, [id.into(), i64::MAX.into(), 0_i64.into()]).await?)
}

/// A page of the lines of one kind, and how many there are.
pub(crate) async fn lines<T: serde::de::DeserializeOwned>(
    tx: &TenantTx, id: Id<MenuImports>, kind: Option<&str>, paging: &Paging,
) -> Result<(Vec<T>, u64)> {
    let (limit, offset) = window(paging);
    let kind = kind.map(str::to_owned);
    let lines = tx.values(LINES, [id.into(), limit.into(), offset.into(), kind.clone().into()]).await?;
    let total: i64 = tx.value(COUNT_LINES, [id.into(), kind.into()]).await?.unwrap_or_default();
    Ok((parsed(lines)?, u64::try_from(total).unwrap_or_default()))
}

/// Lets go of what is of no more use a day later: files, faults and lines that were not applied, ways back.
pub(crate) async fn forget(tx: &TenantTx, id: Id<MenuImports>) -> Result<()> {
    let sql = "update menu_import set file = null, faults = null, lines = null \
               where id = $1 and status not in ('applied', 'undone') and created_at <= $2";
    let day = kernel::clock::now() - chrono::Duration::hours(24);
    tx.run(sql, [id.into(), day.into()]).await?;
    tx.run("update menu_import set undo = null where id = $1 and applied_at <= $2", [id.into(), day.into()])
        .await?;
    Ok(())
}
