//! The mails that guests get about their orders: when one is received, accepted, refused (document 1 §3). A restaurant may
//! write its own subject and text, in both of its languages; what it leaves empty is the usual text.

mod api;
mod jobs;
mod saved;
mod template;
mod words;

use access::prelude::*;
use serde_json::json;
use work::Mail;

use self::template::Values;
use crate::types::OrderId;

pub(crate) use jobs::{send, send_test};

/// The mail about an order that a job sends.
pub(crate) const SEND: &str = "order_email";
/// A mail to oneself, to see how it looks.
pub(crate) const TEST: &str = "order_email_test";

pub(crate) struct OrderEmails;

impl Resource for OrderEmails {
    const NAME: &'static str = "order_emails";
    const ENTITY: &'static str = "ORDER_EMAIL";
}

/// When a mail is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case", rename = "OrderEmailKind")]
pub(crate) enum EmailKind {
    /// The restaurant has the order.
    Received,
    /// The restaurant has accepted it.
    Accepted,
    /// The restaurant cannot take it.
    Refused,
}

impl EmailKind {
    const ALL: [Self; 3] = [Self::Received, Self::Accepted, Self::Refused];

    /// The one that a path names.
    fn of(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(Problem::not_exist::<OrderEmails>)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Accepted => "accepted",
            Self::Refused => "refused",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case", rename = "OrderEmailLanguage")]
enum Lang {
    Hu,
    En,
}

impl Lang {
    fn of(name: &str) -> Self {
        if name == "en" { Self::En } else { Self::Hu }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Hu => "hu",
            Self::En => "en",
        }
    }
}

fn mail(to: String, templates: (&str, &str), values: &Values, lang: Lang) -> Mail {
    let (subject, body) = templates;
    let html = template::html(body, values, lang.name());
    Mail { to, subject: template::subject(subject, values), text: template::text(body, values), html: Some(html) }
}

/// Writes the job that tells the guest, when there is an address.
///
/// # Errors
/// What the database says.
pub(crate) async fn enqueue(tx: &TenantTx, id: Id<OrderId>, email: Option<&str>, kind: EmailKind) -> Result<()> {
    if email.is_none() {
        return Ok(());
    }
    work::enqueue(tx, SEND, Some(&format!("{}:{id}", kind.name())), json!({"order_id": id, "kind": kind.name()}), None).await
}
