//! Exports a partner into an archive, as of one instant, while the partner continues to work. See
//! `docs/decisions/tenancy.md#archives`.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use futures_util::{StreamExt, TryStreamExt, stream};
use kernel::{Id, Partner};
use object_storage::{Object, Storage};
use sea_orm::{DbErr, FromQueryResult};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Postgres};
use tokio::{io::AsyncReadExt, sync::mpsc, task::spawn_blocking};
use uuid::Uuid;

use crate::{
    archive::{DIRECTORY, DirectoryIds, FORMAT, Limits, Manifest, ManifestPartner},
    bundle,
    objects::{self, BEGINNING},
    pack::{self, Part},
    provision::Provisioner,
    setup::Setup,
};

/// Rows are sent to the writer in pieces of about this many bytes; sixteen of them may wait.
const PIECE: usize = 64 * 1024;
/// So many objects are asked for ahead, so that the way to the store is not waited for each time.
const AHEAD: usize = 6;

/// What an archive never holds: what belongs to the person or the installation, not to the partner.
const LEFT_OUT: &[&str] = &[
    "sessions", "passwords", "second factors", "PINs", "sign-in provider", "jobs", "exports",
    "usage of API keys", "support accesses",
];

/// Each table with its columns and the statement that reads it in the order of its key. Names come from the
/// catalogue only.
const TABLES: &str = "select c.relname::text name, \
        (select array_agg(a.attname::text order by a.attnum) from pg_attribute a \
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') columns, \
        format('copy (select %s from %I.%I order by %s) to stdout', \
            (select string_agg(format('%I', a.attname), ', ' order by a.attnum) from pg_attribute a \
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''), \
            n.nspname, c.relname, \
            (select string_agg(format('%I', a.attname), ', ' order by k.place) from pg_index i, \
            unnest(i.indkey) with ordinality k (number, place), pg_attribute a \
             where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.number)) \
             statement \
    from pg_class c join pg_namespace n on n.oid = c.relnamespace \
    where n.nspname = $1 and c.relkind = 'r' and c.relname <> 'seaql_migrations' order by 1";

/// The directory's rows as JSON, without what [`LEFT_OUT`] names.
fn directory(name: &str) -> &'static str {
    match name {
        "restaurant" => {
            "select id, (to_jsonb(r) - array['partner_id', 'partner_role', 'partner_status', 'partner_mode', \
             'partner_idle_minutes'])::text line from control.restaurant r where partner_id = $1::uuid order by id"
        }
        "admin" => {
            // People as their partner sees them: a person who has not accepted has the name that the partner
            // typed.
            "select a.id, (to_jsonb(a) - array['partner_id', 'account_id', 'pin_hash', 'pin_lookup', \
             'pin_given', 'pin_given_by', 'sessions_since', \
             'version', 'shown_active', 'first_name', 'last_name', 'tel', 'language'] \
                 || jsonb_build_object('status', case when a.status = 'invited' and a.shown_active then \
                 'active' else a.status end, \
                     'account', jsonb_build_object('email', ac.email, 'first_name', coalesce(a.first_name, \
                     ac.first_name), \
                         'last_name', coalesce(a.last_name, ac.last_name), 'tel', coalesce(a.tel, ac.tel), \
                         'language', coalesce(a.language, ac.language))))::text line \
             from control.admin a join control.account ac on ac.id = a.account_id where a.partner_id = \
             $1::uuid order by a.id"
        }
        _ => {
            "select id, (to_jsonb(k) - 'partner_id')::text line from control.api_key k where partner_id = \
             $1::uuid order by id"
        }
    }
}

fn db_error(error: impl std::fmt::Display) -> DbErr {
    DbErr::Custom(error.to_string())
}

/// A finished archive.
#[derive(Debug, Clone, Copy)]
pub struct Exported {
    /// Bytes of the file.
    pub size: u64,
}

impl Provisioner<'_> {
    /// Writes the partner's archive to this file: the rows as of one instant, then the objects that they
    /// name, none of which is removed meanwhile. Memory grows by sixteen bytes for each picture only. Two
    /// archives of one partner are written one after the other.
    /// Errors: What the database, the object store or the file system says; then there is no file.
    pub async fn export(
        &self, partner: Id<Partner>, to: &Path, storage: &Storage,
    ) -> Result<Exported, DbErr> {
        let (parts, receiver) = mpsc::channel(16);
        let target = to.to_owned();
        let writer = spawn_blocking(move || pack::write(&target, receiver));
        let read = self.read_locked(partner, &parts, storage).await;
        drop(parts);
        let written = writer.await.map_err(db_error)?;
        match (read, written) {
            (Ok(()), Ok(size)) => Ok(Exported { size }),
            // A writer that stopped made the reader stop too: its word is the cause.
            (_, Err(error)) if error != "the export was cut short" => Err(DbErr::Custom(error)),
            (Err(error), _) => Err(error),
            (Ok(()), Err(error)) => Err(DbErr::Custom(error)),
        }
    }

    /// Reads the partner while nobody removes its objects. The lock has a connection of its own: it has to
    /// hold after the snapshot has ended, and exports that all wait for a second connection of the pool would
    /// wait for each other. It goes with the connection, so a crash frees it; that of the whole machine too,
    /// within a minute.
    async fn read_locked(
        &self, partner: Id<Partner>, parts: &mpsc::Sender<Part>, storage: &Storage,
    ) -> Result<(), DbErr> {
        // The lock is one of the server that the partner is on, as are its rows.
        let there = self.elsewhere(partner).await?.map_or(self.setup, |(_, there)| there);
        let options = there.db.get_postgres_connection_pool().connect_options();
        let mut connection = PgConnection::connect_with(&options).await.map_err(db_error)?;
        let mut lock = connection.begin().await.map_err(db_error)?;
        let sql = "set local tcp_keepalives_idle = 20; set local tcp_keepalives_interval = 10; set local \
            tcp_keepalives_count = 3";
        sqlx::raw_sql(sql).execute(&mut *lock).await.map_err(db_error)?;
        sqlx::query(objects::KEEP)
            .bind(objects::lock(partner))
            .execute(&mut *lock)
            .await
            .map_err(db_error)?;
        let manifest = self.read_partner(partner, there, parts, storage).await?;
        // It has held all the time: a lock that was lost meanwhile is an error here, and the archive is
        // written again.
        lock.commit().await.map_err(db_error)?;
        put(parts, Part::End(Box::new(manifest))).await
    }

    /// The directory and the rows are of one instant where the partner is on the home server, else of two that follow
    /// each other.
    async fn read_partner(
        &self, partner: Id<Partner>, there: &Setup, parts: &mpsc::Sender<Part>, storage: &Storage,
    ) -> Result<Manifest, DbErr> {
        let mut connection = there.db.get_postgres_connection_pool().acquire().await.map_err(db_error)?;
        let mut tx = snapshot(&mut connection).await?;
        let (role, mut manifest) = manifest_head(&mut tx, partner).await?;
        if std::ptr::eq(there, self.setup) {
            directory_files(&mut tx, partner, &mut manifest, parts).await?;
        } else {
            let mut home = self.setup.db.get_postgres_connection_pool().acquire().await.map_err(db_error)?;
            let mut home = snapshot(&mut home).await?;
            let (_, at_home) = manifest_row(&mut home, partner).await?;
            (manifest.partner, manifest.origin) = (at_home.partner, at_home.origin);
            directory_files(&mut home, partner, &mut manifest, parts).await?;
        }
        let tables: Vec<(String, Vec<String>, Option<String>)> =
            sqlx::query_as(TABLES).bind(&role).fetch_all(&mut *tx).await.map_err(db_error)?;
        for (name, columns, statement) in tables {
            let statement =
                statement.ok_or_else(|| DbErr::Custom(format!("the table {name} has no primary key")))?;
            put(parts, Part::File(format!("tables/{name}.copy"), columns)).await?;
            copy(&mut tx, &statement, parts).await?;
        }
        let (table, token, archived) = objects::TABLE;
        let sql = format!("select distinct {token} from {role}.{table} where {archived} is null");
        let mut rows = sqlx::query_scalar::<_, String>(AssertSqlSafe(sql)).fetch(&mut *tx);
        let mut tokens = Vec::new();
        while let Some(text) = rows.try_next().await.map_err(db_error)? {
            tokens.push(objects::token(&text).ok_or_else(|| db_error("a picture has no token"))?);
        }
        drop(rows);
        tokens.sort_unstable();
        // No snapshot is held while the store is read: that may take long.
        tx.commit().await.map_err(db_error)?;
        drop(connection);
        manifest.missing_objects = put_objects(storage, partner, tokens, parts).await?;
        Ok(manifest)
    }
}

#[derive(FromQueryResult)]
struct ManifestRow {
    #[sea_orm(nested)]
    partner: ManifestPartner,
    role: String,
    schema_version: String,
    origin: Option<String>,
    chain: Option<String>,
    installation: String,
    exported_at: DateTime<Utc>,
}

/// A transaction that reads one instant, in the form of archives.
async fn snapshot(connection: &mut PgConnection) -> Result<sqlx::Transaction<'_, Postgres>, DbErr> {
    let mut tx =
        connection.begin_with("begin isolation level repeatable read read only").await.map_err(db_error)?;
    sqlx::raw_sql(
        "set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = \
         'postgres'; set local extra_float_digits = 3",
    )
    .execute(&mut *tx)
    .await
    .map_err(db_error)?;
    Ok(tx)
}

/// The schema of a partner, and its manifest before anything is read.
async fn manifest_head(tx: &mut PgConnection, partner: Id<Partner>) -> Result<(String, Manifest), DbErr> {
    let (role, mut manifest) = manifest_row(tx, partner).await?;
    manifest.ids.groups = column(tx, &format!("select id from {role}.restaurant_group order by id")).await?;
    Ok((role, manifest))
}

/// What `control` knows of the partner on its server.
async fn manifest_row(tx: &mut PgConnection, partner: Id<Partner>) -> Result<(String, Manifest), DbErr> {
    let sql = "select p.id, p.name, p.mode, p.password_min_length, p.idle_minutes, p.role, \
                   p.schema_version, p.origin::text origin, \
                   (select (to_jsonb(h) - 'partner_id')::text from control.audit_head h where \
                   h.partner_id = p.id) chain, i.name installation, now() exported_at \
               from control.partner p, control.installation i where p.id = $1::uuid and p.schema_version \
               is not null";
    let row = sqlx::query(sql).bind(partner.to_string()).fetch_optional(&mut *tx).await.map_err(db_error)?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound("the partner".to_owned()))?;
    let row = ManifestRow::from_query_result(&row.into(), "")?;
    let role = row.role;
    let manifest = Manifest {
        format: FORMAT,
        installation: row.installation,
        partner: row.partner,
        schema_version: row.schema_version,
        exported_at: row.exported_at,
        ids: DirectoryIds::default(),
        origin: row.origin.map(|text| serde_json::from_str(&text)).transpose().map_err(db_error)?,
        chain: row.chain.map(|text| serde_json::from_str(&text)).transpose().map_err(db_error)?,
        left_out: LEFT_OUT.iter().map(|what| (*what).to_owned()).collect(),
        files: vec![],
        missing_objects: vec![],
    };
    Ok((role, manifest))
}

async fn put(parts: &mpsc::Sender<Part>, part: Part) -> Result<(), DbErr> {
    parts.send(part).await.map_err(|_| DbErr::Custom("the archive cannot be written".to_owned()))
}

/// The first column. The schema's name in the statement is made of the installation and an id.
async fn column<T>(tx: &mut PgConnection, sql: &str) -> Result<Vec<T>, DbErr>
where
    T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres> + Send + Unpin,
{
    sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(tx).await.map_err(db_error)
}

async fn directory_files(
    tx: &mut PgConnection, partner: Id<Partner>, manifest: &mut Manifest, parts: &mpsc::Sender<Part>,
) -> Result<(), DbErr> {
    for name in DIRECTORY {
        let found = directory_file(tx, partner, name, parts).await?;
        match *name {
            "restaurant" => manifest.ids.restaurants = found,
            "admin" => manifest.ids.admins = found,
            _ => manifest.ids.api_keys = found,
        }
    }
    Ok(())
}

async fn directory_file(
    tx: &mut PgConnection, partner: Id<Partner>, name: &str, parts: &mpsc::Sender<Part>,
) -> Result<Vec<Uuid>, DbErr> {
    put(parts, Part::File(format!("directory/{name}.jsonl"), vec![])).await?;
    let mut found = Vec::new();
    let mut text = Vec::new();
    let rows: Vec<(Uuid, String)> =
        sqlx::query_as(directory(name)).bind(partner.to_string()).fetch_all(tx).await.map_err(db_error)?;
    for (id, line) in rows {
        found.push(id);
        text.extend_from_slice(line.as_bytes());
        text.push(b'\n');
    }
    put(parts, Part::Bytes(text)).await?;
    Ok(found)
}

async fn copy(tx: &mut PgConnection, statement: &str, parts: &mpsc::Sender<Part>) -> Result<(), DbErr> {
    let mut rows = tx.copy_out_raw(statement).await.map_err(db_error)?;
    let mut piece = Vec::with_capacity(PIECE + 4096);
    while let Some(row) = rows.try_next().await.map_err(db_error)? {
        piece.extend_from_slice(&row);
        if piece.len() >= PIECE {
            put(parts, Part::Bytes(std::mem::replace(&mut piece, Vec::with_capacity(PIECE + 4096)))).await?;
        }
    }
    put(parts, Part::Bytes(piece)).await
}

/// Sends the pictures' objects; the names of those that are not in the store, or are no pictures.
async fn put_objects(
    storage: &Storage, partner: Id<Partner>, tokens: Vec<u128>, parts: &mpsc::Sender<Part>,
) -> Result<Vec<String>, DbErr> {
    put(parts, Part::File(bundle::PATH.to_owned(), vec![])).await?;
    let storage = storage.clone();
    let ask = move |name: String| {
        let storage = storage.clone();
        async move { (storage.get(&objects::key(partner, &name)).await, name) }
    };
    let mut readings = stream::iter(objects::names(tokens)).map(ask).buffered(AHEAD);
    let mut missing = Vec::new();
    while let Some((reading, name)) = readings.next().await {
        match reading.map_err(|error| DbErr::Custom(format!("{name}: {error}")))? {
            Some(reading) => {
                if !put_object(reading, &name, parts).await? {
                    missing.push(name);
                }
            }
            None => missing.push(name),
        }
    }
    put(parts, Part::Bytes(bundle::END.to_vec())).await?;
    Ok(missing)
}

/// Sends an object piece by piece, unless it is no picture or one that no archive may have.
async fn put_object(
    Object { bytes, content: mut from }: Object, name: &str, parts: &mpsc::Sender<Part>,
) -> Result<bool, DbErr> {
    let cut = |error: std::io::Error| DbErr::Custom(format!("{name}: the object store: {error}"));
    let bytes = bytes.ok_or_else(|| cut(std::io::Error::other("it does not say how long an object is")))?;
    if bytes < BEGINNING as u64 || bytes > Limits::default().object {
        return Ok(false);
    }
    let mut piece = vec![0; BEGINNING];
    from.read_exact(&mut piece).await.map_err(cut)?;
    if !objects::is_picture(&piece) {
        return Ok(false);
    }
    put(parts, Part::Object(bundle::head(name, bytes).map_err(cut)?)).await?;
    let mut left = bytes - BEGINNING as u64;
    loop {
        put(parts, Part::Bytes(piece)).await?;
        piece = vec![0; PIECE];
        let read = from.read(&mut piece).await.map_err(cut)?;
        piece.truncate(read);
        left = left.checked_sub(read as u64).ok_or_else(|| cut(std::io::ErrorKind::InvalidData.into()))?;
        if read == 0 {
            break;
        }
    }
    if left > 0 {
        return Err(cut(std::io::ErrorKind::UnexpectedEof.into()));
    }
    put(parts, Part::Bytes(bundle::padding(bytes))).await?;
    Ok(true)
}

/// A name beside the final one, so that a file is there whole or not at all.
#[must_use]
pub fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
