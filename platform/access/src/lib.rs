//! Who may do what: the permission tree, grants, calls of API keys, the audit log, and the first argument of
//! handlers: [`In`] below a partner, [`Platform`], [`Paired`], [`SignedIn`] or [`Anyone`] elsewhere.

mod admission;
pub mod answers;
mod api_keys;
pub mod app;
pub mod attempts;
pub mod audit;
pub mod caller;
pub mod company;
pub mod credential;
pub mod device;
pub mod domain;
mod grants;
mod guest;
mod idempotency;
mod limits;
mod lock;
mod menu_changed;
pub mod paired;
pub mod passwords;
pub mod people;
pub mod perm;
pub mod pin;
mod places;
pub mod raw;
mod read_queue;
mod recent_reads;
mod request_target;
pub mod rows;
pub mod scope;
pub mod sealed;
pub mod search;
pub mod secrets;
mod session_calls;
mod settings;
pub mod tokens;

pub use admission::grants_at;
pub use answers::{Created, Done, Stored};
pub use api_keys::{calling::KeyUse, cors::preflight};
pub use app::App;
pub use attempts::{take_attempt, take_call};
pub use audit::{
    Actor, RecordName, SUPPORT_END, difference, enqueue_seals, names_within, record_names, seal_all,
    socket_step, write as write_audit,
};
pub use audit::{
    Line as AuditLine, action_of as audit_action, counts as audit_counts, lines as audit_lines,
    lines_since as audit_lines_since,
};
pub use caller::Caller;
pub use credential::{Credential, check_origin, client_address, digest};
pub use device::{describe, network};
pub use grants::{Grants, Policy};
pub use guest::GuestAddress;
pub use idempotency::{First, Idempotency, IdempotencyKey};
pub use menu_changed::{
    CatalogueChanged, CatalogueEvent, menu_changed, menu_changed_from, menu_changed_silently,
};
pub use paired::Paired;
pub use people::{Anyone, Opening, Platform, SignedIn, SigningOut};
pub use perm::{AnyOf, OfFeature, Permission, WholePartner};
pub use pin::{Approver, Pin, hide_query_pin};
pub use places::{Public, Scope};
pub use read_queue::ReadTogether;
pub use recent_reads::{ReadAt, Recent, RecentReads, reads};
pub use request_target::RequestTarget;
pub use scope::{In, marker};
pub use secrets::Secrets;
pub use settings::{BuilderKind, Settings};
pub use tokens::Tokens;

/// What a resource's file needs.
pub mod prelude {
    pub use crate::{
        AnyOf, Created, Done, IdempotencyKey, In, OfFeature, Public, Scope, Stored, WholePartner,
        answers::Tag, apply, change, entity, fill, new, perm, perm::feature, rows,
    };
    pub use kernel::{
        Body, Clearable, Code, Fault, Id, Page, Paging, Partner, Problem, QueryParam, Resource, Restaurant,
        Result, Unpaged, time::Timestamp,
    };
    pub use poem_openapi::{
        Enum, Object, OpenApi,
        param::{Path, Query},
        payload::Json,
    };
    pub use sea_orm::{
        ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter,
        QueryOrder, entity::prelude::*,
    };
    pub use tenants::TenantTx;
}

/// Who does which kind of job.
#[must_use]
pub fn handlers() -> Vec<(&'static str, work::Handler)> {
    audit::handlers()
}
