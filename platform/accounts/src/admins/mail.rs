//! The invitation mail. Its link works once, for seven days. Sending again replaces the link. See
//! `docs/decisions/accounts.md#invitations`.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use kernel::{Code, Problem, Result};
use rand::RngCore;
use sea_orm::FromQueryResult;
use serde_json::json;
use tenants::TenantTx;
use url::Url;
use uuid::Uuid;
use work::{
    Handler, Job, JobContext, JobError, Mail,
    template::{self, MailText, MailWords, TemplateError},
};

use access::credential::digest;

/// Mails an invitation to an admin row that waits to be accepted.
const INVITATION_MAIL: &str = "invitation_mail";

/// Takes room for an invitation to the person of this admin row: an address is not mailed as often as
/// somebody else likes. It is taken for people who need none too, so that the answer does not tell them apart.
/// Errors: `TOO_MANY_REQUESTS`.
pub(crate) async fn take_room(tx: &TenantTx, admin: Uuid) -> Result<()> {
    let values = [admin.into(), Uuid::new_v4().to_string().into()];
    let pause: Option<i32> =
        tx.value("select control.take_invitation($1, $2) pause", values).await?.flatten();
    match u64::try_from(pause.unwrap_or(0)) {
        Ok(seconds) if seconds > 0 => Err(Problem::new(Code::TOO_MANY_REQUESTS).retry_after(seconds)),
        _ => Ok(()),
    }
}

/// Has the person of this admin row invited by mail after the commit. Nothing is sent to who has accepted
/// already.
pub(crate) async fn invite(tx: &TenantTx, admin: Uuid) -> Result<()> {
    work::jobs::enqueue(tx, INVITATION_MAIL, Some(&admin.to_string()), json!({ "admin_id": admin }), None)
        .await
}

/// The handler; links lead to `public_url`.
pub(crate) fn handler(public_url: &Url) -> (&'static str, Handler) {
    let base = public_url.as_str().trim_end_matches('/').to_owned();
    (INVITATION_MAIL, Arc::new(move |context, job| Box::pin(send(context, job, base.clone()))))
}

#[derive(FromQueryResult)]
struct Invited {
    email: String,
    name: String,
    language: String,
    partner_name: String,
}

async fn send(context: JobContext, job: Job, base: String) -> Result<(), JobError> {
    let admin: Uuid = job.arg("admin_id")?;
    let mut random = [0_u8; 32];
    rand::rng().fill_bytes(&mut random);
    let token = URL_SAFE_NO_PAD.encode(random);
    let tx = context.begin(&job).await?;
    // Other partners may have invited the same address.
    let sql = "select control.take_invitation_mail($1, $2) pause";
    let pause: Option<i32> = tx.value(sql, [admin.into(), job.id.to_string().into()]).await?.flatten();
    let Some(pause) = pause else { return Ok(()) };
    if pause > 0 {
        let later = kernel::clock::now() + chrono::Duration::seconds(pause.into());
        let key = format!("later:{admin}");
        work::jobs::enqueue(&tx, INVITATION_MAIL, Some(&key), json!({ "admin_id": admin }), Some(later))
            .await?;
        return Ok(tx.commit().await?);
    }
    let sql = "select * from control.invite_admin($1, $2)";
    let Some(to) = tx.one::<Invited>(sql, [admin.into(), digest(&token).into()]).await? else {
        return Ok(());
    };
    tx.commit().await?;
    let mail = mail(to.email, &to.name, &to.partner_name, to.language == "en", &base, &token)?;
    context.mail(&job, &mail).await
}

const INVITATION: MailText = MailText {
    hu: MailWords {
        subject: "Meghívó a Pultba: {{partner}}",
        text: "{{greeting}}\n\nMeghívót kaptál a Pultba: itt intézik {{partner}} rendeléseit, étlapját és \
            beállításait. Az elfogadáshoz nyisd meg ezt a hivatkozást; egyszer, hét napig használható:\n\n\
            {{link}}\n\n\
            Ha nem számítottál rá, hagyd figyelmen kívül.\n",
        button: "Meghívás megnyitása",
    },
    en: MailWords {
        subject: "Invitation to Pult: {{partner}}",
        text: "{{greeting}}\n\nYou are invited to Pult, where the orders, the menu and the settings of \
            {{partner}} are looked after. Open this link to accept; it works once, for seven days:\n\n\
            {{link}}\n\nIf you did not expect this, simply ignore it.\n",
        button: "Open the invitation",
    },
};

fn mail(
    to: String, name: &str, partner: &str, english: bool, base: &str, token: &str,
) -> std::result::Result<Mail, TemplateError> {
    // Names end up in a text, where a line of their own could look like ours.
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = flat(template::person(name));
    let greeting = match (name.as_str(), english) {
        ("", true) => "Hello,".to_owned(),
        ("", false) => "Szia!".to_owned(),
        (name, true) => format!("Hello {name},"),
        (name, false) => format!("Kedves {name}!"),
    };
    let page = if english { "invitation" } else { "meghivas" };
    let values = [
        ("greeting", greeting),
        ("partner", flat(partner)),
        ("link", format!("{base}/{page}?token={token}")),
    ];
    INVITATION.mail(to, english, &values.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mail_speaks_the_language_and_carries_no_line_of_others() {
        let hungarian =
            mail("a@b.hu".into(), "Kovács\nÉva", "Lánc\r\nBcc: x", false, "https://pult.test", "abc")
                .unwrap();
        assert!(
            hungarian.text.starts_with("Kedves Kovács Éva!")
                && hungarian.text.contains("\nhttps://pult.test/meghivas?token=abc\n")
        );
        assert_eq!(hungarian.subject, "Meghívó a Pultba: Lánc Bcc: x");
        let english = mail("a@b.hu".into(), "Eva", "Chain", true, "https://pult.test", "abc").unwrap();
        assert!(english.text.contains("https://pult.test/invitation?token=abc"));
        assert!(
            mail("a@b.hu".into(), " ", "Lánc", false, "https://pult.test", "abc")
                .unwrap()
                .text
                .starts_with("Szia!\n")
        );
    }
}
