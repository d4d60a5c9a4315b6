//! Mail over SMTP (`PULT_SMTP_URL`). Sent by jobs only, never inside a request.

use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor, message::Mailbox};

/// A mail to one person. Header values cannot carry line breaks: addresses are parsed, the subject is encoded.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The recipient's address.
    pub to: String,
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub text: String,
}

/// Sends mail.
#[derive(Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Mailer {
    /// A mailer over this server; `from` is the sender (`PULT_MAIL_FROM`).
    ///
    /// # Errors
    /// A sentence naming the faulty setting.
    pub fn new(url: &str, from: &str) -> Result<Self, String> {
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|error| format!("PULT_SMTP_URL is not the address of a mail server: {error}"))?
            .timeout(Some(std::time::Duration::from_secs(10)))
            .build();
        let from = from.parse().map_err(|_| "PULT_MAIL_FROM is not an e-mail address".to_owned())?;
        Ok(Self { transport, from })
    }

    /// Sends one mail.
    ///
    /// # Errors
    /// Why the server did not take it.
    pub async fn send(&self, mail: &Mail) -> Result<(), String> {
        let to: Mailbox = mail.to.parse().map_err(|_| "the recipient's address is faulty".to_owned())?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(mail.subject.replace(['\r', '\n'], " "))
            .header(lettre::message::header::ContentType::TEXT_PLAIN)
            .body(mail.text.clone())
            .map_err(|error| error.to_string())?;
        self.transport.send(message).await.map(drop).map_err(|error| error.to_string())
    }
}
