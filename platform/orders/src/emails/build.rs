//! Putting a mail together: a template and the values of its placeholders.

use work::{
    JobError, Mail,
    template::{self, Values},
};

use super::{
    kind::{EmailKind, Lang},
    notification,
    words::{self, MailRestaurant},
};

/// A mail whose answers go to the sender.
pub(super) fn mail(
    to: String, templates: (&str, &str), values: &Values, lang: Lang,
) -> Result<Mail, JobError> {
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
pub(super) fn sample(kind: EmailKind, restaurant: &MailRestaurant, lang: Lang, base: &str) -> Values {
    match kind {
        EmailKind::Notification | EmailKind::NotAccepted => notification::sample(restaurant, lang, base),
        _ => words::sample(restaurant, lang),
    }
}
