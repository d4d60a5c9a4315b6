//! Restoring an uploaded archive: into a new partner or into its own. See
//! `docs/decisions/tenancy.md#archives`.

use std::path::PathBuf;

use access::{Platform, answers::Tag, prelude::*};
use poem_openapi::{Multipart, types::multipart::Upload};
use sea_orm::FromQueryResult;
use serde_json::json;
use tenants::archive::{ArchiveFault, Limits, verify};
use tokio::{fs::File, task::spawn_blocking};
use uuid::Uuid;

use crate::{
    partners::{self, Mode, PartnerRow, PartnerStatus, PendingPartner},
    platform, work,
};

pub(crate) struct RestoreApi;

/// What becomes of the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
enum RestoreInto {
    /// A new partner. Ids are kept where the installation does not have them yet.
    New,
    /// The partner that the archive was made of goes back to that state.
    Same,
}

/// An archive with what is to become of it.
#[derive(Debug, Multipart)]
struct RestoreForm {
    archive: Upload,
    /// Name of the new partner; the archive's when absent.
    name: Option<String>,
    /// Into the same partner: its name, typed, because what it has now is replaced.
    confirm: Option<String>,
    /// `new` when absent.
    into: Option<RestoreInto>,
}

/// The code of a faulty archive; nothing has been written.
fn refused(fault: ArchiveFault) -> Problem {
    let code = match &fault {
        ArchiveFault::Broken(_) | ArchiveFault::Foreign(_) => Code::ARCHIVE_INVALID,
        ArchiveFault::TooLarge => Code::TOO_LARGE,
        ArchiveFault::Version(_) => Code::ARCHIVE_VERSION,
    };
    Problem::new(code).detail(fault.to_string())
}

fn unstored(error: impl std::fmt::Display) -> Problem {
    tracing::error!(%error, "an archive cannot be kept");
    Code::STORAGE_FULL.into()
}

#[OpenApi(prefix_path = "/api/v3/super-admin/partners", tag = "Tag::Platform")]
impl RestoreApi {
    /// Restores an archive into a new partner, or puts its own partner back.
    ///
    /// The archive is checked from its beginning to its end before anything is written. The answer waits two
    /// seconds for a new partner and then says `creating`; one that is put back is in `maintenance`
    /// meanwhile.
    ///
    /// codes: ARCHIVE_INVALID, ARCHIVE_VERSION, PARTNER_STATE_CHANGED, PARTNER_NOT_EXIST, STORAGE_FULL
    #[oai(path = "/restore", method = "post", operation_id = "partners_restore")]
    async fn restore(&self, caller: Platform, form: RestoreForm) -> Result<Created<PartnerRow>> {
        let RestoreForm { archive, name, confirm, into } = form;
        let folder = caller.0.app.settings.files.join("restores");
        let stored = Uuid::now_v7();
        let file = folder.join(format!("{}.zip", stored.simple()));
        tokio::fs::create_dir_all(&folder).await.map_err(unstored)?;
        let same = (into == Some(RestoreInto::Same)).then(|| confirm.unwrap_or_default());
        let unwanted = Unwanted(Some(file.clone()));
        store(archive, &file).await.map_err(unstored)?;
        let (id, leaves) = take(&caller, stored, &file, name, same).await?;
        unwanted.keep();
        Ok(Created(partners::wait(&caller, id, leaves).await?))
    }
}

/// An archive that is refused, does not fit or is cut in the middle: its file goes.
struct Unwanted(Option<PathBuf>);

impl Unwanted {
    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Unwanted {
    fn drop(&mut self) {
        if let Some(file) = &self.0 {
            let _ = std::fs::remove_file(file);
        }
    }
}

async fn store(upload: Upload, file: &std::path::Path) -> std::io::Result<()> {
    let mut to = File::create(file).await?;
    tokio::io::copy(&mut upload.into_async_read(), &mut to).await?;
    to.sync_all().await
}

/// The partner of an archive, where it is there.
#[derive(FromQueryResult)]
struct KnownPartner {
    name: String,
    status: String,
    /// A job is making another shape of it.
    planned: bool,
}

/// Takes the archive: as a new partner of this name, or into the same one, whose name was typed.
async fn take(
    caller: &Platform, stored: Uuid, file: &std::path::Path, name: Option<String>, same: Option<String>,
) -> Result<(Id<Partner>, PartnerStatus)> {
    let checked = file.to_owned();
    let newest = platform::schema_version(caller).await?;
    let manifest = spawn_blocking(move || verify(&checked, &newest, Limits::default()))
        .await
        .map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?
        .map_err(refused)?;
    let own: Id<Partner> = Id::from_uuid(manifest.partner.id);
    let tx = caller.begin().await?;
    let sql = "select name, status, plan is not null planned from partner where id = $1 for update";
    let known: Option<KnownPartner> = tx.one(sql, [own.into()]).await?;
    let details = json!({"archive": [null, manifest.exported_at], "into": [null,
        if same.is_some() { "same" } else { "new" }]});
    if let Some(typed) = same {
        let row = known.ok_or_else(Problem::not_exist::<Partner>)?;
        if typed.trim() != row.name.trim() {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("confirm", Fault::Invalid));
        }
        let status = row.status;
        if row.planned || !matches!(status.as_str(), "active" | "suspended" | "maintenance") {
            return Err(Problem::new(Code::PARTNER_STATE_CHANGED).detail(format!("the partner is {status}")));
        }
        let sql = "update partner set status_before = case status when 'maintenance' then 'active' else \
            status end, status = 'maintenance', plan = $2 \
                   where id = $1";
        tx.run(sql, [own.into(), json!({"restore": stored, "same": true}).into()]).await?;
        partners::enqueue(&tx, own, work::RESTORE, json!({"restore": stored})).await?;
        platform::audit(&tx, caller, "partners_restore", Some(own.uuid()), Some(own.uuid()), details.clone())
            .await?;
        platform::commit(tx, caller, own, None, "partners_restore", details).await?;
        return Ok((own, PartnerStatus::Maintenance));
    }
    let id = if known.is_some() { Id::new() } else { own };
    let name = name
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .unwrap_or(manifest.partner.name);
    if name.chars().count() > 200 {
        return Err(Problem::new(Code::VALIDATION_FAILED).key("name", Fault::TooLong(200)));
    }
    let mode = match manifest.partner.mode.as_str() {
        "live" => Mode::Live,
        "demo" => Mode::Demo,
        _ => Mode::Sandbox,
    };
    let new = PendingPartner { id, name, mode, plan: json!({"restore": stored}), request: None };
    partners::set_beside(&tx, &new, work::RESTORE).await?;
    platform::audit(&tx, caller, "partners_restore", Some(id.uuid()), Some(id.uuid()), details).await?;
    tx.commit().await?;
    Ok((id, PartnerStatus::Creating))
}
