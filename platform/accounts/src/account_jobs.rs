//! Jobs of an account: the mail with a link, and the copy of its name in the partner's staff.

use std::sync::Arc;

use futures_util::FutureExt;
use sea_orm::FromQueryResult;
use uuid::Uuid;
use work::{
    Handler, Job, JobContext, JobError, Mail,
    template::{MailText, MailWords, TemplateError},
};

use access::{app::App, credential::digest, device};

#[must_use]
pub fn handlers(app: &App) -> Vec<(&'static str, Handler)> {
    let app = app.clone();
    vec![
        (
            "password_reset_mail",
            Arc::new(move |context, job| password_reset_mail(app.clone(), context, job).boxed()),
        ),
        ("staff_copy", Arc::new(|context, job| staff_copy(context, job).boxed())),
    ]
}

#[derive(FromQueryResult)]
struct Addressee {
    email: String,
    language: String,
}

async fn password_reset_mail(app: App, context: JobContext, job: Job) -> Result<(), JobError> {
    // A request for an unknown address.
    let Ok(account) = job.arg::<Uuid>("account_id") else { return Ok(()) };
    let tx = context.begin_platform().await?;
    let sql = "select email, language from account where id = $1 and not locked";
    let Some(to) = tx.one::<Addressee>(sql, [account.into()]).await? else { return Ok(()) };
    let token = device::random();
    // The newest link that was asked for is the only one. Two at once wait for each other. Signing in where there is no
    // password asks for none: the link that the operator has printed stays.
    let lock = "select pg_advisory_xact_lock(hashtextextended('password link ' || $1::uuid::text, 0))::text";
    tx.run(lock, [account.into()]).await?;
    if job.args["reason"].as_str() != Some("sign_in") {
        tx.run("delete from ticket where account_id = $1 and purpose = 'password'", [account.into()]).await?;
    }
    let sql = "insert into ticket (hash, account_id, purpose, expires_at) values ($1, $2, 'password', now() \
        + interval '1 hour')";
    tx.run(sql, [digest(&token).into(), account.into()]).await?;
    tx.commit().await?;
    let base = app.settings.public_url.as_str().trim_end_matches('/');
    let mail = password_mail(to.email, to.language == "en", job.args["reason"].as_str(), base, &token)?;
    context.mail(&job, &mail).await
}

const PASSWORD: MailText = MailText {
    hu: MailWords {
        subject: "Új jelszó a Pult fiókodhoz",
        text: "Szia!\n\n{{why}} Itt állíthatsz be újat, egyszer, egy órán belül:\n\n{{link}}\n\n{{stay}}\n",
        button: "Új jelszó beállítása",
    },
    en: MailWords {
        subject: "A new password for Pult",
        text: "Hello,\n\n{{why}} Set one here, once and within one hour:\n\n{{link}}\n\n{{stay}}\n",
        button: "Set a new password",
    },
};

/// The mail with a link to set a password, and why it comes: somebody asked for it, or tried to `sign_in`
/// where there is no password, or the `second_factor` was taken away and the password with it.
fn password_mail(
    to: String, english: bool, reason: Option<&str>, base: &str, token: &str,
) -> Result<Mail, TemplateError> {
    let why = match (reason, english) {
        (Some("sign_in"), true) => {
            "somebody, probably you, tried to sign in to Pult. Your account has no password of its own yet."
        }
        (Some("second_factor"), true) => {
            "a super admin has removed the two-step sign-in of your Pult account, and your password with it."
        }
        (_, true) => "somebody, probably you, asked for a new password for your Pult account.",
        (Some("sign_in"), false) => {
            "Valaki, valószínűleg te, be akart lépni a Pultba. A fiókodnak még nincs saját jelszava."
        }
        (Some("second_factor"), false) => {
            "Egy szuperadmin törölte a Pult fiókod kétlépcsős belépését, és vele a jelszavadat is."
        }
        (_, false) => "Valaki, valószínűleg te, új jelszót kért a Pult fiókodhoz.",
    };
    let stay = match (reason, english) {
        (Some("second_factor"), true) => {
            "Ask for another link on the sign-in page when this one has expired."
        }
        (Some("second_factor"), false) => "Ha a link lejárt, a belépés oldalán kérhetsz újat.",
        (_, true) => "If it was not you, do nothing: all stays as it is.",
        (_, false) => "Ha nem te voltál, ne tegyél semmit: minden marad a régiben.",
    };
    let page = if english { "new-password" } else { "uj-jelszo" };
    let values = [
        ("why", why.to_owned()),
        ("stay", stay.to_owned()),
        ("link", format!("{base}/{page}?token={token}")),
    ];
    PASSWORD.mail(to, english, &values.into())
}

/// The tenant keeps names and addresses of its admins for joins; accounts live elsewhere, so the copy
/// follows.
async fn staff_copy(context: JobContext, job: Job) -> Result<(), JobError> {
    let admin: Uuid = job.arg("admin_id")?;
    let tx = context.begin(&job).await?;
    #[derive(sea_orm::FromQueryResult)]
    struct Copy {
        name: String,
        email: String,
        archived: bool,
    }
    let sql = "select name, email, archived from control.staff_name($1)";
    if let Some(Copy { name, email, archived }) = tx.one(sql, [admin.into()]).await? {
        let sql = "update staff set name = $2, email = $3, archived = $4 where admin_id = $1";
        tx.run(sql, [admin.into(), name.into(), email.into(), archived.into()]).await?;
    }
    Ok(tx.commit().await?)
}
