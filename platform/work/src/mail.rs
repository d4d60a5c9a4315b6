//! Mail over SMTP (`PULT_SMTP_URL`), sent by jobs only through [`crate::JobContext::mail`], which knows who
//! may receive a partner's mail. See `docs/decisions/messages.md#mail`.

use std::path::PathBuf;

use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{Mailbox, MultiPart, header::ContentType},
};
use uuid::Uuid;

use crate::JobError;

/// A mail to one person. Header values cannot carry control characters: addresses are parsed, the subject is
/// encoded.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The recipient's address.
    pub to: String,
    pub subject: String,
    pub text: String,
    /// An HTML form of the same text, to stand beside it.
    pub html: Option<String>,
    /// Where answers go instead of to the sender. One that is no address is left out.
    pub reply_to: Option<String>,
}

#[derive(Clone)]
enum Transport {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    Folder(PathBuf),
    Nowhere,
}

#[derive(Clone)]
pub struct Mailer {
    transport: Transport,
    /// The sink for mails of partners that are not live.
    sink: Transport,
    from: Mailbox,
}

impl Transport {
    fn smtp(name: &str, url: &str) -> Result<Self, String> {
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|error| format!("{name} is not the address of a mail server: {error}"))?
            .timeout(Some(std::time::Duration::from_secs(10)))
            .build();
        Ok(Self::Smtp(transport))
    }
}

impl Mailer {
    /// A mailer over this server; `from` is the sender (`PULT_MAIL_FROM`). `sink` is the mail server that
    /// stands in for it (`PULT_STAND_IN_SMTP_URL`): it takes what may not be sent to others, which nobody
    /// gets without it.
    pub fn new(url: &str, from: &str, sink: Option<&str>) -> Result<Self, String> {
        let transport = Transport::smtp("PULT_SMTP_URL", url)?;
        let sink =
            sink.map_or(Ok(Transport::Nowhere), |url| Transport::smtp("PULT_STAND_IN_SMTP_URL", url))?;
        let from = from.parse().map_err(|_| "PULT_MAIL_FROM is not an e-mail address".to_owned())?;
        Ok(Self { transport, sink, from })
    }

    /// A mailer that writes each mail into a file of this folder, for tests: recipient, subject, where
    /// answers go if that is set, empty line, text; the HTML form stands in an `.html` file of the same name.
    pub fn keeping(folder: PathBuf) -> Result<Self, String> {
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let from = "pult@localhost".parse().map_err(|_| "not an address".to_owned())?;
        Ok(Self { transport: Transport::Folder(folder), sink: Transport::Nowhere, from })
    }

    /// Sends one mail, to the world or to who stands in for it. Without a sink such mails are dropped.
    pub(crate) async fn send(&self, mail: &Mail, outside: bool) -> Result<(), JobError> {
        let transport = if outside { &self.transport } else { &self.sink };
        let to: Mailbox =
            mail.to.parse().map_err(|_| JobError::give_up("the recipient's address is faulty"))?;
        let reply_to = mail.reply_to.as_deref().and_then(|address| address.parse::<Mailbox>().ok());
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(mail.subject.replace(char::is_control, " "));
        if let Some(reply_to) = &reply_to {
            message = message.reply_to(reply_to.clone());
        }
        let message = match &mail.html {
            Some(html) => {
                message.multipart(MultiPart::alternative_plain_html(mail.text.clone(), html.clone()))
            }
            None => message.header(ContentType::TEXT_PLAIN).body(mail.text.clone()),
        };
        let message = message.map_err(JobError::give_up)?;
        match transport {
            Transport::Smtp(transport) => transport.send(message).await.map(drop).map_err(|error| {
                // A server that answers speaks of this mail; one that cannot be reached does not.
                let answered = error.is_response() || error.is_client();
                if answered || error.is_transient() || error.is_permanent() {
                    JobError::retry(without_words(&error))
                } else {
                    JobError::away(error)
                }
            }),
            Transport::Folder(folder) => {
                let (unfinished, file) = (
                    folder.join(format!("{}.part", Uuid::now_v7())),
                    folder.join(format!("{}.mail", Uuid::now_v7())),
                );
                if let Some(html) = &mail.html {
                    std::fs::write(file.with_extension("html"), html)?;
                }
                let reply_to = reply_to.map(|address| format!("Reply-To: {address}\n")).unwrap_or_default();
                let text = format!("{}\n{}\n{reply_to}\n{}", mail.to, mail.subject, mail.text);
                // It appears whole: other processes may be reading.
                std::fs::write(&unfinished, text)?;
                Ok(std::fs::rename(&unfinished, &file)?)
            }
            Transport::Nowhere => Ok(()),
        }
    }
}

/// What the server answered, as its code alone: its words often repeat the recipient's address, and errors of jobs are
/// logged and kept.
fn without_words(error: &lettre::transport::smtp::Error) -> String {
    match error.status() {
        Some(code) => format!("the mail server answered {code}"),
        None if error.is_client() => error.to_string(),
        None => "the mail server's answer cannot be read".to_owned(),
    }
}

#[cfg(test)]
#[path = "mail_tests.rs"]
#[allow(clippy::unwrap_used)]
mod tests;
