//! Jobs of the console. They need the owner's address, so only instances that have it take them. Each may be
//! interrupted anywhere and run again.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use ::work::{
    Handler, IfWaiting, Job, JobContext, JobError, PlatformJob,
    template::{MailText, MailWords},
};
use access::{App, domain::Domains};
use chrono::{DateTime, Utc};
use futures_util::FutureExt;
use kernel::{Id, Partner};
use object_storage::Storage;
use sea_orm::FromQueryResult;
use serde_json::{Value, json};
use tenants::{ControlTx, Provisioner, Restored, Setup, unfinished};
use uuid::Uuid;

use crate::exports;

/// Makes what a new partner still lacks.
pub(crate) const CREATE: &str = "partner_create";
/// Tries the migration of a partner again.
pub(crate) const MIGRATE: &str = "partner_migrate";
/// Removes a partner after its days of grace.
pub(crate) const PURGE: &str = "partner_purge";
/// Makes a clone in the sandbox.
pub(crate) const CLONE: &str = "partner_clone";
pub(crate) const RESTORE: &str = "partner_restore";
pub(crate) const EXPORT: &str = "partner_export";
const EXPORT_MAIL: &str = "partner_export_mail";
/// Mails the people responsible for a partner that a super admin exports its data. Each mail is a job of its
/// own, so a failing address does not repeat the others.
pub(crate) const EXPORT_NOTICE: &str = "partner_export_tell";
/// What follows a new partner: the first admin's invitation, whose mail is a job of `access`.
const INVITATION_MAIL: &str = "invitation_mail";
const EXPORT_REMOVE: &str = "partner_export_remove";

/// The owner's hand: an instance that has the owner's address makes, moves and removes partners.
pub struct Owner {
    app: App,
    setup: Setup,
    servers: BTreeMap<String, Setup>,
    storage: Storage,
    domains: Domains,
}

impl Owner {
    /// With these connections of the owner, to the home server and the others, the store of partners' objects, and
    /// what the domain crates remove.
    #[must_use]
    pub fn new(
        app: App, setup: Setup, servers: BTreeMap<String, Setup>, storage: Storage, domains: Domains,
    ) -> Arc<Self> {
        Arc::new(Self { app, setup, servers, storage, domains })
    }

    /// Quick jobs, for which users wait. They have a runner of their own, so they do not wait behind long
    /// ones.
    #[must_use]
    pub fn quick(self: &Arc<Self>) -> Vec<(&'static str, Handler)> {
        vec![self.handler(CREATE, Self::create), self.handler(MIGRATE, Self::migrate)]
    }

    #[must_use]
    pub fn long(self: &Arc<Self>) -> Vec<(&'static str, Handler)> {
        vec![
            self.handler(PURGE, Self::purge),
            self.handler(CLONE, Self::clone_of),
            self.handler(RESTORE, Self::restore),
            self.handler(EXPORT, Self::export),
            self.handler(EXPORT_MAIL, Self::export_mail),
            self.handler(EXPORT_NOTICE, Self::export_notice),
            self.handler(EXPORT_REMOVE, Self::export_remove),
        ]
    }

    fn handler<F>(
        self: &Arc<Self>, kind: &'static str,
        work: impl Fn(Arc<Self>, JobContext, Job, Id<Partner>) -> F + Send + Sync + 'static,
    ) -> (&'static str, Handler)
    where
        F: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        let owner = self.clone();
        let work = Arc::new(work);
        let handler: Handler = Arc::new(move |context, job| {
            let (owner, work) = (owner.clone(), work.clone());
            async move {
                let partner = job.partner()?;
                let outcome = work(owner, context.clone(), job, partner).await;
                // An export has a place of its own for that.
                if let (Err(error), false) = (&outcome, kind.starts_with(EXPORT)) {
                    note(&context, partner, error).await;
                }
                outcome
            }
            .boxed()
        });
        (kind, handler)
    }

    /// Where an archive lies that is to be restored.
    fn archive(&self, stored: Uuid) -> PathBuf {
        self.app.settings.files.join("restores").join(format!("{}.zip", stored.simple()))
    }

    fn provisioner(&self) -> Provisioner<'_> {
        Provisioner::new(&self.setup).with_servers(&self.servers)
    }

    async fn create(self: Arc<Self>, _: JobContext, _: Job, partner: Id<Partner>) -> Result<(), JobError> {
        Ok(self.provisioner().finish(partner, INVITATION_MAIL).await?)
    }

    async fn migrate(self: Arc<Self>, _: JobContext, _: Job, partner: Id<Partner>) -> Result<(), JobError> {
        // Why it failed stands in the partner's row; trying again is the super admin's decision.
        self.provisioner().migrate_partner(partner).await?;
        Ok(())
    }

    async fn purge(
        self: Arc<Self>, context: JobContext, _: Job, partner: Id<Partner>,
    ) -> Result<(), JobError> {
        let sql = "select 1 from partner where id = $1 and status = 'deleting' and delete_at <= now()";
        let due = context.begin_platform().await?.row(sql, [partner.into()]).await?;
        if due.is_none() {
            return Ok(());
        }
        // Before the schema, so that a removal that is cut short comes here again.
        for domain in self.domains {
            domain.remove(&self.app, &self.storage, partner).await?;
        }
        // An archive that was never restored.
        if let Some(stored) = plan(&context, partner).await?.and_then(|plan| id(&plan["restore"])) {
            remove_file(&self.archive(stored)).await?;
        }
        if self.provisioner().remove(partner).await? {
            tracing::info!(%partner, "a partner was removed for good");
        }
        Ok(())
    }

    async fn clone_of(
        self: Arc<Self>, context: JobContext, _: Job, partner: Id<Partner>,
    ) -> Result<(), JobError> {
        let folder = self.app.settings.files.join("restores");
        let file = folder.join(format!("{}.zip", partner.uuid().simple()));
        // Without a plan it was made, and what did it died before it could clear away.
        let Some(plan) = plan(&context, partner).await? else { return remove_file(&file).await };
        let from: Id<Partner> =
            id(&plan["clone"]).ok_or_else(|| JobError::give_up("the plan names no partner"))?.into();
        tokio::fs::create_dir_all(&folder).await?;
        self.provisioner().export(from, &file, &self.storage).await?;
        let outcome = self
            .provisioner()
            .restore(partner, &file, Restored::Clone, &self.storage, None)
            .await
            .map_err(JobError::retry);
        let _ = tokio::fs::remove_file(&file).await;
        outcome
    }

    async fn restore(
        self: Arc<Self>, context: JobContext, job: Job, partner: Id<Partner>,
    ) -> Result<(), JobError> {
        let Some(plan) = plan(&context, partner).await? else {
            // It was restored, and what did it died before it could clear away.
            return match id(&job.args["restore"]) {
                Some(stored) => remove_file(&self.archive(stored)).await,
                None => Ok(()),
            };
        };
        let stored = id(&plan["restore"]).ok_or_else(|| JobError::give_up("the plan names no archive"))?;
        let file = self.archive(stored);
        let same = plan["same"] == true;
        let kind = if same { Restored::Same } else { Restored::New };
        let outcome = self
            .provisioner()
            .restore(partner, &file, kind, &self.storage, Some(INVITATION_MAIL))
            .await
            .map_err(JobError::retry);
        if outcome.is_err() && same {
            // The partner's previous state is unchanged, and its users are waiting.
            let tx = context.begin_platform().await?;
            let sql = "update partner set status = coalesce(status_before, 'active'), status_before = null, \
                plan = null where id = $1 and status = 'maintenance'";
            tx.run(sql, [partner.into()]).await?;
            tx.commit().await?;
            let _ = tokio::fs::remove_file(&file).await;
        }
        match outcome {
            Ok(()) => {
                let _ = tokio::fs::remove_file(&file).await;
                Ok(())
            }
            Err(error) if same => {
                note(&context, partner, &error).await;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    async fn export(
        self: Arc<Self>, context: JobContext, job: Job, partner: Id<Partner>,
    ) -> Result<(), JobError> {
        let export: Uuid = job.arg("export_id")?;
        let tx = context.begin_platform().await?;
        let sql = "update export set status = 'running' where id = $1 and partner_id = $2 and status in \
            ('waiting', 'running')";
        let mine = tx.run(sql, [export.into(), partner.into()]).await?;
        tx.commit().await?;
        if mine == 0 {
            return Ok(());
        }
        let outcome = self.write_export(partner, export).await;
        let tx = context.begin_platform().await?;
        match outcome {
            // What did not answer may answer soon: the job is tried again, and meanwhile the export says why
            // it waits.
            Err(error) if error.retries() && !job.last_attempt() => {
                let sql = "update export set status = 'waiting', error = left($2, 500) where id = $1";
                tx.run(sql, [export.into(), error.to_string().into()]).await?;
                tx.commit().await?;
                return Err(error);
            }
            Ok(size) => {
                self.export_ready(&tx, partner, export, size).await?;
            }
            Err(error) => {
                tracing::warn!(%partner, %error, "an export failed");
                let sql = "update export set status = 'failed', error = left($2, 500) where id = $1";
                tx.run(sql, [export.into(), error.to_string().into()]).await?;
            }
        }
        Ok(tx.commit().await?)
    }

    async fn write_export(&self, partner: Id<Partner>, export: Uuid) -> Result<i64, JobError> {
        let file = exports::file(&self.app, partner.uuid(), export);
        tokio::fs::create_dir_all(exports::folder(&self.app, partner.uuid())).await?;
        let part = unfinished(&file);
        let done = self.provisioner().export(partner, &part, &self.storage).await;
        if done.is_err() {
            let _ = tokio::fs::remove_file(&part).await;
        }
        let done = done?;
        tokio::fs::rename(&part, &file).await?;
        Ok(i64::try_from(done.size).unwrap_or(i64::MAX))
    }

    /// The file is there for 24 hours; its mail and its removal are ordered.
    async fn export_ready(
        &self, tx: &ControlTx, partner: Id<Partner>, export: Uuid, size: i64,
    ) -> Result<(), JobError> {
        #[derive(FromQueryResult)]
        struct Ready {
            mail: bool,
            expires_at: DateTime<Utc>,
        }
        let sql = "update export set status = 'ready', size_bytes = $2, expires_at = now() + \
            interval '24 hours', error = null where id = $1 returning mail, expires_at";
        let Some(ready) = tx.one::<Ready>(sql, [export.into(), size.into()]).await? else {
            return Ok(());
        };
        let job = PlatformJob {
            kind: EXPORT_REMOVE,
            key: Some(export.to_string()),
            args: json!({"export_id": export}),
            run_at: Some(ready.expires_at),
            if_waiting: IfWaiting::Keep,
        };
        if ready.mail {
            let mail = PlatformJob { kind: EXPORT_MAIL, run_at: None, ..job.clone() };
            mail.enqueue_for(tx, &[partner]).await?;
        }
        Ok(job.enqueue_for(tx, &[partner]).await?)
    }

    async fn export_mail(
        self: Arc<Self>, context: JobContext, job: Job, partner: Id<Partner>,
    ) -> Result<(), JobError> {
        let export: Uuid = job.arg("export_id")?;
        let sql = "select ac.email, ac.language, p.name from export e join account_contact ac on ac.id = \
            e.account_id join partner p on p.id = e.partner_id \
                   where e.id = $1 and e.partner_id = $2 and e.status = 'ready' and e.expires_at > now() and \
                   not ac.locked";
        let tx = context.begin_platform().await?;
        let Some(to) = tx.one::<Addressee>(sql, [export.into(), partner.into()]).await? else {
            return Ok(());
        };
        drop(tx);
        let values = [("name", to.name), ("link", exports::link(&self.app, export))].into();
        let mail = READY.mail(to.email, to.language == "en", &values)?;
        context.mail(&job, &mail).await
    }

    async fn export_notice(
        self: Arc<Self>, context: JobContext, job: Job, partner: Id<Partner>,
    ) -> Result<(), JobError> {
        let account: Option<Uuid> = id(&job.args["account_id"]);
        let tx = context.begin_platform().await?;
        if account.is_none() {
            notify_each(&tx, partner, &job.args).await?;
            return Ok(tx.commit().await?);
        }
        let Some(to) = tx.one::<Addressee>(ANSWERABLE, [partner.into(), account.into()]).await? else {
            return Ok(());
        };
        // The connection goes back before the mail server is spoken to.
        drop(tx);
        let arg = |name: &str| flat(job.args[name].as_str().unwrap_or_default());
        let values = [("name", flat(&to.name)), ("who", arg("who")), ("reason", arg("reason"))].into();
        let mail = ORDERED.mail(to.email, to.language == "en", &values)?;
        context.mail(&job, &mail).await
    }

    async fn export_remove(
        self: Arc<Self>, context: JobContext, job: Job, partner: Id<Partner>,
    ) -> Result<(), JobError> {
        let export: Uuid = job.arg("export_id")?;
        remove_file(&exports::file(&self.app, partner.uuid(), export)).await?;
        let tx = context.begin_platform().await?;
        tx.run("delete from export where id = $1 and partner_id = $2", [export.into(), partner.into()])
            .await?;
        Ok(tx.commit().await?)
    }
}

/// Who is mailed about a partner of this name.
#[derive(FromQueryResult)]
struct Addressee {
    email: String,
    language: String,
    name: String,
}

/// Mails the link to the person who ordered the export.
const READY: MailText = MailText {
    hu: MailWords {
        subject: "{{name}}: elkészült az export",
        text: "Szia!\n\nElkészült a megrendelt export ({{name}}). 24 óráig itt töltheted le:\n\n{{link}}\n\n\
            Aki ezt a címet ismeri, letöltheti: ne add tovább.\n",
        button: "Export letöltése",
    },
    en: MailWords {
        subject: "The export of {{name}} is ready",
        text: "Hello,\n\nthe export of {{name}} that you ordered is ready. You can fetch it here for 24 \
            hours:\n\n{{link}}\n\nWhoever has this address can fetch it: do not pass it on.\n",
        button: "Download the export",
    },
};
/// Mails the people responsible for a partner that the operator exports its data.
const ORDERED: MailText = MailText {
    hu: MailWords {
        subject: "{{name}}: az üzemeltető exportot rendelt",
        text: "Szia!\n\n{{who}}, a Pult üzemeltetője exportot rendelt a cég minden adatáról ({{name}}).\n\n\
            Indok: {{reason}}\n\nA fájlt csak ő töltheti le, 24 óráig. A rendelés és a letöltés a cég \
            naplójában is látszik.\n\nAzért kaptad ezt a levelet, mert a cég adataiért te is felelsz.\n",
        button: "",
    },
    en: MailWords {
        subject: "{{name}}: an export was ordered by the operator",
        text: "Hello,\n\n{{who}}, who operates Pult, has ordered an export of all data of {{name}}.\n\n\
            Reason: {{reason}}\n\nOnly the one who ordered it can fetch the file, for 24 hours. Order and \
            fetching stand in the company's audit log.\n\nYou get this mail because you answer for the \
            company's data.\n",
        button: "",
    },
};

/// Orders one notice for each person responsible for a partner.
async fn notify_each(tx: &ControlTx, partner: Id<Partner>, args: &Value) -> Result<(), JobError> {
    let sql = "select account_id from partner_person where partner_id = $1 and responsible";
    for account_id in tx.values::<Uuid>(sql, [partner.into()]).await? {
        let mut args = args.clone();
        args["account_id"] = json!(account_id);
        let key = Some(format!("{}:{account_id}", args["export_id"].as_str().unwrap_or_default()));
        let job = PlatformJob { kind: EXPORT_NOTICE, key, args, run_at: None, if_waiting: IfWaiting::Keep };
        job.enqueue_for(tx, &[partner]).await?;
    }
    Ok(())
}

const ANSWERABLE: &str = "select pe.email, pe.language, pa.name from partner_person pe \
    join partner pa on pa.id = pe.partner_id \
    where pe.partner_id = $1 and pe.account_id = $2 and pe.responsible";

/// Names and reasons end up in a text, where a line of their own could look like ours.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn id(value: &Value) -> Option<Uuid> {
    value.as_str().and_then(|id| id.parse().ok())
}

async fn remove_file(file: &Path) -> Result<(), JobError> {
    match tokio::fs::remove_file(file).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

pub(crate) async fn remove_folder(folder: &Path) -> Result<(), JobError> {
    match tokio::fs::remove_dir_all(folder).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// What is still to be made of a partner.
async fn plan(context: &JobContext, partner: Id<Partner>) -> Result<Option<Value>, JobError> {
    let tx = context.begin_platform().await?;
    Ok(tx.value("select plan from partner where id = $1", [partner.into()]).await?.flatten())
}

/// Keeps why a job failed where the console shows it.
async fn note(context: &JobContext, partner: Id<Partner>, error: &JobError) {
    let keep = async {
        let tx = context.begin_platform().await?;
        tx.run(
            "update partner set error = left($2, 2000) where id = $1",
            [partner.into(), error.to_string().into()],
        )
        .await?;
        tx.commit().await?;
        Ok::<_, JobError>(())
    };
    if let Err(error) = keep.await {
        tracing::warn!(%partner, %error, "why a job failed cannot be kept");
    }
}
