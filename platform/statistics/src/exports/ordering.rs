//! Stores an export that was ordered, and answers it.

use access::{Caller, prelude::*};
use chrono::{DateTime, Utc};
use sea_orm::FromQueryResult;
use serde_json::{Value, json};

use super::{
    api::ExportRequests,
    file::ExportFormat,
    form::{ExportFilterType, ExportType},
    jobs::MAKE,
};

/// How far an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum ExportRequestStatus {
    Waiting,
    Running,
    /// The link was sent.
    Ready,
    /// It is tried again by itself.
    Failed,
}

/// An export that was ordered. The file comes by mail only.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct ExportRequest {
    id: Id<ExportRequests>,
    export_email: String,
    export_type: ExportType,
    filter_type: ExportFilterType,
    format: ExportFormat,
    /// `null`: everything, or what a filter says.
    #[sea_orm(from_alias = "from_at")]
    from: Option<Timestamp>,
    #[sea_orm(from_alias = "till_at")]
    till: Option<Timestamp>,
    status: ExportRequestStatus,
    /// Percent.
    progress: i32,
    row_count: Option<i32>,
    size_bytes: Option<i64>,
    /// Who ordered it.
    actor_name: String,
    created_at: Timestamp,
    /// Until when the link holds.
    expires_at: Option<Timestamp>,
}

const INSERT: &str = "insert into export_request (id, restaurant_id, export_email, export_type, filter_type, \
    from_at, till_at, language, actor_name, created_at, only_for, format, filter, guests, ordered_by) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
pub(crate) const LIST: &str = "select id, export_email, export_type, filter_type, format, from_at, till_at, status, progress, \
    row_count, size_bytes, actor_name, created_at, \
     expires_at from export_request where restaurant_id = $1 and export_type = any ($2) order by created_at \
     desc, id limit 20";

/// An export that somebody orders, after all checks.
pub(crate) struct NewExport {
    pub email: String,
    pub kind: ExportType,
    pub filter_type: ExportFilterType,
    /// None: everything.
    pub range: Option<(DateTime<Utc>, DateTime<Utc>)>,
    pub format: ExportFormat,
    /// What is looked for in previous orders.
    pub filter: Option<Value>,
    /// Whether guests' data may be in it.
    pub guests: bool,
}

/// Links that one address gets within an hour, whoever orders them: it may be a stranger's.
const ROOM: &str = "select control.take_mail(array[$1], $2, array[10], array[interval '1 hour']) pause";

async fn take_room<P>(
    scope: &In<Restaurant, P>, tx: &TenantTx, id: Id<ExportRequests>, email: &str,
) -> Result<()> {
    let subject = scope.app().settings.secrets.keyed_hex("export mail", &email.to_lowercase());
    let values = [format!("export {subject}").into(), id.to_string().into()];
    match u64::try_from(tx.value::<i32>(ROOM, values).await?.unwrap_or(0)) {
        Ok(seconds) if seconds > 0 => Err(Problem::new(Code::TOO_MANY_REQUESTS).retry_after(seconds)),
        _ => Ok(()),
    }
}

/// Writes it down with a line in the audit log, and has it made.
/// Errors: `TOO_MANY_REQUESTS`.
pub(crate) async fn order<P>(
    scope: &In<Restaurant, P>, tx: &TenantTx, new: NewExport, details: Value,
) -> Result<ExportRequest> {
    let id: Id<ExportRequests> = Id::new();
    take_room(scope, tx, id, &new.email).await?;
    // Whom the support access lets in takes the guests' data for nobody else.
    let only_for = match scope.caller() {
        Caller::Person { account, support: Some(_), .. } => Some(account.uuid()),
        _ => None,
    };
    let ordered_by = match scope.caller() {
        Caller::Person { admin, .. } => admin.map(Id::uuid),
        Caller::Key { .. } => None,
    };
    let (from, till) = new.range.unzip();
    let language = if kernel::request::hungarian() { "hu" } else { "en" };
    let values = [
        id.into(),
        scope.restaurant().into(),
        new.email.into(),
        new.kind.key().into(),
        new.filter_type.key().into(),
        from.into(),
        till.into(),
        language.into(),
        scope.caller().name().into(),
        kernel::clock::now().into(),
        only_for.into(),
        new.format.key().into(),
        new.filter.into(),
        new.guests.into(),
        ordered_by.into(),
    ];
    tx.run(INSERT, values).await?;
    scope.audit(tx, Some(scope.restaurant().uuid()), "export_requests_create", id, details).await?;
    work::enqueue(tx, MAKE, Some(&id.to_string()), json!({"export_id": id}), None).await?;
    let values = [scope.restaurant().into(), vec![new.kind.key().to_owned()].into()];
    let rows: Vec<ExportRequest> = tx.all(LIST, values).await?;
    rows.into_iter().find(|row| row.id == id).ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))
}
