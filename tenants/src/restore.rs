//! Restores an archive into a new partner, a clone in the sandbox, or the partner of the archive. Everything
//! is loaded into a second schema, which replaces the first in one transaction together with the directory's
//! rows. Objects are in the store by then. See `docs/decisions/tenancy.md#archives`.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::{Path, PathBuf},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use kernel::{Id, Partner};
use object_storage::Storage;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::{runtime::Handle, sync::mpsc, task::spawn_blocking};
use uuid::Uuid;

use crate::{
    archive::{self, DIRECTORY, Limits, Manifest, Origin},
    bundle::{self, ObjectInFlight},
    clone, objects,
    provision::{Provisioner, make_role, make_schema, role_of},
    tx::{all, one, statement, value},
    unpack,
};

/// So many objects are sent to the store at once.
const AT_ONCE: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restored {
    /// A new partner. Ids are kept when its own id is the archive's, else the directory's are made anew.
    New,
    /// A new partner in the sandbox, without customers' personal data.
    Clone,
    /// The partner of the archive goes back to the archive's state.
    Same,
}

pub(crate) fn db_error(error: impl std::fmt::Display) -> DbErr {
    DbErr::Custom(error.to_string())
}

/// An archive that was read for a partner, with the ids that are exchanged.
struct Loading<'a> {
    partner: Id<Partner>,
    manifest: &'a Manifest,
    file: &'a Path,
    kind: Restored,
    ids: BTreeMap<Uuid, Uuid>,
}

impl Provisioner<'_> {
    /// Restores an archive into the row of this partner, which is `creating` (or in `maintenance`, for
    /// [`Restored::Same`]) and has a plan. Cut short it can be repeated; what was there before stays until
    /// the last moment. `invite` is the job that mails a link to each of its people who has to accept
    /// (again).
    /// Errors: Why the archive is refused, or what the database or the object store says; then the partner is
    /// as before. Objects that came into the store meanwhile go with the next try, with the new partner, or
    /// by a job that was written before them.
    pub async fn restore(
        &self, partner: Id<Partner>, file: &Path, kind: Restored, storage: &Storage, invite: Option<&str>,
    ) -> Result<(), DbErr> {
        let (checked, newest) = (file.to_owned(), self.setup.shape.newest);
        let manifest = spawn_blocking(move || archive::verify(&checked, newest, Limits::default()))
            .await
            .map_err(db_error)?
            .map_err(db_error)?;
        let waits = match kind {
            Restored::Same => {
                "select 1 from control.partner where id = $1 and status = 'maintenance' and plan is not null"
            }
            Restored::New | Restored::Clone => {
                "select 1 from control.partner where id = $1 and status = 'creating' and plan is not null"
            }
        };
        if self.setup.db.query_one_raw(statement(waits, [partner.uuid().into()])).await?.is_none() {
            return Ok(());
        }
        if self.elsewhere(partner).await?.is_some() {
            return Err(DbErr::Custom(
                "the partner is on another database server: move it home first (pult partner move)"
                    .to_owned(),
            ));
        }
        if kind == Restored::Same && manifest.partner.id != partner.uuid() {
            return Err(DbErr::Custom("the archive is another partner's".to_owned()));
        }
        let ids =
            if manifest.partner.id == partner.uuid() { BTreeMap::new() } else { new_ids(&manifest, partner) };
        let role = role_of(&self.setup.db, partner).await?;
        let beside = format!("{role}_r");

        let tx = self.setup.db.begin().await?;
        tx.execute_unprepared(&format!("drop schema if exists {beside} cascade")).await?;
        make_role(&tx, &role).await?;
        make_schema(&tx, self.setup.shape, &beside, &role).await?;
        tx.commit().await?;
        self.load(&manifest, file, &beside, &ids, kind).await?;
        if kind == Restored::Same {
            // Objects that are sent now are removed in an hour unless this partner's rows name them.
            sweep(&self.setup.db, partner, (&beside, &role), "1 hour").await?;
        }
        // Sweeps that have looked before the partner was in maintenance end now; none begins before it is
        // active again, and then they see the rows that came with it.
        let tx = self.setup.db.begin().await?;
        tx.execute_raw(statement(objects::KEEP, [objects::lock(partner).into()])).await?;
        tx.commit().await?;
        send_objects(storage, partner, file).await?;

        let loading = Loading { partner, manifest: &manifest, file, kind, ids };
        self.take_over(loading, invite, (&role, &beside), waits).await
    }

    /// Puts the loaded schema in the place of the partner's, in one transaction: the last moment, until which
    /// everything is as before.
    async fn take_over(
        &self, loading: Loading<'_>, invite: Option<&str>, (role, beside): (&str, &str), waits: &str,
    ) -> Result<(), DbErr> {
        let Loading { partner, manifest, file, kind, ids } = loading;
        let tx = self.setup.db.begin().await?;
        if tx
            .query_one_raw(statement(&format!("{waits} for update"), [partner.uuid().into()]))
            .await?
            .is_none()
        {
            return Ok(());
        }
        if kind == Restored::Same {
            sweep(&tx, partner, (role, beside), "0 seconds").await?;
            // Menus are remembered under this number: no later one may come again with another menu.
            let sql = format!(
                "update {beside}.restaurant r set catalogue_version = greatest(r.catalogue_version, \
                 o.catalogue_version + 1) \
                 from {role}.restaurant o where o.id = r.id"
            );
            tx.execute_unprepared(&sql).await?;
        }
        // Before the tables go: sealing locks the head first, too.
        chain(&tx, partner, manifest, ids.is_empty()).await?;
        tx.execute_unprepared(&format!(
            "drop schema if exists {role} cascade; alter schema {beside} rename to {role}"
        ))
        .await?;
        let accepted = accepted(&tx, manifest.partner.id, &ids).await?;
        // They go with the restaurants' rows. Providers have the addresses, an archive has none.
        let sql = "select coalesce(jsonb_agg(ca), '[]') addresses from control.callback_address ca where partner_id = $1";
        let addresses: serde_json::Value =
            value(&tx, sql, [partner.uuid().into()]).await?.unwrap_or_default();
        for table in ["api_key", "admin", "restaurant"] {
            let sql = format!("delete from control.{table} where partner_id = $1");
            tx.execute_raw(statement(&sql, [partner.uuid().into()])).await?;
        }
        for name in DIRECTORY {
            let invited = directory(&tx, partner, file, name, &ids, &accepted).await?;
            if let Some(invite) = invite {
                // One that waits already is enough, in the order in which all lock them.
                let sql = "insert into control.job (partner_id, kind, key, args) select $1, $2, id::text, \
                    jsonb_build_object('admin_id', id) from unnest($3) id order by id on conflict (partner_id, kind, key) \
                    where key is not null and state = 'waiting' do update set run_at = job.run_at";
                tx.execute_raw(statement(sql, [partner.uuid().into(), invite.into(), invited.into()]))
                    .await?;
            }
        }
        let sql = "insert into control.callback_address select ca.* from jsonb_populate_recordset( \
            null::control.callback_address, $1) ca join control.restaurant re on re.id = ca.restaurant_id";
        tx.execute_raw(statement(sql, [addresses.into()])).await?;
        if kind == Restored::Clone {
            first_line(&tx, role, partner, manifest).await?;
        }
        let origin = Origin {
            partner: manifest.partner.id,
            installation: manifest.installation.clone(),
            exported_at: manifest.exported_at,
            renewed: if ids.is_empty() {
                vec![]
            } else {
                vec!["tables/audit_seal.copy".to_owned(), "hashes of API keys".to_owned()]
            },
            ids,
        };
        let sql = "update control.partner set status = coalesce(status_before, 'active'), status_before = \
            null, plan = null, error = null, \
                       schema_version = $2, origin = $3, password_min_length = $4, idle_minutes = $5, \
                       sign_in_rules_version = sign_in_rules_version + 1 where id = $1";
        let origin = serde_json::to_value(&origin).map_err(db_error)?;
        let values = [
            partner.uuid().into(),
            self.setup.shape.newest.into(),
            origin.into(),
            manifest.partner.password_min_length.into(),
            manifest.partner.idle_minutes.into(),
        ];
        tx.execute_raw(statement(sql, values)).await?;
        // No instance knows of the lines that came unsealed. A seal that met the maintenance would wait minutes for
        // its next attempt.
        for sql in [
            "delete from control.job where partner_id = $1 and kind = 'audit_seal' and state = 'waiting'",
            "select control.enqueue_seals(array[$1::uuid])::text",
        ] {
            tx.execute_raw(statement(sql, [partner.uuid().into()])).await?;
        }
        tx.commit().await
    }

    /// Loads every table. What refers to what is looked at once all are there: for each row by itself it
    /// takes half of the time.
    async fn load(
        &self, manifest: &Manifest, file: &Path, schema: &str, ids: &BTreeMap<Uuid, Uuid>, kind: Restored,
    ) -> Result<(), DbErr> {
        let mut connection =
            self.setup.db.get_postgres_connection_pool().acquire().await.map_err(db_error)?;
        let mut tx = connection.begin().await.map_err(db_error)?;
        sqlx::raw_sql(
            "set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local synchronous_commit = \
             off; set local row_security = off",
        )
        .execute(&mut *tx)
        .await
        .map_err(db_error)?;
        let tables = tables(&mut tx, schema).await?;
        let inside: BTreeSet<&str> = manifest
            .files
            .iter()
            .filter_map(|file| file.path.strip_prefix("tables/").and_then(|rest| rest.strip_suffix(".copy")))
            .collect();
        if inside != tables.keys().map(String::as_str).collect() {
            return Err(db_error(archive::ArchiveFault::Version("its tables are others".to_owned())));
        }
        let references = references(&mut tx, schema).await?;
        run(&mut tx, references.iter().map(|(drop, _)| drop.as_str()).collect()).await?;
        for (name, (columns, quoted)) in &tables {
            let path = format!("tables/{name}.copy");
            let Some(entry) = manifest.files.iter().find(|file| file.path == path) else { continue };
            if entry.columns != *columns {
                return Err(db_error(archive::ArchiveFault::Version(format!(
                    "the columns of {name} are others"
                ))));
            }
            // Rows that the migrations themselves made are in the archive too.
            run(&mut tx, format!("delete from {schema}.\"{name}\"")).await?;
            // With new ids the lines of the audit log differ, so they are sealed again.
            if kind == Restored::Clone && clone::stays_empty(name) || !ids.is_empty() && name == "audit_seal"
            {
                continue;
            }
            let statement = format!("copy {schema}.\"{name}\" ({quoted}) from stdin");
            copy(&mut tx, &statement, file, path, ids).await?;
        }
        if kind == Restored::Clone {
            for statement in clone::statements(schema) {
                run(&mut tx, statement).await?;
            }
        }
        run(&mut tx, references.iter().map(|(_, add)| add.as_str()).collect()).await?;
        continue_numbers(&mut tx, schema).await?;
        // What providers have booked since is not in it: a person looks before money moves again. A clone stays one.
        let pause = if kind == Restored::Clone { "cloned" } else { "restored" };
        let since = manifest.exported_at.to_rfc3339();
        run(
            &mut tx,
            format!(
                "insert into {schema}.payment_pause (kind, since) select '{pause}', '{since}' \
                 where '{pause}' = 'cloned' or exists (select from {schema}.provider_account) \
                 on conflict (only_row) do update set since = least(payment_pause.since, excluded.since), \
                 kind = case when payment_pause.kind = 'cloned' then 'cloned' else excluded.kind end"
            ),
        )
        .await?;
        // Menus that guests and the service hold from before the restore must not pass for those of now.
        run(
            &mut tx,
            format!(
                "update {schema}.restaurant set catalogue_version = greatest(catalogue_version, \
                 extract(epoch from clock_timestamp())::bigint)"
            ),
        )
        .await?;
        tx.commit().await.map_err(db_error)?;
        run(&mut connection, tables.keys().map(|name| format!("analyze {schema}.\"{name}\";")).collect())
            .await
    }
}

/// Writes the jobs that remove the objects which the first schema's pictures have and the second's do not.
async fn sweep(
    db: &impl ConnectionTrait, partner: Id<Partner>, (has, has_not): (&str, &str), later: &str,
) -> Result<(), DbErr> {
    let (table, token, archived) = objects::TABLE;
    let tokens = |schema: &str| format!("select {token} from {schema}.{table} where {archived} is null");
    let sql = format!(
        "insert into control.job (partner_id, kind, args, run_at) select $1, $2, jsonb_build_object('token', \
         {token}), now() + $3::interval \
         from ({} except {}) t",
        tokens(has),
        tokens(has_not)
    );
    db.execute_raw(statement(&sql, [partner.uuid().into(), objects::SWEEP.into(), later.into()]))
        .await
        .map(drop)
}

/// Sends the archive's objects to where the partner's lie.
async fn send_objects(storage: &Storage, partner: Id<Partner>, file: &Path) -> Result<(), DbErr> {
    let (file, (sender, receiver), runtime) = (file.to_owned(), mpsc::channel(1), Handle::current());
    let reader = spawn_blocking(move || bundle::send(&file, &sender, &runtime));
    let objects = stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|object| (object, receiver))
    });
    let storage = storage.clone();
    let write = move |ObjectInFlight { name, bytes, _room }| {
        let storage = storage.clone();
        async move {
            let written = storage
                .put(&objects::key(partner, &name), "image/webp", bytes)
                .await
                .map_err(|error| format!("{name}: {error}"));
            drop(_room);
            written
        }
    };
    let sent = objects.map(write).buffer_unordered(AT_ONCE).try_collect::<()>().await;
    reader.await.map_err(db_error)?.map_err(db_error)?;
    sent.map_err(db_error)
}

/// New ids for what there may be only one of on an installation, in the order of the old ones: so rows keep
/// their order too.
fn new_ids(manifest: &Manifest, partner: Id<Partner>) -> BTreeMap<Uuid, Uuid> {
    let ids = &manifest.ids;
    let all: BTreeSet<Uuid> =
        [&ids.groups, &ids.restaurants, &ids.admins, &ids.api_keys].into_iter().flatten().copied().collect();
    let mut map: BTreeMap<Uuid, Uuid> = all.into_iter().map(|old| (old, Uuid::now_v7())).collect();
    map.insert(manifest.partner.id, partner.uuid());
    map
}

/// The tables of a schema with their columns, plain and quoted for a statement. Names come from the catalogue
/// only.
pub(crate) async fn tables(
    tx: &mut PgConnection, schema: &str,
) -> Result<BTreeMap<String, (Vec<String>, String)>, DbErr> {
    let sql = "select c.relname::text name, array_agg(a.attname::text order by a.attnum) columns, \
                   string_agg(format('%I', a.attname), ', ' order by a.attnum) quoted \
               from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not \
               a.attisdropped and a.attgenerated = '' \
               where c.relnamespace = to_regnamespace($1) and c.relkind = 'r' and c.relname <> \
               'seaql_migrations' group by 1";
    let rows: Vec<(String, Vec<String>, String)> =
        sqlx::query_as(sql).bind(schema).fetch_all(tx).await.map_err(db_error)?;
    Ok(rows.into_iter().map(|(name, columns, quoted)| (name, (columns, quoted))).collect())
}

/// Runs statements made of names of the catalogue.
pub(crate) async fn run(db: &mut PgConnection, statements: String) -> Result<(), DbErr> {
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(db).await.map(drop).map_err(db_error)
}

/// The statements that drop the foreign keys within a schema, and those that create them again. Those that
/// leave the schema stay: to take one away, everybody who reads the other table has to wait.
pub(crate) async fn references(tx: &mut PgConnection, schema: &str) -> Result<Vec<(String, String)>, DbErr> {
    let sql = "select format('alter table %s drop constraint %I;', k.conrelid::regclass, k.conname) taken, \
                   format('alter table %s add constraint %I %s;', k.conrelid::regclass, k.conname, \
                   pg_get_constraintdef(k.oid)) brought \
               from pg_constraint k join pg_class f on f.oid = k.confrelid and f.relnamespace = \
               k.connamespace \
               where k.contype = 'f' and k.connamespace = to_regnamespace($1)";
    sqlx::query_as(sql).bind(schema).fetch_all(tx).await.map_err(db_error)
}

async fn copy(
    tx: &mut PgConnection, statement: &str, file: &Path, path: String, ids: &BTreeMap<Uuid, Uuid>,
) -> Result<(), DbErr> {
    let mut sink = tx.copy_in_raw(statement).await.map_err(db_error)?;
    let (pieces, mut receiver) = mpsc::channel(16);
    let (file, ids) = (file.to_owned(), ids.clone());
    let reader = spawn_blocking(move || unpack::send(&file, &path, &ids, &pieces));
    while let Some(piece) = receiver.recv().await {
        if let Err(error) = sink.send(piece).await {
            let _ = sink.abort("the rows were refused").await;
            return Err(db_error(error));
        }
    }
    match reader.await.map_err(db_error)? {
        Ok(()) => sink.finish().await.map(drop).map_err(db_error),
        Err(fault) => {
            let _ = sink.abort("the archive cannot be read").await;
            Err(db_error(fault))
        }
    }
}

/// Numbers that the database gives go on after the largest that was restored.
async fn continue_numbers(tx: &mut PgConnection, schema: &str) -> Result<(), DbErr> {
    let sql = "select format('select setval(%L, greatest(1, coalesce((select max(%I) from %I.%I), 1)), \
        exists (select from %I.%I))', \
                   pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname), a.attname, \
                   n.nspname, c.relname, n.nspname, c.relname) statement \
               from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = \
               c.relnamespace \
               where n.nspname = $1 and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and \
               pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) is not null";
    let statements: Vec<String> =
        sqlx::query_scalar(sql).bind(schema).fetch_all(&mut *tx).await.map_err(db_error)?;
    for statement in statements {
        run(&mut *tx, statement).await?;
    }
    Ok(())
}

/// The directory's rows of one kind. People are found by their address, or made; a key that got a new id is
/// dead until it is rotated, because its secret opens the original. Answers who of the people has to accept
/// an invitation.
async fn directory(
    tx: &DatabaseTransaction, partner: Id<Partner>, file: &Path, name: &str, ids: &BTreeMap<Uuid, Uuid>,
    accepted: &HashSet<(Uuid, Uuid)>,
) -> Result<Vec<Uuid>, DbErr> {
    let (file, path, exchanged): (PathBuf, String, _) =
        (file.to_owned(), format!("directory/{name}.jsonl"), ids.clone());
    let (pieces, mut receiver) = mpsc::channel(16);
    let reader = spawn_blocking(move || unpack::send(&file, &path, &exchanged, &pieces));
    let mut text = Vec::new();
    while let Some(piece) = receiver.recv().await {
        text.extend_from_slice(&piece);
    }
    reader.await.map_err(db_error)?.map_err(db_error)?;
    let text = String::from_utf8(text).map_err(db_error)?;
    let mut invited = Vec::new();
    for line in text.lines() {
        let mut row: serde_json::Value = serde_json::from_str(line).map_err(db_error)?;
        row["partner_id"] = partner.to_string().into();
        let sql = match name {
            "restaurant" => {
                "insert into control.restaurant select (jsonb_populate_record(null::control.restaurant, \
                 $1)).*"
            }
            "admin" => {
                row["shown_active"] = false.into();
                let PersonAccount { id: account, own } = account(tx, &row["account"]).await?;
                row["account_id"] = account.to_string().into();
                let id = row["id"].as_str().and_then(|id| id.parse::<Uuid>().ok()).unwrap_or_default();
                // An archive makes no account own, and gives nobody access who has not accepted.
                if row["status"] != "archived" && !(own && accepted.contains(&(id, account))) {
                    row["status"] = "invited".into();
                    invited.push(id);
                }
                if row["status"] != "active" {
                    for name in ["first_name", "last_name", "tel", "language"] {
                        row[name] = row["account"][name].take();
                    }
                }
                // Instances remember grants under this number: none that they know may come again.
                row["version"] = chrono::Utc::now().timestamp_millis().into();
                "insert into control.admin select (jsonb_populate_record(null::control.admin, $1)).*"
            }
            _ => {
                if !ids.is_empty() {
                    row["hash"] = format!("\\x{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple()).into();
                    row["old_hash"] = serde_json::Value::Null;
                }
                "insert into control.api_key select (jsonb_populate_record(null::control.api_key, $1)).*"
            }
        };
        tx.execute_raw(statement(sql, [row.into()])).await?;
    }
    Ok(invited)
}

#[derive(FromQueryResult)]
struct Accepted {
    id: Uuid,
    account_id: Uuid,
}

/// Who has accepted at the partner that an archive comes from: the row, as it is called from now on, and its
/// account. What the archive says of that is what the partner may see.
async fn accepted(
    tx: &DatabaseTransaction, origin: Uuid, ids: &BTreeMap<Uuid, Uuid>,
) -> Result<HashSet<(Uuid, Uuid)>, DbErr> {
    let sql =
        "select id, account_id from control.admin where partner_id = $1 and status in ('active', 'locked')";
    let rows: Vec<Accepted> = all(tx, sql, [origin.into()]).await?;
    Ok(rows.iter().map(|row| (ids.get(&row.id).copied().unwrap_or(row.id), row.account_id)).collect())
}

#[derive(FromQueryResult)]
struct PersonAccount {
    id: Uuid,
    own: bool,
}

/// The account of a person, and whether it is the person's own.
async fn account(tx: &DatabaseTransaction, row: &serde_json::Value) -> Result<PersonAccount, DbErr> {
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let sql = "insert into control.account (id, email, first_name, last_name, tel, language) \
               values ($1, lower($2), $3, $4, $5, case when $6 = 'en' then 'en' else 'hu' end) on conflict \
               (email) do nothing";
    let values =
        [Uuid::new_v4().into(), text("email").into(), text("first_name").into(), text("last_name").into()];
    tx.execute_raw(statement(sql, values.into_iter().chain([text("tel").into(), text("language").into()])))
        .await?;
    let sql = "select id, own from control.account where email = lower($1)";
    let found = one(tx, sql, [text("email").into()]).await?;
    found.ok_or_else(|| DbErr::RecordNotFound("the account".to_owned()))
}

/// A clone's log begins with whence it comes, and its chain with the head of the original's.
async fn first_line(
    tx: &DatabaseTransaction, role: &str, partner: Id<Partner>, manifest: &Manifest,
) -> Result<(), DbErr> {
    let id = Uuid::now_v7();
    let sql = format!(
        "insert into {role}.audit (id, actor_kind, actor_name, action, record_id, fields) values ($1, 'job', \
         'pult', 'partners_clone', $2, '{{exported_at,from}}')"
    );
    tx.execute_raw(statement(&sql, [id.into(), partner.uuid().into()])).await?;
    let details =
        serde_json::json!({"from": [null, manifest.partner.id], "exported_at": [null, manifest.exported_at]});
    let sql = format!("insert into {role}.audit_detail (audit_id, details) values ($1, $2)");
    tx.execute_raw(statement(&sql, [id.into(), details.into()])).await?;
    Ok(())
}

/// The chain of the audit log. With the ids kept the lines are the same, and so is their chain; with others
/// it begins anew, and its first link is the old head.
async fn chain(
    tx: &DatabaseTransaction, partner: Id<Partner>, manifest: &Manifest, same_ids: bool,
) -> Result<(), DbErr> {
    // Also when nothing of the archive was sealed yet: the head would say that every line is gone.
    tx.execute_raw(statement(
        "delete from control.audit_head where partner_id = $1",
        [partner.uuid().into()],
    ))
    .await?;
    let Some(mut head) = manifest.chain.clone() else { return Ok(()) };
    head["partner_id"] = partner.to_string().into();
    if !same_ids {
        head["first_link"] = head["link"].clone();
        head["number"] = 0.into();
        head["sealed_at"] = "-infinity".into();
    }
    let sql = "insert into control.audit_head select (jsonb_populate_record(null::control.audit_head, $1)).*";
    tx.execute_raw(statement(sql, [head.into()])).await.map(drop)
}
