//! Operations by which a restaurant writes its mails, previews them, and sends a sample to itself.

use access::{
    Caller, Permission,
    domain::{Restore, SettingsGroup, SettingsOf, earlier, earlier_values, no_earlier_values},
    prelude::*,
};
use futures_util::FutureExt;
use poem_openapi::types::ToJSON;
use serde_json::{Value, json};
use work::template::{self, Faulty};

use super::{
    build::{mail, sample},
    jobs::TEST,
    kind::{EmailKind, Lang, OrderEmails},
    saved::{OrderEmail, SAVE},
    words::{self, MailRestaurant},
};

/// Which mail a line of the audit log is about.
const KIND: &str = "kind";

#[derive(Debug, Object)]
struct OrderEmailChange {
    enabled: Option<bool>,
    #[oai(validator(max_length = 200))]
    subject: Clearable<String>,
    #[oai(validator(max_length = 200))]
    subject_sec_lang: Clearable<String>,
    #[oai(validator(max_length = 10_000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    body: Clearable<String>,
    #[oai(validator(max_length = 10_000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    body_sec_lang: Clearable<String>,
    version: Option<i64>,
}

/// A text that is to be seen as the guest would.
#[derive(Debug, Object)]
struct OrderEmailDraft {
    lang: Lang,
    /// The usual one when empty.
    #[oai(validator(max_length = 200))]
    subject: Option<String>,
    #[oai(validator(max_length = 10_000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    body: Option<String>,
}

/// A mail about an order that nobody made.
#[derive(Debug, Object)]
struct OrderEmailPreview {
    subject: String,
    text: String,
    /// A whole page; nothing in it runs or is fetched.
    html: String,
}

#[derive(Debug, Object)]
struct OrderEmailTest {
    lang: Lang,
}

/// Refuses placeholders that this mail does not have, each by its name.
fn check(kind: EmailKind, texts: &[(&str, Option<&str>)]) -> Result<()> {
    let allowed = words::placeholders(kind);
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    let mut unknown = Vec::new();
    for (key, text) in texts {
        let faulty = template::check(text.unwrap_or_default(), &allowed);
        if !faulty.is_empty() {
            problem = problem.key((*key).to_owned(), Fault::Pattern);
        }
        unknown.extend(faulty.into_iter().map(|faulty| match faulty {
            Faulty::Unknown(name) => format!("{{{{{name}}}}}"),
            Faulty::Open => "{{".to_owned(),
        }));
    }
    unknown.dedup();
    let detail = format!("not a placeholder of this mail: {}", unknown.join(", "));
    problem.with("unknown_placeholders", unknown.into()).detail(detail).if_any()
}

/// An empty text means the default text.
fn own(change: Clearable<String>, before: &Option<String>) -> Option<String> {
    let text = match change {
        Clearable::Undefined => before.clone(),
        Clearable::Null => None,
        Clearable::Value(text) => Some(text),
    };
    text.filter(|text| !text.trim().is_empty())
}

/// Changes one mail in the caller's unit of work.
async fn change<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, kind: EmailKind, change: OrderEmailChange,
) -> Result<OrderEmail> {
    let OrderEmailChange { enabled, subject, subject_sec_lang, body, body_sec_lang, version } = change;
    let restaurant = scope.restaurant();
    // Two who write the first own text at once: the restaurant's row is what both must have.
    restaurants::lock(tx, restaurant).await?;
    let before = OrderEmail::one(tx, restaurant, kind).await?;
    let logged = rows::Logged { resource: "order_emails", record: restaurant.uuid() };
    rows::check_version(tx, version, before.version, &before, logged).await?;
    let (subject, subject_sec_lang) =
        (own(subject, &before.subject), own(subject_sec_lang, &before.subject_sec_lang));
    let (body, body_sec_lang) = (own(body, &before.body), own(body_sec_lang, &before.body_sec_lang));
    let texts = [
        ("subject", subject.as_deref()),
        ("subject_sec_lang", subject_sec_lang.as_deref()),
        ("body", body.as_deref()),
        ("body_sec_lang", body_sec_lang.as_deref()),
    ];
    check(kind, &texts)?;
    let values = [
        restaurant.into(),
        kind.name().into(),
        enabled.unwrap_or(before.enabled).into(),
        subject.into(),
        subject_sec_lang.into(),
        body.into(),
        body_sec_lang.into(),
    ];
    tx.run(SAVE, values).await?;
    let after = OrderEmail::one(tx, restaurant, kind).await?;
    let mut details =
        access::difference(&before.to_json().unwrap_or_default(), &after.to_json().unwrap_or_default());
    // All kinds are one record of the log.
    if !details.is_null() {
        details[KIND] = kind.name().into();
    }
    scope.audit(tx, Some(restaurant.uuid()), "order_emails_update", restaurant.uuid(), details).await?;
    Ok(after)
}

pub(crate) fn history() -> SettingsOf {
    SettingsOf {
        // Older lines do not say of which mail they are.
        leads_back: |details| details[KIND].is_string() && earlier(details).next().is_some(),
        ..SettingsOf::new(
            SettingsGroup::OrderEmails,
            &["order_emails_update"],
            <perm::SystemGeneral as Permission>::keys,
        )
    }
    .with(|to| before(to).boxed())
}

/// Makes one kind of mail what it was before the change; other kinds stay.
async fn before(to: Restore<'_>) -> Result<()> {
    let kind =
        to.changes.first().and_then(|first| first.details[KIND].as_str()).ok_or_else(no_earlier_values)?;
    let changes: Vec<_> = to.changes.iter().filter(|one| one.details[KIND] == kind).cloned().collect();
    let fields = earlier_values(&changes);
    if fields.is_empty() {
        return Err(no_earlier_values());
    }
    let back = kernel::body::checked(Value::Object(fields))?;
    change(to.tx, to.scope, EmailKind::of(kind)?, back).await.map(drop)
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/order-emails",
    tag = "Tag::Orders"
)]
impl OrderEmails {
    /// The mails about orders: those to guests, and the one that tells the restaurant of a new one.
    #[oai(path = "/", method = "get", operation_id = "order_emails_list")]
    async fn list(&self, scope: In<Restaurant, perm::SystemGeneral>) -> Result<Page<OrderEmail>> {
        let tx = scope.begin().await?;
        Ok(Page::unpaged(OrderEmail::all(&tx, scope.restaurant()).await?))
    }

    /// Changes one of them. A placeholder that is not in `placeholders` is refused and named in
    /// `unknown_placeholders`.
    ///
    /// codes: ORDER_EMAIL_NOT_EXIST, CONFLICT
    #[oai(path = "/:kind", method = "put", operation_id = "order_emails_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::SystemGeneral>, kind: Path<String>, body: Body<OrderEmailChange>,
    ) -> Result<Json<OrderEmail>> {
        let kind = EmailKind::of(&kind)?;
        let tx = scope.begin().await?;
        let after = change(&tx, &scope, kind, body.into_inner()).await?;
        work::events::publish(&tx, &restaurants::Event::Changed(scope.restaurant())).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Shows a text as a guest would get it, with an order that nobody made. Nothing is saved.
    ///
    /// codes: ORDER_EMAIL_NOT_EXIST
    #[oai(path = "/:kind/preview", method = "post", operation_id = "order_emails_preview")]
    async fn preview(
        &self, scope: In<Restaurant, perm::SystemGeneral>, kind: Path<String>, body: Body<OrderEmailDraft>,
    ) -> Result<Json<OrderEmailPreview>> {
        let kind = EmailKind::of(&kind)?;
        let OrderEmailDraft { lang, subject, body } = body.into_inner();
        let written = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let (subject, body) = (written(subject), written(body));
        check(kind, &[("subject", subject.as_deref()), ("body", body.as_deref())])?;
        let tx = scope.begin().await?;
        let restaurant = MailRestaurant::read(&tx, scope.restaurant()).await?;
        let base = scope.app().settings.public_url.as_str().trim_end_matches('/');
        let values = sample(kind, &restaurant, lang, base);
        let usual = words::usual(kind, lang);
        let templates = (subject.as_deref().unwrap_or(usual.0), body.as_deref().unwrap_or(usual.1));
        let mail = mail(String::new(), templates, &values, lang).map_err(|_| Code::UNKNOWN_ERROR)?;
        Ok(Json(OrderEmailPreview {
            subject: mail.subject,
            text: mail.text,
            html: mail.html.unwrap_or_default(),
        }))
    }

    /// Sends the saved mail to the caller, with an order that nobody made.
    ///
    /// codes: ORDER_EMAIL_NOT_EXIST
    #[oai(path = "/:kind/test", method = "post", operation_id = "order_emails_test")]
    async fn test(
        &self, scope: In<Restaurant, perm::SystemGeneral>, kind: Path<String>, body: Body<OrderEmailTest>,
    ) -> Result<Done> {
        let kind = EmailKind::of(&kind)?;
        let Caller::Person { admin: Some(admin), .. } = scope.caller() else {
            return Err(Problem::new(Code::USER_PERMISSION_REQUIRED)
                .detail("only staff of the partner get a test mail"));
        };
        let tx = scope.begin().await?;
        let args = json!({"restaurant_id": scope.restaurant(), "kind": kind.name(), "lang": body.lang.name(),
            "admin_id": admin});
        work::enqueue(&tx, TEST, None, args, None).await?;
        scope
            .audit(
                &tx,
                Some(scope.restaurant().uuid()),
                "order_emails_test",
                scope.restaurant().uuid(),
                json!({"kind": kind.name()}),
            )
            .await?;
        tx.commit().await?;
        Ok(Done)
    }
}
