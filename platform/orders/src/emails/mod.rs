//! Mails about orders: to guests (received, accepted, time changed, refused) and to the restaurant (a new one).
//! A restaurant may write its own subject and text in both of its languages; an empty one means the default
//! text. See
//! `docs/decisions/messages.md#order-e-mails`.

mod api;
mod jobs;
mod notification;
mod saved;
mod words;

use access::prelude::*;
use serde_json::json;
use work::{
    JobError, Mail, Work,
    template::{self, Values},
};

use crate::events::Event;
use words::MailRestaurant;

pub(crate) use api::history;
pub(crate) use jobs::{send, send_test};

/// The mail about an order that a job sends.
pub const SEND: &str = "order_email";
/// The mail that an order was accepted, or that this was taken back. A kind of its own: a release that does
/// not know that accepting can be taken back leaves it to one that does.
pub const SEND_ACCEPTED: &str = "order_email_accepted";
/// The mail that tells the restaurant of a new order.
pub const SEND_NOTIFICATION: &str = "order_email_notification";
/// For so many seconds accepting can be taken back before the guest hears of it.
const PATIENCE: i64 = 8;
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
    /// The acceptance was taken back; the time will be set again.
    TakenBack,
    /// The restaurant cannot take it.
    Refused,
    /// Tells the restaurant itself of a new order.
    Notification,
}

impl EmailKind {
    const ALL: [Self; 5] =
        [Self::Received, Self::Accepted, Self::TakenBack, Self::Refused, Self::Notification];

    /// The one that a path names.
    fn of(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(Problem::not_exist::<OrderEmails>)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Accepted => "accepted",
            Self::TakenBack => "taken_back",
            Self::Refused => "refused",
            Self::Notification => "notification",
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

/// A mail whose answers go to the sender.
///
/// # Errors
/// A text that was saved without a check.
fn mail(to: String, templates: (&str, &str), values: &Values, lang: Lang) -> Result<Mail, JobError> {
    let (subject, body) = templates;
    Ok(Mail {
        to,
        subject: template::subject(subject, values)?,
        text: template::text(body, values)?,
        html: Some(template::html(body, values, lang.name())?),
        reply_to: None,
    })
}

/// The values of an order that nobody made, for the preview and the test mail.
fn sample(kind: EmailKind, restaurant: &MailRestaurant, lang: Lang, base: &str) -> Values {
    match kind {
        EmailKind::Notification => notification::sample(restaurant, lang, base),
        _ => words::sample(restaurant, lang),
    }
}

/// Subscriber: the guest is told that the order was received, or that it cannot be taken.
#[must_use]
pub fn email(event: &Event) -> Option<Work> {
    let (order, kind) = match event {
        Event::Arrived { order, .. } => (order, EmailKind::Received),
        Event::Refused(order) => (order, EmailKind::Refused),
        _ => return None,
    };
    let (id, kind) = (order.id, kind.name());
    order.has_email.then(|| Work {
        key: Some(format!("{kind}:{id}")),
        args: json!({"order_id": id, "kind": kind}),
        run_at: None,
    })
}

/// Subscriber: the restaurant is told of a new order.
#[must_use]
pub fn notification(event: &Event) -> Option<Work> {
    let Event::Arrived { order, tell_restaurant: true, .. } = event else { return None };
    let (id, kind) = (order.id, EmailKind::Notification.name());
    Some(Work {
        key: Some(format!("{kind}:{id}")),
        args: json!({"order_id": id, "kind": kind}),
        run_at: None,
    })
}

/// Subscriber: the guest is told that the order was accepted, unless this is taken back within 8 seconds, and
/// one who knows a time that another is being set.
#[must_use]
pub fn acceptance_email(event: &Event) -> Option<Work> {
    let (order, kind, acceptance, run_at) = match event {
        Event::Accepted { order, at, acceptance } => {
            let due = at.0 + chrono::Duration::seconds(PATIENCE);
            (order, EmailKind::Accepted, acceptance, Some(due))
        }
        Event::TakenBack { order, acceptance, guest_told: true } => {
            (order, EmailKind::TakenBack, acceptance, None)
        }
        _ => return None,
    };
    let (id, kind) = (order.id, kind.name());
    order.has_email.then(|| Work {
        // Each acceptance has its own: what is left of one that was taken back must not hurry the next.
        key: Some(format!("{kind}:{id}:{acceptance}")),
        args: json!({"order_id": id, "kind": kind, "acceptance": acceptance}),
        run_at,
    })
}
