//! The mails as a restaurant has written them, and the restaurant's data in them.

use access::prelude::*;
use kernel::money::Currency;
use sea_orm::FromQueryResult;

use super::{
    kind::{EmailKind, Lang},
    words::{self, MailRestaurant},
};

/// A mail about an order.
#[derive(Debug, Clone, Object)]
pub(super) struct OrderEmail {
    pub(super) kind: EmailKind,
    /// Whether it is sent at all.
    pub(super) enabled: bool,
    /// In the restaurant's first language; `null` is the usual one.
    pub(super) subject: Option<String>,
    /// In its second language; `null` is the usual one. The restaurant itself is written to in its second
    /// language about orders in it, once one of these two texts is there; else in its first.
    pub(super) subject_sec_lang: Option<String>,
    /// The text, with placeholders like `{{guest}}`; `null` is the usual one.
    pub(super) body: Option<String>,
    pub(super) body_sec_lang: Option<String>,
    /// The usual subject in the first language.
    usual_subject: String,
    usual_subject_sec_lang: Option<String>,
    usual_body: String,
    usual_body_sec_lang: Option<String>,
    /// The restaurant's first language.
    pub(super) primary_language: String,
    /// Its second language.
    secondary_language: Option<String>,
    /// Whether it is not sent because the restaurant, whom it is for, has no e-mail address.
    missing_address: bool,
    /// What may stand in double braces.
    placeholders: Vec<String>,
    pub(super) version: i64,
}

const READ: &str = "select k.kind, coalesce(e.enabled, true) enabled, e.subject, e.subject_sec_lang, e.body, \
    e.body_sec_lang, \
        coalesce(e.version, 1) as version, r.primary_language, r.secondary_language, \
        k.kind in ('notification', 'not_accepted') and coalesce(r.contact_email, '') = '' missing_address \
    from restaurant_facts r cross join unnest($3::text[]) with ordinality k (kind, place) \
    left join order_email e on e.restaurant_id = r.id and e.kind = k.kind \
    where r.id = $1 and ($2 is null or k.kind = $2) order by k.place";
/// All kinds, in the order in which they are shown.
fn kinds() -> sea_orm::Value {
    EmailKind::ALL.iter().map(|kind| kind.name().to_owned()).collect::<Vec<String>>().into()
}

pub(super) const SAVE: &str = "insert into order_email (restaurant_id, kind, enabled, subject, \
    subject_sec_lang, body, body_sec_lang, version) \
    values ($1, $2, $3, $4, $5, $6, $7, 2) on conflict (restaurant_id, kind) do update set enabled = \
    excluded.enabled, subject = excluded.subject, \
    subject_sec_lang = excluded.subject_sec_lang, body = excluded.body, body_sec_lang = \
    excluded.body_sec_lang, version = order_email.version + 1";
/// What mails say about the restaurant.
#[derive(FromQueryResult)]
struct Facts {
    name: String,
    phone: String,
    contact_email: Option<String>,
    timezone: String,
    currency: Currency,
}

const FACTS: &str = "select name, coalesce(phone_1, '') phone, nullif(contact_email, '') contact_email, timezone, \
    currency from restaurant_facts where id = $1";

/// What a restaurant has written, and its languages.
#[derive(FromQueryResult)]
struct EmailRow {
    kind: String,
    enabled: bool,
    subject: Option<String>,
    subject_sec_lang: Option<String>,
    body: Option<String>,
    body_sec_lang: Option<String>,
    primary_language: String,
    secondary_language: Option<String>,
    missing_address: bool,
    version: i64,
}

impl EmailRow {
    /// The answer, with the usual texts.
    fn answer(self) -> Result<OrderEmail> {
        let kind = EmailKind::of(&self.kind)?;
        let first = words::usual(kind, Lang::of(&self.primary_language));
        let second =
            self.secondary_language.as_deref().map(|language| words::usual(kind, Lang::of(language)));
        Ok(OrderEmail {
            kind,
            enabled: self.enabled,
            subject: self.subject,
            subject_sec_lang: self.subject_sec_lang,
            body: self.body,
            body_sec_lang: self.body_sec_lang,
            usual_subject: first.0.to_owned(),
            usual_subject_sec_lang: second.map(|usual| usual.0.to_owned()),
            usual_body: first.1.to_owned(),
            usual_body_sec_lang: second.map(|usual| usual.1.to_owned()),
            primary_language: self.primary_language,
            secondary_language: self.secondary_language,
            missing_address: self.missing_address,
            placeholders: words::placeholders(kind).into_iter().map(str::to_owned).collect(),
            version: self.version,
        })
    }
}

impl OrderEmail {
    pub(super) async fn all(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<Self>> {
        let rows: Vec<EmailRow> = tx.all(READ, [restaurant.into(), None::<String>.into(), kinds()]).await?;
        rows.into_iter().map(EmailRow::answer).collect()
    }

    pub(super) async fn one(tx: &TenantTx, restaurant: Id<Restaurant>, kind: EmailKind) -> Result<Self> {
        let row: Option<EmailRow> = tx.one(READ, [restaurant.into(), kind.name().into(), kinds()]).await?;
        row.ok_or_else(Problem::not_exist::<Restaurant>)?.answer()
    }

    /// The language in which the restaurant itself is told of an order in this language: its first one, which
    /// its staff reads, unless it has written a text of its own in the language of the order.
    pub(super) fn lang_of_restaurant(&self, order: Lang) -> Lang {
        let written = self.subject_sec_lang.is_some() || self.body_sec_lang.is_some();
        match &self.secondary_language {
            Some(second) if written && second == order.name() => order,
            _ => Lang::of(&self.primary_language),
        }
    }

    /// Subject and text in this language: the own ones where they are written, the usual ones where not. The
    /// third says whether it is the restaurant's second language.
    pub(super) fn templates(&self, lang: Lang) -> (&str, &str, bool) {
        let usual = words::usual(self.kind, lang);
        let (subject, body, second) = if lang.name() == self.primary_language {
            (&self.subject, &self.body, false)
        } else if self.secondary_language.as_deref() == Some(lang.name()) {
            (&self.subject_sec_lang, &self.body_sec_lang, true)
        } else {
            (&None, &None, true)
        };
        (subject.as_deref().unwrap_or(usual.0), body.as_deref().unwrap_or(usual.1), second)
    }
}

impl MailRestaurant {
    pub(super) async fn read(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Self> {
        let row: Option<Facts> = tx.one(FACTS, [restaurant.into()]).await?;
        let Facts { name, phone, contact_email, timezone, currency } =
            row.ok_or_else(Problem::not_exist::<Restaurant>)?;
        let zone = timezone.parse().map_err(|_| Code::UNKNOWN_ERROR)?;
        Ok(Self { id: restaurant, name, phone, contact_email, zone, currency })
    }
}
